import { expect, test } from 'vitest'
import { layCategoryLabels } from './category-labels.ts'

const samples = Array.from({ length: 77 }, (_, at) => `cdc15_${10 * at}`)
const room = { fontPx: 11, maxRoomPx: 110 }

test('names stand level where they fit, slant where they do not, and stand upright where lines would touch', () => {
  expect(layCategoryLabels(['a', 'b'], 80, room)).toMatchObject({ angle: 0, every: 1 })
  expect(layCategoryLabels(samples, 24, room)).toMatchObject({ angle: -50, every: 1 })
  expect(layCategoryLabels(samples, 13, room)).toMatchObject({ angle: -90, every: 1 })
})

test('77 samples of 7.5 pixels have every second name, so that lines of 11 pixels do not lie over each other', () => {
  const { angle, every } = layCategoryLabels(samples, 7.5, room)
  expect(angle).toBe(-90)
  expect(every * 7.5).toBeGreaterThanOrEqual(11)
  expect(every).toBe(2)
})

test('names longer than the room are shortened, each still told from the others', () => {
  const names = ['Saccharomyces paradoxus CBS432 replicate 1', 'Saccharomyces paradoxus CBS432 replicate 2']
  const { texts, roomPx } = layCategoryLabels(names, 20, room)
  expect(new Set(texts).size).toBe(2)
  expect(texts[0]!.length).toBeLessThan(names[0]!.length)
  expect(roomPx).toBeLessThanOrEqual(110)
})
