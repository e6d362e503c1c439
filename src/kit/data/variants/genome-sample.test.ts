import { expect, test } from 'vitest'
import { findGenomeSample } from './genome-sample.ts'

const genome = { id: 'BCG-Pasteur', strain: 'Pasteur 1173P2', name: 'BCG Pasteur', accession: 'NC_008769.1' }

test('the sample of a genome bears its id, strain, accession or name, however its parts are joined', () => {
  for (const name of ['BCG-Pasteur', 'bcg_pasteur', 'Pasteur.1173P2', 'NC_008769.1'])
    expect(findGenomeSample(['H37Rv', name], genome)).toBe(1)
})

test('a sample that only resembles it is another strain, and of two alike neither is taken', () => {
  expect(findGenomeSample(['BCG-Tokyo', 'Pasteur'], genome)).toBe(-1)
  expect(findGenomeSample(['BCG-Pasteur', 'BCG Pasteur'], genome)).toBe(-1)
})
