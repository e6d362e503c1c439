import type { z } from 'zod'
import { readPosition } from '../../bio/sequence/region.ts'
import { consequenceBits, namesOfBits } from '../../bio/variation/consequences.ts'
import {
  type Genotypes,
  missingAllele,
  parseVcfRecord,
  readGenotypes,
  type VcfRecord,
  variantTypes,
} from '../../bio/variation/vcf.ts'
import { fieldError } from '../../contracts/errors.ts'
import { locusMessage } from '../../contracts/region.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import { findSequence } from '../../kit/data/find-sequence.ts'
import type { CatalogueGene, PortalData } from '../../kit/data/portal-data.ts'
import { effectsOf } from '../../kit/data/variant-data.ts'
import { type OpenSet, type RowFilter, type RowRange, worstOf } from '../../kit/data/variants/open-set.ts'
import { createEffectTeller, type ToldEffect } from '../../kit/data/variants/told-effects.ts'
import { affectedGenes } from './affected-genes.ts'
import { openPanel, type Panel, showVariant } from './describe.ts'
import { findChange, type NamedRow } from './find-change.ts'
import { alternateShare, passesPopulation, populationPlaces, requirePopulation } from './population-condition.ts'
import {
  type filterFields,
  frequencySort,
  type GeneModel,
  limits,
  populationSort,
  type VariantsResult,
} from './tool.ts'

export type Filters = z.output<z.ZodObject<typeof filterFields>>

export interface Place {
  sequence: string
  start1: number
  end1: number
}

/** Where a question looks. */
export interface Places {
  /** Null: the whole genome. */
  loci: Place[] | null
  /** Genes asked for, in the order asked. */
  genes: CatalogueGene[]
  unknown: string[]
  /** Rows named by an id; null where none was given. */
  rows: number[] | null
  /** Variants of a list, in its order; empty where none was given. */
  named: NamedVariant[]
}

/** A variant as it was asked for, with the records that are it: several where its alleles have records of their own. */
export interface NamedVariant {
  asked: string
  records: NamedRow[]
}

/** Reads `chr1:1000`, `chr1:1000:A:G` and `chr1:1000:#17`; null for anything else. */
const parseKey = (
  text: string,
  field: string,
): { sequence: string; position: number; alleles: string | null } | null => {
  const match = /^(.+?)[:：]([\d,，]+)(?:[:：](.+))?$/.exec(text)
  if (match === null) return null
  const position = readPosition(match[2]!)
  if (!position.ok) throw fieldError([field], locusMessage(position.error.code), position.error.params)
  return { sequence: match[1]!, position: position.value, alleles: match[3] ?? null }
}

/** The records that an id, a position or a change of a gene names; rejects what is no position under `field`. */
const readName = async (
  text: string,
  open: OpenSet,
  data: PortalData,
  field: string,
  signal: AbortSignal,
): Promise<NamedRow[]> => {
  const byId: NamedRow[] = []
  const candidates = await open.findIds(text)
  for await (const { row, line } of open.readRows(
    [...new Set(candidates)].sort((a, b) => a - b),
    signal,
  )) {
    const ids = line.split('\t', 3)[2]!.toUpperCase().split(';')
    if (ids.includes(text.toUpperCase())) byId.push({ row, alleles: null })
  }
  if (byId.length > 0) return byId
  const changed = await findChange(text, open, data, signal)
  if (changed !== null) return changed.sort((a, b) => a.row - b.row)
  const key = parseKey(text, field)
  if (key === null) return []
  const sequence = await findSequence(data, open.set.assembly, key.sequence)
  if (sequence === null) return []
  const { from, to } = await open.findRange({ sequence: sequence.name, start1: key.position, end1: key.position })
  const named: NamedRow[] = []
  const all = Array.from({ length: Math.min(1000, to - from) }, (_, at) => from + at)
  for await (const { row, line } of open.readRows(all, signal)) {
    const [, , , reference, alternates] = line.split('\t', 5)
    const wanted = key.alleles?.toUpperCase()
    const spelt = `${reference}:${alternates!.replaceAll(',', '/')}`.toUpperCase()
    const one = alternates!.split(',').findIndex((alternate) => `${reference}:${alternate}`.toUpperCase() === wanted)
    if (wanted === undefined || wanted === `#${row}` || wanted === spelt) named.push({ row, alleles: null })
    else if (one >= 0) named.push({ row, alleles: [one + 1] })
  }
  return named
}

