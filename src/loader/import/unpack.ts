import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import yauzl from 'yauzl'
import type { DefectLog } from '../../bio/text/defects.ts'
import { isInside } from '../../store/byte-range.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { getDiskSpace, reserveOf } from '../../store/disk-space.ts'
import { importDefects } from './import-defects.ts'
import { isSystemFile, readInputFile } from './input-files.ts'

/** Genomes shrink four times, tables twenty; deflate itself ends at 1032. */
const maxRatio = 200
/** Below this much nothing is held to the ratio: a small archive may consist of empty tables. */
const minBombBytes = 2 ** 30
/** Entries of an archive are listed before anything is written. */
const maxEntries = 200_000
const checkSpaceEvery = 256 * 2 ** 20
const partSuffix = '.novodb-part'
/** Says that a folder was made by unpacking, and what: unpacking goes on there, and nowhere else that has files. */
const markerName = '.novodb-import.json'

interface Unpacking {
  archive: string
  /** Name of the archive for defects. */
  name: string
  into: string
  log: DefectLog
  signal: AbortSignal
  onProgress(fraction: number): void
}

/** Stops an unpacking whose reason has been reported. */
class Refused extends Error {}

/**
 * Where an entry of an archive may be written, as path below the destination; null where it would lie elsewhere. Backslashes are
 * separators: archives made on Windows write them, and hostile ones hide behind them.
 */
export const entryPath = (name: string): string | null => {
  const path = name.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.includes('\0')) return null
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/')
}

/** What all entries of one archive share: paths that are taken, bytes that are written, and how many may be. */
class Destination {
  readonly #options: Unpacking
  readonly #archiveBytes: number
  readonly #taken = new Set<string>()
  #root = ''
  #written = 0
  #untilCheck = 0

  constructor(options: Unpacking, archiveBytes: number) {
    this.#options = options
    this.#archiveBytes = archiveBytes
  }

  refuse(code: keyof typeof importDefects, params: Record<string, string | number> = {}): never {
    this.#options.log.report(importDefects, code, this.#options.name, null, params)
    throw new Refused(code)
  }

  warn(code: keyof typeof importDefects, params: Record<string, string | number>): void {
    this.#options.log.report(importDefects, code, this.#options.name, null, params)
  }

