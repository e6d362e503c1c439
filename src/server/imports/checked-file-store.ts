import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, type Hash } from 'node:crypto'
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'

/** What a request says of its piece: the header `Upload-Checksum` of the protocol's extension. */
const expected = new AsyncLocalStorage<string | undefined>()

/** Runs what answers a request, whose piece counts only if it has the checksum that its header gives. */
export const expectChecksum = <T>(header: string | string[] | undefined, work: () => Promise<T>): Promise<T> =>
  expected.run(typeof header === 'string' ? header : undefined, work)

/** Beside an upload: where the piece begins that has not been compared yet. */
export const pieceNote = (id: string): string => `${id}.piece`

// As the extension has them.
const badRequest = { status_code: 400, body: 'Upload-Checksum must be sha256 and the digest in Base64\n' }
const mismatch = { status_code: 460, body: 'Checksum Mismatch\n' }

const readDigest = (header: string): Buffer => {
  const [, digest] = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(header) ?? []
  if (digest === undefined) throw badRequest
  return Buffer.from(digest, 'base64')
}

/**
 * Uploads whose pieces are compared before they count: one that differs, or that was cut off with the line or the server, is as if it
 * had never been sent. A client that gives no checksums keeps what had come.
 */
export class CheckedFileStore extends FileStore {
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const header = expected.getStore()
    const file = join(this.directory, id)
    // Behind it lies what was not compared.
    if ((await stat(file)).size > offset) await truncate(file, offset)
    const note = join(this.directory, pieceNote(id))
    if (header === undefined) {
      // A piece that was cut off with its server began here: what comes now is not it.
      await rm(note, { force: true })
      return super.write(readable, id, offset)
    }
    const digest = readDigest(header)
    await writeFile(note, String(offset)).catch(async (error: unknown) => {
      await rm(note, { force: true })
      throw error
    })
    const hash = createHash('sha256')
    const end = await super.write(readable.pipe(hashing(hash, readable)), id, offset)
    if (!hash.digest().equals(digest)) {
      await truncate(file, offset)
      await rm(note, { force: true })
      throw mismatch
    }
    await rm(note, { force: true })
    return end
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await super.getUpload(id)
    const begun = await readFile(join(this.directory, pieceNote(id)), 'utf8').catch(() => null)
    // One that is empty was made on a full disk, before anything of its piece was written: what had come before it counts.
    if (begun !== null && /^\d+$/.test(begun)) upload.offset = Math.min(upload.offset, Number(begun))
    return upload
  }

  override async remove(id: string): Promise<void> {
    await super.remove(id)
    await rm(join(this.directory, pieceNote(id)), { force: true })
  }
}

/** Passes a stream on and hashes it; what breaks the source breaks it too. */
const hashing = (hash: Hash, source: Readable): Transform => {
  const passing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  source.once('error', (error) => passing.destroy(error))
  return passing
}
