import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../bio/statistics/random.ts'
import { DefectLog } from '../bio/text/defects.ts'
import { hasRealData, realData } from '../testing/real-data.ts'
import type { TabixFormat } from './tabix-lines.ts'
import { openTabix, type TabixFile } from './tabix-reader.ts'
import { type BakedTabix, bakeTabix } from './tabix-writer.ts'

const tabixFound = spawnSync('tabix', ['--version']).error === undefined
const bcftoolsFound = spawnSync('bcftools', ['--version']).error === undefined
const golden = path.join(import.meta.dirname, 'golden')

const folder = mkdtempSync(path.join(tmpdir(), 'tabix-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

const small = [
  { name: 'chrI', lengthBp: 260_000 },
  { name: 'chrII', lengthBp: 90_000 },
  { name: 'scaffold|7.1', lengthBp: 1_200 },
]

interface Baked {
  outFile: string
  log: DefectLog
  baked: BakedTabix
  text: string
}

async function bake(
  source: string | Buffer | { file: string },
  format: TabixFormat,
  options: Partial<Parameters<typeof bakeTabix>[0]> = {},
): Promise<Baked> {
  const number = files++
  let input = source
  if (typeof input === 'string' || Buffer.isBuffer(input)) {
    const file = path.join(folder, `in-${number}.${format}`)
    writeFileSync(file, input)
    input = { file }
  }
  const outFile = path.join(folder, `out-${number}.${format}.gz`)
  const log = new DefectLog()
  const baked = await bakeTabix({ source: input, format, outFile, sequences: small, log, ...options })
  return { outFile, log, baked, text: gunzipSync(readFileSync(outFile)).toString() }
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

const gff = (name: string, start1: number, end1: number, id: string): string =>
  `${name}\ttest\tgene\t${start1}\t${end1}\t.\t+\t.\tID=${id}`
const vcfHeader =
  '##fileformat=VCFv4.2\n##contig=<ID=chrI,length=260000>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n'

describe('a baked annotation', () => {
  it('answers regions as tabix 1.16 answers them for the golden file, by .csi and by .tbi', async () => {
    const { outFile, log, baked } = await bake({ file: path.join(golden, 'unsorted.gff3') }, 'gff3')
    expect(log.totals()).toEqual([])
    expect(baked.wasSorted).toBe(false)
    const expected = readFileSync(path.join(golden, 'tabix-1.16.txt'), 'utf8').split('> ').slice(1)
    expect(expected.length).toBeGreaterThan(40)
    for (const index of ['csi', 'tbi']) {
      if (index === 'tbi') rmSync(`${outFile}.csi`)
      const file = await openTabix(outFile)
      expect(file.header).toBe('##gff-version 3\n##sequence-region chrI 1 260000\n# made for the tests\n')
      for (const block of expected) {
        const [region, ...lines] = block.trimEnd().split('\n')
        const [, name, start1, end1] = /^(.+):(\d+)-(\d+)$/.exec(region!)!
        expect(await collect(file.lines(name!, Number(start1) - 1, Number(end1)))).toEqual(lines)
      }
      expect(await collect(file.lines('chrIII', 0, 1000))).toEqual([])
      expect(await collect(file.lines('chrI', 1000, 1000))).toEqual([])
      await file.close()
    }
  })

  it('is the same bytes however little memory the sort may use', async () => {
    const file = path.join(golden, 'unsorted.gff3')
    const { text } = await bake({ file }, 'gff3')
    for (const sortMemoryBytes of [1, 2_000, 9_000]) {
      const source = { lines: readFileSync(file, 'utf8').trimEnd().split('\n'), name: 'lines' }
      const seen = await bakeTabix({
        source,
        format: 'gff3',
        outFile: path.join(folder, 'little.gz'),
        sequences: small,
        log: new DefectLog(),
        sortMemoryBytes,
      })
      expect(seen.wasSorted).toBe(false)
      expect(gunzipSync(readFileSync(path.join(folder, 'little.gz'))).toString()).toBe(text)
    }
    expect(readdirSync(folder).filter((name) => name.includes('sort-'))).toEqual([])
  })

  it('takes sorted megabytes straight through, and a late line out of order still to its place', async () => {
    const random = seededRandom(4)
    const sorted = Array.from({ length: 60_000 }, (_, i) =>
      gff('chrI', 1 + i * 4, 10 + i * 4, `gene${i}${'x'.repeat(random() * 60)}`),
    )
    const inOrder = await bake(`${sorted.join('\n')}\n`, 'gff3', { sortMemoryBytes: 100_000 })
    expect(inOrder.baked).toMatchObject({ wasSorted: true, records: 60_000 })
    const late = [...sorted.slice(0, 500), ...sorted.slice(501), sorted[500], gff('chrI', 2001, 2010, 'twin')]
    const outOfOrder = await bake(`${late.join('\n')}\n`, 'gff3', { sortMemoryBytes: 100_000 })
    expect(outOfOrder.baked).toMatchObject({ wasSorted: false, records: 60_001 })
    const expected = [...sorted.slice(0, 501), gff('chrI', 2001, 2010, 'twin'), ...sorted.slice(501)]
    expect(outOfOrder.text).toBe(`##gff-version 3\n${expected.join('\n')}\n`)
    const file = await openTabix(outOfOrder.outFile)
    expect(await collect(file.lines('chrI', 2000, 2001))).toEqual([
      sorted[498],
      sorted[499],
      sorted[500],
      gff('chrI', 2001, 2010, 'twin'),
    ])
    await file.close()
  })

  it('keeps gene, transcript, exon in this order where they begin together, and the directives at the top', async () => {
    const { text, baked } = await bake(
      [
        '##gff-version 3',
        '##sequence-region chrI 1 260000',
        gff('chrI', 5, 10, 'exon'),
        '###',
        gff('chrI', 5, 90, 'gene'),
        gff('chrI', 5, 90, 'mRNA'),
        '# a remark',
        gff('chrI', 1, 3, 'first'),
        '##FASTA',
        '>chrI',
        'ACGT',
      ].join('\r\n'),
      'gff3',
    )
    expect(text.match(/ID=\w+/g)).toEqual(['ID=first', 'ID=gene', 'ID=mRNA', 'ID=exon'])
    expect(text.startsWith('##gff-version 3\n##sequence-region chrI 1 260000\nchrI\t')).toBe(true)
    expect(text).not.toContain('\r')
    expect(baked).toMatchObject({ records: 4, leftOut: 0, commentsLeftOut: 2 })
  })

  it('is written under the names of the genome when the file has others, header included', async () => {
    const findSequence = (name: string): string | null => ({ '1': 'chrI', '2': 'chrII' })[name] ?? null
    const { text, log, baked } = await bake(
      `##fileformat=VCFv4.2\n##contig=<ID=1,length=260000>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n2\t7\t.\tA\tC\t.\t.\t.\n1\t5\t.\tA\tC\t.\t.\t.\nMT\t5\t.\tA\tC\t.\t.\t.\n`,
      'vcf',
      { findSequence },
    )
    expect(text).toBe(
      '##fileformat=VCFv4.2\n##contig=<ID=chrI,length=260000>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchrI\t5\t.\tA\tC\t.\t.\t.\nchrII\t7\t.\tA\tC\t.\t.\t.\n',
    )
    expect(log.totals().map(({ code, count }) => [code, count])).toEqual([
      ['track-sequence-renamed', 2],
      ['track-sequence-unknown', 1],
    ])
    expect(baked).toMatchObject({ records: 2, leftOut: 1 })
  })

  it('keeps browser lines of BED as comments, and Latin-1 text as UTF-8', async () => {
    const { text, log } = await bake(
      Buffer.from('browser position chrI:1-2\ntrack name="a"\nchrI\t10\t20\tgène\nchrI\t0\t5\ttrack\n', 'latin1'),
      'bed',
    )
    expect(text).toBe('#browser position chrI:1-2\n#track name="a"\nchrI\t0\t5\ttrack\nchrI\t10\t20\tgène\n')
    expect(log.totals().map(({ code }) => code)).toEqual(['text-not-utf8'])
  })

  it('holds sequences beyond 512 Mb in its .csi, and then writes no .tbi', async () => {
    const sequences = [{ name: 'chr3B', lengthBp: 830_000_000 }]
    const lines = [10, 536_870_900, 536_870_913, 829_999_990].map((start) =>
      gff('chr3B', start, start + 9, `g${start}`),
    )
    const { outFile, baked } = await bake(`${lines.join('\n')}\n`, 'gff3', { sequences })
    expect(baked.tbiFile).toBeNull()
    const file = await openTabix(outFile)
    expect(await collect(file.lines('chr3B', 536_870_905, 536_870_915))).toEqual(lines.slice(1, 3))
    expect(await collect(file.lines('chr3B', 829_999_995, 830_000_000))).toEqual(lines.slice(3))
    await file.close()
    if (tabixFound) {
      const printed = execFileSync('tabix', [outFile, 'chr3B:536870906-830000000']).toString()
      expect(printed).toBe(`${lines.slice(1).join('\n')}\n`)
    }
  })

  it('gives a gene over the origin of a circular chromosome in its first part', async () => {
    const { outFile, log } = await bake(`${gff('scaffold|7.1', 1190, 1260, 'dnaA')}\n`, 'gff3')
    expect(log.totals()).toEqual([])
    const file = await openTabix(outFile)
    expect(await collect(file.lines('scaffold|7.1', 1195, 1200))).toHaveLength(1)
    await file.close()
  })

  it('finds deletions by END, telomeres at position 0, and empty BED intervals by their neighbours', async () => {
    const vcf = await bake(
      `${vcfHeader}chrI\t0\ttel\tN\t]x]\t.\t.\t.\nchrI\t100\tdel\tA\t<DEL>\t.\t.\tSVLEN=-900;END=1000;CIEND=-5,5\nchrI\t500\tmnv\tACGT\tA\t.\t.\tCIEND=1;X\n`,
      'vcf',
    )
    expect(vcf.log.totals()).toEqual([])
    const file = await openTabix(vcf.outFile)
    const ids = async (start0: number, end0: number): Promise<(string | undefined)[]> =>
      (await collect(file.lines('chrI', start0, end0))).map((line) => line.split('\t')[2])
    expect(await ids(0, 1)).toEqual(['tel'])
    expect(await ids(999, 1000)).toEqual(['del'])
    expect(await ids(1000, 1001)).toEqual([])
    expect(await ids(502, 503)).toEqual(['del', 'mnv'])
    expect(await ids(503, 504)).toEqual(['del'])
    await file.close()
    const bed = await bake('chrI\t50\t50\tcut\n', 'bed')
    const cut = await openTabix(bed.outFile)
    expect(await collect(cut.lines('chrI', 49, 51))).toEqual(['chrI\t50\t50\tcut'])
    await cut.close()
  })
})

describe('a track in UTF-16', () => {
  it('is refused where it ends in the middle of a character', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${gff('chrI', 11, 20, 'a')}\n`, 'utf16le')])
    const codesOf = async (given: Buffer, name: string): Promise<string[]> => {
      const file = path.join(folder, name)
      writeFileSync(file, given)
      return (await bake({ file }, 'gff3')).log.defects.map(({ code }) => code)
    }
    expect(await codesOf(bytes, 'whole.gff3')).toEqual(['text-other-encoding'])
    expect(await codesOf(bytes.subarray(0, -1), 'cut.gff3')).toContain('text-utf16-damaged')
  })
})

describe('lines that cannot be read', () => {
  it.each<[string, TabixFormat, string, string, number | null]>([
    ['too few columns', 'gff3', 'chrI\tx\tgene\t5\t9\n', 'track-column-count', 1],
    ['a start that is no number', 'gff3', 'chrI\tx\tgene\tfive\t9\t.\t+\t.\tID=a\n', 'track-bad-coordinate', 1],
    ['a start of 0 where counting begins at 1', 'gff3', gff('chrI', 0, 9, 'a'), 'track-bad-coordinate', 1],
    ['an end before the start', 'bed', 'chrI\t1\t2\nchrI\t9\t5\n', 'track-start-after-end', 2],
    ['an end beyond the chromosome', 'bed', 'chrI\t259999\t260001\n', 'track-beyond-sequence', 1],
    ['a VCF without its header', 'vcf', 'chrI\t5\t.\tA\tC\t.\t.\t.\n', 'vcf-no-fileformat', 1],
    [
      'a VCF of another assembly',
      'vcf',
      `##fileformat=VCFv4.2\n##contig=<ID=chrI,length=99>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchrI\t5\t.\tA\tC\t.\t.\t.\n`,
      'track-lengths-all-differ',
      null,
    ],
    [
      'blocks of a transcript that end before it does',
      'bed',
      'chrI\t1\t2\nchrI\t0\t100\ta\t0\t+\t0\t0\t0\t2\t10,20,\t0,70,\n',
      'track-bad-blocks',
      2,
    ],
    ['an empty file', 'bed', '', 'text-empty', null],
    ['a zip archive', 'bed', 'PK\u0003\u0004', 'text-compressed', 1],
  ])('are errors with their line: %s', async (_, format, text, code, line) => {
    const { log } = await bake(text, format)
    expect(log.hasErrors).toBe(true)
    expect(log.defects.find((defect) => defect.code === code)).toMatchObject({ code, line })
  })

  it('fail the bake where the file is cut-off gzip, and leave no temporary folder', async () => {
    const whole = gzipSync(gff('chrI', 1, 5, 'a').repeat(100))
    await expect(bake(whole.subarray(0, 60), 'gff3')).rejects.toMatchObject({ code: 'truncated' })
    await expect(bake({ file: '/nowhere/a.bed' }, 'bed')).rejects.toMatchObject({ code: 'missing' })
    const aborted = bake('chrI\t1\t2\n', 'bed', { signal: AbortSignal.abort(new Error('cancelled')) })
    await expect(aborted).rejects.toThrow('cancelled')
    expect(readdirSync(folder).filter((name) => name.includes('sort-'))).toEqual([])
  })

  it('make an index unusable by name when it is cut off, absent or of another kind', async () => {
    const { outFile } = await bake({ file: path.join(golden, 'unsorted.gff3') }, 'gff3')
    const csi = `${outFile}.csi`
    truncateSync(csi, 100)
    await expect(openTabix(outFile)).rejects.toMatchObject({ code: 'bad-index', file: csi })
    writeFileSync(csi, gzipSync(Buffer.concat([Buffer.from('CSI\x01'), Buffer.alloc(40)])))
    await expect(openTabix(outFile)).rejects.toMatchObject({ code: 'bad-index' })
    rmSync(csi)
    writeFileSync(`${outFile}.tbi`, gzipSync('TBI\x01'))
    await expect(openTabix(outFile)).rejects.toMatchObject({ code: 'bad-index' })
    rmSync(`${outFile}.tbi`)
    await expect(openTabix(outFile)).rejects.toMatchObject({ code: 'missing' })
  })
})

/** Random regions of all sizes, over sequences by their lengths. */
function randomRegions(sequences: { name: string; lengthBp: number }[], count: number, seed: number) {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const { name, lengthBp } = sequences[Math.floor(random() * sequences.length)]!
    const start0 = Math.floor(random() * lengthBp)
    return { name, start0, end0: Math.min(lengthBp, start0 + 1 + Math.floor(random() ** 5 * lengthBp)) }
  })
}

