import { describe, expect, it } from 'vitest'
import { parseGeneSets } from './gene-sets.ts'

const now = '2026-01-01T00:00:00Z'

describe('gene sets from a file', () => {
  it('are read from GMT, each gene once', () => {
    expect(parseGeneSets('Glycolysis\tsource\tPGK1\tTDH3\tPGK1\r\n', now)).toEqual([
      { name: 'Glycolysis', assembly: null, genes: ['PGK1', 'TDH3'], created: now },
    ])
  })

  it('come back from JSON as they were exported', () => {
    const set = { id: 'x', name: 'RD1', assembly: 'H37Rv', genes: ['Rv3875'], created: now }
    expect(parseGeneSets(JSON.stringify([set]), now)).toEqual([
      { name: 'RD1', assembly: 'H37Rv', genes: ['Rv3875'], created: now },
    ])
  })

  it('are refused from anything else', () => {
    expect(parseGeneSets('[{"name": 1}]', now)).toBeNull()
    expect(parseGeneSets('[broken', now)).toBeNull()
    expect(parseGeneSets('Rv3875 Rv3874', now)).toBeNull()
  })
})
