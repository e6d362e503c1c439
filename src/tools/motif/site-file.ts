import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ScoringMatrix, scoreInBits } from '../../bio/motif/motif-scores.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { LocatedRecord } from '../../kit/data/genes/locate-records.ts'
import { locusOnGenome, relativePosition } from './promoters.ts'
import type { SiteList } from './site-list.ts'
import type { MotifResult, Site } from './tool.ts'

/** A promoter, or a sequence that was pasted. */
export interface ScannedSequence {
  name: string
  bases: string
  gene: string | null
  symbol: string | null
  record: LocatedRecord | null
  insideBp: number
  relativeStart: number | null
  /** Of several sequences that are one segment of the genome all but the first: a comparison counts it once. */
  repeated: boolean
}

export interface SiteTable {
  sites: SiteList
  /** Over all tests, by the number of the site. */
  qValues: Float64Array
  /** Sites to be told, the best first. */
  order: Uint32Array
  sequences: ScannedSequence[]
  results: MotifResult[]
  matrices: ScoringMatrix[]
}

/** All sites of a run, in its directory. */
export const siteFile = 'sites.tsv'

/** FIMO's ten columns by their names, then ours. */
export const siteColumns = [
  'motif_id',
  'motif_alt_id',
  'sequence_name',
  'start',
  'stop',
  'strand',
  'score',
  'p-value',
  'q-value',
  'matched_sequence',
  'q-value_all_motifs',
  'gene',
  'symbol',
  'relative_start',
  'relative_end',
  'genome_sequence',
  'genome_start',
  'genome_end',
  'genome_strand',
] as const

const sixDigits = (value: number): number => Number(value.toPrecision(6))

/** A site in words and numbers, of its number in the list. */
export const describeSite = ({ sites, qValues, sequences, results, matrices }: SiteTable, at: number): Site => {
  const motif = sites.motif[at]!
  const sequence = sequences[sites.sequence[at]!]!
  const { width } = results[motif]!
  const start = sites.start0[at]! + 1
  const end = start + width - 1
  const strand = sites.reverse[at] === 1 ? '-' : '+'
  const word = sequence.bases.slice(start - 1, end).toUpperCase()
  const { record, insideBp } = sequence
  const relative = (position: number): number | null =>
    sequence.relativeStart === null ? null : relativePosition(insideBp, sequence.bases.length, position)
  return {
    motif,
    sequence: sequence.name,
    gene: sequence.gene,
    symbol: sequence.symbol,
    start,
    end,
    strand,
    relativeStart: relative(start),
    relativeEnd: relative(end),
    locus: record === null ? null : locusOnGenome(record, start, end, strand),
    score: sixDigits(scoreInBits(matrices[motif]!, sites.scaled[at]!)),
    pValue: sixDigits(sites.pValue[at]!),
    qValue: sixDigits(qValues[at]!),
    motifQValue: sixDigits(sites.motifQValue[at]!),
    matched: strand === '-' ? reverseComplement(word, { rna: false }) : word,
  }
}

const clean = (text: string | null): string => (text ?? '').replace(/[\t\r\n]+/g, ' ')

/** What stands in every line of a motif or a sequence, made once: files of millions of lines are written. */
const prepareLines = ({ sites, qValues, sequences, results, matrices }: SiteTable): ((at: number) => string) => {
  const heads = results.map(({ id, name }) => `${clean(id)}\t${clean(name)}`)
  const names = sequences.map(({ name }) => clean(name))
  const genes = sequences.map(({ gene, symbol }) => `${clean(gene)}\t${clean(symbol)}`)
  const forward: (string | undefined)[] = []
  const reverse: (string | undefined)[] = []
  const readWord = (number: number, isReverse: boolean, start0: number, end: number): string => {
    forward[number] ??= sequences[number]!.bases.toUpperCase()
    const bases = forward[number]!
    if (!isReverse) return bases.slice(start0, end)
    reverse[number] ??= reverseComplement(bases, { rna: false })
    return reverse[number]!.slice(bases.length - end, bases.length - start0)
  }
  // In the order of p-values sites of one motif and one score follow each other: their numbers are rendered once.
  let lastMotif = -1
  let lastScaled = -1
  let numbers = ''
  let overall = 0
  return (at) => {
    const motif = sites.motif[at]!
    const scaled = sites.scaled[at]!
    if (motif !== lastMotif || scaled !== lastScaled) {
      lastMotif = motif
      lastScaled = scaled
      numbers = `${sixDigits(scoreInBits(matrices[motif]!, scaled))}\t${sixDigits(sites.pValue[at]!)}\t${sixDigits(sites.motifQValue[at]!)}`
      overall = sixDigits(qValues[at]!)
    }
    const number = sites.sequence[at]!
    const { record, insideBp, relativeStart, bases } = sequences[number]!
    const start = sites.start0[at]! + 1
    const end = start + results[motif]!.width - 1
    const isReverse = sites.reverse[at] === 1
    const strand = isReverse ? '-' : '+'
    const relative =
      relativeStart === null
        ? '\t'
        : `${relativePosition(insideBp, bases.length, start)}\t${relativePosition(insideBp, bases.length, end)}`
    const locus = record === null ? null : locusOnGenome(record, start, end, strand)
    const where = locus === null ? '\t\t\t' : `${locus.sequence}\t${locus.start}\t${locus.end}\t${locus.strand}`
    return `${heads[motif]!}\t${names[number]!}\t${start}\t${end}\t${strand}\t${numbers}\t${readWord(number, isReverse, start - 1, end)}\t${overall}\t${genes[number]!}\t${relative}\t${where}\n`
  }
}

/** Lines written at once. */
const batchLines = 2000

/** Writes all sites, the best first. */
export const writeSites = async (directory: string, table: SiteTable, signal: AbortSignal): Promise<void> => {
  const renderSite = prepareLines(table)
  const lines = async function* (): AsyncGenerator<string> {
    yield `${siteColumns.join('\t')}\n`
    for (let from = 0; from < table.order.length; from += batchLines) {
      signal.throwIfAborted()
      yield Array.from(table.order.subarray(from, from + batchLines), renderSite).join('')
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(directory, siteFile)))
}
