import { expect, it } from 'vitest'
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
const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

it('haploid accessions: a copy with a gap goes to the one haplotype that fits, and counts for its place in the order', () => {
  const { haplotypes, assigned } = groupHaplotypes(
    [site('0', '0', '1', '1', '1', '.'), site('1', '1', '0', '.', '.', '.')],
    all(6),
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
  const unphased = groupHaplotypes([site('0/0', '0/1', '1/1'), site('1/1', '0/0', '1/1')], all(3))
  expect(unphased.assigned.map(({ haplotypes, state }) => [haplotypes, state])).toEqual([
    [[0, 0], 'complete'],
    [[], 'heterozygous'],
    [[1, 1], 'complete'],
  ])
  const phased = groupHaplotypes([site('0|1', '0|0'), site('1|0', '1|1')], all(2))
  expect(phased.haplotypes).toEqual([
    { alleles: Int16Array.of(0, 1), copies: 3, accessions: [1] },
    { alleles: Int16Array.of(1, 0), copies: 1, accessions: [] },
  ])
})

it('a call missing in part is a gap for a phased accession, not a sign that its phase is unknown', () => {
  const { assigned } = groupHaplotypes([site('0|1', '0|0', '1|1'), site('.|1', '0|0', '1|1')], all(3))
  expect(assigned[0]).toEqual({ haplotypes: [0, 1], state: 'completed' })
})

it('a triploid without phase has haplotypes where all three copies are alike', () => {
  const { assigned } = groupHaplotypes([site('0/0/0', '0/1/1')], all(2))
  expect(assigned).toEqual([
    { haplotypes: [0, 0, 0], state: 'complete' },
    { haplotypes: [], state: 'heterozygous' },
  ])
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
