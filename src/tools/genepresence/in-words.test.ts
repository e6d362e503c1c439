import { expect, test } from 'vitest'
import { presenceInWords } from './in-words.ts'
import { letterOfState, type Presence } from './tool.ts'

test('states of genes are columns of their genomes, in words', () => {
  const states = [
    `${letterOfState('intact')}${letterOfState('gone')}`,
    `${letterOfState('split')}${letterOfState('intact')}`,
  ]
  const result = { genomes: [{ id: 'B1' }, { id: 'C.2' }], genes: { id: ['g1', 'g2'], states } } as unknown as Presence
  expect(presenceInWords(result, (state) => `<${state}>`)).toMatchObject({
    genes: { id: ['g1', 'g2'], B1: ['<intact>', '<split>'], 'C.2': ['<gone>', '<intact>'] },
  })
  expect(presenceInWords(result, String)).not.toHaveProperty('genes.states')
})
