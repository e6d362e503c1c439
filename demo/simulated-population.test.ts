import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SeededRandom } from './seeded-random.ts'
import {
  countAlleles,
  type Genotypes,
  hideAlleles,
  type Site,
  unknownAllele,
  writeGenotypes,
  writePlink,
} from './simulated-genotypes.ts'
import { evolveClonally } from './simulated-lineages.ts'
import { type Founders, type RecombinationPlan, recombine } from './simulated-population.ts'
import { drawGeneticValues, measure } from './simulated-traits.ts'

const siteEveryBp = 1000
const makeSite = (sequence: string, at: number): Site => ({
  sequence,
  position1: (at + 1) * siteEveryBp,
  reference: 'A',
  alternative: 'G',
})

/** Two chromosomes of 1 Mb; the founders differ at every third site each. */
const sites = ['chr_1', 'chr_2'].flatMap((sequence) => Array.from({ length: 1000 }, (_, at) => makeSite(sequence, at)))
const founders: Founders = {
  names: ['a', 'b', 'c'],
  sites,
  alleles: Uint8Array.from(sites.flatMap((_, at) => [0, 1, 2].map((founder) => Number(at % 3 === founder)))),
}
const plan: RecombinationPlan = {
  populations: [
    { name: 'north', size: 40, shares: [0.8, 0.1, 0.1] },
    { name: 'south', size: 40, shares: [0.1, 0.1, 0.8] },
  ],
  crossoversPerMb: 20,
  driftBp: 200_000,
  driftSize: 1000,
  sweep: { sequence: 'chr_2', start1: 400_000, end1: 500_000, population: 'south', founder: 'b', share: 1, flankBp: 1 },
}
const makeGenomes = (): Genotypes =>
  recombine(founders, plan, ({ name }, number) => `${name}-${number}`, new SeededRandom(7))

const frequency = (genotypes: Genotypes, site: number, first: number, last: number): number => {
  const size = genotypes.accessions.length
  const row = genotypes.alleles.subarray(site * size + first, site * size + last)
  return row.reduce((sum, allele) => sum + allele, 0) / row.length
}

test('recombinants have the haplotypes of their founders, in their population’s shares, the same in every run', () => {
  const genotypes = makeGenomes()
  expect(makeGenomes()).toEqual(genotypes)
  const mean = (founder: number, first: number, last: number): number => {
    const own = sites.flatMap(({ sequence }, at) => (sequence === 'chr_1' && at % 3 === founder ? [at] : []))
    return own.reduce((sum, at) => sum + frequency(genotypes, at, first, last), 0) / own.length
  }
  expect(mean(0, 0, 40)).toBeCloseTo(0.8, 1)
  expect(mean(0, 40, 80)).toBeCloseTo(0.1, 1)
  expect(mean(2, 40, 80)).toBeCloseTo(0.8, 1)
})

test('a genome changes founders about as often as planned: twenty times a megabase, in two cases of three to another one', () => {
  const even: RecombinationPlan = { ...plan, populations: [{ name: 'one', size: 50, shares: [1, 1, 1] }] }
  const { alleles } = recombine(founders, even, (_, number) => String(number), new SeededRandom(8))
  let changes = 0
  for (let i = 0; i < 50; i++) {
    let founder = -1
    for (let at = 0; at < 1000; at++) {
      if (alleles[at * 50 + i] !== 1) continue
      if (founder >= 0 && founder !== at % 3) changes++
      founder = at % 3
    }
  }
  expect(changes / 50).toBeGreaterThan(10)
  expect(changes / 50).toBeLessThan(17)
})

test('the planted sweep leaves one population with one haplotype there, and the other as it is', () => {
  const genotypes = makeGenomes()
  const inside = sites.flatMap(({ sequence, position1 }, at) =>
    sequence === 'chr_2' && position1 >= 400_000 && position1 <= 500_000 ? [at] : [],
  )
  for (const at of inside) expect(frequency(genotypes, at, 40, 80)).toBe(Number(at % 3 === 1))
  expect(inside.some((at) => frequency(genotypes, at, 0, 40) % 1 !== 0)).toBe(true)
})

test('hidden genotypes are as many as planned, and unequal between accessions', () => {
  const genotypes = hideAlleles(makeGenomes(), 0.02, new SeededRandom(9))
  const size = genotypes.accessions.length
  const counts = genotypes.accessions.map(
    (_, i) => sites.filter((_, at) => genotypes.alleles[at * size + i] === unknownAllele).length / sites.length,
  )
  const mean = counts.reduce((sum, count) => sum + count, 0) / size
  expect(mean).toBeCloseTo(0.02, 2)
  expect(Math.max(...counts)).toBeGreaterThan(2 * Math.min(...counts))
  const hiddenAt = (site: number): number =>
    genotypes.alleles.subarray(site * size, (site + 1) * size).filter((allele) => allele === unknownAllele).length
  const site = sites.findIndex((_, at) => hiddenAt(at) > 0)
  const [reference, alternative] = countAlleles(genotypes, site)
  expect(reference + alternative).toBe(size - hiddenAt(site))
})

