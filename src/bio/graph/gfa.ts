// Graphical Fragment Assembly, version 1.1 (GFA-spec, "GFA 1.0" and "1.1": segments, links, paths, walks), and the tags of rGFA
// (Li, Feng & Chu 2020, doi:10.1186/s13059-020-02168-z) by which a graph without paths tells where its segments lie.

/** What is wrong with a line; the catalogue of defects has a text for each. */
export type GfaProblem = 'graph-line' | 'graph-version' | 'graph-overlaps'

export class GfaError extends Error {
  override readonly name = 'GfaError'
  constructor(
    readonly code: GfaProblem,
    readonly params: Record<string, string | number>,
  ) {
    super(`${code} ${JSON.stringify(params)}`)
  }
}

/** A segment of sequence in the graph. */
export interface GfaSegment {
  kind: 'segment'
  name: string
  /** Null where the file gives only the length. */
  sequence: string | null
  lengthBp: number
  /** Where rGFA places it: stable sequence, offset from 0, rank (0 of the reference). */
  stable: { name: string; start0: number; rank: number } | null
}

export interface GfaLink {
  kind: 'link'
  from: string
  fromReverse: boolean
  to: string
  toReverse: boolean
}

/** A sequence as a way through the graph, of a P or W line. */
export interface GfaPath {
  kind: 'path'
  locus: PathRange
  /** Names of segments with `>` or `<` before each, as in a walk: ">12<13". */
  walk: string
}

/** What a path is of. */
export interface PathRange {
  /** As it stands in the file; of a W line in the form of PanSN with its range. */
  name: string
  /** Sample, strain or assembly; null when the name has none. */
  sample: string | null
  haplotype: string | null
  /** Chromosome or contig. */
  sequence: string
  /** Where on the sequence the path begins, from 0. */
  start0: number
}

/**
 * Reads the name of a path: PanSN (`sample#haplotype#contig`, github.com/pangenome/PanSN-spec), `sample#contig`, or a bare name; a
 * range at the end (`:start-end`) is where it begins. Ranges count from 0, as vg and odgi write them.
 *
 * `parsePathName('HG002#1#chr6:100-200')` is `{ sample: 'HG002', haplotype: '1', sequence: 'chr6', start0: 100, … }`.
 */
export const parsePathName = (name: string): PathRange => {
  const range = /^(.*):(\d+)-(\d+)$/.exec(name)
  const whole = range?.[1] ?? name
  const parts = whole.split('#')
  const start0 = range === null ? 0 : Number(range[2])
  if (parts.length >= 3)
    return { name, sample: parts[0]!, haplotype: parts[1]!, sequence: parts.slice(2).join('#'), start0 }
  if (parts.length === 2) return { name, sample: parts[0]!, haplotype: null, sequence: parts[1]!, start0 }
  return { name, sample: null, haplotype: null, sequence: whole, start0 }
}

const isBlunt = (overlap: string | undefined): boolean =>
  overlap === undefined || overlap === '*' || /^0M(,0M)*$/.test(overlap)

const orientation = (sign: string | undefined): boolean => {
  if (sign !== '+' && sign !== '-') throw new GfaError('graph-line', { reason: 'orientation' })
  return sign === '-'
}

const tagsOf = (fields: readonly string[]): Map<string, string> => {
  const tags = new Map<string, string>()
  for (const field of fields) {
    const found = /^([A-Za-z][A-Za-z0-9]):[AifZJHB]:(.*)$/.exec(field)
    if (found !== null) tags.set(found[1]!, found[2]!)
  }
  return tags
}

