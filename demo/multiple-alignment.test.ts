import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { AlignedGenomes, countBases } from './aligned-genomes.ts'
import { AlignmentCoverage } from './alignment-coverage.ts'
import { PafCollector } from './alignment-paf.ts'
import { VariantWriter } from './alignment-variants.ts'
import type { CodingGene } from './coding-genes.ts'
import { GeneProjection } from './gene-projection.ts'
import { type AlignmentRow, readAlignment } from './multiple-alignment.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'alignment-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function blocksOf(text: string | Buffer, name = 'small.maf'): Promise<AlignmentRow[][]> {
  const file = join(directory, name)
  await writeFile(file, text)
  const blocks: AlignmentRow[][] = []
  for await (const block of readAlignment(file)) blocks.push(block)
  return blocks
}

// Three genomes; the second row of block 2 lies on the reverse strand of its contig, which is 30 bases long.
const small = `##maf version=1
# made by hand
a score=1
s Ref.chr1   0 10 + 40 ACGTacgt--AC
s Two.c1     5 11 + 30 ACTTacgtGGA-
s Three.c.9  0  4 + 20 --------NNAC

a score=2
s Ref.chr1  12  6 + 40 TTGGCC
s Two.c1     8  6 - 30 TTGACA
i Two.c1 C 0 C 0

a score=3
s Ref.chr2   3  4 + 20 GATT
s Two.c1    20  4 + 30 GCTT
s Three.c.9 10  4 - 20 GATT
`

test('rows of a multiple alignment keep genome, contig, strand and columns', async () => {
  const blocks = await blocksOf(small)
  expect(blocks.map((block) => block.map(({ genome, sequence }) => `${genome}/${sequence}`))).toEqual([
    ['Ref/chr1', 'Two/c1', 'Three/c.9'],
    ['Ref/chr1', 'Two/c1'],
    ['Ref/chr2', 'Two/c1', 'Three/c.9'],
  ])
  expect(blocks[1]![1]).toMatchObject({ start0: 8, sizeBp: 6, strand: '-', lengthBp: 30 })
  expect(blocks[0]![1]!.text.toString()).toBe('ACTTacgtGGA-')
})

test('blocks read the same from gzip, with CRLF, without an empty line at the end, and over chunk borders', async () => {
  const plain = (await blocksOf(small)).flat().map(({ text, ...row }) => [text.toString(), row])
  const again = async (text: string | Buffer, name: string) =>
    (await blocksOf(text, name)).flat().map(({ text: columns, ...row }) => [columns.toString(), row])
  expect(await again(gzipSync(small), 'small.maf.gz')).toEqual(plain)
  expect(await again(small.replaceAll('\n', '\r\n'), 'crlf.maf')).toEqual(plain)
  expect(await again(small.trimEnd(), 'unended.maf')).toEqual(plain)
  const wide = 'ACGT'.repeat(400_000)
  const [[row]] = (await blocksOf(`a\ns A.x 0 ${wide.length} + ${wide.length} ${wide}\n`, 'wide.maf')) as [
    [AlignmentRow],
  ]
  expect(row.text.toString() === wide).toBe(true)
})

test('a row that is none is named by its line', async () => {
  await expect(blocksOf('a\ns NoDot 0 4 + 20 GATT\n')).rejects.toThrow(/line 2/)
  await expect(blocksOf('a\n\na\ns A.x 0 4 ? 20 GATT\n')).rejects.toThrow(/line 4/)
})

test('genomes are put together from both strands, N where nothing aligned, soft masking kept', async () => {
  const genomes = new AlignedGenomes()
  for (const block of await blocksOf(small)) for (const row of block) genomes.add(row)
  const two = new Map(genomes.list('Two')).get('c1')!
  // Reverse strand start 8 of 6 in 30: forward bases 17 to 22 (1-based); bases 21 to 24 are then aligned by block 3.
  expect(two).toBe(`NNNNNACTTacgtGGATGTCGCTTNNNNNN`)
  expect(two.slice(16, 20)).toBe(reverseComplement('TTGACA').slice(0, 4))
  expect([...genomes.list('Three')]).toEqual([['c.9', 'NNACNNAATCNNNNNNNNNN']])
  expect(countBases(genomes.list('Three'))).toEqual({ sequences: 1, lengthBp: 20, unknownBp: 14 })
})

test('single-base differences become VCF sites, chromosomes in order, gaps and N as missing genotypes', async () => {
  const chromosomes = new Map([
    ['chr2', 20],
    ['chr1', 40],
  ])
  const file = join(directory, 'small.vcf.gz')
  const writer = new VariantWriter(file, ['Ref', 'Two', 'Three'], chromosomes)
  for (const block of await blocksOf(small)) await writer.add(block)
  expect(await writer.finish('test')).toBe(4)
  const text = gunzipSync(await readFile(file)).toString()
  expect(text.split('\n').filter((line) => line && !line.startsWith('##'))).toEqual([
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tRef\tTwo\tThree',
    'chr2\t5\t.\tA\tC\t.\tPASS\t.\tGT\t0\t1\t0',
    'chr1\t3\t.\tG\tT\t.\tPASS\t.\tGT\t0\t1\t.',
    'chr1\t16\t.\tG\tA\t.\tPASS\t.\tGT\t0\t1\t.',
    'chr1\t18\t.\tC\tA\t.\tPASS\t.\tGT\t0\t1\t.',
  ])
})

