import { expect, test } from 'vitest'
import { countColumn, listPairs, orthologsIn, stateOf, summarise } from './ortholog-counts.ts'
import type { OrthologCell, OrthologRow, OrthologTable } from './tool.ts'

const cell = (state: OrthologCell['state'], genes: string[] = [], type: OrthologCell['type'] = null): OrthologCell => ({
  state,
  type,
  genes: genes.map((gene) => ({ gene, symbol: null, identity: 80, coverage: 99, targetCoverage: 98 })),
  paralogs: 0,
})
const row = (id: string, assembly: string, cells: OrthologCell[]): OrthologRow => ({
  query: id,
  gene: {
    id,
    assembly,
    symbol: null,
    description: null,
    biotype: 'protein_coding',
    sequence: 'chr',
    start: 1,
    end: 300,
    strand: '+',
  },
  otherInterpretations: [],
  orthogroup: `OG-${id}`,
  paralogs: [],
  cells,
})
/** Two synthetases of H37Rv that share a co-ortholog in M. smegmatis, one that is missing there, one gene of BCG, and a tRNA. */
const table: OrthologTable = {
  assemblies: ['BCG', 'smegmatis'],
  unknown: [],
  rows: [
    row('lysS', 'H37Rv', [cell('ortholog', ['b1'], 'one2one'), cell('ortholog', ['s1', 's2'], 'one2many')]),
    row('lysX', 'H37Rv', [cell('ortholog', ['b2'], 'one2one'), cell('ortholog', ['s2'], 'many2one')]),
    row('Rv0454', 'H37Rv', [cell('ortholog', ['b3'], 'one2one'), cell('paralogs', ['s3'])]),
    row('b4', 'BCG', [cell('own'), cell('none')]),
    row('trnK', 'H37Rv', []),
  ],
}

test('the foot of a column counts genes, not orthologs, and leaves out those that are its own', () => {
  expect(countColumn(table.rows, 0)).toEqual({ all: 4, count: 3, one2one: 3, paralogs: 0 })
  expect(countColumn(table.rows, 1)).toEqual({ all: 5, count: 2, one2one: 0, paralogs: 1 })
})

test('the set of a column has each ortholog once, and no paralogs', () => {
  expect(orthologsIn(table, 1)).toEqual([
    { id: 's1', assembly: 'smegmatis' },
    { id: 's2', assembly: 'smegmatis' },
  ])
})

test('the headline names the genome that lacks most, and none where all lack as many', () => {
  expect(summarise(table)).toMatchObject({ all: 2, fewest: { assembly: 'smegmatis', count: 2 } })
  expect(summarise({ ...table, rows: table.rows.slice(0, 2) })).toEqual({ all: 2, fewest: null })
})

test('pairs have a line for each ortholog, and one for each genome that has none', () => {
  const lines = listPairs(table, ['H37Rv']).map(({ gene, assembly, state, type, ortholog }) =>
    [gene.id, assembly, state, type, ortholog?.gene ?? null].join(' '),
  )
  expect(lines).toEqual([
    'lysS BCG ortholog one2one b1',
    'lysS smegmatis ortholog one2many s1',
    'lysS smegmatis ortholog one2many s2',
    'lysX BCG ortholog one2one b2',
    'lysX smegmatis ortholog many2one s2',
    'Rv0454 BCG ortholog one2one b3',
    'Rv0454 smegmatis paralogs  s3',
    'b4 smegmatis none  ',
    'trnK BCG uncompared  ',
    'trnK smegmatis uncompared  ',
  ])
  expect(stateOf(table.rows[4]!, 0, [])).toBe('noProtein')
})
