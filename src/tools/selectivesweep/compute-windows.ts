import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { AlleleCounter } from '../../bio/population/allele-counts.ts'
import {
  findBinBp,
  type OverallValues,
  overallValues,
  SequenceSums,
  type SequenceTotal,
  type SequenceWindows,
  sumsPerBin,
  type WindowPlan,
} from '../../bio/population/population-windows.ts'
import { indexSequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { GenomeSequence } from '../../kit/data/portal-data.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import type { Statistic } from './series.ts'
import { limits, type SweepInput } from './tool.ts'
import type { WindowTable } from './window-table.ts'

/** Names of unknown sequences that are told; the records on them are all counted. */
const namedElsewhere = 10

export interface ComputedWindows {
  table: WindowTable
  about: { key: string; statistic: Statistic; populations: string[] }[]
  overall: OverallValues
  records: {
    read: number
    used: number
    notSnps: number
    multiallelic: number
    withoutGenotypes: number
    damaged: number
    elsewhere: number
    elsewhereNames: string[]
  }
}

const safeName = (name: string): string => name.replace(/[^\p{L}\p{N}.-]+/gu, '-')

/** Names of the series as columns, by population and by pair; populations of the same letters are told apart by number. */
const nameSeries = (
  populations: readonly string[],
  pairs: readonly (readonly [number, number])[],
): ComputedWindows['about'] => {
  const safe = populations.map((name, at) => {
    const own = safeName(name)
    return populations.some((other, before) => before < at && safeName(other) === own) ? `${own}.${at + 1}` : own
  })
  const ofPair = (statistic: Statistic) =>
    pairs.map(([one, two]) => ({
      key: `${statistic}_${safe[one]}_${safe[two]}`,
      statistic,
      populations: [populations[one]!, populations[two]!],
    }))
  const ofPopulation = (statistic: Statistic) =>
    populations.map((name, at) => ({ key: `${statistic}_${safe[at]}`, statistic, populations: [name] }))
  return [
    ...ofPair('fst'),
    ...ofPair('hudson'),
    ...ofPair('piRatio'),
    ...ofPair('dxy'),
    ...ofPopulation('pi'),
    ...ofPopulation('tajimaD'),
  ]
}

/** Checks that windows of this width and step over these sequences can be kept. */
const checkSize = (input: SweepInput, sequences: readonly GenomeSequence[], plan: WindowPlan): void => {
  const { windowBp, stepBp } = input
  if (stepBp > windowBp) throw fieldError(['stepBp'], 'stepBp.wide', { windowBp })
  const windows = sequences.reduce(
    (sum, { lengthBp }) => sum + Math.max(1, Math.ceil((lengthBp - windowBp) / stepBp) + 1),
    0,
  )
  if (windows > limits.windows)
    throw fieldError(['stepBp'], 'stepBp.windows', { count: windows, limit: limits.windows })
  const longest = sequences.reduce((max, { lengthBp }) => Math.max(max, lengthBp), 0)
  const sums =
    (longest / findBinBp(windowBp, stepBp)) * sumsPerBin(plan.populationCount, plan.pairs.length) +
    windows * (plan.populationCount * 2 + plan.pairs.length * 4)
  if (sums > limits.sums) throw fieldError(['stepBp'], 'stepBp.sums', { bin: findBinBp(windowBp, stepBp) })
}

/**
 * Reads the genotypes of a VCF once and gives the windows of all sequences that have records. Memory is that of the windows and of
 * the bins of one sequence, whatever the file's size.
 */
export const computeWindows = async (
  input: SweepInput,
  file: string,
  chosen: { populations: readonly { name: string; samples: readonly string[] }[]; numbers: readonly number[] },
  sequences: readonly GenomeSequence[],
  signal: AbortSignal,
  progress: (fraction: number) => void,
): Promise<ComputedWindows> => {
  const names = chosen.populations.map(({ name }) => name)
  const pairs = names.flatMap((_, one) => names.slice(one + 1).map((_, apart) => [one, one + 1 + apart] as const))
  const plan: WindowPlan = {
    windowBp: input.windowBp,
    stepBp: input.stepBp,
    populationCount: names.length,
    pairs,
    sizes: chosen.populations.map(({ samples }) => samples.length),
    length: input.length,
    minCalled: input.minCalled,
    minMinorFrequency: input.minorFrequency,
    minSites: input.minSites,
  }
  checkSize(input, sequences, plan)
  const resolve = indexSequenceNames(sequences)
  const lengthOf = new Map(sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const done = new Map<string, { windows: SequenceWindows; total: SequenceTotal }>()
  const elsewhereNames = new Set<string>()
  let [used, notSnps, multiallelic, elsewhere] = [0, 0, 0, 0]
  let current: { raw: string; name: string | null; sums: SequenceSums | null } = { raw: '', name: null, sums: null }
  const close = (): void => {
    if (current.name !== null && current.sums !== null) done.set(current.name, current.sums.finish())
  }
  const counter = new AlleleCounter({
    populations: chosen.numbers,
    populationCount: names.length,
    wants: ({ sequence, snp, alleles, star }) => {
      if (sequence !== current.raw) {
        close()
        const { name } = resolve.resolve(sequence)
        // Loading sorts the file: a sequence that comes again is a defect of ours.
        if (name !== null && done.has(name)) throw new Error(`${sequence} comes twice in ${file}`)
        const sums = name === null ? null : new SequenceSums(plan, lengthOf.get(name)!)
        current = { raw: sequence, name, sums }
      }
      if (current.sums === null) {
        elsewhere += 1
        if (elsewhereNames.size < namedElsewhere) elsewhereNames.add(sequence)
        return false
      }
      if (input.sites !== 'all' && !snp) {
        notSnps += 1
        return false
      }
      // A record without an alternative is a site that is known not to vary.
      if (input.sites === 'biallelic' && (alleles > 2 || star)) {
        multiallelic += 1
        return false
      }
      return true
    },
    onSite: (site) => {
      if (current.sums?.add(site) === true) used += 1
      else elsewhere += 1
    },
  })
  const { size } = await stat(file)
  let bytesRead = 0
  for await (const piece of readDecompressed(file, (bytes) => {
    bytesRead = bytes
  })) {
    signal.throwIfAborted()
    counter.push(piece)
    progress(bytesRead / size)
    await setImmediate()
  }
  counter.end()
  close()
  if (counter.records > 0 && used === 0)
    throw new PortalError('INVALID_INPUT', {
      message: 'records.noneUsed',
      params: { read: counter.records, notSnps: notSnps + multiallelic, without: counter.withoutGenotypes, elsewhere },
    })
  const withRecords = sequences.filter(({ name }) => done.has(name)).map(({ name }) => name)
  const parts = withRecords.map((name) => done.get(name)!.windows)
  const windowCount = parts.reduce((sum, { start1 }) => sum + start1.length, 0)
  const joinedWords = (of: (part: SequenceWindows) => Uint32Array): Uint32Array => {
    const all = new Uint32Array(windowCount)
    let at = 0
    for (const part of parts) {
      all.set(of(part), at)
      at += of(part).length
    }
    return all
  }
  const joined = (of: (part: SequenceWindows) => Float64Array): Float64Array => {
    const all = new Float64Array(windowCount)
    let at = 0
    for (const part of parts) {
      all.set(of(part), at)
      at += of(part).length
    }
    return all
  }
  const about = nameSeries(names, pairs)
  return {
    table: {
      sequences: withRecords,
      sequence: Uint32Array.from(parts.flatMap(({ start1 }, number) => Array.from(start1, () => number))),
      start1: joinedWords(({ start1 }) => start1),
      end1: joinedWords(({ end1 }) => end1),
      sites: joinedWords(({ sites }) => sites),
      keys: about.map(({ key }) => key),
      values: [
        ...pairs.map((_, at) => joined(({ fst }) => fst[at]!)),
        ...pairs.map((_, at) => joined(({ hudson }) => hudson[at]!)),
        ...pairs.map((_, at) => joined(({ piRatio }) => piRatio[at]!)),
        ...pairs.map((_, at) => joined(({ dxy }) => dxy[at]!)),
        ...names.map((_, at) => joined(({ pi }) => pi[at]!)),
        ...names.map((_, at) => joined(({ tajimaD }) => tajimaD[at]!)),
      ],
    },
    about,
    overall: overallValues([...done.values()].map(({ total }) => total)),
    records: {
      read: counter.records,
      used,
      notSnps,
      multiallelic,
      withoutGenotypes: counter.withoutGenotypes,
      damaged: counter.damaged,
      elsewhere,
      elsewhereNames: [...elsewhereNames],
    },
  }
}
