import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { CodingGene } from './coding-genes.ts'
import { writePopulationWindows } from './population-windows.ts'
import { SeededRandom } from './seeded-random.ts'
import { runAssociations } from './simulated-association.ts'
import { countAlleles, type Genotypes, hideAlleles, type Site, writeGenotypes } from './simulated-genotypes.ts'
import { type Founders, type RecombinationPlan, recombine } from './simulated-population.ts'
import { drawGeneticValues, measure, type PlantedVariant } from './simulated-traits.ts'
import { writeLines } from './species-folder.ts'

/** Genes whose coding bases hold the variants that the traits depend on; drawn by position, nothing is known of them. */
const lesionGenes = [
  { gene: 'Mycgr3G66253', effect: 7 },
  { gene: 'Mycgr3G108612', effect: -5.5 },
] as const
const densityGene = { gene: 'Mycgr3G108025', effect: 5 }
const toleranceGene = { gene: 'Mycgr3G109435', effect: 1.7 }
export const plantedGenes: readonly string[] = [
  ...lesionGenes.map(({ gene }) => gene),
  densityGene.gene,
  toleranceGene.gene,
]

/** Of the sites that all three genomes have, with two alleles, one of so many is taken. */
const takenSiteOf = 7
const unknownShare = 0.02
const seed = 20_260_901

const founderNames = ['IPO323', 'A26b', 'A48b'] as const

interface Place {
  country: string
  name: string
  latitude: number
  longitude: number
}

/** Wheat-growing regions, as places of accessions that do not exist. */
const populations: readonly { name: string; code: string; shares: number[]; places: Place[] }[] = [
  {
    name: 'Europe',
    code: 'EU',
    shares: [0.55, 0.25, 0.2],
    places: [
      { country: 'Netherlands', name: 'Zeeland', latitude: 51.5, longitude: 3.8 },
      { country: 'France', name: 'Beauce', latitude: 48.2, longitude: 1.7 },
      { country: 'United Kingdom', name: 'East Anglia', latitude: 52.4, longitude: 0.9 },
      { country: 'Germany', name: 'Magdeburg', latitude: 52.1, longitude: 11.6 },
    ],
  },
  {
    name: 'North Africa',
    code: 'NA',
    shares: [0.2, 0.55, 0.25],
    places: [
      { country: 'Tunisia', name: 'Beja', latitude: 36.7, longitude: 9.2 },
      { country: 'Algeria', name: 'Guelma', latitude: 36.5, longitude: 7.4 },
      { country: 'Morocco', name: 'Meknes', latitude: 33.9, longitude: -5.5 },
    ],
  },
  {
    name: 'Near East',
    code: 'NE',
    shares: [0.34, 0.33, 0.33],
    places: [
      { country: 'Türkiye', name: 'Konya', latitude: 37.9, longitude: 32.5 },
      { country: 'Iran', name: 'Gorgan', latitude: 36.8, longitude: 54.4 },
      { country: 'Jordan', name: 'Irbid', latitude: 32.6, longitude: 35.9 },
    ],
  },
  {
    name: 'North America',
    code: 'AM',
    shares: [0.3, 0.2, 0.5],
    places: [
      { country: 'United States', name: 'Willamette Valley, Oregon', latitude: 44.6, longitude: -123.1 },
      { country: 'United States', name: 'Manhattan, Kansas', latitude: 39.2, longitude: -96.6 },
      { country: 'Canada', name: 'Saskatoon', latitude: 52.1, longitude: -106.7 },
    ],
  },
]
const accessionsPerPopulation = 50

/** Where one haplotype has all but taken over one population. */
export const plantedSweep = {
  sequence: 'chr_8',
  start1: 1_020_001,
  end1: 1_120_000,
  population: 'North Africa',
  founder: 'A48b',
  share: 0.98,
  flankBp: 15_000,
} as const

/** The population with the planted sweep against one without it. */
export const comparedPopulations = [plantedSweep.population, 'Near East'] as const

const plan: RecombinationPlan = {
  populations: populations.map(({ name, shares }) => ({ name, shares, size: accessionsPerPopulation })),
  // Blocks of 50 kb on average: as after many generations, so that a planted variant is found to within some genes.
  crossoversPerMb: 20,
  driftBp: 200_000,
  driftSize: 12,
  sweep: plantedSweep,
}

