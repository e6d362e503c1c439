import { type LabelBox, settleLabels } from '../../kit/ui/figures/label-places.ts'
import { viridis } from '../../kit/ui/figures/palette.ts'
import type { CellColours } from './cells.ts'

/** Where the map's units lie on the canvas: pixel = unit * scale + offset, y upwards. */
export interface View {
  scale: number
  x: number
  y: number
}

/** So many cells are drawn finer than the screen is: their discs are round then. More would take too long at a drag. */
const finelyDrawn = 100_000

/** Pixels of the canvas for one of the page. */
export const canvasRatio = (cells: number): number => (cells <= finelyDrawn ? 2 : Math.min(2, devicePixelRatio))

/** Margin around all cells, in parts of the canvas. */
const margin = 0.04

/** All cells, clear of the names of the axes, which stand along the left and the lower edge and are so many pixels wide. */
export const viewOfAll = (map: Float32Array, width: number, height: number, axes = 0): View => {
  let [left, right, low, high] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (let at = 0; at < map.length; at += 2) {
    const x = map[at]!
    const y = map[at + 1]!
    if (x < left) left = x
    if (x > right) right = x
    if (y < low) low = y
    if (y > high) high = y
  }
  const [wide, tall] = [width - axes, height - axes]
  const scale = (1 - 2 * margin) * Math.min(wide / Math.max(1e-9, right - left), tall / Math.max(1e-9, high - low))
  return { scale, x: axes + wide / 2 - (scale * (left + right)) / 2, y: tall / 2 + (scale * (low + high)) / 2 }
}

/** #rrggbb or rgb(r, g, b) as a pixel of image data on a little-endian machine. */
const pixelOf = (colour: string): number => {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)
  const [r, g, b] = hex
    ? [0, 2, 4].map((at) => Number.parseInt(hex[1]!.slice(at, at + 2), 16))
    : (/(\d+)\D+(\d+)\D+(\d+)/.exec(colour) ?? ['', '153', '153', '153']).slice(1).map(Number)
  return ((255 << 24) | (b! << 16) | (g! << 8) | r!) >>> 0
}

const magnitudes = Uint32Array.from({ length: 256 }, (_, at) => pixelOf(viridis(at / 255)))

/** Colour of each cell as a pixel; `back` cells are drawn first, under the others. */
export interface Paint {
  pixels: Uint32Array
  back: Uint8Array
}

export const paintCells = (
  count: number,
  colours: CellColours | undefined,
  levelColours: readonly string[],
  quiet: string,
  only: number | null,
): Paint => {
  const none = pixelOf(quiet)
  const pixels = new Uint32Array(count).fill(none)
  const back = new Uint8Array(count)
  if (colours?.kind === 'levels') {
    const palette = Uint32Array.from(levelColours, pixelOf)
    for (let cell = 0; cell < count; cell += 1) {
      const code = colours.codes[cell]!
      if (code < palette.length && (only === null || only === code)) pixels[cell] = palette[code]!
      else back[cell] = 1
    }
  } else if (colours?.kind === 'numbers') {
    const { values, min, max } = colours
    const factor = max > min ? 255 / (max - min) : 0
    for (let cell = 0; cell < count; cell += 1) {
      const value = values[cell]!
      if (value === 0 || Number.isNaN(value)) back[cell] = 1
      else pixels[cell] = magnitudes[Math.max(0, Math.min(255, Math.round((value - min) * factor)))]!
    }
  }
  return { pixels, back }
}

/** Cells from this radius on have a rim in the colour of the ground, so that those over each other can be counted. */
const minRimmed = 2.5

/** Pixels of a disc about its middle, and whether each is of its rim. */
const discOf = (radius: number): [dx: number, dy: number, rim: boolean][] => {
  const outer = radius < minRimmed ? radius : radius + 1
  const reach = Math.floor(outer)
  const disc: [number, number, boolean][] = []
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1) {
      const away = dx * dx + dy * dy
      if (away <= outer * outer + 0.3) disc.push([dx, dy, away > radius * radius + 0.3])
    }
  return disc
}

/** Radius of a cell so that many cells, and cells on a small map, do not hide each other, in pixels of the canvas; larger when zoomed in. */
export const radiusOf = (count: number, zoom: number, ratio: number, widthPx: number): number =>
  ratio *
  Math.min(
    4,
    Math.max(1.5, (widthPx / 150) * Math.sqrt(zoom)),
    Math.max(0.4, (240 / Math.sqrt(Math.max(1, count))) * Math.sqrt(zoom)),
  )

/**
 * Draws all cells pixel by pixel and notes which cell each pixel shows (0 for none, else the cell + 1; not while the map moves: null). A
 * million cells take some tens of milliseconds on one core, with or without a graphics card.
 */
