import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { DefectLog } from '../text/defects.ts'
import { computeAncestors, createOboReader, type OboTerm } from './obo.ts'

function read(text: string) {
  const log = new DefectLog()
  const terms: OboTerm[] = []
  const reader = createOboReader({ file: 'x.obo', log, onTerm: (term) => void terms.push(term) })
  for (const [index, line] of text.split('\n').entries()) reader.addLine(line, index + 1)
  reader.end()
  return { terms, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}

describe('createOboReader', () => {
  it('reads all that a term says, with comments, modifiers, escapes and a default namespace', () => {
    const { terms, defects } = read(`format-version: 1.4
default-namespace: biological_process

[Term]
id: GO:1 ! the first
name: DNA\\, \\"replication\\" ! comment
alt_id: GO:11
def: "Copies a \\"DNA\\" molecule.\\nTwice." [GOC:x, "a, b" PMID:1]
synonym: "DNA synthesis" EXACT [] {x="y"}
synonym: "S phase" NARROW [PMID:1]
is_a: GO:2 {is_inferred="true"} ! above
relationship: part_of GO:3 ! whole
relationship: regulates GO:2 ! other
is_a: GO:2

[Term]
id: GO:2
name: process

[Term]
id: GO:3
namespace: cellular_component
name: obsolete whole
is_obsolete: true
replaced_by: GO:2
consider: GO:1

[Typedef]
id: part_of
name: part of
`)
    expect(defects).toEqual([])
    expect(terms).toHaveLength(3)
    expect(terms[0]).toEqual({
      id: 'GO:1',
      name: 'DNA, "replication"',
      namespace: 'biological_process',
      definition: 'Copies a "DNA" molecule.\nTwice.',
      obsolete: false,
      replacedBy: null,
      consider: [],
      synonyms: ['DNA synthesis', 'S phase'],
      alternativeIds: ['GO:11'],
      parents: [
        { id: 'GO:2', relation: 'is_a' },
        { id: 'GO:3', relation: 'part_of' },
        { id: 'GO:2', relation: 'regulates' },
      ],
      line: 4,
    })
    expect(terms[2]).toMatchObject({
      namespace: 'cellular_component',
      obsolete: true,
      replacedBy: 'GO:2',
      consider: ['GO:1'],
    })
  })

  it('merges double definitions, takes out links to nowhere, reports cycles and rubbish', () => {
    const { terms, defects } = read(`[Term]
id: a
is_a: b
is_a: nowhere

[Term]
id: b
part_of a
relationship: part_of a

[Term]
id: a
name: late name
is_a: c

[Term]
name: no id

[Term]
id: c`)
    expect(defects).toEqual([
      'obo-bad-line@8',
      'obo-duplicate-id@11',
      'obo-term-without-id@16',
      'obo-parent-missing@1',
      'obo-cycle@1',
      'obo-cycle@6',
    ])
    expect(terms.map(({ id, name, parents }) => [id, name, parents.map((parent) => parent.id)])).toEqual([
      ['a', 'late name', ['b', 'c']],
      ['b', null, ['a']],
      ['c', null, []],
    ])
  })

  it('refuses a file without terms', () => {
    expect(read('format-version: 1.2\nontology: go').defects).toEqual(['obo-no-terms@null'])
  })
})

describe('computeAncestors', () => {
  it('goes up is_a and part_of, not regulates, nearest first, and once around a cycle', () => {
    const link = (id: string, relation = 'is_a') => ({ id, relation })
    const ancestors = computeAncestors([
      { id: 'root', parents: [] },
      { id: 'a', parents: [link('root')] },
      { id: 'b', parents: [link('a', 'part_of'), link('other', 'regulates')] },
      { id: 'c', parents: [link('b'), link('a')] },
      { id: 'other', parents: [] },
      { id: 'x', parents: [link('y')] },
      { id: 'y', parents: [link('x')] },
    ])
    expect(ancestors.get('c')).toEqual(['b', 'a', 'root'])
    expect(ancestors.get('x')).toEqual(['y'])
    expect(ancestors.get('root')).toEqual([])
  })
})

describe.skipIf(!hasRealData)('on the real Gene Ontology', () => {
  const load = (path: string) => gunzipSync(readFileSync(`${realData}/${path}`)).toString('utf8')
  it('reads 43,558 terms; the 595,072 ancestor pairs are those of an independent count', () => {
    const { terms, defects } = read(load('yeast/go/go-basic_from_GO.db_2022-07-01.obo.gz'))
    expect(defects).toEqual([])
    expect(terms).toHaveLength(43_558)
    const ancestors = computeAncestors(terms)
    let pairs = 0
    let max = 0
    for (const ids of ancestors.values()) {
      pairs += ids.length
      max = Math.max(max, ids.length)
    }
    expect([pairs, max, ancestors.get('GO:0000001')!.length]).toEqual([595_072, 91, 11])
  })
  it('reads the generic slim with its synonyms and alternative ids', () => {
    const { terms } = read(load('formats/go/goslim_generic.obo.gz'))
    expect(terms).toHaveLength(149)
    expect(terms.reduce((sum, { synonyms }) => sum + synonyms.length, 0)).toBe(282)
    expect(terms.reduce((sum, { alternativeIds }) => sum + alternativeIds.length, 0)).toBe(58)
    expect(terms.find(({ id }) => id === 'GO:0000003')!.definition).toMatch(/^The production of new individuals/)
  })
})
