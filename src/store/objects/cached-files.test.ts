import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Line, openLine, startTestStore, type TestStore } from '../../testing/peers/object-store.ts'
import { type Bundle, createBundle, getBundleFolder } from '../bundle.ts'
import type { PortalFiles } from '../portal-files.ts'
import { openCachedFiles } from './cached-files.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store } from './s3-store.ts'

let store: TestStore
let line: Line
const root = mkdtempSync(path.join(tmpdir(), 'novodb-cached-'))
const opened: PortalFiles[] = []
const logged: string[] = []

beforeAll(async () => {
  store = await startTestStore()
})
afterAll(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(async () => {
  line = await openLine(store.port)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((files) => files.close()))
  await line.close()
  logged.length = 0
})

const openStore = (patienceMs = 1_500): Promise<ObjectStore> => openS3Store(store.settingsAt(line.port), { patienceMs })

/** A host of its own: another data directory, the same store. */
const openHost = async (
  options: { dataDir?: string; maxBytes?: number; holdMs?: number; patienceMs?: number; arrivalMs?: number } = {},
): Promise<PortalFiles> => {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(root, 'host-'))
  const files = openCachedFiles({
    dataDir,
    objects: await openStore(options.patienceMs),
    maxBytes: options.maxBytes ?? 2 ** 40,
    holdMs: options.holdMs ?? 3_600_000,
    arrivalMs: options.arrivalMs,
    log: (text) => logged.push(text),
  })
  opened.push(files)
  return files
}

const [MiB, hour] = [2 ** 20, 3_600_000]
const letters = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => 65 + ((at * 7) % 26)))

/** Seals a bundle on a host and puts it into the store. */
const publish = async (files: PortalFiles, assembly: string): Promise<Bundle> => {
  const staged = await createBundle(files.dataDir, { species: 'yeast', assembly })
  writeFileSync(await staged.prepareFile('genome.fa.gz'), letters)
  writeFileSync(await staged.prepareFile('blast/genome.nin'), assembly)
  writeFileSync(await staged.prepareFile('empty.bed'), '')
  await staged.add('genome.fa.gz', { kind: 'genome' })
  await staged.add('blast/genome.nin', { kind: 'blast' })
  await staged.add('empty.bed', { kind: 'track' })
  const bundle = await staged.seal()
  await files.publishBundle(bundle)
  return bundle
}

const objectOf = (key: string): string => {
  // This server keeps an object in a file that is named by its key.
  const found = readdirSync(store.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(key))
  expect(found.length).toBeGreaterThan(0)
  return path.join(store.folder, found.find((name) => name.includes('_object')) ?? found[0]!)
}

