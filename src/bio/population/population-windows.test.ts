import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { AlleleCounter, type CountedSite } from './allele-counts.ts'
import { hudsonFst, pairsWithin } from './population-statistics.ts'
import { findBinBp, overallValues, SequenceSums, type SequenceTotal, type WindowPlan } from './population-windows.ts'

const folder = join(import.meta.dirname, 'fixtures')
const vcf = (name: string): string => gunzipSync(readFileSync(join(folder, `${name}.vcf.gz`))).toString('utf8')
const rows = (name: string): string[][] =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

const halves = (samples: number): number[] => Array.from({ length: samples }, (_, at) => (at < samples / 2 ? 0 : 1))

const count = (text: string, populations: number[]): { sites: CountedSite[]; counter: AlleleCounter } => {
  const sites: CountedSite[] = []
  const counter = new AlleleCounter({
    populations,
    populationCount: Math.max(...populations) + 1,
    onSite: (site) => sites.push(structuredClone(site)),
  })
  const bytes = new TextEncoder().encode(text)
  // In pieces that end anywhere.
  for (let at = 0; at < bytes.length; at += 997) counter.push(bytes.subarray(at, at + 997))
  counter.end()
  return { sites, counter }
}

const basePlan: WindowPlan = {
  windowBp: 20_000,
  stepBp: 10_000,
  populationCount: 2,
  pairs: [[0, 1]],
  sizes: [12, 12],
  length: 'window',
  minCalled: 0,
  minMinorFrequency: 0,
  minSites: 0,
}
const lengthBp = 60_000

const windowsOf = (sites: CountedSite[], plan: Partial<WindowPlan> = {}) => {
  const sums = new Map<string, SequenceSums>()
  for (const site of sites) {
    const own = sums.get(site.sequence) ?? new SequenceSums({ ...basePlan, ...plan }, lengthBp)
    sums.set(site.sequence, own)
    own.add(site)
  }
  return new Map([...sums].map(([name, one]) => [name, one.finish()]))
}

/** Half of the last digit that a program prints: no number can agree more closely. */
const printed = (text: string): number => {
  const [digits, exponent = '0'] = text.toLowerCase().split('e')
  const decimals = digits!.includes('.') ? digits!.length - digits!.indexOf('.') - 1 : 0
  return 0.5000001 * 10 ** (Number(exponent) - decimals)
}

const agree = (own: number, theirs: string): void => {
  expect(Math.abs(own - Number(theirs))).toBeLessThanOrEqual(Math.max(printed(theirs), 1e-9))
}

describe('alleles counted from the bytes of a VCF', () => {
  const head = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\n'
  const line = (...columns: string[]): string => `chrI\t5\t.\t${columns.join('\t')}\n`

  test('are those of haploids, diploids and tetraploids, phased or not, with other keys behind', () => {
    const text = `${head}${line('A', 'C,G', '.', '.', '.', 'GT:DP', '0/1:7', '2', '1|1|0|2:3')}`
    const { sites } = count(text, [0, 0, 1])
    expect(sites).toHaveLength(1)
    expect(sites[0]).toMatchObject({ sequence: 'chrI', position1: 5, alleles: 3, snp: true })
    expect([...sites[0]!.diploid]).toEqual([0, 0])
    expect([...sites[0]!.counts]).toEqual([1, 1, 1, 1, 2, 1])
    expect([...sites[0]!.heterozygotes]).toEqual([1, 1, 0, 0, 0, 0])
    expect([...sites[0]!.slots]).toEqual([3, 4])
  })

  test('of a genotype that is missing in part, or deleted by another record, are not counted', () => {
    const text = `${head}${line('A', 'C,*', '.', '.', '.', 'GT', './1', '0/2', '1/1')}\r\n`
    const { sites } = count(text, [0, 0, 1])
    expect(sites[0]).toMatchObject({ snp: true })
    expect([...sites[0]!.diploid]).toEqual([1, 1])
    expect([...sites[0]!.called]).toEqual([0, 1])
    expect([...sites[0]!.slots]).toEqual([4, 2])
    expect([...sites[0]!.counts]).toEqual([0, 0, 0, 0, 2, 0])
  })

  test('tell records without genotypes, and damaged ones, from the others', () => {
    const text = [
      head.trimEnd(),
      'chrI\t1\t.\tA\tC\t.\t.\t.',
      'chrI\t2\t.\tA\tC\t.\t.\t.\tDP\t1\t2\t3',
      'chrI\t3\t.\tA\tC\t.\t.\t.\tGT\t0\t7\t0',
      'chrI\t4\t.\tA\tC\t.\t.\t.\tGT\t0\t1',
      'chrI\tx\t.\tA\tC\t.\t.\t.\tGT\t0\t1\t1',
      'chrI',
      'chrI\t9\t.\tAT\tA\t.\t.\t.\tGT\t0\t1\t1',
    ].join('\n')
    const { sites, counter } = count(text, [0, 0, 1])
    expect(counter).toMatchObject({ records: 7, withoutGenotypes: 2, damaged: 4 })
    expect(sites.map(({ position1, snp }) => [position1, snp])).toEqual([[9, false]])
  })
})

