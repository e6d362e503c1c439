import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { uploadsPath } from '../../contracts/accounts/imports.ts'
import { errorMessages } from '../../contracts/error-messages.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { mountSmallDisk } from '../../testing/small-disk.ts'

// The folder of all imports lies on a disk that can be filled.

const disk = mountSmallDisk(160)
let bed: TestApp
let origin = ''
let admin = ''
beforeAll(async () => {
  if (disk === null) return
  bed = await openTestApp({ settings: { NOVODB_FOLDERS: disk.folder } })
  admin = await bed.signUp('maintainer', 'admin')
  await bed.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(bed.app.server.address() as AddressInfo).port}`
})
afterEach(() => disk?.giveRoom())
afterAll(async () => {
  if (disk === null) return
  await bed.close()
  disk.remove()
})

const piece = 4 * 2 ** 20
const content = Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => `${at}\n`).join('')).subarray(0, 2 * piece)

const headers = { authorization: '', 'tus-resumable': '1.0.0' }
const send = (location: string, offset: number, language: string) => {
  const body = content.subarray(offset, offset + piece)
  return fetch(origin + location, {
    method: 'PATCH',
    headers: {
      ...headers,
      'accept-language': language,
      'upload-offset': String(offset),
      'upload-checksum': `sha256 ${createHash('sha256').update(body).digest('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(body),
  })
}
const offsetOf = async (location: string): Promise<number> =>
  Number((await fetch(origin + location, { method: 'HEAD', headers })).headers.get('upload-offset'))

describe.skipIf(disk === null)('a disk that is full', () => {
  test.each([
    ['en', 0],
    ['zh', 0],
    ['en', 2 ** 20],
    ['zh', 2 ** 20],
  ] as const)(
    'is told in %s with %i bytes left; what had arrived stays, and the upload goes on once there is room',
    async (language, left) => {
      headers.authorization = `Bearer ${admin}`
      const made = await fetch(`${origin}/api/admin/imports/`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ names: ['genome.fa'] }),
      })
      const { id } = ((await made.json()) as { data: { id: string } }).data
      const fields = { import: id, path: 'genome.fa' }
      const metadata = Object.entries(fields).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      const begun = await fetch(origin + uploadsPath, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(content.length), 'upload-metadata': metadata.join(',') },
      })
      expect(begun.status).toBe(201)
      const location = begun.headers.get('location')!
      expect((await send(location, 0, language)).status).toBe(204)
      disk!.fill(left)
      const refused = await send(location, piece, language)
      expect([refused.status, ((await refused.json()) as { errorMessage: string }).errorMessage]).toEqual([
        503,
        errorMessages[language]['error.diskFull'],
      ])
      expect(await offsetOf(location)).toBe(piece)
      disk!.giveRoom()
      expect((await send(location, piece, language)).status).toBe(204)
      expect(readFileSync(join(disk!.folder, id, 'genome.fa')).equals(content)).toBe(true)
    },
    60_000,
  )
})
