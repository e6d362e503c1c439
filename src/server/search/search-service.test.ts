import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveGenes } from '../../contracts/genes.ts'
import { search, suggest } from '../../contracts/search.ts'
import { createEntrySets, type PostingLists } from '../../database/search/posting-lists.ts'
import { countFacets, countWords, type Facet, findEntries } from '../../database/search/search.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../../testing/species.ts'

const gene = (start1: number, id: string, symbol: string, description: string): string =>
  `chr1\tx\tgene\t${start1}\t${start1 + 59}\t.\t+\t.\tID=${id};Name=${symbol};description=${description}`

const likeProteins = (prefix: string): string[] => [
  gene(1001, `${prefix}_0101`, 'esxG', 'ESAT-6 LIKE PROTEIN ESXG (CONSERVED HYPOTHETICAL PROTEIN TB9.8)'),
  gene(1101, `${prefix}_0102`, 'esxI', 'PUTATIVE ESAT-6 LIKE PROTEIN ESXI (ESAT-6 LIKE PROTEIN 1)'),
  gene(1201, `${prefix}_0103`, 'esxJ', 'ESAT-6-like protein'),
]

describe('the order and the reading of searches', () => {
  let bed: TestApp
  beforeAll(async () => {
    bed = await openTestApp()
    const reference = [
      ...likeProteins('TM'),
      gene(1301, 'TM_0104', 'esxA', '6 KDA EARLY SECRETORY ANTIGENIC TARGET ESXA (ESAT-6)'),
      gene(
        1401,
        'TM_0105',
        'gal3',
        'Regulator of galactokinase genes; galactokinase like but without galactokinase activity',
      ),
      gene(1501, 'TM_0106', 'gal1', 'Galactokinase; phosphorylates galactose in the first step of its catabolism'),
    ]
    reference.push(
      gene(1601, 'TM_0107', 'abcZ', 'Exports the products of esx'),
      gene(1701, 'TM_0108', 'katG', 'CATALASE-PEROXIDASE-PEROXYNITRITASE T KATG that activates the drug of choice'),
      gene(1801, 'TM_0109', 'furA', 'Regulates the gene beside it, of a catalase'),
    )
    const strain = [
      ...likeProteins('TP'),
      gene(1301, 'TP_0104', 'esxA', '6 kDa early secretory target EsxA (ESAT-6)'),
      gene(1701, 'TP_0108', 'katG', 'Catalase/peroxidase'),
      gene(1801, 'TP_0110', 'katE', 'Catalase'),
    ]
    const folder = makeSpeciesFolder(join(bed.root, 'species'), {
      files: {
        'genes.gff3': makeGff3(reference),
        'strain.gff3': `##gff-version 3\n${strain.join('\n')}\n`,
      },
      manifest: `  - id: TM-Paris
    strain: S288C
    genome: genome.fa
    genes: strain.gff3
    sequences:
      - { name: chr1 }
      - { name: pT, circular: true }
`,
    })
    const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
    expect(report.ok, JSON.stringify(report)).toBe(true)
  })
  afterAll(() => bed.close())

  const ask = async (q: string, more = '') => {
    const answer = await bed.app.inject({ url: `/api/search/?q=${encodeURIComponent(q)}${more}` })
    return search.output.parse(answer.json().data)
  }
  const ids = (answer: Awaited<ReturnType<typeof ask>>): string[] => answer.entries.map((entry) => entry.id)

  test('ESAT-6 is the antigen, in the reference first, before the proteins that are like it', async () => {
    const answer = await ask('ESAT-6')
    expect(ids(answer).slice(0, 2)).toEqual(['TM_0104', 'TP_0104'])
    expect(answer.total).toBe(8)
    expect(answer).toMatchObject({ narrowed: null, anyWord: false })
    // Without its hyphen too, in suggestions and where ids are checked.
    const suggested = await bed.app.inject({ url: '/api/search/suggest/?q=ESAT6' })
    expect(suggest.output.parse(suggested.json().data).entries[0]!.id).toBe('TM_0104')
    const checked = await bed.app.inject({ method: 'POST', url: '/api/genes/resolve/', payload: { ids: ['esat6'] } })
    const [near] = resolveGenes.output.parse(checked.json().data).nearest
    expect(near!.genes.map(({ id }) => id)).toEqual(['TM_0104', 'TP_0104'])
  })

  test('galactokinase is the enzyme before its regulator, however often the regulator names it', async () => {
    expect(ids(await ask('galactokinase'))).toEqual(['TM_0106', 'TM_0105'])
  })

  test('catalase is what is called so, then what its description names so, of which the reference’s comes first, then what speaks of it', async () => {
    expect(ids(await ask('catalase'))).toEqual(['TP_0110', 'TM_0108', 'TP_0108', 'TM_0109'])
  })

  test('a question with words that nothing has finds what has any of them, and says so', async () => {
    const answer = await ask('Is ESAT-6 present somewhere')
    expect(answer.anyWord).toBe(true)
    expect(ids(answer).slice(0, 2)).toEqual(['TM_0104', 'TP_0104'])
    expect(answer.facets.type).toEqual({ gene: 8 })
    expect((await ask('Is ESAT-6 present somewhere', '&type=gene')).facets.type).toEqual({ gene: 8 })
    // The rarer word first.
    expect(ids(await ask('protein gal1 qqqq'))[0]).toBe('TM_0106')
    const nothing = await ask('wxwx yzyz')
    expect(nothing).toMatchObject({ entries: [], total: 0, anyWord: false, anyOf: null })
  })

  test('which of the words were searched for, and which were not, is told as they were typed', async () => {
    expect((await ask('Banana Galactokinase catalase')).anyOf).toEqual({
      searched: ['Galactokinase', 'catalase'],
      dropped: ['Banana'],
    })
    expect((await ask('galactokinase')).anyOf).toBeNull()
  })

  test('a last word that few entries have, and none is called, may be the beginning of a name', async () => {
    const answer = await ask('esx')
    expect(new Set(ids(answer))).toEqual(
      new Set([...['0101', '0102', '0103', '0104'].flatMap((id) => [`TM_${id}`, `TP_${id}`]), 'TM_0107']),
    )
    // What is called so is what is meant.
    expect(ids(await ask('gal1'))).toEqual(['TM_0106'])
  })

  test('a hyphen is read however it is written, and a name without it', async () => {
    for (const q of ['ESAT\u20136', 'ESAT\u22126', 'esat\u20116'])
      expect(ids(await ask(q))).toEqual(ids(await ask('ESAT-6')))
    const joined = await ask('galacto-kinase')
    expect(joined.corrections).toEqual([{ typed: 'galacto-kinase', read: 'galactokinase' }])
    expect(ids(joined)).toEqual(['TM_0106', 'TM_0105'])
    const split = await ask('conserved-hypothetical')
    expect(split.corrections).toEqual([{ typed: 'conserved-hypothetical', read: 'conserved hypothetical' }])
    expect(split.total).toBe(2)
  })

  test('a symbol is not read as another, and what others have is not misspelt', async () => {
    for (const [q, more] of [
      ['esxA7', ''],
      ['galT', ''],
      ['galactokinase', '&assembly=TM-Paris'],
      ['gal3', '&assembly=TM-Paris'],
      ['esxA', '&type=term'],
    ] as const)
      expect(await ask(q, more), q).toMatchObject({ total: 0, corrections: [] })
    expect((await ask('galactokinas')).total).toBe(2)
    expect((await ask('galactokniase')).corrections).toEqual([{ typed: 'galactokniase', read: 'galactokinase' }])
  })

  test('the numbers of a region are not searched for as words', async () => {
    const region = await ask('chr1:1,000-1,101')
    expect(region).toMatchObject({ total: 0, anyWord: false, region: { sequence: 'chr1', start: 1000, end: 1101 } })
  })

  test('a place that is wrong is told, also where its form alone says nothing; words after a name of a sequence are words', async () => {
    const refused = async (q: string, language: string) => {
      const answer = await bed.app.inject({
        url: `/api/search/?q=${encodeURIComponent(q)}`,
        headers: { 'accept-language': language },
      })
      return [answer.statusCode, answer.json().details?.problems?.[0]]
    }
    const open = await ask('chr1:1,201..')
    expect(open).toMatchObject({ total: 0, anyWord: false, region: { sequence: 'chr1', start: 1201, end: 3000 } })
    expect(await refused('chr1:1.201..1.300', 'en')).toEqual([
      400,
      { path: ['q'], message: '“1.201” is not a whole number.' },
    ])
    expect(await refused('chr1:1.2kb..2.1kb', 'zh')).toEqual([400, { path: ['q'], message: '“1.2kb”不是整数。' }])
    expect(await refused('chr1:40,000..40,100', 'en')).toEqual([
      400,
      { path: ['q'], message: expect.stringMatching(/^chr1 is 3,000 bp long: .*40,000/) },
    ])
    expect(await refused('chr1:200:300', 'en')).toMatchObject([404, { path: ['q'] }])
    // Neither is a place that any sequence here has.
    for (const q of ['chr1: 6 KDA antigenic target', 'chr9:1.201..1.300', 'esx:12'])
      expect((await refused(q, 'en'))[0], q).toBe(200)
    expect(ids(await ask('chr1: 6 KDA early antigenic'))).toContain('TM_0104')
  })

  test('a change of a gene is read as one, and the gene is the answer; a gene with a slip is offered with its change', async () => {
    const answer = await ask('katG S315T')
    expect(answer.change).toEqual({
      written: 'p.Ser315Thr',
      // That of the reference first.
      genes: [
        { assembly: 'TM1', id: 'TM_0108', symbol: 'katG' },
        { assembly: 'TM-Paris', id: 'TP_0108', symbol: 'katG' },
      ],
    })
    expect(ids(answer)[0]).toBe('TM_0108')
    expect((await ask('TP_0104:c.-15C>T')).change).toMatchObject({ written: 'c.-15C>T', genes: [{ id: 'TP_0104' }] })
    const slip = await ask('ktaG S315T')
    expect(slip.change).toBeNull()
    expect(slip.near).toContain('katg p.Ser315Thr')
    expect((await ask('katG')).change).toBeNull()
    // A strain, whose name has the form of a change.
    for (const q of ['katG S288C', 'katG in s288c']) {
      const inStrain = await ask(q)
      expect([inStrain.change, inStrain.narrowed?.assemblies, ids(inStrain)[0]], q).toEqual([
        null,
        ['TM-Paris'],
        'TP_0108',
      ])
    }
  })

  test('a question for what a genome lacks names the genes and the genomes; other words are words', async () => {
    const gene = await ask('esxA deleted')
    expect(gene.absence).toMatchObject({
      typed: 'deleted',
      assemblies: [],
      genes: [{ id: 'TM_0104' }, { id: 'TP_0104' }],
    })
    expect(ids(gene)[0]).toBe('TM_0104')
    expect((await ask('esxA absent in Paris')).absence).toMatchObject({ assemblies: ['TM-Paris'] })
    for (const q of ['genes missing from Paris', 'Paris 中缺失的基因'])
      expect((await ask(q)).absence, q).toMatchObject({ assemblies: ['TM-Paris'], genes: [] })
    for (const q of ['loss of catalase activity', 'deleted', 'esxA']) expect((await ask(q)).absence, q).toBeNull()
  })

  test('a word that names an assembly narrows the search to it, where the other words are found', async () => {
    const narrowed = await ask('esxA Paris')
    expect(ids(narrowed)).toEqual(['TP_0104'])
    expect(narrowed).toMatchObject({ anyWord: false, narrowed: { typed: 'Paris', assemblies: ['TM-Paris'] } })
    expect(ids(await ask('TM1 esxA'))).toEqual(['TM_0104'])
    // The strain has no such gene: it is shown where it is, and that not all words are met is said.
    const elsewhere = await ask('galactokinase Paris')
    expect(ids(elsewhere)).toEqual(['TM_0106', 'TM_0105'])
    expect(elsewhere).toMatchObject({ narrowed: null, anyWord: true })
    // Who chose an assembly is searching it.
    expect((await ask('esxA Paris', '&assembly=TM1')).narrowed).toBeNull()
    // What all assemblies' names have in common names none of them, nor does a name alone narrow anything.
    expect((await ask('Paris')).narrowed).toBeNull()
  })
})

