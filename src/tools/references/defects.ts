import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'reference-unknown-key': {
    severity: 'error',
    en: 'Genes are listed for {key}, but the file has no reference with this key.',
    zh: '为 {key} 指定了基因，但文件中没有该键的参考文献。',
  },
} as const satisfies DefectCatalogue

export default defects
