import { changeOf } from '../../bio/variation/coding-consequences.ts'
import type { ChangedBases } from './tool.ts'

/**
 * A change of forward bases, in the words of HGVS but counted along the sequence: `12A>G`, `12_14del`, `12_13insT`, `12_13delinsT`. What
 * both alleles share is left out; an indel is not moved within a repeat.
 *
 * Example: AT to A at 12 is `13del`.
 */
export const dnaChange = ({ start, end, from, to }: ChangedBases): string => {
  const isCut = from.endsWith('…')
  const change = isCut
    ? { start1: start, end1: end, from, to }
    : changeOf({ position1: start, reference: from, alternate: to })
  if (change === null) return `${start}=`
  const range = change.end1 > change.start1 ? `${change.start1}_${change.end1}` : `${change.start1}`
  if (change.from === '') return `${change.start1 - 1}_${change.start1}ins${change.to}`
  if (change.to === '') return `${range}del`
  return change.from.length === 1 && change.to.length === 1
    ? `${change.start1}${change.from}>${change.to}`
    : `${range}delins${change.to}`
}
