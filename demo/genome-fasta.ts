import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { BgzfWriter } from '../src/store/bgzf.ts'
import { writeLines } from './species-folder.ts'

export interface ReadGenomeOptions {
  /** Name of a sequence by its header line; the first word unless given. */
  nameOf?: (header: string) => string
  /** Keep lower case (soft masking) instead of reading all as upper case. */
  keepCase?: boolean
}

/** Reads a FASTA (plain or gzipped) of one genome whole: sequences in file order. */
export async function readGenome(file: string, options: ReadGenomeOptions = {}): Promise<Map<string, string>> {
  const { nameOf = (header) => header.split(/\s/, 1)[0]!, keepCase = false } = options
  const data = await readFile(file)
  const text = (file.endsWith('.gz') ? gunzipSync(data) : data).toString('latin1')
  const genome = new Map<string, string>()
  for (const record of text.split(/^>/m)) {
    if (!record) continue
    const lineEnd = record.indexOf('\n')
    const sequence = record.slice(lineEnd + 1).replaceAll(/\s/g, '')
    genome.set(nameOf(record.slice(0, lineEnd).trim()), keepCase ? sequence : sequence.toUpperCase())
  }
  return genome
}

const basesPerLine = 60
const linesPerPiece = 4096

function* fastaLines(sequences: Iterable<readonly [name: string, sequence: string]>): Generator<string> {
  for (const [name, sequence] of sequences) {
    yield `>${name}`
    for (let at = 0; at < sequence.length; at += basesPerLine) yield sequence.slice(at, at + basesPerLine)
  }
}

/** Writes sequences as FASTA, 60 bases a line; bgzip-compressed when the name ends in .gz. */
export async function writeGenome(
  file: string,
  sequences: Iterable<readonly [name: string, sequence: string]>,
): Promise<void> {
  if (!file.endsWith('.gz')) return writeLines(file, fastaLines(sequences))
  await mkdir(dirname(file), { recursive: true })
  const writer = await BgzfWriter.create(file, { profile: 'sequence' })
  let piece: string[] = []
  for (const line of fastaLines(sequences)) {
    piece.push(line)
    if (piece.length < linesPerPiece) continue
    await writer.write(Buffer.from(`${piece.join('\n')}\n`, 'latin1'))
    piece = []
  }
  if (piece.length) await writer.write(Buffer.from(`${piece.join('\n')}\n`, 'latin1'))
  await writer.finish()
}
