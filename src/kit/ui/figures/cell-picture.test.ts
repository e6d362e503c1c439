import { describe, expect, test } from 'vitest'
import { type ColouredCells, paintCells, pointsForFile } from './cell-picture.ts'

/** A grey for each cell, by its number. */
const greys = (rows: number, columns: number, grey: (row: number, column: number) => number): ColouredCells => {
  const rgba = new Uint8ClampedArray(4 * rows * columns)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      rgba.set([...Array.from({ length: 3 }, () => grey(row, column)), 255], 4 * (row * columns + column))
  return { columns, rgba }
}
const whole = (rows: number, columns: number) => ({ row0: 0, row1: rows, column0: 0, column1: columns })

describe('cells of a matrix as a picture', () => {
  test('with many more rows than points and few columns, nothing is mixed between columns', () => {
    // 3,000 genes in four samples on 400 by 300 points: each column is of one grey.
    const columns = [10, 200, 40, 120]
    const picture = paintCells(
      greys(3000, 4, (_, column) => columns[column]!),
      whole(3000, 4),
      400,
      300,
    )
    const seen = new Set<number>()
    for (let at = 0; at < picture.length; at += 4) seen.add(picture[at]!)
    expect([...seen].sort((a, b) => a - b)).toEqual([10, 40, 120, 200])
    for (let x = 0; x < 400; x += 1) expect(picture[4 * (150 * 400 + x)]).toBe(columns[Math.floor(x / 100)])
  })

  test('rows that share a point are its mean, and each counts once', () => {
    const picture = paintCells(
      greys(8, 1, (row) => 20 * row),
      whole(8, 1),
      1,
      4,
    )
    expect([0, 1, 2, 3].map((y) => picture[4 * y])).toEqual([10, 50, 90, 130])
  })

  test('a window shows its cells alone, as wide as each other to a point', () => {
    const picture = paintCells(
      greys(5, 7, (row, column) => 30 * row + column),
      { row0: 2, row1: 4, column0: 3, column1: 6 },
      10,
      2,
    )
    const line = (y: number): number[] => Array.from({ length: 10 }, (_, x) => picture[4 * (10 * y + x)]!)
    expect(line(0)).toEqual([63, 63, 63, 63, 64, 64, 64, 65, 65, 65])
    expect(line(1)).toEqual([93, 93, 93, 93, 94, 94, 94, 95, 95, 95])
    expect(picture.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true)
  })

  test('a file has whole points for every cell', () => {
    for (const [cells, length] of [
      [5, 723],
      [2000, 640],
      [1, 80],
      [77, 77],
    ] as const) {
      const points = pointsForFile(cells, length)
      expect(points % cells).toBe(0)
      expect(points).toBeGreaterThanOrEqual(Math.max(cells, 2 * length))
    }
  })
})
