import { describe, expect, test } from 'vitest'
import { layRows, markGroups, orthologsAcross, placeDeletions, stepsFromMiddle } from './neighbourhood-figure.tsx'

const gene = (id: string, at: number, strand = '+') => ({
  id,
  symbol: null,
  start: at * 100 + 1,
  end: at * 100 + 80,
  strand,
  orthogroup: null,
})

const locus = (strand: string) => ({
  assembly: 'A',
  sequence: 'chr1',
  gene: 'a2',
  genes: [gene('a1', 1), gene('a2', 2, strand), gene('a3', 3)],
})

const steps = (row: ReturnType<typeof layRows>[number] | undefined) =>
  row?.genes.map(({ id }, number) => [id, stepsFromMiddle(row, number)])

describe('rows of genomes without a homolog', () => {
  test('a deleted gene leaves the middle empty, its neighbours beside it as in the row of the gene', () => {
    const gap = {
      assembly: 'B',
      sequence: 'chr1',
      lost: null,
      before: 'b1',
      after: 'b3',
      genes: [gene('b1', 1), gene('b3', 2)],
    }
    const [own, row] = layRows([locus('+')], [gap], [])
    expect(steps(own)).toEqual([
      ['a1', -1],
      ['a2', 0],
      ['a3', 1],
    ])
    expect(steps(row)).toEqual([
      ['b1', -1],
      ['b3', 1],
    ])
  })

  test('the neighbours keep their sides where the row of the gene, or the other genome, reads backwards', () => {
    const gap = {
      assembly: 'B',
      sequence: 'chr1',
      lost: null,
      before: 'b1',
      after: 'b3',
      genes: [gene('b3', 1), gene('b1', 2)],
    }
    expect(steps(layRows([locus('+')], [gap], [])[1])).toEqual([
      ['b3', 1],
      ['b1', -1],
    ])
    expect(steps(layRows([locus('-')], [gap], [])[1])).toEqual([
      ['b3', -1],
      ['b1', 1],
    ])
  })

  test('what stands between the neighbours instead is drawn in the middle; an assembly without either has a row without genes', () => {
    const gap = {
      assembly: 'B',
      sequence: 'chr1',
      lost: null,
      before: 'b1',
      after: 'b3',
      genes: [gene('b1', 1), gene('other', 2), gene('b3', 3)],
    }
    const [, row, empty] = layRows([locus('+')], [gap], ['C'])
    expect(steps(row)).toEqual([
      ['b1', -1],
      ['other', 0],
      ['b3', 1],
    ])
    expect(empty).toMatchObject({ assembly: 'C', sequence: null, genes: [] })
  })
  test('the ends of a gap are known in its row, and a gap without both of them is not drawn', () => {
    const gap = {
      assembly: 'B',
      sequence: 'chr1',
      lost: null,
      before: 'b1',
      after: 'b3',
      genes: [gene('b3', 1), gene('b1', 2)],
    }
    expect(layRows([locus('+')], [gap], [])[1]?.ends).toEqual([1, 0])
    const genes = [gene('b1', 1), gene('other', 2)]
    expect(layRows([locus('+')], [{ ...gap, genes }], []).map(({ assembly }) => assembly)).toEqual(['A'])
  })
})

describe('a gap that is as wide as what is missing', () => {
  const long = (strand: string) => ({
    assembly: 'A',
    sequence: 'chr1',
    gene: 'a3',
    genes: Array.from({ length: 7 }, (_, at) => gene(`a${at}`, at, at === 3 ? strand : '+')),
  })
  // Of a0 to a6 the genes a2, a3 and a4 are missing.
  const genes = [gene('b0', 0), gene('b1', 1), gene('b5', 2), gene('b6', 3)]
  const gap = {
    assembly: 'B',
    sequence: 'chr1',
    before: 'b1',
    after: 'b5',
    genes,
    lost: { before: 1, after: 1, bp: 300, deletions: null },
  }

  test('the genes beside it stand under their counterparts, whichever way the rows read', () => {
    expect(steps(layRows([long('+')], [gap], [])[1])).toEqual([
      ['b0', -3],
      ['b1', -2],
      ['b5', 2],
      ['b6', 3],
    ])
    expect(steps(layRows([long('-')], [gap], [])[1])).toEqual([
      ['b0', 3],
      ['b1', 2],
      ['b5', -2],
      ['b6', -3],
    ])
  })

  test('it stands next to the row of the gene, before all that have it; the ends of one that is wider than the rows lie beyond them', () => {
    const second = { ...long('+'), assembly: 'C' }
    expect(layRows([long('+'), second], [gap], []).map(({ assembly }) => assembly)).toEqual(['A', 'B', 'C'])
    const [, row] = layRows([long('+')], [{ ...gap, lost: { before: 4, after: 1, bp: 900, deletions: null } }], [])
    expect(steps(row)).toEqual([
      ['b0', -6],
      ['b1', -5],
      ['b5', 2],
      ['b6', 3],
    ])
  })
})

test('two deletions with bases between them are two, also where both take a part of one gene', () => {
  const genes = [1, 2, 3].map((at) => ({ start: at * 1000, end: at * 1000 + 899, x: at * 50, width: 46 }))
  const one = { start: 900, end: 2200, lengthBp: 1301 }
  const other = { start: 2543, end: 4000, lengthBp: 1458 }
  expect(placeDeletions(genes, [one, other])).toEqual([
    { from: 50, to: 121, lengthBp: 1301 },
    { from: 125, to: 196, lengthBp: 1458 },
  ])
  expect(placeDeletions(genes, [one])).toEqual([])
})

describe('orthologs in another orthogroup', () => {
  const row = (assembly: string, group: string, relation: string | null) => ({
    ...locus('+'),
    assembly,
    genes: [
      { ...gene('x', 1), orthogroup: 'OG-x' },
      { ...gene('a2', 2), orthogroup: group },
    ],
    relation,
  })

  test('are drawn as the gene of the first row; paralogs and neighbours are not', () => {
    const loci = [row('A', 'OG-a', null), row('B', 'OG-b', 'ortholog'), row('C', 'OG-b', 'paralog')]
    const across = orthologsAcross(loci)
    expect([...across]).toEqual([[loci[1]!.genes[1], 'OG-a']])
    const marked = markGroups(loci, 'OG-a', (one) => across.get(one) ?? one.orthogroup)
    expect(marked.map(({ orthogroup, genes }) => [orthogroup, genes])).toEqual([
      ['OG-a', 2],
      ['OG-x', 3],
    ])
  })

  test('of a gene without an orthogroup there are none', () => {
    expect(orthologsAcross([locus('+'), row('B', 'OG-b', 'ortholog')]).size).toBe(0)
    expect(orthologsAcross([]).size).toBe(0)
  })
})
