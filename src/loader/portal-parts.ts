import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { portalStageFraction, portalStep } from '../contracts/load-steps.ts'
import { type ActiveBundle, type BundleSummary, getBundles, noteContents } from '../database/catalogue.ts'
import type { Database, Sql } from '../database/connect.ts'
import { getPortalBundle } from '../database/homologs.ts'
import { computeParts } from '../jobs/load-parts.ts'
import { type JobRun, PartRefused, type RunJob } from '../jobs/worker.ts'
import { type ComputedBundle, openComputed } from '../kit/data/find-computed.ts'
import { findTools } from '../kit/find-tools.ts'
import type {
  ComputedParts,
  PartsSession,
  PortalAssembly,
  PortalBakeContext,
  PortalLoader,
  PortalParts,
} from '../kit/loader.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import type { RunLoaderProgram } from './run-loader-program.ts'

/** What a part's row in the queue says. */
const partInputSchema = z.object({
  tool: z.string(),
  load: z.number().int(),
  /** By which what comes of it is kept. */
  name: z.string().regex(/^[0-9a-f]+--[0-9a-f]+\.[0-9a-f]+$/),
  recipe: z.string(),
  input: z.unknown(),
})

export const fetchFrom =
  ({ uid, summary }: { uid: string; summary: Pick<BundleSummary, 'files'> }, files: PortalFiles) =>
  (paths: readonly string[]): Promise<string> =>
    files.fetch(
      uid,
      summary.files.filter((file) => paths.includes(file.path)),
    )

/** A bundle of an assembly as loaders over everything meet it. */
export const describeAssembly = (
  bundle: ActiveBundle,
  files: PortalFiles,
  reference: string | undefined,
  outgroup: boolean,
): PortalAssembly => ({
  bundle: bundle.bundle,
  uid: bundle.uid,
  id: bundle.assembly!,
  species: bundle.species,
  fetchFiles: fetchFrom(bundle, files),
  checksumOf: (path) => bundle.summary.files.find((file) => file.path === path)?.sha256 ?? null,
  codingGeneCount: bundle.summary.codingGeneCount,
  reference: reference === bundle.assembly,
  outgroup,
})

/** What besides the content decides what comes of a part: the tool's own version, and the programs with theirs. */
const recipeOf = (
  { version, programs }: PortalParts,
  present: readonly string[],
): { recipe: string } | { missing: string } => {
  const used = programs.map((program) => present.find((one) => one.startsWith(`${program} `)) ?? program)
  const missing = programs.find((program, at) => used[at] === program)
  if (missing !== undefined) return { missing }
  return {
    recipe: createHash('sha256')
      .update(JSON.stringify([version, used]))
      .digest('hex')
      .slice(0, 12),
  }
}

/** Digests are shortened: what two contents of a portal share by chance is far beyond 128 bits. */
const nameLetters = 32

interface PartComputer {
  files: PortalFiles
  programs: readonly string[]
  runProgram: RunLoaderProgram
}

/** Computes one part in the directory of its run, and keeps what comes of it; nothing is done where that is kept already. */
const computePart = async (run: JobRun, session: PartsSession, { files, runProgram }: PartComputer): Promise<void> => {
  const { tool, name, input } = partInputSchema.parse(run.input)
  if (await files.hasComputed(tool, name)) return
  const directory = join(run.directory, 'kept')
  await mkdir(directory, { recursive: true })
  await session.compute(input, {
    directory,
    scratch: run.directory,
    signal: run.signal,
    runProgram: (program) => runProgram(program, run.directory, run.signal),
  })
  run.signal.throwIfAborted()
  await files.publishComputed(tool, name, directory, run.signal)
}

