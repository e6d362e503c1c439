import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** A row of a block of a multiple alignment (MAF). */
export interface AlignmentRow {
  /** Name up to the first dot: the genome. */
  genome: string
  sequence: string
  /** Start on the strand of the row, as MAF has it. */
  start0: number
  sizeBp: number
  strand: '+' | '-'
  /** Length of the whole sequence. */
  lengthBp: number
  /** Residues and gaps, one byte a column. */
  text: Buffer
}

const newline = 10
const space = 32

/**
 * Reads the blocks of a MAF file (UCSC's multiple alignment format, plain or gzipped) one after the other, so that a file
 * of any size takes the memory of its largest block. Throws SyntaxError with the line number on a row that is none.
 */
export async function* readAlignment(file: string): AsyncGenerator<AlignmentRow[]> {
  const raw = createReadStream(file, { highWaterMark: 1 << 20 })
  const source = file.endsWith('.gz') ? raw.pipe(createGunzip({ chunkSize: 1 << 20 })) : raw
  // A broken disk must not leave the pipe waiting for ever.
  raw.on('error', (error) => source.destroy(error))
  let block: AlignmentRow[] = []
  let kept: Buffer[] = []
  let line = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, end)
      const whole = kept.length ? Buffer.concat([...kept, rest]) : rest
      kept = []
      from = end + 1
      line++
      if (whole[0] === 115 && whole[1] === space) block.push(parseRow(whole, line))
      else if (whole[0] === 97 || whole.length === 0) {
        if (block.length) yield block
        block = []
      }
    }
    if (from < chunk.length) kept.push(Buffer.from(chunk.subarray(from)))
  }
  if (kept.length) {
    const whole = Buffer.concat(kept)
    if (whole[0] === 115) block.push(parseRow(whole, line + 1))
  }
  if (block.length) yield block
}

function parseRow(line: Buffer, number: number): AlignmentRow {
  let end = line.length
  while (end > 0 && line[end - 1]! <= space) end--
  const textAt = line.lastIndexOf(space, end - 1) + 1
  const [, source, start, size, strand, length, ...more] = line.toString('latin1', 0, textAt).trim().split(/ +/)
  const dot = source?.indexOf('.') ?? -1
  if (!source || dot < 1 || more.length || (strand !== '+' && strand !== '-') || !(Number(length) > 0))
    throw new SyntaxError(`multiple alignment, line ${number}: ${line.toString('latin1', 0, 120)}`)
  return {
    genome: source.slice(0, dot),
    sequence: source.slice(dot + 1),
    start0: Number(start),
    sizeBp: Number(size),
    strand,
    lengthBp: Number(length),
    text: line.subarray(textAt, end),
  }
}
