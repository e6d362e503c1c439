import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReportDemoStage } from './demo-stage.ts'
import { readGenome, writeGenome } from './genome-fasta.ts'
import { findMissingSegments } from './missing-segments.ts'
import type { FetchedPackage } from './packages.ts'
import { renderBibTex } from './reference-entries.ts'
import { addRegionsOfDifference } from './regions-of-difference.ts'
import { type PlantedType, simulateCells } from './simulated-cells.ts'
import { simulateExpression } from './simulated-expression.ts'
import { simulateInteractions } from './simulated-interactions.ts'
import {
  type AssemblyFolder,
  copyGzipped,
  readmeDownload,
  type SpeciesFolder,
  writeLines,
  writeManifest,
} from './species-folder.ts'
import {
  bacterialCode,
  parseGeneTable,
  type ReadingFrames,
  renderGeneModels,
  type TableGene,
} from './tuberculosis-genes.ts'
import {
  type InsertionCondition,
  insertionSamples,
  readInsertions,
  renderSampleSheet,
  writeConditionTrack,
  writeCountTrack,
} from './tuberculosis-insertions.ts'
import { type LineagesSummary, makeLineages, populationFiles } from './tuberculosis-population.ts'
import { tuberculosisReferences } from './tuberculosis-references.ts'
import {
  makeClusterTable,
  makeOntologyTable,
  makeRoleTable,
  ontologyFile,
  readClusters,
  readGeneOntology,
  readRoles,
  renderClusterOntology,
  renderRoleOntology,
  type TermTable,
} from './tuberculosis-terms.ts'

export const tuberculosisPackage = 'tnseq-transit'
export const tuberculosisSpecies = 'mycobacterium-tuberculosis-complex'

interface AssemblySource {
  id: string
  /** Base name of its files in the package. */
  file: string
  sequence: string
  aliases: string[]
  /** Another table of the same genes that has the symbols which this one lacks. */
  symbolsFrom?: string
  about: Omit<AssemblyFolder, 'id' | 'genome' | 'genes' | 'sequences'>
}

const licence = 'GPL-3.0 (as packaged by Debian)'

const sources: readonly AssemblySource[] = [
  {
    id: 'H37Rv',
    file: 'H37Rv',
    sequence: 'NC_000962.2',
    aliases: ['H37Rv', 'gi|57116681|ref|NC_000962.2|'],
    about: {
      name: 'H37Rv',
      strain: 'H37Rv',
      accession: 'NC_000962.2',
      reference: true,
      // ESAT-6 first: it is what the demo tells about; then the targets of the first-line drugs.
      examples: ['esxA', 'katG', 'rpoB', 'inhA', 'gyrA', 'mce4A', 'dnaA', 'pks13'],
      description: {
        en: 'Mycobacterium tuberculosis H37Rv, the laboratory reference strain and the first genome of the species to be sequenced (1998), in its second release.',
        zh: '结核分枝杆菌（Mycobacterium tuberculosis）H37Rv：实验室参考菌株，也是该物种第一个完成测序的基因组（1998 年），此处为第 2 版序列。',
      },
    },
  },
  {
    id: 'H37RvBD',
    file: 'H37RvBD',
    symbolsFrom: 'H37RvBD_mod3',
    sequence: 'NC_018143.2',
    aliases: ['H37RvBD', 'gi|561108321|ref|NC_018143.2|'],
    about: {
      name: 'H37Rv, Broad Institute',
      strain: 'H37Rv',
      accession: 'NC_018143.2',
      description: {
        en: 'Mycobacterium tuberculosis H37Rv as sequenced again by the Broad Institute, with its own gene set (RVBD loci).',
        zh: '结核分枝杆菌（Mycobacterium tuberculosis）H37Rv：由 Broad 研究所重新测序，使用其独立的基因集（RVBD 编号）。',
      },
    },
  },
  {
    id: 'H37RvMA2',
    file: 'H37RvMA2',
    sequence: 'H37RvMA2',
    aliases: [],
    about: {
      name: 'H37RvMA2',
      strain: 'H37Rv (MA2)',
      description: {
        en: 'Mycobacterium tuberculosis H37Rv as kept in one laboratory and sequenced there, with the sequencing errors of the reference corrected. The gene set uses the Rv loci.',
        zh: '结核分枝杆菌（Mycobacterium tuberculosis）H37Rv 的一个实验室保藏株：经重新测序并校正了参考序列中的测序错误，基因沿用 Rv 编号。',
      },
    },
  },
  {
    id: 'BCG-Pasteur',
    file: 'BCG',
    sequence: 'NC_008769.1',
    aliases: ['BCG', 'gi|121635883|ref|NC_008769.1|'],
    about: {
      name: 'BCG Pasteur 1173P2',
      strain: 'BCG Pasteur 1173P2',
      accession: 'NC_008769.1',
      description: {
        en: 'Mycobacterium bovis BCG Pasteur 1173P2, the live vaccine against tuberculosis. It lacks the region RD1, and with it ESAT-6 (esxA) and CFP-10 (esxB).',
        zh: '牛分枝杆菌卡介苗（Mycobacterium bovis BCG）Pasteur 1173P2：结核病活疫苗株。缺失 RD1 区域，因而缺少 ESAT-6（esxA）和 CFP-10（esxB）。',
      },
    },
  },
  {
    id: 'mc2-155',
    file: 'mc2_155_tamu',
    sequence: 'mc2_155_tamu',
    aliases: [],
    about: {
      name: 'M. smegmatis mc2 155',
      strain: 'mc2 155',
      outgroup: true,
      description: {
        en: 'Mycobacterium smegmatis mc2 155, another species, outside the M. tuberculosis complex: a fast-growing, harmless relative used as a laboratory model, here as outgroup. Sequenced at Texas A&M University.',
        zh: '耻垢分枝杆菌（Mycobacterium smegmatis）mc2 155：不属于结核分枝杆菌复合群，为生长快、不致病的近缘实验模式菌，此处作为外群。由德州农工大学测序。',
      },
    },
  },
]

