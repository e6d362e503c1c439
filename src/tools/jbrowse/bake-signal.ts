import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { signalDefects } from '../../bio/annotation/signal-defects.ts'
import { SignalLines } from '../../bio/annotation/signal-lines.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import type { BakeContext } from '../../kit/loader.ts'
import { BigWigWriter } from '../../store/bigwig-writer.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'

/** The lines of a file, of each piece together. */
async function* linePieces(path: string, file: string, log: DefectLog): AsyncGenerator<string[]> {
  let lines: string[] = []
  const reader = new LineReader({ file, log, onLine: (line) => void lines.push(line) })
  for await (const piece of readDecompressed(path)) {
    reader.push(piece)
    if (lines.length > 0) yield lines
    lines = []
  }
  reader.end()
  if (lines.length > 0) yield lines
}

/**
 * Writes a WIG or bedGraph file as BigWig, in the names and the order of the genome's sequences; false after it was refused. The text is
 * sorted as BED is, since programs give it in the order of their own lists of sequences or of none.
 */
export const bakeSignal = async (
  file: string,
  path: string,
  outFile: string,
  context: BakeContext,
): Promise<boolean> => {
  const log = new DefectLog()
  const lengths = new Map(context.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const lines = new SignalLines({
    file,
    log,
    lengthOf: (name) => lengths.get(context.findSequence(name) ?? '') ?? null,
  })
  async function* intervals(): AsyncGenerator<Buffer> {
    let line = 0
    for await (const texts of linePieces(path, file, log))
      yield Buffer.from(texts.map((text) => `${lines.read(text, ++line)}\n`).join(''))
  }
  const sorted = join(context.scratch, `${basename(outFile)}.bed.gz`)
  const refuse = (): boolean => {
    for (const defect of log.defects) context.forward({ ...defect, file })
    return log.hasErrors
  }
  let writer: BigWigWriter | null = null
  try {
    const { records, sequences } = await bakeTabix({
      source: { name: file, pieces: intervals() },
      format: 'bed',
      outFile: sorted,
      sequences: context.sequences,
      findSequence: context.findSequence,
      log,
      signal: context.signal,
    })
    if (lines.cut > 0) log.report(signalDefects, 'signal-cut', file, null, { count: lines.cut })
    if (refuse()) return false
    const numbers = new Map(sequences.map(({ name }, number) => [name, number]))
    writer = await BigWigWriter.create(outFile, {
      sequences: sequences.map(({ name }) => ({ name, lengthBp: lengths.get(name)! })),
      items: records,
    })
    let last = { sequence: '', end0: 0 }
    for await (const texts of linePieces(sorted, file, new DefectLog(0))) {
      context.signal.throwIfAborted()
      for (const text of texts) {
        if (text === '') continue
        const [sequence, start, end, value] = text.split('\t') as [string, string, string, string]
        const start0 = Number(start)
        if (sequence === last.sequence && start0 < last.end0) {
          const params = { sequence, position: start0 + 1 }
          context.report(signalDefects, { code: 'signal-overlap', file, line: null, params })
          return false
        }
        last = { sequence, end0: Number(end) }
        writer.add(numbers.get(sequence)!, start0, last.end0, Number(value))
      }
      await writer.drain()
    }
    await writer.finish()
    return true
  } finally {
    await writer?.abort()
    for (const ending of ['', '.csi', '.tbi']) await rm(sorted + ending, { force: true })
  }
}
