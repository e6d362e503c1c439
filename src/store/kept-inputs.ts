import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, createGzip, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { isSafeRelativePath } from './byte-range.ts'
import { openSink } from './file-sink.ts'
import { asStoreError, StoreError } from './store-error.ts'

// What a bundle was baked of is kept in it, so that a species can be given away as it was given:
//   inputs/list.json   which files, by the names that the manifest has for them
//   inputs/SHA-256     the bytes of each, with .gz where they are compressed; a file that is in the bundle as a product already is not
//                      kept again, and one that an earlier bundle keeps is linked

/** Paths in a bundle; `content` has the inputs of older bundles one after the other. */
export const keptInputFiles = { list: 'inputs/list.json', content: 'inputs/content' } as const

/** Paths that a file of this checksum may be kept at. */
export const keptInputPaths = (sha256: string): string[] => [`inputs/${sha256}`, `inputs/${sha256}.gz`]
const isGzip = (path: string): boolean => path.endsWith('.gz')

/** The kind of both files. They are no products: the checksum of a bundle's content leaves them out. */
export const keptInputKind = 'inputs'
/** Of the journals of the parts that a bundle was made in (see `KeptParts`). */
export const keptPartKind = 'part'
/** Whether a file of a bundle is what was computed, and not what the portal keeps to load or export again. */
export const isProductKind = (kind: string): boolean => kind !== keptInputKind && kind !== keptPartKind

const storedSchema = z.union([
  z.object({ product: z.string().refine(isSafeRelativePath) }),
  z.object({ file: z.string().refine(isSafeRelativePath) }),
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
 * meanwhile is not what the products were made of, and its name is given back. Equal files are kept once; `paths` are those of what was
 * written or taken.
 */
export const writeKeptInputs = async (options: {
  folder: string
  inputs: readonly { name: string; file: string; sha256: string }[]
  /** Paths of files in the bundle by their SHA-256. */
  products: ReadonlyMap<string, string>
  /** Whether a file is as it was when it was read, without reading it. */
  isUntouched(file: string): Promise<boolean>
  /** Takes what an earlier bundle keeps of this checksum, and gives its path; null where none does. */
  take(sha256: string): Promise<string | null>
  signal: AbortSignal
  onBytes(bytes: number): void
}): Promise<{ changed: string | null; paths: string[] }> => {
  const { folder, signal } = options
  const list: KeptInput[] = []
  const paths: string[] = []
  const known = new Map<string, Pick<KeptInput, 'stored' | 'bytes'>>()
  await mkdir(dirname(join(folder, keptInputFiles.list)), { recursive: true })
  for (const { name, file, sha256 } of options.inputs) {
    let kept = known.get(sha256)
    if (kept === undefined) {
      const product = options.products.get(sha256)
      const taken = product === undefined ? await options.take(sha256) : null
      let bytes = 0
      let path = taken
      if ((product !== undefined || taken !== null) && (await options.isUntouched(file))) {
        bytes = (await stat(file)).size
        options.onBytes(bytes)
      } else {
        const hash = createHash('sha256')
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
        if (product !== undefined || taken !== null) for await (const _ of plain);
        else {
          path = keptInputPaths(sha256)[(await isCompressible(file)) ? 1 : 0]!
          const sink = await openSink(join(folder, path))
          try {
            for await (const piece of isGzip(path) ? plain.compose(createGzip({ level: gzipLevel })) : plain)
              await sink.write(piece as Buffer)
            await sink.end()
          } catch (thrown) {
            throw asStoreError(thrown, sink.file)
          } finally {
            await sink.discard()
          }
        }
        if (hash.digest('hex') !== sha256) return { changed: name, paths }
      }
      if (path !== null) paths.push(path)
      kept = { bytes, stored: product === undefined ? { file: path! } : { product } }
      known.set(sha256, kept)
    }
    list.push({ name, sha256, ...kept })
  }
  await writeFile(join(folder, keptInputFiles.list), JSON.stringify({ files: list }))
  return { changed: null, paths: [...paths, keptInputFiles.list] }
}

/** The list of a bundle, from its file. */
export const readKeptInputs = async (file: string): Promise<KeptInput[]> => {
  const parsed = listSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new StoreError('corrupt', file, z.prettifyError(parsed.error))
  return parsed.data.files
}

/** The file of the bundle that has the bytes of an input. */
export const keptInputFile = ({ stored }: KeptInput): string =>
  'product' in stored ? stored.product : 'file' in stored ? stored.file : keptInputFiles.content

/** The bytes of an input as they were given; `folder` is the bundle's, with the file that has them. */
export const openKeptInput = (folder: string, input: KeptInput): Readable => {
  const { stored } = input
  const isRange = 'start0' in stored
  if (isRange && stored.start0 === stored.end0) return Readable.from([])
  const bytes = createReadStream(join(folder, keptInputFile(input)), {
    ...(isRange ? { start: stored.start0, end: stored.end0 - 1 } : {}),
    highWaterMark: pieceBytes,
  })
  const compressed = isRange ? stored.gzip : 'file' in stored && isGzip(stored.file)
  return compressed ? bytes.compose(createGunzip()) : bytes
}
