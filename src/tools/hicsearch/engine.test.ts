import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { writeCooler } from '../../testing/cooler.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { renderHic } from '../../testing/hic.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import type { BakedContacts } from './stored.ts'
import type tool from './tool.ts'
import type { DomainsResult, MapResult, SearchResult } from './tool.ts'

// Two chromosomes in bins of 1 kb. Contacts fall off with distance; on the first two domains meet at 24 kb, and a loop joins 5 and 40 kb.
const binBp = 1000
const lengths = { chrI: 60_000, chrII: 29_500 }
const bins = { chrI: 60, chrII: 30 }
const border = 24
const loop = [5, 40] as const
/** Balancing left this bin out. */
const left = 50
const pixels: [number, number, number][] = []
for (let a = 0; a < bins.chrI; a += 1) {
  for (let b = a; b < bins.chrI; b += 1) {
    const density = a < border === b < border ? 240 : 60
    pixels.push([a, b, Math.round(density / (b - a + 1)) + (a === loop[0] && b === loop[1] ? 40 : 0)])
  }
  for (let b = 0; b < bins.chrII; b += 1) if ((a + b) % 9 === 0) pixels.push([a, bins.chrI + b, a === 10 ? 5 : 2])
}
for (let a = 0; a < bins.chrII; a += 1)
  for (let b = a; b < bins.chrII; b += 1) pixels.push([bins.chrI + a, bins.chrI + b, 1 + Math.round(90 / (b - a + 1))])
const weight = (bin: number): number => (bin === left ? Number.NaN : 0.1 * (1 + (bin % 3)))
const countOf = new Map(pixels.map(([a, b, count]) => [`${a},${b}`, count]))
const count = (a: number, b: number): number => countOf.get(`${Math.min(a, b)},${Math.max(a, b)}`) ?? 0

/** Bins of the first chromosome, bins of the plasmid, and counts. */
const plasmidPixels: [number, number, number][] = [
  [5, 0, 31],
  [5, 3, 44],
  [5, 6, 9],
  [6, 1, 2],
  [40, 2, 3],
]

let portal: EmptyPortal
let database: Database
let root: string
let data: OpenPortalData
const assembly = 'folded'

