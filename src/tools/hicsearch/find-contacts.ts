import type { z } from 'zod'
import { fieldError } from '../../contracts/errors.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { WindowTooLarge } from '../../store/contacts/contact-reader.ts'
import { chooseNormalization, chooseResolution, findLocus, type OpenMap, readFactors } from './map/open-map.ts'
import { overlaps, readFeatures } from './read-features.ts'
import type tool from './tool.ts'
import { type ContactRow, limits, type SearchResult, usualChromosomeBins } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const namedGenes = 30
const maxGenes = 100_000

type FoundBin = Omit<ContactRow, 'genes' | 'geneCount'>

/** Names the genes of each bin, sequence by sequence. */
const nameGenes = async (
  { data, signal }: EngineContext,
  assembly: string,
  bins: readonly FoundBin[],
): Promise<ContactRow[]> => {
  const bySequence = new Map<string, FoundBin[]>()
  for (const bin of bins) {
    // A name of the map alone may be another sequence's here.
    const key = `${bin.inAssembly ? '+' : '-'}${bin.sequence}`
    const own = bySequence.get(key)
    if (own === undefined) bySequence.set(key, [bin])
    else own.push(bin)
  }
  const named = new Map<FoundBin, Pick<ContactRow, 'genes' | 'geneCount'>>()
  for (const ofSequence of bySequence.values()) {
    signal.throwIfAborted()
    const { sequence } = ofSequence[0]!
    if (!ofSequence[0]!.inAssembly) {
      for (const bin of ofSequence) named.set(bin, { genes: [], geneCount: 0 })
      continue
    }
    const sorted = [...ofSequence].sort((a, b) => a.start - b.start)
    const last = sorted.at(-1)!.end
    const genes = await data.listGenesInRegion(assembly, sequence, sorted[0]!.start, last, maxGenes)
    const longest = genes.reduce((max, { start, end }) => Math.max(max, end - start), 0)
    let first = 0
    for (const bin of sorted) {
      while (first < genes.length && genes[first]!.start + longest < bin.start) first += 1
      const inBin: { id: string; symbol: string | null }[] = []
      let count = 0
      for (let at = first; at < genes.length && genes[at]!.start <= bin.end; at += 1) {
        const { id, symbol, end } = genes[at]!
        if (end < bin.start) continue
        count += 1
        if (inBin.length < namedGenes) inBin.push({ id, symbol })
      }
      named.set(bin, { genes: inBin, geneCount: count })
    }
  }
  return bins.map((bin) => ({ ...bin, ...named.get(bin)! }))
}

