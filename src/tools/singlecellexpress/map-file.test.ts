import { expect, test } from 'vitest'
import { drawLabels, placeGroups } from './draw-cells.ts'
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
  const image = { width: 200, height: 200, data: new Uint8ClampedArray(200 * 200 * 4) } as ImageData
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
    [{ name: 'T cells', x: 6, y: 3, left: 5, right: 7, low: 2, high: 4 }],
    { scale: 10, x: 5, y: 100 },
    1,
    { ground: '#ffffff', ink: '#000000', font: 'Roboto', image },
  )
  // Above the cells, whose upper edge lies at 60 less the size of a cell.
  expect(drawn.map(([what, colour, x]) => [what, colour, x])).toEqual([
    ['halo', '#ffffff', 65],
    ['name', '#000000', 65],
  ])
  for (const [, , , y] of drawn) expect(y).toBeLessThan(56)
})

test('a name leaves the side of its cells where others lie, and a full map has it at their middle', () => {
  const nameAt = (image: ImageData): number => {
    const at: number[] = []
    const context = {
      canvas: { width: 200, height: 200 },
      measureText: () => ({ width: 40 }),
      strokeText: () => undefined,
      fillText: (_: string, __: number, y: number) => at.push(y),
    }
    drawLabels(
      context as unknown as CanvasRenderingContext2D,
      [{ name: 'T cells', x: 6, y: 3, left: 5, right: 7, low: 2, high: 4 }],
      { scale: 10, x: 5, y: 100 },
      1,
      { ground: '#ffffff', ink: '#000000', font: 'Roboto', image },
    )
    return at[0]!
  }
  const covered = (rows: (y: number) => boolean): ImageData => {
    const data = new Uint8ClampedArray(200 * 200 * 4)
    for (let y = 0; y < 200; y += 1) if (rows(y)) data.fill(255, y * 800, (y + 1) * 800)
    return { width: 200, height: 200, data } as ImageData
  }
  expect(nameAt(covered((y) => y < 60))).toBeGreaterThan(84)
  expect(nameAt(covered(() => true))).toBe(70)
})

test('groups lie where nearly all of their cells do', () => {
  const map = Float32Array.from(Array.from({ length: 200 }, (_, at) => (at === 0 ? [500, 500] : [at / 200, 2])).flat())
  const [first, ...others] = placeGroups(map, new Uint8Array(200), ['growing', 'none'])
  expect(others).toEqual([])
  expect(first!.right).toBeLessThan(1)
  expect(first!.high).toBe(2)
})
