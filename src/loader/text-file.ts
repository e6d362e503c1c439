import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { DefectLog } from '../bio/defects.ts'
import { LineReader } from '../bio/text-lines.ts'

/** The bytes of a text file, unpacked when it is gzip or bgzip whatever its name says. */
export const openText = async (path: string): Promise<Readable> => {
  const handle = await open(path)
  const magic = Buffer.alloc(2)
  try {
    await handle.read(magic, 0, 2, 0)
  } finally {
    await handle.close()
  }
  const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 })
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return bytes
  const unpacked = createGunzip({ chunkSize: 1024 * 1024 })
  pipeline(bytes, unpacked, () => {
    // An error of either reaches the reader through the iterator of `unpacked`.
  })
  return unpacked
}

/** Feeds the unpacked bytes of a file to `onBytes`, waiting for each piece to be dealt with; a damaged gzip file is reported under `name`, the file as the lab wrote it. */
export const readTextBytes = async (
  path: string,
  name: string,
  log: DefectLog,
  onBytes: (bytes: Uint8Array) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> => {
  try {
    for await (const chunk of await openText(path)) {
      signal?.throwIfAborted()
      await onBytes(chunk as Uint8Array)
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (typeof code === 'string' && code.startsWith('Z_')) log.report('file-damaged', name, null, { reason: code })
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
