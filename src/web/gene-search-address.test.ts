import { describe, expect, test } from 'vitest'
import { readQuery, schemaFields } from '../kit/ui/schema-fields.ts'
import genesearch from '../tools/genesearch/tool.ts'
import { genesInRegionAddress, genesOfTermAddress } from './gene-search-address.ts'

const inputOf = (address: string) => {
  const url = new URL(address, 'http://portal.example')
  expect(url.pathname).toBe(genesearch.route)
  expect(url.searchParams.get('run')).toBe('1')
  return genesearch.input.parse(readQuery(schemaFields(genesearch.input), url.searchParams))
}

describe('links into Gene search', () => {
  test('a GO term leads to its genes, those of its descendants included', () => {
    const { assemblies, groups } = inputOf(genesOfTermAddress('GO:0006012', ['R64', 'SK1']))
    expect(assemblies).toEqual(['R64', 'SK1'])
    expect(groups).toEqual([
      { rows: [expect.objectContaining({ kind: 'term', term: 'GO:0006012', descendants: true })] },
    ])
  })

  test('a term without assemblies asks in all of them, and a name with an ampersand stays whole', () => {
    const { assemblies, groups } = inputOf(genesOfTermAddress('Mevalonate/galactokinase & "kin"'))
    expect(assemblies).toEqual([])
    expect(groups[0]!.rows[0]).toMatchObject({ term: 'Mevalonate/galactokinase & "kin"' })
  })

  test('a region leads to the genes that overlap it', () => {
    const { assemblies, groups } = inputOf(
      genesInRegionAddress({ assembly: 'R64', sequence: 'chrIV', start: 500_000, end: 600_000 }),
    )
    expect(assemblies).toEqual(['R64'])
    expect(groups[0]!.rows[0]).toMatchObject({ kind: 'location', region: 'chrIV:500000..600000', within: false })
  })
})
