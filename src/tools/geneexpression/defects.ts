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
  'expression-compare-sites': {
    severity: 'error',
    en: 'The comparison {contrast} names two groups of samples, which are compared at load only for insertions (WIG files) whose samples have a factor. Give the table of the results as file.',
    zh: '比较组 {contrast} 指定了两组样本，但加载时只对样本带有因素的插入计数（WIG 文件）进行比较。请以 file 给出结果表。',
  },
  'expression-compare-group': {
    severity: 'error',
    en: 'The comparison {contrast} needs two or more libraries of {factor} = {level}; there are {count} (values: {levels}).',
    zh: '比较组 {contrast} 需要至少两个 {factor} 为 {level} 的文库，现有 {count} 个（取值：{levels}）。',
  },
  'expression-compare-empty': {
    severity: 'error',
    en: 'The comparison {contrast} cannot be made: the library {sample} has no reads.',
    zh: '无法进行比较 {contrast}：文库 {sample} 没有读段。',
  },
} as const satisfies DefectCatalogue

export default defects