describe('a bundle that another host has loaded', () => {
  it('is brought file by file as it is asked for, once, with the very bytes', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'A')
    expect(await there.keepsBundle(bundle.id)).toBe(true)
    const genome = bundle.find('genome.fa.gz')!
    const folder = await there.fetch(bundle.id, [genome, bundle.find('empty.bed')!])
    expect(folder).toBe(getBundleFolder(there.dataDir, bundle.id))
    expect(readFileSync(path.join(folder, 'genome.fa.gz')).equals(letters)).toBe(true)
    expect(statSync(path.join(folder, 'empty.bed')).size).toBe(0)
    expect(existsSync(path.join(folder, 'blast'))).toBe(false)
    // Without the store what is here goes on being read.
    line.cut()
    expect(await there.fetch(bundle.id, [genome])).toBe(folder)
    line.restore()
    expect(await there.fetch(bundle.id, bundle.manifest.files)).toBe(folder)
    expect(readFileSync(path.join(folder, 'blast', 'genome.nin'), 'utf8')).toBe('A')
    expect(await there.verifyBundle(bundle.id)).toEqual([])
  })

  it('is brought once for all who ask at a time, of one process or of several', async () => {
    const here = await openHost()
    const bundle = await publish(here, 'B')
    const dataDir = mkdtempSync(path.join(root, 'host-'))
    const processes = [await openHost({ dataDir }), await openHost({ dataDir }), await openHost({ dataDir })]
    let reads = 0
    for (const { objects } of processes) {
      const { read } = objects!
      objects!.read = (...given) => {
        reads += 1
        return read(...given)
      }
    }
    const genome = bundle.find('genome.fa.gz')!
    await Promise.all(
      processes.flatMap((files) => [files.fetch(bundle.id, [genome]), files.fetch(bundle.id, [genome])]),
    )
    expect(reads).toBe(1)
    expect(readdirSync(path.join(dataDir, 'fetching'))).toEqual([])
  })

  it('can be read at any place before it is here', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'C')
    const source = await there.open(bundle.id, bundle.find('genome.fa.gz')!)
    expect(source.bytes).toBe(letters.length)
    for (const [start0, end0] of [
      [1_000_000, 1_000_010],
      [262_140, 262_150],
      [0, 3_000_000],
      [2_999_999, 3_000_000],
      [2_999_990, 3_000_500],
      [5, 5],
    ] as const)
      expect((await source.read(start0, end0)).equals(letters.subarray(start0, end0)), `${start0}`).toBe(true)
    await there.fetch(bundle.id, [bundle.find('genome.fa.gz')!])
    line.cut()
    expect((await source.read(1_234_567, 1_300_000)).equals(letters.subarray(1_234_567, 1_300_000))).toBe(true)
    await source.close()
    line.restore()
  })

  it('comes whole over a connection that breaks again and again', async () => {
    const [here, there] = [await openHost(), await openHost({ patienceMs: 20_000 })]
    const bundle = await publish(here, 'D')
    line.breakAfter(700_000)
    const folder = await there.fetch(bundle.id, [bundle.find('genome.fa.gz')!])
    line.breakAfter(null)
    expect(readFileSync(path.join(folder, 'genome.fa.gz')).equals(letters)).toBe(true)
  })

  it('is not there at all where it was damaged in the store, and that is said', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'E')
    const file = objectOf(`${bundle.id}/genome.fa.gz`)
    const bytes = readFileSync(file)
    bytes[1_000]! ^= 1
    writeFileSync(file, bytes)
    await expect(there.fetch(bundle.id, [bundle.find('genome.fa.gz')!])).rejects.toMatchObject({ code: 'corrupt' })
    expect(existsSync(path.join(getBundleFolder(there.dataDir, bundle.id), 'genome.fa.gz'))).toBe(false)
    expect(readdirSync(path.join(there.dataDir, 'fetching'))).toEqual([])
    expect(await there.verifyBundle(bundle.id)).toEqual([{ path: 'genome.fa.gz', problem: 'wrong-checksum' }])
  })

  it('is gone for all when it is deleted, its list first', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'F')
    await here.deleteBundle(bundle.id)
    expect(await there.keepsBundle(bundle.id)).toBe(false)
    expect(existsSync(bundle.folder)).toBe(false)
    await expect(there.fetch(bundle.id, bundle.manifest.files)).rejects.toMatchObject({ code: 'missing' })
    // Of a host that never had it.
    await there.deleteBundle(bundle.id)
  })
})

describe('a file on its way', () => {
  it('is gone on with by the next process where one was killed, and checked as a whole', async () => {
    const here = await openHost()
    const bundle = await publish(here, 'N')
    const dataDir = mkdtempSync(path.join(root, 'host-'))
    mkdirSync(path.join(dataDir, 'fetching'))
    const name = createHash('sha256').update(`bundles/${bundle.id}/genome.fa.gz`).digest('hex')
    const part = path.join(dataDir, 'fetching', `${name}.part`)
    const there = await openHost({ dataDir })
    const asked: number[] = []
    const { read } = there.objects!
    there.objects!.read = (key, start0, ...more) => {
      asked.push(start0)
      return read(key, start0, ...more)
    }
    writeFileSync(part, letters.subarray(0, 1_000_000))
    const genome = bundle.find('genome.fa.gz')!
    const folder = await there.fetch(bundle.id, [genome])
    expect(readFileSync(path.join(folder, 'genome.fa.gz')).equals(letters)).toBe(true)
    expect(asked).toEqual([1_000_000])
    // A damaged part is found by the checksum, and everything is brought anew.
    rmSync(path.join(folder, 'genome.fa.gz'))
    writeFileSync(part, Buffer.alloc(1_000_000, 'x'))
    const third = await openHost({ dataDir })
    await third.fetch(bundle.id, [genome])
    expect(readFileSync(path.join(folder, 'genome.fa.gz')).equals(letters)).toBe(true)
  })

  it('is told as on its way to who waits for an answer, and comes all the same', async () => {
    const [here, there] = [await openHost(), await openHost({ patienceMs: 20_000, arrivalMs: 300 })]
    const bundle = await publish(here, 'O')
    const genome = bundle.find('genome.fa.gz')!
    line.cut()
    await expect(there.fetch(bundle.id, [genome])).rejects.toMatchObject({ code: 'still-arriving' })
    line.restore()
    const place = path.join(getBundleFolder(there.dataDir, bundle.id), 'genome.fa.gz')
    await expect.poll(() => existsSync(place), { timeout: 20_000 }).toBe(true)
    expect(readFileSync(place).equals(letters)).toBe(true)
  })

  it('is not begun where the disk has no space for it, and is read from the store', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'P')
    const tooLarge = { ...bundle.find('genome.fa.gz')!, bytes: 2 ** 52 }
    await expect(there.fetch(bundle.id, [tooLarge])).rejects.toMatchObject({ code: 'disk-full' })
    const source = await there.open(bundle.id, bundle.find('genome.fa.gz')!)
    expect((await source.read(10, 20)).equals(letters.subarray(10, 20))).toBe(true)
    await source.close()
  })
})

