import { open, rm, stat } from 'node:fs/promises'
import { BgzfWriter } from '../src/store/bgzf.ts'
import type { AlignmentRow } from './multiple-alignment.ts'

const bases = 'ACGT'
const missing = 4

/** 0 to 3 for A, C, G, T in either case, 4 for anything else. */
const baseNumbers = new Uint8Array(256).fill(missing)
for (const [number, base] of [...bases].entries()) {
  baseNumbers[base.charCodeAt(0)] = number
  baseNumbers[base.toLowerCase().charCodeAt(0)] = number
}

const pieceBytes = 1 << 20
/** More than any line: chromosome, position, alleles and 64 samples. */
const lineBytes = 512

const tab = 9
const newline = 10
const dot = 46
const comma = 44
const zero = 48

/**
 * Writes the sites at which aligned genomes differ as VCF 4.3 (bgzip-compressed), haploid, on the reference's coordinates.
 * Blocks come in the order of the reference's positions, chromosome by chromosome in any order; the file has the
 * chromosomes in the order given. Only single-base differences: a gap or an unknown base is a missing genotype.
 */
export class VariantWriter {
  readonly #file: string
  readonly #samples: readonly string[]
  readonly #chromosomes: ReadonlyMap<string, number>
  readonly #counts = new Map<string, number>()
  #open: { chromosome: string; prefix: Buffer; writer: BgzfWriter } | null = null
  readonly #piece = Buffer.allocUnsafe(pieceBytes + lineBytes)
  #filled = 0

  /** `samples` in column order, the reference's genome first; `chromosomes` with their lengths in file order. */
  constructor(file: string, samples: readonly string[], chromosomes: ReadonlyMap<string, number>) {
    this.#file = file
    this.#samples = samples
    this.#chromosomes = chromosomes
  }

  #partName(chromosome: string): string {
    return `${this.#file}.${chromosome}.part`
  }

  /** Takes a block whose first row is of the reference; rows of genomes that are no samples are left out. */
  async add(block: readonly AlignmentRow[]): Promise<void> {
    const reference = block[0]!
    await this.#begin(reference.sequence)
    const texts = this.#samples.map((sample) => block.find(({ genome }) => genome === sample)?.text ?? null)
    const referenceText = reference.text
    const others = texts.filter((text, i) => i > 0 && text !== null) as Buffer[]
    let position1 = reference.start0
    let sites = 0
    for (let column = 0; column < referenceText.length; column++) {
      const letter = referenceText[column]!
      if (letter === 45) continue
      position1++
      const own = baseNumbers[letter]!
      if (own === missing) continue
      let differs = false
      for (let i = 0; i < others.length; i++) {
        const other = baseNumbers[others[i]![column]!]!
        if (other !== own && other !== missing) {
          differs = true
          break
        }
      }
      if (!differs) continue
      sites++
      this.#writeLine(position1, own, texts, column)
      if (this.#filled >= pieceBytes) await this.#flush()
    }
    this.#counts.set(reference.sequence, (this.#counts.get(reference.sequence) ?? 0) + sites)
  }

  #writeLine(position1: number, own: number, texts: readonly (Buffer | null)[], column: number): void {
    const piece = this.#piece
    let at = this.#filled
    at += this.#open!.prefix.copy(piece, at)
    at += piece.write(String(position1), at, 'latin1')
    piece[at++] = tab
    piece[at++] = dot
    piece[at++] = tab
    piece[at++] = bases.charCodeAt(own)
    piece[at++] = tab
    // Alleles are numbered in the order A, C, G, T of those seen.
    let seen = 0
    for (let i = 1; i < texts.length; i++) {
      const text = texts[i]
      if (text) seen |= 1 << baseNumbers[text[column]!]!
    }
    const alleles = [0, 0, 0, 0]
    let count = 0
    for (let base = 0; base < 4; base++)
      if (base !== own && seen & (1 << base)) {
        if (count) piece[at++] = comma
        alleles[base] = ++count
        piece[at++] = bases.charCodeAt(base)
      }
    at += piece.write('\t.\tPASS\t.\tGT\t0', at, 'latin1')
    for (let i = 1; i < texts.length; i++) {
      const text = texts[i]
      const base = text ? baseNumbers[text[column]!]! : missing
      piece[at++] = tab
      piece[at++] = base === missing ? dot : zero + alleles[base]!
    }
    piece[at++] = newline
    this.#filled = at
  }

  async #begin(chromosome: string): Promise<void> {
    if (this.#open?.chromosome === chromosome) return
    if (!this.#chromosomes.has(chromosome)) throw new RangeError(`${chromosome} is not a chromosome of the reference`)
    if (this.#counts.has(chromosome)) throw new RangeError(`blocks of ${chromosome} are not together`)
    await this.#end()
    const writer = await BgzfWriter.create(this.#partName(chromosome))
    this.#open = { chromosome, prefix: Buffer.from(`${chromosome}\t`), writer }
    this.#counts.set(chromosome, 0)
  }

  async #flush(): Promise<void> {
    await this.#open!.writer.write(this.#piece.subarray(0, this.#filled))
    this.#filled = 0
  }

  async #end(): Promise<void> {
    if (!this.#open) return
    await this.#flush()
    await this.#open.writer.finish()
    this.#open = null
  }

  /** Puts the file together and resolves to the number of sites. `about` becomes a `##source` line. */
  async finish(about: string): Promise<number> {
    await this.#end()
    const head = [
      '##fileformat=VCFv4.3',
      `##source=${about}`,
      '##FILTER=<ID=PASS,Description="All filters passed">',
      '##FORMAT=<ID=GT,Number=1,Type=String,Description="Haploid genotype; missing: not aligned, a gap, or an unknown base">',
    ]
    for (const [name, lengthBp] of this.#chromosomes) head.push(`##contig=<ID=${name},length=${lengthBp}>`)
    head.push(['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...this.#samples].join('\t'))
    const headFile = `${this.#file}.head.part`
    const writer = await BgzfWriter.create(headFile)
    await writer.write(Buffer.from(`${head.join('\n')}\n`))
    await writer.finish()
    const parts = [headFile]
    for (const name of this.#chromosomes.keys()) if (this.#counts.has(name)) parts.push(this.#partName(name))
    await concatenateBgzf(parts, this.#file)
    for (const part of parts) await rm(part)
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** Length of the empty block that ends a BGZF file (SAMv1, section 4.1.2). */
const endBlockBytes = 28

/** BGZF files may be joined as they are, but for the end marks of all but the last. */
async function concatenateBgzf(parts: readonly string[], file: string): Promise<void> {
  const out = await open(file, 'w')
  try {
    for (const [i, part] of parts.entries()) {
      const { size } = await stat(part)
      const wanted = i === parts.length - 1 ? size : size - endBlockBytes
      if (wanted === 0) continue
      const source = await open(part)
      for await (const chunk of source.createReadStream({ end: wanted - 1, highWaterMark: 1 << 20 }))
        await out.write(chunk)
    }
  } finally {
    await out.close()
  }
}
