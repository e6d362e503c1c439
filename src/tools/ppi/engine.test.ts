import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedEdges, poissonUpperTail } from '../../bio/networks/interaction-scores.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { searchPath, withPrograms } from '../../testing/contexts.ts'
import { askEngine, type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'
import { findNetwork, openInterologs } from './find-network.ts'
import { listInteractionSets, openInteractionSet } from './open-network.ts'
import tool from './tool.ts'

// Two complexes of five with a bridge between them, and a chain that leads away: P_01..P_05, P_06..P_10, P_11, P_12.
const geneIds = Array.from({ length: 20 }, (_, at) => `P_${String(at + 1).padStart(2, '0')}`)
const complexes = [geneIds.slice(0, 5), geneIds.slice(5, 10)]
const stringLines: string[] = []
/** Experiments, transferred experiments, text mining; the combined score as STRING combines them. */
const addString = (
  a: string,
  b: string,
  experiments: number,
  transferred: number,
  texts: number,
  combined: number,
): void => {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ])
    stringLines.push(`4932.${from} 4932.${to} 0 ${experiments} ${transferred} ${texts} ${combined}`)
}
for (const members of complexes)
  for (const [at, a] of members.entries()) for (const b of members.slice(at + 1)) addString(a, b, 900, 0, 0, 900)
addString('P_01', 'P_06', 0, 0, 450, 450)
addString('P_01', 'P_11', 0, 600, 0, 600)
addString('P_11', 'P_12', 500, 0, 0, 500)
addString('P_12', 'NOGENE', 900, 0, 0, 900)
addString('P_13', 'P_13', 900, 0, 0, 900)

const biogrid = [
  '#BioGRID Interaction ID\tSystematic Name Interactor A\tSystematic Name Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\tExperimental System\tPublication Source',
  '1\tP_01\tP_02\tx\ty\tTwo-hybrid\tPUBMED:1',
  '2\tP_02\tP_01\ty\tx\tTwo-hybrid\tPUBMED:1',
  '3\tP_01\tP_02\tx\ty\tTwo-hybrid\tPUBMED:2',
  '4\tP_01\tP_02\tx\ty\tCo-purification\tPUBMED:2',
  '5\t-\tP_03\tP_01\ty\tTwo-hybrid\tPUBMED:3',
]

// PSI-MI TAB: two records of a pair, a negative one, one of a human protein with the name of a gene here, one without an organism.
const mitab = [
  '#ID Interactor A\tID Interactor B\tAlt IDs Interactor A\tAlt IDs Interactor B',
  ...[
    ['P_01', 'P_02', 'two hybrid', '1', '559292', 'false'],
    ['P_02', 'P_01', 'two hybrid', '2', '559292', 'false'],
    ['P_01', 'P_03', 'pull down', '3', '559292', 'true'],
    ['P_01', 'P_04', 'pull down', '4', '9606', 'false'],
    ['P_01', 'P_05', 'pull down', '5', '-', 'false'],
  ].map(([a, b, method, publication, organism, negative]) =>
    [
      ...[`uniprotkb:Q_${a}`, `uniprotkb:Q_${b}`, `uniprotkb:${a}(locus name)`, `uniprotkb:${b}(locus name)`, '-', '-'],
      ...[`psi-mi:"MI:0018"(${method})`, '-', `pubmed:${publication}`, 'taxid:559292(yeast)'],
      ...[organism === '-' ? '-' : `taxid:${organism}`, ...Array.from({ length: 24 }, () => '-'), negative],
    ].join('\t'),
  ),
]

let portal: GenesPortal
let directory: string
const programs = { mcl: true }
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'novodb-ppi-'))
  portal = await openGenesPortal({
    species: 'testus-ppi',
    geneIds,
    manifest: `    interactions:
      - { id: string, name: STRING, file: string.txt, simulated: true }
      - { id: grid, name: BioGRID, file: grid.txt }
      - { id: psi, name: IntAct, file: psi.mitab }
      - { id: table, name: Table, file: table.csv, names: names.tsv }
`,
    files: {
      'string.txt': `protein1 protein2 homology experiments experiments_transferred textmining combined_score\n${stringLines.join('\n')}\n`,
      'grid.txt': `${biogrid.join('\n')}\n`,
      'psi.mitab': `${mitab.join('\n')}\n`,
      'table.csv': 'proteinA,proteinB,score\nprot1,P_02,0.5\nP_02,prot1,0.75\nprot1,P_03,0.25\n',
      'names.tsv': '#name\talias\tsource\nprot1\tsomething\tx\nprot1\tP_01\tx\n',
    },
  })
})
afterAll(async () => {
  await portal?.close()
  rmSync(directory, { recursive: true, force: true })
})

