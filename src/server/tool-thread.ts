import { workerData } from 'piscina'
import { PortalError } from '../contracts/errors.ts'
import { runTool } from '../kit/run-tool.ts'
import type { Config } from './config.ts'
import { openPortalCore } from './portal.ts'
import { answerBounds, packError, type ThreadAnswer, type ThreadTask } from './tool-pool.ts'

const { config } = workerData as { config: Config }
const opening = openPortalCore(config, 'thread', { max: 4, log: () => undefined })

/** A thread of the pool: runs one tool at a time over a portal of its own. */
export default async (task: ThreadTask): Promise<ThreadAnswer> => {
  const stopping = new AbortController()
  task.stop.once('message', () => stopping.abort())
  const portal = await opening
  const tool = portal.tools.find((candidate) => candidate.id === task.tool)
  if (tool === undefined) throw new Error(`no tool ${task.tool}`)
  try {
    const answer = await runTool(tool.engine, {
      input: task.input,
      data: portal.data,
      directory: task.directory,
      dataDir: config.dataDir,
      searchPath: config.searchPath,
      programs: portal.programs,
      portalVersion: portal.version,
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerBounds(config).timeoutMs)]),
      bounds: answerBounds(config),
      onProgress: () => undefined,
    })
    return { ok: true, ...answer }
  } catch (error) {
    // Nobody waits for this answer any more.
    return packError(stopping.signal.aborted ? new PortalError('JOB_CANCELLED') : error)
  } finally {
    task.stop.close()
  }
}
