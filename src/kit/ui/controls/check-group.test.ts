import { expect, it } from 'vitest'
import { stepFrom } from './check-group.tsx'

const lines = [['all'], ['H37Rv genome', 'H37Rv proteins'], ['BCG genome', 'BCG proteins'], ['yeast genome']]

it('arrows go through the databases of each genome, up and down to the same kind of the genome beside', () => {
  expect(stepFrom(lines, 'H37Rv genome', 'ArrowRight')).toBe('H37Rv proteins')
  expect(stepFrom(lines, 'H37Rv proteins', 'ArrowRight')).toBe('BCG genome')
  expect(stepFrom(lines, 'H37Rv proteins', 'ArrowDown')).toBe('BCG proteins')
  expect(stepFrom(lines, 'BCG proteins', 'ArrowUp')).toBe('H37Rv proteins')
  expect(stepFrom(lines, 'BCG genome', 'ArrowLeft', true)).toBe('BCG proteins')
})

it('a shorter line is entered at its last box, and at the edges there is nowhere to go', () => {
  expect(stepFrom(lines, 'BCG proteins', 'ArrowDown')).toBe('yeast genome')
  expect(stepFrom(lines, 'H37Rv proteins', 'ArrowUp')).toBe('all')
  expect(stepFrom(lines, 'yeast genome', 'ArrowDown')).toBeUndefined()
  expect(stepFrom(lines, 'all', 'ArrowUp')).toBeUndefined()
  expect(stepFrom(lines, 'BCG genome', 'Home')).toBe('all')
  expect(stepFrom(lines, 'BCG genome', 'End')).toBe('yeast genome')
  expect(stepFrom(lines, 'BCG genome', 'a')).toBeUndefined()
})
