import { describe, expect, test } from 'vitest'
import { planScope } from './search-scope.ts'

const genome = (id: string, species: string, reference = false, kinds = ['genome', 'protein']) => ({
  id,
  species,
  reference,
  dataTypes: Object.fromEntries(kinds.map((kind) => [`blast-${kind}`, 1])),
})
const loaded = [
  genome('Y1', 'yeast'),
  genome('Y2', 'yeast', true),
  genome('Y3', 'yeast', false, ['genome']),
  genome('N1', 'neurospora', true),
  genome('U1', 'ustilago', true, []),
]

describe('which databases a search without a choice takes', () => {
  test('all that have one, of the kind that the program compares with', () => {
    expect(planScope(loaded, 'blastn')).toEqual({
      names: ['Y1/genome', 'Y2/genome', 'Y3/genome', 'N1/genome'],
      leftOut: [],
      available: 4,
    })
    expect(planScope(loaded, 'blastx').names).toEqual(['Y1/protein', 'Y2/protein', 'N1/protein'])
    expect(planScope(loaded, 'tblastn', { species: 'neurospora' }).names).toEqual(['N1/genome'])
  })

  test('the species that a gene comes from stands first, so that its genetic code is the first one', () => {
    expect(planScope(loaded, 'blastn', { assembly: 'N1' }).names[0]).toBe('N1/genome')
  })

  test('beyond the limit no species is left out before another has its second genome, and the rest is named', () => {
    expect(planScope(loaded, 'blastn', {}, 2)).toEqual({
      names: ['Y2/genome', 'N1/genome'],
      leftOut: ['Y1', 'Y3'],
      available: 4,
    })
    expect(planScope(loaded, 'blastn', { assembly: 'Y3' }, 2)).toEqual({
      names: ['Y2/genome', 'Y3/genome'],
      leftOut: ['Y1', 'N1'],
      available: 4,
    })
    expect(planScope(loaded, 'blastn', { species: 'yeast' }, 2).leftOut).toEqual(['Y3'])
  })
})
