import { expect, test } from 'vitest'
import { labelWidth } from './text-width.ts'

test('a Chinese label takes the width of as many squares, a Latin one little more than half of it', () => {
  expect([labelWidth('LTR', 12), labelWidth('重复', 12), labelWidth('LTR 重复', 12)]).toEqual([20, 24, 51])
})
