import { interpolateRdBu, interpolateViridis, rgb } from 'd3'
import { tableHead, tsvLine } from '../../../kit/write-table.ts'
import type { MapResult } from '../tool.ts'

/** The cells of a window, whole: row after row, a row being a bin of x with all bins of y. NaN where the map says nothing. */
export interface Cells {
  columns: number
  rows: number
  values: Float32Array
}

/** Unpacks what the server sends: of a square window around the diagonal it sends the upper half. */
export const unpackCells = ({ cells, symmetric, x, y }: Pick<MapResult, 'cells' | 'symmetric' | 'x' | 'y'>): Cells => {
  const bytes = Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0))
  const packed = new Float32Array(bytes.buffer)
  const [columns, rows] = [x.bins, y.bins]
  if (!symmetric) return { columns, rows, values: packed }
  const values = new Float32Array(columns * rows)
  for (let one = 0, at = 0; one < columns; one += 1) {
    for (let two = one; two < columns; two += 1, at += 1) {
      values[one * rows + two] = packed[at]!
      values[two * rows + one] = packed[at]!
    }
  }
  return { columns, rows, values }
}

/** How values become colours: 0 to 1 by logarithm from `from` to `to`, for ratios both sides of 1 alike. */
export interface CellScale {
  ratio: boolean
  from: number
  to: number
}

/**
 * The scale of a window; `contrast` doubles its upper end with each step. Contacts: from the lowest twentieth to the highest of the cells
 * that have any. Ratios: fourfold both ways.
 */
export const scaleOf = (
  { quantiles, values }: Pick<MapResult, 'quantiles' | 'values'>,
  contrast: number,
): CellScale => {
  if (values === 'ratio') {
    const to = 4 ** (2 ** (contrast / 2))
    return { ratio: true, from: 1 / to, to }
  }
  const from = quantiles?.low ?? 1
  return { ratio: false, from, to: Math.max(from * 1.01, (quantiles?.high ?? 2) * 2 ** contrast) }
}

export const colourAt = ({ ratio }: Pick<CellScale, 'ratio'>, fraction: number): string =>
  ratio ? interpolateRdBu(1 - fraction) : interpolateViridis(fraction)

const steps = 256

/** Paints the cells into pixels, a column a bin of x. Cells without contact stay as the ground is; those left out are grey. */
export const paintCells = (
  { columns, rows, values }: Cells,
  scale: CellScale,
  half: boolean,
): Uint8ClampedArray<ArrayBuffer> => {
  const colours = Array.from({ length: steps }, (_, at) => {
    const { r, g, b } = rgb(colourAt(scale, at / (steps - 1)))
    return [r, g, b] as const
  })
  const pixels = new Uint8ClampedArray(columns * rows * 4)
  const range = Math.log(scale.to / scale.from)
  for (let x = 0; x < columns; x += 1) {
    for (let y = half ? x : 0; y < rows; y += 1) {
      const value = values[x * rows + y]!
      const at = (y * columns + x) * 4
      if (Number.isNaN(value)) {
        pixels[at] = pixels[at + 1] = pixels[at + 2] = 160
        pixels[at + 3] = 90
        continue
      }
      if (value <= 0) continue
      const fraction = Math.min(1, Math.max(0, Math.log(value / scale.from) / range))
      const [r, g, b] = colours[Math.round(fraction * (steps - 1))]!
      pixels[at] = r
      pixels[at + 1] = g
      pixels[at + 2] = b
      pixels[at + 3] = 255
    }
  }
  return pixels
}

/** The matrix as a table of text: the start of each bin of x before its row, those of y above. */
export const renderMatrix = (
  { columns, rows, values }: Cells,
  { x, y, resolution }: Pick<MapResult, 'x' | 'y' | 'resolution'>,
  head: readonly string[],
): string => {
  const startOf = (axis: { sequence: string; start: number }, bin: number): string =>
    `${axis.sequence}:${axis.start + bin * resolution}`
  const lines = [tableHead(head, ['bin', ...Array.from({ length: rows }, (_, bin) => startOf(y, bin))], 'tsv')]
  for (let one = 0; one < columns; one += 1) {
    const cells = Array.from(values.subarray(one * rows, (one + 1) * rows), (value) =>
      Number.isNaN(value) ? 'NA' : String(Number(value.toPrecision(7))),
    )
    lines.push(tsvLine([startOf(x, one), ...cells]))
  }
  return lines.join('')
}
