import { consequenceBits, type Effect, encodeInfoName, namesOfBits } from '../../bio/variation/consequences.ts'
import { variantType, variantTypes } from '../../bio/variation/vcf.ts'
import { hashId, typeBit } from '../../kit/data/variant-data.ts'
import { createColumn, type OpenColumn, writeMatrix } from '../../store/npy-matrix.ts'
import type { OwnEffects } from './own-effects.ts'

const lineFeed = 10
const tab = 9
const hash = 35
const zero = 48
const colon = 58

/** Lines of a text that comes in pieces, those of a piece together, without line feeds. */
export async function* linesTogether(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const lines: Buffer[] = []
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
      lines.push(bytes.subarray(at, end))
      at = end + 1
    }
    rest = bytes.subarray(at)
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0) yield [rest]
}

const csqHead = /^##(INFO=<ID=BCSQ,|FORMAT=<ID=BCSQ,|bcftools[/_]csq)/

/**
 * The sites of a sorted VCF without samples, as bcftools csq is given them: `contigs` are the genome's. It keeps the order of the records.
 */
export async function* sitesOnly(
  pieces: AsyncIterable<Buffer>,
  contigs: readonly { name: string; lengthBp: number }[],
): AsyncGenerator<Buffer> {
  const head = contigs.map(({ name, lengthBp }) => `##contig=<ID=${name},length=${lengthBp}>\n`).join('')
  yield Buffer.from(`##fileformat=VCFv4.2\n${head}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n`)
  for await (const lines of linesTogether(pieces)) {
    const parts: string[] = []
    for (const line of lines) {
      if (line[0] === hash || line.length === 0) continue
      let cut = line.indexOf(tab)
      const idFrom = line.indexOf(tab, cut + 1)
      const idTo = line.indexOf(tab, idFrom + 1)
      cut = line.indexOf(tab, line.indexOf(tab, idTo + 1) + 1)
      parts.push(line.toString('latin1', 0, idFrom), '\t.', line.toString('latin1', idTo, cut), '\t.\t.\t.\n')
    }
    yield Buffer.from(parts.join(''), 'latin1')
  }
}

/** What was counted of the records. */
export interface SiteCounts {
  ploidy: number
  /** Samples' genotypes of two and more copies: with every copy phased, and others. */
  phased: number
  unphased: number
  types: Record<string, number>
  consequences: Record<string, number>
  ids: number
}

interface SitesOptions {
  files: { positions: string; bits: string; frequencies: string; missing: string; ids: string }
  records: number
  samples: number
  /** Lines of what csq wrote for the same records; null without it. */
  csq: AsyncIterable<Buffer> | null
  /** Effects that csq is not asked for. */
  findOwn: OwnEffects['find'] | null
  /** Sequences of which `findOwn` may say something. */
  ownSequences: ReadonlySet<string>
  /** Consequences are known: what has none lies between genes. */
  known: boolean
  headLines: string[]
  contigs: readonly { name: string; lengthBp: number }[]
}

const blockRows = 1 << 16
const intergenicBit = consequenceBits(['intergenic'])

/**
 * Writes the columns of a set while its lines pass, and gives the lines on with the consequences in INFO. The counts are whole when the
 * generator has ended.
 */
export class SiteWriter {
  readonly counts: SiteCounts = { ploidy: 0, phased: 0, unphased: 0, types: {}, consequences: {}, ids: 0 }
  readonly #options: SitesOptions
  readonly #positions = new Uint32Array(blockRows)
  readonly #bits = new Uint32Array(blockRows)
  readonly #frequencies = new Float32Array(blockRows)
  readonly #missing = new Float32Array(blockRows)
  #row = 0
  #flushed = 0
  #idKeys = new BigUint64Array(1024)
  readonly #nameBits = new Map<string, number>()
  readonly #typeCounts = new Array<number>(variantTypes.length).fill(0)
  readonly #bitCounts = new Float64Array(32)

  constructor(options: SitesOptions) {
    this.#options = options
  }

