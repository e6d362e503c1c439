import type { DefectCatalogue } from '../text/defects.ts'

/** Of references. */
export const referenceDefects = {
  'reference-none': {
    severity: 'error',
    en: 'The file contains no reference.',
    zh: '文件中没有参考文献。',
  },
  'reference-unfinished': {
    severity: 'error',
    en: 'The entry {key} is incomplete: a brace or quotation mark is not closed.',
    zh: '条目 {key} 没有结束：有未闭合的花括号或引号。',
  },
  'reference-no-end': {
    severity: 'repair',
    en: 'The record does not end with "ER  -"; it was read up to the next one.',
    zh: '该记录未以“ER  -”结束，已在下一条记录之前结束。',
  },
  'reference-bad-line': {
    severity: 'warning',
    en: 'The line belongs to no record; it was left out.',
    zh: '该行不属于任何记录，已略去。',
  },
  'reference-no-title': {
    severity: 'warning',
    en: 'The reference {key} has no title.',
    zh: '参考文献 {key} 没有标题。',
  },
  'reference-key-missing': {
    severity: 'repair',
    en: 'The entry has no key; it was named {key}.',
    zh: '该条目没有键名，已命名为 {key}。',
  },
  'reference-duplicate-key': {
    severity: 'repair',
    en: 'The key {key} was already used; this entry was renamed {renamed}.',
    zh: '键名 {key} 已被使用，此条目改名为 {renamed}。',
  },
  'reference-unknown-string': {
    severity: 'warning',
    en: 'The abbreviation {name} is not defined; its name was kept.',
    zh: '缩写 {name} 未定义，保留其名称。',
  },
} as const satisfies DefectCatalogue
