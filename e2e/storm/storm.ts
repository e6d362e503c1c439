import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Start } from '../../src/testing/free-slots.ts'
import { adminPassword } from '../portal-command.ts'
import { type BrokenTime, noteJobSteps, readJobHistory } from './job-history.ts'
import { geneNames, type ManyMachines, nodeCount, startManyMachines } from './many-machines.ts'
import { openVisitor, type Visitor } from './requests.ts'

export interface StormOptions {
  /** Jobs that are asked for at least. */
  jobs: number
  /** Rounds of breaks are repeated for so long; 0: one round. */
  minutes?: number
  say(line: string): void
}

/** What was seen; `broken` names the promises that were not kept. */
export interface StormReport {
  broken: string[]
  lines: string[]
}

const readers = 4
const readerPauseMs = 200
/** One address may have ten jobs waiting and running. */
const askers = 8
/** Jobs that wait or run at one time, so that no slot is without one. */
const waitingJobs = 5 * nodeCount
const slotMs = 15_000
/** Slots that this machine can serve: a job, and the start of its process, want a processor each. */
const servedSlots = Math.min(nodeCount, availableParallelism())
const slotShare = 0.95
const queryBp = 200
/** Tries after which a page of the portal tells its reader of the failure. */
const triesOfPage = 3
const standstillMs = 180_000

const percent = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const greatest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0)
const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

/**
 * Keeps a queue of jobs filled while nodes, the controller, a server, the primary database and the store are killed, and their links cut,
 * in turn, each once the one before has recovered, and readers read. Then looks at what has become of everything that was accepted.
 */
export const runStorm = async (options: StormOptions): Promise<StormReport> => {
  options.say('starting three databases, a store, a cluster of four nodes, two servers and a proxy …')
  const machines = await startManyMachines()
  let report: StormReport | null = null
  try {
    report = await storm(machines, options)
    return report
  } finally {
    const keep = report === null || report.broken.length > 0
    if (keep) options.say(`files are left in ${machines.folder}`)
    await machines.close(keep)
  }
}

