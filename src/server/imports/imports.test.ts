import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getLoad } from '../../contracts/accounts/admin.ts'
import { getImport, listImports, listServerFiles, uploadsPath } from '../../contracts/accounts/imports.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { full } from '../../testing/real-data.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../../testing/species.ts'
import { uploadPath } from './uploads.ts'

const server = mkdtempSync(join(tmpdir(), 'novodb-import-roots-'))
let bed: TestApp
let origin = ''
let admin = ''
let reader = ''
beforeAll(async () => {
  bed = await openTestApp({ settings: { NOVODB_UPLOAD_SIZE: '0.01', NOVODB_IMPORT_FOLDERS: server } })
  admin = await bed.signUp('maintainer', 'admin')
  reader = await bed.signUp('reader', 'user')
  await bed.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(bed.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await bed.close()
  rmSync(server, { recursive: true, force: true })
})

const ask = async (method: string, path: string, payload?: object, language = 'en') => {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${admin}`,
      'accept-language': language,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  })
  return { status: answer.status, body: await answer.json() }
}
const create = async (payload: object = { names: ['yeast.zip'] }): Promise<string> =>
  (await ask('POST', '/api/admin/imports/', payload)).body.data.id
const show = async (id: string) => getImport.output.parse((await ask('GET', `/api/admin/imports/${id}/`)).body.data)
const metadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
const tus = (token: string): Record<string, string> => ({
  'tus-resumable': '1.0.0',
  ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
})
const begin = (fields: Record<string, string>, bytes: number, token = admin) =>
  fetch(origin + uploadsPath, {
    method: 'POST',
    headers: { ...tus(token), 'upload-length': String(bytes), 'upload-metadata': metadata(fields) },
  })
const send = (location: string, offset: number, body: Buffer, base = origin, more: Record<string, string> = {}) =>
  fetch(base + location, {
    method: 'PATCH',
    headers: {
      ...tus(admin),
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...more,
    },
    body: new Uint8Array(body),
  })
const offsetOf = async (location: string, base = origin): Promise<number> =>
  Number((await fetch(base + location, { method: 'HEAD', headers: tus(admin) })).headers.get('upload-offset'))
const upload = async (id: string, path: string, content: Buffer): Promise<void> => {
  const begun = await begin({ import: id, path }, content.length)
  expect([path, begun.status]).toEqual([path, 201])
  const sent = await send(begun.headers.get('location')!, 0, content)
  expect([path, sent.status]).toEqual([path, 204])
}
const work = async (id: string, action: 'look' | 'check' | 'write', more: object = {}) => {
  const answer = await ask('POST', `/api/admin/imports/${id}/work/`, { action, ...more })
  expect(answer.status).toBe(202)
  await expect.poll(async () => (await show(id)).work, { timeout: 150_000, interval: 300 }).toBeNull()
  return show(id)
}

describe('uploads', () => {
  test('are of administrators with a session alone', async () => {
    const id = await create()
    const fields = { import: id, path: 'genome.fa' }
    expect((await begin(fields, 10, '')).status).toBe(401)
    expect((await begin(fields, 10, reader)).status).toBe(403)
    const made = await bed.app.inject({
      method: 'POST',
      url: '/api/account/tokens/',
      payload: { name: 'script' },
      headers: { authorization: `Bearer ${admin}` },
    })
    expect((await begin(fields, 10, made.json().data.token)).status).toBe(403)
    const begun = await begin(fields, 10)
    expect(begun.status).toBe(201)
    const location = begun.headers.get('location')!
    for (const method of ['HEAD', 'PATCH', 'DELETE'])
      expect((await fetch(origin + location, { method, headers: tus(reader) })).status).toBe(403)
    expect((await fetch(origin + location, { method: 'DELETE', headers: tus(admin) })).status).toBe(204)
  })

  test('of a name that leads elsewhere are refused, in the reader’s language, and nothing is written', async () => {
    const id = await create()
    for (const path of [
      '../genome.fa',
      'a/../../genome.fa',
      '/etc/genome.fa',
      'C:\\genome.fa',
      'a\\..\\..\\genome.fa',
      '.novodb-import/import.json',
      'data/.novodb-part',
      'a\u0000b',
      'a\nb',
      `${'x'.repeat(256)}.fa`,
    ]) {
      expect(uploadPath(path)).toBeNull()
      const answer = await begin({ import: id, path }, 10)
      expect([path, answer.status, ((await answer.json()) as { errorCode: string }).errorCode]).toEqual([
        path,
        400,
        'INVALID_INPUT',
      ])
    }
    for (const other of ['no-such-import', '../incoming', ''])
      expect((await begin({ import: other, path: 'genome.fa' }, 10)).status).toBe(404)
    expect((await fetch(`${origin}${uploadsPath}/..%2f${id}`, { method: 'HEAD', headers: tus(admin) })).status).toBe(
      404,
    )
    expect(readdirSync(join(bed.config.foldersDir, id))).toEqual(['.novodb-import'])
    expect(uploadPath('日本/GCF_1 (2).fna')).toBe('日本/GCF_1 (2).fna')
  })

  test('beyond what the settings allow are refused, one by one and together', async () => {
    const id = await create()
    const tooLarge = await begin({ import: id, path: 'genome.fa' }, 11 * 1024 ** 2)
    expect([tooLarge.status, ((await tooLarge.json()) as { errorMessage: string }).errorMessage]).toEqual([
      413,
      'One import may upload at most 0.01 GB (NOVODB_UPLOAD_SIZE).',
    ])
    // Before anything is sent, in the reader's language.
    const whole = await ask('POST', '/api/admin/imports/', { names: ['a.zip'], bytes: 11 * 1024 ** 2 }, 'zh')
    expect([whole.status, whole.body.errorMessage]).toEqual([413, expect.stringMatching(/一次导入最多上传/)])
    expect((await begin({ import: id, path: 'genome.fa' }, 6 * 1024 ** 2)).status).toBe(201)
    const second = await begin({ import: id, path: 'other.fa' }, 6 * 1024 ** 2)
    expect([second.status, ((await second.json()) as { errorCode: string }).errorCode]).toEqual([413, 'TOO_LARGE'])
    expect((await begin({ import: id, path: 'genome.fa' }, 10)).status).toBe(409)
  })

  test('begun at once are held against one another: their size, their names, and a name that is a folder of another', async () => {
    const id = await create()
    const big = await Promise.all(['a.fa', 'b.fa', 'c.fa'].map((path) => begin({ import: id, path }, 4 * 1024 ** 2)))
    expect(big.map(({ status }) => status).sort()).toEqual([201, 201, 413])
    const named = await create()
    const same = await Promise.all(['a', 'a', 'a/b', 'ab'].map((path) => begin({ import: named, path }, 10)))
    // Whichever of the three that meet came first.
    const statuses = same.map(({ status }) => status)
    expect([statuses.slice(0, 3).sort(), statuses[3]]).toEqual([[201, 409, 409], 201])
  })

  test('go on where the line was broken, also after the server was started anew', async () => {
    const id = await create()
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => `${at}\n`).join(''))
    const begun = await begin({ import: id, path: 'reads/big.txt', modified: '7' }, content.length)
    const location = begun.headers.get('location')!
    await new Promise<void>((resolve) => {
      const half = request(origin + location, {
        method: 'PATCH',
        headers: {
          ...tus(admin),
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': String(content.length),
        },
      })
      half.once('error', () => resolve())
      half.write(content.subarray(0, 700_000), () => setTimeout(() => half.destroy(), 300))
    })
    // As much as had come when the line broke: at most what was sent.
    await expect.poll(() => offsetOf(location), { timeout: 20_000 }).toBeGreaterThan(0)
    const arrived = await offsetOf(location)
    expect(arrived).toBeLessThanOrEqual(700_000)
    expect((await show(id)).pending).toMatchObject([{ path: 'reads/big.txt', offset: arrived, modified: '7' }])
    expect((await send(location, 5, content)).status).toBe(409)

    const { app } = await bed.openAnother()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const restarted = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    expect(await offsetOf(location, restarted)).toBe(arrived)
    expect((await send(location, arrived, content.subarray(arrived), restarted)).status).toBe(204)
    expect(readFileSync(join(bed.config.foldersDir, id, 'reads/big.txt')).equals(content)).toBe(true)
    const { pending, uploaded } = await show(id)
    expect([pending, uploaded]).toEqual([[], [{ path: 'reads/big.txt', bytes: content.length, sha256: null }]])
    expect((await begin({ import: id, path: 'reads/big.txt' }, 10)).status).toBe(409)
  })

  test('are taken piece by piece as they were sent: one that differs, or was cut off, does not count', async () => {
    const id = await create()
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => `${at}\n`).join(''))
    const begun = await begin({ import: id, path: 'genome.fa' }, content.length)
    const location = begun.headers.get('location')!
    const sumOf = (piece: Buffer) => ({
      'upload-checksum': `sha256 ${createHash('sha256').update(piece).digest('base64')}`,
    })
    const first = content.subarray(0, 500_000)
    const changed = Buffer.from(first)
    changed[250_000]! ^= 1
    expect((await send(location, 0, first, origin, { 'upload-checksum': 'md5 abc' })).status).toBe(400)
    expect((await send(location, 0, changed, origin, sumOf(first))).status).toBe(460)
    expect(await offsetOf(location)).toBe(0)
    expect((await send(location, 0, first, origin, sumOf(first))).status).toBe(204)
    expect(await offsetOf(location)).toBe(500_000)
    await new Promise<void>((resolve) => {
      const half = request(origin + location, {
        method: 'PATCH',
        headers: {
          ...tus(admin),
          ...sumOf(content.subarray(500_000)),
          'upload-offset': '500000',
          'content-type': 'application/offset+octet-stream',
          'content-length': String(content.length - 500_000),
        },
      })
      half.once('error', () => resolve())
      half.write(content.subarray(500_000, 900_000), () => setTimeout(() => half.destroy(), 300))
    })
    await expect.poll(() => offsetOf(location), { timeout: 20_000 }).toBe(500_000)
    // A server that ended amid a piece leaves what had come of it, and where the piece begins.
    const upload = join(bed.config.foldersDir, '.novodb-uploads', location.split('/').at(-1)!)
    appendFileSync(upload, 'what nobody compared')
    writeFileSync(`${upload}.piece`, '500000')
    expect(await offsetOf(location)).toBe(500_000)
    const rest = content.subarray(500_000)
    expect((await send(location, 500_000, rest, origin, sumOf(rest))).status).toBe(204)
    expect(readFileSync(join(bed.config.foldersDir, id, 'genome.fa')).equals(content)).toBe(true)
    expect(
      readdirSync(join(bed.config.foldersDir, '.novodb-uploads')).filter((name) => name.endsWith('.piece')),
    ).toEqual([])
  })
})

describe('an import', () => {
  test('is recognised, asked about, corrected, checked, loaded, taken out and deleted', async () => {
    const made = makeSpeciesFolder(join(bed.root, 'made'))
    expect(await create({ names: ['genome.fa', 'genes.gff3'] })).toBe('import')
    const id = await create({ names: ['ncbi_dataset.zip', 'GCF_1.zip'] })
    expect(id).toBe('gcf-1')
    expect(await create({ names: ['GCF_1.zip'] })).toBe('gcf-1-2')
    for (const name of ['genome.fa', 'genes.gff3', 'peaks.bed'])
      await upload(id, `yeast/${name}`, readFileSync(join(made, name)))
    const twice = await Promise.all([1, 2].map(() => ask('POST', `/api/admin/imports/${id}/work/`, { action: 'look' })))
    expect(twice.map(({ status }) => status).sort()).toEqual([202, 409])
    await expect.poll(async () => (await show(id)).work, { timeout: 150_000, interval: 300 }).toBeNull()
    const looked = await work(id, 'look')
    expect(looked.summary).toMatchObject({ state: 'looked', files: 3, createdBy: 'maintainer' })
    expect(looked.uploaded[0]!.sha256).toMatch(/^[0-9a-f]{64}$/)
    const survey = looked.survey!
    expect([survey.ok, survey.counts]).toEqual([true, { taken: 3 }])
    const [assembly] = survey.species[0]!.assemblies
    expect(assembly!.first.map(({ name }) => name)).toEqual(['chr1', 'pT'])
    expect(assembly!.genes[0]).toMatchObject({ sequence: expect.any(String), strand: expect.stringMatching(/[+.-]/) })
    expect(survey.tables.map(({ path }) => path)).toEqual(['yeast/peaks.bed'])
    const name = survey.questions.find(({ choices }) => choices === null)!
    const answers = Object.fromEntries(survey.questions.map((one) => [one.id, one.fallback ?? '']))
    const answered = await work(id, 'look', { answers: { ...answers, [name.id]: 'Testus novus' } })
    expect(answered.survey!.species[0]!.name).toBe('Testus novus')
    expect(answered.survey!.manifests[0]!.text).toContain('name: Testus novus')

    const { text } = answered.survey!.manifests[0]!
    const order = { answers: { ...answers, [name.id]: 'Testus novus' } }
    const outside = text.replace('yeast/genes.gff3', '/etc/hostname')
    const refused = await work(id, 'check', { ...order, manifests: [{ folder: '', text: outside }] })
    expect(refused.checked).toMatchObject({ ok: false })
    expect(JSON.stringify(refused.checked)).toContain('/etc/hostname')
    expect(JSON.stringify([survey.defects, refused.checked])).not.toContain(bed.config.foldersDir)
    const better = text.replace('name: Testus novus', 'name: Testus optimus')
    const checked = await work(id, 'check', { ...order, manifests: [{ folder: '', text: better }] })
    expect([checked.checked!.ok, checked.survey!.manifests[0]!.edited]).toEqual([true, true])

    await work(id, 'write', { ...order, manifests: [{ folder: '', text: better }] })
    await expect.poll(async () => (await show(id)).summary.loaded, { timeout: 180_000, interval: 500 }).toBe(true)
    const { species } = (await ask('GET', '/api/species/')).body.data
    expect(species.map((one: { name: string }) => one.name)).toEqual(['Testus optimus'])
    expect((await ask('DELETE', `/api/admin/imports/${id}/`)).status).toBe(409)
    const { undo } = await show(id)
    expect(undo).toMatchObject([{ number: 1, before: null }])
    const way = `/api/admin/data/loads/${undo[0]!.load}/undo/`
    // What the caller was told of is no longer so.
    expect((await ask('POST', way, { number: 2, before: 1 })).status).toBe(409)
    expect((await ask('POST', way, { number: 1, before: null })).status).toBe(200)
    expect((await ask('POST', way, { number: 1, before: null })).status).toBe(409)
    expect((await ask('GET', '/api/species/')).body.data.species).toEqual([])
    const after = await show(id)
    expect([after.summary.state, after.summary.loaded, after.undo]).toEqual(['undone', false, []])
    const row = getLoad.output.parse((await ask('GET', `/api/admin/data/loads/${undo[0]!.load}/`)).body.data)
    expect([row.load.state, row.report!.failure]).toEqual(['undone', null])
    expect(row.report!.defects.map(({ text }) => text).join()).toContain('extends beyond pT (600 bases)')
    // What is recognised anew is no longer told by the load before.
    expect((await work(id, 'look', order)).summary.state).toBe('looked')
    expect((await ask('DELETE', `/api/admin/imports/${id}/`)).status).toBe(200)
    expect((await ask('GET', `/api/admin/imports/${id}/`)).status).toBe(404)
  }, 400_000)

  test('of an archive that is cut off, or of prose, is not called recognised, and tells why in the reader’s language', async () => {
    const id = await create({ names: ['cut.zip'] })
    await upload(id, 'cut.zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(2000, 1)]))
    const cut = await work(id, 'look')
    expect([cut.summary.state, cut.survey!.defects.map(({ file }) => file)]).toEqual(['unrecognised', ['cut.zip']])
    const { survey } = (await ask('GET', `/api/admin/imports/${id}/`, undefined, 'zh')).body.data
    expect(survey.defects[0].text).toContain('文件不完整，缺少结尾部分')
    const prose = await create({ names: ['x.fasta'] })
    await upload(prose, 'x.fasta', Buffer.from('This is a letter, and no sequence at all.\n'))
    const told = await work(prose, 'look')
    expect(told.summary.state).toBe('unrecognised')
    expect(JSON.stringify(told.survey!.defects)).not.toContain(bed.config.foldersDir)
  }, 200_000)

  test('of a folder of the server reads what lies in the folders of the settings, and no link out of them', async () => {
    const made = makeSpeciesFolder(join(bed.root, 'elsewhere'))
    mkdirSync(join(server, 'rice'))
    for (const name of ['genome.fa', 'genes.gff3'])
      writeFileSync(join(server, 'rice', name), readFileSync(join(made, name)))
    symlinkSync(join(made, 'go.tsv'), join(server, 'rice/go.tsv'))
    symlinkSync(made, join(server, 'way-out'))
    for (const source of [made, '/etc', `${server}/../`, join(server, 'way-out'), 'rice'])
      expect((await ask('POST', '/api/admin/imports/', { names: ['x'], source })).status).toBe(403)
    const listed = await ask('GET', `/api/admin/imports/server-files/?folder=${encodeURIComponent(server)}`)
    expect(listServerFiles.output.parse(listed.body.data).entries.map(({ name }) => name)).toEqual(['rice'])
    const { survey, summary } = await work(await create({ names: ['x'], source: join(server, 'rice') }), 'look')
    expect(summary.source).toBe(join(server, 'rice'))
    expect(survey!.files.map(({ path }) => path).sort()).toEqual(['genes.gff3', 'genome.fa'])
    expect(survey!.defects.map(({ file }) => file)).toContain('go.tsv')
    await work(summary.id, 'write')
    await expect
      .poll(async () => (await show(summary.id)).summary.loaded, { timeout: 180_000, interval: 500 })
      .toBe(true)
  }, 400_000)

  test('of an address of the own machine or network is refused, at once or when it is looked up', async () => {
    for (const address of ['http://127.0.0.1/genome.fa', 'ftp://example.org/genome.fa', 'http://[::1]:8000/'])
      expect((await ask('POST', '/api/admin/imports/', { names: ['x'], address }, 'zh')).body.errorMessage).toMatch(
        /网络/,
      )
    const address = origin.replace('127.0.0.1', 'localhost')
    const { survey, uploaded } = await work(await create({ names: ['x'], address }), 'look')
    expect([survey!.ok, uploaded]).toEqual([false, []])
    expect(survey!.defects).toMatchObject([{ file: address, severity: 'error' }])
  })

  test('that nobody loaded is swept after its time, with what was uploaded', async () => {
    const id = await create()
    await begin({ import: id, path: 'genome.fa' }, 10)
    const list = async () => listImports.output.parse((await ask('GET', '/api/admin/imports/')).body.data).imports
    await bed.portal.imports.sweep(Date.now())
    expect((await list()).map((one) => one.id)).toContain(id)
    const loaded = (await list()).filter((one) => one.loaded).map((one) => one.id)
    await bed.portal.imports.sweep(Date.now() + 15 * 24 * 3600 * 1000)
    expect((await list()).map((one) => one.id)).toEqual(loaded)
    expect(readdirSync(join(bed.config.foldersDir, '.novodb-uploads'))).toEqual([])
  })

  test('leaves no pieces of uploads that are no more, and none of one on its way', async () => {
    const uploads = join(bed.config.foldersDir, '.novodb-uploads')
    const id = await create()
    await begin({ import: id, path: 'genome.fa' }, 10)
    const own = readdirSync(uploads)
    const old = new Date(Date.now() - 15 * 24 * 3600 * 1000)
    for (const [name, isOld] of [
      [`${'a'.repeat(32)}.piece`, true],
      ['b'.repeat(32), true],
      [`${'c'.repeat(32)}.piece`, false],
    ] as const) {
      writeFileSync(join(uploads, name), 'x')
      if (isOld) utimesSync(join(uploads, name), old, old)
    }
    await bed.portal.imports.sweep(Date.now())
    expect(readdirSync(uploads).sort()).toEqual([...own, `${'c'.repeat(32)}.piece`].sort())
  })

  // Seven loads, a minute of two cores: the loader's own tests of what is added run in any case.
  test.runIf(full)(
    'of a table adds it to a species in service; undone or taken out, its species.yaml is as it was',
    async () => {
      const folder = makeSpeciesFolder(join(bed.root, 'served'))
      expect(await loadTestSpecies(bed.portal.database, bed.dataDir, folder)).toMatchObject({ ok: true })
      const manifest = (): string => readFileSync(join(folder, 'species.yaml'), 'utf8')
      const before = manifest()
      const id = await create({ names: ['leaf.tsv'] })
      await upload(id, 'leaf.tsv', Buffer.from('gene\tleaf_1\tleaf_2\nTM_0001\t5.5\t6\nTM_0002\t1\t0\nTM_0003\t2\t3\n'))
      const home = (await work(id, 'look')).survey!.questions[0]!
      expect([home.id, home.choices?.map(({ value }) => value)]).toEqual([
        'home',
        expect.arrayContaining(['testus-minimus']),
      ])
      const { survey } = await work(id, 'look', { answers: { home: 'testus-minimus' } })
      expect(survey).toMatchObject({
        ok: true,
        addition: {
          species: 'testus-minimus',
          removes: false,
          entries: [{ assembly: 'TM1', entry: 'expression', id: 'leaf', replaces: false }],
        },
      })
      expect(manifest()).toBe(before)
      const answers = Object.fromEntries(survey!.questions.map((one) => [one.id, one.answer ?? one.fallback ?? '']))
      const added = await work(id, 'write', { answers })
      expect([added.failure, added.summary.loaded]).toEqual([null, true])
      expect(added.matched).toEqual([{ assembly: 'TM1', entry: 'expression', id: 'leaf', samples: 2, genes: 3 }])
      expect(manifest()).toContain(`${id}/leaf.tsv`)
      expect((await ask('DELETE', `/api/admin/imports/${id}/`)).status).toBe(409)
      expect((await ask('POST', `/api/admin/imports/${id}/work/`, { action: 'write', answers })).status).toBe(409)
      const { load, ...way } = added.undo.at(-1)!
      // A manifest that cannot be put back is told, and nothing is undone: once it can, the same does it.
      const hindrance = join(folder, 'species.yaml.novodb-part')
      mkdirSync(hindrance)
      const hindered = await ask('POST', `/api/admin/data/loads/${load}/undo/`, way, 'zh')
      expect([hindered.status, hindered.body.errorMessage]).toEqual([
        409,
        expect.stringContaining('未能恢复原样（EISDIR）'),
      ])
      expect((await show(id)).undo.at(-1)).toEqual({ load, ...way })
      rmSync(hindrance, { recursive: true })
      const undone = await ask('POST', `/api/admin/data/loads/${load}/undo/`, way)
      expect([undone.status, undone.body.data]).toEqual([200, { leftManifest: null }])
      expect(await show(id)).toMatchObject({ summary: { state: 'undone', loaded: false }, matched: [], loads: [load] })
      expect(manifest()).toBe(before)

      // Added again and cut off before it had a load of its own: the load that was undone does not speak for it.
      const notes = join(bed.config.foldersDir, id, '.novodb-import')
      const addition = JSON.parse(readFileSync(join(notes, 'addition.json'), 'utf8'))
      expect(addition.load).toBe(load)
      writeFileSync(join(folder, 'species.yaml'), addition.change.text)
      writeFileSync(addition.change.kept, before)
      writeFileSync(join(notes, 'addition.json'), JSON.stringify({ ...addition, load: null, settled: false }))
      await bed.portal.imports.resume()
      expect(manifest()).toBe(before)
      expect(JSON.parse(readFileSync(join(notes, 'addition.json'), 'utf8')).settled).toBe(true)

      await work(id, 'write', { answers })
      const { entries } = (await ask('GET', '/api/admin/imports/entries/?species=testus-minimus')).body.data
      expect(entries).toContainEqual({ assembly: 'TM1', entry: 'expression', id: 'leaf' })
      const remove = { species: 'testus-minimus', assembly: 'TM1', entry: 'expression', id: 'leaf' }
      const removal = await create({ names: ['leaf'], remove })
      const told = await work(removal, 'look')
      expect(told.survey).toMatchObject({ ok: true, addition: { removes: true, entries: [{ id: 'leaf' }] } })
      await work(removal, 'write')
      expect(manifest()).not.toContain('leaf.tsv')
      expect((await show(id)).summary.loaded).toBe(false)

      // From a folder of the server, whose files are named where they lie: once, until it is undone.
      const source = join(server, 'tables')
      mkdirSync(source, { recursive: true })
      writeFileSync(join(source, 'root.tsv'), 'gene\troot_1\troot_2\nTM_0001\t5.5\t6\nTM_0002\t1\t0\nTM_0003\t2\t3\n')
      const there = await create({ names: ['tables'], source })
      const found = await work(there, 'look', { answers: { home: 'testus-minimus' } })
      const every = Object.fromEntries(found.survey!.questions.map((one) => [one.id, one.answer ?? one.fallback ?? '']))
      const brought = await work(there, 'write', { answers: every })
      expect([brought.failure, brought.summary.loaded]).toEqual([null, true])
      const once = manifest()
      const again = await ask('POST', `/api/admin/imports/${there}/work/`, { action: 'write', answers: every })
      expect([again.status, manifest()]).toEqual([409, once])

      // What is refused leaves the species as it is: its table names a sample twice.
      const wrong = await create({ names: ['wrong.tsv'] })
      await upload(wrong, 'wrong.tsv', Buffer.from('gene\ta\ta\nTM_0001\t1\t2\nTM_0002\t1\t2\nTM_0003\t1\t2\n'))
      const now = manifest()
      const asked = await work(wrong, 'look', { answers: { home: 'testus-minimus' } })
      const all = Object.fromEntries(asked.survey!.questions.map((one) => [one.id, one.answer ?? one.fallback ?? '']))
      const refused = await work(wrong, 'write', { answers: all })
      expect([refused.summary.loaded, manifest()]).toEqual([false, now])
    },
    400_000,
  )
})
