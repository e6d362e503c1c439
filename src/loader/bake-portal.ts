import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DefectLog } from '../bio/text/defects.ts'
import { portalStageFraction, portalStep } from '../contracts/load-steps.ts'
import { createBakedWriter } from '../database/baked-tables.ts'
import {
  type ActiveSpecies,
  type BundleSummary,
  createBundle as createBundleRow,
  getBundles,
  listActiveSpecies,
} from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { addPortalBundle, deleteOldPortalBundles, listPortalBundles } from '../database/homologs.ts'
import { mergeSearchTables } from '../database/search/merged-tables.ts'
import { findComputed, openComputed } from '../kit/data/find-computed.ts'
import { findTools } from '../kit/find-tools.ts'
import type { PortalLoader } from '../kit/loader.ts'
import { createBundle } from '../store/bundle.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { LoadRefused } from './bake-assembly.ts'
import { clearAway } from './load-space.ts'
import { computePortalParts, describeAssembly, fetchFrom } from './portal-parts.ts'
import type { RunLoaderProgram } from './run-loader-program.ts'
import { contentChecksum, emptySummary, fileSummaries } from './sealed-bundle.ts'

/** Kept beside the one in service, for releases that are rolled back. */
const keptBundles = 3

export interface BakePortalOptions {
  database: Database
  files: PortalFiles
  /** Every bundle in service. */
  bundles: number[]
  log: DefectLog
  signal: AbortSignal
  /** Number of the load that this is of. */
  load: number
  /** Programs that are there, with their versions. */
  programs: readonly string[]
  runProgram: RunLoaderProgram
  progress(step: string, fraction: number): void
}

/**
 * Merges the search tables of these bundles, where they are many, and lets every tool that computes over all assemblies do so, unless that
 * has been done.
 */
export const bakePortal = async (options: BakePortalOptions): Promise<void> => {
  await mergeSearchTables(options.database.sql, options.bundles, {
    signal: options.signal,
    onStart: () => options.progress('search tables', portalStageFraction),
  })
  const loaders: [tool: string, loader: PortalLoader][] = []
  for (const tool of await findTools()) {
    const loader = await tool.importPortalLoader()
    if (loader !== null) loaders.push([tool.id, loader])
  }
  // What reads another's comes after it.
  for (const uses of [false, true])
    for (const [tool, loader] of loaders) if ((loader.uses !== undefined) === uses) await bakeOne(tool, loader, options)
}

/** The reference assembly of each species: the first marked so, else the first of all. */
const findReferences = (active: readonly ActiveSpecies[]): Map<string, string> =>
  new Map(
    active.flatMap(({ id, manifest, bundles }) => {
      const present = manifest.assemblies.filter((assembly) =>
        bundles.some((bundle) => bundle.assembly === assembly.id),
      )
      const reference = present.find((assembly) => assembly.reference === true) ?? present[0]
      return reference === undefined ? [] : [[id, reference.id] as const]
    }),
  )

