import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import type { Database } from '../../database/connect.ts'
import { findPrograms } from '../../jobs/programs.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { runTool } from '../../kit/run-tool.ts'
import { answerText, askRoute, emptyReceipt, searchPath } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { failureInWords } from '../../testing/failure.ts'
import { killProgram } from '../../testing/kill-program.ts'
import { buildProfile } from '../../testing/protein-profiles.ts'
import { makeBases } from '../../testing/random.ts'
import { full, hasRealData, realData } from '../../testing/real-data.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import type { ElementAnswer, ElementsAnswer, SummaryAnswer } from './endpoints.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import tool, { limits, type TransposonResult } from './tool.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const yeast = join(realData, 'yeast')

const ltr = `TG${makeBases(330, 5)}CA`
/** One transition in a hundred bases: K is 1.01 %. */
const aged = [...ltr]
  .map((base, at) => (at % 111 === 50 ? ({ A: 'G', G: 'A', C: 'T', T: 'C' }[base] ?? base) : base))
  .join('')
const single = `ACCGT${ltr}${makeBases(4000, 21)}${aged}ACCGT`
/** Two elements that share an LTR: three LTRs, two insides that are alike. */
const inside = makeBases(4000, 31)
const otherLtr = `TG${makeBases(300, 77)}CA`
const tandem = `GATTC${otherLtr}${inside}${otherLtr}${inside}${otherLtr}GATTC`
const chr1 = makeBases(10_000, 3) + single + makeBases(10_000, 4) + tandem + makeBases(9000, 6)
const singleStart1 = 10_000 + 5 + 1
const singleEnd1 = 10_000 + single.length - 5
const tandemStart1 = 10_000 + single.length + 10_000 + 5 + 1

const gene = (id: string, start: number, end: number, exons: [number, number][], strand = '+'): string =>
  [
    `chr1\tx\tgene\t${start}\t${end}\t.\t${strand}\t.\tID=${id}`,
    `chr1\tx\tmRNA\t${start}\t${end}\t.\t${strand}\t.\tID=${id}.1;Parent=${id}`,
    ...exons.map(([from, to]) => `chr1\tx\texon\t${from}\t${to}\t.\t${strand}\t.\tParent=${id}.1`),
  ].join('\n')
const genes = [
  '##gff-version 3',
  gene('upA', 8000, 9000, [[8000, 9000]]),
  gene('upB', 9200, 9800, [[9200, 9800]], '-'),
  gene('withinC', singleStart1 + 500, singleStart1 + 900, [[singleStart1 + 500, singleStart1 + 900]]),
  gene('intronD', 25_000, 29_000, [
    [25_000, 25_200],
    [28_800, 29_000],
  ]),
  '',
].join('\n')
// chr2 is not in the genome; the last line breaks off.
const masker = `   SW   perc perc perc  query     position in query    matching  repeat       position in repeat
score   div. del. ins.  sequence  begin end   (left)   repeat    class/family begin  end    (left)  ID

 2345   10.0  0.6  1.7  chr1      1001  1300 (8663)  +  COP1-LTR  LTR/Copia        1  338    (0)   1
 9000    2.0  0.0  0.0  chr1      1301  3000 (4000)  +  COP1-I    LTR/Copia        1 5249    (0)   1
  463    1.3  0.6  1.7  chr1      3101  3200 (2900)  +  (TAACCC)n Simple_repeat    1  471    (0)   2
  900   20.0  0.6  1.7  chr1     26001 26400 (2400)  C  Tigger1   DNA/TcMar-Tigger (2) 471    5   3
  800   12.0  0.6  1.7  chr2       500   900 (2400)  C  Tigger1   DNA/TcMar-Tigger (2) 471    5   4
  800   12.0  0.6  1.7  chr1       500
`

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData
let runs = 0

const yaml = (species: string, assemblies: string): string =>
  `novodb: 1\nspecies: ${species}\nname: Transpositor testis\nassemblies:\n${assemblies}`