/** The variants of a list; those that the set does not have are unknown. */
export const findNamed = async (
  names: readonly string[],
  open: OpenSet,
  data: PortalData,
  signal: AbortSignal,
): Promise<Places> => {
  const answer: Places = { loci: null, genes: [], unknown: [], rows: null, named: [] }
  // Side by side: each waits for the catalogue and for its part of the file.
  const read = await Promise.all(names.map((asked) => readName(asked, open, data, 'variants', signal)))
  for (const [at, asked] of names.entries()) {
    const records = read[at]!
    if (records.length === 0) answer.unknown.push(asked)
    else answer.named.push({ asked, records })
  }
  return answer
}

/** The places of a question. A region without numbers is a whole sequence. */
export const findLoci = async (
  filters: Filters,
  open: OpenSet,
  data: PortalData,
  signal: AbortSignal,
): Promise<Places> => {
  const { assembly } = filters
  const answer: Places = { loci: null, genes: [], unknown: [], rows: null, named: [] }
  const loci: Place[] = []
  if (filters.id !== undefined && filters.id !== '') {
    answer.rows = (await readName(filters.id, open, data, 'id', signal)).map(({ row }) => row)
    if (answer.rows.length === 0) answer.unknown.push(filters.id)
    return answer
  }
  if (filters.genes !== undefined && filters.genes.length > 0) {
    const resolved = await data.resolveGenes(filters.genes, assembly)
    answer.unknown.push(...resolved.unknown, ...resolved.ambiguous.map(({ query }) => query))
    answer.genes = await data.getGenes(
      assembly,
      resolved.found.map(({ gene }) => gene.id),
    )
    for (const gene of answer.genes) {
      const { lengthBp } = await data.getSequence(assembly, gene.sequence)
      loci.push({
        sequence: gene.sequence,
        start1: Math.max(1, gene.start - filters.flankBp),
        end1: Math.min(lengthBp, gene.end + filters.flankBp),
      })
      if (gene.end > lengthBp)
        loci.push({
          sequence: gene.sequence,
          start1: 1,
          end1: Math.min(lengthBp, gene.end - lengthBp + filters.flankBp),
        })
    }
    if (answer.genes.length === 0) throw fieldError(['genes'], 'problem.noGenes', { names: answer.unknown.join(', ') })
  }
  if (filters.region !== undefined && filters.region !== '') {
    const { sequence, start1, end1 } = await findLocus(data, assembly, filters.region, ['region'])
    loci.push({ sequence: sequence.name, start1, end1: Math.min(end1, sequence.lengthBp) })
    if (end1 > sequence.lengthBp) loci.push({ sequence: sequence.name, start1: 1, end1: end1 - sequence.lengthBp })
  }
  if (loci.length > 0) answer.loci = loci
  return answer
}

/** Rows of the places, ascending, each once. */
export const rangesOf = async (loci: Place[] | null, open: OpenSet): Promise<RowRange[]> => {
  if (loci === null) return [{ from: 0, to: open.set.sites }]
  const ranges = await Promise.all(loci.map((locus) => open.findRange(locus)))
  ranges.sort((a, b) => a.from - b.from)
  const apart: RowRange[] = []
  for (const range of ranges) {
    const before = apart.at(-1)
    if (range.from >= range.to) continue
    if (before !== undefined && range.from <= before.to) before.to = Math.max(before.to, range.to)
    else apart.push({ ...range })
  }
  return apart
}

export const rowFilterOf = (filters: Filters): RowFilter => ({
  consequenceBits: consequenceBits(filters.consequences),
  typeBits: filters.types.reduce((bits, type) => bits | (1 << variantTypes.indexOf(type)), 0),
  minFrequency: filters.minFrequency,
  maxFrequency: filters.maxFrequency,
  maxMissing: filters.maxMissing,
})

/** Accessions of a condition as places among the samples. */
const indexesOf = (names: readonly string[], panel: Panel, field: string): number[] =>
  names.map((name) => {
    const index = panel.samples.indexOf(name)
    const other = index >= 0 ? index : panel.names.indexOf(name)
    if (other < 0) throw fieldError([field], 'problem.unknownAccession', { name })
    return other
  })

