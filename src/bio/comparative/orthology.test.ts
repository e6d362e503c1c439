import { describe, expect, test } from 'vitest'
import {
  collinearity,
  countSyntenicNeighbours,
  findOrthologs,
  type GeneOrder,
  genesOfGroupId,
  isEdge,
  lowerCutoffs,
  markReciprocalBest,
  nameOrthogroups,
  normaliseScores,
  onlyPartners,
  orthologyType,
  type PairHits,
} from './orthology.ts'

const hitsOf = (rows: [a: number, b: number, bits: number][]): PairHits => ({
  a: Int32Array.from(rows, (row) => row[0]),
  b: Int32Array.from(rows, (row) => row[1]),
  bits: Float64Array.from(rows, (row) => row[2]),
})
/** One chromosome with all genes on the forward strand. */
const row = (genes: number): GeneOrder => ({
  sequence: new Int32Array(genes),
  strand: new Int8Array(genes).fill(1),
})

describe('scores freed of length', () => {
  test('the best hits of every length have 1 where bits grow with a power of the length', () => {
    // Ten lengths of a bin each; the best 5 % have bits = 3 (length product)^0.45, the others half of it.
    const products: number[] = []
    const bits: number[] = []
    for (let number = 0; number < 10; number += 1) {
      const product = (100 + 200 * number) ** 2
      for (let rank = 0; rank < 1000; rank += 1) {
        products.push(product)
        bits.push(3 * product ** 0.45 * (rank < 50 ? 1 : 0.5))
      }
    }
    const scores = normaliseScores(Float64Array.from(bits), Float64Array.from(products))
    for (const at of [0, 5000, 9000]) expect(scores[at]).toBeCloseTo(1, 6)
    expect(scores[50]).toBeCloseTo(0.5, 6)
  })

  test('two genomes far apart have scores like those of two that are close', () => {
    const products = Float64Array.from({ length: 200 }, (_, at) => (100 + at) ** 2)
    const close = normaliseScores(
      products.map((product) => 2 * product ** 0.5),
      products,
    )
    const far = normaliseScores(
      products.map((product) => 0.7 * product ** 0.5),
      products,
    )
    for (const at of [0, 100, 199]) expect(far[at]).toBeCloseTo(close[at]!, 6)
  })

  test('a handful of hits has no slope of its own; no hit gives no score', () => {
    const [a, b] = normaliseScores(Float64Array.of(100, 200), Float64Array.of(2500, 10_000))
    expect(b! / a!).toBeCloseTo(1, 6)
    expect(normaliseScores(new Float64Array(0), new Float64Array(0))).toHaveLength(0)
  })
})

test('reciprocal best hits need both sides, keep equals, and leave out a gene with itself', () => {
  const hits = hitsOf([
    [0, 0, 5],
    [0, 1, 3],
    [1, 0, 4],
    [2, 2, 7],
    [2, 3, 7],
  ])
  expect([...markReciprocalBest(hits, hits.bits, [3, 4])]).toEqual([1, 0, 0, 1, 1])
  const { a, b } = onlyPartners(hits, markReciprocalBest(hits, hits.bits, [3, 4]), [3, 4])
  // Gene 2 has two equal partners, so it has no only one.
  expect([...a]).toEqual([0, -1, -1])
  expect([...b]).toEqual([0, -1, 2, 2])
  const own = hitsOf([
    [0, 0, 9],
    [0, 1, 4],
    [1, 1, 9],
  ])
  expect([...markReciprocalBest(own, own.bits, [2, 2], true)]).toEqual([0, 1, 0])
})

test('an edge is as good as the worst reciprocal best hit of either gene', () => {
  const hits = hitsOf([
    [0, 0, 0.9],
    [1, 1, 0.4],
    [0, 1, 0.5],
  ])
  const cutoffs = { a: new Float64Array(2).fill(Infinity), b: new Float64Array(2).fill(Infinity) }
  lowerCutoffs(hits, hits.bits, Uint8Array.of(1, 1, 0), cutoffs)
  expect([...cutoffs.a]).toEqual([0.9, 0.4])
  expect(isEdge(0.5, cutoffs.a[0]!, cutoffs.b[1]!)).toBe(true)
  expect(isEdge(0.39, cutoffs.a[0]!, cutoffs.b[1]!)).toBe(false)
  expect(isEdge(0.9, Infinity, Infinity)).toBe(false)
})

