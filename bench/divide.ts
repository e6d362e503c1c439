// What pairs of genomes cost that a load compares, by how many genomes there are and how many processes compute them.
//   node dist/node/bench/divide.js [PROTEINS] [GENOMES …]
// Genomes are made: so many proteins each (1,500 by default), a fifth to two fifths of the residues changed from a common ancestor's.
// The load's own process computes, and beside it `novodb worker` processes on this machine. Figures are printed, nothing is judged.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefectLog } from '../src/bio/text/defects.ts'
import { beginLoad, createLoad, endLoad, listActiveSpecies, updateLoad } from '../src/database/catalogue.ts'
import { bakePortal } from '../src/loader/bake-portal.ts'
import { createLoaderRunner, namePrograms } from '../src/loader/run-loader-program.ts'
import { installationDirectory, readConfig } from '../src/server/config.ts'
import { loadBounds } from '../src/server/loads/load-bounds.ts'
import { runLoad } from '../src/server/loads/load-folder.ts'
import { findPortalPrograms, findPortalTools } from '../src/server/portal.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'

const residues = 'ACDEFGHIKLMNPQRSTVWY'
const codons = 'GCT TGC GAC GAA TTC GGT CAC ATC AAA CTG ATG AAC CCG CAG CGT TCC ACC GTT TGG TAC'.split(' ')