const ask = async (input: object) => {
  const run = await withPrograms(engine, directory, { path: programs.mcl ? searchPath : directory })
  return askEngine({ ...portal, context: () => ({ ...portal.context(), ...run }) }, tool, engine, input)
}
const edgesOf = ({ nodes, edges }: Awaited<ReturnType<typeof ask>>): Map<string, (typeof edges)[number]> =>
  new Map(edges.map((edge) => [[nodes[edge.a]!.id, nodes[edge.b]!.id].sort().join(' '), edge]))

describe('what is loaded', () => {
  test('pairs of both directions are one, proteins without a gene and with themselves are left out and told', async () => {
    const [string, grid, psi, table] = await listInteractionSets(portal.data, 'X1')
    expect(string).toMatchObject({
      layout: 'string',
      measure: 'score',
      interactionCount: 23,
      geneCount: 12,
      proteinCount: 14,
      unmatchedCount: 1,
      unmatched: ['4932.NOGENE'],
      simulated: true,
      max: 900,
    })
    expect(grid).toMatchObject({
      layout: 'biogrid',
      measure: 'records',
      interactionCount: 2,
      max: 3,
      channels: ['Two-hybrid', 'Co-purification'],
    })
    expect(psi).toMatchObject({
      layout: 'mitab',
      measure: 'records',
      interactionCount: 2,
      max: 2,
      geneCount: 3,
      unmatchedCount: 0,
      channels: ['two hybrid', 'pull down'],
    })
    // Of two lines of a pair the stronger counts; the table of names leads to the gene.
    expect(table).toMatchObject({ layout: 'table', measure: 'score', interactionCount: 2, max: 750, channels: [] })
  })

  test('BioGRID counts publications times methods, whichever gene comes first', async () => {
    const answer = await ask({ genes: 'P_01', dataset: 'grid' })
    const edges = edgesOf(answer)
    expect(edges.get('P_01 P_02')).toMatchObject({ score: 3, evidence: [2, 1] })
    expect(edges.get('P_01 P_03')).toMatchObject({ score: 1, evidence: [1, 0] })
    expect((await ask({ genes: 'P_01', dataset: 'grid', minimumRecords: 2 })).edges).toHaveLength(1)
    const one = await ask({ genes: 'P_01', dataset: 'grid', evidence: ['Co-purification'] })
    expect(edgesOf(one).get('P_01 P_02')!.score).toBe(1)
    expect(one.edges).toHaveLength(1)
  })
})

