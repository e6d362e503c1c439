import { expect, it } from 'vitest'
import { nameMarks } from './mark-names.ts'

it('names stand beside their marks, on the side where nothing lies, or not at all', () => {
  const change = 'p.(Gln13Ter)'
  expect(nameMarks([{ x: 100, y: 50, text: change }], 0, 400)).toMatchObject([{ at: 0, anchor: 'start', text: change }])
  // At the right edge, and with another mark to the right.
  expect(nameMarks([{ x: 390, y: 50, text: change }], 0, 400)).toMatchObject([{ anchor: 'end' }])
  const beside = { x: 130, y: 52, text: null }
  expect(nameMarks([{ x: 100, y: 50, text: change }, beside], 0, 400)).toMatchObject([{ anchor: 'end' }])
  const before = { x: 70, y: 48, text: null }
  expect(nameMarks([{ x: 100, y: 50, text: change }, beside, before], 0, 400)).toEqual([])
})
