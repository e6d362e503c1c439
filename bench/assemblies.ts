// What grows with the number of assemblies, over a private PostgreSQL whose tables are filled as the loader fills them, without files:
//   node dist/node/bench/assemblies.js GENES ASSEMBLIES[,ASSEMBLIES…]     e.g. 500 12,500,2000
// After each number of assemblies: tables and size, the catalogue, look-ups and searches as the server asks them, alone and one after the
// other; of their statements the time to plan and the locks taken; memory of the server and of each connection's process.
// NOVODB_BENCH_DATA names a directory that is kept and continued.
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GeneModel } from '../src/bio/annotation/gene-models.ts'
import { createBakedWriter } from '../src/database/baked-tables.ts'
import { activateRelease, createBundle, listActiveSpecies } from '../src/database/catalogue.ts'
import { openDatabase, type Sql } from '../src/database/connect.ts'
import { createSql, type Statement } from '../src/database/driver/sql.ts'
import { findMigrations, runMigrations } from '../src/database/migrations.ts'
import { mergeSearchTables } from '../src/database/search/merged-tables.ts'
import { getTerm } from '../src/database/terms.ts'
import { addGeneRow, geneSearchEntry, SearchIndexer, storedTranscripts } from '../src/kit/data/bundle-rows.ts'
import { type OpenPortalData, openPortalData } from '../src/kit/data/create-portal-data.ts'
import { namesOfGene } from '../src/kit/data/genes/gene-names.ts'
import { emptySummary } from '../src/loader/sealed-bundle.ts'
import { createSearchService } from '../src/server/search/search-service.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import { makeRandomBelow } from '../src/testing/random.ts'

const [genesPerAssembly = 500, sizes = [12, 500, 2000]] = [
  Number(process.argv[2] ?? 500),
  (process.argv[3] ?? '12,500,2000').split(',').map(Number),
]
const nouns =
  'kinase,transporter,phosphatase,receptor,helicase,ligase,synthase,reductase,oxidase,protease,factor,channel'.split(
    ',',
  )
const kinds = 'serine,threonine,tyrosine,zinc,calcium,sugar,lipid,peptide,nucleotide,amino acid,heme,iron'.split(',')
const species = 'bench-species'
const geneBp = 1000

const makeGene = (assembly: number, number: number, random: (below: number) => number): GeneModel => {
  const id = `G${assembly}_${number + 1}`
  const start1 = number * geneBp + 1
  const end1 = start1 + 799
  return {
    id,
    // As of strains: of each symbol several assemblies have a gene, of one all.
    symbol: number === 0 ? 'dnaA' : number % 3 === 0 ? `S${random(90_000)}` : null,
    name: null,
    aliases: [],
    description: `${kinds[random(12)]} ${nouns[random(12)]} family protein ${random(500)}`,
    biotype: 'protein_coding',
    sequenceName: 'chr1',
    start1,
    end1,
    strand: number % 2 === 0 ? '+' : '-',
    transcripts: [
      {
        id: `${id}.1`,
        biotype: 'mRNA',
        start1,
        end1,
        exons: [{ start1, end1 }],
        cds: [{ start1, end1, phase: 0 }],
        proteinId: null,
        attributes: {},
      } as unknown as GeneModel['transcripts'][number],
    ],
    attributes: {},
  }
}

