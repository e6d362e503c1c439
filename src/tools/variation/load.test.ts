import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseEffects } from '../../bio/variation/consequences.ts'
import { infoValue } from '../../bio/variation/vcf.ts'
import type { Database } from '../../database/connect.ts'
import { hashId, listVariantSets, readVariants, variantFiles } from '../../kit/data/variant-data.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies } from '../../testing/species.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string

beforeAll(async () => {
  portal = await openEmptyPortal('variants')
  ;({ database, root, dataDir } = portal)
})
afterAll(() => portal?.close())

const bcftools = {
  program: 'bcftools',
  package: 'bcftools',
  versionArguments: ['--version'],
  versionPattern: /bcftools (\S+)/,
}

// chr1: a gene on + with an intron (coding 11..25 and 66..80); bac: one on -, starting with GTG as bacteria may (code 11); mt: one under
// code 3.
const exon1 = 'CATTACATTAATGGCTAAATGGTTA'
const intron = 'GTAAGTTTTTCATTTTCATTTTCATTTTCATTTTCTTTAG'
const exon2 = 'CGTGATGAAACTTAACCCCC'
const minusCoding = 'GTGCATCCATACGGTTCATAA'
const complement = (text: string): string =>
  [...text]
    .reverse()
    .map((base) => 'ACGT'['TGCA'.indexOf(base)])
    .join('')
const chr1 = `${exon1}${intron}${exon2}TTTTTTTTTTCCCCCCCCCC`
const bac = `CCCCCCCCCC${complement(minusCoding)}ACGTTACGAT`
const mt = 'ACGTAATGACATGAATATAATTTTT'
const genome = `>chr1\n${chr1}\n>bac\n${bac}\n>mt\n${mt}\n`
const feature = (
  sequence: string,
  type: string,
  start: number,
  end: number,
  strand: string,
  phase: string,
  more: string,
) => [sequence, '.', type, start, end, '.', strand, phase, more].join('\t')
const gff3 = [
  '##gff-version 3',
  feature('chr1', 'gene', 9, 85, '+', '.', 'ID=plus|1'),
  feature('chr1', 'mRNA', 9, 85, '+', '.', 'ID=plus.t;Parent=plus|1'),
  feature('chr1', 'exon', 9, 25, '+', '.', 'Parent=plus.t'),
  feature('chr1', 'exon', 66, 85, '+', '.', 'Parent=plus.t'),
  feature('chr1', 'CDS', 11, 25, '+', '0', 'ID=c;Parent=plus.t'),
  feature('chr1', 'CDS', 66, 80, '+', '0', 'ID=c;Parent=plus.t'),
  feature('bac', 'gene', 11, 31, '-', '.', 'ID=minus'),
  feature('bac', 'CDS', 11, 31, '-', '0', 'ID=m;Parent=minus'),
  feature('mt', 'gene', 6, 20, '+', '.', 'ID=mito'),
  feature('mt', 'CDS', 6, 20, '+', '0', 'ID=n;Parent=mito'),
  '',
].join('\n')

const columns = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO'
const body = (lines: string[][]): string => lines.map((cells) => `${cells.join('\t')}\n`).join('')
const vcf = (lines: string[][], samples: string[] = ['A', 'B', 'C'], head: string[] = []): string =>
  `${['##fileformat=VCFv4.2', ...head, [columns, ...(samples.length > 0 ? ['FORMAT', ...samples] : [])].join('\t')].join('\n')}\n${body(lines)}`

