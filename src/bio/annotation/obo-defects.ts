import type { DefectCatalogue } from '../text/defects.ts'

/** Of ontologies. */
export const oboDefects = {
  'obo-no-terms': {
    severity: 'error',
    en: 'The file contains no [Term] stanza.',
    zh: '文件中没有 [Term] 段。',
  },
  'obo-bad-line': {
    severity: 'warning',
    en: 'The line has no "tag: value"; it was left out.',
    zh: '该行不是“标签: 值”的形式，已略去。',
  },
  'obo-term-without-id': {
    severity: 'warning',
    en: 'The [Term] stanza has no id; it was left out.',
    zh: '该 [Term] 段没有 id，已略去。',
  },
  'obo-duplicate-id': {
    severity: 'repair',
    en: 'The term {term} is defined again (first at line {firstLine}); the two definitions were merged.',
    zh: '术语 {term} 被重复定义（首次见第 {firstLine} 行），两处定义已合并。',
  },
  'obo-parent-missing': {
    severity: 'warning',
    en: 'The term {term} names {parent}, which is not in the file; that link was left out.',
    zh: '术语 {term} 所指的 {parent} 不在文件中，该关系已略去。',
  },
  'obo-cycle': {
    severity: 'warning',
    en: 'The term {term} is its own ancestor.',
    zh: '术语 {term} 是其自身的祖先。',
  },
} as const satisfies DefectCatalogue