export const drawCells = (
  image: ImageData,
  shown: Uint32Array | null,
  map: Float32Array,
  paint: Paint,
  view: View,
  radius: number,
): void => {
  const { width, height } = image
  const out = new Uint32Array(image.data.buffer)
  out.fill(0)
  shown?.fill(0)
  const disc = discOf(radius)
  const single = disc.length === 1
  const { scale, x: dx, y: dy } = view
  const count = map.length / 2
  const { pixels, back } = paint
  for (const layer of [1, 0])
    for (let cell = 0; cell < count; cell += 1) {
      if (back[cell] !== layer) continue
      const fx = map[2 * cell]! * scale + dx + 0.5
      const fy = dy - map[2 * cell + 1]! * scale + 0.5
      // Cells without a place compare false.
      if (!(fx >= -8 && fx < width + 8 && fy >= -8 && fy < height + 8)) continue
      const x = Math.floor(fx)
      const y = Math.floor(fy)
      if (single) {
        if (x < 0 || x >= width || y < 0 || y >= height) continue
        const index = y * width + x
        out[index] = pixels[cell]!
        if (shown !== null) shown[index] = cell + 1
      } else
        for (let at = 0; at < disc.length; at += 1) {
          const px = x + disc[at]![0]
          const py = y + disc[at]![1]
          if (px < 0 || px >= width || py < 0 || py >= height) continue
          const index = py * width + px
          out[index] = disc[at]![2] ? 0 : pixels[cell]!
          if (shown !== null) shown[index] = cell + 1
        }
    }
}

/** A group on the map in the map's units: its middle, and the box that holds nearly all of its cells. */
export interface GroupPlace {
  name: string
  x: number
  y: number
  left: number
  right: number
  low: number
  high: number
}

/** Parts of a group's cells that lie outside of its box on each side: strays would move its name away from it. */
const straying = 0.01

/** Where each level lies on the map; those without a cell on it are left out. */
export const placeGroups = (map: Float32Array, codes: ArrayLike<number>, names: readonly string[]): GroupPlace[] => {
  const cells = names.map((): number[] => [])
  for (let cell = 0; cell < map.length / 2; cell += 1)
    if (!Number.isNaN(map[2 * cell]!)) cells[codes[cell]!]?.push(cell)
  return cells.flatMap((of, level) => {
    if (of.length === 0) return []
    const along = (axis: 0 | 1): { mean: number; from: number; to: number } => {
      const values = Float32Array.from(of, (cell) => map[2 * cell + axis]!).sort()
      const out = Math.floor(straying * values.length)
      return {
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        from: values[out]!,
        to: values[values.length - 1 - out]!,
      }
    }
    const [x, y] = [along(0), along(1)]
    return [{ name: names[level]!, x: x.mean, y: y.mean, left: x.from, right: x.to, low: y.from, high: y.to }]
  })
}

/** Part of a name's box that cells may have: fewer are strays. */
const maxCovered = 0.01

/** Names of groups beside their cells, or, where the map is full, at their middles, moved up or down where they would lie over each other. */
export const drawLabels = (
  context: CanvasRenderingContext2D,
  labels: readonly GroupPlace[],
  view: View,
  ratio: number,
  { ground, ink, font, image }: { ground: string; ink: string; font: string; image: ImageData },
): void => {
  const pixels = new Uint32Array(image.data.buffer)
  const isFree = ({ left, top, right, bottom }: LabelBox): boolean => {
    const [from, to] = [Math.max(0, Math.floor(left)), Math.min(image.width, Math.ceil(right))]
    const [first, end] = [Math.max(0, Math.floor(top)), Math.min(image.height, Math.ceil(bottom))]
    let covered = 0
    for (let y = first; y < end; y += 1)
      for (let x = from; x < to; x += 1) if (pixels[y * image.width + x] !== 0) covered += 1
    return covered <= maxCovered * (to - from) * (end - first)
  }
  const fontPx = 12 * ratio
  // Of a cell about its middle, at the usual zoom.
  const cellPx = 4 * ratio
  context.font = `500 ${fontPx}px ${font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineWidth = 3 * ratio
  context.strokeStyle = ground
  context.fillStyle = ink
  const { width, height } = context.canvas
  const places = settleLabels(
    labels.map(({ name, x, y, left, right, low, high }) => ({
      x: x * view.scale + view.x,
      y: view.y - y * view.scale,
      width: context.measureText(name).width,
      box: {
        left: left * view.scale + view.x - cellPx,
        right: right * view.scale + view.x + cellPx,
        top: view.y - high * view.scale - cellPx,
        bottom: view.y - low * view.scale + cellPx,
      },
    })),
    { isFree, fontPx, bounds: { left: 0, top: 0, right: width, bottom: height } },
  )
  for (const [at, place] of places.entries()) {
    if (place === null) continue
    context.strokeText(labels[at]!.name, place.x, place.y)
    context.fillText(labels[at]!.name, place.x, place.y)
  }
}