describe('what is called as the question', () => {
  let bed: TestApp
  /** More than are ranked one by one. */
  const crowd = 2100
  const line = (start1: number, attributes: string): string =>
    `chr1\tx\tgene\t${start1}\t${start1 + 9}\t.\t+\t.\t${attributes}`
  beforeAll(async () => {
    bed = await openTestApp()
    const genes = [
      ...Array.from({ length: crowd }, (_, number) =>
        line(number + 1, `ID=TM_${1000 + number};description=lumen protein`),
      ),
      line(2801, 'ID=TM_9001;Alias=lumen,lumen protein;description=protein of the lumen'),
      line(2821, 'ID=TM_9002;Name=lumen;description=found in the lumen'),
      line(2841, 'ID=TM_9003;description=budding budding protein of budding'),
      line(2861, 'ID=TM_9004;Name=budding;description=growth'),
      // More than a few have the word, as of a system that is called like its genes.
      ...Array.from({ length: 30 }, (_, number) =>
        line(2871 + number, `ID=TM_${9100 + number};description=component of the esx apparatus, lenient`),
      ),
      line(2911, 'ID=TM_9201;Name=esxA;description=antigen'),
      line(2921, 'ID=TM_9202;Name=esxB;description=antigen'),
      line(2931, 'ID=TM_9203;Name=lenientX1234;description=antigen'),
    ]
    const terms = ['lumen', 'budding', 'lumen organization'].map(
      (name, number) => `[Term]\nid: GO:000001${number}\nname: ${name}\nnamespace: cellular_component\n`,
    )
    const folder = makeSpeciesFolder(join(bed.root, 'species'), {
      files: { 'genes.gff3': makeGff3(genes), 'terms.obo': `format-version: 1.2\n\n${terms.join('\n')}` },
    })
    const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
    expect(report.ok, JSON.stringify(report)).toBe(true)
  })
  afterAll(() => bed.close())

  const ask = async (q: string, page = 1, pageSize = 100) => {
    const answer = await bed.app.inject({
      url: `/api/search/?${new URLSearchParams({ q, page: `${page}`, pageSize: `${pageSize}` })}`,
    })
    return search.output.parse(answer.json().data)
  }
  const ids = (answer: Awaited<ReturnType<typeof ask>>): string[] => answer.entries.map((entry) => entry.id)

  test('comes first: the gene of that symbol, then the term of that name, then genes whose descriptions have it', async () => {
    expect(ids(await ask('budding'))).toEqual(['TM_9004', 'GO:0000011', 'TM_9003'])
    expect(ids(await ask('Budding'))[0]).toBe('TM_9004')
  })

  test('may begin symbols where many entries have the word: a family is found whole, and before what speaks of it', async () => {
    const family = await ask('esx')
    expect(family.total).toBe(32)
    expect(ids(family).slice(0, 2)).toEqual(['TM_9201', 'TM_9202'])
    // One longer name that begins so is no family.
    expect((await ask('lenient')).total).toBe(30)
  })

  test('comes first also where the word is a common one, an alias behind the term', async () => {
    const answer = await ask('lumen')
    expect(ids(answer).slice(0, 4)).toEqual(['TM_9002', 'GO:0000010', 'TM_9001', 'TM_1000'])
    expect(answer.total).toBe(crowd + 4)
  })

  test('leaves no entry out and shows none twice from page to page', async () => {
    const seen: string[] = []
    // Pages of two: the second begins among what is called so, and ends behind it.
    for (let page = 1; page <= 4; page += 1) seen.push(...ids(await ask('lumen', page, 2)))
    expect(seen).toEqual(ids(await ask('lumen')).slice(0, 8))
    const all: string[] = []
    for (let page = 1; all.length < crowd + 4; page += 1) {
      const entries = ids(await ask('lumen', page))
      expect(entries.length).toBeGreaterThan(0)
      all.push(...entries)
    }
    expect(new Set(all).size).toBe(crowd + 4)
  })

  test('several words are answered alike by the index and from memory', async () => {
    const { sql } = bed.portal.database
    const rows = await sql<{ bundle: number }[]>`select distinct bundle from search_entries order by bundle`
    const bundles = rows.map((row) => row.bundle)
    const entrySets = createEntrySets(sql)
    const readers = { sql, rankedSql: sql }
    const how = { unfinished: false, any: false }
    const sorted = (facets: Facet[]) => facets.map(({ bundle, type, count }) => `${bundle} ${type} ${count}`).sort()
    const totals: number[] = []
    for (const [question, type] of [
      // More than are ranked, one of them called so.
      ['lumen protein', undefined],
      ['lumen protein', 'gene'],
      ['lumen protein', 'term'],
      ['protein budding', undefined],
      ['lumen organization', undefined],
      ['lumen growth', undefined],
      ['lumen absent', undefined],
      // One common word; a stop word that is a part of names; an identifier of several parts; signs that are no word to PostgreSQL.
      ['lumen', undefined],
      ['lumen', 'term'],
      ['protein of', undefined],
      ['protein GO:0000010', undefined],
      ['\u137b lumen', undefined],
    ] as const) {
      const scope = { bundles, ...(type === undefined ? {} : { type }) }
      const words = await countWords(sql, scope, question.split(' '))
      // Rare words are read when they are asked for again.
      for (let turn = 0; turn < 2; turn += 1) {
        entrySets.meet(bundles, words)
        await entrySets.settled()
      }
      expect(entrySets.meet(bundles, words)).not.toBeNull()
      for (const offset of [0, 1, 20, 2095]) {
        const found = (sets: PostingLists) =>
          findEntries({ ...readers, entrySets: sets }, scope, words, question, how, offset, 20)
        const byIndex = await found({ meet: () => null, clear: () => {}, settled: async () => {} })
        const fromMemory = await found(entrySets)
        const ids = ({ rows }: typeof byIndex): string[] =>
          rows.map(({ bundle, type, id }) => `${bundle} ${type} ${id}`)
        expect(ids(fromMemory)).toEqual(ids(byIndex))
        const reported = async ({ facets }: typeof byIndex) =>
          sorted(facets ?? (await countFacets({ ...readers, entrySets }, { bundles }, words, how)))
        expect(await reported(fromMemory)).toEqual(await reported(byIndex))
        expect(fromMemory).toMatchObject({ total: byIndex.total, totalExact: true })
        if (offset === 0) totals.push(fromMemory.total)
      }
    }
    expect(totals).toEqual([crowd + 1, crowd + 1, 0, 1, 1, 0, 0, crowd + 4, 2, 0, 0, crowd + 4])
  })
})

