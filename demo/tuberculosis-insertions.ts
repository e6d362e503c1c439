import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SignalSequence, writeBigWig } from '../src/store/bigwig-writer.ts'

/** Libraries of Griffin et al. 2011 as the package has them. */
export const insertionSamples = [
  { id: 'cholesterol_1', condition: 'cholesterol', replicate: 1, file: 'cholesterol_H37Rv_rep1.wig' },
  { id: 'cholesterol_2', condition: 'cholesterol', replicate: 2, file: 'cholesterol_H37Rv_rep2.wig' },
  { id: 'cholesterol_3', condition: 'cholesterol', replicate: 3, file: 'cholesterol_H37Rv_rep3.wig' },
  { id: 'glycerol_1', condition: 'glycerol', replicate: 1, file: 'glycerol_H37Rv_rep1.wig' },
  { id: 'glycerol_2', condition: 'glycerol', replicate: 2, file: 'glycerol_H37Rv_rep2.wig' },
] as const

export type InsertionCondition = (typeof insertionSamples)[number]['condition']

/** Reads of insertions at every TA dinucleotide of the genome: the transposon Himar1 inserts at TA only. */
export interface InsertionCounts {
  /** Position of the T of each site, ascending. */
  sites1: number[]
  /** Counts at the sites, by sample in the order of `insertionSamples`. */
  counts: number[][]
  /** Factors of TRANSIT's trimmed total reads (TTR) normalization, by sample. */
  factors: number[]
}

/**
 * Reads the samples. Throws SyntaxError unless all of them have the same sites and these are the genome's TA sites, and the
 * package's normalized table names the same samples.
 */
export async function readInsertions(dataDir: string, genome: string): Promise<InsertionCounts> {
  const sites1: number[] = []
  for (let at = genome.indexOf('TA'); at >= 0; at = genome.indexOf('TA', at + 1)) sites1.push(at + 1)
  const counts: number[][] = []
  for (const { file } of insertionSamples) {
    const sample: number[] = []
    for (const line of (await readFile(join(dataDir, file), 'utf8')).split(/\r?\n/)) {
      if (!/^\d/.test(line)) continue
      const [site, count] = line.split(' ')
      if (Number(site) !== sites1[sample.length]) throw new SyntaxError(`${file}: ${site} is not the next TA site`)
      sample.push(Number(count))
    }
    if (sample.length !== sites1.length) throw new SyntaxError(`${file}: ${sample.length} of ${sites1.length} TA sites`)
    counts.push(sample)
  }
  const head = (await readFile(join(dataDir, 'cholesterol_glycerol_combined.dat'), 'utf8')).split('\n', 10)
  const factors = (head.find((line) => line.startsWith('#Normalization Factors:')) ?? '')
    .split(':')[1]
    ?.trim()
    .split(/\s+/)
  const files = head.filter((line) => line.startsWith('#File:'))
  if (factors?.length !== insertionSamples.length || !insertionSamples.every(({ file }, i) => files[i]?.endsWith(file)))
    throw new SyntaxError('cholesterol_glycerol_combined.dat: other samples than expected')
  return { sites1, counts, factors: factors.map(Number) }
}

function signal(name: string, lengthBp: number, sites1: readonly number[], values: ArrayLike<number>): SignalSequence {
  // The track marks both bases of a site; where sites overlap as in TATA they touch, never overlap.
  return {
    name,
    lengthBp,
    starts0: sites1.map((site1) => site1 - 1),
    ends0: sites1.map((site1) => site1 + 1),
    values,
  }
}

/** Counts of one sample as a BigWig; sites without insertion have 0, which is what tells an essential gene. */
export async function writeCountTrack(
  file: string,
  sequence: { name: string; lengthBp: number },
  insertions: InsertionCounts,
  sample: number,
): Promise<void> {
  await writeBigWig(file, [signal(sequence.name, sequence.lengthBp, insertions.sites1, insertions.counts[sample]!)])
}

/** Mean of the normalized counts of a condition's replicates, as log2(1 + mean): a few sites take most of the reads. */
export async function writeConditionTrack(
  file: string,
  sequence: { name: string; lengthBp: number },
  insertions: InsertionCounts,
  condition: InsertionCondition,
): Promise<void> {
  const chosen = insertionSamples.flatMap((sample, i) => (sample.condition === condition ? [i] : []))
  const values = insertions.sites1.map((_, site) => {
    const sum = chosen.reduce((total, i) => total + insertions.counts[i]![site]! * insertions.factors[i]!, 0)
    return Math.log2(1 + sum / chosen.length)
  })
  await writeBigWig(file, [signal(sequence.name, sequence.lengthBp, insertions.sites1, values)])
}

export function renderSampleSheet(insertions: InsertionCounts): string[] {
  const lines = ['sample\ttreatment\treplicate\tttr_factor\ttotal_reads']
  for (const [i, { id, condition, replicate }] of insertionSamples.entries()) {
    const total = insertions.counts[i]!.reduce((sum, count) => sum + count, 0)
    lines.push([id, condition, replicate, insertions.factors[i], total].join('\t'))
  }
  return lines
}
