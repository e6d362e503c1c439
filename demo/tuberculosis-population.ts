import { join } from 'node:path'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { SeededRandom } from './seeded-random.ts'
import { runAssociations } from './simulated-association.ts'
import { countAlleles, hideAlleles, type Site, writeGenotypes } from './simulated-genotypes.ts'
import { type ClonalPlan, evolveClonally } from './simulated-lineages.ts'
import { drawGeneticValues, measure } from './simulated-traits.ts'
import { writeLines } from './species-folder.ts'
import type { TableGene } from './tuberculosis-genes.ts'

/**
 * Changes that make the bacterium resistant in clinics, planted in isolates that do not exist: S450L of rpoB (rifampicin), S315T of katG
 * (isoniazid); WHO catalogue of mutations in Mycobacterium tuberculosis complex and their association with drug resistance, 2021.
 */
const resistance = {
  rifampicin: { gene: 'Rv0667', symbol: 'rpoB', codon: 450, from: 'TCG', to: 'TTG', change: 'S450L', effect: 5 },
  isoniazid: { gene: 'Rv1908c', symbol: 'katG', codon: 315, from: 'AGC', to: 'ACC', change: 'S315T', effect: 4 },
} as const

interface Place {
  country: string
  name: string
  latitude: number
  longitude: number
}

/** Lineages with regions where they are common (Gagneux and Small, Lancet Infect. Dis. 7:328, 2007). */
const lineages: readonly { name: string; code: string; repeated: number; places: Place[] }[] = [
  {
    name: 'Lineage 1',
    code: 'L1',
    repeated: 0.2,
    places: [
      { country: 'India', name: 'Chennai', latitude: 13.1, longitude: 80.3 },
      { country: 'Philippines', name: 'Manila', latitude: 14.6, longitude: 121.0 },
    ],
  },
  {
    name: 'Lineage 2',
    code: 'L2',
    repeated: 0.5,
    places: [
      { country: 'China', name: 'Beijing', latitude: 39.9, longitude: 116.4 },
      { country: 'Vietnam', name: 'Hanoi', latitude: 21.0, longitude: 105.9 },
    ],
  },
  {
    name: 'Lineage 3',
    code: 'L3',
    repeated: 0.25,
    places: [
      { country: 'India', name: 'Mumbai', latitude: 19.1, longitude: 72.9 },
      { country: 'Ethiopia', name: 'Addis Ababa', latitude: 9.0, longitude: 38.8 },
    ],
  },
  {
    name: 'Lineage 4',
    code: 'L4',
    repeated: 0.25,
    places: [
      { country: 'Peru', name: 'Lima', latitude: -12.0, longitude: -77.0 },
      { country: 'South Africa', name: 'Cape Town', latitude: -33.9, longitude: 18.4 },
      { country: 'United Kingdom', name: 'London', latitude: 51.5, longitude: -0.1 },
    ],
  },
]

const accessionsPerLineage = 15
const siteCount = 3000
const unknownShare = 0.01
const seed = 19_980_611

const plan: ClonalPlan = {
  lineages: lineages.map(({ name, repeated }) => ({ name, repeated, size: accessionsPerLineage })),
  referenceLineage: 'Lineage 4',
  stem: 0.6,
}

const media = [
  { name: '7H9 broth', shift: 0 },
  { name: '7H10 agar', shift: 0.5 },
] as const
const replicates = 3
const unexplained = 0.8

export const populationFiles = {
  variants: 'H37Rv/simulated/variants.vcf.gz',
  accessions: 'H37Rv/simulated/accessions.tsv',
  resistance: 'H37Rv/simulated/resistance.tsv',
  growth: 'H37Rv/simulated/growth.tsv',
  resistanceTraits: 'H37Rv/simulated/resistance-traits.tsv',
  growthTraits: 'H37Rv/simulated/growth-traits.tsv',
  planted: 'H37Rv/simulated/planted.tsv',
  association: 'H37Rv/simulated/rifampicin-mic.assoc.txt.gz',
} as const

export interface LineagesSummary {
  accessions: number
  sites: number
  planted: { trait: string; gene: string; position1: number; frequency: number }[]
  association: boolean
}

/**
 * Writes simulated isolates of four lineages on H37Rv: invented differences in real genes, accessions and traits; with GEMMA
 * installed also the association of one trait.
 */