const addAssembly = async (sql: Sql, assembly: number): Promise<number> => {
  const random = makeRandomBelow(assembly)
  const writer = await createBakedWriter(sql)
  const indexer = new SearchIndexer(writer)
  const lengthBp = genesPerAssembly * geneBp
  const digest = assembly.toString(16).padStart(32, '0')
  await writer.add('sequences', [
    0,
    'chr1',
    lengthBp,
    lengthBp / 2,
    0,
    'chromosome',
    false,
    1,
    genesPerAssembly,
    [],
    digest,
    digest,
  ])
  for (let number = 0; number < genesPerAssembly; number += 1) {
    const gene = makeGene(assembly, number, random)
    await addGeneRow(
      writer,
      gene,
      number,
      storedTranscripts(gene, () => 266),
    )
    await indexer.add(geneSearchEntry(gene, { count: 0, names: [] }), namesOfGene(gene))
  }
  await indexer.finish()
  await writer.finish()
  await createBundle(sql, writer, {
    uid: `bench-${assembly}`,
    species,
    assembly: `asm${assembly}`,
    fingerprint: `bench ${assembly}`,
    checksum: '',
    summary: {
      ...emptySummary({ genes: genesPerAssembly }),
      lengthBp,
      gcFraction: 0.5,
      n50Bp: lengthBp,
      sequenceCount: 1,
      geneCount: genesPerAssembly,
      codingGeneCount: genesPerAssembly,
      transcriptCount: genesPerAssembly,
      longestGeneBp: 800,
      files: [],
    },
  })
  return writer.bundle
}

/** The species' own bundle, which has no vocabulary here. */
const addSpeciesBundle = async (sql: Sql): Promise<number> => {
  const writer = await createBakedWriter(sql)
  await writer.finish()
  await createBundle(sql, writer, {
    uid: 'bench-0',
    species,
    assembly: null,
    fingerprint: 'bench 0',
    checksum: '',
    summary: { ...emptySummary({}), files: [] },
  })
  return writer.bundle
}

const grow = async (sql: Sql, wanted: number): Promise<void> => {
  const began = performance.now()
  const known = await sql<{ bundle: number }[]>`select id as bundle from bundles where uid like 'bench-%' order by id`
  // Of a directory with more of them the first are in service.
  const bundles = known.slice(0, wanted + 1).map(({ bundle }) => bundle)
  if (bundles.length === 0) bundles.push(await addSpeciesBundle(sql))
  const before = bundles.length - 1
  while (bundles.length - 1 < wanted) bundles.push(await addAssembly(sql, bundles.length))
  const assemblies = bundles.slice(1).map((_, number) => ({ id: `asm${number + 1}`, genome: 'none.fa' }))
  const manifest = { novodb: 1, species, name: 'Benchus generatus', simulated: true, assemblies }
  await activateRelease(sql, manifest as never, bundles, {})
  await sql`vacuum pg_class, pg_attribute, pg_inherits, pg_statistic`
  const seconds = (performance.now() - began) / 1000
  const merging = performance.now()
  const merged = await mergeSearchTables(sql, bundles)
  const mergeSeconds = (performance.now() - merging) / 1000
  console.log(
    `\n${wanted} assemblies of ${genesPerAssembly} genes; ${wanted - before} of them added in ${seconds.toFixed(0)} s${merged ? `, search tables merged in ${mergeSeconds.toFixed(0)} s` : ''}`,
  )
}

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

/** Resident memory of a process that is its own, in MB (Linux). */
const privateMegabytes = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return [...text.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) / 1024, 0)
}

interface Question {
  name: string
  count: number
  ask(data: OpenPortalData, search: ReturnType<typeof createSearchService>, turn: number): Promise<unknown>
}

