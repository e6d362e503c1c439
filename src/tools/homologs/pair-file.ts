import { createWriteStream } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import type { PairHits } from '../../bio/comparative/orthology.ts'
import { lostCoverage, lostFactor } from './method.ts'

/** Hits between two proteomes with all that is shown of them; `a` is the query's side. Shares are of 1, identity in percent. */
export interface FullHits extends PairHits {
  identity: Float32Array
  coverageA: Float32Array
  coverageB: Float32Array
  evalue: Float64Array
}

/** Columns asked of BLAST+ and DIAMOND, whose names for them are the same. */
export const alignmentColumns = 'qseqid sseqid pident evalue score qstart qend sstart send qlen slen'.split(' ')

/** The best alignment of two proteins, named by the numbers of their genes. */
export interface AlignedPair {
  a: number
  b: number
  identity: number
  coverageA: number
  coverageB: number
  evalue: number
  bits: number
}

/**
 * Of gapped alignments by BLOSUM62 with gaps of 11 + 1 for each residue (Altschul & Gish 1996, Methods in Enzymology 266:460), as BLAST+
 * has them.
 */
const lambda = 0.267
const k = 0.041

/**
 * Bits of a raw score: `(lambda * score - ln K) / ln 2`. BLAST+ prints whole bits from 100 on, which makes equals of what is not.
 *
 * Example: `bitsOf(226)` is 91.7, `bitsOf(645)` is 253.1.
 */
export const bitsOf = (score: number): number => Number(((lambda * score - Math.log(k)) / Math.LN2).toFixed(1))

/** Reads one line of `alignmentColumns`; null where it is none. Translated queries are counted in their own letters. */
export const parseAlignment = (line: string): AlignedPair | null => {
  const [a, b, identity, evalue, score, qstart, qend, sstart, send, qlen, slen] = line.split('\t')
  if (slen === undefined) return null
  const coverage = (from: string, to: string, length: string): number =>
    (Math.abs(Number(to) - Number(from)) + 1) / Number(length)
  return {
    a: Number(a),
    b: Number(b),
    identity: Number(identity),
    coverageA: coverage(qstart!, qend!, qlen!),
    coverageB: coverage(sstart!, send!, slen),
    evalue: Number(evalue),
    bits: bitsOf(Number(score)),
  }
}

/** BLAST+'s alignment of a pair, but DIAMOND's where BLAST+ has lost it (`lostFactor`). */
export const chooseAlignment = (aligned: AlignedPair | null, proposed: AlignedPair): AlignedPair | null =>
  proposed.bits > lostFactor * (aligned?.bits ?? 0) && Math.min(proposed.coverageA, proposed.coverageB) >= lostCoverage
    ? proposed
    : aligned

/**
 * Alignments in columns that grow, 48 bytes each: as objects, those of a proteome of a million genes are most of what a load takes.
 */
export class PairTable {
  length = 0
  a = new Int32Array(1024)
  b = new Int32Array(1024)
  private identity = new Float64Array(1024)
  private coverageA = new Float64Array(1024)
  private coverageB = new Float64Array(1024)
  private evalue = new Float64Array(1024)
  bits = new Float64Array(1024)

  push(pair: AlignedPair): void {
    if (this.length === this.a.length) this.grow()
    const at = this.length++
    this.a[at] = pair.a
    this.b[at] = pair.b
    this.identity[at] = pair.identity
    this.coverageA[at] = pair.coverageA
    this.coverageB[at] = pair.coverageB
    this.evalue[at] = pair.evalue
    this.bits[at] = pair.bits
  }

  get(at: number): AlignedPair {
    return {
      a: this.a[at]!,
      b: this.b[at]!,
      identity: this.identity[at]!,
      coverageA: this.coverageA[at]!,
      coverageB: this.coverageB[at]!,
      evalue: this.evalue[at]!,
      bits: this.bits[at]!,
    }
  }

  private grow(): void {
    const longer = <Column extends Int32Array | Float64Array>(column: Column, empty: Column): Column => {
      empty.set(column)
      return empty
    }
    const capacity = Math.ceil(1.5 * this.length)
    this.a = longer(this.a, new Int32Array(capacity))
    this.b = longer(this.b, new Int32Array(capacity))
    this.identity = longer(this.identity, new Float64Array(capacity))
    this.coverageA = longer(this.coverageA, new Float64Array(capacity))
    this.coverageB = longer(this.coverageB, new Float64Array(capacity))
    this.evalue = longer(this.evalue, new Float64Array(capacity))
    this.bits = longer(this.bits, new Float64Array(capacity))
  }
}

/** Keeps the alignments of two proteomes, those of each query together, the best first. */
export const writePairFile = async (pairs: PairTable, file: string): Promise<void> => {
  const order = Uint32Array.from({ length: pairs.length }, (_, at) => at).sort(
    (x, y) => pairs.a[x]! - pairs.a[y]! || pairs.bits[y]! - pairs.bits[x]! || pairs.b[x]! - pairs.b[y]!,
  )
  const render = (at: number): string => {
    const { a, b, identity, coverageA, coverageB, evalue, bits } = pairs.get(at)
    const shares = [identity.toFixed(3), coverageA.toFixed(4), coverageB.toFixed(4)]
    return `${[a, b, ...shares, Number(evalue.toPrecision(3)), bits].join('\t')}\n`
  }
  const lines = function* (): Generator<string> {
    for (let from = 0; from < order.length; from += 1000)
      yield Array.from(order.subarray(from, from + 1000), render).join('')
  }
  // Renamed when whole: a load that was killed leaves no half of it.
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
}

/** Reads hits back; `flipped` changes the sides. */
export const readPairFile = async (file: string, flipped: boolean): Promise<FullHits> => {
  const text = gunzipSync(await readFile(file)).toString('latin1')
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  const hits: FullHits = {
    a: new Int32Array(count),
    b: new Int32Array(count),
    bits: new Float64Array(count),
    identity: new Float32Array(count),
    coverageA: new Float32Array(count),
    coverageB: new Float32Array(count),
    evalue: new Float64Array(count),
  }
  let from = 0
  for (let row = 0; row < count; row += 1) {
    const to = text.indexOf('\n', from)
    const cells = text.slice(from, to).split('\t')
    from = to + 1
    hits.a[row] = Number(cells[flipped ? 1 : 0])
    hits.b[row] = Number(cells[flipped ? 0 : 1])
    hits.identity[row] = Number(cells[2])
    hits.coverageA[row] = Number(cells[flipped ? 4 : 3])
    hits.coverageB[row] = Number(cells[flipped ? 3 : 4])
    hits.evalue[row] = Number(cells[5])
    hits.bits[row] = Number(cells[6])
  }
  return hits
}
