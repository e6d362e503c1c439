import type { FastifyInstance } from 'fastify'
import { escapeXml } from '../../bio/text/xml.ts'
import { PortalError } from '../../contracts/errors.ts'
import { listGeneIds } from '../../database/genes.ts'
import { beginStream } from '../answers/begin-stream.ts'
import { refuseAnyQuery } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

/** Most addresses of a sitemap and most sitemaps of an index (https://www.sitemaps.org/protocol.html). */
const sitemapEntries = 50_000

/** Genes asked of the database at once: no connection is held while a slow reader takes what is written. */
const genesAtOnce = 5000

/** Pages that are worth finding, beside those of tools. */
export const foundPages = ['/home', '/tools', '/download', '/document', '/contact']

/**
 * What programs that follow every link should leave alone: computations and files as large as genomes, endless lists of search results, and
 * pages of one's own. The list of tools, which pages are drawn with, is none of it; addresses as the portal has them, without its path.
 */
const left = [
  '/api/tools/',
  '/api/jobs/',
  '/api/search/',
  '/data/',
  '/refget/',
  '/search?',
  '/user/',
  '/users/',
  '/account/',
]

interface Place {
  address: string
  changedAt: string
}

const renderEntry = (element: 'url' | 'sitemap', { address, changedAt }: Place): string =>
  `<${element}><loc>${escapeXml(address)}</loc><lastmod>${changedAt}</lastmod></${element}>\n`

/** A sitemap, or an index of them, piece by piece. */
async function* renderSitemap(
  root: 'urlset' | 'sitemapindex',
  places: Iterable<Place[]> | AsyncIterable<Place[]>,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
  for await (const some of places)
    yield some.map((place) => renderEntry(root === 'urlset' ? 'url' : 'sitemap', place)).join('')
  yield `</${root}>\n`
}

/**
 * `/robots.txt` and `/sitemap.xml`: which addresses there are, by the public address of the portal (NOVODB_PUBLIC_URL) and with the dates of
 * the releases; `entries` of them in one sitemap. A portal that requires signing in asks crawlers to stay away and lists nothing.
 */
export const mountCrawlers = (app: FastifyInstance, portal: Portal, entries = sitemapEntries): void => {
  const { data, config } = portal
  const { publicUrl, basePath, requireLogin } = config

  app.get('/robots.txt', { preHandler: refuseAnyQuery }, async (_, reply) => {
    const lines = requireLogin
      ? ['User-agent: *', `Disallow: ${basePath}/`]
      : [
          'User-agent: *',
          `Allow: ${basePath}/api/tools/$`,
          ...left.map((path) => `Disallow: ${basePath}${path}`),
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
        ]
    return reply.header('Content-Type', 'text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })

  const send = async (root: 'urlset' | 'sitemapindex', places: Iterable<Place[]> | AsyncIterable<Place[]>) =>
    beginStream(renderSitemap(root, places))
  const refuseHidden = (): void => {
    if (requireLogin) throw new PortalError('NOT_FOUND')
  }
  /** Assemblies in service, with the moment since when. */
  const assembliesNow = async () => {
    const { species, assemblies } = await data.snapshot()
    return species.flatMap((one) =>
      one.assemblies.map(({ id, geneCount }) => ({
        id,
        species: one.id,
        changedAt: one.loadedAt,
        geneCount,
        bundle: assemblies.get(id)!.scope.bundle,
      })),
    )
  }
  const latest = (dates: readonly string[]): string => [...dates].sort().at(-1) ?? new Date(0).toISOString()

  app.get('/sitemap.xml', { preHandler: refuseAnyQuery }, async (_, reply) => {
    refuseHidden()
    const assemblies = await assembliesNow()
    const parts = assemblies.flatMap(({ id, geneCount, changedAt }) =>
      Array.from({ length: Math.ceil(geneCount / entries) }, (_, part) => ({
        address: `${publicUrl}/sitemaps/genes/${encodeURIComponent(id)}/${part + 1}.xml`,
        changedAt,
      })),
    )
    const pages = {
      address: `${publicUrl}/sitemaps/pages.xml`,
      changedAt: latest(assemblies.map(({ changedAt }) => changedAt)),
    }
    const body = await send('sitemapindex', [[pages, ...parts].slice(0, entries)])
    return reply.header('Content-Type', 'application/xml; charset=utf-8').send(body)
  })

  app.get('/sitemaps/pages.xml', { preHandler: refuseAnyQuery }, async (_, reply) => {
    refuseHidden()
    const assemblies = await assembliesNow()
    const changedAt = latest(assemblies.map((one) => one.changedAt))
    const routes = [...foundPages, ...portal.tools.flatMap(({ tool }) => [tool.route, `/document/${tool.id}`])]
    // What there is of a release: all files of a species, and of each of its assemblies.
    const species = new Map(assemblies.map((one) => [one.species, one.changedAt]))
    const places = [
      ...routes.map((route) => ({ address: `${publicUrl}${route}`, changedAt })),
      ...[...species].map(([id, changed]) => ({
        address: `${publicUrl}/download?${new URLSearchParams({ species: id })}`,
        changedAt: changed,
      })),
      ...assemblies.map((one) => ({
        address: `${publicUrl}/download?${new URLSearchParams({ species: one.species, assembly: one.id })}`,
        changedAt: one.changedAt,
      })),
    ]
    const body = await send('urlset', [places.slice(0, entries)])
    return reply.header('Content-Type', 'application/xml; charset=utf-8').send(body)
  })

  app.get('/sitemaps/genes/:assembly/:part', { preHandler: refuseAnyQuery }, async (request, reply) => {
    refuseHidden()
    const { assembly: id, part: name } = request.params as { assembly: string; part: string }
    const part = Number(/^([1-9]\d{0,5})\.xml$/.exec(name)?.[1])
    const assembly = (await assembliesNow()).find((one) => one.id === id)
    if (assembly === undefined || !(part <= Math.ceil(assembly.geneCount / entries))) throw new PortalError('NOT_FOUND')
    const { bundle, changedAt } = assembly
    const to = Math.min(part * entries, assembly.geneCount)
    async function* places(): AsyncGenerator<Place[]> {
      for (let from = (part - 1) * entries; from < to; from += genesAtOnce) {
        const ids = await listGeneIds(data.sql, bundle, from, Math.min(to, from + genesAtOnce))
        yield ids.map((gene) => ({
          address: `${publicUrl}/gene?${new URLSearchParams({ id: gene, assembly: id })}`,
          changedAt,
        }))
      }
    }
    return reply.header('Content-Type', 'application/xml; charset=utf-8').send(await send('urlset', places()))
  })
}
