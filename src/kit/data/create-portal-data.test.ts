import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activateRelease } from '../../database/catalogue.ts'
import { findNamedIds } from '../../database/genes.ts'
import { openLocalFiles } from '../../store/portal-files.ts'
import { openTestPortal, type TestPortal, testBundleId } from '../../testing/portal.ts'
import { makeRandomBelow } from '../../testing/random.ts'
import { openPortalData } from './create-portal-data.ts'

// A plasmid of 60 bases with four genes, one of them over its origin, and a linear chromosome of the same length.
const plasmid = 'AAAAACCCCCGGGGGTTTTTACACACACACGTGTGTGTGTAATTAATTAACCGGCCGGCC'
const gene = (sequence: string, id: string, start: number, end: number, strand = '+'): string =>
  [sequence, 'x', 'gene', start, end, '.', strand, '.', `ID=${id};gbkey=Gene`].join('\t')

describe('a circular sequence', () => {
  let portal: TestPortal
  beforeAll(async () => {
    portal = await openTestPortal([
      {
        id: 'A',
        fasta: `>pA\n${plasmid}\n>chr\n${plasmid}\n`,
        circular: ['pA'],
        gff3: [
          '##gff-version 3',
          gene('pA', 'early', 8, 12),
          gene('pA', 'middle', 20, 30, '-'),
          gene('pA', 'late', 40, 50),
          gene('pA', 'over', 55, 65),
          gene('chr', 'left', 8, 12),
          gene('chr', 'right', 40, 50),
        ].join('\n'),
      },
    ])
  })
  afterAll(() => portal?.close())
  const idsIn = async (start1: number, end1: number, sequence = 'pA', limit = 10) =>
    (await portal.data.listGenesInRegion('A', sequence, start1, end1, limit)).map((found) => found.id)

  test('finds a gene over the origin at both its parts, once each, in the order of the region', async () => {
    expect(await idsIn(1, 5)).toEqual(['over'])
    expect(await idsIn(6, 7)).toEqual([])
    expect(await idsIn(56, 60)).toEqual(['over'])
    expect(await idsIn(1, 60)).toEqual(['over', 'early', 'middle', 'late'])
    expect(await idsIn(1, 60, 'pA', 2)).toEqual(['over', 'early'])
    const [over] = await portal.data.listGenesInRegion('A', 'pA', 1, 1, 10)
    expect(over).toMatchObject({ start: 55, end: 65 })
  })

  test('takes a region that goes on across the origin', async () => {
    expect(await idsIn(45, 68)).toEqual(['late', 'over', 'early'])
    expect(await idsIn(66, 67)).toEqual([])
    // On a linear sequence there is nothing behind the end.
    expect(await idsIn(45, 68, 'chr')).toEqual(['right'])
    expect(await idsIn(1, 60, 'chr')).toEqual(['left', 'right'])
  })

  test('gives the neighbours around the circle, and none beyond the ends of a linear sequence', async () => {
    const around = async (id: string) => {
      const found = (await portal.data.getGene(id, 'A'))!.gene
      return [found.previous?.id ?? null, found.next?.id ?? null]
    }
    expect(await around('over')).toEqual(['late', 'early'])
    expect(await around('early')).toEqual(['over', 'middle'])
    expect(await around('late')).toEqual(['middle', 'over'])
    expect(await around('left')).toEqual([null, 'right'])
    expect(await around('right')).toEqual(['left', null])
  })

  test('gives the neighbours that a look at all genes on all turns of the circle finds', async () => {
    const lengthBp = 600
    const random = makeRandomBelow(20_261_123)
    // Of few genes and of many, short ones and such that reach over others and over the origin.
    const circles = Array.from({ length: 12 }, (_, number) =>
      Array.from({ length: 1 + (number % 6) * 5 }, (_, id) => {
        const start = 1 + random(lengthBp)
        return { id: `g${number}_${id}`, start, end: start + random([20, 80, 400][random(3)]!) }
      }),
    )
    const another = await openTestPortal([
      {
        id: 'A',
        fasta: circles.map((_, number) => `>p${number}\n${plasmid.repeat(10)}\n`).join(''),
        circular: circles.map((_, number) => `p${number}`),
        gff3: [
          '##gff-version 3',
          ...circles.flatMap((genes, number) => genes.map(({ id, start, end }) => gene(`p${number}`, id, start, end))),
        ].join('\n'),
      },
    ])
    const turns = [-lengthBp, 0, lengthBp]
    try {
      for (const genes of circles)
        for (const one of genes) {
          const isNested = (a: typeof one, b: typeof one, turn: number): boolean =>
            (a.start + turn >= b.start && a.end + turn <= b.end) || (a.start + turn <= b.start && a.end + turn >= b.end)
          const apart = genes.filter((other) => !turns.some((turn) => isNested(other, one, turn)))
          /** Genes that lie nearest on one side, by their starts. */
          const nearest = (side: 1 | -1): string[] => {
            const placed = apart.flatMap((other) =>
              turns.map((turn) => ({
                id: other.id,
                gap: side * (other.start + turn - one.start),
                isBeyond: side * (other.end + turn - one.end) > 0,
              })),
            )
            const found = placed.filter(({ gap, isBeyond }) => gap > 0 && isBeyond)
            const least = Math.min(...found.map(({ gap }) => gap))
            return found.filter(({ gap }) => gap === least).map(({ id }) => id)
          }
          const { previous, next } = (await another.data.getGene(one.id, 'A'))!.gene
          for (const [found, expected] of [
            [previous, nearest(-1)],
            [next, nearest(1)],
          ] as const)
            if (expected.length === 0) expect(found).toBeNull()
            else expect(expected).toContain(found?.id)
        }
    } finally {
      await another.close()
    }
  })

  test('reads bases across the origin, at most once around, and none behind the end of a linear sequence', async () => {
    expect(await portal.data.fetchSequence('A', 'pA', 55, 65)).toBe(plasmid.slice(54) + plasmid.slice(0, 5))
    expect(await portal.data.fetchSequence('A', 'pA', 2, 61)).toBe(plasmid.slice(1) + plasmid[0])
    await expect(portal.data.fetchSequence('A', 'pA', 1, 61)).rejects.toMatchObject({ code: 'out-of-range' })
    await expect(portal.data.fetchSequence('A', 'chr', 55, 65)).rejects.toMatchObject({ code: 'out-of-range' })
    const pieces: string[] = []
    for await (const piece of portal.data.streamSequence('A', 'pA', 58, 62)) pieces.push(piece)
    expect(pieces.join('')).toBe('GCCAA')
  })
})

