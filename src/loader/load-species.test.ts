import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { listActiveSpecies, listLoads, listReleases, rollbackRelease } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { verifyBundle } from '../store/bundle.ts'
import { openTabix } from '../store/tabix-reader.ts'
import { openTestDatabase } from '../testing/database.ts'
import { full, hasRealData, realData } from '../testing/real-data.ts'
import {
  chr1LengthBp,
  loadTestSpecies,
  madeProteins,
  makeGenome,
  makeGff3,
  makeSpeciesFolder,
} from '../testing/species.ts'
import type { LoadReport } from './load-species.ts'

const messy = join(import.meta.dirname, '../bio/annotation/fixtures/messy')
const messyFile = (name: string) => readFileSync(join(messy, name))

const systemTemporary = tmpdir()

let database: Database
let root: string
let dataDir: string
let folder: string
let folders = 0

const open = async () => {
  database = await openTestDatabase({ max: 16 })
  root = mkdtempSync(join(tmpdir(), 'novodb-loading-'))
  dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  // A place of its own for what is passing: other processes load too, in the system's.
  const passing = join(root, 'passing')
  mkdirSync(passing)
  vi.stubEnv('TMPDIR', passing)
}
const close = async () => {
  vi.unstubAllEnvs()
  await database.close()
  rmSync(root, { recursive: true, force: true })
}
const nextFolder = () => {
  folders += 1
  return join(root, `species-${folders}`)
}
const load = (from = folder, options: Parameters<typeof loadTestSpecies>[3] = {}) =>
  loadTestSpecies(database, dataDir, from, options)

const defectsOf = (report: LoadReport) =>
  report.defects.filter(({ severity }) => severity === 'error').map(({ code, file, line }) => ({ code, file, line }))

const activeBundle = async (assembly = 'TM1') => {
  const found = (await listActiveSpecies(database.sql))
    .flatMap((species) => species.bundles)
    .find((bundle) => bundle.assembly === assembly)
  if (found === undefined) throw new Error(`${assembly} is not in service`)
  return { ...found, folder: join(dataDir, 'bundles', found.uid) }
}

/** Numbers of bundles that have tables, folders of bundles, and staged folders, beside the rows that account for them. */
const inventory = async () => {
  const { sql } = database
  const rows = await sql<{ id: number; uid: string }[]>`select id, uid from bundles order by id`
  const tables = await sql<{ number: number; count: number }[]>`
    select substring(tablename from '_([0-9]+)$')::int as number, count(*)::int as count from pg_tables
    where schemaname = current_schema() and tablename ~ '_[0-9]+$' and tablename !~ '^(job|archive)' group by 1 order by 1`
  // What is computed over all assemblies has tables of its own, and others than an assembly.
  const computed = new Set(
    (await sql<{ bundle: number }[]>`select bundle from portal_bundles`).map((row) => row.bundle),
  )
  const list = (name: string) => (existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)) : [])
  return {
    rows: rows.map((row) => row.id),
    tables: tables.map((row) => row.number),
    tableCounts: [...new Set(tables.filter((row) => !computed.has(row.number)).map((row) => row.count))],
    uids: rows.map((row) => row.uid).sort(),
    folders: list('bundles').sort(),
    staging: list('staging'),
    scratch: readdirSync(tmpdir()).filter((name) => name.startsWith('novodb-load-')).length,
  }
}

/** Every table, row and folder belongs to a sealed bundle, and nothing is half made. */
const expectNothingHalfMade = async () => {
  const found = await inventory()
  expect(found.tables).toEqual(found.rows)
  expect(found.tableCounts.length).toBeLessThanOrEqual(1)
  expect(found.folders).toEqual(found.uids)
  expect(found.staging).toEqual([])
  const running = (await listLoads(database.sql, 50)).filter((row) => row.state === 'running')
  expect(running).toEqual([])
}

