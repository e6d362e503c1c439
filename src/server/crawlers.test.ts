import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseXml, type XmlElement } from '../bio/text/xml.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../testing/species.ts'
import { foundPages, mountCrawlers } from './routes/crawlers.ts'

/** An id with every sign that an address or XML gives a meaning of its own. */
const oddId = `gene&<9>"x'+%`
const settings = { NOVODB_PUBLIC_URL: 'https://genomes.example.org', NOVODB_BASE_PATH: '/crop' }
const publicUrl = 'https://genomes.example.org/crop'

let bed: TestApp
let loadedAt = ''
beforeAll(async () => {
  bed = await openTestApp({ settings })
  const id = encodeURIComponent(oddId).replaceAll("'", '%27')
  const folder = makeSpeciesFolder(`${bed.root}/species`, {
    files: { 'genes.gff3': makeGff3([`chr1\tx\tgene\t2001\t2100\t.\t+\t.\tID=${id};biotype=lncRNA`]) },
  })
  expect((await loadTestSpecies(bed.portal.database, bed.dataDir, folder)).ok).toBe(true)
  loadedAt = (await bed.portal.data.listSpecies())[0]!.loadedAt
})
afterAll(() => bed.close())

/** Addresses of a sitemap or an index with their dates; rejects what is no such document. */
const readSitemap = (text: string, root: 'urlset' | 'sitemapindex'): { loc: string; lastmod: string }[] => {
  const document = parseXml(text)
  expect(document.name).toBe(root)
  expect(text).toContain(`<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
  const child = (element: XmlElement, name: string): string => element.children.find((one) => one.name === name)!.text
  return document.children.map((element) => {
    expect(element.name).toBe(root === 'urlset' ? 'url' : 'sitemap')
    return { loc: child(element, 'loc'), lastmod: child(element, 'lastmod') }
  })
}

const get = (url: string) => bed.app.inject({ url })
const sitemap = async (url: string, root: 'urlset' | 'sitemapindex') => {
  const answer = await get(url)
  expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([url, 200, 'application/xml; charset=utf-8'])
  return readSitemap(answer.body, root)
}
/** An address of the sitemap as the portal itself is asked, behind a proxy that gives the path on as it is. */
const pathOf = (address: string): string => {
  expect(address.startsWith(`${publicUrl}/`)).toBe(true)
  return address.slice('https://genomes.example.org'.length)
}

describe('robots.txt', () => {
  test('names the sitemap by its public address and keeps crawlers from what is heavy, under the path of the portal', async () => {
    const answer = await get('/robots.txt')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const lines = answer.body.split('\n')
    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toContain('Disallow: /crop/api/tools/')
    expect(lines).toContain('Disallow: /crop/data/')
    expect(lines).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
    // What pages of genes are drawn with must be readable, or a crawler that draws them sees nothing.
    for (const path of ['/crop/gene', '/crop/api/genes/', '/crop/api/species/'])
      expect(lines.some((line) => line.startsWith('Disallow: ') && path.startsWith(line.slice(10)))).toBe(false)
  })
})

describe('sitemap.xml', () => {
  test('leads to pages, assemblies and every gene, with the date of the release', async () => {
    const index = await sitemap('/crop/sitemap.xml', 'sitemapindex')
    expect(index).toEqual([
      { loc: `${publicUrl}/sitemaps/pages.xml`, lastmod: loadedAt },
      { loc: `${publicUrl}/sitemaps/genes/TM1/1.xml`, lastmod: loadedAt },
    ])
    const pages = await sitemap(pathOf(index[0]!.loc), 'urlset')
    for (const path of ['/home', '/document', '/tools/blast', '/download?species=testus-minimus&assembly=TM1'])
      expect(pages).toContainEqual({ loc: `${publicUrl}${path}`, lastmod: loadedAt })
    const genes = await sitemap(pathOf(index[1]!.loc), 'urlset')
    const ids = genes.map(({ loc }) => new URL(loc).searchParams.get('id')!)
    expect(ids.sort()).toEqual(['TM_0001', 'TM_0002', 'TM_0003', 'TM_0004', 'TM_0005', oddId].sort())
    for (const { loc, lastmod } of genes) {
      expect(lastmod).toBe(loadedAt)
      const { pathname, searchParams } = new URL(loc)
      expect([pathname, searchParams.get('assembly')]).toEqual(['/crop/gene', 'TM1'])
      // Each address is of a gene that there is.
      const gene = await get(`/crop/api/genes/${encodeURIComponent(searchParams.get('id')!)}/?assembly=TM1`)
      expect(gene.statusCode).toBe(200)
    }
  })

  test('is parted: all genes once, in parts that are not too long', async () => {
    const app = Fastify()
    mountCrawlers(app, bed.portal, 4)
    const index = readSitemap((await app.inject('/sitemap.xml')).body, 'sitemapindex')
    expect(index.map(({ loc }) => loc.slice(publicUrl.length))).toEqual([
      '/sitemaps/pages.xml',
      '/sitemaps/genes/TM1/1.xml',
      '/sitemaps/genes/TM1/2.xml',
    ])
    const parts: string[][] = []
    for (const { loc } of index.slice(1))
      parts.push(readSitemap((await app.inject(loc.slice(publicUrl.length))).body, 'urlset').map((one) => one.loc))
    expect(parts.map((part) => part.length)).toEqual([4, 2])
    expect(new Set(parts.flat()).size).toBe(6)
    await app.close()
  })

  test.each([
    '/sitemaps/genes/TM1/2.xml',
    '/sitemaps/genes/TM1/0.xml',
    '/sitemaps/genes/none/1.xml',
    '/sitemaps/genes/TM1/x',
  ])('has no part %s', async (path) => {
    expect((await get(`/crop${path}`)).statusCode).toBe(404)
  })

  test('names pages that there are', () => {
    const table = readFileSync(new URL('../web/shell/route-table.ts', import.meta.url), 'utf8')
    for (const path of foundPages) expect(table).toContain(`{ path: '${path}',`)
  })
})

test('a portal that requires signing in asks crawlers to stay away, and lists nothing', async () => {
  const closed = await openTestApp({ settings: { ...settings, NOVODB_REQUIRE_LOGIN: 'true' } })
  try {
    expect((await closed.app.inject('/robots.txt')).body).toBe('User-agent: *\nDisallow: /crop/\n')
    for (const path of ['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/genes/TM1/1.xml'])
      expect((await closed.app.inject(path)).statusCode).toBe(404)
  } finally {
    await closed.close()
  }
})
