import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listDownloads } from '../contracts/downloads.ts'
import { failureSchema } from '../contracts/endpoint.ts'
import { getGene, listGenesInRegion, resolveGenes } from '../contracts/genes.ts'
import { search, suggest } from '../contracts/search.ts'
import { getAssemblyOverview, listSequences, listSpecies } from '../contracts/species.ts'
import { getJob, listTools } from '../contracts/tools/jobs.ts'
import { countWords } from '../database/search/search.ts'
import { runWorker } from '../jobs/worker.ts'
import { runTool } from '../kit/run-tool.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { makeGenome } from '../testing/species.ts'
import { mountedEndpoints } from './answers/implement.ts'
import { answerBounds } from './answers/tool-tasks.ts'
import { buildApp } from './app.ts'

let bed: TestApp
const genome = makeGenome()
beforeAll(async () => {
  bed = await openTestApp({ species: true })
})
afterAll(() => bed.close())

const get = (url: string, headers: Record<string, string> = {}) => bed.app.inject({ url, headers })
const post = (url: string, payload: InjectOptions['payload'], headers: Record<string, string> = {}) =>
  bed.app.inject({ method: 'POST', url, payload, headers })
/** Lets a worker run until a job has ended; resolves to the stream of the job's events. */
const workUntilDone = async (id: string) => {
  const controller = new AbortController()
  const { portal, dataDir } = bed
  const working = runWorker({
    database: { sql: portal.database.sql },
    files: portal.files,
    concurrency: 1,
    signal: controller.signal,
    log: { info() {}, warn() {}, error() {} },
    pollMs: 500,
    runTool: (run) =>
      runTool(portal.tools.find((tool) => tool.id === run.tool)!.engine, {
        input: run.input,
        data: portal.data,
        directory: run.directory,
        dataDir,
        searchPath: bed.config.searchPath,
        programs: portal.programs,
        portalVersion: portal.version,
        signal: run.signal,
        bounds: answerBounds(bed.config),
        onProgress: run.progress,
      }),
  })
  try {
    return await get(`/api/jobs/${id}/events`)
  } finally {
    controller.abort()
    await working
  }
}

const dataOf = async (url: string) => {
  const answer = await get(url)
  expect([url, answer.statusCode]).toEqual([url, 200])
  const body = answer.json()
  expect(body.success).toBe(true)
  return body.data
}
const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }

