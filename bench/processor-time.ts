import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Linux counts processor time in hundredths of a second towards programs (man 5 proc, USER_HZ). */
const tickMs = 10

const readStat = (pid: number): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Processor time of a process and of its children that have ended, in milliseconds; 0 where there is no /proc. */
const processMs = (pid: number): number => {
  const fields = readStat(pid)
  // Fields 14 to 17: utime, stime, cutime, cstime; the first two were cut off.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0)
}

/** Processor time so far of the private PostgreSQL server of a data directory, with all its processes. */
const databaseMs = (dataDir: string): number => {
  const place = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('postmaster.pid'),
  )
  if (place === undefined) return 0
  const postmaster = Number(readFileSync(join(dataDir, place), 'utf8').split('\n')[0])
  let sum = processMs(postmaster)
  for (const name of readdirSync('/proc')) {
    // Field 4: the parent.
    if (/^\d+$/.test(name) && readStat(Number(name))[1] === String(postmaster)) sum += processMs(Number(name))
  }
  return sum
}

export interface ProcessorTimes {
  clientMs: number
  serverMs: number
  databaseMs: number
}

/** Processor times so far: of this process, of the server and of its database. */
export const readProcessorTimes = (server: number, dataDir: string): ProcessorTimes => {
  const own = process.cpuUsage()
  return {
    clientMs: (own.user + own.system) / 1000,
    serverMs: processMs(server),
    databaseMs: databaseMs(dataDir),
  }
}
