import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BgzfWriter } from '../src/store/bgzf.ts'
import { writeBigWig } from '../src/store/bigwig-writer.ts'
import { writeGenome } from './genome-fasta.ts'
import { gff3Head, renderGff3Row } from './gff3-rows.ts'
import { SeededRandom } from './seeded-random.ts'
import { simulateCells } from './simulated-cells.ts'
import { drawnOrgans, organPicture, simulateExpression } from './simulated-expression.ts'
import {
  type SimulatedGene,
  type SimulatedGenome,
  type SimulatedVariant,
  simulateGenome,
  simulateVariants,
} from './simulated-genome.ts'
import { simulateInteractions } from './simulated-interactions.ts'
import { writeLines, writeManifest } from './species-folder.ts'

export const simulatedSpecies = 'simulated-species'
const seed = 20_240_229
export const interactionSeed = seed + 5
const samplesPerPopulation = 12
const signalStepBp = 20
const cellTypes = ['outer', 'core', 'tip', 'guard', 'storage'] as const
const markersPerType = 12
const cellsPerType = 80
export const complexCount = 12

/** Functions that genes are described with: processes of our own naming, each under one of six groups. */
export const groups = ['transport', 'growth', 'repair', 'sensing', 'storage', 'movement'] as const
const kinds = ['of the outer layer', 'of the core', 'in the light', 'in the dark'] as const

const groupTerm = (group: number): string => `SIM:${String(group + 1).padStart(7, '0')}`
const roleTerm = (role: number): string => `SIM:${String(100 + role).padStart(7, '0')}`
export const roleName = (role: number): string =>
  `${groups[role % groups.length]} ${kinds[Math.floor(role / groups.length)]}`

export interface SimulatedSummary {
  lengthBp: number
  genes: number
  introns: number
  variants: number
  /** The variant that the height depends on, and its gene. */
  planted: { gene: string; sequence: string; position1: number }
}

export const simulatedGenome = (): SimulatedGenome => simulateGenome(seed)

/**
 * Writes a small simulated species into `outDir`, on the genome given if one is: three chromosomes, 300 genes with introns and untranslated ends, terms of
 * our own naming, variants of 24 samples in two populations, and a signal track. It says that it is simulated wherever the
 * format has a place for it, and is the same in every run.
 */
