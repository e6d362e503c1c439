import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translate } from '../../bio/sequence/genetic-codes.ts'
import { answerText, askRoute, makeEngineContext } from '../../testing/contexts.ts'
import { failure } from '../../testing/failure.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import tool, { limits } from './tool.ts'

const run = (portal: TestPortal, input: unknown) =>
  engine.run(tool.input.parse(input), makeEngineContext({ data: portal.data }))

const download = async (portal: TestPortal, path: string, input: Record<string, unknown>): Promise<string> => {
  const text = await answerText(await askRoute(engine, path, input, { data: portal.data }))
  if (path === 'fasta') expect(checkExport('x.fa', Buffer.from(text))).toEqual([])
  return text
}

const readFasta = (text: string): Map<string, { header: string; residues: string }> =>
  new Map(
    text
      .split(/^>/m)
      .slice(1)
      .map((record) => {
        const [header = '', ...lines] = record.split('\n')
        return [header.split(' ')[0]!, { header, residues: lines.join('') }]
      }),
  )

describe('genes of organelles, written as NCBI writes them', () => {
  let portal: TestPortal
  // The first 21 residues of the ribosomal protein S12 of chloroplasts, whose exon 1 is transcribed apart from the two others.
  const exon1 = 'ATGCCAACTATTAAACAACTTATTAGAAAC'
  const exon2 = 'ACAAGACAGCCAATCCGAAATGTGA'
  const exon3 = 'CTAAATCCTAA'
  const protein = 'MPTIKQLIRNTRQPIRNVTKS'
  const exon1Reversed = 'GTTTCTAATAAGTTGTTTAATAGTTGGCAT'
  const intron = 'GTGCGACTTGAAAGGTATCAAGCTGTCAACCTACT'
  // 1..40, exon 1 on the reverse strand at 41..70, 71..100, exon 2 at 101..125, intron, exon 3 at 161..171, then to 200.
  const chloroplast =
    'C'.repeat(40) + exon1Reversed + 'G'.repeat(30) + exon2 + intron + exon3 + 'TTTTT'.concat('GCA'.repeat(8))
  // MKV* over the origin of a plasmid of 40 bases: 35..46.
  const plasmid = `GTCTAA${'CCCCCGGGGG'.repeat(2)}TTTTTTTTATGAAA`
  const row = (name: string, type: string, span: string, strand: string, phase: string, attributes: string): string =>
    [name, 'RefSeq', type, ...span.split('..'), '.', strand, phase, attributes].join('\t')
  const rps12 = 'Name=rps12;exception=trans-splicing;gbkey=Gene;gene=rps12;locus_tag=AC_1'
  const cds = 'Parent=gene-AC_1;Name=NP_1.1;exception=trans-splicing;gbkey=CDS;gene=rps12;protein_id=NP_1.1'

  beforeAll(async () => {
    portal = await openTestPortal([
      {
        id: 'plastid',
        fasta: `>NC_1.1\n${chloroplast}\n>pX\n${plasmid}\n`,
        circular: ['NC_1.1', 'pX'],
        geneticCodes: { 'NC_1.1': 11, pX: 11 },
        gff3: [
          '##gff-version 3',
          row('NC_1.1', 'gene', '41..70', '-', '.', `ID=gene-AC_1;${rps12};part=1`),
          row('NC_1.1', 'gene', '101..171', '+', '.', `ID=gene-AC_1;${rps12};part=2`),
          row('NC_1.1', 'CDS', '41..70', '-', '0', `ID=cds-NP_1.1;${cds}`),
          row('NC_1.1', 'CDS', '101..125', '+', '0', `ID=cds-NP_1.1;${cds}`),
          row('NC_1.1', 'CDS', '161..171', '+', '2', `ID=cds-NP_1.1;${cds}`),
          row('pX', 'gene', '33..46', '+', '.', 'ID=gene-X;gbkey=Gene;locus_tag=X'),
          row('pX', 'CDS', '35..46', '+', '0', 'ID=cds-X;Parent=gene-X;gbkey=CDS;protein_id=XP_1.1'),
          row('pX', 'gene', '11..16', '+', '.', 'ID=gene-Y;gbkey=Gene;locus_tag=Y'),
        ].join('\n'),
      },
    ])
  })
  afterAll(() => portal?.close())
  const extract = async (genes: string, choice: Record<string, unknown>) =>
    (await run(portal, { assembly: 'plastid', genes, ...choice })).records

  test('a trans-spliced transcript is joined as it is read, over both strands', async () => {
    const [coding] = await extract('rps12', { part: 'cds' })
    expect(coding).toMatchObject({
      residues: exon1 + exon2 + exon3,
      intervals: [
        { start: 41, end: 70, strand: '-' },
        { start: 101, end: 125, strand: '+' },
        { start: 161, end: 171, strand: '+' },
      ],
      notes: [],
    })
    expect(coding!.header).toContain('location=NC_1.1:41-70(-),101-125(+),161-171(+)')
    const [translated] = await extract('rps12', { part: 'protein' })
    expect(translated).toMatchObject({ name: 'NP_1.1', residues: protein, notes: [] })
    expect((await extract('rps12', { part: 'cdna' }))[0]!.residues).toBe(exon1 + exon2 + exon3)
  })

  test('its exons keep their order and strands, and what lies between exon 1 and 2 is no intron', async () => {
    const exons = await extract('rps12', { part: 'exons' })
    expect(exons.map(({ residues, strand }) => [residues, strand])).toEqual([
      [exon1, '-'],
      [exon2, '+'],
      [exon3, '+'],
    ])
    const introns = await extract('rps12', { part: 'introns' })
    expect(introns.map(({ residues, strand }) => [residues, strand])).toEqual([[intron, '+']])
    expect(intron).toHaveLength(35)
  })

  test('upstream of it is upstream of exon 1, downstream of it downstream of exon 3, each on its strand', async () => {
    const [upstream] = await extract('rps12', { part: 'upstream', upstreamBp: 5 })
    expect(upstream).toMatchObject({ residues: 'CCCCC', strand: '-', intervals: [{ start: 71, end: 75 }] })
    const [downstream] = await extract('rps12', { part: 'downstream', downstreamBp: 5 })
    expect(downstream).toMatchObject({ residues: 'TTTTT', strand: '+', intervals: [{ start: 172, end: 176 }] })
  })

  test('the table and the BED file give each piece its strand', async () => {
    const bed = await download(portal, 'bed', { assembly: 'plastid', genes: 'rps12', part: 'cds' })
    expect(
      bed
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split('\t').filter((_, column) => [1, 2, 5].includes(column))),
    ).toEqual([
      ['40', '70', '-'],
      ['100', '125', '+'],
      ['160', '171', '+'],
    ])
  })

  test('a gene over the origin of a plasmid is read through it', async () => {
    expect((await extract('X', { part: 'gene' }))[0]).toMatchObject({
      residues: `TT${'ATGAAA'}${'GTCTAA'}`,
      intervals: [
        { start: 33, end: 40 },
        { start: 1, end: 6 },
      ],
    })
    expect((await extract('X', { part: 'protein' }))[0]).toMatchObject({ name: 'XP_1.1', residues: 'MKV' })
    expect((await extract('X', { part: 'downstream', downstreamBp: 20, clip: true }))[0]).toMatchObject({
      residues: 'CCCC',
      intervals: [{ start: 7, end: 10 }],
    })
  })
})

