import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'pathway-drawing': {
    severity: 'error',
    en: 'This is not a pathway drawing; KGML and GPML are supported ({reason}).',
    zh: '不是通路图；可读取 KGML 与 GPML 格式（{reason}）。',
  },
  'pathway-table': {
    severity: 'error',
    en: 'This is not a table of pathways; GMT, or gene, pathway and name separated by tabs, commas or semicolons, are supported ({reason}).',
    zh: '不是通路表；可读取 GMT，或以制表符、逗号或分号分隔的基因、通路和名称（{reason}）。',
  },
  'pathway-none': {
    severity: 'warning',
    en: 'None of its genes is in this assembly, not even {gene}.',
    zh: '其中的基因均不在该组装版本中，包括 {gene}。',
  },
  'pathway-vocabulary': {
    severity: 'warning',
    en: 'No gene has a term from {source}, so it provides no pathways.',
    zh: '没有基因具有 {source} 的术语，因此没有其通路。',
  },
} as const satisfies DefectCatalogue

export default defects
