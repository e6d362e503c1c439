import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getProcessStartTime } from './processes.ts'
import { findDeathGuard } from './program.ts'

const searchPath = process.env.PATH ?? ''
const guard = await findDeathGuard(searchPath)

test.skipIf(guard.length === 0)(
  'a child that hears nothing dies with the process that started it, also when that is killed',
  async () => {
    const parent = fork(join(import.meta.dirname, 'fixtures/forking-parent.mjs'), [JSON.stringify(guard)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const [pid] = (await once(parent, 'message')) as [number]
    expect(getProcessStartTime(pid)).not.toBeNull()
    parent.kill('SIGKILL')
    await expect.poll(() => getProcessStartTime(pid), { timeout: 20_000 }).toBeNull()
  },
)
