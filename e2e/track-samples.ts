import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeManifest } from '../demo/species-folder.ts'
import { writeBigWig } from '../src/store/bigwig-writer.ts'

/** A species that carries a track of every type, loaded beside the others for the journeys through the genome browser. */
const sampleSpecies = 'track-samples'
export const sampleAssembly = 'track-samples-reads'
/** JBrowse's own toy genome with files that other programs wrote; only where the test data is. */
export const toyAssembly = 'volvox'

const readBp = 100
const reads = 6000
const sequenceName = 'chrS'
const programLimitMs = 120_000

/** What was planted, to be looked for in the browser. */
export interface TrackSamples {
  lengthBp: number
  /** Base (1-based) at which every read differs from the genome, with what the genome and the reads have. */
  variant: { position1: number; reference: string; alternative: string }
  /** Name of the read that begins at `readStart1`. */
  readName: string
  readStart1: number
}

const run = (program: string, args: string[]): Promise<void> =>
  new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: programLimitMs })
    let complaint = ''
    child.stderr.on('data', (text) => {
      complaint += text
    })
    child.once('error', failed)
    child.once('close', (code) =>
      code === 0 ? done() : failed(new Error(`${program} ${args.join(' ')}: ${complaint}`)),
    )
  })

/** Numbers in [0, 1) that are the same at every run: the multiplicative generator of Park and Miller (CACM 31:1192, 1988). */
const seeded = (): (() => number) => {
  let state = 20_170_301
  return () => {
    state = (state * 16807) % 2147483647
    return (state - 1) / 2147483646
  }
}

const other = (base: string): string => ({ A: 'G', G: 'A', C: 'T', T: 'C' })[base] ?? 'A'

/**
 * The toy's variants stand on a contig of another build, whose bases are others, and are refused as they are: here each has the bases
 * of this genome as REF.
 */
const placeVariants = async (vcf: string, fasta: string): Promise<string> => {
  const genome = (await readFile(fasta, 'latin1'))
    .split('>ctgA')[1]!
    .split('>')[0]!
    .replace(/^.*\n/, '')
    .replace(/\s/g, '')
  return gunzipSync(await readFile(vcf))
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      if (line === '' || line.startsWith('#')) return [line]
      const cells = line.split('\t')
      const start0 = Number(cells[1]) - 1
      cells[3] = genome.slice(start0, start0 + cells[3]!.length).toUpperCase()
      return cells[4]!.split(',').includes(cells[3]) ? [] : [cells.join('\t')]
    })
    .join('\n')
}

/**
 * Writes a species folder over a segment of a real genome (`bases`): reads sampled from it with one planted variant, as
 * BAM and CRAM made by samtools, their depth as BigWig, and the variant and two features as VCF, BED and GFF3. With
 * `sharedData`, JBrowse's toy genome with its own BAM, CRAM, BigWig, VCF and GFF3 files stands beside it.
 */
