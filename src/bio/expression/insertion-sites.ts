// Reads of transposon insertions at the sites of a genome, as libraries of Tn-seq are counted: a WIG of variable steps for each library
// with a line for every site (every TA for Himar1), sites without insertion having 0 (DeJesus et al. 2015, doi:10.1371/journal.pcbi.1004401).

import type { Strand } from '../sequence/region.ts'
import type { DefectLog } from '../text/defects.ts'
import { expressionDefects } from './expression-defects.ts'

/** Whether these first lines are those of a WIG of variable steps. */
export const isInsertionWig = (lines: readonly string[]): boolean =>
  /^variableStep\s+chrom=\S+/.test(
    lines.find((line) => line.trim() !== '' && !/^(#|track\b|browser\b)/.test(line)) ?? '',
  )

export interface SiteGene {
  id: string
  sequence: string
  /** Both ends are of the gene; `end1` beyond the length only where the gene crosses the origin. */
  start1: number
  end1: number
  strand: Strand
  /** Its last three bases are the stop codon, in which an insertion leaves the protein whole: sites there are not counted. */
  isCoding: boolean
}

const stopCodonBp = 3

export interface InsertionSites {
  samples: string[]
  genes: string[]
  /** Reads summed over the sites of each gene, row after row, a column a sample; NaN where a gene has no site. */
  values: Float64Array
  /** Genes × samples without a value. */
  missing: number
  /** Of each sample over all sites. */
  sums: Float64Array
  siteCount: number
  /** Reads at each site in the order of the genome, row after row, a column a sample. */
  counts: Float32Array
  /** First site of each gene and how many it has, two numbers a gene. */
  geneSites: Uint32Array
}

export interface InsertionReaderOptions {
  log: DefectLog
  /** Name of a sequence by the name of a file; null where it is not known. */
  findSequence: (name: string) => string | null
  /** Names and lengths in the order of the genome. */
  sequences: readonly { name: string; lengthBp: number }[]
}

/**
 * Reads libraries of one genome, each by lines; sites that only some of them name have 0 in the others, and what a library says of a site
 * in several lines, such as for both strands, is summed.
 */
export class InsertionReader {
  readonly #options: InsertionReaderOptions
  /** Sites and their counts as they were read, by sample and sequence. */
  readonly #samples: { name: string; read: { positions1: number[]; counts: number[] }[] }[] = []
  readonly #guessed = new Set<string>()
  #refused = false

  constructor(options: InsertionReaderOptions) {
    this.#options = options
  }

  /** Begins a library; gives what takes its lines. */
  open(name: string, file: string): (line: string, number: number) => void {
    const { log, findSequence, sequences } = this.#options
    const read = sequences.map(() => ({ positions1: [] as number[], counts: [] as number[] }))
    this.#samples.push({ name, read })
    let sequence = -1
    const refuse = (
      code: 'insertions-line' | 'insertions-sequence' | 'insertions-position',
      number: number,
      params: Record<string, string | number>,
    ): void => {
      if (!this.#refused) log.report(expressionDefects, code, file, number, params)
      this.#refused = true
    }
    return (line, number) => {
      if (this.#refused || line.trim() === '' || /^(#|track\b|browser\b)/.test(line)) return
      const heading = /^variableStep\s+chrom=(\S+)/.exec(line)
      if (heading !== null) {
        const [, given] = heading
        const known = findSequence(given!)
        // Programs of Tn-seq name what they like here; of one sequence there is no doubt.
        const name = known ?? (sequences.length === 1 ? sequences[0]!.name : null)
        if (name === null) return refuse('insertions-sequence', number, { name: given! })
        if (known === null && !this.#guessed.has(given!)) {
          this.#guessed.add(given!)
          log.report(expressionDefects, 'insertions-sequence-guessed', file, number, { name: given!, sequence: name })
        }
        sequence = sequences.findIndex((one) => one.name === name)
        return
      }
      const cells = line.trim().split(/\s+/)
      const position1 = Number(cells[0])
      const count = Number(cells[1])
      if (sequence < 0 || cells.length !== 2 || !Number.isInteger(position1) || !(count >= 0) || count > 3e38)
        return refuse('insertions-line', number, { line: line.slice(0, 80) })
      const { name, lengthBp } = sequences[sequence]!
      if (position1 < 1 || position1 > lengthBp)
        return refuse('insertions-position', number, { position: position1, sequence: name, length: lengthBp })
      read[sequence]!.positions1.push(position1)
      read[sequence]!.counts.push(count)
    }
  }

  /** All libraries at all sites, and their sums over genes; null where something was refused (reported) or there is no site. */
  finish(file: string, genes: readonly SiteGene[]): InsertionSites | null {
    const { log, sequences } = this.#options
    if (this.#refused) return null
    const samples = this.#samples.map(({ name }) => name)
    const width = samples.length
    const sites = sequences.map((_, at) => {
      const found = new Set<number>()
      for (const { read } of this.#samples) for (const position1 of read[at]!.positions1) found.add(position1)
      return Uint32Array.from(found).sort()
    })
    const siteCount = sites.reduce((sum, own) => sum + own.length, 0)
    if (siteCount === 0) {
      log.report(expressionDefects, 'expression-empty', file, null)
      return null
    }
    const counts = new Float32Array(siteCount * width)
    const sums = new Float64Array(width)
    const firstOf: number[] = []
    let first = 0
    for (const [at, own] of sites.entries()) {
      firstOf.push(first)
      for (const [sample, { read }] of this.#samples.entries()) {
        const { positions1, counts: found } = read[at]!
        for (const [index, position1] of positions1.entries())
          counts[(first + lowerBound(own, position1)) * width + sample]! += found[index]!
      }
      first += own.length
    }
    for (let site = 0; site < siteCount; site += 1)
      for (let sample = 0; sample < width; sample += 1) sums[sample]! += counts[site * width + sample]!
    const placeOf = new Map(sequences.map(({ name }, at) => [name, at]))
    const values = new Float64Array(genes.length * width)
    const geneSites = new Uint32Array(2 * genes.length)
    let missing = 0
    for (const [number, gene] of genes.entries()) {
      const at = placeOf.get(gene.sequence)
      const own = at === undefined ? null : sites[at]!
      // The part of a gene beyond the origin is another stretch of sites: what is before it stands for the gene.
      const stop = gene.isCoding ? stopCodonBp : 0
      const start1 = gene.strand === '-' ? gene.start1 + stop : gene.start1
      const end1 = gene.strand === '-' ? gene.end1 : gene.end1 - stop
      const first = own === null ? 0 : lowerBound(own, start1)
      const past = own === null ? 0 : Math.max(first, lowerBound(own, end1 + 1))
      const found = past - first
      geneSites[2 * number] = at === undefined ? 0 : firstOf[at]! + first
      geneSites[2 * number + 1] = found
      for (let sample = 0; sample < width; sample += 1) {
        let sum = found === 0 ? Number.NaN : 0
        for (let site = 0; site < found; site += 1) sum += counts[(geneSites[2 * number]! + site) * width + sample]!
        values[number * width + sample] = sum
        if (found === 0) missing += 1
      }
    }
    return { samples, genes: genes.map(({ id }) => id), values, missing, sums, siteCount, counts, geneSites }
  }
}

/** Index of the first of ascending numbers that is not below the value. */
const lowerBound = (sorted: Uint32Array, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