describe('what a biologist types', () => {
  let bed: TestApp
  beforeAll(async () => {
    bed = await openTestApp()
    const line = (at: number, attributes: string): string =>
      `chr1\tx\tgene\t${at * 100 + 1}\t${at * 100 + 60}\t.\t+\t.\t${attributes}`
    const ofFirst = [
      line(10, 'ID=TM_0201;Name=lipQ;description=Culture filtrate antigen (MPT64)'),
      line(11, 'ID=TM_0202;Name=hspX;description=Alpha-crystallin (HBHA-12) (16 kDa antigen)'),
      line(12, 'ID=TM_0203;Name=ppe9;description=PPE family protein'),
      line(13, 'ID=TM_0204;Name=sigK;description=RNA polymerase factor'),
      line(14, 'ID=TM_0205;Name=lacZ;description=hydrolase of lactose'),
      line(15, 'ID=TM_0206;Name=urtB;description=permease 64 of the mpt group'),
      line(16, 'ID=TM_0207;description=TGF-beta like ligand'),
      line(17, 'ID=TM_0208;Name=sigM;description=permease of the anti-sigma operon, factor K dependent'),
    ]
    const term = (number: number, name: string, definition: string): string =>
      `[Term]\nid: GO:00009${number}\nname: ${name}\nnamespace: molecular_function\ndef: "${definition}" [x:y]\n`
    const obo = [
      term(10, 'regulation of permease activity', 'A permease process that modulates permease, any permease.'),
      term(11, 'positive regulation of permease activity', 'Permease activation: permease goes up as permease does.'),
      term(12, 'permease activity', 'Moves a solute.'),
      term(13, 'permease inhibitor activity', 'Binds to permease.'),
      term(14, 'very slow porter family', 'Of slow porters.'),
      term(
        15,
        'very slow porter: sodium symporter activity',
        'A very slow porter is a very slow porter; a very slow porter moves.',
      ),
    ]
    const load = async (species: string, assembly: string, name: string, common: string, genes: string[]) => {
      const folder = makeSpeciesFolder(join(bed.root, species), {
        species,
        assembly,
        files: { 'genes.gff3': makeGff3(genes), 'terms.obo': `format-version: 1.2\n\n${obo.join('\n')}` },
      })
      const file = join(folder, 'species.yaml')
      const manifest = readFileSync(file, 'utf8')
        .replace(/^name: .*$/m, `name: ${name}`)
        .replace(/^commonName: .*$/m, `commonName: ${common}`)
      writeFileSync(file, manifest)
      const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
      expect(report.ok, JSON.stringify(report)).toBe(true)
    }
    await load('rhizo', 'RhX', 'Rhizobium testum', '{ en: "Root friend, made up", zh: 试验根瘤菌 }', ofFirst)
    await load(
      'candi',
      'Ca2',
      'Candida probata',
      '{ en: Trial yeast, zh: 试验念珠菌 }',
      ofFirst.slice(3).map((one) => one.replaceAll('TM_', 'CA_')),
    )
  }, 180_000)
  afterAll(() => bed.close())

  const ask = async (q: string, more = '') => {
    const answer = await bed.app.inject({ url: `/api/search/?q=${encodeURIComponent(q)}${more}` })
    return search.output.parse(answer.json().data)
  }
  const ids = (answer: Awaited<ReturnType<typeof ask>>): string[] => answer.entries.map((entry) => entry.id)
  const suggested = async (q: string): Promise<string[]> => {
    const answer = await bed.app.inject({ url: `/api/search/suggest/?q=${encodeURIComponent(q)}` })
    return suggest.output.parse(answer.json().data).entries.map((entry) => entry.id)
  }

  test('a name with a blank, a hyphen or neither is one name, before what has its parts somewhere', async () => {
    for (const q of ['MPT 64', 'MPT-64', 'mpt64']) expect(ids(await ask(q))[0], q).toBe('TM_0201')
    expect(ids(await ask('MPT 64', '&species=rhizo'))).toEqual(['TM_0201', 'TM_0206'])
    for (const q of ['HBHA 12', 'HBHA12', 'hbha-12']) expect(ids(await ask(q)), q).toEqual(['TM_0202'])
    for (const q of ['PPE 9', 'PPE-9']) expect(ids(await ask(q)), q).toEqual(['TM_0203'])
    expect(await suggested('ppe 9')).toEqual(['TM_0203'])
    expect(await suggested('HBHA12')).toEqual(['TM_0202'])
  })

  test('a Greek letter is its name, and a sigma factor its symbol', async () => {
    for (const q of ['sigma K', 'σK', 'σ K', 'sigma-K']) {
      expect(ids(await ask(q)).slice(0, 2), q).toEqual(['TM_0204', 'CA_0204'])
    }
    expect(ids(await ask('TGF-β', '&species=rhizo'))).toEqual(['TM_0207'])
  })

  test('a species named by genus, epithet, abbreviation or common name, in either language, narrows the search', async () => {
    for (const q of [
      'Candida hydrolase',
      'hydrolase C. probata',
      'Candida probata hydrolase',
      'probata hydrolase',
      'trial yeast hydrolase',
      '试验念珠菌 hydrolase',
      '念珠菌水解酶',
    ]) {
      const answer = await ask(q)
      expect(ids(answer), q).toEqual(['CA_0205'])
      expect(answer.narrowed, q).toMatchObject({ species: ['candi'], assemblies: ['Ca2'] })
      expect(answer.anyWord, q).toBe(false)
    }
    const strain = await ask('Ca2 lacZ')
    expect(strain.narrowed).toEqual({ typed: 'Ca2', assemblies: ['Ca2'], species: [] })
    // The Chinese names have a part in common: it tells none from the other, and what is asked for is found in both.
    expect(new Set(ids(await ask('水解酶')))).toEqual(new Set(['TM_0205', 'CA_0205']))
    expect((await ask('水解酶')).corrections).toEqual([{ typed: '水解酶', read: 'hydrolase' }])
    // Not there: shown where it is, with that said.
    expect(await ask('Candida hspX')).toMatchObject({ narrowed: null, anyWord: true })
  })

  test('a term comes first of which most of the name was typed, before one that names it more often', async () => {
    expect(ids(await ask('very slow porter', '&type=term&species=rhizo'))).toEqual(['GO:0000914', 'GO:0000915'])
  })

  test('the term itself comes before what regulates it, however often that names it', async () => {
    const terms = await ask('permease', '&type=term&species=rhizo')
    expect(ids(terms)[0]).toBe('GO:0000912')
    expect(ids(await ask('permease activity', '&type=term&species=rhizo'))[0]).toBe('GO:0000912')
    // What has it comes before the vocabulary.
    expect((await ask('permease')).entries[0]!.type).toBe('gene')
  })

  test('a slip is mended or asked about; the symbol of another gene and another number are no slip', async () => {
    expect((await ask('hspx')).corrections).toEqual([])
    expect((await ask('hspxx')).corrections).toEqual([{ typed: 'hspxx', read: 'hspx' }])
    expect(await ask('hspXX')).toMatchObject({ total: 0, near: ['hspx'] })
    for (const q of ['sigq', 'sigQ', 'TM_0209', 'lacy']) {
      expect(await ask(q), q).toMatchObject({ total: 0, corrections: [], near: [] })
      expect(await suggested(q), q).toEqual([])
    }
    expect(await suggested('hpsX')).toEqual(['TM_0202'])
  })

  test('ids that are unknown are given with the genes that may have been meant', async () => {
    const answer = await bed.app.inject({
      method: 'POST',
      url: '/api/genes/resolve/',
      payload: { ids: ['hspx', 'lipQQ', 'MPT-64', 'HBHA12', 'sigZ', 'TM_0209', 'no such gene'], assembly: 'RhX' },
    })
    const resolved = resolveGenes.output.parse(answer.json().data)
    expect(resolved.found.map(({ query }) => query)).toEqual(['hspx'])
    expect(resolved.nearest.map(({ query, genes }) => [query, ...genes.map(({ id }) => id)])).toEqual([
      ['lipQQ', 'TM_0201'],
      ['MPT-64', 'TM_0201'],
      ['HBHA12', 'TM_0202'],
    ])
  })
})