/** What was made, to be printed and checked. */
export interface TuberculosisSummary {
  assemblies: {
    id: string
    lengthBp: number
    genes: number
    frames: ReadingFrames
    tables: Record<string, TermTable>
  }[]
  taSites: number
  /** Segments of H37Rv that BCG lacks, 1-based inclusive, with the genes wholly or partly inside. */
  missingInBcg: { start1: number; end1: number; genes: string[] }[]
  lineages: LineagesSummary
}

/** Shorter differences are repeats, insertion elements' targets and hypervariable segments of PE/PPE genes. */
const shortestSegmentBp = 500

/**
 * Writes the species folder of the *Mycobacterium tuberculosis* complex into `outDir` from the unpacked package
 * tnseq-transit: five genomes with genes, GO terms, COG clusters, functional roles, Tn-seq tracks and references.
 */
export async function makeTuberculosis(
  from: FetchedPackage,
  outDir: string,
  progress: ReportDemoStage = () => {},
): Promise<TuberculosisSummary> {
  const packageDir = join(from.root, 'usr/lib/python3/dist-packages/pytransit')
  const genomesDir = join(packageDir, 'genomes')
  const dataDir = join(packageDir, 'data')

  const tables = new Map<string, TableGene[]>()
  for (const source of sources) tables.set(source.id, await readGenes(genomesDir, source))

  progress({ en: 'reading the Gene Ontology', zh: '正在读取基因本体（GO）' })
  const ontology = await readGeneOntology(dataDir)
  const roles = await readRoles(dataDir)
  const clusters = await readClusters(dataDir, tables.values())
  await copyGzipped(join(dataDir, ontologyFile), join(outDir, 'ontologies/go-2018-03-09.obo.gz'))
  await writeLines(join(outDir, 'ontologies/roles.obo'), renderRoleOntology(roles))
  await writeLines(join(outDir, 'ontologies/cog.obo'), renderClusterOntology(clusters))
  await writeLines(join(outDir, 'references.bib'), renderBibTex(tuberculosisReferences))

  const summary: TuberculosisSummary = {
    assemblies: [],
    taSites: 0,
    missingInBcg: [],
    lineages: { accessions: 0, sites: 0, planted: [], association: false },
  }
  const assemblies: AssemblyFolder[] = []
  const genomes = new Map<string, string>()
  for (const source of sources) {
    progress({ en: `writing ${source.id}`, zh: `正在写入 ${source.id}` })
    const genes = tables.get(source.id)!
    const [genome] = (await readGenome(join(genomesDir, `${source.file}.fna`))).values()
    if (!genome) throw new SyntaxError(`${source.file}.fna: no sequence`)
    genomes.set(source.id, genome)
    await writeGenome(join(outDir, source.id, 'genome.fa'), [[source.sequence, genome]])
    const { lines, frames } = renderGeneModels(source.sequence, genome, genes)
    await writeLines(join(outDir, source.id, 'genes.gff3'), lines)

    const terms: Record<string, TermTable> = {}
    if (source.id === 'H37Rv' || source.id === 'H37RvMA2') {
      terms.go = await makeOntologyTable(dataDir, 'H37Rv_GO_terms.txt', genes, ontology)
      terms.roles = await makeRoleTable(dataDir, genes, roles)
    }
    if (source.id === 'mc2-155') terms.go = await makeOntologyTable(dataDir, 'smeg_GO_terms.txt', genes, ontology)
    const clusterTable = makeClusterTable(genes, clusters)
    if (clusterTable.genes) terms.cog = clusterTable
    const annotation: NonNullable<AssemblyFolder['annotation']> = []
    for (const [name, table] of Object.entries(terms)) {
      const file = `${source.id}/${name}.tsv`
      await writeLines(join(outDir, file), table.lines)
      annotation.push({ file, format: 'table', ...annotationAbout[name as keyof typeof annotationAbout] })
    }
    summary.assemblies.push({ id: source.id, lengthBp: genome.length, genes: genes.length, frames, tables: terms })
    assemblies.push({
      id: source.id,
      ...source.about,
      licence,
      genome: `${source.id}/genome.fa`,
      genes: `${source.id}/genes.gff3`,
      sequences: [
        {
          name: source.sequence,
          ...(source.aliases.length ? { aliases: source.aliases } : {}),
          circular: true,
          role: 'chromosome',
        },
      ],
      ...(annotation.length ? { annotation } : {}),
      // The functional roles are a hierarchy of pathways and processes.
      ...(terms.roles === undefined
        ? {}
        : { pathways: [{ source: 'Role', title: { en: 'Functional roles (Sanger)', zh: '功能分类（Sanger）' } }] }),
    })
  }

  progress({ en: 'writing Tn-seq tracks of H37Rv', zh: '正在写入 H37Rv 的 Tn-seq 轨道' })
  const reference = assemblies[0]!
  const referenceGenes = tables.get('H37Rv')!
  const referenceGenome = genomes.get('H37Rv')!
  summary.taSites = await addInsertions(reference, dataDir, outDir, referenceGenome, referenceGenes)

  progress({ en: 'simulating isolates of four lineages', zh: '正在模拟四个谱系的分离株' })
  summary.lineages = await makeLineages(outDir, reference.sequences![0]!.name, referenceGenome, referenceGenes)
  addLineages(reference, summary.lineages)

  progress({ en: 'comparing H37Rv and BCG', zh: '正在比较 H37Rv 与 BCG' })
  const bcg = assemblies.find(({ id }) => id === 'BCG-Pasteur')!
  const bcgGenome = genomes.get('BCG-Pasteur')!
  summary.missingInBcg = await addMissing(reference, 'BCG Pasteur', outDir, referenceGenome, bcgGenome, referenceGenes)
  await addRegionsOfDifference(reference, outDir)
  await addMissing(bcg, 'H37Rv', outDir, bcgGenome, referenceGenome, tables.get('BCG-Pasteur')!)

  await writeFile(join(outDir, 'README.md'), renderReadme(from, summary))
  await writeManifest(outDir, makeManifest(assemblies))
  return summary
}

