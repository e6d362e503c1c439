import { open } from 'node:fs/promises'
import path from 'node:path'
import { asStoreError, StoreError } from './store-error.ts'

/**
 * Bytes that can be read at any place: all that the readers of indexed files (BGZF, FASTA, tabix) ask of where a file
 * lives. A local file here; an object in S3-compatible storage in objects/arriving-file.ts.
 */
export interface ByteSource {
  /** For messages: the path or address. */
  readonly name: string
  readonly bytes: number
  /** Bytes `[start0, end0)`, clipped at the end of the file; so shorter than asked only there. */
  read(start0: number, end0: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens a local file for reading at any place. Throws StoreError `missing` when there is none. */
export async function openByteSource(file: string): Promise<ByteSource> {
  try {
    const handle = await open(file, 'r')
    const { size } = await handle.stat()
    return {
      name: file,
      bytes: size,
      async read(start0, end0) {
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(end0, size) - start0))
        let filled = 0
        // read(2) may give fewer bytes than asked, on network file systems above all.
        while (filled < buffer.length) {
          const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start0 + filled)
          if (bytesRead === 0)
            throw new StoreError(
              'truncated',
              file,
              `ends at byte ${start0 + filled}, it had ${size} when it was opened`,
            )
          filled += bytesRead
        }
        return buffer
      },
      close: () => handle.close(),
    }
  } catch (thrown) {
    throw asStoreError(thrown, file)
  }
}

/**
 * A path inside a bundle: segments of letters, digits, `.`, `_`, `+` and `-`, parted by `/`; no segment begins with `-`
 * (it would read as an option on a command line) or is `.` or `..`.
 */
const segmentPattern = /^[A-Za-z0-9._+][A-Za-z0-9._+-]*$/

/** True when `relativePath` can name a file inside a bundle: relative, no `..`, no empty or odd segment. */
export function isSafeRelativePath(relativePath: string): boolean {
  return (
    relativePath.length <= 512 &&
    relativePath
      .split('/')
      .every((segment) => segmentPattern.test(segment) && segment !== '.' && segment !== '..' && segment.length <= 200)
  )
}

/** Whether a path is a folder or lies in it; both absolute and without `..`, real ones where links may lead out. */
export const isInside = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder + path.sep)

/** Joins a folder and a path inside it. Throws StoreError `invalid-path` unless `isSafeRelativePath(relativePath)`. */
export function resolveInside(folder: string, relativePath: string): string {
  if (!isSafeRelativePath(relativePath))
    throw new StoreError(
      'invalid-path',
      null,
      `not a path inside a bundle: ${JSON.stringify(relativePath.slice(0, 100))}`,
    )
  return path.join(folder, ...relativePath.split('/'))
}

const pieceBytes = 256 * 1024

/** Bytes `[start0, end0)` in pieces; the source is closed at the end, or when reading stops early. */
export async function* readPieces(source: ByteSource, start0: number, end0: number): AsyncGenerator<Buffer> {
  try {
    if (start0 < 0 || start0 > end0 || end0 > source.bytes)
      throw new StoreError('out-of-range', source.name, `bytes ${start0}..${end0} of ${source.bytes}`)
    for (let at = start0; at < end0; at += pieceBytes) yield await source.read(at, Math.min(end0, at + pieceBytes))
  } finally {
    await source.close()
  }
}

/** What a `Range` header asks of a file: all of it, one range `[start0, end0)`, or one that lies beyond it. */
export type RangeRequest =
  | { kind: 'whole' }
  | { kind: 'range'; start0: number; end0: number }
  | { kind: 'unsatisfiable' }

/**
 * Reads a `Range` header (RFC 9110 section 14.1.2) against a file of `bytes` bytes. Anything but one well-formed range of
 * bytes is `whole`, as section 14.2 allows: several ranges, other units, nonsense. A last position beyond the end is
 * clipped; `bytes=-500` is the last 500.
 */
export function parseRangeHeader(header: string | undefined, bytes: number): RangeRequest {
  const match = header === undefined ? null : /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header)
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'whole' }
  if (match[1] === '') {
    const suffix = Number(match[2])
    if (suffix === 0 || bytes === 0) return { kind: 'unsatisfiable' }
    return { kind: 'range', start0: Math.max(0, bytes - suffix), end0: bytes }
  }
  const first = Number(match[1])
  if (match[2] !== '' && Number(match[2]) < first) return { kind: 'whole' }
  if (first >= bytes) return { kind: 'unsatisfiable' }
  return { kind: 'range', start0: first, end0: match[2] === '' ? bytes : Math.min(bytes, Number(match[2]) + 1) }
}
