import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type LoadOptions, type LoadReport, loadSpecies } from '../../loader/load-species.ts'
import { createLoaderRunner, namePrograms } from '../../loader/run-loader-program.ts'
import type { Config } from '../config.ts'
import { importFolderOf } from '../imports/import-folder.ts'
import { openFiles } from '../open-files.ts'
import { findPortalPrograms, findPortalTools } from '../portal.ts'
import type { openPortalDatabase } from '../portal-database.ts'
import { loadBounds } from './load-bounds.ts'

/** Where the files of a load from the page may lie beside its own folder. */
const rootsOf = async ({ importFolders }: Config, folder: string): Promise<string[]> => {
  const own = await importFolderOf(folder)
  return own === null ? importFolders : [own, ...importFolders]
}

/** Loads one folder as the command does; for the command line, the demo, and the page (whose row of the load is `load`). */
export const runLoad = async (
  config: Config,
  database: Awaited<ReturnType<typeof openPortalDatabase>>,
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
    ...(load === undefined ? {} : { load, confined: await rootsOf(config, folder) }),
  }).finally(() => files.close())
}
