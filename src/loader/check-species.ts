import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { DefectLog } from '../bio/text/defects.ts'
import type { SpeciesManifest } from '../contracts/manifest.ts'
import type { BakedWriter } from '../database/baked-tables.ts'
import { SearchIndexer } from '../kit/data/bundle-rows.ts'
import { inputDefects } from '../kit/input-defects.ts'
import type { BakeContext, CheckContext, ToolLoader } from '../kit/loader.ts'
import { StoreError } from '../store/store-error.ts'
import { bakeAssembly, createBakeContext, LoadRefused } from './bake-assembly.ts'
import { checkAgainstGenomes, type SequenceFacts, wantsSequences } from './check-against.ts'
import { namedFiles } from './load-species.ts'
import {
  findFileBeside,
  findLoaders,
  listManifestFolder,
  manifestSchema,
  readManifest,
  resolveManifestFile,
} from './manifest.ts'
import { listNamedFiles, listNamedFolders } from './named-files.ts'
import { bakeOntologies } from './ontologies.ts'

/** Defects of each kind that are kept with file and line, where only the first are told; beyond it they are counted. */
const keptDefects = 200
/** Where all are told: some hundred megabytes at most. */
export const allDefects = 100_000

/** Rows go nowhere. */
const noWriter: BakedWriter = {
  bundle: 0,
  add: async () => undefined,
  rowCount: () => 0,
  finish: async () => undefined,
  attach: async () => undefined,
  discard: async () => undefined,
}

/**
 * Reads a species folder as a load would, every file of it, and reports what is wrong with file and line. Other than a load it goes on
 * after an error, wants no database and no programs, and keeps nothing: what is derived on the way lies in a temporary directory
 * until the end. Not checked is what only a portal can say (whether another species has the name of an assembly).
 */
