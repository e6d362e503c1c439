import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenSet } from '../kit/data/variants/open-set.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { locusAddress, readLocus } from '../tools/gwas/addresses.ts'
import { findLocus as findOnMap } from '../tools/hicsearch/map/open-map.ts'
import type { BakedContacts } from '../tools/hicsearch/stored.ts'
import { readIntervals } from '../tools/primerdesign/intervals.ts'
import primerMessages from '../tools/primerdesign/messages.ts'
import { findLoci } from '../tools/variation/find-variants.ts'
import variation from '../tools/variation/tool.ts'
import { formatText } from './language.ts'

// Every door at which a place is typed, against one table: the same text means the same place, or the same mistake, at each.

let bed: TestApp
let assembly: string
beforeAll(async () => {
  bed = await openTestApp({ species: true })
  assembly = (await bed.portal.data.listAssemblies())[0]!.id
})
afterAll(() => bed.close())

interface Place {
  sequence: string
  start: number
  end: number
  /** Undefined where the tool looks at both strands. */
  strand?: string | undefined
}

const refusal = (problems: { message: string }[] | undefined, message: string): string =>
  `refused: ${problems?.[0]?.message ?? message}`

const ask = async (method: 'GET' | 'POST', url: string, fields: Record<string, unknown>) => {
  const answer =
    method === 'GET'
      ? await bed.app.inject({ url: `${url}?${new URLSearchParams(fields as Record<string, string>)}` })
      : await bed.app.inject({ method, url, payload: fields })
  const body = answer.json()
  return body.success ? { data: body.data } : { refused: refusal(body.details?.problems, body.errorMessage) }
}

const engineDoor = async (find: () => Promise<Place>): Promise<Place | string> => {
  try {
    return await find()
  } catch (error) {
    const { problems } = error as { problems?: { message: string }[] }
    return refusal(problems, String(error))
  }
}

/** A map of all that there is to be seen on. */
const contactMap = () =>
  ({ id: 'made', chromosomes: [{ name: 'chr1', sequence: 'chr1', lengthBp: 3000 }] }) as unknown as BakedContacts

const doors: Record<string, (text: string) => Promise<Place | string>> = {
  search: async (q) => {
    const answer = await ask('GET', '/api/search/', { q })
    return answer.refused ?? answer.data.region ?? 'nothing'
  },
  'sequence fetch': async (sequence) => {
    const answer = await ask('POST', '/api/tools/sequencefetch/', { assembly, sequence })
    return answer.refused ?? answer.data.result.records[0]
  },
  'sequence fetch, list': async (regions) => {
    const answer = await ask('POST', '/api/tools/sequencefetch/', { assembly, regions })
    return answer.refused ?? answer.data.result.records[0]
  },
  'genome browser': async (loc) => {
    const answer = await ask('POST', '/api/tools/jbrowse/', { assembly, loc })
    if (answer.refused !== undefined) return answer.refused
    const [place] = answer.data.result.loci
    // The address says the strand too.
    expect(readLocus(new URLSearchParams(answer.data.result.address.split('?')[1]).get('loc'))).toEqual({
      sequence: place.sequence,
      start: place.start,
      end: place.end,
    })
    return { strand: '+', ...place }
  },
  'contact map': (text) => engineDoor(() => findOnMap(bed.portal.data, assembly, text, contactMap(), 'place')),
  variation: (region) =>
    engineDoor(async () => {
      const filters = variation.input.parse({ assembly, region })
      const { loci } = await findLoci(filters, {} as OpenSet, bed.portal.data, new AbortController().signal)
      const [locus] = loci!
      return { sequence: locus!.sequence, start: locus!.start1, end: locus!.end1 }
    }),
}

