import type { DefectCatalogue } from '../text/defects.ts'

/** Of functional annotation. */
export const annotationDefects = {
  'annotation-no-rows': {
    severity: 'error',
    en: 'The file contains no annotation line.',
    zh: '文件中没有注释行。',
  },
  'annotation-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; {format} has {expected}.',
    zh: '该行有 {found} 列；{format} 应为 {expected} 列。',
  },
  'annotation-other-separator': {
    severity: 'repair',
    en: 'The columns are separated by spaces, commas or semicolons instead of tabs; all lines were split like the first.',
    zh: '各列以空格、逗号或分号而非制表符分隔，各行已按首行的分隔方式拆分。',
  },
  'annotation-empty-field': {
    severity: 'warning',
    en: 'The {field} is empty; the line was left out.',
    zh: '{field} 为空，该行已略去。',
  },
  'annotation-other-format': {
    severity: 'error',
    en: 'The format is given as {given}, but the file is of the format {found}. Correct format in species.yaml, or leave it out.',
    zh: 'format 写明为 {given}，而文件的格式是 {found}。请更正 species.yaml 中的 format，或将其删去。',
  },
  'annotation-no-heading': {
    severity: 'error',
    en: 'The header of a {format} table is missing, so its columns cannot be told.',
    zh: '缺少 {format} 表格的表头，无法判断各列的含义。',
  },
  'annotation-bad-term': {
    severity: 'warning',
    en: '"{term}" is not a {expected}; the line was left out.',
    zh: '“{term}”不是 {expected}，该行已略去。',
  },
  'annotation-bad-evidence': {
    severity: 'warning',
    en: 'The evidence code "{evidence}" is unknown; it was kept as written.',
    zh: '证据代码“{evidence}”未知，已原样保留。',
  },
  'annotation-bad-aspect': {
    severity: 'repair',
    en: 'The aspect "{aspect}" is not F, P or C; it was left out.',
    zh: '类别“{aspect}”不是 F、P、C 之一，已略去。',
  },
  'annotation-bad-number': {
    severity: 'repair',
    en: 'The {field} "{value}" is not a number; it was left out.',
    zh: '{field} 的值“{value}”不是数字，已略去。',
  },
} as const satisfies DefectCatalogue
