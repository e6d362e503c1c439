import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { isSafeRelativePath, resolveInside } from './byte-range.ts'
import { getFileChecksum } from './checksum.ts'
import { asStoreError, StoreError } from './store-error.ts'

// A bundle is a folder that never changes once it has its name:
//   <root>/bundles/<id>/bundle.json and the files it lists
//   <root>/staging/<owner>/         being written; becomes a bundle by one rename
//   <root>/trash/<id>-<random>/     being deleted; left behind only by a killed process

/** The file of a bundle that lists the others. */
export const manifestName = 'bundle.json'

// Raised when a reader of this version could not read what is written.
const formatVersion = 1

const fileSchema = z.object({
  path: z.string().refine(isSafeRelativePath, 'not a path inside a bundle'),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.string().min(1),
  meta: z.record(z.string(), z.unknown()),
})

const manifestSchema = z.object({
  formatVersion: z.literal(formatVersion),
  id: z.string(),
  species: z.string(),
  assembly: z.string(),
  created: z.iso.datetime(),
  files: z.array(fileSchema),
})

/** A file of a bundle. `kind` says what it is for (genome, track, blast …), `meta` what its readers need to know beside it. */
export type BundleFile = z.infer<typeof fileSchema>

/** What `bundle.json` says. */
export type BundleManifest = z.infer<typeof manifestSchema>

// Time of sealing to the millisecond in UTC, so that ids sort by age, and the first 64 bits of the digest of what is in it.
const idPattern = /^\d{8}T\d{9}Z-[0-9a-f]{16}$/

/** Whether a text can be the id of a bundle; nothing else ever becomes part of a path. */
export function isBundleId(text: string): boolean {
  return idPattern.test(text)
}

/** When the bundle of an id was sealed. */
export function sealedAtMs(id: string): number {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(id) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}

function renderTimestamp(created: Date): string {
  return created.toISOString().replace(/[-:.]/g, '')
}

