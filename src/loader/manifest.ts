import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import type { DefectLog } from '../bio/text/defects.ts'
import { readByteLines } from '../bio/text/text-lines.ts'
import { assemblyManifestSchema, type SpeciesManifest, speciesManifestSchema } from '../contracts/manifest.ts'
import { findTools } from '../kit/find-tools.ts'
import { inputDefects } from '../kit/input-defects.ts'
import type { ToolLoader } from '../kit/loader.ts'
import { manifestDefects } from './manifest-defects.ts'
import { describeManifestIssues } from './manifest-issues.ts'
import type { NamedFile } from './named-files.ts'

/** A tool's loader with the folder it was found in. */
export interface FoundLoader {
  tool: string
  loader: ToolLoader
}

export const findLoaders = async (): Promise<FoundLoader[]> => {
  const found: FoundLoader[] = []
  for (const tool of await findTools()) {
    for (const loader of await tool.importLoaders()) found.push({ tool: tool.id, loader })
  }
  return found
}

/** The manifest's schema with the entries of every tool that brings data. */
export const manifestSchema = (loaders: FoundLoader[]): z.ZodType<SpeciesManifest> => {
  const entries = (scope: 'assembly' | 'species') =>
    Object.fromEntries(
      loaders.flatMap(({ loader }) =>
        loader.entry !== null &&
        loader.schema !== null &&
        (loader.scope === scope || (scope === 'species' && loader.inherited === true))
          ? [[loader.entry, loader.schema.optional()]]
          : [],
      ),
    )
  return speciesManifestSchema.extend({
    ...entries('species'),
    assemblies: z.array(assemblyManifestSchema.extend(entries('assembly'))).min(1),
  }) as unknown as z.ZodType<SpeciesManifest>
}

/** JSON Schema of species.yaml, for editors: `# yaml-language-server: $schema=…` at its head. */
export const manifestJsonSchema = (loaders: FoundLoader[]): Record<string, unknown> => ({
  ...z.toJSONSchema(manifestSchema(loaders), { io: 'input', unrepresentable: 'any' }),
  title: 'NovoDB species folder (species.yaml)',
})

const manifestFileName = 'species.yaml'
const maxManifestBytes = 4 * 1024 * 1024

/** Reads and checks species.yaml; every wrong entry is reported with its line. Null when it cannot be used. */
export const readManifest = async (
  folder: string,
  loaders: FoundLoader[],
  log: DefectLog,
): Promise<SpeciesManifest | null> => {
  const file = join(folder, manifestFileName)
  const facts = await stat(file).catch(() => null)
  if (facts === null || !facts.isFile()) {
    log.report(manifestDefects, 'manifest-missing', manifestFileName, null, { folder })
    return null
  }
  if (facts.size > maxManifestBytes) {
    log.report(manifestDefects, 'manifest-unreadable', manifestFileName, null, {
      reason: `> ${maxManifestBytes} bytes`,
    })
    return null
  }
  const lines = new LineCounter()
  const text = readByteLines(await readFile(file), manifestFileName, log).join('\n')
  if (log.hasErrors) return null
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  for (const error of document.errors) {
    log.report(manifestDefects, 'manifest-unreadable', manifestFileName, error.linePos?.[0].line ?? null, {
      reason: error.message.split('\n')[0]!.replace(/ at line .*$/, ''),
    })
  }
  if (document.errors.length > 0) return null

  // Aliases are bounded: a document that expands to millions of nodes is refused.
  let written: unknown
  try {
    written = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    log.report(manifestDefects, 'manifest-aliases', manifestFileName, null)
    return null
  }
  const parsed = manifestSchema(loaders).safeParse(written)
  if (!parsed.success) {
    const { issues } = parsed.error
    for (const problem of describeManifestIssues(issues.slice(0, 50), written, manifestJsonSchema(loaders))) {
      const place = nearestNode(
        document,
        problem.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      )
      const line = place === null ? null : lines.linePos(place).line
      log.report(manifestDefects, problem.code, manifestFileName, line, problem.params)
    }
    return null
  }
  const manifest = parsed.data
  const ids = manifest.assemblies.map((assembly) => assembly.id)
  for (const [number, id] of ids.entries()) {
    if (ids.indexOf(id) !== number)
      log.report(manifestDefects, 'manifest-duplicate-assembly', manifestFileName, null, { assembly: id })
  }
  inheritEntries(manifest, loaders)
  for (const { path, entry, id, known } of findUnknownReferences(manifest, loaders)) {
    const place = nearestNode(document, path)
    log.report(
      manifestDefects,
      'manifest-id-unknown',
      manifestFileName,
      place === null ? null : lines.linePos(place).line,
      {
        entry: path.join('.'),
        id,
        list: entry,
        known: known.slice(0, maxKnownNames).join(', ') || '–',
      },
    )
  }
  return log.hasErrors ? null : manifest
}

/** Ids of a list that are told where one is none of them. */
const maxKnownNames = 10

const idsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap((one: { id?: unknown }) => (typeof one.id === 'string' ? [one.id] : [])) : []

