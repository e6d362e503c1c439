import type { DifferenceSide, StructuralDifference } from '../../../contracts/structural-differences.ts'

/**
 * A place as the field writes it: `chr:100..200`, `chr:100^101` between two bases, its parts where it has several or is over the origin of
 * a sequence of `length` bases.
 */
export const differencePlace = (
  { sequence, start, end, lengthBp, parts }: Pick<DifferenceSide, 'sequence' | 'start' | 'end' | 'lengthBp' | 'parts'>,
  length: number | undefined,
): string => {
  if (lengthBp === 0) return `${sequence}:${start}^${end}`
  const last = length ?? end
  const texts = (parts.length === 0 ? [{ start, end }] : parts).map((part) =>
    part.end > last ? `${part.start}..${last},1..${part.end - last}` : `${part.start}..${part.end}`,
  )
  return `${sequence}:${texts.join(',')}`
}

/** The genes of a difference as the first and last of each of its parts: `Rv3871–Rv3879c`; `Rv3213c–Rv3231c, Rv3290c–Rv3303c`. */
export const namesOfGenes = ({ genes, geneRuns }: Pick<StructuralDifference, 'genes' | 'geneRuns'>): string =>
  genes.length < 3 || geneRuns.length === 0
    ? genes.join(', ')
    : geneRuns.map(({ first, last }) => (first === last ? first : `${first}–${last}`)).join(', ')
