import type { z } from 'zod'
import { nameBlocks } from '../../bio/comparative/block-kinds.ts'
import { type Busco, buscoKind } from '../../contracts/busco.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { type GeneTable, type OpenBlocks, openCollinearBlocks } from '../../kit/data/collinear-blocks.ts'
import { createDifferenceFinder } from '../../kit/data/differences/find-differences.ts'
import { nameRegions } from '../../kit/data/differences/named-regions.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { blastProgram } from '../../kit/programs.ts'
import { countChangedGenes, findChangedGenes } from './changed-genes.ts'
import { countElements } from './count-elements.ts'
import {
  collectAlignedVariants,
  describeVariants,
  type FoundVariants,
  findLoadedVariants,
  readCodingPlaces,
} from './protein-variants.ts'
import { alignedOn, listBreakpoints, type ReadAlignment, readAlignment, readUnknownBases } from './read-alignment.ts'
import tool, {
  type AssemblyFacts,
  limits,
  type SpeciesRow,
  type StrainReport,
  type StrainResult,
  type Structure,
  type UnpairedSequence,
} from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Of the shortest difference: a shorter feature is the same place as none. */
const shortestNamed = 0.8

const describeFacts = async (data: PortalData, one: AssemblySummary): Promise<AssemblyFacts> => ({
  id: one.id,
  lengthBp: one.lengthBp,
  sequenceCount: one.sequenceCount,
  n50Bp: one.n50Bp,
  gcFraction: one.gcFraction,
  gapBp: one.gapBp,
  geneCount: one.geneCount,
  codingGeneCount: one.codingGeneCount,
  partial: one.partial !== null,
  outgroup: one.outgroup,
  busco:
    (one.dataTypes[buscoKind] ?? 0) > 0
      ? await data.getRecord<Busco>(buscoKind, buscoKind, { assembly: one.id })
      : null,
})

/** Genes of an assembly as differences are told with them, where no orthogroups were computed: each a group of its own. */
const tableOf = async (data: PortalData, assembly: string, first: number): Promise<GeneTable> => {
  const table: GeneTable = {
    sequences: [],
    id: [],
    symbol: [],
    sequence: [],
    start: [],
    end: [],
    strand: [],
    group: [],
  }
  const places = new Map<string, number>()
  for await (const genes of data.streamGenes(assembly))
    for (const { id, symbol, sequence, start, end, strand } of genes) {
      if (!places.has(sequence)) {
        places.set(sequence, places.size)
        table.sequences.push(sequence)
      }
      table.id.push(id)
      table.symbol.push(symbol)
      table.sequence.push(places.get(sequence)!)
      table.start.push(start)
      table.end.push(end)
      table.strand.push(strand === '+' ? 1 : strand === '-' ? -1 : 0)
      table.group.push(first + table.group.length)
    }
  return table
}

interface Comparing {
  data: PortalData
  signal: AbortSignal
  blocks: OpenBlocks | null
  minimumBp: number
  /** Of the reference, which many strains are compared with: read once. */
  readReference: <Read>(what: string, read: () => Promise<Read>) => Promise<Read>
}

const startComparing = async (
  { data, signal }: Pick<EngineContext, 'data' | 'signal'>,
  minimumBp: number,
): Promise<Comparing> => {
  const kept = new Map<string, Promise<unknown>>()
  return {
    data,
    signal,
    blocks: await openCollinearBlocks(data),
    minimumBp,
    readReference: <Read>(what: string, read: () => Promise<Read>): Promise<Read> => {
      const known = (kept.get(what) as Promise<Read> | undefined) ?? read()
      kept.set(what, known)
      return known
    },
  }
}