describe('a network', () => {
  test('one gene brings its partners, and what joins these', async () => {
    const answer = await ask({ genes: 'P_01' })
    expect(answer.nodes.map(({ id }) => id).sort()).toEqual(['P_01', 'P_02', 'P_03', 'P_04', 'P_05', 'P_06', 'P_11'])
    expect(answer.partnerTotal).toBe(6)
    expect(answer.edges).toHaveLength(12)
    expect(answer.nodes[0]).toMatchObject({ id: 'P_01', shell: 0, degree: 6 })
    expect(answer.nodes[1]).toMatchObject({ shell: 1 })
  })

  test('the confidence and the kinds of evidence decide what passes, by scores combined anew', async () => {
    expect(edgesOf(await ask({ genes: 'P_01', minimumScore: 0.5 })).has('P_01 P_06')).toBe(false)
    const experiments = edgesOf(await ask({ genes: 'P_01', evidence: ['experiments'] }))
    expect(experiments.has('P_01 P_06')).toBe(false)
    expect(experiments.get('P_01 P_11')).toMatchObject({ score: 0.6, transferred: true })
    expect(experiments.get('P_01 P_02')).toMatchObject({ score: 0.9, transferred: false })
    const direct = edgesOf(await ask({ genes: 'P_01', transferred: false }))
    expect(direct.has('P_01 P_11')).toBe(false)
    expect(direct.has('P_01 P_06')).toBe(true)
  })

  test('shells: none, the strongest partner, and partners of partners', async () => {
    const bare = await ask({ genes: 'P_01 P_02 P_07' })
    expect(bare.nodes).toHaveLength(3)
    expect([...edgesOf(bare).keys()]).toEqual(['P_01 P_02'])
    const first = await ask({ genes: 'P_11', firstShell: 1 })
    expect(first.nodes.map(({ id }) => id)).toEqual(['P_11', 'P_01'])
    expect(first.partnerTotal).toBe(2)
    const second = await ask({ genes: 'P_12', secondShell: 1 })
    expect(second.nodes.map(({ id, shell }) => [id, shell])).toEqual([
      ['P_12', 0],
      ['P_11', 1],
      ['P_01', 2],
    ])
  })

  test.each(['louvain', 'mcl'])('the planted complexes are its clusters (%s)', async (clustering) => {
    const { nodes, clustering: reported } = await ask({ genes: geneIds.slice(0, 10).join(), clustering })
    const members = (cluster: number): string[] =>
      nodes
        .filter((node) => node.cluster === cluster)
        .map(({ id }) => id)
        .sort()
    expect([members(1), members(2)]).toEqual(complexes)
    expect(reported.count).toBe(2)
  })

  test('members of a complex interact more than their numbers of partners make likely', async () => {
    const { among } = await ask({ genes: complexes[1]!.join() })
    const expected = expectedEdges([5, 4, 4, 4, 4], 23)
    expect(among!.observed).toBe(10)
    expect(among!.expected).toBeCloseTo(expected, 10)
    expect(among!.pValue).toBeCloseTo(poissonUpperTail(10, expected), 12)
    expect((await ask({ genes: 'P_01 P_02' })).among).toBeNull()
  })

  test('names without a meaning and genes without an interaction are told', async () => {
    const { unknown, alone, edges } = await ask({ genes: 'P_01 nothing P_20', firstShell: 3 })
    expect([unknown, alone]).toEqual([['nothing'], ['P_20']])
    expect(edges.length).toBeGreaterThan(0)
    expect((await ask({ genes: 'P_20' })).edges).toEqual([])
  })

  test.each([
    [{ genes: 'nothing' }, 'problem.unknownGene'],
    [{ genes: 'P_01', dataset: 'other' }, 'problem.unknownDataset'],
    [{ genes: 'P_01', evidence: ['rumour'] }, 'problem.unknownEvidence'],
    [{ genes: 'P_01', interologs: 'X1' }, 'problem.noInterologs'],
    [{ genes: geneIds.join(), firstShell: 500, secondShell: 500 }, 'problem.tooManyNodes'],
  ])('%j is refused with %s', async (input, message) => {
    const failure = await ask(input).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PortalError)
    expect((failure as PortalError).message).toContain(message)
  })

  test('without MCL on the machine, what needs it says so', async () => {
    programs.mcl = false
    try {
      const failure = await ask({ genes: 'P_01', clustering: 'mcl' }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
      expect((await ask({ genes: 'P_01' })).edges.length).toBeGreaterThan(0)
    } finally {
      programs.mcl = true
    }
  })
})

