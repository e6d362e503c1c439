import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { demoStageSchema, lackingSpaceSchema } from '../contracts/species.ts'
import { forkPortalProcess } from '../jobs/fork-process.ts'
import { superviseWorkers } from '../jobs/worker-process.ts'
import type { Config } from './config.ts'
import { hasWorker } from './connection-budget.ts'
import type { DemoStatus } from './portal.ts'

const log = {
  info: () => undefined,
  warn: (message: string) => process.stderr.write(`${message}\n`),
  error: (message: string) => process.stderr.write(`${message}\n`),
}

/** What the demo's process sends: a line about what it prepares, or null while it loads and when it has nothing to do; space that it lacks. */
const demoStatusSchema = z.object({ stage: demoStageSchema.nullable(), space: lackingSpaceSchema.nullable() })
const idleStatus: DemoStatus = { stage: null, space: null }

export interface Children {
  stop(graceMs: number): Promise<void>
}

/** Worker processes and, when wanted, the process that loads the demo, whose words go into `status`; all end with the server. */
export const startChildren = (config: Config, status: DemoStatus): Children => {
  const here = dirname(fileURLToPath(import.meta.url))
  const workers = superviseWorkers({
    count: hasWorker(config) ? 1 : 0,
    spawn: () => forkPortalProcess(join(here, 'jobs/worker-main.js'), []),
    log,
  })
  let demo: ReturnType<typeof forkPortalProcess> | null = null
  if (config.demo !== 'none') {
    demo = forkPortalProcess(join(here, 'demo-main.js'), [])
    demo.on('message', (message) => {
      Object.assign(status, demoStatusSchema.safeParse(message).data ?? idleStatus)
    })
    demo.once('exit', () => {
      demo = null
      Object.assign(status, idleStatus)
    })
  }
  return {
    stop: async (graceMs) => {
      const running = demo
      const stopDemo = async (): Promise<void> => {
        if (running === null) return
        const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
        running.kill('SIGTERM')
        const killer = setTimeout(() => running.kill('SIGKILL'), graceMs)
        await ended
        clearTimeout(killer)
      }
      // Both at once: a worker that a terminal's Ctrl-C ends by itself shall not be started again meanwhile.
      await Promise.all([stopDemo(), workers.stop()])
    },
  }
}