export const checkSpecies = async (
  folder: string,
  signal: AbortSignal,
  onProgress: (step: string, fraction: number) => void = () => undefined,
  {
    keepPerKind = keptDefects,
    confined,
  }: {
    /** Defects of each kind that are kept. */
    keepPerKind?: number
    /** As of a load (see `LoadOptions`). */
    confined?: readonly string[]
  } = {},
): Promise<{ manifest: SpeciesManifest | null; log: DefectLog }> => {
  const root = resolve(folder)
  const log = new DefectLog(keepPerKind)
  const loaders = await findLoaders()
  const manifest = await readManifest(root, loaders, log)
  if (manifest === null) return { manifest, log }
  const schema = manifestSchema(loaders)
  const confinedTo = confined && listNamedFiles(schema, manifest)
  const confinedFolders = confined && listNamedFolders(schema, manifest)
  const missing = new Set<string>()
  const resolveFile = async (path: string): Promise<string | null> => {
    if (missing.has(path)) return null
    const resolved = await resolveManifestFile(root, path, log, confinedTo, confined)
    if (resolved === null) missing.add(path)
    return resolved
  }
  for (const path of namedFiles(manifest)) await resolveFile(path)

  const temporary = await mkdtemp(join(tmpdir(), 'novodb-check-'))
  /** What the lab's files caused is told; anything else is thrown. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LoadRefused) return
      const file = error instanceof StoreError ? error.file : null
      if (file !== null && !file.startsWith(temporary)) {
        const inFolder = relative(root, file)
        const reason = (error as StoreError).message.replace(`${file}: `, '')
        log.report(inputDefects, 'file-damaged', inFolder.startsWith('..') ? file : inFolder, null, { reason })
        // What a damaged genome keeps from being read is no error of its own.
      } else if (!log.hasErrors) throw error
    }
  }
  try {
    const ontologyEntries: { file: string; source: string | undefined; path: string }[] = []
    for (const entry of manifest.ontologies ?? []) {
      const path = await resolveFile(entry.file)
      if (path !== null) ontologyEntries.push({ file: entry.file, source: entry.source, path })
    }
    onProgress('ontologies', 0)
    let ontology: Awaited<ReturnType<typeof bakeOntologies>> = {
      find: () => null,
      hasSource: () => false,
      termCount: 0,
    }
    await attempt(async () => {
      ontology = await bakeOntologies({ entries: ontologyEntries, writer: null, indexer: null, log, signal })
    })
    // Loaders that only derive (search databases from what was read) find nothing wrong with the folder.
    const checked = loaders.filter(({ loader }) => loader.entry !== null)
    const parts = manifest.assemblies.length + 1
    const bundleIn = async (name: string) => {
      const directory = join(temporary, name)
      const scratch = join(directory, 'scratch')
      await mkdir(scratch, { recursive: true })
      return { directory, scratch, add: () => undefined }
    }
    const findFile = (path: string) => findFileBeside(root, path, confined)
    const listFolder = (path: string) => listManifestFolder(root, path, log, confinedFolders, confined)
    const shared = {
      manifest,
      resolveFile,
      findFile,
      listFolder,
      writer: noWriter,
      runProgram: async () => null,
      log,
      signal,
    }

    const files = new Map<string, string>()
    const context = createBakeContext(
      { ...shared, bundle: await bundleIn('species'), assembly: null },
      {
        sequences: [],
        findSequence: () => null,
        findGene: () => null,
        matchGene: () => null,
        genes: [],
        files,
        addFile: () => undefined,
        indexer: new SearchIndexer(noWriter),
        simulated: manifest.simulated ?? false,
        licence: manifest.licence ?? null,
        termsOf: () => [],
      },
    )
    for (const { loader } of checked) {
      const value = (manifest as Record<string, unknown>)[loader.entry!]
      if (loader.scope === 'species' && value !== undefined)
        await examine(loader, value, quietAboutPrograms(context), attempt)
    }
    const keepsSequences = wantsSequences(manifest, checked)
    const sequencesOf = new Map<string, readonly SequenceFacts[]>()
    for (const [number, assembly] of manifest.assemblies.entries()) {
      await attempt(async () => {
        await bakeAssembly({
          ...shared,
          assembly,
          bundle: await bundleIn(`assembly-${number}`),
          ontology,
          loaders: checked.map((found) => ({
            ...found,
            loader: {
              ...found.loader,
              bake: async (value, own) => {
                await examine(found.loader, value, quietAboutPrograms(own), attempt)
                return {}
              },
            },
          })),
          keepGoing: true,
          ...(keepsSequences
            ? { onSequences: (sequences: readonly SequenceFacts[]) => void sequencesOf.set(assembly.id, sequences) }
            : {}),
          progress: (step, done) => onProgress(`${assembly.id}: ${step}`, (number + 1 + done) / parts),
        })
      })
      await rm(join(temporary, `assembly-${number}`), { recursive: true, force: true })
    }
    await attempt(() =>
      checkAgainstGenomes(manifest, checked, context, async (assembly) => sequencesOf.get(assembly) ?? null),
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return { manifest, log }
}

/**
 * Has the loader say all that a load would. A list is taken whole, since items may repeat each other; where a file of one cannot be read,
 * those behind it are taken next.
 */
const examine = async (
  loader: ToolLoader,
  value: unknown,
  context: BakeContext,
  attempt: (work: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  let rest = value
  while (true) {
    let reading = ''
    let done = false
    const own: BakeContext = {
      ...context,
      resolveFile: (path) => {
        reading = path
        return context.resolveFile(path)
      },
    }
    await attempt(async () => {
      if (loader.check === undefined) await loader.bake(rest, own)
      else await loader.check(rest, own)
      done = true
    })
    if (done || !Array.isArray(rest)) return
    const failed = rest.findIndex((item) => JSON.stringify(item).includes(JSON.stringify(reading)))
    if (failed < 0 || failed === rest.length - 1) return
    rest = rest.slice(failed + 1)
  }
}

/** That a program was not run is no defect of the folder. */
const quietAboutPrograms = <Context extends Pick<CheckContext, 'report'>>(context: Context): Context => ({
  ...context,
  report: (catalogue, defect) => {
    if (defect.code !== 'program-missing') context.report(catalogue, defect)
  },
})
