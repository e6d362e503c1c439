import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { AssemblyLift } from '../../contracts/lift.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { alikeBetweenPrimers, liesAt } from './homologous-loci.ts'
import { type SearchedPair, searchSpecificity } from './specificity.ts'

/** Bases that are the same in every run (linear congruential generator of Numerical Recipes). */
const createRandom = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const bases = (length: number): string => Array.from({ length }, () => 'ACGT'[Math.floor(next() * 4)]).join('')
  return { next, bases }
}
const { next, bases } = createRandom(77)
const changed = (text: string, indexes: number[]): string =>
  [...text].map((base, at) => (indexes.includes(at) ? { A: 'C', C: 'A', G: 'T', T: 'G' }[base]! : base)).join('')
/** Every base changed with that chance. */
const diverged = (text: string, rate: number): string =>
  [...text].map((base) => (next() < rate ? { A: 'G', G: 'A', C: 'T', T: 'C' }[base]! : base)).join('')

const left = bases(20)
const right = bases(20)
const inner = bases(300)
const island = `${left}${inner}${reverseComplement(right)}`
const [before, after] = [bases(3000), bases(3000)]
/** Sites with two mismatches each, far from the 3′ ends, around bases that have nothing to do with the island. */
const chance = `${changed(left, [3, 9])}${bases(1500)}${reverseComplement(changed(right, [2, 8]))}`
const genomes = {
  home: `${before}${island}${after}`,
  // The island diverged by 6 in 100 and 40 bases longer, and on the other strand.
  sister: reverseComplement(`${before}${left}${diverged(inner, 0.06)}${bases(40)}${reverseComplement(right)}${after}`),
  // The island is gone; something else is amplified.
  vaccine: `${before}${after.slice(0, 500)}${chance}${after.slice(500)}`,
  empty: `${before}${after}`,
  // On a circle the place lies across the origin.
  circle: `${island.slice(150)}${after}${before}${island.slice(0, 150)}`,
  // A second copy of the island with perfect primers, and the place itself with a mismatch in each primer.
  copies: `${before}${changed(left, [4])}${inner}${reverseComplement(changed(right, [5]))}${after}${island}${bases(200)}`,
}
const start1 = before.length + 1
const pair: SearchedPair = {
  left,
  right,
  assembly: 'home',
  gene: null,
  intended: { sequence: 'c', start1, end1: start1 + island.length - 1 },
  placed: true,
  expectedBp: island.length,
  between: inner,
}

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal(
    Object.entries(genomes).map(([id, genome]) => ({
      id,
      fasta: `>c\n${genome}\n`,
      circular: id === 'circle' ? ['c'] : [],
    })),
  )
})
afterAll(() => portal?.close())