const annotationAbout = {
  go: { source: 'GO', title: { en: 'Gene Ontology terms', zh: '基因本体（GO）术语' } },
  cog: { source: 'COG', title: { en: 'Clusters of orthologous groups', zh: '直系同源蛋白簇（COG）' } },
  roles: { source: 'Role', title: { en: 'Functional roles (Sanger)', zh: '功能分类（Sanger）' } },
}

async function readGenes(genomesDir: string, source: AssemblySource): Promise<TableGene[]> {
  const genes = parseGeneTable(await readFile(join(genomesDir, `${source.file}.prot_table`), 'utf8'))
  if (!source.symbolsFrom) return genes
  // The other table is of an older state of the same sequence, so its positions are not used: locus and length must agree.
  const others = parseGeneTable(await readFile(join(genomesDir, `${source.symbolsFrom}.prot_table`), 'utf8'))
  const byLocus = new Map(others.map((gene) => [gene.locus, gene]))
  return genes.map((gene) => {
    const other = byLocus.get(gene.locus)
    const same = other && other.residues === gene.residues && other.description === gene.description
    return same ? { ...gene, symbol: gene.symbol ?? other.symbol } : gene
  })
}

async function addInsertions(
  assembly: AssemblyFolder,
  dataDir: string,
  outDir: string,
  genome: string,
  genes: readonly TableGene[],
): Promise<number> {
  const insertions = await readInsertions(dataDir, genome)
  const sequence = { name: assembly.sequences![0]!.name, lengthBp: genome.length }
  const category = { en: 'Tn-seq insertions (Griffin et al. 2011)', zh: 'Tn-seq 转座子插入（Griffin 等，2011）' }
  const carbon: Record<InsertionCondition, { en: string; zh: string }> = {
    cholesterol: { en: 'cholesterol', zh: '胆固醇' },
    glycerol: { en: 'glycerol', zh: '甘油' },
  }
  assembly.tracks ??= []
  await writeLines(join(outDir, assembly.id, 'tnseq-samples.tsv'), renderSampleSheet(insertions))
  for (const condition of ['cholesterol', 'glycerol'] as const) {
    const file = `${assembly.id}/tracks/tnseq-${condition}-mean.bw`
    await writeConditionTrack(join(outDir, file), sequence, insertions, condition)
    assembly.tracks.push({
      id: `tnseq-${condition}-mean`,
      name: { en: `Tn-seq, ${carbon[condition].en}, mean`, zh: `Tn-seq，${carbon[condition].zh}，均值` },
      file,
      type: 'bigwig',
      category,
      description: {
        en: `Insertions on ${carbon[condition].en} at each TA site: log2(1 + mean of the replicates' reads, normalized by trimmed total reads). No insertion over a whole gene suggests that it is needed to grow.`,
        zh: `以${carbon[condition].zh}为碳源时各 TA 位点的插入：log2(1 + 各重复经 TTR 标准化后的平均读段数)。若整个基因内都没有插入，提示该基因为生长所必需。`,
      },
    })
  }
  for (const [i, sample] of insertionSamples.entries()) {
    const file = `${assembly.id}/tracks/tnseq-${sample.condition}-${sample.replicate}.bw`
    await writeCountTrack(join(outDir, file), sequence, insertions, i)
    const { en, zh } = carbon[sample.condition]
    assembly.tracks.push({
      id: `tnseq-${sample.condition}-${sample.replicate}`,
      name: { en: `Tn-seq, ${en}, replicate ${sample.replicate}`, zh: `Tn-seq，${zh}，重复 ${sample.replicate}` },
      file,
      type: 'bigwig',
      category,
      description: {
        en: 'Reads of transposon insertions at each TA site, as counted, not normalized.',
        zh: '各 TA 位点转座子插入的原始读段数，未经标准化。',
      },
    })
  }
  for (const { id, file } of insertionSamples)
    await copyFile(join(dataDir, file), join(outDir, assembly.id, `${id}.wig`))
  const series = simulateExpression(
    findOperons(genes),
    { factor: 'condition', levels: simulatedConditions, treatments: ['untreated', 'rifampicin'], replicates: 3 },
    simulatedSeed,
  )
  await writeLines(join(outDir, assembly.id, 'simulated-expression.tsv'), series.matrix)
  await writeLines(join(outDir, assembly.id, 'simulated-samples.tsv'), series.sheet)
  assembly.expression = [
    {
      id: 'tnseq',
      name: { en: 'Tn-seq, cholesterol and glycerol', zh: 'Tn-seq：胆固醇与甘油' },
      file: insertionSamples.map(({ id }) => `${assembly.id}/${id}.wig`),
      unit: 'counts',
      samples: `${assembly.id}/tnseq-samples.tsv`,
      group: 'treatment',
      measure: { en: 'transposon insertions', zh: '转座子插入' },
      differential: [
        {
          id: 'cholesterol-glycerol',
          name: { en: 'Cholesterol against glycerol', zh: '胆固醇对甘油' },
          test: 'cholesterol',
          reference: 'glycerol',
          description: {
            en: 'Resampling of the counts at the TA sites when the data were loaded. A negative log2 fold change with a small adjusted p-value: fewer insertions on cholesterol, so the gene is needed to grow on it.',
            zh: '加载数据时对各 TA 位点的计数进行重采样检验。log2 倍数变化为负且校正 P 值很小，表示以胆固醇为碳源时插入较少，即该基因为在胆固醇上生长所需。',
          },
        },
      ],
      licence,
      source: { en: 'Griffin et al. 2011', zh: 'Griffin 等，2011' },
      description: {
        en: 'Not transcripts: reads of transposon insertions at each TA site, and summed over the sites within each gene. Few where the gene is needed to grow on the carbon source.',
        zh: '并非转录本：各 TA 位点上转座子插入的读段数，并按基因求和。若基因为在该碳源上生长所必需，则读段很少。',
      },
    },
    {
      id: 'simulated',
      name: { en: 'Conditions (simulated)', zh: '培养条件（模拟）' },
      file: `${assembly.id}/simulated-expression.tsv`,
      unit: 'TPM',
      samples: `${assembly.id}/simulated-samples.tsv`,
      group: 'condition',
      simulated: true,
      licence: 'CC0-1.0',
      description: {
        en: 'Simulated values on the real genes: neighbours on one strand, at most 60 bases apart, follow one course, as genes of an operon do.',
        zh: '在真实基因上模拟的数值：同一条链上相距不超过 60 bp 的相邻基因变化一致，如同操纵子。',
      },
    },
  ]
  const cells = simulateCells(
    genes.map(({ locus }) => locus),
    simulatedStates,
    simulatedCourse,
    simulatedSeed + 1,
  )
  // Features beside their matrix, as a 10x folder has them.
  for (const [file, lines] of [
    ['matrix.mtx', cells.matrix],
    ['barcodes.tsv', cells.barcodes],
    ['features.tsv', cells.features],
    ['cells.tsv', cells.cells],
  ] as const)
    await writeLines(join(outDir, assembly.id, 'simulated-cells', file), lines)
  assembly.singleCell = [
    {
      id: 'simulated-cells',
      name: { en: 'Cells (simulated)', zh: '单细胞（模拟）' },
      file: `${assembly.id}/simulated-cells/matrix.mtx`,
      metadata: `${assembly.id}/simulated-cells/cells.tsv`,
      simulated: true,
      licence: 'CC0-1.0',
      description: {
        en: 'Simulated counts of 3,000 cells on the real genes: four planted states, each marked by twelve genes that are known to be used together in it, taken at four times during which growing cells pass into the other three; three samples at each time that do not differ. The map is computed.',
        zh: '在真实基因上模拟的 3,000 个细胞的计数：预设四种状态，各以十二个已知协同表达的基因为标记；在四个时间点取样，期间生长状态的细胞逐渐转入其余三种状态；每个时间点三个样本，彼此没有差异。图谱由本站计算。',
      },
    },
  ]
  const interactions = simulateInteractions(
    genes.map(({ locus }) => locus),
    simulatedComplexes,
    simulatedSeed + 2,
  )
  await writeLines(join(outDir, assembly.id, 'simulated-interactions.tsv'), interactions.lines)
  assembly.interactions = [
    {
      id: 'simulated',
      name: { en: 'Complexes (simulated)', zh: '蛋白质复合物（模拟）' },
      file: `${assembly.id}/simulated-interactions.tsv`,
      simulated: true,
      licence: 'CC0-1.0',
      description: {
        en: 'Simulated on the real genes: genes drawn at random stand in planted complexes; further interactions are chance. It says nothing of the bacterium.',
        zh: '在真实基因上模拟：随机抽取的基因组成预设的复合物，其余互作为随机产生；与该细菌的实际情况无关。',
      },
    },
  ]
  return insertions.sites1.length
}