const environments = [
  { name: '15 °C', shift: -6 },
  { name: '22 °C', shift: 6 },
] as const
const replicates = 3
const yearSpan = [2009, 2021] as const
const hosts = ['bread wheat', 'durum wheat'] as const

/** Genomes of the alignment, as accessions of the real variant sets. */
export interface RealGenome {
  id: string
  species: string
  isolate: string
}

/** Files of the population, relative to the species folder; no association where GEMMA is not installed. */
export const populationFiles = {
  variants: 'IPO323/simulated/variants.vcf.gz',
  accessions: 'IPO323/simulated/accessions.tsv',
  leaves: 'IPO323/simulated/leaves.tsv',
  laboratory: 'IPO323/simulated/laboratory.tsv',
  leafTraits: 'IPO323/simulated/leaves-traits.tsv',
  laboratoryTraits: 'IPO323/simulated/laboratory-traits.tsv',
  planted: 'IPO323/simulated/planted.tsv',
  windows: 'IPO323/simulated/windows.tsv',
  associations: {
    lesion_area: 'IPO323/simulated/lesion-area.assoc.txt.gz',
    pycnidia_density: 'IPO323/simulated/pycnidia-density.assoc.txt.gz',
    fungicide_tolerance: 'IPO323/simulated/fungicide-tolerance.assoc.txt.gz',
  },
} as const

export interface PopulationSummary {
  accessions: number
  sites: number
  planted: { trait: string; gene: string; sequence: string; position1: number; effect: number; frequency: number }[]
  associations: boolean
}

/**
 * Writes a simulated population of recombinants of the three real haplotypes of *Z. tritici*, their accessions and traits into the
 * species folder; with GEMMA installed also the association of the traits. `triticiFile` is the VCF of the three genomes, relative.
 */
