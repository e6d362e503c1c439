import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { endLoad, findServingManifest, getLoad, updateLoad } from '../../database/catalogue.ts'
import type { Database, Sql } from '../../database/connect.ts'
import { type LoadOptions, type LoadReport, loadSpecies } from '../../loader/load-species.ts'
import { findLoaders, manifestSchema } from '../../loader/manifest.ts'
import { listNamedFiles, listNamedFolders } from '../../loader/named-files.ts'
import { createLoaderRunner, namePrograms } from '../../loader/run-loader-program.ts'
import type { Config } from '../config.ts'
import { importFolderOf, listImportFolders } from '../imports/import-folder.ts'
import { openFiles } from '../open-files.ts'
import { findPortalPrograms, findPortalTools } from '../portal.ts'
import { loadBounds } from './load-bounds.ts'

/**
 * Where the files of a load from the page may lie beside its own folder: in imports, in the folders of the settings, and where those lie
 * that are in service already, which a command may have loaded from anywhere.
 */
const rootsOf = async (config: Config, sql: Sql, folder: string): Promise<string[]> => {
  const own = await importFolderOf(folder)
  const imports = (await listImportFolders(config.foldersDir)).map((one) => one.folder.folder)
  const manifest = await findServingManifest(sql, folder)
  const schema = manifest === null ? null : manifestSchema(await findLoaders())
  const served =
    manifest === null || schema === null
      ? []
      : [...listNamedFiles(schema, manifest), ...listNamedFolders(schema, manifest)].map(({ file }) =>
          resolve(folder, file),
        )
  return [...(own === null ? [] : [own]), ...config.importFolders, ...imports, ...served]
}

const heartbeatMs = 2_000

/** Carries out a load whose row was made before (`createWaitingLoad`), to its end in that row. */
export const carryOutLoad = async (
  config: Config,
  database: Database,
  id: number,
  signal: AbortSignal,
  onProgress: (step: string, fraction: number) => void = () => undefined,
): Promise<LoadReport> => {
  const { sql } = database
  // While it waits for another load to end, nothing else shows that it lives.
  const heartbeat = setInterval(() => void updateLoad(sql, id, null, null).catch(() => undefined), heartbeatMs)
  try {
    const load = await getLoad(sql, id)
    if (load === null || load.state !== 'waiting') throw new Error(`there is no waiting load ${id}`)
    const report = await runLoad(config, database, load.folder, load.startedBy, signal, onProgress, id)
    // A folder that is refused at the door has no state written for it yet.
    await endLoad(sql, id, report.ok ? 'done' : 'failed', report, ['waiting', 'running'])
    return report
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    await endLoad(sql, id, 'failed', { failure }, ['waiting', 'running'])
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

/** Loads one folder as the command does; for the command line, the demo, and the page (whose row of the load is `load`). */
export const runLoad = async (
  config: Config,
  database: Database,
  folder: string,
  startedBy: string,
  signal: AbortSignal,
  onProgress: (step: string, fraction: number) => void,
  load?: number,
  further: Pick<LoadOptions, 'onWaiting' | 'onSpace' | 'leavePortal'> = {},
): Promise<LoadReport> => {
  await mkdir(join(config.dataDir, 'bundles'), { recursive: true })
  const programs = await findPortalPrograms(await findPortalTools(config), config.searchPath)
  const files = await openFiles(config, (line) => process.stderr.write(`${line}\n`), 'loads')
  return loadSpecies({
    folder,
    database,
    files,
    startedBy,
    signal,
    programs: namePrograms(programs),
    runProgram: createLoaderRunner({
      programs,
      searchPath: config.searchPath,
      bounds: loadBounds(config),
      signal,
    }),
    onProgress,
    ...further,
    // The page is for whoever may put folders in their place, not for whoever may read the files of the machine.
    ...(load === undefined ? {} : { load, confined: await rootsOf(config, database.sql, folder) }),
  }).finally(() => files.close())
}
