import { readdirSync, readFileSync } from 'node:fs'

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

/** Processor time so far of the private PostgreSQL that a server has started, with all its processes. */
const databaseMs = (server: number): number => {
  const childrenOf = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // Field 4: the parent.
    const parent = Number(readStat(Number(name))[1])
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)])
  }
  const sumBelow = (pid: number): number =>
    (childrenOf.get(pid) ?? []).reduce(
      (sum, child) => sum + (isPostgres(child) ? processMs(child) : 0) + sumBelow(child),
      0,
    )
  return sumBelow(server)
}

const isPostgres = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('postgres')
  } catch {
    return false
  }
}

export interface ProcessorTimes {
  clientMs: number
  serverMs: number
  databaseMs: number
}

/** Processor times so far: of this process, of the server and of the private database it has started. */
export const readProcessorTimes = (server: number): ProcessorTimes => {
  const own = process.cpuUsage()
  return {
    clientMs: (own.user + own.system) / 1000,
    serverMs: processMs(server),
    databaseMs: databaseMs(server),
  }
}
