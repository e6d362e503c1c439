import { says } from '../annotator.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const kinds = {
  code: { en: 'program', zh: '程序' },
  statistics: { en: 'statistics of alignments or variants', zh: '比对或变异统计' },
  alignerIndex: { en: 'index of an aligner', zh: '比对软件的索引' },
  junctions: { en: 'splice junctions', zh: '剪接位点' },
  kinship: { en: 'kinship matrix', zh: '亲缘关系矩阵' },
  coverage: { en: 'coverage of exons, introns and transcripts', zh: '外显子、内含子与转录本的覆盖度' },
  onTranscripts: { en: 'reads aligned to transcripts', zh: '与转录本比对的 reads' },
  model: { en: 'model of the quantification', zh: '定量模型' },
  search: { en: 'hits of the search', zh: '搜索命中结果' },
  matches: { en: 'matches of proteins, InterProScan', zh: '蛋白质匹配结果，InterProScan' },
  lengths: { en: 'lengths of genes', zh: '基因长度' },
  plink2: { en: 'genotypes, PLINK 2', zh: '基因型，PLINK 2' },
  orthology: { en: 'trees, alignments and tables of an OrthoFinder run', zh: 'OrthoFinder 分析产生的树、比对和表格' },
  repeats: { en: 'of a run of RepeatMasker or EDTA', zh: 'RepeatMasker 或 EDTA 的运行文件' },
  panGenome: { en: 'graphs, alignments and tables of a pan-genome run', zh: '泛基因组分析产生的图、比对和表格' },
  assembled: { en: 'transcripts assembled from reads', zh: '由 reads 组装的转录本' },
} satisfies Record<string, Text>

const why = {
  annotation: { en: 'the annotation made of it is taken', zh: '使用由其得到的注释' },
  matches: {
    en: 'the TSV of the run is loaded (interproscan.sh -f tsv)',
    zh: '加载该次运行的 TSV（interproscan.sh -f tsv）',
  },
  genes: { en: 'gene models are given', zh: '已有基因模型' },
  orthogroups: { en: 'the orthogroups of the run are taken', zh: '使用该次运行的直系同源组' },
  elements: { en: 'the elements of the run are taken', zh: '使用该次运行的转座元件' },
  onTranscripts: { en: 'its places are none of the genome', zh: '其位置并非基因组坐标' },
  plink2: {
    en: 'make it a VCF: plink2 --pfile NAME --export vcf bgz --out NAME',
    zh: '请转换为 VCF：plink2 --pfile 名称 --export vcf bgz --out 名称',
  },
} satisfies Record<string, Text>

interface ByProduct {
  what: Text
  why?: Text
  /** Of the path. */
  path?: RegExp
  /** Of one of its first lines. */
  line?: RegExp
}

