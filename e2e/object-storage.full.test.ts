import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Store } from '../src/store/objects/s3-store.ts'
import { hasCeph, startCeph } from '../src/testing/peers/ceph.ts'
import { type Line, openLine, startTestStore, type TestStore } from '../src/testing/peers/object-store.ts'
import { makeBases } from '../src/testing/random.ts'
import { databaseUrlOf, runCommand, signInAsAdmin, startServer } from './portal-command.ts'

// Two hosts without a common file system: each its own data directory and its own line to the store, one database.

type Host = Awaited<ReturnType<typeof startServer>>

const peers = [
  { peer: 's3rver', found: true, start: startTestStore },
  { peer: "Ceph's radosgw", found: hasCeph(), start: startCeph },
]

for (const { peer, found, start } of peers)
  describe.skipIf(!found)(`two hosts over a store kept by ${peer}`, { timeout: 240_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-objects-'))
    const [home, near, far] = ['home', 'near', 'far'].map((name) => join(folder, name)) as [string, string, string]
    const genome = makeBases(3_000_000, 6)
    const writeSpecies = (name: string): void => {
      const lines = genome.match(/.{60}/g)!.join('\n')
      writeFileSync(join(folder, 'genome.fa'), `>chr1\n${lines}\n`)
      writeFileSync(join(folder, 'genes.gff3'), `##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=${name}\n`)
      writeFileSync(
        join(folder, 'v.vcf'),
        `##fileformat=VCFv4.2\n##contig=<ID=chr1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS1\tS2\nchr1\t1000\trs1\t${genome[999]}\t${genome[999] === 'A' ? 'C' : 'A'}\t.\tPASS\t.\tGT\t0/1\t1/1\n`,
      )
      writeFileSync(
        join(folder, 'species.yaml'),
        'novodb: 1\nspecies: stored\nname: Stored elsewhere\nassemblies:\n  - id: OBJ1\n    genome: genome.fa\n    genes: genes.gff3\n    variants:\n      - { id: own, name: Own, file: v.vcf }\n',
      )
    }
    let store: TestStore
    let database: Host
    const hosts: Host[] = []
    const lines: Line[] = []
    let shared: NodeJS.ProcessEnv
    const settingsOf = (line: Line): NodeJS.ProcessEnv => {
      const { bucket, prefix, credentials } = store.settingsAt(line.port)
      return {
        ...shared,
        NOVODB_S3_BUCKET: bucket,
        NOVODB_S3_PREFIX: prefix,
        NOVODB_S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
        NOVODB_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
        NOVODB_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
        NOVODB_CACHE_SIZE: '1',
      }
    }
    const end = (host: Host | undefined): Promise<unknown> => {
      if (host === undefined || host.child.exitCode !== null) return Promise.resolve()
      const ended = new Promise((done) => host.child.once('exit', done))
      host.child.kill('SIGTERM')
      return ended
    }
    const ask = (host: Host, path: string, init?: RequestInit): Promise<Response> => fetch(`${host.url}${path}`, init)
    const read = async <T>(host: Host, path: string): Promise<T> => {
      const answer = await ask(host, path)
      expect(answer.status, path).toBe(200)
      return ((await answer.json()) as { data: T }).data
    }
    const post = (host: Host, tool: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
      ask(host, `/api/tools/${tool}${tool.includes('/') ? '' : '/'}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const bases = async (host: Host, start1: number, end1: number): Promise<string> => {
      const answer = await post(host, 'sequencefetch', { assembly: 'OBJ1', regions: `chr1:${start1}..${end1}` })
      const text = await answer.text()
      expect(answer.status, text).toBe(200)
      return text
    }
    const variants = (host: Host): Promise<Response> =>
      post(host, 'variation/file', { format: 'tsv', filter: { assembly: 'OBJ1', region: 'chr1:1..2000' } })
    const filesBelow = (dataDir: string): string[] =>
      existsSync(join(dataDir, 'bundles'))
        ? readdirSync(join(dataDir, 'bundles'), { recursive: true, encoding: 'utf8' }).filter((name) =>
            /\.\w+$/.test(name.split('/').at(-1)!),
          )
        : []

    beforeAll(async () => {
      chmodSync(folder, 0o755)
      store = await start()
      writeSpecies('objA')
      // Loaded before there was a store, in the data directory in which the database lies as well.
      await runCommand(['load', folder], home)
      database = await startServer(home, { NOVODB_WORKERS: '0' })
      shared = {
        DATABASE_URL: databaseUrlOf(home),
        NOVODB_ANSWER_PROCESSES: '1',
      }
      lines.push(await openLine(store.port), await openLine(store.port))
      await runCommand(['publish'], home, settingsOf(lines[0]!))
    }, 240_000)
    afterAll(async () => {
      await Promise.all(hosts.map(end))
      await end(database)
      await Promise.all(lines.map((line) => line.close()))
      await store?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('a new host, its data directory empty, answers its first region at once and keeps what it needed', async () => {
      hosts.push(await startServer(far, { ...settingsOf(lines[1]!), NOVODB_WORKERS: '0' }))
      const [host] = hosts as [Host]
      const timed = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
        const before = performance.now()
        await ask()
        process.stdout.write(`    an empty host over ${peer}, ${what}: ${Math.round(performance.now() - before)} ms\n`)
      }
      await timed('the first region of the genome browser', async () => {
        const { files } = await read<{ files: { url: string; kind: string }[] }>(
          host,
          '/api/downloads/?assembly=OBJ1&kind=genome',
        )
        const { url } = files.find(({ url: one }) => one.endsWith('.fa.gz'))!
        const answer = await ask(host, url, { headers: { Range: 'bytes=400000-465535' } })
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 65_536])
      })
      await timed('the first region of a tool', async () =>
        expect(await bases(host, 1_500_001, 1_500_060)).toContain(genome.slice(1_500_000, 1_500_060)),
      )
      expect(await read(host, '/api/genes/objA/')).toMatchObject({ gene: { id: 'objA' } })
      expect(filesBelow(far).some((name) => name.endsWith('genome.fa.gz.fai'))).toBe(true)
      await expect.poll(() => filesBelow(far).some((name) => name.endsWith('/genome.fa.gz'))).toBe(true)
    })

    it('serves ranges and whole files with their checksums', async () => {
      const [host] = hosts as [Host]
      const { files } = await read<{ files: { url: string; kind: string; bytes: number; sha256: string }[] }>(
        host,
        '/api/downloads/?species=stored',
      )
      expect(files.length).toBeGreaterThan(3)
      for (const file of files) {
        const part = await ask(host, file.url, { headers: { Range: `bytes=0-${Math.min(99, file.bytes - 1)}` } })
        expect(part.status).toBe(206)
        const whole = Buffer.from(await (await ask(host, file.url)).arrayBuffer())
        expect(createHash('sha256').update(whole).digest('hex'), file.url).toBe(file.sha256)
        expect(whole.subarray(0, 100).equals(Buffer.from(await part.arrayBuffer()))).toBe(true)
      }
    })

    it('its state and the bound of the cache are told to an administrator, and to nobody else', async () => {
      const [host] = hosts as [Host]
      expect((await ask(host, '/api/admin/system/')).status).toBe(401)
      const token = await signInAsAdmin(host.url)
      const answer = await ask(host, '/api/admin/system/', { headers: { Authorization: `Bearer ${token}` } })
      const text = await answer.text()
      expect(answer.status, text).toBe(200)
      const { storage } = (JSON.parse(text) as { data: { storage: { store: Record<string, unknown> } } }).data
      expect(storage.store).toMatchObject({ name: 's3://novodb/portal', answers: true, cacheMaxBytes: 2 ** 30 })
      expect(storage.store.cacheBytes).toEqual(expect.any(Number))
      expect(text).not.toContain(store.settingsAt(1).credentials!.secretAccessKey)
    })

    it('a job that is asked for at one host, runs on another and is read at the first', async () => {
      const [asked] = hosts as [Host]
      hosts.push(await startServer(near, { ...settingsOf(lines[0]!), NOVODB_WORKERS: '1' }))
      const answer = await post(
        asked,
        'blast',
        { program: 'blastn', query: `>q\n${genome.slice(40_000, 40_400)}\n`, databases: ['OBJ1/genome'] },
        { Prefer: 'respond-async' },
      )
      expect(answer.status, await answer.clone().text()).toBe(202)
      const { id } = ((await answer.json()) as { data: { job: { id: string } } }).data.job
      await expect
        .poll(async () => (await read<{ job: { state: string } }>(asked, `/api/jobs/${id}/`)).job.state, {
          timeout: 60_000,
        })
        .toBe('done')
      const result = await read<{ result: unknown }>(asked, `/api/jobs/${id}/result/`)
      expect(JSON.stringify(result)).toContain('OBJ1')
      const table = await ask(asked, `/api/tools/blast/jobs/${id}/hits.tsv`)
      expect(table.status, await table.clone().text()).toBe(200)
      expect(await table.text()).toContain('40001')
      expect(existsSync(join(far, 'jobs', id.slice(0, 2), id))).toBe(true)
      // The same again is answered by what is kept, though the other host has run it.
      const again = await post(
        asked,
        'blast',
        { program: 'blastn', query: `>q\n${genome.slice(40_000, 40_400)}\n`, databases: ['OBJ1/genome'] },
        { Prefer: 'respond-async' },
      )
      const job = ((await again.json()) as { data: { job: { state: string; startedAt: string; endedAt: string } } })
        .data.job
      expect(job).toMatchObject({ state: 'done', endedAt: job.startedAt })
    })

    it('a job waits longer than a minute for a store that is away, and ends when it is back', {
      timeout: 180_000,
    }, async () => {
      const [asked] = hosts as [Host]
      const stateOf = async (id: string): Promise<string> =>
        (await read<{ job: { state: string } }>(asked, `/api/jobs/${id}/`)).job.state
      lines[0]!.cut()
      const answer = await post(
        asked,
        'blast',
        { program: 'blastn', query: `>q\n${genome.slice(60_000, 60_400)}\n`, databases: ['OBJ1/genome'] },
        { Prefer: 'respond-async' },
      )
      const { id } = ((await answer.json()) as { data: { job: { id: string } } }).data.job
      await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe('running')
      await pause(75_000)
      expect(await stateOf(id)).toBe('running')
      lines[0]!.restore()
      await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe('done')
      expect(await (await ask(asked, `/api/tools/blast/jobs/${id}/hits.tsv`)).text()).toContain('60001')
    })

    it('goes on without the store with what it has, and says what it has not', async () => {
      const [host] = hosts as [Host]
      lines[1]!.cut()
      expect(await bases(host, 100, 160)).toContain(genome.slice(99, 160))
      const before = performance.now()
      const answer = await variants(host)
      const failure = (await answer.json()) as { errorCode: string; errorMessage: string }
      expect([answer.status, performance.now() - before < 30_000], JSON.stringify(failure)).toEqual([503, true])
      expect(failure).toMatchObject({ errorCode: 'BUSY', errorMessage: expect.stringContaining('storage') })
      expect(JSON.stringify(failure)).not.toContain('127.0.0.1')
      lines[1]!.restore()
      await expect.poll(async () => (await variants(host)).status, { timeout: 20_000 }).toBe(200)
    })

    it('a load that the store does not take changes nothing, and the next one goes through', async () => {
      writeSpecies('objB')
      lines[0]!.cut()
      await expect(runCommand(['load', folder], near, settingsOf(lines[0]!))).rejects.toThrow(/object store/)
      lines[0]!.restore()
      for (const host of hosts) expect((await ask(host, '/api/genes/objA/')).status).toBe(200)
      await runCommand(['load', folder], near, settingsOf(lines[0]!))
      for (const host of hosts) {
        await expect.poll(async () => (await ask(host, '/api/genes/objB/')).status).toBe(200)
        expect(await bases(host, 2_000_001, 2_000_060)).toContain(genome.slice(2_000_000, 2_000_060))
      }
    })

    it('is verified and removed in the store', async () => {
      await runCommand(['verify'], near, settingsOf(lines[0]!))
      await runCommand(['remove', 'stored'], near, settingsOf(lines[0]!))

      const objects = await openS3Store(store.settingsAt(lines[0]!.port), { patienceMs: 60_000 })
      const left: string[] = []
      for await (const { key } of objects.list('bundles/')) left.push(key.split('/').slice(2).join('/'))
      objects.close()
      // What was computed over all assemblies stays for a release that is rolled back; of the species itself nothing does.
      expect(left).toContain('families.npy')
      expect(left.filter((name) => /genome|genes|variants/.test(name))).toEqual([])
    })
  })
