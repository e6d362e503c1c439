import { describe, expect, it } from 'vitest'
import {
  choicesByAssembly,
  countGenes,
  type GenesAtServer,
  genesOfMost,
  idsOf,
  sharedAssembly,
} from './chosen-genes.ts'

const mixed = [
  { id: 'a1', assembly: 'A' },
  { id: 'b1', assembly: 'B' },
  { id: 'b2', assembly: 'B' },
]
const later: GenesAtServer = {
  assembly: 'A',
  count: 5000,
  total: 7012,
  ask: async () => ['a1', 'a2'],
}

describe('chosen genes', () => {
  it('are of one assembly where all are, and sent to a tool as those of the assembly that most are of', () => {
    expect(sharedAssembly(mixed)).toBeNull()
    expect(sharedAssembly(mixed.slice(1))).toBe('B')
    expect(sharedAssembly([])).toBeNull()
    expect(genesOfMost(mixed)).toEqual(mixed.slice(1))
    expect(genesOfMost([])).toEqual([])
  })

  it('at the server are counted, and asked for only when their ids are wanted', async () => {
    expect(countGenes(later)).toBe(5000)
    expect(sharedAssembly(later)).toBe('A')
    expect(genesOfMost(later)).toBe(later)
    expect(await idsOf(later)).toEqual(['a1', 'a2'])
    expect(await idsOf(mixed)).toEqual(['a1', 'b1', 'b2'])
  })

  it('of several assemblies are offered together and assembly by assembly, of one only together', () => {
    const label = (count: number, assembly: string | null): string => `${count} ${assembly}`
    expect(choicesByAssembly(mixed, label)).toEqual([
      { key: '', label: '3 null', genes: mixed },
      { key: 'A', label: '1 A', genes: mixed.slice(0, 1) },
      { key: 'B', label: '2 B', genes: mixed.slice(1) },
    ])
    expect(choicesByAssembly(mixed.slice(1), label).map(({ label }) => label)).toEqual(['2 null'])
  })
})
