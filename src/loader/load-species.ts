import { mkdtemp, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { z } from 'zod'
import { type Defect, DefectLog, type DefectTotal, defectText } from '../bio/text/defects.ts'
import { renderCanonicalJson } from '../contracts/canonical-json.ts'
import { logStep, portalStageFraction } from '../contracts/load-steps.ts'
import {
  type AssemblyManifest,
  assemblyManifestSchema,
  type SpeciesManifest,
  speciesManifestSchema,
} from '../contracts/manifest.ts'
import { createBakedWriter, dropBakedTables, findAbandonedBundles, releaseTables } from '../database/baked-tables.ts'
import {
  activateRelease,
  addLoadStep,
  type BundleSummary,
  beginLoad,
  createBundle as createBundleRow,
  createLoad,
  deleteBundleRow,
  deleteOldReleases,
  endLoad,
  findBundleByFingerprint,
  isPortalLeft,
  listActiveSpecies,
  listBundlesOf,
  listUnusedBundles,
  nameLoad,
  type RunningLoad,
  updateLoad,
} from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { leadsOnFrom } from '../database/former-genes.ts'
import { listSequenceRows } from '../database/sequences.ts'
import { SearchIndexer } from '../kit/data/bundle-rows.ts'
import { inputDefects } from '../kit/input-defects.ts'
import type { CheckContext } from '../kit/loader.ts'
import { createBundle, sweepBundles } from '../store/bundle.ts'
import { requireDiskSpace } from '../store/disk-space.ts'
import { keptInputKind, keptInputPaths, writeKeptInputs } from '../store/kept-inputs.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { findStoreDelay, StoreError } from '../store/store-error.ts'
import { type BundleUnderConstruction, bakeAssembly, createBakeContext, LoadRefused } from './bake-assembly.ts'
import { bakeDefects } from './bake-defects.ts'
import { type BakePortalOptions, bakePortal } from './bake-portal.ts'
import { checkAgainstGenomes } from './check-against.ts'
import { readDefectCatalogue } from './defect-catalogue.ts'
import { computeFingerprint } from './fingerprint.ts'
import type { FollowedGenes } from './follow-genes.ts'
import { KeptParts, takeEarlierFile } from './kept-parts.ts'
import { clearAway, findFullFolder, type LoadSpace, measureLacking, SpaceLacking, waitForSpace } from './load-space.ts'
import { LoadStopped, takeTurn, whenNoneLoads } from './load-turn.ts'
import {
  type FoundLoader,
  findFileBeside,
  findLoaders,
  listManifestFolder,
  manifestSchema,
  readManifest,
  resolveManifestFile,
} from './manifest.ts'
import { manifestDefects } from './manifest-defects.ts'
import { listNamedFiles, listNamedFolders } from './named-files.ts'
import { bakeOntologies, type OntologyIndex } from './ontologies.ts'
import type { RunLoaderProgram } from './run-loader-program.ts'
import { contentChecksum, emptySummary, fileSummaries } from './sealed-bundle.ts'

export interface LoadReport {
  species: string | null
  ok: boolean
  /** Release that is now active; null when nothing was switched. */
  release: number | null
  defects: Defect[]
  totals: DefectTotal[]
  assemblies: {
    assembly: string
    reused: boolean
    /** Of one that was baked: the parts that were taken from a bundle of before. */
    kept: string[]
    /** How many of the genes before have become what, where others are loaded now. */
    followed?: NonNullable<FollowedGenes['counts']>
    genes: number
    lengthBp: number
    elapsedMs: number
  }[]
  elapsedMs: number
  /** What went wrong that is not the input's fault. */
  failure: string | null
  /** What is computed over all assemblies was left to the load after this one. */
  portalLeft: boolean
}

export interface LoadOptions {
  folder: string
  database: Database
  files: PortalFiles
  /** Who asked: a user's name, `command line`, or `demo`. */
  startedBy: string
  signal: AbortSignal
  runProgram: RunLoaderProgram
  /** Programs and versions that loaders may use; part of the fingerprint, so that installing one bakes what was left out. */
  programs: string[]
  onProgress(step: string, fraction: number): void
  /** Hears while other loads are waited for which one runs. */
  onWaiting?: ((running: RunningLoad | null) => void) | undefined
  /** Hears about every second for what space is waited. */
  onSpace?: ((space: LoadSpace) => void) | undefined
  /** Leaves what is computed over all assemblies to a further load, which whoever asks starts next. */
  leavePortal?: boolean | undefined
  /**
   * The manifest may name no file outside its folder and these: for a load that is not started by somebody who has the machine's files
   * anyway.
   */
  confined?: readonly string[] | undefined
  /** The load's row, when whoever asked has made it already (see `createWaitingLoad`). */
  load?: number
}

/** Releases kept behind the active one, to roll back to. */
const keptReleases = 2

/** Files of the loader's own entries. */
export const namedFiles = (manifest: SpeciesManifest): string[] => filesOf(speciesManifestSchema, manifest)

const filesOf = (schema: z.core.$ZodType | null, value: unknown): string[] =>
  schema === null ? [] : listNamedFiles(schema, value).map(({ file }) => file)

const assemblyFiles = (assembly: AssemblyManifest): string[] => filesOf(assemblyManifestSchema, assembly)

/** Entries that only describe an assembly: they are shown from the release's manifest, and a change of them bakes nothing anew. */
const describing = new Set(['name', 'strain', 'accession', 'description', 'reference', 'partial', 'outgroup', 'source'])

/** A file that something is baked of: as the manifest names it or would, and its absolute path. */
interface InputFile {
  name: string
  file: string
}

/** Files of the tools' entries of one owner (the manifest or an assembly of it): named, and found beside those. */
const toolFiles = async (
  owner: object,
  loaders: FoundLoader[],
  findFile: (path: string) => Promise<string | null>,
  listFolder: (path: string) => Promise<string[] | null>,
): Promise<{ named: string[]; beside: InputFile[] }> => {
  const found = { named: [] as string[], beside: [] as InputFile[] }
  for (const { loader } of loaders) {
    const value = loader.entry === null ? undefined : (owner as Record<string, unknown>)[loader.entry]
    if (value === undefined) continue
    found.named.push(...filesOf(loader.schema, value))
    for (const { file } of loader.schema === null ? [] : listNamedFolders(loader.schema, value))
      found.named.push(...(loader.inFolder?.((await listFolder(file)) ?? []) ?? []))
    for (const path of loader.beside?.(value) ?? []) {
      const file = await findFile(path)
      if (file !== null) found.beside.push({ name: path, file })
    }
  }
  return found
}

/**
 * Loads a species folder: bakes what has changed, then switches the species to the new release in one transaction. Whatever goes
 * wrong before that leaves the old release serving and nothing behind; bundles that were sealed before the failure are used by the
 * next attempt. On a full disk it clears away what it had begun, lets others have their turn, and goes on by itself once there is space.
 */
export const loadSpecies = async (options: LoadOptions): Promise<LoadReport> => {
  const { database, files, signal } = options
  const { sql } = database
  const attempt: Attempt = { load: options.load ?? null, species: null }
  for (;;) {
    try {
      const report = await loadOnce(options, attempt)
      // Refused at the door, having waited for space.
      if (attempt.load !== null && options.load === undefined && !report.ok)
        await endLoad(sql, attempt.load, 'failed', report, ['waiting', 'running']).catch(() => undefined)
      return report
    } catch (error) {
      if (signal.aborted) throw error
      const full = error instanceof SpaceLacking ? undefined : await findFullFolder(error, { database, files })
      if (full === undefined && !(error instanceof SpaceLacking)) throw error
      const space = error instanceof SpaceLacking ? error.space : await measureLacking(error, full ?? null, 0)
      try {
        await waitForSpace(space, { database, load: attempt.load, signal, onSpace: options.onSpace })
      } catch (reason) {
        const end = { ...emptyReport(attempt.species), interrupted: true }
        if (attempt.load !== null)
          await endLoad(sql, attempt.load, 'failed', end, ['waiting', 'running']).catch(() => undefined)
        throw signal.aborted ? new LoadStopped(attempt.species, null) : reason
      }
    }
  }
}

/** What the attempts of one load share. */
interface Attempt {
  /** Its row; null before there is one. */
  load: number | null
  species: string | null
}

const emptyReport = (species: string | null): LoadReport => ({
  species,
  ok: false,
  release: null,
  defects: [],
  totals: [],
  assemblies: [],
  elapsedMs: 0,
  failure: null,
  portalLeft: false,
})

/** A load up to its end, or to a full disk: then it rejects with SpaceLacking, or with what the full disk has brought about. */
const loadOnce = async (options: LoadOptions, attempt: Attempt): Promise<LoadReport> => {
  const startedAt = Date.now()
  const folder = resolve(options.folder)
  const { sql } = options.database
  const log = new DefectLog()
  const report = emptyReport(null)
  const finish = (): LoadReport => ({
    ...report,
    defects: [...log.defects],
    totals: log.totals(),
    elapsedMs: Date.now() - startedAt,
  })

  const loaders = await findLoaders()
  const manifest = await readManifest(folder, loaders, log)
  if (manifest === null) return finish()
  report.species = manifest.species
  attempt.species = manifest.species
  for (const species of await listActiveSpecies(sql)) {
    if (species.id === manifest.species) continue
    for (const assembly of manifest.assemblies) {
      if (species.bundles.some((bundle) => bundle.assembly === assembly.id)) {
        log.report(manifestDefects, 'manifest-assembly-taken', 'species.yaml', null, {
          assembly: assembly.id,
          species: species.id,
        })
      }
    }
  }
  const confinedTo = options.confined ? listNamedFiles(manifestSchema(loaders), manifest) : undefined
  for (const path of namedFiles(manifest)) await resolveManifestFile(folder, path, log, confinedTo, options.confined)
  if (log.hasErrors) return finish()

  const about = { species: manifest.species, host: hostname(), pid: process.pid }
  attempt.load ??= await createLoad(sql, { ...about, folder, startedBy: options.startedBy })
  const { load } = attempt
  if (options.load !== undefined) await nameLoad(sql, load, about)
  let step = ''
  let fraction = 0
  const progress = (name: string, done: number): void => {
    if (logStep(name) !== logStep(step)) void addLoadStep(sql, load, logStep(name)).catch(() => undefined)
    step = name
    fraction = done
    options.onProgress(name, done)
  }
  try {
    await takeTurn({ ...options, species: manifest.species, load }, async (turn) => {
      for (const bundle of await findAbandonedBundles(sql)) await dropBakedTables(sql, bundle)
      await sweepBundles(options.files.dataDir)
      await beginLoad(sql, load)
      const heartbeat = setInterval(() => void updateLoad(sql, load, step, fraction).catch(() => undefined), 1000)
      /** What is computed over all assemblies, unless a load after this one does it: it is done once for all that wait. */
      const finishPortal = async (): Promise<void> => {
        report.portalLeft = options.leavePortal === true || (await turn.othersWait())
        if (report.portalLeft) return
        const active = await listActiveSpecies(sql)
        const bundles = active.flatMap((species) => species.bundles.map((bundle) => bundle.bundle))
        await computePortal({ ...options, bundles, progress, load }, log)
      }
      try {
        const bundles = await bakeAll({
          ...options,
          folder,
          manifest,
          loaders,
          log,
          report,
          // Whatever is done last of it, the species is not in service yet.
          progress: (name, done) => progress(name, 0.98 * portalStageFraction * done),
        })
        const active = await listActiveSpecies(sql)
        const serving = active.find((species) => species.id === manifest.species)
        const unchanged =
          serving !== undefined &&
          renderCanonicalJson(serving.manifest) === renderCanonicalJson(manifest) &&
          serving.bundles.map((bundle) => bundle.bundle).join() === bundles.join()
        // Loading the same folder again changes nothing: no release of it is made.
        report.release = unchanged
          ? serving.releaseNumber
          : await activateRelease(sql, manifest, bundles, { totals: log.totals(), defects: log.defects })
        report.ok = true
        // Who waits at the command line may use it from here on: what follows may take hours.
        progress('in service', portalStageFraction)
        await finishPortal()
        clearInterval(heartbeat)
        await endLoad(sql, load, 'done', finish())
        await deleteOldReleases(sql, manifest.species, keptReleases)
        await deleteUnused(options.database, options.files)
      } catch (error) {
        if (options.signal.aborted) throw new LoadStopped(manifest.species, report.release)
        if (error instanceof SpaceLacking) throw error
        const full = await findFullFolder(error, options, log)
        if (full !== undefined) throw new SpaceLacking(await measureLacking(error, full, 0), error)
        const damaged = damagedInput(error, folder, options.files.dataDir)
        if (damaged !== null) log.report(inputDefects, 'file-damaged', damaged.file, null, { reason: damaged.reason })
        else if (!(error instanceof LoadRefused))
          report.failure = error instanceof Error ? error.message : String(error)
        // The load before this one may have left it to this one.
        if (!report.ok && (await isPortalLeft(sql).catch(() => false))) await finishPortal()
        clearInterval(heartbeat)
        await endLoad(sql, load, 'failed', finish()).catch(() => undefined)
      } finally {
        clearInterval(heartbeat)
      }
    })
  } catch (error) {
    if (error instanceof SpaceLacking && !options.signal.aborted) throw error
    const stopped = options.signal.aborted ? new LoadStopped(manifest.species, report.release) : error
    const state = stopped instanceof LoadStopped && report.ok ? 'done' : 'failed'
    await endLoad(sql, load, state, { ...finish(), interrupted: true }, ['waiting', 'running']).catch(() => undefined)
    throw stopped
  }
  return finish()
}

/**
 * What is computed over all assemblies, when they serve already: it may take hours, and data that are whole wait for nothing. Its failure
 * is no failure of the load: readers are told what is missing, and the next load tries again.
 */
const computePortal = async (options: Omit<BakePortalOptions, 'log'>, log: DefectLog): Promise<void> => {
  const own = new DefectLog()
  try {
    await bakePortal({ ...options, log: own })
  } catch (error) {
    if (options.signal.aborted || error instanceof SpaceLacking) throw error
    const refusal = own.defects.find((defect) => defect.severity === 'error')
    const message = error instanceof Error ? error.message : String(error)
    const reason = refusal === undefined ? message : defectText(refusal, await readDefectCatalogue(), 'en')
    log.report(bakeDefects, 'computation-failed', 'species.yaml', null, { reason })
  }
  for (const defect of own.defects) if (defect.severity !== 'error') log.add(defect)
}

/** What the lab calls the file that an error of reading is about; null when it is no input, or something else went wrong. */
const damagedInput = (error: unknown, folder: string, dataDir: string): { file: string; reason: string } | null => {
  if (!(error instanceof StoreError) || error.file === null) return null
  if (!['truncated', 'corrupt', 'unsupported-compression'].includes(error.code)) return null
  const within = (directory: string): boolean => !relative(directory, error.file!).startsWith('..')
  if (within(resolve(dataDir)) || within(tmpdir())) {
    // A species folder may itself lie among temporary files.
    if (!within(folder)) return null
  }
  return {
    file: within(folder) ? relative(folder, error.file) : error.file,
    reason: error.message.replace(`${error.file}: `, ''),
  }
}

interface BakeAllOptions extends LoadOptions {
  manifest: SpeciesManifest
  loaders: Awaited<ReturnType<typeof findLoaders>>
  log: DefectLog
  report: LoadReport
  progress(step: string, fraction: number): void
}

/** Bundles of the release in order: the species' own first, then the assemblies'. */
const bakeAll = async (options: BakeAllOptions): Promise<number[]> => {
  const { manifest, folder, log, signal } = options
  const { confined } = options
  const schema = manifestSchema(options.loaders)
  const confinedTo = confined ? listNamedFiles(schema, manifest) : undefined
  const confinedFolders = confined ? listNamedFolders(schema, manifest) : undefined
  const resolveFile = (path: string) => resolveManifestFile(folder, path, log, confinedTo, confined)
  const findFile = (path: string) => findFileBeside(folder, path, confined)
  const listFolder = (path: string) => listManifestFolder(folder, path, log, confinedFolders, confined)
  const bundles: number[] = []
  const parts = manifest.assemblies.length + 1

  // The ontologies are read even when the species' bundle is reused: annotation is checked against them.
  const ontologyEntries: { file: string; source: string | undefined; path: string }[] = []
  for (const entry of manifest.ontologies ?? []) {
    const path = await resolveFile(entry.file)
    if (path !== null) ontologyEntries.push({ file: entry.file, source: entry.source, path })
  }
  let ontology: OntologyIndex = { find: () => null, hasSource: () => false, termCount: 0 }
  const speciesLoaders = options.loaders.filter(({ loader }) => loader.scope === 'species')
  const speciesEntries = Object.fromEntries(
    speciesLoaders.flatMap(({ loader }) =>
      loader.entry === null ? [] : [[loader.entry, (manifest as Record<string, unknown>)[loader.entry] ?? null]],
    ),
  )
  const speciesFiles = await toolFiles(manifest, speciesLoaders, findFile, listFolder)
  bundles.push(
    await bakeBundle(options, {
      resolveFile,
      assembly: null,
      entries: { ontologies: manifest.ontologies ?? [], ...speciesEntries },
      files: [...ontologyEntries.map((entry) => entry.file), ...speciesFiles.named],
      beside: speciesFiles.beside,
      loaders: speciesLoaders,
      share: (done) => done / parts,
      beforeReuse: async () => {
        ontology = await bakeOntologies({ entries: ontologyEntries, writer: null, indexer: null, log, signal })
      },
      bake: async (bundle, writer) => {
        options.progress('ontologies', 0)
        const indexer = new SearchIndexer(writer)
        ontology = await bakeOntologies({ entries: ontologyEntries, writer, indexer, log, signal })
        if (log.hasErrors) throw new LoadRefused()
        const dataTypes: Record<string, number> = ontology.termCount > 0 ? { ontology: ontology.termCount } : {}
        const files = new Map<string, string>()
        const context = createBakeContext(
          { ...options, resolveFile, findFile, listFolder, bundle, writer, assembly: null },
          {
            sequences: [],
            findSequence: () => null,
            findGene: () => null,
            matchGene: () => null,
            genes: [],
            files,
            addFile: (path, { kind, download }) =>
              bundle.add(path, { kind, ...(download ? { meta: { download } } : {}) }),
            indexer,
            simulated: manifest.simulated ?? false,
            licence: manifest.licence ?? null,
            termsOf: () => [],
          },
        )
        for (const { tool, loader } of speciesLoaders) {
          const value = loader.entry === null ? null : (manifest as Record<string, unknown>)[loader.entry]
          if (loader.entry !== null && value === undefined) continue
          options.progress(tool, 0.5 / parts)
          Object.assign(dataTypes, await loader.bake(value ?? null, context))
          if (log.hasErrors) throw new LoadRefused()
        }
        await indexer.finish()
        await writer.finish()
        return emptySummary(dataTypes)
      },
    }),
  )

  const serving = (await listActiveSpecies(options.database.sql)).find(({ id }) => id === manifest.species)
  const assemblyLoaders = options.loaders.filter(({ loader }) => loader.scope === 'assembly')
  for (const [number, assembly] of manifest.assemblies.entries()) {
    const entries = Object.fromEntries(Object.entries(assembly).filter(([key]) => !describing.has(key)))
    const ownFiles = await toolFiles(assembly, assemblyLoaders, findFile, listFolder)
    const share = (done: number) => (number + 1 + done) / parts
    const before = serving?.bundles.find((bundle) => bundle.assembly === assembly.id)
    // Without its files its genes cannot be followed.
    const predecessor = before !== undefined && (await options.files.keepsBundle(before.uid)) ? before : undefined
    if (before !== undefined && predecessor === undefined && assembly.genes !== undefined)
      log.report(bakeDefects, 'former-genes-unknown', assembly.id, null, { assembly: assembly.id })
    let followed: NonNullable<FollowedGenes['counts']> | undefined
    bundles.push(
      await bakeBundle(options, {
        resolveFile,
        assembly: assembly.id,
        entries: {
          ...entries,
          geneticCode: assembly.geneticCode ?? manifest.geneticCode,
          licence: assembly.licence ?? manifest.licence,
          simulated: assembly.simulated ?? manifest.simulated,
          ontologies: manifest.ontologies ?? [],
        },
        files: [...assemblyFiles(assembly), ...ownFiles.named],
        beside: ownFiles.beside,
        // Annotation is checked against them; they are the species' own, and kept with it.
        considered: ontologyEntries.map((entry) => entry.file),
        loaders: assemblyLoaders,
        share,
        // One of before the annotation in service does not know its ids: A, B and A again.
        mayReuse: async (bundle) =>
          predecessor === undefined ||
          predecessor.bundle === bundle ||
          leadsOnFrom(options.database.sql, predecessor.bundle, bundle),
        bake: (bundle, writer, parts) =>
          bakeAssembly({
            predecessor:
              predecessor === undefined
                ? null
                : { sql: options.database.sql, files: options.files, bundle: predecessor },
            onFollowed: (counts) => {
              followed = counts
            },
            parts,
            filesOf: async (loader) => {
              const own = await toolFiles(assembly, [loader], findFile, listFolder)
              const named = await Promise.all(own.named.map(resolveFile))
              return [...named.filter((path) => path !== null), ...own.beside.map(({ file }) => file)]
            },
            manifest,
            assembly,
            resolveFile,
            findFile,
            listFolder,
            bundle,
            writer,
            ontology,
            loaders: assemblyLoaders,
            runProgram: options.runProgram,
            log,
            signal,
            progress: (step, done) => options.progress(`${assembly.id}: ${step}`, share(done)),
          }),
      }),
    )
    const told = options.report.assemblies.at(-1)
    if (followed !== undefined && told !== undefined) told.followed = followed
  }
  const bundleOf = new Map(manifest.assemblies.map(({ id }, number) => [id, bundles[number + 1]!]))
  const against: CheckContext = {
    species: manifest.species,
    assembly: null,
    resolveFile: async (path) => (await resolveFile(path)) ?? refuse(),
    findFile,
    listFolder: async (path) => (await listFolder(path)) ?? refuse(),
    report: (catalogue, { code, file, line, params }) => log.report(catalogue, code, file, line, params),
    forward: (defect) => log.add(defect),
    signal,
  }
  await checkAgainstGenomes(manifest, speciesLoaders, against, (assembly) =>
    listSequenceRows(options.database.sql, bundleOf.get(assembly)!),
  )
  if (log.hasErrors) throw new LoadRefused()
  return bundles
}

const refuse = (): never => {
  throw new LoadRefused()
}

/** One bundle: the sealed one of the same inputs when there is one, else a new one, files and rows together or neither. */
const bakeBundle = async (
  options: BakeAllOptions,
  part: {
    resolveFile(path: string): Promise<string | null>
    assembly: string | null
    entries: unknown
    /** As the manifest names them. */
    files: string[]
    beside: InputFile[]
    /** Further files that it depends on, which are inputs of another bundle. */
    considered?: string[]
    loaders: BakeAllOptions['loaders']
    share(done: number): number
    beforeReuse?(): Promise<void>
    /** Whether a bundle of the same inputs serves now. */
    mayReuse?(bundle: number): Promise<boolean>
    bake(
      bundle: BundleUnderConstruction,
      writer: Awaited<ReturnType<typeof createBakedWriter>>,
      parts: KeptParts,
    ): Promise<Omit<BundleSummary, 'files'>>
  },
): Promise<number> => {
  const { manifest, log, signal, report } = options
  const { sql } = options.database
  const startedAt = Date.now()
  const label = part.assembly ?? manifest.species
  const resolveAll = async (names: readonly string[]): Promise<InputFile[]> => {
    const found: InputFile[] = []
    for (const name of new Set(names)) {
      const file = await part.resolveFile(name)
      if (file !== null) found.push({ name, file })
    }
    return found
  }
  const inputs = [...(await resolveAll(part.files)), ...part.beside]
  const considered = await resolveAll(part.considered ?? [])
  if (log.hasErrors) throw new LoadRefused()
  let bytesRead = 0
  const before = new Map<string, string>()
  for (const { file } of inputs) before.set(file, await describeState(file))
  const { fingerprint, digests } = await computeFingerprint(
    {
      entries: part.entries,
      loaderVersions: Object.fromEntries(part.loaders.map(({ tool, loader }) => [tool, loader.version])),
      programs: options.programs,
    },
    [...inputs, ...considered].map(({ file }) => file),
    signal,
    (bytes) => {
      bytesRead += bytes
      options.progress(`${label}: checksums`, part.share(0))
    },
  )
  const known = await findBundleByFingerprint(sql, manifest.species, part.assembly, fingerprint)
  if (
    known !== null &&
    (await options.files.keepsBundle(known.uid)) &&
    (part.mayReuse === undefined || (await part.mayReuse(known.bundle)))
  ) {
    await part.beforeReuse?.()
    if (part.assembly !== null) {
      report.assemblies.push({
        assembly: part.assembly,
        reused: true,
        kept: [],
        genes: 0,
        lengthBp: 0,
        elapsedMs: Date.now() - startedAt,
      })
    }
    return known.bundle
  }

  const earlier = part.assembly === null ? [] : await listBundlesOf(sql, manifest.species, part.assembly)
  const keptBefore = new Set(earlier.flatMap(({ files }) => files.flatMap(({ path, sha256 }) => [path, sha256])))
  let newBytes = 0
  for (const { file } of [...inputs, ...considered]) {
    const sha256 = digests.get(file)!
    // What is made of a file that was loaded before is taken over with it.
    if (![sha256, ...keptInputPaths(sha256)].some((known) => keptBefore.has(known))) newBytes += (await stat(file)).size
  }
  // Baked files are of the order of the inputs, indexes and databases included; and the inputs are kept.
  const estimateBytes = newBytes * 3
  await requireDiskSpace(options.files.dataDir, estimateBytes)
  const staged = await createBundle(options.files.dataDir, { species: manifest.species, assembly: part.assembly ?? '' })
  const writer = await createBakedWriter(sql, [
    ...releaseTables,
    ...options.loaders.flatMap(({ loader }) => loader.tables ?? []),
  ])
  const scratch = await mkdtemp(join(tmpdir(), 'novodb-load-'))
  const parts = new KeptParts({
    files: options.files,
    earlier,
    digests,
    programs: options.programs,
  })
  let sealedId: string | null = null
  try {
    const written: [string, { kind: string; meta?: Record<string, unknown> }][] = []
    const summary = await part.bake(
      { directory: staged.folder, scratch, add: (relativePath, note) => written.push([relativePath, note]) },
      writer,
      parts,
    )
    if (log.hasErrors) throw new LoadRefused()
    const products = new Map<string, string>()
    for (const [relativePath, note] of written) {
      signal.throwIfAborted()
      const { sha256 } = await staged.add(relativePath, note, parts.known.get(relativePath))
      products.set(sha256, relativePath)
    }
    let bytesKept = 0
    const keptInputs = new Map<string, { bytes: number; sha256: string }>()
    const { changed, paths } = await writeKeptInputs({
      folder: staged.folder,
      inputs: inputs.map((input) => ({ ...input, sha256: digests.get(input.file)! })),
      products,
      isUntouched: async (file) => (await describeState(file)) === before.get(file),
      take: async (sha256) => {
        const facts = await takeEarlierFile({ files: options.files, earlier }, keptInputPaths(sha256), staged.folder)
        if (facts !== null) keptInputs.set(facts.path, facts)
        return facts?.path ?? null
      },
      signal,
      onBytes: (bytes) => {
        bytesKept += bytes
        options.progress(`${label}: inputs`, part.share(0.99 + 0.01 * Math.min(1, bytesKept / bytesRead)))
      },
    })
    if (changed !== null) {
      log.report(bakeDefects, 'file-changed', changed, null)
      throw new LoadRefused()
    }
    for (const path of paths) await staged.add(path, { kind: keptInputKind }, keptInputs.get(path))
    const sealed = await staged.seal()
    sealedId = sealed.id
    await options.files.publishBundle(sealed, signal)
    await createBundleRow(sql, writer, {
      uid: sealed.id,
      species: manifest.species,
      assembly: part.assembly,
      fingerprint,
      checksum: contentChecksum(sealed),
      summary: { ...summary, files: fileSummaries(sealed) },
    })
    if (part.assembly !== null) {
      report.assemblies.push({
        assembly: part.assembly,
        reused: false,
        kept: parts.reused,
        genes: summary.geneCount,
        lengthBp: summary.lengthBp,
        elapsedMs: Date.now() - startedAt,
      })
    }
    return writer.bundle
  } catch (error) {
    return await clearAway(error, { ...options, estimateBytes }, async () => {
      await writer.discard().catch(() => undefined)
      await staged.discard().catch(() => undefined)
      if (sealedId !== null) await options.files.deleteBundle(sealedId).catch(() => undefined)
      await rm(scratch, { recursive: true, force: true })
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** What changes when a file is written or replaced. */
const describeState = async (file: string): Promise<string> => {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** The same after a species was taken out. A load that runs has bundles that no release uses yet: it does this at its own end. */
export const deleteUnusedBetweenLoads = (database: Database, files: PortalFiles): Promise<boolean> =>
  whenNoneLoads(database, () => deleteUnused(database, files))

/** Drops tables and files of bundles that no release uses any more. */
export const deleteUnused = async (database: Database, files: PortalFiles): Promise<void> => {
  for (const { bundle, uid } of await listUnusedBundles(database.sql)) {
    // Held by a backup or a long query: the row stays, so that the next load or removal finds the bundle again.
    if (!(await dropBakedTables(database.sql, bundle))) continue
    await deleteBundleRow(database.sql, bundle)
    // What the store keeps of it goes with its next sweep where it is away now.
    await files.deleteBundle(uid).catch((error: unknown) => {
      if (findStoreDelay(error) === null) throw error
    })
  }
}