/** Structural differences of the strain; `why` where there are none. */
const compareStructure = async (
  strain: string,
  reference: string,
  { data, signal, blocks, minimumBp, readReference }: Comparing,
): Promise<{ structure: Structure | null; why: StrainReport['why'] }> => {
  const aligned = await alignedOn(data, strain, reference)
  const pair = (await blocks?.between(reference, strain)) ?? null
  if (aligned === null && pair === null) return { structure: null, why: 'not-aligned' }
  // What was compared by its genes has orthogroups; of the rest the genes are known by their places alone.
  const readTable = async (id: string, first: number): Promise<GeneTable> =>
    (pair === null ? null : await blocks!.genes(id)) ?? tableOf(data, id, first)
  const first = await readReference(pair === null ? 'genes alone' : 'genes', () => readTable(reference, 0))
  const tables = new Map([
    [reference, first],
    [strain, await readTable(strain, first.id.length)],
  ])
  const find = createDifferenceFinder(
    data,
    tables,
    { minimumBp, most: limits.differences, mostGenes: limits.differenceGenes },
    signal,
  )
  const found = await find(reference, strain, pair?.blocks ?? null, pair === null ? [] : nameBlocks(pair.blocks, false))
  if (found === null) return { structure: null, why: 'distant' }
  const { counts, truncated, largest, deletedBp, insertedBp } = found
  const listNamed = (id: string) => data.listFeatures(id, shortestNamed * minimumBp, limits.features)
  const features = [await readReference('features', () => listNamed(reference)), await listNamed(strain)] as const
  const joined =
    aligned?.base === reference
      ? await listBreakpoints(data, strain, reference, signal)
      : { breakpoints: [], truncated: false }
  return {
    structure: {
      counts,
      truncated: truncated || joined.truncated,
      basis: aligned === null ? 'genes' : 'alignment',
      deletedBp,
      insertedBp,
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      differences: largest.map((one) => ({ ...one, regions: nameRegions(one, features) })),
      breakpoints: joined.breakpoints,
    },
    why: null,
  }
}

/** Sequences as they are drawn: of the strain those first that lie first along the reference. */
const drawSequences = async (
  data: PortalData,
  strain: string,
  reference: string,
  segments: ReadAlignment['segments'],
): Promise<NonNullable<StrainReport['drawn']>> => {
  const [all, own] = await Promise.all([reference, strain].map((id) => data.listSequences(id)))
  const longest = (sequences: typeof all) =>
    new Set([...sequences!].sort((a, b) => b.lengthBp - a.lengthBp).slice(0, limits.sequences))
  const [kept, keptOwn] = [longest(all), longest(own)]
  const show = ({ name, lengthBp, circular }: { name: string; lengthBp: number; circular: boolean }) => ({
    name,
    lengthBp,
    circular,
  })
  const places = new Map(all!.map(({ name }, at) => [name, at]))
  const placeOf = (name: string): number => {
    const bases = new Map<number, { bp: number; middle: number }>()
    for (const { source, start, end, other } of segments) {
      if (other !== name) continue
      const at = places.get(source)!
      const entry = bases.get(at) ?? { bp: 0, middle: 0 }
      entry.middle += ((start + end) / 2) * (end - start + 1)
      entry.bp += end - start + 1
      bases.set(at, entry)
    }
    const [best] = [...bases].sort((a, b) => b[1].bp - a[1].bp)
    return best === undefined ? Number.POSITIVE_INFINITY : best[0] + best[1].middle / best[1].bp / 1e12
  }
  const drawnOwn = own!.filter((one) => keptOwn.has(one)).map((one) => ({ one, place: placeOf(one.name) }))
  drawnOwn.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
  const drawn = all!.filter((one) => kept.has(one))
  const names = [new Set(drawn.map(({ name }) => name)), new Set(drawnOwn.map(({ one }) => one.name))] as const
  return {
    reference: drawn.map(show),
    strain: drawnOwn.map(({ one }) => show(one)),
    omitted: all!.length + own!.length - drawn.length - drawnOwn.length,
    segments: segments.filter(({ source, other }) => names[0].has(source) && names[1].has(other)),
  }
}

/** Of a sequence that is less aligned, the other genome has no counterpart: an accessory chromosome, a plasmid, or what was not assembled. */
const unpairedShare = 0.5

const listUnpaired = async (
  data: PortalData,
  genomes: Record<'reference' | 'strain', AssemblySummary>,
  aligned: ReadAlignment['aligned'],
): Promise<NonNullable<StrainReport['unpaired']>> => {
  const rows: UnpairedSequence[] = []
  for (const of of ['reference', 'strain'] as const) {
    const genes = new Map(genomes[of].sequences.map(({ name, geneCount }) => [name, geneCount]))
    for (const { name, lengthBp } of await data.listSequences(genomes[of].id)) {
      const alignedBp = aligned[of].get(name) ?? 0
      if (alignedBp < unpairedShare * lengthBp)
        rows.push({ of, name, lengthBp, alignedBp, genes: genes.get(name) ?? null })
    }
  }
  rows.sort((a, b) => b.lengthBp - a.lengthBp)
  return { total: rows.length, rows: rows.slice(0, limits.unpaired) }
}

