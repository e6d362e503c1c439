import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'contacts-sequence-renamed': {
    severity: 'repair',
    en: 'The chromosome {from} of the map is called {to} in the genome; its contacts were assigned to it.',
    zh: '互作矩阵中的染色体 {from} 在基因组中名为 {to}，其互作已归入该序列。',
  },
  'contacts-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its contacts cannot be shown.',
    zh: '基因组中没有序列 {name}，其互作数据无法显示。',
  },
  'contacts-sequences-all-unknown': {
    severity: 'error',
    en: 'No chromosome of this map is in the genome (map: {found}; genome: {expected}).',
    zh: '该互作矩阵的染色体均不在基因组中（矩阵：{found}；基因组：{expected}）。',
  },
  'contacts-length-near': {
    severity: 'warning',
    en: '{name} has {found} bases in the map but {expected} in the genome: the map is from another release, and positions may be off by less than a bin.',
    zh: '互作矩阵中 {name} 有 {found} 个碱基，基因组中为 {expected} 个：版本不同，位置偏差小于一个 bin。',
  },
  'contacts-length-far': {
    severity: 'error',
    en: '{name} has {found} bases in the map but {expected} in the genome: the map belongs to another assembly.',
    zh: '互作矩阵中 {name} 有 {found} 个碱基，而基因组中为 {expected} 个：属于另一组装版本。',
  },
} as const satisfies DefectCatalogue

export default defects
