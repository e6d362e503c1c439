import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'track-sequences-unknown': {
    severity: 'warning',
    en: '{count} of the {total} sequences named in the file are not in the genome ({names}); features on them cannot be shown.',
    zh: '文件列出的 {total} 条序列中有 {count} 条不在基因组中（{names}），其上的数据无法显示。',
  },
  'track-sam-header': {
    severity: 'error',
    en: 'The SAM file has no @SQ lines, so that its positions belong to no sequence. Write it with its header (samtools view -h).',
    zh: 'SAM 文件没有 @SQ 行，无法确定各位置所在的序列。请连同文件头一起导出（samtools view -h）。',
  },
  'track-names-too-many': {
    severity: 'warning',
    en: 'The track has more than {limit} named features: it is shown in the genome browser, but its names are not indexed for the search.',
    zh: '轨道中有名称的特征超过 {limit} 个：仍可在基因组浏览器中显示，但其名称不进入搜索。',
  },
  'manifest-entry': {
    severity: 'error',
    en: 'Entry {entry}: {reason}',
    zh: '条目 {entry}：{reason}',
  },
} as const satisfies DefectCatalogue

export default defects
