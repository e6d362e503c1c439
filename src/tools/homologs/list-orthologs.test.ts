import { expect, test } from 'vitest'
import type { Bare } from './bare-homologs.ts'
import { findCell } from './list-orthologs.ts'

const hit = (assembly: string, gene: string, relation: Bare['relation'], bitScore: number | null): Bare => ({
  assembly,
  gene,
  relation,
  identity: bitScore === null ? null : 80,
  coverage: 100,
  targetCoverage: 100,
  evalue: 0,
  bitScore,
  reciprocalBest: true,
  sharedNeighbours: 0,
  neighbours: 0,
  chosenBy: null,
})
/** plcA of H37Rv, as the comparison of the complex has it: BCG has lost plcA, plcB and plcC, and keeps plcD. */
const plcA = [
  hit('MA2', 'plcA', 'ortholog', 1045),
  hit('BCG', 'plcD', 'ortholog', 749),
  hit('H37Rv', 'plcB', 'paralog', 778),
  hit('MA2', 'plcB', 'member', 778),
  hit('MA2', 'plcD', 'member', null),
]
const whole = { partial: false, remnants: null }
const all = () => true
const genes = (cell: ReturnType<typeof findCell>): string[] => cell.genes.map(({ gene }) => gene)

test('the nearest protein of a genome that lost the gene is a paralog, not its ortholog', () => {
  const bare = findCell(plcA, 'H37Rv', { id: 'BCG', ...whole }, all)
  expect([bare.state, bare.type, genes(bare)]).toEqual(['ortholog', 'many2one', ['plcD']])
  const lost = findCell(plcA, 'H37Rv', { id: 'BCG', partial: false, remnants: [] }, all)
  expect([lost.state, lost.type, genes(lost), lost.paralogs]).toEqual(['paralogs', null, ['plcD'], 1])
  // Of Rv0221, whose larger part RD10 of BCG deletes, the rest is annotated.
  const cut = [hit('BCG', 'BCG_0258', 'ortholog', 300)]
  const remnant = findCell(cut, 'H37Rv', { id: 'BCG', partial: false, remnants: ['BCG_0258'] }, all)
  expect([remnant.state, genes(remnant)]).toEqual(['ortholog', ['BCG_0258']])
})

test('beside an ortholog the other members of its group are counted, and its own genome has none', () => {
  const found = findCell(plcA, 'H37Rv', { id: 'MA2', ...whole }, all)
  expect([found.state, found.type, genes(found), found.paralogs]).toEqual(['ortholog', 'one2one', ['plcA'], 2])
  const own = findCell(plcA, 'H37Rv', { id: 'H37Rv', ...whole }, all)
  expect([own.state, genes(own), own.paralogs]).toEqual(['own', [], 1])
})

test('only paralogs, nothing, nothing of a partial genome, and orthologs below the bounds are told apart', () => {
  const members = [1, 2, 3, 4].map((at) => hit('A', `m${at}`, 'member', at === 4 ? null : at))
  const cell = (bare: Bare[], partial: boolean, wanted = all) =>
    findCell(bare, 'H37Rv', { id: 'A', partial, remnants: null }, wanted)
  // The nearest three of four.
  expect([cell(members, true).state, genes(cell(members, true)), cell(members, true).paralogs]).toEqual([
    'paralogs',
    ['m3', 'm2', 'm1'],
    4,
  ])
  expect([cell(plcA, false).state, cell(plcA, true).state]).toEqual(['none', 'unknown'])
  const below = cell([hit('A', 'far', 'ortholog', 50)], false, () => false)
  expect([below.state, below.type, genes(below)]).toEqual(['below', 'one2one', []])
})
