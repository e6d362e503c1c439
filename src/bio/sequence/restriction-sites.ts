// Cleaved amplified polymorphic sequences: restriction sites that one allele has and the other lacks.

import { reverseComplement } from './sequence.ts'

export interface RestrictionEnzyme {
  name: string
  /** 5' to 3', IUPAC codes. */
  site: string
  /** Bases of the site before the cut. Both strands are cut so far from their own 5' ends of the site, also where it is no palindrome. */
  cut: number
}

/**
 * Commercial type II enzymes that are much used for CAPS markers, with recognition site and cut of the upper strand. Facts of REBASE
 * (Roberts et al. 2015, Nucleic Acids Research 43:D298).
 */
export const restrictionEnzymes: readonly RestrictionEnzyme[] = (
  [
    ['AatII', 'GACGT^C'],
    ['AccI', 'GT^MKAC'],
    ['AciI', 'C^CGC'],
    ['AclI', 'AA^CGTT'],
    ['AfeI', 'AGC^GCT'],
    ['AflII', 'C^TTAAG'],
    ['AgeI', 'A^CCGGT'],
    ['AluI', 'AG^CT'],
    ['ApaI', 'GGGCC^C'],
    ['ApaLI', 'G^TGCAC'],
    ['AseI', 'AT^TAAT'],
    ['AvaI', 'C^YCGRG'],
    ['AvaII', 'G^GWCC'],
    ['AvrII', 'C^CTAGG'],
    ['BamHI', 'G^GATCC'],
    ['BanI', 'G^GYRCC'],
    ['BanII', 'GRGCY^C'],
    ['BclI', 'T^GATCA'],
    ['BfaI', 'C^TAG'],
    ['BglI', 'GCCNNNN^NGGC'],
    ['BglII', 'A^GATCT'],
    ['BsaHI', 'GR^CGYC'],
    ['BsaJI', 'C^CNNGG'],
    ['BsrFI', 'R^CCGGY'],
    ['BstEII', 'G^GTNACC'],
    ['BstNI', 'CC^WGG'],
    ['BstUI', 'CG^CG'],
    ['BstXI', 'CCANNNNN^NTGG'],
    ['ClaI', 'AT^CGAT'],
    ['DdeI', 'C^TNAG'],
    ['DpnII', '^GATC'],
    ['DraI', 'TTT^AAA'],
    ['EaeI', 'Y^GGCCR'],
    ['EagI', 'C^GGCCG'],
    ['EcoRI', 'G^AATTC'],
    ['EcoRV', 'GAT^ATC'],
    ['Fnu4HI', 'GC^NGC'],
    ['HaeIII', 'GG^CC'],
    ['HhaI', 'GCG^C'],
    ['HincII', 'GTY^RAC'],
    ['HindIII', 'A^AGCTT'],
    ['HinfI', 'G^ANTC'],
    ['HpaI', 'GTT^AAC'],
    ['HpaII', 'C^CGG'],
    ['KpnI', 'GGTAC^C'],
    ['MboI', '^GATC'],
    ['MluCI', '^AATT'],
    ['MluI', 'A^CGCGT'],
    ['MscI', 'TGG^CCA'],
    ['MseI', 'T^TAA'],
    ['MspI', 'C^CGG'],
    ['NcoI', 'C^CATGG'],
    ['NdeI', 'CA^TATG'],
    ['NheI', 'G^CTAGC'],
    ['NlaIII', 'CATG^'],
    ['NotI', 'GC^GGCCGC'],
    ['NruI', 'TCG^CGA'],
    ['NsiI', 'ATGCA^T'],
    ['PmlI', 'CAC^GTG'],
    ['PstI', 'CTGCA^G'],
    ['PvuI', 'CGAT^CG'],
    ['PvuII', 'CAG^CTG'],
    ['RsaI', 'GT^AC'],
    ['SacI', 'GAGCT^C'],
    ['SacII', 'CCGC^GG'],
    ['SalI', 'G^TCGAC'],
    ['Sau96I', 'G^GNCC'],
    ['ScaI', 'AGT^ACT'],
    ['ScrFI', 'CC^NGG'],
    ['SmaI', 'CCC^GGG'],
    ['SnaBI', 'TAC^GTA'],
    ['SpeI', 'A^CTAGT'],
    ['SphI', 'GCATG^C'],
    ['SspI', 'AAT^ATT'],
    ['StuI', 'AGG^CCT'],
    ['StyI', 'C^CWWGG'],
    ['TaqI', 'T^CGA'],
    ['XbaI', 'T^CTAGA'],
    ['XhoI', 'C^TCGAG'],
    ['XmnI', 'GAANN^NNTTC'],
  ] as const
).map(([name, written]) => ({ name, site: written.replace('^', ''), cut: written.indexOf('^') }))

