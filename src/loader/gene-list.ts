import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Attributes } from '../bio/annotation/feature.ts'
import type { CdsModel, GeneModel, TranscriptModel } from '../bio/annotation/gene-models.ts'
import type { Strand } from '../bio/sequence/region.ts'

/** Genes, transcripts, exons and coding parts together that are kept in memory: some 150 MB. */
const heldParts = 1_500_000
const pieceBytes = 1 << 20

type PackedTranscript = [
  ...[id: string, biotype: string, start1: number, end1: number],
  ...[exons: number[], cds: number[], proteinId: string | null],
  ...[readingOrder: [number, number, '+' | '-'][] | null, attributes: Attributes],
]
type PackedGene = [
  ...[id: string, symbol: string | null, name: string | null, aliases: string[], description: string | null],
  ...[biotype: string, sequenceName: string, start1: number, end1: number, strand: Strand],
  ...[attributes: Attributes, transcripts: PackedTranscript[]],
]

const packTranscript = (one: TranscriptModel): PackedTranscript => [
  ...([one.id, one.biotype, one.start1, one.end1] as const),
  one.exons.flatMap(({ start1, end1 }) => [start1, end1]),
  one.cds.flatMap(({ start1, end1, phase }) => [start1, end1, phase]),
  one.proteinId,
  one.readingOrder?.map(({ start1, end1, strand }): [number, number, '+' | '-'] => [start1, end1, strand]) ?? null,
  one.attributes,
]

const packGene = (gene: GeneModel): PackedGene => [
  ...([gene.id, gene.symbol, gene.name, gene.aliases, gene.description] as const),
  ...([gene.biotype, gene.sequenceName, gene.start1, gene.end1, gene.strand] as const),
  gene.attributes,
  gene.transcripts.map(packTranscript),
]

const unpackTranscript = (packed: PackedTranscript): TranscriptModel => {
  const [id, biotype, start1, end1, exons, cds, proteinId, readingOrder, attributes] = packed
  const parts: CdsModel[] = []
  for (let at = 0; at < cds.length; at += 3)
    parts.push({ start1: cds[at]!, end1: cds[at + 1]!, phase: cds[at + 2] as CdsModel['phase'] })
  const spans: TranscriptModel['exons'] = []
  for (let at = 0; at < exons.length; at += 2) spans.push({ start1: exons[at]!, end1: exons[at + 1]! })
  const order = readingOrder?.map(([first1, last1, strand]) => ({ start1: first1, end1: last1, strand }))
  return {
    id,
    biotype,
    start1,
    end1,
    exons: spans,
    cds: parts,
    proteinId,
    ...(order === undefined ? {} : { readingOrder: order }),
    attributes,
  }
}

const unpackGene = (packed: PackedGene): GeneModel => {
  const [id, symbol, name, aliases, description, biotype, sequenceName, start1, end1, strand, attributes, parts] =
    packed
  return {
    id,
    symbol,
    name,
    aliases,
    description,
    biotype,
    sequenceName,
    start1,
    end1,
    strand,
    transcripts: parts.map(unpackTranscript),
    attributes,
  }
}

const partsOf = (gene: GeneModel): number =>
  gene.transcripts.reduce((sum, { exons, cds }) => sum + 4 + exons.length + cds.length, 4)

/** Numbers in a list that grows. */
class Places {
  /** Of each gene: position of its sequence, first and last base, number of its file, place and length of its text. */
  static readonly columns = 6
  #values = new Float64Array(Places.columns * 1024)
  length = 0

  push(values: readonly number[]): void {
    const at = this.length * Places.columns
    if (at === this.#values.length) {
      const grown = new Float64Array(at + Places.columns * (this.length >> 1))
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values.set(values, at)
    this.length += 1
  }

  get(gene: number, column: number): number {
    return this.#values[gene * Places.columns + column]!
  }
}
const sequenceColumn = 0
const endColumn = 2
const offsetColumn = 4
const lengthColumn = 5

/**
 * The genes of an assembly in their order: in memory while they are few, in a file of the scratch directory where they are many. From a
 * file each walk gives other objects of the same genes; what is to be kept of a gene is kept by its id or position.
 */
export class GeneList implements Iterable<GeneModel> {
  readonly #directory: string
  readonly #held: number
  #genes: GeneModel[] | null = []
  #parts = 0
  #places = new Places()
  #file: { path: string; handle: number; bytes: number } | null = null
  #pending: Buffer[] = []
  #pendingBytes = 0
  #files = 0

  /** `held`: genes, transcripts, exons and coding parts together that are kept in memory at most. */
  constructor(directory: string, held = heldParts) {
    this.#directory = directory
    this.#held = held
  }

  get length(): number {
    return this.#places.length
  }

  /** Whether all are in memory. */
  get isHeld(): boolean {
    return this.#genes !== null
  }

