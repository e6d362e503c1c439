import { readFile } from 'node:fs/promises'
import { writeLines } from './species-folder.ts'

/** Reads a FASTA of one genome whole: sequences in file order by the first word of their header, in upper case. */
export async function readGenome(file: string): Promise<Map<string, string>> {
  const genome = new Map<string, string>()
  const text = await readFile(file, 'latin1')
  for (const record of text.split(/^>/m)) {
    if (!record) continue
    const lineEnd = record.indexOf('\n')
    const name = record.slice(0, lineEnd).trim().split(/\s/, 1)[0]!
    genome.set(
      name,
      record
        .slice(lineEnd + 1)
        .replaceAll(/\s/g, '')
        .toUpperCase(),
    )
  }
  return genome
}

const basesPerLine = 60

function* fastaLines(sequences: Iterable<readonly [name: string, sequence: string]>): Generator<string> {
  for (const [name, sequence] of sequences) {
    yield `>${name}`
    for (let at = 0; at < sequence.length; at += basesPerLine) yield sequence.slice(at, at + basesPerLine)
  }
}

/** Writes sequences as FASTA, 60 bases a line. */
export async function writeGenome(
  file: string,
  sequences: Iterable<readonly [name: string, sequence: string]>,
): Promise<void> {
  await writeLines(file, fastaLines(sequences))
}