/** Computes the parts of a tool that are not kept, here and by workers; what is kept of content that is no more goes. */
export const computePortalParts = async (
  tool: string,
  { parts: about }: PortalLoader,
  session: PartsSession,
  { contents, parts, share }: Parameters<PortalBakeContext['computeParts']>[1],
  options: PartComputer & {
    database: Database
    load: number
    signal: AbortSignal
    progress(step: string, fraction: number): void
  },
): Promise<ComputedParts | { missing: string }> => {
  const { files, load, signal } = options
  if (about === undefined) throw new Error(`${tool} declares no parts`)
  const made = recipeOf(about, options.programs)
  if ('missing' in made) return made
  const { recipe } = made
  const short = (digest: string): string => digest.slice(0, nameLetters)
  const nameOf = ([one, other]: readonly [number, number]): string =>
    `${short(contents.get(one)!)}--${short(contents.get(other)!)}.${recipe}`
  const known = new Set([...(await noteContents(options.database.sql, tool, contents))].map(short))
  const kept = await files.listComputed(tool)
  for (const name of kept) {
    const [, one, other, by] = /^([0-9a-f]+)--([0-9a-f]+)\.([0-9a-f]+)$/.exec(name) ?? []
    if (by === recipe && known.has(one!) && known.has(other!)) continue
    await files.deleteComputed(tool, name)
    kept.delete(name)
  }
  // Equal assemblies have equal parts, which are computed once.
  const lacking = new Map<string, unknown>()
  for (const { of, input } of parts) {
    const name = nameOf(of)
    if (!kept.has(name)) lacking.set(name, { tool, load, name, recipe, input })
  }
  const keptCount = parts.filter(({ of }) => kept.has(nameOf(of))).length
  await computeParts({
    database: options.database,
    files,
    load,
    signal,
    log: silent,
    parts: Array.from(lacking, ([name, input]) => ({ name: `${tool}/${name}`, input })),
    compute: async (run) => {
      await computePart(run, session, options)
      return null
    },
    onProgress: ({ done, total, workers }) =>
      options.progress(portalStep(tool, (share * done) / total, { done, total, workers }), portalStageFraction),
  })
  return {
    folderOf: (of) => files.fetchComputed(tool, nameOf(of)),
    wasKept: (of) => kept.has(nameOf(of)),
    keptCount,
  }
}

/** What a worker meets is told by the load itself, which computes what others could not. */
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A session that is not used for this long is closed: what it holds in memory and on disk is for the next part of the load alone. */
const idleMs = 60_000

interface OpenSession {
  session: PartsSession
  scratch: string
  users: number
  idle: NodeJS.Timeout | undefined
}

/** Computes parts of loads in a process that is not the load's own. */
export const createPartRunner = (options: PartComputer & { sql: Sql }): { run: RunJob; close(): Promise<void> } => {
  const { sql, files } = options
  const sessions = new Map<string, Promise<OpenSession>>()

  const open = async (parts: PortalParts): Promise<OpenSession> => {
    const scratch = await mkdtemp(join(tmpdir(), 'novodb-parts-'))
    const assemblyOf = async (number: number): Promise<PortalAssembly> => {
      const [bundle] = await getBundles(sql, [number])
      if (bundle === undefined) throw new Error(`bundle ${number} is gone`)
      return describeAssembly(bundle, files, undefined, false)
    }
    const computedOf = async (number: number): Promise<ComputedBundle> => {
      const bundle = await getPortalBundle(sql, number)
      if (bundle === null) throw new Error(`bundle ${number} is gone`)
      return openComputed(bundle, files)
    }
    return { session: parts.open({ sql, scratch, assemblyOf, computedOf }), scratch, users: 0, idle: undefined }
  }
  const closeSession = async (key: string): Promise<void> => {
    const opened = await sessions.get(key)
    if (opened === undefined || opened.users > 0) return
    clearTimeout(opened.idle)
    sessions.delete(key)
    await rm(opened.scratch, { recursive: true, force: true })
  }

  return {
    run: async (run) => {
      const { tool, load, recipe } = partInputSchema.parse(run.input)
      const loader = await (await findTools()).find(({ id }) => id === tool)?.importPortalLoader()
      const made = loader?.parts === undefined ? null : recipeOf(loader.parts, options.programs)
      if (loader?.parts === undefined || made === null || !('recipe' in made) || made.recipe !== recipe)
        throw new PartRefused(`parts of load ${load} for ${tool} need other versions of programs than are here`)
      const key = `${load} ${tool}`
      const coming = sessions.get(key) ?? open(loader.parts)
      sessions.set(key, coming)
      const opened = await coming.catch((error: unknown) => {
        sessions.delete(key)
        throw error
      })
      opened.users += 1
      clearTimeout(opened.idle)
      try {
        for (const other of sessions.keys()) if (other !== key) await closeSession(other)
        await computePart(run, opened.session, options)
        return null
      } finally {
        opened.users -= 1
        opened.idle = setTimeout(() => void closeSession(key).catch(() => undefined), idleMs)
        opened.idle.unref()
      }
    },
    close: async () => {
      for (const key of sessions.keys()) await closeSession(key)
    },
  }
}