describe('the envelope', () => {
  test('of a failure has a stable code and a sentence in the reader’s language', async () => {
    const en = await get('/api/genes/NO_SUCH/')
    const zh = await get('/api/genes/NO_SUCH/', chinese)
    expect([en.statusCode, zh.statusCode]).toEqual([404, 404])
    expect(failureSchema.parse(en.json())).toMatchObject({
      errorCode: 'UNKNOWN_GENE',
      errorMessage: 'No gene named “NO_SUCH” was found.',
      showType: 2,
    })
    expect(failureSchema.parse(zh.json())).toMatchObject({
      errorCode: 'UNKNOWN_GENE',
      errorMessage: '未找到名为“NO_SUCH”的基因。',
    })
    expect(en.json().details.requestId).toBe(en.headers['x-request-id'])
  })

  test('names each wrong field of an input', async () => {
    const answer = await get('/api/search/?q=a&page=0&pageSize=x', chinese)
    expect(answer.statusCode).toBe(400)
    const body = failureSchema.parse(answer.json())
    expect(body.errorCode).toBe('INVALID_INPUT')
    expect(body.details?.problems?.map((problem) => problem.path)).toEqual([['page'], ['pageSize']])
    expect(body.details?.problems?.[0]?.message).toBe('不得小于 1。')
  })

  test('holds for broken JSON, a list for an object, a body too large, a wrong media type and an unknown path', async () => {
    const json = { 'content-type': 'application/json' }
    const cases: [string, Awaited<ReturnType<typeof post>>, number, string][] = [
      ['broken', await post('/api/genes/resolve/', '{"ids":[', json), 400, 'INVALID_INPUT'],
      ['list', await post('/api/genes/resolve/', '[1]', json), 400, 'INVALID_INPUT'],
      ['large', await post('/api/genes/resolve/', { ids: ['x'.repeat(1_100_000)] }), 413, 'TOO_LARGE'],
      ['media', await post('/api/genes/resolve/', 'ids=1', { 'content-type': 'text/csv' }), 400, 'INVALID_INPUT'],
      ['path', await get('/api/no-such/'), 404, 'NOT_FOUND'],
      ['method', await bed.app.inject({ method: 'PUT', url: '/api/species/' }), 404, 'NOT_FOUND'],
      ['tool', await post('/api/tools/no-such/', {}), 404, 'NOT_FOUND'],
      ['assembly', await get('/api/genes/abcA/?assembly=XX'), 404, 'UNKNOWN_ASSEMBLY'],
      ['sequence', await get('/api/genes/?assembly=TM1&sequence=chr9&start=1&end=2'), 404, 'UNKNOWN_SEQUENCE'],
      // Beyond what any chromosome has, and beyond what the database counts with.
      ['end', await get('/api/genes/?assembly=TM1&sequence=chr1&start=1&end=2147483648'), 400, 'INVALID_INPUT'],
      ['start', await get('/api/genes/?assembly=TM1&sequence=plasmid&start=1e15&end=1e15'), 400, 'INVALID_INPUT'],
    ]
    for (const [what, answer, status, code] of cases) {
      expect([what, answer.statusCode]).toEqual([what, status])
      expect([what, failureSchema.parse(answer.json()).errorCode]).toEqual([what, code])
    }
  })

  test('never shows the text of a defect of ours, nor lets a null byte become one', async () => {
    for (const url of [
      '/api/genes/a%00b/',
      '/api/search/?q=a%00b',
      '/api/search/suggest/?q=%00',
      "/api/search/?q=';drop table genes;--",
    ]) {
      const answer = await get(url)
      expect([url, answer.statusCode < 500]).toEqual([url, true])
    }
  })

  test('holds for an address that cannot be decoded, a body nested without end, and a packed one', async () => {
    const bad = await get('/api/genes/%ff/', chinese)
    expect([bad.statusCode, failureSchema.parse(bad.json()).errorCode]).toEqual([400, 'INVALID_INPUT'])
    expect(bad.headers['x-request-id']).toBe(bad.json().details.requestId)
    const json = { 'content-type': 'application/json' }
    const deep = await post('/api/genes/resolve/', `{"ids":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, json)
    expect([deep.statusCode, deep.json().errorCode]).toEqual([400, 'INVALID_INPUT'])
    const nullByte = await post('/api/genes/resolve/', '{"ids":["fine",{"deeper":["\\u0000"]}]}', json)
    expect(nullByte.json().details.problems[0].path).toEqual(['ids', 1, 'deeper', 0])
    const packed = await post('/api/genes/resolve/', gzipSync('{"ids":["abcA"]}'), {
      ...json,
      'content-encoding': 'gzip',
    })
    expect([packed.statusCode, packed.json().errorCode]).toEqual([400, 'INVALID_INPUT'])
  })

  test('health says that the database answers and how much is loaded', async () => {
    expect((await get('/api/health/')).json()).toMatchObject({ success: true, data: { status: 'ok', loaded: 1 } })
  })
})

describe('behind reverse proxies', () => {
  test.each([
    ['0', '127.0.0.1'],
    ['1', '203.0.113.9'],
    ['2', '198.51.100.7'],
  ])('with %s of them the address of a client is %s, whatever the client wrote into the header', async (count, ip) => {
    const behind = await buildApp({ ...bed.portal, config: { ...bed.config, trustProxy: Number(count) } }, null)
    behind.get('/address', async (request) => ({ ip: request.ip }))
    const answer = await behind.inject({
      url: '/address',
      headers: { 'x-forwarded-for': '192.0.2.1, 198.51.100.7, 203.0.113.9' },
    })
    expect(answer.json()).toEqual({ ip })
    await behind.close()
  })
})

describe('species and genes', () => {
  test('the species with its assembly, sequences and overview', async () => {
    const { species, compared } = listSpecies.output.parse(await dataOf('/api/species/'))
    expect(species).toMatchObject([
      {
        id: 'testus-minimus',
        commonName: { en: 'test microbe', zh: '测试微生物' },
        licence: 'CC0-1.0',
        release: 1,
        assemblies: [
          { id: 'TM1', reference: true, lengthBp: 3600, geneCount: 5, codingGeneCount: 4, sequenceCount: 2 },
        ],
      },
    ])
    expect(compared).toEqual([])
    // Nothing is compared or aligned yet: a state, no failure that a page would show in its console.
    const aligned = '/api/tools/pangenomebrowser/aligned/?assembly=TM1&sequence=chr1&start=1&end=100'
    expect(await dataOf(aligned)).toEqual({ aligned: false, assemblies: [] })
    const both = `${genome.chr1}${genome.pT}`
    const gc = [...both].filter((base) => base === 'G' || base === 'C').length / both.length
    expect(species[0]?.assemblies[0]?.gcFraction).toBeCloseTo(gc, 10)
    const { sequences, total } = listSequences.output.parse(
      await dataOf('/api/assemblies/TM1/sequences/?q=chromosome_1'),
    )
    expect([total, sequences[0]?.name, sequences[0]?.geneCount]).toEqual([1, 'chr1', 3])
    const namesOf = async (query: string) => {
      const found = listSequences.output.parse(await dataOf(`/api/assemblies/TM1/sequences/?${query}`))
      return [found.total, ...found.sequences.map(({ name }) => name)]
    }
    expect(await namesOf('limit=1')).toEqual([2, 'chr1'])
    expect(await namesOf('q=ROMOSOME')).toEqual([1, 'chr1'])
    // The signs that a pattern of the database knows are letters like others.
    for (const sign of ['%25', 'chromosome%251', 'chromosome1', 'c_r1', '%5C'])
      expect(await namesOf(`q=${sign}`)).toEqual([0])
    const overview = getAssemblyOverview.output.parse(await dataOf('/api/assemblies/TM1/overview/'))
    expect(overview.sequences.map((row) => row.forward.reduce((sum, count) => sum + count, 0))).toEqual([2, 2])
    expect(overview.sequences[0]?.reverse.reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  test.each(['TM_0001', 'tm_0001', 'abcA', 'ABCA', 'TM_0001.1', 'TMP_1.1'])(
    'the gene abcA by its name %s',
    async (name) => {
      const { gene, alternatives } = getGene.output.parse(await dataOf(`/api/genes/${name}/`))
      expect(gene).toMatchObject({ id: 'TM_0001', symbol: 'abcA', sequence: 'chr1', start: 101, end: 260, strand: '+' })
      expect(gene.transcripts).toMatchObject([
        {
          exons: [
            { start: 101, end: 160 },
            { start: 201, end: 260 },
          ],
          cdsLengthBp: 120,
          cdnaLengthBp: 120,
          proteinLength: 39,
          proteinId: 'TMP_1.1',
        },
      ])
      expect(gene.terms).toMatchObject([{ source: 'GO', term: 'GO:0000002', name: 'proton transport' }])
      expect([gene.previous, gene.next?.id]).toEqual([null, 'TM_0002'])
      expect(alternatives).toEqual([])
    },
  )

  test('an alias that two genes share gives one with the other as alternative; resolving says ambiguous', async () => {
    const { gene, alternatives } = getGene.output.parse(await dataOf('/api/genes/shared1/'))
    expect([gene.id, alternatives.map((one) => one.id)]).toEqual(['TM_0002', ['TM_0003']])
    const answer = await post('/api/genes/resolve/', { ids: ['oldB', 'shared1', 'TM_0404', 'repw'] })
    const { found, ambiguous, unknown } = resolveGenes.output.parse(answer.json().data)
    expect(found.map(({ query, gene: one }) => [query, one.id])).toEqual([
      ['oldB', 'TM_0002'],
      ['repw', 'TM_0004'],
    ])
    expect(ambiguous.map(({ query, genes }) => [query, genes.map((one) => one.id).sort()])).toEqual([
      ['shared1', ['TM_0002', 'TM_0003']],
    ])
    expect(unknown).toEqual(['TM_0404'])
  })

  test('genes that overlap a region by a single base, by any name of the sequence, and none beside it', async () => {
    const ids = async (query: string) => {
      const { genes } = listGenesInRegion.output.parse(await dataOf(`/api/genes/?assembly=TM1&${query}`))
      return genes.map((gene) => gene.id)
    }
    expect(await ids('sequence=chr1&start=260&end=501')).toEqual(['TM_0001', 'TM_0002'])
    expect(await ids('sequence=1&start=261&end=500')).toEqual([])
    expect(await ids('sequence=CHROMOSOME_1&start=650&end=650')).toEqual(['TM_0002'])
    expect(await ids('sequence=chr1&start=501&end=260')).toEqual(['TM_0001', 'TM_0002'])
    expect((await ids('sequence=chr1&start=1&end=2000000000')).slice(0, 2)).toEqual(['TM_0001', 'TM_0002'])
  })
})

describe('loads on Home', () => {
  test('a failed load is told to the administrator until the next one, and never to visitors', async () => {
    const { sql } = bed.portal.database
    const admin = await bed.signUp('the-administrator', 'admin')
    const insert = async (state: string): Promise<void> => {
      await sql`
        insert into loads (species, folder, state, started_by, ended_at)
        values ('testus-minimus', '/species', ${state}, 'test', clock_timestamp())`
    }
    const seen = async (token?: string): Promise<string[]> => {
      const answer = await bed.app.inject({
        url: '/api/species/',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      })
      return listSpecies.output.parse(answer.json().data).loads.map((load) => load.state)
    }
    await insert('failed')
    expect(await seen()).not.toContain('failed')
    expect(await seen(admin)).toContain('failed')
    await insert('done')
    expect(await seen(admin)).not.toContain('failed')
  })
})

describe('search', () => {
  const ask = async (query: string) => search.output.parse(await dataOf(`/api/search/?${query}`))

  test('puts the exact name first and counts by type', async () => {
    const answer = await ask('q=abcA')
    expect(answer.entries[0]).toMatchObject({ type: 'gene', id: 'TM_0001', assembly: 'TM1', species: 'testus-minimus' })
    const pump = await ask('q=proton%20pump')
    expect(pump.facets.type).toEqual({ gene: 1, reference: 1 })
    expect(pump.facets.species).toEqual({ 'testus-minimus': 2 })
    expect((await ask('q=proton%20pump&type=reference')).entries.map((entry) => entry.id)).toEqual(['Meyer2019'])
  })

  test('counts an identifier of several parts by all of them, not by its commonest', async () => {
    const { sql } = bed.portal.database
    const bundles = (await sql<{ bundle: number }[]>`select distinct bundle from search_entries`).map(
      (row) => row.bundle,
    )
    const [whole, common, absent] = await countWords(sql, { bundles }, ['GO:0000003', 'go', 'GO:9999999'])
    expect(whole).toMatchObject({ parts: 2 })
    expect(whole!.count).toBeGreaterThan(0)
    expect(whole!.count).toBeLessThan(common!.count)
    expect(absent!.count).toBe(0)
  })

  test('reads a misspelt word as its neighbour and says so', async () => {
    const answer = await ask('q=replicaton')
    expect(answer.corrections).toEqual([{ typed: 'replicaton', read: 'replication' }])
    expect(answer.entries.map((entry) => entry.id)).toEqual(['TM_0004'])
  })

  test('finds Chinese words inside a Chinese description', async () => {
    expect((await ask(`q=${encodeURIComponent('激酶')}`)).entries.map((entry) => entry.id)).toEqual(['TM_0002'])
    expect((await ask(`q=${encodeURIComponent('细胞壁')}`)).entries.map((entry) => entry.id)).toEqual(['TM_0002'])
    expect((await ask(`q=${encodeURIComponent('线粒体')}`)).total).toBe(0)
  })

  test('understands a region, clipped to the sequence, and the commonest words', async () => {
    expect((await ask('q=chr1:2900-9999')).region).toEqual({
      assembly: 'TM1',
      sequence: 'chr1',
      start: 2900,
      end: 3000,
      strand: '+',
    })
    const beyond = await bed.app.inject({ url: '/api/search/?q=chr1:5000-6000' })
    expect([beyond.statusCode, beyond.json().errorMessage]).toEqual([400, expect.stringContaining('3,000 bp')])
    // A word of grammar, which stands in every second description, tells nothing by itself and hides nothing.
    expect((await ask('q=of&type=gene')).total).toBe(0)
    expect((await ask('q=origin+of&type=gene')).entries.map((entry) => entry.id)).toEqual(['TM_0005'])
    const plasmid = await ask('q=plasmid')
    expect(plasmid.entries.map((entry) => entry.id).sort()).toEqual(['TM_0004', 'TM_0005'])
  })

  test('suggests names by their beginning, and the name that matched', async () => {
    const { entries } = suggest.output.parse(await dataOf('/api/search/suggest/?q=OLD'))
    expect(entries).toMatchObject([{ id: 'TM_0002', label: 'kinB', matched: 'oldb' }])
    // No name begins with it, but a description has it.
    const described = suggest.output.parse(await dataOf('/api/search/suggest/?q=proton%20pu'))
    expect(described.entries.map((entry) => entry.id)).toContain('TM_0001')
  })
})

describe('files', () => {
  let url: string
  let content: Buffer
  let sha256: string
  beforeAll(async () => {
    const { files } = listDownloads.output.parse(await dataOf('/api/downloads/?assembly=TM1'))
    const genes = files.find((file) => file.kind === 'genes')!
    ;({ url, sha256 } = genes)
    content = readFileSync(join(bed.dataDir, 'bundles', ...url.split('/').slice(2)))
  })

  test('the list has every file for readers, with licence and checksum, and no index', async () => {
    const { files } = listDownloads.output.parse(await dataOf('/api/downloads/'))
    expect(files.map((file) => file.kind)).toEqual(
      expect.arrayContaining(['genome', 'genes', 'proteins', 'cds', 'track', 'other']),
    )
    expect(files.filter((file) => /\.(csi|tbi|fai|gzi)$/.test(file.name))).toEqual([])
    expect(new Set(files.map((file) => file.licence))).toEqual(new Set(['CC0-1.0']))
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  })

  test('whole, HEAD, range, last bytes, and a range that is not there', async () => {
    const whole = await get(url, { 'accept-encoding': 'gzip' })
    expect(whole.statusCode).toBe(200)
    expect(whole.rawPayload.equals(content)).toBe(true)
    expect(whole.headers).toMatchObject({
      etag: `"${sha256}"`,
      'accept-ranges': 'bytes',
      'content-length': String(content.length),
    })
    const head = await bed.app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      String(content.length),
      0,
    ])
    const part = await get(url, { range: 'bytes=10-19' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 10-19/${content.length}`])
    expect(part.rawPayload.equals(content.subarray(10, 20))).toBe(true)
    const last = await get(url, { range: 'bytes=-28' })
    expect(last.statusCode).toBe(206)
    expect(last.rawPayload.equals(content.subarray(-28))).toBe(true)
    const beyond = await get(url, { range: `bytes=${content.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${content.length}`])
    expect(beyond.json().errorCode).toBe('RANGE_NOT_SATISFIABLE')
  })

  test('a known version is 304; a range of another version is the whole file', async () => {
    const known = await get(url, { 'if-none-match': `"other", W/"${sha256}"` })
    expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0])
    expect((await get(url, { range: 'bytes=0-9', 'if-range': `"${sha256}"` })).statusCode).toBe(206)
    expect((await get(url, { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200)
  })

  test('nothing but listed files: no way up, no manifest of the bundle, no other bundle', async () => {
    const bundle = url.split('/')[2]!
    writeFileSync(join(bed.dataDir, 'bundles', bundle, 'stray.txt'), 'not listed')
    const inputs = readdirSync(join(bed.dataDir, 'bundles', bundle, 'inputs'))
    expect(inputs.length).toBeGreaterThan(1)
    const paths = [
      `/data/${bundle}/..%2f..%2fsecret`,
      `/data/${bundle}/%2e%2e/%2e%2e/secret`,
      `/data/${bundle}/../../secret`,
      `/data/${bundle}/..%5c..%5csecret`,
      `/data/${bundle}/genes.gff3.gz%00.txt`,
      `/data/${bundle}//genes.gff3.gz`,
      `/data/${bundle}/bundle.json`,
      // What it was made of, of which not everything is shown.
      ...inputs.map((name) => `/data/${bundle}/inputs/${name}`),
      `/data/${bundle}/stray.txt`,
      `/data/${bundle}/tracks/`,
      `/data/${bundle}/`,
      `/data/..%2f${bundle}/genes.gff3.gz`,
      '/data/',
    ]
    for (const path of paths) expect([path, (await get(path)).statusCode]).toEqual([path, 404])
  })
})

