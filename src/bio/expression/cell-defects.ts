import type { DefectCatalogue } from '../text/defects.ts'

/** Of matrices of cells. */
export const cellDefects = {
  'cells-format': {
    severity: 'error',
    en: 'This is not a readable single-cell file: .h5ad (AnnData), 10x .h5, a 10x folder’s matrix.mtx, and tables of genes and cells are supported ({format}).',
    zh: '无法识别为单细胞数据文件：可读取 .h5ad（AnnData）、10x .h5、10x 目录中的 matrix.mtx，以及基因 × 细胞表格（{format}）。',
  },
  'cells-part-missing': {
    severity: 'error',
    en: 'The part {part} is missing from the file.',
    zh: '文件中缺少 {part}。',
  },
  'cells-filter': {
    severity: 'error',
    en: '{part} is compressed with the HDF5 filter {filter}, which is not supported; write it with gzip or without compression.',
    zh: '{part} 使用了此处无法解压的 HDF5 过滤器 {filter}；请改用 gzip 压缩或不压缩后重新保存。',
  },
  'cells-inconsistent': {
    severity: 'error',
    en: 'The file is inconsistent at {part}: {found} instead of {expected}.',
    zh: '文件在 {part} 处自相矛盾：实为 {found}，应为 {expected}。',
  },
  'cells-value': {
    severity: 'error',
    en: 'The value "{value}" in row {line} is not a number.',
    zh: '第 {line} 行的值“{value}”不是数字。',
  },
  'cells-none': {
    severity: 'error',
    en: 'There are no cells, no genes, or no values that differ between cells.',
    zh: '没有细胞、没有基因，或各细胞的值完全相同。',
  },
  'cells-no-genes': {
    severity: 'error',
    en: 'None of the genes in the file is in the gene models ({names}). Do these names come from another annotation?',
    zh: '文件中没有一个基因属于基因模型（{names}）。是否为其他注释版本的编号？',
  },
  'cells-metadata-other': {
    severity: 'error',
    en: 'No row of the table names a cell in the matrix, whose first cell is {cell}.',
    zh: '表中没有一行对应矩阵中的细胞（矩阵的首个细胞为 {cell}）。',
  },
  'cells-no-map': {
    severity: 'error',
    en: 'The file has no UMAP or t-SNE, and none can be computed from {count} cells: at least {min} are needed. Compute it beforehand, for example with scanpy, and save it in obsm.',
    zh: '文件中没有 UMAP 或 t-SNE，且仅有 {count} 个细胞，至少 {min} 个才能计算。请事先计算（如用 scanpy）并存入 obsm。',
  },
} as const satisfies DefectCatalogue
