import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'
import { hasRealData, realData } from '../src/testing/real-data.ts'
import { type Facts, yeastFacts } from './facts.ts'
import { makePlantedSpecies } from './planted-species.ts'
import { adminPassword, portalRoot as root, runCommand, startServer } from './portal-command.ts'
import { makeTrackSamples, type TrackSamples } from './track-samples.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string
    adminPassword: string
    /** Data directory of the portal under test. */
    dataDir: string
    /** Where everything is kept that the portal under test writes to its output. */
    portalLog: string
    facts: Facts
    trackSamples: TrackSamples
  }
}

const segmentBp = 30_000

/** Bases around the middle of a genome's first sequence. */
const readSegment = async (file: string): Promise<string> => {
  const bytes = await readFile(file)
  const [, first = ''] = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').split('>')
  const bases = first.slice(first.indexOf('\n') + 1).replaceAll(/\s/g, '')
  const start0 = Math.floor(bases.length / 2)
  return bases.slice(start0, start0 + segmentBp)
}

/** Deletes the file of one track of the samples, as a disk may: the genome browser has to say so. */
const loseTrack = async (dataDir: string): Promise<void> => {
  const bundles = join(dataDir, 'bundles')
  const files = await readdir(bundles, { recursive: true })
  const lost = files.filter((file) => file.endsWith('tracks/lost.bw'))
  if (lost.length !== 1) throw new Error(`${lost.length} bundles have the track that is to be lost`)
  await rm(join(bundles, lost[0]!))
}

/**
 * Loads species folders with the product's own command and serves them for all journeys; stopped and removed afterwards. With
 * `npm test -- --full` the species is yeast where that is kept beside the repository: its load takes minutes.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const work = await mkdtemp(join(tmpdir(), 'novodb-e2e-'))
  // Open to pass: else root's PostgreSQL keeps its cluster in a directory of the system, which outlives the run.
  await chmod(work, 0o755)
  const dataDir = join(work, 'data')
  const folder = join(work, 'species')
  const built = (file: string): string => pathToFileURL(join(root, 'dist/node/demo', file)).href
  let facts: Facts
  if (hasRealData) {
    const { makeYeastFolder } = (await import(built('yeast-manifest.js'))) as typeof import('../demo/yeast-manifest.ts')
    // Three of the eight assemblies: the reference, a strain of the same species and the wild relative. All would take minutes.
    await makeYeastFolder(realData, folder, { assemblies: ['SK1', 'CBS432'] })
    facts = yeastFacts(realData)
  } else {
    await mkdir(folder)
    facts = await makePlantedSpecies(folder)
  }
  const tracks = join(work, 'tracks')
  const trackSamples = await makeTrackSamples(
    tracks,
    await readSegment(facts.genomeFile),
    hasRealData ? realData : null,
  )
  await runCommand(['load', folder], dataDir)
  await runCommand(['load', tracks], dataDir)
  await loseTrack(dataDir)
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
  project.provide('trackSamples', trackSamples)
  return async () => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
    log.end()
    await rm(work, { recursive: true, force: true })
  }
}