/** The reference that is meant, and all genomes of its species. Rejects where the one that is asked about is of another. */
const chooseReference = async (
  data: PortalData,
  { assembly, reference: named }: Pick<Input, 'assembly' | 'reference'>,
): Promise<{ reference: AssemblySummary; siblings: AssemblySummary[] }> => {
  const all = await data.listAssemblies()
  const asked = assembly === undefined ? null : await data.getAssembly(assembly)
  const given = named === undefined ? null : await data.getAssembly(named)
  if (asked !== null && given !== null && asked.species !== given.species)
    throw fieldError(['reference'], 'problem.otherSpecies', { assembly: asked.id, reference: given.id })
  const hasSibling = ({ id, species }: AssemblySummary): boolean =>
    all.some((other) => other.species === species && other.id !== id)
  const first = all.find((one) => !one.reference && !one.outgroup && hasSibling(one))
  const species = (asked ?? given ?? first)?.species
  const siblings = all.filter((one) => one.species === species)
  const reference =
    siblings.find((one) => (given === null ? one.reference : one.id === given.id)) ??
    siblings.find((one) => !one.outgroup) ??
    siblings[0]
  if (reference === undefined) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.one' })
  return { reference, siblings }
}

/** What the alignment of the two tells, and what the strain's variants do to genes: those that are loaded of it, else those of the alignment. */
const readSmall = async (
  strain: AssemblySummary,
  reference: string,
  { data, signal, readReference }: Comparing,
): Promise<{ small: ReadAlignment | null; effects: FoundVariants | null }> => {
  const on = await alignedOn(data, strain.id, reference)
  const loaded = await findLoadedVariants(data, strain, reference, signal)
  if (on === null) return { small: null, effects: loaded }
  const unknownOf = (id: string) => {
    const read = () => readUnknownBases(data, id, signal)
    return id === reference ? readReference('unknown bases', read) : read()
  }
  const collected =
    loaded === null
      ? await collectAlignedVariants(
          data,
          strain.id,
          reference,
          await readReference('coding places', () => readCodingPlaces(data, reference)),
          signal,
        )
      : null
  const small = await readAlignment(data, on, reference, { unknownOf, onVariant: collected?.add }, signal)
  return { small, effects: loaded ?? (small.density.toldApart ? await collected!.finish() : null) }
}

const report = async (input: Input, context: EngineContext): Promise<{ species: string; report: StrainReport }> => {
  const { data, signal, receipt } = context
  const { reference, siblings } = await chooseReference(data, input)
  const strain =
    input.assembly === undefined
      ? siblings.find((one) => !one.reference && !one.outgroup && one.id !== reference.id)
      : siblings.find((one) => one.id === input.assembly)
  if (strain === undefined) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.one' })
  if (reference.id === strain.id)
    throw fieldError([input.reference === undefined ? 'assembly' : 'reference'], 'problem.itself', {
      assembly: strain.id,
    })
  const comparing = await startComparing(context, input.minimumBp)
  const { structure, why } = await compareStructure(strain.id, reference.id, comparing)
  const { small, effects } = await readSmall(strain, reference.id, comparing)
  const state = await data.alignments.getState(reference.id)
  const on = await alignedOn(data, strain.id, reference.id)
  const pair = state?.assemblies.find(({ id }) => id === on?.other)
  const genes = await findChangedGenes(data, strain.id, reference.id, signal)
  const isOfPair = ({ id }: AssemblySummary): boolean => id === strain.id || id === reference.id
  const others = siblings.filter((one) => !one.outgroup && !isOfPair(one))
  const counted = new Set([strain, reference, ...others.slice(0, limits.assemblies - 2)])
  const elements = await countElements(
    siblings.filter((one) => counted.has(one)).map(({ id }) => id),
    strain.id,
    context,
  )
  // Copies of elements are counted over others as well.
  for (const { id } of elements === null ? [strain, reference] : counted) receipt.addData(id)
  return {
    species: strain.species,
    report: {
      strain: await describeFacts(data, strain),
      reference: await describeFacts(data, reference),
      alignment:
        pair === undefined || state === null
          ? null
          : {
              computedAt: state.computedAt,
              program: state.program,
              alignedBp: on?.base === reference.id ? pair.alignedBp : pair.ownAlignedBp,
              ownAlignedBp: on?.base === reference.id ? pair.ownAlignedBp : pair.alignedBp,
              leftOut: pair.leftOut,
            },
      structure,
      why,
      unpaired: small === null ? null : await listUnpaired(data, { reference, strain }, small.aligned),
      drawn: small === null ? null : await drawSequences(data, strain.id, reference.id, small.segments),
      density: small?.density ?? null,
      genes: genes === null ? null : { ...genes, rows: genes.rows.slice(0, limits.genes) },
      proteinVariants:
        effects === null ? null : await describeVariants(data, { strain: strain.id, reference: reference.id }, effects),
      ...elements,
      others: others.length,
    },
  }
}

