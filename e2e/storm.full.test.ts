import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { portalRoot } from './portal-command.ts'
import { missingForStorm } from './storm/many-machines.ts'

// What bench/storm.ts does with a thousand jobs, with few: each part is broken once. By that program, for it has to have a network of its own.

const missing = missingForStorm()

describe.skipIf(missing.length > 0)(`a storm${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`, () => {
  it('nodes, slurmctld, a server, the primary database and the store are broken in turn: no promise is', async () => {
    const program = join(portalRoot, 'dist/node/bench/storm.js')
    const { stdout, status } = await promisify(execFile)(process.execPath, [program, '60']).then(
      ({ stdout }) => ({ stdout, status: 0 }),
      (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}`, status: 1 }),
    )
    console.log(stdout.replaceAll(/^/gm, '    '))
    expect(stdout.split('\n').filter((line) => line.startsWith('BROKEN'))).toEqual([])
    expect(status).toBe(0)
  }, 1_200_000)
})
