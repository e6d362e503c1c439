import { join } from 'node:path'
import { prepareDemo } from '../../demo/main.ts'
import { listActiveSpecies } from '../database/catalogue.ts'
import { createStopSignal } from '../jobs/worker-process.ts'
import { renderDefects } from '../loader/command-report.ts'
import { readConfig } from './config.ts'
import { runLoad } from './load-folder.ts'
import { openPortalDatabase } from './portal.ts'
import { guardProcess } from './process-guards.ts'

const say = (text: string): void => {
  process.stdout.write(`  ${text}\n`)
}

/** Prepares and loads the demo's species one after the other, unless the portal holds data of its own; what is loaded is not loaded again. */
const main = async (): Promise<void> => {
  const config = readConfig()
  guardProcess('demo')
  const signal = createStopSignal()
  const database = await openPortalDatabase(config, 'demo', {
    max: 16,
    statementTimeoutMs: 0,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  try {
    const [mark] = await database.sql<{ value: string[] }[]>`select value from portal_settings where key = 'demo'`
    const done = new Set(mark?.value ?? [])
    // A lab's own data is never joined by a demo that it did not start with.
    if (mark === undefined && (await listActiveSpecies(database.sql)).length > 0) return
    const demo = prepareDemo({
      which: config.demo,
      workDir: join(config.dataDir, 'demo'),
      progress: say,
    })
    for await (const { species: id, directory: folder } of demo) {
      if (signal.aborted) return
      if (done.has(id)) continue
      let shown = -1
      const report = await runLoad(config, database, folder, 'demo', signal, (step, fraction) => {
        const tenth = Math.floor(fraction * 10)
        if (tenth === shown) return
        shown = tenth
        say(`demo ${id}: ${tenth * 10} % (${step})`)
      })
      if (!report.ok) {
        process.stderr.write(`demo ${id}: ${report.failure ?? renderDefects(report.defects, report.totals, 'en')}\n`)
        continue
      }
      done.add(id)
      await database.sql`
        insert into portal_settings (key, value) values ('demo', ${database.sql.json([...done])})
        on conflict (key) do update set value = excluded.value`
      say(`demo ${id}: loaded in ${(report.elapsedMs / 1000).toFixed(0)} s`)
    }
  } finally {
    await database.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