const storm = async (machines: ManyMachines, { jobs, minutes = 0, say }: StormOptions): Promise<StormReport> => {
  const { database, genome, address } = machines
  const { sql } = database
  await noteJobSteps(database)
  const visitors = Array.from({ length: readers + askers + 1 }, (_, at) =>
    openVisitor(address, machines.visitorAt(at + 1)),
  )
  const began = performance.now()
  const elapsed = (): string => `${Math.round((performance.now() - began) / 1000)} s`
  let over = false

  // --- readers, and an account that keeps something every few seconds -----------------------------------------------

  const accepted = new Map<string, number>()
  const read: { path: string; tries: number; ms: number; status: number }[] = []
  const read1 = async (visitor: Visitor, number: number): Promise<void> => {
    for (let turn = number; !over; turn += 1) {
      const gene = (turn * 7) % geneNames.length
      const paths = [
        `/api/genes/${geneNames[gene]}/`,
        `/api/search/?q=${geneNames[gene]}`,
        `/api/genes/?assembly=STO1&sequence=chr1&start=${1 + gene * 1_500}&end=${3_000 + gene * 1_500}`,
        ...[...accepted.keys()].slice(-1).map((id) => `/api/jobs/${id}/`),
      ]
      const path = paths[turn % paths.length]!
      const { answer, tries, ms } = await visitor.askPatiently({ path })
      read.push({ path, tries, ms, status: answer.status })
      await pause(readerPauseMs)
    }
  }
  const kept: string[] = []
  let keptTries = 0
  const signIn = async (visitor: Visitor): Promise<Record<string, string>> => {
    const body = { type: 'admin', username: 'admin', password: adminPassword }
    const { answer } = await visitor.askPatiently({ path: '/api/auth/login/', body })
    if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.status}`)
    return { Authorization: `Bearer ${(JSON.parse(answer.text) as { data: { token: string } }).data.token}` }
  }
  const account = visitors[readers + askers]!
  const headers = await signIn(account)
  const keepSets = async (): Promise<void> => {
    for (let number = 1; !over && number <= 450; number += 1) {
      const body = { name: `set ${number}`, assembly: 'STO1', genes: geneNames.slice(0, 5) }
      const { answer, tries } = await account.askPatiently({ path: '/api/account/gene-sets/', body, headers })
      keptTries += tries - 1
      if (answer.status === 200) kept.push((JSON.parse(answer.text) as { data: { id: string } }).data.id)
      await pause(minutes > 15 ? 10_000 : 2_000)
    }
  }

  // --- jobs ------------------------------------------------------------------------------------------------------------

  let unfinished = 0
  let done = 0
  const watch = async (): Promise<void> => {
    while (!over) {
      const rows = await sql<{ state: string; count: number }[]>`
        select state, count(*)::int as count from jobs group by state`.catch(() => null)
      if (rows !== null) {
        const countOf = (...states: string[]): number =>
          rows.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
        unfinished = countOf('queued', 'running')
        done = countOf('done')
      }
      await pause(1_000)
    }
  }
  let asked = 0
  let wanted = jobs
  let askedAgain = 0
  const refusals: string[] = []
  const ask1 = async (visitor: Visitor): Promise<void> => {
    while (!over && asked < wanted) {
      // Some are on their way while they are counted.
      if (unfinished >= waitingJobs) {
        await pause(500)
        continue
      }
      const number = asked
      asked += 1
      unfinished += 1
      const start0 = (number * 7) % (genome.length - queryBp)
      const query = `>q${number}\n${genome.slice(start0, start0 + queryBp)}`
      const body = { query, program: 'blastn', databases: ['STO1/genome'] }
      const job = { path: '/api/tools/blast/', body, headers: { Prefer: 'respond-async' } }
      // Whoever wants a result asks until it is accepted: the same again is the same job to the portal.
      for (let again = true; again && !over; ) {
        const { answer, tries } = await visitor.askPatiently(job)
        askedAgain += tries - 1
        again = [0, 429, 502, 503].includes(answer.status)
        if (answer.status === 202)
          accepted.set((JSON.parse(answer.text) as { data: { job: { id: string } } }).data.job.id, start0)
        else if (!again) refusals.push(`${answer.status}: ${answer.text.slice(0, 200)}`)
        if (again) await pause(1_000)
      }
    }
  }
  /** False when no job was done for so long that the queue stands still. */
  const waitUntil = async (what: () => boolean): Promise<boolean> => {
    let [seen, sinceMs] = [done, performance.now()]
    while (!what()) {
      if (seen !== done) [seen, sinceMs] = [done, performance.now()]
      else if (performance.now() - sinceMs > standstillMs) return false
      await pause(250)
    }
    return true
  }

  // --- breaks ------------------------------------------------------------------------------------------------------------

  const broken: string[] = []
  const times: BrokenTime[] = []
  const breakLines: string[] = []
  const breakAll = async (): Promise<void> => {
    const endMs = performance.now() + minutes * 60_000
    const first = machines.breaksOf(0).length + 1
    // Of a storm without an end in time the breaks are spread over its jobs.
    const apart = minutes > 0 ? 2 * nodeCount : Math.max(3, Math.floor(jobs / first))
    let next = apart
    for (let round = 0; round === 0 || performance.now() < endMs; round += 1)
      for (const { name, slots, run } of machines.breaksOf(round)) {
        if (round > 0 && performance.now() >= endMs) return
        if (!(await waitUntil(() => done >= next))) {
          broken.push(`jobs stand still before ${name} is broken`)
          return
        }
        const [before, readBefore] = [done, read.length]
        let fromMs = Date.now()
        say(`${elapsed()}: ${name} (${done} jobs done)`)
        await run(() => {
          fromMs = Date.now()
        })
        times.push({ fromMs, untilMs: Date.now(), slots })
        const mendedMs = performance.now()
        const doneThen = done
        if (!(await waitUntil(() => done > doneThen)))
          broken.push(`${name}: no job was done within ${seconds(standstillMs)} after it was back`)
        const reads = read.slice(readBefore)
        breakLines.push(
          `  ${name}: away ${seconds(times.at(-1)!.untilMs - fromMs)}, ${doneThen - before} jobs done meanwhile, the next ${seconds(performance.now() - mendedMs)} after; longest wait of a reader ${seconds(greatest(reads.map(({ ms }) => ms)))}`,
        )
        // What was done while something was broken moves no break of a storm that ends with its jobs: the last would come after them.
        next = (minutes > 0 ? Math.max(next, done) : next) + apart
        // The queue stays filled as long as something is broken.
        if (wanted - asked < waitingJobs && (minutes > 0 || round === 0)) wanted = Math.max(wanted, asked + waitingJobs)
      }
  }

  const reading = visitors.slice(0, readers).map((visitor, at) => read1(visitor, at))
  const working = [watch(), keepSets()]
  const askAll = (): Promise<unknown> => Promise.all(visitors.slice(readers, readers + askers).map(ask1))
  let breaking = true
  const breakingOver = breakAll().finally(() => {
    breaking = false
  })
  // Whoever has asked for the last of them goes on when there are more to come.
  for (;;) {
    await askAll()
    if (!breaking && asked >= wanted) break
    await pause(500)
  }
  await breakingOver
  const allAsked = performance.now()
  await pause(2_000)
  if (!(await waitUntil(() => unfinished === 0))) broken.push(`${unfinished} jobs have not ended`)
  const stormMs = performance.now() - began
  say(`${elapsed()}: all jobs have ended, ${seconds(performance.now() - allAsked)} after the last was asked for`)
  over = true
  await Promise.all([...reading, ...working])

  // --- what has become of it ---------------------------------------------------------------------------------------------

  const history = await readJobHistory(database, nodeCount, times, servedSlots)
  const { starts, startsServed, states } = history
  const lost = [...accepted.keys()].filter((id) => !['done', 'failed'].includes(states.get(id) ?? ''))
  if (lost.length > 0) broken.push(`${lost.length} accepted jobs are lost, such as ${lost[0]}`)
  if (history.endedTwice.length > 0)
    broken.push(`${history.endedTwice.length} jobs ended twice, such as ${history.endedTwice[0]}`)
  if (history.failures.length > 0)
    broken.push(
      `${history.failures.length} jobs failed: ${[...new Set(history.failures.map(({ message }) => message))].join(', ')}`,
    )
  if (refusals.length > 0) broken.push(`${refusals.length} jobs were refused, such as ${refusals[0]}`)
  const closed: string[] = []
  const reader = visitors[0]!
  for (const [id, start0] of accepted) {
    if (states.get(id) !== 'done') continue
    const { answer } = await reader.askPatiently({ path: `/api/tools/blast/jobs/${id}/hits/?query=1` })
    const { hits = [] } = answer.status === 200 ? (JSON.parse(answer.text) as { data: { hits: Hit[] } }).data : {}
    if (!hits.some(({ subjectStart1, identical }) => subjectStart1 === start0 + 1 && identical === queryBp))
      closed.push(`${id}: ${answer.status}`)
  }
  if (closed.length > 0) broken.push(`${closed.length} results do not open or are not right, such as ${closed[0]}`)
  const inTime = (of: readonly Start[]): number =>
    of.filter(({ besideFreeSlotMs }) => besideFreeSlotMs <= slotMs).length
  if (inTime(startsServed) < slotShare * starts.length)
    broken.push(
      `${starts.length - inTime(startsServed)} of ${starts.length} starts came later than ${seconds(slotMs)} after there was a slot`,
    )
  const unanswered = read.filter(({ status }) => status !== 200)
  if (unanswered.length > 0)
    broken.push(`${unanswered.length} requests of readers were not answered: ${JSON.stringify(unanswered.slice(0, 3))}`)
  const { answer: listed } = await account.askPatiently({
    path: '/api/account/gene-sets/',
    headers: await signIn(account),
  })
  const there = new Set(
    (JSON.parse(listed.text) as { data: { sets: { id: string }[] } }).data.sets.map((set) => set.id),
  )
  const gone = kept.filter((id) => !there.has(id))
  if (gone.length > 0) broken.push(`${gone.length} of ${kept.length} gene sets that an account kept are lost`)
  for (const visitor of visitors) visitor.leave()

  const retried = read.filter(({ tries }) => tries > 1)
  const doneCount = [...accepted.keys()].filter((id) => states.get(id) === 'done').length
  const lines = [
    `hosts: ${machines.network}`,
    `store: ${machines.store}; ${times.length} breaks in ${seconds(stormMs)}`,
    ...breakLines,
    `jobs: ${accepted.size} accepted, ${doneCount} done, ${history.failures.length} failed, ${lost.length} lost, ${history.endedTwice.length} ended twice; ${(60_000 * (doneCount / stormMs)).toFixed(1)} a minute`,
    `starts: ${starts.length}, ${starts.length + history.shared.size - states.size} of them again after what ran the job was lost (${history.startedAgainAfterMs.length === 0 ? 'none' : `the longest ${seconds(greatest(history.startedAgainAfterMs))} after`}); ${askedAgain} requests for jobs were asked again`,
    ...[
      { of: starts, slots: nodeCount },
      { of: startsServed, slots: servedSlots },
    ].map(({ of, slots }) => {
      const beside = of.map(({ besideFreeSlotMs }) => besideFreeSlotMs)
      return `within ${slotMs / 1000} s of a free slot, of ${slots}: ${percent(inTime(of), of.length)} of starts (median ${seconds(quantile(beside, 0.5))}, 95 % ${seconds(quantile(beside, 0.95))}, longest ${seconds(greatest(beside))})`
    }),
    `readers: ${read.length} requests, ${retried.length} asked again, ${read.filter(({ tries }) => tries > triesOfPage).length} more often than a page does, ${unanswered.length} not answered; longest wait ${seconds(greatest(read.map(({ ms }) => ms)))}, 99 % within ${Math.round(
      quantile(
        read.map(({ ms }) => ms),
        0.99,
      ),
    )} ms`,
    `account: ${kept.length} gene sets kept, ${gone.length} lost; ${keptTries} asked again`,
  ]
  return { broken, lines }
}

interface Hit {
  subjectStart1: number
  identical: number
}