const compareAll = async (
  input: Input,
  context: EngineContext,
): Promise<{ species: string; all: NonNullable<StrainResult['all']> }> => {
  const { data, signal, receipt, progress } = context
  const { reference, siblings } = await chooseReference(data, input)
  const strains = siblings.filter((one) => one.id !== reference.id && !one.outgroup)
  if (strains.length === 0) throw fieldError(['assembly'], 'problem.alone', { assembly: reference.id })
  if (strains.length > limits.assemblies)
    throw fieldError(['assembly'], 'problem.many', { count: strains.length, limit: limits.assemblies })
  const comparing = await startComparing(context, input.minimumBp)
  const { elements } = await countElements(
    [reference, ...strains].map(({ id }) => id),
    null,
    context,
  )
  const rows: SpeciesRow[] = []
  for (const [at, one] of [reference, ...strains].entries()) {
    const { id } = one
    signal.throwIfAborted()
    progress(at / (strains.length + 1))
    receipt.addData(id)
    const place = elements?.assemblies.indexOf(id) ?? -1
    const copies =
      elements === null || place < 0 ? null : elements.families.reduce((sum, one) => sum + one.copies[place]!, 0)
    if (id === reference.id) {
      rows.push({ ...emptyRow, id, elements: copies })
      continue
    }
    const { structure, why } = await compareStructure(id, reference.id, comparing)
    const { small, effects } = await readSmall(one, reference.id, comparing)
    const genes = await countChangedGenes(data, id, reference.id, signal)
    rows.push({
      id,
      why,
      structure:
        structure === null
          ? null
          : {
              counts: structure.counts,
              truncated: structure.truncated,
              deletedBp: structure.deletedBp,
              insertedBp: structure.insertedBp,
            },
      breakpoints: structure?.basis === 'alignment' ? structure.breakpoints.length : null,
      genes,
      highImpact: effects?.totals.high.variants ?? null,
      substitutions: small?.density.toldApart ? small.density.substitutions : null,
      indels: small === null ? null : small.density.insertions + small.density.deletions,
      comparedBp: small?.density.comparedBp ?? null,
      elements: copies,
    })
  }
  return {
    species: reference.species,
    all: {
      reference: reference.id,
      basis: elements?.basis ?? null,
      rows,
      outgroups: siblings.filter((one) => one.outgroup && one.id !== reference.id).map(({ id }) => id),
    },
  }
}

const emptyRow = {
  why: null,
  structure: null,
  breakpoints: null,
  genes: null,
  highImpact: null,
  substitutions: null,
  indels: null,
  comparedBp: null,
}

export default defineEngine({
  tool,
  programs: [blastProgram('blastn')],
  run: async (input, context): Promise<StrainResult> => {
    const { receipt } = context
    const result =
      input.task === 'all'
        ? { report: null, ...(await compareAll(input, context)) }
        : { all: null, ...(await report(input, context)) }
    receipt.addStep({
      program: 'NovoDB strain report',
      version: String(tool.version),
      formula: `structural differences of at least ${input.minimumBp} bp from the alignment of the whole genomes (minimap2; gaps within and between neighbouring alignments of a chain, inversions, further copies), else from the order of genes; substitutions and indels of less than 50 bp from the same alignment where a base has one counterpart (mapping quality >= 5) and both are known; genes by their DNA as gene presence has them, in both directions; consequences of high and moderate impact as loaded with the variants of a sample that is the strain, else of the substitutions and indels within alignments, all of a gene read together (codons, and frames that are left and found again)`,
    })
    for (const citation of citations) receipt.cite(citation)
    return result
  },
})

const citations = [
  {
    text: 'Li H. Minimap2: pairwise alignment for nucleotide sequences. Bioinformatics 34, 3094-3100 (2018).',
    doi: '10.1093/bioinformatics/bty191',
  },
  {
    text: 'Goel M, Sun H, Jiao W-B, Schneeberger K. SyRI: finding genomic rearrangements and local sequence differences from whole-genome assemblies. Genome Biology 20, 277 (2019).',
    doi: '10.1186/s13059-019-1911-0',
  },
  {
    text: 'Danecek P, McCarthy SA. BCFtools/csq: haplotype-aware variant consequences. Bioinformatics 33, 2037-2039 (2017).',
    doi: '10.1093/bioinformatics/btx100',
  },
  {
    text: 'Camacho C, et al. BLAST+: architecture and applications. BMC Bioinformatics 10, 421 (2009).',
    doi: '10.1186/1471-2105-10-421',
  },
]
