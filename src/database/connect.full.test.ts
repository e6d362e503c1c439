import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { backupDatabase, restoreDatabase } from './backup.ts'
import { type Database, findUnfitness, openDatabase } from './connect.ts'
import { findMigrations, runMigrations } from './migrations.ts'
import { copyPrograms, findPackagedPrograms } from './private-server/programs.ts'
import { claimDataDirectory } from './private-server/single-server.ts'
import { createTemporaryDirectory, readOr, waitUntil } from './private-server/testbed.ts'

const directory = createTemporaryDirectory()
const messages: string[] = []
const remember = (message: string) => void messages.push(message)
const log = { info: remember, warn: remember, error: remember }
const open = (databaseUrl: string, connectTimeoutMs = 0) =>
  openDatabase({
    databaseUrl,
    dataDir: path.join(directory, 'unused'),
    applicationName: 'novodb test',
    max: 2,
    statementTimeoutMs: 2_000,
    log,
    connectTimeoutMs,
  })
const reasonOf = async (opening: Promise<Database>): Promise<{ code: string; text: string }> => {
  const error: unknown = await opening.then(
    (database) => database.close(),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('It was let in')
  // What a log would show of it, causes and all properties.
  return {
    code: (error as Error & { code: string }).code,
    text: `${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${JSON.stringify(error.cause)}`,
  }
}
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }))

interface Programs {
  what: string
  bin: string
}

/** Programs of a PostgreSQL from the system's packages, the newest; Debian's package `postgresql` brings them. */
const findSystemPrograms = (): Programs[] => {
  const base = '/usr/lib/postgresql'
  const versions = fs.existsSync(base)
    ? fs.readdirSync(base).filter((name) => fs.existsSync(path.join(base, name, 'bin', 'initdb')))
    : []
  const [version] = versions.sort((a, b) => Number(b) - Number(a))
  return version ? [{ what: `PostgreSQL ${version} of the system`, bin: path.join(base, version, 'bin') }] : []
}

// PostgreSQL does not run as root.
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null

/** The programs that come with the product, here for a server that is none of its own. */
const copyShippedPrograms = (): Programs => {
  const base = path.join(directory, 'shipped')
  fs.mkdirSync(base)
  const packaged = findPackagedPrograms()
  const copied = copyPrograms(packaged, { base, cluster: path.join(base, 'postgresql'), account })
  return { what: `the shipped PostgreSQL ${packaged.version}`, bin: path.join(copied, 'bin') }
}

describe('an address that cannot work', () => {
  test('is told without its password, whatever is wrong with it', async () => {
    for (const address of [
      'postgres://administrator:s3cret@host:port/novodb',
      's3cret',
      'mysql://administrator:s3cret@localhost/novodb',
      'postgres://administrator:s3cret@local host/x',
      'postgres://administrator:s3cret%zz@localhost/x',
    ]) {
      const { code, text } = await reasonOf(open(address))
      expect(code).toBe('CANNOT_CONNECT')
      expect(text).not.toContain('s3cret')
    }
  })

  test('is told with host and database when nobody answers there', async () => {
    const { code, text } = await reasonOf(open('postgres://administrator:s3cret@127.0.0.1:1/genomes'))
    expect(code).toBe('CANNOT_CONNECT')
    const comma = await reasonOf(open('postgres://administrator:s3cret,x@127.0.0.1:1/genomes'))
    expect(comma.text).toMatch(/on 127\.0\.0\.1:1/)
    expect(comma.text).not.toContain('s3cret')
    expect(text).toMatch(/the database genomes on 127\.0\.0\.1:1: .*ECONNREFUSED/)
    expect(text).not.toContain('s3cret')
    expect(messages.join()).not.toContain('s3cret')
  })

  test('of a server that is too old, in another encoding or read-only is refused with what would do', () => {
    const fit = { version: 150_004, encoding: 'UTF8', standby: false }
    expect(findUnfitness(fit, 'x')).toBeNull()
    expect(findUnfitness({ ...fit, version: 140_011 }, 'the database novodb on db')).toMatchObject({
      code: 'TOO_OLD',
      message: 'the database novodb on db is PostgreSQL 14; NovoDB needs 15 or newer.',
    })
    expect(findUnfitness({ ...fit, encoding: 'LATIN1' }, 'x')).toMatchObject({ code: 'WRONG_ENCODING' })
    expect(findUnfitness({ ...fit, standby: true }, 'x')).toMatchObject({ code: 'READ_ONLY' })
  })
})

