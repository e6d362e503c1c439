import { expect, test } from 'vitest'
import { positionUnit, roundLength, roundTicks, tickDecimals } from './axis-ticks.ts'

test('ticks of a chromosome of 6.09 Mb are round megabases, fewer on a phone', () => {
  const desk = roundTicks(0, 6.09e6, 1200, 'x')
  expect(desk[1]).toBe(500_000)
  expect(desk.at(-1)).toBe(6_000_000)
  expect(roundTicks(0, 6.09e6, 260, 'x')).toEqual([0, 2e6, 4e6, 6e6])
})

test('an axis with little room has two ticks at least', () => {
  expect(roundTicks(0, 1, 20, 'y').length).toBeGreaterThanOrEqual(2)
})

test('counts have no half ticks', () => {
  expect(roundTicks(0, 2, 300, 'y', true)).toEqual([0, 1, 2])
})

test('all numbers of an axis have as many digits after the point as the finest needs', () => {
  expect(tickDecimals([0, 0.5, 1])).toBe(1)
  expect(tickDecimals([0, 2000, 4000])).toBe(0)
  expect(tickDecimals(roundTicks(0, 0.3, 500, 'x'))).toBe(2)
  expect(tickDecimals([0, 2e-8, 4e-8])).toBe(8)
})

test('positions are in the unit that their steps ask for: a chromosome in Mb, a contig in kb, a gene in bases', () => {
  expect(positionUnit([0, 500_000, 1_000_000])).toEqual({ unit: 'Mb', bases: 1e6, digits: 1 })
  expect(positionUnit([0, 50_000, 100_000])).toEqual({ unit: 'kb', bases: 1e3, digits: 0 })
  expect(positionUnit([1_200_000, 1_250_000])).toEqual({ unit: 'Mb', bases: 1e6, digits: 2 })
  expect(positionUnit([4_344_000, 4_348_000])).toEqual({ unit: 'bp', bases: 1, digits: 0 })
  expect(positionUnit([200, 400])).toEqual({ unit: 'bp', bases: 1, digits: 0 })
})

test('a scale bar has a round length and no more than its room', () => {
  expect(roundLength(3400, 150)).toEqual({ length: 500_000, px: 500_000 / 3400 })
  for (const perPx of [1e-5, 0.002, 0.7, 1, 13, 9999]) {
    const { length, px } = roundLength(perPx, 120)
    expect(px).toBeLessThanOrEqual(120.001)
    expect(px).toBeGreaterThan(120 / 2.6)
    expect([1, 2, 5]).toContain(Number(length.toExponential()[0]))
  }
})

test('a short axis has two numbers at least: one gives no scale', () => {
  expect(roundTicks(1, 1_531_933, 160, 'x')).toEqual([500_000, 1_000_000, 1_500_000])
})
