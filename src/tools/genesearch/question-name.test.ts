import { expect, test } from 'vitest'
import { nameQuestion } from './question-name.ts'
import tool, { type CriterionInput } from './tool.ts'

const words = {
  not: 'not',
  or: 'or',
  anyTerm: 'Function or family',
  biotype: (biotype: string) => biotype.replaceAll('_', ' '),
  number: String,
  measure: (measure: string) => (measure === 'gene' ? 'Gene length (bp)' : 'Expression'),
}
const named = (...groups: CriterionInput[][]): string =>
  nameQuestion(tool.input.parse({ groups: groups.map((rows) => ({ rows })) }).groups, words)

test('a set of what was found is named by the words that were typed', () => {
  expect(named([{ kind: 'term', term: 'GO:0006281' }])).toBe('GO:0006281')
  expect(
    named(
      [
        { kind: 'text', text: 'kinase' },
        { kind: 'prefix', text: 'pk' },
      ],
      [{ kind: 'biotype', not: true, biotypes: ['tRNA', 'protein_coding'] }],
    ),
  ).toBe('kinase or pk*; not tRNA, protein coding')
})

test('of a long list the first names, of a place its strand, of a size its bounds', () => {
  expect(named([{ kind: 'names', names: 'a b c d' }])).toBe('a, b, c, …')
  expect(named([{ kind: 'names', names: 'a b c' }])).toBe('a, b, c')
  expect(named([{ kind: 'location', region: 'chr1:1..9', strand: '-' }])).toBe('chr1:1..9 (−)')
  expect(named([{ kind: 'length', measure: 'gene', minimum: 500 }])).toBe('Gene length (bp) ≥ 500')
  expect(named([{ kind: 'expression', level: 'heat', minimum: 2, maximum: 8 }])).toBe('Expression heat 2 – 8')
})

test('what was not asked for has no words', () => {
  expect(named()).toBe('')
  expect(named([{ kind: 'term' }])).toBe('Function or family')
})