test('a third base at a site is a second alternative allele, and soft masking is no difference', async () => {
  const chromosomes = new Map([['chr1', 40]])
  const file = join(directory, 'triallelic.vcf.gz')
  const writer = new VariantWriter(file, ['Ref', 'Two', 'Three'], chromosomes)
  const text = 'a\ns Ref.chr1 0 4 + 40 acgt\ns Two.c 0 4 + 9 ATGT\ns Three.c 0 4 + 9 AAGT\n'
  for (const block of await blocksOf(text)) await writer.add(block)
  expect(await writer.finish('test')).toBe(1)
  expect(
    gunzipSync(await readFile(file))
      .toString()
      .trim()
      .split('\n')
      .at(-1),
  ).toBe('chr1\t2\t.\tC\tA,T\t.\tPASS\t.\tGT\t0\t2\t1')
})

test('coverage counts aligned bases, not gaps and not N', async () => {
  const chromosomes = new Map([
    ['chr1', 40],
    ['chr2', 20],
  ])
  const coverage = new AlignmentCoverage(['Two', 'Three'], chromosomes)
  for (const block of await blocksOf(small)) coverage.add(block)
  expect(coverage.count('chr1', [{ start1: 1, end1: 10 }])).toEqual([9, 2])
  expect(coverage.count('chr1', [{ start1: 9, end1: 18 }])).toEqual([7, 2])
  expect(coverage.count('chr2', [{ start1: 4, end1: 7 }])).toEqual([4, 4])
})

test('pairwise blocks that follow each other closely are one PAF line, on either strand', async () => {
  const chromosomes = new Map([['chr1', 10_000]])
  const block = (start0: number, otherStart0: number, strand: string) => {
    const bases = 'ACGTA'.repeat(160)
    return `a\ns R.chr1 ${start0} 800 + 10000 ${bases}\ns Q.q ${otherStart0} 800 ${strand} 9000 ${bases.replace('C', 'T')}\n\n`
  }
  const collect = async (text: string) => {
    const paf = new PafCollector(chromosomes)
    for (const [reference, row] of await blocksOf(text)) paf.add(reference!, row!)
    return paf.finish()
  }
  expect(await collect(block(0, 100, '+') + block(900, 1000, '+'))).toEqual([
    'q\t9000\t100\t1800\t+\tchr1\t10000\t0\t1700\t1598\t1600\t255',
  ])
  // On the reverse strand, starts 100 and 1000 are forward 8100..8900 and 7200..8000.
  expect(await collect(block(0, 100, '-') + block(900, 1000, '-'))).toEqual([
    'q\t9000\t7200\t8900\t-\tchr1\t10000\t0\t1700\t1598\t1600\t255',
  ])
  expect(await collect(block(0, 100, '+') + block(900, 1000, '-'))).toEqual([])
})

// A gene of two exons, ATG GCA | GTATAG | AAA TGA, at 3..20 of a chromosome of 24.
const chromosome = `CC${'ATGGCA'}${'GTATAG'}${'AAATGA'}CCCC`
const gene: CodingGene = {
  id: 'g1',
  aliases: [],
  description: null,
  sequence: 'chr1',
  strand: '+',
  exons: [
    { start1: 3, end1: 8 },
    { start1: 15, end1: 20 },
  ],
  cds: [
    { start1: 3, end1: 8, phase: 0 },
    { start1: 15, end1: 20, phase: 0 },
  ],
  references: [],
}

async function project(columns: string, other: string, start0: number, strand: '+' | '-', lengthBp: number) {
  const ungapped = (text: string) => text.replaceAll('-', '')
  const text = `a\ns R.chr1 0 24 + 24 ${columns}\ns Q.q ${start0} ${ungapped(other).length} ${strand} ${lengthBp} ${other}\n`
  const projection = new GeneProjection([gene], ['Q'])
  const genomes = new AlignedGenomes()
  for (const block of await blocksOf(text)) {
    projection.add(block)
    for (const row of block) genomes.add(row)
  }
  return projection.list('Q', new Map(genomes.list('Q')), new Map([['chr1', chromosome]]))
}

test('a gene model is carried over an intron of another length, to the forward strand', async () => {
  const [there, ...more] = await project('CCATGGCAGTAT--AGAAATGACCCC', 'CCATGGCCGTATTTAGAAGTGACCCC', 10, '+', 50)
  expect(more).toEqual([])
  expect(there).toMatchObject({ id: 'Q_g1', sequence: 'q', strand: '+' })
  expect(there!.cds).toEqual([
    { start1: 13, end1: 18, phase: 0 },
    { start1: 27, end1: 32, phase: 0 },
  ])
})

test('on the reverse strand the parts are turned round', async () => {
  const [there] = await project(chromosome, chromosome, 6, '-', 40)
  expect(there).toMatchObject({ strand: '-' })
  // Column 1 is forward base 34; the gene's first base is two further down.
  expect(there!.cds).toEqual([
    { start1: 15, end1: 20, phase: 0 },
    { start1: 27, end1: 32, phase: 0 },
  ])
})

test('a lost intron joins its exons; a frameshift, a new stop or an end that is not aligned leaves the gene out', async () => {
  const [joined] = await project(chromosome, 'CCATGGCA------AAATGACCCC', 0, '+', 20)
  expect(joined!.exons).toEqual([{ start1: 3, end1: 14 }])
  expect(await project(chromosome, 'CCATG-CAGTATAGAAATGACCCC', 0, '+', 40)).toEqual([])
  expect(await project(chromosome, 'CCATGTGAGTATAGAAATGACCCC', 0, '+', 40)).toEqual([])
  expect(await project(chromosome, '---TGGCAGTATAGAAATGACCCC', 0, '+', 40)).toEqual([])
})
