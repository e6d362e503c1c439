import { interpolateRdBu, interpolateViridis } from 'd3'
import { type CategoryLabels, layCategoryLabels } from '../figures/category-labels.ts'
import type { Box } from '../figures/dendrogram.ts'

/** What a heat map is drawn of, on a canvas and in a file alike. */
export type Shape =
  | { kind: 'path'; d: string; stroke: string; clip?: Box }
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string }
  | {
      kind: 'text'
      x: number
      y: number
      text: string
      size: number
      anchor: 'start' | 'middle' | 'end'
      /** Degrees. */
      angle?: number
      italic?: boolean
    }

/** Part of the matrix that is shown: rows and columns in the order of the drawing, ends excluded. */
export interface View {
  row0: number
  row1: number
  column0: number
  column1: number
}

export interface HeatMapLayout {
  width: number
  height: number
  cells: Box
  rowTree: Box | null
  columnTree: Box | null
  strip: Box | null
  /** How names of the shown columns are written. */
  columnLabels: CategoryLabels
}

export const missingColour = '#b8bdbb'

/**
 * Colour of a value: blue, white and red about 0 for what has two sides (readable with red-green blindness), else viridis from the least.
 */
export const heatColour = (value: number, [low, high]: [number, number], twoSided: boolean): string => {
  if (Number.isNaN(value)) return missingColour
  const fraction = high === low ? 0.5 : Math.min(1, Math.max(0, (value - low) / (high - low)))
  return twoSided ? interpolateRdBu(1 - fraction) : interpolateViridis(fraction)
}

const legendHeight = 34
const treePx = 62
const columnTreePx = 44
const stripPx = 10
export const labelSize = 11
export const columnLabelSize = 10

/** Where everything stands; row labels at the right, column labels below, where there is room to read them. */
export const layOut = (
  width: number,
  view: View,
  has: { rowTree: boolean; columnTree: boolean; strip: boolean },
  longestRow: number,
  columnNames: readonly string[],
): HeatMapLayout => {
  const rows = view.row1 - view.row0
  const left = has.rowTree ? treePx + 4 : 4
  const right = Math.min(150, 12 + longestRow * 6.4)
  const cellsWidth = Math.max(80, width - left - right)
  // Sixty genes still have a name each.
  const cellsHeight = Math.min(760, Math.max(60, rows * 16))
  const top = legendHeight + (has.columnTree ? columnTreePx + 4 : 0) + (has.strip ? stripPx + 3 : 0)
  const columnLabels = layCategoryLabels(columnNames, cellsWidth / Math.max(1, columnNames.length), {
    fontPx: columnLabelSize,
    maxRoomPx: 130,
  })
  const below = columnLabels.roomPx + 8
  const cells = { x: left, y: top, width: cellsWidth, height: cellsHeight }
  return {
    width,
    height: top + cellsHeight + below,
    cells,
    rowTree: has.rowTree ? { x: 2, y: top, width: treePx, height: cellsHeight } : null,
    columnTree: has.columnTree ? { x: left, y: legendHeight, width: cellsWidth, height: columnTreePx } : null,
    strip: has.strip ? { x: left, y: top - stripPx - 2, width: cellsWidth, height: stripPx } : null,
    columnLabels,
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** The drawing as the text of an SVG file, on white; the cells come as a picture of one point each. */
export const renderScene = (
  shapes: Shape[],
  { width, height, cells }: HeatMapLayout,
  picture: string,
  description: string,
): string => {
  const parts = shapes.map((shape, number) => {
    if (shape.kind === 'rect')
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" fill="${shape.fill}"/>`
    if (shape.kind === 'path') {
      const { clip } = shape
      const path = `<path d="${shape.d}" fill="none" stroke="${shape.stroke}" stroke-width="1"${clip === undefined ? '' : ` clip-path="url(#clip${number})"`}/>`
      return clip === undefined
        ? path
        : `<clipPath id="clip${number}"><rect x="${clip.x}" y="${clip.y}" width="${clip.width}" height="${clip.height}"/></clipPath>${path}`
    }
    const turned = shape.angle === undefined ? '' : ` transform="rotate(${shape.angle} ${shape.x} ${shape.y})"`
    return `<text x="${shape.x}" y="${shape.y}" font-size="${shape.size}" text-anchor="${shape.anchor}" dominant-baseline="central" fill="#12231d"${shape.italic === true ? ' font-style="italic"' : ''}${turned}>${escaped(shape.text)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Roboto, Arial, sans-serif"><desc>${escaped(description)}</desc><rect width="${width}" height="${height}" fill="#ffffff"/><image x="${cells.x}" y="${cells.y}" width="${cells.width}" height="${cells.height}" preserveAspectRatio="none" image-rendering="pixelated" style="image-rendering:pixelated" href="${picture}"/>${parts.join('')}</svg>`
}