const reverse = { sequence: 'chr1', start: 1500, end: 2345, strand: '-' }
const forward = { ...reverse, strand: '+' }
const table: [text: string, expected: Place | RegExp][] = [
  ['chr1:1500..2345', forward],
  ['chr1:1500-2345', forward],
  ['chr1:1,500..2,345', forward],
  ['chr1：１，５００—２，３４５', forward],
  ['chr1\t1499\t2345', forward],
  ['chr1:2345..1500', reverse],
  ['chr1:2,345-1,500', reverse],
  ['chr1:1500..2345:r', reverse],
  ['chr1\t1499\t2345\tx\t0\t-', reverse],
  ['chr1:15,00..2345', /refused: .*15,00.*1,500.*15\.\.00/],
  ['chr1:1500..23,45', /refused: .*23,45.*2,345.*23\.\.45/],
  ['chr1:12,34', /refused: .*12,34.*1,234.*12\.\.34/],
  ['chr1:0..9', /refused/],
  ['chr1:1500..', { ...forward, end: 3000 }],
  ['chr1：1,500—', { ...forward, end: 3000 }],
  ['chr1:1.500..2.345', /refused: .*1\.500/],
  ['chr1:1500-2345:-1', /refused: .*2345:-1/],
  ['chr1:7000..7100', /refused: .*3,000.*7,000/],
  ['chr1:7000..', /refused: .*3,000.*7,000/],
]

describe.each(Object.entries(doors))('a locus typed in %s', (name, open) => {
  test.each(table)('%j', async (text, expected) => {
    // A search for a line of BED is one for its words; and the name of its third column is no place.
    if (name === 'search' && text.includes('\t')) return
    const found = await open(text)
    if (expected instanceof RegExp) {
      const answer = typeof found === 'string' ? found : JSON.stringify(found)
      expect(answer).toMatch(answer.includes('refused: locus.') ? /locus\.(number-|start-zero|beyond-end)/ : expected)
    } else {
      const { strand, ...locus } = expected
      expect(found).toMatchObject(locus)
      const reported = (found as Place).strand
      if (reported !== undefined) expect(reported).toBe(strand)
    }
  })
})

describe('places in fields of their own', () => {
  const paths = ['/api/genes/', '/api/lift/', '/api/tools/selectivesweep/locus/']
  test.each(paths)('%s takes both orders and refuses a misplaced comma', async (path) => {
    const there = await ask('GET', path, { assembly, sequence: 'chr1', start: '1,500', end: '2345' })
    const back = await ask('GET', path, { assembly, sequence: 'chr1', start: '2345', end: '1,500' })
    expect(there.data).toBeDefined()
    const { strand: _, ...rest } = back.data
    expect({ ...there.data, strand: undefined }).toEqual({ ...rest, strand: undefined })
    const wrong = await ask('GET', path, { assembly, sequence: 'chr1', start: '15,00', end: '2345' })
    expect(wrong.refused).toMatch(/15,00.*1,500/)
  })
  test.each([
    ['1,500', '2,345'],
    ['１，５００', '2345'],
    ['2345', '1,500'],
    ['12,34', '2345'],
    ['1500', '23,45'],
    ['1.500', '2345'],
    ['0', '9'],
  ])('%s and %s in the boxes of a region are read as in a list of regions', async (start, end) => {
    const fetched = async (fields: Record<string, string>) => {
      const { data, refused } = await ask('POST', '/api/tools/sequencefetch/', { assembly, ...fields })
      // A list tells the line as well.
      if (refused !== undefined) return refused.replace(/Line 1: /, '')
      const { line: _, ...record } = data.result.records[0]
      return record
    }
    const listed = await fetched({ regions: `chr1:${start}..${end}` })
    expect(listed).toBeDefined()
    expect(await fetched({ sequence: 'chr1', start, end })).toEqual(listed)
  })
  test('the strand that was asked for is told by the same place', async () => {
    const { data } = await ask('GET', '/api/lift/', { assembly, sequence: 'chr1', start: '2345', end: '1500' })
    expect(data).toMatchObject({ start: 1500, end: 2345, strand: '-' })
  })
})

