import { open } from 'node:fs/promises'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { readTextBytes } from '../text-file.ts'
import type { InputFile } from './recogniser.ts'

const sampledPlaces = 64
const sampledBytes = 16 * 1024
const keptLines = 512
/** Of a longer line its beginning is kept: names stand there. */
const keptWidth = 2000

/**
 * Lines from the whole of a text, for what its first do not tell. A file as it is is read at places all over it; a compressed one from
 * its start to its end, of which lines are kept at even distances.
 */
export const sampleLines = async (file: InputFile, signal: AbortSignal): Promise<string[]> =>
  file.compressed ? readEvenly(file, signal) : readPlaces(file, signal)

const readPlaces = async ({ absolute, bytes }: InputFile, signal: AbortSignal): Promise<string[]> => {
  const handle = await open(absolute, 'r')
  try {
    const found: string[] = []
    const places = Math.min(sampledPlaces, Math.ceil(bytes / sampledBytes))
    const buffer = Buffer.alloc(sampledBytes)
    for (let at = 0; at < places; at++) {
      signal.throwIfAborted()
      const start = Math.floor((at * bytes) / places)
      const { bytesRead } = await handle.read(buffer, 0, sampledBytes, start)
      const lines = buffer.toString('utf8', 0, bytesRead).split(/\r\n|\n|\r/)
      // The first is the rest of one, or the heading; the last is cut off.
      found.push(...lines.slice(1, -1).slice(0, keptLines / sampledPlaces))
    }
    return found.map((line) => line.slice(0, keptWidth))
  } finally {
    await handle.close()
  }
}

const readEvenly = async ({ absolute, path }: InputFile, signal: AbortSignal): Promise<string[]> => {
  let kept: string[] = []
  let step = 1
  let number = 0
  // What is wrong with the file is told by whoever loads it.
  const log = new DefectLog(0)
  const reader = new LineReader({
    file: path,
    log,
    onLine: (line) => {
      number += 1
      if (number === 1 || number % step !== 0) return
      // A copy: a piece of a string keeps the whole of it.
      kept.push(Buffer.from(line.slice(0, keptWidth)).toString())
      if (kept.length < keptLines * 2) return
      kept = kept.filter((_, at) => at % 2 === 1)
      step *= 2
    },
  })
  await readTextBytes(absolute, path, log, (bytes) => reader.push(bytes), signal)
  reader.end()
  return kept
}
