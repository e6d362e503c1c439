import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GeneModelBuilder } from '../../bio/annotation/gene-models/gene-model-builder.ts'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { Gff3Reader } from '../../bio/annotation/gff3.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { geneIdsSchema } from '../../contracts/genes.ts'
import { findGenesOfTerm } from '../../database/terms.ts'
import { openingFields } from '../../kit/ui/tool/tool-openings.ts'
import { answerText, askRoute, makeEngineContext } from '../../testing/contexts.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import type { CriterionInput } from './tool.ts'
import tool from './tool.ts'

const search = (portal: TestPortal, input: unknown) =>
  engine.run(tool.input.parse(input), makeEngineContext({ data: portal.data }))

const callRoute = async (portal: TestPortal, path: string, input: unknown) => {
  const answer = await askRoute(engine, path, input, { data: portal.data })
  return 'json' in answer ? answer.json : answerText(answer)
}

describe('two small assemblies', () => {
  let portal: TestPortal
  const lines = (assembly: string): string =>
    [
      `1 . gene 101 400 . + . ID=${assembly}_1;Name=rpoB;Alias=rifR;description=RNA polymerase beta subunit`,
      `1 . mRNA 101 400 . + . ID=${assembly}_1.t;Parent=${assembly}_1`,
      `1 . CDS 101 400 . + 0 Parent=${assembly}_1.t`,
      `1 . gene 501 560 . - . ID=${assembly}_2;Alias=twice;description=DNA repair kinase, putative`,
      `1 . mRNA 501 560 . - . ID=${assembly}_2.t;Parent=${assembly}_2`,
      `1 . exon 501 520 . - . Parent=${assembly}_2.t`,
      `1 . exon 541 560 . - . Parent=${assembly}_2.t`,
      `1 . CDS 501 520 . - 2 Parent=${assembly}_2.t`,
      `1 . CDS 541 560 . - 0 Parent=${assembly}_2.t`,
      `1 . gene 701 770 . + . ID=${assembly}_3;Name=trnA;Alias=twice;gene_biotype=tRNA;description=tRNA alanine`,
    ]
      .map((line) =>
        line.replace(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (.*)$/, '$1\t$2\t$3\t$4\t$5\t$6\t$7\t$8\t$9'),
      )
      .join('\n')
  const terms = [
    { source: 'GO', term: 'GO:0006281', name: 'DNA repair', ancestors: ['GO:0006950', 'GO:0008150'] },
    {
      source: 'GO',
      term: 'GO:0006950',
      name: 'response to stress',
      ancestors: ['GO:0008150'],
      alternativeIds: ['GO:0006951'],
    },
    { source: 'GO', term: 'GO:0008150', name: 'biological_process', ancestors: [] },
  ]

  beforeAll(async () => {
    portal = await openTestPortal(
      ['A', 'B'].map((id) => ({
        id,
        fasta: `>1\n${'ACGT'.repeat(250)}\n`,
        gff3: lines(id),
        terms,
        geneTerms: [
          { gene: `${id}_2`, source: 'GO', term: 'GO:0006281' },
          { gene: `${id}_1`, source: 'GO', term: 'GO:0006281', qualifier: 'NOT|involved_in' },
          { gene: `${id}_1`, source: 'Pfam', term: 'PF04563' },
        ],
      })),
    )
  })
  afterAll(() => portal.close())

  /** Ids found in assembly A by groups of rows. */
  const ids = async (...groups: CriterionInput[][]): Promise<string[]> =>
    (await search(portal, { assemblies: ['A'], groups: groups.map((rows) => ({ rows })) })).genes.map((gene) => gene.id)

  test('every kind of criterion finds its genes', async () => {
    expect(await ids([{ kind: 'names', names: 'RPOB，a_3 nobody' }])).toEqual(['A_1', 'A_3'])
    expect(await ids([{ kind: 'names', names: ['rifr'] }])).toEqual(['A_1'])
    expect(await ids([{ kind: 'text', text: 'repairs DNA' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'text', text: 'polym*' }])).toEqual(['A_1'])
    expect(await ids([{ kind: 'text', text: 'subunit of the RNA' }])).toEqual(['A_1'])
    expect(await ids([{ kind: 'prefix', text: 'TRN' }])).toEqual(['A_3'])
    expect(await ids([{ kind: 'location', region: '1' }])).toEqual(['A_1', 'A_2', 'A_3'])
    expect(await ids([{ kind: 'location', region: 'chr1:400..501' }])).toEqual(['A_1', 'A_2'])
    expect(await ids([{ kind: 'location', region: '1：400-560', within: true }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'location', region: '1:1..1000', strand: '-' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'biotype', biotypes: ['tRNA'] }])).toEqual(['A_3'])
    expect(await ids([{ kind: 'length', measure: 'gene', minimum: 70, maximum: 300 }])).toEqual(['A_1', 'A_3'])
    expect(await ids([{ kind: 'length', measure: 'protein', minimum: 20 }])).toEqual(['A_1'])
    expect(await ids([{ kind: 'length', measure: 'exons', minimum: 2 }])).toEqual(['A_2'])
  })

  test('a last word that few genes have and none is called is read as the beginning of names, and that is told', async () => {
    const found = async (text: string) => {
      const answer = await search(portal, { assemblies: ['A'], groups: [{ rows: [{ kind: 'text', text }] }] })
      return [answer.genes.map((gene) => gene.id), answer.readings.map(({ message }) => message)]
    }
    expect(await found('rpo')).toEqual([['A_1'], ['reading.beginning']])
    expect(await found('rpo*')).toEqual([['A_1'], []])
    expect(await found('RNA rpo')).toEqual([['A_1'], ['reading.beginning']])
    // What is called so is what is meant, and nothing more is found of a whole word or a number.
    expect(await found('rpoB')).toEqual([['A_1'], []])
    expect(await found('kinase')).toEqual([['A_2'], []])
  })

  test('a term finds what is annotated with it and below it, by id, alternative id or name, but not with NOT', async () => {
    expect(await ids([{ kind: 'term', term: 'GO:0006281' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', term: 'GO:0006950' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', term: 'GO:0006950', descendants: false }])).toEqual([])
    expect(await ids([{ kind: 'term', term: 'go:0006951' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', term: 'Response to Stress' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', term: 'repair' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', term: 'PF04563' }])).toEqual(['A_1'])
    expect(await ids([{ kind: 'term', source: 'GO' }])).toEqual(['A_2'])
    expect(await ids([{ kind: 'term', source: 'Pfam', term: 'GO:0006281' }])).toEqual([])
  })

  test('groups are joined by AND, rows by OR, and NOT turns a row round also where nothing is known', async () => {
    const kinase: CriterionInput = { kind: 'text', text: 'kinase' }
    const trna: CriterionInput = { kind: 'biotype', biotypes: ['tRNA'] }
    expect(await ids([kinase, trna])).toEqual(['A_2', 'A_3'])
    expect(await ids([kinase, trna], [{ kind: 'location', region: '1:1..600' }])).toEqual(['A_2'])
    expect(await ids([{ ...kinase, not: true }])).toEqual(['A_1', 'A_3'])
    // The tRNA gene has no protein: it is not "at least 20 residues long".
    expect(await ids([{ kind: 'length', measure: 'protein', minimum: 20, not: true }])).toEqual(['A_2', 'A_3'])
    expect(await ids()).toEqual(['A_1', 'A_2', 'A_3'])
  })

  test('a name of two genes finds both, and says so; every unknown name is listed', async () => {
    const unknown = Array.from({ length: 80 }, (_, index) => `nobody${index}`)
    const { genes, readings } = await search(portal, {
      assemblies: ['A'],
      groups: [{ rows: [{ kind: 'names', names: ['twice', ...unknown] }] }],
    })
    expect(genes.map((gene) => gene.id)).toEqual(['A_2', 'A_3'])
    expect(readings.map(({ message, params }) => [message, params])).toEqual([
      ['reading.unknown-names', { count: 80, total: 81, names: unknown.join(', ') }],
      ['reading.ambiguous-name', { name: 'twice', count: 2, genes: 'A_2, A_3' }],
    ])
  })

  test('how a row was read is said: unknown names, terms, sequences and words', async () => {
    const { readings } = await search(portal, {
      groups: [
        { rows: [{ kind: 'names', names: 'rpoB nobody no\u0000one' }] },
        {
          rows: [
            { kind: 'term', term: 'repair' },
            { kind: 'term', term: 'no such thing' },
          ],
        },
        {
          rows: [
            { kind: 'location', region: 'chr7:1..5' },
            { kind: 'location', region: '1:x..y' },
          ],
        },
        {
          rows: [
            { kind: 'text', text: 'kinase of' },
            { kind: 'text', text: '!!!' },
          ],
        },
        { rows: [{ kind: 'length', measure: 'gene', minimum: 9, maximum: 2 }] },
      ],
    })
    expect(readings.map(({ group, row, message }) => [group, row, message])).toEqual([
      [0, 0, 'reading.unknown-names'],
      [1, 0, 'reading.similar-terms'],
      [1, 1, 'reading.unknown-term'],
      [2, 0, 'reading.unknown-sequence'],
      [2, 1, 'reading.bad-region'],
      [3, 0, 'reading.ignored-words'],
      [3, 1, 'reading.no-words'],
      [4, 0, 'reading.empty-range'],
    ])
    expect(readings[0]!.params).toMatchObject({ count: 2, total: 3 })
    for (const { message } of readings) expect(messages.en).toHaveProperty([message])
  })

  test('over all assemblies the total, the counts by assembly and the pages agree', async () => {
    const groups = [{ rows: [{ kind: 'length', measure: 'gene', minimum: 61 }] }]
    const whole = await search(portal, { groups })
    expect(whole).toMatchObject({
      total: 4,
      byAssembly: [
        { assembly: 'A', count: 2 },
        { assembly: 'B', count: 2 },
      ],
    })
    expect(whole.genes.map((gene) => gene.id)).toEqual(['A_1', 'A_3', 'B_1', 'B_3'])
    const paged: string[] = []
    for (let page = 1; page <= 4; page++) {
      paged.push(...(await search(portal, { groups, page, pageSize: 1 })).genes.map((gene) => gene.id))
    }
    expect(paged).toEqual(['A_1', 'A_3', 'B_1', 'B_3'])
    const byLength = await search(portal, { groups, sort: 'lengthBp', descending: true })
    expect(byLength.genes.map((gene) => gene.id)).toEqual(['A_1', 'B_1', 'A_3', 'B_3'])
    const byProtein = await search(portal, { sort: 'proteinLength' })
    expect(byProtein.genes.map((gene) => gene.proteinLength)).toEqual([13, 13, 100, 100, null, null])
    await expect(search(portal, { assemblies: ['C'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
  })

  test('terms asked for are columns with their names', async () => {
    const { genes } = await search(portal, { assemblies: ['A'], annotations: ['GO', 'Pfam'] })
    expect(genes[1]!.terms).toEqual({ GO: [{ term: 'GO:0006281', name: 'DNA repair' }] })
    expect(genes[0]!.terms.Pfam).toEqual([{ term: 'PF04563', name: null }])
  })

  test('the table holds all rows and columns; formulas in CSV are defused', async () => {
    const groups = [{ rows: [{ kind: 'biotype', biotypes: ['tRNA'] }] }]
    const tsv = (await callRoute(portal, 'table', { groups, annotations: ['GO'] })) as string
    const lines = tsv.trimEnd().split('\n')
    // What was asked, of which data, by what: at the head of the file.
    const receipt = lines.filter((line) => line.startsWith('# '))
    expect(receipt[0]).toMatch(/^# NovoDB test, tool genesearch, /)
    expect(receipt.filter((line) => /^# data [AB], bundle \S+, \S+/.test(line))).toHaveLength(2)
    expect(receipt.find((line) => line.startsWith('# parameters'))).toContain('tRNA')
    const [head, ...rows] = lines.slice(receipt.length)
    expect(head!.split('\t')).toHaveLength(16)
    expect(rows.map((row) => row.split('\t')[1])).toEqual(['A_3', 'B_3'])
    const csv = (await callRoute(portal, 'table', { assemblies: ['A'], format: 'csv' })) as string
    expect(csv).toContain('"DNA repair kinase, putative"')
    expect(csv.split('\r\n').filter((line) => !/^\ufeff?# /.test(line))).toHaveLength(5)
  })

  test('the genes as features: BED spans, GFF3 that reads back as the models that were loaded, of one assembly', async () => {
    const bed = (await callRoute(portal, 'table', { assemblies: ['A'], format: 'bed' })) as string
    expect(bed.split('\n').filter((line) => !line.startsWith('#') && line !== '')).toEqual([
      '1\t100\t400\tA_1\t0\t+',
      '1\t500\t560\tA_2\t0\t-',
      '1\t700\t770\tA_3\t0\t+',
    ])
    const gff3 = (await callRoute(portal, 'table', { assemblies: ['A'], format: 'gff3' })) as string
    expect(gff3).toMatch(/^##gff-version 3\n# NovoDB/)
    const log = new DefectLog()
    const builder = new GeneModelBuilder({ file: 'found.gff3', log, sequences: new Map([['1', 1000]]) })
    const reader = new Gff3Reader({ file: 'found.gff3', log, onFeature: (feature) => builder.add(feature) })
    for (const [index, line] of gff3.split('\n').entries()) reader.addLine(line, index + 1)
    const plain = (genes: GeneModel[]) =>
      genes.map(({ id, symbol, start1, end1, strand, transcripts }) => ({
        id,
        symbol,
        start1,
        end1,
        strand,
        transcripts: transcripts.map((one) => ({ exons: one.exons, cds: one.cds })),
      }))
    expect(plain(builder.finish().genes)).toEqual(plain(portal.genes('A')))
    await expect(callRoute(portal, 'table', { format: 'bed' })).rejects.toMatchObject({
      problems: [{ path: ['assemblies'], message: 'problem.one-assembly' }],
    })
    expect(messages.en).toHaveProperty(['problem.one-assembly'])
    const json = JSON.parse((await callRoute(portal, 'table', { format: 'json' })) as string)
    expect(json.genes.map((gene: { id: string }) => gene.id)).toEqual(['A_1', 'A_2', 'A_3', 'B_1', 'B_2', 'B_3'])
    expect(json.receipt[0]).toContain('genesearch')
  })

  test('the ids of all genes of a term, or of one below it, as the page of the term asks for them', async () => {
    const opening = tool.opens!.find(({ target }) => target === 'genesOfTerm')!
    const { assemblies: _, ...question } = Object.fromEntries(
      openingFields({ ...opening, target: 'genesOfTerm' }, { term: 'GO:0006950', assemblies: 'A' }),
    )
    const { assembly, genes, total } = geneIdsSchema.parse(
      await callRoute(portal, 'ids/', { ...question, assembly: 'A' }),
    )
    expect({ assembly, total }).toEqual({ assembly: 'A', total: genes.length })
    expect(genes).toEqual(['A_2'])
    // The page itself counts the same, without the gene that is annotated with NOT.
    const bundle = await portal.data.bundleNumber('A')
    expect(await findGenesOfTerm(portal.data.sql, bundle, bundle, 'GO:0006950', 9)).toEqual({ count: 1, ids: ['A_2'] })
  })

  test('ids of one assembly for a gene set, choices of the form, and terms as typed', async () => {
    expect(await callRoute(portal, 'ids/', { assembly: 'B', groups: [] })).toEqual({
      assembly: 'B',
      genes: ['B_1', 'B_2', 'B_3'],
      total: 3,
    })
    expect(await callRoute(portal, 'options/', { assemblies: 'A' })).toMatchObject({
      biotypes: expect.arrayContaining([{ biotype: 'tRNA', count: 1 }]),
      sources: ['GO', 'Pfam'],
    })
    expect(await callRoute(portal, 'terms/', { q: 'repair' })).toMatchObject([{ term: 'GO:0006281', geneCount: 4 }])
    expect(await callRoute(portal, 'terms/', { q: 'go:00069' })).toMatchObject([{ term: 'GO:0006950', geneCount: 0 }])
  })

  test('hostile texts find nothing and break nothing', async () => {
    for (const text of [
      "'); drop table genes_1; --",
      "\\' & | ! ( <->",
      '*',
      '\u0000',
      'a'.repeat(500),
      "'kinase':*|",
      '%_',
    ]) {
      for (const row of [
        { kind: 'text', text },
        { kind: 'prefix', text },
        { kind: 'term', term: text },
        { kind: 'location', region: text },
        { kind: 'names', names: [text.slice(0, 200)] },
        { kind: 'biotype', biotypes: [text.slice(0, 200)] },
      ]) {
        if (!tool.input.safeParse({ groups: [{ rows: [row] }] }).success) continue
        const { total } = await search(portal, { groups: [{ rows: [row] }] })
        expect(total, `${row.kind} ${JSON.stringify(text)}`).toBeLessThanOrEqual(row.kind === 'text' ? 6 : 0)
      }
    }
    expect((await search(portal, {})).total).toBe(6)
  })
})

const yeast = join(realData, 'yeast')
describe.skipIf(!hasRealData)('yeast with its GO annotation', () => {
  let portal: TestPortal
  const annotated = new Map<string, Set<string>>()
  beforeAll(async () => {
    const table = gunzipSync(readFileSync(join(yeast, 'go/yeastGO_ensembl88.tsv.gz'))).toString()
    for (const line of table.split('\n').slice(1)) {
      const [gene, term] = line.split('\t')
      if (gene === undefined || term === undefined || term === '') continue
      const genes = annotated.get(term) ?? new Set()
      genes.add(gene)
      annotated.set(term, genes)
    }
    portal = await openTestPortal([
      {
        id: 'R64',
        fasta: { file: join(yeast, 'genome/R64.genome.chr.fa.gz') },
        gff3: { file: join(yeast, 'derived/R64.gff3.gz') },
        geneTerms: [...annotated].flatMap(([term, genes]) => [...genes].map((gene) => ({ gene, source: 'GO', term }))),
      },
    ])
  })
  afterAll(() => portal.close())

  test('counts equal a plain count over the loaded files', async () => {
    const models = portal.genes('R64')
    const total = async (...groups: CriterionInput[][]) =>
      (await search(portal, { groups: groups.map((rows) => ({ rows })) })).total
    expect(await total()).toBe(models.length)
    const known = new Set(models.map((gene) => gene.id))
    // GO:0005739, mitochondrion.
    const mitochondrial = [...annotated.get('GO:0005739')!].filter((gene) => known.has(gene))
    expect(await total([{ kind: 'term', term: 'GO:0005739' }])).toBe(mitochondrial.length)
    const long = models.filter((gene) => gene.end1 - gene.start1 + 1 >= 5000)
    expect(await total([{ kind: 'length', measure: 'gene', minimum: 5000 }])).toBe(long.length)
    expect(
      await total([{ kind: 'term', term: 'GO:0005739' }], [{ kind: 'length', measure: 'gene', minimum: 5000 }]),
    ).toBe(long.filter((gene) => mitochondrial.includes(gene.id)).length)
    const onChromosome = models.filter(
      (gene) => gene.sequenceName === 'chrIV' && gene.start1 <= 200_000 && gene.end1 >= 100_000,
    )
    expect(await total([{ kind: 'location', region: 'IV:100,000..200,000' }])).toBe(onChromosome.length)
    const helicase = models.filter((gene) => /\bhelicases?\b/i.test(`${gene.name ?? ''} ${gene.description ?? ''}`))
    expect(await total([{ kind: 'text', text: 'helicase' }])).toBe(helicase.length)
  })
})
