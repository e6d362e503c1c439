/**
 * Files of collinear blocks as labs have them: MCScanX `.collinearity` (Wang et al. 2012), JCVI's `.anchors` and `.simple` (Tang et al.
 * 2008; jcvi.compara), and PAF (minimap2's manual page, Li 2018), whose blocks are segments without genes.
 */

import { PafError, type PafRecord, parsePafLine } from '../alignment/paf.ts'

export const collinearFormats = ['mcscanx', 'anchors', 'simple', 'paf'] as const
type CollinearFormat = (typeof collinearFormats)[number]

/** A side of a block as its file gives it: names of genes, or a segment of a sequence (1-based, inclusive). */
interface FileSide {
  genes: string[]
  sequence: string | null
  start1: number | null
  end1: number | null
  /** Of the sequence, where the file says it. */
  lengthBp?: number
}

export interface FileBlock {
  /** The lines of the file that it stands on, counted from 1. */
  line: number
  /** Null where the file does not say; it shows in the order of the genes. */
  orientation: 1 | -1 | null
  score: number | null
  evalue: number | null
  /** Pairs of genes in order on both sides; of `.simple` only the first and the last of each side. */
  a: FileSide
  b: FileSide
  /** Genes of a side that the file counts without naming them all; null where all are named, or none. */
  geneCount: number | null
}

interface CollinearFile {
  format: CollinearFormat
  blocks: FileBlock[]
}

interface CollinearProblem {
  line: number | null
  reason: string
}

const side = (genes: string[]): FileSide => ({ genes, sequence: null, start1: null, end1: null })

const linesOf = (text: string): [number, string][] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, at): [number, string] => [at + 1, line])

