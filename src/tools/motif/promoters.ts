import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { createNamer } from '../../bio/text/unique-names.ts'
import { PortalError } from '../../contracts/errors.ts'
import { findAskedGenes, type NameProblem, namedTranscript } from '../../kit/data/genes/find-genes.ts'
import { openNeighbours } from '../../kit/data/genes/gene-neighbours.ts'
import { type ExtractionChoice, type LocatedRecord, locateRecords } from '../../kit/data/genes/locate-records.ts'
import type { CatalogueGene, GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'

export interface PromoterChoice {
  from: 'transcript' | 'coding'
  upstreamBp: number
  insideBp: number
  clip: boolean
}

/** A promoter that was read: where it lies and its bases in the direction of the gene. */
export interface Promoter {
  name: string
  record: LocatedRecord
  bases: string
  /** Bases at its end that lie after the anchor: fewer than asked for where the gene is shorter. */
  insideBp: number
  /** Position of the first base from the anchor: -1000 is the thousandth before it, 1 the first after it. */
  relativeStart: number
}

/** Genes whose models are in memory at a time. */
const batchGenes = 500
/** Promoters nearer to each other than this are read in one go … */
const joinedGapBp = 20_000
/** … up to this many bases. */
const longestReadBp = 4_000_000

const extractionChoice = (choice: PromoterChoice): ExtractionChoice => ({
  part: 'upstream',
  transcripts: 'longest',
  from: choice.from,
  upstreamBp: choice.upstreamBp,
  downstreamBp: 0,
  insideBp: choice.insideBp,
  clip: choice.clip,
  keepStop: false,
})

/** Reads the bases of many records with few reads: neighbours on a sequence are cut out of one segment. */
const readBases = async (
  records: readonly LocatedRecord[],
  assembly: string,
  data: PortalData,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<string[]> => {
  const pieces = records
    .flatMap((record, number) =>
      record.pieces.map((piece, part) => ({ ...piece, sequence: record.gene.sequence, number, part })),
    )
    .sort((a, b) => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : a.start1 - b.start1))
  const parts: string[][] = records.map(() => [])
  for (let from = 0; from < pieces.length; ) {
    signal.throwIfAborted()
    const first = pieces[from]!
    let end1 = first.end1
    let to = from + 1
    while (to < pieces.length) {
      const next = pieces[to]!
      if (next.sequence !== first.sequence || next.start1 > end1 + joinedGapBp) break
      if (Math.max(end1, next.end1) - first.start1 >= longestReadBp) break
      end1 = Math.max(end1, next.end1)
      to += 1
    }
    const segment = await data.fetchSequence(assembly, first.sequence, first.start1, end1)
    for (const piece of pieces.slice(from, to)) {
      const bases = segment.slice(piece.start1 - first.start1, piece.end1 - first.start1 + 1)
      parts[piece.number]![piece.part] = piece.strand === '-' ? reverseComplement(bases, { rna: false }) : bases
    }
    from = to
    onProgress(from / pieces.length)
  }
  return parts.map((cut) => cut.join(''))
}

/** How much of a promoter lies after the anchor: the gene's own bases end with it. */
const insideOf = ({ flank }: LocatedRecord, { insideBp }: PromoterChoice): number =>
  Math.min(insideBp, flank?.anchorBp ?? 0)

const isCoding = (gene: CatalogueGene): boolean => gene.transcripts.some((transcript) => transcript.cds.length > 0)

export interface PromoterSet {
  promoters: Promoter[]
  /** The first so many are of the genes asked for, the others the background. */
  asked: number
  problems: NameProblem[]
}

/**
 * Promoters of the genes named (of all genes where `names` is null), followed by those of the background: the genes named there, or all
 * others (`background` 'all'), or none. They are located as the extraction of gene sequences locates them. Names that give none are
 * told as problems; rejects with UNKNOWN_GENE where none is left.
 */
export const readPromoters = async (
  names: readonly string[] | null,
  background: readonly string[] | 'all' | null,
  options: { assembly: string; choice: PromoterChoice; codingOnly: boolean; maxBp: number },
  data: PortalData,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<PromoterSet> => {
  const { assembly } = options
  const choice = extractionChoice(options.choice)
  const sequences = new Map<string, GenomeSequence>(
    (await data.listSequences(assembly)).map((sequence) => [sequence.name, sequence]),
  )
  const findNeighbours = choice.clip ? await openNeighbours(data, assembly, sequences) : () => []
  const problems: NameProblem[] = []
  const records: LocatedRecord[] = []
  const taken = new Set<string>()
  let totalBp = 0
  const take = (gene: CatalogueGene, only: string | null, query: string | null): void => {
    if (taken.has(gene.id)) {
      if (query !== null) problems.push({ query, id: 'reason.repeated', params: { gene: gene.id } })
      return
    }
    const sequence = sequences.get(gene.sequence)
    if (sequence === undefined) return
    const located = locateRecords(gene, only, sequence, choice, findNeighbours)
    for (const record of located.records) {
      taken.add(gene.id)
      records.push(record)
      totalBp += record.lengthBp
    }
    if (located.reason !== null && query !== null) problems.push({ query, ...located.reason })
    if (totalBp > options.maxBp)
      throw new PortalError('ENGINE_LIMIT', { message: 'problem.tooMuch', params: { limit: options.maxBp } })
  }
  const takeNamed = async (asked: readonly string[], withProblems: boolean): Promise<number> => {
    const found = await findAskedGenes(asked, assembly, data)
    if (withProblems) problems.push(...found.problems)
    for (let from = 0; from < found.genes.length; from += batchGenes) {
      signal.throwIfAborted()
      const batch = found.genes.slice(from, from + batchGenes)
      const models = new Map(
        (
          await data.getGenes(
            assembly,
            batch.map(({ id }) => id),
          )
        ).map((gene) => [gene.id, gene]),
      )
      for (const { query, id } of batch) {
        const gene = models.get(id)
        if (gene !== undefined) take(gene, namedTranscript(query, gene), withProblems ? query : null)
      }
    }
    return found.refused
  }
  const takeAll = async (): Promise<void> => {
    for await (const batch of data.streamGenes(assembly)) {
      signal.throwIfAborted()
      for (const gene of batch) if (!options.codingOnly || isCoding(gene)) take(gene, null, null)
    }
  }
  if (names === null) await takeAll()
  else {
    await takeNamed(names, true)
    if (records.length === 0) {
      const first = problems[0]
      throw new PortalError('UNKNOWN_GENE', {
        message: 'problem.noPromoter',
        params: { count: problems.length, first: first?.query ?? '', assembly },
        problems: problems.slice(0, 50).map(({ query, id, params }) => ({
          path: ['genes'],
          message: `named.${id}`,
          params: { ...params, query },
        })),
      })
    }
  }
  const asked = records.length
  if (background === 'all') await takeAll()
  else if (background !== null) await takeNamed(background, false)
  const nameOf = createNamer()
  const bases = await readBases(records, assembly, data, signal, onProgress)
  return {
    asked,
    problems,
    promoters: records.map((record, number) => {
      const insideBp = insideOf(record, options.choice)
      return {
        name: nameOf(record.transcript?.id ?? record.gene.id),
        record,
        bases: bases[number]!,
        insideBp,
        // There is no position 0: -1 is followed by 1.
        relativeStart: relativePosition(insideBp, bases[number]!.length, 1),
      }
    }),
  }
}

/**
 * Position from the anchor of the `at1`-th base of a promoter whose last `insideBp` bases lie after it; there is no 0.
 * `relativePosition(0, 1000, 1)` is -1000, `relativePosition(50, 1050, 1001)` is 1.
 */
export const relativePosition = (insideBp: number, lengthBp: number, at1: number): number => {
  const fromAnchor = at1 - 1 - (lengthBp - Math.min(insideBp, lengthBp))
  return fromAnchor < 0 ? fromAnchor : fromAnchor + 1
}

/** The genome's position of the `at1`-th base of a promoter, and the strand on which it is read there. */
const placeBase = (pieces: LocatedRecord['pieces'], at1: number): { position: number; strand: '+' | '-' } => {
  let left = at1 - 1
  for (const { start1, end1, strand } of pieces) {
    const lengthBp = end1 - start1 + 1
    if (left < lengthBp)
      return { position: strand === '-' ? end1 - left : start1 + left, strand: strand === '-' ? '-' : '+' }
    left -= lengthBp
  }
  throw new RangeError(`Base ${at1} lies beyond the promoter`)
}

/** Where a segment of a promoter lies on the genome; strand is the segment's on the promoter turned by the promoter's own. */
export const locusOnGenome = (
  { gene, pieces }: LocatedRecord,
  start1: number,
  end1: number,
  strand: '+' | '-',
): { sequence: string; start: number; end: number; strand: '+' | '-' } => {
  const first = placeBase(pieces, start1)
  const last = placeBase(pieces, end1)
  const turned = first.strand === '-'
  // Across the origin of a circular sequence the end lies before the start.
  return {
    sequence: gene.sequence,
    start: turned ? last.position : first.position,
    end: turned ? first.position : last.position,
    strand: (strand === '-') === turned ? '+' : '-',
  }
}
