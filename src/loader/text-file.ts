import type { DefectLog } from '../bio/text/defects.ts'
import { LineReader } from '../bio/text/text-lines.ts'
import { inputDefects } from '../kit/input-defects.ts'
import { readDecompressed } from '../store/decompressed.ts'
import { StoreError } from '../store/store-error.ts'

/**
 * Feeds the unpacked bytes of a file to `onBytes`, waiting for each piece to be dealt with; a damaged gzip file is reported under `name`,
 * the file as the lab wrote it.
 */
export const readTextBytes = async (
  path: string,
  name: string,
  log: DefectLog,
  onBytes: (bytes: Uint8Array) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> => {
  try {
    for await (const piece of readDecompressed(path)) {
      signal?.throwIfAborted()
      await onBytes(piece)
    }
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'truncated' || error.code === 'corrupt'))
      log.report(inputDefects, 'file-damaged', name, null, { reason: error.message.replace(`${path}: `, '') })
    else throw error
  }
}

/** Feeds every line of a file to `onLine`, with its number counted from 1. */
export const readTextLines = async (
  path: string,
  name: string,
  log: DefectLog,
  onLine: (line: string, lineNumber: number) => void,
  signal?: AbortSignal,
): Promise<void> => {
  const reader = new LineReader({ file: name, log, onLine })
  await readTextBytes(path, name, log, (bytes) => reader.push(bytes), signal)
  reader.end()
}
