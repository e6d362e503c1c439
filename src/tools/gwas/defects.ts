import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'gwas-no-p': {
    severity: 'error',
    en: 'None of these columns is recognised as p-values: {columns}. Specify it in the manifest (columns: p or logP).',
    zh: '以下各列中没有可识别的 P 值列：{columns}。请在清单中指定（columns 的 p 或 logP）。',
  },
  'gwas-no-place': {
    severity: 'error',
    en: 'None of these columns is recognised as chromosome and position, or as a variant name: {columns}. Specify them in the manifest (columns).',
    zh: '以下各列中没有可识别的染色体与位置列，也没有变异名称列：{columns}。请在清单中指定（columns）。',
  },
  'gwas-column': {
    severity: 'error',
    en: 'The table has no column {column}; it has {columns}.',
    zh: '表中没有名为 {column} 的列；现有各列：{columns}。',
  },
  'gwas-traits': {
    severity: 'error',
    en: 'The column {column} names more than {limit} traits; split the table.',
    zh: '{column} 列中的性状超过 {limit} 个，请拆分表格。',
  },
  'gwas-none': {
    severity: 'error',
    en: 'None of {total} rows below the header could be used.',
    zh: '表头之下的 {total} 行均不可用。',
  },
  'gwas-missing': {
    severity: 'warning',
    en: '{count} of {total} rows have no p-value (for example after a failed test); they were left out.',
    zh: '{total} 行中有 {count} 行没有 P 值（如检验失败），已略去。',
  },
  'gwas-unreadable': {
    severity: 'warning',
    en: '{count} of {total} rows have a value that is not a p-value; they were left out. This is the first.',
    zh: '{total} 行中有 {count} 行的 P 值无法读取，已略去；此为第一行。',
  },
  'gwas-p-beyond': {
    severity: 'error',
    en: '{count} of {total} values in the column {column} are below 0 or above 1 (first: {value}): the column looks like {looks}, not like p-values. Specify the column of p-values (columns: p), or of -log10(p) (columns: logP), in the manifest.',
    zh: '表头 {column} 下的 {total} 个值中有 {count} 个小于 0 或大于 1（首个：{value}）：该列看来是 {looks}，而非 P 值。请在清单的 columns 中以 p 指明 P 值列，或以 logP 指明 -log10(P) 列。',
  },
  'gwas-sequence-unknown': {
    severity: 'warning',
    en: '{count} of {total} rows lie on sequences that are not in the genome ({names}); they were left out.',
    zh: '{total} 行中有 {count} 行位于基因组中不存在的序列上（{names}），已略去。',
  },
  'gwas-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} of the table is called {to} in the genome; its variants were assigned to it.',
    zh: '表中的序列 {from} 在基因组中名为 {to}，其变异已归入该序列。',
  },
  'gwas-outside': {
    severity: 'warning',
    en: '{count} of {total} rows lie beyond the end of their sequence; they were left out. Does the table belong to another assembly?',
    zh: '{total} 行中有 {count} 行超出其序列末端，已略去。该表是否属于另一组装版本？',
  },
  'gwas-unplaced': {
    severity: 'warning',
    en: '{count} of {total} rows have no position, and their variants are not in the table of positions; they were left out.',
    zh: '{total} 行中有 {count} 行没有位置，其变异也不在位置表中，已略去。',
  },
  'gwas-zero': {
    severity: 'warning',
    en: '{count} p-values are 0 because of rounding; they were computed from effect and standard error if given, otherwise set to 5e-324.',
    zh: '有 {count} 个 P 值因位数不足写作 0；凡有效应值与标准误者由其计算，否则取 5e-324。',
  },
  'gwas-hits-only': {
    severity: 'warning',
    en: 'For {count} of {total} traits the table contains only hits, not all tests: no Q–Q plot and no lambda are available for them.',
    zh: '{total} 个性状中有 {count} 个仅含显著变异而非全部检验结果，不给出 QQ 图与 λ。',
  },
} as const satisfies DefectCatalogue

export default defects
