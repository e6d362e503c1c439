import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { backupDatabase, restoreDatabase } from './backup.ts'
import type { Database } from './connect.ts'
import { listAppliedMigrations, type Migration, runMigrations } from './migrations.ts'
import { createTemporaryDirectory } from './private-server/testbed.ts'

const schema: Migration = {
  id: '0001-schema',
  sql: `
    create table settings (key text primary key, value jsonb);
    insert into settings values ('theme', '"green"'), ('language', '"en"');
    create table species (id integer generated always as identity primary key, name text unique, chief_assembly integer);
    create table assemblies (id integer generated always as identity primary key, species integer not null references species, previous integer references assemblies);
    alter table species add foreign key (chief_assembly) references assemblies;
    create table genes (bundle integer not null, id text not null collate "C", description text, transcripts jsonb, gc real,
      words tsvector generated always as (to_tsvector('simple', coalesce(description, ''))) stored) partition by list (bundle);
    create table variants (bundle integer not null, position1 bigint) partition by list (bundle);
    create table "Odd ""name"", 表" ("Select" text, "Ψ" bytea);
    create sequence job_numbers;
    create materialized view gene_counts as select bundle, count(*) as genes from genes group by bundle;
    create table changes (gene text);
    create function note() returns trigger language plpgsql as $$ begin insert into changes values (new.name); return new; end $$;
    create trigger note_species after insert on species for each row execute function note();`,
}
const later: Migration = { id: '0002-later', sql: 'alter table species add common_name text' }

/** What a loader does: a table of its own is filled, indexed and attached. */
const fill = `
  insert into species (name) values ('Mycobacterium tuberculosis'), ('水稻 Oryza sativa');
  insert into assemblies (species, previous) values (1, null), (1, 1), (2, null);
  update species set chief_assembly = 2 where id = 1;
  update settings set value = '"blue"' where key = 'theme';
  delete from settings where key = 'language';
  create table genes_1 (id text not null collate "C", bundle integer not null default 1 check (bundle = 1), description text, transcripts jsonb, gc real,
    words tsvector generated always as (to_tsvector('simple', coalesce(description, ''))) stored);
  insert into genes_1 (id, description, transcripts, gc)
    select 'Rv' || lpad(n::text, 5, '0'), case when n % 3 = 0 then null else E'ESX-1 \\\\ secreted\\tprotein\\n' || n end,
      jsonb_build_array(jsonb_build_object('exons', n, 'note', repeat(md5(n::text), 40))), 1.0 / n from generate_series(1, 6000) as n;
  create unique index on genes_1 (id);
  create index on genes_1 using gin (words);
  alter table genes attach partition genes_1 for values in (1);
  create table genes_2 partition of genes for values in (2);
  create table variants_1 partition of variants for values in (1) partition by range (position1);
  create table "variants_1 low" partition of variants_1 for values from (minvalue) to (1000);
  create table variants_1_high partition of variants_1 for values from (1000) to (maxvalue);
  alter table variants_1_high add constraint high check (position1 >= 1000);
  insert into variants values (1, 5), (1, 999), (1, 4411532);
  insert into "Odd ""name"", 表" values (E'\\\\N', '\\x00ff5c0a'), (null, null), ('', '');
  select setval('job_numbers', 9007199254740993)::text;
  refresh materialized view gene_counts;
  create table genes_9 (id text);
  insert into genes_9 values ('a load that is still running');
  create table merged_search_names_3 (name text);
  insert into merged_search_names_3 values ('a copy, which is merged anew');`

