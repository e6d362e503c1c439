import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { type PafRecord, parsePafLine } from '../bio/alignment/paf.ts'

/** Alignments of a file of PAF, plain or gzip, one after the other. Throws PafError with the line in its text. */
export async function* readPafFile(file: string): AsyncGenerator<PafRecord> {
  const bytes = createReadStream(file)
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield parsePafLine(line)
}
