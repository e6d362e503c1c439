import { expect, test } from 'vitest'
import { loadProgress, loadStepText, logStep, portalStep, stemOfStep } from './load-steps.ts'

const titleOf = (tool: string): string | null => (tool === 'homologs' ? 'Homologous gene search' : null)

test('a step that compares pairs says how many are done and how many workers help, in both languages', () => {
  const step = portalStep('homologs', 0.371, { done: 12, total: 45, workers: 3 })
  expect(step).toBe('homologs 37 % 12/45+3')
  expect(loadStepText(step, 'en', titleOf)).toBe('Homologous gene search 37 % (12 of 45 pairs, 3 workers help)')
  expect(loadStepText(step, 'zh', titleOf)).toBe(
    'Homologous gene search 37 %（已完成 12/45 对，另有 3 个工作进程参与）',
  )
  const alone = portalStep('homologs', 0, { done: 0, total: 1, workers: 0 })
  expect(loadStepText(alone, 'en', titleOf)).toBe('Homologous gene search 0 % (0 of 1 pairs)')
  expect(loadStepText(portalStep('homologs', 0.9), 'zh', titleOf)).toBe('Homologous gene search 90 %')
})

test('a log has a line for each hundredth, not for each pair, and a stage one stem', () => {
  const steps = [1, 2].map((done) => portalStep('homologs', 0.1, { done, total: 45, workers: done }))
  expect(new Set(steps.map(logStep))).toEqual(new Set(['homologs 10 %']))
  expect(new Set(steps.map(stemOfStep))).toEqual(new Set(['homologs']))
  expect(loadStepText('SK1: genes', 'zh')).toBe('SK1：基因模型')
})

test('a load tells what is left until its species is in service, then what is left of the comparison it computes', () => {
  const load = { runningSince: '2026-01-01T10:00:00Z', stepSince: '2026-01-01T10:20:00Z' }
  const now = Date.parse('2026-01-01T10:21:00Z')
  const loading = loadProgress({ ...load, step: 'SK1: genes', fraction: 0.33 }, now)
  expect(loading.fraction).toBeCloseTo(1 / 3)
  expect(loading.leftMs).toBeCloseTo(42 * 60_000, -1)
  expect(loadProgress({ ...load, step: 'homologs 25 % 12/45+3', fraction: 0.99 }, now)).toEqual({
    fraction: 0.25,
    leftMs: 180_000,
  })
  expect(loadProgress({ ...load, step: 'search tables', fraction: 0.99 }, now)).toEqual({
    fraction: null,
    leftMs: null,
  })
  // What waits has no rate.
  expect(loadProgress({ runningSince: null, stepSince: null, step: 'waiting', fraction: 0.5 }, now).leftMs).toBeNull()
})