const readFasta = (file: string): Map<string, string> =>
  new Map(
    gunzipSync(readFileSync(file))
      .toString('latin1')
      .split(/^>/m)
      .slice(1)
      .map((record) => {
        const end = record.indexOf('\n')
        return [record.slice(0, end).split(' ')[0]!, record.slice(end + 1).replaceAll('\n', '')]
      }),
  )

const tabixLines = async (file: string, name: string, start0: number, end0: number): Promise<string[]> => {
  const tabix = await openTabix(file)
  try {
    const lines: string[] = []
    for await (const line of tabix.lines(name, start0, end0)) lines.push(String(line))
    return lines
  } finally {
    await tabix.close()
  }
}

describe('a species folder made by hand, loaded whole', () => {
  let report: LoadReport
  beforeAll(async () => {
    await open()
    folder = makeSpeciesFolder(nextFolder())
    report = await load(folder, { engines: true })
  })
  afterAll(close)

  test('is in service as release 1, with what was mended said and no error', () => {
    expect(report).toMatchObject({ ok: true, release: 1, species: 'testus-minimus', failure: null })
    expect(report.assemblies).toMatchObject([{ assembly: 'TM1', reused: false, genes: 5, lengthBp: 3600 }])
    expect(defectsOf(report)).toEqual([])
    const codes = report.defects.map(({ code, file, line }) => `${code} ${file}:${line}`)
    expect(codes).toContain('model-sequence-renamed genes.gff3:null')
    expect(codes).toContain('annotation-unknown-gene go.tsv:4')
    expect(codes).toContain('annotation-alternative-term go.tsv:1')
  })

  test('has its genes with exons and protein lengths, placed under the name that the genome uses', async () => {
    const { bundle } = await activeBundle()
    const { sql } = database
    const genes = await sql`
      select id, symbol, sequence, start1, end1, strand, protein_length, aliases from ${sql(`genes_${bundle}`)} order by position`
    expect([...genes]).toEqual([
      {
        id: 'TM_0001',
        symbol: 'abcA',
        sequence: 'chr1',
        start1: 101,
        end1: 260,
        strand: '+',
        protein_length: 39,
        aliases: [],
      },
      {
        id: 'TM_0002',
        symbol: 'kinB',
        sequence: 'chr1',
        start1: 501,
        end1: 650,
        strand: '-',
        protein_length: 49,
        aliases: ['oldB', 'shared1'],
      },
      {
        id: 'TM_0003',
        symbol: null,
        sequence: 'chr1',
        start1: 901,
        end1: 980,
        strand: '+',
        protein_length: null,
        aliases: ['shared1'],
      },
      {
        id: 'TM_0004',
        symbol: 'repW',
        sequence: 'pT',
        start1: 101,
        end1: 160,
        strand: '+',
        protein_length: 19,
        aliases: [],
      },
      {
        id: 'TM_0005',
        symbol: 'oriX',
        sequence: 'pT',
        start1: 571,
        end1: 630,
        strand: '+',
        protein_length: 19,
        aliases: [],
      },
    ])
    const sequences = await sql`
      select name, length_bp::int as bp, circular, genetic_code, gene_count, role, aliases from ${sql(`sequences_${bundle}`)} order by position`
    expect([...sequences]).toEqual([
      {
        name: 'chr1',
        bp: 3000,
        circular: false,
        genetic_code: 11,
        gene_count: 3,
        role: 'chromosome',
        aliases: ['1', 'Chromosome_1'],
      },
      { name: 'pT', bp: 600, circular: true, genetic_code: 4, gene_count: 2, role: 'plasmid', aliases: [] },
    ])
  })

  test('finds a gene by identifier, symbol, alias, transcript and protein', async () => {
    const { bundle } = await activeBundle()
    const { sql } = database
    const names = await sql<{ name: string; kind: number; id: string }[]>`
      select name, kind, id from ${sql(`search_names_${bundle}`)} where id in ('TM_0001', 'TM_0002') order by id, kind, name`
    expect(names.map(({ name, kind, id }) => `${id} ${kind} ${name}`)).toEqual([
      'TM_0001 0 tm_0001',
      'TM_0001 1 abca',
      'TM_0001 3 tm_0001.1',
      'TM_0001 3 tmp_1.1',
      'TM_0002 0 tm_0002',
      'TM_0002 1 kinb',
      'TM_0002 2 oldb',
      'TM_0002 2 shared1',
      'TM_0002 3 tm_0002.1',
    ])
    const [entry] = await sql<{ label: string; description: string }[]>`
      select label, description from ${sql(`search_entries_${bundle}`)} where words @@ to_tsquery('simple', 'proton') and type = 'gene'`
    expect(entry).toEqual({ label: 'abcA', description: 'ATPase subunit alpha of the proton pump' })
  })

  test('gives terms to genes once, whichever of their names the table used, under the primary identifier', async () => {
    const { bundle } = await activeBundle()
    const { sql } = database
    const terms = await sql<{ gene: string; source: string; term: string }[]>`
      select gene, source, term from ${sql(`gene_terms_${bundle}`)} order by gene`
    expect([...terms]).toEqual([
      { gene: 'TM_0001', source: 'GO', term: 'GO:0000002' },
      { gene: 'TM_0002', source: 'GO', term: 'GO:0000003' },
    ])
    const ancestors = await sql<{ term: string; ancestors: string[] }[]>`
      select term, ancestors from terms where term = 'GO:0000002'`
    expect(ancestors[0]?.ancestors).toContain('GO:0000001')
  })

  test('seals files whose checksums hold', async () => {
    const { folder: bundleFolder, summary } = await activeBundle()
    expect(await verifyBundle(bundleFolder)).toEqual([])
    expect(summary.files.length).toBeGreaterThan(15)
    for (const file of summary.files) {
      const content = readFileSync(join(bundleFolder, file.path))
      expect([file.path, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
        file.path,
        file.bytes,
        file.sha256,
      ])
    }
  })

  test('translates with the code of each sequence, over splice sites, the reverse strand and the origin of a plasmid', async () => {
    const { folder: bundleFolder } = await activeBundle()
    expect(Object.fromEntries(readFasta(join(bundleFolder, 'proteins.fa.gz')))).toEqual({
      'TM_0001.1': madeProteins.abcA,
      'TM_0002.1': madeProteins.kinB,
      'TM_0004.1': madeProteins.repW.toUpperCase(),
      'TM_0005.1': madeProteins.oriX,
    })
    const transcripts = readFasta(join(bundleFolder, 'transcripts.fa.gz'))
    expect(transcripts.get('TM_0001.1')).toHaveLength(120)
    expect(transcripts.get('TM_0003.1')).toHaveLength(80)
  })

  test('bakes gene models that the portal, tabix and samtools read alike', async () => {
    const { folder: bundleFolder } = await activeBundle()
    const file = join(bundleFolder, 'genes.gff3.gz')
    const own = await tabixLines(file, 'chr1', 0, 300)
    expect(own.map((line) => line.split('\t')[2])).toEqual(['gene', 'mRNA', 'exon', 'CDS', 'exon', 'CDS'])
    const theirs = execFileSync('tabix', [file, 'chr1:1-300']).toString().trim().split('\n')
    expect(own).toEqual(theirs)
    const bases = execFileSync('samtools', ['faidx', join(bundleFolder, 'genome.fa.gz'), 'chr1:101-103']).toString()
    expect(bases.split('\n')[1]?.toUpperCase()).toBe('ATG')
  })

  test('gives the genome browser a gene over the origin in two parts, and the download the one of the GFF3 specification', async () => {
    const { folder: bundleFolder } = await activeBundle()
    const download = gunzipSync(readFileSync(join(bundleFolder, 'genes.gff3.gz'))).toString()
    expect(download.match(/\t571\t630\t/g)).toHaveLength(4)
    const file = join(bundleFolder, 'genes.browser.gff3.gz')
    const placed = (lines: string[]) => lines.map((line) => line.split('\t').slice(2, 8).join(' '))
    // 60 bases from 571 on are 30 before the origin and 30 behind it: ten whole codons each.
    expect(placed(await tabixLines(file, 'pT', 0, 40))).toEqual([
      'gene 1 30 . + .',
      'mRNA 1 30 . + .',
      'exon 1 30 . + .',
      'CDS 1 30 . + 0',
    ])
    expect(placed(await tabixLines(file, 'pT', 590, 600))).toEqual([
      'gene 571 600 . + .',
      'mRNA 571 600 . + .',
      'exon 571 600 . + .',
      'CDS 571 600 . + 0',
    ])
    const behind = await tabixLines(file, 'pT', 0, 40)
    expect(behind[0]).toContain('gene_id=TM_0005')
    expect(behind[0]).toContain('ID=TM_0005.origin')
    // Every other gene is the same in both.
    expect(await tabixLines(file, 'chr1', 0, chr1LengthBp)).toEqual(
      await tabixLines(join(bundleFolder, 'genes.gff3.gz'), 'chr1', 0, chr1LengthBp),
    )
  })

  test('puts tracks of other sequence names on the right sequence, sorted and indexed', async () => {
    const { folder: bundleFolder, bundle } = await activeBundle()
    expect(await tabixLines(join(bundleFolder, 'tracks/peaks.bed.gz'), 'chr1', 0, chr1LengthBp)).toEqual([
      'chr1\t100\t260\tpeak1',
      'chr1\t900\t980\tpeak2',
    ])
    expect((await tabixLines(join(bundleFolder, 'tracks/snps.vcf.gz'), 'chr1', 119, 120))[0]).toMatch(
      /^chr1\t120\trs1\t/,
    )
    expect((await tabixLines(join(bundleFolder, 'tracks/repeats.gff3.gz'), 'chr1', 1500, 1501))[0]).toMatch(/ID=r1/)
    const { sql } = database
    const tracks = await sql<
      { id: string }[]
    >`select id from ${sql(`records_${bundle}`)} where kind = 'track' order by position`
    expect(tracks.map((row) => row.id)).toEqual(['peaks', 'snps', 'repeats'])
  })

  test('keeps references, downloads with title and licence, and BLAST databases that blastdbcmd opens', async () => {
    const { sql } = database
    const [reference] = await sql<{ id: string; data: { year: number | string } }[]>`
      select id, data from records where kind = 'reference'`
    expect(reference?.id).toBe('Meyer2019')
    const { folder: bundleFolder, summary } = await activeBundle()
    const notes = summary.files.find((file) => file.path === 'notes.txt')
    expect(notes?.download).toMatchObject({ title: { en: 'Notes', zh: '说明' }, licence: 'CC0-1.0', simulated: false })
    expect(readFileSync(join(bundleFolder, 'notes.txt'), 'utf8')).toBe('Made by hand.\n')
    expect(summary.dataTypes).toMatchObject({
      genome: 2,
      genes: 5,
      proteins: 4,
      tracks: 3,
      downloads: 1,
      'annotation:GO': 2,
    })
    expect(summary.dataTypes).toMatchObject({ 'blast-genome': 2, 'blast-protein': 4 })
    const info = execFileSync('blastdbcmd', ['-db', join(bundleFolder, 'blast/protein'), '-info']).toString()
    expect(info).toMatch(/4 sequences; 126 total residues/)
  })

  test('loaded again unchanged is the same release, nothing baked', async () => {
    const before = await inventory()
    const again = await load(folder, { engines: true })
    expect(again).toMatchObject({ ok: true, release: 1, assemblies: [{ assembly: 'TM1', reused: true }] })
    expect(await inventory()).toEqual(before)
    expect(await listReleases(database.sql)).toHaveLength(1)
  })

  test('loaded with a changed gene file is release 2; roll-back serves release 1 again, and its files are still there', async () => {
    const first = await activeBundle()
    makeSpeciesFolder(folder, {
      files: { 'genes.gff3': makeGff3(['chr1	x	gene	1201	1290	.	+	.	ID=TM_0006;Name=newG']) },
    })
    expect(await load(folder, { engines: true })).toMatchObject({ ok: true, release: 2 })
    const second = await activeBundle()
    expect(second.uid).not.toBe(first.uid)
    expect(second.summary.geneCount).toBe(6)
    expect(await verifyBundle(first.folder)).toEqual([])
    expect(await rollbackRelease(database.sql, 'testus-minimus')).toBe(1)
    expect((await activeBundle()).uid).toBe(first.uid)
    expect((await activeBundle()).summary.geneCount).toBe(5)
    await expectNothingHalfMade()
  })
})