/** What programs write beside their results, by path and content; some would pass for intervals or matrices. */
const known: readonly ByProduct[] = [
  // Of web pages and of whoever ran a program; lines of numbers in it may look like columns.
  { what: kinds.code, path: /\.(m?js|(js|css)\.map|css|sh|slurm|py|pl|R|Rmd|nf)$/i },
  // HISAT2 and Bowtie 2; STAR, Log.final.out; GEMMA, P.log.txt; PLINK, P.nosex.
  { what: texts.log, line: /^(\d+ reads; of these:|HISAT2 summary stats:|\s*Started job on \||## GEMMA Version)/ },
  { what: texts.log, path: /\.(nosex|hh)$/ },
  // Its GFF3 is of proteins, not of the genome.
  {
    what: kinds.matches,
    why: why.matches,
    line: /^##interproscan-version|^\s*\{?\s*"interproscan-version"|<protein-matches\b/,
  },
  { what: kinds.lengths, path: /(^|[._-])(gene|transcript|tximport)_lengths?\.(tsv|csv|txt)(\.gz)?$/ },
  { what: kinds.plink2, why: why.plink2, path: /\.(pgen|pvar|psam)(\.zst)?$/ },
  { what: kinds.alignerIndex, path: /(^|\/)_STAR(genome|pass1|tmp)\// },
  { what: kinds.alignerIndex, path: /\.(ht2l?|bt2l?|(fa|fasta|fna)(\.gz)?\.(amb|ann|bwt|pac|sa))$/ },
  // RSEM and STAR --quantMode TranscriptomeSAM.
  {
    what: kinds.onTranscripts,
    why: why.onTranscripts,
    path: /(\.transcript(\.sorted)?|Aligned\.toTranscriptome(\.sorted)?\.out)\.bam$/,
  },
  { what: kinds.model, path: /\.stat\/[^/]+\.(cnt|model|theta)$/ },
  { what: kinds.junctions, path: /SJ\.out\.tab(\.gz)?$/ },
  { what: kinds.statistics, line: /^# This file was produced by (samtools|bcftools|plot-)/ },
  { what: kinds.statistics, line: /^\d+ \+ \d+ in total \(QC-passed reads/ },
  // featureCounts: counts.txt.summary.
  { what: kinds.statistics, line: /^(Status\t|Unassigned_Unmapped\t)/ },
  // Ballgown's tables, which StringTie -B writes.
  { what: kinds.coverage, path: /\.ctab(\.gz)?$/ },
  { what: kinds.kinship, path: /\.([cs]XX|eigen[DU]|king|kinship|rel|grm)(\.(txt|id|bin))?(\.gz)?$/ },
  {
    what: kinds.search,
    why: why.annotation,
    path: /\.emapper\.(hits|seed_orthologs|orthologs|pfam|hmm_hits|no_annotations\.fasta|genepred\.fasta)$/,
  },
]

/** What Roary and Panaroo write beside the table of their orthogroups; some would pass for a genome, gene models or a matrix. */
const besideOrthogroups =
  /(^|\/)((core_)?accessory(_binary_genes|_graph|\.header)?\.(fa|fa\.newick|dot|embl|tab)|clustered_proteins|\w+\.Rtab|summary_statistics\.txt|core_(gene_)?alignment\w*\.(aln|embl)|combined_(DNA|protein)_\w+\.(fasta|txt|txt\.clstr)|(final|pre_filt)_graph\.gml|gene_data\.csv|alignment_entropy\.csv|pan_genome_reference\.fa|(pan_genome|aligned_gene)_sequences\/[^/]+)$/

/** What OrthoFinder writes into the folder of a run, beside the tables of orthogroups themselves. */
const besideGroups =
  /^(Citation\.txt|Log\.txt|Statistics\S*\.[ct]sv|Orthogroups_?\S*(GeneCount|UnassignedGenes|SpeciesOverlaps|SingleCopyOrthologues)\S*|Orthogroups\.txt|SingleCopyOrthogroups\.txt|N[1-9]\d*\.tsv|(Comparative_Genomics_Statistics|Gene_Duplication_Events|(Resolved_)?Gene_Trees|MultipleSequenceAlignments|Orthogroup_Sequences|Orthologues\w*|Phylogenetically_Misplaced_Genes|Putative_Xenologs|Single_Copy_Orthologue_Sequences|Species_Tree|WorkingDirectory)\/.+)$/
const groupsFolder = /(^|\/)(Orthogroups|Phylogenetic_Hierarchical_Orthogroups)$/

/** What RepeatMasker writes beside `X.out`, with X before it. */
const besideRepeats = /^\.((ori\.out|out\.gff|cat|tbl|stderr|log|polyout|alert|ref|divsum)(\.gz)?)$/
/** What EDTA writes beside `X.EDTA.TEanno.gff3` and the library: its copy of the genome, steps and sums. */
const besideElements =
  /^(\.MAKER\.masked|\.EDTA\.(TEanno\.sum|TEanno\.split\.gff3|\w+\.out)|\.EDTA\.(raw|combine|final|anno)\/(?!.*\.EDTA\.(TEanno\.gff3|TElib\.fa)$).+)$/

/**
 * StringTie and Cufflinks give each transcript of a sample its coverage; merged transcripts have none. The transcripts of the annotation
 * that the reads of a sample cover whole (`stringtie -C`) are written as the annotation has them: their name tells.
 */
const isOfSample = (file: InputFile): boolean =>
  (file.format === 'gtf' || file.format === 'gff3') &&
  (/([._-]coverage|cov_refs)\.g(tf|ff3?)(\.gz)?$/.test(file.name) ||
    says(file, /\t(StringTie|Cufflinks)\t.*\b(cov|FPKM) "/))

/** Logs, statistics, indexes and intermediate files of programs whose results are taken. */
export default defineRecogniser({
  id: 'by-products',
  title: { en: 'Logs and intermediate files', zh: '日志与中间文件' },
  order: 320,
  recognise: async (files, { all, each }) => {
    const hasGenes = all.some((file) => ['gff3', 'gtf', 'genbank', 'embl'].includes(file.format) && !isOfSample(file))
    const runs = new Set(
      all.filter(({ name }) => /^gene_presence_absence(_roary)?\.csv/.test(name)).map(({ folder }) => folder),
    )
    const isOfRun = (file: InputFile): boolean =>
      besideOrthogroups.test(file.path) &&
      [file.folder, file.folder.replace(/(^|\/)[^/]*$/, '')].some((folder) => runs.has(folder))
    const orthologyRuns = new Set(
      all
        .filter(({ name }) => /^(Orthogroups\.[ct]sv|N0\.tsv)$/.test(name))
        .map(({ folder }) => folder.replace(groupsFolder, '')),
    )
    const isOfOrthologyRun = (file: InputFile): boolean =>
      [...orthologyRuns].some((home) => {
        if (home !== '' && !file.path.startsWith(`${home}/`)) return false
        const within = home === '' ? file.path : file.path.slice(home.length + 1)
        return besideGroups.test(within.replace(/^(Orthogroups|Phylogenetic_Hierarchical_Orthogroups)\//, ''))
      })
    const masked = all
      .filter((file) => says(file, /^\s+SW\s+perc\s+perc\s+perc\s+query/))
      .flatMap(({ path }) => /^(.+)\.out(\.gz)?$/.exec(path)?.[1] ?? [])
    const elements = all.flatMap(
      ({ path }) => /^([^/]+\/)*[^/]+(?=\.EDTA\.(TEanno|intact)\.gff3)/.exec(path)?.[0] ?? [],
    )
    const isOfRepeats = (file: InputFile): boolean =>
      masked.some((name) => file.path.startsWith(name) && besideRepeats.test(file.path.slice(name.length))) ||
      elements.some(
        (name) =>
          (file.path === name && all.some(({ path }) => `${path}.mod` === name)) ||
          (file.path.startsWith(name) && besideElements.test(file.path.slice(name.length))),
      )
    const describe = (file: InputFile): Finding | null => {
      const left = (what: Text, reason: Text): Finding => ({ file, what, take: 'none', why: reason })
      if (isOfRepeats(file)) return left(kinds.repeats, why.elements)
      if (isOfOrthologyRun(file)) return left(kinds.orthology, why.orthogroups)
      if (isOfRun(file)) return left(kinds.panGenome, why.orthogroups)
      const found = known.find(
        ({ path, line }) => (path?.test(file.path) ?? true) && (line === undefined || says(file, line)),
      )
      if (found !== undefined) return left(found.what, found.why ?? texts.nothing)
      return hasGenes && isOfSample(file) ? left(kinds.assembled, why.genes) : null
    }
    const findings: Finding[] = []
    for await (const file of each(files)) findings.push(...[describe(file) ?? []].flat())
    return { findings }
  },
})
