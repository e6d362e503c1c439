import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { StoreError } from '../store-error.ts'
import type { ListedObject, ObjectStore, ObjectStoreSettings } from './object-store.ts'

/** A connection on which nothing has come for so long is taken for lost. */
const idleMs = 20_000
/** What S3 gives at most of a list (ListObjectsV2). */
const keysAtOnce = 1_000
const deletionsAtOnce = 8
/** Larger files go in parts, which are held in memory; S3 takes 10,000 of a file. */
const partBytes = 16 * 1024 ** 2
const maxParts = 9_000

const statusOf = (thrown: unknown): number | undefined =>
  (thrown as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error ? ('code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name) : ''

/** Of the client library, and of the file system (errno(3)); those of a connection, such as ECONNRESET, are not among them. */
const finalCodes = new Set(['CredentialsProviderError', 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EIO'])

const isMissing = (thrown: unknown): boolean => statusOf(thrown) === 404 && codeOf(thrown) !== 'NoSuchBucket'

/**
 * Failures that another try does not change: what was asked is wrong, or nobody may ask it (not too many requests, nor timeouts); there
 * are no credentials; or the local file cannot be read.
 */
const isFinal = (thrown: unknown): boolean => {
  const status = statusOf(thrown)
  if (status !== undefined) return status >= 400 && status < 500 && status !== 408 && status !== 429
  return finalCodes.has(codeOf(thrown))
}

/**
 * Opens a bucket of a store that speaks S3. Checksums of the protocol are left out where they are not required, for stores that do
 * not know the newer ones refuse them; what is fetched is checked against its own SHA-256 anyway. The library is loaded here alone, so
 * that a portal without a store has nothing of it.
 */
export const openS3Store = async (
  settings: ObjectStoreSettings,
  { patienceMs }: { patienceMs: number },
): Promise<ObjectStore> => {
  const s3 = await import('@aws-sdk/client-s3')
  const { bucket: Bucket, prefix, endpoint, region, pathStyle, credentials } = settings
  const config: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      // Not requestTimeout, which by default only warns, and counts what is being sent as silence.
      socketTimeout: Math.min(idleMs, patienceMs),
      httpsAgent: { maxSockets: 64 },
      httpAgent: { maxSockets: 64 },
    },
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  }
  const client: S3Client = new s3.S3Client(config)
  const name = `s3://${Bucket}/${prefix}`
  const keyOf = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`)
  const relative = (key: string): string => (prefix === '' ? key : key.slice(prefix.length + 1))
  const missing = (key: string): StoreError => new StoreError('missing', `${name}: ${key}`, 'no such object')
  const refused = (key: string, cause: unknown): StoreError =>
    new StoreError('store-refused', `${name}: ${key}`, `the object store refuses: ${codeOf(cause)}`, { cause })
  const away = (key: string, cause: unknown): StoreError =>
    new StoreError('store-away', `${name}: ${key}`, `the object store does not answer (${codeOf(cause)})`, { cause })

  /** Beyond the library's own three attempts within a second or two. */
  const patiently = async <T>(key: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const deadline = performance.now() + patienceMs
    for (let waitMs = 500; ; waitMs = Math.min(5_000, waitMs * 2)) {
      try {
        return await call()
      } catch (thrown) {
        signal?.throwIfAborted()
        if (isMissing(thrown)) throw missing(key)
        if (isFinal(thrown)) throw refused(key, thrown)
        if (performance.now() + waitMs > deadline) throw away(key, thrown)
        await pause(waitMs)
      }
    }
  }

  async function* list(begin: string, delimiter?: string) {
    let token: string | undefined
    do {
      const page = await patiently(begin, () =>
        client.send(
          new s3.ListObjectsV2Command({
            Bucket,
            Prefix: keyOf(begin),
            MaxKeys: keysAtOnce,
            ...(delimiter === undefined ? {} : { Delimiter: delimiter }),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        ),
      )
      yield page
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  return {
    name,
    findBytes: async (key) => {
      try {
        const found = await patiently(key, () => client.send(new s3.HeadObjectCommand({ Bucket, Key: keyOf(key) })))
        return found.ContentLength ?? 0
      } catch (thrown) {
        if (thrown instanceof StoreError && thrown.code === 'missing') return null
        throw thrown
      }
    },
    putFile: (key, file, signal) =>
      patiently(
        key,
        async () => {
          signal?.throwIfAborted()
          const { size: bytes } = await stat(file)
          const { Upload } = await import('@aws-sdk/lib-storage')
          const upload = new Upload({
            client,
            params: { Bucket, Key: keyOf(key), Body: createReadStream(file) },
            queueSize: 2,
            partSize: Math.max(partBytes, Math.ceil(bytes / maxParts)),
          })
          const stop = (): void => void upload.abort()
          signal?.addEventListener('abort', stop, { once: true })
          try {
            await upload.done()
          } finally {
            signal?.removeEventListener('abort', stop)
          }
        },
        signal,
      ),
    read: async function* (key, start0, end0, signal) {
      let at = start0
      let deadline = performance.now() + patienceMs
      for (let waitMs = 500; at < end0; waitMs = Math.min(5_000, waitMs * 2)) {
        try {
          const { Body, ContentRange } = await client.send(
            new s3.GetObjectCommand({ Bucket, Key: keyOf(key), Range: `bytes=${at}-${end0 - 1}` }),
            signal === undefined ? {} : { abortSignal: signal },
          )
          // Where the answer begins: a store may send more than the range, or the whole (RFC 9110, section 14.2).
          let from = Number(/^bytes (\d+)-/.exec(ContentRange ?? '')?.[1] ?? 0)
          if (from > at)
            throw new StoreError('corrupt', `${name}: ${key}`, 'the object store sent other bytes than were asked for')
          for await (const piece of Body as AsyncIterable<Uint8Array>) {
            const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
            const wanted = bytes.subarray(Math.max(0, at - from), Math.max(0, end0 - from))
            from += bytes.length
            deadline = performance.now() + patienceMs
            waitMs = 500
            if (wanted.length === 0) continue
            at += wanted.length
            yield wanted
            if (at >= end0) break
          }
          if (at < end0) throw new Error('the connection ended early')
        } catch (thrown) {
          signal?.throwIfAborted()
          if (thrown instanceof StoreError) throw thrown
          if (isMissing(thrown)) throw missing(key)
          if (isFinal(thrown)) throw refused(key, thrown)
          if (performance.now() + waitMs > deadline) throw away(key, thrown)
          await pause(waitMs)
        }
      }
    },
    list: async function* (begin) {
      for await (const page of list(begin))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined)
            yield { key: relative(Key), bytes: Size ?? 0, modified: LastModified ?? new Date() } satisfies ListedObject
    },
    listFolders: async function* (begin) {
      for await (const page of list(begin, '/'))
        for (const { Prefix } of page.CommonPrefixes ?? [])
          if (Prefix !== undefined) yield relative(Prefix).slice(begin.length, -1)
    },
    delete: async (keys) => {
      // One by one: DeleteObjects needs a checksum, of which some stores know the older kind alone and others the newer.
      const waiting = keys.values()
      const remove = async (): Promise<void> => {
        for (const key of waiting)
          await patiently(key, () => client.send(new s3.DeleteObjectCommand({ Bucket, Key: keyOf(key) }))).catch(
            (thrown: unknown) => {
              if (!(thrown instanceof StoreError && thrown.code === 'missing')) throw thrown
            },
          )
      }
      await Promise.all(Array.from({ length: deletionsAtOnce }, remove))
    },
    signAddress: async (key, { seconds, fileName }) => {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      return getSignedUrl(
        client,
        new s3.GetObjectCommand({
          Bucket,
          Key: keyOf(key),
          ResponseContentDisposition: `attachment; filename="${fileName}"`,
        }),
        { expiresIn: seconds },
      )
    },
    close: () => client.destroy(),
  }
}
