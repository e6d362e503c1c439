import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'orthogroup-table': {
    severity: 'error',
    en: 'This is not a table of orthogroups (Orthogroups.tsv or N0.tsv of OrthoFinder, gene_presence_absence.csv of Panaroo or Roary): {reason}',
    zh: '这不是直系同源组表（OrthoFinder 的 Orthogroups.tsv 或 N0.tsv，Panaroo 或 Roary 的 gene_presence_absence.csv）：{reason}',
  },
  'orthogroup-column': {
    severity: 'warning',
    en: 'The column {column} is not a loaded assembly; its genes were left out.',
    zh: '列 {column} 不是已加载的组装版本，其中的基因未采用。',
  },
  'orthogroup-column-named': {
    severity: 'repair',
    en: 'The column {column} was matched to the assembly {assembly} by its name.',
    zh: '已按名称将列 {column} 对应到组装版本 {assembly}。',
  },
  'orthogroup-column-genes': {
    severity: 'repair',
    en: 'The column {column} was matched to the assembly {assembly} by its genes: {percent} % of them are genes of that assembly.',
    zh: '已按基因将列 {column} 对应到组装版本 {assembly}：其中 {percent}% 是该组装版本的基因。',
  },
} as const satisfies DefectCatalogue

export default defects
