import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseBibtex, parseRis } from '../../bio/literature/references.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { askRoute, makeBakeContext, makeEngineContext } from '../../testing/contexts.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import engine from './engine.ts'
import loader from './load.ts'
import tool from './tool.ts'

const bib = `
@article{mahairas1996, author = {Mahairas, G. G. and Sabo, P. J. and others}, year = 1996, journal = {Journal of Bacteriology},
  title = {Molecular analysis of genetic differences between {BCG} and virulent {M. bovis}}, volume = 178, pages = {1274--1282},
  doi = {10.1128/jb.178.5.1274}, keywords = {RD1, deletion, TM_1, old2}}
@article{pym2002, author = {Pym, A. S. and M{\\'e}digue, C.}, year = 2002, journal = {Molecular Microbiology},
  title = {Loss of RD1 contributed to the attenuation of the live vaccines}, keywords = {RD1, vaccine}, genes = {esxA, TM_9}}
@article{griffin2011, author = {Griffin, J. E. and Gawronski, J. D.}, year = 2011, journal = {PLOS Pathogens},
  title = {High-resolution phenotypic profiling defines genes essential for growth}, keywords = {Tn-seq, essential},
  abstract = {Cholesterol is used by means of esxA and of tm_2, and not by was.}}
@book{textbook, author = {Consortium}, title = {A book without a year}, keywords = {Beta}}
@article{chinese, author = {王, 伟}, title = {结核分枝杆菌基因组比较}, year = 2020, keywords = {基因组}}
`
const ris =
  'TY  - JOUR\r\nID  - smith2001\r\nAU  - Smith, A.\r\nTI  - A strain that differs\r\nPY  - 2001\r\nKW  - gene:TM_2\r\nER  - \r\n'

/** What the loader itself makes of files, as records of a test portal. */
const bake = async (entries: unknown, files: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-references-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { context, baked } = makeBakeContext({ resolveFile: async (file) => join(folder, file) })
  const counts = await loader.bake(loader.schema!.parse(entries), context)
  rmSync(folder, { recursive: true })
  return { ...baked, counts }
}

const genes = (assembly: string): string =>
  [
    `1\t.\tgene\t11\t40\t.\t+\t.\tID=${assembly}_1;Name=rpoB;Alias=rifR`,
    `1\t.\tgene\t51\t80\t.\t+\t.\tID=${assembly}_2;Name=lacZ;Alias=old2`,
    `1\t.\tgene\t91\t99\t.\t-\t.\tID=${assembly}_3;Name=esxA;Alias=Rv3875,was`,
    `1\t.\tgene\t101\t110\t.\t-\t.\tID=${assembly}_4;Name=vaccine2;Alias=BETA`,
  ].join('\n')

let portal: TestPortal
let baked: Awaited<ReturnType<typeof bake>>
const run = async (input: unknown = {}) => engine.run(tool.input.parse(input), makeEngineContext({ data: portal.data }))
const keys = async (input: unknown): Promise<string[]> => (await run(input)).publications.map((one) => one.key)

const file = async (input: unknown, language: 'en' | 'zh' = 'en'): Promise<{ text: string; fileName?: string }> => {
  const answer = await askRoute(engine, 'file', input, { data: portal.data, language })
  if (!('body' in answer) || typeof answer.body !== 'string') throw new Error('no text')
  return { text: answer.body, fileName: answer.fileName }
}

beforeAll(async () => {
  baked = await bake(['a.bib', { file: 'b.ris', assemblies: ['BETA'], genes: { smith2001: ['TMB_1'] } }], {
    'a.bib': bib,
    'b.ris': ris,
  })
  const fasta = `>1\n${'ACGTACGTAC'.repeat(12)}\n`
  portal = await openTestPortal(
    [
      {
        id: 'ALPHA',
        fasta,
        gff3: genes('TM'),
        about: { source: 'Sequence of Pym et al. 2002, cut to size' },
        records: [
          {
            kind: 'track',
            id: 'hits',
            data: {
              id: 'hits',
              name: 'Hits',
              description: null,
              category: { en: 'Insertions (Griffin et al. 2011)', zh: '插入（Griffin 等，2011）' },
              simulated: false,
            },
          },
          {
            kind: 'expression',
            id: 'counts',
            data: { id: 'counts', name: 'Counts', description: null, source: 'Griffin et al. 2011', simulated: false },
          },
        ],
      },
      { id: 'BETA', fasta, gff3: genes('TMB'), about: { strain: 'Beta', source: 'doi:10.1128/jb.178.5.1274' } },
    ],
    'tuberculosis',
    baked.records,
  )
})
afterAll(() => portal?.close())

