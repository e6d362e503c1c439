import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'cells-genes-unknown': {
    severity: 'warning',
    en: '{count} of {total} genes are not in the gene models ({names}); they were left out, but count towards the cell totals.',
    zh: '{total} 个基因中有 {count} 个不在基因模型中（{names}），已略去，但仍计入各细胞的总和。',
  },
  'cells-genes-repeated': {
    severity: 'warning',
    en: '{count} rows repeat a gene of an earlier row; the first of each was kept.',
    zh: '有 {count} 行与此前的行同为一个基因，仅保留第一行。',
  },
  'cells-values-missing': {
    severity: 'warning',
    en: '{count} values are not numbers (NaN or infinite); they count as zero.',
    zh: '有 {count} 个值不是有效数字（NaN 或无穷大），按零处理。',
  },
  'cells-scaled': {
    severity: 'warning',
    en: 'There are negative values: the data were scaled, so fold changes cannot be computed. You can specify a layer of counts or logarithms (layer).',
    zh: '存在负值，说明数据已经过标准化（scale），无法由此计算倍数变化；可用 layer 指定计数或对数层。',
  },
  'cells-raw-used': {
    severity: 'warning',
    en: 'X contains scaled values (negative); those in raw were used.',
    zh: 'X 为标准化后的值（含负值），已改用 raw 中的值。',
  },
  'cells-metadata': {
    severity: 'warning',
    en: '{unknown} rows of the table name other cells and were left out; {without} of {total} cells have no row.',
    zh: '表中有 {unknown} 行的细胞不在数据中，已略去；{total} 个细胞中有 {without} 个没有对应的行。',
  },
  'cells-columns-left': {
    severity: 'warning',
    en: '{count} cell columns have a different value for each cell or cannot be read ({names}); they were left out.',
    zh: '有 {count} 列几乎每个细胞各不相同或无法读取（{names}），已略去。',
  },
  'cells-map-computed': {
    severity: 'warning',
    en: 'The file has no UMAP or t-SNE: a UMAP of {count} cells was computed from principal components and is labelled as computed.',
    zh: '文件中没有 UMAP 或 t-SNE：已由主成分计算 {count} 个细胞的 UMAP，并予以标明。',
  },
  'cells-clusters-computed': {
    severity: 'warning',
    en: 'The file has no cell types or clusters: {count} clusters were computed (Louvain) and are labelled as computed.',
    zh: '文件中没有细胞类型或聚类：已用 Louvain 法计算出 {count} 个聚类，并予以标明。',
  },
  'cells-sampled': {
    severity: 'warning',
    en: 'The map or clusters were computed from a random sample of {sampled} of {count} cells; the others were placed by their nearest neighbours in it. Rare cell types may be missed: a map computed beforehand, for example with scanpy, and saved in obsm is better.',
    zh: '图谱或聚类由随机抽取的 {sampled} 个细胞（共 {count} 个）计算，其余细胞按其中的最近邻放置。数量很少的细胞类型可能无法显现；最好事先计算图谱（如用 scanpy）并存入 obsm。',
  },
  'cells-pseudobulk-made': {
    severity: 'warning',
    en: 'Counts were summed over the cells of each {each}: {count} samples, offered as an expression data set. {left} groups with too few cells ({leftCells} cells) were left out. pseudobulk: false turns this off.',
    zh: '已按 {each} 将细胞计数求和，得到 {count} 个样本，作为表达数据集提供；细胞过少的 {left} 组（共 {leftCells} 个细胞）未计入。pseudobulk: false 可关闭。',
  },
  'cells-pseudobulk-column': {
    severity: 'warning',
    en: 'Pseudo-bulk samples were not made: there is no column of names "{name}". Name the columns with replicate and group.',
    zh: '未生成伪批量样本：没有名为“{name}”的分类列。请用 replicate 和 group 指定列。',
  },
  'cells-pseudobulk-counts': {
    severity: 'warning',
    en: 'Pseudo-bulk samples were not made: the file has no counts, in X or in the layers counts, raw_counts or raw.',
    zh: '未生成伪批量样本：文件的 X 以及 counts、raw_counts、raw 层中均无计数。',
  },
  'cells-pseudobulk-few': {
    severity: 'warning',
    en: 'Pseudo-bulk samples were not made: fewer than two replicates have enough cells.',
    zh: '未生成伪批量样本：细胞数足够的重复不足两个。',
  },
  'cells-pseudobulk-large': {
    severity: 'warning',
    en: 'Pseudo-bulk samples were not made: replicates × groups × genes is more than 20,000,000 values. Choose a coarser group.',
    zh: '未生成伪批量样本：重复 × 分组 × 基因超过 2000 万个值。请选择较粗的分组。',
  },
} as const satisfies DefectCatalogue

export default defects
