import { describe, expect, test } from 'vitest'
import { heatColour, layOut, missingColour, renderScene } from './heat-map-scene.ts'

const view = { row0: 0, row1: 40, column0: 0, column1: 5 }
const names = ['m_1', 'm_2', 'm_3', 'n_1', 'n_2']

describe('the heat map of genes by samples', () => {
  test('keeps trees, groups, cells and names apart, on a phone as on a wide page', () => {
    for (const width of [320, 1200]) {
      const { cells, rowTree, columnTree, strip, ...layout } = layOut(
        width,
        view,
        { rowTree: true, columnTree: true, strip: true },
        8,
        names,
      )
      expect(columnTree!.y + columnTree!.height).toBeLessThanOrEqual(strip!.y)
      expect(strip!.y + strip!.height).toBeLessThanOrEqual(cells.y)
      expect(rowTree!.x + rowTree!.width).toBeLessThanOrEqual(cells.x)
      expect(cells.x + cells.width).toBeLessThan(width)
      expect(layout.height).toBeGreaterThan(cells.y + cells.height)
    }
  })

  test('leaves no room for trees and groups that it has not', () => {
    const bare = layOut(600, view, { rowTree: false, columnTree: false, strip: false }, 8, names)
    expect([bare.rowTree, bare.columnTree, bare.strip]).toEqual([null, null, null])
  })

  test('is red above and blue below the mean, and grey without a value', () => {
    const channels = (value: number): number[] => (heatColour(value, [-2, 2], true).match(/\d+/g) ?? []).map(Number)
    const [high, low] = [channels(2), channels(-2)]
    expect(high[0]).toBeGreaterThan(high[2]!)
    expect(low[2]).toBeGreaterThan(low[0]!)
    expect(heatColour(Number.NaN, [-2, 2], true)).toBe(missingColour)
  })

  test('is saved with names of genes and samples as they are', () => {
    const layout = layOut(600, view, { rowTree: false, columnTree: false, strip: false }, 8, names)
    const file = renderScene(
      [{ kind: 'text', x: 1, y: 1, text: 'Δ"a" <b> & c', size: 10, anchor: 'start' }],
      layout,
      'data:image/png;base64,',
      'd',
    )
    expect(file).toContain('Δ&quot;a&quot; &lt;b&gt; &amp; c')
  })
})
