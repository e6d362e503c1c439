import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortalError } from '../../contracts/errors.ts'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { findTools } from '../../kit/find-tools.ts'
import { askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { checkTestSpecies, loadTestSpecies, makeSpeciesFolder } from '../../testing/species.ts'
import type { PathwayAnswer } from './endpoints.ts'
import engine from './engine.ts'

let portal: EmptyPortal
let database: Database
let root: string
let data: OpenPortalData
let report: Awaited<ReturnType<typeof loadTestSpecies>>

const kgml = `<pathway name="path:ko00010" org="ko" number="00010" title="Burning">
<entry id="1" name="ko:K00001" type="ortholog"><graphics name="K00001..." type="rectangle" x="100" y="100" width="46" height="17"/></entry>
<entry id="2" name="tst:TM_0004" type="gene"><graphics name="repW" type="rectangle" x="200" y="100" width="46" height="17"/></entry>
<entry id="3" name="path:ko00020" type="map"><graphics name="Other" type="roundrectangle" x="300" y="100" width="60" height="25"/></entry>
<entry id="4" name="ko:K99999" type="ortholog"><graphics name="K99999" type="rectangle" x="100" y="200" width="46" height="17"/></entry>
<relation entry1="1" entry2="2" type="PPrel"><subtype name="activation" value="-->"/></relation></pathway>`
const gpml = `<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="Own drawing" Version="WP7_r1"><Graphics BoardWidth="300" BoardHeight="200"/>
<DataNode TextLabel="abcA" GraphId="a" Type="GeneProduct"><Graphics CenterX="50" CenterY="50" Width="60" Height="20"/><Xref Database="" ID=""/></DataNode>
<DataNode TextLabel="nobody" GraphId="b" Type="GeneProduct"><Graphics CenterX="150" CenterY="50" Width="60" Height="20"/><Xref Database="X" ID="TM_0002"/></DataNode></Pathway>`

const files = {
  'sets.gmt': 'path:tst00010\tBurning of sugars\tTM_0001\toldB\tTM_9999\ntst00020\tBuilding of walls\tkinB\tTM_0003\n',
  'map.xml': kgml,
  'own.gpml': gpml,
  'ko.tsv': 'TM_0001\tK00001\nTM_0005\tK00001\n',
}
const manifest = `      - { file: ko.tsv, format: table }
    pathways:
      - { file: [sets.gmt, map.xml], source: KEGG pathway, licence: own }
      - own.gpml
      - { source: GO, title: { en: Processes, zh: 过程 } }
`

/** The annotation stands before tracks in the made-up manifest: the entries go in their places. */
const place = (yaml: string): string =>
  yaml.replace('      - { file: go.tsv, format: table, source: GO }\n', (line) => line + manifest)

beforeAll(async () => {
  portal = await openEmptyPortal('pathways')
  ;({ database, root } = portal)
  const { dataDir } = portal
  data = await portal.openData()
  const folder = makeSpeciesFolder(join(root, 'species'), { files })
  writeFileSync(join(folder, 'species.yaml'), place(readFileSync(join(folder, 'species.yaml'), 'utf8')))
  report = await loadTestSpecies(database, dataDir, folder)
  expect(report.failure).toBeNull()
  await portal.hearChanges()
})
afterAll(() => portal?.close())

const list = async (input: object) =>
  (await runEngine(engine, input, makeEngineContext({ data }))) as {
    pathways: {
      source: string
      id: string
      name: string | null
      geneCount: number
      drawn: boolean
      setGenes: string[]
    }[]
    sources: { id: string; pathways: number }[]
    unknown: string[]
  }
const ask = async (path: string, input: object): Promise<unknown> => {
  const answer = await askRoute(engine, path, input, { data })
  return 'json' in answer ? answer.json : null
}

test('tables, drawings and a vocabulary of the annotation become pathways with their genes', async () => {
  const { pathways, sources } = await list({ assembly: 'TM1' })
  const reported = pathways.map(
    ({ source, id, name, geneCount, drawn }) => `${source} ${id} ${name} ${geneCount} ${drawn}`,
  )
  expect(reported.sort()).toEqual([
    // From the ontology: the root has the genes of both terms below it.
    'GO GO:0000001 root process 2 false',
    'GO GO:0000002 proton transport 1 false',
    'GO GO:0000003 cell wall assembly 1 false',
    'KEGG pathway tst00010 Burning of sugars 2 true',
    'KEGG pathway tst00020 Building of walls 2 false',
    'Pathway WP7 Own drawing 2 true',
  ])
  expect(sources.map(({ id, pathways: count }) => [id, count])).toEqual([
    ['KEGG pathway', 2],
    ['Pathway', 1],
    ['GO', 3],
  ])
  expect(report.defects.filter(({ code }) => /^(pathway|genes)-/.test(code))).toMatchObject([
    { code: 'genes-unmatched', severity: 'warning', params: { count: 1, names: 'TM_9999' } },
  ])
})

test('genes of a set are counted in each pathway, the fullest first', async () => {
  const { pathways, unknown } = await list({ assembly: 'TM1', genes: 'kinB TM_0003 nobody', source: 'KEGG pathway' })
  expect(pathways.map(({ id, setGenes }) => [id, setGenes.sort()])).toEqual([
    ['tst00020', ['TM_0002', 'TM_0003']],
    ['tst00010', ['TM_0002']],
  ])
  expect(unknown).toEqual(['nobody'])
  expect((await list({ assembly: 'TM1', query: 'walls' })).pathways.map(({ id }) => id)).toEqual(['tst00020'])
})

test('a drawing’s boxes have the genes by id, by any name, and by ortholog; maps lead on where they are loaded', async () => {
  const answer = (await ask('map/', { assembly: 'TM1', source: 'KEGG pathway', id: 'tst00010' })) as PathwayAnswer
  expect(answer).toMatchObject({ name: 'Burning of sugars', licence: 'own' })
  expect(answer.genes.map(({ id }) => id)).toEqual(['TM_0001', 'TM_0002'])
  expect(answer.drawing!.nodes.map(({ label, genes, leadsTo }) => [label, genes, leadsTo])).toEqual([
    ['K00001…', ['TM_0001', 'TM_0005'], null],
    ['repW', ['TM_0004'], null],
    ['Other', [], 'tst00020'],
    ['K99999', [], null],
  ])
  expect(answer.drawing!.edges).toHaveLength(1)
  expect(answer.related.map(({ id, shared }) => [id, shared])).toEqual([['tst00020', ['TM_0002']]])
  const own = (await ask('map/', { id: 'WP7' })) as PathwayAnswer
  expect(own.drawing!.nodes.map(({ genes }) => genes)).toEqual([['TM_0001'], ['TM_0002']])
  const wall = (await ask('map/', { assembly: 'TM1', source: 'GO', id: 'GO:0000003' })) as PathwayAnswer
  expect(wall.parents).toEqual([{ id: 'GO:0000001', name: 'root process' }])
  await expect(ask('map/', { assembly: 'TM1', id: 'tst00099' })).rejects.toThrow(PortalError)
})

test('a gene’s pathways, the drawn ones first; the box over everything finds a pathway by its name', async () => {
  const { pathways } = (await ask('gene/', { assembly: 'TM1', gene: 'TM_0002' })) as { pathways: { id: string }[] }
  expect(pathways.map(({ id }) => id)).toEqual(['WP7', 'tst00010', 'GO:0000003', 'GO:0000001', 'tst00020'])
  const [found] = await database.sql`select type, id, label from search_entries where label = 'Building of walls'`
  expect(found).toMatchObject({ type: 'pathway', id: 'KEGG pathway|tst00020' })
})

test('enrichment tests pathways without being told', async ({ skip }) => {
  // Found by its folder, as the portal finds it: no tool imports another.
  const found = (await findTools()).find(({ id }) => id === 'enrichment')
  if (found === undefined) return skip()
  const enrichment = (await found.importEngine())!
  const input = { assembly: 'TM1', genes: 'kinB TM_0003', collections: ['KEGG pathway'], minSize: 1 }
  const result = (await runEngine(enrichment, input, makeEngineContext({ data }))) as {
    terms: { id: string; name: string | null; setCount: number; backgroundCount: number }[]
  }
  expect(result.terms[0]).toMatchObject({ id: 'tst00020', name: 'Building of walls', setCount: 2, backgroundCount: 2 })
})

test('a check names what is no pathway, by its line', async () => {
  const genes = (known: number): string =>
    Array.from(
      { length: 40 },
      (_, at) => `${at < known ? `TM_000${at + 1}` : `OTHER${at}`},cell wall synthesis\n`,
    ).join('')
  const folder = makeSpeciesFolder(join(root, 'wrong'), {
    files: {
      'a.gmt': 'one\ttwo\tthree\tfour\nfive\tsix\n',
      'b.xml': '<pathway>\n<entry></pathway>',
      'c.gmt': 'x\ty\tnobody\tnone\n',
      'd.csv': `gene,pathway,name\n${genes(2)}`,
      'e.csv': genes(4),
    },
    manifest: '    pathways: [a.gmt, b.xml, c.gmt, d.csv, e.csv]\n',
  })
  const defects = await checkTestSpecies(folder)
  expect(defects.filter(({ code }) => code === 'rows-unknown')).toMatchObject([
    { file: 'd.csv', params: { count: 38, total: 40, example: 'OTHER2' } },
  ])
  expect(defects.filter(({ code, severity }) => severity === 'error' && code.startsWith('pathway'))).toMatchObject([
    { code: 'pathway-table', severity: 'error', file: 'a.gmt', line: 2, params: { reason: 'gmtLine' } },
    { code: 'pathway-drawing', severity: 'error', file: 'b.xml', line: 2 },
  ])
  expect(defects.filter(({ code }) => code === 'pathway-none')).toMatchObject([
    { severity: 'warning', file: 'c.gmt', line: null, params: { gene: 'nobody' } },
  ])
})