export async function makeLineages(
  outDir: string,
  sequence: string,
  genome: string,
  genes: readonly TableGene[],
): Promise<LineagesSummary> {
  const random = new SeededRandom(seed)
  const codes = new Map(lineages.map(({ name, code }) => [name, code]))
  const planted = [resistance.rifampicin, resistance.isoniazid].map((change) =>
    findCodonChange(sequence, genome, genes, change),
  )
  const { genotypes, repeated } = evolveClonally(
    inventSites(sequence, genome, genes, new Set(planted.map(({ position1 }) => position1)), random),
    planted,
    plan,
    ({ name }, number) => `SIM-${codes.get(name)}-${String(number).padStart(2, '0')}`,
    random,
  )
  const [rifampicinSite, isoniazidSite] = repeated as [number, number]
  await writeGenotypes(
    join(outDir, populationFiles.variants),
    hideAlleles(genotypes, unknownShare, random),
    new Map([[sequence, genome.length]]),
    'simulated: invented differences in real genes',
  )
  await writeLines(join(outDir, populationFiles.accessions), renderAccessions(genotypes.accessions, random))

  const values = {
    // log2 of the concentration, from 0.25 mg/L of the susceptible on.
    rifampicin: drawGeneticValues(
      genotypes,
      {
        mean: -2,
        variants: [{ gene: 'Rv0667', site: rifampicinSite, effect: resistance.rifampicin.effect }],
        background: { sites: 40, deviation: 0.4 },
        residual: 0,
      },
      random,
    ),
    // A liability: above 0 an isolate counts as resistant.
    isoniazid: drawGeneticValues(
      genotypes,
      {
        mean: -2,
        variants: [{ gene: 'Rv1908c', site: isoniazidSite, effect: resistance.isoniazid.effect }],
        background: { sites: 40, deviation: 0.4 },
        residual: 0,
      },
      random,
    ),
    doubling: drawGeneticValues(
      genotypes,
      { mean: 19, variants: [], background: { sites: 150, deviation: 1.2 }, residual: 0 },
      random,
    ),
  }
  // What no difference here explains: without it the kinship would explain the rest whole, and no p-value would be small or large.
  const concentrations = measure(values.rifampicin, unexplained, random)
  const rounds = media.flatMap(({ name, shift }) =>
    Array.from({ length: replicates }, (_, at) => ({
      medium: name,
      replicate: at + 1,
      // Dilutions are by halves.
      values: measure(concentrations, 0.7, random).map((value) => Math.round(value + shift)),
    })),
  )
  await writeLines(join(outDir, populationFiles.resistance), [
    'accession\tenvironment\treplicate\trifampicin_mic',
    ...rounds.flatMap(({ medium, replicate, values: measured }) =>
      genotypes.accessions.map((name, i) => [name, medium, replicate, measured[i]].join('\t')),
    ),
  ])
  const isoniazid = measure(values.isoniazid, 1.3, random)
  const doubling = measure(values.doubling, 0.8, random)
  await writeLines(join(outDir, populationFiles.growth), [
    'accession\tisoniazid\tdoubling_time',
    ...genotypes.accessions.map((name, i) => [name, isoniazid[i]! > 0 ? 1 : 0, doubling[i]!.toFixed(1)].join('\t')),
  ])
  const [heading, rifampicinMic, ...others] = traitLines
  await writeLines(join(outDir, populationFiles.resistanceTraits), [heading!, rifampicinMic!])
  await writeLines(join(outDir, populationFiles.growthTraits), [heading!, ...others])

  const describe = (trait: string, gene: string, site: number): LineagesSummary['planted'][number] => ({
    trait,
    gene,
    position1: genotypes.sites[site]!.position1,
    frequency: countAlleles(genotypes, site)[1] / genotypes.accessions.length,
  })
  const summary: LineagesSummary = {
    accessions: genotypes.accessions.length,
    sites: genotypes.sites.length,
    planted: [
      describe('rifampicin_mic', resistance.rifampicin.gene, rifampicinSite),
      describe('isoniazid', resistance.isoniazid.gene, isoniazidSite),
    ],
    association: false,
  }
  await writeLines(join(outDir, populationFiles.planted), [
    'trait\tgene\tsymbol\tchange\tsequence\tposition\tfrequency',
    ...summary.planted.map(({ trait, gene, position1, frequency }) => {
      const { symbol, change } = Object.values(resistance).find((entry) => entry.gene === gene)!
      return [trait, gene, symbol, change, sequence, position1, frequency.toFixed(3)].join('\t')
    }),
  ])
  const means = genotypes.accessions.map(
    (_, i) => rounds.reduce((sum, { values: measured }) => sum + measured[i]!, 0) / rounds.length,
  )
  summary.association = await runAssociations(genotypes, [
    { file: join(outDir, populationFiles.association), values: means },
  ])
  return summary
}

