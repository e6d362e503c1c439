import { expect, test } from 'vitest'
import { withLegend, withNote } from './legend-file.ts'

const figure =
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><path stroke-width="2"/></svg>'

test('a saved figure has its legend in rows below it, names as they are', () => {
  const keys = Array.from({ length: 12 }, (_, at) => ({ label: `group <${at}>`, key: { colour: '#0072b2' } }))
  const file = withLegend(figure, [
    ...keys,
    { label: 'line', key: { drawing: '<svg width="26" height="11"><path d="M0,5H26"/></svg>' } },
  ])
  const [width, height] = [/ width="(\d+)"/, / height="([\d.]+)"/].map((part) => Number(part.exec(file)![1]))
  expect(width).toBe(300)
  const indexes = [...file.matchAll(/<g transform="translate\(([\d.]+),([\d.]+)\)"><g/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
  expect(indexes.length).toBe(13)
  expect(new Set(indexes.map(String)).size).toBe(13)
  for (const [x, y] of indexes) {
    expect(x).toBeLessThan(300)
    expect(y).toBeGreaterThan(100)
    expect(y).toBeLessThan(height!)
  }
  expect(file).toContain('group &#60;3&#62;')
  expect(file).toContain('M0,5H26')
  expect(file.match(/<\?xml/g)).toBeNull()
})

test('a figure without a legend is saved as it is', () => {
  expect(withLegend(figure, [])).toBe(figure)
})

test('a saved figure of simulated data says so above the drawing, which is moved down by the note', () => {
  const file = withNote(figure, 'Simulated data, not measured')
  expect(Number(/ height="([\d.]+)"/.exec(file)![1])).toBeGreaterThan(100)
  expect(file.indexOf('Simulated data')).toBeLessThan(file.indexOf('<path'))
  expect(Number(/translate\(0,(\d+)\)/.exec(file)![1])).toBeGreaterThan(Number(/<text[^>]* y="(\d+)"/.exec(file)![1]))
  expect(withNote(figure, null)).toBe(figure)
})
