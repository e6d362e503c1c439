import type { ReadingFrame } from '../comparative/gene-presence.ts'
import { translate } from '../sequence/genetic-codes.ts'
import { type FollowedCoding, followCoding } from './followed-coding.ts'
import { proteinChange } from './protein-change.ts'

/** Of a gene whose start is lost, a start in frame within this share of it serves. */
const laterStartShare = 0.1

/**
 * How the gene reads in the other genome, codon by codon from its start to the first stop; null where it does not read in its own either
 * (a pseudogene, a part), or nothing of it is aligned. Where the frame is left and found again before a stop, only what lies between is lost.
 *
 * Example: of `ATGGCTCAATAA` the bases `ATGGCTTAATAA` have a stop in place of Gln3: `{change: 'stop', codon1: 3, hgvs: 'p.(Gln3Ter)'}`.
 */
export const readFrame = (coding: FollowedCoding): ReadingFrame | null => {
  const { own, other, at, aligned, before } = followCoding(coding)
  const code = { table: coding.geneticCode }
  const ownRead = own.slice(coding.phase)
  const ownProtein = translate(ownRead, code)
  const ends = ownProtein.endsWith('*')
  const codons = ownProtein.length - (ends ? 1 : 0)
  if (codons === 0 || ownProtein.slice(0, codons).includes('*')) return null
  // Read from the first whole codon that is there.
  const first = at.findIndex((base, here) => aligned[here]! && base >= coding.phase && (base - coding.phase) % 3 === 0)
  if (first === -1) return null
  const codonAt = (here: number): number => Math.floor((at[here]! - coding.phase) / 3)
  const begin = codonAt(first)
  const protein = translate(other.slice(first), code)
  const stopAt = protein.indexOf('*')
  const read = stopAt === -1 ? protein.length : stopAt
  let kept = 0
  /** A residue of the other genome that begins with the first base of a codon, the last before the frame is left: both proteins from there on. */
  let inFrame = { residue: 0, codon: begin }
  /** Where the frame was left. */
  let left: { residue: number; codon: number; codon1: number } | null = null
  for (let residue = 0; residue < read; residue += 1) {
    const here = first + 3 * residue
    // A residue of further bases alone leaves the frame as it is.
    const offset = [0, 1, 2].find((one) => aligned[here + one] === true)
    if (offset === undefined) continue
    if ((at[here + offset]! - coding.phase - offset) % 3 !== 0)
      left ??= { ...inFrame, codon1: codonAt(here + offset) + 1 }
    else {
      if (offset === 0) {
        kept += 1
        inFrame = { residue, codon: codonAt(here) }
      }
      left = null
    }
  }
  const keptShare = Math.min(1, kept / codons)
  const whole = { codons, keptShare, change: null, codon1: null, hgvs: null }
  const upstream = before + other.slice(0, first)
  if (startIsLost({ own: ownRead, upstream, other: other.slice(first), begin, table: coding.geneticCode }))
    return { ...whole, change: 'start', codon1: 1, hgvs: 'p.(Met1?)' }
  const stopCodon = stopAt === -1 ? null : codonAt(first + 3 * stopAt)
  if (left !== null || (stopAt !== -1 && (at[first + 3 * stopAt]! - coding.phase) % 3 !== 0 && stopCodon! < codons)) {
    const { residue, codon, codon1 } = left ?? { ...inFrame, codon1: stopCodon! + 1 }
    const hgvs = proteinChange(
      `${codon + 1}${ownProtein.slice(codon) || 'X'}>${codon + 1}${protein.slice(residue, stopAt === -1 ? undefined : stopAt + 1) || 'X'}`,
      ['frameshift'],
      null,
    )
    return { ...whole, change: 'frameshift', codon1, hgvs }
  }
  if (stopCodon !== null && stopCodon < codons) {
    const hgvs = proteinChange(`${stopCodon + 1}${ownProtein[stopCodon]}>${stopCodon + 1}*`, ['stop_gained'], null)
    return { ...whole, change: 'stop', codon1: stopCodon + 1, hgvs }
  }
  return whole
}

const bacterialCodes = new Set([4, 11, 25])

/** Codons from which a gene is usually read. */
const usualStarts = (table: number): ReadonlySet<string> =>
  new Set(bacterialCodes.has(table) ? ['ATG', 'GTG', 'TTG'] : ['ATG'])

/**
 * Whether the start codon is lost; not where the gene has none of its own, or another in frame follows soon, or stands before it with no
 * stop between: starts are often annotated elsewhere in another species.
 */
const startIsLost = ({
  own,
  upstream,
  other,
  begin,
  table,
}: {
  own: string
  /** Bases of the other genome before its first codon that is read. */
  upstream: string
  other: string
  /** Number of that codon, from 0. */
  begin: number
  table: number
}): boolean => {
  const usual = usualStarts(table)
  if (!usual.has(own.slice(0, 3))) return false
  const lastCodon = Math.floor((laterStartShare * own.length) / 3)
  for (let codon = begin; codon <= lastCodon; codon += 1)
    if (usual.has(other.slice(3 * (codon - begin), 3 * (codon - begin) + 3))) return false
  for (let end = upstream.length; end >= 3; end -= 3) {
    const codon = upstream.slice(end - 3, end)
    if (usual.has(codon)) return false
    if (translate(codon, { table }) === '*') break
  }
  return true
}
