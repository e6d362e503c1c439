// How long motifs take over all promoters of yeast: one motif, and the 1,883 of YeTFaSCo, through the whole engine.
//   node dist/node/bench/motif.js SHARED_DATA [DATA]
// SHARED_DATA holds yeast/; DATA keeps the loaded portal between runs, a temporary directory is used and removed without it.
// Figures are printed, nothing is judged.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeYeastFolder } from '../demo/yeast-manifest.ts'
import { openPortalData } from '../src/kit/data/create-portal-data.ts'
import { runTool } from '../src/kit/run-tool.ts'
import { readConfig } from '../src/server/config.ts'
import { runLoad } from '../src/server/loads/load-folder.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import engine from '../src/tools/motif/engine.ts'
import tool, { type MotifSearchResult } from '../src/tools/motif/tool.ts'

const main = async (): Promise<void> => {
  const [shared, given] = process.argv.slice(2)
  if (shared === undefined) throw new Error('Name the directory of the shared data.')
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'novodb-bench-')))
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  const config = readConfig({ ...process.env, NOVODB_DATA: dataDir })
  const database = await openPortalDatabase(config, 'bench', {
    max: 14,
    statementTimeoutMs: 0,
    log: (line) => console.error(line),
  })
  try {
    const folder = join(dataDir, 'yeast-folder')
    await makeYeastFolder(shared, folder, { assemblies: ['R64'] })
    const report = await runLoad(config, database, folder, 'bench', new AbortController().signal, () => undefined)
    if (!report.ok) throw new Error(report.failure ?? JSON.stringify(report.defects.slice(0, 5)))
    const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
    const run = async (name: string, input: Record<string, unknown>): Promise<void> => {
      const directory = await mkdtemp(join(tmpdir(), 'novodb-motif-'))
      const before = process.cpuUsage()
      const startedAt = performance.now()
      const { result } = await runTool(engine, {
        input: tool.input.parse({ assembly: 'R64', upstreamBp: 1000, clip: false, codingOnly: false, ...input }),
        data,
        directory,
        dataDir,
        searchPath: '',
        programs: [],
        portalVersion: 'bench',
        signal: new AbortController().signal,
        bounds: { timeoutMs: 600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 4 * 1024 ** 3 },
        onProgress: () => undefined,
      })
      const seconds = (performance.now() - startedAt) / 1000
      const { user, system } = process.cpuUsage(before)
      const { motifs, sequenceCount, siteCount, tests } = result as MotifSearchResult
      console.log(
        `${name}: ${seconds.toFixed(2)} s (processor ${((user + system) / 1e6).toFixed(2)} s), ${motifs.length} motifs, ${sequenceCount} promoters, ${tests} comparisons, ${siteCount} sites`,
      )
      await rm(directory, { recursive: true })
    }
    const one = {
      source: 'all',
      motifSource: 'collection',
      collection: 'saccharomyces-cerevisiae/macisaac',
      motifNames: 'GCN4',
    }
    await run('one motif, all promoters, first', one)
    await run('one motif, all promoters, again', one)
    await run('one consensus word, all promoters', { source: 'all', motifSource: 'consensus', consensus: 'TGASTCA' })
    await run('all of YeTFaSCo, all promoters', { source: 'all', collection: 'saccharomyces-cerevisiae/yetfasco' })
    await run('all of MacIsaac, 8 genes against all others', {
      genes: ['GAL1', 'GAL2', 'GAL3', 'GAL7', 'GAL10', 'GAL80', 'GCY1', 'PGM2'],
      collection: 'saccharomyces-cerevisiae/macisaac',
    })
    await data.close()
  } finally {
    await database.close({ waitForStop: true })
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
