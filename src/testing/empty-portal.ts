import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notifyCatalogue } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { type OpenPortalData, openPortalData } from '../kit/data/create-portal-data.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { openTestDatabase } from './database.ts'

/** A portal without a species, for tests that load some into it. */
export interface EmptyPortal {
  database: Database
  /** A directory of the test's own, which `close` removes. */
  root: string
  dataDir: string
  /** What is loaded as engines read it. Opened before a load, it hears of the switch a moment after it; opened after, it has it at once. */
  openData(): Promise<OpenPortalData>
  /** Resolves when all that was opened has heard of every change so far: a test must not be quicker than the catalogue's messages. */
  hearChanges(): Promise<void>
  close(): Promise<void>
}

/** A load tells of its release and of what is computed over all species after it. */
const moreThanALoadSends = 20

/** Opens a database and a data directory, with the test's name in that of the directory. */
export const openEmptyPortal = async (name: string): Promise<EmptyPortal> => {
  const database = await openTestDatabase({ max: 16 })
  const root = mkdtempSync(join(tmpdir(), `novodb-${name}-`))
  const dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  const opened: OpenPortalData[] = []
  return {
    database,
    root,
    dataDir,
    openData: async () => {
      const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
      opened.push(data)
      return data
    },
    hearChanges: async () => {
      const before = opened.map((data) => data.generation())
      for (let sent = 0; sent < moreThanALoadSends; sent += 1) await notifyCatalogue(database.sql, '')
      // Messages come in the order they were sent, and each begins a generation: with as many more, those that were under way have come.
      while (opened.some((data, number) => data.generation() < before[number]! + moreThanALoadSends))
        await new Promise((resolve) => setTimeout(resolve, 10))
    },
    close: async () => {
      for (const data of opened) await data.close()
      await database.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