const questionsOver = (assemblies: number): Question[] => {
  const random = makeRandomBelow(11)
  const assembly = (): number => 1 + random(assemblies)
  const id = (): string => `G${assembly()}_${1 + random(genesPerAssembly)}`
  const page = { page: 1, pageSize: 20 }
  return [
    { name: 'gene by id', count: 300, ask: (data) => data.getGene(id()) },
    { name: 'gene by symbol', count: 100, ask: (data) => data.getGene(`S${random(90_000)}`) },
    { name: 'gene that all assemblies have', count: 20, ask: (data) => data.getGene('dnaA') },
    {
      name: 'search, a gene of all assemblies',
      count: 40,
      ask: (_, search, turn) => search.search({ q: 'dnaA', page: 1 + turn, pageSize: 20 }),
    },
    { name: 'autocomplete, a gene of all', count: 20, ask: (_, search) => search.suggest({ q: 'dnaA', limit: 10 }) },
    {
      name: 'a place of no assembly',
      count: 5,
      ask: (_, search, turn) => search.search({ q: `chr7:${1 + turn}-900`, ...page }).catch(() => null),
    },
    {
      name: 'a term',
      count: 5,
      ask: async (data) => {
        const { active, filled } = await data.snapshot()
        const bundles = active.flatMap((one) => one.bundles.map(({ bundle }) => bundle))
        return getTerm(
          data.sql,
          bundles.filter((bundle) => filled.terms.has(bundle)),
          'GO:1',
        )
      },
    },
    { name: 'references of a species', count: 5, ask: (data) => data.listRecords('reference', { species }) },
    {
      name: '100 symbols resolved',
      count: 10,
      ask: (data) => data.resolveGenes(Array.from({ length: 100 }, () => `S${random(90_000)}`)),
    },
    {
      name: 'autocomplete',
      count: 100,
      ask: (_, search) => search.suggest({ q: id().slice(0, 3 + random(5)), limit: 10 }),
    },
    {
      name: 'search, three words',
      count: 60,
      ask: (_, search) => search.search({ q: `${kinds[random(12)]} ${nouns[random(12)]} ${random(500)}`, ...page }),
    },
    {
      name: 'search, two common words',
      count: 40,
      ask: (_, search, turn) =>
        search.search({ q: `${kinds[turn % 9]} ${nouns[turn % 12]}`, page: 1 + turn, pageSize: 20 }),
    },
    {
      name: 'search, the commonest word',
      count: 40,
      ask: (_, search, turn) => search.search({ q: 'protein', page: 1 + turn, pageSize: 20 }),
    },
    { name: 'search, an id', count: 40, ask: (_, search) => search.search({ q: id(), ...page }) },
    {
      name: 'search, a slip',
      count: 20,
      ask: (_, search, turn) => search.search({ q: `${nouns[turn % 12]!.slice(0, -1)}q`, ...page, page: 1 + turn }),
    },
    {
      name: 'search in one assembly',
      count: 60,
      ask: (_, search) =>
        search.search({ q: `${kinds[random(12)]} ${nouns[random(12)]}`, assembly: `asm${assembly()}`, ...page }),
    },
  ]
}

/** What a statement costs before it runs: planned on a connection that has its tables in mind already; locks it holds. */
const measureStatement = async (sql: Sql, { text, values }: Statement): Promise<{ planMs: number; locks: number }> => {
  const { connection, done } = await sql.borrow()
  try {
    await connection.run({ text: 'begin', values: [] })
    const explain = { text: `explain (summary, format json) ${text}`, values }
    await connection.run(explain)
    const [row] = await connection.run(explain)
    const [held] = await connection.run({
      text: 'select count(*)::int as count from pg_locks where pid = pg_backend_pid()',
      values: [],
    })
    await connection.run({ text: 'rollback', values: [] })
    return { planMs: row!['QUERY PLAN'][0]['Planning Time'], locks: held!.count }
  } finally {
    done()
  }
}

const report = (name: string, text: string): void => console.log(`  ${name.padEnd(34)} ${text}`)
const cell = (value: number, digits = 1): string => value.toFixed(digits).padStart(8)

