import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { openByteSource } from '../../store/byte-range.ts'
import { RecentAnswers } from '../recent-answers.ts'

// Values of one file that are read one by one: gzip members one after the other, each JSON, and in a second file where each stands.

const compress = promisify(gzip)
const decompress = promisify(gunzip)

type Index = Record<string, [offset: number, length: number]>
const indexSchema = z.record(z.string(), z.tuple([z.number(), z.number()]))

/** Writes members one after the other; `finish` gives the index. */
export const createMemberWriter = (write: (bytes: Uint8Array) => Promise<void>) => {
  const index: Index = {}
  let offset = 0
  return {
    add: async (key: string, value: unknown): Promise<void> => {
      const bytes = await compress(JSON.stringify(value))
      await write(bytes)
      index[key] = [offset, bytes.length]
      offset += bytes.length
    },
    finish: (): string => JSON.stringify(index),
  }
}

/** Members lately read, of any release: files do not change. */
const members = new RecentAnswers<unknown>(60)
const keep = <T>(key: string, read: () => Promise<T>): Promise<T> => members.get(key, read) as Promise<T>

const readPart = async (path: string, offset: number, length: number): Promise<Buffer> => {
  const file = await openByteSource(path)
  try {
    return await file.read(offset, offset + length)
  } finally {
    await file.close()
  }
}

/** Reads members by their keys; null where there is none of that key. */
export const openMembers = async (
  file: string,
  indexFile: string,
): Promise<{ read<T>(key: string): Promise<T | null> }> => {
  const index = await keep(indexFile, async () => indexSchema.parse(JSON.parse(await readFile(indexFile, 'utf8'))))
  return {
    read: async <T>(key: string): Promise<T | null> => {
      const place = index[key]
      if (place === undefined) return null
      return keep(`${file} ${key}`, async () => {
        const bytes = await readPart(file, place[0], place[1])
        return JSON.parse((await decompress(bytes)).toString('utf8')) as T
      })
    },
  }
}
