import type { z } from 'zod'
import { createInsulation, findBoundaries, findCompartments } from '../../bio/contacts/contact-statistics.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { chooseNormalization, chooseResolution, findLocus, type OpenMap, readFactors } from './map/open-map.ts'
import type tool from './tool.ts'
import { type DomainsResult, limits, type Place, usualChromosomeBins } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Weaker dips are noise: Crane et al., Nature 523:240 (2015), methods. */
export const minStrength = 0.1
/** A chromosome of fewer bins has no compartments to speak of. */
const minCompartmentBins = 10
const maxGenes = 200_000

const reported = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null))

/** Compartments at the finest resolution at which the chromosome's matrix can be taken whole; null when it has too few bins. */
const computeCompartments = async (
  open: OpenMap,
  assembly: string,
  { sequence, chromosome, lengthBp }: { sequence: string; chromosome: number; lengthBp: number },
  { binBp, normalization }: { binBp: number; normalization: string },
  { data, signal }: EngineContext,
): Promise<DomainsResult['compartments']> => {
  const bins = open.binsOf(chromosome, binBp)
  if (bins < minCompartmentBins || bins > limits.compartmentBins) return null
  const expected = await open.readExpected(binBp, chromosome, normalization)
  if (expected === null) return null
  const whole = { chromosome, from: 0, to: bins }
  const factors = await readFactors(open, binBp, whole, normalization)
  const matrix = new Float64Array(bins * bins)
  for (let x = 0; x < bins; x += 1)
    for (let y = 0; y < bins; y += 1)
      if (Number.isNaN(factors[x]!) || Number.isNaN(factors[y]!) || !(expected[Math.abs(x - y)]! > 0))
        matrix[x * bins + y] = Number.NaN
  await open.reader.readWindow(
    binBp,
    whole,
    whole,
    (x, y, count) => {
      matrix[x * bins + y] = (count * factors[x]! * factors[y]!) / expected[Math.abs(x - y)]!
    },
    { maxPixels: limits.pixels, signal },
  )
  const { vector, share } = findCompartments(matrix, bins)
  if (Number.isNaN(share)) return null
  const density = new Float64Array(bins)
  const genes = await data.listGenesInRegion(assembly, sequence, 1, lengthBp, maxGenes)
  for (const { start, end } of genes) {
    const bin = Math.min(bins - 1, Math.floor((start + end) / 2 / binBp))
    density[bin]! += 1
  }
  // Where genes are dense the chromosome is open: the eigenvector itself knows no direction.
  let covariance = 0
  let mean = 0
  let count = 0
  for (const [bin, value] of vector.entries())
    if (!Number.isNaN(value)) {
      mean += density[bin]!
      count += 1
    }
  mean /= Math.max(1, count)
  for (const [bin, value] of vector.entries()) if (!Number.isNaN(value)) covariance += value * (density[bin]! - mean)
  const sign = covariance < 0 ? -1 : 1
  return { resolution: binBp, values: reported(vector.map((value) => value * sign)), share, oriented: genes.length > 0 }
}

/** Insulation, its borders and the domains between them, and compartments of a whole chromosome. */
export const findDomains = async (input: Input, open: OpenMap, context: EngineContext): Promise<DomainsResult> => {
  const { assembly, window } = input
  const { signal } = context
  const { map, reader, binsOf } = open
  const locus = await findLocus(context.data, assembly, input.locus, map, 'locus')
  const { chromosome, sequence, lengthBp } = locus
  const sizeAt = (binBp: number): number => binsOf(chromosome, binBp)
  const resolution = chooseResolution(map, input.resolution, sizeAt, usualChromosomeBins)
  const { binBp } = resolution
  const bins = sizeAt(binBp)
  if (bins > limits.chromosomeBins)
    throw fieldError(['resolution'], 'problem.tooManyBins', { bins, max: limits.chromosomeBins, resolution: binBp })
  const normalization = chooseNormalization(resolution, input.normalization)
  const whole = { chromosome, from: 0, to: bins }
  const factors = await readFactors(open, binBp, whole, normalization)
  const options = { maxPixels: limits.pixels, signal }
  if (normalization === 'none') {
    // Without weights a bin is usable when anything near it touches it.
    const touched = new Uint8Array(bins)
    await reader.readBand(
      binBp,
      whole,
      2 * window,
      (x, y) => {
        touched[x] = 1
        touched[y] = 1
      },
      options,
    )
    for (let bin = 0; bin < bins; bin += 1) if (touched[bin] === 0) factors[bin] = Number.NaN
  }
  const usable = (bin: number): boolean => !Number.isNaN(factors[bin]!)
  const insulation = createInsulation(bins, usable, window)
  await reader.readBand(
    binBp,
    whole,
    insulation.farthest,
    (x, y, count) => insulation.add(x, y, count * factors[x]! * factors[y]!),
    options,
  )
  const { score } = insulation.finish()
  // A bin without contacts of its own takes its value from its neighbours alone: no border is told there.
  for (let bin = 0; bin < bins; bin += 1) if (!usable(bin)) score[bin] = Number.NaN
  const strong = findBoundaries(score).filter(({ strength }) => strength >= minStrength)
  const segment = (from: number, to: number): Place => ({
    sequence,
    start: from * binBp + 1,
    end: Math.min(to * binBp, lengthBp),
  })
  const tads: Place[] = []
  for (const [at, { bin }] of strong.entries()) {
    const next = strong[at + 1]
    if (next === undefined) break
    let good = 0
    for (let one = bin; one < next.bin; one += 1) good += usable(one) ? 1 : 0
    if (next.bin - bin >= 3 && good * 2 > next.bin - bin) tads.push(segment(bin, next.bin))
  }
  const ofCompartments =
    map.resolutions.find((one) => sizeAt(one.binBp) <= limits.compartmentBins / 2) ?? map.resolutions.at(-1)!
  return {
    task: 'domains',
    assembly,
    map,
    resolution: binBp,
    normalization,
    sequence,
    lengthBp,
    window,
    tads,
    expectedFrom: open.expectedFrom,
    insulation: reported(score),
    boundaries: strong.map(({ bin, strength }) => ({ ...segment(bin, bin + 1), strength })),
    compartments: await computeCompartments(
      open,
      assembly,
      locus,
      {
        binBp: ofCompartments.binBp,
        normalization:
          normalization === 'none' || ofCompartments.normalizations.includes(normalization)
            ? normalization
            : (ofCompartments.normalizations[0] ?? 'none'),
      },
      context,
    ),
  }
}