describe('refget 2.0.0', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  // GA4GH: the first 24 bytes of SHA-512 in base64url.
  const ga4gh = (text: string) =>
    `SQ.${createHash('sha512').update(text).digest().subarray(0, 24).toString('base64url')}`
  const chr1 = `/refget/sequence/${md5(genome.chr1)}`
  const pT = `/refget/sequence/${ga4gh(genome.pT)}`

  test('gives a sequence by MD5 and by GA4GH identifier', async () => {
    for (const id of [
      md5(genome.chr1),
      md5(genome.chr1).toUpperCase(),
      ga4gh(genome.chr1),
      `ga4gh:${ga4gh(genome.chr1)}`,
    ]) {
      const answer = await get(`/refget/sequence/${id}`)
      expect([id, answer.statusCode, answer.body]).toEqual([id, 200, genome.chr1])
    }
    expect((await get(chr1)).headers['content-type']).toBe('text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii')
  })

  test('gives a part by 0-based start and end, and by an inclusive range', async () => {
    const part = await get(`${chr1}?start=100&end=160`)
    expect([part.statusCode, part.body]).toEqual([200, genome.chr1.slice(100, 160)])
    expect((await get(`${chr1}?start=2990`)).body).toBe(genome.chr1.slice(2990))
    expect((await get(`${chr1}?end=5`)).body).toBe(genome.chr1.slice(0, 5))
    expect((await get(`${chr1}?start=5&end=5`)).body).toBe('')
    const range = await get(chr1, { range: 'bytes=10-19' })
    expect([range.statusCode, range.body]).toEqual([206, genome.chr1.slice(10, 20)])
    expect((await get(chr1, { range: 'bytes=2990-99999' })).body).toBe(genome.chr1.slice(2990))
  })

  test('goes over the origin of a circular plasmid, and of nothing else', async () => {
    const over = await get(`${pT}?start=570&end=30`)
    expect([over.statusCode, over.body]).toEqual([200, genome.pT.slice(570) + genome.pT.slice(0, 30)])
    expect((await get(`${chr1}?start=570&end=30`)).statusCode).toBe(416)
  })

  test.each<[string, Record<string, string>, number]>([
    ['?start=x', {}, 400],
    ['?start=-1&end=5', {}, 400],
    ['?start=0&end=1.5', {}, 400],
    ['?start=1&end=5', { range: 'bytes=1-5' }, 400],
    ['', { range: 'units=1-5' }, 400],
    ['', { range: 'bytes=a-5' }, 400],
    ['', { range: 'bytes=5-1' }, 416],
    ['', { range: 'bytes=3000-3001' }, 416],
    ['?start=3000&end=3001', {}, 416],
    ['?start=0&end=3001', {}, 416],
    ['', { accept: 'image/png' }, 406],
  ])('%s %j is answered with the status that the specification names: %d', async (query, headers, status) => {
    expect((await get(chr1 + query, headers)).statusCode).toBe(status)
  })

  test('knows no other sequence', async () => {
    for (const id of ['0'.repeat(32), 'SQ.'.padEnd(35, 'A'), 'nonsense', 'md5:zz'])
      expect([id, (await get(`/refget/sequence/${id}`)).statusCode]).toEqual([id, 404])
    expect((await get(`/refget/sequence/${'0'.repeat(32)}/metadata`)).statusCode).toBe(404)
    expect((await get(`${chr1}/metadata`, { accept: 'text/html' })).statusCode).toBe(406)
  })

  test('describes a sequence and itself', async () => {
    const { metadata } = (await get(`${pT}/metadata`)).json()
    expect(metadata).toMatchObject({ md5: md5(genome.pT), ga4gh: ga4gh(genome.pT), length: 600 })
    expect((await get('/refget/sequence/service-info')).json()).toMatchObject({
      type: { group: 'org.ga4gh', artifact: 'refget', version: '2.0.0' },
      refget: { circular_supported: true, algorithms: ['md5', 'ga4gh'] },
    })
  })
})

