import { z } from 'zod'
import { importActions } from '../../contracts/accounts/imports.ts'
import type { Database } from '../../database/connect.ts'
import { limitHeapGrowth } from '../../jobs/heap-growth.ts'
import { stepBehind } from '../../jobs/process-priority.ts'
import { createStopSignal } from '../../jobs/worker-process.ts'
import { readConfig } from '../config.ts'
import { loadConnections } from '../connection-budget.ts'
import { openPortalDatabase } from '../portal-database.ts'
import { guardProcess } from '../process-guards.ts'
import { findImportFolder } from './import-folder.ts'
import { workOn } from './import-work.ts'

const heartbeatMs = 2_000
const writtenEveryMs = 300

/** Looks at, checks or writes the import whose id is the first argument; the second says which of these. */
const main = async (): Promise<void> => {
  const action = z.enum(importActions).parse(process.argv[3])
  const config = readConfig()
  guardProcess('import')
  limitHeapGrowth()
  const signal = createStopSignal()
  stepBehind()
  const found = await findImportFolder(config.foldersDir, process.argv[2] ?? '')
  if (found === null) throw new Error('there is no such import')
  const { folder, origin } = found
  let state = { action, step: '', fraction: 0 }
  let noted = 0
  let writing = Promise.resolve()
  const note = (ended: boolean, failure: string | null): Promise<void> => {
    noted = performance.now()
    const work = { ...state, at: Date.now(), ended, failure }
    writing = writing.then(() => folder.write('work.json', work)).catch(() => undefined)
    return writing
  }
  const heartbeat = setInterval(() => void note(false, null), heartbeatMs)
  const opened: { database?: Promise<Database> } = {}
  const openDatabase = (): Promise<Database> => {
    opened.database ??= openPortalDatabase(config, 'load', {
      // Only what writes fills tables.
      max: action === 'write' ? loadConnections.main : loadConnections.waiting,
      statementTimeoutMs: 0,
      log: (line) => process.stderr.write(`${line}\n`),
    })
    return opened.database
  }
  try {
    const order = (await folder.read('order.json')) ?? {
      startedBy: '',
      language: 'en',
      answers: {},
      manifests: [],
    }
    const done = await workOn(action, {
      folder,
      origin,
      maxBytes: config.uploadBytes,
      order,
      roots: config.importFolders,
      signal,
      config,
      openDatabase,
      onProgress: (step, fraction) => {
        const isNew = step !== state.step
        state = { action, step, fraction }
        if (isNew || performance.now() - noted > writtenEveryMs) void note(false, null)
      },
    })
    clearInterval(heartbeat)
    await note(true, null)
    if (!done) process.exitCode = 3
  } catch (error) {
    clearInterval(heartbeat)
    await note(true, signal.aborted ? 'stopped' : error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await (await opened.database)?.close()
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`import: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  },
)
