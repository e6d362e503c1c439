import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedCommand } from '../jobs/program.ts'

const commandsOf = (directory: string): RecordedCommand[] => {
  try {
    return (JSON.parse(readFileSync(join(directory, 'command.json'), 'utf8')) as { commands: RecordedCommand[] })
      .commands
  } catch {
    return []
  }
}

/** For tests: waits until a run's program runs, then kills it as the administrator or the kernel would; throws where none is seen for 30 s. */
export const killProgram = async (directory: string, program: string): Promise<void> => {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const running = commandsOf(directory).find((one) => one.program === program && one.pid !== null)
    if (running !== undefined) {
      process.kill(running.pid!, 'SIGKILL')
      return
    }
    await pause(2)
  }
  throw new Error(`${program} was not seen running in ${directory}`)
}
