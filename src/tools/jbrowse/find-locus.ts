import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { findFeature, noSuchLocus, type RegionReading, readRegion } from '../../kit/data/find-locus.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { writeAddress } from './address.ts'
import { type BrowserLocus, limits, type Place } from './tool.ts'
import { partsOnSequence, windowAround } from './window-around.ts'

export interface RequestedLocus {
  assembly?: string
  loc?: string
  gene?: string
  tracks?: string
  highlight?: string
  beside?: string
  besideLoc?: string
}

/** A region on its sequence: what lies beyond the end is left out, or stands behind the origin of a circular sequence. */
const clip = (sequence: GenomeSequence, start1: number, end1: number, strand: '+' | '-' = '+'): Place[] => {
  const parts = partsOnSequence({ start: start1, end: end1 }, sequence).map((part) => ({
    sequence: sequence.name,
    ...part,
  }))
  return strand === '+' ? parts : parts.reverse().map((part) => ({ ...part, strand }))
}

type ReadLoci = { loci: Place[] } | { loci: null; read: Extract<RegionReading, { ok: false }> }

/** One region as typed, in two parts over the origin of a circular sequence; null when the text is none, with the reason. */
const readLocus = async (text: string, assembly: string, data: PortalData): Promise<ReadLoci> => {
  const read = await readRegion(data, assembly, text)
  if (!read.ok) return { loci: null, read }
  const { sequence, start1, end1, strand } = read.region
  return { loci: clip(sequence, start1, end1, strand) }
}

/** Several regions with blanks between; a text with one unreadable part is no list. */
const readLoci = async (text: string, assembly: string, data: PortalData): Promise<ReadLoci> => {
  const whole = await readLocus(text, assembly, data)
  if (whole.loci !== null) return whole
  const parts = text.split(/\s+/)
  if (parts.length === 1) return whole
  if (parts.length > limits.regions) {
    throw fieldError(['loc'], 'problem.tooManyRegions', { count: parts.length, limit: limits.regions })
  }
  const loci: Place[] = []
  for (const part of parts) {
    const read = await readLocus(part, assembly, data)
    if (read.loci === null) return read
    loci.push(...read.loci)
  }
  return { loci }
}

const findGene = async (name: string, assembly: string | undefined, data: PortalData): Promise<GeneSummary | null> => {
  const found = await data.getGene(name, assembly)
  return found === null ? null : found.gene
}

const lociOfGene = async (
  gene: Pick<GeneSummary, 'sequence' | 'start' | 'end'>,
  assembly: string,
  data: PortalData,
): Promise<Place[]> => {
  const sequence = await data.getSequence(assembly, gene.sequence)
  return windowAround(gene, sequence).map((part) => ({ sequence: sequence.name, ...part }))
}

/** Where the browser starts when nothing is asked: the first gene of the examples, else the start of the first sequence. */
const startingLoci = async (assembly: string, data: PortalData): Promise<Place[]> => {
  const summary = await data.getAssembly(assembly)
  const example = summary.exampleGenes[0]
  if (example !== undefined) return lociOfGene(example, assembly, data)
  const [first] = await data.listSequences(assembly, 1)
  if (first === undefined) throw new PortalError('UNKNOWN_SEQUENCE', { message: 'problem.noSequence' })
  return clip(first, 1, 50_000)
}

/**
 * Turns what an address or a search box says into regions that exist. A `gene` without assembly is looked up everywhere;
 * a `loc` is read as regions first, then as a gene. Rejects with UNKNOWN_GENE, UNKNOWN_SEQUENCE, UNKNOWN_ASSEMBLY or
 * INVALID_INPUT, naming the field.
 */
export const findLocus = async (asked: RequestedLocus, data: PortalData): Promise<BrowserLocus> => {
  const text = asked.loc?.trim() ?? ''
  const name = asked.gene?.trim() ?? ''
  const given = asked.assembly === undefined ? null : await data.getAssembly(asked.assembly)
  let assembly = given?.id
  let gene: GeneSummary | null = null
  let loci: Place[] | null = null
  let featureLoci: Place[] = []

  if (name !== '') {
    gene = await findGene(name, assembly, data)
    if (gene === null) throw unknownGene(name, 'gene')
  } else if (text !== '') {
    assembly ??= (await data.defaultAssembly())?.id
    if (assembly === undefined) throw new PortalError('NOT_FOUND', { message: 'problem.nothingLoaded' })
    const read = await readLoci(text, assembly, data)
    if (read.loci !== null) loci = read.loci
    else {
      gene = await findGene(text, given?.id, data)
      if (gene === null) {
        const feature = await findFeature(data, assembly, text, ['loc'])
        if (feature === null) throw noSuchLocus(assembly, text, read.read, ['loc'])
        loci = await lociOfGene(feature, assembly, data)
        featureLoci = clip(await data.getSequence(assembly, feature.sequence), feature.start, feature.end)
      }
    }
  }
  if (gene !== null) {
    assembly = gene.assembly
    loci = await lociOfGene(gene, assembly, data)
  }
  assembly ??= (await data.defaultAssembly())?.id
  if (assembly === undefined) throw new PortalError('NOT_FOUND', { message: 'problem.nothingLoaded' })
  loci ??= await startingLoci(assembly, data)

  const highlights: Place[] = featureLoci
  for (const part of (asked.highlight ?? '').split(/\s+/).filter((one) => one !== '')) {
    const read = await readLocus(part, assembly, data)
    // A mark that fits nowhere is no reason to show nothing.
    if (read.loci !== null) highlights.push(...read.loci)
  }
  const beside = asked.beside === undefined ? null : await findBeside(asked.beside, asked.besideLoc ?? '', data)
  const address = writeAddress({ assembly, loci, tracks: asked.tracks?.split(','), highlights, beside })
  return { assembly, loci, gene, highlights, beside, address: `/jbrowse/?${address}` }
}

/** What is shown of the assembly beside: the regions asked for, else its usual start. */
const findBeside = async (id: string, text: string, data: PortalData): Promise<BrowserLocus['beside']> => {
  const { id: assembly } = await data.getAssembly(id)
  if (text.trim() === '') return { assembly, loci: await startingLoci(assembly, data) }
  const read = await readLoci(text.trim(), assembly, data)
  if (read.loci === null) throw noSuchLocus(assembly, text.trim(), read.read, ['besideLoc'])
  return { assembly, loci: read.loci }
}

const unknownGene = (name: string, field: string): PortalError => {
  const params = { name }
  return new PortalError('UNKNOWN_GENE', {
    message: 'problem.unknownGene',
    params,
    problems: [{ path: [field], message: 'problem.unknownGene', params }],
  })
}
