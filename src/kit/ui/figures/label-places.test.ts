import { expect, test } from 'vitest'
import { type LabelBox, placeLabels, settleLabels } from './label-places.ts'
import { labelWidth } from './text-width.ts'

const bounds: LabelBox = { left: 0, top: 0, right: 400, bottom: 300 }

/** Boxes that the labels take up, as they are drawn. */
const boxesOf = (points: readonly { text: string }[], placed: ReturnType<typeof placeLabels>, fontPx: number) =>
  placed.flatMap((label, at) => {
    if (label === null) return []
    const width = labelWidth(points[at]!.text, fontPx)
    const left = label.x - (label.anchor === 'start' ? 0 : label.anchor === 'end' ? width : width / 2)
    return [{ left, right: left + width, top: label.y - fontPx / 2, bottom: label.y + fontPx / 2 }]
  })

test('a label stands right of its point, and left of it at the right edge', () => {
  const [first, second] = placeLabels(
    [
      { x: 50, y: 50, text: 'fadD5', radius: 4 },
      { x: 390, y: 200, text: 'mce1A', radius: 4 },
    ],
    { fontPx: 11, bounds },
  )
  expect(first?.anchor).toBe('start')
  expect(second?.anchor).toBe('end')
})

test('labels of a crowd of nodes lie neither over each other, nor over a node, nor beyond the edges', () => {
  const points = Array.from({ length: 120 }, (_, at) => ({
    x: 200 + 150 * Math.sin(at * 1.7) * Math.sqrt((at % 17) / 17),
    y: 150 + 120 * Math.cos(at * 2.3) * Math.sqrt((at % 13) / 13),
    text: `Rv${1000 + at * 7}c`,
    radius: 5,
  }))
  const placed = placeLabels(points, { fontPx: 11, bounds })
  const boxes = boxesOf(points, placed, 11)
  expect(boxes.length).toBeGreaterThan(20)
  expect(boxes.length).toBeLessThan(points.length)
  for (const [at, box] of boxes.entries()) {
    expect(box.left).toBeGreaterThanOrEqual(0)
    expect(box.right).toBeLessThanOrEqual(400)
    for (const other of boxes.slice(at + 1))
      expect(
        box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top,
      ).toBe(true)
    for (const { x, y } of points) expect(x > box.left && x < box.right && y > box.top && y < box.bottom).toBe(false)
  }
})

test('who comes first has its label, also where both have no room', () => {
  const points = ['first', 'second'].map((text) => ({ x: 20, y: 8, text, radius: 3 }))
  const narrow = { left: 0, top: 0, right: 70, bottom: 16 }
  expect(placeLabels(points, { fontPx: 11, bounds: narrow }).map((label) => label !== null)).toEqual([true, false])
})

test('a label stands on the side that is wanted, and what is needed is written over points, never over labels', () => {
  const crowd = Array.from({ length: 60 }, (_, at) => ({
    x: 100 + 6 * (at % 10),
    y: 100 + 6 * Math.floor(at / 10),
    radius: 5,
  }))
  const middle = { x: 130, y: 118, text: 'mce1C', radius: 8 }
  expect(
    placeLabels([{ x: 50, y: 50, text: 'fadD5', radius: 4, side: 'end' }], { fontPx: 11, bounds })[0]?.anchor,
  ).toBe('end')
  expect(placeLabels([middle], { fontPx: 11, bounds, others: crowd })[0]).toBeNull()
  expect(placeLabels([{ ...middle, needed: true }], { fontPx: 11, bounds, others: crowd })[0]).not.toBeNull()
})

test('names of groups that lie together stand under each other, the first at its place', () => {
  const places = settleLabels(
    ['growing', 'hypoxic', 'starved'].map(() => ({ x: 100, y: 100, width: 50 })),
    { fontPx: 12, bounds },
  )
  expect(places[0]).toEqual({ x: 100, y: 100 })
  const heights = places.map((place) => place!.y).sort((a, b) => a - b)
  expect(heights[1]! - heights[0]!).toBeGreaterThanOrEqual(12)
  expect(heights[2]! - heights[1]!).toBeGreaterThanOrEqual(12)
})

test('a name at the edge is moved into the drawing, and one beyond it is not written', () => {
  expect(settleLabels([{ x: 398, y: 50, width: 80 }], { fontPx: 12, bounds })).toEqual([{ x: 360, y: 50 }])
  expect(settleLabels([{ x: 450, y: 50, width: 80 }], { fontPx: 12, bounds })).toEqual([null])
})

test('of a thousand names in one heap those are written that stand near', () => {
  const heap = Array.from({ length: 1000 }, () => ({ x: 200, y: 150, width: 60 }))
  const places = settleLabels(heap, { fontPx: 12, bounds })
  const written = places.flatMap((place) => (place === null ? [] : [place]))
  expect(written.length).toBeGreaterThan(5)
  for (const { y } of written) expect(Math.abs(y - 150)).toBeLessThan(80)
})
