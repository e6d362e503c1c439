/**
 * Cells as an address writes them: `Column=name|name` (a column's cells of these names), or `@map:x,y x,y x,y …` (cells within a
 * closed line drawn on a map, in the map's own units; the map by its place in the data set).
 */
export type Selection =
  | { kind: 'levels'; column: string; levels: string[] }
  | { kind: 'lasso'; map: number; points: [x: number, y: number][] }

/** Null when it cannot be read. */
export const parseSelection = (text: string): Selection | null => {
  const lasso = /^@(\d+):(.+)$/.exec(text)
  if (lasso !== null) {
    const points = lasso[2]!.split(' ').map((pair) => pair.split(',').map(Number) as [number, number])
    const fit = points.length >= 3 && points.every((point) => point.length === 2 && point.every(Number.isFinite))
    return fit ? { kind: 'lasso', map: Number(lasso[1]), points } : null
  }
  const at = text.indexOf('=')
  if (at < 1) return null
  const levels = text
    .slice(at + 1)
    .split('|')
    .filter((level) => level !== '')
  return levels.length === 0 ? null : { kind: 'levels', column: text.slice(0, at), levels }
}

export const renderSelection = (selection: Selection): string =>
  selection.kind === 'levels'
    ? `${selection.column}=${selection.levels.join('|')}`
    : `@${selection.map}:${selection.points.map(([x, y]) => `${Number(x.toPrecision(5))},${Number(y.toPrecision(5))}`).join(' ')}`

/** Whether a point lies within a closed line, by the parity of crossings (Shimrat 1962, Commun ACM 5:434). */
const isWithin = (points: readonly [number, number][], x: number, y: number): boolean => {
  let inside = false
  for (let at = 0, before = points.length - 1; at < points.length; before = at, at += 1) {
    const [ax, ay] = points[at]!
    const [bx, by] = points[before]!
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** 1 for each cell within the line; `coordinates` holds x and y of each. */
export const cellsWithin = (points: readonly [number, number][], coordinates: Float32Array): Uint8Array => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const chosen = new Uint8Array(coordinates.length / 2)
  for (let cell = 0; cell < chosen.length; cell += 1) {
    const x = coordinates[2 * cell]!
    const y = coordinates[2 * cell + 1]!
    if (x >= left && x <= right && y >= low && y <= high && isWithin(points, x, y)) chosen[cell] = 1
  }
  return chosen
}