export async function makePopulation(
  outDir: string,
  triticiFile: string,
  chromosomes: ReadonlyMap<string, number>,
  genes: readonly CodingGene[],
  realGenomes: readonly RealGenome[],
): Promise<PopulationSummary> {
  const random = new SeededRandom(seed)
  const planted = genes.filter(({ id }) => plantedGenes.includes(id))
  const { founders, coding } = await readFounders(join(outDir, triticiFile), planted)
  const numbers = new Map(populations.map(({ name, code }) => [name, code]))
  const genotypes = recombine(
    founders,
    plan,
    ({ name }, number) => `SIM-${numbers.get(name)}-${String(number).padStart(2, '0')}`,
    random,
  )
  const known = hideAlleles(genotypes, unknownShare, random)
  await writeGenotypes(
    join(outDir, populationFiles.variants),
    known,
    chromosomes,
    `simulated: recombinants of the haplotypes of ${founderNames.join(', ')}`,
  )
  await writeLines(
    join(outDir, populationFiles.accessions),
    renderAccessions(genotypes.accessions, realGenomes, random),
  )

  await writePopulationWindows({
    vcfFile: join(outDir, populationFiles.variants),
    populations: comparedPopulations.map((name) => ({
      name,
      samples: genotypes.accessions.filter(
        (_, at) => populations[Math.floor(at / accessionsPerPopulation)]!.name === name,
      ),
    })),
    windowBp: 20_000,
    stepBp: 10_000,
    outFile: join(outDir, populationFiles.windows),
  })

  const plant = ({ gene, effect }: { gene: string; effect: number }): PlantedVariant => {
    const model = planted.find(({ id }) => id === gene)
    if (!model) throw new RangeError(`${gene} is no gene of the catalogue`)
    return { gene, effect, site: findCommonSite(genotypes, model, coding) }
  }
  const lesion = lesionGenes.map(plant)
  const density = plant(densityGene)
  const tolerance = plant(toleranceGene)
  const plans = {
    lesion_area: { mean: 45, variants: lesion, background: { sites: 60, deviation: 3 }, residual: 7 },
    pycnidia_density: { mean: 40, variants: [density], background: { sites: 60, deviation: 2.5 }, residual: 3 },
    // A liability: above 0 an accession grows on the fungicide.
    fungicide_tolerance: {
      mean: -0.9,
      variants: [tolerance],
      background: { sites: 40, deviation: 0.4 },
      residual: 0.8,
    },
    // Nothing large is planted here.
    growth_rate: { mean: 4.2, variants: [], background: { sites: 200, deviation: 0.4 }, residual: 0.3 },
  }
  const lesionValues = drawGeneticValues(genotypes, plans.lesion_area, random)
  const rounds = environments.flatMap(({ name, shift }) =>
    Array.from({ length: replicates }, (_, at) => ({
      environment: name,
      replicate: at + 1,
      values: measure(lesionValues, plans.lesion_area.residual, random).map((value) => clampPercent(value + shift)),
    })),
  )
  const means = genotypes.accessions.map(
    (_, i) => rounds.reduce((sum, { values }) => sum + values[i]!, 0) / rounds.length,
  )
  await writeLines(join(outDir, populationFiles.leaves), [
    'accession\tenvironment\treplicate\tlesion_area',
    ...rounds.flatMap(({ environment, replicate, values }) =>
      genotypes.accessions.map((name, i) => [name, environment, replicate, values[i]!.toFixed(1)].join('\t')),
    ),
  ])
  const densities = measure(
    drawGeneticValues(genotypes, plans.pycnidia_density, random),
    plans.pycnidia_density.residual,
    random,
  ).map((value) => Math.max(0, value))
  const tolerances = measure(
    drawGeneticValues(genotypes, plans.fungicide_tolerance, random),
    plans.fungicide_tolerance.residual,
    random,
  ).map((liability) => (liability > 0 ? 1 : 0))
  const rates = measure(drawGeneticValues(genotypes, plans.growth_rate, random), plans.growth_rate.residual, random)
  await writeLines(join(outDir, populationFiles.laboratory), [
    'accession\tpycnidia_density\tfungicide_tolerance\tgrowth_rate',
    ...genotypes.accessions.map((name, i) =>
      [
        name,
        // A measurement that failed now and then, as in any table.
        random.chance(0.03) ? 'NA' : densities[i]!.toFixed(1),
        tolerances[i],
        random.chance(0.03) ? 'NA' : rates[i]!.toFixed(2),
      ].join('\t'),
    ),
  ])
  const [heading, lesionArea, ...others] = traitLines
  await writeLines(join(outDir, populationFiles.leafTraits), [heading!, lesionArea!])
  await writeLines(join(outDir, populationFiles.laboratoryTraits), [heading!, ...others])

  const summary: PopulationSummary = {
    accessions: genotypes.accessions.length,
    sites: genotypes.sites.length,
    planted: Object.entries(plans).flatMap(([trait, { variants }]) =>
      variants.map(({ gene, site, effect }) => {
        const { sequence, position1 } = genotypes.sites[site]!
        const [, alternative] = countAlleles(genotypes, site)
        return { trait, gene, sequence, position1, effect, frequency: alternative / genotypes.accessions.length }
      }),
    ),
    associations: false,
  }
  await writeLines(join(outDir, populationFiles.planted), renderPlanted(summary))
  const { associations } = populationFiles
  summary.associations = await runAssociations(known, [
    { file: join(outDir, associations.lesion_area), values: means },
    { file: join(outDir, associations.pycnidia_density), values: densities },
    { file: join(outDir, associations.fungicide_tolerance), values: tolerances },
  ])
  return summary
}

const clampPercent = (value: number): number => Math.min(100, Math.max(0, value))

const traitLines = [
  'trait\tname\tname_zh\tunit\tdescription\tdescription_zh\ttype',
  'lesion_area\tLesion area\t病斑面积\t%\tLeaf area with lesions 21 days after inoculation; simulated, two variants are planted\t接种 21 天后病斑占叶面积的比例；模拟数据，预设两个致因变异\tquantitative',
  'pycnidia_density\tPycnidia density\t分生孢子器密度\tper cm²\tPycnidia per area of lesion; simulated, one variant is planted\t单位病斑面积的分生孢子器数；模拟数据，预设一个致因变异\tquantitative',
  'fungicide_tolerance\tFungicide tolerance\t杀菌剂耐受性\t\tGrows (1) or not (0) at the dose that tells the two apart; simulated, one variant is planted\t在区分剂量下生长（1）或不生长（0）；模拟数据，预设一个致因变异\tbinary',
  'growth_rate\tGrowth rate\t生长速率\tmm/day\tRadial growth at 18 °C; simulated from 200 variants of small effect, nothing large is planted\t18 °C 下的径向生长速率；由 200 个微效变异模拟，未预设主效位点\tquantitative',
]

