import { expect, test } from 'vitest'
import { DefectLog } from './defects.ts'
import { computeAncestors, createOboReader, type OboTerm } from './obo.ts'

const read = (text: string): { terms: OboTerm[]; log: DefectLog } => {
  const log = new DefectLog()
  const terms: OboTerm[] = []
  const reader = createOboReader({ file: 'a.obo', log, onTerm: (term) => terms.push(term) })
  for (const [number, line] of text.split('\n').entries()) reader.addLine(line, number + 1)
  reader.end()
  return { terms, log }
}

test('reads names, definitions with escapes, synonyms, relations and obsolete terms', () => {
  const { terms } = read(
    [
      'format-version: 1.2',
      'default-namespace: process',
      '',
      '[Term]',
      'id: X:2 ! second',
      'name: histone! binding',
      'def: "Says \\"yes\\"." [PMID:1]',
      'synonym: "histone grip" EXACT []',
      'alt_id: X:20',
      'is_a: X:1 {source="a"} ! root',
      'relationship: part_of X:3 ! whole',
      '',
      '[Term]',
      'id: X:9',
      'is_obsolete: true',
      'replaced_by: X:2',
      '',
      '[Typedef]',
      'id: part_of',
    ].join('\n'),
  )
  expect(terms).toHaveLength(2)
  expect(terms[0]).toEqual({
    id: 'X:2',
    name: 'histone! binding',
    namespace: 'process',
    definition: 'Says "yes".',
    synonyms: ['histone grip'],
    alternativeIds: ['X:20'],
    parents: [
      { id: 'X:1', relation: 'is_a' },
      { id: 'X:3', relation: 'part_of' },
    ],
    obsolete: false,
    replacedBy: null,
  })
  expect(terms[1]).toMatchObject({ obsolete: true, replacedBy: 'X:2' })
})

test('ancestors run over is_a and part_of, end in cycles, and leave regulates out', () => {
  const term = (id: string, ...parents: [string, string][]) => ({
    id,
    parents: parents.map(([relation, parent]) => ({ id: parent, relation })),
  })
  const ancestors = computeAncestors([
    term('a', ['is_a', 'b'], ['regulates', 'r']),
    term('b', ['part_of', 'c']),
    term('c', ['is_a', 'a']),
  ])
  expect(ancestors.get('a')).toEqual(['b', 'c'])
  expect(ancestors.get('c')).toEqual(['a', 'b'])
})

test('an empty file and a stanza without id are said with their lines', () => {
  expect(read('format-version: 1.2').log.count('obo-no-terms')).toBe(1)
  const { log } = read('[Term]\nname: nameless')
  expect(log.defects[0]).toMatchObject({ code: 'obo-term-without-id', line: 1 })
})
