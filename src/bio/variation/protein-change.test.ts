import { expect, test } from 'vitest'
import { proteinChange } from './protein-change.ts'

// Expected names: HGVS recommendations 21.0 (hgvs-nomenclature.org), protein.
test.each([
  ['419G>419A', 'missense', 'p.(Gly419Ala)'],
  ['154A', 'synonymous', 'p.(Ala154=)'],
  ['12KL', 'synonymous', 'p.(Lys12_Leu13=)'],
  ['174K>174*', 'stop_gained', 'p.(Lys174Ter)'],
  ['174KL*>174K*', 'stop_gained&inframe_deletion', 'p.(Leu175Ter)'],
  ['1M>1V', 'start_lost', 'p.(Met1?)'],
  ['12KL>12RM', 'missense', 'p.(Lys12_Leu13delinsArgMet)'],
  ['12KL>12KM', 'missense', 'p.(Leu13Met)'],
  ['1067ITKQTTET>1067T', 'inframe_deletion', 'p.(Ile1067_Glu1073del)'],
  ['5KAA>5KA', 'inframe_deletion', 'p.(Ala7del)'],
  ['46T>46TT', 'inframe_insertion', 'p.(Thr46dup)'],
  ['46TS>46TGS', 'inframe_insertion', 'p.(Thr46_Ser47insGly)'],
  // More residues than are spelt are counted, as HGVS counts residues that it does not name.
  ['46TS>46TGAVLGAVLGAVLS', 'inframe_insertion', 'p.(Thr46_Ser47insXaa[12])'],
  // The residue behind it is not told.
  ['46T>46TG', 'inframe_insertion', 'p.(Thr46delinsThrGly)'],
  ['46T>46GAT', 'inframe_insertion', 'p.(Thr46delinsGlyAlaThr)'],
  ['331*', 'stop_retained', 'p.(Ter331=)'],
  ['330K*>330KR*', 'inframe_insertion&stop_retained', 'p.(Lys330_Ter331insArg)'],
  ['330K*>330KK*', 'inframe_insertion&stop_retained', 'p.(Lys330dup)'],
  ['329KL*>329K*', 'inframe_deletion&stop_retained', 'p.(Leu330del)'],
  ['331*>331R', 'stop_lost', 'p.(Ter331ArgextTer?)'],
  ['331*>331RGT*', 'stop_lost', 'p.(Ter331ArgextTer3)'],
  ['331*>331RGT*', 'frameshift', 'p.(Ter331ArgextTer3)'],
  ['330K*>330K', 'stop_lost&inframe_deletion', 'p.(Ter331?)'],
  ['7TEEDKL*>7TNT*', 'frameshift', 'p.(Glu8AsnfsTer3)'],
  ['7TEEDKL*>7TNTW', 'frameshift', 'p.(Glu8fs)'],
  ['7TEEDKL*>7T*', 'frameshift', 'p.(Glu8Ter)'],
  ['8EEDKL*>8NT*', 'frameshift&splice_region', 'p.(Glu8AsnfsTer3)'],
])('%s (%s) is %s', (text, names, written) => {
  expect(proteinChange(text, names.split('&'))).toBe(written)
})

test('what is written otherwise stays as it is', () => {
  expect(proteinChange('p.(Gly419Ala)', ['missense'])).toBe('p.(Gly419Ala)')
})