/** Complete sites with two alleles, thinned, and those of the planted genes' coding bases that every founder has. */
async function readFounders(
  file: string,
  planted: readonly CodingGene[],
): Promise<{ founders: Founders; coding: Map<string, number[]> }> {
  const sites: Site[] = []
  const alleles: number[] = []
  const coding = new Map<string, number[]>(planted.map(({ id }) => [id, []]))
  let seen = 0
  const lines = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (line.startsWith('#')) continue
    const [sequence, position, , reference, alternative, , , , , ...calls] = line.split('\t')
    if (calls.length !== founderNames.length) throw new SyntaxError(`${file}: ${calls.length} samples`)
    if (alternative!.includes(',') || calls.includes('.')) continue
    const site = { sequence: sequence!, position1: Number(position), reference: reference!, alternative: alternative! }
    const gene = planted.find((model) => holds(model, site))
    const taken = seen++ % takenSiteOf === 0
    if (gene) coding.get(gene.id)!.push(sites.length)
    else if (!taken) continue
    sites.push(site)
    for (const call of calls) alleles.push(Number(call))
  }
  return { founders: { names: founderNames, sites, alleles: Uint8Array.from(alleles) }, coding }
}

const holds = ({ sequence, cds }: CodingGene, site: Site): boolean =>
  sequence === site.sequence && cds.some(({ start1, end1 }) => site.position1 >= start1 && site.position1 <= end1)

/** The coding site of a gene at which the rarer allele is the commonest. */
function findCommonSite(
  genotypes: Genotypes,
  gene: CodingGene,
  coding: ReadonlyMap<string, readonly number[]>,
): number {
  let best = -1
  let bestCount = -1
  for (const site of coding.get(gene.id)!) {
    const rarer = Math.min(...countAlleles(genotypes, site))
    if (rarer > bestCount) {
      best = site
      bestCount = rarer
    }
  }
  if (best < 0) throw new RangeError(`${gene.id}: no coding site that every founder has`)
  return best
}

function* renderAccessions(
  accessions: readonly string[],
  realGenomes: readonly RealGenome[],
  random: SeededRandom,
): Generator<string> {
  yield 'accession\tname\tpopulation\tcountry\tlatitude\tlongitude\tplace\tyear\thost\tgenome'
  for (const { id, species, isolate } of realGenomes)
    yield [id, `${species} ${isolate}`, species, '', '', '', '', '', '', 'real'].join('\t')
  const jitter = (value: number): string => (value + (random.fraction() - 0.5) * 1.2).toFixed(2)
  for (const [at, id] of accessions.entries()) {
    const { name, places } = populations[Math.floor(at / accessionsPerPopulation)]!
    const place = random.pick(places)
    const [first, last] = yearSpan
    const year = random.between(first, last)
    yield [
      id,
      `Simulated ${name} ${(at % accessionsPerPopulation) + 1}`,
      name,
      place.country,
      jitter(place.latitude),
      jitter(place.longitude),
      place.name,
      year,
      random.pick(hosts),
      'simulated',
    ].join('\t')
  }
}

function* renderPlanted({ planted }: PopulationSummary): Generator<string> {
  yield 'kind\ttrait or population\tgene\tsequence\tstart\tend\teffect of the alternative allele\tfrequency of the alternative allele'
  for (const { trait, gene, sequence, position1, effect, frequency } of planted)
    yield ['variant', trait, gene, sequence, position1, position1, effect, frequency.toFixed(3)].join('\t')
  const { population, sequence, start1, end1 } = plantedSweep
  yield ['sweep', population, '', sequence, start1, end1, '', ''].join('\t')
}