const load = async (species: string, assemblies: string, engines = true) => {
  const folder = join(root, species)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'genome.fa'), `>chr1\n${chr1}\n`)
  writeFileSync(join(folder, 'genes.gff3'), genes)
  writeFileSync(join(folder, 'repeats.out'), masker)
  writeFileSync(join(folder, 'species.yaml'), yaml(species, assemblies))
  return loadTestSpecies(database, dataDir, folder, { engines: engines && ['homologs', 'transposableelements'] })
}
const run = async (input: z.input<typeof tool.input>, options: { searchPath?: string; signal?: AbortSignal } = {}) => {
  const path = options.searchPath ?? searchPath
  const directory = join(root, `run${++runs}`)
  const { result, receipt } = await runTool(engine, {
    input: tool.input.parse(input),
    data,
    directory,
    dataDir,
    searchPath: path,
    programs: await findPrograms(engine.programs, path),
    portalVersion: 'test',
    signal: options.signal ?? new AbortController().signal,
    bounds: { timeoutMs: 300_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress: () => undefined,
  })
  return { result: result as TransposonResult, receipt, directory }
}
const failure = (promise: Promise<unknown>) =>
  failureInWords(
    promise.catch((error: unknown) => {
      throw error instanceof Error && error.name === 'AbortError' ? new PortalError('JOB_CANCELLED') : error
    }),
    messages,
  )
const ask = async <T>(path: string, input: Record<string, unknown>): Promise<T> => {
  const answer = await askRoute(engine, path, input, {
    data,
    describeReceipt: async () => receiptLines(emptyReceipt),
  })
  return ('json' in answer ? answer.json : await answerText(answer)) as T
}

beforeAll(async () => {
  portal = await openEmptyPortal('transposons')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
  const report = await load(
    'masked',
    '  - { id: M1, genome: genome.fa, genes: genes.gff3, transposableElements: { file: repeats.out, substitutionRate: 1.0e-8 } }\n',
  )
  if (!report.ok) throw new Error(JSON.stringify(report.defects))
  expect(report.defects.map(({ code }) => code).sort()).toEqual(['te-line-unreadable', 'te-sequence-unknown'])
})
afterAll(() => portal?.close())

describe('RepeatMasker output that was loaded', () => {
  test('is summed by class; overlapping and joined fragments count their own bases once', async () => {
    const { summary } = await ask<SummaryAnswer>('summary/', { assembly: 'M1' })
    expect(summary).toMatchObject({ count: 2, coveredBp: 2400, genomeBp: chr1.length, rate: 1e-8, familyCount: 2 })
    expect(summary!.codes).toEqual([
      { code: 'RLC', count: 1, full: 0, solo: 0, families: 1, bp: 2000 },
      { code: 'DTT', count: 1, full: 0, solo: 0, families: 1, bp: 400 },
    ])
    // 300 bp at 10.73 and 1700 bp at 2.03 substitutions per 100 sites are 3.33 in the mean.
    expect(summary!.ages.consensus[0]!.bins[3]).toBe(2000)
    expect(summary!.sequences[0]!.windows.LTR!.reduce((sum, share) => sum + share * summary!.windowBp, 0)).toBeCloseTo(
      2000,
      0,
    )
  })

  test('is found by class, place, words and length; the file has the same rows', async () => {
    const all = await ask<ElementsAnswer>('elements/', { assembly: 'M1' })
    expect(all.elements.map(({ family, code, start, end, strand }) => [family, code, start, end, strand])).toEqual([
      ['COP1', 'RLC', 1001, 3000, '+'],
      ['Tigger1', 'DTT', 26_001, 26_400, '-'],
    ])
    const total = async (filter: Record<string, unknown>): Promise<number> =>
      (await ask<ElementsAnswer>('elements/', { assembly: 'M1', ...filter })).total
    expect(await total({ codes: 'DTT' })).toBe(1)
    expect(await total({ orders: 'LTR' })).toBe(1)
    expect(await total({ q: 'tigger' })).toBe(1)
    expect(await total({ q: '%' })).toBe(0)
    expect(await total({ region: 'chr1:2500-2600' })).toBe(1)
    expect(await total({ region: 'chr1:3001-26000' })).toBe(0)
    expect(await total({ minBp: 1000 })).toBe(1)
    // A region may end beyond its sequence, and beyond what the database counts with; not begin there.
    expect(await total({ region: 'chr1:2500-99999999999' })).toBe(2)
    await expect(total({ region: 'chr1:99999999998-99999999999' })).rejects.toMatchObject({
      problems: [{ path: ['region'], message: 'locus.beyond-end' }],
    })
    for (const filter of [{ minBp: 99_999_999_999 }, { maxBp: 1.5 }, { maxDivergence: 1e300 }, { minLtrIdentity: 101 }])
      await expect(total(filter), JSON.stringify(filter)).rejects.toThrow(Object.keys(filter)[0])
    const tsv = await ask<string>('file', { assembly: 'M1', format: 'tsv', filter: { codes: 'RLC' } })
    expect(tsv.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toHaveLength(2)
    const fasta = await ask<string>('file', { assembly: 'M1', format: 'fasta', filter: { codes: 'RLC' } })
    expect(checkExport('elements.fa', Buffer.from(fasta))).toEqual([])
    expect(fasta.split('\n').slice(1).join('')).toBe(chr1.slice(1000, 3000))
  })

  test('lies to genes as they read: in an intron, upstream, downstream; unknown genes are named', async () => {
    const { result } = await run({ task: 'genes', assembly: 'M1', flankBp: 6000 })
    const shown = result.near!.rows.map(({ gene: one, element, relation, distanceBp }) => [
      one.id,
      element.family,
      relation,
      distanceBp,
    ])
    expect(shown).toEqual([
      ['upA', 'COP1', 'upstream', 4999],
      ['intronD', 'Tigger1', 'intron', 0],
    ])
    const some = await run({ task: 'genes', assembly: 'M1', genes: ['upB', 'nothere'], flankBp: 10_000 })
    expect(some.result.near!.rows.map(({ relation }) => relation)).toEqual(['downstream'])
    expect(some.result.near!.unknown).toEqual(['nothere'])
    expect((await failure(run({ task: 'genes', assembly: 'M1', genes: ['nothere'] }))).code).toBe('INVALID_INPUT')
  })

  test('an assembly without elements says how to load them; an unknown element is not there', async () => {
    await load('bare', '  - { id: B1, genome: genome.fa }\n', false)
    expect((await failure(run({ task: 'genes', assembly: 'B1' }))).messageId).toBe('problem.notLoaded')
    expect((await ask<SummaryAnswer>('summary/', { assembly: 'B1' })).summary).toBeNull()
    await expect(ask('element/', { assembly: 'M1', id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a file without elements refuses the load, and says so', async () => {
    writeFileSync(join(root, 'none.gff3'), genes)
    const report = await load(
      'none',
      `  - { id: N1, genome: genome.fa, transposableElements: { file: ${join(root, 'none.gff3')} } }\n`,
    )
    expect(report.ok).toBe(false)
    expect(report.defects.map(({ code }) => code)).toContain('te-no-elements')
  })
})

describe.runIf(has('gt'))('elements found by GenomeTools', () => {
  test('are those that gt finds by hand, base for base', async () => {
    const fasta = join(root, 'hand.fa')
    writeFileSync(fasta, `>chr1\n${chr1}\n`)
    const index = join(root, 'hand')
    execFileSync('gt', [
      'suffixerator',
      '-db',
      fasta,
      '-indexname',
      index,
      '-dna',
      '-tis',
      '-suf',
      '-lcp',
      '-des',
      '-ssp',
      '-sds',
    ])
    for (const overlaps of ['best', 'all'] as const) {
      const byHand = execFileSync(
        'gt',
        ['ltrharvest', '-index', index, '-seqids', 'yes', '-tabout', 'no', '-overlaps', overlaps],
        {
          encoding: 'utf8',
        },
      )
      const expected = byHand
        .split('\n')
        .filter((line) => line.includes('\tLTR_retrotransposon\t'))
        .map((line) => line.split('\t').slice(3, 5).map(Number))
        .sort((a, b) => a[0]! - b[0]!)
      expect(expected.length).toBeGreaterThan(0)
      const { result, directory } = await run({ assembly: 'M1', overlaps })
      expect(result.identify!.elements.map(({ start, end }) => [start, end])).toEqual(expected)
      expect(readFileSync(join(directory, 'ltrharvest.gff3'), 'utf8')).toBe(byHand)
    }
  })

  test('a planted element has its LTRs, target site and age; two in tandem are told apart', async () => {
    const { result, receipt } = await run({ assembly: 'M1' })
    const { elements } = result.identify!
    const planted: [number, number, boolean][] = [
      [singleStart1, singleEnd1, false],
      [tandemStart1, tandemStart1 + 2 * otherLtr.length + inside.length - 1, true],
      [
        tandemStart1 + otherLtr.length + inside.length,
        tandemStart1 + 3 * otherLtr.length + 2 * inside.length - 1,
        true,
      ],
    ]
    expect(elements.map(({ split }) => split)).toEqual(planted.map(([, , split]) => split))
    // Chance bases beyond the ends that are alike on both sides belong to the pair for LTRharvest.
    for (const [at, [start, end]] of planted.entries()) {
      expect(Math.abs(elements[at]!.start - start)).toBeLessThanOrEqual(6)
      expect(Math.abs(elements[at]!.end - end)).toBeLessThanOrEqual(6)
    }
    expect(elements[0]!.targetSite).toMatch(/^[ACGT]{4,8}$/)
    for (const part of elements[0]!.parts.filter(({ type }) => type === 'LTR'))
      expect(Math.abs(part.end - part.start + 1 - 334)).toBeLessThanOrEqual(6)
    // Three transitions of 334 sites: P = 0.00898, K = -1/2 ln(1 - 2P).
    expect(elements[0]!.ltrDivergence).toBeCloseTo(-50 * Math.log(1 - 6 / 334), 1)
    expect(elements[0]!.genes).toEqual(['withinC'])
    expect(elements.every(({ code, evidence }) => code === 'RLX' && evidence === 'structure')).toBe(true)
    expect(receipt.steps.map(({ program }) => program)).toContain('gt')
    // A region gives the same places.
    const part = await run({ assembly: 'M1', region: '1:9,001-16,000' })
    expect(part.result.identify!.elements.map(({ start, end }) => [start, end])).toEqual([
      [elements[0]!.start, elements[0]!.end],
    ])
  })

  test('a region over the origin of a circular chromosome is searched and listed as one, on both sides of it', async () => {
    const turn = 12_000
    mkdirSync(join(root, 'ring'), { recursive: true })
    writeFileSync(join(root, 'ring/ring.fa'), `>chr1\n${chr1.slice(turn)}${chr1.slice(0, turn)}\n`)
    const report = await load(
      'ring',
      '  - { id: R1, genome: ring.fa, sequences: [{ name: chr1, circular: true }], transposableElements: { file: repeats.out } }\n',
    )
    expect(report.ok, JSON.stringify(report.defects)).toBe(true)
    const lengthBp = chr1.length
    const region = `chr1:${lengthBp - 3000}..${lengthBp + 4000}`
    const { result } = await run({ assembly: 'R1', region })
    expect(result.identify!.searchedBp).toBe(7001)
    const [element, ...others] = result.identify!.elements
    expect(others).toEqual([])
    expect(Math.abs(element!.start - (lengthBp + singleStart1 - turn))).toBeLessThanOrEqual(6)
    expect(Math.abs(element!.end - (lengthBp + singleEnd1 - turn))).toBeLessThanOrEqual(6)
    expect(element!.end).toBeGreaterThan(lengthBp)
    // Wholly behind the origin it is counted from there.
    const behind = await run({
      assembly: 'R1',
      region: `chr1:${lengthBp - 100}..${lengthBp + 26_000}`,
      methods: ['ltr'],
    })
    expect(behind.result.identify!.elements.every(({ start }) => start <= lengthBp)).toBe(true)
    expect(behind.result.identify!.elements.length).toBeGreaterThan(0)
    // The loaded one at 1,001 lies in it as well.
    const listed = await ask<ElementsAnswer>('elements/', { assembly: 'R1', region })
    expect(listed.elements.map(({ family, start }) => [family, start])).toEqual([['COP1', 1001]])
  })

  test('millions of bases of one short repeat are answered, with the element that lies among them', async () => {
    // Ten million with --full.
    const repeat = 'ACGTTGA'.repeat(full ? 700_000 : 150_000)
    const { result } = await run({ source: 'sequence', sequence: `>s\n${repeat}${single}${repeat}` })
    // Sorted suffix by suffix it does not end within an hour.
    const { elements, tandemBp, searchedBp } = result.identify!
    expect(searchedBp).toBe(2 * repeat.length + single.length)
    expect(Math.abs(tandemBp! - 2 * repeat.length)).toBeLessThan(20)
    expect(elements).toHaveLength(1)
    expect(Math.abs(elements[0]!.start - repeat.length - 6)).toBeLessThanOrEqual(6)
    const none = await run({ source: 'sequence', sequence: repeat.slice(0, 100_000), methods: ['ltr', 'tir'] })
    expect(none.result.identify).toMatchObject({ elements: [], tandemBp: 100_000 })
  })

  test('an array of a unit as long as an element, copies equal base for base, is answered too', async () => {
    const { result } = await run({ source: 'sequence', sequence: `>rDNA\n${makeBases(9000, 88).repeat(66)}` })
    expect(result.identify!.tandemBp).toBe(0)
  })

  test.runIf(has('blastn'))(
    'at load they are named by a library, and stand in the table, the search and the GFF3',
    async () => {
      mkdirSync(join(root, 'found'), { recursive: true })
      writeFileSync(
        join(root, 'found/library.fa'),
        `>Ring-LTR#LTR/Gypsy\n${ltr}\n>Ring-I#LTR/Gypsy\n${single.slice(339, 4339)}\n`,
      )
      const report = await load(
        'found',
        '  - { id: F1, genome: genome.fa, genes: genes.gff3, transposableElements: { find: ltr, library: { file: library.fa } } }\n',
      )
      expect(report.ok, JSON.stringify(report.defects)).toBe(true)
      const { elements } = await ask<ElementsAnswer>('elements/', { assembly: 'F1' })
      expect(elements.map(({ id, code, family, form }) => [id, code, family, form])).toEqual([
        ['LTR1', 'RLG', 'Ring', 'full'],
        ['LTR2', 'RLX', null, 'full'],
        ['LTR3', 'RLX', null, 'full'],
      ])
      const { summary } = await ask<SummaryAnswer>('summary/', { assembly: 'F1' })
      expect(summary?.found?.kept).toBe(3)
      const byProgram = await run({ assembly: 'F1', overlaps: 'all' })
      expect(summary?.found?.candidates).toBe(byProgram.result.identify!.elements.length)
      const record = await ask<ElementAnswer>('element/', { assembly: 'F1', id: 'LTR1' })
      expect(record.targetSite).toMatch(/^[ACGT]{4,8}$/)
      expect(record.genes.find(({ gene: one }) => one.id === 'withinC')?.relation).toBe('inside')
      const file = await data.bundleFile('F1', 'transposable-elements.gff3.gz')
      const lines = gunzipSync(readFileSync(file!)).toString('utf8').split('\n')
      expect(lines.filter((line) => line.includes('\tLTR_retrotransposon\t'))).toHaveLength(3)
      expect(lines.filter((line) => line.includes('\tlong_terminal_repeat\t'))).toHaveLength(6)
      // What is written can be loaded again.
      const again = await run({ assembly: 'F1' })
      expect(again.result.identify!.elements.map(({ annotated }) => annotated)).toEqual(['LTR1', 'LTR2', 'LTR3'])
    },
  )

  test.runIf(has('blastn') && has('hmmbuild'))(
    'at load and by the engine a library in UTF-16 and gzipped profiles in UTF-16 are what they are in UTF-8',
    async () => {
      const folder = join(root, 'wide')
      mkdirSync(folder, { recursive: true })
      const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
      const library = `>Ring-LTR#LTR/Gypsy\n${ltr}\n>Ring-I#LTR/Gypsy\n${single.slice(339, 4339)}\n`
      const profile = buildProfile(folder, 'made', 1)
      writeFileSync(join(folder, 'library.fa'), utf16(library))
      writeFileSync(join(folder, 'made.hmm'), gzipSync(utf16(profile)))
      const entry =
        '  - { id: W1, genome: genome.fa, genes: genes.gff3, transposableElements: { find: ltr, library: { file: library.fa }, profiles: { file: made.hmm } } }\n'
      const report = await load('wide', entry)
      expect(report.ok, JSON.stringify(report.defects)).toBe(true)
      expect(report.defects.filter(({ severity }) => severity !== 'repair')).toEqual([])
      const { elements } = await ask<ElementsAnswer>('elements/', { assembly: 'W1' })
      expect(elements.map(({ family }) => family)).toEqual(['Ring', null, null])
      expect(readFileSync((await data.bundleFile('W1', 'te-library'))!, 'utf8')).toBe(library)
      expect(readFileSync((await data.bundleFile('W1', 'te-profiles'))!, 'utf8')).toBe(profile)
      const { result } = await run({ assembly: 'W1' })
      expect(result.identify!.elements.map(({ family }) => family)).toEqual(['Ring', null, null])
      // What gt writes beside profiles stays out of the lab's folder.
      expect(readdirSync(folder).filter((name) => name.startsWith('made.hmm'))).toEqual(['made.hmm'])
      writeFileSync(join(folder, 'made.hmm'), utf16('no profile\n'))
      const refused = await load('wide', entry)
      expect(refused.ok).toBe(false)
      expect(refused.defects.map(({ code }) => code)).toContain('te-profiles-unreadable')
    },
  )

  test('elements of several sequences keep their own places, whatever order gt writes them in', async () => {
    const other = makeBases(700, 55) + single + makeBases(900, 56)
    const { result } = await run({
      source: 'sequence',
      sequence: `>s10\n${other}\n>s2\n${chr1}\n>s1\n${makeBases(300, 57)}${other}`,
    })
    const places = result.identify!.elements.map(({ sequence, start }) => [sequence, Math.round(start / 100)])
    expect(places.filter(([sequence]) => sequence !== 's2')).toEqual([
      ['s10', 7],
      ['s1', 10],
    ])
    expect(places.filter(([sequence]) => sequence === 's2').map(([, start]) => start)).toEqual([100, 247, 290])
  })

  test('inverted repeats are found by TIRvish', async () => {
    const tir = makeBases(150, 91)
    const turned = [...tir]
      .reverse()
      .map((base) => ({ A: 'T', C: 'G', G: 'C', T: 'A' })[base]!)
      .join('')
    const sequence = `${makeBases(3000, 92)}GGCATTAC${tir}${makeBases(1500, 93)}${turned}GGCATTAC${makeBases(3000, 94)}`
    const { result } = await run({ source: 'sequence', sequence: `>s\n${sequence}`, methods: ['tir'] })
    expect(result.identify!.elements).toHaveLength(1)
    expect(result.identify!.elements[0]).toMatchObject({ kind: 'TIR', code: 'DTX', end: 3008 + 1800 })
  })

  test('pasted text is refused beside its field: empty, protein, a wrong letter, too long; no hit is an answer', async () => {
    const problem = async (sequence: string): Promise<string> =>
      (await failure(run({ source: 'sequence', sequence }))).problems[0]!.message
    expect(await problem('')).toBe('problem.noSequence')
    expect(await problem('>p\nMSGELANYKRLEKVGEGTYGVVYKALDLRPGQGQRVVALKKIRLESEDEG')).toBe('problem.protein')
    expect(await problem('>a\nACGT!ACGT')).toBe('problem.illegal')
    expect(await problem('ACGT'.repeat(limits.pastedBp / 4 + 10))).toBe('problem.pastedTooLong')
    expect((await failure(run({ assembly: 'M1', region: 'chr9' }))).code).toBe('UNKNOWN_GENE')
    expect((await failure(run({ assembly: 'M1', minLtrBp: 900, maxLtrBp: 100 }))).problems[0]!.path).toEqual([
      'minLtrBp',
    ])
    expect((await failure(run({ assembly: 'M1', profiles: 'no profile' }))).problems[0]!.message).toBe(
      'problem.profiles',
    )
    for (const sequence of [makeBases(2000, 8), 'ACGTACGTAC', `${'N'.repeat(500)}ACGT`])
      expect((await run({ source: 'sequence', sequence })).result.identify!.elements).toEqual([])
  })

  test('without gt the run says which package to install; a run that is given up stops', async () => {
    expect((await failure(run({ assembly: 'M1' }, { searchPath: root }))).code).toBe('TOOL_UNAVAILABLE')
    expect((await failure(run({ assembly: 'M1' }, { signal: AbortSignal.abort() }))).code).toBe('JOB_CANCELLED')
  })

  test('gt that is killed from outside fails the search in words; what was loaded stays, and the next search runs', async () => {
    const directory = join(root, `run${runs + 1}`)
    const running = failure(run({ source: 'sequence', sequence: `>long\n${makeBases(2_000_000, 9)}\n` }))
    const [error] = await Promise.all([running, killProgram(directory, 'gt')])
    expect([error.code, error.messageId, error.params.program, error.params.signal]).toEqual([
      ...['ENGINE_FAILED', 'job.programKilled', 'gt', 'SIGKILL'],
    ])
    const { result } = await run({ assembly: 'M1' })
    expect(result.identify!.elements.length).toBeGreaterThan(0)
    expect((await ask<SummaryAnswer>('summary/', { assembly: 'M1' })).summary).not.toBeNull()
  })

  test.runIf(hasRealData)(
    'on yeast chromosome X both tandem Ty1 elements and Ty4 are found at their annotated places',
    async () => {
      const genome = gunzipSync(readFileSync(join(yeast, 'strains/S288C.genome.fa.gz'))).toString('utf8')
      const chrX = /^>chrX\b[^\n]*\n([^>]*)/m.exec(genome)![1]!.replace(/\s/g, '')
      const { result } = await run({ source: 'sequence', sequence: `>chrX\n${chrX}` })
      const near = (start: number, end: number): boolean =>
        result.identify!.elements.some(
          (one) => Math.abs(one.start - start) + Math.abs(one.end - end) < 0.05 * (end - start),
        )
      // Yue et al. 2017: TY1 478378..484299 and 483966..489887 share an LTR; TY4 203463..209686.
      expect(near(478_378, 484_299)).toBe(true)
      expect(near(483_966, 489_887)).toBe(true)
      expect(near(203_463, 209_686)).toBe(true)
    },
  )
})