const bases: Record<string, string> = {
  A: 'A',
  C: 'C',
  G: 'G',
  T: 'T',
  R: 'AG',
  Y: 'CT',
  S: 'CG',
  W: 'AT',
  K: 'GT',
  M: 'AC',
  B: 'CGT',
  D: 'AGT',
  H: 'ACT',
  V: 'ACG',
  N: 'ACGT',
}

const matches = (site: string, sequence: string, from: number): boolean => {
  for (let at = 0; at < site.length; at += 1) {
    const base = sequence[from + at]
    if (base === undefined || !bases[site[at]!]!.includes(base)) return false
  }
  return true
}

/**
 * Where an enzyme cuts the upper strand: bases before each cut, ascending. Unknown bases are in no site.
 *
 * Example: `findCuts('AAGAATTCAA', {name: 'EcoRI', site: 'GAATTC', cut: 1})` is `[3]`.
 */
export const findCuts = (sequence: string, { site, cut }: RestrictionEnzyme): number[] => {
  const text = sequence.toUpperCase()
  const turned = reverseComplement(site)
  const found = new Set<number>()
  for (let from = 0; from + site.length <= text.length; from += 1) {
    if (matches(site, text, from) || (turned !== site && matches(turned, text, from))) found.add(from + cut)
  }
  return [...found].sort((a, b) => a - b)
}

/** Lengths of the pieces of a linear sequence. Example: `fragmentsOf(100, [30])` is `[30, 70]`. */
export const fragmentsOf = (lengthBp: number, cuts: readonly number[]): number[] =>
  [0, ...cuts].map((cut, at) => (cuts[at] ?? lengthBp) - cut).filter((length) => length > 0)

export interface AlleleCut {
  enzyme: RestrictionEnzyme
  /** Allele that is cut where the other is not. */
  cutAllele: 'reference' | 'alternate'
}

/**
 * Enzymes that cut one of two alleles at the variant and not the other. `before` and `after` are the bases around it, long enough for any
 * site.
 *
 * Example: with `AAG` before and `ATTCAA` after, `A` to `T` loses the site of EcoRI.
 */
export const findAlleleCuts = (before: string, reference: string, alternate: string, after: string): AlleleCut[] =>
  restrictionEnzymes.flatMap((enzyme): AlleleCut[] => {
    const reach = enzyme.site.length - 1
    const left = before.slice(Math.max(0, before.length - reach))
    const right = after.slice(0, reach)
    const [first, second] = [reference, alternate].map((allele) => findCuts(left + allele + right, enzyme).length)
    if (first === second || (first! > 0 && second! > 0)) return []
    return [{ enzyme, cutAllele: first! > 0 ? 'reference' : 'alternate' }]
  })

export interface DerivedCut extends AlleleCut {
  /** Bases from the changed one to the variant. */
  distance: number
  /** The base that the primer brings in place of the genome's. */
  from: string
  to: string
}

/**
 * The primer's last bases stay as they are, so that it can be extended (Neff et al. 1998, Plant Journal 14:387; 2002, Trends in Genetics
 * 18:613).
 */
const minDistance = 2
const maxDistance = 6

/**
 * Enzymes that cut one allele only when a primer that ends before the variant brings one other base (dCAPS). Distance counts from the
 * variant to the changed base, 1 for the base beside it; that base is left alone. Enzymes that tell the alleles apart without a change
 * are CAPS markers, not these.
 */
export const findDerivedCuts = (before: string, reference: string, alternate: string, after: string): DerivedCut[] => {
  const found: DerivedCut[] = []
  const seen = new Set(findAlleleCuts(before, reference, alternate, after).map(({ enzyme }) => enzyme.name))
  for (let distance = minDistance; distance <= Math.min(maxDistance, before.length); distance += 1) {
    const index = before.length - distance
    const from = before[index]!
    for (const to of 'ACGT') {
      if (to === from) continue
      const changed = `${before.slice(0, index)}${to}${before.slice(index + 1)}`
      for (const { enzyme, cutAllele } of findAlleleCuts(changed, reference, alternate, after)) {
        if (seen.has(enzyme.name)) continue
        seen.add(enzyme.name)
        found.push({ enzyme, cutAllele, distance, from, to })
      }
    }
  }
  return found
}
