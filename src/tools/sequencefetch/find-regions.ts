import { type KnownSequences, parseRegions, type RegionError } from '../../bio/sequence/region.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { locusMessage } from '../../contracts/region.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { limits } from './tool.ts'

/** A region that exists: within its sequence, which has the assembly's own name. */
export interface FoundRegion {
  line: number | null
  name: string | null
  sequence: string
  start1: number
  end1: number
  strand: '+' | '-'
  sequenceLengthBp: number
  notes: { id: string; params: Record<string, string | number> }[]
}

export interface BadLine {
  line: number
  text: string
  id: string
  params: Record<string, string | number>
}

export interface AskedRegions {
  assembly: string
  sequence?: string
  start?: number | undefined
  end?: number | undefined
  regions?: string
}

/** Texts of lines in messages are cut: a pasted genome must not come back whole. */
const shownText = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** Finding what an unknown name may have meant costs time; beyond these a batch is plainly for another assembly. */
const nameLookUps = 200
/** Most lines that are named in a refusal; the count of all stands beside. */
const namedLines = 30

/**
 * Finds the regions asked for, clipped to their sequences with a note. Wrong fields reject with INVALID_INPUT or
 * UNKNOWN_SEQUENCE naming the field; wrong lines of a batch are given back beside the good ones, and reject when no line
 * is good.
 */
export const findRegions = async (
  asked: AskedRegions,
  data: PortalData,
): Promise<{ regions: FoundRegion[]; bad: BadLine[] }> => {
  const batch = asked.regions?.trim() ?? ''
  const fieldsUsed = (asked.sequence?.trim() ?? '') !== ''
  if (batch === '') {
    if (!fieldsUsed) throw fieldError(['sequence'], 'problem.sequence-missing')
    return { regions: [await findFieldRegion(asked, data)], bad: [] }
  }
  if (fieldsUsed) throw fieldError(['regions'], 'problem.both')
  return findBatch(asked.assembly, batch, data)
}

const findFieldRegion = async (asked: AskedRegions, data: PortalData): Promise<FoundRegion> => {
  const name = asked.sequence!.trim()
  const fields = asked.start !== undefined || asked.end !== undefined
  // The box of the sequence takes a whole place as well: a region, a gene, a feature.
  const locus = fields ? null : await findLocus(data, asked.assembly, name, ['sequence'])
  const sequence = locus?.sequence ?? (await requireSequence(data, asked.assembly, name))
  const from = locus?.start1 ?? asked.start ?? 1
  const to = locus?.askedEnd1 ?? asked.end ?? sequence.lengthBp
  const strand = locus?.strand ?? (from > to ? '-' : '+')
  // Both ends outside: there is nothing to clip to.
  if (Math.min(from, to) > sequence.lengthBp) {
    throw fieldError([asked.start === undefined ? 'end' : 'start'], locusMessage('region-beyond-end'), {
      name: sequence.name,
      start: Math.min(from, to),
      length: sequence.lengthBp,
    })
  }
  const region = placeRegion(sequence, from, to, strand, null, locus?.gene?.id ?? null)
  if (region.end1 - region.start1 + 1 > limits.regionBp) {
    throw fieldError([fields ? (asked.end === undefined ? 'end' : 'start') : 'sequence'], 'problem.region-too-long', {
      length: region.end1 - region.start1 + 1,
      limit: limits.regionBp,
    })
  }
  return region
}

const requireSequence = (data: PortalData, assembly: string, name: string): Promise<GenomeSequence> =>
  data.getSequence(assembly, name).catch((error: unknown) => {
    if (!(error instanceof PortalError) || error.code !== 'UNKNOWN_SEQUENCE') throw error
    const { params } = error
    throw new PortalError('UNKNOWN_SEQUENCE', {
      params,
      problems: [{ path: ['sequence'], message: error.messageId, params }],
    })
  })

/** Clips what reaches beyond the end and says so; on a circular sequence a region goes on across the origin, at most once around. */
const placeRegion = (
  sequence: GenomeSequence,
  from1: number,
  to1: number,
  strand: '+' | '-',
  line: number | null,
  name: string | null,
): FoundRegion => {
  const start1 = Math.min(from1, to1)
  const asked1 = Math.max(from1, to1)
  const end1 = Math.min(asked1, sequence.circular ? start1 + sequence.lengthBp - 1 : sequence.lengthBp)
  return {
    line,
    name,
    sequence: sequence.name,
    start1,
    end1,
    strand,
    sequenceLengthBp: sequence.lengthBp,
    notes: [
      ...(end1 > sequence.lengthBp ? [{ id: 'note.origin', params: { name: sequence.name } }] : []),
      ...(asked1 > end1
        ? [{ id: 'note.clipped', params: { asked: asked1, end: end1, name: sequence.name, missing: asked1 - end1 } }]
        : []),
    ],
  }
}

