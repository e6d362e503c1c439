import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { DefectLog } from '../bio/text/defects.ts'
import type { SpeciesManifest } from '../contracts/manifest.ts'
import { type ActiveBundle, listActiveSpecies } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import { getDiskSpace, reserveOf } from '../store/disk-space.ts'
import { type KeptInput, keptInputFile, keptInputFiles, openKeptInput, readKeptInputs } from '../store/kept-inputs.ts'
import type { FileFacts, PortalFiles } from '../store/portal-files.ts'
import { exportDefects } from './export-defects.ts'
import { type FoundLoader, findLoaders, manifestSchema } from './manifest.ts'
import { listNamedFiles, listNamedFolders } from './named-files.ts'

/** Says whose a folder that is being written is: an export that was killed goes on there. It goes when the folder is whole. */
const markerName = '.novodb-export.json'
const partSuffix = '.novodb-part'
const manifestName = 'species.yaml'

/** Where files lie that were outside of the species folder when they were loaded. */
const outside = 'outside'

export interface ExportReport {
  folder: string
  files: number
  bytes: number
  log: DefectLog
}

export interface ExportOptions {
  sql: Sql
  files: PortalFiles
  species: string
  folder: string
  signal: AbortSignal
  onProgress(fraction: number): void
}

interface WantedFile {
  /** Within the folder. */
  place: string
  input: KeptInput
  bundle: ActiveBundle
}

/**
 * Writes what the release in service of a species was loaded from: its files, byte for byte, and a manifest that names them. Files from
 * outside of the species folder are put inside. Loading the folder gives the same products.
 */
export const exportSpecies = async (options: ExportOptions): Promise<ExportReport> => {
  const { signal } = options
  const folder = resolve(options.folder)
  const log = new DefectLog()
  const report: ExportReport = { folder, files: 0, bytes: 0, log }
  const active = await listActiveSpecies(options.sql)
  const species = active.find(({ id }) => id === options.species)
  if (species === undefined) {
    const known = active.map(({ id }) => id).join(', ') || '–'
    log.report(exportDefects, 'export-species-unknown', options.species, null, { species: options.species, known })
    return report
  }

  const kept: { bundle: ActiveBundle; input: KeptInput }[] = []
  for (const bundle of species.bundles) {
    const inputs = await readInputs(options.files, bundle)
    if (inputs === null)
      log.report(exportDefects, 'export-inputs-not-kept', species.id, null, { part: bundle.assembly ?? species.id })
    else kept.push(...inputs.map((input) => ({ bundle, input })))
  }
  if (log.hasErrors) return report
  const loaders = await findLoaders()
  const schema = manifestSchema(loaders)
  const folders = listNamedFolders(schema, species.manifest).map(({ file }) => file)
  const placeOf = choosePlaces(
    kept.map(({ input }) => input.name),
    folders,
  )
  const wanted = new Map<string, WantedFile>()
  for (const { bundle, input } of kept) wanted.set(placeOf(input.name), { place: placeOf(input.name), input, bundle })
  report.files = wanted.size
  report.bytes = [...wanted.values()].reduce((sum, { input }) => sum + input.bytes, 0)

  const identity = JSON.stringify({ species: species.id, bundles: species.bundles.map(({ uid }) => uid) })
  if (!(await prepareFolder(folder, identity, log))) return report
  const missing: WantedFile[] = []
  for (const file of wanted.values()) {
    const present = await stat(join(folder, file.place)).catch(() => null)
    // A file gets its name when it is whole.
    if (present?.size !== file.input.bytes) missing.push(file)
  }
  const neededBytes = missing.reduce((sum, { input }) => sum + input.bytes, 0)
  const { freeBytes, totalBytes } = await getDiskSpace(folder)
  const free = Math.max(0, freeBytes - reserveOf(totalBytes))
  if (neededBytes > free) {
    const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2)
    log.report(exportDefects, 'export-no-space', folder, null, {
      needed: gigabytes(neededBytes),
      free: gigabytes(free),
      folder,
    })
    return report
  }
  let written = report.bytes - neededBytes
  for (const file of missing) {
    const whole = await writeFileOf(options.files, file, folder, signal, (bytes) => {
      written += bytes
      options.onProgress(report.bytes === 0 ? 1 : written / report.bytes)
    })
    if (!whole) {
      log.report(exportDefects, 'export-file-damaged', file.input.name, null)
      return report
    }
  }
  const text = renderManifest(species.manifest, loaders, placeOf)
  await writeFile(join(folder, `${manifestName}${partSuffix}`), text)
  await rename(join(folder, `${manifestName}${partSuffix}`), join(folder, manifestName))
  await rm(join(folder, markerName))
  return report
}

/** Inputs of a bundle; null of one that was baked before they were kept. */
const readInputs = async (files: PortalFiles, bundle: ActiveBundle): Promise<KeptInput[] | null> => {
  const list = findFile(bundle, keptInputFiles.list)
  if (list === undefined) return null
  return readKeptInputs(join(await files.fetch(bundle.uid, [list]), keptInputFiles.list))
}

const findFile = (bundle: ActiveBundle, path: string): FileFacts | undefined =>
  bundle.summary.files.find((file) => file.path === path)

