import { expect, test } from 'vitest'
import type { AssemblySummary } from '../../contracts/species.ts'
import tool from './tool.ts'

test('the example asks for a word of a gene that is as long as it asks for: not of ESAT-6, which has 288 bases', () => {
  const gene = { symbol: null, sequence: 'chr', strand: '+' as const }
  const exampleGenes: AssemblySummary['exampleGenes'] = [
    { ...gene, id: 'Rv3875', description: 'early secretory antigenic target', start: 4_352_609, end: 4_352_896 },
    { ...gene, id: 'Rv1908c', description: 'catalase-peroxidase', start: 2_153_889, end: 2_156_111 },
  ]
  const assembly = { id: 'H37Rv', reference: true, geneCount: 2, exampleGenes } as AssemblySummary
  expect(tool.example({ assemblies: [assembly] })).toMatchObject({
    groups: [{ rows: [{ text: 'catalase' }] }, { rows: [{ minimum: 500 }] }],
  })
})