describe('a load without the programs that databases are made by', () => {
  beforeAll(open)
  afterAll(close)

  test('keeps no file of its bundle open', async () => {
    const report = await load(makeSpeciesFolder(nextFolder()))
    expect(report.ok).toBe(true)
    expect(report.defects.map(({ code }) => code)).toContain('program-missing')
    // Linux lists what a process has open; elsewhere there is nothing to look at.
    if (!existsSync('/proc/self/fd')) return
    const opened = readdirSync('/proc/self/fd').flatMap((number) => {
      try {
        return [readlinkSync(`/proc/self/fd/${number}`)]
      } catch {
        return []
      }
    })
    expect(opened.filter((path) => path.startsWith(dataDir))).toEqual([])
  })
})

describe('a load that cannot be', () => {
  beforeAll(async () => {
    await open()
    folder = makeSpeciesFolder(nextFolder())
    expect(await load()).toMatchObject({ ok: true, release: 1 })
    const other = makeSpeciesFolder(nextFolder(), { species: 'alter-minimus', assembly: 'AM1' })
    expect(await load(other)).toMatchObject({ ok: true, release: 1 })
  })
  afterAll(close)

  const packed = gzipSync(makeGff3())
  const trackOf = (line: string) => `      - ${line}\n`
  const cases: {
    what: string
    files?: Record<string, string | Uint8Array | null>
    edit?: (yaml: string) => string
    assembly?: string
    defect: { code: string; file: string; line: number | null }
  }[] = [
    {
      what: 'a gene that starts at 0',
      files: { 'genes.gff3': makeGff3(['chr1	x	gene	0	40	.	+	.	ID=g0']) },
      defect: { code: 'gff-start-zero', file: 'genes.gff3', line: 21 },
    },
    {
      what: 'a coordinate that is no number',
      files: { 'genes.gff3': makeGff3(['chr1	x	gene	ten	40	.	+	.	ID=g0']) },
      defect: { code: 'gff-bad-coordinate', file: 'genes.gff3', line: 21 },
    },
    {
      what: 'genes of another genome',
      files: { 'genes.gff3': messyFile('other-genome.gff3') },
      defect: { code: 'model-sequences-all-unknown', file: 'genes.gff3', line: null },
    },
    {
      what: 'a web page for an annotation',
      files: { 'genes.gff3': messyFile('web-page.gff3') },
      defect: { code: 'text-html', file: 'genes.gff3', line: 1 },
    },
    {
      what: 'the same gene file twice',
      edit: (text) => text.replace('genes: genes.gff3', 'genes: [genes.gff3, ./genes.gff3]'),
      defect: { code: 'genes-in-two-files', file: './genes.gff3', line: null },
    },
    {
      what: 'a gene file that is not there',
      files: { 'genes.gff3': null },
      defect: { code: 'file-missing', file: 'genes.gff3', line: null },
    },
    {
      what: 'a genome of no bytes',
      files: { 'genome.fa': '' },
      defect: { code: 'file-empty', file: 'genome.fa', line: null },
    },
    {
      what: 'a genome of blank lines',
      files: { 'genome.fa': messyFile('blank.fa') },
      defect: { code: 'fasta-no-sequences', file: 'genome.fa', line: null },
    },
    {
      what: 'a letter that is no base',
      files: { 'genome.fa': messyFile('illegal-letter.fa') },
      defect: { code: 'fasta-illegal-character', file: 'genome.fa', line: 3 },
    },
    {
      what: 'two sequences of one name',
      files: { 'genome.fa': messyFile('duplicate-name.fa') },
      defect: { code: 'fasta-duplicate-name', file: 'genome.fa', line: 5 },
    },
    {
      what: 'a gzip genome that was cut off',
      files: { 'genome.fa': gzipSync('>chr1\n'.concat('ACGT'.repeat(5000), '\n')).subarray(0, 40) },
      defect: { code: 'file-damaged', file: 'genome.fa', line: null },
    },
    {
      what: 'a gzip gene file that was cut off',
      files: { 'genes.gff3': packed.subarray(0, packed.length - 100) },
      defect: { code: 'file-damaged', file: 'genes.gff3', line: null },
    },
    {
      what: 'a manifest that is no YAML',
      edit: (text) => text.replace('licence: CC0-1.0', 'licence: "CC0-1.0'),
      defect: { code: 'manifest-unreadable', file: 'species.yaml', line: expect.any(Number) as number },
    },
    {
      what: 'an entry that nobody takes',
      edit: (text) => text.replace('    genome: genome.fa', '    genome: genome.fa\n    genom: x.fa'),
      defect: { code: 'manifest-entry-misspelt', file: 'species.yaml', line: 14 },
    },
    {
      what: 'an assembly named as another species has one',
      assembly: 'AM1',
      defect: { code: 'manifest-assembly-taken', file: 'species.yaml', line: null },
    },
    {
      what: 'an annotation of no known format, met after the genes',
      files: { 'go.tsv': 'onecolumn\n' },
      edit: (text) => text.replace('format: table, ', ''),
      defect: { code: 'annotation-format-unknown', file: 'go.tsv', line: null },
    },
    {
      what: 'a BigWig that is text, met when every gene is in its table',
      edit: (text) =>
        text.replace(
          '    downloads:',
          `${trackOf('{ id: signal, name: Signal, file: notes.txt, type: bigwig }')}    downloads:`,
        ),
      defect: { code: 'file-damaged', file: 'notes.txt', line: null },
    },
  ]

  test.each(cases)('$what: refused with file and line, nothing left, the release before serving', async (one) => {
    const before = await inventory()
    const served = await activeBundle()
    const broken = makeSpeciesFolder(nextFolder(), { files: one.files, assembly: one.assembly })
    if (one.edit) {
      const file = join(broken, 'species.yaml')
      const text = readFileSync(file, 'utf8')
      const edited = one.edit(text)
      expect(edited).not.toBe(text)
      makeSpeciesFolder(broken, { files: { ...one.files, 'species.yaml': edited } })
    }
    const report = await load(broken)
    expect(report).toMatchObject({ ok: false, release: null, failure: null })
    expect(defectsOf(report)).toContainEqual({ ...one.defect, line: one.defect.line ?? expect.toSatisfy(() => true) })
    await expectNothingHalfMade()
    const after = await inventory()
    expect(after.scratch).toBe(before.scratch)
    expect((await activeBundle()).uid).toBe(served.uid)
    expect(await listReleases(database.sql, 'testus-minimus')).toHaveLength(1)
  })

  test('a GenBank plasmid is loaded with a gene over its origin in two exons: the LOCUS line alone says that it is a circle', async () => {
    const own = makeSpeciesFolder(nextFolder(), { species: 'origin-join', assembly: 'OJ1' })
    const manifest = parse(readFileSync(join(own, 'species.yaml'), 'utf8'))
    const { pT } = makeGenome()
    // The bases of oriX from the middle on are moved 15 bases downstream: an intron over the origin.
    const gene = pT.slice(570) + pT.slice(0, 30)
    const bases = [...pT]
    const place = (start1: number, text: string) => {
      for (const [at, base] of [...text].entries()) bases[(start1 - 1 + at) % pT.length] = base
    }
    place(556, gene.slice(0, 36))
    place(7, gene.slice(36))
    writeFileSync(join(own, 'genome.fa'), `>pT\n${bases.join('')}\n`)
    writeFileSync(
      join(own, 'genes.gb'),
      `LOCUS       pT 600 bp DNA circular BCT 01-JAN-2026
ACCESSION   pT
FEATURES             Location/Qualifiers
     gene            join(556..600,1..30)
                     /locus_tag="OJ_1"
     CDS             join(556..591,7..30)
                     /locus_tag="OJ_1"
     gene            join(595..600,1..6)
                     /locus_tag="OJ_2"
     CDS             join(595..600,1..6)
                     /locus_tag="OJ_2"
ORIGIN
        1 ${bases.join('').toLowerCase()}
//
`,
    )
    const assembly = { id: 'OJ1', genome: 'genome.fa', genes: 'genes.gb', geneticCode: 4 }
    const { novodb, species, name } = manifest
    writeFileSync(join(own, 'species.yaml'), stringify({ novodb, species, name, assemblies: [assembly] }))
    const report = await load(own)
    expect(defectsOf(report)).toEqual([])
    expect(report.totals.find(({ code }) => code === 'model-crosses-origin')?.count).toBe(2)
    const bundle = await activeBundle('OJ1')
    expect(bundle.summary.sequences.map((sequence) => [sequence.name, sequence.circular])).toEqual([['pT', true]])
    expect(readFasta(join(bundle.folder, 'proteins.fa.gz')).get('OJ_1.t1')).toBe(madeProteins.oriX)
    const placed = (await tabixLines(join(bundle.folder, 'genes.browser.gff3.gz'), 'pT', 0, 40)).map((line) =>
      line.split('\t').slice(2, 5).join(' '),
    )
    expect(placed).toContain('CDS 7 30')
    expect(placed).toContain('CDS 1 6')
  })
  test('messy gene files that can be mended are loaded: old Macintosh line ends, GFF2 lines, spans alone', async () => {
    const genome = `>c1\n${'ACGTTGCA'.repeat(200)}\n`
    for (const [number, name] of ['old-mac.gff3', 'gff2-lines-among-gff3.gff3', 'gene-span-only.gff3'].entries()) {
      const mended = makeSpeciesFolder(nextFolder(), {
        files: {
          'species.yaml': `novodb: 1\nspecies: messy-${number}\nname: Messy\nassemblies:\n  - id: M${number}\n    genome: genome.fa\n    genes: genes.gff3\n`,
          'genome.fa': genome,
          'genes.gff3': messyFile(name),
        },
      })
      const report = await load(mended)
      expect([name, defectsOf(report), report.failure]).toEqual([name, [], null])
      expect(report.assemblies[0]?.genes).toBeGreaterThan(0)
    }
    await expectNothingHalfMade()
  })
})