  /** Takes a gene of the sequence at `position`, read from the file of number `file`. */
  add(gene: GeneModel, position: number, file: number): void {
    const place = [position, gene.start1, gene.end1, file]
    if (this.#genes === null) {
      this.#places.push([...place, ...this.#write(gene)])
      return
    }
    this.#places.push([...place, this.#genes.length, 0])
    this.#genes.push(gene)
    this.#parts += partsOf(gene)
    if (this.#parts > this.#held) this.#spill()
  }

  #spill(): void {
    const places = this.#places
    const genes = this.#genes!
    this.#genes = null
    this.#places = new Places()
    for (const [number, gene] of genes.entries())
      this.#places.push([0, 1, 2, 3].map((column) => places.get(number, column)).concat(this.#write(gene)))
  }

  #write(gene: GeneModel): [place: number, length: number] {
    return this.#writeText(Buffer.from(JSON.stringify(packGene(gene))))
  }

  #writeText(text: Buffer): [place: number, length: number] {
    if (this.#file === null) {
      const path = join(this.#directory, `genes-${this.#files++}.json`)
      this.#file = { path, handle: openSync(path, 'w+'), bytes: 0 }
    }
    const index = this.#file.bytes
    this.#file.bytes += text.length
    this.#pending.push(text)
    this.#pendingBytes += text.length
    if (this.#pendingBytes >= pieceBytes) this.#flush()
    return [index, text.length]
  }

  #flush(): void {
    if (this.#pending.length === 0) return
    const bytes = Buffer.concat(this.#pending)
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file!.handle, bytes, done)
    this.#pending = []
    this.#pendingBytes = 0
  }

  /** Puts the genes by sequence, first base, last base; those alike by file and id. */
  sort(): void {
    const places = this.#places
    const order = new Uint32Array(places.length)
    let isSorted = true
    const compare = (a: number, b: number): number => {
      for (let column = 0; column < offsetColumn; column += 1) {
        const difference = places.get(a, column) - places.get(b, column)
        if (difference !== 0) return difference
      }
      return this.#textOf(a).id < this.#textOf(b).id ? -1 : 1
    }
    this.#flush()
    for (let gene = 0; gene < order.length; gene += 1) {
      order[gene] = gene
      if (isSorted && gene > 0 && compare(gene - 1, gene) > 0) isSorted = false
    }
    if (isSorted) return
    order.sort(compare)
    const sorted = new Places()
    if (this.#genes !== null) {
      const genes = this.#genes
      this.#genes = Array.from(order, (gene) => genes[places.get(gene, offsetColumn)]!)
      for (const [number, gene] of order.entries())
        sorted.push([...[0, 1, 2, 3].map((column) => places.get(gene, column)), number, 0])
    } else {
      // Written anew in their order, so that each walk reads the file from its start to its end.
      const before = this.#file!
      this.#file = null
      for (const gene of order) {
        const text = Buffer.allocUnsafe(places.get(gene, lengthColumn))
        readAll(before.handle, text, places.get(gene, offsetColumn))
        sorted.push([0, 1, 2, 3].map((column) => places.get(gene, column)).concat(this.#writeText(text)))
      }
      this.#flush()
      closeSync(before.handle)
      rmSync(before.path)
    }
    this.#places = sorted
  }

  #textOf(gene: number): GeneModel {
    if (this.#genes !== null) return this.#genes[this.#places.get(gene, offsetColumn)]!
    const text = Buffer.allocUnsafe(this.#places.get(gene, lengthColumn))
    readAll(this.#file!.handle, text, this.#places.get(gene, offsetColumn))
    return unpackGene(JSON.parse(text.toString()) as PackedGene)
  }

  /** Position of the sequence of the gene at a position. */
  sequenceOf(gene: number): number {
    return this.#places.get(gene, sequenceColumn)
  }

  /** Whether a gene ends beyond the length of its sequence, as it does across the origin of a circular one. */
  hasBeyond(lengthOf: (sequence: number) => number): boolean {
    for (let gene = 0; gene < this.#places.length; gene += 1)
      if (this.#places.get(gene, endColumn) > lengthOf(this.sequenceOf(gene))) return true
    return false
  }

  /** The gene at a position in the order. */
  at(position: number): GeneModel {
    this.#flush()
    return this.#textOf(position)
  }

  *[Symbol.iterator](): Generator<GeneModel> {
    if (this.#genes !== null) {
      yield* this.#genes
      return
    }
    this.#flush()
    let piece = Buffer.alloc(0)
    let from = 0
    for (let gene = 0; gene < this.#places.length; gene += 1) {
      const index = this.#places.get(gene, offsetColumn)
      const length = this.#places.get(gene, lengthColumn)
      if (index + length > from + piece.length) {
        piece = Buffer.allocUnsafe(Math.max(length, Math.min(pieceBytes, this.#file!.bytes - index)))
        from = index
        readAll(this.#file!.handle, piece, from)
      }
      const text = piece.toString('utf8', index - from, index - from + length)
      yield unpackGene(JSON.parse(text) as PackedGene)
    }
  }

  /** Removes what is on disk. */
  close(): void {
    if (this.#file === null) return
    closeSync(this.#file.handle)
    rmSync(this.#file.path, { force: true })
    this.#file = null
  }
}

const readAll = (handle: number, bytes: Buffer, from: number): void => {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(handle, bytes, done, bytes.length - done, from + done)
    if (read === 0) throw new Error('the file of genes ends early')
    done += read
  }
}