/** What tabix prints for each region, and what the reader gives, must be the same lines. */
async function expectEqualToTabix(
  file: TabixFile,
  outFile: string,
  regions: ReturnType<typeof randomRegions>,
): Promise<number> {
  let lines = 0
  // One run of tabix: with --separate-regions each region's lines follow its name as a comment.
  const regionArguments = regions.map(({ name, start0, end0 }) => `${name}:${start0 + 1}-${end0}`)
  const output = execFileSync('tabix', ['--separate-regions', outFile, ...regionArguments], {
    maxBuffer: 2 ** 30,
  }).toString()
  const blocks = new Map<string, string[]>()
  let block: string[] = []
  for (const line of output.split('\n')) {
    if (line.startsWith('#')) {
      block = []
      blocks.set(line.slice(1), block)
    } else if (line !== '') block.push(line)
  }
  for (const [i, { name, start0, end0 }] of regions.entries()) {
    const found = await collect(file.lines(name, start0, end0))
    expect(found).toEqual(blocks.get(regionArguments[i]!) ?? [])
    lines += found.length
  }
  return lines
}

describe.skipIf(!hasRealData || !tabixFound)('real yeast files beside tabix of htslib', () => {
  const yeast = path.join(realData, 'yeast')

  async function getYeastSequences(): Promise<{ name: string; lengthBp: number }[]> {
    const text = gunzipSync(readFileSync(path.join(yeast, 'genome/R64.genome.chr.fa.gz'))).toString()
    return text
      .split('>')
      .slice(1)
      .map((record) => {
        const end = record.indexOf('\n')
        return { name: record.slice(0, end).split(' ')[0]!, lengthBp: record.slice(end).replaceAll('\n', '').length }
      })
  }

  it('the R64 annotation: equal in 400 random regions, by our .csi, our .tbi and the .tbi of tabix', async () => {
    const sequences = await getYeastSequences()
    const { outFile, log, baked } = await bake({ file: path.join(yeast, 'derived/R64.gff3.gz') }, 'gff3', { sequences })
    expect(log.totals()).toEqual([])
    const lineCount = gunzipSync(readFileSync(path.join(yeast, 'derived/R64.gff3.gz')))
      .toString()
      .match(/^[^#\n].*$/gm)!.length
    expect(baked.records).toBe(lineCount)
    const copy = path.join(folder, 'foreign.gff3.gz')
    copyFileSync(outFile, copy)
    execFileSync('tabix', ['-p', 'gff', copy])
    const regions = randomRegions(sequences, 400, 21)
    for (const [number, chosen] of [outFile, outFile, copy].entries()) {
      if (number === 1) rmSync(`${outFile}.csi`)
      const file = await openTabix(chosen)
      expect(await expectEqualToTabix(file, chosen, regions)).toBeGreaterThan(10_000)
      expect(file.sequenceNames).toEqual(execFileSync('tabix', ['--list-chroms', chosen]).toString().trim().split('\n'))
      await file.close()
    }
  })

  it('the strains VCF: equal in 400 random regions, with the counts that bcftools reads from our indexes', async () => {
    const sequences = await getYeastSequences()
    const source = { file: path.join(yeast, 'variation/strains5_plus_paradoxus.R64.vcf.gz') }
    const { outFile, log, baked } = await bake(source, 'vcf', { sequences, sortMemoryBytes: 4 << 20 })
    expect(log.totals()).toEqual([])
    expect(baked.records).toBe(168_833)
    expect(gunzipSync(readFileSync(outFile)).equals(gunzipSync(readFileSync(source.file)))).toBe(baked.wasSorted)
    const file = await openTabix(outFile)
    await expectEqualToTabix(file, outFile, randomRegions(sequences, 400, 22))
    expect(file.header).toBe(execFileSync('tabix', ['--only-header', outFile]).toString())
    await file.close()
    if (bcftoolsFound) {
      for (const index of [baked.csiFile, baked.tbiFile!])
        expect(Number(execFileSync('bcftools', ['index', '--nrecords', index], { stdio: 'pipe' }).toString())).toBe(
          168_833,
        )
    }
  })
})
