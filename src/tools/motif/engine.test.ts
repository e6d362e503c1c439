import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseMotifs } from '../../bio/motif/motif-formats.ts'
import { makeBackground, scoreInBits, scoreMatrix } from '../../bio/motif/motif-scores.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { hypergeometricTail } from '../../bio/statistics/set-tests.ts'
import { runTool } from '../../kit/run-tool.ts'
import { answerText, askRoute, emptyReceipt } from '../../testing/contexts.ts'
import { failureInWords } from '../../testing/failure.ts'
import { scoreWord } from '../../testing/motif-words.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { makeBases } from '../../testing/random.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import { siteColumns, siteFile } from './site-file.ts'
import { collectionKind, matricesKind, type StoredMotif } from './stored.ts'
import type { MotifSearchResult } from './tool.ts'
import tool from './tool.ts'

const scratch = mkdtempSync(join(tmpdir(), 'novodb-motif-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let runs = 0

const search = async (portal: TestPortal, input: z.input<typeof tool.input>, signal = new AbortController().signal) => {
  const directory = join(scratch, String(++runs))
  mkdirSync(directory)
  const { result, receipt } = await runTool(engine, {
    input: tool.input.parse(input),
    data: portal.data,
    directory,
    dataDir: portal.dataDir,
    searchPath: '',
    programs: [],
    portalVersion: 'test',
    signal,
    bounds: { timeoutMs: 600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress: () => undefined,
  })
  const rows = readFileSync(join(directory, siteFile), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Object.fromEntries(line.split('\t').map((cell, at) => [siteColumns[at]!, cell])))
  return { result: result as MotifSearchResult, receipt, directory, rows }
}

const failure = (promise: Promise<unknown>) => failureInWords(promise, messages)

// A made-up chromosome: gene a on + from 1001, gene b on - up to 3000 (its promoter is after it), gene c within reach of b's end.
const word = 'TGACTCACCGGA'
const made = (() => {
  const bases = [...makeBases(5000, 4)]
  const put = (start1: number, text: string): void => {
    for (const [at, base] of [...text].entries()) bases[start1 - 1 + at] = base
  }
  put(901, word)
  put(3101, reverseComplement(word))
  put(3301, 'NNNNN')
  return bases.join('')
})()
const gff3 = `##gff-version 3
chr1\tt\tgene\t1001\t1600\t.\t+\t.\tID=ga;Name=aaa1
chr1\tt\tmRNA\t1001\t1600\t.\t+\t.\tID=ga.1;Parent=ga
chr1\tt\texon\t1001\t1600\t.\t+\t.\tParent=ga.1
chr1\tt\tCDS\t1051\t1599\t.\t+\t0\tParent=ga.1
chr1\tt\tgene\t2401\t3000\t.\t-\t.\tID=gb
chr1\tt\tmRNA\t2401\t3000\t.\t-\t.\tID=gb.1;Parent=gb
chr1\tt\texon\t2401\t3000\t.\t-\t.\tParent=gb.1
chr1\tt\tCDS\t2401\t3000\t.\t-\t0\tParent=gb.1
chr1\tt\tgene\t3401\t4000\t.\t+\t.\tID=gc
chr1\tt\tmRNA\t3401\t4000\t.\t+\t.\tID=gc.1;Parent=gc
chr1\tt\texon\t3401\t4000\t.\t+\t.\tParent=gc.1
chr1\tt\tCDS\t3401\t4000\t.\t+\t0\tParent=gc.1
chr1\tt\tgene\t4501\t4580\t.\t+\t.\tID=gt
chr1\tt\ttRNA\t4501\t4580\t.\t+\t.\tID=gt.1;Parent=gt
chr1\tt\texon\t4501\t4580\t.\t+\t.\tParent=gt.1
`
const stored: StoredMotif[] = [
  {
    id: 'GCN4_1',
    name: 'GCN4',
    sites: 20,
    rows: [...word].map((base) => [...'ACGT'].map((one) => Number(one === base))),
  },
  {
    id: 'GCN4_2',
    name: null,
    sites: 20,
    rows: [...'TGACTCA'].map((base) => [...'ACGT'].map((one) => Number(one === base))),
  },
  {
    id: 'weak',
    name: 'W',
    sites: 20,
    rows: [
      [0.7, 0.1, 0.1, 0.1],
      [0.1, 0.1, 0.1, 0.7],
    ],
  },
]

describe('on a made-up chromosome', () => {
  let portal: TestPortal
  beforeAll(async () => {
    portal = await openTestPortal([{ id: 'A1', fasta: `>chr1\n${made}\n`, gff3 }], 'test-species', [
      { kind: collectionKind, id: 'own', data: { title: 'Own', source: null, licence: null, motifCount: 3 } },
      { kind: matricesKind, id: 'own', data: stored },
    ])
  })
  afterAll(() => portal?.close())

  test('sites lie where they were put: from the start of the gene, on the genome, on both strands', async () => {
    const { result, rows, receipt } = await search(portal, {
      genes: ['aaa1', 'gb'],
      assembly: 'A1',
      upstreamBp: 400,
      motifNames: 'GCN4_1',
      pValue: 1e-6,
      background: 'uniform',
    })
    expect(result.siteCount).toBe(2)
    expect(result.genesWithSites.sort()).toEqual(['ga', 'gb'])
    const of = (gene: string) => result.sites.find((site) => site.gene === gene)!
    // 100 to 89 bases before the start at 1001; the promoter of gb runs from 3001 upwards, and reads the other way.
    expect(of('ga')).toMatchObject({
      symbol: 'aaa1',
      start: 301,
      end: 312,
      strand: '+',
      relativeStart: -100,
      relativeEnd: -89,
      matched: word,
      locus: { sequence: 'chr1', start: 901, end: 912, strand: '+' },
    })
    expect(of('gb')).toMatchObject({
      strand: '+',
      relativeStart: -112,
      relativeEnd: -101,
      matched: word,
      locus: { sequence: 'chr1', start: 3101, end: 3112, strand: '-' },
    })
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ motif_id: 'GCN4_1', motif_alt_id: 'GCN4', matched_sequence: word })
    // Every test of both strands counts, save the places that five N take away; the least p-value of twelve sure positions is 4^-12 where
    // bases are equal.
    const tests = 2 * (400 - 12 + 1 + (400 - 12 + 1 - (5 + 12 - 1)))
    expect(result.tests).toBe(tests)
    expect(result.sites[0]!.pValue).toBeCloseTo(4 ** -12, 12)
    expect(result.sites[0]!.qValue).toBeCloseTo((4 ** -12 * tests) / 2, 10)
    expect(receipt.data[0]?.assembly).toBe('A1')
    expect(receipt.citations.map(({ text }) => text).join()).toContain('FIMO')
  })

  test('promoters end at the neighbour where that is asked for, and at the start codon', async () => {
    const clipped = await search(portal, {
      source: 'all',
      assembly: 'A1',
      upstreamBp: 1000,
      clip: true,
      motifNames: 'GCN4_1',
      from: 'coding',
      insideBp: 50,
      pValue: 1e-6,
      background: 'uniform',
    })
    const lengths = new Map(clipped.result.sequences.map(({ gene, lengthBp }) => [gene, lengthBp]))
    // ga from its ATG at 1051: 1,000 bases and 50 after it. gb: the 400 bases to gc, and 50.
    expect(lengths.get('ga')).toBe(1050)
    expect(lengths.get('gb')).toBe(450)
    expect(clipped.result.sites.find((site) => site.gene === 'ga')).toMatchObject({
      relativeStart: -150,
      relativeEnd: -139,
    })
    expect(clipped.result.sequenceCount).toBe(3)
    expect(clipped.result.anchor).toBe('coding')
    const all = await search(portal, { source: 'all', assembly: 'A1', codingOnly: false, motifNames: 'GCN4_1' })
    expect(all.result.sequenceCount).toBe(4)
    expect(all.result.anchor).toBe('transcript')
    // Models without a 5′ UTR begin at the start codon: there is no transcription start to measure from.
    const { result } = await search(portal, { genes: ['gb', 'gc'], assembly: 'A1', motifNames: 'GCN4_1' })
    expect(result.anchor).toBe('coding')
  })

  test('of a gene shorter than the bases asked for inside, positions count from its start all the same', async () => {
    const { result, rows } = await search(portal, {
      genes: ['ga', 'gb'],
      assembly: 'A1',
      upstreamBp: 400,
      // Both genes have 600 bases.
      insideBp: 800,
      motifNames: 'GCN4_1',
      pValue: 1e-6,
      background: 'uniform',
    })
    expect(result.sequences.map(({ lengthBp, relativeStart }) => [lengthBp, relativeStart])).toEqual([
      [1000, -400],
      [1000, -400],
    ])
    const places = (gene: string) =>
      result.sites.filter((site) => site.gene === gene).map((site) => [site.relativeStart, site.relativeEnd])
    expect(places('ga')).toEqual([[-100, -89]])
    expect(places('gb')).toEqual([[-112, -101]])
    expect(rows.map(({ relative_start }) => relative_start).sort()).toEqual(['-100', '-112'])
  })

  test('a factor means all of its matrices; a motif that cannot reach the p-value says so', async () => {
    const { result } = await search(portal, { genes: ['ga'], assembly: 'A1', motifNames: 'gcn4 W', enrichment: false })
    expect(result.motifs.map(({ id, state }) => [id, state])).toEqual([
      ['GCN4_1', 'ok'],
      ['GCN4_2', 'ok'],
      ['weak', 'weak'],
    ])
    expect(result.motifs[2]!.minPValue).toBeGreaterThan(1e-4)
    expect(result.motifs[2]!.sites).toBe(0)
    expect(result.collection).toBe('test-species/own')
  })

  test('of a motif that is its own reverse complement every site is told once, and counted so', async () => {
    const given = { source: 'sequence', motifSource: 'consensus', background: 'uniform' } as const
    const sequence = '>s1\nAATGAATTCAAACCGAATTCGG'
    const { result } = await search(portal, { ...given, sequence, consensus: 'EcoRI GAATTC' })
    expect(result.sites.map(({ start, strand }) => [start, strand])).toEqual([
      [4, '+'],
      [15, '+'],
    ])
    // One letter more, and it is none: both strands are read.
    const { result: other } = await search(portal, { ...given, sequence, consensus: 'EcoRI GAATTCR' })
    expect(other.motifs[0]!.tests).toBe(2 * (result.motifs[0]!.tests - 1))
  })

  test('of a short word every exact match is told, however little it tells', async () => {
    const given = {
      source: 'sequence',
      sequence: '>s1\nAAGATAAGGGNGATACCTTATCTNNN\n>s1\nccgataagccTGACTCACCGGAaaTGACTCACCGTA',
      motifSource: 'consensus',
      background: 'uniform',
    } as const
    const { result } = await search(portal, { ...given, consensus: 'GATA HGATAR' })
    expect(result.motifs[0]).toMatchObject({ state: 'exact', consensus: 'HGATAR', sites: 3 })
    expect(result.motifs[0]!.pLimit).toBeGreaterThan(1e-4)
    expect(
      result.sites.map(({ sequence, start, strand, matched }) => [sequence, start, strand, matched]).sort(),
    ).toEqual([
      ['s1', 18, '-', 'AGATAA'],
      ['s1', 2, '+', 'AGATAA'],
      ['s1_2', 2, '+', 'CGATAA'],
    ])
    expect(result.sites[0]!.locus).toBeNull()
    // Longer words tell enough for others to score as high: left out where only exact ones are asked for.
    const long = { ...given, consensus: 'TGACTCACCGGW', pValue: 0.001 }
    const exactOnly = await search(portal, { ...long, inexact: false })
    expect(exactOnly.result.sites.map(({ matched }) => matched)).toEqual(['TGACTCACCGGA'])
    const similar = await search(portal, long)
    expect(similar.result.motifs[0]!.state).toBe('ok')
    expect(similar.result.sites.map(({ matched }) => matched).sort()).toEqual(['TGACTCACCGGA', 'TGACTCACCGTA'])
    expect(result.assembly).toBeNull()
  })

  test('a background model of one’s own: its part of order 0 is used as FIMO does, and said', async () => {
    const pairs = [...'ACGT'].flatMap((a) =>
      [...'ACGT'].map((b) => `${a}${b} ${'AT'.includes(a) === 'AT'.includes(b) ? 0.08 : 0.045}`),
    )
    const input = {
      ...({
        source: 'sequence',
        sequence: makeBases(4000, 21),
        motifSource: 'matrices',
        pValue: 0.005,
        bothStrands: false,
      } as const),
      matrices: '>m1 one\nA [8 0 2 0 8]\nC [0 0 2 8 0]\nG [0 8 2 0 0]\nT [0 0 2 0 0]',
      background: 'own' as const,
    }
    const own = await search(portal, { ...input, backgroundModel: `a .31\nc .19\ng .17\nt .33\n` })
    expect(own.result.background).toMatchObject({
      kind: 'own',
      order: 0,
      modelOrder: 0,
      bases: [0.31, 0.19, 0.17, 0.33],
    })
    expect(JSON.stringify(own.receipt)).toContain('own model of order 0')
    expect(JSON.stringify(own.receipt)).toContain('0.3100 0.1900 0.1700 0.3300')
    // The same by a matrix made here from the same shares.
    const [motif] = parseMotifs(input.matrices).motifs
    const matrix = scoreMatrix(motif!, makeBackground([0.31, 0.19, 0.17, 0.33], false), 0.1)
    expect(own.rows.length).toBeGreaterThan(5)
    for (const row of own.rows) {
      const scaled = [...row.matched_sequence!].reduce(
        (sum, base, at) => sum + matrix.scaled[4 * at + 'ACGT'.indexOf(base)]!,
        0,
      )
      expect(Number(row.score)).toBeCloseTo(scoreInBits(matrix, scaled), 3)
      expect(Number(row['p-value']) / matrix.tail[scaled]!).toBeCloseTo(1, 2)
    }
    const model = `A 0.25\nC 0.25\nG 0.25\nT 0.25\n${pairs.join('\n')}`
    const cut = await search(portal, { ...input, backgroundModel: model })
    const uniform = await search(portal, { ...input, background: 'uniform' })
    expect(cut.result.background).toMatchObject({ order: 0, modelOrder: 1, transitions: null })
    expect(cut.rows).toEqual(uniform.rows)
    const whole = await search(portal, { ...input, backgroundModel: model, order: '1' })
    expect(whole.result.background).toMatchObject({ order: 1, modelOrder: 1 })
    expect(whole.result.background.transitions![0]).toBeCloseTo(0.32, 12)
  })

  test('pasted matrices; q-values of the file are those of Benjamini and Hochberg over all tests', async () => {
    const { result, rows } = await search(portal, {
      source: 'sequence',
      sequence: makeBases(6000, 9),
      motifSource: 'matrices',
      matrices:
        '>m1 one\nA [8 0 2 0 8]\nC [0 0 2 8 0]\nG [0 8 2 0 0]\nT [0 0 2 0 0]\n>m2\nA [0 8 0 8 8]\nC [8 0 0 0 0]\nG [0 0 8 0 0]\nT [0 0 0 0 0]',
      background: 'sequences',
      order: '1',
      pValue: 0.01,
    })
    expect(result.background.order).toBe(1)
    expect(result.background.transitions).toHaveLength(16)
    const tests = 2 * 2 * (6000 - 5 + 1)
    expect(result.tests).toBe(tests)
    const pValues = rows.map((row) => Number(row['p-value']))
    expect(rows.length).toBeGreaterThan(20)
    expect(pValues).toEqual([...pValues].sort((a, b) => a - b))
    let min = 1
    for (let rank = rows.length; rank >= 1; rank--) {
      min = Math.min(min, (pValues[rank - 1]! * tests) / rank)
      expect(Number(rows[rank - 1]!['q-value_all_motifs']) / min).toBeCloseTo(1, 4)
    }
    const strict = await search(portal, {
      source: 'sequence',
      sequence: makeBases(6000, 9),
      motifSource: 'matrices',
      matrices: '>m1\nA [8 0 2 0 8]\nC [0 0 2 8 0]\nG [0 8 2 0 0]\nT [0 0 2 0 0]',
      background: 'uniform',
      pValue: 0.05,
      qValue: 0.2,
    })
    expect(strict.result.sites.every(({ qValue }) => qValue <= 0.2)).toBe(true)
  })

  test('enrichment counts promoters with a site in the set and in the background', async () => {
    const { result, receipt } = await search(portal, {
      genes: ['ga', 'gb'],
      assembly: 'A1',
      upstreamBp: 400,
      motifNames: 'GCN4_1',
      pValue: 1e-6,
    })
    expect(result.backgroundCount).toBe(1)
    const { enrichment } = result.motifs[0]!
    expect(enrichment).toMatchObject({ set: { found: 2, all: 2 }, background: { all: 1 } })
    expect(enrichment!.pValue).toBeCloseTo(
      hypergeometricTail({ found: 2, drawn: 2, marked: 2 + enrichment!.background.found, total: 3 }),
      5,
    )
    expect(receipt.steps.map(({ program }) => program)).toContain('NovoDB enrichment of motifs')
  })

  test.each<[string, z.input<typeof tool.input>, string]>([
    ['no gene', { assembly: 'A1' }, 'genes.none'],
    ['genes that no assembly has', { genes: ['nope'] }, 'genes.nowhere'],
    ['all promoters of no assembly', { source: 'all' }, 'assembly.needed'],
    ['genes that are not there', { genes: ['nope', 'nil'], assembly: 'A1' }, 'problem.noPromoter'],
    ['a motif that the collection lacks', { genes: ['ga'], assembly: 'A1', motifNames: 'MYB' }, 'motifNames.unknown'],
    ['a collection that is not there', { genes: ['ga'], assembly: 'A1', collection: 'x/y' }, 'collection.unknown'],
    ['no matrix', { genes: ['ga'], assembly: 'A1', motifSource: 'matrices' }, 'motifs.no-motifs'],
    [
      'text that is no matrix',
      { genes: ['ga'], assembly: 'A1', motifSource: 'matrices', matrices: 'hello' },
      'motifs.unknown-format',
    ],
    [
      'a matrix of amino acids',
      {
        genes: ['ga'],
        assembly: 'A1',
        motifSource: 'matrices',
        matrices: 'MEME version 4\nALPHABET= ACDEFGHIKLMNPQRSTVWY\nMOTIF a\n',
      },
      'motifs.not-dna',
    ],
    [
      'a letter that is none',
      { genes: ['ga'], assembly: 'A1', motifSource: 'consensus', consensus: 'TATAZ' },
      'motifs.bad-letter',
    ],
    ['no sequence', { source: 'sequence', assembly: 'A1', motifNames: 'weak' }, 'sequence.none'],
    [
      'a protein',
      { source: 'sequence', sequence: '>p\nMKLWDERTPQSVHGNYCFAEEFILPQ', assembly: 'A1' },
      'sequence.notBases',
    ],
    [
      'a background model without T',
      { genes: ['ga'], assembly: 'A1', background: 'own', backgroundModel: 'A 0.4\nC 0.3\nG 0.3' },
      'backgroundModel.missing',
    ],
    [
      'a background model of protein',
      { genes: ['ga'], assembly: 'A1', background: 'own', backgroundModel: 'A 0.1\nC 0.1\nD 0.1' },
      'backgroundModel.letters',
    ],
    [
      'an own background that is not given',
      { genes: ['ga'], assembly: 'A1', background: 'own' },
      'backgroundModel.none',
    ],
    [
      'order 1 of a model of order 0',
      {
        genes: ['ga'],
        assembly: 'A1',
        background: 'own',
        order: '1',
        backgroundModel: 'A 0.3\nC 0.2\nG 0.2\nT 0.3',
      },
      'order.notInModel',
    ],
    ['order 1 of a genome', { genes: ['ga'], assembly: 'A1', order: '1' }, 'order.onlySequences'],
    [
      'a composition of nothing',
      { source: 'sequence', sequence: 'ACGT', motifSource: 'consensus', consensus: 'AC' },
      'background.needsAssembly',
    ],
    ['promoters of no length', { genes: ['ga'], assembly: 'A1', upstreamBp: 0 }, 'problem.noLength'],
  ])('refuses %s, beside the field', async (_, input, message) => {
    expect((await failure(search(portal, input))).messageId).toBe(message)
  })

  test('10 million pasted characters are refused by the schema, in words of the tool', () => {
    const parsed = tool.input.safeParse({ source: 'sequence', sequence: 'ACGTACGTAC'.repeat(1_000_000) })
    expect(parsed.error?.issues[0]?.message).toBe('sequence.tooLong')
  })

  test('a cancelled search ends', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(search(portal, { source: 'all', assembly: 'A1', motifNames: 'GCN4_1' }, stop.signal)).rejects.toThrow()
  })

  test('names without a promoter are told one by one, the others searched', async () => {
    const { result } = await search(portal, { genes: ['ga', 'nope', 'ga.1'], assembly: 'A1', motifNames: 'GCN4_1' })
    expect(result.sequenceCount).toBe(1)
    expect(result.problems.map(({ query, id }) => [query, id])).toEqual([
      ['nope', 'reason.unknown'],
      ['ga.1', 'reason.repeated'],
    ])
  })

  test('files of a job: TSV with the receipt, GFF3 and BED on the genome, motifs for the MEME Suite', async () => {
    const input = { genes: ['ga', 'gb'], assembly: 'A1', upstreamBp: 400, motifNames: 'GCN4_1', pValue: 1e-6 }
    const { result, directory } = await search(portal, input)
    const given = {
      data: portal.data,
      openJob: async () => ({ directory, input, result, receipt: emptyReceipt }),
      describeReceipt: async () => ['NovoDB'],
    }
    const read = async (path: string): Promise<string> =>
      answerText(await askRoute(engine, `jobs/{job}/${path}`, { job: '0'.repeat(32) }, given))
    const tsv = (await read('sites.tsv')).trimEnd().split('\n')
    expect(tsv.slice(0, 2)).toEqual(['# NovoDB', siteColumns.join('\t')])
    expect(tsv).toHaveLength(4)
    const gff = (await read('sites.gff3')).trimEnd().split('\n').slice(2)
    expect(gff.map((line) => line.split('\t').slice(0, 7)).sort()).toEqual([
      ['chr1', 'NovoDB', 'TF_binding_site', '3101', '3112', expect.any(String), '-'],
      ['chr1', 'NovoDB', 'TF_binding_site', '901', '912', expect.any(String), '+'],
    ])
    const bed = (await read('sites.bed')).trimEnd().split('\n').slice(1)
    for (const line of bed) {
      const [, start0, end, , , strand] = line.split('\t')
      const bases = made.slice(Number(start0), Number(end))
      expect(strand === '-' ? reverseComplement(bases) : bases).toBe(word)
    }
    const again = parseMotifs(await read('motifs.meme'))
    expect(again.problems).toEqual([])
    expect(again.motifs[0]).toMatchObject({ id: 'GCN4_1', name: 'GCN4', frequencies: stored[0]!.rows })
  })

  test('the collections that are loaded are listed', async () => {
    expect(await askRoute(engine, 'collections/', {}, { data: portal.data })).toEqual({
      json: {
        collections: [
          expect.objectContaining({ id: 'test-species/own', species: 'test-species', title: 'Own', motifCount: 3 }),
        ],
      },
    })
  })
})

