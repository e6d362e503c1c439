import { describe, expect, test } from 'vitest'
import { openingAddress, openingFields } from './tool-openings.ts'

const region = { assembly: 'R64', sequence: 'chrIV', start: 500_000, end: 600_000 }

describe('links into a tool', () => {
  test('fill a region in as the tool writes it, and run only where both sides agree', () => {
    const opening = { target: 'region', query: { assembly: '{assembly}', loc: '{sequence}:{start}..{end}' } } as const
    expect(openingAddress('/cut', opening, region)).toBe('/cut?assembly=R64&loc=chrIV%3A500000..600000')
    expect(openingAddress('/cut', opening, region, { run: true })).not.toContain('run=')
    expect(openingAddress('/cut', { ...opening, run: true }, region)).not.toContain('run=')
    expect(openingAddress('/cut', { ...opening, run: true }, region, { run: true })).toMatch(/&run=1$/)
  })

  test('keep a term with quotes and ampersands whole within a structure, and leave out what is empty', () => {
    const query = { assemblies: '{assemblies}', groups: [{ rows: [{ kind: 'term', term: '{term}' }] }] }
    const term = 'Mevalonate/galactokinase & "kin" {term}'
    const address = openingAddress('/find', { target: 'genesOfTerm', query }, { term, assemblies: '' })
    const { searchParams } = new URL(address, 'https://portal.example')
    expect([...searchParams.keys()]).toEqual(['groups'])
    expect(openingFields({ target: 'genesOfTerm', query }, { term, assemblies: '' })).toEqual([
      ['groups', [{ rows: [{ kind: 'term', term }] }]],
    ])
    expect(JSON.parse(searchParams.get('groups')!.replace(/^~/, ''))).toEqual([{ rows: [{ kind: 'term', term }] }])
  })
})
