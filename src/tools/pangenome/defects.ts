import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'busco-summary': {
    severity: 'warning',
    en: 'This is not a BUSCO short_summary (.txt or .json): it has no line such as C:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:255. It was left out.',
    zh: '该文件不是 BUSCO 的 short_summary（.txt 或 .json）：其中没有形如 C:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:255 的行，已略过。',
  },
} as const satisfies DefectCatalogue

export default defects
