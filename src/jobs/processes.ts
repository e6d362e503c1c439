import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'

/**
 * Knowing other processes for certain. A process number alone is no name: the system hands it out again. Here a process is
 * its number with its start time, on one machine (one boot, one process namespace). On Linux both come from /proc
 * (man 5 proc); on macOS the start time comes from `ps` and the rest of this file finds nothing, which is safe.
 */

/** Environment variable that every engine carries, so that it can be found when whoever started it was killed. */
export const engineMark = 'NOVODB_ENGINE_OF'

/** The fields of /proc/PID/stat after the program's name, which itself may hold spaces and parentheses. */
function readStatFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/**
 * When a process started, in the system's own notation (Linux: clock ticks since boot), to be compared for equality only;
 * null when there is no such process or it is a zombie, which does nothing any more.
 */
export function getProcessStartTime(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') {
    const fields = readStatFields(pid)
    // Fields 3 (state) and 22 (starttime) of man 5 proc; the first two were cut off.
    return fields && fields[0] !== 'Z' ? (fields[19] ?? null) : null
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}

let machine: string | undefined

/**
 * Name of the space in which a process number means something: this boot of this machine and, in a container, its own
 * process namespace. Two containers that share a host name get different ones.
 */
export function getMachineId(): string {
  if (machine === undefined) {
    let parts: string[]
    try {
      parts = [readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), readlinkSync('/proc/self/ns/pid')]
    } catch {
      parts = [os.hostname(), os.platform()]
    }
    machine = createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 12)
  }
  return machine
}

let self: string | undefined

/** This process, as the mark on its engines and as the owner of its jobs: machine, number and start time. */
export function getProcessName(): string {
  self ??= `${getMachineId()}/${process.pid}/${(getProcessStartTime(process.pid) ?? '').replaceAll(/[/\s]/g, '_')}`
  return self
}

/**
 * Whether the process of a name made by `getProcessName` lives: `unknown` for another machine's, which only its lease can
 * tell.
 */
export function findProcessState(name: string): 'alive' | 'dead' | 'unknown' {
  const [itsMachine, pid, startTime] = name.split('/')
  if (itsMachine !== getMachineId() || !pid || !startTime) return 'unknown'
  const now = getProcessStartTime(Number(pid))
  return now !== null && now.replaceAll(/[/\s]/g, '_') === startTime ? 'alive' : 'dead'
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** After so many readings processes that were of other groups are looked at again: a number may have been given anew. */
const readingsPerScan = 30

/**
 * A meter of the memory of all processes of a group in bytes, without pages of files that the kernel can drop at need: an engine that
 * maps a database of 50 GB into its memory does not use 50 GB. Reads 0 where /proc is absent (macOS): no memory limit there. What was seen
 * to be of another group is passed over, for a busy machine has thousands of processes and an engine a few: what an engine starts is of
 * its group from the beginning (man 2 fork).
 */
export function createGroupMemoryMeter(group: number): () => number {
  let strangers = new Set<number>()
  let readings = 0
  return () => {
    const all = listProcesses()
    readings += 1
    if (readings % readingsPerScan === 0) strangers = new Set()
    let kilobytes = 0
    for (const pid of all) {
      if (strangers.has(pid)) continue
      const fields = readStatFields(pid)
      // Field 5, pgrp.
      if (fields?.[2] !== String(group)) {
        if (fields !== null) strangers.add(pid)
        continue
      }
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'latin1')
        const read = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
        kilobytes += read('RssAnon') + read('RssShmem')
      } catch {
        // Gone in the meantime.
      }
    }
    return kilobytes * 1024
  }
}

/** Sends a signal to a process group; a group that is gone is what was wanted. Groups 0 and 1 would be ourselves and all. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isSafeInteger(group) || group <= 1) return false
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}

/** Whether anything of a group still does something: a zombie that nobody has fetched (a container without an init) does not. */
export function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  return listProcesses().some((pid) => {
    const fields = readStatFields(pid)
    return fields?.[2] === String(group) && fields[0] !== 'Z'
  })
}

/**
 * Kills every engine, and whatever it started, whose runner is dead; returns how many processes were killed. Known by the
 * mark in their environment, which children inherit even when they leave the process group. Linux only; other users'
 * processes cannot be read and are let be.
 */
export function killOrphanEngines(): number {
  const pattern = new RegExp(`(?:^|\\0)${engineMark}=([^\\0]*)`)
  let killed = 0
  for (const pid of listProcesses()) {
    if (pid === process.pid) continue
    try {
      const runner = pattern.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1]
      if (!runner || findProcessState(runner) !== 'dead') continue
      process.kill(pid, 'SIGKILL')
      killed++
    } catch {
      // Gone, or not ours to read.
    }
  }
  return killed
}
