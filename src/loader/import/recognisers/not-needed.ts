import { says } from '../annotator.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const byFormat: Partial<Record<InputFile['format'], Text>> = {
  archive: { en: 'archive', zh: '压缩包' },
  compressed: { en: 'archive', zh: '压缩包' },
  html: { en: 'web page', zh: '网页' },
  image: { en: 'picture', zh: '图片' },
  office: { en: 'document', zh: '文档' },
  pdf: { en: 'document', zh: '文档' },
  spreadsheet: { en: 'spreadsheet', zh: '电子表格' },
  program: { en: 'program', zh: '程序' },
  empty: { en: 'empty file', zh: '空文件' },
}
const whyOf: Partial<Record<InputFile['format'], Text>> = {
  archive: { en: 'import it by its own path', zh: '请单独导入' },
  compressed: { en: 'unpack it first', zh: '请先解压' },
  spreadsheet: { en: 'save its tables as TSV or CSV', zh: '请将表格另存为 TSV 或 CSV' },
}

/** Tables of genes and samples, and results: known, but which entry they belong to is for a person to say. */
const results: [RegExp, Text][] = [
  [/^# Program:featureCounts/, { en: 'counts of genes, featureCounts', zh: '基因计数，featureCounts' }],
  [/^N_unmapped\t\d+\t\d+\t\d+$/, { en: 'counts of genes, STAR', zh: '基因计数，STAR' }],
  [/^Name\tLength\tEffectiveLength\tTPM\tNumReads$/, { en: 'quantification, Salmon', zh: '定量结果，Salmon' }],
  [/^target_id\tlength\teff_length\test_counts\ttpm$/, { en: 'quantification, kallisto', zh: '定量结果，kallisto' }],
  [/baseMean.*log2FoldChange/, { en: 'differential expression, DESeq2', zh: '差异表达，DESeq2' }],
  [/\blogFC\b.*(PValue|adj\.P\.Val)/, { en: 'differential expression', zh: '差异表达' }],
  [
    /\bp_(wald|lrt|score)\b|^#CHROM\tPOS\tID\tREF.*\tP\b|\bLOG10P\b|\bP_BOLT_LMM\b/,
    { en: 'association scan', zh: '关联分析' },
  ],
]
const byHand: Text = {
  en: 'add it to species.yaml under expression or gwas (docs/data-formats.en.md)',
  zh: '请在 species.yaml 的 expression 或 gwas 下添加（见 docs/data-formats.zh.md）',
}

const describe = (file: InputFile): Finding | null => {
  const { name, format } = file
  const what = byFormat[format]
  if (what !== undefined) return { file, what, take: 'none', why: whyOf[format] ?? texts.nothing }
  if (format === 'index' || /\.(fai|gzi|bai|crai|csi|tbi|dict|mmi)$/i.test(name))
    return { file, what: texts.index, take: 'none', why: texts.indexWhy }
  if (/(^|[._-])(md5|md5sums?|md5checksums|sha256sums?|checksums?)([._-]|$)/i.test(name))
    return { file, what: texts.checksums, take: 'none', why: texts.nothing }
  if (/\.(log|err|stderr|stdout|sh|slurm|py|pl|R|yml|nf|command)$/i.test(name))
    return { file, what: texts.log, take: 'none', why: texts.nothing }
  if (/^(readme|license|licence|citation|changelog|copying)(\.|$)/i.test(name) || /\.md$/i.test(name))
    return { file, what: texts.about, take: 'none', why: texts.nothing }
  const result = results.find(([pattern]) => (format === 'table' || format === 'text') && says(file, pattern))
  return result === undefined ? null : { file, what: result[1], take: 'none', why: byHand }
}

/** What lies beside data and is none, and what is known but is not loaded. */
export default defineRecogniser({
  id: 'not-needed',
  title: { en: 'Other files', zh: '其他文件' },
  order: 900,
  recognise: (files) => ({ findings: files.flatMap((file) => describe(file) ?? []) }),
})
