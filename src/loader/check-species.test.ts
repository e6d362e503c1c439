import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasRealData, realData } from '../testing/real-data.ts'
import { makeGenome, makeGff3, makeSpeciesFolder } from '../testing/species.ts'
import { checkSpecies } from './check-species.ts'
import { renderDefects } from './command-report.ts'
import { readDefectCatalogue } from './defect-catalogue.ts'

let root: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-checking-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Options = Parameters<typeof makeSpeciesFolder>[1]
const check = async (options?: Options, prepare: (folder: string) => void = () => undefined) => {
  folders += 1
  const folder = makeSpeciesFolder(join(root, `species-${folders}`), options)
  prepare(folder)
  const { log } = await checkSpecies(folder, AbortSignal.timeout(60_000))
  return { log, folder, places: log.defects.map(({ code, file, line }) => `${code} ${file}:${line}`) }
}
const track = (file: string): string =>
  `    downloads:\n      - { file: notes.txt, title: { en: Notes, zh: 说明 } }\n    tracks:\n      - { id: one, name: One, file: ${file} }\n`
/** The folder's manifest with one track instead of its own. */
const withTrack = (file: string) => (folder: string) => {
  const path = join(folder, 'species.yaml')
  const text = readFileSync(path, 'utf8')
  execFileSync('tee', [path], {
    input: text.slice(0, text.indexOf('    tracks:')) + track(file),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

/** Header and chromosome tree of a BigWig without data, all that tells of what it is (Kent et al. 2010, supplementary tables 5, 8-11). */
const makeBigWig = (chromosomes: [name: string, lengthBp: number][]): Buffer => {
  const keyBytes = Math.max(...chromosomes.map(([name]) => name.length))
  const head = Buffer.alloc(64)
  head.writeUInt32LE(0x888ffc26, 0)
  head.writeUInt16LE(4, 4)
  head.writeBigUInt64LE(64n, 8)
  const tree = Buffer.alloc(36)
  for (const [at, value] of [0x78ca8c91, chromosomes.length, keyBytes, 8].entries()) tree.writeUInt32LE(value, at * 4)
  tree.writeBigUInt64LE(BigInt(chromosomes.length), 16)
  tree.writeUInt8(1, 32)
  tree.writeUInt16LE(chromosomes.length, 34)
  const leaves = chromosomes.map(([name, lengthBp], id) => {
    const leaf = Buffer.alloc(keyBytes + 8)
    leaf.write(name)
    leaf.writeUInt32LE(id, keyBytes)
    leaf.writeUInt32LE(lengthBp, keyBytes + 4)
    return leaf
  })
  return Buffer.concat([head, tree, ...leaves])
}

describe('the check of a species folder', () => {
  test('finds no error in a folder that loads, tells the same repairs as the load, and leaves nothing behind', async () => {
    // A directory of its own for temporary files: other tests check folders at the same time.
    const own = mkdtempSync(join(root, 'temporary-'))
    vi.stubEnv('TMPDIR', own)
    const { log, folder, places } = await check()
    vi.unstubAllEnvs()
    const files = readdirSync(folder).sort()
    expect(log.hasErrors).toBe(false)
    expect(places).toEqual(
      expect.arrayContaining([
        'annotation-unknown-gene go.tsv:4',
        'annotation-alternative-term go.tsv:1',
        'model-crosses-origin genes.gff3:18',
      ]),
    )
    expect(places.join()).not.toContain('program-missing')
    expect(files).toEqual(
      [
        'species.yaml',
        'genome.fa',
        'genes.gff3',
        'terms.obo',
        'papers.bib',
        'go.tsv',
        'peaks.bed',
        'snps.vcf',
        'repeats.gff3',
        'notes.txt',
      ].sort(),
    )
    expect(readdirSync(own)).toEqual([])
  })

  test('goes on after an error: genome, gene models, annotation and tracks are all told by file and line, in both languages', async () => {
    const { log, places } = await check({
      files: {
        'genes.gff3': makeGff3(['chr1\tx\tgene\tone\t900\t.\t+\t.\tID=bad']),
        'go.tsv': 'TM_0001\tGO:0000009\nNOBODY\tGO:0000003\n',
        'peaks.bed': 'chr1\t1\t5\tok\nchr1\tx\t9\tbad\n',
        'snps.vcf': null,
        // After the missing one in the manifest.
        'repeats.gff3': '##gff-version 3\nchr1\tx\trepeat_region\t0\t1600\t.\t.\t.\tID=r1\n',
      },
    })
    expect(places).toEqual(
      expect.arrayContaining([
        'file-missing snps.vcf:null',
        'gff-bad-coordinate genes.gff3:21',
        'annotation-unknown-gene go.tsv:2',
        'track-bad-coordinate peaks.bed:2',
        'track-bad-coordinate repeats.gff3:2',
      ]),
    )
    expect(log.count('file-missing')).toBe(1)
    const catalogue = await readDefectCatalogue()
    const report = renderDefects(log.defects, log.totals(), catalogue, 'zh')
    expect(report).toContain('peaks.bed:2: 错误: ')
    expect(renderDefects(log.defects, log.totals(), catalogue, 'en')).toContain('genes.gff3:21: error: ')
  })

  test('a folder in the encodings of its makers: manifest, gene models and track in GB18030, gzipped publications in UTF-16', async () => {
    // 过氧化氢酶 as iconv writes it in GB18030.
    const catalase = Buffer.from('b9fdd1f5bbafc7e2c3b8', 'hex')
    const inGb = (text: string) =>
      Buffer.concat(
        text.split('@').flatMap((part, number) => (number === 0 ? [Buffer.from(part)] : [catalase, Buffer.from(part)])),
      )
    const bib = '@article{li2020, title = {过氧化氢酶}, year = {2020}}\n'
    const { log, folder } = await check({
      manifest: '    description: 过氧化氢酶\n',
      files: {
        'genes.gff3': inGb(makeGff3().replaceAll(/[^\0-\x7f]+/g, '@')),
        'peaks.bed': inGb('1\t900\t980\t@\n'),
        'papers.bib': gzipSync(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(bib, 'utf16le')])),
      },
    })
    const path = join(folder, 'species.yaml')
    writeFileSync(path, inGb(readFileSync(path, 'utf8').replaceAll(/[^\0-\x7f]+/g, '@')))
    const again = await checkSpecies(folder, AbortSignal.timeout(60_000))
    expect(log.hasErrors || again.log.hasErrors).toBe(false)
    expect(again.manifest?.assemblies[0]?.description).toBe('过氧化氢酶')
    const reported = again.log.defects.filter(({ code }) => code === 'text-other-encoding')
    expect(reported.map(({ file, params }) => `${file} ${params.encoding}`).sort()).toEqual([
      'genes.gff3 GB18030 (GBK)',
      'papers.bib UTF-16',
      'peaks.bed GB18030 (GBK)',
      'species.yaml GB18030 (GBK)',
    ])
  })

  test('aliases that expand without end are an error of the manifest', async () => {
    const rows = ['a: &a0 [1,1,1,1,1,1,1,1,1]']
    for (let level = 1; level < 9; level++) {
      const one = `*a${level - 1}`
      rows.push(`${String.fromCharCode(97 + level)}: &a${level} [${Array(9).fill(one).join(',')}]`)
    }
    const { places } = await check({ files: { 'species.yaml': `${rows.join('\n')}\n` } })
    expect(places).toEqual(['manifest-aliases species.yaml:null'])
  })

  test('a VCF whose reference bases are mostly not the genome’s is refused, as variants and as a track', async () => {
    const { chr1 } = makeGenome()
    const other = (base: string) => (base === 'A' ? 'C' : 'A')
    const rows = (wrong: number, of: number) =>
      Array.from({ length: of }, (_, at) => {
        const position = 1001 + at * 7
        const own = chr1[position - 1]!
        return `chr1\t${position}\t.\t${at < wrong ? other(own) : own}\tN\t.\t.\t.\n`
      })
    const vcf = (wrong: number, of = 60) =>
      `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${rows(wrong, of).join('')}`
    const manifest = '    variants:\n      - { id: v, name: V, file: v.vcf }\n'
    const { log } = await check({ manifest, files: { 'v.vcf': vcf(50), 'snps.vcf': vcf(50) } })
    const refused = log.defects.filter(({ code }) => code === 'variants-reference-all-differ')
    expect(refused.map(({ file, params }) => [file, params.count, params.total]).sort()).toEqual([
      ['snps.vcf', 50, 60],
      ['v.vcf', 50, 60],
    ])
    const utf16 = Buffer.from(`\ufeff${vcf(50)}`, 'utf16le')
    const wide = await check({ manifest, files: { 'v.vcf': utf16, 'snps.vcf': Buffer.from(utf16).swap16() } })
    expect(wide.places.filter((place) => /all-differ|encoding|file-type/.test(place)).sort()).toEqual([
      'text-other-encoding snps.vcf:1',
      'text-other-encoding v.vcf:1',
      'variants-reference-all-differ snps.vcf:null',
      'variants-reference-all-differ v.vcf:null',
    ])
    const few = await check({ manifest, files: { 'v.vcf': vcf(5), 'snps.vcf': vcf(5) } })
    expect(few.log.hasErrors).toBe(false)
    expect(few.log.count('variants-reference-differs')).toBe(10)
    // One in ten and no more; four at most; all.
    for (const [wrong, of, isRefused] of [
      [6, 60, false],
      [7, 60, true],
      [4, 8, false],
      [5, 8, true],
      [2, 2, true],
    ] as const) {
      const file = vcf(wrong, of)
      const { log: own } = await check({ manifest, files: { 'v.vcf': file, 'snps.vcf': file } })
      expect([wrong, of, own.hasErrors]).toEqual([wrong, of, isRefused])
    }
  })

  test('a GFF3 of another assembly, with genes beyond the ends, and an annotation of other genes are refused', async () => {
    const genes = Array.from({ length: 30 }, (_, at) => {
      const start = at < 10 ? 90_000 + at * 100 : 10 + at * 90
      return `chr1\tx\tgene\t${start}\t${start + 60}\t.\t+\t.\tID=g${at}`
    })
    const terms = Array.from({ length: 40 }, (_, at) => `${at < 2 ? `g${20 + at}` : `OTHER${at}`}\tGO:0000002`)
    const { log } = await check({ files: { 'genes.gff3': `##gff-version 3\n${genes.join('\n')}\n` } })
    expect(log.defects.find(({ code }) => code === 'rows-unusable')).toMatchObject({
      file: 'genes.gff3',
      line: 2,
      params: { count: 10, total: 30 },
    })
    const files = {
      'genes.gff3': `##gff-version 3\n${genes.slice(10).join('\n')}\n`,
      'go.tsv': `${terms.join('\n')}\n`,
    }
    const annotated = await check({ files })
    expect(annotated.log.defects.find(({ code }) => code === 'rows-unknown')).toMatchObject({
      file: 'go.tsv',
      params: { count: 38, total: 40, example: 'OTHER2' },
    })
  })

  test('a genome that cannot be read is told with its line, and once', async () => {
    const { log, places } = await check({ files: { 'genome.fa': '>chr1\nACGT\nAC!T\n>pT\nACGT\n' } })
    expect(places).toContain('fasta-illegal-character genome.fa:3')
    expect(log.hasErrors).toBe(true)
  })

  test('a track of another assembly is an error, one of which a part is known a warning with names and counts', async () => {
    const foreign = await check({ files: { 'one.bed': 'ctgX\t1\t5\nctgY\t1\t5\n' } }, withTrack('one.bed'))
    expect(foreign.places).toContain('track-sequences-all-unknown one.bed:null')
    expect(foreign.log.hasErrors).toBe(true)
    const partly = await check({ files: { 'one.bed': 'chr1\t1\t5\nctgY\t1\t5\nctgY\t7\t9\n' } }, withTrack('one.bed'))
    expect(partly.log.hasErrors).toBe(false)
    expect(partly.log.defects.find(({ code }) => code === 'track-sequence-unknown')).toMatchObject({
      file: 'one.bed',
      line: 2,
      params: { name: 'ctgY', count: 2 },
    })
    const beds = (known: number): string =>
      Array.from({ length: 40 }, (_, at) => `${at < known ? 'chr1' : `ctg${at}`}\t${at}\t${at + 5}\n`).join('')
    const mostly = await check({ files: { 'one.bed': beds(2) } }, withTrack('one.bed'))
    expect(mostly.log.defects.find(({ code }) => code === 'rows-unknown')).toMatchObject({
      file: 'one.bed',
      line: 3,
      params: { count: 38, total: 40, example: 'ctg2' },
    })
    expect((await check({ files: { 'one.bed': beds(4) } }, withTrack('one.bed'))).log.hasErrors).toBe(false)
  })

  test('a BAM file of another assembly is an error, one with a few other sequences a warning', async () => {
    const bam = (names: string[]) => (folder: string) => {
      const sam = `${names.map((name) => `@SQ\tSN:${name}\tLN:3000\n`).join('')}r1\t0\t${names[0]}\t10\t60\t4M\t*\t0\t0\tACGT\tIIII\n`
      for (const [file, flag] of [
        ['one.bam', '-b'],
        ['one.sam', '-h'],
      ] as const)
        execFileSync('samtools', ['view', flag, '-o', join(folder, file), '-'], { input: sam })
      withTrack('one.bam')(folder)
    }
    const foreign = await check({}, bam(['ctgX', 'ctgY']))
    expect(foreign.places).toContain('track-sequences-all-unknown one.bam:null')
    const partly = await check({}, bam(['chr1', 'decoy1', 'decoy2']))
    expect(partly.log.hasErrors).toBe(false)
    expect(partly.log.defects.find(({ code }) => code === 'track-sequences-unknown')?.params).toEqual({
      count: 2,
      total: 3,
      names: 'decoy1, decoy2',
    })
  })

  test.skipIf(!existsSync('/usr/bin/samtools') && !existsSync('/usr/local/bin/samtools'))(
    'alignments to another release of the genome are a warning with both lengths, to another assembly an error, in BAM and CRAM',
    async () => {
      const aligned = (ending: 'bam' | 'cram', lengths: Record<string, number>) => (folder: string) => {
        const sam = Object.entries(lengths).map(
          ([name, length]) => `@SQ\tSN:${name}\tLN:${length}\tM5:${'0'.repeat(32)}\n`,
        )
        const read = 'r1\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n'
        const options = ending === 'bam' ? ['-b'] : ['-C', '--output-fmt-option', 'no_ref=1']
        execFileSync('samtools', ['view', ...options, '-o', join(folder, `one.${ending}`), '-'], {
          input: `${sam.join('')}${read}`,
        })
        withTrack(`one.${ending}`)(folder)
      }
      for (const ending of ['bam', 'cram'] as const) {
        const same = await check({}, aligned(ending, { chr1: 3000, pT: 600 }))
        expect(same.places.join()).not.toContain('track-')
        const release = await check({}, aligned(ending, { chr1: 3000, pT: 598 }))
        expect(release.log.hasErrors).toBe(false)
        expect(release.log.defects.find(({ code }) => code === 'track-lengths-differ')?.params).toEqual({
          count: 1,
          total: 2,
          names: 'pT 598/600',
        })
        const other = await check({}, aligned(ending, { chr1: 2999, pT: 598, decoy: 1 }))
        expect(other.places).toContain(`track-lengths-all-differ one.${ending}:null`)
        expect(other.log.hasErrors).toBe(true)
      }
    },
  )

  test('a BigWig of another assembly with the same chromosome names is an error that gives both lengths', async () => {
    const genome = `>ctgA\n${'ACGT'.repeat(1000)}\n`
    const { log } = await check({}, (folder) => {
      writeFileSync(join(folder, 'one.bw'), makeBigWig([['ctgA', 50_001]]))
      writeFileSync(join(folder, 'genome.fa'), genome)
      writeFileSync(
        join(folder, 'species.yaml'),
        'novodb: 1\nspecies: test\nname: Test\nassemblies:\n  - id: T1\n    genome: genome.fa\n    tracks:\n      - { id: one, name: One, file: one.bw }\n',
      )
    })
    expect(log.defects.map(({ code, params }) => [code, params.names])).toEqual([
      ['track-lengths-all-differ', 'ctgA 50001/4000'],
    ])
  })

  const samples = join(realData, 'formats/bam_bigwig_vcf')
  test.skipIf(!hasRealData).each([
    ['volvox_microarray.bw', 'ctgA'],
    ['volvox-sorted.bam', 'ctgA'],
    ['volvox-sorted.cram', 'ctgA'],
  ])('the sequences of %s of the volvox samples are known by their names', async (file, name) => {
    const source = readdirSync(samples).find((one) => one === file)
    if (source === undefined) return expect(readdirSync(samples)).toContain(file)
    const { log } = await check({}, (folder) => {
      copyFileSync(join(samples, file), join(folder, file))
      withTrack(file)(folder)
    })
    expect(log.defects.find(({ code }) => code === 'track-sequences-all-unknown')?.params.found).toMatch(name)
  })
})