test('addresses of GWAS and marks of primers follow the same grammar', () => {
  expect(readLocus('HLA-A*01:01:70..60')).toEqual({ sequence: 'HLA-A*01:01', start: 60, end: 70 })
  expect(readLocus('chr1:12,34')).toBeNull()
  expect(locusAddress({ assembly: 'x', locus: 'chr1:5..9' })).toContain('locus=chr1%3A5..9')
  const template = (sequence: string, start: number, end: number) => (sequence === 'chr1' ? { start, end } : null)
  expect(readIntervals('chr1:2,345..1,500', template)).toEqual({ intervals: [{ start: 1500, end: 2345 }] })
  expect(readIntervals('chr1:23,45..1500', template)).toMatchObject({
    unreadable: 'chr1:23,45..1500',
    message: 'locus.number-comma',
  })
})

describe('an interval on a template is read as a place is', () => {
  test.each([
    ['1,050..1,234', [1050, 1234]],
    ['1,234-1,050', [1050, 1234]],
    ['１，０５０—１，２３４', [1050, 1234]],
    ['77–99; 5..9', [77, 99], [5, 9]],
  ] as [string, ...[number, number][]][])('%j', (text, ...expected) => {
    expect(readIntervals(text)).toEqual({ intervals: expected.map(([start, end]) => ({ start, end })) })
  })
  test.each([
    ['1,050', 'interval.comma', { range: '1..50' }],
    ['70,15', 'interval.comma', { range: '70..84' }],
    ['70，15', 'interval.comma', { range: '70..84' }],
    ['10,50..1,234', 'locus.number-comma', { value: '10,50', one: '1,050', two: '10..50' }],
    ['5..12,34', 'locus.number-comma', { value: '12,34', one: '1,234', two: '12..34' }],
    ['0..9', 'locus.start-zero', {}],
    ['70', 'interval.form', {}],
  ])('%j is refused', (text, message, params) => {
    expect(readIntervals(text)).toEqual({ unreadable: text, message, params })
  })
  test('in words that name the form, in both languages', () => {
    const say = (language: 'en' | 'zh') => {
      const read = readIntervals('70,15') as { unreadable: string; message: string; params: Record<string, string> }
      return formatText(language, read.message, { ...read.params, text: read.unreadable, name: 'mine' }, primerMessages)
    }
    expect(say('en')).toBe('“70,15” may be one number, or a start and a length (70..84): use START..END.')
    expect(say('zh')).toBe('“70,15”可能是一个数，也可能是起点与长度（即 70..84）：请写作“起点..终点”。')
  })
})

test('a BED of genes has no place beyond the end of its sequence: one over the origin is given in its two parts', async () => {
  const answer = await bed.app.inject({
    method: 'POST',
    url: '/api/tools/genesearch/table',
    payload: { assemblies: [assembly], format: 'bed' },
  })
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  const rows = answer.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  // oriX lies at 571..630 of a circular plasmid of 600 bp.
  expect(rows.filter((line) => line.includes('TM_0005'))).toEqual([
    'pT\t570\t600\tTM_0005\t0\t+',
    'pT\t0\t30\tTM_0005\t0\t+',
  ])
  expect(rows.filter((line) => line.includes('TM_0004'))).toEqual(['pT\t100\t160\tTM_0004\t0\t+'])
})

test('a list of which no line can be used is refused line by line, in the words that every tool has for places', async () => {
  const regions = ['chr1:12,34', '', 'chr1:0..9', 'chr1:900000..900100'].join('\n')
  const answer = await bed.app.inject({
    method: 'POST',
    url: '/api/tools/sequencefetch/',
    payload: { assembly, regions },
    headers: { 'accept-language': 'en' },
  })
  const { problems } = answer.json().details as { problems: { path: unknown[]; message: string }[] }
  expect(problems.map(({ path, message }) => [path[1], message])).toEqual([
    [1, expect.stringMatching(/^Line 1: “12,34” is not a number/)],
    [3, 'Line 3: Positions start at 1 (only BED lines start at 0).'],
    [4, expect.stringMatching(/^Line 4: chr1 is 3,000 bp long: the region starts at 900,000/)],
  ])
})
