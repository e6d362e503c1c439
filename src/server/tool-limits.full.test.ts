import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.ts'

let opened: TestApp
beforeAll(async () => {
  const { openTestApp } = await import('../testing/app.ts')
  opened = await openTestApp({ species: true, limits: 'sequenceextraction.genes=2 blast.queryCharacters=14000000' })
})
afterAll(() => opened?.close())

const ask = async (payload: object): Promise<{ status: number; body: { details?: { problems?: unknown } } }> => {
  const response = await opened.app.inject({
    method: 'POST',
    url: '/api/tools/sequenceextraction/',
    payload,
  })
  return { status: response.statusCode, body: response.json() }
}

describe('limits that a deployment sets', () => {
  test('are what the list of tools states, with the others as the tool has them', async () => {
    const response = await opened.app.inject('/api/tools/')
    const { tools } = response.json().data as {
      tools: { id: string; limits: Record<string, number>; inputSchema: { properties: { query: object } } }[]
    }
    const limitsOf = (id: string) => tools.find((tool) => tool.id === id)?.limits
    expect(limitsOf('sequenceextraction')).toMatchObject({ genes: 2, flankBp: 100_000 })
    expect(limitsOf('blast')).toMatchObject({ queries: 100, queryCharacters: 14_000_000 })
    const blast = tools.find((tool) => tool.id === 'blast')!
    expect(blast.inputSchema.properties.query).toMatchObject({ maxLength: 14_000_000 })
  })

  test('are kept at the door: a third gene is refused where two are allowed', async () => {
    const { status, body } = await ask({ assembly: 'test', genes: ['a', 'b', 'c'], part: 'cds' })
    expect(status).toBe(400)
    expect(body.details?.problems).toMatchObject([{ path: ['genes'] }])
  })

  test('let a request be longer by as much: 13 MB are read and judged, 60 MB are not', async () => {
    expect((await ask({ assembly: 'a'.repeat(13_000_000), genes: ['a'], part: 'cds' })).status).toBe(400)
    expect((await ask({ assembly: 'a'.repeat(60_000_000), genes: ['a'], part: 'cds' })).status).toBe(413)
  })

  test('that no tool has are refused at the start, with those that there are', async () => {
    const { findPortalTools } = await import('./portal.ts')
    const given = { sequenceextraction: { genes: 2 }, blast: { queryCharacters: 14_000_000, querries: 5 } }
    await expect(findPortalTools({ toolLimits: { ...given, balst: { queries: 5 } } })).rejects.toThrow(
      /blast has no limit querries; it has queries, .*\n.*there is no tool balst/,
    )
    // Whoever runs one job of a tool reads that alone; the server has looked at the settings.
    const settings = { toolLimits: { sequenceextraction: { genes: 2 }, blast: { queryCharacters: 14_000_000 } } }
    expect((await findPortalTools(settings, 'blast')).map(({ id }) => id)).toEqual(['blast'])
  })

  test('come before the tools are read: a later change is an error, not half a change', async () => {
    const { setToolLimits } = await import('../contracts/tools/tool-limits.ts')
    expect(() => setToolLimits({ sequenceextraction: { genes: 3 }, blast: { queryCharacters: 14_000_000 } })).toThrow(
      /genes of sequenceextraction/,
    )
  })
})
