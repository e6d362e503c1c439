import { DefectLog } from '../bio/text/defects.ts'
import { TableLines } from '../bio/text/table-lines.ts'
import { LineReader } from '../bio/text/text-lines.ts'
import { readDecompressed } from '../store/decompressed.ts'
import { openSink } from '../store/file-sink.ts'
import { inputDefects } from './input-defects.ts'
import type { CheckContext } from './loader.ts'

/** A longer text than V8 puts into one string (2^29 - 24 letters) could not be told apart from other failures. */
const maxBytes = 400_000_000

/**
 * A file that the manifest names as one text, unpacked, lines parted by line feeds: for what has to be seen whole. What is wrong with
 * its letters is reported; null after it was reported as too large or as no text. Rejects with a StoreError when it is damaged,
 * which the loader reports.
 */
export const readInputText = async (file: string, context: CheckContext, max = maxBytes): Promise<string | null> => {
  const log = new DefectLog()
  const lines: string[] = []
  const reader = new LineReader({ file, log, onLine: (line) => void lines.push(line) })
  let bytes = 0
  for await (const piece of readDecompressed(await context.resolveFile(file))) {
    context.signal.throwIfAborted()
    bytes += piece.length
    if (bytes > max) {
      context.report(inputDefects, { code: 'file-too-large', file, line: null, params: { limit: max / 1e6 } })
      return null
    }
    reader.push(piece)
  }
  if (bytes > 0) reader.end()
  for (const defect of log.defects) context.forward(defect)
  return reader.refused ? null : lines.map((line) => `${line}\n`).join('')
}

/**
 * Tells every line of a file that the manifest names, unpacked, with its number from 1; what is wrong with its letters goes to `log`.
 * False when it is no text.
 */
export const readInputLines = async (
  file: string,
  context: CheckContext,
  log: DefectLog,
  onLine: (line: string, number: number) => void,
): Promise<boolean> => {
  const reader = new LineReader({ file, log, onLine })
  for await (const piece of readDecompressed(await context.resolveFile(file))) {
    context.signal.throwIfAborted()
    reader.push(piece)
  }
  reader.end()
  return !reader.refused
}

/** The first lines of a file that the manifest names, unpacked, by which its kind is told; what is wrong with it is told by who reads it. */
export const readInputHead = async (file: string, context: CheckContext, max: number): Promise<string[]> => {
  const lines: string[] = []
  const reader = new LineReader({ file, log: new DefectLog(0), onLine: (line) => void lines.push(line) })
  for await (const piece of readDecompressed(await context.resolveFile(file))) {
    reader.push(piece)
    if (lines.length >= max || reader.refused) return lines.slice(0, max)
  }
  reader.end()
  return lines.slice(0, max)
}

/**
 * Writes a file that the manifest names as what reads the bundle takes it: unpacked, UTF-8, lines parted by line feeds. What is wrong
 * with its letters goes to `log`; null when it is no text, else the first line.
 */
export const writeInputText = async (
  file: string,
  context: CheckContext,
  log: DefectLog,
  outFile: string,
): Promise<string | null> => {
  let lines: string[] = []
  let first: string | null = null
  const reader = new LineReader({
    file,
    log,
    onLine: (line) => {
      first ??= line
      lines.push(`${line}\n`)
    },
  })
  const sink = await openSink(outFile)
  const flush = async (): Promise<void> => {
    const text = lines.join('')
    lines = []
    if (text !== '') await sink.write(text)
  }
  try {
    for await (const piece of readDecompressed(await context.resolveFile(file))) {
      context.signal.throwIfAborted()
      reader.push(piece)
      await flush()
    }
    reader.end()
    await flush()
    await sink.end()
  } finally {
    await sink.discard()
  }
  return reader.refused ? null : first
}

/** The rows of a delimited table that the manifest names, as `readInputLines` tells lines; see `TableLines`. */
export const readTableRows = async (
  file: string,
  context: CheckContext,
  log: DefectLog,
  onLine: (line: string, number: number) => void,
): Promise<boolean> => {
  const rows = new TableLines({ file, log, onLine })
  const isText = await readInputLines(file, context, log, (line, number) => rows.addLine(line, number))
  if (isText) rows.end()
  return isText
}

/** Goes through the lines of a file, plain or gzip, and reports what is wrong with the file; the first exception of `onLine` ends it. */
export const readReportedLines = async (
  file: string,
  context: CheckContext,
  onLine: (line: string, number: number) => void,
): Promise<void> => {
  const log = new DefectLog()
  await readInputLines(file, context, log, onLine)
  for (const defect of log.defects) context.forward(defect)
}