describe('what was made before there was a store', () => {
  it('is read where it is, and published when a load needs it', async () => {
    const here = await openHost()
    const staged = await createBundle(here.dataDir, { species: 'yeast', assembly: 'Q' })
    writeFileSync(await staged.prepareFile('genome.fa.gz'), letters)
    await staged.add('genome.fa.gz', { kind: 'genome' })
    const bundle = await staged.seal()
    const run = path.join(here.dataDir, 'jobs', '12', '12'.repeat(16), 'claim')
    mkdirSync(run, { recursive: true })
    writeFileSync(path.join(run, 'result.json'), '{}')
    await here.fetchRun(run)
    const there = await openHost()
    expect(await there.keepsBundle(bundle.id)).toBe(false)
    expect(await here.keepsBundle(bundle.id)).toBe(true)
    expect(await there.keepsBundle(bundle.id)).toBe(true)
  })

  it('is never removed because a catalogue does not know it', async () => {
    const here = await openHost()
    const staged = await createBundle(here.dataDir, { species: 'yeast', assembly: 'R' })
    writeFileSync(await staged.prepareFile('genome.fa.gz'), letters)
    await staged.add('genome.fa.gz', { kind: 'genome' })
    const { folder, id } = await staged.seal()
    const longAgo = new Date(Date.now() - 30 * 24 * hour)
    const sweepLater = async (): Promise<void> => {
      utimesSync(path.join(folder, 'genome.fa.gz'), longAgo, longAgo)
      // The time of change is set by the system alone: the clock is put forward instead.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 24 * hour })
      try {
        await here.sweep(new Set())
      } finally {
        vi.useRealTimers()
      }
    }
    await sweepLater()
    expect(existsSync(folder)).toBe(true)
    // Once the store has it, what is here is a copy.
    await here.keepsBundle(id)
    await openHost({ dataDir: here.dataDir }).then((again) => again.keepsBundle(id))
    await sweepLater()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('a store that does not answer', () => {
  it('is told as that, and what was begun is finished when it is back', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const bundle = await publish(here, 'G')
    line.cut()
    await expect(there.fetch(bundle.id, [bundle.find('genome.fa.gz')!])).rejects.toMatchObject({ code: 'store-away' })
    const patient = await openHost({ patienceMs: 20_000 })
    const coming = patient.fetch(bundle.id, [bundle.find('genome.fa.gz')!])
    setTimeout(() => line.restore(), 1_000)
    expect(readFileSync(path.join(await coming, 'genome.fa.gz')).equals(letters)).toBe(true)
  })

  it('leaves no bundle when it goes away while one is written', async () => {
    const here = await openHost()
    const there = await openHost()
    const staged = await createBundle(here.dataDir, { species: 'yeast', assembly: 'H' })
    writeFileSync(await staged.prepareFile('genome.fa.gz'), letters)
    await staged.add('genome.fa.gz', { kind: 'genome' })
    const bundle = await staged.seal()
    line.cut()
    await expect(here.publishBundle(bundle)).rejects.toMatchObject({ code: 'store-away' })
    line.restore()
    expect(await there.keepsBundle(bundle.id)).toBe(false)
    await here.publishBundle(bundle)
    expect(await there.keepsBundle(bundle.id)).toBe(true)
  })

  it('that refuses is not asked for long', async () => {
    const { credentials: _, ...settings } = store.settingsAt(line.port)
    const wrong = await openS3Store(
      { ...settings, credentials: { accessKeyId: 'nobody', secretAccessKey: 'not the secret' } },
      { patienceMs: 60_000 },
    )
    await expect(wrong.findBytes('bundles/x')).rejects.toMatchObject({ code: 'store-refused' })
    const failure = await wrong
      .putFile('x', path.join(import.meta.dirname, 's3-store.ts'))
      .catch((thrown: Error) => thrown)
    expect(String(failure)).not.toContain('not the secret')
    wrong.close()
  })
})

describe('the cache', () => {
  it('gives up what was used longest ago, once the rest is within the bound', async () => {
    const here = await openHost()
    const bundles = [await publish(here, 'I'), await publish(here, 'J'), await publish(here, 'K')]
    const there = await openHost({ maxBytes: 8 * MiB, holdMs: 50 })
    const known = new Set(bundles.map(({ id }) => id))
    for (const bundle of bundles) {
      await there.fetch(bundle.id, bundle.manifest.files)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await there.sweep(known)
    expect(bundles.map(({ id }) => readdirSync(getBundleFolder(there.dataDir, id)).includes('genome.fa.gz'))).toEqual([
      ...[false, true, true],
    ])
    // It is brought again when it is asked for.
    await new Promise((resolve) => setTimeout(resolve, 60))
    const genome = bundles[0]!.find('genome.fa.gz')!
    await there.fetch(bundles[0]!.id, [genome])
    await there.sweep(known)
    expect(bundles.map(({ id }) => readdirSync(getBundleFolder(there.dataDir, id)).includes('genome.fa.gz'))).toEqual([
      ...[true, false, true],
    ])
  })

  it('keeps what is in use, and says that it is over its bound', async () => {
    const here = await openHost()
    const bundle = await publish(here, 'L')
    const there = await openHost({ maxBytes: MiB, holdMs: hour })
    await there.fetch(bundle.id, bundle.manifest.files)
    await there.sweep(new Set([bundle.id]))
    expect(existsSync(path.join(getBundleFolder(there.dataDir, bundle.id), 'genome.fa.gz'))).toBe(true)
    expect(logged.join()).toContain('more than its bound')
  })

  it('keeps what the store has not: loaded before there was one, or a run that has not ended', async () => {
    const here = await openHost({ maxBytes: 1, holdMs: 0 })
    const staged = await createBundle(here.dataDir, { species: 'yeast', assembly: 'M' })
    writeFileSync(await staged.prepareFile('genome.fa.gz'), letters)
    await staged.add('genome.fa.gz', { kind: 'genome' })
    const bundle = await staged.seal()
    const run = path.join(here.dataDir, 'jobs', 'ab', `ab${'0'.repeat(30)}`, 'claim')
    mkdirSync(run, { recursive: true })
    writeFileSync(path.join(run, 'stdout'), letters)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await here.sweep(new Set([bundle.id]))
    expect(existsSync(path.join(bundle.folder, 'genome.fa.gz'))).toBe(true)
    expect(existsSync(path.join(run, 'stdout'))).toBe(true)
    await here.publishBundle(bundle)
    await here.publishRun(run)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await here.sweep(new Set([bundle.id]))
    expect(existsSync(path.join(bundle.folder, 'genome.fa.gz'))).toBe(false)
    expect(existsSync(run)).toBe(false)
    await here.fetchRun(run)
    expect(readFileSync(path.join(run, 'stdout')).equals(letters)).toBe(true)
  })
})

describe('the files of a job', () => {
  it('are there for every host once the job is done, links aside, and go with it', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const run = (files: PortalFiles, name = 'claim'): string =>
      path.join(files.dataDir, 'jobs', 'cd', `cd${'1'.repeat(30)}`, name)
    mkdirSync(path.join(run(here), 'tables'), { recursive: true })
    writeFileSync(path.join(run(here), 'result.json'), '{"hits":3}')
    writeFileSync(path.join(run(here), 'tables', 'hits of a query (1).tsv'), 'a\tb\n')
    symlinkSync('/nowhere', path.join(run(here), 'databases'))
    // What an attempt left that was killed.
    writeFileSync(path.join(run(here), 'files.json'), '[')
    expect(await there.hasRun(run(there))).toBe(false)
    await here.publishRun(run(here))
    expect(await there.hasRun(run(there))).toBe(true)
    await there.fetchRun(run(there), ['result.json'])
    expect(readdirSync(run(there)).sort()).toEqual(['files.json', 'result.json'])
    const other = await openHost()
    await Promise.all([other.fetchRun(run(other)), other.fetchRun(run(other)), there.fetchRun(run(there))])
    expect(readdirSync(run(other)).sort()).toEqual(['files.json', 'result.json', 'tables'])
    expect(readFileSync(path.join(run(there), 'tables', 'hits of a query (1).tsv'), 'utf8')).toBe('a\tb\n')

    mkdirSync(run(here, 'second'), { recursive: true })
    writeFileSync(path.join(run(here, 'second'), 'result.json'), '{}')
    await here.publishRun(run(here, 'second'))
    await here.deleteRuns(path.dirname(run(here)), 'second')
    const third = await openHost()
    expect([await third.hasRun(run(third)), await third.hasRun(run(third, 'second'))]).toEqual([false, true])
    await here.deleteRuns(path.dirname(run(here)))
    const fourth = await openHost()
    expect(await fourth.hasRun(run(fourth, 'second'))).toBe(false)
    expect(existsSync(path.dirname(run(here)))).toBe(false)
  })

  it('whose list was changed in the store are not written outside of their directory', async () => {
    const [here, there] = [await openHost(), await openHost()]
    const at = (files: PortalFiles): string => path.join(files.dataDir, 'jobs', 'ef', `ef${'2'.repeat(30)}`, 'claim')
    mkdirSync(at(here), { recursive: true })
    writeFileSync(path.join(at(here), 'result.json'), '{}')
    await here.publishRun(at(here))
    const forged = path.join(root, 'forged.json')
    writeFileSync(forged, JSON.stringify([{ path: '../../../../../escaped', bytes: 2, sha256: 'x' }]))
    await here.objects!.putFile(`jobs/ef/ef${'2'.repeat(30)}/claim/files.json`, forged)
    await expect(there.fetchRun(at(there))).rejects.toMatchObject({ code: 'invalid-path' })
  })
})

describe('what killed processes left in the store', () => {
  it('goes after a day: bundles that no catalogue knows, files of jobs without a row', async () => {
    const here = await openHost()
    const objects = here.objects!
    const file = path.join(root, 'left')
    writeFileSync(file, 'x')
    const stamp = (at: number): string => `${new Date(at).toISOString().replace(/[-:.]/g, '')}-${'0'.repeat(16)}`
    const [now, day] = [Date.now(), 24 * hour]
    const uids = [stamp(now - 2 * day), stamp(now - 2 * day - 1), stamp(now - hour)] as const
    const jobs = ['a', 'b'].map((letter) => letter.repeat(32))
    for (const uid of uids) await objects.putFile(`bundles/${uid}/genome.fa.gz`, file)
    for (const id of jobs) await objects.putFile(`jobs/${id.slice(0, 2)}/${id}/claim/files.json`, file)
    const left = async (prefix: string): Promise<string[]> => {
      const keys: string[] = []
      for await (const { key } of objects.list(prefix)) keys.push(key.split('/')[prefix === 'jobs/' ? 2 : 1]!)
      return keys.filter((name) => uids.includes(name) || jobs.includes(name)).sort()
    }
    const asked: string[] = []
    const findJobs = async (ids: string[]): Promise<Set<string>> => {
      asked.push(...ids)
      return new Set([jobs[1]!])
    }
    const about = { portal: 'this one', known: new Set([uids[1]]), findJobs }
    expect(await here.sweepStore(about)).toBe(true)
    expect(await left('bundles/')).toEqual([uids[1], uids[2]].sort())
    // These are new: they may be of a load that goes on.
    expect(await left('jobs/')).toEqual(jobs)
    expect(asked).toEqual(expect.arrayContaining(jobs))
    const { list } = objects
    objects.list = async function* (prefix) {
      for await (const entry of list(prefix)) yield { ...entry, modified: new Date(now - 2 * day) }
    }
    // Another portal, as one that was started on an empty database: nothing is its to remove.
    const nobody = { portal: 'another one', known: new Set<string>(), findJobs: async () => new Set<string>() }
    expect(await here.sweepStore(nobody)).toBe(false)
    expect([await left('bundles/'), await left('jobs/')]).toEqual([[uids[1], uids[2]].sort(), jobs])
    expect(await here.sweepStore(about)).toBe(true)
    expect(await left('jobs/')).toEqual([jobs[1]])
  })
})

it('a store that falls silent, before an answer or within it, is away within the time that its caller has', async () => {
  const source = path.join(root, 'silent')
  const bytes = randomBytes(8 * 2 ** 20)
  writeFileSync(source, bytes)
  const objects = await openStore()
  await objects.putFile('silent', source)
  const reading = objects.read('silent', 0, bytes.length)[Symbol.asyncIterator]()
  await reading.next()
  line.silence()
  const rest = async (): Promise<void> => {
    while (!(await reading.next()).done);
  }
  const began = performance.now()
  await expect(rest()).rejects.toMatchObject({ code: 'store-away' })
  await expect(objects.findBytes('silent')).rejects.toMatchObject({ code: 'store-away' })
  expect(performance.now() - began).toBeLessThan(25_000)
  objects.close()
}, 40_000)
