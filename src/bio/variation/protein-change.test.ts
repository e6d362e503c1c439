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
  ['5KAAG>5KAG', 'inframe_deletion', 'p.(Ala7del)'],
  ['46TS>46TTS', 'inframe_insertion', 'p.(Thr46dup)'],
  ['46TS>46TGS', 'inframe_insertion', 'p.(Thr46_Ser47insGly)'],
  // More residues than are spelt are counted, as HGVS counts residues that it does not name.
  ['46TS>46TGAVLGAVLGAVLS', 'inframe_insertion', 'p.(Thr46_Ser47insXaa[12])'],
  ['46T>46GA', 'inframe_insertion', 'p.(Thr46delinsGlyAla)'],
  // Residues on either side, which are not told, may be the same as those deleted or inserted.
  ['5KAA>5KA', 'inframe_deletion', '5KAA>5KA'],
  ['46T>46TT', 'inframe_insertion', '46T>46TT'],
  ['46T>46TG', 'inframe_insertion', '46T>46TG'],
  ['46T>46GAT', 'inframe_insertion', '46T>46GAT'],
  ['46TS>46TATS', 'inframe_insertion', '46TS>46TATS'],
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
  expect(proteinChange(text, names.split('&'), null)).toBe(written)
})

//               1   5    10   15   20  24
const protein = 'MSAAAAGTGTGTKDEPPPSSSLW*'
/** Both proteins, when the change is the one that csq tells. */
const proteinsOf = (text: string, before: string): { before: string; after: string } => {
  const [, number, from, to] = /^(\d+)([A-Z*]+)>\d+([A-Z*]+)$/.exec(text)!
  const first0 = Number(number) - 1
  return { before, after: before.slice(0, first0) + to + before.slice(first0 + from!.length) }
}
test.each([
  // Runs of one residue and of two; csq reports the place that the file has, most often the first.
  ['3AA>3A', 'inframe_deletion', 'p.(Ala6del)'],
  ['2SA>2S', 'inframe_deletion', 'p.(Ala6del)'],
  ['2SAA>2S', 'inframe_deletion', 'p.(Ala5_Ala6del)'],
  ['6AGT>6A', 'inframe_deletion', 'p.(Gly11_Thr12del)'],
  ['7GTG>7G', 'inframe_deletion', 'p.(Gly11_Thr12del)'],
  ['2S>2SA', 'inframe_insertion', 'p.(Ala6dup)'],
  ['6A>6AGT', 'inframe_insertion', 'p.(Gly11_Thr12dup)'],
  ['6A>6AGTGT', 'inframe_insertion', 'p.(Gly9_Thr12dup)'],
  // What repeats nothing is inserted between two residues that are named, also where it begins or ends like them.
  ['12T>12TH', 'inframe_insertion', 'p.(Thr12_Lys13insHis)'],
  ['13K>13KDH', 'inframe_insertion', 'p.(Asp14_Glu15insHisAsp)'],
  ['13K>13HQK', 'inframe_insertion', 'p.(Thr12_Lys13insHisGln)'],
  ['13KDE>13H', 'inframe_deletion', 'p.(Lys13_Glu15delinsHis)'],
  ['13KD>13KWYD', 'inframe_insertion', 'p.(Lys13_Asp14insTrpTyr)'],
  // At the two ends.
  ['1MS>1M', 'inframe_deletion', 'p.(Ser2del)'],
  ['1M>1MS', 'inframe_insertion', 'p.(Ser2dup)'],
  ['1M>1MH', 'inframe_insertion', 'p.(Met1_Ser2insHis)'],
  ['22LW*>22L*', 'inframe_deletion&stop_retained', 'p.(Trp23del)'],
  ['22LW>22L', 'inframe_deletion', 'p.(Trp23del)'],
  ['23W>23WW', 'inframe_insertion', 'p.(Trp23dup)'],
  ['24*>24H*', 'inframe_insertion&stop_retained', 'p.(Trp23_Ter24insHis)'],
  ['13K>13K*', 'stop_gained&inframe_insertion', 'p.(Asp14Ter)'],
  // An insertion that brings a stop is told to that stop, a long one by the place of the stop in it; one that begins with it is a stop.
  ['12T>12TH*W', 'stop_gained&inframe_insertion', 'p.(Thr12_Lys13insHisTer)'],
  ['6A>6AV*', 'stop_gained&inframe_insertion', 'p.(Ala6_Gly7insValTer)'],
  ['13K>13KWYWYWYWYWY*AA', 'stop_gained&inframe_insertion', 'p.(Lys13_Asp14insTer11)'],
  ['13KDE>13H*', 'stop_gained&inframe_deletion', 'p.(Lys13_Glu15delinsHisTer)'],
  // With its first stop where it was, and the same residues before it, the protein is the same.
  ['22L>22LW*PGDLW*PGDL', 'stop_gained&inframe_insertion', 'p.(=)'],
  ['24*>24*PGD*', 'inframe_insertion&stop_retained', 'p.(=)'],
  // Others say all that there is to say by themselves, whatever stands behind.
  ['6AGTG>6AV*', 'frameshift', 'p.(Gly7ValfsTer2)'],
  ['24*>24QR*', 'stop_lost', 'p.(Ter24GlnextTer2)'],
  ['1M>1MV', 'start_lost', 'p.(Met1?)'],
  ['3A>3T', 'missense', 'p.(Ala3Thr)'],
])('in a protein that is known %s (%s) is %s', (text, names, written) => {
  expect(proteinChange(text, names.split('&'), proteinsOf(text, protein))).toBe(written)
})

test('a codon for selenocysteine is a stop to csq and in the protein alike, and what lies before it moves up to it', () => {
  const told = (text: string, kind: string, before: string): string =>
    proteinChange(text, [kind], proteinsOf(text, before))
  expect(told('2AA>2A', 'inframe_deletion', 'MAA*GK*')).toBe('p.(Ala3del)')
  expect(told('4*>4A*', 'inframe_insertion', 'MAA*GK*')).toBe('p.(Ala3dup)')
  expect(told('4*>4K*', 'inframe_insertion', 'MAA*GK')).toBe('p.(Ala3_Ter4insLys)')
})

test('residues that csq reads wrongly do not go into the name', () => {
  const proteins = { before: 'MSAAAAGT*', after: 'MSAAAGT*' }
  expect(proteinChange('3AA>3G', ['inframe_deletion'], proteins)).toBe('p.(Ala6del)')
})

test('what is written otherwise stays as it is', () => {
  expect(proteinChange('p.(Gly419Ala)', ['missense'], null)).toBe('p.(Gly419Ala)')
})
