import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'interactions-layout': {
    severity: 'error',
    en: 'This is not a readable file of interactions: STRING links, BioGRID tab2 and tab3, PSI-MI TAB and tables with two genes per line are supported.',
    zh: '无法识别为蛋白质互作文件：可读取 STRING 的 links、BioGRID 的 tab2 与 tab3、PSI-MI TAB，以及每行两个基因的表格。',
  },
  'interactions-columns': {
    severity: 'error',
    en: 'The line does not have the columns of the header, or lacks a gene.',
    zh: '该行与表头的列不符，或缺少基因。',
  },
  'interactions-score': {
    severity: 'error',
    en: 'A score must be a number from 0 to 1, or from 0 to 1000.',
    zh: '得分应为 0 到 1 或 0 到 1000 之间的数字。',
  },
  'interactions-none': {
    severity: 'error',
    en: 'No line connects two genes in the gene models ({names}). Provide a table of alternative names (names).',
    zh: '没有一行连接基因模型中的两个基因（{names}）。可用 names 指定名称对照表。',
  },
  'interactions-unmatched': {
    severity: 'warning',
    en: '{count} of {total} proteins match no gene in the gene models ({names}); their interactions were left out. All are listed in unmatched.txt of the data set.',
    zh: '{total} 个蛋白质中有 {count} 个在基因模型中没有对应基因（{names}），其互作已略去；完整名单见该数据集的 unmatched.txt。',
  },
  'interactions-organisms': {
    severity: 'warning',
    en: '{count} lines name a protein of another organism ({names}); they were left out.',
    zh: '有 {count} 行涉及其他物种的蛋白质（{names}），已略去。',
  },
  'interactions-self': {
    severity: 'warning',
    en: '{count} lines connect a gene with itself; they were left out.',
    zh: '有 {count} 行为基因与自身的互作，已略去。',
  },
} as const satisfies DefectCatalogue

export default defects