export async function makeSimulated(outDir: string, genome = simulatedGenome()): Promise<SimulatedSummary> {
  const variants = simulateVariants(genome, seed + 1, samplesPerPopulation)
  await writeGenome(join(outDir, 'genome.fa'), genome.sequences)
  await writeLines(join(outDir, 'genes.gff3'), renderGenes(genome))
  await writeLines(join(outDir, 'terms.obo'), renderTerms())
  await writeLines(join(outDir, 'terms.tsv'), renderTermTable(genome.genes))
  await writeVariants(join(outDir, 'variants.vcf.gz'), genome, variants)
  const planted = findPlanted(genome, variants)
  await writeLines(join(outDir, 'accessions.tsv'), renderAccessions())
  await writeLines(join(outDir, 'heights.tsv'), renderHeights(planted))
  await writeLines(join(outDir, 'traits.tsv'), traitLines)
  await writeSignal(join(outDir, 'signal.bw'), genome)
  const series = simulateExpression(
    genome.genes.map(({ id, role }) => ({ id, module: groups[role % groups.length]! })),
    { factor: 'organ', levels: drawnOrgans, treatments: ['control', 'drought'], replicates: 3 },
    seed + 3,
  )
  await writeLines(join(outDir, 'expression.tsv'), series.matrix)
  await writeLines(join(outDir, 'expression-samples.tsv'), series.sheet)
  await writeFile(join(outDir, 'organs.svg'), organPicture)
  const ids = genome.genes.map(({ id }) => id)
  const cells = simulateCells(
    ids,
    cellTypes.map((name, type) => ({ name, markers: ids.slice(type * markersPerType, (type + 1) * markersPerType) })),
    { cells: cellTypes.length * cellsPerType, elsewhere: 0.5 },
    seed + 4,
  )
  await writeLines(join(outDir, 'matrix.mtx'), cells.matrix)
  await writeLines(join(outDir, 'barcodes.tsv'), cells.barcodes)
  await writeLines(join(outDir, 'features.tsv'), cells.features)
  await writeLines(join(outDir, 'cells.tsv'), cells.cells)
  const interactions = simulateInteractions(
    genome.genes.map(({ id }) => id),
    complexCount,
    interactionSeed,
  )
  await writeLines(join(outDir, 'interactions.tsv'), interactions.lines)
  await writeFile(join(outDir, 'README.md'), readme)
  const tracks = [
    {
      id: 'signal',
      name: { en: 'Signal (simulated)', zh: '信号（模拟）' },
      file: 'signal.bw',
      type: 'bigwig' as const,
      simulated: true,
      description: { en: 'Simulated coverage, higher over exons.', zh: '模拟的覆盖度，外显子处较高。' },
    },
  ]
  await writeManifest(outDir, {
    novodb: 1,
    species: simulatedSpecies,
    name: 'Simulata exempli',
    commonName: { en: 'Simulated species', zh: '模拟物种' },
    description: {
      en: 'An organism that does not exist: genome, genes, terms, variants and traits are simulated so that the portal can be tried where no real data can be fetched.',
      zh: '并不存在的生物：基因组、基因、术语、变异与性状均为模拟数据，供无法获取真实数据时试用本门户。',
    },
    simulated: true,
    source: { en: 'Simulated on this machine.', zh: '在本机模拟生成。' },
    licence: 'CC0-1.0',
    ontologies: [{ file: 'terms.obo', source: 'SIM' }],
    downloads: [
      {
        file: 'README.md',
        title: { en: 'About this data', zh: '数据说明' },
        description: { en: 'How the data was simulated.', zh: '数据的模拟方法。' },
      },
    ],
    accessions: { file: 'accessions.tsv', simulated: true },
    phenotypes: [
      {
        id: 'height',
        name: { en: 'Height (simulated)', zh: '株高（模拟）' },
        file: 'heights.tsv',
        traits: 'traits.tsv',
        simulated: true,
        description: {
          en: 'Simulated: three replicates of 24 accessions; one variant in a gene is planted.',
          zh: '模拟数据：24 份材料，各三次重复；预设一个基因内的致因变异。',
        },
      },
    ],
    assemblies: [
      {
        id: 'Sim-1',
        name: 'Sim-1',
        reference: true,
        simulated: true,
        description: { en: 'Simulated genome of three chromosomes.', zh: '含三条染色体的模拟基因组。' },
        genome: 'genome.fa',
        genes: 'genes.gff3',
        sequences: [...genome.sequences.keys()].map((name) => ({ name, role: 'chromosome' as const })),
        annotation: [
          { file: 'terms.tsv', format: 'table', source: 'SIM', title: { en: 'Simulated terms', zh: '模拟术语' } },
        ],
        tracks,
        variants: [
          {
            id: 'simulated',
            name: { en: 'Variants (simulated)', zh: '变异（模拟）' },
            file: 'variants.vcf.gz',
            simulated: true,
            description: {
              en: 'Simulated genotypes of 24 samples in two populations of 12.',
              zh: '模拟的 24 个样本基因型，分属两个各 12 个样本的群体。',
            },
          },
        ],
        singleCell: [
          {
            id: 'simulated-cells',
            name: { en: 'Simulated cells', zh: '模拟的单细胞' },
            file: 'matrix.mtx',
            metadata: 'cells.tsv',
            simulated: true,
            description: {
              en: 'Five planted types of cells, each with twelve marker genes; three samples that do not differ. The map is computed.',
              zh: '预设五类细胞，每类十二个标记基因；三个样本之间没有差异。图谱由本站计算。',
            },
          },
        ],
        interactions: [
          {
            id: 'simulated-complexes',
            name: { en: 'Complexes (simulated)', zh: '蛋白质复合物（模拟）' },
            file: 'interactions.tsv',
            simulated: true,
            description: {
              en: 'Twelve planted complexes of five to nine genes, and chance interactions between all genes, most of them of low scores.',
              zh: '预设十二个由五至九个基因组成的复合物，另有所有基因之间的随机互作，得分大多较低。',
            },
          },
        ],
        expression: [
          {
            id: 'organs',
            name: { en: 'Organs and drought (simulated)', zh: '器官与干旱处理（模拟）' },
            file: 'expression.tsv',
            unit: 'TPM',
            samples: 'expression-samples.tsv',
            group: 'organ',
            picture: { file: 'organs.svg', factor: 'organ' },
            simulated: true,
            description: {
              en: 'Simulated values: genes of one of the six groups of processes follow one course over organs and treatments.',
              zh: '模拟数值：同属六大类过程之一的基因，在各器官与处理间的变化一致。',
            },
          },
        ],
      },
    ],
  })
  return {
    lengthBp: [...genome.sequences.values()].reduce((sum, { length }) => sum + length, 0),
    genes: genome.genes.length,
    introns: genome.genes.reduce((sum, { exons }) => sum + exons.length - 1, 0),
    variants: variants.length,
    planted: { gene: planted.gene, sequence: planted.variant.sequence, position1: planted.variant.position1 },
  }
}

