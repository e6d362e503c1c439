import type { DefectCatalogue } from '../text/defects.ts'

/** Of contact maps (Hi-C). */
export const contactDefects = {
  'contacts-no-map': {
    severity: 'error',
    en: 'This is not a contact map in {format} format.',
    zh: '这不是互作矩阵文件：并非 {format} 格式。',
  },
  'contacts-version': {
    severity: 'error',
    en: 'The file has version {version} of its format; {expected} can be read.',
    zh: '该文件的格式版本为 {version}，可读取的版本为 {expected}。',
  },
  'contacts-part-missing': {
    severity: 'error',
    en: 'The contact map has no "{part}".',
    zh: '互作矩阵中缺少“{part}”。',
  },
  'contacts-filter': {
    severity: 'error',
    en: '"{part}" is compressed with {filter}; only deflate (gzip), shuffle and Fletcher32 are supported. Write it again with gzip.',
    zh: '“{part}”以 {filter} 压缩，仅可读取 deflate（gzip）、shuffle 与 Fletcher32。请改用 gzip 压缩重新保存。',
  },
  'contacts-inconsistent': {
    severity: 'error',
    en: 'The contact map is inconsistent: {part} is {found} but should be {expected}.',
    zh: '互作矩阵前后矛盾：{part} 为 {found}，应为 {expected}。',
  },
  'contacts-cut-off': {
    severity: 'error',
    en: 'The contact map is truncated after {bytes} bytes.',
    zh: '互作矩阵文件不完整，仅有 {bytes} 字节。',
  },
} as const satisfies DefectCatalogue
