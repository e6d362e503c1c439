import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import type { PairStates, PresenceCoverage, PresenceGenes } from '../../kit/data/presence-data.ts'
import { answerText, askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { writeSpecies } from '../../testing/protein-genomes.ts'
import { genome } from '../../testing/sixteen-genes.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import tool from './tool.ts'

let portal: EmptyPortal
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('pangenome')
  data = await portal.openData()
})
afterAll(() => portal?.close())

const load = async (species: string, genomes: ReturnType<typeof genome>[]): Promise<void> => {
  const folder = writeSpecies(join(portal.root, species), species, genomes)
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: ['homologs'] })
  expect(report).toMatchObject({ ok: true, failure: null })
  await portal.hearChanges()
}

const compare = (input: object) => runEngine(engine, input, makeEngineContext({ data }))

const ask = async (path: string, input: object) => {
  const answer = await askRoute(engine, path, input, { data, describeReceipt: async () => ['receipt'] })
  return 'json' in answer ? (answer.json as Record<string, unknown>) : { text: await answerText(answer) }
}

describe('three assemblies of two species', () => {
  test('nothing is compared where no homologs were computed', async () => {
    await expect(compare({})).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  })

  test('a pan-genome of three: copies count once, a family that a genome lacks is no core, genes asked for have their family', async () => {
    await load('alpha', [genome('A1', 0), genome('A2', 0.02, { turned: true })])
    await load('beta', [genome('B1', 0.3, { lacks: true })])
    const all = ['A1', 'A2', 'B1']
    const found = await compare({ assemblies: all, genes: ['esxL', 'B1_t1', 'nothing'] })
    expect(found.frequencies).toEqual([0, 0, 1, 17])
    expect(found.growth.pan.map((size) => Number(size.toFixed(6)))).toEqual([17.666667, 18, 18])
    expect(found.growth.core.at(-1)).toBeCloseTo(17, 9)
    expect(found.spread).toMatchObject({ orders: 6, complete: true })
    expect(found.assemblies.map(({ id, families, alone, l50, busco }) => [id, families, alone, l50, busco])).toEqual([
      ['A1', 18, 0, 1, null],
      ['A2', 18, 0, 1, null],
      ['B1', 17, 0, 1, null],
    ])
    // Two bits a cell, family after family: the tandem copies are in every assembly, and the lost family comes last.
    const cells = Buffer.from(found.matrix.cells, 'base64')
    const numbers = Array.from({ length: 18 * 3 }, (_, cell) => (cells[cell >>> 2]! >>> ((cell & 3) * 2)) & 3)
    expect(numbers.slice(-3)).toEqual([1, 1, 0])
    expect(numbers.filter((genes) => genes === 2)).toHaveLength(3)
    expect(found.matrix).toMatchObject({ count: 18, notDrawn: 0 })
    expect(found.set?.unknown).toEqual(['nothing'])
    expect(found.set?.rows.map(({ gene, members }) => [gene, members])).toEqual([
      ['A1_lost', [['A1_lost'], ['A2_lost'], []]],
      [
        'B1_t1',
        [
          ['A1_t1', 'A1_t2'],
          ['A2_t1', 'A2_t2'],
          ['B1_t1', 'B1_t2'],
        ],
      ],
    ])
    expect(found.genes).toBeNull()
    // None chosen is the species of the first reference.
    expect((await compare({})).assemblies.map(({ id }) => id)).toEqual(['A1', 'A2'])
    await expect(compare({ assemblies: ['A1'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(compare({ assemblies: ['A1', 'Z9'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    expect(tool.input.safeParse({ genes: '' }).success).toBe(false)
    expect(tool.input.safeParse({ assemblies: ['A1', 'A2'], genes: 'x '.repeat(5_000_000) }).success).toBe(true)
    expect(tool.input.safeParse({ genes: Array.from({ length: 2001 }, (_, gene) => `g${gene}`) }).success).toBe(false)
  })

  test('genes that were followed by DNA are counted beside the families, where every assembly compared is among them', async () => {
    // Two genes each: one that all have, of which A2 annotates none, and one that is an assembly's own.
    const presence = {
      ...data.presence,
      getState: async () => ({ ...({} as PresenceCoverage), assemblies: ['A1', 'A2'] }),
      genes: async () => ({ ...({} as PresenceGenes), id: ['shared', 'own'] }),
      states: async (_: string, other: string): Promise<PairStates> => ({
        states: ['intact', 'gone'],
        annotated: Uint8Array.of(other === 'A2' ? 0 : 1, 0),
        runs: [],
      }),
    }
    const ask = (assemblies: string[]) =>
      runEngine(engine, { assemblies }, makeEngineContext({ data: { ...data, presence } }))
    expect((await ask(['A1', 'A2'])).genes).toEqual({ dna: [0, 2, 1], annotated: [0, 3, 0.5] })
    expect((await ask(['A1', 'A2', 'B1'])).genes).toBeNull()
  })

  test('families are named by a gene of the first assembly that has one, and are listed with all genes in a file', async () => {
    const named = await ask('families/', { assemblies: ['B1', 'A2'] })
    const { gene, assembly, present, genes } = named as Record<string, (string | number)[]>
    expect(named.total).toBe(18)
    const lost = gene!.indexOf('A2_lost')
    expect([assembly![lost], present![lost], genes![lost]]).toEqual([1, 1, 1])
    expect(assembly!.filter((at) => at === 0)).toHaveLength(17)
    const { family } = await ask('family/', { assembly: 'A1', gene: 'A1_lost' })
    expect(await ask('genes/', { assembly: 'A2', families: [family] })).toEqual({
      genes: [{ id: 'A2_lost', family: 'OG-A1_lost', number: expect.any(Number) }],
    })
    expect(((await ask('genes/', { assembly: 'A2' })).genes as unknown[]).length).toBe(19)
    const { text } = await ask('file', { assemblies: ['A1', 'A2', 'B1'], softCore: 0.6 })
    const rows = String(text)
      .split('\n')
      .filter((row) => row !== '')
    expect(rows.slice(0, 2)).toEqual(['# receipt', 'family\tclass\tassemblies\tgenes\tA1\tA2\tB1'])
    expect(rows).toHaveLength(20)
    expect(rows.find((row) => row.includes('A1_lost'))).toMatch(/^OG-A1_lost\tsoftCore\t2\t2\tA1_lost\tA2_lost\t$/)
    expect(rows.find((row) => row.includes('A1_t1'))).toMatch(/\tcore\t3\t6\tA1_t1,A1_t2\t/)
  })

  test('an outgroup is counted where it is chosen alone, and the gene page has it beside the counts', async () => {
    const folder = writeSpecies(join(portal.root, 'gamma'), 'gamma', [
      genome('C1', 0),
      genome('C2', 0.02),
      genome('C3', 0.3, { lacks: true }),
    ])
    const manifest = join(folder, 'species.yaml')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('{ id: C3,', '{ id: C3, outgroup: true,'))
    expect(readFileSync(manifest, 'utf8')).toContain('outgroup')
    const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: ['homologs'] })
    expect(report).toMatchObject({ ok: true, failure: null })
    await portal.hearChanges()
    const whole = await compare({ assemblies: ['C1', 'C2', 'C3'] })
    expect(whole).toMatchObject({ frequencies: [0, 0, 1, 17], outgroups: ['C3'] })
    const family = await ask('family/', { assembly: 'C1', gene: 'C1_5' })
    expect(family).toMatchObject({ outgroups: [{ id: 'C3', genes: ['C3_5'] }] })
    expect((family.assemblies as { id: string }[]).map(({ id }) => id)).toEqual(['C1', 'C2'])
    // The outgroup's own gene page counts it.
    const own = await ask('family/', { assembly: 'C3', gene: 'C3_5' })
    expect((own.assemblies as { id: string }[]).map(({ id }) => id)).toEqual(['C1', 'C2', 'C3'])
  })
})