export function* renderGenes(genome: SimulatedGenome): Generator<string> {
  yield* gff3Head([...genome.sequences].map(([name, bases]) => [name, bases.length]))
  for (const gene of genome.genes) {
    const { sequence, strand, exons, cds } = gene
    const base = { sequence, source: 'simulated', strand }
    const span = { ...base, start1: exons[0]!.start1, end1: exons.at(-1)!.end1 }
    const transcript = `${gene.id}.t1`
    const description = `Simulated gene: ${roleName(gene.role)}`
    yield renderGff3Row({
      ...span,
      type: 'gene',
      attributes: {
        ID: gene.id,
        Name: gene.symbol,
        gene_biotype: 'protein_coding',
        description,
        Note: `Simulated family ${gene.family + 1}`,
      },
    })
    yield renderGff3Row({ ...span, type: 'mRNA', attributes: { ID: transcript, Parent: gene.id } })
    for (const exon of exons)
      yield renderGff3Row({ ...base, ...exon, type: 'exon', attributes: { Parent: transcript } })
    for (const part of cds)
      yield renderGff3Row({ ...base, ...part, type: 'CDS', attributes: { ID: `${gene.id}.p1`, Parent: transcript } })
  }
}

function* renderTerms(): Generator<string> {
  yield 'format-version: 1.2'
  yield 'ontology: sim'
  yield 'default-namespace: simulated_process'
  const root = 'SIM:0000000'
  yield* ['', '[Term]', `id: ${root}`, 'name: simulated process']
  for (const [i, group] of groups.entries())
    yield* ['', '[Term]', `id: ${groupTerm(i)}`, `name: ${group} (simulated)`, `is_a: ${root} ! simulated process`]
  for (let role = 0; role < groups.length * kinds.length; role++) {
    const group = role % groups.length
    yield* ['', '[Term]', `id: ${roleTerm(role)}`, `name: ${roleName(role)} (simulated)`]
    yield `is_a: ${groupTerm(group)} ! ${groups[group]} (simulated)`
  }
}

function* renderTermTable(genes: readonly SimulatedGene[]): Generator<string> {
  for (const { id, role } of genes) yield `${id}\t${roleTerm(role)}\t${roleName(role)} (simulated)`
}

interface Planted {
  gene: string
  variant: SimulatedVariant
}

/** The variant in a coding sequence whose alleles are the most evenly spread, over both populations and in each. */
function findPlanted(genome: SimulatedGenome, variants: readonly SimulatedVariant[]): Planted {
  let best: Planted | null = null
  let min = Number.POSITIVE_INFINITY
  const shareOf = (counts: readonly number[]): number =>
    counts.reduce((sum, count) => sum + count, 0) / (2 * counts.length)
  for (const variant of variants) {
    const gene = genome.genes.find(
      ({ sequence, cds }) =>
        sequence === variant.sequence &&
        cds.some(({ start1, end1 }) => variant.position1 >= start1 && variant.position1 <= end1),
    )
    if (!gene) continue
    const halves = [variant.genotypes.slice(0, samplesPerPopulation), variant.genotypes.slice(samplesPerPopulation)]
    const uneven = Math.max(...halves.map((counts) => Math.abs(shareOf(counts) - 0.5)))
    if (uneven >= min) continue
    min = uneven
    best = { gene: gene.id, variant }
  }
  if (best === null) throw new RangeError('no variant in a coding sequence')
  return best
}

const populations = ['A', 'B'] as const
const sampleNames = populations.flatMap((population) =>
  Array.from({ length: samplesPerPopulation }, (_, i) => `pop${population}-${i + 1}`),
)

function* renderAccessions(): Generator<string> {
  yield 'accession\tname\tpopulation'
  for (const [at, name] of sampleNames.entries())
    yield [name, `Simulated sample ${at + 1}`, populations[Math.floor(at / samplesPerPopulation)]].join('\t')
}

