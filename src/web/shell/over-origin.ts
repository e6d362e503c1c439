interface Place {
  start: number
  end: number
  strand?: string | undefined
}
interface CircularSequence {
  lengthBp: number
  circular: boolean
}

/**
 * What a place of a circular sequence has to do with its origin (1-based, inclusive): `over`, how many bases lie before the origin and
 * how many from base 1; `instead`, the place over the origin that a descending one of more than half of the sequence may be meant as;
 * null for all others.
 *
 * Example: `readOrigin({ start: 990, end: 1010 }, { lengthBp: 1000, circular: true })` is `{ over: { before: 11, after: 10 } }`.
 */
export const readOrigin = (
  { start, end, strand }: Place,
  { lengthBp, circular }: CircularSequence,
): { over: { before: number; after: number } } | { instead: { start: number; end: number } } | null => {
  if (!circular) return null
  if (end > lengthBp) return { over: { before: lengthBp - start + 1, after: end - lengthBp } }
  if (strand === '-' && 2 * (end - start + 1) > lengthBp && end - start + 1 < lengthBp)
    return { instead: { start: end, end: lengthBp + start } }
  return null
}
