import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findSequenceByChecksum } from '../../database/sequences.ts'
import { parseRefgetId } from '../../store/checksum.ts'
import { beginStream } from '../answers/begin-stream.ts'
import { unknownFieldProblems } from '../answers/implement.ts'
import { formatText, readLanguage } from '../language.ts'
import type { Portal } from '../portal.ts'
import { immutableCaching } from './files.ts'

/**
 * GA4GH refget v2.0.0 (https://samtools.github.io/hts-specs/refget.html): sequences by checksum. Errors are plain text with the
 * status the specification names; coordinates in its query are 0-based, end excluded, those of the Range header inclusive.
 */
export const mountRefget = (app: FastifyInstance, portal: Portal): void => {
  const { data } = portal
  const sequenceType = 'text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii'
  const metadataType = 'application/vnd.ga4gh.refget.v2.0.0+json'

  const find = async (request: FastifyRequest) => {
    const query = parseRefgetId((request.params as { id: string }).id)
    if (query === null) return null
    const { assemblies } = await data.snapshot()
    const bundles = new Map([...assemblies.values()].map((entry) => [entry.scope.bundle, entry.summary]))
    const row = await findSequenceByChecksum(data.sql, [...bundles.keys()], query.id)
    return row === null ? null : { ...row, assembly: bundles.get(row.bundle)! }
  }
  const refuse = (reply: FastifyReply, status: number, text: string) =>
    reply.code(status).header('Content-Type', 'text/plain; charset=utf-8').send(text)
  /** A mistyped `start` would be answered with every base. */
  const refuseUnknownFields = (fields: z.ZodType) => async (request: FastifyRequest, reply: FastifyReply) => {
    const [problem] = unknownFieldProblems(fields, request.query)
    if (problem === undefined) return
    const language = readLanguage(request.headers['accept-language'])
    return refuse(reply, 400, `Bad Request: ${formatText(language, problem.message, problem.params ?? {})}`)
  }
  const noFields = { preHandler: refuseUnknownFields(z.object({})) }
  const ofSequence = refuseUnknownFields(z.object({ start: z.string(), end: z.string() }))
  /** True when the client accepts one of the types, or says nothing. */
  const accepts = (request: FastifyRequest, ...types: string[]): boolean => {
    const accept = request.headers.accept
    return (
      accept === undefined ||
      accept.split(',').some((part) => ['*/*', 'text/*', ...types].includes(part.split(';')[0]!.trim()))
    )
  }
  const wholeNumber = (text: unknown): number | null =>
    typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null

  app.get('/refget/sequence/service-info', noFields, async (_, reply) =>
    reply.header('Content-Type', metadataType).send({
      id: 'novodb.refget',
      name: portal.config.title,
      type: { group: 'org.ga4gh', artifact: 'refget', version: '2.0.0' },
      organization: { name: portal.config.title, url: portal.config.publicUrl },
      version: portal.version,
      refget: {
        circular_supported: true,
        algorithms: ['md5', 'ga4gh'],
        identifier_types: ['md5', 'ga4gh'],
        subsequence_limit: null,
      },
    }),
  )

  app.get('/refget/sequence/:id/metadata', noFields, async (request, reply) => {
    if (!accepts(request, 'application/json', 'application/vnd.ga4gh.refget.v2.0.0+json', 'application/*')) {
      return refuse(reply, 406, 'Not Acceptable')
    }
    const row = await find(request)
    if (row === null) return refuse(reply, 404, 'Not Found')
    return reply.header('Content-Type', metadataType).send({
      metadata: {
        id: (request.params as { id: string }).id,
        md5: row.md5,
        ga4gh: row.sha512t24u,
        length: row.lengthBp,
        aliases: [row.name, ...row.aliases].map((alias) => ({ alias, naming_authority: row.assembly.id })),
      },
    })
  })

  app.get('/refget/sequence/:id', { compress: false, preHandler: ofSequence }, async (request, reply) => {
    if (!accepts(request, 'text/plain', 'text/vnd.ga4gh.refget.v2.0.0+plain'))
      return refuse(reply, 406, 'Not Acceptable')
    const row = await find(request)
    if (row === null) return refuse(reply, 404, 'Not Found')
    const query = request.query as { start?: string; end?: string }
    const hasQuery = query.start !== undefined || query.end !== undefined
    let [start0, end0] = [0, row.lengthBp]
    let pieces: [number, number][] | null = null
    if (request.headers.range !== undefined) {
      if (hasQuery) return refuse(reply, 400, 'Bad Request: a range and start/end together')
      const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(request.headers.range)
      if (match === null) return refuse(reply, 400, 'Bad Request: range')
      start0 = Number(match[1])
      end0 = Number(match[2]) + 1
      if (start0 >= end0) return refuse(reply, 416, 'Range Not Satisfiable')
      if (start0 >= row.lengthBp) return refuse(reply, 416, 'Range Not Satisfiable')
      end0 = Math.min(end0, row.lengthBp)
      reply.code(206)
    } else if (hasQuery) {
      const start = query.start === undefined ? 0 : wholeNumber(query.start)
      const end = query.end === undefined ? row.lengthBp : wholeNumber(query.end)
      if (start === null || end === null) return refuse(reply, 400, 'Bad Request: start and end are whole numbers')
      if (start >= row.lengthBp || end > row.lengthBp) return refuse(reply, 416, 'Range Not Satisfiable')
      if (start > end) {
        if (!row.circular) return refuse(reply, 416, 'Range Not Satisfiable: not a circular sequence')
        pieces = [
          [start, row.lengthBp],
          [0, end],
        ]
      }
      start0 = start
      end0 = end
    }
    const asked = pieces ?? (start0 < end0 ? [[start0, end0] as [number, number]] : [])
    const length = asked.reduce((sum, [from, to]) => sum + to - from, 0)
    async function* letters() {
      for (const [from, to] of asked) {
        // Refget sequences are upper case whatever the mask of the file.
        for await (const piece of data.streamSequence(row!.assembly.id, row!.name, from + 1, to))
          yield piece.toUpperCase()
      }
    }
    const body = await beginStream(letters())
    reply
      .header('Content-Type', sequenceType)
      .header('Content-Length', length)
      .header('Content-Encoding', 'identity')
      .header('Accept-Ranges', row.circular ? 'none' : 'bytes')
      .header('Cache-Control', immutableCaching(portal.config))
    return reply.send(body)
  })
}