const bakeOne = async (tool: string, loader: PortalLoader, options: BakePortalOptions): Promise<void> => {
  const { database, files, log, signal } = options
  const { dataDir } = files
  const { sql } = database
  const all = await getBundles(sql, options.bundles)
  const active = await listActiveSpecies(sql)
  const references = findReferences(active)
  // Species as they came, each with its reference first: what is named after the first of several keeps its name when more are loaded.
  const places = new Map(active.map(({ id }, place) => [id, place]))
  const isReference = ({ species, assembly }: (typeof all)[number]): boolean => references.get(species) === assembly
  const chosen = all
    .filter(({ assembly, summary }) => assembly !== null && (loader.over === 'genomes' || summary.codingGeneCount > 0))
    .sort(
      (a, b) =>
        (places.get(a.species) ?? 0) - (places.get(b.species) ?? 0) ||
        Number(isReference(b)) - Number(isReference(a)) ||
        (a.assembly! < b.assembly! ? -1 : 1),
    )
  const outgroups = new Set(
    active.flatMap(({ id, manifest }) =>
      manifest.assemblies.flatMap((one) => (one.outgroup === true ? [`${id} ${one.id}`] : [])),
    ),
  )
  const assemblies = chosen.map((bundle) =>
    describeAssembly(
      bundle,
      files,
      references.get(bundle.species),
      outgroups.has(`${bundle.species} ${bundle.assembly}`),
    ),
  )
  const species = all.filter((bundle) => bundle.assembly === null && loader.reads(bundle.summary.dataTypes))
  if (assemblies.length === 0) return
  const inputs = [...chosen, ...species].map((bundle) => bundle.bundle).sort((a, b) => a - b)
  const found = loader.uses === undefined ? null : await findComputed(sql, loader.uses, inputs)
  const used = found?.current === true ? openComputed(found.bundle, files) : null
  const basis = loader.uses === undefined ? loader.basis?.(assemblies) : `${loader.basis?.(assemblies)} ${used?.uid}`
  for (const known of await listPortalBundles(sql, tool)) {
    const { computed } = known.summary as Pick<BundleSummary, 'computed'>
    if (known.inputs.join() !== inputs.join() || computed?.version !== loader.version) continue
    if (computed.basis !== basis) continue
    if (await files.keepsBundle(known.uid)) return
  }

  options.progress(tool, portalStageFraction)
  const staged = await createBundle(dataDir, { species: '', assembly: '' })
  const writer = await createBakedWriter(sql, loader.tables ?? [])
  const scratch = await mkdtemp(join(tmpdir(), 'novodb-load-'))
  const written: [string, { kind: string; meta?: Record<string, unknown> }][] = []
  let sealedId: string | null = null
  try {
    const outcome = await loader.bake({
      assemblies,
      species: species.map((one) => ({ bundle: one.bundle, species: one.species, fetchFiles: fetchFrom(one, files) })),
      directory: staged.folder,
      scratch,
      computeParts: (session, given) => computePortalParts(tool, loader, session, given, options),
      used,
      sql,
      signal,
      addFile: (path, { kind, download }) =>
        written.push([path, { kind, ...(download ? { meta: { download } } : {}) }]),
      addRow: (table, values) => writer.add(table, values),
      progress: (fraction) => options.progress(portalStep(tool, fraction), portalStageFraction),
      report: (catalogue, { code, file, line, params }) => log.report(catalogue, code, file, line, params),
      forward: (defect) => log.add(defect),
      runProgram: (run) => options.runProgram(run, scratch),
    })
    if (log.hasErrors) throw new LoadRefused()
    if (outcome === null) {
      await writer.discard()
      await staged.discard()
      return
    }
    for (const [path, note] of written) await staged.add(path, note)
    await writer.finish()
    const sealed = await staged.seal()
    sealedId = sealed.id
    await files.publishBundle(sealed, signal)
    await createBundleRow(sql, writer, {
      uid: sealed.id,
      species: '',
      assembly: null,
      fingerprint: `${tool} ${loader.version} ${inputs.join(' ')}`,
      checksum: contentChecksum(sealed),
      summary: {
        ...emptySummary(outcome.counts),
        files: fileSummaries(sealed),
        computed: { version: loader.version, ...(basis === undefined ? {} : { basis }), about: outcome.about },
      },
    })
    await addPortalBundle(sql, writer.bundle, tool, inputs)
    await deleteOldPortalBundles(sql, tool, keptBundles, inputs)
  } catch (error) {
    await clearAway(error, { ...options, estimateBytes: 0 }, async () => {
      await writer.discard().catch(() => undefined)
      await staged.discard().catch(() => undefined)
      if (sealedId !== null) await files.deleteBundle(sealedId).catch(() => undefined)
      await rm(scratch, { recursive: true, force: true })
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
