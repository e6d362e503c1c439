import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'motif-file': {
    severity: 'error',
    en: 'No motif can be read from the file; MEME, JASPAR, TRANSFAC and plain frequency matrices are supported ({reason}).',
    zh: '无法从中读出任何基序；可读取 MEME、JASPAR、TRANSFAC 及普通频率矩阵格式（{reason}）。',
  },
  'motif-matrix': {
    severity: 'warning',
    en: 'A motif cannot be read and was left out ({reason}): {text}',
    zh: '一个基序无法读取，未采用（{reason}）：{text}',
  },
  'motif-collection-repeated': {
    severity: 'error',
    en: 'Two motif collections have the id {id}; give them different ids.',
    zh: '有两个基序集的编号同为 {id}，请改为不同的编号。',
  },
} as const satisfies DefectCatalogue

export default defects
