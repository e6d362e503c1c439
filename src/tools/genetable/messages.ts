import { defineMessages } from '../../contracts/text.ts'

export default defineMessages({
  en: {
    title: 'Gene table',
    summary:
      'Everything that is loaded about a list of genes in one table: function, presence in other genomes, orthologs, variants, expression and Tn-seq.',
    answers:
      'Which genes of my list are required for growth, vary in the population and have an ortholog elsewhere?\nWhich of them meet several conditions at once?',
    'field.assembly': 'Assembly',
    'field.genes': 'Genes',
    'help.genes': 'Ids, symbols or aliases; a gene set; a file.',
    'limit.genes': 'At most {value, number} genes.',
    'limit.columns': 'At most {value, number} columns.',
    'problem.noGeneFound': '{assembly} has no gene named {names}.',
    head: '{genes, plural, one {# gene} other {# genes}} of {assembly} with data from {tools, plural, one {# tool} other {# tools}}.',
    'head.none': '{genes, plural, one {# gene} other {# genes}} of {assembly}; no further data are loaded.',
    'note.filter':
      '“Filter columns” takes conditions such as >0, =0 or a word, and combines those of several columns; “Columns” shows the hidden ones. The genes that remain can be selected and sent to any tool.',
    'note.simulated': 'Simulated, not measured: {names}.',
    'note.cut': '{count, plural, one {# further column is} other {# further columns are}} omitted.',
    'table.title': 'Genes',
    'column.gene': 'Gene',
    'column.symbol': 'Symbol',
    'column.description': 'Description',
    'column.biotype': 'Biotype',
    'column.locus': 'Position',
    'column.protein': 'Protein (aa)',
  },
  zh: {
    title: '基因信息总表',
    summary: '将一组基因的全部已加载数据汇总于一张表：功能、在其他基因组中的有无、直系同源基因、变异、表达与 Tn-seq。',
    answers: '这组基因中，哪些为生长所必需、在群体中有变异且在其他基因组中有直系同源基因？\n哪些基因同时满足多个条件？',
    'field.assembly': '基因组',
    'field.genes': '基因',
    'help.genes': '基因编号、基因名或别名；也可使用基因集或文件。',
    'limit.genes': '最多 {value, number} 个基因。',
    'limit.columns': '最多 {value, number} 列。',
    'problem.noGeneFound': '{assembly} 中没有名为 {names} 的基因。',
    head: '{assembly} 的 {genes, number} 个基因，数据来自 {tools, number} 个工具。',
    'head.none': '{assembly} 的 {genes, number} 个基因；未加载其他数据。',
    'note.filter':
      '“按列筛选”可在各列填写条件，如 >0、=0 或文字，多列条件同时生效；“列”中可显示隐藏的各列。筛选后的基因可选中并发送到任一工具。',
    'note.simulated': '模拟数据，非实测：{names}。',
    'note.cut': '另有 {count, number} 列未列出。',
    'table.title': '基因',
    'column.gene': '基因',
    'column.symbol': '基因名',
    'column.description': '描述',
    'column.biotype': '基因类型',
    'column.locus': '位置',
    'column.protein': '蛋白长度（aa）',
  },
})
