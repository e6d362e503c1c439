import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../bio/statistics/random.ts'
import { DefectLog } from '../bio/text/defects.ts'
import { hasRealData, realData } from '../testing/real-data.ts'
import { BgzfBlockCache } from './bgzf.ts'
import { RefgetDigest } from './checksum.ts'
import {
  type BakedGenome,
  bakeGenomeFasta,
  type Genome,
  type GenomeSequence,
  genomeFiles,
  openGenome,
} from './genome-fasta.ts'

const samtoolsFound = spawnSync('samtools', ['--version']).error === undefined
const golden = path.join(import.meta.dirname, 'golden')

const folder = mkdtempSync(path.join(tmpdir(), 'genome-fasta-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const newFolder = (): string => path.join(folder, `genome-${folders++}`)

async function listSequences(genome: Genome): Promise<GenomeSequence[]> {
  const sequences: GenomeSequence[] = []
  for await (const sequence of genome.sequences()) sequences.push(sequence)
  return sequences
}

async function bake(...texts: (string | Buffer)[]): Promise<{ dir: string; log: DefectLog; baked: BakedGenome }> {
  const dir = newFolder()
  const inputs = texts.map((text, number) => {
    const file = `${dir}-${number}.fa`
    writeFileSync(file, text)
    return file
  })
  const log = new DefectLog()
  return { dir, log, baked: await bakeGenomeFasta({ inputs, outDir: dir, log }) }
}

const bakedText = (dir: string): string => gunzipSync(readFileSync(path.join(dir, genomeFiles.fasta))).toString()

async function join(pieces: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const piece of pieces) all += piece
  return all
}

describe('a baked genome', () => {
  it('has 60 columns, the case of its soft mask and the descriptions, whatever the line ends and widths given', async () => {
    const residues = 'ACGTNacgtnRYKMryk'.repeat(11)
    const wrapped = residues.replace(/(.{13})/g, '$1\r\n')
    const { dir, log } = await bake(`>chrI  the first \r\n${wrapped}\r\n\r\n>chrII\r\nAC\r\nGT`)
    expect(log.totals()).toEqual([])
    expect(bakedText(dir)).toBe(`>chrI the first\n${residues.replace(/(.{60})/g, '$1\n')}\n>chrII\nACGT\n`)
  })

  it('is the same from plain text, gzip, gzip in several members, and one long line', async () => {
    const text = `>a x\n${'ACGGTTN'.repeat(40_000)}\n>b\n${'ttga'.repeat(7)}\n`
    const plain = await bake(text)
    const half = Math.floor(text.length / 2)
    const members = Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))])
    for (const same of [gzipSync(text), members]) {
      const { dir, baked } = await bake(same)
      expect(baked).toEqual(plain.baked)
      expect(bakedText(dir)).toBe(bakedText(plain.dir))
    }
  })

  it('counts bases, Ns, runs of N across lines and files, and the soft mask; digests do not depend on case', async () => {
    const { baked } = await bake(`>g one\nACGTacgtU\nNNN\nNnACRYN\n`, '>h\nNNNN\n')
    const digest = new RefgetDigest()
    digest.update(Buffer.from('ACGTACGTUNNNNNACRYN'))
    const { md5, sha512t24u } = digest.digest()
    expect(baked.sequences[0]).toEqual({
      name: 'g',
      description: 'one',
      lengthBp: 19,
      gcCount: 5,
      atCount: 6,
      nCount: 6,
      ambiguousCount: 2,
      gapCount: 2,
      softMaskedCount: 5,
      md5,
      sha512t24u,
    })
    expect(baked.sequences[1]).toMatchObject({ name: 'h', lengthBp: 4, nCount: 4, gapCount: 1 })
    expect(baked.totalBp).toBe(23)
  })

  it('opens with the facts that were baked', async () => {
    const { dir, baked } = await bake('>chrI a\tdescription, "quoted" 中文\nACGT\n>constructor\nTT\n')
    const genome = await openGenome(dir)
    expect((await listSequences(genome)).map(({ description }) => description)).toEqual([
      'a description, "quoted" 中文',
      '',
    ])
    expect((await listSequences(genome))[1]).toEqual(baked.sequences[1])
    expect(genome.lengthOf('constructor')).toBe(baked.sequences[1]!.lengthBp)
    expect(genome.lengthOf('toString')).toBeNull()
    expect(await genome.fetch('constructor', 0, 2)).toBe('TT')
    await genome.close()
  })

  it('stops when the load is cancelled', async () => {
    const file = path.join(folder, 'cancel.fa')
    writeFileSync(file, '>a\nACGT\n')
    const baking = bakeGenomeFasta({
      inputs: [file],
      outDir: newFolder(),
      log: new DefectLog(),
      signal: AbortSignal.abort(new Error('cancelled')),
    })
    await expect(baking).rejects.toThrow('cancelled')
  })

  it('reports how far it is in bytes of the files as they are', async () => {
    const file = path.join(folder, 'progress.fa.gz')
    writeFileSync(file, gzipSync(`>a\n${'ACGT'.repeat(1_000_000)}\n`))
    const seen: { bytesRead: number; bytesTotal: number }[] = []
    await bakeGenomeFasta({
      inputs: [file, file],
      outDir: newFolder(),
      log: new DefectLog(),
      onProgress: (progress) => seen.push(progress),
    })
    const last = seen.at(-1)!
    expect(last.bytesRead).toBe(last.bytesTotal)
    expect(seen.every(({ bytesRead }, i) => i === 0 || bytesRead >= seen[i - 1]!.bytesRead)).toBe(true)
  })
})

