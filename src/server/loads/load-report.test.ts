import { expect, test } from 'vitest'
import { reportIn } from './load-report.ts'

test('a load is told in words: its defects in the reader’s language, and why one without a report ended', async () => {
  const stored = {
    failure: null,
    totals: [
      { code: 'import-archive-kind', severity: 'error', count: 2 },
      { code: 'gone', severity: 'error', count: 1 },
    ],
    defects: [
      { code: 'import-archive-kind', severity: 'error', file: 'a.rar', line: null, params: {} },
      { code: 'gone', severity: 'error', file: 'b', line: 3, params: {} },
    ],
  }
  const [en, zh] = await Promise.all([reportIn(stored, 'en'), reportIn(stored, 'zh')])
  expect(en).toMatchObject({
    failure: null,
    interrupted: false,
    totals: { error: 3 },
    defects: [
      { file: 'a.rar', text: expect.stringContaining('are not unpacked') },
      { line: 3, text: 'gone' },
    ],
  })
  expect(zh!.defects[0]!.text).toContain('不支持')
  expect(await reportIn({ failure: 'SIGTERM' }, 'en')).toMatchObject({ failure: 'SIGTERM', defects: [] })
  expect(await reportIn({ interrupted: true }, 'en')).toMatchObject({ failure: null, interrupted: true })
  expect(await reportIn(null, 'en')).toBeNull()
})
