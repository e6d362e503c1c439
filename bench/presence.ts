// What the genes of one assembly are in another of its species, by DNA: computed as after a load, with the time and the memory that it takes.
//   node dist/node/bench/presence.js DATA FROM INTO [FILE]
// DATA is the directory of a loaded portal that is not running, FROM and INTO are assemblies of one species. With FILE every gene is written
// there: id, state, share that is there, place, reason, places of further copies.
// Figures are printed, nothing is judged.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBundles, listActiveSpecies } from '../src/database/catalogue.ts'
import { streamGeneRows } from '../src/database/genes.ts'
import { alignmentsAboutSchema } from '../src/kit/data/alignment-files.ts'
import { findComputed, openComputed } from '../src/kit/data/find-computed.ts'
import { readPresence } from '../src/kit/data/presence-data.ts'
import { describeAssembly } from '../src/loader/portal-parts.ts'
import { createLoaderRunner } from '../src/loader/run-loader-program.ts'
import { readConfig } from '../src/server/config.ts'
import { findPortalPrograms, findPortalTools } from '../src/server/portal.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import { computePair } from '../src/tools/genepresence/compute-pair.ts'

const main = async (): Promise<void> => {
  const [dataDir, from, into, file] = process.argv.slice(2)
  if (dataDir === undefined || from === undefined || into === undefined)
    throw new Error('Name the data directory and two assemblies.')
  const config = readConfig({ ...process.env, NOVODB_DATA: dataDir })
  const database = await openPortalDatabase(config, 'bench', {
    max: 4,
    statementTimeoutMs: 0,
    log: (line) => console.error(line),
  })
  const scratch = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
  try {
    const files = openLocalFiles(dataDir)
    const active = (await listActiveSpecies(database.sql)).flatMap(({ bundles }) => bundles)
    const numberOf = (assembly: string): number => {
      const found = active.find((one) => one.assembly === assembly)
      if (found === undefined) throw new Error(`There is no assembly ${assembly}.`)
      return found.bundle
    }
    const found = await findComputed(
      database.sql,
      'alignments',
      active.flatMap(({ bundle, assembly }) => (assembly === null ? [] : [bundle])),
    )
    if (found === null) throw new Error('Nothing is aligned.')
    const { about, computedAt, findFile } = openComputed(found.bundle, files)
    const bundles = await getBundles(database.sql, [numberOf(from), numberOf(into)])
    const assemblyOf = (id: string) =>
      describeAssembly(bundles.find(({ assembly }) => assembly === id)!, files, undefined, false)
    const { signal } = new AbortController()
    const programs = await findPortalPrograms(await findPortalTools(config), config.searchPath)
    const runProgram = createLoaderRunner({ programs, searchPath: config.searchPath, bounds: {}, signal })
    await mkdir(join(scratch, 'run'))
    const startedAt = performance.now()
    const usedBefore = process.cpuUsage()
    const pair = await computePair(
      { of: assemblyOf(from), into: assemblyOf(into) },
      { about: alignmentsAboutSchema.parse(about), computedAt, findFile },
      database.sql,
      {
        directory: scratch,
        scratch: join(scratch, 'run'),
        signal,
        runProgram: (run) => runProgram(run, join(scratch, 'run')),
      },
    )
    const { user, system } = process.cpuUsage(usedBefore)
    const counts = new Map<string, number>()
    const ids: string[] = []
    for await (const rows of streamGeneRows(database.sql, numberOf(from))) ids.push(...rows.map(({ id }) => id))
    const lines: string[] = []
    for (const [gene, row] of pair.rows.entries()) {
      const { state, evidence, places, copies } = readPresence(row, pair.through)
      counts.set(state, (counts.get(state) ?? 0) + 1)
      const place = places[0] === undefined ? '' : `${places[0].sequence}:${places[0].start}-${places[0].end}`
      const again = copies.map(({ sequence, start, end }) => `${sequence}:${start}-${end}`).join(' ')
      const share = (evidence.alignedBp / evidence.lengthBp).toFixed(3)
      lines.push([ids[gene], state, share, place, evidence.reason ?? '', again].join('\t'))
    }
    console.log(
      `${from} in ${into}: ${pair.rows.length} genes, ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of the process beside its programs, ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most; ${[...counts].map(([state, count]) => `${state} ${count}`).join(', ')}; ${pair.runs.length} regions`,
    )
    if (file !== undefined) await writeFile(file, `${lines.join('\n')}\n`)
  } finally {
    await database.close({ waitForStop: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

await main()
