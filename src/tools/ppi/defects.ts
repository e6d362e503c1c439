import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'interactions-layout': {
    severity: 'error',
    en: 'It is no file of interactions that can be read: STRING links, BioGRID tab2 and tab3, PSI-MI TAB and tables of two genes a line are understood.',
    zh: '无法识别为蛋白质互作文件：可读取 STRING 的 links、BioGRID 的 tab2 与 tab3、PSI-MI TAB，以及每行两个基因的表格。',
  },
  'interactions-columns': {
    severity: 'error',
    en: 'The line has not the columns of the heading, or lacks a gene.',
    zh: '该行与表头的列不符，或缺少基因。',
  },
  'interactions-score': {
    severity: 'error',
    en: 'A score is a number from 0 to 1, or from 0 to 1000.',
    zh: '得分应为 0 到 1 或 0 到 1000 之间的数字。',
  },
  'interactions-none': {
    severity: 'error',
    en: 'No line joins two genes of the gene models ({names}). Name a table of other names (names).',
    zh: '没有一行连接基因模型中的两个基因（{names}）。可用 names 指定名称对照表。',
  },
  'interactions-unmatched': {
    severity: 'warning',
    en: '{count} of {total} proteins are no gene of the gene models ({names}); their interactions were left out. All are listed in unmatched.txt of the data set.',
    zh: '{total} 个蛋白质中有 {count} 个在基因模型中没有对应基因（{names}），其互作已略去；完整名单见该数据集的 unmatched.txt。',
  },
  'interactions-organisms': {
    severity: 'warning',
    en: '{count} lines name a protein of another organism ({names}); they were left out.',
    zh: '有 {count} 行涉及其他物种的蛋白质（{names}），已略去。',
  },
  'interactions-self': {
    severity: 'warning',
    en: '{count} lines join a gene with itself; they were left out.',
    zh: '有 {count} 行为基因与自身的互作，已略去。',
  },
} as const satisfies DefectCatalogue

export default defects
