import { expect, it } from 'vitest'
import { administratorLines } from './serve.ts'

it('names the account of the administrator when it is made, also with a password that was set', () => {
  expect(administratorLines({ madeUpPassword: 'q7-made-up-word' }).join('\n')).toMatch(
    /Administrator: admin\n {2}Password: +q7-made-up-word/,
  )
  expect(administratorLines({ madeUpPassword: null }).join('\n')).toContain('Administrator: admin')
  expect(administratorLines(null)).toEqual([])
})
