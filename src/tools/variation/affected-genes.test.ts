import { expect, test } from 'vitest'
import { affectedGenes } from './affected-genes.ts'

test('a stop gained affects the gene that it stops, not the one that overlaps it without a change', () => {
  const effects = [
    { gene: 'Rv1574', consequences: ['synonymous'] },
    { gene: 'Rv1575', consequences: ['stop_gained'] },
    { gene: 'Rv1575', consequences: ['stop_gained', 'splice_region'] },
  ]
  expect(affectedGenes(effects, ['stop_gained', 'frameshift'])).toEqual(['Rv1575'])
  expect(affectedGenes(effects, ['synonymous'])).toEqual(['Rv1574'])
  expect(affectedGenes(effects, [])).toEqual(['Rv1574', 'Rv1575'])
})