describe('windows', () => {
  const gaps = count(vcf('gaps'), halves(24)).sites
  const whole = count(vcf('whole'), halves(24)).sites

  test.each(['gaps', 'whole', 'coded'])('have the weighted Fst of vcftools: %s', (name) => {
    const sites = name === 'coded' ? count(vcf('haploid'), halves(24)).sites : name === 'gaps' ? gaps : whole
    const found = windowsOf(sites)
    const expected = rows(`${name}.windowed.weir.fst`)
    expect(expected.length).toBeGreaterThan(8)
    for (const [sequence, start, , , fst] of expected) {
      const { windows } = found.get(sequence!)!
      const at = windows.start1.indexOf(Number(start))
      // Windows that begin in the last one and end beyond the sequence are not made a second time.
      if (at >= 0) agree(windows.fst[0]![at]!, fst!)
      else expect(Number(start)).toBe(50_001)
    }
  })

  test.each(['gaps', 'whole'])('have the pi of vcftools: %s', (name) => {
    const found = windowsOf(name === 'gaps' ? gaps : whole)
    for (const [sequence, start, , , pi] of rows(`${name}.windowed.pi`)) {
      const { windows } = found.get(sequence!)!
      const at = windows.start1.indexOf(Number(start))
      if (at >= 0) agree(windows.pi[0]![at]!, pi!)
    }
  })

  test('have the Tajima’s D of vcftools where no call is missing', () => {
    const found = windowsOf(whole, { stepBp: 20_000 })
    const expected = rows('whole.Tajima.D')
    expect(expected).toHaveLength(6)
    for (const [sequence, start0, , value] of expected) {
      const { windows } = found.get(sequence!)!
      agree(windows.tajimaD[0]![windows.start1.indexOf(Number(start0) + 1)]!, value!)
    }
  })

  test('have the same Fst of two diploid populations beside a third of haploids', () => {
    const head = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\te\tf\n'
    const text = `${head}chrI\t5\t.\tA\tC\t.\t.\t.\tGT\t0/1\t0/0\t1/1\t0/1\t0\t1\n`
    const fstOf = (populations: number[], plan: Partial<WindowPlan>) =>
      windowsOf(count(text, populations).sites, plan).get('chrI')!.windows.fst[0]![0]!
    const alone = fstOf([0, 0, 1, 1, -1, -1], { sizes: [2, 2] })
    expect(alone).not.toBeNaN()
    expect(fstOf([0, 0, 1, 1, 2, 2], { populationCount: 3, sizes: [2, 2, 2] })).toBe(alone)
  })

  test('have the Fst of Hudson that plink2 has, site by site, and over all as a ratio of averages', () => {
    const expected = rows('whole.hudson.fst.var')
    expect(expected).toHaveLength(500)
    for (const [at, [, position, , , value]] of expected.entries()) {
      const { counts, position1 } = whole[at]!
      expect(position1).toBe(Number(position))
      const parts = hudsonFst(counts.subarray(0, 2), counts.subarray(2, 4))!
      if (value !== 'nan' && parts.denominator > 0) agree(parts.numerator / parts.denominator, value!)
    }
    const totals: SequenceTotal[] = [...windowsOf(whole).values()].map(({ total }) => total)
    // plink2 v2.00a3.5, summary of the same run.
    agree(overallValues(totals).hudson[0]!, '0.101373')
  })

  test('of haploids have the pi of the same written as diploids but for the pairs within an individual', () => {
    const haploid = count(vcf('haploid'), halves(24)).sites
    const coded = count(vcf('haploid').replaceAll(/\t(\d)(?=[\t\n])/g, '\t$1/$1'), halves(24)).sites
    const [one, two] = [windowsOf(haploid).get('chr1')!.windows, windowsOf(coded).get('chr1')!.windows]
    const n = 12
    for (const [at, value] of one.pi[0]!.entries())
      expect(two.pi[0]![at]! / value).toBeCloseTo((2 * n * (n - 1)) / (n * (2 * n - 1)), 10)
  })

  test('divide by every position, or by what the records compare', () => {
    const [first, ...others] = windowsOf(gaps, { length: 'records' }).values()
    expect(others).toHaveLength(1)
    const inFirst = gaps.filter(({ sequence, position1 }) => sequence === 'chr1' && position1 <= 20_000)
    const sums = inFirst
      .map((site) => pairsWithin(site.counts.subarray(0, site.alleles)))
      .reduce((sum, one) => ({
        numerator: sum.numerator + one.numerator,
        denominator: sum.denominator + one.denominator,
      }))
    expect(first!.windows.pi[0]![0]).toBeCloseTo(sums.numerator / sums.denominator, 12)
  })

  test('leave out a site, and its position, where too few are called', () => {
    const site = (called: string): string => `c\t10\t.\tA\tC\t.\t.\t.\tGT\t${called}\t0/0\t0/0\n`
    const few = count(site('0/1\t./.'), [0, 0, 1, 1]).sites
    const plan = { windowBp: 100, stepBp: 100, sizes: [2, 2] }
    const of = (minCalled: number) => windowsOf(few, { ...plan, minCalled }).get('c')!.windows
    // One of one pair differs at one site; the 99 others have six pairs each.
    expect(of(0.5).pi[0]![0]).toBeCloseTo(1 / (1 + 99 * 6), 12)
    expect(of(0.6).pi[0]![0]).toBe(0)
    expect(of(0.6).sites[0]).toBe(0)
    expect(of(0.6).fst[0]![0]).toBeNaN()
  })

  test('have a ratio of diversity also where one population has none left, and none where neither has any', () => {
    const line = (...calls: string[]): string => `c\t10\t.\tA\tC\t.\t.\t.\tGT\t${calls.join('\t')}\n`
    const ratio = (text: string): number =>
      windowsOf(count(text, [0, 0, 0, 1, 1, 1]).sites, { windowBp: 100, stepBp: 100, sizes: [3, 3] }).get('c')!.windows
        .piRatio[0]![0]!
    // One pair, half of what a single copy gives among three haploids, against two.
    expect(ratio(line('0', '0', '0', '0', '0', '1'))).toBeCloseTo(-1, 12)
    expect(ratio(line('0', '0', '0', '1', '1', '1'))).toBeNaN()
    expect(ratio(line('0', '1', '0', '0', '0', '1'))).toBe(0)
  })

  test('leave rare alleles out of Fst but not of diversity', () => {
    const plan = windowsOf(whole, { minMinorFrequency: 0.2 }).get('chr1')!.windows
    const all = windowsOf(whole).get('chr1')!.windows
    expect([...plan.pi[0]!]).toEqual([...all.pi[0]!])
    expect([...plan.fst[0]!]).not.toEqual([...all.fst[0]!])
  })

  test('with too few variable sites have no values; the last one is cut at the end of the sequence', () => {
    const { windows } = windowsOf(whole, { windowBp: 25_000, stepBp: 25_000, minSites: 80 }).get('chr1')!
    expect([...windows.start1]).toEqual([1, 25_001, 50_001])
    expect([...windows.end1]).toEqual([25_000, 50_000, 60_000])
    expect(windows.sites[2]).toBeLessThan(80)
    expect(windows.fst[0]![2]).toBeNaN()
    expect(windows.pi[1]![0]).toBeGreaterThan(0)
  })

  test('of a step that does not divide them are put together of smaller bins', () => {
    expect(findBinBp(20_000, 15_000)).toBe(5000)
    const one = windowsOf(whole, { windowBp: 20_000, stepBp: 15_000 }).get('chr2')!.windows
    const other = windowsOf(whole, { windowBp: 20_000, stepBp: 5000 }).get('chr2')!.windows
    expect(one.start1[1]).toBe(15_001)
    expect(one.fst[0]![1]).toBeCloseTo(other.fst[0]![3]!, 12)
  })
})