const search = async (searched: SearchedPair, data: PortalData = portal.data) => {
  const { answers } = await searchSpecificity({
    pairs: [searched],
    assemblies: Object.keys(genomes),
    searched: 'genome',
    rule: { minMismatches: 2, minThreePrimeMismatches: 2, threePrimeBp: 5, ignoreMismatches: 4 },
    maxProductBp: 4000,
    data,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  return answers[0]!
}
const verdictsOf = (answer: Awaited<ReturnType<typeof search>>) =>
  Object.fromEntries(
    answer.genomes.map((one) => [one.assembly, [one.verdict, one.judgedBy, one.differenceBp, one.elsewhere]]),
  )

describe('what a pair gives in genomes that are not aligned and have no genes', () => {
  test('the bases between the primers tell the homologous product from a chance one, also reversed and across the origin', async () => {
    const answer = await search(pair)
    expect(verdictsOf(answer)).toEqual({
      home: ['intended', null, 0, 0],
      sister: ['homologous', 'bases', 40, 0],
      vaccine: ['elsewhere', 'bases', null, 1],
      empty: ['none', 'bases', null, 0],
      circle: ['homologous', 'bases', 0, 0],
      copies: ['homologous', 'bases', 0, 2],
    })
    const [, , vaccine] = answer.genomes
    expect(vaccine!.product).toBeNull()
    expect(vaccine!.bestElsewhere).toMatchObject({ lengthBp: 1540, forwardMismatches: 2, reverseMismatches: 2 })
    expect(answer.products.filter((one) => one.kind === 'counterpart').map((one) => one.assembly)).toEqual([
      'sister',
      'circle',
      'copies',
    ])
    expect(answer).toMatchObject({ intended: 1, counterparts: 3, others: 3 })
  })

  test('a pasted template has no place: its product is known by its bases in every genome', async () => {
    const answer = await search({ ...pair, assembly: null, intended: null, placed: false })
    expect(answer.genomes.map((one) => one.verdict)).toEqual([
      'homologous',
      'homologous',
      'elsewhere',
      'none',
      'homologous',
      'homologous',
    ])
  })
})

describe('what a pair gives in genomes that are aligned', () => {
  const lift = (assembly: string, outcome: AssemblyLift['outcome'], start?: number, end?: number): AssemblyLift => ({
    assembly,
    through: null,
    outcome,
    loci:
      start === undefined || end === undefined
        ? []
        : [
            {
              sequence: 'c',
              start,
              end,
              strand: '+',
              regionStart: start1,
              regionEnd: start1 + island.length - 1,
              alignedBp: island.length,
              identity: 1,
              missingBp: 0,
              insertedBp: 0,
              mapq: 60,
              role: 'best',
            },
          ],
    deletedAt: null,
  })

  test('the aligned place counts, not the best product: a perfect copy elsewhere is nonspecific, a deleted place has none', async () => {
    const lifts = [
      lift('vaccine', 'deleted'),
      lift('empty', 'unaligned'),
      lift('copies', 'whole', start1, start1 + island.length - 1),
    ]
    const data = Object.create(portal.data, {
      alignments: { value: { lift: async () => ({ lifts }) } },
    }) as PortalData
    const answer = await search(pair, data)
    expect(verdictsOf(answer)).toMatchObject({
      vaccine: ['elsewhere', 'alignment', null, 1],
      empty: ['none', 'alignment', null, 0],
      copies: ['homologous', 'alignment', 0, 2],
    })
    const copies = answer.genomes.find((one) => one.assembly === 'copies')!
    expect(copies.product).toMatchObject({ start: start1, forwardMismatches: 1, reverseMismatches: 1 })
    expect(copies.bestElsewhere).toMatchObject({ forwardMismatches: 0, reverseMismatches: 0 })
    expect(answer.genomes.find((one) => one.assembly === 'vaccine')!.outcome).toBe('deleted')
  })

  test('where a better alignment passes over the place, what is aligned elsewhere is a copy and not the homologous place', async () => {
    const copy = lift('copies', 'whole', start1, start1 + island.length - 1)
    const lifts = [{ ...copy, deletedAt: { sequence: 'c', start: 1, end: 2, strand: '+' as const } }]
    const data = Object.create(portal.data, {
      alignments: { value: { lift: async () => ({ lifts }) } },
    }) as PortalData
    const answer = await search(pair, data)
    expect(verdictsOf(answer)).toMatchObject({ copies: ['elsewhere', 'alignment', null, 3] })
    expect(answer.genomes.find((one) => one.assembly === 'copies')!.outcome).toBe('deleted')
  })
})

describe('what a pair gives in genomes that are compared by their genes', () => {
  test('the orthologs that tell the place are named, and where there is none that is told', async () => {
    const geneOf = (id: string) => ({ id, symbol: null, sequence: 'c', start: start1, end: start1 + island.length - 1 })
    const data = Object.create(portal.data, {
      alignments: { value: { lift: async () => ({ lifts: [] }) } },
      getHomology: { value: async () => ({ covered: ['home', 'copies', 'empty'] }) },
      listGenesInRegion: { value: async (assembly: string) => (assembly === 'home' ? [geneOf('H1')] : []) },
      getGenes: { value: async (_: string, ids: readonly string[]) => ids.map(geneOf) },
      listHomologs: {
        value: async () => [{ gene: 'H1', homologs: [{ relation: 'ortholog', assembly: 'copies', gene: 'C1' }] }],
      },
    }) as PortalData
    const { genomes: reported } = await search(pair, data)
    const orthologs = Object.fromEntries(reported.map((one) => [one.assembly, [one.judgedBy, one.orthologs]]))
    expect(orthologs).toMatchObject({
      home: [null, undefined],
      copies: ['gene', ['C1']],
      empty: ['gene', []],
      sister: ['bases', undefined],
    })
  })
})

test('products lie at a place when they share more than half of the shorter, also written beyond the origin', () => {
  const locus = { sequence: 'c', start1: 101, end1: 200 }
  expect(liesAt({ sequence: 'c', start1: 150, end1: 900 }, locus, 1000)).toBe(true)
  expect(liesAt({ sequence: 'c', start1: 151, end1: 900 }, locus, 1000)).toBe(false)
  expect(liesAt({ sequence: 'd', start1: 101, end1: 200 }, locus, 1000)).toBe(false)
  expect(liesAt({ sequence: 'c', start1: 1101, end1: 1200 }, locus, 1000)).toBe(true)
})

test('stretches are of one origin down to four equal bases in five, never by chance', () => {
  const own = bases(400)
  expect(alikeBetweenPrimers(own, diverged(own, 0.1))).toBe(true)
  expect(alikeBetweenPrimers(own, bases(4000))).toBe(false)
  expect(alikeBetweenPrimers('ACGTACGT', 'ACGTACGT')).toBe(true)
  expect(alikeBetweenPrimers('ACGTACGT', 'ACGTACGA')).toBe(false)
})
