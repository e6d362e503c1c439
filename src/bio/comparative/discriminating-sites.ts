// Where two groups of genomes differ, told on the coordinates of the reference that all are aligned to.

/** What a genome has of the reference there: bases that are aligned, bases that it lacks (or has others instead), or it is not known. */
export type SpanState = 'aligned' | 'deleted' | 'replaced'

export interface GenomeSpans {
  /** By place, from 1, both included; what is in none is not aligned. They may overlap: aligned bases prevail. */
  spans: readonly { start: number; end: number; state: SpanState }[]
}

export interface GroupSegment {
  start1: number
  end1: number
  /** Every genome of the group that lacks it is told to lack it; otherwise it is not aligned in some, which may be absent or not. */
  certain: boolean
}

const sorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b)

/** What one genome has at each of the elementary segments that `bounds` part; `bounds[n]` to `bounds[n + 1] - 1`. */
const statesOver = (bounds: readonly number[], { spans }: GenomeSpans): Uint8Array => {
  const states = new Uint8Array(Math.max(0, bounds.length - 1))
  const indexOf = new Map(bounds.map((bound, at) => [bound, at]))
  for (const { start, end, state } of spans) {
    const [from, to] = [indexOf.get(start)!, indexOf.get(end + 1)!]
    const code = state === 'aligned' ? 2 : 1
    for (let at = from; at < to; at += 1) states[at] = Math.max(states[at]!, code)
  }
  return states
}

/**
 * Segments of `[start1, end1]` of the reference that every genome of `having` has aligned and every one of `lacking` has not, at least
 * `minBp` long, the longest first. Pieces with fewer than `joinBp` bases between them are one: a few bases match by chance.
 *
 * Example: of 1..100, had as a whole by one genome and deleted from 41 to 60 in the other, the segment is 41 to 60, certain.
 */
export const findGroupSegments = (
  having: readonly GenomeSpans[],
  lacking: readonly GenomeSpans[],
  range: { start1: number; end1: number },
  { minBp, joinBp }: { minBp: number; joinBp: number },
): GroupSegment[] => {
  if (lacking.length === 0) return []
  const { start1, end1 } = range
  const all = [...having, ...lacking].map(({ spans }) => ({
    spans: spans
      .filter(({ start, end }) => start <= end1 && end >= start1)
      .map((span) => ({ ...span, start: Math.max(start1, span.start), end: Math.min(end1, span.end) })),
  }))
  const bounds = sorted([
    start1,
    end1 + 1,
    ...all.flatMap(({ spans }) => spans.flatMap((one) => [one.start, one.end + 1])),
  ])
  const states = all.map((one) => statesOver(bounds, one))
  const found: GroupSegment[] = []
  for (let at = 0; at + 1 < bounds.length; at += 1) {
    const isHad = states.slice(0, having.length).every((one) => one[at] === 2)
    const lack = states.slice(having.length)
    if (!isHad || lack.some((one) => one[at] === 2)) continue
    const certain = lack.every((one) => one[at] === 1)
    const last = found.at(-1)
    if (last !== undefined && bounds[at]! - last.end1 - 1 < joinBp) {
      last.end1 = bounds[at + 1]! - 1
      last.certain &&= certain
    } else found.push({ start1: bounds[at]!, end1: bounds[at + 1]! - 1, certain })
  }
  return found
    .filter((one) => one.end1 - one.start1 + 1 >= minBp)
    .sort((a, b) => Number(b.certain) - Number(a.certain) || b.end1 - b.start1 - (a.end1 - a.start1))
}

/** Bases of a genome opposite those of a segment of the reference: 0 unknown or not aligned, else A, C, G, T as 1 to 4; 5 ambiguous. */
export type AlignedBases = Uint8Array

export const baseCode = (letter: string): number => 'ACGT'.indexOf(letter.toUpperCase()) + 1
export const codeBase = (code: number): string => 'NACGTN'[code] ?? 'N'

/** A site with one base in every genome of the first group and another in every one of the second. */
export interface DiagnosticSnp {
  /** From the segment's first base, counted from 0. */
  offset0: number
  target: string
  spare: string
}

/**
 * Sites at which all genomes of `target` have one base and all of `spare` another; a genome that is not aligned there, or has two
 * places that could be the one, rules a site out.
 *
 * Example: `ACGT` and `ACGT` against `ACTT` differ at offset 2, G in the first group and T in the second.
 */
export const findDiagnosticSnps = (
  target: readonly AlignedBases[],
  spare: readonly AlignedBases[],
): DiagnosticSnp[] => {
  const [first] = target
  const [other] = spare
  if (first === undefined || other === undefined) return []
  const found: DiagnosticSnp[] = []
  for (let at = 0; at < first.length; at += 1) {
    const x = first[at]!
    const y = other[at]!
    if (x === y || x < 1 || x > 4 || y < 1 || y > 4) continue
    if (target.every((one) => one[at] === x) && spare.every((one) => one[at] === y))
      found.push({ offset0: at, target: codeBase(x), spare: codeBase(y) })
  }
  return found
}

/** Which sites of a segment are not the reference's own base in some genome: primers are kept off them. */
export const findVariableSites = (reference: AlignedBases, genomes: readonly AlignedBases[]): Uint8Array => {
  const variable = new Uint8Array(reference.length)
  for (const one of genomes)
    for (let at = 0; at < reference.length; at += 1) if (one[at] !== reference[at]) variable[at] = 1
  return variable
}
