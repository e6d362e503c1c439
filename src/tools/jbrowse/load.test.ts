import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BigWig } from '@gmod/bbi'
import { LocalFile } from 'generic-filehandle2'
import { afterAll, describe, expect, test } from 'vitest'
import { createProgramRunner } from '../../jobs/program.ts'
import { findPrograms } from '../../jobs/programs.ts'
import { makeBakeContext, searchPath } from '../../testing/contexts.ts'
import tracksLoader from './load.ts'
import type { BakedTrack } from './stored.ts'

const root = mkdtempSync(join(tmpdir(), 'novodb-tracks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const samtools = {
  program: 'samtools',
  package: 'samtools',
  versionArguments: ['--version'],
  versionPattern: /samtools (\S+)/,
}
const hasSamtools = spawnSync('samtools', ['--version']).error === undefined

let folders = 0
/** Loads files, each a track of its name, on chrI of 1000 bases and chrII of 500. */
const load = async (files: Record<string, string | Buffer>) => {
  const folder = join(root, String(++folders))
  const [directory, scratch] = ['bundle', 'scratch'].map((name) => join(folder, name)) as [string, string]
  for (const place of [directory, scratch]) mkdirSync(place, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const sequences = [
    { name: 'chrI', lengthBp: 1000 },
    { name: 'chrII', lengthBp: 500 },
  ]
  const { context, baked } = makeBakeContext({
    directory,
    scratch,
    sequences: sequences.map((one) => ({ ...one, aliases: [], circular: false, geneticCode: 1 })),
    findSequence: (name) => ({ chrI: 'chrI', chrII: 'chrII', '2': 'chrII' })[name] ?? null,
    resolveFile: async (path) => join(folder, path),
    runProgram: createProgramRunner({
      directory: scratch,
      signal: new AbortController().signal,
      searchPath,
      programs: await findPrograms([samtools], searchPath),
    }),
  })
  const [loader] = [tracksLoader].flat()
  const entries = Object.keys(files).map((file) => ({ id: file.split('.')[0]!, name: file, file }))
  const counts = await loader!.bake(entries, context)
  return {
    folder,
    directory,
    counts,
    tracks: baked.records.map(({ data }) => data as BakedTrack),
    codes: baked.defects.map(({ code, line }) => `${code} ${line}`),
    // Of each program there is a note of how it was started.
    left: readdirSync(scratch).filter((name) => name !== 'command.json'),
  }
}

const readValues = async (file: string, sequence: string): Promise<[number, number, number][]> =>
  (await new BigWig({ filehandle: new LocalFile(file) }).getFeatures(sequence, 0, 1000)).map((found) => [
    found.start,
    found.end,
    found.score!,
  ])

describe('a signal as text', () => {
  test('becomes BigWig in the names and order of the genome, whatever its own', async () => {
    const { directory, tracks, codes, left } = await load({
      'cover.bedgraph': '2 0 100 1.5\nchrI\t500\t600\t3\nchrI\t0\t10\t2\n',
      'score.wig':
        'track type=wiggle_0\nfixedStep chrom=chrI start=991 step=20 span=20\n4\nvariableStep chrom=2\n7 5\n',
    })
    expect(tracks).toMatchObject([
      { id: 'cover', type: 'bigwig', file: 'tracks/cover.bw', index: null },
      { id: 'score', type: 'bigwig', file: 'tracks/score.bw', index: null },
    ])
    expect(codes).toEqual(['track-sequence-renamed 1', 'track-sequence-renamed 5', 'signal-cut null'])
    const cover = join(directory, 'tracks/cover.bw')
    expect(await readValues(cover, 'chrI')).toEqual([
      [0, 10, 2],
      [500, 600, 3],
    ])
    expect(await readValues(cover, 'chrII')).toEqual([[0, 100, 1.5]])
    expect(await readValues(join(directory, 'tracks/score.bw'), 'chrI')).toEqual([[990, 1000, 4]])
    expect(left).toEqual([])
  })

  test('is refused where intervals overlap, lie beyond the sequence or have no value', async () => {
    const { counts, codes, left, directory } = await load({
      'overlap.bedgraph': 'chrI\t0\t100\t1\nchrI\t90\t120\t2\n',
      'beyond.bedgraph': 'chrII\t600\t700\t1\n',
      'words.bdg': 'chrI\t0\t100\thigh\n',
      'other.wig': 'variableStep chrom=chr9\n1 1\n',
    })
    expect(counts).toEqual({})
    expect(codes).toEqual(expect.arrayContaining(['signal-overlap null', 'track-beyond-sequence 1', 'signal-value 1']))
    expect(codes).toContain('track-sequences-all-unknown null')
    expect([...left, ...readdirSync(join(directory, 'tracks'))]).toEqual([])
  })
})

const sam = (order: string): string =>
  [
    `@HD\tVN:1.6\tSO:${order}`,
    '@SQ\tSN:chrI\tLN:1000',
    '@SQ\tSN:chrII\tLN:500',
    'r3\t0\tchrII\t7\t60\t5M\t*\t0\t0\tACGTA\tIIIII',
    'r2\t16\tchrI\t300\t60\t5M\t*\t0\t0\tACGTA\tIIIII',
    'r1\t0\tchrI\t20\t60\t5M\t*\t0\t0\tACGTA\tIIIII',
    '',
  ].join('\n')

describe('reads', () => {
  test.runIf(hasSamtools)('in SAM are sorted into BAM with its index', async () => {
    const { directory, tracks, codes, left } = await load({ 'reads.sam': sam('unsorted') })
    expect(codes).toEqual([])
    expect(tracks).toMatchObject([{ type: 'bam', file: 'tracks/reads.bam', index: 'tracks/reads.bam.bai' }])
    const bam = join(directory, 'tracks/reads.bam')
    const names = (...region: string[]): string[] =>
      execFileSync('samtools', ['view', bam, ...region], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]!)
    expect(names()).toEqual(['r1', 'r2', 'r3'])
    expect(names('chrI:290-310')).toEqual(['r2'])
    expect(left).toEqual([])
  })

  test.runIf(hasSamtools)(
    'in CRAM that is not in the order of the genome are sorted, and every one is found',
    async () => {
      const place = mkdtempSync(join(tmpdir(), 'novodb-cram-'))
      writeFileSync(join(place, 'reads.sam'), sam('unsorted'))
      const cram = join(place, 'reads.cram')
      const options = ['-C', '--output-fmt-option', 'no_ref=1', '-o', cram, join(place, 'reads.sam')]
      execFileSync('samtools', ['view', ...options])
      const { directory, tracks, codes, left } = await load({ 'reads.cram': readFileSync(cram) })
      rmSync(place, { recursive: true })
      expect(codes).toEqual([])
      expect(tracks).toMatchObject([{ type: 'cram', file: 'tracks/reads.cram', index: 'tracks/reads.cram.crai' }])
      const found = execFileSync('samtools', ['view', join(directory, 'tracks/reads.cram'), 'chrI:290-310'], {
        encoding: 'utf8',
      })
      expect(found.split('\t')[0]).toBe('r2')
      // samtools says that it was given no genome here.
      expect(left.filter((name) => name !== 'stderr')).toEqual([])
    },
  )

  test('without a header, or of another genome, are refused', async () => {
    const { counts, codes } = await load({
      'bare.sam': sam('unsorted').replace(/^@.*\n/gm, ''),
      'other.sam': sam('unsorted').replaceAll('chrI', 'scf'),
    })
    expect(counts).toEqual({})
    expect(codes).toEqual(['track-sam-header null', 'track-sequences-all-unknown null'])
  })

  test.runIf(hasSamtools)('that samtools cannot read are told, with its reason', async () => {
    const { counts, codes } = await load({ 'broken.sam': `${sam('unsorted')}r4\t0\tchrI\tx\n` })
    expect(counts).toEqual({})
    expect(codes).toEqual(['file-damaged null'])
  })
})
