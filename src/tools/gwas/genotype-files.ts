import { join } from 'node:path'
import { absentCopy, missingAllele } from '../../bio/variation/vcf.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { VariantRecord } from '../../kit/data/variant-data.ts'
import { openSink } from '../../store/file-sink.ts'
import type { KnownLocus } from './bake-associations.ts'

/** What became of the alleles of a set of variants on their way into the files of the programs. */
export interface WrittenGenotypes {
  written: number
  rare: number
  missing: number
  constant: number
  /**
   * Different genotype patterns among the alleles that are called in every sample, of how many: alleles inherited together are one test,
   * however many they are. A missing call would make a pattern of its own. Null beyond what is counted.
   */
  patterns: { count: number; of: number } | null
  /** Most copies that a sample has anywhere. */
  ploidy: number
  /** `plink`: genotypes.bed, .bim and .fam; `dose`: genotypes.bimbam, for more than two copies. */
  form: 'plink' | 'dose'
  /** By the names that the files have for alleles: `v0`, `v1` … */
  loci: { get(name: string): KnownLocus | undefined }
}

export interface WriteOptions {
  directory: string
  records: AsyncIterable<VariantRecord>
  /** Numbers of the samples among those of the records, in the order in which they are written. */
  samples: readonly number[]
  names: readonly string[]
  phenotype: readonly number[]
  ploidy: number
  minMinorFrequency: number
  maxMissingShare: number
  maxSites: number
  maxGenotypes: number
  onRecord?: (count: number) => void
  signal: AbortSignal
}

/** PLINK's magic number and "one variant after the other" (PLINK 1.9 file format reference, .bed). */
const bedStart = Uint8Array.of(0x6c, 0x1b, 0x01)
/**
 * Chromosomes that PLINK takes for autosomes by their number; what a species has more shares the last. Only linkage pruning looks at
 * them.
 */
const autosomes = 22

/** Patterns are kept as hashes; with more than this many, variants are not inherited in a few blocks. */
const maxPatterns = 200_000

/** Hash of doses, the same for an allele and for its counterpart: both are one test. */
const patternOf = (doses: Float64Array): number => {
  // By the first sample that has more of one than of the other.
  const reversed = (doses.find((dose) => dose !== 1) ?? 0) > 1
  let [high, low] = [0x811c9dc5, 0x1b873593]
  for (const dose of doses) {
    const code = Math.round((reversed ? 2 - dose : dose) * 1000)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ (code + 0x9e37), 0x85ebca6b)
    low ^= low >>> 13
  }
  return (high >>> 0) * 0x200000 + (low >>> 11)
}

const alleleOf = (text: string): string => (/^[A-Za-z]+$/.test(text) ? text.toUpperCase() : text.replace(/\s+/g, '_'))

/** As PLINK reads it: -9 would mean a missing value. */
export const phenotypeText = (value: number): string => (value === -9 ? '-9.0000000001' : String(value))

/**
 * Writes alleles into the files that GEMMA and PLINK read: every ALT allele against all others, so that sites of several alleles are
 * tested allele by allele. Samples of one copy are written as of two equal ones; those of more than two as doses from 0 to 2 in a file
 * of mean genotypes. Frequency and missing genotypes are those of the samples that are analysed.
 */
