import { limitHeapGrowth } from '../../jobs/heap-growth.ts'
import { stepBehind } from '../../jobs/process-priority.ts'
import { createStopSignal } from '../../jobs/worker-process.ts'
import { readConfig } from '../config.ts'
import { loadConnections } from '../connection-budget.ts'
import { openPortalDatabase } from '../portal-database.ts'
import { guardProcess } from '../process-guards.ts'
import { carryOutLoad } from './load-folder.ts'

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
  await carryOutLoad(config, database, id, signal).finally(() => database.close())
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`load: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