describe('tools and jobs', () => {
  const input = { assembly: 'TM1', sequence: '1', start: 260, end: 101 }

  test('the list says what each tool takes and why one cannot be used', async () => {
    const { tools } = listTools.output.parse(await dataOf('/api/tools/'))
    const fetch = tools.find((tool) => tool.id === 'sequencefetch')
    expect(fetch).toMatchObject({ available: true, unavailable: [] })
    expect(fetch?.inputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['assembly']) })
    // The species was loaded without engines, so there are no databases to search.
    const blast = (await get('/api/tools/', chinese))
      .json()
      .data.tools.find((tool: { id: string }) => tool.id === 'blast')
    expect(blast.available).toBe(false)
    expect(blast.unavailable.join('')).toMatch(/需要/)
    const refused = await post('/api/tools/blast/', {})
    // Not a failure of the server: nothing breaks when it is asked again, and a program need not.
    expect([refused.statusCode, refused.json().errorCode]).toEqual([409, 'TOOL_UNAVAILABLE'])
    expect(refused.headers['retry-after']).toBeUndefined()
    expect(refused.json().errorMessage).toMatch(/not available on this portal yet\. .*BLAST|requires/)
    // How it is mended is for the administrator alone.
    expect(refused.json().errorMessage).not.toContain('species.yaml')
    const inChinese = await post('/api/tools/blast/', {}, chinese)
    expect(inChinese.statusCode).toBe(409)
    expect(inChinese.json().errorMessage).toMatch(/^该工具在本站暂不可用。.*需要/)
  })

  test('gives an input to begin from of every tool that can be used, and of no other', async () => {
    const { tools } = listTools.output.parse(await dataOf('/api/tools/'))
    const read = (id: string, example: unknown) =>
      bed.portal.tools.find((one) => one.id === id)!.tool.input.safeParse(example)
    for (const { id, available, example } of tools) {
      if (!available) expect([id, example]).toEqual([id, null])
      else if (example !== null) expect([id, read(id, example).error]).toEqual([id, undefined])
    }
    expect(tools.filter(({ example }) => example !== null).map(({ id }) => id)).toContain('sequencefetch')
  })

  test('a tool that answers at once gives result and receipt', async () => {
    const answer = await post('/api/tools/sequencefetch/', input)
    expect(answer.statusCode).toBe(200)
    const { result, receipt } = answer.json().data
    const forward = genome.chr1.slice(100, 260)
    const opposite = [...forward]
      .reverse()
      .map((base) => ({ A: 'T', C: 'G', G: 'C', T: 'A' })[base])
      .join('')
    expect(result.records).toMatchObject([
      { sequence: 'chr1', start: 101, end: 260, strand: '-', lengthBp: 160, residues: opposite },
    ])
    expect(receipt).toMatchObject({ tool: 'sequencefetch', data: [{ assembly: 'TM1' }] })
  })

  test('a wrong input names its fields, in the reader’s language', async () => {
    const answer = await post('/api/tools/sequencefetch/', { sequence: 7 }, chinese)
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'INVALID_INPUT'])
    const { problems } = answer.json().details
    expect(problems.map((problem: { path: string[] }) => problem.path)).toEqual([['assembly'], ['sequence']])
    expect(problems[0].message).toBe('请填写此项。')
  })

  test('with "Prefer: respond-async" it is a job, which a worker does; only its owner may cancel an account’s job', async () => {
    const owner = await bed.signUp('owner', 'user')
    const other = await bed.signUp('other', 'user')
    const accepted = await post('/api/tools/sequencefetch/', input, {
      prefer: 'respond-async',
      authorization: `Bearer ${owner}`,
    })
    expect(accepted.statusCode).toBe(202)
    const { id } = accepted.json().data.job
    expect(accepted.headers.location).toBe(`/api/jobs/${id}/`)
    expect(getJob.output.parse(await dataOf(`/api/jobs/${id}/`))).toMatchObject({
      job: { state: 'queued', tool: 'sequencefetch' },
    })
    for (const token of [null, other]) {
      const refused = await bed.app.inject({
        method: 'DELETE',
        url: `/api/jobs/${id}/`,
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      })
      expect([refused.statusCode, refused.json().errorCode]).toEqual([403, 'FORBIDDEN'])
    }

    // The stream of events ends with the job.
    const events = await workUntilDone(id)
    expect(events.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(events.body).toMatch(/"state":"done"/)
    const done = getJob.output.parse(await dataOf(`/api/jobs/${id}/`))
    expect(done.job).toMatchObject({ state: 'done', error: null })
    const { result, receipt } = await dataOf(`/api/jobs/${id}/result/`)
    expect(result.records[0]).toMatchObject({ start: 101, end: 260, strand: '-' })
    expect(receipt.tool).toBe('sequencefetch')
    // To another tool's further addresses it is no job at all.
    const elsewhere = await get(`/api/tools/blast/jobs/${id}/hits.tsv`)
    const unknown = await get(`/api/jobs/${'0'.repeat(32)}/`)
    expect([elsewhere.statusCode, elsewhere.json().errorMessage]).toEqual([404, unknown.json().errorMessage])
  })

  test('whoever asks a failed job for its result is told why in words of its tool, in both languages', async () => {
    const started = await post('/api/tools/tree/', { source: 'tree', tree: '((a,b);' }, { prefer: 'respond-async' })
    const { id } = started.json().data.job
    await workUntilDone(id)
    for (const [language, why] of [
      ['en', /bracket|parenthes/i],
      ['zh-CN', /括号/],
    ] as const) {
      const answer = await get(`/api/jobs/${id}/result/`, { 'accept-language': language })
      const { errorCode, errorMessage, details } = answer.json()
      expect([answer.statusCode, errorCode]).toEqual([400, 'INVALID_INPUT'])
      for (const text of [errorMessage, details.problems[0].message]) expect(text).toMatch(why)
    }
  })

  test('one reader may watch many jobs, but not without end', async () => {
    const started = await post(
      '/api/tools/sequencefetch/',
      { assembly: 'TM1', sequence: 'chr1', start: 5, end: 90 },
      { prefer: 'respond-async' },
    )
    const { id } = started.json().data.job
    const streams = Array.from({ length: 101 }, () => get(`/api/jobs/${id}/events`))
    const refused = await Promise.race(streams)
    expect([refused.statusCode, refused.json().errorCode]).toEqual([503, 'BUSY'])
    expect([refused.json().showType, refused.headers['retry-after']]).toEqual([4, '5'])
    await bed.app.inject({ method: 'DELETE', url: `/api/jobs/${id}/` })
    const ends = await Promise.all(streams)
    expect(ends.filter((end) => end.statusCode === 200 && end.body.includes('"state":"cancelled"'))).toHaveLength(100)
    // The places of those that ended are free again.
    expect((await get(`/api/jobs/${id}/events`)).statusCode).toBe(200)
  })

  test('a job that is not there, and an id that cannot be one', async () => {
    expect((await get(`/api/jobs/${'0'.repeat(32)}/`)).statusCode).toBe(404)
    expect((await get('/api/jobs/..%2f..%2fetc/')).statusCode).toBe(400)
  })
})