/** Names of ids by which one tool's entries mean another's, and which are no id of that list. */
const findUnknownReferences = (
  manifest: SpeciesManifest,
  loaders: FoundLoader[],
): { path: (string | number)[]; entry: string; id: string; known: string[] }[] => {
  const top = manifest as Record<string, unknown>
  const stands: { owner: Record<string, unknown>; at: (string | number)[]; scope: ToolLoader['scope'] }[] = [
    { owner: top, at: [], scope: 'species' },
    ...(manifest.assemblies as Record<string, unknown>[]).map((owner, number) => ({
      owner,
      at: ['assemblies', number],
      scope: 'assembly' as const,
    })),
  ]
  return stands.flatMap(({ owner, at, scope }) =>
    loaders.flatMap(({ loader }) => {
      const value = loader.scope === scope && loader.entry !== null ? owner[loader.entry] : undefined
      if (value === undefined || loader.refers === undefined) return []
      return loader.refers(value).flatMap(({ path, entry, id }) => {
        const known = [...new Set([...idsOf(owner[entry]), ...idsOf(top[entry])])]
        return known.includes(id) ? [] : [{ path: [...at, loader.entry!, ...path], entry, id, known }]
      })
    }),
  )
}

/** Gives assemblies the entries that stand at the top for all of them. */
const inheritEntries = (manifest: SpeciesManifest, loaders: FoundLoader[]): void => {
  const top = manifest as Record<string, unknown>
  for (const { loader } of loaders) {
    if (loader.inherited !== true || loader.entry === null || top[loader.entry] === undefined) continue
    for (const assembly of manifest.assemblies as Record<string, unknown>[])
      assembly[loader.entry] ??= top[loader.entry]
  }
}

/** Offset of the deepest part of the path that the document has. */
const nearestNode = (document: ReturnType<typeof parseDocument>, path: (string | number)[]): number | null => {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return null
}

/**
 * Absolute path of a file the manifest names; null (and a defect) when it is not there, is no file, or is empty. With `confinedTo`,
 * all files that the manifest names, also when it lies outside the folder and the other `roots`, by its name or where a symbolic link
 * leads; the defect names the entry.
 */
export const resolveManifestFile = async (
  folder: string,
  path: string,
  log: DefectLog,
  confinedTo?: readonly NamedFile[],
  roots: readonly string[] = [],
): Promise<string | null> => {
  const place = await findPosition(folder, path, confinedTo && roots)
  if (place.outside) {
    const entry = confinedTo?.find(({ file }) => file === path)?.path.join('.') ?? path
    log.report(inputDefects, 'file-outside-folder', path, null, { entry })
    return null
  }
  const facts = await stat(place.absolute).catch(() => null)
  if (facts === null) log.report(inputDefects, 'file-missing', path, null, {})
  else if (!facts.isFile()) log.report(inputDefects, 'file-not-a-file', path, null, {})
  else if (facts.size === 0) log.report(inputDefects, 'file-empty', path, null, {})
  else return place.absolute
  return null
}

/**
 * Absolute path of a file that may stand beside one of the manifest's, as an index does; null when there is none to be used. Of a confined
 * load `roots` are the folders beside its own where files may lie.
 */
export const findFileBeside = async (
  folder: string,
  path: string,
  roots?: readonly string[],
): Promise<string | null> => {
  const { absolute, outside } = await findPosition(folder, path, roots)
  return !outside && (await stat(absolute).catch(() => null))?.isFile() ? absolute : null
}

/** A folder of more files than these is not one of results. */
const maxFolderFiles = 50_000

/**
 * Files within a folder that the manifest names, as the manifest would name them, in order of their names; null (and a defect) when it is
 * not there or is no folder. Of a confined load those that a link leads out of the species folder are reported and left out.
 */
export const listManifestFolder = async (
  folder: string,
  path: string,
  log: DefectLog,
  confinedTo?: readonly NamedFile[],
  roots: readonly string[] = [],
): Promise<string[] | null> => {
  const confined = confinedTo !== undefined
  const place = await findPosition(folder, path, confinedTo && roots)
  if (place.outside) {
    const entry = confinedTo?.find(({ file }) => file === path)?.path.join('.') ?? path
    log.report(inputDefects, 'file-outside-folder', path, null, { entry })
    return null
  }
  const facts = await stat(place.absolute).catch(() => null)
  if (facts === null || !facts.isDirectory()) {
    log.report(inputDefects, facts === null ? 'file-missing' : 'file-no-folder', path, null, {})
    return null
  }
  const found: string[] = []
  const entries = await readdir(place.absolute, { recursive: true, withFileTypes: true })
  for (const entry of entries.slice(0, maxFolderFiles)) {
    if (entry.isDirectory()) continue
    const name = join(path, relative(place.absolute, join(entry.parentPath, entry.name)))
    if ((await findFileBeside(folder, name, confinedTo && roots)) !== null) found.push(name)
    else if (confined && entry.isSymbolicLink())
      log.report(inputDefects, 'file-outside-folder', name, null, { entry: path })
  }
  return found.sort()
}

/** Where a path leads; of a confined one whether that is outside the folder and `roots`, which is told without looking there. */
const findPosition = async (
  folder: string,
  path: string,
  roots: readonly string[] | undefined,
): Promise<{ absolute: string; outside: boolean }> => {
  const absolute = isAbsolute(path) ? path : resolve(folder, path)
  if (roots === undefined) return { absolute, outside: false }
  const root = await realpath(folder)
  const others = await Promise.all(roots.map((other) => realpath(other).catch(() => other)))
  const isWithin = (place: string): boolean =>
    [root, ...others].some((one) => place.startsWith(one + sep)) || others.includes(place)
  if (!isWithin(isAbsolute(path) ? resolve(path) : resolve(root, path))) return { absolute, outside: true }
  const real = await realpath(absolute).catch(() => null)
  return real === null ? { absolute, outside: false } : { absolute: real, outside: !isWithin(real) }
}
