import { expect, test } from 'vitest'
import { drawLabels } from './draw-cells.ts'
import { renderMapFile } from './map-file.ts'

const file = { width: 400, height: 300, picture: 'data:image/png;base64,AA', axes: ['UMAP 1', 'UMAP 2'] as const }

test('a saved map stands on white and names both axes, whatever its colours mean', () => {
  const groups = renderMapFile({ ...file, legend: [{ name: 'T & B cells', cells: 12 }] })
  const magnitude = renderMapFile({ ...file, legend: { name: 'esxA', min: 0, max: 5 } })
  for (const text of [groups, magnitude]) {
    expect(text).toContain('fill="#ffffff"')
    expect(text).toContain('>UMAP 1 →<')
    expect(text).toMatch(/rotate\(-90\)"[^>]*>UMAP 2 →</)
  }
  expect(groups).toContain('T &#38; B cells (12)')
  expect(magnitude).toContain('esxA: 0.00 – 5.00')
})

test('names on the map have the ground that they stand on round them, not that of the theme', () => {
  const drawn: [string, string, number, number][] = []
  const context = {
    strokeStyle: '',
    fillStyle: '',
    canvas: { width: 200, height: 200 },
    measureText: () => ({ width: 40 }),
    strokeText: (_: string, x: number, y: number) => drawn.push(['halo', context.strokeStyle, x, y]),
    fillText: (_: string, x: number, y: number) => drawn.push(['name', context.fillStyle, x, y]),
  }
  drawLabels(
    context as unknown as CanvasRenderingContext2D,
    [{ name: 'T cells', x: 2, y: 3 }],
    { scale: 10, x: 5, y: 100 },
    1,
    { ground: '#ffffff', ink: '#000000' },
  )
  expect(drawn).toEqual([
    ['halo', '#ffffff', 25, 70],
    ['name', '#000000', 25, 70],
  ])
})
