import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCeph, startCeph } from '../../testing/peers/ceph.ts'
import { type Line, openLine, startTestStore, type TestStore } from '../../testing/peers/object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store } from './s3-store.ts'

// The same over two servers that were written without knowing of each other, for what one of them forgives.
const peers = [
  { peer: 's3rver', found: true, strict: false, start: startTestStore },
  { peer: "Ceph's radosgw", found: hasCeph(), strict: true, start: startCeph },
]

for (const { peer, found, strict, start } of peers) {
  describe.skipIf(!found)(`a store kept by ${peer}`, { timeout: 240_000 }, () => {
    const root = mkdtempSync(path.join(tmpdir(), 'novodb-s3-store-'))
    let store: TestStore
    let line: Line
    let objects: ObjectStore
    beforeAll(async () => {
      store = await start()
      line = await openLine(store.port)
      objects = await openS3Store(store.settingsAt(line.port), { patienceMs: 60_000 })
    }, 240_000)
    afterAll(async () => {
      objects?.close()
      await line?.close()
      await store?.close()
      rmSync(root, { recursive: true, force: true })
    })

    const write = (name: string, bytes: string | Buffer): string => {
      const file = path.join(root, name)
      writeFileSync(file, bytes)
      return file
    }
    const readAll = async (key: string, start0: number, end0: number): Promise<Buffer> => {
      const pieces: Buffer[] = []
      for await (const piece of objects.read(key, start0, end0)) pieces.push(piece)
      return Buffer.concat(pieces)
    }

    test('gives back what it was given, empty, small and in parts, whole and by ranges', async () => {
      const large = randomBytes(150 * 2 ** 20 + 17)
      for (const [key, bytes] of [
        ['kept/empty', Buffer.alloc(0)],
        ['kept/small+plus (1).txt', Buffer.from('ACGT')],
        ['kept/large.bin', large],
      ] as const) {
        await objects.putFile(key, write('given', bytes))
        expect(await objects.findBytes(key)).toBe(bytes.length)
        expect((await readAll(key, 0, bytes.length)).equals(bytes)).toBe(true)
      }
      for (const [from, to] of [
        [0, 1],
        [67_108_860, 67_108_870],
        [large.length - 5, large.length],
        [7, 7],
      ] as const)
        expect((await readAll('kept/large.bin', from, to)).equals(large.subarray(from, to))).toBe(true)
      expect(await objects.findBytes('kept/none')).toBeNull()
      await expect(readAll('kept/none', 0, 5)).rejects.toMatchObject({ code: 'missing' })
    })

    test('is read to the end over a connection that breaks', async () => {
      const bytes = randomBytes(5 * 2 ** 20)
      await objects.putFile('kept/broken.bin', write('broken', bytes))
      line.breakAfter(2 ** 20)
      expect((await readAll('kept/broken.bin', 0, bytes.length)).equals(bytes)).toBe(true)
      line.breakAfter(null)
    })

    test('has an object whole or not at all when the line is cut while it is sent', async () => {
      const file = write('cut', randomBytes(200 * 2 ** 20))
      const impatient = await openS3Store(store.settingsAt(line.port), { patienceMs: 500 })
      const sending = impatient.putFile('kept/cut.bin', file)
      sending.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 60))
      line.cut()
      await expect(sending).rejects.toMatchObject({ code: 'store-away' })
      line.restore()
      impatient.close()
      expect(await objects.findBytes('kept/cut.bin')).toBeNull()
    })

    test('lists more objects than it gives at once, folders too, and deletes them', async () => {
      const file = write('small', 'x')
      const names = Array.from({ length: 1_050 }, (_, at) => `many/${String(at).padStart(4, '0')}`)
      const waiting = names.values()
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (const name of waiting) await objects.putFile(name, file)
        }),
      )
      await objects.putFile('many/below/one', file)
      const listed: string[] = []
      for await (const { key, bytes } of objects.list('many/')) {
        expect(bytes).toBe(1)
        listed.push(key)
      }
      expect(listed).toEqual([...names, 'many/below/one'])
      const folders: string[] = []
      for await (const name of objects.listFolders('many/')) folders.push(name)
      expect(folders).toEqual(['below'])
      await objects.delete([...listed, 'many/none'])
      const left: string[] = []
      for await (const { key } of objects.list('many/')) left.push(key)
      expect(left).toEqual([])
    })

    test('gives an address at which a browser finds an object under a name, and no other object', async () => {
      await objects.putFile('bundles/x/genome.fa', write('signed', 'ACGT'))
      const address = await objects.signAddress('bundles/x/genome.fa', { seconds: 60, fileName: 'genome.fa' })
      const answer = await fetch(address)
      expect(await answer.text()).toBe('ACGT')
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="genome.fa"')
      const other = await fetch(address.replace('/genome.fa?', '/other.fa?'))
      expect(other.status).toBe(strict ? 403 : 404)
    })

    test('says so when there is no such bucket', async () => {
      const elsewhere = await openS3Store(
        { ...store.settingsAt(line.port), bucket: 'no-such-bucket' },
        { patienceMs: 60_000 },
      )
      await expect(elsewhere.putFile('x', write('x', 'x'))).rejects.toMatchObject({
        code: 'store-refused',
        message: expect.stringContaining('NoSuchBucket'),
      })
      elsewhere.close()
    })

    test('refuses whoever has not its key, and is not asked for long', async () => {
      const { credentials: _, ...settings } = store.settingsAt(line.port)
      const credentials = { accessKeyId: 'nobody', secretAccessKey: 'not the secret' }
      const stranger = await openS3Store({ ...settings, credentials }, { patienceMs: 60_000 })
      const failure = await stranger.putFile('kept/x', write('x', 'x')).catch((error: Error) => error)
      expect(failure).toMatchObject({ code: 'store-refused' })
      expect(String(failure)).not.toContain('not the secret')
      stranger.close()
    })
  })
}