const traitLines = [
  'trait\tname\tname_zh\tunit\tdescription\tdescription_zh\ttype',
  'rifampicin_mic\tRifampicin MIC\t利福平 MIC\tlog2 mg/L\tSmallest concentration without growth, as log2; simulated, S450L of rpoB is planted\t抑制生长的最低浓度的 log2 值；模拟数据，预设 rpoB S450L 为致因变异\tquantitative',
  'isoniazid\tIsoniazid resistance\t异烟肼耐药性\t\tResistant (1) or not (0); simulated, S315T of katG is planted\t耐药（1）或敏感（0）；模拟数据，预设 katG S315T 为致因变异\tbinary',
  'doubling_time\tDoubling time\t倍增时间\th\tSimulated from 150 differences of small effect; nothing large is planted\t由 150 个微效位点模拟，未预设主效位点\tquantitative',
]

/** Single-base change of a codon in a gene, on the forward strand. Throws when the codon there is another. */
function findCodonChange(
  sequence: string,
  genome: string,
  genes: readonly TableGene[],
  change: { gene: string; codon: number; from: string; to: string },
): Site {
  const gene = genes.find(({ locus }) => locus === change.gene)
  if (!gene) throw new RangeError(`${change.gene} is not in the gene table`)
  const offset = 3 * (change.codon - 1)
  const start1 = gene.strand === '+' ? gene.start1 + offset : gene.end1 - offset - 2
  const forward = genome.slice(start1 - 1, start1 + 2)
  const turn = (codon: string): string => (gene.strand === '+' ? codon : reverseComplement(codon))
  if (turn(forward) !== change.from)
    throw new RangeError(`codon ${change.codon} of ${change.gene} is ${turn(forward)}, not ${change.from}`)
  const changed = turn(change.to)
  const at = [0, 1, 2].find((index) => forward[index] !== changed[index])!
  return { sequence, position1: start1 + at, reference: forward[at]!, alternative: changed[at]! }
}

const transitions: Readonly<Record<string, string>> = { A: 'G', G: 'A', C: 'T', T: 'C' }

/** Sites within genes at places drawn at random, two of three a transition. */
function inventSites(
  sequence: string,
  genome: string,
  genes: readonly TableGene[],
  taken: Set<number>,
  random: SeededRandom,
): Site[] {
  const sites: Site[] = []
  while (sites.length < siteCount) {
    const gene = random.pick(genes)
    const position1 = random.between(gene.start1, gene.end1)
    const reference = genome[position1 - 1]!
    const transition = transitions[reference]
    if (taken.has(position1) || transition === undefined) continue
    taken.add(position1)
    const transversions = ['A', 'C', 'G', 'T'].filter((base) => base !== reference && base !== transition)
    sites.push({
      sequence,
      position1,
      reference,
      alternative: random.chance(2 / 3) ? transition : random.pick(transversions),
    })
  }
  return sites
}

function* renderAccessions(accessions: readonly string[], random: SeededRandom): Generator<string> {
  yield 'accession\tname\tpopulation\tcountry\tlatitude\tlongitude\tplace\tyear'
  const jitter = (value: number): string => (value + (random.fraction() - 0.5) * 0.6).toFixed(2)
  for (const [at, id] of accessions.entries()) {
    const { name, places } = lineages[Math.floor(at / accessionsPerLineage)]!
    const { country, name: place, latitude, longitude } = random.pick(places)
    yield [
      id,
      `Simulated isolate ${at + 1}`,
      name,
      country,
      jitter(latitude),
      jitter(longitude),
      place,
      random.between(1998, 2022),
    ].join('\t')
  }
}