describe('loading', () => {
  test('keeps what the manifest adds to a file: its assemblies and the genes of a publication', () => {
    expect(baked.defects).toEqual([])
    expect(baked.counts).toEqual({ references: 6 })
    expect(baked.records.at(-1)).toMatchObject({
      id: 'smith2001',
      data: { genes: ['TM_2', 'TMB_1'], assemblies: ['BETA'], keywords: [] },
    })
  })

  test("the portal's search finds a publication by DOI, gene, author and abstract", () => {
    const entry = baked.searchEntries[0]!
    expect(entry).toMatchObject({ type: 'reference', id: 'mahairas1996', names: ['10.1128/jb.178.5.1274'] })
    expect(baked.searchEntries[2]!.extra).toMatch(/Cholesterol.*Griffin.*essential/s)
  })

  test('genes for a key that the file has not are told', async () => {
    const { defects } = await bake([{ file: 'b.ris', genes: { smith2002: ['x'] } }], { 'b.ris': ris })
    expect(defects.map((one) => [one.code, one.params])).toEqual([['reference-unknown-key', { key: 'smith2002' }]])
  })

  test('a publication in two files is one, about the genes of both', async () => {
    const { records } = await bake(
      [
        { file: 'a.bib', genes: { pym2002: ['g1'] } },
        { file: 'a.bib', assemblies: ['X'] },
      ],
      {
        'a.bib': bib,
      },
    )
    expect(records.length).toBe(5)
    expect(records[1]!.data).toMatchObject({ key: 'pym2002', genes: ['esxA', 'TM_9', 'g1'], assemblies: ['X'] })
  })
})

describe('searching', () => {
  test('all words must be found, in any field, at the beginning of words, without accents', async () => {
    expect(await keys({ words: 'rd1 vaccin' })).toEqual(['pym2002'])
    expect(await keys({ words: 'medigue' })).toEqual(['pym2002'])
    expect(await keys({ words: 'cholesterol' })).toEqual(['griffin2011'])
    expect(await keys({ words: 'ccine' })).toEqual([])
    expect(await keys({ words: '10.1128/JB.178.5.1274' })).toEqual(['mahairas1996'])
    expect(await keys({ words: '"live vaccines"' })).toEqual(['pym2002'])
    expect(await keys({ words: '"vaccines live"' })).toEqual([])
  })

  test('a word of the title weighs more than a keyword, and the newest comes first among equals', async () => {
    expect(await keys({ words: 'RD1' })).toEqual(['pym2002', 'mahairas1996'])
    expect(await keys({ sort: 'newest' })).toEqual([
      'chinese',
      'griffin2011',
      'pym2002',
      'smith2001',
      'mahairas1996',
      'textbook',
    ])
    expect((await keys({ sort: 'oldest' }))[0]).toBe('mahairas1996')
    expect((await keys({ sort: 'author' })).slice(0, 3)).toEqual(['textbook', 'griffin2011', 'mahairas1996'])
  })

  test('Chinese is found without blanks between words', async () => {
    expect(await keys({ words: '基因组' })).toEqual(['chinese'])
  })

  test('a mistyped word is read as the nearest one, and that is told', async () => {
    const result = await run({ words: 'cholesterl' })
    expect(result.publications.map((one) => one.key)).toEqual(['griffin2011'])
    expect(result.corrections).toEqual([{ typed: 'cholesterl', read: 'cholesterol' }])
  })

  test('filters by year, keyword, species and assembly; each is counted without itself', async () => {
    expect(await keys({ yearFrom: 2002, yearTo: 2011 })).toEqual(['griffin2011', 'pym2002'])
    expect(await keys({ keyword: 'rd1' })).toEqual(['pym2002', 'mahairas1996'])
    expect(await keys({ species: 'rice' })).toEqual([])
    expect((await keys({ assembly: 'BETA' })).sort()).toEqual(['mahairas1996', 'smith2001', 'textbook'])
    expect(await keys({ assembly: 'GAMMA' })).toEqual([])
    const { facets, total, loaded } = await run({ keyword: 'RD1', yearTo: 2000 })
    expect([total, loaded]).toEqual([1, 6])
    expect(facets.years).toEqual([
      { year: 1996, count: 1 },
      { year: 2002, count: 1 },
    ])
    expect(facets.species).toEqual([{ species: 'tuberculosis', name: 'Test species', count: 1 }])
    expect(facets.assemblies).toEqual([{ assembly: 'BETA', count: 1 }])
  })

  test('keywords to choose from are subjects, not names of genes', async () => {
    const offered = (await run()).facets.keywords.map((one) => one.keyword)
    expect(offered[0]).toBe('RD1')
    expect(offered).toContain('Beta')
    expect(offered).not.toContain('TM_1')
    expect(offered).not.toContain('old2')
  })

  test('pages', async () => {
    const second = await run({ sort: 'newest', page: 2, pageSize: 4 })
    expect([second.total, second.publications.map((one) => one.key)]).toEqual([6, ['mahairas1996', 'textbook']])
  })
})

