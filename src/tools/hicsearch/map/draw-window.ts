import type { z } from 'zod'
import { fieldError } from '../../../contracts/errors.ts'
import type { EngineContext } from '../../../kit/engine.ts'
import { overlaps, readFeatures } from '../read-features.ts'
import { readSignal } from '../read-signal.ts'
import type tool from '../tool.ts'
import { type Axis, limits, type MapResult, usualSide } from '../tool.ts'
import {
  chooseNormalization,
  chooseResolution,
  type FoundLocus,
  findLocus,
  type OpenMap,
  readFactors,
} from './open-map.ts'

type Input = z.output<(typeof tool)['input']>

/** Genes of a longer segment are too many to tell apart beside a map. */
const maxGenes = 1500
const sampled = 200_000

const quantilesOf = (cells: Float32Array): MapResult['quantiles'] => {
  const step = Math.max(1, Math.floor(cells.length / sampled))
  const values: number[] = []
  let highest = 0
  for (let at = 0; at < cells.length; at += 1) {
    const value = cells[at]!
    if (!(value > 0)) continue
    if (value > highest) highest = value
    if (at % step === 0) values.push(value)
  }
  if (highest === 0) return null
  const sorted = Float32Array.from(values.length > 0 ? values : [highest]).sort()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { low: at(0.05), middle: at(0.5), high: at(0.95), highest }
}

/** Place of the cell of row x and column y >= x among the rows of the upper half, each from its diagonal on. */
const triangleAt = (x: number, y: number, bins: number): number => x * bins - (x * (x - 1)) / 2 + (y - x)

/** A window of the map as a matrix, with what lies along its axes. */
export const drawWindow = async (input: Input, open: OpenMap, { data, signal }: EngineContext): Promise<MapResult> => {
  const { assembly, values: kind } = input
  const { map, reader, binsOf } = open
  const placeX = await findLocus(data, assembly, input.locus, map, 'locus')
  const other = input.otherLocus === undefined || input.otherLocus === '' ? null : input.otherLocus
  const placeY = other === null ? placeX : await findLocus(data, assembly, other, map, 'otherLocus')
  const rangeOf = ({ chromosome, start, end }: FoundLocus, binBp: number) => ({
    chromosome,
    from: Math.floor((start - 1) / binBp),
    to: Math.min(binsOf(chromosome, binBp), Math.floor((end - 1) / binBp) + 1),
  })
  const sideAt = (binBp: number): number =>
    Math.max(
      ...[placeX, placeY].map((locus) => {
        const { from, to } = rangeOf(locus, binBp)
        return to - from
      }),
    )
  const resolution = chooseResolution(map, input.resolution, sideAt, usualSide)
  const { binBp } = resolution
  if (sideAt(binBp) > limits.side)
    throw fieldError(['resolution'], 'problem.tooManyBins', {
      bins: sideAt(binBp),
      max: limits.side,
      resolution: binBp,
    })
  const normalization = chooseNormalization(resolution, input.normalization)
  const [x, y] = [rangeOf(placeX, binBp), rangeOf(placeY, binBp)]
  const within = x.chromosome === y.chromosome
  const symmetric = within && x.from === y.from && x.to === y.to
  const [columns, rows] = [x.to - x.from, y.to - y.from]
  const [factorsX, factorsY] = [
    await readFactors(open, binBp, x, normalization),
    await readFactors(open, binBp, y, normalization),
  ]
  let expected: Float64Array | null = null
  if (kind === 'ratio') {
    if (!within) throw fieldError(['values'], 'problem.ratioTrans')
    expected = await open.readExpected(binBp, x.chromosome, normalization)
    if (expected === null) throw fieldError(['values'], 'problem.noExpected', { map: map.id, resolution: binBp })
  }
  const cells = new Float32Array(symmetric ? (columns * (columns + 1)) / 2 : columns * rows)
  const place = (one: number, two: number): number => (symmetric ? triangleAt(one, two, columns) : one * rows + two)
  // Cells of bins that balancing left out, and of distances without an expectation, hold no number.
  for (let one = 0; one < columns; one += 1) {
    for (let two = symmetric ? one : 0; two < rows; two += 1) {
      const apart = Math.abs(one + x.from - two - y.from)
      if (
        Number.isNaN(factorsX[one]!) ||
        Number.isNaN(factorsY[two]!) ||
        (expected !== null && !(expected[apart]! > 0))
      )
        cells[place(one, two)] = Number.NaN
    }
  }
  let total = 0
  const visit = (binX: number, binY: number, count: number): void => {
    const [one, two] = [binX - x.from, binY - y.from]
    if (symmetric && two < one) return
    total += count
    const at = place(one, two)
    if (Number.isNaN(cells[at]!)) return
    const value = count * factorsX[one]! * factorsY[two]!
    cells[at] = expected === null ? value : value / expected[Math.abs(binX - binY)]!
  }
  const options = { maxPixels: limits.pixels, signal }
  if (symmetric) await reader.readBand(binBp, x, columns, visit, options)
  else await reader.readWindow(binBp, x, y, visit, options)

  const axisOf = async (of: FoundLocus, range: { from: number; to: number }): Promise<Axis> => {
    const start = range.from * binBp + 1
    const end = Math.min(range.to * binBp, of.lengthBp)
    const genes = await data.listGenesInRegion(assembly, of.sequence, start, end, maxGenes + 1)
    return {
      sequence: of.sequence,
      start,
      end,
      bins: range.to - range.from,
      lengthBp: of.lengthBp,
      geneCount: genes.length,
      genes:
        genes.length > maxGenes
          ? []
          : genes.map((gene) => ({
              id: gene.id,
              symbol: gene.symbol,
              start: gene.start,
              end: gene.end,
              strand: gene.strand,
            })),
    }
  }
  const axisX = await axisOf(placeX, x)
  const axisY = symmetric ? axisX : await axisOf(placeY, y)
  return {
    task: 'map',
    assembly,
    map,
    resolution: binBp,
    normalization,
    values: kind,
    symmetric,
    total,
    expectedFrom: expected === null ? null : open.expectedFrom,
    x: axisX,
    y: symmetric ? { ...axisX, genes: [] } : axisY,
    cells: Buffer.from(cells.buffer).toString('base64'),
    quantiles: quantilesOf(cells),
    features: await readFeatures(open, [axisX, axisY], (a, b) => overlaps(a, axisX) && overlaps(b, axisY)),
    signal:
      input.signal === undefined || input.signal === ''
        ? null
        : {
            id: input.signal,
            values: await readSignal(data, assembly, input.signal, axisX, binBp, columns),
          },
    fitting: map.resolutions.flatMap((one) => (sideAt(one.binBp) <= limits.side ? [one.binBp] : [])),
  }
}
