import { describe, expect, test } from 'vitest'
import type { BlockKind } from '../../../bio/comparative/block-kinds.ts'
import { makeRandom } from '../../../testing/random.ts'
import type { AssemblyVariant } from '../alignment-data.ts'
import type { GeneTable, StoredBlock } from '../collinear-blocks.ts'
import type { PortalData } from '../portal-data.ts'
import { createDifferenceFinder } from './find-differences.ts'

/** Genes of 900 bp, one each kilobase from 1, by their families. */
const table = (name: string, groups: readonly number[]): GeneTable => ({
  sequences: [`${name}-chr`],
  id: groups.map((_, at) => `${name}${at}`),
  symbol: groups.map(() => null),
  sequence: groups.map(() => 0),
  start: groups.map((_, at) => at * 1000 + 1),
  end: groups.map((_, at) => at * 1000 + 900),
  strand: groups.map(() => 1),
  group: [...groups],
})

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)
// The second lacks 5 to 7, has 10 to 13 twice, and once more what lies on both sides of the origin: 18, 19, 0 and 1.
const reference = table('R', numbers(0, 19))
const strain = table('S', [18, 19, 0, 1, ...numbers(0, 4), ...numbers(8, 13), ...numbers(10, 13), ...numbers(14, 19)])
const tables = new Map([
  ['R', reference],
  ['S', strain],
])
const pairs = [
  ...numbers(0, 4).map((gene) => [gene, gene + 4]),
  ...numbers(8, 19).map((gene) => [gene, gene <= 13 ? gene + 1 : gene + 5]),
]
const block: StoredBlock = {
  sequenceA: 'R-chr',
  startA: 1,
  endA: 19_900,
  sequenceB: 'S-chr',
  startB: 4001,
  endB: 24_900,
  orientation: 1,
  score: 800,
  evalue: 0,
  pairs: pairs.length,
  a: pairs.map(([a]) => a!),
  b: pairs.map(([, b]) => b!),
}

const variant = (
  kind: AssemblyVariant['class'],
  [start, end, lengthBp]: [number, number, number],
  [otherStart, otherEnd]: [number, number],
): AssemblyVariant => ({
  id: kind,
  class: kind,
  sequence: 'R-chr',
  start,
  end,
  lengthBp,
  mate: null,
  carriers: [{ assembly: 'S', sequence: 'S-chr', start: otherStart, end: otherEnd, strand: '+' }],
  without: [],
})
const variants = [
  variant('duplication', [1, 2000, 2000], [2001, 4000]),
  variant('deletion', [4951, 7990, -3000], [8950, 8989]),
  variant('insertion', [14_000, 14_000, 4000], [15_001, 19_000]),
  variant('replacement', [9001, 9100, 2000], [10_001, 12_000]),
  variant('duplication', [18_001, 20_000, 2000], [1, 2000]),
]

const find = async (
  first: string,
  second: string,
  blocks: StoredBlock[],
  {
    reference: of,
    kinds = ['syntenic'],
    called = variants,
    truncated = false,
    bases = {},
  }: {
    reference: string | null
    kinds?: BlockKind[]
    called?: AssemblyVariant[]
    truncated?: boolean
    bases?: Record<string, string>
  },
) => {
  const data = {
    getAssembly: async () => ({ species: 'one' }),
    listSequences: async (id: string) => [
      { name: `${id}-chr`, lengthBp: id === 'R' ? 20_000 : 25_000, circular: true, geneticCode: 11, aliases: [] },
    ],
    fetchSequence: async (id: string, _: string, start1: number, end1: number) =>
      (bases[id] ?? '').slice(start1 - 1, end1),
    alignments: {
      getState: async () => (of === null ? null : { reference: of, assemblies: [{ id: 'S' }] }),
      listVariants: async () => ({ variants: called, truncated }),
    },
  } as unknown as PortalData
  const finder = createDifferenceFinder(
    data,
    tables,
    { minimumBp: 1000, most: 2000, mostGenes: 500 },
    new AbortController().signal,
  )
  return (await finder(first, second, blocks, kinds))!
}

