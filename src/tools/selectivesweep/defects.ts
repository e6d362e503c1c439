import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'windows-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} of the table is called {to} in the genome; its windows were assigned to it.',
    zh: '表中的序列 {from} 在基因组中名为 {to}，其窗口已归入该序列。',
  },
  'windows-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its {count} windows were left out.',
    zh: '基因组中没有序列 {name}，其 {count} 个窗口已略去。',
  },
  'windows-sequences-all-unknown': {
    severity: 'error',
    en: 'No sequence of this table is in the genome (table: {found}; genome: {expected}).',
    zh: '该表的序列均不在基因组中（表：{found}；基因组：{expected}）。',
  },
  'windows-beyond-end': {
    severity: 'repair',
    en: '{count} windows extend beyond the end of their sequence, as fixed-width windows do; they were truncated.',
    zh: '{count} 个窗口超出序列末端（固定宽度的窗口常有此情况），已在末端截断。',
  },
  'windows-outside': {
    severity: 'error',
    en: 'A window begins at {start} of {name}, which has {length} bases: the table belongs to another assembly.',
    zh: '有窗口起始于 {name} 的 {start}，而该序列仅 {length} bp：此表属于另一组装版本。',
  },
} as const satisfies DefectCatalogue

export default defects