describe('a defective FASTA', () => {
  it('names the second of two chromosomes of one name, within a file and across files, and leaves it out', async () => {
    const { log, baked, dir } = await bake('>chrI\nAC\n>chrI\nGGGG\n', '>chrII\nT\n>chrI\nTTT\n')
    expect(log.hasErrors).toBe(true)
    expect(log.defects.map(({ code, file, line }) => [code, file.replace(/^.*-/, ''), line])).toEqual([
      ['fasta-duplicate-name', '0.fa', 3],
      ['fasta-duplicate-name', '1.fa', 3],
    ])
    expect(log.defects[1]?.params.firstLine).toMatch(/-0\.fa:1$/)
    expect(baked.sequences.map(({ name, lengthBp }) => [name, lengthBp])).toEqual([
      ['chrI', 2],
      ['chrII', 1],
    ])
    expect(bakedText(dir)).toBe('>chrI\nAC\n>chrII\nT\n')
  })

  it('has an empty chromosome left out and an unnamed one named, and says both', async () => {
    const { log, baked } = await bake('>empty\n>\nACGT\n>last\n')
    expect(log.defects.map(({ code, line }) => [code, line])).toEqual([
      ['fasta-empty-sequence', 1],
      ['fasta-empty-name', 2],
      ['fasta-empty-sequence', 4],
    ])
    expect(baked.sequences).toHaveLength(1)
  })

  it.each([
    ['a protein file', '>p\nMKLV\nEFIQ\n', 'fasta-illegal-character', 2],
    ['an alignment, whose gaps would move every place', '>a\nAC--GT\n', 'fasta-gaps', 2],
    ['sequence without a header', 'ACGT\n>a\nAC\n', 'fasta-no-header', 1],
    ['an empty file', '', 'text-empty', null],
    ['a zip archive', 'PK\u0003\u0004', 'text-compressed', 1],
  ])('is refused: %s', async (_, text, code, line) => {
    const { log } = await bake(text)
    expect(log.hasErrors).toBe(true)
    expect(log.defects[0]).toMatchObject({ code, line })
  })

  it('that is cut-off or damaged gzip, or absent, fails by the name of the file', async () => {
    const whole = gzipSync(`>a\n${'ACGTTGCA'.repeat(1000)}\n`)
    await expect(bake(whole.subarray(0, whole.length - 12))).rejects.toMatchObject({ code: 'truncated' })
    const damaged = Buffer.from(whole)
    damaged[damaged.length - 6] = damaged[damaged.length - 6]! ^ 0xff
    await expect(bake(damaged)).rejects.toMatchObject({ code: 'corrupt', file: expect.stringMatching(/\.fa$/) })
    const absent = bakeGenomeFasta({ inputs: ['/nowhere/x.fa'], outDir: newFolder(), log: new DefectLog() })
    await expect(absent).rejects.toMatchObject({ code: 'missing', file: '/nowhere/x.fa' })
  })
})