/** Height in centimetres, more by so much for each alternative allele, and how far one measurement is from its accession's value. */
const heightPerAllele = 12
const heightDeviation = 4
const heightReplicates = 3

function* renderHeights({ variant }: Planted): Generator<string> {
  const random = new SeededRandom(seed + 6)
  yield 'accession\treplicate\theight'
  for (const [at, name] of sampleNames.entries()) {
    const value = 90 + heightPerAllele * variant.genotypes[at]! + heightDeviation * random.normal()
    for (let replicate = 1; replicate <= heightReplicates; replicate++)
      yield [name, replicate, (value + heightDeviation * random.normal()).toFixed(1)].join('\t')
  }
}

const traitLines = [
  'trait\tname\tname_zh\tunit\tdescription\tdescription_zh\ttype',
  'height\tHeight\t株高\tcm\tSimulated; one variant in a gene is planted\t模拟数据，预设一个基因内的致因变异\tquantitative',
]

const genotypeTexts = ['0/0', '0/1', '1/1'] as const

async function writeVariants(
  file: string,
  genome: SimulatedGenome,
  variants: readonly SimulatedVariant[],
): Promise<void> {
  const lines = ['##fileformat=VCFv4.3', '##source=simulated', '##FILTER=<ID=PASS,Description="All filters passed">']
  lines.push('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype (simulated)">')
  for (const [name, bases] of genome.sequences) lines.push(`##contig=<ID=${name},length=${bases.length}>`)
  lines.push(['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...sampleNames].join('\t'))
  for (const { sequence, position1, reference, alternative, genotypes } of variants) {
    const texts = genotypes.map((count) => genotypeTexts[count])
    lines.push([sequence, position1, '.', reference, alternative, '.', 'PASS', '.', 'GT', ...texts].join('\t'))
  }
  const writer = await BgzfWriter.create(file)
  await writer.write(Buffer.from(`${lines.join('\n')}\n`))
  await writer.finish()
}

async function writeSignal(file: string, genome: SimulatedGenome): Promise<void> {
  const random = new SeededRandom(seed + 2)
  const tracks = [...genome.sequences].map(([name, bases]) => {
    const level = new Float32Array(Math.ceil(bases.length / signalStepBp)).fill(2)
    for (const gene of genome.genes) {
      if (gene.sequence !== name) continue
      const height = 5 + 60 * random.fraction() ** 3
      for (const { start1, end1 } of gene.exons)
        for (let at0 = start1 - 1; at0 < end1; at0 += signalStepBp) level[Math.floor(at0 / signalStepBp)] = height
    }
    const starts0 = Array.from(level, (_, i) => i * signalStepBp)
    return {
      name,
      lengthBp: bases.length,
      starts0,
      ends0: starts0.map((start0) => Math.min(start0 + signalStepBp, bases.length)),
      values: level.map((height) => Math.round(height * (0.8 + 0.4 * random.fraction()) * 10) / 10),
    }
  })
  await writeBigWig(file, tracks)
}

const readme = `# A simulated species

Nothing in this folder was measured. A seeded random generator made it, the same in every run, so that the portal can be tried where
no real data can be fetched.

- Chromosomes: random bases with 40 % G and C outside genes.
- Genes: 100 on each chromosome, from 180 families; members of a family are copies of one ancestor with up to 30 % of their codons drawn
  anew. Coding sequences begin with ATG, end with a stop and have none inside; introns begin with GT and end with AG.
- Terms: 24 invented processes in six groups (\`terms.obo\`); genes of a family share one.
- Variants: 24 diploid samples in two populations; rare alleles are common and common ones rare; a tenth of the sites differ between
  the populations.
- Height: three measurements of each sample (\`heights.tsv\`), ${heightPerAllele} cm more for each alternative allele of one variant in a coding
  sequence, and noise.
- Expression: values of 30 samples (five organs, two treatments, three replicates); genes of one group of processes follow one
  course, replicates differ by noise. The drawing of the organs is made up too.
- Single cells: counts of 400 cells of five types; twelve genes mark each type, no other gene differs, nor do the three samples.
- Interactions: twelve planted complexes of five to nine genes with high scores, and one and a half chance interactions a gene, nine in
  ten of them with low scores.
- Signal: steps of 20 bases, higher over exons, a height of its own for each gene.
`
