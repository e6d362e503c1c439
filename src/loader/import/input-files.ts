import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, posix, sep } from 'node:path'
import { constants, createGunzip } from 'node:zlib'
import type { DefectLog } from '../../bio/text/defects.ts'
import { isInside } from '../../store/byte-range.ts'
import { sniffFormat } from './file-format.ts'
import { importDefects } from './import-defects.ts'
import type { InputFile } from './recogniser.ts'

/** Bytes of a file that its format is told by; a bgzip block holds at most 64 kB unpacked. */
const headBytes = 64 * 1024
/** Beyond it, what was given is no output of a program that is known here. */
const maxFiles = 20_000
/** Of so many files less is kept of each. */
const manyFiles = 2000
const manyHeadBytes = 8 * 1024

/** What systems leave in folders and archives; told to nobody. */
const systemFile = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\.nfs|\._)/

export const isSystemFile = (path: string): boolean => systemFile.test(path)

/** The first bytes unpacked, also where the piece ends amid a block. */
const unpackHead = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = []
    const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    let length = 0
    const done = (): void => resolve(Buffer.concat(pieces).subarray(0, headBytes))
    gunzip.on('data', (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (length >= headBytes) {
        gunzip.destroy()
        done()
      }
    })
    gunzip.on('end', done)
    // A damaged file is told by whoever reads it whole.
    gunzip.on('error', done)
    gunzip.end(bytes)
  })

export const readInputFile = async (path: string, absolute: string, limit = headBytes): Promise<InputFile> => {
  const handle = await open(absolute, 'r')
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(limit, size))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    const stored = buffer.subarray(0, bytesRead)
    const compressed = stored[0] === 0x1f && stored[1] === 0x8b
    const unpacked = compressed ? (await unpackHead(stored)).subarray(0, limit) : stored
    const { format, lines } = sniffFormat(stored, unpacked)
    // The last line of a piece is cut off.
    const cut = lines.length > 1 && (compressed || size > limit) ? lines.slice(0, -1) : lines
    const folder = posix.dirname(path)
    return {
      path,
      name: posix.basename(path),
      folder: folder === '.' ? '' : folder,
      absolute,
      bytes: size,
      format,
      lines: cut,
      compressed,
    }
  } finally {
    await handle.close()
  }
}

/** Whether a path, by where links lead, may be read. */
export type Within = (absolute: string) => Promise<boolean>
const anywhere: Within = () => Promise.resolve(true)

/** Of folders that are not there, as those of a disk that is away, nothing is within. */
export const withinFolders = async (folders: readonly string[] | undefined): Promise<Within> => {
  if (folders === undefined) return anywhere
  const roots = (await Promise.all(folders.map((root) => realpath(root).catch(() => [])))).flat()
  return async (absolute) => {
    const real = await realpath(absolute).catch(() => null)
    return real !== null && roots.some((root) => isInside(real, root))
  }
}

/** Files below a folder by their paths in it; links to files are followed, as workflows publish them, and no folder is read twice. */
const listFiles = async (root: string, log: DefectLog, signal: AbortSignal, within: Within): Promise<string[]> => {
  const found: string[] = []
  const seen = new Set<string>()
  const walk = async (folder: string, prefix: string): Promise<void> => {
    signal.throwIfAborted()
    const real = await realpath(folder)
    if (seen.has(real)) return
    seen.add(real)
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix + entry.name
      if (isSystemFile(path) || entry.name.startsWith('.novodb-')) continue
      const absolute = join(folder, entry.name)
      const facts = entry.isSymbolicLink() ? await stat(absolute).catch(() => null) : await lstat(absolute)
      if (facts === null) log.report(importDefects, 'import-link-broken', path, null)
      // Before anything is read behind it, be it only the names in a folder.
      else if (entry.isSymbolicLink() && !(await within(absolute)))
        log.report(importDefects, 'import-link-outside', path, null)
      else if (facts.isDirectory()) await walk(absolute, `${path}/`)
      else if (facts.isFile()) found.push(path)
      if (found.length > maxFiles) {
        log.report(importDefects, 'import-too-many-files', root, null, { limit: maxFiles })
        return
      }
    }
  }
  await walk(root, '')
  return found
}

/** Every file of a folder, or a single file, with what its first bytes say; `prefix` distinguishes several that were given. */
export const readInputFiles = async (
  root: string,
  prefix: string,
  log: DefectLog,
  signal: AbortSignal,
  within: Within = anywhere,
): Promise<InputFile[]> => {
  if ((await stat(root)).isFile()) {
    if (await within(root)) return [await readInputFile(prefix + basename(root), root)]
    log.report(importDefects, 'import-link-outside', prefix + basename(root), null)
    return []
  }
  const paths = await listFiles(root, log, signal, within)
  if (log.hasErrors) return []
  const limit = paths.length > manyFiles ? manyHeadBytes : headBytes
  const files: InputFile[] = []
  for (const path of paths) {
    signal.throwIfAborted()
    files.push(await readInputFile(prefix + path.split(sep).join('/'), join(root, path), limit))
  }
  return files
}
