import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { type Facts, yeastFacts } from './facts.ts'
import { makePlantedSpecies } from './planted-species.ts'
import { adminPassword, portalRoot as root, runCommand, startServer } from './portal-command.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string
    adminPassword: string
    /** Data directory of the portal under test. */
    dataDir: string
    /** Where everything is kept that the portal under test writes to its output. */
    portalLog: string
    facts: Facts
  }
}

const sharedData = resolve(root, '../shared/data')

/** Loads a species folder with the product's own command and serves it for all journeys; stopped and removed afterwards. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const work = await mkdtemp(join(tmpdir(), 'novodb-e2e-'))
  // Open to pass: else root's PostgreSQL keeps its cluster in a directory of the system, which outlives the run.
  await chmod(work, 0o755)
  const dataDir = join(work, 'data')
  const yeast = existsSync(sharedData)
  const folder = join(work, 'species')
  const built = (file: string): string => pathToFileURL(join(root, 'dist/node/demo', file)).href
  let facts: Facts
  if (yeast) {
    const { makeYeastFolder } = (await import(built('yeast-manifest.js'))) as typeof import('../demo/yeast-manifest.ts')
    // Three of the eight assemblies: the reference, a strain of the same species and the wild relative. All would take minutes.
    await makeYeastFolder(sharedData, folder, { assemblies: ['SK1', 'CBS432'] })
    facts = yeastFacts(sharedData)
  } else {
    await mkdir(folder)
    facts = await makePlantedSpecies(folder)
  }
  await runCommand(['load', folder], dataDir)
  const { child, url } = await startServer(dataDir, { NOVODB_LOG_LEVEL: 'debug' })
  const portalLog = join(work, 'portal.log')
  const log = createWriteStream(portalLog)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  project.provide('portalLog', portalLog)
  project.provide('portalUrl', url)
  project.provide('adminPassword', adminPassword)
  project.provide('dataDir', dataDir)
  project.provide('facts', facts)
  return async () => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
    log.end()
    await rm(work, { recursive: true, force: true })
  }
}