const simulatedVariants = 'lineages'
const simulatedLicence = 'CC0-1.0'

function addLineages(assembly: AssemblyFolder, { association }: LineagesSummary): void {
  assembly.variants = [
    {
      id: simulatedVariants,
      name: { en: '60 isolates of four lineages (simulated)', zh: '四个谱系的 60 株分离株（模拟）' },
      file: populationFiles.variants,
      simulated: true,
      licence: simulatedLicence,
      description: {
        en: 'Simulated: differences at invented places in real genes, inherited in clonal lineages; S450L of rpoB and S315T of katG arise again and again, as resistance does. It says nothing of real isolates.',
        zh: '模拟数据：真实基因中虚构位置的差异，随克隆谱系遗传；rpoB S450L 与 katG S315T 如同耐药突变那样多次独立出现。与真实菌株无关。',
      },
    },
  ]
  if (association)
    assembly.gwas = [
      {
        id: 'rifampicin-mic',
        name: { en: 'Rifampicin, log2 MIC (simulated)', zh: '利福平 MIC，log2（模拟）' },
        file: populationFiles.association,
        trait: 'rifampicin_mic',
        phenotypes: 'resistance',
        variants: simulatedVariants,
        simulated: true,
        licence: simulatedLicence,
        description: {
          en: 'Mixed model with kinship, computed by GEMMA when the demo was made.',
          zh: '由 GEMMA 在制作演示数据时以含亲缘关系的混合模型计算。',
        },
      },
    ]
  assembly.downloads ??= []
  assembly.downloads.push({
    file: populationFiles.planted,
    title: { en: 'What is planted in the simulated isolates', zh: '模拟分离株中的预设位点' },
    description: {
      en: 'Changes that the simulated resistance depends on.',
      zh: '模拟耐药性所依赖的氨基酸改变。',
    },
    licence: simulatedLicence,
  })
}

