import { describe, expect, test } from 'vitest'
import type { StructuralDifference } from '../../contracts/structural-differences.ts'
import { densityRows } from './density-rows.ts'
import { listPrivate, withoutCount } from './private-rows.ts'
import type { ChangedGene, StrainReport } from './tool.ts'

const difference = (about: Partial<StructuralDifference>): StructuralDifference => ({
  kind: 'deletion',
  copyIn: null,
  basis: 'alignment',
  sizeBp: 100,
  a: { sequence: 'chr', start: 1, end: 100, lengthBp: 100, parts: [] },
  b: { sequence: 's', start: 1, end: 2, lengthBp: 0, parts: [] },
  genes: [],
  geneRuns: [],
  junctions: [],
  genesOf: 'first',
  geneCount: 0,
  partly: 0,
  regions: [],
  alsoIn: [],
  notIn: ['T'],
  ...about,
})
const reportOf = (differences: StructuralDifference[], genes: Partial<ChangedGene>[]): StrainReport =>
  ({ structure: { differences }, genes: { rows: genes } }) as unknown as StrainReport

describe('what no other strain has', () => {
  test('is what none shares, and at least one is known to be without', () => {
    const own = difference({})
    const rows = listPrivate(
      reportOf(
        [
          own,
          difference({ alsoIn: ['T'] }),
          difference({ notIn: [] }),
          difference({ alsoIn: null, notIn: null }),
          // Only the reference is known to be without it.
          difference({ notIn: ['REF'] }),
        ],
        [
          { id: 'lost', alsoIn: 0, notIn: 2, unknownIn: 1 },
          { id: 'shared', alsoIn: 1, notIn: 1, unknownIn: 0 },
          { id: 'unknown', alsoIn: 0, notIn: 0, unknownIn: 2 },
        ],
      ),
      'REF',
    )
    expect(rows.map((row) => row.gene?.id ?? row.difference)).toEqual([own, 'lost'])
    expect(rows.map(withoutCount)).toEqual([1, 2])
  })
})

describe('windows', () => {
  const density = {
    assembly: 'REF',
    omitted: 0,
    windowBp: 1000,
    toldApart: true,
    comparedBp: 1550,
    substitutions: 4,
    insertions: 1,
    deletions: 0,
    sequences: [
      {
        name: 'chr',
        lengthBp: 2500,
        comparedBp: [1000, 500, 50],
        substitutions: [2, 2, 0],
        insertions: [1, 0, 0],
        deletions: [0, 0, 0],
      },
    ],
  }

  test('have rates per kb of what is compared, the last one is shorter', () => {
    expect(densityRows(density).map(({ start, end, snps, indels }) => [start, end, snps, indels])).toEqual([
      [1, 1000, 2, 1],
      [1001, 2000, 4, 0],
      [2001, 2500, 0, 0],
    ])
  })

  test('of which little is compared have none, and no SNPs where mismatches are not told', () => {
    const [row] = densityRows({
      ...density,
      sequences: [{ ...density.sequences[0]!, lengthBp: 1000, comparedBp: [99] }],
    })
    expect(row).toMatchObject({ snps: null, indels: null })
    expect(densityRows({ ...density, toldApart: false })[0]).toMatchObject({ snps: null, indels: 1 })
  })
})
