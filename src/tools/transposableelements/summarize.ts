import { transposonClass, transposonCodeRank } from '../../bio/repeats/transposon-classes.ts'
import type { Transposon } from '../../bio/repeats/transposons.ts'
import type { ElementSummary } from '../../kit/data/element-data.ts'
import { ageBins } from './stored.ts'

/** Windows of the longest sequence: as fine as a figure shows. */
const windowCount = 200
const maxSequences = 100
const maxFamilies = 20_000

/** Adds up bases of intervals that come in order of start within a sequence, each base once. */
class Coverage {
  #sequence = -1
  #last = 0
  bases = 0

  /** Resolves to the part of the interval that was not covered before, or null. */
  add(sequence: number, start1: number, end1: number): [number, number] | null {
    if (sequence !== this.#sequence) {
      this.#sequence = sequence
      this.#last = 0
    }
    const from = Math.max(start1, this.#last + 1)
    if (from > end1) return null
    this.#last = end1
    this.bases += end1 - from + 1
    return [from, end1]
  }
}

/** 1, 2 or 5 times a power of ten, at least so many bases. */
const roundWindow = (minBp: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, minBp)))
  return power * ([1, 2, 5, 10].find((step) => step * power >= minBp) ?? 10)
}

const binOf = (distance: number): number => Math.min(ageBins - 1, Math.floor(distance))

/**
 * Figures of all elements of an assembly. `elements` in order of sequences and start. Bases are those of fragments where there are such.
 */
export const summarizeElements = (
  elements: readonly { element: Transposon; ltrDivergence: number | null }[],
  sequences: readonly { name: string; lengthBp: number }[],
  about: { sources: string[]; rate: number | null; found: ElementSummary['found'] },
): ElementSummary => {
  const sequenceNumber = new Map(sequences.map(({ name }, at) => [name, at]))
  const windowBp = roundWindow(sequences.reduce((max, { lengthBp }) => Math.max(max, lengthBp), 0) / windowCount)
  const codes = new Map<
    string,
    { count: number; full: number; solo: number; families: Set<string>; coverage: Coverage }
  >()
  const families = new Map<string, { code: string; count: number; full: number; coverage: Coverage }>()
  const orders = new Map<string, Coverage>()
  const total = new Coverage()
  const perSequence = sequences.map(() => ({ count: 0, bp: 0, windows: new Map<string, Float64Array>() }))
  const consensus = new Map<string, number[]>()
  const ltr = new Map<string, { bins: number[]; counts: number[] }>()
  let longestBp = 0

  // Fragments of different elements lie between each other: all are put in order first.
  const intervals: { sequence: number; start1: number; end1: number; at: number }[] = []
  for (const [at, { element, ltrDivergence }] of elements.entries()) {
    const sequence = sequenceNumber.get(element.sequenceName)!
    const fragments = element.parts.filter(({ type }) => type === 'fragment')
    const spans = fragments.length > 0 ? fragments : [element]
    let own = 0
    for (const { start1, end1 } of spans) {
      intervals.push({ sequence, start1, end1, at })
      own += end1 - start1 + 1
    }
    longestBp = Math.max(longestBp, element.end1 - element.start1 + 1)
    perSequence[sequence]!.count++
    let code = codes.get(element.code)
    if (code === undefined) {
      code = { count: 0, full: 0, solo: 0, families: new Set(), coverage: new Coverage() }
      codes.set(element.code, code)
    }
    code.count++
    if (element.form === 'full') code.full++
    if (element.form === 'solo') code.solo++
    if (element.family !== null) {
      code.families.add(element.family)
      let family = families.get(element.family)
      if (family === undefined) {
        family = { code: element.code, count: 0, full: 0, coverage: new Coverage() }
        families.set(element.family, family)
      }
      family.count++
      if (element.form === 'full') family.full++
    }
    if (element.divergence !== null) {
      let bins = consensus.get(element.code)
      if (bins === undefined) {
        bins = new Array<number>(ageBins).fill(0)
        consensus.set(element.code, bins)
      }
      bins[binOf(element.divergence)]! += own
    }
    if (ltrDivergence !== null) {
      let ages = ltr.get(element.code)
      if (ages === undefined) {
        ages = { bins: new Array<number>(ageBins).fill(0), counts: new Array<number>(ageBins).fill(0) }
        ltr.set(element.code, ages)
      }
      ages.bins[binOf(ltrDivergence)]! += own
      ages.counts[binOf(ltrDivergence)]!++
    }
  }
  intervals.sort((a, b) => a.sequence - b.sequence || a.start1 - b.start1 || b.end1 - a.end1)
  for (const { sequence, start1, end1, at } of intervals) {
    const { element } = elements[at]!
    const whole = total.add(sequence, start1, end1)
    if (whole !== null) perSequence[sequence]!.bp += whole[1] - whole[0] + 1
    codes.get(element.code)!.coverage.add(sequence, start1, end1)
    if (element.family !== null) families.get(element.family)!.coverage.add(sequence, start1, end1)
    const { order } = transposonClass(element.code)
    let coverage = orders.get(order)
    if (coverage === undefined) {
      coverage = new Coverage()
      orders.set(order, coverage)
    }
    const part = coverage.add(sequence, start1, end1)
    if (part === null) continue
    const { windows } = perSequence[sequence]!
    let shares = windows.get(order)
    if (shares === undefined) {
      shares = new Float64Array(Math.ceil(sequences[sequence]!.lengthBp / windowBp))
      windows.set(order, shares)
    }
    for (let window = Math.floor((part[0] - 1) / windowBp); window <= Math.floor((part[1] - 1) / windowBp); window++)
      shares[window]! += Math.min(part[1], (window + 1) * windowBp) - Math.max(part[0], window * windowBp + 1) + 1
  }
  const rank = (a: { code: string }, b: { code: string }): number =>
    transposonCodeRank(a.code) - transposonCodeRank(b.code)
  const shown = [...sequences.keys()]
    .sort((a, b) => sequences[b]!.lengthBp - sequences[a]!.lengthBp)
    .slice(0, maxSequences)
    .sort((a, b) => a - b)
  return {
    count: elements.length,
    coveredBp: total.bases,
    genomeBp: sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0),
    longestBp,
    familyCount: families.size,
    sources: about.sources,
    ...(about.found === undefined ? {} : { found: about.found }),
    rate: about.rate,
    codes: [...codes]
      .map(([code, one]) => ({
        code,
        count: one.count,
        full: one.full,
        solo: one.solo,
        families: one.families.size,
        bp: one.coverage.bases,
      }))
      .sort(rank),
    families: [...families]
      .map(([family, one]) => ({ family, code: one.code, count: one.count, full: one.full, bp: one.coverage.bases }))
      .sort((a, b) => b.bp - a.bp || (a.family < b.family ? -1 : 1))
      .slice(0, maxFamilies),
    windowBp,
    sequences: shown.map((at) => {
      const { name, lengthBp } = sequences[at]!
      const { count, bp, windows } = perSequence[at]!
      return {
        name,
        lengthBp,
        count,
        bp,
        windows: Object.fromEntries(
          [...windows].map(([order, shares]) => [
            order,
            [...shares].map((bases, window) =>
              Number((bases / Math.min(windowBp, lengthBp - window * windowBp)).toFixed(4)),
            ),
          ]),
        ),
      }
    }),
    ages: {
      consensus: [...consensus].map(([code, bins]) => ({ code, bins })).sort(rank),
      ltr: [...ltr].map(([code, ages]) => ({ code, ...ages })).sort(rank),
    },
  }
}