describe('a load that is stopped', () => {
  beforeAll(async () => {
    await open()
    folder = makeSpeciesFolder(nextFolder())
    await load()
    makeSpeciesFolder(folder, { files: { 'genes.gff3': makeGff3(['chr1	x	gene	1201	1290	.	+	.	ID=TM_0006']) } })
  })
  afterAll(close)

  test.each(['genome', 'products', 'catalogue', 'indexes'])(
    'by its administrator at "%s" leaves nothing and the old release',
    async (step) => {
      const served = await activeBundle()
      const controller = new AbortController()
      const stopped = load(folder, {
        signal: controller.signal,
        onProgress: (name) => {
          if (name.endsWith(`: ${step}`)) controller.abort(new Error('interrupted'))
        },
      })
      await expect(stopped).rejects.toThrow('Stopped: nothing was changed, the release before stays in service.')
      await expectNothingHalfMade()
      expect((await activeBundle()).uid).toBe(served.uid)
    },
  )

  if (full)
    test('by kill -9 leaves the old release, and the next load clears away what was half made', async () => {
      const served = await activeBundle()
      const earlier = (await listLoads(database.sql, 50)).map((row) => row.state)
      const name = (await database.sql<{ name: string }[]>`select current_database() as name`)[0]!.name
      const entry = fileURLToPath(new URL('fixtures/load-process.mjs', import.meta.url))
      const child = spawn(
        process.execPath,
        [entry, JSON.stringify({ database: name, dataDir, folder, dieAt: 'TM1: indexes' })],
        {
          stdio: ['ignore', 'inherit', 'inherit'],
          // Where the tests' database server is found.
          env: { ...process.env, TMPDIR: systemTemporary },
        },
      )
      const signal = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)))
      expect(signal).toBe('SIGKILL')
      const left = await inventory()
      expect(left.tables.length).toBeGreaterThan(left.rows.length)
      expect(left.staging).toHaveLength(1)
      expect((await activeBundle()).uid).toBe(served.uid)
      expect(await load()).toMatchObject({ ok: true, release: 2 })
      await expectNothingHalfMade()
      const states = (await listLoads(database.sql, 50)).map((row) => row.state)
      expect(states).toEqual(['done', 'failed', ...earlier])
    })
})