/**
 * States of the simulated cells with genes that are used together in them: ribosomal proteins; the DosR regulon; mycobactin; cholesterol.
 */
export const simulatedStates: readonly PlantedType[] = [
  {
    name: 'growing',
    // The S10 and spc operons (Cole et al. 1998, Nature 393:537).
    markers: [
      'Rv0700',
      'Rv0701',
      'Rv0702',
      'Rv0703',
      'Rv0704',
      'Rv0705',
      'Rv0706',
      'Rv0707',
      'Rv0708',
      'Rv0709',
      'Rv0710',
      'Rv0714',
    ],
  },
  {
    name: 'hypoxic',
    // Park et al. 2003, Mol Microbiol 48:833.
    markers: [
      'Rv1996',
      'Rv2007c',
      'Rv2030c',
      'Rv2031c',
      'Rv2032',
      'Rv2623',
      'Rv2626c',
      'Rv2627c',
      'Rv3130c',
      'Rv3131',
      'Rv3132c',
      'Rv3133c',
    ],
  },
  {
    name: 'iron-starved',
    // Rodriguez et al. 2002, Infect Immun 70:3371.
    markers: [
      'Rv1348',
      'Rv1349',
      'Rv2377c',
      'Rv2378c',
      'Rv2379c',
      'Rv2380c',
      'Rv2381c',
      'Rv2382c',
      'Rv2383c',
      'Rv2384',
      'Rv2385',
      'Rv2386c',
    ],
  },
  {
    name: 'on cholesterol',
    // Kendall et al. 2007, Mol Microbiol 65:684.
    markers: [
      'Rv3494c',
      'Rv3495c',
      'Rv3496c',
      'Rv3497c',
      'Rv3498c',
      'Rv3499c',
      'Rv3500c',
      'Rv3501c',
      'Rv3545c',
      'Rv3568c',
      'Rv3569c',
      'Rv3570c',
    ],
  },
]