/**
 * Where each name of the manifest lies in the exported folder: where it was, unless that is outside. Then what was named from the root
 * lies below the folder that all such files have in common, and what was named by `..` below a folder that counts these.
 *
 * Example: of `genes.gff3`, `/data/a/x.bam`, `/data/b/y.bam` and `../go.obo` these are `genes.gff3`, `outside/a/x.bam`,
 * `outside/b/y.bam` and `outside/up1/go.obo`. Folders that the data have already are numbered: beside `outside/x.bam`, `/data/x.bam`
 * becomes `outside-2/x.bam`.
 */
export const choosePlaces = (files: readonly string[], folders: readonly string[]): ((name: string) => string) => {
  const parents = [...files, ...folders]
    .filter((name) => name.startsWith('/'))
    .map((name) => partsOf(posix.dirname(posix.normalize(name))))
  const [first = []] = parents
  let shared = 0
  while (shared < first.length && parents.every((parts) => parts[shared] === first[shared])) shared += 1
  const names = [...files, ...folders].map((name) => posix.normalize(name))
  const fromRoot = (plain: string): string[] => partsOf(plain).slice(shared)
  const root = findFree(outside, new Set(names.map((plain) => partsOf(plain)[0])))
  const taken = new Set(names.filter((plain) => plain.startsWith('/')).map((plain) => fromRoot(plain)[0]))
  return (name) => {
    const plain = posix.normalize(name)
    if (plain.startsWith('/')) return posix.join(root, ...fromRoot(plain))
    const parts = plain.split('/')
    const ups = parts.filter((part) => part === '..').length
    return ups === 0 ? plain : posix.join(root, findFree(`up${ups}`, taken), ...parts.slice(ups))
  }
}

/** The name, or with a number what is not taken. */
const findFree = (name: string, taken: ReadonlySet<string | undefined>): string => {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`
  return free
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

/** Whether the export may be written there: to what is empty, or what this export has begun. */
const prepareFolder = async (folder: string, identity: string, log: DefectLog): Promise<boolean> => {
  try {
    await mkdir(folder, { recursive: true })
    const marker = join(folder, markerName)
    const begun = await readFile(marker, 'utf8').catch(() => null)
    if (begun === null && (await readdir(folder)).length === 0) await writeFile(marker, identity)
    else if (begun !== identity) {
      log.report(exportDefects, 'export-folder-taken', folder, null)
      return false
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || code === 'ENOSPC') throw error
    log.report(
      exportDefects,
      code === 'EEXIST' || code === 'ENOTDIR' ? 'export-folder-taken' : 'export-folder-unwritable',
      folder,
      null,
      { reason: code },
    )
    return false
  }
  return true
}

/** Writes one file; false where what was kept of it is not what was loaded. */
const writeFileOf = async (
  files: PortalFiles,
  { place, input, bundle }: WantedFile,
  folder: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<boolean> => {
  const source = findFile(bundle, keptInputFile(input))
  if (source === undefined) return false
  const from = await files.fetch(bundle.uid, [source])
  const target = join(folder, place)
  await mkdir(dirname(target), { recursive: true })
  const part = `${target}${partSuffix}`
  const hash = createHash('sha256')
  const handle = await open(part, 'w')
  try {
    for await (const piece of openKeptInput(from, input)) {
      signal.throwIfAborted()
      // Unlike `write` it goes on until all is written.
      await handle.writeFile(piece as Buffer)
      hash.update(piece as Buffer)
      onBytes((piece as Buffer).length)
    }
    await handle.sync()
  } catch (error) {
    signal.throwIfAborted()
    // As zlib tells of damaged content.
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw error
    return false
  } finally {
    await handle.close()
  }
  if (hash.digest('hex') !== input.sha256) {
    await rm(part)
    return false
  }
  await rename(part, target)
  return true
}

/** The manifest as it was loaded, with the places of the files in the exported folder. */
const renderManifest = (
  manifest: SpeciesManifest,
  loaders: FoundLoader[],
  placeOf: (name: string) => string,
): string => {
  const schema = manifestSchema(loaders)
  const moved = structuredClone(manifest) as unknown as Record<string, unknown>
  for (const { path, file } of [...listNamedFiles(schema, manifest), ...listNamedFolders(schema, manifest)])
    if (placeOf(file) !== posix.normalize(file)) setValue(moved, path, placeOf(file))
  // What stands at the top for all assemblies was given to each of them.
  for (const { loader } of loaders) {
    if (loader.inherited !== true || loader.entry === null) continue
    for (const assembly of moved.assemblies as Record<string, unknown>[])
      if (isDeepStrictEqual(assembly[loader.entry], moved[loader.entry])) delete assembly[loader.entry]
  }
  return stringify(inOrder(moved), { lineWidth: 0 })
}

/** What a person writes first of an entry; the database keeps keys in an order of its own. */
const firstKeys = [
  ...['novodb', 'species', 'id', 'name', 'commonName', 'strain', 'accession', 'reference', 'file', 'folder'],
  ...['taxonId', 'geneticCode', 'description', 'source', 'licence', 'simulated', 'genome', 'genes', 'proteins'],
]

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (value === null || typeof value !== 'object') return value
  const place = (key: string): number => {
    const at = firstKeys.indexOf(key)
    return key === 'assemblies' ? firstKeys.length + 1 : at < 0 ? firstKeys.length : at
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => place(a) - place(b))
      .map(([key, item]) => [key, inOrder(item)]),
  )
}

const setValue = (root: Record<string, unknown>, path: readonly (string | number)[], value: string): void => {
  let owner: Record<string | number, unknown> = root
  for (const key of path.slice(0, -1)) owner = owner[key] as Record<string | number, unknown>
  owner[path.at(-1)!] = value
}
