import { describe, expect, it } from 'vitest'
import type { GeneSet } from '../../kit/ui/gene/gene-sets.ts'
import { geneSetChanges } from './gene-set-sync.tsx'

const set = (id: string, fields: Partial<GeneSet> = {}): GeneSet => ({
  id,
  name: `set ${id}`,
  assembly: 'R64-1-1',
  genes: ['YAL001C', 'YAL002W'],
  created: '2026-01-01T00:00:00Z',
  ...fields,
})

describe('what the account is told of the gene sets of a browser', () => {
  it('are the sets that are new, other than before, or gone', () => {
    const before = [set('a'), set('b'), set('c')]
    const now = [set('d'), set('a'), set('b', { genes: ['YAL001C'] })]
    const { created, changed, deleted } = geneSetChanges(before, now)
    expect(created.map((one) => one.id)).toEqual(['d'])
    expect(changed.map((one) => one.id)).toEqual(['b'])
    expect(deleted).toEqual(['c'])
  })

  it('is nothing when a set is only read anew', () => {
    expect(geneSetChanges([set('a')], [set('a')])).toEqual({ created: [], changed: [], deleted: [] })
    expect(geneSetChanges([set('a')], [set('a', { name: 'ribosome' })]).changed).toHaveLength(1)
  })
})
