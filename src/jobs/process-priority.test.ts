import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { putBehind } from './process-priority.ts'

test.skipIf(process.platform !== 'linux')(
  'a process that leads a session is put behind with that session, where the kernel shares by sessions',
  async () => {
    const behind = Math.min(19, getPriority() + 10)
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    const pid = child.pid!
    try {
      const file = `/proc/${pid}/autogroup`
      await putBehind(pid)
      expect(getPriority(pid)).toBe(behind)
      if (existsSync(file) && readFileSync(file, 'latin1') !== '')
        expect(readFileSync(file, 'latin1')).toContain(`nice ${behind}`)
      expect(getPriority(process.pid)).toBe(getPriority(0))
    } finally {
      child.kill('SIGKILL')
    }
    // Of one that has ended nothing is to be done.
    await new Promise((resolve) => child.once('close', resolve))
    await putBehind(pid)
  },
)