export const makeTrackSamples = async (
  folder: string,
  bases: string,
  sharedData: string | null,
): Promise<TrackSamples> => {
  await mkdir(folder, { recursive: true })
  const at = (name: string): string => join(folder, name)
  const genome = bases.toUpperCase()
  const position1 = Math.floor(genome.length / 2)
  const reference = genome[position1 - 1]!
  const alternative = other(reference)
  const changed = genome.slice(0, position1 - 1) + alternative + genome.slice(position1)
  await writeFile(at('genome.fa'), `>${sequenceName}\n${genome.replace(/.{60}/g, '$&\n')}\n`)
  await writeFile(
    at('genes.gff3'),
    [
      '##gff-version 3',
      `${sequenceName}\tt\tgene\t${position1 - 600}\t${position1 + 599}\t.\t+\t.\tID=SAMPLE1;Name=SMP1`,
      `${sequenceName}\tt\tmRNA\t${position1 - 600}\t${position1 + 599}\t.\t+\t.\tID=SAMPLE1.t;Parent=SAMPLE1`,
      `${sequenceName}\tt\texon\t${position1 - 600}\t${position1 + 599}\t.\t+\t.\tParent=SAMPLE1.t`,
      '',
    ].join('\n'),
  )

  const random = seeded()
  const depth = new Float32Array(genome.length)
  const lines = ['@HD\tVN:1.6\tSO:unsorted', `@SQ\tSN:${sequenceName}\tLN:${genome.length}`]
  const named = { name: 'read-at-variant', start1: position1 - 50 }
  for (let number = 0; number < reads; number += 1) {
    const start0 = number === 0 ? named.start1 - 1 : Math.floor(random() * (genome.length - readBp))
    const name = number === 0 ? named.name : `read${number}`
    const bases = changed.slice(start0, start0 + readBp)
    lines.push(
      [
        name,
        random() < 0.5 ? 0 : 16,
        sequenceName,
        start0 + 1,
        60,
        `${readBp}M`,
        '*',
        0,
        0,
        bases,
        'I'.repeat(readBp),
      ].join('\t'),
    )
    for (let base = start0; base < start0 + readBp; base += 1) depth[base]! += 1
  }
  await writeFile(at('reads.sam'), `${lines.join('\n')}\n`)
  // No index is written: the loader makes both.
  await run('samtools', ['sort', '-o', at('reads.bam'), at('reads.sam')])
  await run('samtools', ['view', '-C', '-T', at('genome.fa'), '-o', at('reads.cram'), at('reads.bam')])
  const starts0 = [...depth.keys()]
  const signal = { name: sequenceName, lengthBp: genome.length, starts0, ends0: starts0.map((start) => start + 1) }
  await writeBigWig(at('depth.bw'), [{ ...signal, values: depth }])
  await writeBigWig(at('lost.bw'), [{ ...signal, values: depth }])
  await writeFile(
    at('variant.vcf'),
    [
      '##fileformat=VCFv4.3',
      '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
      `##contig=<ID=${sequenceName},length=${genome.length}>`,
      '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tsampled',
      `${sequenceName}\t${position1}\tplanted-variant\t${reference}\t${alternative}\t.\tPASS\t.\tGT\t1/1`,
      '',
    ].join('\n'),
  )
  await writeFile(at('peak.bed'), `${sequenceName}\t${position1 - 301}\t${position1 + 300}\tbed-peak\t500\t+\n`)
  await writeFile(
    at('element.gff3'),
    `##gff-version 3\n${sequenceName}\tt\ttransposable_element\t${position1 - 200}\t${position1 + 400}\t.\t-\t.\tID=te1;Name=gff-element\n`,
  )

  const track = (id: string, file: string, type: 'bigwig' | 'bam' | 'cram' | 'vcf' | 'bed' | 'gff3', zh: string) => ({
    id,
    file,
    type,
    name: { en: `Sample ${id}`, zh },
    simulated: true,
  })
  const toy = sharedData === null ? null : resolve(sharedData, 'formats/bam_bigwig_vcf')
  const toyFile = (name: string): string => join(toy ?? '', name)
  if (toy !== null && existsSync(toy))
    await writeFile(at('toy.vcf'), await placeVariants(toyFile('volvox.test.vcf.gz'), toyFile('volvox.fa')))
  await writeManifest(folder, {
    novodb: 1,
    species: sampleSpecies,
    name: 'Track samples',
    simulated: true,
    assemblies: [
      {
        id: sampleAssembly,
        genome: 'genome.fa',
        genes: 'genes.gff3',
        tracks: [
          track('depth', 'depth.bw', 'bigwig', '示例深度'),
          track('bam', 'reads.bam', 'bam', '示例读段 BAM'),
          track('cram', 'reads.cram', 'cram', '示例读段 CRAM'),
          track('vcf', 'variant.vcf', 'vcf', '示例变异'),
          track('bed', 'peak.bed', 'bed', '示例峰'),
          track('gff3', 'element.gff3', 'gff3', '示例元件'),
          track('lost', 'lost.bw', 'bigwig', '示例缺失文件'),
        ],
      },
      ...(toy === null || !existsSync(toy)
        ? []
        : [
            {
              id: toyAssembly,
              genome: toyFile('volvox.fa'),
              sequences: [{ name: 'ctgA', aliases: ['contigA'] }],
              tracks: [
                track('bam', toyFile('volvox-sorted.bam'), 'bam', '读段 BAM'),
                track('cram', toyFile('volvox-sorted.cram'), 'cram', '读段 CRAM'),
                track('depth', toyFile('volvox-sorted.bam.coverage.bw'), 'bigwig', '深度'),
                track('microarray', toyFile('volvox_microarray.bw'), 'bigwig', '芯片'),
                track('vcf', 'toy.vcf', 'vcf', '变异'),
                track('features', toyFile('volvox.gff3'), 'gff3', '特征'),
              ],
            },
          ]),
    ],
  })
  return {
    lengthBp: genome.length,
    variant: { position1, reference, alternative },
    readName: named.name,
    readStart1: named.start1,
  }
}