describe('gene order', () => {
  test('is 1 in the same order, also on the other strand, and falls with the distance', () => {
    const partners = Int32Array.from({ length: 21 }, (_, at) => at)
    expect(collinearity(10, 10, row(21), row(21), partners)).toBe(1)
    expect(collinearity(10, 11, row(21), row(21), partners)).toBeLessThan(0.6)
    const turned: GeneOrder = { sequence: new Int32Array(21), strand: new Int8Array(21).fill(-1) }
    expect(
      collinearity(
        10,
        10,
        row(21),
        turned,
        Int32Array.from({ length: 21 }, (_, at) => 20 - at),
      ),
    ).toBe(1)
  })

  test('tells two identical tandem copies apart, which scores cannot', () => {
    // Genes 0 to 9 and 12 to 21 are single, 10 and 11 are identical copies in both genomes.
    const rows: [number, number, number][] = []
    for (let gene = 0; gene < 22; gene += 1) if (gene !== 10 && gene !== 11) rows.push([gene, gene, 1])
    for (const a of [10, 11]) for (const b of [10, 11]) rows.push([a, b, 1])
    const hits = hitsOf(rows)
    const reciprocal = markReciprocalBest(hits, hits.bits, [22, 22])
    expect([...reciprocal].slice(-4)).toEqual([1, 1, 1, 1])
    const reasons = findOrthologs(hits, hits.bits, [row(22), row(22)], onlyPartners(hits, reciprocal, [22, 22]))
    // 10-10, 10-11, 11-10, 11-11.
    expect(reasons.slice(-4)).toEqual(['order', null, null, 'order'])
    expect(reasons.slice(0, 20)).toEqual(new Array(20).fill('only'))
  })

  test('does not make an ortholog of a gene that is much less like', () => {
    const rows: [number, number, number][] = Array.from({ length: 21 }, (_, gene) => [
      gene,
      gene,
      gene === 10 ? 0.5 : 1,
    ])
    // A better copy of gene 10 lies on another chromosome.
    rows.push([10, 21, 1])
    const hits = hitsOf(rows)
    const target: GeneOrder = {
      sequence: Int32Array.from({ length: 22 }, (_, gene) => (gene === 21 ? 1 : 0)),
      strand: new Int8Array(22).fill(1),
    }
    const partners = onlyPartners(hits, markReciprocalBest(hits, hits.bits, [21, 22]), [21, 22])
    const reasons = findOrthologs(hits, hits.bits, [row(21), target], partners)
    expect(reasons[10]).toBeNull()
    expect(reasons[21]).toBe('only')
  })

  test('decides where a copy elsewhere has a score a little higher, and says so; a plain lead is told as score', () => {
    // Gene 10 is like its counterpart in place (94) and like a copy on another chromosome; the other genes are single.
    const target: GeneOrder = {
      sequence: Int32Array.from({ length: 22 }, (_, gene) => (gene === 21 ? 1 : 0)),
      strand: new Int8Array(22).fill(1),
    }
    const tell = (inPlace: number, elsewhere: number) => {
      const hits = hitsOf([
        ...Array.from({ length: 21 }, (_, gene): [number, number, number] => [gene, gene, gene === 10 ? inPlace : 100]),
        [10, 21, elsewhere],
      ])
      const partners = onlyPartners(hits, markReciprocalBest(hits, hits.bits, [21, 22]), [21, 22])
      const reasons = findOrthologs(hits, hits.bits, [row(21), target], partners)
      return [reasons[10], reasons[21]]
    }
    expect(tell(94, 100)).toEqual(['order', null])
    expect(tell(100, 94)).toEqual(['score', null])
    expect(tell(60, 100)).toEqual([null, 'score'])
  })

  test('leaves equals where neither score nor neighbours tell them apart', () => {
    const alone: GeneOrder = { sequence: Int32Array.of(0, 1), strand: Int8Array.of(1, 1) }
    const hits = hitsOf([
      [0, 0, 50],
      [0, 1, 50],
    ])
    const none = { a: Int32Array.of(-1), b: Int32Array.of(-1, -1) }
    expect(findOrthologs(hits, hits.bits, [row(1), alone], none)).toEqual(['equal', 'equal'])
  })

  test('supports a pair by the neighbours whose orthogroups are beside the other gene, its own copies left out', () => {
    const order = row(5)
    // Genes 1 and 2 are copies; gene 4 has no counterpart.
    const groupsA = Int32Array.of(7, 1, 1, 8, 9)
    const groupsB = Int32Array.of(7, 1, 1, 8, 6)
    expect(countSyntenicNeighbours(1, 1, [order, order], [groupsA, groupsB])).toEqual({ shared: 2, neighbours: 3 })
    // Neighbours end with the sequence.
    const split: GeneOrder = { sequence: Int32Array.of(0, 0, 1, 1, 1), strand: order.strand }
    expect(countSyntenicNeighbours(1, 1, [split, split], [groupsA, groupsB])).toEqual({ shared: 1, neighbours: 1 })
  })
})

describe('the type of an orthology', () => {
  const ortholog = { ortholog: true, bits: 400 }
  const copy = { ortholog: false, bits: 390 }

  test('tells one and many in both genomes; a paralog further than the ortholog arose before the genomes parted', () => {
    expect(orthologyType([ortholog], [])).toBe('one2one')
    expect(orthologyType([ortholog], [399])).toBe('one2one')
    expect(orthologyType([ortholog], [400])).toBe('many2one')
    expect(orthologyType([ortholog, copy], [120])).toBe('one2many')
    expect(orthologyType([ortholog, copy], [120, 450])).toBe('many2many')
  })

  test('a gene that is but a co-ortholog is a copy of the gene that has the ortholog; without either there is no type', () => {
    expect(orthologyType([copy], [300])).toBe('many2one')
    expect(orthologyType([copy, copy], [300])).toBe('many2many')
    expect(orthologyType([], [300])).toBeNull()
  })
})

describe('ids of orthogroups', () => {
  test('are their first genes, with the assembly where an earlier group has the name', () => {
    const ids = nameOrthogroups([
      { gene: 'Rv3875', assembly: 'H37Rv' },
      { gene: 'Rv3875', assembly: 'MA2' },
      { gene: 'x@y', assembly: 'MA2' },
    ])
    expect(ids).toEqual(['OG-Rv3875', 'OG-Rv3875@MA2', 'OG-x@y'])
    // A gene's own name may have the sign.
    expect(ids.map((id) => genesOfGroupId(id))).toEqual([
      [{ gene: 'Rv3875', assembly: null }],
      [
        { gene: 'Rv3875@MA2', assembly: null },
        { gene: 'Rv3875', assembly: 'MA2' },
      ],
      [
        { gene: 'x@y', assembly: null },
        { gene: 'x', assembly: 'y' },
      ],
    ])
    expect(genesOfGroupId('OG0000012')).toEqual([])
  })
})
