import type { DefectCatalogue } from '../text/defects.ts'

/** Of collinear blocks. */
export const collinearDefects = {
  'collinear-file': {
    severity: 'error',
    en: 'The collinear blocks cannot be read: {reason}',
    zh: '无法读取共线性区块：{reason}',
  },
  'collinear-assemblies': {
    severity: 'error',
    en: 'A PAF file names sequences, not genes: use "assemblies" to give the assembly of each side, query first.',
    zh: 'PAF 文件只有序列名而无基因名：请用 "assemblies" 注明两侧所属的组装版本，query 在前。',
  },
  'collinear-name': {
    severity: 'warning',
    en: '{count} names in the collinear blocks match no loaded coding gene, sequence or assembly, such as {example}; they were left out.',
    zh: '共线性区块中有 {count} 个名称不是已加载的编码基因、序列或组装版本（如 {example}），未采用。',
  },
} as const satisfies DefectCatalogue
