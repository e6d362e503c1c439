import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { isSafeRelativePath } from './byte-range.ts'
import { asStoreError, StoreError } from './store-error.ts'

/** The record of a bundle, at the top of its folder; its presence says that the bundle is sealed. */
export const bundleFileName = 'bundle.json'
const formatVersion = 1

/** Time-sortable, then of the content: `20261121T061500-1f0c…`. Only such names are ever joined to a path. */
const bundleIdPattern = /^\d{8}T\d{9}-[0-9a-f]{16}$/
const stagingPattern = /^staging-(.+)-(\d+)-[0-9a-f]{8}$/

export interface BundleFile {
  path: string
  kind: string
  bytes: number
  sha256: string
  meta?: unknown
}

export interface SealedBundle {
  id: string
  directory: string
  species: string
  assembly: string | null
  createdAt: string
  files: BundleFile[]
  /** SHA-256 over the paths and checksums of all files: equal checksums have equal content. */
  checksum: string
}

/** A bundle under construction: its files are written into `directory`, named by `add`, and become one by `seal`. */
export interface StagedBundle {
  readonly directory: string
  add(relativePath: string, about: { kind: string; meta?: unknown }): void
  /** Checksums every named file, writes the record, syncs all to the disk, and moves the folder to its final name in one step. */
  seal(): Promise<SealedBundle>
  /** Removes what was written. */
  discard(): Promise<void>
}

const syncPath = async (file: string): Promise<void> => {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const hashFile = async (file: string): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

const contentChecksum = (files: readonly BundleFile[]): string => {
  const hash = createHash('sha256')
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(`${file.path}\0${file.sha256}\n`)
  return hash.digest('hex')
}

/** Starts a bundle in a folder of its own below `root`; the folder's name tells a later sweep whose it is. */
export async function createBundle(
  root: string,
  about: { species: string; assembly: string | null },
): Promise<StagedBundle> {
  const directory = path.join(root, `staging-${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`)
  await mkdir(directory, { recursive: true }).catch((thrown: unknown) =>
    Promise.reject(asStoreError(thrown, directory)),
  )
  const named = new Map<string, { kind: string; meta?: unknown }>()
  return {
    directory,
    add(relativePath, { kind, meta }) {
      if (!isSafeRelativePath(relativePath)) {
        throw new StoreError('invalid-path', null, `not a path inside a bundle: ${relativePath}`)
      }
      named.set(relativePath, { kind, meta })
    },
    async seal() {
      try {
        const files: BundleFile[] = []
        for (const [relativePath, { kind, meta }] of named) {
          const file = path.join(directory, relativePath)
          files.push({ path: relativePath, kind, ...(await hashFile(file)), ...(meta === undefined ? {} : { meta }) })
          await syncPath(file)
        }
        const createdAt = new Date().toISOString()
        const checksum = contentChecksum(files)
        const id = `${createdAt.replace(/[-:.Z]/g, '')}-${checksum.slice(0, 16)}`
        const record = { format: formatVersion, id, ...about, createdAt, checksum, files }
        const recordFile = path.join(directory, bundleFileName)
        const handle = await open(recordFile, 'w')
        try {
          await handle.writeFile(`${JSON.stringify(record, null, 1)}\n`)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await syncPath(directory)
        const target = path.join(root, id)
        await rename(directory, target)
        await syncPath(root)
        return { id, directory: target, ...about, createdAt, files, checksum }
      } catch (thrown) {
        throw asStoreError(thrown, directory)
      }
    },
    discard: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The record of a sealed bundle. Throws StoreError `missing` when there is none, `corrupt` when it cannot be understood. */
export async function openBundle(directory: string): Promise<SealedBundle> {
  const file = path.join(directory, bundleFileName)
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => Promise.reject(asStoreError(thrown, file)))
  let record: Omit<SealedBundle, 'directory'> & { format: number }
  try {
    record = JSON.parse(text) as typeof record
  } catch (cause) {
    throw new StoreError('corrupt', file, 'not a bundle record', { cause })
  }
  if (record.format !== formatVersion || !Array.isArray(record.files)) {
    throw new StoreError('corrupt', file, `not a bundle record of format ${formatVersion}`)
  }
  const { format: _, ...rest } = record
  return { ...rest, directory }
}

export interface DamagedFile {
  path: string
  problem: 'missing' | 'size' | 'checksum'
}

/** Every file that is not as it was sealed; empty for a sound bundle. */
export async function verifyBundle(directory: string): Promise<DamagedFile[]> {
  const bundle = await openBundle(directory).catch(() => null)
  if (bundle === null) return [{ path: bundleFileName, problem: 'missing' }]
  const damaged: DamagedFile[] = []
  for (const file of bundle.files) {
    const absolute = path.join(directory, file.path)
    const facts = await stat(absolute).catch(() => null)
    if (facts === null) damaged.push({ path: file.path, problem: 'missing' })
    else if (facts.size !== file.bytes) damaged.push({ path: file.path, problem: 'size' })
    else if ((await hashFile(absolute)).sha256 !== file.sha256) damaged.push({ path: file.path, problem: 'checksum' })
  }
  return damaged
}

/** Names of the sealed bundles below `root`, oldest first. */
export async function listBundles(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => [])
  return names.filter((name) => bundleIdPattern.test(name)).sort()
}

/** Removes a bundle whole: its record first, so that what a killed process leaves is no bundle any more. */
export async function deleteBundle(root: string, id: string): Promise<void> {
  if (!bundleIdPattern.test(id)) throw new StoreError('invalid-path', null, `not a bundle: ${id.slice(0, 100)}`)
  const directory = path.join(root, id)
  await rm(path.join(directory, bundleFileName), { force: true })
  await rm(directory, { recursive: true, force: true })
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as { code?: string }).code === 'EPERM'
  }
}

/** Removes staging folders of processes of this machine that are no more, and bundles that lost their record. */
export async function sweepBundles(root: string): Promise<string[]> {
  const removed: string[] = []
  for (const name of await readdir(root).catch(() => [])) {
    const staging = stagingPattern.exec(name)
    const dead = staging !== null && staging[1] === hostname() && !isAlive(Number(staging[2]))
    const headless =
      bundleIdPattern.test(name) && (await stat(path.join(root, name, bundleFileName)).catch(() => null)) === null
    if (!dead && !headless) continue
    await rm(path.join(root, name), { recursive: true, force: true })
    removed.push(name)
  }
  return removed
}
