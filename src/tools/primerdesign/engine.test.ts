import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseFastaText } from '../../bio/sequence/fasta.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { findPrograms } from '../../jobs/programs.ts'
import { runTool } from '../../kit/run-tool.ts'
import { answerText, askRoute, emptyReceipt, searchPath } from '../../testing/contexts.ts'
import { failureInWords } from '../../testing/failure.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { makeBases } from '../../testing/random.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import { searchSpecificity } from './specificity.ts'
import type { PrimerResult } from './tool.ts'
import tool from './tool.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const scratch = mkdtempSync(join(tmpdir(), 'novodb-primers-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let runs = 0

const design = async (
  portal: TestPortal,
  input: z.input<typeof tool.input>,
  onProgress: (fraction: number | null) => void = () => undefined,
) => {
  const { result, receipt } = await runTool(engine, {
    // Designs alone, where a test does not say where they are searched for.
    input: tool.input.parse({ searched: input.assemblies === undefined ? 'none' : 'genome', ...input }),
    data: portal.data,
    directory: join(scratch, String(++runs)),
    dataDir: portal.dataDir,
    searchPath,
    programs: await findPrograms(engine.programs, searchPath),
    portalVersion: 'test',
    signal: new AbortController().signal,
    bounds: { timeoutMs: 600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress,
  })
  return { result: result as PrimerResult, receipt }
}

const failure = (promise: Promise<unknown>) => failureInWords(promise, messages)

/** The settings of primer3web 4.0.0 as one writes them by hand, and a template; what primer3_core then says. */
const byHand = (records: { id: string; bases: string; extra?: string }[]): Map<string, Record<string, string>> => {
  const settings = `PRIMER_FIRST_BASE_INDEX=1
PRIMER_TASK=generic
PRIMER_MIN_THREE_PRIME_DISTANCE=3
PRIMER_EXPLAIN_FLAG=1
PRIMER_MAX_LIBRARY_MISPRIMING=12.00
PRIMER_PAIR_MAX_LIBRARY_MISPRIMING=20.00
PRIMER_NUM_RETURN=5
PRIMER_MAX_END_STABILITY=9.0
PRIMER_MAX_SELF_ANY_TH=45.00
PRIMER_MAX_SELF_END_TH=35.00
PRIMER_PAIR_MAX_COMPL_ANY_TH=45.00
PRIMER_PAIR_MAX_COMPL_END_TH=35.00
PRIMER_MAX_HAIRPIN_TH=24.00
PRIMER_MIN_SIZE=18
PRIMER_OPT_SIZE=20
PRIMER_MAX_SIZE=23
PRIMER_MIN_TM=57.0
PRIMER_OPT_TM=59.0
PRIMER_MAX_TM=62.0
PRIMER_PAIR_MAX_DIFF_TM=5.0
PRIMER_TM_FORMULA=1
PRIMER_SALT_MONOVALENT=50.0
PRIMER_SALT_CORRECTIONS=1
PRIMER_SALT_DIVALENT=1.5
PRIMER_DNTP_CONC=0.6
PRIMER_DNA_CONC=50.0
PRIMER_THERMODYNAMIC_OLIGO_ALIGNMENT=1
PRIMER_THERMODYNAMIC_TEMPLATE_ALIGNMENT=0
PRIMER_LOWERCASE_MASKING=0
PRIMER_MIN_GC=30.0
PRIMER_MAX_GC=70.0
PRIMER_MAX_NS_ACCEPTED=0
PRIMER_MAX_POLY_X=4
PRIMER_GC_CLAMP=0
PRIMER_LIBERAL_BASE=1
PRIMER_LIB_AMBIGUITY_CODES_CONSENSUS=0
PRIMER_PICK_ANYWAY=1
PRIMER_MAX_TEMPLATE_MISPRIMING=12.00
PRIMER_PAIR_MAX_TEMPLATE_MISPRIMING=24.00
`
  const text = records
    .map(
      ({ id, bases, extra }) =>
        `SEQUENCE_ID=${id}\nSEQUENCE_TEMPLATE=${bases}\n${settings}${extra ?? 'PRIMER_PRODUCT_SIZE_RANGE=150-250 100-300 301-400 401-500 501-600 601-700 701-850 851-1000\n'}=\n`,
    )
    .join('')
  const output = execFileSync('primer3_core', { input: text, encoding: 'utf8', maxBuffer: 1 << 28 })
  return new Map(
    output
      .split('\n=\n')
      .filter((record) => record.trim() !== '')
      .map((record) => {
        const values = Object.fromEntries(
          record.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        )
        return [values.SEQUENCE_ID ?? '', values]
      }),
  )
}

/** Our pairs in the terms of primer3's output. */
const inTheirTerms = (found: PrimerResult['designs'][number]) =>
  found.pairs.map((pair) => [
    pair.left.sequence,
    pair.right.sequence,
    `${pair.left.start},${pair.left.sequence.length}`,
    `${pair.right.end},${pair.right.sequence.length}`,
    pair.left.tm,
    pair.right.tm,
    pair.left.hairpin,
    pair.right.selfAny,
    pair.complEnd,
    pair.penalty,
    pair.productBp,
  ])

const theirs = (record: Record<string, string>) =>
  Array.from({ length: Number(record.PRIMER_PAIR_NUM_RETURNED) }, (_, at) => [
    record[`PRIMER_LEFT_${at}_SEQUENCE`],
    record[`PRIMER_RIGHT_${at}_SEQUENCE`],
    record[`PRIMER_LEFT_${at}`],
    record[`PRIMER_RIGHT_${at}`],
    Number(record[`PRIMER_LEFT_${at}_TM`]),
    Number(record[`PRIMER_RIGHT_${at}_TM`]),
    Number(record[`PRIMER_LEFT_${at}_HAIRPIN_TH`]),
    Number(record[`PRIMER_RIGHT_${at}_SELF_ANY_TH`]),
    Number(record[`PRIMER_PAIR_${at}_COMPL_END_TH`]),
    Number(record[`PRIMER_PAIR_${at}_PENALTY`]),
    Number(record[`PRIMER_PAIR_${at}_PRODUCT_SIZE`]),
  ])

const yeast = join(realData, 'yeast')

describe.skipIf(!hasRealData)('primers on the yeast genome', () => {
  let portal: TestPortal
  let chromosomes: Map<string, string>
  let coding: string[] = []
  beforeAll(async () => {
    portal = await openTestPortal([
      {
        id: 'R64',
        fasta: { file: join(yeast, 'genome/R64.genome.chr.fa.gz') },
        gff3: { file: join(yeast, 'derived/R64.gff3.gz') },
        circular: [],
        geneticCodes: { chrmt: 3 },
      },
      {
        id: 'SK1',
        fasta: { file: join(yeast, 'strains/SK1.genome.fa.gz') },
        gff3: { file: join(yeast, 'strains/SK1.all_feature.gff.gz') },
      },
    ])
    chromosomes = new Map(
      parseFastaText(
        execFileSync('cat', [portal.fastaFile('R64')], { encoding: 'utf8', maxBuffer: 1 << 28 }),
      ).records.map(({ name, sequence }) => [name, sequence]),
    )
    coding = portal
      .genes('R64')
      .filter((gene) => gene.transcripts.some((one) => one.cds.length > 0))
      .map((gene) => gene.id)
  })
  afterAll(() => portal?.close())

  const basesOf = (sequence: string, start1: number, end1: number, strand: string): string => {
    const forward = chromosomes.get(sequence)!.slice(start1 - 1, end1)
    return strand === '-' ? reverseComplement(forward) : forward
  }

  test('of 50 genes are the pairs of primer3_core fed by hand with the settings of primer3web', async () => {
    const chosen = coding.filter((_, at) => at % Math.floor(coding.length / 50) === 0).slice(0, 50)
    const { result, receipt } = await design(portal, { genes: chosen, assembly: 'R64' })
    const records = byHand(
      portal
        .genes('R64')
        .filter((gene) => chosen.includes(gene.id))
        .map((gene) => ({ id: gene.id, bases: basesOf(gene.sequenceName, gene.start1, gene.end1, gene.strand) })),
    )
    expect(result.designs).toHaveLength(50)
    for (const one of result.designs) {
      const record = records.get(one.name)!
      if (record.PRIMER_ERROR !== undefined) expect(one.error).toBe(record.PRIMER_ERROR)
      else expect(inTheirTerms(one), one.name).toEqual(theirs(record))
    }
    expect(result.pairCount).toBeGreaterThan(200)
    // As is said beside the figure: ranges of sizes in the order listed, within a range by penalty.
    const ranges = result.settings.PRIMER_PRODUCT_SIZE_RANGE!.split(' ').map((range) => range.split('-').map(Number))
    const rangeOf = (bp: number): number => ranges.findIndex(([low, high]) => low! <= bp && bp <= high!)
    for (const { name, pairs } of result.designs)
      for (const [at, pair] of pairs.entries()) {
        const before = pairs[at - 1]
        if (before === undefined) continue
        expect(rangeOf(pair.productBp), name).toBeGreaterThanOrEqual(rangeOf(before.productBp))
        if (rangeOf(pair.productBp) === rangeOf(before.productBp))
          expect(pair.penalty, name).toBeGreaterThanOrEqual(before.penalty)
      }
    expect(receipt.steps).toMatchObject([{ program: 'primer3_core', version: '2.6.1' }])
    // Every primer reads as the genome does where it is said to lie.
    for (const one of result.designs)
      for (const pair of one.pairs)
        for (const oligo of [pair.left, pair.right]) {
          const [locus] = oligo.loci
          expect(basesOf(one.blocks[0]!.sequence, locus!.start, locus!.end, locus!.strand).toUpperCase()).toBe(
            oligo.sequence.toUpperCase(),
          )
        }
  })

  test('find their own place and nothing else for a single-copy gene; a helicase of the chromosome ends has many', async () => {
    const { result, receipt } = await design(portal, {
      genes: ['YAL038W'],
      assembly: 'R64',
      assemblies: ['R64', 'SK1'],
    })
    const [cdc19] = result.designs
    expect(cdc19!.symbol).toBe('CDC19')
    for (const pair of cdc19!.pairs) {
      expect(pair.specificity).toMatchObject({ intended: 1, repetitive: false })
      expect(pair.specificity!.counterparts).toBe(1)
      const [own, other] = pair.specificity!.products
      expect(own).toMatchObject({
        assembly: 'R64',
        kind: 'intended',
        sequence: 'chrI',
        lengthBp: pair.productBp,
        forwardMismatches: 0,
        reverseMismatches: 0,
        genes: [{ id: 'YAL038W', symbol: 'CDC19' }],
      })
      expect(other).toMatchObject({ assembly: 'SK1', kind: 'counterpart', lengthBp: pair.productBp })
    }
    expect(result.searchedBp).toBeGreaterThan(23_000_000)
    expect(receipt.data.map(({ assembly }) => assembly).sort()).toEqual(['R64', 'SK1'])
    // A Y' element, of which most chromosome ends have a copy.
    const repeat = await design(portal, { genes: ['YDR545W'], assembly: 'R64', assemblies: ['R64'], pairs: 1 })
    expect(repeat.result.designs[0]!.pairs[0]!.specificity!.likely).toBeGreaterThan(5)
  })

  test.skipIf(!has('ipcress'))(
    'give the products that ipcress finds on the genome with the same number of mismatches',
    async () => {
      const { result } = await design(portal, {
        genes: ['YAL038W', 'YBR118W', 'YFL039C', 'YDR545W', 'YGR192C', 'YJR009C'],
        assembly: 'R64',
        assemblies: ['R64'],
        minMismatches: 3,
        minThreePrimeMismatches: 0,
        ignoreMismatches: 3,
        maxProductBp: 2000,
        pairs: 2,
      })
      const pairs = result.designs.flatMap((one) =>
        one.pairs.map((pair) => ({ name: `${one.name}.${pair.rank}`, pair })),
      )
      const file = join(scratch, 'pairs.txt')
      writeFileSync(
        file,
        pairs.map(({ name, pair }) => `${name} ${pair.left.sequence} ${pair.right.sequence} 30 2000\n`).join(''),
      )
      const counts = new Map<string, number>()
      for (const line of execFileSync(
        'ipcress',
        ['--mismatch', '2', '--pretty', 'false', file, portal.fastaFile('R64')],
        { encoding: 'utf8' },
      ).split('\n')) {
        const [head, , name] = line.split(' ')
        if (head === 'ipcress:' && name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      expect(pairs).toHaveLength(12)
      for (const { name, pair } of pairs)
        expect([name, pair.specificity!.intended + pair.specificity!.others]).toEqual([name, counts.get(name) ?? 0])
      expect(Math.max(...counts.values())).toBeGreaterThan(5)
    },
  )

  describe('for quantitative PCR of actin, whose gene has one intron', () => {
    test('a pair spans the junction: short on cDNA, longer or absent on genomic DNA', async () => {
      const { result } = await design(portal, {
        genes: ['ACT1'],
        assembly: 'R64',
        purpose: 'qpcr',
        assemblies: ['R64'],
      })
      const [actin] = result.designs
      expect(actin).toMatchObject({ gene: 'YFL039C', part: 'cdna' })
      expect(actin!.junctions).toHaveLength(1)
      const [junction] = actin!.junctions
      const gene = portal.genes('R64').find((one) => one.id === 'YFL039C')!
      const intronBp = gene.end1 - gene.start1 + 1 - actin!.lengthBp
      expect(intronBp).toBeGreaterThan(300)
      expect(actin!.pairs.length).toBeGreaterThan(0)
      for (const pair of actin!.pairs) {
        expect(pair.left.end).toBeLessThanOrEqual(junction! - 1)
        expect(pair.right.start).toBeGreaterThan(junction! + 1)
        expect(pair).toMatchObject({ junctions: 1, primerOnJunction: false, genomicBp: pair.productBp + intronBp })
        expect(pair.productBp).toBeLessThanOrEqual(200)
        expect(pair.specificity!.products[0]).toMatchObject({ kind: 'intended', lengthBp: pair.productBp + intronBp })
      }
    })

    test('a primer lies on the junction, with 7 bases before and 4 after it or more, and primes nowhere on the genome', async () => {
      const { result } = await design(portal, {
        genes: ['ACT1'],
        assembly: 'R64',
        purpose: 'qpcr',
        junction: 'primer',
        tmMin: 50,
        tmMax: 68,
        productSizes: '70-250',
        assemblies: ['R64'],
      })
      const [actin] = result.designs
      const [junction] = actin!.junctions
      expect(actin!.pairs.length).toBeGreaterThan(0)
      for (const pair of actin!.pairs) {
        expect(pair.primerOnJunction).toBe(true)
        const on = pair.left.end > junction! ? pair.left : pair.right
        expect(on.start).toBeLessThanOrEqual(junction! - 3)
        expect(on.end).toBeGreaterThanOrEqual(junction! + 4)
        expect(on.loci).toHaveLength(2)
        expect(pair.specificity!.intended).toBe(0)
      }
    })

    test('a gene without introns says so and is designed all the same', async () => {
      const { result } = await design(portal, { genes: ['CDC19'], assembly: 'R64', purpose: 'qpcr' })
      expect(result.designs[0]!.notes.map(({ id }) => id)).toContain('note.no-intron')
      expect(result.designs[0]!.pairs).toHaveLength(5)
    })
  })

  test('a target, an excluded and an included stretch bind as typed, on the template and on the genome', async () => {
    const gene = portal.genes('R64').find((one) => one.id === 'YAL038W')!
    const { result } = await design(portal, {
      genes: ['YAL038W'],
      assembly: 'R64',
      target: `${gene.sequenceName}:${gene.start1 + 699}-${gene.start1 + 748}`,
      excluded: '859..800',
      included: '401-1100',
    })
    const [one] = result.designs
    expect(one).toMatchObject({
      targets: [{ start: 700, end: 749 }],
      excluded: [{ start: 800, end: 859 }],
      included: { start: 401, end: 1100 },
    })
    expect(one!.pairs.length).toBeGreaterThan(0)
    for (const { left, right } of one!.pairs) {
      expect(left.start).toBeGreaterThanOrEqual(401)
      expect(left.end).toBeLessThan(700)
      expect(right.start).toBeGreaterThan(749)
      expect(right.end).toBeLessThanOrEqual(1100)
      for (const oligo of [left, right]) expect(oligo.end < 800 || oligo.start > 859).toBe(true)
    }
  })

  test('where no pair is possible, the counts of primer3 say why', async () => {
    const { result } = await design(portal, { genes: ['CDC19'], assembly: 'R64', tmMin: 90, tmOpt: 91, tmMax: 92 })
    const [one] = result.designs
    expect(one!.pairs).toEqual([])
    const low = one!.explain.left.find(({ reason }) => reason === 'low tm')
    expect(low!.count).toBeGreaterThan(1000)
    expect(result.solved).toBe(0)
  })

  test.skipIf(!has('bedtools'))('files for ordering and for a browser hold every primer once', async () => {
    const { result } = await design(portal, { genes: ['CDC19', 'ACT1'], assembly: 'R64', pairs: 2 })
    const ask = async (path: string): Promise<string> => {
      const answer = await askRoute(
        engine,
        `jobs/{job}/${path}`,
        { job: '0'.repeat(32) },
        {
          data: portal.data,
          openJob: async () => ({ directory: scratch, input: {}, result, receipt: emptyReceipt }),
        },
      )
      return answerText(answer)
    }
    const order = (await ask('order.tsv')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(order).toHaveLength(9)
    expect(order[1]!.split('\t').slice(0, 4)).toEqual([
      'CDC19_1_F',
      result.designs[0]!.pairs[0]!.left.sequence,
      '25 nmol',
      'standard desalting',
    ])
    expect(new Set(order.map((line) => line.split('\t')[0])).size).toBe(9)
    // bedtools cuts out of the genome what is ordered.
    writeFileSync(join(scratch, 'primers.bed'), await ask('primers.bed'))
    const cut = execFileSync(
      'bedtools',
      ['getfasta', '-s', '-nameOnly', '-fi', portal.fastaFile('R64'), '-bed', join(scratch, 'primers.bed')],
      { encoding: 'utf8' },
    )
    const records = parseFastaText(cut).records
    expect(records).toHaveLength(8)
    for (const { name, sequence } of records)
      expect(order.find((line) => line.startsWith(`${name.slice(0, -3)}\t`))!.split('\t')[1]).toBe(
        sequence.toUpperCase(),
      )
    const gff3 = (await ask('primers.gff3')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(gff3.map((line) => line.split('\t')[2])).toEqual(
      Array.from({ length: 4 }, () => ['PCR_product', 'forward_primer', 'reverse_primer']).flat(),
    )
    const primers = await ask('primers.fa')
    expect(parseFastaText(primers).records).toHaveLength(8)
    expect(checkExport('primers.fa', Buffer.from(primers))).toEqual([])
  })

  const batch = 120
  test('of a batch of genes come in one run that tells its progress, searched for in the whole genome', async () => {
    const reported: (number | null)[] = []
    const genes = coding.filter((_, at) => at % Math.floor(coding.length / batch) === 0).slice(0, batch)
    const began = performance.now()
    const { result } = await design(portal, { genes, assembly: 'R64', assemblies: ['R64'] }, (fraction) =>
      reported.push(fraction),
    )
    process.stdout.write(
      `${batch} genes, ${result.pairCount} pairs, whole genome: ${Math.round(performance.now() - began)} ms\n`,
    )
    expect(result.designs).toHaveLength(batch)
    expect(result.solved).toBeGreaterThan(0.9 * batch)
    const fractions = reported.filter((one) => one !== null)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(new Set(fractions).size).toBeGreaterThan(15)
    // What was designed on a gene is found on it.
    for (const one of result.designs) for (const pair of one.pairs) expect(pair.specificity!.intended, one.name).toBe(1)
    expect(result.specificPairs).toBeGreaterThan(result.pairCount * 0.7)
  })
})

describe('templates that are pasted or typed', () => {
  let portal: TestPortal
  const unit = 'ATGCGTACCTGATCGGATTACGCTAGCATCGGACTTCAGGCATTCGACCGTATGCAATCCGGTTAGCCATGACTTGCAGTC'
  const rotated = (by: number): string => unit.slice(by) + unit.slice(0, by)
  const chromosome = [0, 7, 13, 22, 31, 40, 48, 57, 66, 74, 3, 17].map(rotated).join('')
  beforeAll(async () => {
    portal = await openTestPortal([
      {
        id: 'tiny',
        fasta: `>chr1\n${chromosome}\n>pX\n${reverseComplement(chromosome).slice(100, 900)}\n`,
        circular: ['pX'],
      },
    ])
  })
  afterAll(() => portal?.close())

  test('a name that several genomes have is that of the gene of the reference, and the result says so', async () => {
    const twin = (id: string) => ({
      id,
      fasta: `>chr1\n${chromosome}\n`,
      gff3: `##gff-version 3\nchr1\tx\tgene\t201\t700\t.\t+\t.\tID=${id}_1;Name=twin\n`,
    })
    const two = await openTestPortal([twin('one'), twin('two')])
    try {
      const home = (await two.data.defaultAssembly())!.id
      const { result } = await design(two, { genes: ['twin'] })
      expect(result.problems).toEqual([])
      expect(result.designs.map(({ assembly, gene }) => [assembly, gene])).toEqual([[home, `${home}_1`]])
      expect(result.designs[0]?.notes.map(({ id }) => id)).toEqual(['note.taken'])
    } finally {
      await two.close()
    }
  })

  test('a sequence with the signs of primer3web has its target and excluded stretch', async () => {
    const text = `>mine some words\n${chromosome.slice(0, 300)}[${chromosome.slice(300, 340)}]${chromosome.slice(340, 500)}<${chromosome.slice(500, 520)}>${chromosome.slice(520)}\n`
    const { result } = await design(portal, {
      source: 'sequence',
      sequence: text,
      gcMax: 80,
      hairpin: 60,
      selfAny: 60,
      selfEnd: 60,
      pairAny: 60,
      pairEnd: 60,
    })
    expect(result.designs[0]).toMatchObject({
      name: 'mine',
      lengthBp: chromosome.length,
      targets: [{ start: 301, end: 340 }],
      excluded: [{ start: 501, end: 520 }],
      blocks: [],
    })
  })

  test('a region of a plasmid goes across its origin, and its product is found there', async () => {
    const { result } = await design(portal, {
      source: 'regions',
      // The only assembly that has it.
      regions: 'pX:500-1200',
      assemblies: ['tiny'],
      hairpin: 70,
      selfAny: 70,
      selfEnd: 70,
      pairAny: 70,
      pairEnd: 70,
      target: '301-302',
    })
    const [one] = result.designs
    expect(one!.lengthBp).toBe(701)
    expect(one!.pairs.length).toBeGreaterThan(0)
    for (const pair of one!.pairs) expect(pair.specificity!.intended).toBe(1)
  })

  test.each([
    ['a protein', { source: 'sequence', sequence: '>p\nMKVLWQEFILP' }, 'sequence.notBases'],
    ['a letter that is none', { source: 'sequence', sequence: `>s\n${unit}!${unit}` }, 'sequence.illegal'],
    ['a sign without partner', { source: 'sequence', sequence: `${unit}[${unit}` }, 'sequence.marks'],
    ['nothing', { source: 'sequence' }, 'sequence.none'],
    ['no gene', { source: 'genes' }, 'genes.none'],
    ['an unknown gene', { source: 'genes', genes: ['nope'], assembly: 'tiny' }, 'templates.none'],
    ['an unknown chromosome', { source: 'regions', assembly: 'tiny', regions: 'chr9:1-500' }, 'regions.sequence'],
    ['a region beyond the end', { source: 'regions', assembly: 'tiny', regions: 'chr1:1-5000' }, 'regions.beyond'],
    ['a region that no assembly has', { source: 'regions', regions: 'chr9:1-500' }, 'regions.nowhere'],
    ['a target beyond the template', { source: 'sequence', sequence: chromosome, target: '1-9000' }, 'interval.beyond'],
    ['sizes that are none', { source: 'sequence', sequence: chromosome, productSizes: 'big' }, 'productSizes.form'],
    ['an optimum outside its bounds', { source: 'sequence', sequence: chromosome, tmOpt: 90 }, 'settings.order'],
    [
      'a tag that names a file',
      { source: 'sequence', sequence: chromosome, advanced: 'PRIMER_MISPRIMING_LIBRARY=/etc/passwd' },
      'advanced.tag',
    ],
    [
      'a tag that primer3 does not know',
      { source: 'sequence', sequence: chromosome, advanced: 'PRIMER_NONSENSE=1' },
      'advanced.unknown',
    ],
    ['a primer that is none', { source: 'sequence', sequence: chromosome, leftPrimer: 'XYZ' }, 'primer.form'],
    [
      'an unknown genome to search',
      { source: 'sequence', sequence: chromosome, assemblies: ['nowhere'] },
      'assemblies.unknown',
    ],
  ] as const)('%s is refused in words', async (_, input, message) => {
    expect((await failure(design(portal, input as z.input<typeof tool.input>))).messageId).toBe(message)
  })

  test('a given primer keeps its sequence, and one that is not on the template is refused in the words of primer3', async () => {
    const left = chromosome.slice(99, 120)
    const { result } = await design(portal, { source: 'sequence', sequence: chromosome, leftPrimer: left })
    for (const pair of result.designs[0]!.pairs) expect(pair.left.sequence).toBe(left)
    const wrong = await design(portal, { source: 'sequence', sequence: chromosome, leftPrimer: 'A'.repeat(20) })
    expect(wrong.result.designs[0]!.error).toMatch(/left primer not in sequence/)
  })

  test('products from transcripts are those of the gene itself, and of others that resemble it', async () => {
    const own = makeBases(600, 5)
    const file = join(scratch, 'transcripts.fa')
    writeFileSync(
      file,
      `>t1 gene=g1 symbol=one\n${own}\n>t1b gene=g1 symbol=one\n${own.slice(0, 590)}\n>t2 gene=g2\n${'ACGT'.repeat(30)}\n`,
    )
    const { answers } = await searchSpecificity({
      pairs: [
        {
          left: own.slice(40, 60),
          right: reverseComplement(own.slice(560, 580)),
          assembly: 'tiny',
          gene: 'g1',
          intended: null,
          placed: true,
          expectedBp: 540,
          between: own.slice(60, 560),
        },
      ],
      assemblies: ['tiny'],
      searched: 'transcripts',
      rule: { minMismatches: 1, minThreePrimeMismatches: 1, threePrimeBp: 5, ignoreMismatches: 1 },
      maxProductBp: 1000,
      data: Object.create(portal.data, { bundleFile: { value: async () => file } }),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    const product = { kind: 'intended', start: 41, end: 580, lengthBp: 540, genes: [{ id: 'g1', symbol: 'one' }] }
    expect(answers[0]!.products).toMatchObject([
      { ...product, sequence: 't1' },
      { ...product, sequence: 't1b' },
    ])
  })
})
