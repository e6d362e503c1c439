import { expect, test } from 'vitest'
import { makeRandomBelow } from '../../testing/random.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import {
  alignStrands,
  findVariants,
  type GraphRegion,
  type GraphStep,
  hideSmallVariants,
  joinChains,
  renderGfa,
  spellSteps,
} from './variation-graph.ts'

const steps = (walk: string): GraphStep[] =>
  walk
    .trim()
    .split(/\s+/)
    .map((step) => ({ node: Number(step.slice(0, -1)), reverse: step.endsWith('-') }))

const region = (bases: string[], ways: Record<string, string>): GraphRegion => ({
  nodes: bases.map((sequence, number) => ({ name: String(number), sequence, lengthBp: sequence.length })),
  walks: Object.entries(ways).map(([sample, way]) => ({
    name: sample,
    sample,
    assembly: null,
    sequence: 'chrI',
    start0: 100,
    turned: false,
    steps: steps(way),
  })),
})

const spelled = ({ nodes, walks }: GraphRegion): (string | null)[] => walks.map((walk) => spellSteps(nodes, walk.steps))

const bubbles = region(['ACGTACGT', 'A', 'G', 'TTTT', 'CCCCCC', 'GATTACA', 'AAAA'], {
  reference: '0+ 1+ 3+ 4+ 5+',
  snv: '0+ 2+ 3+ 4+ 5+',
  deletion: '0+ 1+ 3+ 5+',
  insertion: '0+ 1+ 3+ 6+ 4+ 5+',
  inversion: '0+ 1+ 3+ 4- 5+',
  both: '0+ 2+ 3+ 5+',
})

test('variants are named by place and bases, once for all that have them', () => {
  const found = findVariants(bubbles)
  expect(found.map(({ name, walks }) => [name, walks.map((walk) => bubbles.walks[walk]!.sample)])).toEqual([
    ['chrI:109 A>G', ['snv', 'both']],
    ['chrI:113^114 ins AAAA', ['insertion']],
    ['chrI:114-119 del CCCCCC', ['deletion', 'both']],
    ['chrI:114-119 inv 6 bp', ['inversion']],
  ])
})

test('a contig that runs backwards through the graph is compared on its other strand', () => {
  const turned = region(['AAAA', 'C', 'GGGG', 'T'], { reference: '0+ 1+ 2+', other: '2- 3- 0-' })
  expect(findVariants(turned)).toEqual([])
  const aligned = alignStrands(turned)
  expect(aligned.walks.map((walk) => walk.turned)).toEqual([false, true])
  expect(findVariants(aligned).map(({ name }) => name)).toEqual(['chrI:105 C>T'])
  // The file has it as it is.
  expect(renderGfa(aligned)).toContain('>s1>s2>s3\nW\tother\t0\tchrI\t100\t109\t<s3<s4<s1\n')
})

test('an allele is told by what differs only', () => {
  // As pangenome graphs often have it: the nodes of a bubble share bases at their ends.
  const [only] = findVariants(region(['AAAA', 'CTTG', 'CTG', 'GGGG'], { reference: '0+ 1+ 3+', other: '0+ 2+ 3+' }))
  expect(only).toMatchObject({ name: 'chrI:106 del T', start0: 105, end0: 106, reference: 'T', alternative: '' })
})

test('a walk that leaves the region is not compared beyond what it passes', () => {
  expect(findVariants(region(['AAAA', 'C', 'GGGG', 'TT'], { reference: '0+ 1+ 2+', part: '3+ 0+' }))).toEqual([])
})

test('small variants are drawn as the reference, large ones stay', () => {
  const { region: simple, hidden } = hideSmallVariants(bubbles, 5)
  expect(hidden).toBe(2)
  expect(findVariants(simple).map(({ name }) => name)).toEqual(['chrI:114-119 del CCCCCC', 'chrI:114-119 inv 6 bp'])
  const [reference, snv] = spelled(simple)
  expect(snv).toBe(reference)
})

test('joined chains spell what was spelled before, in either direction', () => {
  const joined = joinChains(bubbles)
  expect(spelled(joined)).toEqual(spelled(bubbles))
  // Nodes 0, the two alleles, 3, 6, 4, 5: nothing can be joined but where all pass alike.
  expect(joined.nodes).toHaveLength(7)
  const chain = region(['AC', 'GG', 'T', 'CA'], { reference: '0+ 1+ 2+ 3+', turned: '3- 2- 1- 0-' })
  const one = joinChains(chain)
  expect(one.nodes).toHaveLength(1)
  expect(spelled(one)).toEqual(['ACGGTCA', reverseComplement('ACGGTCA')])
})

test('random graphs keep the sequence of every walk when chains are joined', () => {
  const random = makeRandomBelow(7)
  for (let round = 0; round < 200; round += 1) {
    const bases = Array.from({ length: 12 }, () =>
      Array.from({ length: 1 + random(4) }, () => 'ACGT'[random(4)]).join(''),
    )
    const ways = Object.fromEntries(
      Array.from({ length: 1 + random(4) }, (_, number) => [
        `walk${number}`,
        Array.from({ length: 1 + random(15) }, (_, at) =>
          random(4) === 0 ? `${random(12)}${'+-'[random(2)]}` : `${(at + random(2)) % 12}+`,
        ).join(' '),
      ]),
    )
    const made = region(bases, ways)
    expect(spelled(joinChains(made))).toEqual(spelled(made))
  }
})

test('the region as GFA 1.1', () => {
  expect(renderGfa(region(['ACG', 'T'], { 'x#1': '0+ 1-' }))).toBe(
    'H\tVN:Z:1.1\nS\ts1\tACG\tLN:i:3\nS\ts2\tT\tLN:i:1\nL\ts1\t+\ts2\t-\t0M\nW\tx\t1\tchrI\t100\t104\t>s1<s2\n',
  )
})