beforeAll(async () => {
  portal = await openEmptyPortal('contact-tools')
  ;({ database, root } = portal)
  const { dataDir } = portal
  const folder = join(root, 'folder')
  mkdirSync(folder)
  const bases = (length: number): string => 'ACGTTGCAAC'.repeat(length / 10)
  writeFileSync(join(folder, 'genome.fa'), `>chrI\n${bases(lengths.chrI)}\n>chrII\n${bases(lengths.chrII)}\n`)
  const gene = (id: string, sequence: string, start: number, end: number): string =>
    [
      `${sequence}\tx\tncRNA_gene\t${start}\t${end}\t.\t+\t.\tID=${id}`,
      `${sequence}\tx\tncRNA\t${start}\t${end}\t.\t+\t.\tID=${id}.1;Parent=${id}`,
      `${sequence}\tx\texon\t${start}\t${end}\t.\t+\t.\tParent=${id}.1`,
    ].join('\n')
  const genes = [
    gene('FIVE', 'chrI', 5100, 5700),
    gene('WIDE', 'chrI', 9200, 11_300),
    gene('FORTY', 'chrI', 40_200, 40_900),
    gene('FORTYTOO', 'chrI', 40_950, 42_000),
    gene('TWO', 'chrII', 100, 900),
  ]
  writeFileSync(join(folder, 'genes.gff3'), `##gff-version 3\n${genes.join('\n')}\n`)
  const chromosomes = [
    { name: '1', lengthBp: lengths.chrI },
    { name: '2', lengthBp: lengths.chrII },
  ]
  await writeCooler(join(folder, 'map.mcool'), [
    {
      chromosomes,
      binBp,
      pixels,
      weights: { weight: Float64Array.from({ length: bins.chrI + bins.chrII }, (_, bin) => weight(bin)) },
    },
    { chromosomes, binBp: 10_000, pixels: [[0, 1, 7]] },
  ])
  // The same map with a plasmid of seven bins that the genome does not have, and a sequence that nothing touches.
  const episome = bins.chrI + bins.chrII
  await writeCooler(join(folder, 'episome.mcool'), [
    {
      chromosomes: [...chromosomes, { name: 'pEpisome', lengthBp: 6400 }, { name: 'pSilent', lengthBp: 900 }],
      binBp,
      pixels: [...[...pixels, ...plasmidPixels.map(([a, b, n]): [number, number, number] => [a, episome + b, n])]].sort(
        (one, other) => one[0] - other[0] || one[1] - other[1],
      ),
    },
  ])
  writeFileSync(
    join(folder, 'map.hic'),
    renderHic({
      version: 9,
      chromosomes,
      binBp,
      blockBins: 8,
      pixels: pixels.map(([a, b, value]) => {
        const [one, two] = [a >= bins.chrI ? 1 : 0, b >= bins.chrI ? 1 : 0]
        return [one, two, a - one * bins.chrI, b - two * bins.chrI, value]
      }),
      vectors: {
        KR: [bins.chrI, bins.chrII].map((length, at) =>
          Float64Array.from({ length }, (_, bin) => 1 / weight(bin + at * bins.chrI)),
        ),
      },
      expected: {
        NONE: { values: Float64Array.of(100, 50, 25), factors: [1, 2] },
        KR: { values: Float64Array.of(2, 1, 0.5), factors: [1, 2] },
      },
    }),
  )
  writeFileSync(join(folder, 'tads.bed'), '1\t0\t24000\tfirst\n1\t24000\t60000\tsecond\nplasmid\t0\t5\tnone\n')
  writeFileSync(join(folder, 'loops.bedpe'), '1\t5000\t6000\t1\t40000\t41000\tL1\t9.5\n1\t2000\t3000\t2\t4000\t5000\n')
  writeFileSync(join(folder, 'ab.bedgraph'), '1\t0\t30000\t0.8\n1\t30000\t60000\t-0.6\n')
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1
species: folded
name: Made up
assemblies:
  - id: ${assembly}
    genome: genome.fa
    genes: genes.gff3
    licence: CC0-1.0
    contacts:
      - { id: hic, name: { en: Hi-C, zh: 染色质互作 }, file: map.mcool, tads: tads.bed, loops: loops.bedpe, compartments: ab.bedgraph }
      - { id: episome, name: { en: With a plasmid, zh: 含质粒 }, file: episome.mcool }
      - { id: juicer, name: { en: Hi-C of juicer, zh: juicer 互作矩阵 }, file: map.hic }
`,
  )
  const report = await loadTestSpecies(database, dataDir, folder)
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(report.defects).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: 'track-sequence-unknown', file: 'tads.bed' })]),
  )
  data = await portal.openData()
})
afterAll(() => portal?.close())

const formulas: string[] = []
const ask = async <Result>(input: Partial<z.input<(typeof tool)['input']>>): Promise<Result> => {
  const receipt = {
    repeatPrograms: () => undefined,
    addStep: ({ formula }: { formula?: string }) => void formulas.push(formula ?? ''),
    addData: () => undefined,
    addDataSet: () => undefined,
    cite: () => undefined,
  }
  const context = makeEngineContext({ data, receipt })
  return (await runEngine(engine, { assembly, locus: 'FIVE', ...input }, context)) as Result
}
const failure = async (input: Partial<z.input<(typeof tool)['input']>>): Promise<string> => {
  try {
    await ask(input)
  } catch (error) {
    if (error instanceof PortalError) return `${error.code} ${error.messageId}`
    throw error
  }
  return 'answered'
}

/** Mean balanced contact of two usable bins so far apart on the first chromosome. */
const expectedAt = (apart: number): number => {
  let [sum, pairs] = [0, 0]
  for (let bin = 0; bin + apart < bins.chrI; bin += 1) {
    if (bin === left || bin + apart === left) continue
    sum += count(bin, bin + apart) * weight(bin) * weight(bin + apart)
    pairs += 1
  }
  return sum / pairs
}

describe('contacts of a gene', () => {
  test('are the bins that touch it, as counted, balanced and over what is expected at their distance', async () => {
    const result = await ask<SearchResult>({})
    expect(result).toMatchObject({
      resolution: binBp,
      normalization: 'weight',
      expectedFrom: 'chromosome',
      reachedBp: null,
      gene: { id: 'FIVE' },
      view: { sequence: 'chrI', start: 5001, end: 6000, bins: 1, usable: 1 },
    })
    const cis = result.rows.filter(({ sequence }) => sequence === 'chrI')
    expect(cis).toHaveLength(bins.chrI - 1)
    for (const row of cis) {
      const bin = (row.start - 1) / binBp
      expect(row.observed).toBe(count(5, bin))
      if (bin === left) expect([row.balanced, row.ratio]).toEqual([null, null])
      else {
        const balanced = count(5, bin) * weight(5) * weight(bin)
        expect(row.balanced).toBeCloseTo(balanced, 12)
        expect(row.expected).toBeCloseTo(expectedAt(Math.abs(bin - 5)), 12)
        expect(row.ratio).toBeCloseTo(balanced / expectedAt(Math.abs(bin - 5)), 10)
      }
    }
    const strongest = cis.filter(({ distance }) => distance! > 20_000).sort((a, b) => b.ratio! - a.ratio!)[0]!
    expect(strongest).toMatchObject({ start: 40_001, end: 41_000, geneCount: 2 })
    expect(strongest.genes.map(({ id }) => id)).toEqual(['FORTY', 'FORTYTOO'])
    const trans = result.rows.filter(({ sequence }) => sequence === 'chrII')
    expect(trans.map(({ start, observed }) => [(start - 1) / binBp, observed]).sort()).toEqual([
      [13, 2],
      [22, 2],
      [4, 2],
    ])
    expect(trans.every(({ ratio, distance }) => ratio === null && distance === null)).toBe(true)
    expect(result.features.loops).toMatchObject([{ b: { start: 40_001 }, name: 'L1', score: 9.5 }])
    expect(result.features.tads).toEqual([{ sequence: 'chrI', start: 1, end: 24_000, name: 'first' }])
    expect(result.sums).toEqual({ cis: cis.reduce((sum, { observed }) => sum + observed, 0) + count(5, 5), trans: 6 })
    expect(formulas.at(-1)).toContain('mean over all pairs of usable bins')
  })

  test('with sequences that the assembly lacks are counted and named', async () => {
    const plain = await ask<SearchResult>({ map: 'hic', normalization: 'none' })
    const found = await ask<SearchResult>({ map: 'episome' })
    expect(plain.lacking).toEqual([])
    expect(found.lacking).toEqual([
      { name: 'pEpisome', observed: 84, bins: 7 },
      { name: 'pSilent', observed: 0, bins: 1 },
    ])
    expect(found.sums).toEqual({ cis: plain.sums.cis, trans: plain.sums.trans! + 84 })
    const rows = found.rows.filter(({ inAssembly }) => !inAssembly)
    expect(rows.map(({ sequence, start, end, observed }) => [sequence, start, end, observed])).toEqual([
      ['pEpisome', 3001, 4000, 44],
      ['pEpisome', 1, 1000, 31],
      ['pEpisome', 6001, 6400, 9],
    ])
    expect(rows.every(({ geneCount, ratio, distance }) => geneCount === 0 && ratio === null && distance === null)).toBe(
      true,
    )
    expect(found.total).toBe(plain.total + 3)
    expect((await ask<SearchResult>({ map: 'episome', partners: 'cis' })).lacking).toBeNull()
  })

  test('of several bins are summed as counts and averaged when balanced; those of the gene itself are left out', async () => {
    const result = await ask<SearchResult>({ locus: 'wide', partners: 'cis', distance: 4000 })
    expect(result.view).toMatchObject({ start: 9001, end: 12_000, bins: 3, usable: 3 })
    expect(result.rows.map(({ start }) => (start - 1) / binBp).sort((a, b) => a - b)).toEqual([
      5, 6, 7, 8, 12, 13, 14, 15,
    ])
    const row = result.rows.find(({ start }) => start === 13_001)!
    expect(row.observed).toBe(count(9, 13) + count(10, 13) + count(11, 13))
    const balanced = [9, 10, 11].map((bin) => count(bin, 13) * weight(bin) * weight(13))
    expect(row.balanced).toBeCloseTo(balanced.reduce((sum, one) => sum + one, 0) / 3, 12)
    expect(result.sums.trans).toBeNull()
  })

  test('read from a .hic file of the same contacts are the same, with the expectation that the file tells', async () => {
    const cooler = await ask<SearchResult>({})
    const juicer = await ask<SearchResult>({ map: 'juicer' })
    expect(juicer).toMatchObject({ normalization: 'KR', expectedFrom: 'file', total: cooler.total, sums: cooler.sums })
    const own = new Map(cooler.rows.map((row) => [`${row.sequence}:${row.start}`, row]))
    for (const row of juicer.rows) {
      const { observed, balanced } = own.get(`${row.sequence}:${row.start}`)!
      expect(row.observed).toBe(observed)
      // Vectors of version 9 hold 32 bits.
      if (balanced === null) expect(row.balanced).toBeNull()
      else expect(row.balanced! / balanced).toBeCloseTo(1, 5)
      if (row.sequence === 'chrI') expect(row.expected).toBe(row.start === 4001 || row.start === 6001 ? 1 : 0.5)
    }
    expect((await ask<SearchResult>({ map: 'juicer', locus: 'TWO', normalization: 'none' })).rows[0]?.expected).toBe(25)
  })
})

const unpack = (result: MapResult): Float32Array => {
  const bytes = Buffer.from(result.cells, 'base64')
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

describe('a window of the map', () => {
  test('holds every pair of bins, the upper half of a square', async () => {
    for (const map of ['hic', 'juicer']) {
      const result = await ask<MapResult>({ task: 'map', map, locus: 'chrI:10,001..20,000', normalization: 'none' })
      expect(result).toMatchObject({
        symmetric: true,
        x: { bins: 10, start: 10_001, end: 20_000 },
        normalization: 'none',
      })
      const cells = unpack(result)
      expect(cells).toHaveLength(55)
      let at = 0
      for (let x = 10; x < 20; x += 1) for (let y = x; y < 20; y += 1, at += 1) expect(cells[at]).toBe(count(x, y))
      expect(result.x.genes.map(({ id }) => id)).toEqual(['WIDE'])
      expect(result.fitting).toEqual(map === 'hic' ? [1000, 10_000] : [1000])
    }
  })
  test('of two places has the one along each side; balanced cells of a bin left out hold no number', async () => {
    const result = await ask<MapResult>({ task: 'map', locus: 'chrI:45,001-55,000', otherLocus: 'chrII' })
    expect(result).toMatchObject({ symmetric: false, x: { bins: 10 }, y: { bins: 30, end: 29_500 } })
    const cells = unpack(result)
    for (let x = 0; x < 10; x += 1)
      for (let y = 0; y < 30; y += 1) {
        const [a, b] = [45 + x, bins.chrI + y]
        if (a === left) expect(cells[x * 30 + y]).toBeNaN()
        else expect(cells[x * 30 + y]).toBeCloseTo(count(a, b) * weight(a) * weight(b), 5)
      }
  })
  test('over what is expected is 1 on average at each distance', async () => {
    const result = await ask<MapResult>({ task: 'map', locus: 'chrI', values: 'ratio' })
    const cells = unpack(result)
    let [sum, pairs] = [0, 0]
    for (let x = 0, at = 0; x < 60; x += 1)
      for (let y = x; y < 60; y += 1, at += 1)
        if (y - x === 7 && !Number.isNaN(cells[at]!)) {
          sum += cells[at]!
          pairs += 1
        }
    expect(sum / pairs).toBeCloseTo(1, 6)
    expect(pairs).toBe(60 - 7 - 2)
    expect(result.features.compartments.map(({ value }) => value)).toEqual([0.8, -0.6])
    expect(result.features.loops).toHaveLength(1)
  })
})

describe('domains of a chromosome', () => {
  test('meet where few contacts pass over', async () => {
    const result = await ask<DomainsResult>({ task: 'domains', window: 5 })
    expect(result.insulation).toHaveLength(60)
    expect(result.insulation[left]).toBeNull()
    const strongest = [...result.boundaries].sort((a, b) => b.strength - a.strength)[0]!
    expect([(border - 1) * binBp + 1, border * binBp + 1]).toContain(strongest.start)
    expect(result.compartments?.values).toHaveLength(60)
    const squares = result.compartments!.values.map((value) => (value ?? 0) ** 2)
    expect(squares.reduce((sum, square) => sum + square, 0) / (bins.chrI - 1)).toBeCloseTo(1, 6)
    expect(result.compartments).toMatchObject({ resolution: binBp, oriented: true })
    expect(result.compartments!.values[left]).toBeNull()
  })
  test('are those of plain counts, compartments too, where no normalization is asked for', async () => {
    const { compartments } = await ask<DomainsResult>({ task: 'domains', window: 5, normalization: 'none' })
    expect(compartments!.values[left]).toEqual(expect.any(Number))
  })
})

describe('what cannot be answered', () => {
  test('is said in words', async () => {
    expect(await failure({ locus: 'NOGENE' })).toBe('UNKNOWN_GENE locus.unknown')
    expect(await failure({ locus: 'chrI:90000000-90001000' })).toMatch(/locus.beyond-end$/)
    expect(await failure({ locus: 'chrI\u0000' })).toBe('UNKNOWN_GENE locus.unknown')
    expect(await failure({ locus: 'chrIX:1..5' })).toMatch(/^UNKNOWN_SEQUENCE/)
    expect(await failure({ map: 'other' })).toBe('INVALID_INPUT problem.unknownMap')
    expect(await failure({ resolution: 777 })).toBe('INVALID_INPUT problem.unknownResolution')
    expect(await failure({ normalization: 'SCALE' })).toBe('INVALID_INPUT problem.unknownNormalization')
    expect(await failure({ task: 'map', values: 'ratio', otherLocus: 'chrII' })).toBe(
      'INVALID_INPUT problem.ratioTrans',
    )
    expect(await failure({ task: 'map', signal: 'none' })).toBe('INVALID_INPUT problem.unknownSignal')
  })
  test('of a map that was cut off since the load is laid at its file', async () => {
    const record = await data.getRecord<BakedContacts>('contacts', 'juicer', { assembly })
    truncateSync(join(await data.bundleDirectory(assembly), record!.file), 2000)
    expect(await failure({ map: 'juicer' })).toBe('ENGINE_FAILED problem.damaged')
  })
})
