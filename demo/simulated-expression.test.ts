import { expect, test } from 'vitest'
import { inspectPicture } from '../src/bio/expression/tissue-picture.ts'
import { drawnOrgans, organPicture, simulateExpression } from './simulated-expression.ts'

const series = { factor: 'organ', levels: drawnOrgans, treatments: ['control', 'drought'], replicates: 3 }
const genes = Array.from({ length: 40 }, (_, at) => ({ id: `g${at}`, module: at < 20 ? `m${at % 2}` : null }))

test('genes of a planted module follow one course, others follow none, and every run is the same', () => {
  const { matrix, sheet } = simulateExpression(genes, series, 7)
  expect(simulateExpression(genes, series, 7).matrix).toEqual(matrix)
  expect([matrix.length, sheet.length]).toEqual([41, 31])
  const logs = matrix.slice(1).map((line) =>
    line
      .split('\t')
      .slice(1)
      .map((cell) => Math.log2(Number(cell) + 1)),
  )
  const correlation = (x: number[], y: number[]): number => {
    const mean = (list: number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
    const [mx, my] = [mean(x), mean(y)]
    const sum = (f: (at: number) => number): number => x.reduce((total, _, at) => total + f(at), 0)
    return (
      sum((at) => (x[at]! - mx) * (y[at]! - my)) /
      Math.sqrt(sum((at) => (x[at]! - mx) ** 2) * sum((at) => (y[at]! - my) ** 2))
    )
  }
  expect(correlation(logs[0]!, logs[2]!)).toBeGreaterThan(0.8)
  expect(correlation(logs[1]!, logs[3]!)).toBeGreaterThan(0.8)
  expect(Math.abs(correlation(logs[0]!, logs[30]!))).toBeLessThan(0.8)
})

test('the picture draws an area for each organ, and nothing but drawing', () => {
  const found = inspectPicture(organPicture)
  expect('ids' in found ? found.ids : found).toEqual([...drawnOrgans])
})
