import { endLoad, getLoad, updateLoad } from '../../database/catalogue.ts'
import { limitHeapGrowth } from '../../jobs/heap-growth.ts'
import { stepBehind } from '../../jobs/process-priority.ts'
import { createStopSignal } from '../../jobs/worker-process.ts'
import { readConfig } from '../config.ts'
import { loadConnections } from '../connection-budget.ts'
import { openPortalDatabase } from '../portal-database.ts'
import { guardProcess } from '../process-guards.ts'
import { runLoad } from './load-folder.ts'

const heartbeatMs = 2_000

/** Carries out the load whose row the server made; its number is the argument. */
const main = async (): Promise<void> => {
  const id = Number(process.argv[2])
  const config = readConfig()
  guardProcess('load')
  limitHeapGrowth()
  const signal = createStopSignal()
  const database = await openPortalDatabase(config, 'load', {
    max: loadConnections.main,
    statementTimeoutMs: 0,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  stepBehind()
  const { sql } = database
  // While it waits for another load to end, nothing else shows that it lives.
  const heartbeat = setInterval(() => void updateLoad(sql, id, null, null).catch(() => undefined), heartbeatMs)
  try {
    const load = await getLoad(sql, id)
    if (load === null || load.state !== 'waiting') throw new Error(`there is no waiting load ${id}`)
    const report = await runLoad(config, database, load.folder, load.startedBy, signal, () => undefined, id)
    // A folder that is refused at the door has no state written for it yet.
    await endLoad(sql, id, report.ok ? 'done' : 'failed', report, ['waiting', 'running'])
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    await endLoad(sql, id, 'failed', { failure }, ['waiting', 'running'])
    throw error
  } finally {
    clearInterval(heartbeat)
    await database.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`load: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