/** Growing cells that pass into the other states: shares of the states, as listed above, at each time. */
export const simulatedCourse = {
  cells: 3000,
  elsewhere: 0.3,
  times: [
    { name: '0 h', shares: [0.94, 0.02, 0.02, 0.02] },
    { name: '6 h', shares: [0.55, 0.2, 0.13, 0.12] },
    { name: '24 h', shares: [0.25, 0.35, 0.2, 0.2] },
    { name: '72 h', shares: [0.1, 0.5, 0.2, 0.2] },
  ],
}

const simulatedComplexes = 120

const simulatedConditions = ['exponential', 'stationary', 'hypoxia', 'starvation', 'acid', 'macrophage'] as const
const simulatedSeed = 20_110_901
/** Neighbours on one strand up to so far apart count as one operon in the simulation. */
const operonGapBp = 60

/** Genes with the first gene of their operon as module; genes alone have none. */
function findOperons(genes: readonly TableGene[]): { id: string; module: string | null }[] {
  const ordered = [...genes].sort((a, b) => a.start1 - b.start1)
  const heads = ordered.map(({ locus }) => locus)
  for (let at = 1; at < ordered.length; at++) {
    const [before, gene] = [ordered[at - 1]!, ordered[at]!]
    if (gene.strand === before.strand && gene.start1 - before.end1 <= operonGapBp) heads[at] = heads[at - 1]!
  }
  const sizes = new Map<string, number>()
  for (const head of heads) sizes.set(head, (sizes.get(head) ?? 0) + 1)
  return ordered.map(({ locus }, at) => ({ id: locus, module: sizes.get(heads[at]!)! > 1 ? heads[at]! : null }))
}