test('interologs: both partners have orthologs that interact; the pair, its score and the joint identity are told', async () => {
  const open = (await openInteractionSet(portal.data, 'X1', 'string'))!
  // A second assembly: every gene Q_n is the ortholog of P_n; Q_02 is nearer than the others, and P_03 has a copy, Q_03b.
  const pairs = (from: string, to: string, gene: string) => {
    const number = gene.slice(2)
    const near = number.startsWith('02') ? 100 : 81
    const names = from === 'Y1' ? [`P_${number.slice(0, 2)}`] : [`Q_${number}`, ...(number === '03' ? ['Q_03b'] : [])]
    return [
      ...names.map((name) => ({ gene: name, assembly: to, relation: 'ortholog', identity: near })),
      { gene: 'P_20', assembly: to, relation: 'similar', identity: 30 },
    ]
  }
  const data = {
    listHomologs: async (from: string, genes: string[]) =>
      genes.map((gene) => ({ gene, orthogroup: null, homologs: pairs(from, from === 'Y1' ? 'X1' : 'Y1', gene) })),
  } as unknown as PortalData
  const filter = { minimumScore: 0.4, minimumRecords: 1, evidence: [], transferred: true, minimumIdentity: 0 }
  const source = openInterologs(data, 'Y1', open, filter)
  const found = await findNetwork(
    ['Q_01'],
    source,
    { firstShell: 20, secondShell: 0, maxEdges: 100 },
    new AbortController().signal,
  )
  expect(found.genes.map(({ id }) => id).sort()).toEqual([
    'Q_01',
    'Q_02',
    'Q_03',
    'Q_03b',
    'Q_04',
    'Q_05',
    'Q_06',
    'Q_11',
  ])
  const place = (id: string): number => found.genes.findIndex((gene) => gene.id === id)
  const edge = found.edges.find(({ a, b }) => [a, b].includes(place('Q_01')) && [a, b].includes(place('Q_02')))!
  expect(edge).toMatchObject({ evidence: null, transferred: true, score: 0.9 })
  expect(edge.interolog).toMatchObject({ assembly: 'X1', a: 'P_01', b: 'P_02', jointIdentity: 90, pairs: 1 })
  // Q_03 and its copy have the same ortholog: that is no interaction between them.
  const copies = [place('Q_03'), place('Q_03b')]
  expect(found.edges.some(({ a, b }) => copies.includes(a) && copies.includes(b))).toBe(false)
  const strict = openInterologs(data, 'Y1', open, { ...filter, minimumIdentity: 85 })
  const near = await findNetwork(
    ['Q_01'],
    strict,
    { firstShell: 20, secondShell: 0, maxEdges: 100 },
    new AbortController().signal,
  )
  expect(near.genes.map(({ id }) => id)).toEqual(['Q_01', 'Q_02'])
})

test('broken files refuse the load, each by its reason and line', async () => {
  const broken: Record<string, string> = {
    'high.txt': 'protein1 protein2 combined_score\n4932.P_01 4932.P_02 1200\n',
    'short.txt': 'protein1 protein2 combined_score\n4932.P_01 4932.P_02\n',
    'words.txt': 'gene1\tgene2\tscore\nP_01\tP_02\t1\nP_01\tP_02\tstrong\n',
    'scale.txt': 'gene1\tgene2\tscore\nP_01\tP_02\t4000\n',
    'strangers.txt': 'A\tB\nC\tD\n',
    'prose.txt': 'nothing\n',
    'quote.csv': 'gene1,gene2,method\nP_01,P_02,"two hybrid\nP_02,P_03,pull down\n',
    'others.tsv': ['P_01\tP_02', ...Array.from({ length: 25 }, (_, at) => `X_${at}\tY_${at}`), ''].join('\n'),
  }
  const failure = await openGenesPortal({
    species: 'testus-broken',
    geneIds: geneIds.slice(0, 3),
    manifest: `    interactions:\n${Object.keys(broken)
      .map((file) => `      - { id: ${file}, name: Broken, file: ${file} }\n`)
      .join('')}`,
    files: broken,
  }).catch((error: unknown) => error as Error)
  const reported = JSON.parse((failure as Error).message) as { code: string; file: string; line: number | null }[]
  expect(reported.map(({ file, code, line }) => [file, code, line])).toEqual([
    ['high.txt', 'interactions-score', 2],
    ['short.txt', 'interactions-columns', 2],
    ['words.txt', 'interactions-score', 3],
    ['scale.txt', 'interactions-score', null],
    ['strangers.txt', 'interactions-none', null],
    ['prose.txt', 'interactions-layout', 1],
    ['quote.csv', 'table-quote-open', 2],
    ['others.tsv', 'rows-unknown', null],
  ])
})

test('a table as spreadsheets write it: quoted cells with separators and line breaks in them, semicolons between', async () => {
  const made = await openGenesPortal({
    species: 'testus-quoted',
    geneIds: geneIds.slice(0, 6),
    manifest: '    interactions:\n      - { id: screen, name: Screen, file: screen.csv }\n',
    files: {
      'screen.csv': [
        '"gene1";"gene2";"method";"score"',
        '"P_01";P_02;"two hybrid; bait',
        'and prey swapped";0.9',
        'P_02;"P_03";"pull ""down""";0.5',
        '',
      ].join('\r\n'),
    },
  })
  try {
    const [assembly] = await made.data.listAssemblies()
    const [set] = await listInteractionSets(made.data, assembly!.id)
    expect(set).toMatchObject({
      layout: 'table',
      measure: 'score',
      interactionCount: 2,
      unmatchedCount: 0,
      channels: ['two hybrid; bait and prey swapped', 'pull "down"'],
    })
  } finally {
    await made.close()
  }
})
