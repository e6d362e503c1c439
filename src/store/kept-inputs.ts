import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, createGzip, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { isSafeRelativePath } from './byte-range.ts'
import { openSink } from './file-sink.ts'
import { asStoreError, StoreError } from './store-error.ts'

// What a bundle was baked of is kept in it, so that a species can be given away as it was given:
//   inputs/list.json   which files, by the names that the manifest has for them
//   inputs/content     their bytes one after the other; a file that is in the bundle as a product already is not kept again

/** Paths in a bundle. */
export const keptInputFiles = { list: 'inputs/list.json', content: 'inputs/content' } as const

/** The kind of both files. They are no products: the checksum of a bundle's content leaves them out. */
export const keptInputKind = 'inputs'
/** Of the journals of the parts that a bundle was made in (see `KeptParts`). */
export const keptPartKind = 'part'
/** Whether a file of a bundle is what was computed, and not what the portal keeps to load or export again. */
export const isProductKind = (kind: string): boolean => kind !== keptInputKind && kind !== keptPartKind

const storedSchema = z.union([
  z.object({ product: z.string().refine(isSafeRelativePath) }),
  z.object({ start0: z.int().nonnegative(), end0: z.int().nonnegative(), gzip: z.boolean() }),
])

const inputSchema = z.object({
  name: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  stored: storedSchema,
})

const listSchema = z.object({ files: z.array(inputSchema) })

/** A file that a bundle was baked of, and where in the bundle its bytes are. */
export type KeptInput = z.infer<typeof inputSchema>

const probeBytes = 2 ** 20
const pieceBytes = 2 ** 20
/** Texts shrink to a third at a hundred megabytes a second; higher levels take a tenth off that in twice the time and more. */
const gzipLevel = 1
/** What is compressed already (BAM, BigWig, .gz) is kept as it is. */
const worthwhile = 0.8

const isCompressible = async (file: string): Promise<boolean> => {
  const handle = await open(file, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(probeBytes), 0, probeBytes, 0)
    return gzipSync(buffer.subarray(0, bytesRead), { level: gzipLevel }).length < worthwhile * bytesRead
  } finally {
    await handle.close()
  }
}

/**
 * Writes inputs into a bundle that is being made. `sha256` is what was read of a file before it was baked: one that has another
 * meanwhile is not what the products were made of, and its name is given back. Equal files are kept once.
 */
export const writeKeptInputs = async (options: {
  folder: string
  inputs: readonly { name: string; file: string; sha256: string }[]
  /** Paths of files in the bundle by their SHA-256. */
  products: ReadonlyMap<string, string>
  signal: AbortSignal
  onBytes(bytes: number): void
}): Promise<{ changed: string | null }> => {
  const { folder, signal } = options
  const list: KeptInput[] = []
  const known = new Map<string, Pick<KeptInput, 'stored' | 'bytes'>>()
  const contentFile = join(folder, keptInputFiles.content)
  await mkdir(dirname(contentFile), { recursive: true })
  const content = await openSink(contentFile)
  let at = 0
  try {
    for (const { name, file, sha256 } of options.inputs) {
      let kept = known.get(sha256)
      if (kept === undefined) {
        const product = options.products.get(sha256)
        const gzip = product === undefined && (await isCompressible(file))
        const start0 = at
        const hash = createHash('sha256')
        let bytes = 0
        async function* read(): AsyncGenerator<Buffer> {
          for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
            signal.throwIfAborted()
            hash.update(piece as Buffer)
            bytes += (piece as Buffer).length
            options.onBytes((piece as Buffer).length)
            yield piece as Buffer
          }
        }
        const plain = Readable.from(read(), { objectMode: false })
        const stream = gzip ? plain.compose(createGzip({ level: gzipLevel })) : plain
        for await (const piece of stream) {
          if (product !== undefined) continue
          await content.write(piece as Buffer)
          at += (piece as Buffer).length
        }
        if (hash.digest('hex') !== sha256) return { changed: name }
        kept = { bytes, stored: product === undefined ? { start0, end0: at, gzip } : { product } }
        known.set(sha256, kept)
      }
      list.push({ name, sha256, ...kept })
    }
    await content.end()
  } catch (thrown) {
    throw asStoreError(thrown, contentFile)
  } finally {
    await content.discard()
  }
  await writeFile(join(folder, keptInputFiles.list), JSON.stringify({ files: list }))
  return { changed: null }
}

/** The list of a bundle, from its file. */
export const readKeptInputs = async (file: string): Promise<KeptInput[]> => {
  const parsed = listSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new StoreError('corrupt', file, z.prettifyError(parsed.error))
  return parsed.data.files
}

/** The bytes of an input as they were given; `folder` is the bundle's, with the file that has them. */
export const openKeptInput = (folder: string, { stored }: KeptInput): Readable => {
  if ('product' in stored) return createReadStream(join(folder, stored.product), { highWaterMark: pieceBytes })
  if (stored.start0 === stored.end0) return Readable.from([])
  const bytes = createReadStream(join(folder, keptInputFiles.content), {
    start: stored.start0,
    end: stored.end0 - 1,
    highWaterMark: pieceBytes,
  })
  return stored.gzip ? bytes.compose(createGunzip()) : bytes
}
