import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssemblyTrace } from '../../kit/data/alignment-data.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import type { GenePresence } from '../../kit/data/genes/gene-dna.ts'
import type { PresenceGenes } from '../../kit/data/presence-data.ts'
import { makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../../testing/protein-genomes.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import { openSyntenyPortal } from '../../testing/synteny-portal.ts'
import engine from './engine.ts'

let portal: Awaited<ReturnType<typeof openSyntenyPortal>>
let data: OpenPortalData
beforeAll(async () => {
  portal = await openSyntenyPortal()
  data = await portal.openData()
})
afterAll(() => portal?.close())

const around = (input: object) => runEngine(engine, input, makeEngineContext({ data }))

describe('genes beside a gene, of three assemblies', () => {
  test('the neighbours of a gene beside those of its partners, by symbol; blocks name the partner', async () => {
    const result = await around({ genes: ['midS1'], besides: 3 })
    expect(result.tracks.map(({ assembly, gene, genes }) => [assembly, gene, genes.length])).toEqual([
      ['S1', 'S1_5', 7],
      ['S2', 'S2_5', 7],
      ['S3', 'S3_5', 7],
    ])
    expect(result.tracks.slice(1)).toMatchObject([
      { relation: 'ortholog', shared: 6, neighbours: 6 },
      { relation: 'ortholog', shared: 6, neighbours: 6 },
    ])
    expect(result.blocks).toMatchObject([{ otherAssembly: 'S2', partner: 'S2_5', orientation: -1, pairs: 14 }])
    expect(result).toMatchObject({ without: [], gaps: [] })
  })

  test('genes beside each other are one locus, of the middle one, in all assemblies', async () => {
    const { together, gene, tracks } = await around({ genes: ['S1_6', 'S1_4', 'S1_5', 'midS1'], besides: 3 })
    expect([together, gene.id]).toEqual([['S1_6', 'S1_4', 'S1_5'], 'S1_5'])
    expect(tracks.map(({ assembly, gene: id }) => [assembly, id])).toEqual([
      ['S1', 'S1_5'],
      ['S2', 'S2_5'],
      ['S3', 'S3_5'],
    ])
    // So far apart that the neighbours do not reach the last.
    expect((await around({ genes: ['S1_4', 'S1_9'], besides: 3 })).together).toEqual([])
  })

  test('several genes are a track each; an unknown one is named', async () => {
    const result = await around({ genes: ['S1_0', 'S2_13'], besides: 2 })
    expect(result.tracks.map(({ gene, genes }) => [gene, genes.length])).toEqual([
      ['S1_0', 3],
      ['S2_13', 3],
    ])
    await expect(around({ genes: ['nowhere'] })).rejects.toMatchObject({ code: 'UNKNOWN_GENE' })
  })

  test('an assembly that was not compared yet is not said to lack the gene, nor are the others when it is the gene’s own', async () => {
    const state = (await data.getHomology())!
    const after = (missing: string) => ({
      ...data,
      getHomology: async () => ({
        ...state,
        current: false,
        covered: state.covered.filter((id) => id !== missing),
        missing: [missing],
      }),
      listHomologs: async () => [],
    })
    const withoutOf = async (missing: string, input: object) =>
      (await runEngine(engine, input, makeEngineContext({ data: after(missing) }))).without
    expect(await withoutOf('S1', { genes: ['midS1'] })).toEqual([])
    expect(await withoutOf('S3', { genes: ['midS1'], assemblies: ['S2', 'S3'] })).toEqual(['S2'])
  })
})

test('a gene that is annotated on what another genome left of its counterpart is marked as cut short, by the strand of the counterpart', async () => {
  const locus = (await around({ genes: ['midS1'], besides: 3 })).tracks[0]!
  const [whole, cut] = [locus.genes[3]!, locus.genes[5]!]
  const lengthBp = cut.end - cut.start + 1
  const presence = (state: 'intact' | 'truncated', genes: string[]) =>
    ({ state, genes, evidence: { lengthBp, alignedBp: lengthBp * 0.6, frame: null } }) as unknown as GenePresence
  const followed = {
    ...data,
    presence: {
      ...data.presence,
      genes: async () => ({ id: [whole.id, cut.id] }) as unknown as PresenceGenes,
      genesIn: async (_: string, other: string) =>
        new Map(other === 'S2' ? [presence('intact', ['S2_5']), presence('truncated', ['S2_7'])].entries() : []),
    },
    // The first six tenths of its bases on the sequence.
    alignments: {
      ...data.alignments,
      trace: async () =>
        [
          { loci: [{ segments: [{ source0: cut.start - 1, lengthBp: lengthBp * 0.6, other0: 0, equal: null }] }] },
        ] as unknown as AssemblyTrace[],
    },
  }
  const { tracks } = await runEngine(engine, { genes: ['midS1'], besides: 3 }, makeEngineContext({ data: followed }))
  const marked = tracks.flatMap(({ genes }) => genes.filter(({ broken }) => broken !== undefined))
  expect(marked.map(({ id }) => id)).toEqual(['S2_7'])
  expect(marked[0]!.broken).toMatchObject({ state: 'truncated', of: cut.id })
  const [from, to] = marked[0]!.broken!.kept!
  expect(from).toBeCloseTo(cut.strand === '-' ? 0.4 : 0)
  expect(to).toBeCloseTo(cut.strand === '-' ? 1 : 0.6)
})

test('of a genome that lacks the gene by its DNA the place of the gene is drawn, and not its nearest relative', async () => {
  const gone = { state: 'paralog' } as unknown as GenePresence
  const followed = { ...data, presence: { ...data.presence, ofGene: async () => new Map([['S2', gone]]) } }
  const input = { genes: ['midS1'], besides: 3 }
  const found = await runEngine(engine, input, makeEngineContext({ data: followed }))
  expect(found.tracks.map(({ assembly }) => assembly)).toEqual(['S1', 'S3'])
  expect(found.without).toEqual(['S2'])
  expect(found.gaps.map(({ assembly }) => assembly)).toEqual(['S2'])
})

/** Twelve genes of which the one in the middle has others in its place. */
const withInPlace = (assembly: string, others: number): TestGenome => ({
  assembly,
  genes: Array.from({ length: 12 }, (_, number) => number).flatMap((number) =>
    number === 6
      ? Array.from({ length: others }, (__, at) => ({
          id: `${assembly}_other${at}`,
          protein: makeProtein(900 + 10 * others + at),
        }))
      : [{ id: `${assembly}_${number}`, protein: mutate(makeProtein(700 + number), 0.03, number + 1) }],
  ),
})

describe('where a gene would lie that an assembly lacks', () => {
  let lacking: EmptyPortal
  let of: OpenPortalData
  beforeAll(async () => {
    lacking = await openEmptyPortal('synteny-gaps')
    const own = withInPlace('G0', 0)
    own.genes.splice(6, 0, { id: 'G0_6', protein: makeProtein(706) })
    const folder = writeSpecies(join(lacking.root, 'species'), 'gaps', [
      own,
      withInPlace('G1', 0),
      withInPlace('G2', 2),
      withInPlace('G7', 7),
    ])
    const report = await loadTestSpecies(lacking.database, lacking.dataDir, folder, { engines: ['homologs'] })
    if (!report.ok) throw new Error(JSON.stringify(report.failure ?? report.defects))
    of = await lacking.openData()
  })
  afterAll(() => lacking?.close())

  const gapsAt = async (besides: number) => {
    const context = makeEngineContext({ data: of })
    const { without, gaps } = await runEngine(engine, { genes: ['G0_6'], besides }, context)
    expect(without).toEqual(['G1', 'G2', 'G7'])
    return gaps.map(({ assembly, before, after, genes }) => [assembly, before, after, genes.map(({ id }) => id)])
  }

  test('between the orthologs of its neighbours, whatever stands there instead, but not where that is many genes', async () => {
    expect(await gapsAt(5)).toEqual([
      ['G1', 'G1_5', 'G1_7', [1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map((number) => `G1_${number}`)],
      ['G2', 'G2_5', 'G2_7', ['2', '3', '4', '5', 'other0', 'other1', '7', '8', '9', '10'].map((one) => `G2_${one}`)],
    ])
  })

  test('both ends are shown, where fewer neighbours are asked for than stand between them, too', async () => {
    expect(await gapsAt(1)).toEqual([
      ['G1', 'G1_5', 'G1_7', ['G1_5', 'G1_7']],
      ['G2', 'G2_5', 'G2_7', ['G2_5', 'G2_other0', 'G2_other1', 'G2_7']],
    ])
  })
})