describe.each([copyShippedPrograms(), ...findSystemPrograms()])('an external server, $what', ({ bin }) => {
  const cluster = fs.mkdtempSync(path.join(directory, 'external-'))
  const sockets = fs.mkdtempSync('/tmp/novodb-external-')
  let server: ChildProcess | undefined
  let port = 0
  let address = ''
  const run = (program: string, words: string[], input = '') =>
    execFileSync(path.join(bin, program), words, { ...account, input, encoding: 'utf8', cwd: '/' })
  const startServer = async () => {
    server = spawn(
      path.join(bin, 'postgres'),
      ['-D', cluster, '-k', sockets, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
      { ...account, stdio: 'ignore', cwd: '/' },
    )
    await waitUntil(
      'the external server is ready',
      () => readOr(path.join(cluster, 'postmaster.pid')).split('\n')[7]?.trim() === 'ready',
    )
  }
  const stopServer = async () => {
    if (!server) return
    const running = server
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGINT')
    await ended
  }

  beforeAll(async () => {
    port = await new Promise<number>((resolve) => {
      const probe = net.createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = probe.address() as net.AddressInfo
        probe.close(() => resolve(free))
      })
    })
    for (const made of [cluster, sockets]) {
      fs.mkdirSync(made, { recursive: true, mode: 0o700 })
      if (account) fs.chownSync(made, account.uid, account.gid)
    }
    run('initdb', [
      '-D',
      cluster,
      '-U',
      'postgres',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--auth=reject',
      '--no-sync',
    ])
    fs.writeFileSync(
      path.join(cluster, 'pg_hba.conf'),
      'local all administrator scram-sha-256\nhost all administrator 127.0.0.1/32 scram-sha-256\n',
    )
    execFileSync(
      'openssl',
      [...'req -new -x509 -days 2 -nodes -subj /CN=elsewhere -keyout server.key -out server.crt'.split(' ')],
      { cwd: cluster, stdio: 'pipe' },
    )
    for (const name of ['server.key', 'server.crt']) {
      fs.chmodSync(path.join(cluster, name), 0o600)
      if (account) fs.chownSync(path.join(cluster, name), account.uid, account.gid)
    }
    fs.appendFileSync(path.join(cluster, 'postgresql.conf'), 'ssl = on\n')
    run(
      'postgres',
      ['--single', '-D', cluster, 'postgres'],
      "create role administrator login password 's3cret'\ncreate database genomes owner administrator\ncreate database latin owner administrator encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0\n",
    )
    await startServer()
    address = `postgres://administrator:s3cret@127.0.0.1:${port}/genomes`
  })
  afterAll(async () => {
    await stopServer()
    fs.rmSync(sockets, { recursive: true, force: true })
  })

  test('serves the portal over TCP and over its socket, with our settings', async () => {
    const socket = `postgres://administrator:s3cret@${encodeURIComponent(sockets)}:${port}/genomes`
    const query = `postgres://administrator:s3cret@localhost:${port}/genomes?host=${encodeURIComponent(sockets)}`
    const several = address.replace('@', '@127.0.0.1:1,')
    for (const each of [address, socket, query, several]) {
      const database = await open(each)
      expect(database.kind).toBe('external')
      const [row] =
        await database.sql`select current_setting('application_name') as name, current_setting('statement_timeout') as limit, inet_server_addr() is null as local, count(*) as count from pg_am`
      expect(row).toMatchObject({ name: 'novodb test', limit: '2s', local: each === socket || each === query })
      expect(typeof row?.count).toBe('number')
      await database.close()
    }
    expect(fs.existsSync(path.join(directory, 'unused'))).toBe(false)
  })

  test('refuses a wrong password, an unknown database and a foreign encoding, and says which', async () => {
    expect(await reasonOf(open(address.replace('s3cret', 'wrong-w0rd'), 30_000))).toMatchObject({
      code: 'CANNOT_CONNECT',
      text: expect.stringMatching(/^(?!.*wrong-w0rd).*password authentication failed/s),
    })
    expect(await reasonOf(open(address.replace('genomes', 'nowhere'), 30_000))).toMatchObject({
      text: expect.stringContaining('database "nowhere" does not exist'),
    })
    expect(await reasonOf(open(address.replace('genomes', 'latin')))).toMatchObject({
      code: 'WRONG_ENCODING',
      text: expect.stringContaining('LATIN1'),
    })
  })

  test('is spoken to in TLS when the address asks for it, and refused when it cannot prove its name', async () => {
    const database = await open(`${address}?sslmode=require`)
    const encrypted = ({ sql }: Database) => sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    expect(await encrypted(database)).toEqual([{ ssl: true }])
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'novodb test' and pid <> pg_backend_pid()`
    const losing = database.sql`select pg_terminate_backend(pg_backend_pid())`
    await expect(losing).rejects.toThrow()
    expect(await encrypted(database)).toEqual([{ ssl: true }])
    await database.close()
    const preferring = await open(`${address}?sslmode=prefer`)
    expect(await encrypted(preferring)).toEqual([{ ssl: true }])
    await preferring.close()
    const plain = await open(address)
    expect(await encrypted(plain)).toEqual([{ ssl: false }])
    await plain.close()
    expect(await reasonOf(open(`${address}?sslmode=verify-full`, 30_000))).toMatchObject({
      code: 'CANNOT_CONNECT',
      text: expect.stringMatching(/self-signed|altnames|unable to verify/i),
    })
  })

  test('that starts later than the portal is waited for, and one that restarts is used again at once', async () => {
    await stopServer()
    const opening = open(address, 20_000)
    await new Promise((resolve) => setTimeout(resolve, 600))
    await startServer()
    const database = await opening
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    await stopServer()
    await expect(database.sql`select 1`).rejects.toThrow()
    await startServer()
    await expect.poll(() => database.sql`select 1 as one`.catch(() => null)).toEqual([{ one: 1 }])
    await database.close()
  })

  test('takes the whole schema of the portal, as an ordinary role, and any number of portal servers', async () => {
    const database = await open(address)
    const migrations = await findMigrations()
    expect(await runMigrations(database.sql, migrations)).toHaveLength(migrations.length)
    const claims = [await claimDataDirectory(database, 'server'), await claimDataDirectory(database, 'server')]
    await Promise.all(claims.map((claim) => claim.release()))

    // And moves to the private server and back, across versions of PostgreSQL.
    await database.sql`insert into species (id, position) values ('tuberculosis', 1), ('稻', 2)`
    await database.sql`create table genes_1 partition of genes for values in (1)`
    const there = path.join(cluster, 'there.tar')
    const back = path.join(cluster, 'back.tar')
    await backupDatabase(database, there)
    const own = await openTestDatabase({ migrate: false })
    await restoreDatabase(own, there, migrations)
    expect(await own.sql`select id, position, created_at from species order by position`).toEqual(
      await database.sql`select id, position, created_at from species order by position`,
    )
    await backupDatabase(own, back)
    await own.close()
    await database.sql`drop schema public cascade`
    await database.sql`create schema public`
    await restoreDatabase(database, back, migrations)
    expect(await database.sql`select id from species order by position`).toEqual([{ id: 'tuberculosis' }, { id: '稻' }])
    expect(await database.sql`select relid::text from pg_partition_tree('genes') where isleaf`).toEqual([
      { relid: 'genes_1' },
    ])
    await database.close()
  })
})