test('traits rise by the planted effect, and the background is as wide as planned', () => {
  const genotypes = makeGenomes()
  const size = genotypes.accessions.length
  const site = 300
  const values = drawGeneticValues(
    genotypes,
    { mean: 10, variants: [{ gene: 'g', site, effect: 5 }], background: { sites: 0, deviation: 0 }, residual: 0 },
    new SeededRandom(1),
  )
  for (const [i, value] of values.entries()) expect(value).toBe(10 + 5 * genotypes.alleles[site * size + i]!)
  const background = drawGeneticValues(
    genotypes,
    { mean: 0, variants: [], background: { sites: 50, deviation: 2 }, residual: 0 },
    new SeededRandom(1),
  )
  const deviation = Math.sqrt(background.reduce((sum, value) => sum + value ** 2, 0) / size)
  expect(deviation).toBeCloseTo(2, 10)
  const noise = measure(
    Array.from({ length: 4000 }, () => 0),
    3,
    new SeededRandom(2),
  )
  expect(Math.sqrt(noise.reduce((sum, value) => sum + value ** 2, 0) / noise.length)).toBeCloseTo(3, 0)
})

test('clonal isolates: a site parts the isolates as a branch does, the reference has no alternative allele, resistance arises anew', () => {
  const clonal = Array.from({ length: 300 }, (_, at) => makeSite('chr', 2 * at))
  const again = makeSite('chr', 301)
  const { genotypes, repeated } = evolveClonally(
    clonal,
    [again],
    {
      lineages: [
        { name: 'one', size: 10, repeated: 0.3 },
        { name: 'two', size: 10, repeated: 0.6 },
      ],
      referenceLineage: 'two',
      stem: 0.6,
    },
    ({ name }, number) => `${name}-${number}`,
    new SeededRandom(3),
  )
  expect(genotypes.sites[repeated[0]!]).toBe(again)
  expect([...genotypes.sites].sort((a, b) => a.position1 - b.position1)).toEqual(genotypes.sites)
  const rows = genotypes.sites.map((_, at) => [...genotypes.alleles.subarray(at * 20, at * 20 + 20)])
  // Any two sites of one tree leave at most three of the four combinations of their alleles (the four-gamete test).
  const gametes = (one: number[], other: number[]) => new Set(one.map((allele, i) => 2 * allele + other[i]!)).size
  const tree = rows.filter((_, at) => at !== repeated[0])
  for (let i = 0; i < tree.length; i++)
    for (let j = 0; j < i; j++) expect(gametes(tree[i]!, tree[j]!)).toBeLessThanOrEqual(3)
  expect(tree.some((row) => gametes(row, rows[repeated[0]!]!) === 4)).toBe(true)
})

test('genotypes are written as VCF, and as PLINK files with the alternative allele first', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'population-'))
  try {
    const genotypes: Genotypes = {
      accessions: ['a', 'b', 'c', 'd', 'e'],
      sites: [makeSite('chr_1', 0), makeSite('chr_1', 1)],
      alleles: Uint8Array.of(0, 1, unknownAllele, 1, 1, 0, 0, 0, 1, 0),
    }
    await writeGenotypes(join(directory, 'x/v.vcf.gz'), genotypes, new Map([['chr_1', 9000]]), 'simulated')
    const vcf = gunzipSync(await readFile(join(directory, 'x/v.vcf.gz'))).toString()
    expect(vcf).toContain('##contig=<ID=chr_1,length=9000>\n')
    expect(vcf.trimEnd().split('\n').slice(-2)).toEqual([
      'chr_1\t1000\t.\tA\tG\t.\tPASS\t.\tGT\t0\t1\t.\t1\t1',
      'chr_1\t2000\t.\tA\tG\t.\tPASS\t.\tGT\t0\t0\t0\t1\t0',
    ])
    await writePlink(join(directory, 'p'), genotypes, [[1, null, 3, 4, 5]])
    // a 11, b 00, c 01, d 00: 00010011; e 00. Then 11, 11, 11, 00; 11.
    expect([...(await readFile(join(directory, 'p.bed')))]).toEqual([0x6c, 0x1b, 1, 0b00_01_00_11, 0, 0b00_11_11_11, 3])
    expect(await readFile(join(directory, 'p.bim'), 'utf8')).toContain('chr_1\tchr_1:1000\t0\t1000\tG\tA\n')
    expect((await readFile(join(directory, 'p.fam'), 'utf8')).split('\n')[1]).toBe('b\tb\t0\t0\t0\tNA')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
