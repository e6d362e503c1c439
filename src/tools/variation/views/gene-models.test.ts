import { expect, test } from 'vitest'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import type { GeneModel } from '../tool.ts'
import { layModels } from './gene-models.tsx'

const gene = (id: string, start: number, end: number): GeneModel => ({
  id,
  symbol: null,
  strand: '+',
  sequence: 'chr',
  start,
  end,
  exons: [],
  cds: [],
})
const lay = (genes: GeneModel[]) => layModels(genes, (position) => position, 0, 1000)

test('genes that overlap, or whose names would, stand in lanes of their own', () => {
  const { placed, heightPx } = lay([gene('A', 100, 300), gene('B', 250, 400), gene('C', 600, 700)])
  expect(placed.map(({ lane }) => lane)).toEqual([0, 1, 0])
  expect(heightPx).toBe(lay([]).heightPx * 2)
  const long = 'a-name-of-many-letters'
  expect(lay([gene(long, 100, 110), gene('B', 120, 130)]).placed.map(({ lane }) => lane)).toEqual([0, 1])
})

test('genes end where the drawing does, and names stay within it', () => {
  const [first, last] = lay([gene('A', -500, 20), gene('B', 995, 1500)]).placed
  expect([first!.from, first!.textX, last!.to]).toEqual([0, 0, 1000])
  expect(last!.textX + labelWidth(last!.text, 11)).toBeCloseTo(1000)
})