const shared = join(realData, 'yeast')

describe.skipIf(!hasRealData)('on yeast, with the motifs of MacIsaac et al.', () => {
  let portal: TestPortal
  const file = (name: string): string => {
    const bytes = readFileSync(join(shared, name))
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  }
  beforeAll(async () => {
    const { motifs } = parseMotifs(file('motif/macisaac_yeast.v1.meme.gz'))
    portal = await openTestPortal(
      [
        {
          id: 'R64',
          fasta: { file: join(shared, 'genome/R64.genome.chr.fa.gz') },
          gff3: { file: join(shared, 'derived/R64.gff3.gz') },
        },
      ],
      'yeast',
      [
        {
          kind: collectionKind,
          id: 'macisaac',
          data: { title: 'MacIsaac', source: null, licence: null, motifCount: motifs.length },
        },
        {
          kind: matricesKind,
          id: 'macisaac',
          data: motifs.map(({ id, name, siteCount, frequencies }) => ({
            id,
            name,
            sites: siteCount,
            rows: frequencies,
          })),
        },
      ],
    )
  }, 180_000)
  afterAll(() => portal?.close())

  test('Gal4 is the motif most enriched in the promoters of the galactose genes', async () => {
    const { result, rows } = await search(portal, {
      genes: ['GAL1', 'GAL2', 'GAL3', 'GAL7', 'GAL10', 'GAL80', 'GCY1', 'PGM2'],
      assembly: 'R64',
      upstreamBp: 600,
      from: 'coding',
    })
    expect(result.motifs).toHaveLength(124)
    expect(result.backgroundCount).toBeGreaterThan(5300)
    const ranked = [...result.motifs].sort((a, b) => a.enrichment!.pValue - b.enrichment!.pValue)
    expect(ranked[0]!.id).toMatch(/GAL4/i)
    expect(ranked[0]!.enrichment!.adjustedPValue).toBeLessThan(1e-4)
    const byRank = [...result.motifs].sort((a, b) => a.enrichment!.rankSum.pValue - b.enrichment!.rankSum.pValue)
    // The matrix of Gal80 is that of Gal4, to which it binds.
    expect(byRank[0]!.id).toMatch(/^GAL(4|80)$/i)
    // Every site read back from the genome at its place, and scored anew from its word.
    const { motifs } = parseMotifs(file('motif/macisaac_yeast.v1.meme.gz'))
    const background = makeBackground(result.background.bases, true)
    expect(rows.length).toBe(result.siteCount)
    for (const row of rows.slice(0, 60)) {
      const [start, end] = [Number(row.genome_start), Number(row.genome_end)]
      const bases = (await portal.data.fetchSequence('R64', row.genome_sequence!, start, end)).toUpperCase()
      expect(row.genome_strand === '-' ? reverseComplement(bases) : bases).toBe(row.matched_sequence)
      const matrix = scoreMatrix(motifs.find(({ id }) => id === row.motif_id)!, background)
      const scaled = scoreWord(matrix, row.matched_sequence!)!
      expect(Number(scoreInBits(matrix, scaled).toPrecision(6))).toBe(Number(row.score))
      expect(Number(matrix.tail[scaled]!.toPrecision(6))).toBe(Number(row['p-value']))
    }
  })

  test('one motif over all promoters of 1 kb: as many places as all its words have by brute force', async () => {
    const { result, rows } = await search(portal, {
      source: 'all',
      assembly: 'R64',
      clip: false,
      motifSource: 'consensus',
      consensus: 'CGGNNNNNNNNNNNCCG',
      inexact: false,
      pValue: 1e-5,
    })
    expect(result.sequenceCount).toBeGreaterThan(5700)
    // GAL1 and GAL10 share their promoter with four such words.
    expect(result.genesWithSites).toEqual(expect.arrayContaining(['YBR020W', 'YBR019C', 'YBR018C']))
    expect(rows.length).toBeGreaterThan(150)
    expect(rows.every(({ matched_sequence: bases }) => /^CGG.{11}CCG$/.test(bases!))).toBe(true)
    // The word is its own reverse complement: each place is told once.
    expect(new Set(rows.map((row) => `${row.sequence_name} ${row.start}`)).size).toBe(rows.length)
  })
})
