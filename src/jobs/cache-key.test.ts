import { expect, test } from 'vitest'
import { createCacheKey } from './cache-key.ts'

test('the key changes with the e-value, the bundle, the version of BLAST and what a result has, and with nothing else', () => {
  const parts = {
    tool: 'blast',
    toolVersion: 1,
    resultSchema: { type: 'object', properties: { hits: {} } },
    input: { evalue: 1e-5, program: 'blastn', limit: undefined },
    bundles: ['b2', 'b1'],
    programs: [{ program: 'blastn', version: '2.12.0+' }],
  }
  const key = createCacheKey(parts)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(createCacheKey({ ...parts, input: { program: 'blastn', evalue: 0.00001 }, bundles: ['b1', 'b2', 'b1'] })).toBe(
    key,
  )
  const others = [
    { ...parts, input: { evalue: 1e-6, program: 'blastn' } },
    { ...parts, bundles: ['b1', 'b3'] },
    { ...parts, programs: [{ program: 'blastn', version: '2.13.0+' }] },
    { ...parts, toolVersion: 2 },
    { ...parts, resultSchema: { type: 'object', properties: { hits: {}, taxa: {} } } },
    { ...parts, tool: 'blastp' },
  ].map(createCacheKey)
  expect(new Set([key, ...others]).size).toBe(7)
})
