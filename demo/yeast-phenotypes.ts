import { join } from 'node:path'
import { SeededRandom } from './seeded-random.ts'
import { type PhenotypesEntry, writeLines } from './species-folder.ts'

// The real phenotypes of yeast have neither origins nor repeated trials. These are simulated, so that maps, populations and estimates
// have something to show in tests: what is planted is said in the comments.

const populations = [
  { name: 'wine', country: 'Italy', latitude: 43.8, longitude: 11.2, growth: 0.42 },
  { name: 'sake', country: 'Japan', latitude: 35, longitude: 135.7, growth: 0.36 },
  { name: 'oak', country: 'United States', latitude: 40.5, longitude: -77.9, growth: 0.3 },
] as const
const perPopulation = 24
const laboratories = [
  { name: 'Beijing', effect: 0 },
  { name: 'Berlin', effect: 0.05 },
  { name: 'Boston', effect: -0.03 },
] as const
const seed = 641

/** A simulated accession: further columns of the table of accessions. */
export type SimulatedAccession = Record<
  'accession' | 'population' | 'country' | 'latitude' | 'longitude' | 'source' | 'year',
  string
>

/** Writes the simulated trial; tells its entry of species.yaml, and the accessions that it names. */
export async function writeYeastPhenotypes(
  outDir: string,
): Promise<{ accessions: SimulatedAccession[]; entry: PhenotypesEntry }> {
  const random = new SeededRandom(seed)
  const accessions: SimulatedAccession[] = []
  const trial = ['strain\tsite\treplicate\tgrowth\tlag\tethanol\tflocculent\tcolour']
  for (const population of populations)
    for (let at = 1; at <= perPopulation; at++) {
      const id = `sim-${population.name}-${String(at).padStart(2, '0')}`
      const placed = !random.chance(0.05)
      const [latitude, longitude] = placed
        ? [population.latitude + 2 * random.normal(), population.longitude + 3 * random.normal()]
        : ['NA', 'NA']
      accessions.push({
        accession: id,
        population: population.name,
        country: population.country,
        latitude: typeof latitude === 'number' ? latitude.toFixed(3) : latitude,
        longitude: typeof longitude === 'number' ? longitude.toFixed(3) : longitude,
        source: `simulated, from ${random.pick(['fruit', 'soil', 'bark'])}`,
        year: String(random.between(1985, 2015)),
      })
      // Between accessions of a population 0.05, accession by laboratory 0.02, between repeats 0.03; lag falls as growth rises.
      const growth = population.growth + 0.05 * random.normal()
      const ethanol = Math.max(0, Math.min(5, Math.round(2.5 + (growth - 0.36) * 15 + random.normal())))
      const flocculent = random.chance(population.name === 'sake' ? 0.6 : 0.15) ? 'yes' : 'no'
      const colour = random.pickWeighted(['white', 'cream', 'pink'], [6, 3, 1])
      for (const laboratory of laboratories) {
        const own = growth + laboratory.effect + 0.02 * random.normal()
        for (const replicate of [1, 2]) {
          if (random.chance(0.06)) continue
          const measured = own + 0.03 * random.normal()
          const lag = 7 - 9 * (measured - 0.36) + 0.6 * random.normal()
          trial.push(
            [id, laboratory.name, replicate, measured.toFixed(4), lag.toFixed(2), ethanol, flocculent, colour].join(
              '\t',
            ),
          )
        }
      }
    }
  await writeLines(join(outDir, 'trial.tsv'), trial)
  await writeLines(join(outDir, 'trial-traits.tsv'), [
    'trait\tname\tname_zh\tunit\tdescription\tdescription_zh\ttype',
    'growth\tGrowth rate\t生长速率\t1/h\tIn glucose at 30 degrees\t葡萄糖培养基，30 度\tquantitative',
    'lag\tLag phase\t迟缓期\th\t\t\tquantitative',
    'ethanol\tEthanol tolerance\t乙醇耐受性\t\tGrade from 0 to 5\t0 至 5 级\tordinal',
    'flocculent\tFlocculent\t絮凝\t\t\t\tbinary',
    'colour\tColour of colonies\t菌落颜色\t\t\t\tcategorical',
  ])
  return {
    accessions,
    entry: {
      id: 'trial',
      name: { en: 'Trial in three laboratories', zh: '三个实验室的试验' },
      file: 'trial.tsv',
      traits: 'trial-traits.tsv',
      simulated: true,
      description: {
        en: 'Made for tests: three populations that differ in growth, two repeats in each of three laboratories.',
        zh: '为测试而模拟：三个群体的生长有差异，三个实验室各重复两次。',
      },
    },
  }
}
