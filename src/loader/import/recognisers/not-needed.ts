import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const byFormat: Partial<Record<InputFile['format'], Text>> = {
  archive: { en: 'archive', zh: '压缩包' },
  compressed: { en: 'archive', zh: '压缩包' },
  html: { en: 'web page', zh: '网页' },
  image: { en: 'picture', zh: '图片' },
  office: { en: 'document', zh: '文档' },
  pdf: { en: 'document', zh: '文档' },
  spreadsheet: { en: 'spreadsheet', zh: '电子表格' },
  program: { en: 'program', zh: '程序' },
  empty: { en: 'empty file', zh: '空文件' },
}
const whyOf: Partial<Record<InputFile['format'], Text>> = {
  archive: { en: 'import it by its own path', zh: '请单独导入' },
  compressed: { en: 'unpack it first', zh: '请先解压' },
  spreadsheet: { en: 'save its tables as TSV or CSV', zh: '请将表格另存为 TSV 或 CSV' },
}

const describe = (file: InputFile): Finding | null => {
  const { name, format } = file
  // Descriptions of tracks begin with any element.
  const what = byFormat[format] ?? (format === 'xml' && /\.html?$/i.test(name) ? byFormat.html : undefined)
  if (what !== undefined) return { file, what, take: 'none', why: whyOf[format] ?? texts.nothing }
  if (format === 'index' || /\.(fai|gzi|bai|crai|csi|tbi|dict|mmi)$/i.test(name))
    return { file, what: texts.index, take: 'none', why: texts.indexWhy }
  if (/(^|[._-])(md5|md5sums?|md5checksums|sha256sums?|checksums?)([._-]|$)/i.test(name))
    return { file, what: texts.checksums, take: 'none', why: texts.nothing }
  if (/\.(log|err|stderr|stdout|yml|command)$/i.test(name))
    return { file, what: texts.log, take: 'none', why: texts.nothing }
  if (/^(readme|license|licence|citation|changelog|copying)(\.|$)/i.test(name) || /\.md$/i.test(name))
    return { file, what: texts.about, take: 'none', why: texts.nothing }
  return null
}

/** What lies beside data and is none. */
export default defineRecogniser({
  id: 'not-needed',
  title: { en: 'Other files', zh: '其他文件' },
  order: 900,
  recognise: (files) => ({ findings: files.flatMap((file) => describe(file) ?? []) }),
})