describe('OpenAPI and the browser’s part', () => {
  test('the document has every endpoint and every tool, each with its answers', async () => {
    const document = (await get('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    for (const endpoint of mountedEndpoints(bed.app)) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      expect([endpoint.path, operation?.summary]).toEqual([endpoint.path, endpoint.summary])
      expect(operation.responses['200'].content['application/json'].schema.required).toEqual(['success', 'data'])
      const inPath = operation.parameters.filter((one: { in: string }) => one.in === 'path')
      expect(inPath.map((one: { name: string }) => `{${one.name}}`)).toEqual(endpoint.path.match(/\{\w+\}/g) ?? [])
      expect(operation.security !== undefined).toBe(endpoint.access !== 'anyone')
    }
    for (const { id } of bed.portal.tools) expect(document.paths[`/api/tools/${id}/`]?.post).toBeDefined()
    // A reference that leads nowhere makes the whole document useless to generators.
    for (const [, target] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      const found = target!
        .replace(/^#\//, '')
        .split('/')
        .reduce((node, key) => node?.[key], document)
      expect([target, found !== undefined]).toEqual([target, true])
    }
  })

  test('pages of the browser get the page with the title escaped, assets and other roots do not', async () => {
    const webDir = join(bed.root, 'web')
    mkdirSync(join(webDir, 'assets'), { recursive: true })
    writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>%TITLE%</title>')
    writeFileSync(join(webDir, 'assets/app.js'), '1')
    const portal = { ...bed.portal, config: { ...bed.config, title: '<Lab> & "Co"' } }
    const app = await buildApp(portal, webDir)
    try {
      for (const url of ['/', '/tools/blast', '/gene/TM_0001?assembly=TM1']) {
        const page = await app.inject({ url })
        expect([url, page.statusCode, page.headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
        expect(page.body).toContain('<title>&lt;Lab&gt; &amp; &quot;Co&quot;</title>')
        expect(page.headers['content-security-policy']).toContain("script-src 'self'")
      }
      const asset = await app.inject({ url: '/assets/app.js' })
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      for (const url of ['/api/none/', '/data/none', '/refget/none', '/assets/none.js'])
        expect([url, (await app.inject({ url })).json().errorCode]).toEqual([url, 'NOT_FOUND'])
      expect((await app.inject({ method: 'POST', url: '/tools/blast' })).statusCode).toBe(404)
    } finally {
      await app.close()
    }
  })

  test('the Usage is read without scripts: contents, chapters and a search, in the language of the reader', async () => {
    const webDir = join(bed.root, 'plain-web')
    mkdirSync(join(webDir, 'plain'), { recursive: true })
    writeFileSync(
      join(webDir, 'index.html'),
      '<!doctype html><html lang="en-US"><title>%TITLE%</title><noscript>needs scripts</noscript></html>',
    )
    const write = (language: string, title: string, text: string): void => {
      const labels = Object.fromEntries(
        ['usage', 'lead', 'contents', 'search', 'found', 'home', 'otherLanguage'].map((one) => [one, one]),
      )
      const chapter = (id: string) => ({ id, title, html: `<p>${text} <a href="/tools/blast">BLAST</a></p>`, text })
      const groups = [{ title: 'Find', chapters: [chapter('blast'), chapter('ppi')] }]
      writeFileSync(
        join(webDir, `plain/${language}.json`),
        JSON.stringify({ style: '/assets/document-page-1.css', labels, groups }),
      )
    }
    write('en', 'Find <sequences>', 'E-values of hits.')
    write('zh', '序列搜索', '命中的 E 值。')
    const portal = { ...bed.portal, config: { ...bed.config, basePath: '/crop', toolsOff: ['ppi'] } }
    const app = await buildApp(portal, webDir)
    const read = async (url: string, language = 'en-GB'): Promise<string> =>
      (await app.inject({ url: `/crop${url}`, headers: { 'accept-language': language } })).body
    try {
      const contents = await read('/document')
      expect(contents).toContain('href="/crop/document/blast?language=en"')
      expect(contents).not.toContain('/document/ppi')
      const chapter = await read('/document/blast')
      expect(chapter).toContain('<p>E-values of hits. <a href="/crop/tools/blast">BLAST</a></p>')
      expect(chapter).toContain('<h1>Find &#60;sequences&#62;</h1>')
      expect(chapter).not.toContain('needs scripts')
      for (const [url, language] of [
        ['/document/blast', 'zh-CN,en;q=0.8'],
        ['/document/blast?language=zh', 'en'],
      ] as const) {
        const chinese = await read(url, language)
        expect(chinese).toContain('<html lang="zh-CN">')
        expect(chinese).toContain('命中的 E 值。')
      }
      expect(await read('/document?q=VALUES&language=en')).toContain('<mark>values</mark>')
      expect(await read('/document?q=%3Cscript%3E')).not.toContain('<script>')
      for (const url of ['/document/ppi', '/document/none', '/home']) expect(await read(url)).toContain('needs scripts')
    } finally {
      await app.close()
    }
  })
})