/** Numbers from 0 to 1 that look like chance and are the same each time (mulberry32). */
const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const writeGenomes = async (folder: string, genomes: number, proteins: number): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const random = makeRandom(1)
  const pick = (): number => Math.floor(random() * residues.length)
  const ancestors = Array.from({ length: proteins }, () =>
    Array.from({ length: 100 + Math.floor(random() * 440) }, pick),
  )
  const entries: string[] = []
  for (let number = 1; number <= genomes; number += 1) {
    const id = `G${number}`
    const share = 0.2 + 0.2 * random()
    const bases: string[] = []
    const lines = ['##gff-version 3']
    let end = 0
    for (const [at, ancestor] of ancestors.entries()) {
      const coding = `ATG${ancestor.map((residue) => codons[random() < share ? pick() : residue]!).join('')}TAA`
      const [start1, stop1] = [end + 1, end + coding.length]
      lines.push(`chr1\tx\tCDS\t${start1}\t${stop1}\t.\t+\t0\tID=${id}_${at}`)
      bases.push(coding, 'ACGTTGCA'.repeat(10))
      end = stop1 + 80
    }
    await writeFile(join(folder, `${id}.fa`), `>chr1\n${bases.join('')}\n`)
    await writeFile(join(folder, `${id}.gff3`), `${lines.join('\n')}\n`)
    entries.push(`  - { id: ${id}, genome: ${id}.fa, genes: ${id}.gff3 }\n`)
  }
  await writeFile(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: divided\nname: Made genomes\nassemblies:\n${entries.join('')}`,
  )
}

const startWorker = (dataDir: string): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(installationDirectory, 'bin/novodb.mjs'), 'worker'], {
      env: { ...process.env, NOVODB_DATA: dataDir, NOVODB_WORKERS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString('utf8').includes('Takes jobs')) resolve(child)
    })
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)))
  })

const stopWorker = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

const main = async (): Promise<void> => {
  const [proteins = 1_500, ...given] = process.argv.slice(2).map(Number)
  const counts = given.length === 0 ? [2, 5, 10, 20] : given
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
  await chmod(root, 0o755)
  const dataDir = join(root, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  const config = readConfig({ ...process.env, NOVODB_DATA: dataDir })
  const database = await openPortalDatabase(config, 'bench', {
    max: 14,
    statementTimeoutMs: 0,
    log: (line) => console.error(line),
  })
  const { sql } = database
  try {
    const folder = join(root, 'species')
    await writeGenomes(folder, Math.max(...counts), proteins)
    const { signal } = new AbortController()
    const loaded = await runLoad(config, database, folder, 'bench', signal, () => undefined, undefined, {
      leavePortal: true,
    })
    if (!loaded.ok) throw new Error(loaded.failure ?? 'the genomes were not loaded')
    const programs = await findPortalPrograms(
      (await findPortalTools(config)).filter(({ id }) => id === 'homologs'),
      config.searchPath,
    )
    const runProgram = createLoaderRunner({
      programs,
      searchPath: config.searchPath,
      bounds: loadBounds(config),
      signal,
    })
    const all = (await listActiveSpecies(sql)).flatMap(({ bundles }) => bundles)
    const assemblies = all.filter(({ assembly }) => assembly !== null).map(({ bundle }) => bundle)
    const compute = async (count: number) => {
      const about = { species: 'divided', folder, host: 'bench', pid: process.pid, startedBy: 'bench' }
      const load = await createLoad(sql, about)
      await beginLoad(sql, load)
      const heartbeat = setInterval(() => void updateLoad(sql, load, null, null), 1_000)
      const startedMs = performance.now()
      let searchedMs = startedMs
      let mclMs = 0
      await bakePortal({
        database,
        files: openLocalFiles(dataDir),
        bundles: assemblies.slice(0, count),
        log: new DefectLog(),
        signal,
        load,
        programs: namePrograms(programs),
        runProgram: async (run, directory, own) => {
          const beganMs = performance.now()
          const outcome = await runProgram(run, directory, own)
          if (run.program === 'mcl') mclMs = performance.now() - beganMs
          return outcome
        },
        progress: (step) => {
          if (/ \d+\/\d+\+\d+$/.test(step)) searchedMs = performance.now()
        },
      })
      clearInterval(heartbeat)
      await endLoad(sql, load, 'done', {})
      return { seconds: (searchedMs - startedMs) / 1000, mclMs, rest: (performance.now() - searchedMs) / 1000 }
    }
    const sizes = async () => {
      const [size] = await sql<{ rows: number; bytes: number; about: { edges: number } }[]>`
        select (select count(*) from homologs where bundle = b.id)::int as rows,
          (select coalesce(sum(pg_total_relation_size(inhrelid)), 0) from pg_inherits
            where inhparent in ('homologs'::regclass, 'orthogroups'::regclass)
              and inhrelid::regclass::text like '%' || b.id)::float8 as bytes, summary -> 'computed' -> 'about' as about
        from bundles b where assembly is null and species = '' order by id desc limit 1`
      return size!
    }
    const print = async (count: number, processes: number, pairs: number): Promise<void> => {
      const { seconds, mclMs, rest } = await compute(count)
      const { rows, bytes, about } = await sizes()
      console.log(
        [
          `${count} genomes`,
          `${processes} processes`,
          `${pairs} pairs`,
          `${seconds.toFixed(1)} s`,
          `${(seconds / pairs).toFixed(2)} s a pair`,
          `mcl ${mclMs.toFixed(0)} ms`,
          `${about.edges} edges`,
          `the rest ${rest.toFixed(1)} s`,
          `${rows} rows`,
          `${(bytes / 1e6).toFixed(1)} MB of tables`,
        ].join('\t'),
      )
    }
    console.log(`${availableParallelism()} processors, ${proteins} proteins a genome`)
    for (const processes of [1, 2, 4]) {
      const workers: ChildProcess[] = []
      while (workers.length < processes - 1) workers.push(await startWorker(dataDir))
      for (const count of counts) {
        await rm(join(dataDir, 'computed'), { recursive: true, force: true })
        // What was baked of the same genomes before would be taken again.
        await sql`update bundles set summary = jsonb_set(summary, '{computed,version}', '0') where summary ? 'computed'`
        await print(count, processes, (count * (count + 1)) / 2)
      }
      await Promise.all(workers.map(stopWorker))
    }
    const most = Math.max(...counts)
    const fewer = most - 1
    await rm(join(dataDir, 'computed'), { recursive: true, force: true })
    await compute(fewer)
    console.log(`with those of ${fewer} kept, one genome more:`)
    await sql`update bundles set summary = jsonb_set(summary, '{computed,version}', '0') where summary ? 'computed'`
    await print(most, 1, most)
  } finally {
    await database.close({ waitForStop: true })
    await rm(root, { recursive: true, force: true })
  }
}

await main()
