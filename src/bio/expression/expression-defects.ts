import type { DefectCatalogue } from '../text/defects.ts'

/** Of tables of expression. */
export const expressionDefects = {
  'expression-empty': {
    severity: 'error',
    en: 'The matrix has no rows of values: it needs a header with the samples, then one row per gene.',
    zh: '矩阵中没有数据行：首行应为表头（样本名），其后每个基因一行。',
  },
  'expression-columns': {
    severity: 'error',
    en: 'The row has {found} cells; according to the header it should have {expected}.',
    zh: '该行有 {found} 个单元格，按表头应为 {expected} 个。',
  },
  'expression-no-name': {
    severity: 'warning',
    en: 'The row names no gene; it was left out.',
    zh: '该行没有基因名称，已略去。',
  },
  'expression-value': {
    severity: 'error',
    en: 'The value "{value}" of {gene} in {sample} is not a number. Leave the cell empty, or write NA, for missing values.',
    zh: '{gene} 在 {sample} 中的值“{value}”不是数字。未测得的值请留空或写 NA。',
  },
  'expression-negative': {
    severity: 'error',
    en: 'The value {value} of {gene} in {sample} is negative, which the unit does not allow. Is it a logarithm or a ratio (unit: log2 or log2ratio)?',
    zh: '{gene} 在 {sample} 中的值 {value} 小于零，与所写单位不符。是否为对数或比值（unit 应为 log2 或 log2ratio）？',
  },
  'expression-sample-repeated': {
    severity: 'error',
    en: '{count} columns have the header {sample}, so it is unclear which one is the sample.',
    zh: '有 {count} 列的标题同为 {sample}，无法判断哪一列是该样本。',
  },
  'expression-sample-absent': {
    severity: 'warning',
    en: '{count} samples in the sample sheet are not columns of the matrix ({names}); they were left out.',
    zh: '样本表中有 {count} 个样本不在矩阵的列中（{names}），已略去。',
  },
  'expression-column-left': {
    severity: 'warning',
    en: '{count} columns of the matrix are not in the sample sheet ({names}); they were left out.',
    zh: '矩阵中有 {count} 列不在样本表中（{names}），已略去。',
  },
  'expression-column-empty': {
    severity: 'warning',
    en: '{count} columns have no values ({names}); they were left out.',
    zh: '有 {count} 列没有任何数值（{names}），已略去。',
  },
  'expression-no-sample': {
    severity: 'error',
    en: 'No column of the matrix is a sample.',
    zh: '矩阵中没有样本列。',
  },
  'expression-summary-rows': {
    severity: 'warning',
    en: 'Rows of htseq-count that are not genes were left out: {names}.',
    zh: '已略去 htseq-count 的汇总行（并非基因）：{names}。',
  },
  'expression-genes-unknown': {
    severity: 'warning',
    en: '{count} of {total} rows name genes that are not in the gene models ({names}); they were left out.',
    zh: '{total} 行中有 {count} 行的基因不在基因模型中（{names}），已略去。',
  },
  'expression-no-genes': {
    severity: 'error',
    en: 'No row names a gene in the gene models ({names}). Do these names come from another annotation, or from probes?',
    zh: '没有一行的名称是基因模型中的基因（{names}）。是否为其他注释版本的编号或探针名？',
  },
  'expression-gene-repeated': {
    severity: 'warning',
    en: '{name} is a second row for the gene {gene}, after {before}; the first was kept.',
    zh: '{name} 与此前的 {before} 同为基因 {gene} 的数据行，仅保留第一行。',
  },
  'expression-sheet-repeated': {
    severity: 'warning',
    en: 'The row of the sample sheet has no name or a duplicate one ({sample}); it was left out.',
    zh: '样本表的该行没有名称或名称重复（{sample}），已略去。',
  },
  'expression-sheet-empty': {
    severity: 'error',
    en: 'The sample sheet lists no samples: it needs a header, then one row per sample, starting with its name.',
    zh: '样本表中没有样本：首行应为表头，其后每个样本一行，首列为样本名。',
  },
  'expression-differential-columns': {
    severity: 'error',
    en: 'The table has no columns for fold changes and p-values ({headings}); specify them under columns in species.yaml.',
    zh: '表中找不到倍数变化列与 P 值列（{headings}）；请在 species.yaml 的 columns 中写明。',
  },
  'expression-quantification': {
    severity: 'error',
    en: 'This is the quantification of one sample ({program}), not a matrix of genes and samples: its columns are not samples. Combine the samples into one table with one column each (tximport, tximeta).',
    zh: '这是单个样本的定量结果（{program}），不是基因与样本的矩阵：其各列并非样本。请将各样本汇总为一个表格，每个样本一列（如 tximport、tximeta）。',
  },
  'expression-comparison': {
    severity: 'error',
    en: 'This is a results table from {program}, not a matrix of genes and samples: its columns are not samples. List it under differential; if sample columns follow the results, list them in a sample sheet.',
    zh: '这是 {program} 的差异分析结果，不是基因与样本的矩阵：其各列并非样本。请在 differential 中列出该文件；若结果之后另有样本列，请以样本表指明。',
  },
  'expression-no-heading': {
    severity: 'error',
    en: 'The first row has numbers in all columns after the first ({line}): a header with the sample names is needed. Counts of a single sample (htseq-count) have none; combine the samples into one table with one column each.',
    zh: '首行除第一列外均为数字（{line}）：应为写明样本名的表头。单个样本的计数文件（htseq-count）没有表头；请将各样本汇总为一个表格，每个样本一列。',
  },
} as const satisfies DefectCatalogue