describe('fetching', () => {
  it('equals the regions that samtools 1.16 faidx gave for the golden genome', async () => {
    const dir = newFolder()
    await bakeGenomeFasta({ inputs: [path.join(golden, 'small.fa')], outDir: dir, log: new DefectLog() })
    const genome = await openGenome(dir)
    const expected = readFileSync(path.join(golden, 'small.faidx.fa'), 'utf8').split('>').slice(1)
    expect(expected.length).toBeGreaterThan(30)
    for (const record of expected) {
      const [, name, start1, end1, residues] = /^(.+):(\d+)-(\d+)\n([A-Za-z\n]+)$/.exec(record)!
      const found = await genome.fetch(name!, Number(start1) - 1, Number(end1))
      expect(found).toBe(residues!.replaceAll('\n', ''))
    }
    await genome.close()
  })

  it('refuses names and coordinates that the genome does not have', async () => {
    const { dir } = await bake('>a\nACGT\n')
    const genome = await openGenome(dir)
    expect(await genome.fetch('a', 2, 2)).toBe('')
    expect(await genome.fetch('a', 4, 4)).toBe('')
    await expect(genome.fetch('b', 0, 1)).rejects.toMatchObject({ code: 'unknown-sequence' })
    for (const [start, end] of [
      [0, 5],
      [-1, 2],
      [3, 2],
      [0.5, 2],
      [Number.NaN, 2],
    ] as const)
      await expect(genome.fetch('a', start, end)).rejects.toMatchObject({ code: 'out-of-range' })
    await expect(join(genome.stream('a', 0, 5))).rejects.toMatchObject({ code: 'out-of-range' })
    await genome.close()
  })

  it('streams what is longer than a piece, and may be stopped early', async () => {
    const residues = Array.from({ length: 800_003 }, (_, i) => 'ACGT'[(i * i + (i >> 3)) & 3]).join('')
    const { dir } = await bake(`>long\n${residues}\n`)
    const genome = await openGenome(dir)
    expect(await join(genome.stream('long', 0, residues.length))).toBe(residues)
    expect(await join(genome.stream('long', 59, 700_001))).toBe(residues.slice(59, 700_001))
    expect(await join(genome.stream('long', 7, 7))).toBe('')
    for await (const piece of genome.stream('long', 0, residues.length)) {
      expect(residues.startsWith(piece)).toBe(true)
      break
    }
    await genome.close()
  })

  it('refuses a genome whose files do not belong together', async () => {
    const one = await bake('>a\nACGT\n')
    const two = await bake('>a\nACGTA\n')
    copyFileSync(path.join(two.dir, genomeFiles.fai), path.join(one.dir, genomeFiles.fai))
    await expect(openGenome(one.dir)).rejects.toMatchObject({ code: 'bad-index' })
    truncateSync(path.join(two.dir, genomeFiles.sequences), 120)
    await expect(openGenome(two.dir)).rejects.toMatchObject({ code: 'bad-index' })
    rmSync(path.join(two.dir, genomeFiles.fai))
    await expect(openGenome(two.dir)).rejects.toMatchObject({ code: 'missing' })
  })
})

describe.skipIf(!hasRealData)('the yeast genome R64', () => {
  const dir = path.join(folder, 'yeast')
  let genome: Genome
  const open = async (): Promise<Genome> => {
    if (genome) return genome
    const inputs = [path.join(realData, 'yeast/genome/R64.genome.chr.fa.gz')]
    const log = new DefectLog()
    await bakeGenomeFasta({ inputs, outDir: dir, log })
    expect(log.totals()).toEqual([])
    genome = await openGenome(dir, { cache: new BgzfBlockCache(16 << 20) })
    return genome
  }
  afterAll(() => genome?.close())

  it('has 17 sequences and 12,157,105 bases, chromosome I under its published refget ids', async () => {
    const sequences = await listSequences(await open())
    expect(sequences).toHaveLength(17)
    expect(sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)).toBe(12_157_105)
    // BK006935.2 as the refget compliance data of GA4GH have it: TRUNC512 959cb1883fc1ca9ae1394ceb475a356ead1ecceff5824ae7.
    const trunc = Buffer.from('959cb1883fc1ca9ae1394ceb475a356ead1ecceff5824ae7', 'hex').toString('base64url')
    expect(sequences[0]).toMatchObject({
      name: 'chrI',
      lengthBp: 230_218,
      md5: '6681ac2f62509cfc220d78751b8dc524',
      sha512t24u: `SQ.${trunc}`,
    })
  })

  it.skipIf(!samtoolsFound)(
    'equals samtools faidx in 1,000 random regions, and its indexes are the same bytes',
    async () => {
      const { fetch } = await open()
      const sequences = await listSequences(genome)
      const random = seededRandom(12)
      const regions = Array.from({ length: 1000 }, () => {
        const { name, lengthBp } = sequences[Math.floor(random() * sequences.length)]!
        const start0 = Math.floor(random() * lengthBp)
        return { name, start0, end0: Math.min(lengthBp, start0 + 1 + Math.floor(random() ** 6 * 200_000)) }
      })
      const regionFile = path.join(folder, 'regions.txt')
      writeFileSync(regionFile, regions.map(({ name, start0, end0 }) => `${name}:${start0 + 1}-${end0}\n`).join(''))
      const copy = path.join(folder, 'copy.fa.gz')
      copyFileSync(path.join(dir, genomeFiles.fasta), copy)
      const output = execFileSync('samtools', ['faidx', '-r', regionFile, copy], { maxBuffer: 2 ** 28 }).toString()
      const expected = output.split(/^>.*\n/m).slice(1)
      expect(expected).toHaveLength(1000)
      for (const [i, { name, start0, end0 }] of regions.entries())
        expect(await fetch(name, start0, end0)).toBe(expected[i]!.replaceAll('\n', ''))
      // samtools has just indexed the copy itself.
      expect(readFileSync(`${copy}.fai`).equals(readFileSync(path.join(dir, genomeFiles.fai)))).toBe(true)
      expect(readFileSync(`${copy}.gzi`).equals(readFileSync(path.join(dir, genomeFiles.gzi)))).toBe(true)
    },
  )
})
