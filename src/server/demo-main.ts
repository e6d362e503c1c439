import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DemoDiskFull } from '../../demo/demo-error.ts'
import type { DemoStage } from '../../demo/demo-stage.ts'
import { type DemoSpecies, listDemoSpecies, prepareDemo } from '../../demo/main.ts'
import type { LackingSpace } from '../contracts/species.ts'
import { listActiveSpecies } from '../database/catalogue.ts'
import { stepBehind } from '../jobs/process-priority.ts'
import { createStopSignal } from '../jobs/worker-process.ts'
import { renderDefects, renderSpace } from '../loader/command-report.ts'
import { readDefectCatalogue } from '../loader/defect-catalogue.ts'
import type { LoadSpace } from '../loader/load-space.ts'
import { getDiskSpace } from '../store/disk-space.ts'
import { isDiskFull } from '../store/store-error.ts'
import { readConfig } from './config.ts'
import { loadConnections } from './connection-budget.ts'
import { findDemoRecord, findDemoToLoad, type LoadedDemo, mayLoadDemo, readLoadedDemo } from './demo-record.ts'
import { runLoad } from './loads/load-folder.ts'
import { findPortalPrograms, findPortalTools } from './portal.ts'
import { openPortalDatabase } from './portal-database.ts'
import { guardProcess } from './process-guards.ts'

const say = (text: string): void => {
  process.stdout.write(`  ${text}\n`)
}

/** Tells the server, for the home page, what is being prepared and for what space that waits; null when loading begins, which has a record of its own. */
const reportStage = (stage: DemoStage | null, space: LackingSpace | null = null): void => {
  if (process.connected) process.send?.({ stage, space })
}

const askAgainMs = 2_000
/** By how much more than what did not suffice is tried again. */
const furtherBytes = 2 ** 28

/** Waits until there is the room that the preparation has lacked. */
const waitForRoom = async (error: unknown, folder: string, signal: AbortSignal): Promise<void> => {
  const { freeBytes } = await getDiskSpace(folder)
  const neededBytes = error instanceof DemoDiskFull ? error.neededBytes : freeBytes + furtherBytes
  say(`demo: ${error instanceof Error ? error.message : String(error)}`)
  say('demo: it goes on by itself once there is room; NOVODB_DEMO=none does without.')
  for (let free = freeBytes; free < neededBytes; free = (await getDiskSpace(folder)).freeBytes) {
    reportStage(null, { neededBytes, freeBytes: free })
    await pause(askAgainMs, undefined, { signal })
  }
}

/**
 * Prepares and loads the demo's species one after the other, unless the portal holds data of its own. What is loaded is loaded
 * again only when programs have come since, for their indexes were left out.
 */
const main = async (signal: AbortSignal): Promise<void> => {
  const config = readConfig()
  guardProcess('demo')
  let loading = false
  // Downloads and conversions know of no signal. What they leave half done is not seen, and cleared away by the next start.
  signal.addEventListener('abort', () => {
    if (!loading) process.exit(0)
  })
  const database = await openPortalDatabase(config, 'demo', {
    max: loadConnections.main,
    statementTimeoutMs: 0,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  stepBehind()
  try {
    const listActive = async (): Promise<string[]> => (await listActiveSpecies(database.sql)).map(({ id }) => id)
    const mark = await findDemoRecord(database.sql)
    const demoSpecies = listDemoSpecies(config.demo)
    // A lab's own data is never joined by a demo that it did not start with.
    if (!mayLoadDemo(mark, await listActive(), demoSpecies)) return
    const done: LoadedDemo = readLoadedDemo(mark)
    const record = () => database.sql`
      insert into portal_settings (key, value) values ('demo', ${database.sql.json(done)})
      on conflict (key) do update set value = excluded.value`
    let begun = mark !== undefined
    const programs = (await findPortalPrograms(await findPortalTools(config), config.searchPath))
      .filter((program) => program.path !== null)
      .map((program) => program.program)
    const workDir = join(config.dataDir, 'demo')
    /** What the demo is made of, one by one; what is finished is not made again after a wait for room. */
    const prepare = async function* (): AsyncGenerator<DemoSpecies> {
      const given = new Set<string>()
      for (;;) {
        try {
          const progress = (stage: DemoStage): void => {
            say(stage.en)
            reportStage(stage)
          }
          for await (const species of prepareDemo({ which: config.demo, workDir, progress })) {
            if (given.has(species.species)) continue
            given.add(species.species)
            yield species
          }
          return
        } catch (error) {
          if (signal.aborted || !isDiskFull(error)) throw error
          await mkdir(workDir, { recursive: true })
          await waitForRoom(error, workDir, signal)
        }
      }
    }
    for await (const { species: id, directory: folder } of prepare()) {
      if (signal.aborted) return
      const active = await listActive()
      const why = findDemoToLoad(id, done, active, programs)
      if (why === null) continue
      if (!begun) {
        // While the first species was prepared the lab may have loaded its own.
        if (!mayLoadDemo(undefined, active, demoSpecies)) return
        await record()
        begun = true
      }
      if (why.length > 0) say(`demo ${id}: loading again, for there is now ${why.join(', ')}`)
      reportStage(null)
      loading = true
      let shown = ''
      const onProgress = (step: string, fraction: number): void => {
        const tenth = Math.floor(fraction * 10)
        // The last tenth, what is computed over all assemblies, takes as long as all before: each of its steps is told.
        const now = tenth < 9 ? String(tenth) : `${tenth} ${step}`
        if (now === shown) return
        shown = now
        say(`demo ${id}: ${tenth * 10} % (${step})`)
      }
      const onSpace = (space: LoadSpace): void => {
        const { text, key } = renderSpace(space, 'en')
        if (key !== shown) say(`demo ${id}: ${text}`)
        shown = key
      }
      const report = await runLoad(config, database, folder, 'demo', signal, onProgress, undefined, { onSpace })
      loading = false
      if (signal.aborted && !report.ok) return
      if (!report.ok) {
        process.stderr.write(
          `demo ${id}: ${report.failure ?? renderDefects(report.defects, report.totals, await readDefectCatalogue(), 'en')}\n`,
        )
        continue
      }
      done[id] = programs
      await record()
      say(`demo ${id}: loaded in ${(report.elapsedMs / 1000).toFixed(0)} s`)
    }
  } finally {
    await database.close()
  }
}

const signal = createStopSignal()
main(signal).then(
  () => process.exit(0),
  (error: unknown) => {
    // What a load was at when it was told to stop goes on at the next start.
    if (signal.aborted) process.exit(0)
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