/** The format by the first lines; null when it is none of them. Example: a line `###` begins `.anchors`. */
export const guessCollinearFormat = (text: string): CollinearFormat | null => {
  for (const [, line] of linesOf(text.slice(0, 20_000))) {
    if (line.trim() === '') continue
    if (/^#{2,} ?(Alignment|#* ?Parameters)/.test(line)) return 'mcscanx'
    if (/^###\s*$/.test(line)) return 'anchors'
    if (line.startsWith('#')) continue
    const cells = line.split(/\s+/)
    if (cells.length >= 12 && /^[+-]$/.test(cells[4]!) && /^\d+$/.test(cells[1]!)) return 'paf'
    if (cells.length === 6 && /^[+-]$/.test(cells[5]!)) return 'simple'
    return null
  }
  return null
}

const pairLine = /^\s*\d+-\s*\d+:\s*(\S+)\s+(\S+)(?:\s+(\S+))?/
const headLine = /^## Alignment \d+: score=(\S+) e_value=(\S+) N=(\d+) (\S+)(?:\s+(plus|minus))?/

const parseMcscanx = (text: string): CollinearFile | CollinearProblem => {
  const blocks: FileBlock[] = []
  for (const [number, line] of linesOf(text)) {
    const head = headLine.exec(line)
    if (head !== null) {
      blocks.push({
        line: number,
        orientation: head[5] === undefined ? null : head[5] === 'plus' ? 1 : -1,
        score: Number(head[1]),
        evalue: Number(head[2]),
        a: side([]),
        b: side([]),
        geneCount: null,
      })
      continue
    }
    if (line.startsWith('#') || line.trim() === '') continue
    const pair = pairLine.exec(line)
    const block = blocks.at(-1)
    if (pair === null || block === undefined)
      return { line: number, reason: `no pair of genes in "${line.slice(0, 60)}"` }
    block.a.genes.push(pair[1]!)
    block.b.genes.push(pair[2]!)
  }
  return { format: 'mcscanx', blocks: blocks.filter(({ a }) => a.genes.length > 0) }
}

const parseAnchors = (text: string): CollinearFile | CollinearProblem => {
  const blocks: FileBlock[] = []
  let open = false
  for (const [number, line] of linesOf(text)) {
    if (line.startsWith('#')) {
      open = false
      continue
    }
    if (line.trim() === '') continue
    const cells = line.trim().split(/\s+/)
    if (cells.length < 2) return { line: number, reason: `fewer than two columns in "${line.slice(0, 60)}"` }
    if (!open) {
      blocks.push({
        line: number,
        orientation: null,
        score: null,
        evalue: null,
        a: side([]),
        b: side([]),
        geneCount: null,
      })
      open = true
    }
    blocks.at(-1)!.a.genes.push(cells[0]!)
    blocks.at(-1)!.b.genes.push(cells[1]!)
  }
  return { format: 'anchors', blocks }
}

const parseSimple = (text: string): CollinearFile | CollinearProblem => {
  const blocks: FileBlock[] = []
  for (const [number, line] of linesOf(text)) {
    if (line.trim() === '' || line.startsWith('#')) continue
    // A colour may stand before the first gene, as jcvi's karyotype pictures have it: "g*gene".
    const cells = line.trim().split(/\s+/)
    const [a1, a2, b1, b2, count, strand] = cells
    if (cells.length < 6 || !/^[+-]$/.test(strand!) || !/^\d+$/.test(count!))
      return { line: number, reason: 'not six columns: two genes, two genes, a count, + or -' }
    blocks.push({
      line: number,
      orientation: strand === '+' ? 1 : -1,
      score: null,
      evalue: null,
      a: side([a1!.replace(/^[^*]*\*/, ''), a2!]),
      b: side([b1!, b2!]),
      geneCount: Number(count),
    })
  }
  return { format: 'simple', blocks }
}

/** Shorter alignments, and secondary ones, are no blocks. */
const minPafBp = 5000

const parsePaf = (text: string): CollinearFile | CollinearProblem => {
  const blocks: FileBlock[] = []
  for (const [number, line] of linesOf(text)) {
    if (line.trim() === '' || line.startsWith('#')) continue
    let record: PafRecord
    try {
      record = parsePafLine(line.split('\t').slice(0, 12).join('\t'))
    } catch (error) {
      if (!(error instanceof PafError)) throw error
      return { line: number, reason: error.message }
    }
    if (/\ttp:A:[SI]/.test(line) || record.queryEnd0 - record.queryStart0 < minPafBp) continue
    const segment = (sequence: string, start0: number, end0: number, lengthBp: number): FileSide => ({
      genes: [],
      sequence,
      start1: start0 + 1,
      end1: end0,
      lengthBp,
    })
    blocks.push({
      line: number,
      orientation: record.strand === '+' ? 1 : -1,
      score: record.matches,
      evalue: null,
      geneCount: null,
      a: segment(record.query, record.queryStart0, record.queryEnd0, record.queryLengthBp),
      b: segment(record.target, record.targetStart0, record.targetEnd0, record.targetLengthBp),
    })
  }
  return { format: 'paf', blocks }
}

const parsers = { mcscanx: parseMcscanx, anchors: parseAnchors, simple: parseSimple, paf: parsePaf }

/**
 * Reads collinear blocks; what it is wrong with the first line that cannot be read, else. Primary alignments of at least 5 kb are the
 * blocks of a PAF, their score the number of matching bases.
 *
 * Example: `parseCollinearFile('a1 a9 b1 b9 9 +\n')` is one block of format `simple` with 9 genes, orientation 1.
 */
export const parseCollinearFile = (text: string, format?: CollinearFormat): CollinearFile | CollinearProblem => {
  const chosen = format ?? guessCollinearFormat(text)
  if (chosen === null)
    return { line: null, reason: 'neither MCScanX .collinearity, nor JCVI .anchors or .simple, nor PAF' }
  const parsed = parsers[chosen](text)
  if ('blocks' in parsed && parsed.blocks.length === 0) return { line: null, reason: 'no block in it' }
  return parsed
}