/** Bins that touch a gene or region, the strongest first. */
export const findContacts = async (input: Input, open: OpenMap, context: EngineContext): Promise<SearchResult> => {
  const { assembly } = input
  const { data, signal } = context
  const { map, reader, binsOf } = open
  const { chromosome, gene, ...locus } = await findLocus(data, assembly, input.locus, map, 'locus')
  const resolution = chooseResolution(map, input.resolution, (binBp) => binsOf(chromosome, binBp), usualChromosomeBins)
  const { binBp } = resolution
  const normalization = chooseNormalization(resolution, input.normalization)
  const bins = binsOf(chromosome, binBp)
  const from = Math.floor((locus.start - 1) / binBp)
  const to = Math.min(bins, Math.floor((locus.end - 1) / binBp) + 1)
  if (to - from > limits.side)
    throw fieldError(['locus'], 'problem.locusTooWide', { bins: to - from, max: limits.side, resolution: binBp })
  const viewRange = { chromosome, from, to }
  const viewFactors = await readFactors(open, binBp, viewRange, normalization)
  const usable = viewFactors.reduce((count, factor) => count + (Number.isNaN(factor) ? 0 : 1), 0)
  const balancing = normalization !== 'none'
  const middle = (locus.start + locus.end) / 2
  const found: FoundBin[] = []

  const addBins = (
    partner: number,
    first: number,
    observed: Float64Array,
    weighted: Float64Array,
    factors: Float64Array,
    expected: Float64Array | null,
  ): void => {
    const { sequence: own, name } = map.chromosomes[partner]!
    const [sequence, inAssembly] = [own ?? name, own !== null]
    for (let at = 0; at < observed.length; at += 1) {
      const bin = first + at
      if (observed[at]! < Math.max(input.minimum, Number.MIN_VALUE)) continue
      if (partner === chromosome && bin >= from && bin < to) continue
      const start = bin * binBp + 1
      const end = Math.min((bin + 1) * binBp, map.chromosomes[partner]!.lengthBp)
      const balanced = balancing && usable > 0 && !Number.isNaN(factors[at]!) ? weighted[at]! / usable : null
      let mean: number | null = null
      if (expected !== null) {
        let sum = 0
        let count = 0
        for (let one = from; one < to; one += 1) {
          const value = expected[Math.abs(bin - one)]!
          if (Number.isNaN(viewFactors[one - from]!) || Number.isNaN(value)) continue
          sum += value
          count += 1
        }
        mean = count > 0 ? sum / count : null
      }
      const compared = balancing ? balanced : observed[at]! / (to - from)
      found.push({
        sequence,
        inAssembly,
        start,
        end,
        observed: observed[at]!,
        balanced,
        expected: mean,
        ratio: mean !== null && mean > 0 && compared !== null ? compared / mean : null,
        distance: partner === chromosome ? Math.round(Math.abs((start + end) / 2 - middle)) : null,
      })
    }
  }

  let reachedBp: number | null = null
  let cis = 0
  if (input.partners !== 'trans') {
    const expected = await open.readExpected(binBp, chromosome, normalization)
    let reach = input.distance === undefined ? bins : Math.ceil(input.distance / binBp)
    for (;;) {
      const range = { chromosome, from: Math.max(0, from - reach), to: Math.min(bins, to + reach) }
      const factors = await readFactors(open, binBp, range, normalization)
      const observed = new Float64Array(range.to - range.from)
      const weighted = new Float64Array(range.to - range.from)
      try {
        await reader.readWindow(
          binBp,
          viewRange,
          range,
          (x, y, count) => {
            const at = y - range.from
            observed[at]! += count
            const balanced = count * viewFactors[x - from]! * factors[at]!
            if (!Number.isNaN(balanced)) weighted[at]! += balanced
          },
          { maxPixels: limits.pixels, signal },
        )
      } catch (error) {
        if (!(error instanceof WindowTooLarge) || reach <= 1) throw error
        // What lies near is asked for first: half as far each time, until it can be read.
        reach = Math.floor(Math.min(reach, Math.max(from, bins - to)) / 2)
        reachedBp = reach * binBp
        continue
      }
      cis = observed.reduce((sum, count) => sum + count, 0)
      addBins(chromosome, range.from, observed, weighted, factors, expected)
      break
    }
  }

  let trans: number | null = null
  let lacking: SearchResult['lacking'] = null
  if (input.partners !== 'cis') {
    // A plasmid that the assembly lacks may be the strongest partner of all: it is counted as any other.
    const others = [...map.chromosomes.keys()].filter((number) => number !== chromosome)
    const tables = new Map<number, { observed: Float64Array; weighted: Float64Array; factors: Float64Array }>()
    for (const number of others) {
      const length = binsOf(number, binBp)
      const range = { chromosome: number, from: 0, to: length }
      const factors = await readFactors(open, binBp, range, normalization)
      tables.set(number, { observed: new Float64Array(length), weighted: new Float64Array(length), factors })
    }
    try {
      let sum = 0
      await reader.readPartners(
        binBp,
        viewRange,
        others,
        (number, x, y, count) => {
          const { observed, weighted, factors } = tables.get(number)!
          sum += count
          observed[y]! += count
          const balanced = count * viewFactors[x - from]! * factors[y]!
          if (!Number.isNaN(balanced)) weighted[y]! += balanced
        },
        { maxPixels: limits.pixels, signal },
      )
      trans = sum
      lacking = [...tables].flatMap(([number, { observed }]) => {
        const { sequence, name } = map.chromosomes[number]!
        return sequence === null
          ? [{ name, observed: observed.reduce((all, one) => all + one, 0), bins: observed.length }]
          : []
      })
      for (const [number, { observed, weighted, factors }] of tables)
        addBins(number, 0, observed, weighted, factors, null)
    } catch (error) {
      // At this resolution the rest of the genome is too much to look through: the result says that it is not there.
      if (!(error instanceof WindowTooLarge) || input.partners === 'trans') throw error
    }
  }

  found.sort((a, b) => (b.balanced ?? -1) - (a.balanced ?? -1) || b.observed - a.observed)
  const rows = await nameGenes(context, assembly, found.slice(0, limits.rows))
  const view = { sequence: locus.sequence, start: from * binBp + 1, end: Math.min(to * binBp, locus.lengthBp) }
  return {
    task: 'search',
    assembly,
    map,
    resolution: binBp,
    normalization,
    gene,
    rows,
    reachedBp,
    expectedFrom: input.partners === 'trans' ? null : open.expectedFrom,
    locus: { sequence: locus.sequence, start: locus.start, end: locus.end },
    view: { ...view, bins: to - from, usable },
    total: found.length,
    sums: { cis, trans },
    lacking,
    features: await readFeatures(open, [view], (a) => overlaps(a, view)),
  }
}
