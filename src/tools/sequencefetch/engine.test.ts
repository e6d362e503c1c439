import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexSequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { PortalError as PortalErrorClass } from '../../contracts/errors.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { bakeGenomeFasta, type Genome, openGenome } from '../../store/genome-fasta.ts'
import { answerText, askRoute, makeEngineContext } from '../../testing/contexts.ts'
import { failure } from '../../testing/failure.ts'
import { openTestPortal } from '../../testing/portal.ts'
import { makeBases, makeRandomBelow } from '../../testing/random.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import engine from './engine.ts'
import tool, { limits } from './tool.ts'

const directory = mkdtempSync(join(tmpdir(), 'sequencefetch-'))
const genomes: Genome[] = []
afterAll(async () => {
  for (const genome of genomes) await genome.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The genome part of the portal's data over a FASTA file that the store has baked. */
const openFasta = async (name: string, fasta: string): Promise<PortalData> => {
  const source = join(directory, `${name}.fa`)
  writeFileSync(source, fasta)
  const outDir = join(directory, name)
  const { sequences: baked } = await bakeGenomeFasta({ inputs: [source], outDir, log: new DefectLog() })
  const genome = await openGenome(outDir)
  genomes.push(genome)
  const sequences: GenomeSequence[] = baked.map((sequence) => ({
    name: sequence.name,
    lengthBp: sequence.lengthBp,
    circular: false,
    geneticCode: 1,
    aliases: [],
  }))
  const getSequence = async (assembly: string, asked: string): Promise<GenomeSequence> => {
    const { name, near } = indexSequenceNames(sequences).resolve(asked)
    const found = sequences.find((sequence) => sequence.name === name)
    if (found === undefined) {
      throw new PortalErrorClass('UNKNOWN_SEQUENCE', {
        params: { sequence: asked, assembly, near: near.length > 0 ? near.join(', ') : 'none' },
      })
    }
    return found
  }
  const data: Partial<PortalData> = {
    getAssembly: async (assembly) => {
      if (assembly !== name) throw new PortalErrorClass('UNKNOWN_ASSEMBLY', { params: { assembly } })
      return { id: name } as Awaited<ReturnType<PortalData['getAssembly']>>
    },
    listSequences: async () => sequences,
    getSequence,
    resolveGenes: async (names) => ({ found: [], ambiguous: [], unknown: names }),
    findFeatures: async () => [],
    fetchSequence: async (assembly, sequence, start1, end1) =>
      String(await genome.fetch((await getSequence(assembly, sequence)).name, start1 - 1, end1)),
    listGenesInRegion: async () => [],
  }
  return data as PortalData
}

const run = async (data: PortalData, input: unknown) => engine.run(tool.input.parse(input), makeEngineContext({ data }))

const readFasta = async (data: PortalData, input: Record<string, unknown>): Promise<string> => {
  const text = await answerText(await askRoute(engine, 'fasta', input, { data }))
  expect(text).toMatch(/^(>.* NovoDB test tool=sequencefetch .*\n[^>]*)*$/)
  return text.replaceAll(/ NovoDB test tool=.*/g, '')
}

describe('regions of a small genome', () => {
  let data: PortalData
  // Soft-masked, with IUPAC codes and N; a second sequence whose name holds a colon and dashes, like HLA alleles.
  const chr1 = 'ACGTNacgtnRYKMSWBDHVrykmswbdhvTTTTT'
  beforeAll(async () => {
    data = await openFasta('tiny', `>chr1\n${chr1}\n>HLA-A*01:01:01\nGGGGCCCC\n`)
  })

  test('both ends are included, counted from 1, and the case of soft-masked bases is kept', async () => {
    const { records } = await run(data, { assembly: 'tiny', sequence: 'chr1', start: 4, end: 8 })
    expect(records[0]).toMatchObject({ residues: 'TNacg', start: 4, end: 8, strand: '+', lengthBp: 5, notes: [] })
    expect(records[0]).toMatchObject({ gcFraction: 2 / 4, unknownBp: 1, maskedBp: 3 })
  })

  test('start above end gives the reverse complement, IUPAC codes and case included', async () => {
    const { records } = await run(data, { assembly: 'tiny', sequence: 'chr1', start: 30, end: 11 })
    // R<->Y, K<->M, B<->V, D<->H; S and W are their own complements.
    expect(records[0]).toMatchObject({ residues: 'bdhvwskmryBDHVWSKMRY', start: 11, end: 30, strand: '-' })
  })

  test('a piece without T on the reverse strand is still DNA', async () => {
    const rna = await openFasta('uracil', '>x\nAACUUGG\n')
    const { records } = await run(rna, { assembly: 'uracil', sequence: 'x', start: 7, end: 1 })
    expect(records[0]!.residues).toBe('CCAAGTT')
  })

  test('an empty start is the first base and an empty end the last', async () => {
    const whole = await run(data, { assembly: 'tiny', sequence: 'chr1' })
    expect(whole.records[0]!.residues).toBe(chr1)
    const tail = await run(data, { assembly: 'tiny', sequence: 'chr1', start: '31', end: '' })
    expect(tail.records[0]!.residues).toBe('TTTTT')
  })

  test('what reaches beyond the end is clipped and said so, also in the FASTA header', async () => {
    const { records } = await run(data, { assembly: 'tiny', sequence: 'chr1', start: 31, end: 1e9 })
    expect(records[0]).toMatchObject({ end: 35, residues: 'TTTTT' })
    expect(records[0]!.notes).toEqual([
      { id: 'note.clipped', params: { asked: 1e9, end: 35, name: 'chr1', missing: 1e9 - 35 } },
    ])
    expect(records[0]!.header).toContain('clipped_at_sequence_end=999999965bp')
  })

  test('on a circular sequence a region goes on across the origin, at most once around', async () => {
    const portal = await openTestPortal([{ id: 'plasmid', fasta: '>pX\nAACCGGTTAC\n', circular: ['pX'] }])
    try {
      const over = await run(portal.data, { assembly: 'plasmid', sequence: 'pX', start: 8, end: 13 })
      expect(over.records[0]).toMatchObject({ residues: 'TACAAC', start: 8, end: 13, lengthBp: 6 })
      expect(over.records[0]!.header).toBe('pX:8-13(+) assembly=plasmid length=6')
      expect(over.records[0]!.notes).toEqual([{ id: 'note.origin', params: { name: 'pX' } }])
      const reverse = await run(portal.data, { assembly: 'plasmid', sequence: 'pX', start: 13, end: 8 })
      expect(reverse.records[0]).toMatchObject({ residues: 'GTTGTA', strand: '-' })
      const around = await run(portal.data, { assembly: 'plasmid', sequence: 'pX', start: 8, end: 100 })
      expect(around.records[0]).toMatchObject({ residues: 'TACAACCGGT', end: 17 })
      expect(around.records[0]!.notes.map((note) => note.id)).toEqual(['note.origin', 'note.clipped'])
    } finally {
      await portal.close()
    }
  })

  test('a region wholly beyond the end, and positions that are none, are refused beside their field', async () => {
    const beyond = await failure(run(data, { assembly: 'tiny', sequence: 'chr1', start: 36, end: 40 }))
    expect(beyond).toMatchObject({
      code: 'INVALID_INPUT',
      problems: [{ path: ['start'], message: 'locus.beyond-end' }],
    })
    for (const [start, message] of [
      [-5, 'locus.start-zero'],
      [0, 'locus.start-zero'],
      [1.5, 'locus.number-bad'],
      ['1.5', 'locus.number-bad'],
      ['1e5', 'locus.number-bad'],
      ['ten', 'locus.number-bad'],
      ['12,34', 'locus.number-comma'],
      ['1 000', 'locus.number-bad'],
      ['1\u0000', 'locus.number-bad'],
      ['99999999999999999999', 'locus.number-bad'],
    ] as const) {
      const refused = tool.input.safeParse({ assembly: 'tiny', sequence: 'chr1', start, end: 5 })
      expect(refused.error?.issues, String(start)).toMatchObject([{ path: ['start'], message }])
    }
    const both = tool.input.safeParse({ assembly: 'tiny', sequence: 'chr1', start: 'x', end: 'y' })
    expect(both.error?.issues.map((issue) => issue.path)).toEqual([['start'], ['end']])
  })

  test('a whole place in the box of the sequence is read with its strand', async () => {
    const { records } = await run(data, { assembly: 'tiny', sequence: 'HLA-A*01:01:01:8..5' })
    expect(records[0]).toMatchObject({ sequence: 'HLA-A*01:01:01', residues: 'GGGG', start: 5, end: 8, strand: '-' })
    const base = await run(data, { assembly: 'tiny', sequence: 'chr1:2..2:r' })
    expect(base.records[0]).toMatchObject({ residues: 'G', start: 2, end: 2, strand: '-' })
    const error = await failure(run(data, { assembly: 'tiny', sequence: 'chr1:1,2..9' }))
    expect(error.problems).toMatchObject([{ path: ['sequence'], message: 'locus.number-comma' }])
  })

  test('thousands commas and full-width digits of a Chinese keyboard are read', async () => {
    const { records } = await run(data, { assembly: 'tiny', sequence: 'chr1', start: '0,004', end: '１０' })
    expect(records[0]).toMatchObject({ start: 4, end: 10 })
  })

  test('an unknown sequence names what it may have been', async () => {
    const error = await failure(run(data, { assembly: 'tiny', sequence: 'chr2', start: 1, end: 5 }))
    expect(error).toMatchObject({
      code: 'UNKNOWN_SEQUENCE',
      problems: [{ path: ['sequence'], params: { near: 'chr1' } }],
    })
    expect((await failure(run(data, { assembly: 'tiny', sequence: '', start: 5 }))).problems[0]!.path).toEqual([
      'sequence',
    ])
    expect((await failure(run(data, { assembly: 'no such', sequence: 'chr1' }))).code).toBe('UNKNOWN_ASSEMBLY')
  })

  test('a batch takes every form, CRLF, comments, BED with its name and strand, and names with colons', async () => {
    const regions = [
      '# my regions',
      'chr1:1..4',
      'chr1:4..1',
      'chr1:1-4:r',
      '',
      'chr1\t0\t4\tmySite\t0\t-',
      'HLA-A*01:01:01:2..5',
      '1：1，000..1',
      'chr1',
    ].join('\r\n')
    const { records, problems } = await run(data, { assembly: 'tiny', regions })
    expect(problems).toEqual([])
    expect(records.map(({ line, name, residues }) => [line, name, residues])).toEqual([
      [2, null, 'ACGT'],
      [3, null, 'ACGT'],
      [4, null, 'ACGT'],
      [6, 'mySite', 'ACGT'],
      [7, null, 'GGGC'],
      [8, null, 'AAAAAbdhvwskmryBDHVWSKMRYnacgtNACGT'],
      [9, null, chr1],
    ])
    expect(records[5]!.notes[0]!.params.missing).toBe(965)
  })

  test('wrong lines are named one by one and the good ones still answered; FASTA refuses until told to leave them out', async () => {
    const regions = 'chr1:1..4\nchr9:1..4\nchr1:50..60\nchr1:0..4\nchr1\t5\t5\nnonsense line\nchr1\u0000:1..2'
    const { records, problems } = await run(data, { assembly: 'tiny', regions })
    expect(records).toHaveLength(1)
    expect(problems.map(({ line, id }) => [line, id])).toEqual([
      [2, 'locus.sequence-unknown'],
      [3, 'locus.beyond-end'],
      [4, 'locus.start-zero'],
      [5, 'locus.bed-empty'],
      [6, 'locus.sequence-unknown'],
      [7, 'locus.sequence-unknown'],
    ])
    const error = await failure(readFasta(data, { assembly: 'tiny', regions }))
    expect(error.problems[0]).toMatchObject({ path: ['regions', 2], line: 2, params: { near: 'chr1' } })
    expect(await readFasta(data, { assembly: 'tiny', regions, skipInvalid: 'true' })).toBe(
      '>chr1:1-4(+) assembly=tiny length=4\nACGT\n',
    )
  })

  test('a batch without any region, and one region beside a batch, are refused', async () => {
    expect((await failure(run(data, { assembly: 'tiny', regions: '# only\n\n#comments' }))).messageId).toBe(
      'problem.no-regions',
    )
    expect((await failure(run(data, { assembly: 'tiny', sequence: 'chr1', regions: 'chr1' }))).messageId).toBe(
      'problem.both',
    )
    expect((await failure(run(data, { assembly: 'tiny', regions: 'chrX:1..2\nchrY:1..2' }))).problems).toHaveLength(2)
  })

  test('more lines than the bound are refused before anything is read', async () => {
    const regions = 'chr1:1..4\n'.repeat(limits.regions + 1)
    expect(await failure(run(data, { assembly: 'tiny', regions }))).toMatchObject({
      messageId: 'problem.too-many-regions',
      params: { count: limits.regions + 1 },
    })
  })

  test('a paste of ten megabytes is refused by the schema, not read', () => {
    expect(tool.input.safeParse({ assembly: 'tiny', regions: 'A'.repeat(10_000_000) }).success).toBe(false)
  })

  test('ten thousand lines naming unknown sequences are each answered', async () => {
    const regions = `chr1:1..2\n${Array.from({ length: 9_999 }, (_, index) => `contig_${index}:1..2`).join('\n')}`
    const { problems } = await run(data, { assembly: 'tiny', regions })
    expect(problems).toHaveLength(9_999)
  })

  test('lines of FASTA have the width asked for, across the pieces that are read', async () => {
    const input = { assembly: 'tiny', sequence: 'chr1', start: '1', end: '12' }
    expect(await readFasta(data, { ...input, lineWidth: '5' })).toBe(
      '>chr1:1-12(+) assembly=tiny length=12\nACGTN\nacgtn\nRY\n',
    )
    expect(await readFasta(data, { ...input, lineWidth: '0' })).toBe(
      '>chr1:1-12(+) assembly=tiny length=12\nACGTNacgtnRY\n',
    )
    expect(await readFasta(data, { ...input, lineWidth: '6' })).toBe(
      '>chr1:1-12(+) assembly=tiny length=12\nACGTNa\ncgtnRY\n',
    )
  })
})

test('a region longer than the bound is refused with its length; one within it is streamed whole on either strand', async () => {
  const unit = makeBases(110_000, 11, 'ACGTacgtNR')
  const chromosome = unit.repeat(100)
  const data = await openFasta('long', `>c\n${chromosome}\n`)
  const tooLong = await failure(run(data, { assembly: 'long', sequence: 'c' }))
  expect(tooLong).toMatchObject({
    messageId: 'problem.region-too-long',
    params: { length: 11_000_000, limit: 10_000_000 },
  })
  const { records, shownBp } = await run(data, { assembly: 'long', sequence: 'c', start: 5, end: 10_000_004 })
  expect(shownBp).toBe(limits.shownBp)
  expect(records[0]!.residues === chromosome.slice(4, 4 + limits.shownBp)).toBe(true)
  const forward = await readFasta(data, { assembly: 'long', sequence: 'c', start: 5, end: 10_000_004, lineWidth: 61 })
  const [header, ...lines] = forward.split('\n')
  expect(header).toBe('>c:5-10000004(+) assembly=long length=10000000')
  expect(lines.slice(0, -2).every((line) => line.length === 61)).toBe(true)
  expect(lines.join('') === chromosome.slice(4, 10_000_004)).toBe(true)
  const backward = await readFasta(data, { assembly: 'long', sequence: 'c', start: 10_000_004, end: 5 })
  const partners = Buffer.alloc(128)
  for (const [at, base] of Buffer.from('ACGTacgtNR').entries()) partners[base] = 'TGCAtgcaNY'.charCodeAt(at)
  // In place: as many strings of one letter take seconds.
  const turned = Buffer.from(chromosome.slice(4, 10_000_004)).reverse()
  for (let at = 0; at < turned.length; at++) turned[at] = partners[turned[at]!]!
  const expected = turned.toString()
  expect(backward.split('\n').slice(1).join('') === expected).toBe(true)
})

describe.skipIf(!hasRealData)('the yeast genome', () => {
  let data: PortalData
  let plain = ''
  const regions: { chromosome: string; start: number; end: number; reverse: boolean }[] = []

  beforeAll(async () => {
    plain = gunzipSync(readFileSync(join(realData, 'yeast/genome/R64.genome.chr.fa.gz'))).toString('latin1')
    data = await openFasta('R64', plain)
    const sequences = await data.listSequences('R64')
    const random = makeRandomBelow(20240601)
    for (let index = 0; index < 1000; index++) {
      const sequence = sequences[random(sequences.length)]!
      const start = 1 + random(sequence.lengthBp)
      const end = Math.min(sequence.lengthBp, start + random(5000))
      regions.push({ chromosome: sequence.name, start, end, reverse: index % 2 === 1 })
    }
  })

  const ours = async (): Promise<string[]> => {
    const fasta = await readFasta(data, {
      assembly: 'R64',
      lineWidth: 0,
      regions: regions
        .map(({ chromosome, start, end, reverse }) => `${chromosome}:${start}-${end}${reverse ? ':r' : ''}`)
        .join('\n'),
    })
    return fasta.split('\n').filter((line) => line !== '' && !line.startsWith('>'))
  }

  test('a thousand random regions equal what samtools faidx cuts out, both strands', async () => {
    expect(spawnSync('samtools', ['--version']).status, 'samtools is needed for this check').toBe(0)
    const fasta = join(directory, 'R64.plain.fa')
    writeFileSync(fasta, plain)
    execFileSync('samtools', ['faidx', fasta])
    const cut = (options: string[], reverse: boolean): string[] => {
      const list = join(directory, `regions-${reverse}.txt`)
      const chosen = regions.filter((region) => region.reverse === reverse)
      writeFileSync(list, `${chosen.map(({ chromosome, start, end }) => `${chromosome}:${start}-${end}`).join('\n')}\n`)
      return execFileSync('samtools', ['faidx', '-n', '1000000', ...options, '-r', list, fasta], { maxBuffer: 1e9 })
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('>'))
    }
    const got = await ours()
    expect(got).toHaveLength(1000)
    const forward = cut([], false)
    const backward = cut(['-i'], true)
    expect(forward.length + backward.length).toBe(1000)
    expect(
      got.filter((sequence, index) => sequence !== (index % 2 === 0 ? forward : backward)[index >> 1]),
    ).toHaveLength(0)
  })

  test('and what bedtools getfasta -s cuts out', async () => {
    expect(spawnSync('bedtools', ['--version']).status, 'bedtools is needed for this check').toBe(0)
    const fasta = join(directory, 'R64.bedtools.fa')
    writeFileSync(fasta, plain)
    const bed = join(directory, 'regions.bed')
    writeFileSync(
      bed,
      regions
        .map(
          ({ chromosome, start, end, reverse }) =>
            `${chromosome}\t${start - 1}\t${end}\tr\t0\t${reverse ? '-' : '+'}\n`,
        )
        .join(''),
    )
    const expected = execFileSync('bedtools', ['getfasta', '-s', '-fi', fasta, '-bed', bed], { maxBuffer: 1e9 })
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('>'))
    const got = await ours()
    expect(expected).toHaveLength(1000)
    expect(got.filter((sequence, index) => sequence !== expected[index])).toHaveLength(0)
  })
})