describe.skipIf(!hasRealData)('the yeast genome R64', () => {
  beforeAll(open)
  afterAll(close)

  test('has 6,241 genes, 5,816 of them coding, and the proteins that its curators publish', {
    timeout: 300_000,
  }, async () => {
    const { makeYeastFolder } = await import('../../demo/yeast-manifest.ts')
    folder = nextFolder()
    await makeYeastFolder(realData, folder, { assemblies: ['R64'] })
    // The genome and its genes; what else the folder has is loaded by the tests of what reads it.
    const manifest = parse(readFileSync(join(folder, 'species.yaml'), 'utf8')) as { assemblies: object[] }
    const kept = ['id', 'genome', 'genes', 'sequences', 'geneticCode', 'reference']
    const bare = {
      ...Object.fromEntries(Object.entries(manifest).filter(([key]) => ['novodb', 'species', 'name'].includes(key))),
      assemblies: manifest.assemblies.map((assembly) =>
        Object.fromEntries(Object.entries(assembly).filter(([key]) => kept.includes(key))),
      ),
    }
    writeFileSync(join(folder, 'species.yaml'), stringify(bare))
    const report = await load()
    expect([defectsOf(report), report.failure]).toEqual([[], null])
    const { summary, folder: bundleFolder } = await activeBundle('R64')
    expect([summary.geneCount, summary.codingGeneCount]).toEqual([6241, 5816])
    const own = readFasta(join(bundleFolder, 'proteins.fa.gz'))
    const published = findProteome(realData)
    const ofGene = (id: string) => own.get(id) ?? own.get(`${id}_mRNA`) ?? own.get(`${id}.t1`)
    const same = (id: string, start: number) =>
      ofGene(id)?.slice(start) === published.get(id)!.replace(/\*$/, '').slice(start)
    const ids = [...published.keys()]
    // Q…: genes of the mitochondrion, read with code 3.
    expect([
      ids.filter((id) => same(id, 0)).length,
      ids.filter((id) => id.startsWith('Q') && same(id, 0)).length,
    ]).toEqual([5774, 8])
  })
})

const findProteome = (sharedDir: string): Map<string, string> => {
  const found = readdirSync(join(sharedDir, 'yeast'), { recursive: true, encoding: 'utf8' }).find((name) =>
    /SGDref\.PoFF\.faa(\.gz)?$/.test(name),
  )
  if (found === undefined) throw new Error('the published proteome is not there')
  const bytes = readFileSync(join(sharedDir, 'yeast', found))
  const text = (found.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
  return new Map(
    text
      .split(/^>/m)
      .slice(1)
      .map((record) => {
        const end = record.indexOf('\n')
        return [record.slice(0, end).split(/\s/)[0]!, record.slice(end + 1).replace(/\s/g, '')]
      }),
  )
}
