import { expect, test } from 'vitest'
import { proteinChange } from './protein-change.ts'

// Expected names: HGVS recommendations 21.0 (hgvs-nomenclature.org), protein.
test.each([
  ['419G>419A', 'missense', 'p.Gly419Ala'],
  ['154A', 'synonymous', 'p.Ala154='],
  ['174K>174*', 'stop_gained', 'p.Lys174Ter'],
  ['1M>1V', 'start_lost', 'p.Met1?'],
  ['331*>331R', 'stop_lost', 'p.Ter331ArgextTer?'],
  ['12KL>12RM', 'missense', 'p.Lys12_Leu13delinsArgMet'],
  ['12KL>12KM', 'missense', 'p.Leu13Met'],
  ['1067ITKQTTET>1067T', 'inframe_deletion', 'p.Ile1067_Glu1073del'],
  ['5KAA>5KA', 'inframe_deletion', 'p.Ala7del'],
  ['46T>46TT', 'inframe_insertion', 'p.Thr46dup'],
  ['46TS>46TGS', 'inframe_insertion', 'p.Thr46_Ser47insGly'],
  ['46T>46GAT', 'inframe_insertion', 'p.Thr46delinsGlyAlaThr'],
  ['7TEED..32>7TNT*', 'frameshift', 'p.Glu8AsnfsTer3'],
  ['7TEED..32>7TNTW..41', 'frameshift', 'p.Glu8fs'],
  ['7TEED..32>7T*', 'frameshift', 'p.Glu8Ter'],
])('%s (%s) is %s', (text, consequence, written) => {
  expect(proteinChange(text, [consequence])).toBe(written)
})

test('what is written otherwise stays as it is', () => {
  expect(proteinChange('p.(Gly419Ala)', ['missense'])).toBe('p.(Gly419Ala)')
})
