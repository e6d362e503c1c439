import { describe, expect, it } from 'vitest'
import { missingForStorm } from './storm/many-machines.ts'
import { runStorm } from './storm/storm.ts'

// What bench/storm.ts does with a thousand jobs, with few: each part is broken once.

const missing = missingForStorm()

describe.skipIf(missing.length > 0)(`a storm${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`, () => {
  it('nodes, slurmctld, a server, the primary database and the store are broken in turn: no promise is', async () => {
    const { broken, lines } = await runStorm({ jobs: 60, say: (line) => console.log(`    ${line}`) })
    console.log(lines.map((line) => `    ${line}`).join('\n'))
    expect(broken).toEqual([])
  }, 1_200_000)
})
