import { describe, expect, it } from 'vitest'
import { curlOf, type OpenApi, outlineApi, typeOf } from './api-outline.ts'

const units = { characters: 'characters', items: 'items' }
const document: OpenApi = {
  info: { title: 'x', version: '1' },
  paths: {
    '/api/genes/{id}/': {
      get: {
        summary: 'A gene',
        tags: ['genes'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'assembly', in: 'query', schema: { type: 'string', maxLength: 64 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 20, default: 8 } },
        ],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  properties: {
                    data: {
                      type: 'object',
                      required: ['terms'],
                      properties: {
                        terms: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    '/api/account/sets/': {
      post: {
        summary: 'Keeps a set',
        tags: ['account'],
        security: [{ bearer: [] }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                anyOf: [
                  { required: ['name'], properties: { name: { type: 'string' }, genes: { type: 'array', items: {} } } },
                  { properties: { name: { type: 'string' }, shared: { type: 'boolean' } } },
                ],
              },
            },
          },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}

describe('the outline of the API', () => {
  const [genes, account] = outlineApi(document, units)

  it('groups endpoints and lists what goes in, with bounds and defaults', () => {
    expect([genes!.name, account!.name]).toEqual(['genes', 'account'])
    expect(genes!.endpoints[0]!.id).toBe('api-get-api-genes-id')
    expect(genes!.endpoints[0]!.input.map((field) => [field.name, field.place, field.type, field.bounds])).toEqual([
      ['id', 'path', 'string', ''],
      ['assembly', 'query', 'string', '≤ 64 characters'],
      ['limit', 'query', 'integer', '1–20; = 8'],
    ])
  })

  it('lists what comes out with what lies within, and fields of alternatives once', () => {
    expect(genes!.endpoints[0]!.output.map((field) => [field.name, field.type])).toEqual([
      ['terms', 'object[]'],
      ['terms[].id', 'string'],
    ])
    expect(account!.endpoints[0]!.input.map((field) => field.name)).toEqual(['name', 'genes', 'shared'])
  })

  it('writes commands that a shell reads', () => {
    expect(curlOf(genes!.endpoints[0]!, 'http://here')).toBe('curl http://here/api/genes/ID/')
    expect(curlOf(account!.endpoints[0]!, 'http://here', { name: "it's" })).toBe(
      `curl -X POST http://here/api/account/sets/ \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"it'\\''s"}'`,
    )
  })

  it('names types', () => {
    expect(typeOf({ enum: ['a', 1] })).toBe('"a" | 1')
    expect(typeOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } })).toBe(
      '(string | null)[]',
    )
    expect(typeOf({ type: ['string', 'null'] })).toBe('string | null')
  })
})