describe('a genome that a new release leaves out', () => {
  /** Files of this process under a folder that are open, as Linux tells. */
  const openFiles = (folder: string): string[] =>
    readdirSync('/proc/self/fd').flatMap((number) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${number}`)
        return file.includes(folder) ? [file] : []
      } catch {
        return []
      }
    })

  test.skipIf(process.platform !== 'linux')('is closed when nobody reads it any more', async () => {
    const portal = await openTestPortal([
      { id: 'old', fasta: `>chr\n${plasmid}\n` },
      { id: 'new', fasta: `>chr\n${plasmid}\n` },
    ])
    const { sql } = portal.database
    const data = await openPortalData({ sql, files: openLocalFiles(portal.dataDir), retireMs: 10 })
    try {
      expect(await data.fetchSequence('old', 'chr', 1, 5)).toBe('AAAAA')
      expect(await data.fetchSequence('new', 'chr', 6, 10)).toBe('CCCCC')
      expect(openFiles(`${portal.dataDir}/bundles/${testBundleId('old')}`)).toHaveLength(1)
      const [row] = await sql<{ bundle: number }[]>`select id as bundle from bundles where uid = ${testBundleId('new')}`
      const manifest = { novodb: 1, species: 'test-species', name: 'Test species', geneticCode: 1 } as const
      await activateRelease(
        sql,
        { ...manifest, assemblies: [{ id: 'new', reference: true, genome: 'new.fa' }] },
        [row!.bundle],
        {},
      )
      await expect.poll(() => openFiles(`${portal.dataDir}/bundles/${testBundleId('old')}`)).toEqual([])
      await expect(data.fetchSequence('old', 'chr', 1, 5)).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
      expect(await data.fetchSequence('new', 'chr', 1, 5)).toBe('AAAAA')
    } finally {
      await data.close()
      await portal.close()
    }
  })
})

describe('names in several assemblies', () => {
  const named = (id: string, start: number, more = ''): string => `${gene('chr', id, start, start + 4)}${more}`
  let portal: TestPortal
  beforeAll(async () => {
    portal = await openTestPortal(
      Object.entries({
        A: [named('A_1', 1, ';Name=dnaA'), named('A_2', 11, ';Alias=old,β-2'), named('A_3', 21)],
        B: [named('B_1', 1, ';Name=dnaA'), named('B_2', 11, ';Name=twin'), named('B_3', 21, ';Name=Twin;Alias=old')],
        C: [named('C_1', 1), named('a_3', 11), named('only', 21, ';Name=ONLY;Alias=Only')],
      }).map(([id, lines]) => ({ id, fasta: `>chr\n${plasmid}\n`, gff3: ['##gff-version 3', ...lines].join('\n') })),
    )
  })
  afterAll(() => portal?.close())

  test('are found alike before and after it is known which assembly has them', async () => {
    const names = 'A_1 A_2 A_3 a_3 B_1 B_2 B_3 C_1 dnaA DNAA twin old β-2 Β-2 only Only nobody a_ A_1x %'.split(' ')
    const askAll = () => Promise.all(names.map((name) => portal.data.getGene(name)))
    const before = await askAll()
    await portal.data.nameFilters.settled()
    const bundles = [...(await portal.data.snapshot()).scopes.keys()]
    for (const name of names) {
      const key = name.toLowerCase()
      const has = new Set((await findNamedIds(portal.data.sql, bundles, [key])).map(({ bundle }) => bundle))
      expect([name, portal.data.nameFilters.findBundles(bundles, key)]).toEqual([name, [...has].sort((a, b) => a - b)])
    }
    expect(await askAll()).toEqual(before)
    // One after the other they go by other statements than together.
    for (const [number, name] of names.entries()) expect(await portal.data.getGene(name)).toEqual(before[number])

    const meant = before.map((found) => found && [found.gene.id, ...found.alternatives.map(({ id }) => id)].join())
    expect(Object.fromEntries(names.map((name, number) => [name, meant[number]]))).toEqual({
      A_1: 'A_1',
      A_2: 'A_2',
      A_3: 'A_3,a_3',
      a_3: 'a_3,A_3',
      B_1: 'B_1',
      B_2: 'B_2',
      B_3: 'B_3',
      C_1: 'C_1',
      dnaA: 'A_1,B_1',
      DNAA: 'A_1,B_1',
      twin: 'B_2,B_3',
      old: 'A_2,B_3',
      'β-2': 'A_2',
      'Β-2': 'A_2',
      only: 'only',
      Only: 'only',
      nobody: null,
      a_: null,
      A_1x: null,
      '%': null,
    })
  })

  test('are found within an assembly by themselves', async () => {
    const ids = async (name: string, assembly: string) => {
      const found = await portal.data.getGene(name, assembly)
      return found && [found.gene.id, ...found.alternatives.map(({ id }) => id)]
    }
    expect(await ids('A_3', 'A')).toEqual(['A_3'])
    expect(await ids('A_3', 'C')).toEqual(['a_3'])
    expect(await ids('A_3', 'B')).toBeNull()
    expect(await ids('twin', 'B')).toEqual(['B_2', 'B_3'])
    expect(await ids('twin', 'A')).toBeNull()
  })

  test('are not kept of assemblies that are gone, also when nothing else is', async () => {
    const data = await openPortalData({ sql: portal.database.sql, files: openLocalFiles(portal.dataDir) })
    expect(await data.getGene('nobody')).toBeNull()
    await data.nameFilters.settled()
    const active = (await data.snapshot()).active[0]!
    const bundles = active.bundles.map(({ bundle }) => bundle)
    expect(data.nameFilters.size).toBe(bundles.length)
    const manifest = { novodb: 1, species: active.id, name: 'Test species', geneticCode: 1 } as const
    const release = (ids: string[], kept: number[]) =>
      activateRelease(
        portal.database.sql,
        { ...manifest, assemblies: ids.map((id) => ({ id, reference: id === 'A', genome: `${id}.fa` })) },
        kept,
        {},
      )
    await release(['A', 'B'], bundles.slice(0, 2))
    await expect.poll(() => data.nameFilters.size).toBe(2)
    await release(['A', 'B', 'C'], bundles)
    await data.close()
  })
})
