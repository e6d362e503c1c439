import { expect, test } from 'vitest'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { PresenceGenes } from '../../kit/data/presence-data.ts'
import { outgroupFilter, readOutgroups } from './outgroup-families.ts'

const genes = { id: ['esxA', 'plcA', 'rrs'] } as PresenceGenes

const dataOf = (covered: string[]): PortalData =>
  ({
    getAssembly: async () => ({ species: 'tb' }),
    listAssemblies: async () => [
      { id: 'H37Rv', species: 'tb', outgroup: false },
      { id: 'BCG', species: 'tb', outgroup: false },
      { id: 'mc2', species: 'tb', outgroup: true },
      { id: 'yeast', species: 'sc', outgroup: true },
    ],
    getHomology: async () => ({ covered }),
    streamOrthogroups: async function* () {
      const group = (own: string, other: string[]) => ({
        members: new Map([
          ['H37Rv', [own]],
          ['mc2', other],
        ]),
      })
      yield [group('esxA', ['M1', 'M2'])]
      yield [{ members: new Map([['H37Rv', ['plcA']]]) }]
    },
  }) as unknown as PortalData

test('an outgroup has genes of a gene’s orthogroup, none, or, of a gene without a protein, nobody can say', async () => {
  const outgroups = await readOutgroups(dataOf(['H37Rv', 'mc2']), 'H37Rv', genes)
  expect(outgroups).toEqual([{ id: 'mc2', counts: [2, 0, null] }])
  const chosen = (asked: object): number[] =>
    [0, 1, 2].filter(outgroupFilter(outgroups, { familyAbsent: [], familyPresent: [], ...asked }))
  expect(chosen({})).toEqual([0, 1, 2])
  expect(chosen({ familyAbsent: ['mc2'] })).toEqual([1])
  expect(chosen({ familyPresent: ['mc2'] })).toEqual([0])
  expect(() => chosen({ familyAbsent: ['BCG'] })).toThrow()
})

test('of an outgroup whose proteins were not compared nothing is said, and nothing can be asked', async () => {
  const outgroups = await readOutgroups(dataOf(['H37Rv']), 'H37Rv', genes)
  expect(outgroups).toEqual([{ id: 'mc2', counts: null }])
  expect(() => outgroupFilter(outgroups, { familyAbsent: ['mc2'], familyPresent: [] })).toThrow()
})