describe('what one of two close genomes has more, less or twice', () => {
  test('is read from their alignment: a copy over the origin is one, an insertion of copied genes a duplication', async () => {
    const { counts, largest } = await find('R', 'S', [block], { reference: 'R' })
    expect(counts).toEqual({ deletion: 1, insertion: 1, replacement: 0, duplication: 2, inversion: 0 })
    expect(largest.map(({ kind, copyIn, sizeBp, genes }) => [kind, copyIn, sizeBp, genes])).toEqual([
      ['duplication', 'second', 4000, ['R10', 'R11', 'R12', 'R13']],
      ['duplication', 'second', 4000, ['R18', 'R19', 'R0', 'R1']],
      ['deletion', null, 3000, ['R5', 'R6', 'R7']],
      ['insertion', null, 1900, ['S10', 'S11']],
    ])
    expect(largest[1]).toMatchObject({ a: { start: 18_001, end: 22_000 }, b: { start: 1, end: 4000 } })
    // Forty of its bases are left in the other genome.
    expect(largest[2]).toMatchObject({
      partly: 0,
      a: { lengthBp: 3040 },
      b: { start: 8950, end: 8951, lengthBp: 0 },
      geneRuns: [{ first: 'R5', last: 'R7' }],
    })
  })

  test('a copy that gene order tells has its ends by the bases, and the genes there in part', async () => {
    const next = makeRandom(3)
    const own = Array.from({ length: 20_000 }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
    // From within gene 10 to within gene 13.
    const copy = own.slice(10_300, 13_700)
    const other = [
      own.slice(18_000),
      own.slice(0, 2000),
      own.slice(0, 5000),
      own.slice(8000, 14_000),
      copy,
      own.slice(14_000),
    ]
    const called = [variant('insertion', [14_000, 14_000, 3400], [15_001, 18_400])]
    const bases = { R: own, S: other.join('') }
    const { largest } = await find('R', 'S', [block], { reference: 'R', called, bases })
    expect(largest).toMatchObject([
      { kind: 'duplication', genes: ['R10', 'R11', 'R12', 'R13'], partly: 2, b: { start: 15_001, end: 18_400 } },
    ])
    const { start, end } = largest[0]!.a
    // Bases beside it may be the same by chance.
    expect(Math.abs(start - 10_301)).toBeLessThanOrEqual(4)
    expect(Math.abs(end - 13_700)).toBeLessThanOrEqual(4)
  })

  test('what lies at the end of a circle is joined to one copy of its start, and what was not read is told', async () => {
    const called = [
      variant('duplication', [1, 2000, 2000], [2001, 4000]),
      variant('duplication', [1, 2000, 2000], [2050, 4049]),
      variant('duplication', [18_001, 20_000, 2000], [1, 2000]),
    ]
    const { counts, truncated, largest } = await find('R', 'S', [block], { reference: 'R', called, truncated: true })
    expect(truncated).toBe(true)
    expect(counts.duplication).toBe(2)
    expect(largest.map(({ sizeBp }) => sizeBp)).toEqual([4000, 2000])
  })

  test('with the reference second it is the same the other way round', async () => {
    const turned = { ...block, a: block.b, b: block.a }
    const { largest } = await find('S', 'R', [turned], { reference: 'R' })
    expect(largest.map(({ kind, copyIn }) => [kind, copyIn])).toEqual([
      ['duplication', 'first'],
      ['duplication', 'first'],
      ['insertion', null],
      ['deletion', null],
    ])
  })

  test('is told by the order of genes where the two are not aligned', async () => {
    const { largest } = await find('R', 'S', [block], { reference: null })
    expect(largest.map(({ kind, sizeBp, basis, genes }) => [kind, sizeBp, basis, genes])).toEqual([
      ['duplication', 4000, 'genes', ['R10', 'R11', 'R12', 'R13']],
      ['duplication', 4000, 'genes', ['R18', 'R19', 'R0', 'R1']],
      ['deletion', 3000, 'genes', ['R5', 'R6', 'R7']],
    ])
  })

  test('a block that reads against the others is an inversion there', async () => {
    const part = (genes: readonly number[], orientation: 1 | -1): StoredBlock => {
      const own = genes.map((gene) => pairs.findIndex(([a]) => a === gene))
      const [a, b] = [genes.map((gene) => gene), own.map((at) => pairs[at]![1]!)]
      const [low, high] = [Math.min(...b), Math.max(...b)]
      return {
        ...block,
        startA: reference.start[a[0]!]!,
        endA: reference.end[a.at(-1)!]!,
        startB: strain.start[low]!,
        endB: strain.end[high]!,
        orientation,
        pairs: a.length,
        a,
        b: orientation === 1 ? b : b.reverse(),
      }
    }
    const blocks = [part([...numbers(0, 4), ...numbers(8, 13)], 1), part(numbers(14, 19), -1)]
    const { counts, largest } = await find('R', 'S', blocks, { reference: null, kinds: ['syntenic', 'inverted'] })
    expect(counts).toMatchObject({ inversion: 1, deletion: 1 })
    expect(largest[0]).toMatchObject({
      kind: 'inversion',
      basis: 'genes',
      sizeBp: 5900,
      a: { start: 14_001, end: 19_900 },
      b: { start: 19_001, end: 24_900 },
      geneCount: 6,
    })
  })

  test('is not listed of genomes that have few of their genes in blocks', async () => {
    const few = { ...block, a: block.a.slice(0, 5), b: block.b.slice(0, 5) }
    expect(await find('R', 'S', [few], { reference: 'R' })).toBeNull()
  })
})