function getContentDigest({
  species,
  assembly,
  files,
}: Pick<BundleManifest, 'species' | 'assembly' | 'files'>): string {
  const content = [
    formatVersion,
    species,
    assembly,
    files.map(({ path: name, bytes, sha256, kind, meta }) => [name, bytes, sha256, kind, meta]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}

async function syncFolder(folder: string): Promise<void> {
  // A rename is on the disk only when its folder is (fsync(2)). Windows has no such call.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Paths of all files below a folder, relative and with `/`, and of the folders themselves. Anything else is an error. */
async function listTree(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = []
  const folders: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    if (entry.isDirectory()) folders.push(name)
    else if (entry.isFile()) files.push(name)
    else throw new StoreError('bundle-incomplete', path.join(folder, name), 'is neither a file nor a folder')
  }
  return { files, folders }
}

/** What is said of a file when it is added. */
export interface BundleFileNote {
  kind: string
  /** Must survive JSON unchanged. */
  meta?: Record<string, unknown>
}

/** A bundle being written. Nobody else sees it before `seal`; a process that dies leaves it to `sweepBundles`. */
export class StagedBundle {
  /** Write files here, or better where `prepareFile` says. */
  readonly folder: string
  readonly #root: string
  readonly #species: string
  readonly #assembly: string
  readonly #files = new Map<string, BundleFile & { modifiedMs: number }>()
  #state: 'open' | 'sealed' | 'discarded' = 'open'

  constructor(root: string, folder: string, species: string, assembly: string) {
    this.#root = root
    this.folder = folder
    this.#species = species
    this.#assembly = assembly
  }

  #requireOpen(): void {
    if (this.#state !== 'open') throw new StoreError('bundle-not-staged', this.folder, `is ${this.#state} already`)
  }

  /** The absolute path at which to write a file of the bundle; its folder is made. Throws StoreError `invalid-path`. */
  async prepareFile(relativePath: string): Promise<string> {
    this.#requireOpen()
    const file = resolveInside(this.folder, relativePath)
    if (relativePath === manifestName) throw new StoreError('invalid-path', file, 'is written by the bundle itself')
    await mkdir(path.dirname(file), { recursive: true })
    return file
  }

  /** Takes a file that has been written: reads it for its checksum, unless it is known, as of a file of another bundle. It must not change after. */
  async add(
    relativePath: string,
    { kind, meta = {} }: BundleFileNote,
    known?: { bytes: number; sha256: string },
  ): Promise<BundleFile> {
    const file = await this.prepareFile(relativePath)
    if (this.#files.has(relativePath)) throw new StoreError('bundle-incomplete', file, 'was added twice')
    const found = await stat(file).catch((thrown: unknown) => Promise.reject(asStoreError(thrown, file)))
    const { bytes, sha256 } = known ?? (await getFileChecksum(file))
    const entry = { path: relativePath, bytes, sha256, kind, meta: JSON.parse(JSON.stringify(meta)) }
    this.#files.set(relativePath, { ...entry, modifiedMs: found.mtimeMs })
    return entry
  }

  /** Adds every file below a folder under one kind: a BLAST database, an array of chunks. The first file carries `meta`. */
  async addFolder(relativePath: string, { kind, meta }: BundleFileNote): Promise<BundleFile[]> {
    const { files } = await listTree(resolveInside(this.folder, relativePath))
    const added: BundleFile[] = []
    for (const name of files.sort())
      added.push(await this.add(`${relativePath}/${name}`, { kind, meta: added.length === 0 ? meta : {} }))
    return added
  }

  /**
   * Makes it a bundle: writes its manifest, brings everything to the disk, gives it its id and its place in one rename. Throws
   * StoreError `bundle-incomplete`, naming the file, when one changed after it was added or was never added.
   */
  async seal(): Promise<Bundle> {
    this.#requireOpen()
    const { files: present, folders } = await listTree(this.folder)
    const stray = present.find((name) => !this.#files.has(name))
    if (stray !== undefined)
      throw new StoreError(
        'bundle-incomplete',
        path.join(this.folder, stray),
        'was written but not added to the bundle',
      )
    for (const entry of this.#files.values()) await this.#settleFile(entry)

    const created = new Date()
    const files = [...this.#files.values()]
      .map(({ modifiedMs: _, ...file }) => file)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
    const content = { species: this.#species, assembly: this.#assembly, files }
    const id = `${renderTimestamp(created)}-${getContentDigest(content)}`
    const manifest: BundleManifest = { formatVersion, id, created: created.toISOString(), ...content }
    const manifestFile = path.join(this.folder, manifestName)
    try {
      const handle = await open(manifestFile, 'w', 0o444)
      try {
        await handle.writeFile(`${JSON.stringify(manifest, null, 1)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      for (const folder of [...folders.map((name) => path.join(this.folder, name)), this.folder])
        await syncFolder(folder)
      const bundles = path.join(this.#root, 'bundles')
      await mkdir(bundles, { recursive: true })
      const place = path.join(bundles, id)
      await rename(this.folder, place)
      this.#state = 'sealed'
      await syncFolder(bundles)
      return new Bundle(place, manifest)
    } catch (thrown) {
      throw asStoreError(thrown, manifestFile)
    }
  }

  async #settleFile(entry: BundleFile & { modifiedMs: number }): Promise<void> {
    const file = resolveInside(this.folder, entry.path)
    const handle = await open(file, 'r').catch((thrown: unknown) => Promise.reject(asStoreError(thrown, file)))
    try {
      const { size, mtimeMs } = await handle.stat()
      if (size !== entry.bytes || mtimeMs !== entry.modifiedMs)
        throw new StoreError('bundle-incomplete', file, 'changed after it was added to the bundle')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(file, 0o444)
  }

  /** Throws all of it away; nothing happens when it was sealed. */
  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'discarded'
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** A sealed bundle. */
export class Bundle {
  readonly folder: string
  readonly manifest: BundleManifest
  readonly #byPath: Map<string, BundleFile>

  constructor(folder: string, manifest: BundleManifest) {
    this.folder = folder
    this.manifest = manifest
    this.#byPath = new Map(manifest.files.map((file) => [file.path, file]))
  }

  get id(): string {
    return this.manifest.id
  }

  /** Size of all files together. */
  get bytes(): number {
    return this.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** What the manifest says of a path, or null when the bundle has no such file. */
  find(relativePath: string): BundleFile | null {
    return this.#byPath.get(relativePath) ?? null
  }

  findByKind(kind: string): BundleFile[] {
    return this.manifest.files.filter((file) => file.kind === kind)
  }

  /** The absolute path of a file of the bundle, for engines. Throws StoreError `missing` when the manifest does not list it. */
  pathOf(relativePath: string): string {
    if (!this.#byPath.has(relativePath))
      throw new StoreError(
        'missing',
        this.folder,
        `the bundle has no file ${JSON.stringify(relativePath.slice(0, 100))}`,
      )
    return resolveInside(this.folder, relativePath)
  }
}

// The name of a staging folder says whose it is: host, its boot, process, when the process started, and a random part.
const stagingPattern = /^([0-9a-f]{8})\.([0-9a-f]{8})\.(\d+)\.(\d+)\.[0-9a-f]{12}$/

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Differs from boot to boot where the system tells (Linux), so that an old process id is not taken for a new one. */
async function getBootHash(): Promise<string> {
  return shortHash(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''))
}

/** When a process started, in clock ticks after boot: field 22 of /proc/pid/stat (proc(5)); "0" where it is not told. */
async function getProcessStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field, the command in parentheses, may hold blanks and parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}

/** Begins a bundle of an assembly in a new staging folder below `root`. */
export async function createBundle(root: string, owner: { species: string; assembly: string }): Promise<StagedBundle> {
  const name = [
    shortHash(hostname()),
    await getBootHash(),
    process.pid,
    await getProcessStart(process.pid),
    randomBytes(6).toString('hex'),
  ].join('.')
  const folder = path.join(root, 'staging', name)
  try {
    await mkdir(folder, { recursive: true })
  } catch (thrown) {
    throw asStoreError(thrown, folder)
  }
  return new StagedBundle(root, folder, owner.species, owner.assembly)
}

/** The folder of a bundle below `root`. Throws StoreError `invalid-path` for what is no id. */
export function getBundleFolder(root: string, id: string): string {
  if (!isBundleId(id))
    throw new StoreError('invalid-path', null, `not a bundle id: ${JSON.stringify(id.slice(0, 100))}`)
  return path.join(root, 'bundles', id)
}

/**
 * Opens a sealed bundle by its folder, reading its manifest only. Throws StoreError `missing`, or `not-a-bundle` when the
 * manifest is damaged, of another format version, or does not fit the folder's name.
 */
export async function openBundle(folder: string): Promise<Bundle> {
  const file = path.join(folder, manifestName)
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => Promise.reject(asStoreError(thrown, file)))
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (thrown) {
    throw new StoreError('not-a-bundle', file, 'is not JSON', { cause: thrown })
  }
  const parsed = manifestSchema.safeParse(content)
  if (!parsed.success)
    throw new StoreError('not-a-bundle', file, z.prettifyError(parsed.error), { cause: parsed.error })
  const manifest = parsed.data
  if (!isBundleId(manifest.id) || manifest.id !== path.basename(folder))
    throw new StoreError('not-a-bundle', file, 'its id is not the name of its folder')
  if (!manifest.id.endsWith(`-${getContentDigest(manifest)}`))
    throw new StoreError('not-a-bundle', file, 'was changed: its content does not give its id')
  return new Bundle(folder, manifest)
}

/** What is wrong with one file of a bundle. */
export interface BundleDamage {
  path: string
  problem: 'missing' | 'wrong-size' | 'wrong-checksum' | 'not-listed'
}

/**
 * Reads every file of a bundle and names each one that is damaged; empty when all is well. Throws what `openBundle` throws
 * when the manifest itself is damaged.
 */
export async function verifyBundle(
  folder: string,
  options: { onProgress?: (progress: { bytesRead: number; bytesTotal: number }) => void; signal?: AbortSignal } = {},
): Promise<BundleDamage[]> {
  const bundle = await openBundle(folder)
  const damages: BundleDamage[] = []
  let bytesRead = 0
  for (const file of bundle.manifest.files) {
    options.signal?.throwIfAborted()
    const problem = await findDamage(bundle.pathOf(file.path), file)
    if (problem) damages.push({ path: file.path, problem })
    bytesRead += file.bytes
    options.onProgress?.({ bytesRead, bytesTotal: bundle.bytes })
  }
  const { files } = await listTree(folder)
  for (const name of files.sort())
    if (name !== manifestName && !bundle.find(name)) damages.push({ path: name, problem: 'not-listed' })
  return damages
}

async function findDamage(file: string, { bytes, sha256 }: BundleFile): Promise<BundleDamage['problem'] | null> {
  const size = await stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  )
  if (size === null) return 'missing'
  if (size !== bytes) return 'wrong-size'
  return (await getFileChecksum(file)).sha256 === sha256 ? null : 'wrong-checksum'
}

async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((thrown: unknown) => {
    const error = asStoreError(thrown, folder)
    if (error instanceof StoreError && error.code === 'missing') return []
    throw error
  })
}

/** Deletes a bundle: at once gone from its place, then from the disk. Throws StoreError `invalid-path` or `missing`. */
export async function deleteBundle(root: string, id: string): Promise<void> {
  const folder = getBundleFolder(root, id)
  const trash = path.join(root, 'trash')
  const place = path.join(trash, `${id}-${randomBytes(6).toString('hex')}`)
  await mkdir(trash, { recursive: true })
  try {
    await rename(folder, place)
  } catch (thrown) {
    throw asStoreError(thrown, folder)
  }
  await rm(place, { recursive: true, force: true })
}

// Another host's process cannot be asked whether it lives; a load that wrote nothing for so long is taken for dead.
const foreignIdleMs = 24 * 60 * 60 * 1000

/**
 * Removes what killed processes left: staging folders whose process is no more (of another host: untouched for a day), and
 * trash. Answers the removed folders. Safe while other processes load.
 */
export async function sweepBundles(root: string): Promise<string[]> {
  const removed: string[] = []
  const staging = path.join(root, 'staging')
  for (const name of await listFolder(staging)) {
    const folder = path.join(staging, name)
    if (await isAbandoned(folder, name)) removed.push(folder)
  }
  const trash = path.join(root, 'trash')
  // What is in the trash has no reader that could find it, and deleting it twice does no harm.
  for (const name of await listFolder(trash)) removed.push(path.join(trash, name))
  for (const folder of removed) await rm(folder, { recursive: true, force: true })
  return removed
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const match = stagingPattern.exec(name)
  // Not made here: not ours to remove.
  if (!match) return false
  const [, host, boot, pid, start] = match
  if (host !== shortHash(hostname())) {
    // Sealed or discarded in between: not there, so nothing to remove.
    const lastChangeMs = await getLastChangeMs(folder).catch(() => Number.POSITIVE_INFINITY)
    return Date.now() - lastChangeMs > foreignIdleMs
  }
  if (boot !== (await getBootHash())) return true
  return !isAlive(Number(pid)) || (await getProcessStart(Number(pid))) !== start
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 asks only whether the process is there (kill(2)).
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // It is there, but of another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

async function getLastChangeMs(folder: string): Promise<number> {
  let last = (await stat(folder)).mtimeMs
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // What is being written may be gone or renamed by now.
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null)
    if (found) last = Math.max(last, found.mtimeMs)
  }
  return last
}
