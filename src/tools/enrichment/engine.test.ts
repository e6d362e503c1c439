import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeAncestors, createOboReader, type OboTerm } from '../../bio/annotation/obo.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { PortalError } from '../../contracts/errors.ts'
import { answerJson, askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import type { EnrichmentResult } from './tool.ts'
import tool from './tool.ts'

const run = (portal: TestPortal, input: unknown): Promise<EnrichmentResult> =>
  runEngine(engine, input, makeEngineContext({ data: portal.data }))

const refusal = async (portal: TestPortal, input: unknown): Promise<string[]> => {
  const error = await run(portal, input).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PortalError)) throw new Error(`not refused: ${String(error)}`)
  for (const { message } of error.problems) {
    expect(messages.en).toHaveProperty([message])
  }
  return error.problems.map(({ path, message }) => `${path[0]}: ${message}`)
}

const relative = (value: number, reference: number): number => Math.abs(value / reference - 1)

describe('a made-up genome of forty genes', () => {
  let portal: TestPortal
  const ids = Array.from({ length: 40 }, (_, at) => `g${String(at + 1).padStart(2, '0')}`)
  const go = (term: string, name: string, ancestors: string[], more: Record<string, unknown> = {}) => ({
    source: 'GO',
    term,
    name,
    ancestors,
    namespace: 'biological_process',
    ...more,
  })
  beforeAll(async () => {
    const annotated = (term: string, genes: string[], source = 'GO') => genes.map((gene) => ({ gene, source, term }))
    portal = await openTestPortal([
      {
        id: 'A',
        fasta: `>1\n${'ACGT'.repeat(1200)}\n`,
        gff3: ids
          .map((id, at) =>
            [
              '1',
              '.',
              'gene',
              at * 100 + 1,
              at * 100 + 60,
              '.',
              '+',
              '.',
              `ID=${id};Name=s${at + 1};Alias=twice${at % 20}`,
            ].join('\t'),
          )
          .join('\n'),
        terms: [
          go('GO:0000001', 'root', []),
          go('GO:0000002', 'metabolism', ['GO:0000001']),
          go('GO:0000003', 'sugar metabolism', ['GO:0000002', 'GO:0000001'], { alternativeIds: ['GO:0000033'] }),
          go('GO:0000004', 'glycolysis', ['GO:0000003', 'GO:0000002', 'GO:0000001']),
          go('GO:0000005', 'transport', ['GO:0000001']),
          go('GO:0000006', 'old sugar', [], { obsolete: true, replacedBy: 'GO:0000003' }),
          go('GO:0000007', 'gone', [], { obsolete: true }),
          go('GO:0000010', 'kinase', ['GO:0000011'], { namespace: 'molecular_function' }),
          go('GO:0000011', 'function', [], { namespace: 'molecular_function' }),
        ],
        geneTerms: [
          ...annotated('GO:0000004', ids.slice(0, 4)),
          ...annotated('GO:0000003', ids.slice(4, 6)),
          ...annotated('GO:0000006', ids.slice(6, 7)),
          ...annotated('GO:0000007', ids.slice(7, 9)),
          ...annotated('GO:0000005', ids.slice(10, 20)),
          { gene: 'g30', source: 'GO', term: 'GO:0000004', qualifier: 'NOT|involved_in' },
          ...annotated('GO:0000010', ids.slice(0, 3)),
          ...annotated('GO:0009999', ids.slice(0, 3)),
          ...annotated('IPR000001', ids.slice(0, 10), 'InterPro'),
        ],
      },
    ])
  })
  afterAll(() => portal.close())

  const of = (result: EnrichmentResult, id: string) => result.terms.find((term) => term.id === id)
  const set = ['g01', 'g02', 'g03', 'g05', 'g07', 'g12', 'g40']

  test('genes count for every term above theirs, obsolete terms for what replaces them, and NOT for nothing', async () => {
    const result = await run(portal, { genes: set, assembly: 'A', minSize: 1 })
    const process = result.collections.findIndex(({ id }) => id === 'GO/biological_process')
    // g01 to g07 and g11 to g20; g08 and g09 have only an obsolete term that nothing replaces.
    expect(result.collections[process]).toMatchObject({ backgroundGenes: 17, setGenes: 6, hierarchical: true })
    expect(result.collections[process]!.outside.map((at) => result.genes[at]!.id)).toEqual(['g40'])
    expect(of(result, 'GO:0000003')).toMatchObject({ setCount: 5, backgroundCount: 7, name: 'sugar metabolism' })
    expect(of(result, 'GO:0000002')).toMatchObject({ setCount: 5, backgroundCount: 7 })
    expect(of(result, 'GO:0000004')).toMatchObject({ setCount: 3, backgroundCount: 4 })
    expect(of(result, 'GO:0000001')).toMatchObject({ setCount: 6, backgroundCount: 17, pValue: 1 })
    expect(result.annotation).toMatchObject({ replaced: 1, obsolete: ['GO:0000007'], obsoleteCount: 1, missing: 1 })
    // R: phyper(4, 7, 10, 6, lower.tail = FALSE)
    expect(relative(of(result, 'GO:0000003')!.pValue, 0.01753393665158371)).toBeLessThan(1e-12)
    expect(of(result, 'GO:0000003')!.fold).toBeCloseTo(5 / 6 / (7 / 17), 12)
    // (5 * 9) / (1 * 2): in and out of the set, with and without the term.
    expect(of(result, 'GO:0000003')!.oddsRatio).toBeCloseTo(22.5, 12)
  })

  test('each collection has its own background and its own correction', async () => {
    const result = await run(portal, { genes: set, assembly: 'A', minSize: 1 })
    expect(result.collections.map(({ id, backgroundGenes, setGenes }) => [id, backgroundGenes, setGenes])).toEqual([
      ['GO/biological_process', 17, 6],
      ['GO/molecular_function', 3, 3],
      ['InterPro', 10, 5],
      ['GO/unplaced', 3, 3],
    ])
    const chosen = await run(portal, { genes: set, assembly: 'A', collections: ['InterPro', 'GO/molecular_function'] })
    expect(chosen.collections.map(({ id }) => id)).toEqual(['GO/molecular_function', 'InterPro'])
    const whole = await run(portal, { genes: set, assembly: 'A', collections: ['GO'] })
    expect(whole.collections).toHaveLength(3)
  })

  test('the background is what was asked for: all genes, or a list, cut to annotated genes or not', async () => {
    const input = { genes: set, assembly: 'A', collections: ['InterPro'], minSize: 1 }
    const all = await run(portal, { ...input, background: 'all' })
    expect(all.collections[0]).toMatchObject({ backgroundGenes: 40, setGenes: 7, outside: [] })
    // R: phyper(4, 10, 30, 7, lower.tail = FALSE)
    expect(relative(of(all, 'IPR000001')!.pValue, 0.006224133159117688)).toBeLessThan(1e-12)
    const list = { ...input, background: 'own', backgroundGenes: 'g01 s2, g03\ng11 g12 nobody' }
    const own = await run(portal, list)
    expect(own.collections[0]).toMatchObject({ backgroundGenes: 3, setGenes: 3 })
    expect(own.background).toEqual({ kind: 'own', given: 6, found: 5, unknown: ['nobody'] })
    const whole = await run(portal, { ...list, annotatedOnly: false })
    expect(whole.collections[0]).toMatchObject({ backgroundGenes: 5, setGenes: 4 })
  })

  test('sizes and what is tested decide how many tests a correction is over', async () => {
    const input = { genes: set, assembly: 'A', collections: ['GO/biological_process'], correction: 'bonferroni' }
    const all = await run(portal, { ...input, minSize: 4, maxSize: 10 })
    // glycolysis 4, sugar metabolism 7, metabolism 7, transport 10; the root has 17.
    expect(all.collections[0]).toMatchObject({ tests: 4, small: 0, large: 1, terms: 5, unhit: 0 })
    expect(of(all, 'GO:0000003')!.adjustedPValue).toBeCloseTo(4 * of(all, 'GO:0000003')!.pValue, 14)
    const without = { ...input, genes: ['g01', 'g02', 'g05'], minSize: 4, maxSize: 10 }
    expect((await run(portal, without)).collections[0]).toMatchObject({ tests: 4, unhit: 1 })
    expect((await run(portal, { ...without, tested: 'hit' })).collections[0]).toMatchObject({ tests: 3, unhit: 1 })
    const flat = await run(portal, { ...input, propagate: false, minSize: 1 })
    expect(of(flat, 'GO:0000003')).toMatchObject({ setCount: 2, backgroundCount: 3 })
    expect(of(flat, 'GO:0000002')).toBeUndefined()
    expect(flat.graphs).toEqual([])
  })

  test('depletion tests for fewer, lists terms without a gene of the set, and both sides are told as such', async () => {
    const input = { genes: set, assembly: 'A', collections: ['GO/biological_process'], minSize: 1 }
    const fewer = await run(portal, { ...input, direction: 'fewer' })
    // Transport has 10 of 17 background genes, 1 of the 6 of the set. scipy.stats.hypergeom.cdf(1, 17, 10, 6)
    expect(of(fewer, 'GO:0000005')).toMatchObject({ setCount: 1, backgroundCount: 10 })
    expect(relative(of(fewer, 'GO:0000005')!.pValue, 0.01753393665158371)).toBeLessThan(1e-12)
    expect(fewer.terms[0]!.id).toBe('GO:0000005')
    const none = await run(portal, {
      ...input,
      genes: ['g01', 'g02', 'g05'],
      direction: 'fewer',
      minSize: 4,
      maxSize: 10,
    })
    // scipy.stats.hypergeom.cdf(0, 17, 10, 3) = 35 / 680
    expect(relative(of(none, 'GO:0000005')!.pValue, 35 / 680)).toBeLessThan(1e-12)
    expect(of(none, 'GO:0000005')).toMatchObject({ setCount: 0, fold: 0, genes: [] })
    const both = await run(portal, { ...input, direction: 'both' })
    // scipy.stats.fisher_exact([[5, 2], [1, 9]])
    expect(relative(of(both, 'GO:0000003')!.pValue, 0.034502262443438916)).toBeLessThan(1e-12)
  })

  test('what is corrected together is what was asked for: a collection, the branches of a vocabulary, or all', async () => {
    /** Benjamini and Hochberg by their definition: the least over all ranks from this one on. */
    const bh = (values: { key: string; p: number }[], tests: number): Map<string, number> => {
      const sorted = [...values].sort((a, b) => a.p - b.p)
      return new Map(
        sorted.map(({ key }, at) => [
          key,
          Math.min(1, ...sorted.slice(at).map(({ p }, further) => (p * tests) / (at + further + 1))),
        ]),
      )
    }
    const input = { genes: set, assembly: 'A', minSize: 1 }
    for (const direction of ['more', 'fewer', 'both'])
      for (const correctedOver of ['collection', 'vocabulary', 'all']) {
        const result = await run(portal, { ...input, direction, correctedOver })
        const groupOf = (at: number): string => {
          const { id, source } = result.collections[at]!
          return correctedOver === 'collection' ? id : correctedOver === 'vocabulary' ? source! : ''
        }
        for (const group of new Set(result.collections.map((_, at) => groupOf(at)))) {
          const members = [...result.collections.keys()].filter((at) => groupOf(at) === group)
          const tests = members.reduce((sum, at) => sum + result.collections[at]!.tests, 0)
          const terms = result.terms.filter(({ collection }) => members.includes(collection))
          const expected = bh(
            terms.map(({ collection, id, pValue }) => ({ key: `${collection} ${id}`, p: pValue })),
            tests,
          )
          for (const { collection, id, adjustedPValue } of terms)
            expect(adjustedPValue, `${direction} ${correctedOver} ${id}`).toBeCloseTo(
              expected.get(`${collection} ${id}`)!,
              14,
            )
          for (const at of members) expect(result.collections[at]!.correctedTests).toBe(tests)
        }
      }
    const apart = await run(portal, input)
    const together = await run(portal, { ...input, correctedOver: 'vocabulary' })
    expect(of(together, 'GO:0000003')!.pValue).toBe(of(apart, 'GO:0000003')!.pValue)
    expect(of(together, 'GO:0000003')!.adjustedPValue).not.toBe(of(apart, 'GO:0000003')!.adjustedPValue)
  })

  test('the graph has the enriched terms and all above them, without the lines that follow from others', async () => {
    const { graphs } = await run(portal, { genes: set, assembly: 'A', minSize: 1, threshold: 0.5 })
    const graph = graphs[0]!
    const name = (at: number): string => graph.nodes[at]!.name!
    expect(graph.edges.map(([from, to]) => `${name(from)} > ${name(to)}`).sort()).toEqual([
      'glycolysis > sugar metabolism',
      'metabolism > root',
      'sugar metabolism > metabolism',
    ])
  })

  test('an own annotation by GMT or table: GO terms by any id, the portal’s genes by any name, its own terms beside', async () => {
    const gmt = 'GO:0000033\tNA\ts1\tg02\tg03\nmine\tMy genes\tg01\tg05\tg09\tnobody\nGO:0000006\t\tg05'
    const result = await run(portal, { genes: set, assembly: 'A', annotation: 'own', ownAnnotation: gmt, minSize: 1 })
    expect(result.annotation).toMatchObject({ format: 'gmt', alternative: 1, replaced: 1, unknownGenes: ['nobody'] })
    expect(of(result, 'GO:0000003')).toMatchObject({ setCount: 4, backgroundCount: 4 })
    expect(of(result, 'GO:0000001')).toMatchObject({ setCount: 4, backgroundCount: 4 })
    expect(of(result, 'mine')).toMatchObject({ setCount: 2, backgroundCount: 3, name: 'My genes' })
    const table = 'gene\tterm\tname\ng01\tx\tex\ng02\tx\ng12\ty\tup'
    const other = await run(portal, { genes: set, assembly: 'A', annotation: 'own', ownAnnotation: table, minSize: 1 })
    expect(other.annotation.format).toBe('table')
    expect(other.terms.map(({ id, name, setCount }) => [id, name, setCount])).toEqual([
      ['x', 'ex', 2],
      ['y', 'up', 1],
    ])
  })

  test('an organism that is not loaded needs no assembly: its genes are their names', async () => {
    const ownAnnotation = ['T1\tone\ta1\ta2\ta3\ta4', 'T2\ttwo\ta4\ta5\ta6\ta7\ta8'].join('\n')
    const result = await run(portal, { genes: 'A1 a2 a3 zz', annotation: 'own', ownAnnotation, minSize: 1 })
    expect(result.assembly).toBeNull()
    expect(result.problems).toEqual([{ query: 'zz', id: 'reason.notInAnnotation', params: {} }])
    expect(result.collections[0]).toMatchObject({ backgroundGenes: 8, setGenes: 3 })
    expect(relative(of(result, 'T1')!.pValue, 4 / 56)).toBeLessThan(1e-12)
    const own = await run(portal, {
      genes: 'a1 a2 a3 b1',
      annotation: 'own',
      ownAnnotation,
      minSize: 1,
      background: 'own',
      backgroundGenes: 'a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4',
      annotatedOnly: false,
    })
    expect(own.collections[0]).toMatchObject({ backgroundGenes: 12, setGenes: 4 })
  })

  test('unknown and ambiguous names are told one by one, and the rest is computed', async () => {
    const result = await run(portal, { genes: 'g01 nobody twice3 s2', assembly: 'A', minSize: 1 })
    expect(result.genes.map(({ id }) => id)).toEqual(['g01', 'g02'])
    expect(result.problems.map(({ query, id }) => [query, id])).toEqual([
      ['nobody', 'reason.unknown'],
      ['twice3', 'reason.ambiguous'],
    ])
  })

  test('without an assembly the one that has most of the genes is taken', async () => {
    const result = await run(portal, { genes: 'g01 g02', minSize: 1 })
    expect(result.assembly).toBe('A')
    expect(result.genes.map(({ id }) => id)).toEqual(['g01', 'g02'])
  })

  test('bad input is refused beside the field that is wrong', async () => {
    expect(await refusal(portal, { genes: 'nobody' })).toEqual(['genes: genes.nowhere'])
    expect(await refusal(portal, { genes: 'nobody', assembly: 'A' })).toEqual(['genes: genes.noneFound'])
    expect(await refusal(portal, { genes: 'g01', assembly: 'A', collections: ['KEGG'] })).toEqual([
      'collections: collections.unknown',
    ])
    const own = { genes: 'g01', assembly: 'A', annotation: 'own' }
    expect(await refusal(portal, own)).toEqual(['ownAnnotation: own.none'])
    expect(await refusal(portal, { ...own, ownAnnotation: 'x\ty\tz\tq' })).toEqual(['ownAnnotation: own.noGenes'])
    expect(await refusal(portal, { ...own, ownAnnotation: 'a\tb\tg01\tg02\nc\td' })).toEqual([
      'ownAnnotation: own.gmtLine',
    ])
    expect(await refusal(portal, { ...own, ownAnnotation: 'g01\tx\ng02' })).toEqual(['ownAnnotation: own.tableLine'])
    expect(await refusal(portal, { ...own, ownAnnotation: 'g01\t\u0001x' })).toEqual(['ownAnnotation: own.binary'])
    const background = { genes: 'g01', assembly: 'A', background: 'own' }
    expect(await refusal(portal, background)).toEqual(['backgroundGenes: backgroundGenes.none'])
    expect(await refusal(portal, { ...background, backgroundGenes: 'no none' })).toEqual([
      'backgroundGenes: backgroundGenes.noneFound',
    ])
    expect(tool.input.safeParse({ genes: '', assembly: 'A' }).success).toBe(false)
    expect(tool.input.safeParse({ genes: 'g01', assembly: 'A', minSize: 0 }).success).toBe(false)
  })

  test('ten megabytes of annotation are read', async () => {
    const line = Array.from({ length: 400 }, (_, at) => `gene${at}`).join('\t')
    const ownAnnotation = Array.from({ length: 3300 }, (_, at) => `set${at}\tdescription\t${line}`).join('\n')
    expect(ownAnnotation.length).toBeGreaterThan(10_000_000)
    const result = await run(portal, { genes: 'gene1 gene2 gene3', annotation: 'own', ownAnnotation })
    expect(result.collections[0]).toMatchObject({ terms: 3300, backgroundGenes: 400 })
  })

  test('what can be chosen, and sets to try it with, come from what is loaded', async () => {
    const answer = answerJson<{
      assembly: string
      collections: { id: string; genes: number; terms: number }[]
    }>(await askRoute(engine, 'collections/', {}, { data: portal.data }))
    expect(answer.assembly).toBe('A')
    expect(answer.collections[0]).toEqual({
      id: 'GO/biological_process',
      source: 'GO',
      namespace: 'biological_process',
      genes: 17,
      terms: 5,
    })
    const { examples } = answerJson<{ examples: unknown[] }>(
      await askRoute(engine, 'examples/', {}, { data: portal.data }),
    )
    expect(examples).toHaveLength(1)
  })
})

