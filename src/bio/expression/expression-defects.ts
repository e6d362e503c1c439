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
    en: 'This is the quantification of one sample ({program}), but not as the program writes it: its columns are not samples. Provide the original files, one per sample.',
    zh: '这是单个样本的定量结果（{program}），但与该程序的输出格式不同：其各列并非样本。请提供各样本的原始输出文件。',
  },
  'expression-not-quantification': {
    severity: 'error',
    en: 'This is not a file of one sample as written by STAR, Salmon, kallisto, RSEM, htseq-count, featureCounts, StringTie or Cufflinks. A matrix of several samples is given alone, as file.',
    zh: '这不是 STAR、Salmon、kallisto、RSEM、htseq-count、featureCounts、StringTie 或 Cufflinks 输出的单样本文件。多个样本的矩阵请单独写在 file 中。',
  },
  'expression-not-quantification-left': {
    severity: 'warning',
    en: 'This file of the folder is not the quantification of a sample; it was left out.',
    zh: '文件夹中的该文件不是样本的定量结果，已略去。',
  },
  'expression-folder-empty': {
    severity: 'error',
    en: 'The folder has no files of samples (ReadsPerGene.out.tab, quant.sf, abundance.tsv, genes.results, or counts).',
    zh: '文件夹中没有样本的定量文件（ReadsPerGene.out.tab、quant.sf、abundance.tsv、genes.results 或计数文件）。',
  },
  'expression-programs-mixed': {
    severity: 'error',
    en: 'The files are from different programs ({programs}), whose values cannot be compared; give each its own entry.',
    zh: '文件来自不同的程序（{programs}），其数值不能相互比较；请分别列为不同的条目。',
  },
  'expression-unit-absent': {
    severity: 'error',
    en: '{program} does not give {unit} for a sample; the unit must be one of: {units}.',
    zh: '{program} 的单样本结果不含 {unit}；unit 应为：{units}。',
  },
  'expression-transcripts-summed': {
    severity: 'repair',
    en: 'The values of {count} transcripts were summed to {genes} genes by the gene models.',
    zh: '已按基因模型将 {count} 个转录本的数值合计为 {genes} 个基因的数值。',
  },
  'expression-strand': {
    severity: 'repair',
    en: 'STAR’s counts of {count} samples ({names}) were read from the {strand} column; of the reads whose strand is known, {min} to {max} % are on the forward strand.',
    zh: '{count} 个样本（{names}）的 STAR 计数已取自{strand}列；在链方向明确的读段中，正链占 {min}%～{max}%。',
  },
  'expression-strand-unclear': {
    severity: 'warning',
    en: 'Whether the library of {sample} is stranded is unclear: {percent} % of the reads whose strand is known are on the forward strand. It was read as unstranded; specify it under strand.',
    zh: '无法判断 {sample} 的文库是否为链特异性：在链方向明确的读段中，正链占 {percent}%。已按非链特异性读取；请在 strand 中写明。',
  },
  'expression-strand-differs': {
    severity: 'warning',
    en: '{sample} is given as {given}, but by its counts it is {counted} ({percent} % of the reads on the forward strand). It was read as given.',
    zh: '{sample} 写明为{given}，但从计数看为{counted}（正链读段占 {percent}%）。已按写明的读取。',
  },
  'expression-samples-renamed': {
    severity: 'repair',
    en: 'The headers of {count} columns are paths or names that differ from those of the samples; they were matched, such as {example}.',
    zh: '有 {count} 列的标题是路径或与样本名不同的名称，已对应到样本，如 {example}。',
  },
  'expression-replicates-by-name': {
    severity: 'repair',
    en: '{count} samples were grouped as replicates into {groups} groups by their names (such as {example}). A sample sheet takes precedence.',
    zh: '已按名称将 {count} 个样本作为重复归入 {groups} 个组（如 {example}）。如提供样本表，则以样本表为准。',
  },
  'expression-name-column': {
    severity: 'repair',
    en: 'The genes were read from the column {column}: more of its names are genes than of the first column.',
    zh: '已从 {column} 列读取基因名称：该列中属于基因的名称多于首列。',
  },
  'expression-comparison': {
    severity: 'error',
    en: 'This is a results table from {program}, not a matrix of genes and samples: its columns are not samples. List it under differential; if sample columns follow the results, list them in a sample sheet.',
    zh: '这是 {program} 的差异分析结果，不是基因与样本的矩阵：其各列并非样本。请在 differential 中列出该文件；若结果之后另有样本列，请以样本表指明。',
  },
  'expression-no-heading': {
    severity: 'error',
    en: 'The first row has numbers in all columns after the first ({line}): a header with the sample names is needed. htseq-count writes none for several BAM files: add it.',
    zh: '首行除第一列外均为数字（{line}）：应为写明样本名的表头。htseq-count 对多个 BAM 文件计数时不写表头，请补上。',
  },
  'insertions-line': {
    severity: 'error',
    en: 'The line "{line}" is not a position and a count of 0 or more, as required by WIG (variableStep).',
    zh: '“{line}”不是“位置 计数（≥ 0）”形式的行（WIG variableStep）。',
  },
  'insertions-sequence': {
    severity: 'error',
    en: 'The sequence {name} is not in the assembly.',
    zh: '该组装版本中没有序列 {name}。',
  },
  'insertions-sequence-guessed': {
    severity: 'warning',
    en: 'The sequence {name} is not in the assembly; it was taken for {sequence}, the only one.',
    zh: '该组装版本中没有序列 {name}，已视为其唯一的序列 {sequence}。',
  },
  'insertions-position': {
    severity: 'error',
    en: 'Position {position} is outside {sequence} (1–{length}). Are the insertions on another genome?',
    zh: '位置 {position} 超出 {sequence}（1–{length}）。插入位点是否来自另一基因组？',
  },
} as const satisfies DefectCatalogue
