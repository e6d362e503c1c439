import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'orthogroup-table': {
    severity: 'error',
    en: 'This is not a table of orthogroups (a column "Orthogroup", then one column per assembly): {reason}',
    zh: '这不是直系同源组表（首列为“Orthogroup”，其后各列为组装版本）：{reason}',
  },
  'orthogroup-column': {
    severity: 'warning',
    en: 'The column {column} is not a loaded assembly; its genes were left out.',
    zh: '列 {column} 不是已加载的组装版本，其中的基因未采用。',
  },
  'orthogroup-gene': {
    severity: 'warning',
    en: '{count} names in the column {column} are not coding genes of {assembly}, such as {example}; they were left out.',
    zh: '列 {column} 中有 {count} 个名称不是 {assembly} 的编码基因（如 {example}），未采用。',
  },
} as const satisfies DefectCatalogue

export default defects
