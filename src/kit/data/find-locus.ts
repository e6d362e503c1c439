import { parseRegion, possibleNames, type RegionError } from '../../bio/sequence/region.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { locusMessage } from '../../contracts/region.ts'
import type { GenomeSequence, NamedFeature, PortalData } from './portal-data.ts'

/** A segment of a sequence that exists. */
export interface FoundRegion {
  sequence: GenomeSequence
  start1: number
  /** Beyond the length only where the region goes on over the origin of a circular sequence, at most once around. */
  end1: number
  /** The end as it was asked for, where the sequence ends before. */
  askedEnd1: number
  /** `-`: the reverse complement is meant, start was written above end. */
  strand: '+' | '-'
}

export type RegionReading =
  | { ok: true; region: FoundRegion }
  /** `near`: names alike where the sequence is unknown, else "none"; `named`: the text begins with the name of a sequence. */
  | { ok: false; error: RegionError; near: string; named: boolean }

type Sequences = Pick<PortalData, 'getSequence'>

/**
 * Reads a region of an assembly in the portal's one grammar (`parseRegion`), with names of sequences as people write them. What reaches
 * beyond the end is cut; what begins there is an error. A name alone is the whole sequence.
 */
export const readRegion = async (data: Sequences, assembly: string, text: string): Promise<RegionReading> => {
  const known = new Map<string, number>()
  const sequences = new Map<string, GenomeSequence>()
  // No sequence is called so, and the database would refuse to look.
  const printable = [...text].every((letter) => letter >= ' ' || letter === '\t')
  const nearTo = new Map<string, string>()
  for (const name of printable ? possibleNames(text) : []) {
    try {
      const sequence = await data.getSequence(assembly, name)
      known.set(name, sequence.lengthBp)
      sequences.set(name, sequence)
    } catch (error) {
      if (!(error instanceof PortalError) || error.code !== 'UNKNOWN_SEQUENCE') throw error
      nearTo.set(name, String(error.params.near ?? 'none'))
    }
  }
  const named = known.size > 0
  const read = parseRegion(text, known)
  if (!read.ok) {
    if (read.error.code !== 'region-sequence-unknown') return { ok: false, error: read.error, near: 'none', named }
    const name = String(read.error.params.name)
    const params = { name: name.slice(0, 100) }
    return { ok: false, error: { ...read.error, params }, near: nearTo.get(name) ?? 'none', named }
  }
  const { sequenceName, start1, end1, strand } = read.region
  const sequence = sequences.get(sequenceName)!
  if (start1 > sequence.lengthBp) {
    const params = { name: sequence.name, start: start1, length: sequence.lengthBp }
    return { ok: false, error: { code: 'region-beyond-end', params }, near: 'none', named }
  }
  const last1 = sequence.circular ? start1 + sequence.lengthBp - 1 : sequence.lengthBp
  return {
    ok: true,
    region: { sequence, start1, end1: Math.min(end1, last1), askedEnd1: end1, strand },
  }
}

/** What is wrong with a region, at its field. */
export const regionError = (
  path: (string | number)[],
  { error, near }: Extract<RegionReading, { ok: false }>,
): PortalError => {
  const message = locusMessage(error.code)
  const params = { ...error.params, near }
  return error.code === 'region-sequence-unknown'
    ? new PortalError('UNKNOWN_SEQUENCE', { message, params, problems: [{ path, message, params }] })
    : fieldError(path, message, params)
}

/** What is said of a text that is no region, no sequence, no gene and no feature. */
export const noSuchLocus = (
  assembly: string,
  text: string,
  read: Extract<RegionReading, { ok: false }>,
  path: (string | number)[],
): PortalError => {
  if (read.error.code !== 'region-sequence-unknown' || parseRegion(text).ok) return regionError(path, read)
  const message = 'locus.unknown'
  const params = { text: text.slice(0, 60), assembly, near: read.near }
  return new PortalError('UNKNOWN_GENE', { message, params, problems: [{ path, message, params }] })
}

export interface FoundLocus extends FoundRegion {
  /** Where a gene was named. */
  gene: GeneSummary | null
  /** Where a feature of a track was named. */
  feature: NamedFeature | null
}

/** Ids of an ambiguous name that are told. */
const maxReported = 5

const ambiguous = (
  message: 'locus.feature-ambiguous' | 'locus.gene-ambiguous',
  name: string,
  all: readonly { id: string }[],
  path: (string | number)[],
): PortalError => {
  const reported = all.slice(0, maxReported).map(({ id }) => id)
  return fieldError(path, message, {
    name: name.slice(0, 100),
    count: all.length,
    ids: `${reported.join(', ')}${all.length > reported.length ? ', …' : ''}`,
  })
}

/** The feature of a track that is called so; null without. Of several the refusal tells the ids, which are of one each. */
export const findFeature = async (
  data: Pick<PortalData, 'findFeatures'>,
  assembly: string,
  name: string,
  path: (string | number)[],
): Promise<NamedFeature | null> => {
  const features = await data.findFeatures(assembly, name)
  const [first] = features
  const elsewhere = features.some(
    (one) => one.sequence !== first!.sequence || one.start !== first!.start || one.end !== first!.end,
  )
  if (!elsewhere) return first ?? null
  throw ambiguous('locus.feature-ambiguous', name, features, path)
}

/**
 * A place in one text: a region, a sequence, or the name of a gene or of a track's feature, in this order. Rejects with
 * UNKNOWN_SEQUENCE or INVALID_INPUT that names the field, when it is none of them.
 */
export const findLocus = async (
  data: Pick<PortalData, 'getSequence' | 'resolveGenes' | 'findFeatures'>,
  assembly: string,
  text: string,
  path: (string | number)[],
): Promise<FoundLocus> => {
  const read = await readRegion(data, assembly, text)
  if (read.ok) return { ...read.region, gene: null, feature: null }
  // A region whose number is wrong is told so, not looked for among the genes.
  if (read.named && (read.error.code === 'region-number-comma' || read.error.code === 'region-start-zero'))
    throw regionError(path, read)
  if ([...text].every((letter) => letter >= ' ')) {
    const resolved = await data.resolveGenes([text.trim()], assembly)
    const gene = resolved.found[0]?.gene
    // None of several is taken in silence: the place would be that of another gene.
    if (resolved.ambiguous[0] !== undefined)
      throw ambiguous('locus.gene-ambiguous', text.trim(), resolved.ambiguous[0].genes, path)
    if (gene !== undefined) {
      const sequence = await data.getSequence(assembly, gene.sequence)
      const [start1, end1] = [gene.start, gene.end]
      return { sequence, start1, end1, askedEnd1: end1, strand: gene.strand === '-' ? '-' : '+', gene, feature: null }
    }
    const feature = await findFeature(data, assembly, text.trim(), path)
    if (feature !== null) {
      const sequence = await data.getSequence(assembly, feature.sequence)
      const { start: start1, end: end1 } = feature
      const strand = feature.strand === '-' ? '-' : '+'
      return { sequence, start1, end1, askedEnd1: end1, strand, gene: null, feature }
    }
  }
  throw noSuchLocus(assembly, text, read, path)
}
