import { describe, expect, test } from 'vitest'
import type { AssemblySummary } from '../../contracts/species.ts'
import { readQuery, schemaFields } from '../../kit/ui/controls/schema-fields.ts'
import { assembliesWithoutHit, presenceSearches } from './presence-searches.ts'
import tool, { limits } from './tool.ts'

const assembly = (id: string, species: string, kinds: string[]): AssemblySummary =>
  ({
    id,
    species,
    dataTypes: Object.fromEntries(kinds.map((kind) => [`blast-${kind}`, 1])),
  }) as unknown as AssemblySummary
const everything = ['genome', 'transcript', 'cds', 'protein']
const loaded = [
  assembly('Smegmatis', 'mycolicibacterium', everything),
  assembly('H37Rv', 'tuberculosis', everything),
  assembly('BCG', 'tuberculosis', everything),
  assembly('Draft', 'tuberculosis', ['genome']),
]
const esxA = { id: 'Rv3875', assembly: 'H37Rv', species: 'tuberculosis', coding: true }
const inputOf = (address: string) =>
  tool.input.parse(readQuery(schemaFields(tool.input), new URL(address, 'http://portal.example').searchParams))

describe('whether other assemblies have a gene', () => {
  test('esxA of H37Rv is searched in BCG and the other genomes, never in its own, its species first', () => {
    const [genomes, proteins, bases] = presenceSearches(esxA, loaded)
    expect(inputOf(genomes!.address)).toMatchObject({
      program: 'tblastn',
      genes: ['Rv3875'],
      assembly: 'H37Rv',
      databases: ['BCG/genome', 'Draft/genome', 'Smegmatis/genome'],
    })
    expect(inputOf(proteins!.address)).toMatchObject({
      program: 'blastp',
      databases: ['BCG/protein', 'Smegmatis/protein'],
    })
    expect(inputOf(bases!.address)).toMatchObject({ program: 'blastn', databases: inputOf(genomes!.address).databases })
  })

  test('a gene of RNA has only its bases to search with', () => {
    expect(presenceSearches({ ...esxA, coding: false }, loaded).map((one) => one.program)).toEqual(['blastn'])
  })

  test('more assemblies than a search takes are cut, and it is told', () => {
    const many = Array.from({ length: limits.databases + 5 }, (_, n) => assembly(`A${n}`, 'tuberculosis', ['genome']))
    const [one] = presenceSearches(esxA, many)
    expect(one).toMatchObject({ searched: limits.databases, available: limits.databases + 5 })
    expect(inputOf(one!.address).databases).toHaveLength(limits.databases)
  })

  test('a portal with one assembly has nothing to search', () => {
    expect(presenceSearches(esxA, [loaded[1]!])).toEqual([])
  })

  test('BCG, which lacks RD1, is named as the one without esxA; pasted sequences are of no assembly', () => {
    const databases = [{ assembly: 'H37Rv' }, { assembly: 'BCG' }, { assembly: 'BCG' }, { assembly: null }]
    expect(assembliesWithoutHit(databases, [{ assembly: 'H37Rv' }, { assembly: null }])).toEqual(['BCG'])
    expect(assembliesWithoutHit(databases, [{ assembly: 'H37Rv' }, { assembly: 'BCG' }])).toEqual([])
  })
})
