import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Detail, getDetail } from '../contracts/details.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await openTestApp({ species: true })
})
afterAll(() => portal.close())

const detail = async (path: string): Promise<Detail> => {
  const answer = await portal.app.inject({ url: `/api/details/${path}` })
  expect([path, answer.statusCode]).toEqual([path, 200])
  return getDetail.output.parse(answer.json().data)
}

describe('the record of an ontology term', () => {
  test('names its parents and children, and the genes that carry it or a term below it', async () => {
    const root = await detail('term/GO:0000001/')
    expect(root).toMatchObject({ type: 'term', id: 'GO:0000001', parents: [] })
    if (root.type !== 'term') return
    expect(root.children.map((term) => term.id).sort()).toEqual(['GO:0000002', 'GO:0000003'])
    const child = await detail('term/GO:0000002/')
    if (child.type !== 'term') return
    expect(child.parents.map((term) => term.id)).toEqual(['GO:0000001'])
    const genesOf = (one: typeof child): string[] =>
      one.assemblies.flatMap((part) => part.genes.map((gene) => gene.id)).sort()
    expect(genesOf(child)).toContain('TM_0001')
    // A gene of the child is one of the root, too.
    expect(genesOf(root)).toEqual(expect.arrayContaining(genesOf(child)))
    expect(genesOf(root).length).toBeGreaterThan(genesOf(child).length)
    for (const part of root.assemblies) expect(part.geneCount).toBe(part.genes.length)
  })

  test('is found by an alternative id', async () => {
    expect(await detail('term/GO:0000009/')).toMatchObject({ id: 'GO:0000002' })
  })
})

test('the record of a sequence has its length, bases and checksums', async () => {
  const chromosome = await detail('sequence/chr1/?assembly=TM1')
  expect(chromosome).toMatchObject({ type: 'sequence', assembly: 'TM1', name: 'chr1' })
  if (chromosome.type !== 'sequence') return
  expect(chromosome.lengthBp).toBeGreaterThan(100)
  expect(chromosome.md5).toMatch(/^[0-9a-f]{32}$/)
})

test('the record of a transcript comes with its gene, by its own id alone', async () => {
  const found = await detail('transcript/TM_0002.1/')
  expect(found).toMatchObject({ type: 'transcript', gene: { id: 'TM_0002' }, transcript: { id: 'TM_0002.1' } })
  const gene = await portal.app.inject({ url: '/api/details/transcript/TM_0002/' })
  expect(gene.statusCode).toBe(404)
})

test('what is not loaded is not found, in every type', async () => {
  for (const type of ['transcript', 'term', 'reference', 'sequence'])
    expect((await portal.app.inject({ url: `/api/details/${type}/nowhere/` })).statusCode, type).toBe(404)
  expect((await portal.app.inject({ url: '/api/details/planet/earth/' })).statusCode).toBe(400)
})
