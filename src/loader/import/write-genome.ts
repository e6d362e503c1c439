import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readAsGenBank } from '../../bio/annotation/embl.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import type { InputFile } from './recogniser.ts'

/** The sequences that stand behind `##FASTA` of GFF3, or in records of GenBank and EMBL, as lines of FASTA. */
async function* fastaLines(file: InputFile): AsyncGenerator<string> {
  let lines: string[] = []
  let within = false
  let name = ''
  const onLine =
    file.format === 'genbank' || file.format === 'embl'
      ? (line: string): void => {
          if (line.startsWith('LOCUS ')) name = line.split(/\s+/)[1] ?? ''
          else if (/^(ACCESSION|VERSION) +\S/.test(line)) {
            const told = line.split(/\s+/)[1]!
            // As the reader of the genes names the record.
            if (told !== 'unknown') name = told
          } else if (line.startsWith('ORIGIN')) {
            within = true
            lines.push(`>${name}\n`)
          } else if (line.startsWith('//')) within = false
          else if (within) lines.push(`${line.replace(/[\s\d]+/g, '').toUpperCase()}\n`)
        }
      : (line: string): void => {
          if (line.startsWith('>') || /^##FASTA/i.test(line)) within = true
          if (within && !line.startsWith('#')) lines.push(`${line}\n`)
        }
  const reader = new LineReader({
    file: file.path,
    log: new DefectLog(0),
    onLine: file.format === 'embl' ? readAsGenBank(onLine) : onLine,
  })
  for await (const piece of readDecompressed(file.absolute)) {
    reader.push(piece)
    if (lines.length > 0) yield lines.join('')
    lines = []
  }
  reader.end()
  if (lines.length > 0) yield lines.join('')
}

/** Writes the sequences of a gene file as FASTA; under its name only when it is whole. */
export const writeGenome = async (from: InputFile, into: string, signal: AbortSignal): Promise<void> => {
  const part = `${into}.novodb-part`
  try {
    await pipeline(Readable.from(fastaLines(from)), createWriteStream(part), { signal })
    await rename(part, into)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