const parseSegment = (fields: readonly string[]): GfaSegment => {
  const [, name, letters] = fields
  if (name === undefined || name === '' || letters === undefined)
    throw new GfaError('graph-line', { reason: 'columns' })
  if (letters !== '*' && !/^[A-Za-z=.]+$/.test(letters)) throw new GfaError('graph-line', { reason: 'bases' })
  const tags = tagsOf(fields.slice(3))
  const reported = Number(tags.get('LN') ?? Number.NaN)
  if (letters === '*' && !Number.isInteger(reported)) throw new GfaError('graph-line', { reason: 'length' })
  const stable = tags.get('SN')
  return {
    kind: 'segment',
    name,
    sequence: letters === '*' ? null : letters,
    lengthBp: letters === '*' ? reported : letters.length,
    stable:
      stable === undefined
        ? null
        : { name: stable, start0: Number(tags.get('SO') ?? 0), rank: Number(tags.get('SR') ?? 0) },
  }
}

const parseLink = (fields: readonly string[]): GfaLink => {
  const [, from, fromSign, to, toSign, overlap] = fields
  if (from === undefined || to === undefined) throw new GfaError('graph-line', { reason: 'columns' })
  if (!isBlunt(overlap)) throw new GfaError('graph-overlaps', { overlap: overlap!.slice(0, 40) })
  return { kind: 'link', from, fromReverse: orientation(fromSign), to, toReverse: orientation(toSign) }
}

const parsePath = (fields: readonly string[]): GfaPath => {
  const [, name, steps, overlaps] = fields
  if (name === undefined || name === '' || steps === undefined) throw new GfaError('graph-line', { reason: 'columns' })
  if (!isBlunt(overlaps)) throw new GfaError('graph-overlaps', { overlap: overlaps!.slice(0, 40) })
  const walk: string[] = []
  // A semicolon is a jump in GFA 1.2: there is no link, which a way through the graph can do without.
  for (const step of steps.split(/[,;]/)) {
    if (step === '') continue
    walk.push(orientation(step.at(-1)) ? '<' : '>', step.slice(0, -1))
  }
  return { kind: 'path', locus: parsePathName(name), walk: walk.join('') }
}

const parseWalk = (fields: readonly string[]): GfaPath => {
  const [, sample, haplotype, sequence, start, , walk] = fields
  if (sequence === undefined || walk === undefined) throw new GfaError('graph-line', { reason: 'columns' })
  if (!/^([<>][^<>\s]+)*$/.test(walk) && walk !== '*') throw new GfaError('graph-line', { reason: 'walk' })
  const start0 = start === '*' || start === undefined ? 0 : Number(start)
  if (!Number.isInteger(start0) || start0 < 0) throw new GfaError('graph-line', { reason: 'start' })
  const range = start0 === 0 ? '' : `:${start0}-${fields[5]}`
  return {
    kind: 'path',
    locus: {
      name: `${sample}#${haplotype}#${sequence}${range}`,
      sample: sample === '*' ? null : sample!,
      haplotype: haplotype === '*' ? null : haplotype!,
      sequence,
      start0,
    },
    walk: walk === '*' ? '' : walk,
  }
}

/**
 * Reads a line; null for lines that say nothing of segments, links, paths and walks. Throws GfaError for a line that is not as the
 * format has it, for version 2, and for links whose segments overlap: positions along a path would not be those of its sequence.
 */
export const parseGfaLine = (line: string): GfaSegment | GfaLink | GfaPath | null => {
  const kind = line[0]
  if (line[1] !== '\t') return null
  if (kind === 'S') return parseSegment(line.split('\t'))
  if (kind === 'L') return parseLink(line.split('\t'))
  if (kind === 'P') return parsePath(line.split('\t'))
  if (kind === 'W') return parseWalk(line.split('\t'))
  if (kind === 'H') {
    const version = tagsOf(line.split('\t')).get('VN')
    if (version !== undefined && !version.startsWith('1.')) throw new GfaError('graph-version', { version })
  }
  return null
}

/** Steps of a walk, in order: `walkSteps('>12<13')` gives ['12', false] and ['13', true]. */
export function* walkSteps(walk: string): Generator<[name: string, reverse: boolean]> {
  let at = 0
  while (at < walk.length) {
    let end = at + 1
    while (end < walk.length && walk[end] !== '<' && walk[end] !== '>') end += 1
    yield [walk.slice(at + 1, end), walk[at] === '<']
    at = end
  }
}
