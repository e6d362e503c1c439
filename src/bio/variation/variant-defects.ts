import type { DefectCatalogue } from '../text/defects.ts'

/** Of VCF files and what they say of the genome. */
export const variantDefects = {
  'vcf-no-fileformat': {
    severity: 'error',
    en: 'The first line is not "##fileformat=VCFv4.x".',
    zh: '首行不是“##fileformat=VCFv4.x”。',
  },
  'vcf-version': {
    severity: 'warning',
    en: 'The VCF version {version} is not one of 4.0 to 4.5; it was read as 4.2.',
    zh: 'VCF 版本 {version} 不在 4.0 至 4.5 之列，已按 4.2 读取。',
  },
  'vcf-no-column-line': {
    severity: 'error',
    en: 'The line "#CHROM POS ID REF ALT QUAL FILTER INFO" is missing.',
    zh: '缺少“#CHROM POS ID REF ALT QUAL FILTER INFO”行。',
  },
  'vcf-bad-column-line': {
    severity: 'error',
    en: 'Column {column} of the #CHROM line is "{value}"; {expected} is required.',
    zh: '#CHROM 行第 {column} 列为“{value}”，应为 {expected}。',
  },
  'vcf-duplicate-sample': {
    severity: 'error',
    en: 'The sample {sample} occurs twice in the #CHROM line.',
    zh: '样本 {sample} 在 #CHROM 行中出现两次。',
  },
  'variants-columns': {
    severity: 'error',
    en: 'The record has {found} columns, but the header has {expected}. Is the file truncated here, or were samples removed only from the header?',
    zh: '该记录有 {found} 列，表头有 {expected} 列。文件是否在此处截断，或仅从表头中去除了样本？',
  },
  'variants-reference-differs': {
    severity: 'warning',
    en: 'REF is {found}, but the genome has {expected} at {sequence}:{position}; the record was left out.',
    zh: 'REF 为 {found}，而基因组 {sequence}:{position} 处为 {expected}；该记录已略去。',
  },
  'variants-allele-beyond': {
    severity: 'error',
    en: 'A genotype of the record has the allele {allele}, but the record has only {count} alleles including REF. Were alternate alleles removed without updating the genotypes?',
    zh: '该记录的某个基因型含等位基因编号 {allele}，而该记录连同 REF 仅有 {count} 个等位基因。是否删除了非参考等位基因而未更新基因型？',
  },
  'variants-reference-all-differ': {
    severity: 'error',
    en: 'The REF of {count} of {total} records does not match the genome. The file belongs to another assembly.',
    zh: '{total} 条记录中有 {count} 条的 REF 与基因组不符。该文件属于其他组装版本。',
  },
} as const satisfies DefectCatalogue