const yeast = `${realData}/yeast`

describe.skipIf(!hasRealData)('yeast genes that go with the G1 cyclin CLN2', () => {
  interface Reference {
    genes: string[]
    branches: Record<
      string,
      { background: number; set: number; tests: number; terms: [string, number, number, number, number][] }
    >
  }
  const reference = JSON.parse(readFileSync('src/tools/enrichment/golden/cell-cycle.json', 'utf8')) as Reference
  const read = (file: string): string[] =>
    gunzipSync(readFileSync(`${yeast}/${file}`))
      .toString('utf8')
      .split(/\r?\n/)
  let portal: TestPortal
  beforeAll(async () => {
    const terms: OboTerm[] = []
    const reader = createOboReader({ file: 'go.obo', log: new DefectLog(), onTerm: (term) => terms.push(term) })
    for (const [at, line] of read('go/go-basic_from_GO.db_2022-07-01.obo.gz').entries()) reader.addLine(line, at + 1)
    reader.end()
    const ancestors = computeAncestors(terms)
    portal = await openTestPortal([
      {
        id: 'R64',
        fasta: { file: `${yeast}/genome/R64.genome.chr.fa.gz` },
        gff3: { file: `${yeast}/derived/R64.gff3.gz` },
        terms: terms.map(({ id, name, namespace }) => ({
          source: 'GO',
          term: id,
          name: name ?? id,
          namespace,
          ancestors: ancestors.get(id)!,
        })),
        geneTerms: read('go/yeastGO_ensembl88.tsv.gz')
          .slice(1)
          .flatMap((line) => {
            const [gene, term] = line.split('\t')
            return gene && term ? [{ gene, source: 'GO', term }] : []
          }),
      },
    ])
  })
  afterAll(() => portal?.close())

  test('DNA replication is what they share, to ten digits of what whole numbers give', async () => {
    const result = await run(portal, { genes: reference.genes, assembly: 'R64' })
    expect(result.problemCount).toBe(0)
    let compared = 0
    for (const [branch, { background, set, tests, terms }] of Object.entries(reference.branches)) {
      const number = result.collections.findIndex(({ id }) => id === `GO/${branch}`)
      expect(result.collections[number]).toMatchObject({ backgroundGenes: background, setGenes: set, tests })
      const found = new Map(
        result.terms.filter(({ collection }) => collection === number).map((term) => [term.id, term]),
      )
      for (const [id, setCount, backgroundCount, pValue, adjusted] of terms) {
        const term = found.get(id)!
        expect([id, term.setCount, term.backgroundCount]).toEqual([id, setCount, backgroundCount])
        expect(relative(term.pValue, pValue)).toBeLessThan(1e-10)
        expect(relative(term.adjustedPValue, adjusted)).toBeLessThan(1e-10)
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(350)
    expect(result.terms[0]).toMatchObject({ id: 'GO:0006260', name: 'DNA replication' })
  })
})
