import { expect, it } from 'vitest'
import { hitLabels } from './figure-parts.tsx'

const names = new Map([
  ['bcg', 'BCG Pasteur 1173P2'],
  ['ma2', 'H37RvMA2'],
])
const nameOf = (id: string): string => names.get(id) ?? id
const genome = (subject: string, assembly: string) => ({ subject, assembly, symbol: null, kind: 'genome' })

it('hits in genomes bear the names of the genomes, and those of one genome their sequences as well', () => {
  const hits = [genome('NC_008769.1', 'bcg'), genome('contig_1', 'ma2'), genome('contig_2', 'ma2')]
  expect(hitLabels(hits, nameOf, 40)).toEqual(['BCG Pasteur 1173P2', 'contig_1 · H37RvMA2', 'contig_2 · H37RvMA2'])
})

it('hits among proteins bear their symbols, with the genome where there are several; what was pasted its own name', () => {
  const protein = (subject: string, symbol: string | null, assembly: string) => ({
    subject,
    symbol,
    assembly,
    kind: 'protein',
  })
  expect(hitLabels([protein('BCG_0001', 'dnaA', 'bcg'), protein('BCG_0002', null, 'bcg')], nameOf, 40)).toEqual([
    'dnaA',
    'BCG_0002',
  ])
  expect(hitLabels([protein('BCG_0001', 'dnaA', 'bcg'), protein('MA2_0001', 'dnaA', 'ma2')], nameOf, 14)).toEqual([
    'dnaA · BCG Pa…',
    'dnaA · H37RvM…',
  ])
  expect(hitLabels([{ subject: 'mine', symbol: null, assembly: null, kind: null }], nameOf, 40)).toEqual(['mine'])
})
