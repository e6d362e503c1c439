import { expect, it } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import {
  findAlleleCuts,
  findCuts,
  findDerivedCuts,
  fragmentsOf,
  restrictionEnzymes,
} from '../sequence/restriction-sites.ts'
import { groupHaplotypes } from './haplotypes.ts'
import { dPrimeOf, linkageOf } from './linkage-phase.ts'
import { readGenotypes } from './vcf.ts'

const site = (...samples: string[]) => readGenotypes({ format: 'GT', samples: samples.join('\t') }, samples.length)!

it('haploid accessions: a copy with a gap goes to the one haplotype that fits, and counts for its place in the order', () => {
  const { haplotypes, assigned } = groupHaplotypes(
    [site('0', '0', '1', '1', '1', '.'), site('1', '1', '0', '.', '.', '.')],
    6,
  )
  expect(haplotypes).toEqual([
    { alleles: Int16Array.of(1, 0), copies: 3, accessions: [2, 3, 4] },
    { alleles: Int16Array.of(0, 1), copies: 2, accessions: [0, 1] },
  ])
  expect(assigned.map(({ state }) => state)).toEqual([
    ...['complete', 'complete', 'complete', 'completed', 'completed', 'missing'],
  ])
})

it('diploids: without phase only whole homozygotes have haplotypes, with phase every copy has', () => {
  const unphased = groupHaplotypes([site('0/0', '0/1', '1/1'), site('1/1', '0/0', '1/1')], 3)
  expect(unphased.assigned.map(({ haplotypes, state }) => [haplotypes, state])).toEqual([
    [[0, 0], 'complete'],
    [[], 'heterozygous'],
    [[1, 1], 'complete'],
  ])
  const phased = groupHaplotypes([site('0|1', '0|0'), site('1|0', '1|1')], 2)
  expect(phased.haplotypes).toEqual([
    { alleles: Int16Array.of(0, 1), copies: 3, accessions: [1] },
    { alleles: Int16Array.of(1, 0), copies: 1, accessions: [] },
  ])
})

it('a call missing in part is a gap for a phased accession, not a sign that its phase is unknown', () => {
  const { assigned } = groupHaplotypes([site('0|1', '0|0', '1|1'), site('.|1', '0|0', '1|1')], 3)
  expect(assigned[0]).toEqual({ haplotypes: [0, 1], state: 'completed' })
})

it('a triploid without phase has haplotypes where all three copies are alike', () => {
  const { assigned } = groupHaplotypes([site('0/0/0', '0/1/1')], 2)
  expect(assigned).toEqual([
    { haplotypes: [0, 0, 0], state: 'complete' },
    { haplotypes: [], state: 'heterozygous' },
  ])
})

/** The same by what is said of it alone: a text a copy. */
const groupPlainly = (sites: readonly string[][], count: number) => {
  const cellOf = (sample: number) => sites.map((one) => one[sample]!)
  const copiesOf = (sample: number): string[][] | null => {
    const cells = cellOf(sample)
    if (cells.some((cell) => cell.includes('/') && !cell.includes('.') && new Set(cell.split('/')).size > 1))
      return null
    const most = Math.max(...cells.map((cell) => cell.split(/[|/]/).length))
    return Array.from({ length: most }, (_, copy) =>
      cells.map((cell) => {
        const own = cell.split(/[|/]/)
        return own.includes('.') ? '.' : own[Math.min(copy, own.length - 1)]!
      }),
    )
  }
  const samples = Array.from({ length: count }, (_, sample) => copiesOf(sample))
  const seen = new Set(samples.flatMap((copies) => copies ?? []).map((copy) => copy.join(' ')))
  const complete = [...seen].filter((text) => !text.includes('.'))
  const kindOf = (copy: string[]): string | null => {
    if (copy.every((allele) => allele === '.')) return null
    const fitting = complete.filter((text) =>
      text.split(' ').every((allele, at) => copy[at] === '.' || copy[at] === allele),
    )
    return fitting.length === 1 ? fitting[0]! : null
  }
  return samples.map((copies) => {
    if (copies === null) return { state: 'heterozygous', kinds: [] }
    const kinds = copies.map(kindOf)
    if (kinds.includes(null)) return { state: 'missing', kinds: [] }
    return { state: copies.some((copy) => copy.includes('.')) ? 'completed' : 'complete', kinds }
  })
}

