import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { parseRangeHeader, readPieces } from '../../store/byte-range.ts'
import { isProductKind } from '../../store/kept-inputs.ts'
import { StoreError } from '../../store/store-error.ts'
import { beginStream, headersOfFile } from '../answers/begin-stream.ts'
import { readQuery } from '../answers/implement.ts'
import type { Config } from '../config.ts'
import type { Portal } from '../portal.ts'

const contentTypes: [RegExp, string][] = [
  [/\.(fa|fasta|faa|fna)$/, 'text/x-fasta; charset=utf-8'],
  [/\.(tsv|txt|bed|gff3?|gtf|vcf|fai|obo|bib|ris|md)$/, 'text/plain; charset=utf-8'],
  [/\.csv$/, 'text/csv; charset=utf-8'],
  [/\.json$/, 'application/json; charset=utf-8'],
  [/\.gz$/, 'application/gzip'],
]

/** How long an address of the store is good for: to begin a download, which then goes on. */
const signedSeconds = 3600

const contentType = (name: string): string =>
  contentTypes.find(([pattern]) => pattern.test(name))?.[1] ?? 'application/octet-stream'

/**
 * Caching of what a checksum names, which never changes. Where the portal requires signing in, a cache that several readers share
 * must not keep it: it would hand it to whoever asks next (RFC 9111, section 3.5).
 */
export const immutableCaching = ({ requireLogin }: Pick<Config, 'requireLogin'>): string =>
  `${requireLogin ? 'private' : 'public'}, max-age=31536000, immutable`

/** `someRandomSeed` is what igv.js adds to each range that it asks for, against the caches of browsers. */
const fields = z.object({ download: z.string().optional(), someRandomSeed: z.string().optional() })

/** Files of the bundles under /data/: ranges, strong validators, and caching for ever, for a bundle never changes. */
export const mountFiles = (app: FastifyInstance, portal: Portal): void => {
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { download } = readQuery(request, fields)
    const { bundle: uid, '*': path } = request.params as { bundle: string; '*': string }
    const { active } = await portal.data.snapshot()
    const bundle = active.flatMap((species) => species.bundles).find((candidate) => candidate.uid === uid)
    const file = bundle?.summary.files.find((candidate) => candidate.path === path)
    // What a bundle was made of is for the administrator's command alone: there may be more in it than pages show.
    if (bundle === undefined || file === undefined || !isProductKind(file.kind)) throw new PortalError('NOT_FOUND')
    const fileName = path
      .split('/')
      .at(-1)!
      .replace(/[^\w.-]/g, '_')
    const etag = `"${file.sha256}"`
    reply
      .header('Accept-Ranges', 'bytes')
      .header('ETag', etag)
      .header('Cache-Control', immutableCaching(portal.config))
      .header('Content-Type', contentType(path))
      .header('X-Content-Type-Options', 'nosniff')
      // The bytes are what is checked and ranged over: never compressed on the way.
      .header('Content-Encoding', 'identity')
    if (download !== undefined) {
      reply.header('Content-Disposition', `attachment; filename="${fileName}"`)
    }
    const known = request.headers['if-none-match']
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()

    const { objects } = portal.files
    if (request.method === 'GET' && download !== undefined && objects !== null && portal.config.signedDownloads) {
      const address = await objects.signAddress(`bundles/${uid}/${path}`, { seconds: signedSeconds, fileName })
      for (const header of headersOfFile) reply.removeHeader(header)
      return reply.header('Cache-Control', 'no-store').redirect(address, 302)
    }

    // A range asked for with a validator of another version gets the whole file (RFC 9110, section 13.1.5).
    const condition = request.headers['if-range']
    const header = condition === undefined || condition === etag ? request.headers.range : undefined
    const range = parseRangeHeader(header, file.bytes)
    if (range.kind === 'unsatisfiable') {
      reply.header('Content-Range', `bytes */${file.bytes}`)
      throw new PortalError('RANGE_NOT_SATISFIABLE')
    }
    const [start0, end0] = range.kind === 'range' ? [range.start0, range.end0] : [0, file.bytes]
    reply.header('Content-Length', end0 - start0)
    if (range.kind === 'range') {
      reply.code(206).header('Content-Range', `bytes ${start0}-${end0 - 1}/${file.bytes}`)
    }
    if (request.method === 'HEAD') return reply.send()
    const source = await portal.files.open(uid, file).catch((thrown: unknown) => {
      if (thrown instanceof StoreError && thrown.code === 'missing')
        throw new PortalError('NOT_FOUND', { cause: thrown })
      throw thrown
    })
    return reply.send(await beginStream(readPieces(source, start0, end0)))
  }
  // HEAD by name: the one that Fastify derives from GET says a length of 0 unless the file is read.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/data/:bundle/*',
    exposeHeadRoute: false,
    compress: false,
    handler: send,
  })
}
