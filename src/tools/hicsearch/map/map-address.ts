/** Address of the contact map: of a place, or of two against each other. */
export const mapAddress = (values: Record<string, string | number | null | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value))
  return `/hicDetail?${query}`
}

/** A segment as addresses and forms write it. */
export const locusText = ({ sequence, start, end }: { sequence: string; start: number; end: number }): string =>
  `${sequence}:${start}..${end}`

/** A segment that holds both, with as much again around them, within the chromosome. */
export const around = (
  a: { start: number; end: number },
  b: { start: number; end: number },
  lengthBp: number,
): { start: number; end: number } => {
  const [start, end] = [Math.min(a.start, b.start), Math.max(a.end, b.end)]
  const room = Math.ceil((end - start + 1) / 2)
  return { start: Math.max(1, start - room), end: Math.min(lengthBp, end + room) }
}
