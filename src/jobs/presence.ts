import { hostname } from 'node:os'
import process from 'node:process'
import type { Sql } from '../database/connect.ts'
import { listProcesses, noteProcess, type ProcessNote, removeProcesses } from '../database/processes.ts'
import { findProcessState, getProcessName } from './processes.ts'

/** A sign of life is written this often at most, however often it is asked for. */
const noteMs = 10_000

/** This process among those that an administrator sees. A database that is away only makes it look silent: nothing here rejects. */
export interface Presence {
  /** A sign of life; whoever has a timer of its own calls it from there. */
  note(): Promise<void>
  /** It was told to stop, and answers on for a while. */
  drain(): Promise<void>
  /** It ends. */
  leave(): Promise<void>
}

/**
 * Makes this process known. With the first sign of life those of this machine that have died are removed: a server that was killed and
 * started again is there once.
 */
export const createPresence = (
  sql: Sql,
  { role, version, address = null, places = null }: Pick<ProcessNote, 'role' | 'version'> & Partial<ProcessNote>,
): Presence => {
  const own: ProcessNote = {
    name: getProcessName(),
    role,
    host: hostname(),
    pid: process.pid,
    version,
    address,
    places,
    draining: false,
  }
  let notedMs = Number.NEGATIVE_INFINITY
  let first = true
  let left = false
  const write = async (): Promise<void> => {
    if (left) return
    notedMs = performance.now()
    try {
      await noteProcess(sql, own)
      if (!first) return
      first = false
      const known = await listProcesses(sql)
      await removeProcesses(
        sql,
        known.flatMap(({ name }) => (findProcessState(name) === 'dead' ? [name] : [])),
      )
    } catch {
      // Told by whatever else the process asks of the database.
    }
  }
  return {
    note: async () => {
      // A timer comes a little early now and then.
      if (performance.now() - notedMs > noteMs - 500) await write()
    },
    drain: () => {
      own.draining = true
      return write()
    },
    leave: async () => {
      left = true
      await removeProcesses(sql, [own.name]).catch(() => undefined)
    },
  }
}