const populationTest = (filters: Filters, panel: Panel): ((genotypes: Genotypes) => boolean) | null => {
  const { population, minInPopulation: minimum, maxElsewhere: maximumElsewhere } = filters
  if (population === undefined || population === '') return null
  const asked = { place: requirePopulation(population, panel), minimum, maximumElsewhere }
  const places = populationPlaces(panel)
  return (genotypes) => passesPopulation(genotypes, places, panel.populations.length, asked)
}

/** Whether a variant is what is asked of the genotypes of accessions and populations; null where nothing is. */
export const genotypeTest = (filters: Filters, panel: Panel): ((genotypes: Genotypes | null) => boolean) | null => {
  const carriers = indexesOf(filters.carriers, panel, 'carriers')
  const without = indexesOf(filters.without, panel, 'without')
  const isOfPopulation = populationTest(filters, panel)
  if (carriers.length === 0 && without.length === 0 && isOfPopulation === null) return null
  const has = (genotypes: Genotypes, index: number, test: (allele: number) => boolean): boolean => {
    for (let copy = 0; copy < genotypes.ploidy; copy += 1)
      if (test(genotypes.alleles[index * genotypes.ploidy + copy]!)) return true
    return false
  }
  return (genotypes) =>
    genotypes !== null &&
    carriers.every((index) => has(genotypes, index, (allele) => allele > 0)) &&
    without.every((index) => !has(genotypes, index, (allele) => allele > 0 || allele === missingAllele)) &&
    (isOfPopulation === null || isOfPopulation(genotypes))
}

/** Rows of the places that pass, ascending: four bytes each, for a whole genome may have tens of millions. */
export const listRows = async (
  open: OpenSet,
  ranges: readonly RowRange[],
  filter: RowFilter,
  signal: AbortSignal,
): Promise<Uint32Array> => {
  let rows = new Uint32Array(4096)
  let count = 0
  for await (const piece of open.scan(ranges, filter, signal)) {
    if (count + piece.length > rows.length) {
      const wider = new Uint32Array(Math.max(2 * rows.length, count + piece.length))
      wider.set(rows.subarray(0, count))
      rows = wider
    }
    for (const { row } of piece) {
      rows[count] = row
      count += 1
    }
  }
  return rows.subarray(0, count)
}

export interface FoundRecord {
  row: number
  record: VcfRecord
  genotypes: Genotypes | null
}

/** A line of the set's VCF with its genotypes; null where it is no record. */
export const readRecord = ({ set }: OpenSet, row: number, line: string): FoundRecord | null => {
  const record = parseVcfRecord(line)
  return record === null ? null : { row, record, genotypes: readGenotypes(record, set.samples.length, set.ploidy || 2) }
}

/** Records of rows with their genotypes. */
export async function* readRecords(
  open: OpenSet,
  rows: ArrayLike<number>,
  signal: AbortSignal,
): AsyncGenerator<FoundRecord> {
  for await (const { row, line } of open.readRows(rows, signal)) {
    const found = readRecord(open, row, line)
    if (found !== null) yield found
  }
}

/** Symbols of the genes that effects name. */
export const symbolsOf = async (
  data: PortalData,
  assembly: string,
  ids: Iterable<string>,
): Promise<Map<string, string | null>> => {
  const genes = await data.getGenes(assembly, [...new Set(ids)])
  return new Map(genes.map(({ id, symbol }) => [id, symbol]))
}

/** Genotypes of one answer: reading them takes the time that a thousand accessions take. */
const maxGenotypes = 100_000_000

/** How many records are held against a condition on accessions: a whole genome of few accessions, or a good part of many. */
export const maxTested = (samples: number): number =>
  Math.max(limits.scanned, Math.min(limits.tested, Math.floor(maxGenotypes / Math.max(1, samples))))

const shownShare = (frequency: number): number | null =>
  Number.isNaN(frequency) ? null : Number(frequency.toPrecision(6))

/** Marks of the figure at most. */
const maxMarks = 4000
/** The figure draws the genes of a place of at most this length. */
const drawnBp = 2_000_000
const maxDrawnGenes = 400
/** Variants whose genes are gathered for a set: their lines are read beside those of the page, and are as long as there are accessions. */
const maxGathered = (samples: number): number => Math.min(5000, Math.floor(1_000_000 / Math.max(1, samples)))