it('hundreds of sets of any ploidy, phase and gaps are grouped as the rule says', () => {
  const random = makeRandom(7)
  const pick = (below: number): number => Math.floor(random() * below)
  const states = new Set<string>()
  for (let round = 0; round < 400; round += 1) {
    const [count, width, most] = [1 + pick(30), 1 + pick(5), 1 + pick(3)]
    const [gaps, mixes, unphased] = [pick(3) * 0.1, pick(3) * 0.2, pick(2) * 0.5]
    const texts = Array.from({ length: width }, () =>
      Array.from({ length: count }, () => {
        const first = pick(2)
        const alleles = Array.from({ length: random() < 0.1 ? 1 : most }, () =>
          random() < gaps ? '.' : String(random() < mixes ? pick(12) : first),
        )
        return alleles.join(random() < unphased ? '/' : '|')
      }),
    )
    const { haplotypes, assigned } = groupHaplotypes(
      texts.map((samples) => site(...samples)),
      count,
    )
    const expected = groupPlainly(texts, count)
    const names = haplotypes.map(({ alleles }) => alleles.join(' '))
    expect(assigned.map(({ haplotypes: own, state }) => ({ state, kinds: own.map((rank) => names[rank]) }))).toEqual(
      expected,
    )
    const copies = new Map<string, number>()
    for (const kind of expected.flatMap(({ kinds }) => kinds)) copies.set(kind!, (copies.get(kind!) ?? 0) + 1)
    expect(haplotypes.map((one) => one.copies)).toEqual(names.map((name) => copies.get(name) ?? 0))
    expect(haplotypes.map((one) => one.copies)).toEqual(
      [...copies.values(), ...names.map(() => 0)].sort((a, b) => b - a).slice(0, names.length),
    )
    for (const { state } of expected) states.add(state)
  }
  expect([...states].sort()).toEqual(['complete', 'completed', 'heterozygous', 'missing'])
})

it('D′ is one where a haplotype is lacking though r² is not, and null without variation', () => {
  const { r2, dPrime } = linkageOf(site('0', '0', '0', '1'), site('0', '0', '1', '1'))
  expect(dPrime).toBe(1)
  expect(r2).toBeCloseTo(1 / 3, 12)
  expect(dPrimeOf([4, 0, 0, 0])).toBeNull()
  expect(linkageOf(site('0/0/0', '0/1/1'), site('0/1/1', '0/0/1')).dPrime).toBeNull()
})

it('r² of samples that differ in their copies is of shares of copies: two sites that are independent stay so', () => {
  const first = site('0', '0', '1', '1', '0/0', '0/0', '1/1', '1/1')
  const second = site('0', '1', '0', '1', '0/0', '1/1', '0/0', '1/1')
  // Of numbers of copies, at most one in haploids and two in diploids, it would be 1/121.
  expect(linkageOf(first, second).r2).toBe(0)
  // A third of the copies in all: nothing varies.
  const thirds = site(...Array.from({ length: 8 }, () => '0/0/1'))
  expect(linkageOf(thirds, first).r2).toBeNull()
})

it('D′ is one where the likelihood of unphased diploids is highest without one of the haplotypes', () => {
  // Plink 1.9 has 1 for these 72 accessions; rounds of expectation and maximisation near it ever more slowly.
  const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text)
  const counts: [number, string, string][] = [
    [2, '0/0', '0/0'],
    [14, '0/0', '0/1'],
    [32, '0/0', '1/1'],
    [6, '0/1', '0/1'],
    [18, '0/1', '1/1'],
  ]
  const first = site(...counts.flatMap(([count, one]) => times(count, one)))
  const second = site(...counts.flatMap(([count, , other]) => times(count, other)))
  expect(linkageOf(first, second).dPrime).toBeCloseTo(1, 9)
})

it('restriction sites: cuts of both strands, pieces, and enzymes that cut one allele', () => {
  const named = (name: string) => restrictionEnzymes.find((one) => one.name === name)!
  expect(findCuts('AAGAATTCAAGGATCC', named('EcoRI'))).toEqual([3])
  // AciI is no palindrome: CCGC reads GCGG on the other strand. REBASE: C^CGC (-3/-1), so G^CGG.
  expect(findCuts('TTCCGCTTGCGGTT', named('AciI'))).toEqual([3, 9])
  expect(findCuts('GANTC', named('HinfI'))).toEqual([])
  expect(fragmentsOf(100, [30, 70])).toEqual([30, 40, 30])
  const lost = findAlleleCuts('TTTGA', 'A', 'C', 'TTCTTT')
  expect(lost.find(({ enzyme }) => enzyme.name === 'EcoRI')?.cutAllele).toBe('reference')
  // GATTTC would be EcoRI’s site but for its fourth base.
  const derived = findDerivedCuts('CCCCGAAGT', 'T', 'A', 'CCCCCC')
  expect(derived.every(({ distance }) => distance >= 2)).toBe(true)
  // EcoRI cuts one of the alleles as it is: no primer need change a base for it.
  const natural = findDerivedCuts('CCCCCTTTGA', 'A', 'C', 'TTCTTTCCCC')
  expect(natural.length).toBeGreaterThan(0)
  expect(natural.map(({ enzyme }) => enzyme.name)).not.toContain('EcoRI')
  expect(new Set(restrictionEnzymes.map(({ name }) => name)).size).toBe(restrictionEnzymes.length)
})
