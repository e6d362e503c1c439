import { expect, test } from 'vitest'
import { jobSchema } from './jobs.ts'

test('a job of a server before subjects is read, with none', () => {
  const moment = '2026-01-01T00:00:00.000Z'
  const job = {
    ...{ id: 'a'.repeat(32), tool: 'blast', state: 'queued', position: 0, waiting: null, progress: null, step: null },
    ...{ submittedAt: moment, startedAt: null, endedAt: null, expiresAt: moment, error: null },
  }
  expect(jobSchema.parse(job).subject).toBe('')
})