  async open(): Promise<void> {
    await mkdir(this.#options.into, { recursive: true })
    this.#root = await realpath(this.#options.into)
  }

  /** Refuses an unpacking that would need more than there is. */
  async requireSpace(neededBytes: number): Promise<void> {
    const { freeBytes, totalBytes } = await getDiskSpace(this.#root)
    const free = Math.max(0, freeBytes - reserveOf(totalBytes))
    const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2)
    if (neededBytes > free)
      this.refuse('import-no-space', { needed: gigabytes(neededBytes), free: gigabytes(free), folder: this.#root })
  }

  requireRatio(bytes: number): void {
    if (bytes > minBombBytes && bytes > maxRatio * this.#archiveBytes)
      this.refuse('import-archive-bomb', { ratio: maxRatio })
  }

  /** Absolute path of an entry; null for what systems add. */
  async place(name: string): Promise<string | null> {
    const path = entryPath(name)
    if (path === null) return this.refuse('import-archive-path', { path: name })
    if (isSystemFile(path)) return null
    if (this.#taken.has(path)) return this.refuse('import-archive-twice', { path })
    this.#taken.add(path)
    const absolute = join(this.#root, path)
    await mkdir(dirname(absolute), { recursive: true })
    // A link that somebody else put there would lead out.
    const folder = await realpath(dirname(absolute))
    if (!isInside(folder, this.#root)) return this.refuse('import-archive-path', { path: name })
    return absolute
  }

  /** Writes an entry; what is there whole is left, since a file gets its name when it is complete. False when nothing was read. */
  async write(
    absolute: string,
    bytes: number,
    open: () => Promise<Readable>,
    expectedCrc: number | null,
    signal = this.#options.signal,
  ): Promise<boolean> {
    const present = await stat(absolute).catch(() => null)
    if (present?.isFile() && present.size === bytes) return false
    const part = `${absolute}${partSuffix}`
    let sum = 0
    const count = new Transform({
      transform: (piece: Buffer, _, done) => {
        sum = crc32(piece, sum)
        this.#written += piece.length
        this.#untilCheck -= piece.length
        const check = async (): Promise<void> => {
          this.requireRatio(this.#written)
          if (this.#untilCheck > 0) return
          this.#untilCheck = checkSpaceEvery
          await this.requireSpace(0)
          if ((await getDiskSpace(this.#root)).freeBytes < checkSpaceEvery) await this.requireSpace(checkSpaceEvery)
        }
        check().then(
          () => done(null, piece),
          (error: unknown) => done(error as Error),
        )
      },
    })
    try {
      await pipeline(await open(), count, createWriteStream(part), { signal })
      if (expectedCrc !== null && sum !== expectedCrc)
        this.refuse('import-archive-damaged', { reason: `CRC-32: ${absolute.slice(this.#root.length + 1)}` })
      await rename(part, absolute)
      return true
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }
}

const unpackZip = async (options: Unpacking, destination: Destination): Promise<void> => {
  // Names are decoded, sizes held to what the directory says; names that lead out are told here, in the words of the portal.
  const zip = await yauzl.openPromise(options.archive, { autoClose: false, decodeStrings: true, lazyEntries: true })
  try {
    const entries: yauzl.Entry[] = []
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      entries.push(entry)
      if (entries.length > maxEntries) destination.refuse('import-too-many-files', { limit: maxEntries })
      bytes += entry.uncompressedSize
    }
    destination.requireRatio(bytes)
    await destination.requireSpace(bytes)
    let done = 0
    for (const entry of entries) {
      options.signal.throwIfAborted()
      options.onProgress(done / Math.max(1, bytes))
      done += entry.uncompressedSize
      // Type of the file in the upper half of the attributes, of Unix (APPNOTE 4.4.15).
      const mode = (entry.externalFileAttributes >>> 16) & 0o170000
      if (mode === 0o120000) {
        destination.warn('import-archive-link', { path: entry.fileName })
        continue
      }
      if (entry.fileName.endsWith('/')) {
        if (entryPath(entry.fileName) === null) destination.refuse('import-archive-path', { path: entry.fileName })
        continue
      }
      if (entry.isEncrypted()) destination.refuse('import-archive-encrypted', { path: entry.fileName })
      const absolute = await destination.place(entry.fileName)
      if (absolute === null) continue
      await destination.write(absolute, entry.uncompressedSize, () => zip.openReadStreamPromise(entry), entry.crc32)
    }
  } finally {
    zip.close()
  }
}

const unpackTar = async (options: Unpacking, destination: Destination, archiveBytes: number): Promise<void> => {
  let read = 0
  await destination.requireSpace(archiveBytes)
  const failed = new AbortController()
  // The parser alone: it hands on entries, and what is written where is decided here.
  const parser = new Parser({ strict: true, maxDecompressionRatio: Number.POSITIVE_INFINITY })
  let last: Promise<void> = Promise.resolve()
  let failure: unknown = null
  const take = async (entry: ReadEntry): Promise<void> => {
    if (failure !== null) {
      entry.resume()
      return
    }
    const { type } = entry
    const isFile = type === 'File' || type === 'OldFile' || type === 'ContiguousFile'
    if (!isFile) {
      if (type === 'SymbolicLink' || type === 'Link') destination.warn('import-archive-link', { path: entry.path })
      else if (type !== 'Directory' && type !== 'GNUDumpDir')
        destination.warn('import-archive-special', { path: entry.path })
      else if (entryPath(entry.path) === null && !/^[./]*$/.test(entry.path))
        destination.refuse('import-archive-path', { path: entry.path })
      entry.resume()
      return
    }
    const absolute = await destination.place(entry.path)
    if (absolute === null) {
      entry.resume()
      return
    }
    const body = (async function* () {
      for await (const piece of entry) yield piece
    })()
    const open = async (): Promise<Readable> => Readable.from(body, { objectMode: false })
    const signal = AbortSignal.any([options.signal, failed.signal])
    if (!(await destination.write(absolute, entry.size, open, null, signal))) entry.resume()
  }
  parser.on('entry', (entry: ReadEntry) => {
    last = last
      .then(() => take(entry))
      .catch((error: unknown) => {
        failure ??= error
        entry.resume()
        failed.abort(error)
      })
  })
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve)
    parser.on('error', reject)
    parser.on('abort', (error: unknown) => reject(error))
    failed.signal.addEventListener('abort', () => reject(failure), { once: true })
  })
  const feed = async (): Promise<void> => {
    const pieces = readDecompressed(options.archive, (bytes) => {
      read = bytes
    })
    for await (const piece of pieces) {
      options.signal.throwIfAborted()
      options.onProgress(read / archiveBytes)
      if (failure !== null) throw failure
      if (!parser.write(piece))
        await new Promise<void>((resolve) => {
          parser.once('drain', resolve)
          failed.signal.addEventListener('abort', () => resolve(), { once: true })
        })
    }
    parser.end()
  }
  // Whichever fails first, what is being written is given up before the failure is told.
  await Promise.all([feed(), ended]).catch((error: unknown) => {
    failure ??= error
    failed.abort(error)
  })
  await last
  if (failure !== null) throw failure
}

const isZip = async (path: string): Promise<boolean> => {
  for await (const piece of createReadStream(path, { end: 1 })) return (piece as Buffer).toString('latin1') === 'PK'
  return false
}

/**
 * Unpacks an archive into a folder that is empty, or that an unpacking of the same archive has begun; goes on where that ended. False,
 * with the reason in the log, when it was refused: nothing of an entry ever lies outside the folder or half written under its name.
 */
export const unpackArchive = async (options: Unpacking): Promise<boolean> => {
  const { archive, into, log, name } = options
  const { size, mtimeMs } = await stat(archive)
  const marker = join(into, markerName)
  const identity = { archive: name, bytes: size, modified: Math.floor(mtimeMs) }
  const present = await readFile(marker, 'utf8').then(
    (text) => JSON.parse(text) as typeof identity & { complete?: boolean },
    () => null,
  )
  const same = present !== null && present.bytes === size && present.modified === identity.modified
  if (same && present.complete) return true
  const destination = new Destination(options, size)
  try {
    await destination.open()
    if (!same) await writeFile(marker, JSON.stringify(identity))
    const { format } = await readInputFile(name, archive)
    if (format !== 'archive') destination.refuse('import-archive-kind')
    if (await isZip(archive)) await unpackZip(options, destination)
    else await unpackTar(options, destination, size)
    await writeFile(marker, JSON.stringify({ ...identity, complete: true }))
    return true
  } catch (error) {
    options.signal.throwIfAborted()
    if (!(error instanceof Refused)) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS') throw error
      const reason = error instanceof Error ? error.message.replaceAll(archive, name) : String(error)
      // yauzl refuses such names itself.
      const leading = /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)$/.exec(reason)
      if (leading) log.report(importDefects, 'import-archive-path', name, null, { path: leading[1]! })
      else log.report(importDefects, 'import-archive-damaged', name, null, { reason })
    }
    return false
  }
}
