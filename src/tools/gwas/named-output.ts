import { createReadStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { tsvLine } from '../../kit/write-table.ts'
import { openSink } from '../../store/file-sink.ts'
import type { KnownLocus } from './bake-associations.ts'

/** Columns of GEMMA's and PLINK 2's tables that say which variant and where. */
const columnNames = {
  id: ['rs', 'ID'],
  sequence: ['chr', '#CHROM', 'CHROM'],
  position: ['ps', 'POS'],
} as const

const batchLines = 5000

/**
 * Writes the names of variants, sequences and positions into a program's table, in place of the numbers that the program was given:
 * it cannot read names of every kind. The heading loses its `#`, which comments begin with; nothing else is changed. Rejects when a
 * row has no variant.
 */
export const nameOutput = async (
  file: string,
  loci: { get(name: string): KnownLocus | undefined },
  signal: AbortSignal,
): Promise<void> => {
  const named = `${file}.named`
  const out = await openSink(named)
  let columns: { id: number; sequence: number; position: number } | null = null
  let batch = ''
  let count = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line === '') continue
      const cells = line.split('\t')
      if (columns === null) {
        const find = (names: readonly string[]): number => cells.findIndex((cell) => names.includes(cell))
        columns = {
          id: find(columnNames.id),
          sequence: find(columnNames.sequence),
          position: find(columnNames.position),
        }
        batch += `${line.replace(/^#/, '')}\n`
        continue
      }
      const locus = loci.get(cells[columns.id] ?? '')
      if (locus === undefined) throw new Error(`${file} has a variant that was not given`)
      cells[columns.id] = locus.id || `${locus.sequence}:${locus.position1}`
      if (columns.sequence >= 0) cells[columns.sequence] = locus.sequence
      if (columns.position >= 0) cells[columns.position] = String(locus.position1)
      batch += tsvLine(cells)
      count += 1
      if (count % batchLines !== 0) continue
      signal.throwIfAborted()
      await out.write(batch)
      batch = ''
    }
    await out.write(batch)
    await out.end()
  } finally {
    await out.discard()
  }
  await rename(named, file)
}
