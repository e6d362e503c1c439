import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../../bio/text/defects.ts'
import { bakeGenomeFasta } from '../../store/genome-fasta.ts'
import { makeBakeContext } from '../../testing/contexts.ts'
import { writePlinkVcf } from './plink-genotypes.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'novodb-plink-'))
  writeFileSync(join(folder, 'genome.fa'), '>chr1\nACGTACGTAC\n>X\nGGGG\n')
  await bakeGenomeFasta({
    inputs: [join(folder, 'genome.fa')],
    outDir: folder,
    log: new DefectLog(),
    signal: new AbortController().signal,
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const convert = async (bim: string, bed: number[]) => {
  const at = (name: string): string => join(folder, name)
  writeFileSync(at('p.bim'), bim)
  writeFileSync(at('p.bed'), Buffer.from([0x6c, 0x1b, ...bed]))
  // Five samples take two bytes a variant; two families each have a sample called 1.
  writeFileSync(at('p.fam'), 'A 1 0 0 0 -9\nB 1 0 0 0 -9\nA 2 0 0 0 -9\nA 3 0 0 0 -9\nA 4 0 0 0 -9\n')
  const { context, baked } = makeBakeContext({
    directory: folder,
    scratch: folder,
    resolveFile: async (path) => at(path),
    findSequence: (name) => (name === 'chr1' || name === '1' ? 'chr1' : name === 'X' ? 'X' : null),
  })
  const ok = await writePlinkVcf('p.bed', at('p.bed'), at('p.vcf'), context)
  const lines = ok ? readFileSync(at('p.vcf'), 'utf8').trimEnd().split('\n').slice(2) : []
  return { ok, lines: lines.map((line) => line.split('\t').join(' ')), codes: baked.defects.map(({ code }) => code) }
}

test('the genome tells which allele is the reference, and genotypes follow', async () => {
  // Of the four values of two bits, from the lowest: 00 first allele twice, 01 missing, 10 one of each, 11 second twice.
  const genotypes = [0b11_10_01_00, 0b11]
  const { lines, codes } = await convert('1 rs1 0 2 T C\n1 rs2 0 2 C T\n23 rs3 0 1 0 G\n1 indel 0 3 GTA G\n', [
    0x01,
    ...genotypes,
    ...genotypes,
    ...genotypes,
    ...genotypes,
  ])
  expect(lines).toEqual([
    '#CHROM POS ID REF ALT QUAL FILTER INFO FORMAT A_1 B_1 A_2 A_3 A_4',
    '1 2 rs1 C T . . . GT 1/1 ./. 0/1 0/0 0/0',
    '1 2 rs2 C T . . . GT 0/0 ./. 0/1 1/1 1/1',
    'X 1 rs3 G . . . . GT ./. ./. ./. 0/0 0/0',
    '1 3 indel G GTA . . . GT 1/1 ./. 0/1 0/0 0/0',
  ])
  expect(codes).toEqual([])
})

test('alleles that are no bases are told; another number of bytes, or samples first, is refused', async () => {
  const some = await convert('1 a 0 2 T C\n1 b 0 3 D I\n', [0x01, 0, 0, 0, 0])
  expect([some.lines.length, some.codes]).toEqual([2, ['variants-plink-alleles']])
  const none = await convert('1 b 0 3 1 2\n', [0x01, 0, 0])
  expect([none.ok, none.codes]).toEqual([false, ['variants-plink-no-alleles']])
  expect((await convert('1 a 0 2 T C\n', [0x01, 0])).codes).toEqual(['file-damaged'])
  expect((await convert('1 a 0 2 T C\n', [0x00, 0, 0])).codes).toEqual(['file-damaged'])
})

test('a variant of which all have the base that the genome has not', async () => {
  const { lines } = await convert('1 a 0 2 0 T\n1 b 0 2 T 0\n1 c 0 2 0 C\n', [
    0x01,
    ...[0b11_01_11_11, 0b11],
    ...[0b00_01_00_00, 0b00],
    ...[0b11_01_11_11, 0b11],
  ])
  expect(lines.slice(1)).toEqual([
    '1 2 a C T . . . GT 1/1 1/1 ./. 1/1 1/1',
    '1 2 b C T . . . GT 1/1 1/1 ./. 1/1 1/1',
    '1 2 c C . . . . GT 0/0 0/0 ./. 0/0 0/0',
  ])
})

test('thousands of variants are read in pieces, each with its own genotypes', async () => {
  const count = 1500
  const bim = Array.from({ length: count }, (_, at) => `1 v${at} 0 2 T C\n`).join('')
  // The number of the variant, in four samples.
  const words = ['1/1', './.', '0/1', '0/0']
  const bed = Array.from({ length: count }, (_, at) => [at % 256, 0]).flat()
  const { lines } = await convert(bim, [0x01, ...bed])
  expect(lines.length).toBe(count + 1)
  for (const at of [0, 511, 512, 1023, 1024, 1499]) {
    const own = [0, 2, 4, 6].map((shift) => words[((at % 256) >> shift) & 3]).join(' ')
    expect(lines[at + 1]).toBe(`1 2 v${at} C T . . . GT ${own} 1/1`)
  }
})
