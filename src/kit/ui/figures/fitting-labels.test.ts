import { expect, test } from 'vitest'
import { fittingLabels } from './fitting-labels.ts'
import { labelWidth } from './text-width.ts'

test('sixteen chromosomes on a phone have as many names as fit without touching, and all of them on a desk', () => {
  const names = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ').map((name) => `chr${name}`)
  const over = (width: number) => names.map((text, at) => ({ text, at: ((at + 0.5) / names.length) * width }))
  expect(fittingLabels(over(1200), 11, 0, 1200)).not.toContain(false)
  const narrow = over(280)
  const shown = narrow.filter((_, at) => fittingLabels(narrow, 11, 0, 280)[at])
  expect(shown.length).toBeGreaterThanOrEqual(5)
  for (const [at, { text, at: middle }] of shown.entries()) {
    const next = shown[at + 1]
    const end = middle + labelWidth(text, 11) / 2
    expect(end).toBeLessThan(next === undefined ? 280 : next.at - labelWidth(next.text, 11) / 2)
  }
})

test('no name stands beyond the ends of the axis', () => {
  expect(fittingLabels([{ text: 'chromosome', at: 10 }], 11, 0, 100)).toEqual([false])
  expect(fittingLabels([{ text: 'chromosome', at: 90 }], 11, 0, 100)).toEqual([false])
})
