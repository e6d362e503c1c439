import { defineMessages } from '../../../contracts/text.ts'

/** Texts of the heat map of genes by samples, by themselves: only its figure waits for them. */
export const messages = defineMessages({
  en: {
    'heat.title': 'Heat map',
    'heat.label': 'Heat map of {genes} genes by {samples} samples. The values are under Numbers.',
    'heat.method':
      '{scale, select, zscore {Each gene in standard deviations from its mean across the samples shown{logarithms, select, yes {} other {, after log2({counts, select, yes {counts per million} other {value}} + 1)}}.} log {{logarithms, select, yes {Logarithms as loaded.} other {log2({counts, select, yes {counts per million} other {value}} + 1).}}} other {{counts, select, yes {Counts per million of each sample.} other {Values as loaded.}}}} Rows and columns follow the dendrograms where present.',
    'heat.aboutMethod': '{about} {method}',
    'heat.missing': 'no value',
    'heat.hint': 'Drag over rows or click in the dendrogram to select genes. Double-click to show all.',
    'heat.chosen': '{count, plural, one {# gene selected} other {# genes selected}}',
    'heat.zoomIn': 'Zoom in',
    'heat.zoomOut': 'Zoom out',
    'heat.zoomTo': 'Show these',
    'heat.clear': 'Clear',
    'heat.zscore': 'z-score',
    'heat.gene': 'Gene',
    'heat.symbol': 'Symbol',
  },
  zh: {
    'heat.title': '热图',
    'heat.label': '{genes} 个基因 × {samples} 个样本的热图，数值见“数值”。',
    'heat.method':
      '{scale, select, zscore {各基因以其在所示样本中的均值为零点、标准差为单位{logarithms, select, yes {} other {，先取 log2({counts, select, yes {CPM} other {数值}} + 1)}}。} log {{logarithms, select, yes {原有对数值。} other {log2({counts, select, yes {CPM} other {数值}} + 1)。}}} other {{counts, select, yes {每个样本的每百万计数（CPM）。} other {原始数值。}}}}有聚类树时，行列按聚类树排列。',
    'heat.aboutMethod': '{about}{method}',
    'heat.missing': '无数值',
    'heat.hint': '在热图上拖动选取若干行的基因，或单击聚类树；双击显示全部。',
    'heat.chosen': '已选 {count, number} 个基因',
    'heat.zoomIn': '放大',
    'heat.zoomOut': '缩小',
    'heat.zoomTo': '仅显示所选',
    'heat.clear': '取消选择',
    'heat.zscore': 'z 值',
    'heat.gene': '基因',
    'heat.symbol': '基因名',
  },
})
