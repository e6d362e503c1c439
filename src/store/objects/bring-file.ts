import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { requireDiskSpace } from '../disk-space.ts'
import type { FileFacts } from '../portal-files.ts'
import { asStoreError, StoreError } from '../store-error.ts'
import type { ObjectStore } from './object-store.ts'

/** Who brings a file touches its lock at least this often, or has ended. */
const lockIdleMs = 30_000

/** Whether a file is here whole, by its size. */
export const isWhole = async (file: string, bytes: number): Promise<boolean> =>
  (await stat(file).catch(() => null))?.size === bytes

/**
 * Brings objects to files, each by one process at a time, whichever process of this host asks: `<hash>.lock` in `fetching` says that
 * somebody does, `<hash>.part` has the bytes so far. A process that ends on the way leaves its part, and the next one goes on from there:
 * processes for answers are ended when an answer takes too long. A process that hung and wakes writes the very bytes that are
 * there already, for objects never change, and gives up when the lock is not its own any more.
 */
export const createFileBringer = (options: {
  dataDir: string
  fetching: string
  objects: ObjectStore
  signal: AbortSignal
}) => {
  const { dataDir, fetching, objects, signal } = options

  /** The token of the lock that was taken; null when another has it. */
  const takeLock = async (lock: string): Promise<string | null> => {
    const token = randomUUID()
    try {
      await writeFile(lock, token, { flag: 'wx' })
      return token
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw asStoreError(thrown, lock)
    }
    const idleMs = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (idleMs > lockIdleMs) await rm(lock, { force: true })
    return null
  }
  const holds = async (lock: string, token: string): Promise<boolean> =>
    (await readFile(lock, 'utf8').catch(() => '')) === token

  /** Goes on with a part until it is whole, and checks it. Resolves to false when it was not what it should be, and is gone. */
  const fill = async (key: string, part: string, { bytes, sha256 }: FileFacts): Promise<boolean> => {
    const handle = await open(part, 'a+')
    try {
      const hash = createHash('sha256')
      let at = 0
      for await (const piece of handle.createReadStream({ start: 0, autoClose: false })) {
        hash.update(piece as Buffer)
        at += (piece as Buffer).length
      }
      for await (const piece of objects.read(key, Math.min(at, bytes), bytes, signal)) {
        await handle.write(piece)
        hash.update(piece)
        at += piece.length
      }
      if (at === bytes && hash.digest('hex') === sha256) {
        await handle.sync()
        return true
      }
    } finally {
      await handle.close()
    }
    await rm(part, { force: true })
    return false
  }

  return async (file: string, key: string, facts: FileFacts): Promise<void> => {
    const name = path.join(fetching, createHash('sha256').update(key).digest('hex'))
    const [lock, part] = [`${name}.lock`, `${name}.part`]
    await mkdir(fetching, { recursive: true })
    for (; !(await isWhole(file, facts.bytes)); ) {
      signal.throwIfAborted()
      const token = await takeLock(lock)
      if (token === null) {
        await pause(100)
        continue
      }
      const breathing = setInterval(
        () => void utimes(lock, new Date(), new Date()).catch(() => undefined),
        lockIdleMs / 3,
      )
      try {
        if (await isWhole(file, facts.bytes)) return
        await requireDiskSpace(dataDir, facts.bytes)
        // What was left by a process that was killed while it wrote may be damaged: then once more from the beginning.
        if (!(await fill(key, part, facts)) && !(await fill(key, part, facts)))
          throw new StoreError('corrupt', `${objects.name}: ${key}`, 'does not have the checksum that it was kept with')
        // Another has taken over from a process that hung: it is its to put into place.
        if (!(await holds(lock, token))) continue
        await chmod(part, 0o444)
        await mkdir(path.dirname(file), { recursive: true })
        await rename(part, file)
      } catch (thrown) {
        throw asStoreError(thrown, file)
      } finally {
        clearInterval(breathing)
        if (await holds(lock, token)) await rm(lock, { force: true })
      }
    }
  }
}
