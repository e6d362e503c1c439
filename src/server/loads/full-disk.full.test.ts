import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getStorage, listAdminData } from '../../contracts/accounts/admin.ts'
import { listSpecies } from '../../contracts/species.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { mountSmallDisk } from '../../testing/small-disk.ts'
import { makeSpeciesFolder } from '../../testing/species.ts'

const disk = mountSmallDisk(700)
let bed: TestApp
let admin = ''
let reader = ''

beforeAll(async () => {
  if (disk === null) return
  bed = await openTestApp({ settings: { NOVODB_DATA: join(disk.folder, 'data') } })
  admin = await bed.signUp('maintainer', 'admin')
  reader = await bed.signUp('reader', 'user')
})
afterEach(() => disk?.giveRoom())
afterAll(async () => {
  await bed?.close()
  disk?.remove()
})

const ask = async (method: 'GET' | 'POST', url: string, token = '', payload?: object, language = 'en') => {
  const headers = {
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    'accept-language': language,
  }
  const answer = await bed.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const home = async () => listSpecies.output.parse((await ask('GET', '/api/species/')).body.data)
const storage = async () => getStorage.output.parse((await ask('GET', '/api/admin/storage/', admin)).body.data)
const loads = async () => listAdminData.output.parse((await ask('GET', '/api/admin/data/', admin)).body.data).loads

const putFolder = (name: string): string => {
  const folder = join(bed.config.foldersDir, name)
  mkdirSync(bed.config.foldersDir, { recursive: true })
  const made = makeSpeciesFolder(join(bed.root, name), { species: name, assembly: name.toUpperCase() })
  cpSync(made, folder, { recursive: true })
  return folder
}
const waitForSpace = () =>
  expect.poll(async () => (await home()).loads[0]?.space ?? null, { timeout: 60_000 }).not.toBeNull()

describe.skipIf(disk === null)('a portal whose disk is full', () => {
  test('says to everybody that it is, to its administrator which disk and by how much, and no longer once there is room', async () => {
    expect([(await home()).diskFull, (await storage()).disks.map(({ full }) => full)]).toEqual([false, [false]])
    disk!.fill(10e6)
    await expect.poll(async () => (await home()).diskFull).toBe(true)
    expect((await ask('GET', '/api/health/')).body.data).toMatchObject({ status: 'ok', diskFull: true })
    const [state] = (await storage()).disks
    expect(state).toMatchObject({ folder: bed.config.dataDir, full: true })
    expect(state!.freeBytes).toBeLessThan(state!.reserveBytes)
    disk!.giveRoom()
    await expect.poll(async () => (await home()).diskFull).toBe(false)
  })

  test('refuses what it cannot write in words, in the reader’s language, and takes it once there is room', async () => {
    disk!.fill()
    // Large enough to need new pages of a table; the first few may still find room in those that are there.
    const genes = Array.from({ length: 50_000 }, (_, at) => `gene-${Math.sin(at)}`)
    const save = (language: string) =>
      ask('POST', '/api/account/gene-sets/', reader, { name: 'all', assembly: null, genes }, language)
    await expect.poll(async () => (await save('zh')).status, { timeout: 60_000, interval: 10 }).toBe(503)
    const refused = await save('zh')
    expect(refused.body).toMatchObject({
      success: false,
      errorCode: 'BUSY',
      errorMessage: '服务器磁盘已满，管理员腾出空间之前无法保存任何内容；此后将自动恢复。',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await save('en')).body.errorMessage).toMatch(/^The server’s disk is full: /)
    disk!.giveRoom()
    await expect.poll(async () => (await save('en')).status, { timeout: 60_000 }).toBe(200)
  })

  test('tells on Home of a load that waits for space, to the administrator on which disk; it goes on by itself', async () => {
    disk!.fill(10e6)
    const folder = putFolder('pump')
    await ask('POST', '/api/admin/data/load/', admin, { folder })
    await waitForSpace()
    const { loads: shown } = await home()
    expect(shown).toMatchObject([{ species: 'pump', state: 'waiting', step: 'disk full' }])
    expect(shown[0]!.space!.neededBytes).toBeGreaterThan(shown[0]!.space!.freeBytes!)
    // Where the data lie is for the administrator alone.
    expect(JSON.stringify((await ask('GET', '/api/species/')).body)).not.toContain(bed.config.dataDir)
    expect((await loads())[0]).toMatchObject({ spaceFolder: bed.config.dataDir, startedBy: 'maintainer' })
    disk!.giveRoom()
    await expect.poll(async () => (await loads())[0]!.state, { timeout: 120_000 }).toBe('done')
    expect((await home()).species.map(({ id }) => id)).toEqual(['pump'])
  })

  test('takes up again, after a restart, a load that waited for space', async () => {
    disk!.fill(10e6)
    const folder = putFolder('valve')
    await ask('POST', '/api/admin/data/load/', admin, { folder })
    await waitForSpace()
    // As the server ends: its loads end with it.
    await bed.portal.loads.close()
    expect((await loads())[0]).toMatchObject({ state: 'failed', folder })
    disk!.giveRoom()
    await bed.portal.loads.resume()
    expect((await loads())[0]).toMatchObject({ state: 'waiting', folder, startedBy: 'maintainer' })
    await expect.poll(async () => (await loads())[0]!.state, { timeout: 120_000 }).toBe('done')
    // What has ended well is not taken up once more.
    await bed.portal.loads.resume()
    expect((await loads()).filter((load) => load.folder === folder).length).toBe(2)
  })
})
