import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { uploadsPath } from '../contracts/accounts/imports.ts'
import type { PortalError } from '../contracts/errors.ts'
import { findUnknownFields } from '../contracts/unknown-fields.ts'
import { findTools } from '../kit/find-tools.ts'
import { isProductKind } from '../store/kept-inputs.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { mountedEndpoints, mountedRoutes, parseInput } from './answers/implement.ts'

// A mistyped field is told, at every endpoint, every tool and every route of a tool: else its default is taken in silence.

const tools = await findTools()
const stranger = 'noSuchFieldAnywhere'
let bed: TestApp
let token: string
beforeAll(async () => {
  bed = await openTestApp({ species: true })
  token = await bed.signUp('maintainer', 'admin')
})
afterAll(() => bed.close())

const send = async (method: string, path: string, inQuery: boolean, language = 'en') => {
  const url = path.replace(/\{\w+\}/g, 'x')
  const answer = await bed.app.inject({
    method: method as 'GET',
    url: inQuery ? `${url}?${stranger}=1` : url,
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    ...(method === 'GET' || method === 'DELETE' ? {} : { payload: inQuery ? {} : { [stranger]: 1 } }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const refused = ({ status, body }: Awaited<ReturnType<typeof send>>, where: string): void => {
  expect([where, status, body.errorCode]).toEqual([where, 400, 'INVALID_INPUT'])
  expect(body.details.problems.map((one: { path: string[] }) => one.path)).toContainEqual([stranger])
}

describe('a field that there is none of is refused', () => {
  test('by every endpoint, in its body and in its query', async () => {
    const endpoints = mountedEndpoints(bed.app).filter(({ path }) => path !== '/api/tools/{tool}/')
    expect(endpoints.length).toBeGreaterThan(40)
    for (const { method, path } of endpoints) {
      const reads = method === 'GET' || method === 'DELETE'
      refused(await send(method, path, true), `${method} ${path}?`)
      if (!reads) refused(await send(method, path, false), `${method} ${path}`)
    }
  })

  test('by every route of a tool', async () => {
    const routes = bed.portal.tools.flatMap(({ id, engine }) => (engine.routes ?? []).map((route) => ({ id, route })))
    expect(routes.length).toBeGreaterThan(60)
    for (const { id, route } of routes) {
      const { path, method = 'GET' } = route
      refused(await send(method, `/api/tools/${id}/${path}`, true), `${id} ${path}?`)
      if (method !== 'GET') refused(await send(method, `/api/tools/${id}/${path}`, false), `${id} ${path}`)
    }
  })

  test('by every other address, with the nearest of the fields that it has', async () => {
    const written = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')
    const reported = new Set([
      ...mountedEndpoints(bed.app).map(({ method, path }) => `${method} ${written(path)}`),
      ...bed.portal.tools.flatMap(({ id, engine }) =>
        (engine.routes ?? []).map(({ method = 'GET', path }) => `${method} /api/tools/${id}/${written(path)}`),
      ),
    ])
    // An upload is spoken of by headers alone, and asks who it is first.
    const others = mountedRoutes(bed.app).filter(
      ({ method, url }) => !reported.has(`${method} ${url}`) && !url.startsWith(uploadsPath),
    )
    const { active } = await bed.portal.data.snapshot()
    const bundle = active[0]!.bundles.find(({ summary }) => summary.files.some(({ kind }) => isProductKind(kind)))!
    const [row] = await bed.portal.data.sql<{ md5: string }[]>`select md5 from sequences limit 1`
    const addresses: Record<string, string> = {
      '/data/:bundle/*': `/data/${bundle.uid}/${bundle.summary.files.find(({ kind }) => isProductKind(kind))!.path}`,
      '/refget/sequence/:id': `/refget/sequence/${row!.md5}`,
      '/refget/sequence/:id/metadata': `/refget/sequence/${row!.md5}/metadata`,
    }
    expect(others.map(({ url }) => url)).toEqual(
      expect.arrayContaining([...Object.keys(addresses), '/api/health/', '/api/openapi.json', '/sitemap.xml']),
    )
    for (const { method, url } of others) {
      const address = (addresses[url] ?? url).replace(/:\w+/g, 'x')
      const answer = await bed.app.inject({
        method: method as 'GET',
        url: `${address}?${stranger}=1`,
        headers: { 'accept-language': 'en' },
      })
      expect([url, answer.statusCode, answer.body]).toEqual([url, 400, expect.stringContaining(stranger)])
    }
    const say = async (url: string, language: string) => {
      const { statusCode, body } = await bed.app.inject({ url, headers: { 'accept-language': language } })
      return `${statusCode} ${body}`
    }
    const sequence = addresses['/refget/sequence/:id']!
    expect(await say(`${sequence}?strat=7&end=21`, 'en')).toBe(
      '400 Bad Request: There is no field “strat”. Did you mean start?',
    )
    expect(await say(`${sequence}?start=7&ned=21`, 'zh')).toBe('400 Bad Request: 没有名为“ned”的字段。是否指 end？')
    expect(await say(`${sequence}?start=7&end=21`, 'en')).toMatch(/^200 [A-Z]{14}$/)
    const file = addresses['/data/:bundle/*']!
    expect(await say(`${file}?downlaod=1`, 'en')).toMatch(/^400 .*Did you mean download\?/)
    for (const query of ['', '?download', '?someRandomSeed=0.5']) expect(await say(file + query, 'en')).toMatch(/^200/)
  })

  test.each(tools.flatMap(({ id, tool }) => (tool === null ? [] : [[id, tool] as const])))(
    'by the tool %s',
    (_, tool) => {
      const problems = (input: object) => {
        try {
          parseInput(tool.input, input)
          return []
        } catch (error) {
          return (error as PortalError).problems
        }
      }
      expect(problems({ [stranger]: 1 })).toContainEqual(
        expect.objectContaining({ path: [stranger], message: 'input.unknownField' }),
      )
      // Each field with two of its letters swapped is told as itself.
      const { properties } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
      const names = Object.keys(properties ?? {})
      for (const name of names.filter((one) => one.length > 3)) {
        const typed = `${name.slice(0, 1)}${name[2]}${name[1]}${name.slice(3)}`
        if (names.includes(typed)) continue
        expect(problems({ [typed]: 1 })).toContainEqual(
          expect.objectContaining({ path: [typed], params: { name: typed, near: name } }),
        )
      }
    },
  )

  test('with the nearest name, in the reader’s language, and within structures', async () => {
    const ask = (payload: object, language: string) =>
      bed.app.inject({
        method: 'POST',
        url: '/api/tools/genesearch/',
        payload,
        headers: { 'accept-language': language },
      })
    const inner = { assemblies: ['Made-up.1'], groups: [{ rows: [{ kind: 'location', region: 'chr1', withn: true }] }] }
    const en = (await ask(inner, 'en')).json()
    expect(en.details.problems).toEqual([
      {
        path: ['groups', 0, 'rows', 0, 'withn'],
        message: 'There is no field “withn”. Did you mean within?',
      },
    ])
    expect((await ask(inner, 'zh')).json().errorMessage).toBe('没有名为“withn”的字段。是否指 within？')
    const search = await bed.app.inject({ url: '/api/search/?q=abcA&assmbly=Made-up.1' })
    expect([search.statusCode, search.json().errorMessage]).toEqual([
      400,
      'There is no field “assmbly”. Did you mean assembly?',
    ])
  })
})

describe('finding unknown fields', () => {
  const schema = z.object({
    name: z.string(),
    notes: z.record(z.string(), z.object({ text: z.string() })).optional(),
    either: z.union([z.string(), z.array(z.object({ id: z.string() }))]).transform((value) => value),
    both: z.intersection(z.object({ left: z.number() }), z.object({ right: z.number() })).optional(),
    open: z.looseObject({}).optional(),
    prepared: z.preprocess((value) => value, z.object({ inner: z.string() })).optional(),
  })
  test('goes through lists, records, unions, intersections and what is prepared', () => {
    const paths = findUnknownFields(schema, {
      nmae: 'x',
      notes: { any: { text: 'x', txet: 'y' } },
      either: [{ id: 'a' }, { id: 'b', di: 1 }],
      both: { left: 1, right: 2, middle: 3 },
      open: { whatever: 1 },
      prepared: { inner: 'x', outer: 'y' },
    }).map(({ path, near }) => [path.join('.'), near])
    expect(paths).toEqual([
      ['nmae', 'name'],
      ['notes.any.txet', 'text'],
      ['either.1.di', 'id'],
      ['both.middle', null],
      ['prepared.outer', null],
    ])
  })
  test('compares no more of them than it tells, however many there are', () => {
    const many = z.object(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`knownField${at}`, z.string()])))
    const input = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`${at}`.padStart(60, 'x'), 1]))
    const startedAt = performance.now()
    expect(findUnknownFields(many, input)).toHaveLength(20)
    // Every one of them compared takes a minute.
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
  test('is not led astray by names that every object has', () => {
    expect(findUnknownFields(schema, JSON.parse('{"constructor":1,"__proto__":2}')).map(({ path }) => path[0])).toEqual(
      ['constructor', '__proto__'],
    )
  })
})