async function addMissing(
  assembly: AssemblyFolder,
  otherName: string,
  outDir: string,
  genome: string,
  other: string,
  genes: readonly TableGene[],
): Promise<TuberculosisSummary['missingInBcg']> {
  const segments = findMissingSegments(genome, other, shortestSegmentBp).map(({ start0, end0 }) => ({
    start1: start0 + 1,
    end1: end0,
    genes: genes.filter((gene) => gene.start1 <= end0 && gene.end1 > start0).map(({ locus }) => locus),
  }))
  const name = assembly.sequences![0]!.name
  const lines = segments.map((segment) => [name, segment.start1 - 1, segment.end1].join('\t'))
  const id = `not-in-${otherName.split(' ')[0]!.toLowerCase()}`
  const file = `${assembly.id}/tracks/${id}.bed`
  await writeLines(join(outDir, file), lines)
  assembly.tracks ??= []
  assembly.tracks.push({
    id,
    name: { en: `Not in ${otherName}`, zh: `${otherName} 中缺失的区段` },
    file,
    type: 'bed',
    category: { en: 'Comparison', zh: '比较' },
    description: {
      en: `Segments of at least ${shortestSegmentBp} bp in which no 24 bases in a row occur in ${otherName}. Computed from the two sequences.`,
      zh: `长度不少于 ${shortestSegmentBp} bp、其中任意连续 24 个碱基都未出现在 ${otherName} 中的区段，由两条序列计算得到。`,
    },
  })
  return segments
}

function makeManifest(assemblies: AssemblyFolder[]): SpeciesFolder {
  return {
    novodb: 1,
    species: tuberculosisSpecies,
    name: 'Mycobacterium tuberculosis complex and M. smegmatis',
    commonName: {
      en: 'Tuberculosis bacteria and their relative M. smegmatis',
      zh: '结核分枝杆菌复合群与近缘的耻垢分枝杆菌',
    },
    description: {
      en: 'The bacteria that cause tuberculosis, the vaccine strain BCG, and the harmless relative M. smegmatis for comparison. The vaccine lacks the region RD1 with the antigens ESAT-6 and CFP-10, which is why tests with these antigens tell the infected from the vaccinated. Transposon insertion counts show which genes the bacterium needs to live on cholesterol, as it does in its host.',
      zh: '引起结核病的细菌、疫苗株卡介苗（BCG），以及用于比较的无害近缘种耻垢分枝杆菌。疫苗株缺失含有 ESAT-6 与 CFP-10 抗原的 RD1 区域，因此以这两种抗原进行的检测能够区分感染者与接种者。转座子插入计数显示细菌以胆固醇为碳源（如在宿主体内）生长时需要哪些基因。',
    },
    taxonId: 77643,
    geneticCode: bacterialCode,
    source: {
      en: 'Debian package tnseq-transit (TRANSIT, Texas A&M University); Tn-seq counts of Griffin et al. 2011.',
      zh: 'Debian 软件包 tnseq-transit（TRANSIT，德州农工大学）；Tn-seq 计数来自 Griffin 等（2011）。',
    },
    licence,
    ontologies: [
      { file: 'ontologies/go-2018-03-09.obo.gz', source: 'GO' },
      { file: 'ontologies/roles.obo', source: 'Role' },
      { file: 'ontologies/cog.obo', source: 'COG' },
    ],
    references: ['references.bib'],
    downloads: [readmeDownload],
    accessions: { file: populationFiles.accessions, simulated: true, licence: simulatedLicence },
    phenotypes: [
      {
        id: 'resistance',
        name: { en: 'Resistance to rifampicin (simulated)', zh: '利福平耐药性（模拟）' },
        file: populationFiles.resistance,
        traits: populationFiles.resistanceTraits,
        simulated: true,
        licence: simulatedLicence,
        description: {
          en: 'Simulated: 60 isolates on two media in three replicates each; S450L of rpoB is planted.',
          zh: '模拟数据：60 株分离株，两种培养基，各三次重复；预设 rpoB S450L。',
        },
      },
      {
        id: 'growth',
        name: { en: 'Isoniazid and growth (simulated)', zh: '异烟肼与生长（模拟）' },
        file: populationFiles.growth,
        traits: populationFiles.growthTraits,
        simulated: true,
        licence: simulatedLicence,
        description: {
          en: 'Simulated: one measurement of each isolate; S315T of katG is planted for isoniazid, nothing large for growth.',
          zh: '模拟数据：每株测定一次；异烟肼耐药性预设 katG S315T，生长未预设主效位点。',
        },
      },
    ],
    assemblies,
  }
}

