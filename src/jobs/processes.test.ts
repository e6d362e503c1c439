import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { createGroupMemoryMeter, signalGroup } from './processes.ts'

const megabyte = 2 ** 20

it.runIf(process.platform === 'linux')(
  'the memory of a group is that of its processes, also of one that began after others were looked at',
  async () => {
    // A shell that starts a program with 60 MB of its own once it is told to.
    const child = spawn(
      'sh',
      [
        '-c',
        `read line; "$0" -e 'const held = Buffer.alloc(60 * 2 ** 20, 1); console.log(held.length); setInterval(() => held, 1000)'`,
        process.execPath,
      ],
      { detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
    )
    try {
      const readBytes = createGroupMemoryMeter(child.pid!)
      const other = createGroupMemoryMeter(2 ** 22 - 1)
      expect(readBytes()).toBeLessThan(10 * megabyte)
      child.stdin.write('go\n')
      await once(child.stdout, 'data')
      expect(readBytes()).toBeGreaterThan(60 * megabyte)
      expect(other()).toBe(0)
    } finally {
      signalGroup(child.pid!, 'SIGKILL')
    }
  },
)
