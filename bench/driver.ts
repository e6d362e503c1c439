// What the database driver costs, over a private PostgreSQL with 200,000 generated genes:
//   node dist/node/bench/driver.js
// A gene by its primary key for 1 and for 16 callers at once, a list of 1,000 genes, a transaction of five statements, 1,000,000 rows by
// COPY in and out; and an array of texts as pg itself reads it and as we do. Figures are printed, nothing is judged: each is the median of the rounds (NOVODB_BENCH_ROUNDS, usually 5).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { types } from 'pg'
import { openDatabase, type Sql } from '../src/database/connect.ts'
import { columnTypes } from '../src/database/driver/column-types.ts'
import { readCopyOut, startCopyIn } from '../src/database/driver/copy.ts'

const geneCount = 200_000
const lookupCount = 8_000
const rowCount = 1_000_000
const rounds = Number(process.env.NOVODB_BENCH_ROUNDS ?? 5)

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!

const figures = new Map<string, number[]>()
const note = (name: string, value: number): void => {
  const values = figures.get(name)
  if (values) values.push(value)
  else figures.set(name, [value])
}
const noteTimes = (name: string, milliseconds: readonly number[]): void => {
  note(`${name}, p50 ms`, quantile(milliseconds, 0.5))
  note(`${name}, p99 ms`, quantile(milliseconds, 0.99))
}
const processorMicroseconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return user + system
}

const createTables = async (sql: Sql): Promise<void> => {
  await sql.unsafe(`
    create table bench_genes (bundle integer, id text collate "C" primary key, symbol text, name text, description text,
      sequence text not null, start1 integer not null, end1 integer not null, position bigint not null, aliases text[] not null,
      attributes jsonb not null, transcripts jsonb not null, loaded_at timestamptz not null);
    insert into bench_genes
      select 1, 'G' || n, 'SYM' || n, null, 'heat shock, protein ' || n, 'Chr' || n % 5, n * 1000, n * 1000 + 900, n,
        array['AT' || n, 'alias, of ' || n, 'x' || n], '{"source":"TAIR","note":"x"}',
        jsonb_build_array(jsonb_build_object('id', 'G' || n || '.1', 'exons', '[[1,200],[300,400],[500,900]]'::jsonb)), now()
      from generate_series(1, ${geneCount}) as n;
    create index on bench_genes (position);
    create table bench_rows (id text, sequence text, start1 integer, end1 integer, strand text, biotype text, description text);
    create table bench_counts (id integer primary key, n bigint not null);
    insert into bench_counts select n, 0 from generate_series(0, 999) as n;
    analyze bench_genes, bench_counts`)
}

const measureLookups = async (sql: Sql, callers: number): Promise<void> => {
  const times: number[] = []
  let next = 0
  const processor = process.cpuUsage()
  const start = performance.now()
  const call = async (): Promise<void> => {
    while (next < lookupCount) {
      const id = `G${((next++ * 7919) % geneCount) + 1}`
      const asked = performance.now()
      const [row] = await sql<{ id: string }[]>`select * from bench_genes where id = ${id}`
      if (row?.id !== id) throw new Error(`${id} is missing`)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  const name = `a gene, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
  noteTimes(name, times)
  note(`${name}, per second`, lookupCount / ((performance.now() - start) / 1000))
  note(`${name}, processor µs`, processorMicroseconds(processor) / lookupCount)
}

const measureLists = async (sql: Sql): Promise<void> => {
  const times: number[] = []
  for (let from = 0; from < 60_000; from += 1000) {
    const asked = performance.now()
    const rows = await sql`select * from bench_genes where position > ${from} and position <= ${from + 1000}`
    if (rows.length !== 1000) throw new Error(`${rows.length} rows of 1000`)
    times.push(performance.now() - asked)
  }
  noteTimes('a list of 1,000', times)
}

const measureTransactions = async (sql: Sql): Promise<void> => {
  const times: number[] = []
  for (let id = 0; id < 500; id++) {
    const asked = performance.now()
    await sql.begin(async (transaction) => {
      await transaction`select n from bench_counts where id = ${id} for update`
      await transaction`update bench_counts set n = n + 1 where id = ${id}`
      await transaction`select count(*) as count from bench_counts`
      await transaction`update bench_counts set n = n + 1 where id = ${id}`
      await transaction`select n from bench_counts where id = ${id}`
    })
    times.push(performance.now() - asked)
  }
  noteTimes('a transaction', times)
}

const measureCopies = async (sql: Sql): Promise<void> => {
  const lines = Array.from(
    { length: 2000 },
    (_, n) =>
      `AT${n}G01010\tChr${n % 5}\t${n * 1000}\t${n * 1000 + 900}\t+\tprotein_coding\tNAC domain containing protein ${n}\n`,
  ).join('')
  const pieces = rowCount / 2000
  const inProcessor = process.cpuUsage()
  const inStart = performance.now()
  const taken = await sql.begin(async (transaction) => {
    const copy = await startCopyIn(transaction, 'copy bench_rows from stdin')
    for (let n = 0; n < pieces; n++) await copy.write(lines)
    return copy.end()
  })
  if (taken !== rowCount) throw new Error(`${taken} rows of ${rowCount}`)
  note('1,000,000 rows in, s', (performance.now() - inStart) / 1000)
  note('1,000,000 rows in, processor s', processorMicroseconds(inProcessor) / 1e6)
  const outProcessor = process.cpuUsage()
  const outStart = performance.now()
  let bytes = 0
  for await (const piece of readCopyOut(sql, 'copy bench_rows to stdout')) bytes += piece.length
  if (bytes !== lines.length * pieces) throw new Error(`${bytes} bytes of ${lines.length * pieces}`)
  note('1,000,000 rows out, s', (performance.now() - outStart) / 1000)
  note('1,000,000 rows out, processor s', processorMicroseconds(outProcessor) / 1e6)
  await sql`truncate bench_rows`
}

/** PostgreSQL's number of the type text[]. */
const textArray: number = 1009

const measureArrays = (): void => {
  const plain = `{${Array.from({ length: 20 }, (_, n) => `AT1G0101${n}`).join()}}`
  const quoted = `{${Array.from({ length: 20 }, (_, n) => `"heat shock, protein ${n}"`).join()}}`
  const readers = { pg: types.getTypeParser(textArray, 'text'), ours: columnTypes.getTypeParser(textArray) }
  for (const [what, text] of Object.entries({ plain, quoted }))
    for (const [reader, parse] of Object.entries(readers)) {
      const start = performance.now()
      for (let n = 0; n < 10_000; n++) parse(text)
      note(`20 ${what} texts of an array, ${reader}, µs`, (performance.now() - start) / 10)
    }
}

const main = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'novodb-bench-driver-'))
  const database = await openDatabase({
    dataDir: directory,
    durable: false,
    applicationName: 'novodb bench',
    max: 1,
    statementTimeoutMs: 0,
    log: console,
  })
  const sql = database.connect({ max: 8, planOnce: true })
  try {
    await createTables(database.sql)
    for (let round = 0; round <= rounds; round++) {
      // The first warms up.
      if (round === 1) figures.clear()
      await measureLookups(sql, 1)
      await measureLookups(sql, 16)
      await measureLists(sql)
      await measureTransactions(sql)
      await measureCopies(sql)
      measureArrays()
    }
    for (const [name, values] of figures)
      console.log(`${name.padEnd(40)} ${quantile(values, 0.5).toFixed(3).padStart(10)}`)
  } finally {
    await sql.end({ timeout: 5 })
    await database.close({ waitForStop: true })
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