const makeFolder = (name: string, files: Record<string, string | Buffer>, entries: string[]): string => {
  const folder = join(root, name)
  mkdirSync(folder)
  for (const [file, content] of Object.entries({ 'genome.fa': genome, 'genes.gff3': gff3, ...files }))
    writeFileSync(join(folder, file), content)
  writeFileSync(
    join(folder, 'species.yaml'),
    [
      'novodb: 1',
      `species: ${name}`,
      'name: Made up',
      'assemblies:',
      `  - id: ${name}`,
      '    genome: genome.fa',
      '    genes: genes.gff3',
      '    licence: CC0-1.0',
      '    sequences: [{ name: chr1, aliases: ["1"] }, { name: bac, geneticCode: 11 }, { name: mt, geneticCode: 3 }]',
      '    variants:',
      ...entries.map((entry) => `      - { ${entry} }`),
      '',
    ].join('\n'),
  )
  return folder
}

const load = (folder: string, programs = [bcftools]) =>
  loadTestSpecies(database, dataDir, folder, { requirements: programs })

const messy = vcf([
  // Not in order, and chromosome 1 by its other name.
  ['mt', '12', '.', 'T', 'A', '.', '.', '.', 'GT', '0/1', './.', '1'],
  ['mt', '14', '.', 'A', 'G', '.', '.', '.', 'GT', '0/1', './.', '1'],
  ['mt', '17', '.', 'A', 'AG', '.', '.', '.', 'GT', '0/1', './.', '1'],
  ['1', '17', 'rs17;old17', 'A', 'G,T', '50', 'PASS', 'DP=9;BCSQ=stale|x|y|z', 'GT:DP', '0/1:3', '1|2:4', '.:.'],
  ['1', '13', '.', 'G', 'A', '.', 'low', '.', 'GT', '0/0/1', '0', '0/1'],
  ['1', '26', '.', 'G', 'C', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['1', '22', '.', 'G', 'A', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['1', '68', '.', 'TG', 'T', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['bac', '29', '.', 'C', 'T', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['bac', '31', '.', 'C', 'T', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['bac', '28', '.', 'G', 'T', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['1', '88', '.', 'T', '<DEL>', '.', '.', 'END=94', 'GT', '1/1', '0/0', '0/0'],
  ['1', '89', '.', 'T', '.', '.', '.', '.', 'GT', '0/0', '0/0', '0/0'],
  ['1', '9', '.', 'T', 'TG', '.', '.', '.', 'GT', '0/1', '0/1', '0/1'],
  // The genome has C here, and no such contig at all.
  ['1', '6', '.', 'T', 'G', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['scaffold_9', '6', '.', 'T', 'G', '.', '.', '.', 'GT', '1/1', '0/0', '0/0'],
  ['1', '15', '.', 'C', 'T', '.', '.', '.', 'GT', '0/1', '1/1', './.'],
])

describe('variants of accessions', () => {
  test('a messy file is sorted, named like the genome, told of what is wrong with it, and has its consequences', async () => {
    const folder = makeFolder('messy', { 'v.vcf': messy }, [
      'id: own, name: { en: Own variants, zh: 自有变异 }, file: v.vcf, simulated: true',
    ])
    const report = await load(folder)
    expect(report.defects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'variants-reference-differs',
          severity: 'warning',
          file: 'v.vcf',
          line: 17,
          params: { sequence: 'chr1', position: 6, found: 'T', expected: 'C' },
        }),
        expect.objectContaining({ code: 'track-sequence-unknown', line: 18, params: { name: 'scaffold_9', count: 1 } }),
        expect.objectContaining({ code: 'track-sequence-renamed', params: { from: '1', to: 'chr1' } }),
        expect.objectContaining({ code: 'variants-contig-lines-added' }),
      ]),
    )
    const data = await portal.openData()
    const [set] = await listVariantSets(data, 'messy')
    expect(set).toMatchObject({
      id: 'own',
      samples: ['A', 'B', 'C'],
      sites: 15,
      ploidy: 3,
      phased: 'some',
      hasIds: true,
      leftOut: 2,
      simulated: true,
      hasGenotypes: true,
      sequences: [
        { name: 'chr1', records: 9 },
        { name: 'bac', records: 3 },
        { name: 'mt', records: 3 },
      ],
      types: { snv: 10, insertion: 2, deletion: 1, other: 1 },
    })
    const records = []
    for await (const record of readVariants(set!, null)) records.push(record)
    expect(records.map(({ position1 }) => position1)).toEqual([
      9, 13, 15, 17, 22, 26, 68, 88, 89, 28, 29, 31, 12, 14, 17,
    ])
    const effects = records.map((record) => {
      const value = infoValue(record.info, 'BCSQ')
      return typeof value !== 'string'
        ? ''
        : parseEffects(value, record.position1, record.reference, record.alternates)
            .map((one) => `${one.gene} ${one.consequences.join('&')} ${one.aminoAcids ?? '-'} ${one.allele}`)
            .join('; ')
    })
    expect(effects).toEqual([
      'plus|1 5_prime_utr - 1',
      'plus|1 start_lost - 1',
      'plus|1 missense 2A>2V 1',
      'plus|1 missense 3K>3E 1; plus|1 stop_gained 3K>3* 2',
      'plus|1 stop_gained 4W>4* 1',
      'plus|1 splice_donor - 1',
      'plus|1 frameshift 6RDET*>6RMKL 1',
      '',
      '',
      'minus missense 2H>2N 1',
      // GTA starts no protein; ATG does as GTG did.
      'minus start_lost 1M>1V 1',
      'minus synonymous 1M 1',
      // Under code 3 TGA is tryptophan and ATA methionine: TGG is tryptophan as well.
      'mito missense 3W>3R 1',
      'mito synonymous 3W 1',
      'mito frameshift - 1',
    ])
    const baked = await set!.fetchColumns()
    const whole = join(baked, set!.file)
    expect(execFileSync('bcftools', ['view', '-H', '-r', 'chr1:17-17', whole]).toString()).toContain(
      '\tDP=9;BCSQ=missense',
    )
    const files = variantFiles('own')
    const frequencies = await openMatrix(join(baked, files.frequencies), '<f4')
    expect([...(await frequencies.readCells(0, 4))].map((value) => value.toFixed(4))).toEqual([
      ...['0.5000', '0.3333', '0.7500', '0.7500'],
    ])
    await frequencies.close()
    const ids = await openMatrix(join(baked, files.ids), '<u4')
    const rows = await ids.readRows([0, 1])
    expect(rows.map(([hash, row]) => [hash, row])).toEqual(
      [hashId('rs17'), hashId('old17')].sort((a, b) => a - b).map((hash) => [hash, 3]),
    )
    await ids.close()
    expect(readdirSync(join(baked, 'variants')).sort()).toEqual([
      'own',
      'own.vcf.gz',
      'own.vcf.gz.csi',
      'own.vcf.gz.tbi',
    ])
  })

  test('what bcftools csq says of the file by itself is what is loaded, and BCF and gzip are read like plain text', async () => {
    const sorted = vcf(
      [22, 24, 66, 67, 72].map((position) => {
        const reference = chr1[position - 1]!
        return [
          'chr1',
          String(position),
          '.',
          reference,
          reference === 'A' ? 'C' : 'A',
          '.',
          '.',
          '.',
          'GT',
          '1|0',
          '0|0',
          '0|1',
        ]
      }),
      ['A', 'B', 'C'],
      ['##contig=<ID=chr1,length=105>', '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">'],
    )
    const folder = makeFolder('kinds', { 'v.vcf.gz': gzipSync(sorted), 'plain.vcf': sorted }, [
      'id: gz, name: Compressed, file: v.vcf.gz',
      'id: bcf, name: Binary, file: v.bcf',
    ])
    execFileSync('bcftools', ['view', '-Ob', '-o', join(folder, 'v.bcf'), join(folder, 'plain.vcf')])
    const report = await load(folder)
    expect(report.ok, JSON.stringify(report.defects)).toBe(true)
    const data = await portal.openData()
    const sets = await listVariantSets(data, 'kinds')
    expect(sets.map(({ id, sites, ploidy, phased, leftOut }) => [id, sites, ploidy, phased, leftOut])).toEqual([
      ['gz', 5, 2, 'all', 0],
      ['bcf', 5, 2, 'all', 0],
    ])
    const ensembl = gff3
      .split('\n')
      .filter((line) => line.startsWith('chr1'))
      .join('\n')
      .replaceAll('plus|1', 'g')
      .replace('ID=g', 'ID=gene:g;biotype=protein_coding')
      .replace('ID=plus.t;Parent=g', 'ID=transcript:plus.t;Parent=gene:g;biotype=protein_coding')
      .replaceAll('Parent=plus.t', 'Parent=transcript:plus.t')
    writeFileSync(join(folder, 'by-hand.gff3'), `${ensembl}\n`)
    const byHand = execFileSync(
      'bcftools',
      [
        'csq',
        '-l',
        '-s',
        '-',
        '-f',
        join(folder, 'genome.fa'),
        '-g',
        join(folder, 'by-hand.gff3'),
        join(folder, 'plain.vcf'),
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const valuesOf = (text: string): string[] =>
      text
        .split('\n')
        .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [/BCSQ=([^\t;]*)/.exec(line)?.[1] ?? '']))
    const loaded = execFileSync('bcftools', ['view', join(await sets[1]!.fetchColumns(), sets[1]!.file)])
      .toString()
      .replaceAll('plus%7C1', 'g')
    expect(valuesOf(loaded)).toEqual(valuesOf(byHand.toString()))
    expect(valuesOf(loaded).filter((value) => value !== '')).toHaveLength(5)
  })

  test('a file of another assembly is refused with the counts, and so is one that is no VCF', async () => {
    const others = vcf(
      ['11', '12', '13', '14'].map((position) => ['chr1', position, '.', 'C', 'A', '.', '.', '.', 'GT', '0', '1', '1']),
    )
    const wrong = makeFolder('wrong', { 'v.vcf': others }, ['id: v, name: Wrong, file: v.vcf'])
    const report = await load(wrong)
    expect(report.ok).toBe(false)
    expect(report.defects).toContainEqual(
      expect.objectContaining({ code: 'variants-reference-all-differ', params: { count: 4, total: 4 } }),
    )
    const none = makeFolder('none', { 'v.vcf': 'chromosome,position\n1,2\n' }, ['id: v, name: None, file: v.vcf'])
    expect((await load(none)).defects).toContainEqual(expect.objectContaining({ code: 'variants-file-type', line: 1 }))
    const short = makeFolder('short', { 'v.vcf': messy.trimEnd().replace(/\t[^\t]*$/, '') }, [
      'id: v, name: Short, file: v.vcf',
    ])
    expect((await load(short)).defects).toContainEqual(
      expect.objectContaining({ code: 'variants-columns', line: messy.trimEnd().split('\n').length }),
    )
    const cut = makeFolder('cut', { 'v.vcf.gz': gzipSync(messy).subarray(0, 300) }, [
      'id: v, name: Cut, file: v.vcf.gz',
    ])
    const cutReport = await load(cut)
    expect(cutReport.ok).toBe(false)
    expect(JSON.stringify(cutReport)).toMatch(/cut off/)
  })

  test('without bcftools the variants are there, without consequences, and what to install is told', async () => {
    const folder = makeFolder('bare', { 'v.vcf': messy.replace('GT\t0/0/1\t0\t0/1', 'GT\t0/1\t0\t0/1') }, [
      'id: v, name: Bare, file: v.vcf',
    ])
    const report = await load(folder, [])
    expect(report.ok).toBe(true)
    expect(report.defects).toContainEqual(
      expect.objectContaining({ code: 'program-missing', params: expect.objectContaining({ program: 'bcftools' }) }),
    )
    const [set] = await listVariantSets(await portal.openData(), 'bare')
    expect([set!.sites, set!.consequences]).toEqual([15, null])
  })
})