const findBatch = async (
  assembly: string,
  batch: string,
  data: PortalData,
): Promise<{ regions: FoundRegion[]; bad: BadLine[] }> => {
  const sequences = new Map<string, GenomeSequence>()
  const known = new Map<string, number>()
  for (const sequence of await data.listSequences(assembly)) {
    sequences.set(sequence.name, sequence)
    known.set(sequence.name, sequence.lengthBp)
  }
  const unknown = new Map<string, PortalError>()
  let lookedUp = 0

  const lines = parseRegions(batch, known)
  if (lines.length > limits.regions) {
    throw fieldError(['regions'], 'problem.too-many-regions', { count: lines.length, limit: limits.regions })
  }
  const regions: FoundRegion[] = []
  const bad: BadLine[] = []
  let totalBp = 0
  for (const { line, text, result: first } of lines) {
    let result = first
    let near = 'none'
    // Names are taken as people write them: 1 or Chr1 for chrI where that is plain.
    if (!result.ok && result.error.code === 'region-sequence-unknown') {
      const name = String(result.error.params.name)
      if (!known.has(name) && !unknown.has(name) && unknown.size < nameLookUps) {
        try {
          const sequence = await data.getSequence(assembly, name)
          sequences.set(name, sequence)
          known.set(name, sequence.lengthBp)
        } catch (error) {
          if (!(error instanceof PortalError) || error.code !== 'UNKNOWN_SEQUENCE') throw error
          unknown.set(name, error)
        }
      }
      near = String(unknown.get(name)?.params.near ?? 'none')
      if (known.has(name)) result = parseOne(text, known)
      else if (!text.includes('\t') && lookedUp < nameLookUps) {
        lookedUp += 1
        const locus = await findLocus(data, assembly, text.trim(), ['regions', line]).catch((error: unknown) => {
          if (error instanceof PortalError) return null
          throw error
        })
        if (locus !== null) {
          sequences.set(locus.sequence.name, locus.sequence)
          const { start1, end1, strand } = locus
          result = { ok: true, region: { sequenceName: locus.sequence.name, start1, end1, strand } }
        }
      }
    }
    if (!result.ok) {
      bad.push({ line, text: shownText(text), ...messageOf(result.error, near) })
      continue
    }
    const { region } = result
    const sequence = sequences.get(region.sequenceName)!
    if (region.start1 > sequence.lengthBp) {
      bad.push({
        line,
        text: shownText(text),
        id: locusMessage('region-beyond-end'),
        params: { name: sequence.name, start: region.start1, length: sequence.lengthBp },
      })
      continue
    }
    const found = placeRegion(sequence, region.start1, region.end1, region.strand, line, bedName(text))
    const lengthBp = found.end1 - found.start1 + 1
    if (lengthBp > limits.regionBp) {
      bad.push({
        line,
        text: shownText(text),
        id: 'problem.region-too-long',
        params: { length: lengthBp, limit: limits.regionBp },
      })
      continue
    }
    totalBp += lengthBp
    if (totalBp > limits.totalBp) {
      throw fieldError(['regions'], 'problem.total-too-long', { line, limit: limits.totalBp })
    }
    regions.push(found)
  }
  if (regions.length === 0) throw batchError(bad)
  return { regions, bad }
}

const parseOne = (text: string, known: KnownSequences) => parseRegions(text, known)[0]!.result

/** The refusal of a batch: each wrong line by its number. */
export const batchError = (bad: BadLine[]): PortalError => {
  const first = bad[0]
  if (first === undefined) return fieldError(['regions'], 'problem.no-regions')
  return new PortalError('INVALID_INPUT', {
    message: 'problem.bad-lines',
    params: { count: bad.length },
    problems: bad.slice(0, namedLines).map(({ line, id, params }) => ({
      path: ['regions', line],
      message: id,
      params,
      line,
    })),
  })
}

const messageOf = (error: RegionError, near: string): { id: string; params: Record<string, string | number> } => ({
  id: locusMessage(error.code),
  params: {
    ...Object.fromEntries(
      Object.entries(error.params).map(([key, value]) => [key, typeof value === 'string' ? shownText(value) : value]),
    ),
    ...(error.code === 'region-sequence-unknown' ? { near } : {}),
  },
})

/** Column 4 of a BED line; a dot stands for no name. */
const bedName = (text: string): string | null => {
  const name = text.split('\t')[3]?.trim() ?? ''
  return name === '' || name === '.' ? null : name.replace(/\s+/g, '_').slice(0, 200)
}