export const writeGenotypes = async (options: WriteOptions): Promise<WrittenGenotypes> => {
  const { samples, directory, signal } = options
  const form = options.ploidy > 2 ? 'dose' : 'plink'
  const genotypes = await openSink(join(directory, form === 'plink' ? 'genotypes.bed' : 'genotypes.bimbam'))
  const variants = form === 'plink' ? await openSink(join(directory, 'genotypes.bim')) : null
  if (form === 'plink') await genotypes.write(bedStart)
  const count = { written: 0, rare: 0, missing: 0, constant: 0, ploidy: 1 }
  const sequences: string[] = []
  const numbers = new Map<string, number>()
  let sequenceOf = new Uint32Array(1 << 16)
  let positionOf = new Uint32Array(1 << 16)
  const idOf = new Map<number, string>()
  const doses = new Float64Array(samples.length)
  const patterns = new Set<number>()
  let wholeCount = 0
  const bytes = Math.ceil(samples.length / 4)
  let read = 0
  try {
    for await (const record of options.records) {
      read += 1
      if (read % 1000 === 0) {
        signal.throwIfAborted()
        options.onRecord?.(read)
      }
      const found = record.genotypes
      if (found === null) continue
      for (const [number, alternate] of record.alternates.entries()) {
        let [sum, called, min, max] = [0, 0, 3, -1]
        for (const [index, sample] of samples.entries()) {
          let [copies, own, whole] = [0, 0, true]
          for (let copy = 0; copy < found.ploidy; copy += 1) {
            const allele = found.alleles[sample * found.ploidy + copy]!
            if (allele === absentCopy) continue
            copies += 1
            if (allele === missingAllele) whole = false
            else if (allele === number + 1) own += 1
          }
          const dose = whole && copies > 0 ? (2 * own) / copies : Number.NaN
          doses[index] = dose
          if (copies > count.ploidy) count.ploidy = copies
          if (!whole || copies === 0) continue
          called += 1
          sum += dose
          if (dose < min) min = dose
          if (dose > max) max = dose
        }
        if (called === 0 || 1 - called / samples.length > options.maxMissingShare) {
          count.missing += 1
          continue
        }
        if (min === max) {
          count.constant += 1
          continue
        }
        const frequency = sum / (2 * called)
        if (Math.min(frequency, 1 - frequency) < options.minMinorFrequency) {
          count.rare += 1
          continue
        }
        if (count.written === options.maxSites || (count.written + 1) * samples.length > options.maxGenotypes)
          throw new PortalError('ENGINE_LIMIT', {
            message: 'problem.tooManySites',
            params: { sites: options.maxSites, genotypes: options.maxGenotypes },
          })
        let sequence = numbers.get(record.sequence)
        if (sequence === undefined) {
          sequence = sequences.push(record.sequence) - 1
          numbers.set(record.sequence, sequence)
        }
        const at = count.written
        if (at === sequenceOf.length) {
          const wider = new Uint32Array(2 * at)
          wider.set(sequenceOf)
          sequenceOf = wider
          const longer = new Uint32Array(2 * at)
          longer.set(positionOf)
          positionOf = longer
        }
        sequenceOf[at] = sequence
        positionOf[at] = record.position1
        if (record.ids[0] !== undefined) idOf.set(at, record.ids[0])
        count.written += 1
        if (called === samples.length) {
          wholeCount += 1
          if (patterns.size <= maxPatterns) patterns.add(patternOf(doses))
        }
        if (form === 'plink') {
          const line = new Uint8Array(bytes)
          for (let index = 0; index < doses.length; index += 1) {
            const dose = doses[index]!
            // Two bits a sample: 00 two effect alleles, 10 one, 11 none, 01 not called.
            const code = Number.isNaN(dose) ? 1 : dose === 2 ? 0 : dose === 1 ? 2 : 3
            line[index >> 2]! |= code << (2 * (index & 3))
          }
          await genotypes.write(line)
          await variants!.write(
            `${Math.min(sequence + 1, autosomes)}\tv${at}\t0\t${at + 1}\t${alleleOf(alternate)}\t${alleleOf(record.reference)}\n`,
          )
        } else {
          const cells = Array.from(doses, (dose) => (Number.isNaN(dose) ? 'NA' : String(Number(dose.toFixed(6)))))
          await genotypes.write(`v${at}, ${alleleOf(alternate)}, ${alleleOf(record.reference)}, ${cells.join(', ')}\n`)
        }
      }
    }
    await genotypes.end()
    await variants?.end()
  } finally {
    await genotypes.discard()
    await variants?.discard()
  }
  const people = await openSink(join(directory, form === 'plink' ? 'genotypes.fam' : 'phenotype.txt'))
  for (const [index, value] of options.phenotype.entries())
    await people.write(
      form === 'plink' ? `s${index} s${index} 0 0 0 ${phenotypeText(value)}\n` : `${phenotypeText(value)}\n`,
    )
  await people.end()
  return {
    ...count,
    patterns: patterns.size > maxPatterns ? null : { count: patterns.size, of: wholeCount },
    form,
    loci: {
      get: (name) => {
        const at = Number(name.slice(1))
        if (!/^v\d+$/.test(name) || at >= count.written) return undefined
        const id = idOf.get(at)
        return { sequence: sequences[sequenceOf[at]!]!, position1: positionOf[at]!, id: id ?? '' }
      },
    },
  }
}