const measure = async (
  connect: (max: number, planOnce: boolean) => Sql,
  sql: Sql,
  assemblies: number,
  dataDir: string,
): Promise<void> => {
  const [size] = await sql<{ relations: number; partitions: number; bytes: number; locks: number }[]>`
    select (select count(*)::int from pg_class) as relations, (select count(*)::int from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r') as partitions,
      pg_database_size(current_database())::float8 as bytes, current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int as locks`
  report(
    'partitions, relations',
    `${size!.partitions}, ${size!.relations}; ${(size!.bytes / 1e9).toFixed(2)} GB; ${size!.locks} locks in all`,
  )
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  let began = performance.now()
  const active = await listActiveSpecies(sql)
  report('active species read', `${(performance.now() - began).toFixed(0)} ms, ${active[0]!.bundles.length} bundles`)
  const recorded = new Map<string, Statement[]>()
  let now = ''
  // Two: of one a word that is read into memory holds up all other searches.
  const [lookupSql, searchSql] = [connect(1, true), connect(2, true)]
  const recording = (own: Sql): Sql =>
    Object.assign(
      createSql((statement) => {
        const list = recorded.get(now) ?? []
        if (list.length < 40) recorded.set(now, [...list, statement])
        return own.unsafe(statement.text, statement.values as never, { prepare: statement.name !== undefined }) as never
      }),
      {
        options: own.options,
        begin: own.begin,
        reserve: own.reserve,
        borrow: own.borrow,
        listen: own.listen,
        end: own.end,
      },
    ) as Sql
  began = performance.now()
  const data = await openPortalData({
    sql: recording(sql),
    lookupSql: recording(lookupSql),
    searchSql: recording(searchSql),
    files: openLocalFiles(dataDir),
  })
  await data.snapshot()
  const opened = performance.now() - began
  global.gc?.()
  report(
    'snapshot',
    `${opened.toFixed(0)} ms, ${((process.memoryUsage().heapUsed - before) / 2 ** 20).toFixed(1)} MB of heap`,
  )
  const search = createSearchService(data)
  began = performance.now()
  await data.getGene('G1_1')
  report('the first look-up', `${(performance.now() - began).toFixed(0)} ms`)
  await data.nameFilters.settled()
  report('filters of names read', `${((performance.now() - began) / 1000).toFixed(1)} s`)
  const planner = connect(1, false)
  console.log(`  ${''.padEnd(34)}    first      p50      p95 ms; statements: planning ms, locks at most`)
  for (const { name, count, ask } of questionsOver(assemblies)) {
    now = name
    const times: number[] = []
    try {
      for (let turn = 0; turn < count; turn += 1) {
        const asked = performance.now()
        await ask(data, search, turn)
        times.push(performance.now() - asked)
        // What takes so long needs no long row of figures.
        if (performance.now() - asked > 2000 && turn >= 3) break
      }
    } catch (error) {
      report(name, `failed: ${(error as Error).message}`)
      continue
    }
    const texts = new Map((recorded.get(name) ?? []).map((statement) => [statement.text, statement]))
    const planned: { planMs: number; locks: number }[] = []
    for (const statement of [...texts.values()].slice(-8))
      planned.push(
        await measureStatement(planner, statement).catch((error) => ({ planMs: Number.NaN, locks: Number.NaN, error })),
      )
    const rest = times.length > 1 ? times.slice(1) : times
    report(
      name,
      `${cell(times[0]!)} ${cell(quantile(rest, 0.5))} ${cell(quantile(rest, 0.95))}; ${texts.size}: ${cell(Math.max(...planned.map(({ planMs }) => planMs)))} ${Math.max(...planned.map(({ locks }) => locks))}`,
    )
  }
  now = ''
  for (const [what, pool] of [
    ['look-ups', lookupSql],
    ['searches', searchSql],
  ] as const) {
    const [row] = await pool<
      { pid: number; plans: number }[]
    >`select pg_backend_pid() as pid, (select count(*)::int from pg_prepared_statements) as plans`
    report(`connection for ${what}`, `${(await privateMegabytes(row!.pid)).toFixed(0)} MB, ${row!.plans} plans`)
  }
  report('this process', `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB resident`)
  await data.close()
  for (const pool of [planner, lookupSql, searchSql]) await pool.end({ timeout: 5 })
}

const main = async (): Promise<void> => {
  const kept = process.env.NOVODB_BENCH_DATA
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'novodb-bench-assemblies-')))
  await mkdir(dataDir, { recursive: true })
  // Open to pass: else root's PostgreSQL keeps its cluster in a directory of the system, which outlives the run.
  await chmod(dataDir, 0o755)
  const database = await openDatabase({
    dataDir,
    durable: false,
    applicationName: 'novodb bench',
    max: 12,
    statementTimeoutMs: 0,
    log: console,
  })
  try {
    await runMigrations(database.sql, await findMigrations())
    for (const size of sizes) {
      await grow(database.sql, size)
      await measure((max, planOnce) => database.connect({ max, planOnce }), database.sql, size, dataDir)
    }
  } finally {
    await database.close({ waitForStop: true })
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
