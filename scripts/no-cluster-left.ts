import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where root's PostgreSQL keeps the cluster of a data directory that it may not enter. */
const systemLocation = '/var/lib/novodb'

const listClusters = (): string[] => (existsSync(systemLocation) ? readdirSync(systemLocation) : [])

/** Clusters of temporary data directories that are gone: nobody will ever use or remove them. */
const isLeft = (name: string): boolean => {
  try {
    const { dataDir } = JSON.parse(readFileSync(join(systemLocation, name, 'novodb-place.json'), 'utf8')) as {
      dataDir: string
    }
    return dataDir.startsWith(`${tmpdir()}/`) && !existsSync(dataDir)
  } catch {
    return false
  }
}

/** Fails a run of tests that leaves a PostgreSQL cluster in the system's directory, with whose it was. */
export default (): (() => void) => {
  const before = new Set(listClusters())
  return () => {
    const left = listClusters().filter((name) => !before.has(name) && isLeft(name))
    if (left.length === 0) return
    const records = left.map((name) => readFileSync(join(systemLocation, name, 'novodb-place.json'), 'utf8').trim())
    process.exitCode = 1
    throw new Error(
      `Tests left clusters in ${systemLocation}: ${left.join(', ')} of ${records.join(', ')}. Open the temporary directory above the data directory (chmod 755).`,
    )
  }
}
