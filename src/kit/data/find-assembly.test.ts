import { expect, test } from 'vitest'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { findAssemblyOfGenes, listAssembliesOfPlaces } from './find-assembly.ts'
import type { GenomeSequence } from './portal-data.ts'

const summary = (id: string, reference: boolean, annotation: number) =>
  ({ id, reference, dataTypes: { genes: 1, annotation } }) as unknown as AssemblySummary
const genes: Record<string, string[]> = { a1: ['A'], a2: ['A'], shared: ['A', 'B'], b1: ['B'], bare: ['C'] }
/** Names of sequences as people write them, and the assembly's own. */
const sequences: Record<string, Record<string, string>> = {
  A: { chr1: 'chr1', only: 'only' },
  B: { chr1: 'chr01', chr01: 'chr01', both: 'both' },
  C: { both: 'both' },
}
const data = {
  listAssemblies: async () => [summary('C', false, 0), summary('B', false, 1), summary('A', true, 1)],
  resolveGenes: async (names: string[]) => {
    const meant = names.map((query) => ({
      query,
      genes: (genes[query] ?? []).map((assembly) => ({ id: query, assembly }) as GeneSummary),
    }))
    return {
      found: meant.flatMap(({ query, genes: all }) => (all.length === 1 ? [{ query, gene: all[0]! }] : [])),
      ambiguous: meant.filter(({ genes: all }) => all.length > 1),
      unknown: [],
    }
  },
  getSequence: async (assembly: string, name: string) => {
    const own = sequences[assembly]?.[name]
    if (own === undefined) throw new PortalError('UNKNOWN_SEQUENCE')
    return { name: own, lengthBp: 1000, circular: false } as GenomeSequence
  },
}

test.each([
  ['most of the genes', ['b1', 'a1', 'a2'], 'A'],
  ['names that several have', ['shared', 'b1'], 'B'],
  ['the reference of equals', ['shared'], 'A'],
  ['the one with the data first', ['bare', 'b1'], 'B'],
  ['genes of none with the data', ['bare'], 'C'],
  ['names that nobody has', ['nope', '\u0000'], null],
])('the assembly of %s', async (_, names, assembly) => {
  expect(await findAssemblyOfGenes(data, names, 'annotation')).toBe(assembly)
})

test.each([
  ['the only one with the sequence', ['only:1-500'], ['A']],
  ['the one that writes the name so', ['chr1:1-500'], ['A']],
  ['the one with all of them', ['both:1-5', 'chr01:1-9'], ['B']],
  ['several', ['both:1-5'], ['C', 'B']],
  ['by a gene', ['b1'], ['B']],
  ['by the columns of BED', ['only\t1\t500'], ['A']],
  ['none', ['nowhere:1-5'], []],
])('assemblies of places: %s', async (_, places, assemblies) => {
  expect(await listAssembliesOfPlaces(data, places)).toEqual(assemblies)
})
