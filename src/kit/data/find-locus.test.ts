import { expect, test } from 'vitest'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { findLocus } from './find-locus.ts'
import type { GenomeSequence, NamedFeature } from './portal-data.ts'

const gene = (id: string, start: number): GeneSummary => ({
  assembly: 'a',
  id,
  symbol: 'abc1',
  description: null,
  biotype: 'protein_coding',
  sequence: 'c',
  start,
  end: start + 99,
  strand: '-',
})
const feature = (id: string, start: number): NamedFeature => ({
  id,
  label: 'ARS',
  sequence: 'c',
  start,
  end: start + 9,
  strand: null,
})
const genes: Record<string, GeneSummary[]> = { g1: [gene('g1', 100)], abc1: [gene('g1', 100), gene('g2', 500)] }
const features: Record<string, NamedFeature[]> = { ARS: [feature('f1', 700), feature('f2', 900)] }

const data = {
  getSequence: async (_: string, name: string) => {
    if (name !== 'c') throw new PortalError('UNKNOWN_SEQUENCE')
    return { name: 'c', lengthBp: 1000, circular: false } as GenomeSequence
  },
  resolveGenes: async ([query]: string[]) => {
    const found = genes[query!] ?? []
    return {
      found: found.length === 1 ? [{ query: query!, gene: found[0]! }] : [],
      ambiguous: found.length > 1 ? [{ query: query!, genes: found }] : [],
      unknown: [],
    }
  },
  findFeatures: async (_: string, name: string) => features[name] ?? [],
}
const find = (text: string) => findLocus(data, 'a', text, ['locus'])

test('a gene is its place, on its strand', async () => {
  expect(await find('g1')).toMatchObject({ start1: 100, end1: 199, strand: '-', gene: { id: 'g1' } })
})

test.each([
  ['abc1', 'locus.gene-ambiguous', 'g1, g2'],
  ['ARS', 'locus.feature-ambiguous', 'f1, f2'],
])('of several called %s none is taken in silence', async (text, message, ids) => {
  const problems = [{ path: ['locus'], message, params: { name: text, count: 2, ids } }]
  await expect(find(text)).rejects.toMatchObject({ problems })
})
