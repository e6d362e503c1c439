import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'expression-picture': {
    severity: 'error',
    en: 'The tissue picture cannot be used: {reason}.',
    zh: '组织示意图无法使用：{reason}。',
  },
  'expression-picture-areas': {
    severity: 'warning',
    en: '{count} of {total} values of {factor} match no area id in the tissue picture ({names}); they will not be coloured.',
    zh: '{factor} 的 {total} 个取值中有 {count} 个在组织示意图中没有同名 id 的区域（{names}），将不着色。',
  },
  'expression-adjusted-here': {
    severity: 'warning',
    en: 'The table has no adjusted p-values: they were computed from the p-values (Benjamini–Hochberg).',
    zh: '表中没有校正后的 P 值：已按 Benjamini–Hochberg 方法由 P 值计算。',
  },
} as const satisfies DefectCatalogue

export default defects