describe('what a publication touches', () => {
  const get = async (key: string) => (await run()).publications.find((one) => one.key === key)!
  const touched = async (key: string) =>
    (await get(key)).genes.map(({ name, by, genes: found }) => [
      name,
      by,
      found.map((gene) => `${gene.assembly}:${gene.id}`),
    ])

  test('genes by its own entry, unknown ones kept by name', async () => {
    // The source of ALPHA cites this publication: its genes are those of ALPHA.
    expect(await touched('pym2002')).toEqual([
      ['esxA', 'entry', ['ALPHA:TM_3']],
      ['TM_9', 'entry', []],
    ])
  })

  test('genes by keywords; subjects are none', async () => {
    expect(await touched('mahairas1996')).toEqual([
      ['TM_1', 'keyword', ['ALPHA:TM_1']],
      ['old2', 'keyword', ['BETA:TMB_2']],
    ])
    expect(await touched('textbook')).toEqual([])
  })

  test('genes by the text, where it writes them as they are written; ordinary words are none', async () => {
    expect(await touched('griffin2011')).toEqual([
      ['esxA', 'text', ['ALPHA:TM_3']],
      ['tm_2', 'text', ['ALPHA:TM_2']],
    ])
  })

  test('assemblies, tracks and data sets of expression: by the manifest, by a keyword, by a source that cites it', async () => {
    const sets = async (key: string) => (await get(key)).dataSets.map((one) => [one.kind, one.assembly, one.id, one.by])
    expect(await sets('smith2001')).toEqual([['assembly', 'BETA', 'BETA', 'entry']])
    expect(await sets('textbook')).toEqual([['assembly', 'BETA', 'BETA', 'keyword']])
    expect(await sets('mahairas1996')).toEqual([['assembly', 'BETA', 'BETA', 'source']])
    expect(await sets('pym2002')).toEqual([['assembly', 'ALPHA', 'ALPHA', 'source']])
    expect(await sets('griffin2011')).toEqual([
      ['track', 'ALPHA', 'hits', 'source'],
      ['expression', 'ALPHA', 'counts', 'source'],
    ])
    expect(await sets('chinese')).toEqual([])
  })

  test('publications of a gene, by any of its names in either assembly', async () => {
    const of = (gene: string, geneAssembly: string) => keys({ gene, geneAssembly, sort: 'newest' })
    expect(await of('TM_3', 'ALPHA')).toEqual(['griffin2011', 'pym2002'])
    expect(await of('TMB_3', 'BETA')).toEqual(['griffin2011', 'pym2002'])
    expect(await of('TM_2', 'ALPHA')).toEqual(['griffin2011', 'smith2001', 'mahairas1996'])
    // "was" is an alias of TM_3 and a word of a sentence; "BETA" an alias of TM_4 and a strain.
    expect(await of('TM_4', 'ALPHA')).toEqual([])
    const unknown = await run({ gene: 'nosuchgene' })
    expect([unknown.total, unknown.gene]).toEqual([0, { query: 'nosuchgene', genes: [] }])
  })
})

describe('files', () => {
  test('BibTeX and RIS are read back as they were, the receipt before the entries', async () => {
    const bibtex = await file({ format: 'bibtex', words: 'RD1 @{' })
    expect(bibtex.fileName).toBe('references.bib')
    expect(bibtex.text).toMatch(/^% NovoDB test, tool references/)
    const log = new DefectLog()
    const again = parseBibtex(bibtex.text, { file: 'x', log })
    expect(log.defects).toEqual([])
    expect(again.map((one) => [one.key, one.title, one.genes])).toEqual([
      ['pym2002', 'Loss of RD1 contributed to the attenuation of the live vaccines', ['esxA', 'TM_9']],
      ['mahairas1996', 'Molecular analysis of genetic differences between BCG and virulent M. bovis', []],
    ])
    const risLog = new DefectLog()
    const fromRis = parseRis((await file({ format: 'ris' })).text, { file: 'x', log: risLog })
    expect(risLog.defects).toEqual([])
    expect(fromRis.length).toBe(6)
    expect(fromRis.find((one) => one.key === 'smith2001')!.genes).toEqual(['TM_2', 'TMB_1'])
  })

  test('chosen ones only, in the order chosen, whatever is being searched for', async () => {
    const chosen = ['griffin2011', 'nothing', 'chinese'].map((key) => ({ species: 'tuberculosis', key }))
    const items = JSON.parse((await file({ format: 'csl', words: 'RD1', keys: chosen })).text) as { id: string }[]
    expect(items.map((one) => one.id)).toEqual(['griffin2011', 'chinese'])
  })

  test('citations in the style of the reader', async () => {
    const input = { format: 'text', keyword: 'Tn-seq' }
    expect((await file(input)).text).toMatch(
      /\n1\. Griffin JE, Gawronski JD\. High-resolution .* growth\. PLOS Pathogens\. 2011\.\n$/,
    )
    expect((await file(input, 'zh')).text).toMatch(
      /\n\[1\] GRIFFIN J E, GAWRONSKI J D\. High-resolution .* growth\[J\]\. PLOS Pathogens, 2011\.\n$/,
    )
  })

  test('a table with genes and data sets', async () => {
    const { text } = await file({ format: 'tsv', keyword: 'essential' })
    const [head, row] = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'))
    const cell = (name: string): string | undefined => row![head!.indexOf(name)]
    expect([cell('key'), cell('genes'), cell('data_sets')]).toEqual([
      'griffin2011',
      'ALPHA:TM_3; ALPHA:TM_2',
      'ALPHA:hits; ALPHA:counts',
    ])
  })
})