/** Everything that a person could tell apart, read through SQL. */
const describeAll = async ({ sql }: Database) => ({
  genes: await sql`select count(*) as count, md5(string_agg(g::text, '|' order by id)) as hash
    from (select bundle, id, description, transcripts, gc, words from genes) as g`,
  species: await sql`select id, name, chief_assembly from species order by id`,
  assemblies: await sql`select * from assemblies order by id`,
  settings: await sql`select * from settings`,
  variants: await sql`select tableoid::regclass::text as part, * from variants order by position1`,
  odd: await sql`select * from "Odd ""name"", 表" order by 1`,
  changes: await sql`select * from changes order by gene`,
  views: await sql`select * from gene_counts`,
  indexes:
    await sql`select tablename, indexdef from pg_indexes where schemaname = 'public' and tablename like 'genes%' and tablename <> 'genes_9' order by indexdef`,
  constraints:
    await sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype in ('c', 'f', 'p', 'u') and connamespace = 'public'::regnamespace and conrelid <> 'schema_migrations'::regclass order by 1, 2`,
  partitions:
    await sql`select relid::text, parentrelid::text, level from pg_partition_tree('genes') union all select relid::text, parentrelid::text, level from pg_partition_tree('variants') order by 1`,
  triggers: await sql`select tgname, tgenabled from pg_trigger where not tgisinternal`,
})

const directory = createTemporaryDirectory()
const file = path.join(directory, 'backup.tar')
let source: Database
let target: Database
let before: Awaited<ReturnType<typeof describeAll>>
let result: Awaited<ReturnType<typeof backupDatabase>>

beforeAll(async () => {
  source = await openTestDatabase({ migrate: false })
  await runMigrations(source.sql, [schema])
  await source.sql.unsafe(fill)
  before = await describeAll(source)
  result = await backupDatabase(source, file)
})
afterAll(async () => {
  await source.close()
  fs.rmSync(directory, { recursive: true })
})
beforeEach(async () => {
  target = await openTestDatabase({ migrate: false })
})
afterEach(() => target.close())

describe('a backup', () => {
  test('brings everything back: rows, partitions with their own indexes and checks, keys in circles, sequences, views', async () => {
    const restored = await restoreDatabase(target, file, [schema])
    expect(await describeAll(target)).toEqual(before)
    // Of what is merged nothing is in the backup.
    expect(restored.skippedTables).toEqual(['public.genes_9'])
    expect(restored.rowCount).toBe(result.rowCount - 1)
    expect(await target.sql`select nextval('job_numbers')::text as next`).toEqual([{ next: '9007199254740994' }])
    expect(await target.sql`insert into species (name) values ('Zymoseptoria tritici') returning id`).toEqual([
      { id: 3 },
    ])
  })

  test('is a tar archive that only its owner may read, and replaces nothing until it is whole', () => {
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(fs.readdirSync(directory)).toEqual(['backup.tar'])
    const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n')
    expect(names[0]).toBe('backup.json')
    expect(names.at(-1)).toBe('manifest.json')
    const part = names.find((name) => name.includes('genes_1')) ?? ''
    const rows = execFileSync('sh', ['-c', `tar -xOf ${file} ${part} | gunzip | head -n 1`], { encoding: 'utf8' })
    expect(rows).toMatch(/^Rv00001\t1\tESX-1 \\\\ secreted\\tprotein\\n1\t/)
  })

  test('of an older release is brought to the schema of this one', async () => {
    await restoreDatabase(target, file, [schema, later])
    expect(await listAppliedMigrations(target.sql)).toEqual(['0001-schema', '0002-later'])
    expect(await target.sql`select name, common_name from species where id = 1`).toEqual([
      { name: 'Mycobacterium tuberculosis', common_name: null },
    ])
  })

  test('is one moment of the database, though people go on writing', async () => {
    const writer = source.connect({ max: 1 })
    let stopped = false
    const writing = (async () => {
      // One transaction changes both tables; no moment has one without the other.
      for (let n = 0; !stopped; n++) {
        await writer.begin(async (sql) => {
          await sql`insert into "Odd ""name"", 表" values (${`moment ${n}`}, null)`
          await sql`insert into changes values (${`moment ${n}`})`
        })
      }
    })()
    const moving = path.join(directory, 'moving.tar')
    await backupDatabase(source, moving)
    stopped = true
    await writing
    await writer.end()
    await restoreDatabase(target, moving, [schema])
    const [row] = await target.sql<
      { odd: number; changes: number }[]
    >`select (select count(*) from "Odd ""name"", 表" where "Select" like 'moment%') as odd,
      (select count(*) from changes where gene like 'moment%') as changes`
    expect(row?.odd).toBe(row?.changes)
    fs.rmSync(moving)
  })

  test('bigger than its parts is written and read in parts', async () => {
    const table: Migration = { id: '0001-long', sql: 'create table long (n integer, bases text)' }
    const big = path.join(directory, 'big.tar')
    const wide = await openTestDatabase({ migrate: false })
    await runMigrations(wide.sql, [table])
    await wide.sql`insert into long select n, repeat(md5(n::text), 500) from generate_series(1, 2000) as n`
    const hashOf = ({ sql }: Database) => sql`select md5(string_agg(bases, '' order by n)) as hash from long`
    const hash = await hashOf(wide)
    expect((await backupDatabase(wide, big)).rowCount).toBe(2000)
    await wide.close()
    const names = execFileSync('tar', ['-tf', big], { encoding: 'utf8' })
    expect(names.match(/long\/\d+\.copy\.gz/g)?.length).toBeGreaterThan(2)
    await restoreDatabase(target, big, [table])
    expect(await hashOf(target)).toEqual(hash)
    fs.rmSync(big)
  })
})

describe('restoring is refused, and leaves the database empty,', () => {
  const expectEmpty = async () => {
    expect(await target.sql`select relname from pg_class where relnamespace = 'public'::regnamespace`).toEqual([])
  }
  const bytes = () => fs.readFileSync(file)
  const broken = path.join(directory, 'broken.tar')
  afterEach(() => fs.rmSync(broken, { force: true }))

  test('into a database that has tables', async () => {
    await target.sql`create table genes (id text)`
    await expect(restoreDatabase(target, file, [schema])).rejects.toMatchObject({
      code: 'NOT_EMPTY',
      message: expect.stringContaining('public.genes'),
    })
  })

  test('from a file that is cut off, wherever', async () => {
    const whole = bytes()
    for (const length of [0, 700, Math.floor(whole.length / 2), whole.length - 2048]) {
      fs.writeFileSync(broken, whole.subarray(0, length))
      await expect(restoreDatabase(target, broken, [schema])).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
    }
    await expectEmpty()
  })

  test('from a file with a changed byte in its rows', async () => {
    const whole = bytes()
    const at = whole.indexOf('genes_1/000001.copy.gz') + 512 + 5_000
    whole[at] = (whole[at] ?? 0) ^ 1
    fs.writeFileSync(broken, whole)
    await expect(restoreDatabase(target, broken, [schema])).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
    await expectEmpty()
  })

  test('from a file whose rows do not add up to its manifest', async () => {
    execFileSync(
      'sh',
      [
        '-c',
        `mkdir unpacked && tar -xf ${file} -C unpacked && sed -i 's/"rowCount": 6000/"rowCount": 6001/' unpacked/manifest.json
      cd unpacked && tar --format=ustar -cf ${broken} $(tar -tf ${file} | grep -v manifest) manifest.json`,
      ],
      { cwd: directory },
    )
    await expect(restoreDatabase(target, broken, [schema])).rejects.toMatchObject({
      code: 'BACKUP_DAMAGED',
      message: expect.stringContaining('genes_1'),
    })
    fs.rmSync(path.join(directory, 'unpacked'), { recursive: true })
    await expectEmpty()
  })

  test('from a newer release, from something else, from nothing', async () => {
    await expect(restoreDatabase(target, file, [])).rejects.toMatchObject({
      code: 'BACKUP_MISMATCH',
      message: expect.stringContaining('0001-schema'),
    })
    fs.writeFileSync(path.join(directory, 'genes.tsv'), 'Rv3875')
    execFileSync('tar', ['--format=ustar', '-cf', broken, 'genes.tsv'], { cwd: directory })
    await expect(restoreDatabase(target, broken, [schema])).rejects.toMatchObject({ code: 'BACKUP_MISMATCH' })
    await expect(restoreDatabase(target, path.join(directory, 'none.tar'), [schema])).rejects.toMatchObject({
      code: 'BACKUP_MISMATCH',
    })
    await expectEmpty()
  })

  test('and can be tried again', async () => {
    await expect(restoreDatabase(target, path.join(directory, 'genes.tsv'), [schema])).rejects.toThrow()
    await restoreDatabase(target, file, [schema])
  })
})
