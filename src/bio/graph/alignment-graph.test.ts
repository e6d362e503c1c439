import { expect, test } from 'vitest'
import { type AlignedSegment, buildAlignmentGraph } from './alignment-graph.ts'
import { findVariants, spellSteps } from './variation-graph.ts'

const who = (sample: string, start0 = 0) => ({
  name: sample,
  sample,
  assembly: null,
  sequence: 'chrI',
  start0,
  turned: false,
})
const same = (referenceBp: number): AlignedSegment => ({ referenceBp, bases: null })

test('what aligned sequences share and do not share becomes nodes, each once', () => {
  const { nodes, walks } = buildAlignmentGraph({ ...who('reference', 100), bases: 'ACGTACGTAC' }, [
    { ...who('snv'), referenceStart0: 100, segments: [same(2), { referenceBp: 1, bases: 'T' }, same(7)] },
    { ...who('again'), referenceStart0: 102, segments: [{ referenceBp: 1, bases: 't' }, same(7)] },
    {
      ...who('gaps'),
      referenceStart0: 101,
      segments: [same(3), { referenceBp: 2, bases: '' }, same(1), { referenceBp: 0, bases: 'GG' }, same(2)],
    },
  ])
  expect(walks.map((walk) => spellSteps(nodes, walk.steps))).toEqual([
    'ACGTACGTAC',
    'ACTTACGTAC',
    'TTACGTAC',
    'CGTGGGTA',
  ])
  expect(nodes.filter(({ sequence }) => sequence === 'T' || sequence === 't')).toHaveLength(2)
  expect(findVariants({ nodes, walks }).map(({ name, walks: have }) => [name, have])).toEqual([
    ['chrI:103 G>T', [1]],
    ['chrI:105-106 del AC', [3]],
    ['chrI:107^108 ins GG', [3]],
  ])
})