  async *pass(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { files, records, csq } = this.#options
    const columns: [OpenColumn<'<u4'>, OpenColumn<'<u4'>, OpenColumn<'<f4'>, OpenColumn<'<f4'>] = [
      createColumn(files.positions, '<u4', records),
      createColumn(files.bits, '<u4', records),
      createColumn(files.frequencies, '<f4', records),
      createColumn(files.missing, '<f4', records),
    ]
    const reported = csq === null ? null : linesTogether(csq)
    let csqLines: Buffer[] = []
    let csqLineAt = 0
    const head: string[] = []
    try {
      for await (const lines of linesTogether(pieces)) {
        const parts: Buffer[] = []
        for (const line of lines) {
          if (line.length === 0) continue
          if (line[0] === hash) {
            const text = line.toString('utf8')
            if (text.startsWith('#CHROM')) parts.push(Buffer.from(this.#renderHead(head, text)))
            else head.push(text)
            continue
          }
          let csqLine: Buffer | null = null
          while (reported !== null && csqLine === null) {
            if (csqLineAt === csqLines.length) {
              const next = await reported.next()
              if (next.done) throw new Error('bcftools csq wrote fewer records than it was given')
              csqLines = next.value
              csqLineAt = 0
            }
            const candidate = csqLines[csqLineAt++]!
            if (candidate.length > 0 && candidate[0] !== hash) csqLine = candidate
          }
          const made = this.#take(line, csqLine)
          const written = made instanceof Promise ? await made : made
          for (const part of written) parts.push(part)
          if (this.#row - this.#flushed === blockRows) this.#flush(columns)
        }
        yield Buffer.concat(parts)
      }
      this.#flush(columns)
    } finally {
      for (const column of columns) column.close()
      await reported?.return(undefined)
    }
    this.#count()
    await this.#writeIds()
  }

  #flush(columns: [OpenColumn<'<u4'>, OpenColumn<'<u4'>, OpenColumn<'<f4'>, OpenColumn<'<f4'>]): void {
    const rows = this.#row - this.#flushed
    columns[0].write(this.#positions.subarray(0, rows), this.#flushed)
    columns[1].write(this.#bits.subarray(0, rows), this.#flushed)
    columns[2].write(this.#frequencies.subarray(0, rows), this.#flushed)
    columns[3].write(this.#missing.subarray(0, rows), this.#flushed)
    this.#flushed = this.#row
  }

  #renderHead(head: string[], columnLine: string): string {
    const { contigs, headLines } = this.#options
    const kept = head.filter((line) => !csqHead.test(line))
    const known = new Set(kept.flatMap((line) => /^##contig=<(?:.*,)?ID=([^,>]+)/.exec(line)?.[1] ?? []))
    const added = contigs
      .filter(({ name }) => !known.has(name))
      .map(({ name, lengthBp }) => `##contig=<ID=${name},length=${lengthBp}>`)
    // Programs take an undeclared GT for free text.
    if (this.#options.samples > 0 && !kept.some((line) => /^##FORMAT=<(?:.*,)?ID=GT[,>]/.test(line)))
      added.push('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">')
    return `${[...kept, ...added, ...headLines, columnLine].join('\n')}\n`
  }

  #take(line: Buffer, csqLine: Buffer | null): Buffer[] | Promise<Buffer[]> {
    const cuts: number[] = []
    for (let at = line.indexOf(tab); at >= 0 && cuts.length < 9; at = line.indexOf(tab, at + 1)) cuts.push(at)
    const infoFrom = cuts[6]! + 1
    const infoTo = cuts[7] ?? line.length
    let position = 0
    for (let at = cuts[0]! + 1; at < cuts[1]!; at += 1) position = position * 10 + line[at]! - zero
    const ids = line.toString('latin1', cuts[1]! + 1, cuts[2])
    const reference = line.toString('latin1', cuts[2]! + 1, cuts[3])
    const alternates = line.toString('latin1', cuts[3]! + 1, cuts[4])
    const sequence = this.#options.ownSequences.size === 0 ? '' : line.toString('utf8', 0, cuts[0])
    let value = ''
    if (csqLine !== null) {
      const from = csqLine.lastIndexOf('\tBCSQ=')
      if (from >= 0) value = csqLine.toString('latin1', from + 6)
      // The records of both files are the same ones, in the same order.
      if (csqLine.compare(line, 0, cuts[1], 0, cuts[1]) !== 0)
        throw new Error(
          `bcftools csq changed the order of records at ${line.toString('latin1', 0, cuts[1]).replace('\t', ':')}`,
        )
    }
    const finish = (text: string): Buffer[] => {
      this.#note(line, cuts, position, ids, reference, alternates, text)
      let info = line.toString('latin1', infoFrom, infoTo)
      if (info.includes('BCSQ='))
        info = info
          .split(';')
          .filter((part) => !part.startsWith('BCSQ='))
          .join(';')
      else if (text === '') return [line, newline]
      const whole = [info === '.' ? '' : info, text === '' ? '' : `BCSQ=${text}`]
        .filter((part) => part !== '')
        .join(';')
      return [
        line.subarray(0, infoFrom),
        Buffer.concat([Buffer.from(whole === '' ? '.' : whole, 'latin1'), line.subarray(infoTo), newline]),
      ]
    }
    const { findOwn, ownSequences } = this.#options
    if (findOwn === null || !ownSequences.has(sequence)) return finish(value)
    const changed = alternates === '.' ? [] : alternates.split(',')
    return findOwn(sequence, position, reference, changed).then(({ effects, genes }) => {
      const names = new Set([...genes].map((gene) => asBytes(encodeInfoName(gene))))
      const others = value.split(',').filter((entry) => entry !== '' && !names.has(entry.split('|')[1] ?? ''))
      return finish([...others, ...effects.map((effect) => asBytes(renderEffect(effect)))].join(','))
    })
  }

  #note(
    line: Buffer,
    cuts: readonly number[],
    position: number,
    ids: string,
    reference: string,
    alternates: string,
    value: string,
  ): void {
    const at = this.#row - this.#flushed
    let bits = 0
    if (value !== '')
      for (const entry of value.split(',')) {
        const names = entry.slice(0, Math.max(0, entry.indexOf('|')))
        let found = this.#nameBits.get(names)
        if (found === undefined) {
          found = consequenceBits(names.replaceAll('*', '').split('&'))
          this.#nameBits.set(names, found)
        }
        bits |= found
      }
    else if (this.#options.known && alternates !== '.') bits = intergenicBit
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.#bitCounts[31 - Math.clz32(rest & -rest)]! += 1
    let types = 0
    if (alternates.length === 1 && reference.length === 1 && alternates !== '.' && alternates !== '*') types = 1
    else if (alternates !== '.')
      for (const alternate of alternates.split(','))
        types |= 1 << variantTypes.indexOf(variantType(reference, alternate))
    for (let index = 0; index < variantTypes.length; index += 1) if (types & (1 << index)) this.#typeCounts[index]! += 1
    this.#positions[at] = position
    this.#bits[at] = (bits | (types << typeBit)) >>> 0
    this.#noteGenotypes(line, cuts, at)
    if (ids !== '.' && ids !== '') for (const id of ids.split(';')) this.#addId(id)
    this.#row += 1
  }

  #noteGenotypes(line: Buffer, cuts: readonly number[], at: number): void {
    const { samples } = this.#options
    this.#frequencies[at] = Number.NaN
    this.#missing[at] = Number.NaN
    if (samples === 0 || cuts.length < 9) return
    const format = line.toString('latin1', cuts[7]! + 1, cuts[8])
    let keyAt = 0
    if (!(format === 'GT' || format.startsWith('GT:'))) {
      keyAt = format.split(':').indexOf('GT')
      if (keyAt < 0) return
    }
    let [called, reference, missing, ploidy, phased, unphased] = [0, 0, 0, this.counts.ploidy, 0, 0]
    let index = cuts[8]! + 1
    const length = line.length
    for (let sample = 0; sample < samples; sample += 1) {
      for (let key = 0; key < keyAt && index < length && line[index] !== tab; index += 1)
        if (line[index] === colon) key += 1
      let copies = 0
      let value = -1
      let isMissing = false
      let isPhased = true
      const start = index
      for (; ; index += 1) {
        const code = index < length ? line[index]! : tab
        if (code >= zero && code <= 57) value = (value < 0 ? 0 : value * 10) + code - zero
        else if (code !== 46) {
          const separates = code === 47 || code === 124
          if (separates && index === start) {
            if (code === 47) isPhased = false
            continue
          }
          copies += 1
          if (value < 0) isMissing = true
          else {
            called += 1
            if (value === 0) reference += 1
          }
          value = -1
          if (!separates) break
          if (code === 47) isPhased = false
        }
      }
      if (isMissing) missing += 1
      if (copies > ploidy) ploidy = copies
      if (copies > 1 && !isMissing) {
        if (isPhased) phased += 1
        else unphased += 1
      }
      while (index < length && line[index] !== tab) index += 1
      index += 1
    }
    this.counts.ploidy = ploidy
    this.counts.phased += phased
    this.counts.unphased += unphased
    this.#frequencies[at] = called === 0 ? Number.NaN : (called - reference) / called
    this.#missing[at] = missing / samples
  }

  #addId(id: string): void {
    const { ids } = this.counts
    if (ids === this.#idKeys.length) {
      const larger = new BigUint64Array(2 * ids)
      larger.set(this.#idKeys)
      this.#idKeys = larger
    }
    this.#idKeys[ids] = (BigInt(hashId(id)) << 32n) | BigInt(this.#row)
    this.counts.ids += 1
  }

  #count(): void {
    for (const [index, type] of variantTypes.entries())
      if (this.#typeCounts[index]! > 0) this.counts.types[type] = this.#typeCounts[index]!
    for (let bit = 0; bit < typeBit; bit += 1) {
      const [name] = namesOfBits(1 << bit)
      if (name !== undefined && this.#bitCounts[bit]! > 0) this.counts.consequences[name] = this.#bitCounts[bit]!
    }
  }

  async #writeIds(): Promise<void> {
    const { ids } = this.counts
    if (ids === 0) return
    const keys = this.#idKeys.subarray(0, ids).sort()
    await writeMatrix(this.#options.files.ids, '<u4', ids, 2, (row, into) => {
      into[0] = Number(keys[row]! >> 32n)
      into[1] = Number(keys[row]! & 0xffffffffn)
    })
  }
}

const newline = Buffer.from('\n')

/** An effect as bcftools csq writes one. */
const renderEffect = ({ consequences, gene, transcript, biotype, strand, aminoAcids, bases }: Effect): string =>
  [
    consequences.join('&'),
    ...[gene, transcript].map(encodeInfoName),
    biotype,
    strand,
    ...(aminoAcids === null && bases === null ? [] : [aminoAcids ?? '', bases ?? '']),
  ].join('|')

/** A text in UTF-8 as a string of one letter a byte, as the lines are read. */
const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