/** What variants are ordered by, from their genotypes: null for their positions, or where the accessions have no such population. */
const sortOf = (
  sort: string | undefined,
  { populations }: Panel,
): { by: string; of: (genotypes: Genotypes | null) => number | null } | null => {
  if (sort === undefined || sort === '') return null
  if (sort === frequencySort) return { by: sort, of: (genotypes) => alternateShare(genotypes, null) }
  const population = populations.find(({ name }) => populationSort(name) === sort)
  return population === undefined
    ? null
    : { by: sort, of: (genotypes) => alternateShare(genotypes, population.indexes) }
}

export const listVariants = async (
  filters: Filters & { page: number; pageSize: number; sort?: string | undefined; descending: boolean },
  open: OpenSet,
  found: Places,
  data: PortalData,
  signal: AbortSignal,
): Promise<VariantsResult> => {
  const { set } = open
  const panel = await openPanel(data, set, filters.grouping)
  const sort = set.hasGenotypes ? sortOf(filters.sort, panel) : null
  const condition = genotypeTest(filters, panel)
  // An order of frequencies is told from the genotypes, as a condition on them is.
  const test = condition ?? (sort === null ? null : () => true)
  const filter = rowFilterOf(filters)
  const ranges =
    found.rows === null ? await rangesOf(found.loci, open) : found.rows.map((row) => ({ from: row, to: row + 1 }))
  const skip = (filters.page - 1) * filters.pageSize
  const onlyLocus = found.loci?.length === 1 ? found.loci[0]! : null
  const rows: number[] = []
  const candidates: number[] = []
  const maxCandidates = maxTested(set.samples.length)
  const bitCounts = new Float64Array(32)
  const marks: VariantsResult['marks'] = []
  /** Of candidates, until their genotypes say whether they pass. */
  const marksOf = new Map<number, VariantsResult['marks'][number]>()
  let total = 0
  const mostGathered = maxGathered(set.samples.length)
  const gathered: number[] = []
  const affected = new Set<string>()
  const gather = (record: VcfRecord): void => {
    for (const gene of affectedGenes(effectsOf(record), filters.consequences)) affected.add(gene)
  }
  for await (const piece of open.scan(ranges, filter, signal))
    for (const { row, bits, position, frequency } of piece) {
      if (test !== null) {
        if (candidates.length < maxCandidates) {
          candidates.push(row)
          if (onlyLocus !== null) marksOf.set(row, [position, worstOf(bits), shownShare(frequency)])
        }
      } else if (total >= skip && rows.length < filters.pageSize) rows.push(row)
      if (test === null && total < mostGathered) gathered.push(row)
      total += 1
      for (let rest = bits & 0xffffff; rest !== 0; rest &= rest - 1) bitCounts[31 - Math.clz32(rest & -rest)]! += 1
      if (onlyLocus !== null && test === null && marks.length < maxMarks)
        marks.push([position, worstOf(bits), shownShare(frequency)])
    }
  const shown: FoundRecord[] = []
  let scanned: VariantsResult['scanned'] = null
  let passing: number | null = total
  if (test === null) {
    for await (const one of readRecords(open, rows, signal)) shown.push(one)
    if (total <= mostGathered)
      for await (const { line } of open.readRows(gathered, signal)) {
        const record = parseVcfRecord(line)
        if (record !== null) gather(record)
      }
  } else {
    let passed = 0
    const ordered: { row: number; share: number }[] = []
    for await (const one of readRecords(open, candidates, signal)) {
      if (!test(one.genotypes)) continue
      if (sort !== null) ordered.push({ row: one.row, share: sort.of(one.genotypes) ?? Number.NaN })
      else if (passed >= skip && shown.length < filters.pageSize) shown.push(one)
      passed += 1
      if (passed <= mostGathered) gather(one.record)
      const mark = marksOf.get(one.row)
      if (mark !== undefined && marks.length < maxMarks) marks.push(mark)
    }
    if (sort !== null) {
      // Stable: of one frequency by position. What is called nowhere comes last either way.
      const sign = filters.descending ? -1 : 1
      ordered.sort((a, b) =>
        Number.isNaN(a.share) || Number.isNaN(b.share)
          ? Number(Number.isNaN(a.share)) - Number(Number.isNaN(b.share))
          : sign * (a.share - b.share),
      )
      const page = ordered.slice(skip, skip + filters.pageSize).map(({ row }) => row)
      const read = new Map<number, FoundRecord>()
      for await (const one of readRecords(
        open,
        page.toSorted((a, b) => a - b),
        signal,
      ))
        read.set(one.row, one)
      shown.push(...page.flatMap((row) => read.get(row) ?? []))
    }
    scanned = { looked: candidates.length, of: total, passed }
    passing = candidates.length === total ? passed : null
  }
  const parsed = shown.map(({ row, record, genotypes }) => ({ row, record, genotypes }))
  const geneIds = parsed.flatMap(({ record }) =>
    [...record.info.matchAll(/[=,][^|,;]*\|([^|]*)\|/g)].map((one) => one[1]!),
  )
  const symbols = await symbolsOf(data, set.assembly, geneIds.map(decodeName))
  const tell = createEffectTeller(data, set.assembly)
  const effects: ToldEffect[][] = []
  for (const { record } of parsed) effects.push(await tell(record))
  const single = parsed.length === 1 && found.rows !== null ? parsed[0]! : null
  const drawn: Place | null =
    onlyLocus ??
    (single === null
      ? null
      : {
          sequence: single.record.sequence,
          start1: Math.max(1, single.record.position1 - 2000),
          end1: single.record.end1 + 2000,
        })
  const genes = await readModels(data, set.assembly, drawn)
  if (single !== null)
    for await (const [bits] of open.scan([{ from: single.row, to: single.row + 1 }], filter, signal))
      if (bits !== undefined)
        marks.push([bits.position, worstOf(bits.bits), Number.isNaN(bits.frequency) ? null : bits.frequency])
  return {
    rows: parsed.map(({ row, record, genotypes }, at) =>
      showVariant(record, row, effects[at]!, genotypes, panel, symbols),
    ),
    total: passing,
    page: filters.page,
    pageSize: filters.pageSize,
    sort: sort === null ? null : { by: sort.by, descending: filters.descending },
    scanned,
    affected: (scanned?.passed ?? total) <= mostGathered ? [...affected] : null,
    counts:
      condition === null
        ? Object.fromEntries(
            namesOfBits(0xffffff).flatMap((name, bit) => (bitCounts[bit]! > 0 ? [[name, bitCounts[bit]!]] : [])),
          )
        : null,
    populations: panel.populations.map(({ name, indexes }) => ({ name, samples: indexes.length })),
    genotypes:
      single === null || single.genotypes === null
        ? null
        : panel.samples.map((accession, index) => {
            const { ploidy, alleles, phased } = single.genotypes!
            return {
              accession,
              name: panel.names[index]!,
              population: panel.groups[index]!,
              alleles: [...alleles.subarray(index * ploidy, (index + 1) * ploidy)].filter((allele) => allele >= -1),
              phased: phased[index] === 1,
            }
          }),
    genes,
    loci: (drawn === null ? (found.loci ?? []) : [drawn]).map(({ sequence, start1, end1 }) => ({
      sequence,
      start: start1,
      end: end1,
    })),
    marks,
    marksCut: marks.length === maxMarks && (scanned?.passed ?? total) > maxMarks,
  }
}

/** A gene as it is drawn, by the transcript with the most coding segments. */
const modelOf = ({ id, symbol, sequence, start, end, strand, transcripts }: CatalogueGene): GeneModel => {
  const transcript = [...transcripts].sort(
    (a, b) => b.cds.length - a.cds.length || b.end - b.start - (a.end - a.start),
  )[0]
  return {
    id,
    symbol,
    sequence,
    start,
    end,
    strand,
    exons: transcript?.exons ?? [],
    cds: (transcript?.cds ?? []).map(([start1, end1]): [number, number] => [start1, end1]),
  }
}

/** Genes of a place, to be drawn; none of one that is too long for them to be seen. */
export const readModels = async (data: PortalData, assembly: string, place: Place | null): Promise<GeneModel[]> => {
  if (place === null || place.end1 - place.start1 >= drawnBp) return []
  const genes = await data.listGenesInRegion(assembly, place.sequence, place.start1, place.end1, maxDrawnGenes)
  return (
    await data.getGenes(
      assembly,
      genes.map(({ id }) => id),
    )
  ).map(modelOf)
}

const decodeName = (text: string): string =>
  text.replace(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
