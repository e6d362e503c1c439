import { describe, expect, it } from 'vitest'
import { alignedRuns, colourGroups, layRows, plainRuns, summarizeFeatures } from './lay-features.ts'
import { chainRanges, colourResidues, confidenceColour, residueColours } from './structure-colours.ts'
import type { Feature } from './tool.ts'

const feature = (
  analysis: string,
  accession: string,
  start: number,
  end: number,
  more: Partial<Feature> = {},
): Feature => ({
  ...{ kind: 'domain', analysis, accession, name: null, entry: null, entryName: null, start, end, evalue: null },
  ...more,
})
const features = [
  feature('PANTHER', 'PTHR1', 1, 300, { kind: 'family' }),
  feature('Phobius', 'SIGNAL_PEPTIDE', 1, 20, { kind: 'signal' }),
  feature('SMART', 'SM00220', 28, 152, { entry: 'IPR000719', entryName: 'Protein kinase domain' }),
  feature('Pfam', 'PF00069', 30, 150, { entry: 'IPR000719', entryName: 'Protein kinase domain' }),
  feature('Pfam', 'PF2', 140, 200),
]

describe('features in rows', () => {
  it('a group of rows for each database, predictions last; what overlaps stands in a row of its own', () => {
    expect(
      layRows(features).map((row) => [row.analysis, row.features.map(({ accession }) => accession).join()]),
    ).toEqual([
      ['Pfam', 'PF00069'],
      [null, 'PF2'],
      ['SMART', 'SM00220'],
      ['PANTHER', 'PTHR1'],
      ['Phobius', 'SIGNAL_PEPTIDE'],
    ])
  })
  it('the architecture has the best of overlapping signatures', () => {
    expect(summarizeFeatures(features).map(({ accession }) => accession)).toEqual(['SIGNAL_PEPTIDE', 'PF00069', 'PF2'])
    expect(summarizeFeatures(features.slice(0, 1)).map(({ accession }) => accession)).toEqual(['PTHR1'])
  })
  it('signatures of one entry have one colour', () => {
    expect(colourGroups(features).map(({ group }) => group)).toEqual(['PTHR1', 'IPR000719', 'PF2'])
  })
  it('residues stand in the columns of their row, parted by gaps', () => {
    expect(plainRuns(3, 5)).toEqual([[2, 4]])
    expect(alignedRuns('--MK-LV')(2, 4)).toEqual([
      [3, 3],
      [5, 6],
    ])
    expect(alignedRuns('MKLV')(3, 9)).toEqual([[2, 3]])
  })
})

describe('colours of a structure', () => {
  const protein = {
    features,
    length: 300,
    variants: [
      {
        set: 's',
        sequence: 'c',
        position: 1,
        reference: 'A',
        alternates: ['T'],
        residue: 5,
        consequence: 'synonymous',
        change: '',
      },
      {
        set: 's',
        sequence: 'c',
        position: 2,
        reference: 'A',
        alternates: ['T'],
        residue: 5,
        consequence: 'stop_gained',
        change: '',
      },
    ],
  }
  it('a residue has the colour of its domain, of the gravest variant, or none', () => {
    const domains = residueColours(protein, 'domains')
    expect(domains[28]).toBe('#999999')
    expect(domains[29]).not.toBe('#999999')
    // Residues 140 to 150 are of both, and have the colour of what begins there.
    expect([domains[138], domains[149]]).toEqual([domains[29], domains[199]])
    expect(residueColours(protein, 'variants')[4]).toBe('#d55e00')
  })
  it('residues are those of the chain by its own numbers', () => {
    const chains = new Map([['B', [{ number: 101, residue: 1, length: 50 }]]])
    const colour = colourResidues(chains, protein, 'domains')
    expect(colour({ chain: 'B', number: 130 }, 0)).toBe(residueColours(protein, 'domains')[29])
    expect(colour({ chain: 'A', number: 130 }, 0)).toBe('#999999')
    expect(chainRanges(chains, 40, 90)).toEqual([{ chain: 'B', from: 140, to: 150 }])
    expect(chainRanges(chains, 60, 90)).toEqual([])
  })
  it('confidence has four steps', () => {
    expect([95, 90, 60, 20].map(confidenceColour)).toEqual(['#0053d6', '#65cbf3', '#ffdb13', '#ff7d45'])
  })
})