describe('genes of a small genome', () => {
  let portal: TestPortal
  // 60 bases, each ten a pattern of its own; lower case is soft-masked.
  const linear = 'AAAAACCCCC' + 'ATGGCATTTA' + 'gtaagtttag' + 'GCGATCTAAC' + 'GGGGGTTTTT' + 'CCAATTGGCC'
  const plasmid = 'ATGAAATAGC' + 'CGGTTTACGT' + 'TTATTTGGCA'
  const gff3 = [
    // Forward, two exons, leader of 3 bases and trailer of 1: coding 11..20 (ATGGCATTTA is 10 bases), 31..38.
    'chr1 . gene 8 39 . + . ID=fwd;Name=fwdA;description=forward gene',
    'chr1 . mRNA 8 39 . + . ID=fwd.1;Parent=fwd',
    'chr1 . exon 8 20 . + . Parent=fwd.1',
    'chr1 . exon 31 39 . + . Parent=fwd.1',
    'chr1 . CDS 11 20 . + 0 ID=fwd.p;Parent=fwd.1',
    'chr1 . CDS 31 38 . + 2 ID=fwd.p;Parent=fwd.1',
    // A second transcript that skips the intron and codes for less.
    'chr1 . mRNA 11 30 . + . ID=fwd.2;Parent=fwd',
    'chr1 . exon 11 30 . + . Parent=fwd.2',
    'chr1 . CDS 11 13 . + 0 ID=fwd.q;Parent=fwd.2',
    // Reverse, near the end of the chromosome.
    'chr1 . gene 51 58 . - . ID=rev',
    'chr1 . mRNA 51 58 . - . ID=rev.1;Parent=rev',
    'chr1 . exon 51 58 . - . Parent=rev.1',
    'chr1 . CDS 52 57 . - 0 ID=rev.p;Parent=rev.1',
    // Codes for nothing, no exons.
    'chr1 . gene 42 44 . + . ID=nc;biotype=tRNA',
    // Two genes of one name.
    'chr1 . gene 46 47 . + . ID=twinA;Name=twin',
    'chr1 . gene 48 49 . + . ID=twinB;Name=twin',
    'plasmid . gene 1 9 . + . ID=rep',
    'plasmid . mRNA 1 9 . + . ID=rep.1;Parent=rep',
    'plasmid . CDS 1 9 . + 0 ID=rep.p;Parent=rep.1',
    'plasmid . gene 21 26 . - . ID=mob',
    'plasmid . mRNA 21 26 . - . ID=mob.1;Parent=mob',
    'plasmid . CDS 21 26 . - 0 ID=mob.p;Parent=mob.1',
  ]
    .map((line) =>
      line.replace(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (.*)$/, '$1\t$2\t$3\t$4\t$5\t$6\t$7\t$8\t$9'),
    )
    .join('\n')

  beforeAll(async () => {
    portal = await openTestPortal([
      { id: 'tiny', fasta: `>chr1\n${linear}\n>plasmid\n${plasmid}\n`, gff3, circular: ['plasmid'] },
    ])
  })
  afterAll(() => portal.close())

  const residues = async (genes: string, choice: Record<string, unknown>): Promise<Record<string, string | null>> => {
    const { records } = await run(portal, { assembly: 'tiny', genes, ...choice })
    return Object.fromEntries(records.map((record) => [record.name, record.residues]))
  }

  test('CDS, cDNA and protein are spliced in reading order, soft mask kept', async () => {
    expect(await residues('fwd', { part: 'cds' })).toEqual({ 'fwd.1.cds': 'ATGGCATTTA' + 'GCGATCTA' })
    expect(await residues('fwd', { part: 'cdna' })).toEqual({ 'fwd.1.cdna': 'CCC' + 'ATGGCATTTA' + 'GCGATCTAA' })
    expect(await residues('fwd', { part: 'protein' })).toEqual({ 'fwd.1.protein': 'MAFSDL' })
    expect(await residues('fwd', { part: 'introns' })).toEqual({ 'fwd.1.intron1': 'gtaagtttag' })
    expect(await residues('rev', { part: 'cds' })).toEqual({ 'rev.1.cds': 'CAATTG' })
    expect(await residues('rev', { part: 'cdna' })).toEqual({ 'rev.1.cdna': 'CCAATTGG' })
  })

  test('exons are numbered as the transcript reads; UTRs lie on the side that the strand says', async () => {
    expect(await residues('fwd', { part: 'exons' })).toEqual({
      'fwd.1.exon1': 'CCCATGGCATTTA',
      'fwd.1.exon2': 'GCGATCTAA',
    })
    expect(await residues('fwd', { part: 'utr5' })).toEqual({ 'fwd.1.utr5': 'CCC' })
    expect(await residues('fwd', { part: 'utr3' })).toEqual({ 'fwd.1.utr3': 'A' })
    expect(await residues('rev', { part: 'utr5' })).toEqual({ 'rev.1.utr5': 'C' })
  })

  test('all transcripts, or the one whose id was typed', async () => {
    expect(await residues('fwd', { part: 'cds', transcripts: 'all' })).toEqual({
      'fwd.1.cds': 'ATGGCATTTAGCGATCTA',
      'fwd.2.cds': 'ATG',
    })
    expect(await residues('fwd.2', { part: 'cds' })).toEqual({ 'fwd.2.cds': 'ATG' })
  })

  test('upstream from the transcription start and from the start codon, with bases of the gene taken in', async () => {
    expect(await residues('fwd', { part: 'upstream', upstreamBp: 4 })).toEqual({
      'fwd.1.upstream': 'AACC',
    })
    expect(await residues('fwd', { part: 'upstream', upstreamBp: 4, from: 'coding' })).toEqual({
      'fwd.1.upstream': 'CCCC',
    })
    expect(await residues('fwd', { part: 'upstream', upstreamBp: 2, insideBp: 3, from: 'coding' })).toEqual({
      'fwd.1.upstream': 'CCATG',
    })
    // Reverse strand: upstream is to the right, read backwards.
    expect(await residues('rev', { part: 'upstream', upstreamBp: 1, from: 'coding' })).toEqual({
      'rev.1.upstream': 'C',
    })
    expect(await residues('rev', { part: 'downstream', downstreamBp: 5 })).toEqual({ 'rev.1.downstream': 'AAAAA' })
  })

  test('what reaches beyond a linear chromosome is cut and said so; nothing left is a reason', async () => {
    const { records } = await run(portal, { assembly: 'tiny', genes: 'rev', part: 'upstream', upstreamBp: 10 })
    expect(records[0]).toMatchObject({ length: 2, residues: 'GG', intervals: [{ start: 59, end: 60 }] })
    expect(records[0]!.notes).toEqual([{ id: 'note.edge', params: { missing: 8, sequence: 'chr1' } }])
    expect(records[0]!.header).toBe(
      'rev.1.upstream gene=rev transcript=rev.1 assembly=tiny location=chr1:59-60(-) part=upstream:10_from_TSS length=2bp note=edge:missing=8,sequence=chr1',
    )
  })

  test('a flank ends at the neighbouring gene when asked to, and a gene that starts at its neighbour has none', async () => {
    const { records } = await run(portal, {
      assembly: 'tiny',
      genes: 'fwd',
      part: 'downstream',
      downstreamBp: 20,
      clip: true,
    })
    expect(records[0]).toMatchObject({ residues: 'CG', length: 2, intervals: [{ start: 40, end: 41 }] })
    expect(records[0]!.notes).toEqual([{ id: 'note.clipped-downstream', params: { missing: 18, gene: 'nc' } }])
    const twins = await run(portal, {
      assembly: 'tiny',
      genes: 'twinA',
      part: 'downstream',
      downstreamBp: 5,
      clip: true,
    })
    expect(twins.records).toEqual([])
    expect(twins.problems).toEqual([{ query: 'twinA', id: 'reason.clipped-away', params: { gene: 'twinB' } }])
  })

  test('on a plasmid the flank goes on across the origin, is clipped there too, and never runs into its own gene', async () => {
    const across = await run(portal, { assembly: 'tiny', genes: 'rep', part: 'upstream', upstreamBp: 6 })
    expect(across.records[0]).toMatchObject({ residues: 'TTGGCA', intervals: [{ start: 25, end: 30 }] })
    const backwards = await run(portal, { assembly: 'tiny', genes: 'mob', part: 'upstream', upstreamBp: 6 })
    // Upstream of the reverse-strand gene: 27..30 and 1..2, read backwards: AT | TGCC.
    expect(backwards.records[0]).toMatchObject({
      residues: 'ATTGCC',
      intervals: [
        { start: 1, end: 2 },
        { start: 27, end: 30 },
      ],
    })
    expect(backwards.records[0]!.notes.map((note) => note.id)).toEqual(['note.origin'])
    const clipped = await run(portal, { assembly: 'tiny', genes: 'mob', part: 'upstream', upstreamBp: 6, clip: true })
    expect(clipped.records[0]).toMatchObject({ residues: 'TGCC' })
    expect(clipped.records[0]!.notes[0]).toMatchObject({
      id: 'note.clipped-upstream',
      params: { gene: 'rep', missing: 2 },
    })
    const around = await run(portal, { assembly: 'tiny', genes: 'rep', part: 'upstream', upstreamBp: 100 })
    expect(around.records[0]!.length).toBe(21)
    expect(around.records[0]!.notes[0]).toEqual({ id: 'note.around', params: { missing: 79, sequence: 'plasmid' } })
  })

  test('the whole gene, and the gene with its flanks', async () => {
    expect(await residues('rev', { part: 'gene' })).toEqual({ rev: 'CCAATTGG' })
    expect(await residues('fwd', { part: 'flanked', upstreamBp: 2, downstreamBp: 1 })).toEqual({
      'fwd.flanked': linear.slice(5, 40),
    })
    expect(await residues('nc', { part: 'gene' })).toEqual({ nc: 'GGG' })
  })

  test('unknown, ambiguous, repeated names and genes without the part are named one by one', async () => {
    const { records, problems } = await run(portal, {
      assembly: 'tiny',
      genes: 'fwd, ghost\r\nTWIN；nc，fwdA\tgho\u0000st',
      part: 'cds',
    })
    expect(records.map((record) => record.name)).toEqual(['fwd.1.cds'])
    expect(problems).toEqual([
      { query: 'ghost', id: 'reason.unknown', params: { assembly: 'tiny' } },
      { query: 'TWIN', id: 'reason.ambiguous', params: { count: 2, genes: 'twinA, twinB' } },
      { query: 'gho\u0000st', id: 'reason.unknown', params: { assembly: 'tiny' } },
      { query: 'nc', id: expect.stringMatching(/^reason\.no-(cds|transcript)$/), params: {} },
      { query: 'fwdA', id: 'reason.repeated', params: { gene: 'fwd' } },
    ])
    for (const { id } of problems) expect(messages.en).toHaveProperty([id])
  })

  test('the files refuse unknown names until told to leave them out; the table lists them with the reason', async () => {
    const input = { assembly: 'tiny', genes: 'fwd ghost nc', part: 'protein' }
    const error = await failure(download(portal, 'fasta', input))
    expect(error).toMatchObject({ code: 'UNKNOWN_GENE', problems: [{ path: ['genes'], params: { query: 'ghost' } }] })
    expect([...readFasta(await download(portal, 'fasta', { ...input, skipInvalid: true })).keys()]).toEqual([
      'fwd.1.protein',
    ])
    const table = await download(portal, 'table', input)
    // Eighteen bases are six residues; of the coding sequence itself bases are told.
    expect(table).toContain('\tstrand\tlength_aa\tnotes\n')
    expect(table).toContain('fwd.1.protein\tfwd\tfwd\tfwdA\tfwd.1\ttiny\tchr1\tchr1:11-20,31-38(+)\t+\t6\t\n')
    const coding = await download(portal, 'table', { ...input, genes: 'fwd', part: 'cds' })
    expect(coding).toContain('\tstrand\tlength_bp\tnotes\n')
    expect(coding).toMatch(/\t\+\t18\t\n$/)
    expect(table).toContain('\tghost\t\t\t\ttiny\t\t\t\t\tunknown:assembly=tiny\n')
    const bed = await download(portal, 'bed', { ...input, genes: 'fwd', part: 'cds' })
    expect(bed).toMatch(/^# NovoDB test, tool sequenceextraction, /)
    expect(bed).toMatch(/^# data tiny, bundle /m)
    expect(bed.replaceAll(/^#.*\n/gm, '')).toBe('chr1\t10\t20\tfwd.1.cds\t0\t+\nchr1\t30\t38\tfwd.1.cds\t0\t+\n')
    expect((await failure(run(portal, { ...input, genes: 'ghost' }))).code).toBe('UNKNOWN_GENE')
    expect((await failure(run(portal, { ...input, assembly: 'none' }))).code).toBe('UNKNOWN_ASSEMBLY')
  })

  test('a flank of no bases is refused beside its field; too many genes by the schema', async () => {
    const error = await failure(run(portal, { assembly: 'tiny', genes: 'fwd', part: 'upstream', upstreamBp: 0 }))
    expect(error.problems).toMatchObject([{ path: ['upstreamBp'], message: 'problem.no-flank' }])
    const genes = Array.from({ length: limits.genes + 1 }, (_, index) => `g${index}`).join(' ')
    expect(tool.input.safeParse({ assembly: 'tiny', genes }).success).toBe(false)
    expect(tool.input.safeParse({ assembly: 'tiny', genes: 'a', upstreamBp: -1 }).success).toBe(false)
    expect(tool.input.safeParse({ assembly: 'tiny', genes: 'a', upstreamBp: 1e9 }).success).toBe(false)
  })
})

const yeast = join(realData, 'yeast')
const unzip = (path: string): string => gunzipSync(readFileSync(join(yeast, path))).toString('utf8')
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

describe.skipIf(!hasRealData)('the yeast genome R64', () => {
  let portal: TestPortal
  let genes: string[] = []
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
    ])
    genes = portal.genes('R64').map((gene) => gene.id)
    coding = portal
      .genes('R64')
      .filter((gene) => gene.transcripts.some((transcript) => transcript.cds.length > 0))
      .map((gene) => gene.id)
  })
  afterAll(() => portal.close())

  /** Runs over all genes, in as many requests as the bound asks for. */
  const extractAll = async (ids: string[], choice: Record<string, unknown>) => {
    const all = new Map<string, { header: string; residues: string }>()
    for (let from = 0; from < ids.length; from += limits.genes) {
      const text = await download(portal, 'fasta', {
        assembly: 'R64',
        genes: ids.slice(from, from + limits.genes),
        ...choice,
      })
      for (const [name, record] of readFasta(text)) all.set(name, record)
    }
    return all
  }
  const transcriptOf = (header: string): string => /transcript=(\S+)/.exec(header)![1]!

  test('every CDS and cDNA equals what gffread splices', async () => {
    expect(has('gffread'), 'gffread is needed for this check').toBe(true)
    const gff = join(portal.dataDir, 'R64.gff3')
    // Some UTRs are written with no base (start after end); gffread makes a base of them, so they are left out for it.
    const lines = unzip('derived/R64.gff3.gz').split('\n')
    const isEmpty = (line: string): boolean => Number(line.split('\t')[3]) > Number(line.split('\t')[4])
    writeFileSync(gff, lines.filter((line) => !isEmpty(line)).join('\n'))
    const cdsFile = join(portal.dataDir, 'cds.fa')
    const cdnaFile = join(portal.dataDir, 'cdna.fa')
    execFileSync('gffread', ['-g', portal.fastaFile('R64'), '-x', cdsFile, '-w', cdnaFile, gff], { stdio: 'ignore' })
    for (const [part, file, minimum] of [
      ['cds', cdsFile, 5800],
      ['cdna', cdnaFile, 5800],
    ] as const) {
      const reference = readFasta(readFileSync(file, 'utf8'))
      const ours = await extractAll(coding, { part, transcripts: 'all' })
      const differing: string[] = []
      let compared = 0
      for (const { header, residues } of ours.values()) {
        const expected = reference.get(transcriptOf(header))
        if (expected === undefined) continue
        compared++
        if (expected.residues.toUpperCase() !== residues.toUpperCase()) differing.push(header)
      }
      expect(compared, part).toBeGreaterThan(minimum)
      expect(differing, part).toEqual([])
    }
  })

  test('proteins equal SGD for the 5,766 genes whose CDS gives them', async () => {
    const reference = readFasta(unzip('genome/SGDref.PoFF.faa.gz'))
    const ours = await extractAll(coding, { part: 'protein' })
    let equal = 0
    let nuclearDiffering = 0
    for (const { header, residues } of ours.values()) {
      const gene = /gene=(\S+)/.exec(header)![1]!
      const expected = reference.get(gene)?.residues.replace(/\*$/, '')
      if (expected === residues) equal++
      else if (!header.includes('location=chrmt:')) nuclearDiffering++
    }
    // 31 nuclear genes have an intron that the annotation did not place.
    expect(nuclearDiffering).toBe(31)
    expect(equal).toBeGreaterThanOrEqual(5766)
  })

  test('introns, UTRs and flanks of every gene equal bedtools getfasta at the same place', async () => {
    expect(has('bedtools'), 'bedtools is needed for this check').toBe(true)
    for (const choice of [
      { part: 'gene' },
      { part: 'introns' },
      { part: 'upstream', upstreamBp: 500 },
      { part: 'downstream', downstreamBp: 300, insideBp: 20, clip: true },
    ]) {
      const ids = genes.slice(0, limits.genes)
      const ours = readFasta(await download(portal, 'fasta', { assembly: 'R64', genes: ids, ...choice }))
      const bed = join(portal.dataDir, 'parts.bed')
      writeFileSync(bed, await download(portal, 'bed', { assembly: 'R64', genes: ids, ...choice }))
      const expected = execFileSync(
        'bedtools',
        ['getfasta', '-s', '-nameOnly', '-fi', portal.fastaFile('R64'), '-bed', bed],
        { maxBuffer: 1e9 },
      ).toString()
      const reference = readFasta(expected.replace(/^(>.*)\([+-]\)$/gm, '$1'))
      expect(reference.size).toBe(ours.size)
      expect(ours.size).toBeGreaterThan(choice.part === 'introns' ? 200 : 4900)
      const differing = [...ours].filter(([name, { residues }]) => reference.get(name)?.residues !== residues)
      expect(differing.map(([name]) => name)).toEqual([])
    }
  })

  test('upstream regions lie where bedtools flank puts them, and clipped ones where no gene lies', async () => {
    const models = portal.genes('R64').slice(0, 2000)
    const input = models.map(
      (gene) => `${gene.sequenceName}\t${gene.start1 - 1}\t${gene.end1}\t${gene.id}\t0\t${gene.strand}\n`,
    )
    const bed = join(portal.dataDir, 'genes.bed')
    writeFileSync(bed, input.join(''))
    execFileSync('samtools', ['faidx', portal.fastaFile('R64')])
    const expected = new Map(
      execFileSync(
        'bedtools',
        ['flank', '-s', '-l', '700', '-r', '0', '-i', bed, '-g', `${portal.fastaFile('R64')}.fai`],
        {
          maxBuffer: 1e9,
        },
      )
        .toString()
        .trim()
        .split('\n')
        .map((line) => {
          const [sequence, start0, end0, gene] = line.split('\t')
          return [gene!, `${sequence}\t${start0}\t${end0}`]
        }),
    )
    const choice = { assembly: 'R64', genes: models.map((gene) => gene.id), part: 'upstream', upstreamBp: 700 }
    const rows = (await download(portal, 'bed', choice))
      .replaceAll(/^#.*\n/gm, '')
      .trim()
      .split('\n')
    expect(rows.length).toBeGreaterThan(1950)
    const wrong = rows.filter((row) => {
      const [sequence, start0, end0, name] = row.split('\t')
      const gene = portal
        .genes('R64')
        .find(
          (one) =>
            name!.replace(/\.upstream$/, '') === one.id ||
            one.transcripts.some((transcript) => `${transcript.id}.upstream` === name),
        )!
      // The transcript may begin within its gene; where it spans the gene the places must be the same.
      const spans =
        gene.transcripts.length === 0 ||
        (gene.transcripts[0]!.start1 === gene.start1 && gene.transcripts[0]!.end1 === gene.end1)
      return spans && expected.get(gene.id) !== `${sequence}\t${start0}\t${end0}`
    })
    expect(wrong).toEqual([])
    const allGenes = join(portal.dataDir, 'all-genes.bed')
    writeFileSync(
      allGenes,
      portal
        .genes('R64')
        .map((gene) => `${gene.sequenceName}\t${gene.start1 - 1}\t${gene.end1}\t${gene.id}\t0\t${gene.strand}\n`)
        .join(''),
    )
    // The segment that touches the gene, of its flank less all genes; where it is of use that is the promoter.
    const flanks = join(portal.dataDir, 'flanks.bed')
    const rest = new Map<string, string>()
    writeFileSync(
      flanks,
      execFileSync('bedtools', [
        'flank',
        '-s',
        '-l',
        '700',
        '-r',
        '0',
        '-i',
        bed,
        '-g',
        `${portal.fastaFile('R64')}.fai`,
      ]),
    )
    for (const line of execFileSync('bedtools', ['subtract', '-a', flanks, '-b', allGenes])
      .toString()
      .trim()
      .split('\n')) {
      const [sequence, start0, end0, id, , strand] = line.split('\t')
      const gene = models.find((one) => one.id === id)!
      if (strand === '-' ? Number(start0) === gene.end1 : Number(end0) === gene.start1 - 1)
        rest.set(id!, `${sequence}:${Number(start0) + 1}-${end0}(${strand})`)
    }
    const tableRows = (await download(portal, 'table', { ...choice, clip: true }))
      .replaceAll(/^#.*\n/gm, '')
      .trim()
      .split('\n')
    const head = tableRows[0]!.split('\t')
    const found = tableRows
      .slice(1)
      .map((row) => Object.fromEntries(row.split('\t').map((cell, at) => [head[at]!, cell])))
    // Of every gene but one at the very end of a chromosome there is a promoter.
    expect(found.filter((row) => row.name === '')).toHaveLength(0)
    const lengthOf = (place: string | undefined): number => {
      const [, from, to] = /:(\d+)-(\d+)/.exec(place ?? '') ?? [null, '1', '0']
      return Number(to) - Number(from) + 1
    }
    let other = 0
    for (const row of found) {
      const gene = models.find((one) => one.id === row.gene)!
      if (!gene.transcripts.every((one) => one.start1 === gene.start1 && one.end1 === gene.end1)) continue
      if (/start-codon|into-neighbour/.test(row.notes ?? '')) {
        other += 1
        expect(lengthOf(rest.get(gene.id)), gene.id).toBeLessThan(50)
      } else expect(row.location, gene.id).toBe(rest.get(gene.id))
    }
    expect(other).toBeGreaterThan(100)
  })

  test('five thousand promoters of 2 kb come whole, and clipped ones as an answer', async () => {
    const input = { assembly: 'R64', genes: genes.slice(0, 5000), part: 'upstream', upstreamBp: 2000, clip: false }
    const text = await download(portal, 'fasta', input)
    expect(text.length).toBeGreaterThan(9_900_000)
    const { recordCount, records } = await run(portal, { ...input, clip: true })
    expect(recordCount).toBeGreaterThan(4000)
    expect(records).toHaveLength(limits.shownRecords)
  })
})

describe.skipIf(!hasRealData)('seven strains of two yeasts', () => {
  const strains = ['S288C', 'SK1', 'Y12', 'YPS128', 'DBVPG6044', 'UWOPS034614', 'CBS432']
  let portal: TestPortal
  beforeAll(async () => {
    portal = await openTestPortal(
      strains.map((id) => ({
        id,
        fasta: { file: join(yeast, `strains/${id}.genome.fa.gz`) },
        gff3: { file: join(yeast, `strains/${id}.all_feature.gff.gz`) },
      })),
    )
  })
  afterAll(() => portal.close())

  test.each(strains)('%s: every protein is the published one, but for at most one gene', async (id) => {
    const published = new Map(
      [...readFasta(unzip(`strains/${id}.pep.fa.gz`))].map(([name, { residues }]) => [
        name.split('|')[1]!,
        residues.replace(/\*$/, ''),
      ]),
    )
    const genes = portal
      .genes(id)
      .filter((gene) => gene.transcripts.some((transcript) => published.has(transcript.id)))
      .map((gene) => gene.id)
    let compared = 0
    const differing: string[] = []
    for (let from = 0; from < genes.length; from += limits.genes) {
      const choice = { assembly: id, genes: genes.slice(from, from + limits.genes), transcripts: 'all' }
      const coding = readFasta(await download(portal, 'fasta', { ...choice, part: 'cds' }))
      for (const { header, residues } of coding.values()) {
        const transcript = /transcript=(\S+)/.exec(header)![1]!
        const expected = published.get(transcript)
        if (expected === undefined) continue
        compared++
        if (translate(residues, { stopHandling: 'trim' }) !== expected) differing.push(transcript)
      }
    }
    expect(compared).toBeGreaterThan(5500)
    expect(compared).toBe(published.size)
    expect(differing.length, differing.join(' ')).toBeLessThanOrEqual(1)
  })
})
