import { expect, test } from 'vitest'
import type { AssemblySummary } from '../../contracts/species.ts'
import { ageMy } from './element-parts.tsx'
import tool, { insertionSequenceSettings, resultSchema, riceRate } from './tool.ts'

test('an element is dated by a rate that is stated or chosen, and not at all without one', () => {
  expect(ageMy(2.6, null)).toBeNull()
  expect(ageMy(null, riceRate)).toBeNull()
  // K = 0.026 at 1.3e-8 a site and year on each of two LTRs.
  expect(ageMy(2.6, riceRate)).toBe(1)
})

test('a result of before, which was dated by rice where the species stated no rate, is no longer dated', () => {
  const before = {
    assembly: 'H37Rv',
    searchedBp: 1,
    sequences: [],
    elements: [],
    candidates: 0,
    profiles: 0,
    librarySize: 0,
    rate: riceRate,
    annotatedFull: null,
  }
  expect(resultSchema.parse({ identify: before, near: null }).identify!.statedRate).toBeNull()
})

test('the example of a bacterium looks for insertion sequences, that of a linear chromosome for LTR elements', () => {
  const assembly = (circular: boolean, transposableElements: number) =>
    ({
      id: 'A',
      reference: true,
      dataTypes: transposableElements === 0 ? {} : { transposableElements },
      sequences: [{ name: 'chr', lengthBp: 4_400_000, role: 'chromosome', circular, geneCount: 0, aliases: [] }],
    }) as unknown as AssemblySummary
  const example = (one: AssemblySummary) => tool.input.parse(tool.example({ assemblies: [one] } as never))
  expect(example(assembly(true, 0))).toMatchObject({ methods: ['tir'], ...insertionSequenceSettings })
  expect(example(assembly(false, 0)).methods).toEqual(['ltr'])
  expect(example(assembly(false, 12)).methods).toEqual(['ltr'])
})
