import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'variants-file-type': {
    severity: 'error',
    en: 'The file is not VCF, BCF or PLINK .bed.',
    zh: '该文件不是 VCF、BCF 或 PLINK .bed。',
  },
  'variants-plink-alleles': {
    severity: 'warning',
    en: 'The alleles of {count} of {total} variants are not bases ({example}); these variants were left out.',
    zh: '{total} 个变异中有 {count} 个的等位基因不是碱基（{example}），已略去。',
  },
  'variants-plink-no-alleles': {
    severity: 'error',
    en: 'The alleles of none of the {total} variants are bases ({example}).',
    zh: '{total} 个变异的等位基因均不是碱基（{example}）。',
  },
  'variants-contig-lines-added': {
    severity: 'repair',
    en: 'The header has no ##contig lines; those of the genome were added.',
    zh: '文件头缺少 ##contig 行，已按基因组补上。',
  },
  'variants-consequences-failed': {
    severity: 'warning',
    en: 'bcftools csq could not determine the consequences ({reason}); the variants were loaded without them.',
    zh: 'bcftools csq 未能给出变异效应（{reason}）；变异已加载，但不含效应注释。',
  },
  'variants-genes-left-out': {
    severity: 'warning',
    en: '{count} transcripts were not passed to bcftools csq, which cannot read them ({reason}); {names}.',
    zh: '{count} 个转录本未交给 bcftools csq，因其无法读取（{reason}）：{names}。',
  },
} as const satisfies DefectCatalogue

export default defects
