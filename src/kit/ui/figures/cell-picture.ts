/** Coloured cells of a matrix, four bytes each (red, green, blue, alpha), row after row. */
export interface ColouredCells {
  columns: number
  rgba: Uint8ClampedArray
}

/** Part of a matrix; ends excluded. */
interface CellWindow {
  row0: number
  row1: number
  column0: number
  column1: number
}

/** First cell of each point, with the end behind the last: one cell over several points, or several cells in one. */
const spread = (first: number, last: number, points: number): [from: Uint32Array, to: Uint32Array] => {
  const [from, to] = [new Uint32Array(points), new Uint32Array(points)]
  for (let point = 0; point < points; point += 1) {
    from[point] = first + Math.floor((point * (last - first)) / points)
    to[point] = Math.max(from[point]! + 1, first + Math.floor(((point + 1) * (last - first)) / points))
  }
  return [from, to]
}

/**
 * A window of a matrix as a picture of `width` by `height` points, four bytes each. Cells are cells: a point has the colour of the cell
 * that it lies in, and only along a side with more cells than points is it the mean of those that share it. Nothing is mixed between
 * neighbours, as a browser's own scaling of pictures does.
 *
 * Example: two columns in six points are three points of the one and three of the other.
 */
export const paintCells = (
  { columns, rgba }: ColouredCells,
  { row0, row1, column0, column1 }: CellWindow,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> => {
  const picture = new Uint8ClampedArray(4 * width * height)
  const [left, right] = spread(column0, column1, width)
  const [top, bottom] = spread(row0, row1, height)
  const line = 4 * width
  for (let y = 0; y < height; y += 1) {
    if (y > 0 && top[y] === top[y - 1] && bottom[y] === bottom[y - 1]) {
      picture.copyWithin(y * line, (y - 1) * line, y * line)
      continue
    }
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0]
      for (let row = top[y]!; row < bottom[y]!; row += 1)
        for (let column = left[x]!; column < right[x]!; column += 1) {
          const at = 4 * (row * columns + column)
          red += rgba[at]!
          green += rgba[at + 1]!
          blue += rgba[at + 2]!
          alpha += rgba[at + 3]!
          count += 1
        }
      const index = y * line + 4 * x
      picture[index] = red / count
      picture[index + 1] = green / count
      picture[index + 2] = blue / count
      picture[index + 3] = alpha / count
    }
  }
  return picture
}

/**
 * Points of a picture for a file: whole points for every cell, and two or more for each unit of the drawing, so that programs that
 * smooth pictures blur the edges of cells by half a unit at most.
 */
export const pointsForFile = (cells: number, length: number): number =>
  cells * Math.max(1, Math.ceil((2 * length) / Math.max(1, cells)))

/** The same as a canvas of its own, to be drawn point for point; null where there is nothing to draw on. */
export const cellCanvas = (
  cells: ColouredCells,
  window: CellWindow,
  width: number,
  height: number,
): HTMLCanvasElement | null => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, width)
  canvas.height = Math.max(1, height)
  const context = canvas.getContext('2d')
  if (context === null) return null
  const picture = paintCells(cells, window, canvas.width, canvas.height)
  context.putImageData(new ImageData(picture, canvas.width), 0, 0)
  return canvas
}
