import { defineMessages } from '../../../contracts/text.ts'

/** Texts of the figure of neighbouring genes, by themselves: Home does not wait for them. */
export const messages = defineMessages({
  en: {
    'loci.title': 'Neighbourhood',
    'loci.method':
      'Genes and their neighbours ({scale, select, bases {to scale} other {not to scale}}), oriented so that the central gene points the same way in every row. Ribbons connect genes of the same orthogroup{across, select, yes {, and the central gene to its orthologs in other orthogroups} other {}}. Each orthogroup with several genes in view has its own colour, and beyond a dozen a texture too; white genes are the only members of their orthogroup in view.{gaps, select, yes { In an assembly without a homolog, a dashed box or a bracket stands between the orthologs of the nearest neighbours on either side of the gene (anchors), where at most {most, number} genes lie between them; deletions and their lengths are those of the whole-genome alignment, or, marked “~”, the difference in the distance between the anchors. The genes counted are all those between the anchors in the first row.} other {}}{broken, select, yes { A torn edge, a pale part or a cut marks a gene annotated on the remains of its counterpart in the first row’s assembly (truncated, disrupted frame, split), as gene presence by DNA finds them.} other {}}',
    'loci.gene': '{gene} {symbol}, orthogroup {group}{broken, select, none {} other {: {broken}}}',
    'loci.broken': '{state} ({gene}{share, select, none {} other {, {share} of its DNA}})',
    'loci.brokenHead': 'Integrity',
    'loci.gap': '{partial, select, yes {not aligned} other {no homolog}}',
    'loci.gapSize':
      '{partial, select, yes {not aligned} other {no homolog}}: ~{size} shorter; {genes, plural, one {# gene} other {# genes}} in the first row',
    'loci.gapDeleted':
      '{count, plural, one {{sizes} bp deleted} other {# deletions: {sizes} bp}} ({genes, plural, one {# gene} other {# genes}})',
    'loci.deletedBp': '{size, number} bp',
    'loci.gapOf':
      '{partial, select, yes {{assembly} (partial assembly): {gene} is not aligned, which does not mean that it is absent} other {{assembly}: no homolog of {gene} is annotated between the orthologs of its neighbours}}',
    'loci.lacking':
      '{partial, select, yes {not aligned; the assembly is partial} other {no homolog; flanking genes are not adjacent in this assembly}}',
    'loci.group': 'Orthogroup {group}: {count, plural, one {# gene} other {# genes}} in view',
    'loci.assembly': 'Assembly',
    'loci.center': 'Centred on',
    'loci.sequence': 'Sequence',
    'loci.geneId': 'Gene',
    'loci.symbol': 'Symbol',
    'loci.start': 'Start',
    'loci.end': 'End',
    'loci.strand': 'Strand',
    'loci.orthogroup': 'Orthogroup',
    'loci.note': 'Note',
    'loci.central': '{count, plural, one {The central gene} other {The # central genes}}',
    'loci.drawn':
      '{assembly, select, none {All genes drawn ({count, number})} other {{count, plural, one {The only gene drawn of {assembly}} other {All # genes of {assembly}}}}}',
    'loci.setCentral': 'Homologs of {gene}',
    'loci.setDrawn': 'Neighbourhood of {gene}{assembly, select, none {} other { in {assembly}}}',
  },
  zh: {
    'loci.title': '基因邻域',
    'loci.method':
      '各基因及其邻近基因，{scale, select, bases {按比例绘制} other {依次排列（不按比例）}}，并调整方向使中间的基因同向。条带连接同一直系同源组的基因{across, select, yes {，以及中间基因与归入其他组的直系同源基因} other {}}。在图中有两个及以上基因的直系同源组各用一种颜色，超过十二组时另加纹理；白色基因在图中没有同组的其他基因。{gaps, select, yes {在无同源基因的基因组中，虚线框或方括号表示该基因两侧最近邻基因的直系同源基因（锚点）之间的空缺，其间至多有 {most, number} 个基因；缺失及其长度取自全基因组比对，无比对时为两侧锚点间距之差（标“约”）；基因数为第一行中锚点之间的全部基因。} other {}}{broken, select, yes {断口、浅色部分或切口表示该基因仅为第一行基因组中对应基因的残余（截短、读码框破坏、断裂），依据 DNA 水平的存在与缺失分析。} other {}}',
    'loci.gene': '{gene} {symbol}，直系同源组 {group}{broken, select, none {} other {：{broken}}}',
    'loci.broken': '{state}（{gene}{share, select, none {} other {，保留其 DNA 的 {share}}}）',
    'loci.brokenHead': '完整性',
    'loci.gap': '{partial, select, yes {未比对上} other {无同源基因}}',
    'loci.gapSize':
      '{partial, select, yes {未比对上} other {无同源基因}}：缺约 {size}，第一行有 {genes, number} 个基因',
    'loci.gapDeleted': '{count, plural, =1 {缺失 {sizes} bp} other {# 处缺失：{sizes} bp}}（{genes, number} 个基因）',
    'loci.deletedBp': '{size, number} bp',
    'loci.gapOf':
      '{partial, select, yes {{assembly}（不完整的基因组）：未比对上 {gene}，并不等于缺失} other {{assembly}：两侧邻近基因的直系同源基因之间未注释到 {gene} 的同源基因}}',
    'loci.lacking':
      '{partial, select, yes {未比对上；该基因组不完整} other {无同源基因，两侧邻近基因在该基因组中也不相邻}}',
    'loci.group': '直系同源组 {group}：图中有 {count, number} 个基因',
    'loci.assembly': '基因组',
    'loci.center': '中心基因',
    'loci.sequence': '序列',
    'loci.geneId': '基因',
    'loci.symbol': '基因名',
    'loci.start': '起点',
    'loci.end': '终点',
    'loci.strand': '链',
    'loci.orthogroup': '直系同源组',
    'loci.note': '备注',
    'loci.central': '中间的 {count, number} 个基因',
    'loci.drawn':
      '{assembly, select, none {图中全部 {count, number} 个基因} other {{assembly} 的全部 {count, number} 个基因}}',
    'loci.setCentral': '{gene} 的同源基因',
    'loci.setDrawn': '{gene} 的邻域{assembly, select, none {} other {（{assembly}）}}',
  },
})