function renderReadme(from: FetchedPackage, summary: TuberculosisSummary): string {
  const rows = summary.assemblies.map(({ id, lengthBp, genes, frames }) =>
    [
      '',
      id,
      lengthBp.toLocaleString('en'),
      genes.toLocaleString('en'),
      frames.whole.toLocaleString('en'),
      String(frames.interrupted.length),
      String(frames.unended.length),
      String(frames.rna),
      '',
    ]
      .join(' | ')
      .trim(),
  )
  const tableRows = summary.assemblies.flatMap(({ id, tables }) =>
    Object.entries(tables).map(
      ([name, { lines, genes, terms, unknownGenes }]) =>
        `| ${id} | ${name} | ${lines.length.toLocaleString('en')} | ${genes.toLocaleString('en')} | ${terms.toLocaleString('en')} | ${unknownGenes.length} |`,
    ),
  )
  return `# *Mycobacterium tuberculosis* complex

A species folder as any other: \`species.yaml\` beside the files that it names. It was made from the Debian package
\`${from.name}\` ${from.version} (TRANSIT, M. A. DeJesus, C. Ambadipudi and T. R. Ioerger; GPL-3 as packaged) and serves as a
worked example of a folder of your own.

## Genomes and genes

FASTA and gene tables (\`pytransit/genomes\`). Sequences were renamed to their accessions where they have one. Each row of a gene
table became a gene with its CDS (or rRNA) in \`genes.gff3\`; symbols of H37RvBD are from the package's second table of the same
loci. Every CDS was translated with the bacterial code (table 11): what is no protein as it stands is kept, with a note on the gene.

| assembly | bp | genes | whole reading frames | interrupted | without stop | rRNA |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## Terms

| assembly | table | rows | genes | terms | genes left out |
| --- | --- | --- | --- | --- | --- |
${tableRows.join('\n')}

- \`go.tsv\`: GO terms (ontology of 2018-03-09). For H37Rv the package lists every ancestor of each term; kept are the most specific terms
  of each gene, from which the ontology gives the ancestors back. H37RvMA2 uses the same loci of the same strain, hence the same table.
- \`roles.tsv\`: functional roles of the Sanger Institute's annotation, a hierarchy of up to four levels (\`ontologies/roles.obo\`).
- \`cog.tsv\`: clusters of orthologous groups, from the gene tables; names and one-letter categories in \`ontologies/cog.obo\`.
- Left out: genes that the source names but the gene table does not have.

## Tn-seq

Reads of Himar1 transposon insertions at the ${summary.taSites.toLocaleString('en')} TA sites of H37Rv, bacteria grown on cholesterol (three replicates)
or glycerol (two): Griffin et al. 2011, PLOS Pathogens, e1002251. \`tracks/*-N.bw\` are the counts as given; \`*-mean.bw\` is log2(1 + mean) of
the counts normalized by TRANSIT's trimmed total reads, computed here with the package's factors. \`H37Rv/*.wig\` are the libraries as
the package has them. The two carbon sources are compared when the folder is loaded (\`differential\` with \`test\` and \`reference\` in
\`species.yaml\`): no figure of it is in the folder.

## Simulated isolates

\`H37Rv/simulated/\`: **simulated**, and labelled so wherever it is shown. ${summary.lineages.accessions} isolates of four lineages that never exchange genes, with
${summary.lineages.sites.toLocaleString('en')} single-base differences at invented places in real genes. Two changes that make real isolates resistant are planted and arise
again and again: S450L of rpoB for rifampicin, S315T of katG for isoniazid (\`planted.tsv\`). \`*.assoc.txt.gz\`: GEMMA's mixed model with
kinship; a haploid genotype counts as two copies, so that beta is half the difference between the alleles.

## Comparison

\`tracks/not-in-*.bed\`: segments of at least ${shortestSegmentBp} bp in which no 24 bases in a row occur in the other genome, computed here; H37Rv has
${summary.missingInBcg.length} such segments that BCG Pasteur lacks. \`H37Rv/tracks/regions-of-difference.bed\`: the published deletions of BCG Pasteur, RD1 to RD14
(Gordon et al. 1999, Brosch et al. 2002), with the ends that the alignment of the two sequences gives.
`
}
