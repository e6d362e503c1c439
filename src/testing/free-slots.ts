/** What befalls slots for jobs: how many there are from now on, and what a job does. A job `leaves` its slot when what ran it is lost. */
export type SlotEvent =
  | { atMs: number; kind: 'slots'; slots: number }
  | { atMs: number; kind: 'waits' | 'starts' | 'leaves' | 'ends'; job: string }

export interface Start {
  job: string
  atMs: number
  /** How long the job had waited for this start. */
  waitedMs: number
  /** How much of that there was a slot for it: one that was free beyond those for the jobs before it. */
  besideFreeSlotMs: number
}

/**
 * The starts of jobs with how long each waited though there was a slot for it. Jobs keep the places in which they first came, as in the
 * portal's queue.
 *
 * Example: one slot, two jobs that come at 0 and run for a second, the second starting half a second after the first has ended: it waited
 * 1,500 ms and more, of which 500 ms beside a free slot.
 */
export const findStarts = (events: readonly SlotEvent[]): Start[] => {
  const places = new Map<string, number>()
  const waiting = new Map<string, Start>()
  const running = new Set<string>()
  const starts: Start[] = []
  let slots = 0
  let lastMs = Number.NEGATIVE_INFINITY
  for (const event of [...events].sort((a, b) => a.atMs - b.atMs)) {
    const passedMs = waiting.size === 0 ? 0 : event.atMs - lastMs
    lastMs = event.atMs
    const free = slots - running.size
    const inOrder = [...waiting.values()].sort((a, b) => places.get(a.job)! - places.get(b.job)!)
    for (const [place, start] of inOrder.entries()) {
      start.waitedMs += passedMs
      if (place < free) start.besideFreeSlotMs += passedMs
    }
    if (event.kind === 'slots') {
      slots = event.slots
      continue
    }
    const { job, kind, atMs } = event
    if (kind === 'waits') {
      if (!places.has(job)) places.set(job, places.size)
      running.delete(job)
      waiting.set(job, { job, atMs, waitedMs: 0, besideFreeSlotMs: 0 })
    } else if (kind === 'starts') {
      const start = waiting.get(job) ?? { job, atMs, waitedMs: 0, besideFreeSlotMs: 0 }
      waiting.delete(job)
      running.add(job)
      starts.push({ ...start, atMs })
    } else {
      waiting.delete(job)
      running.delete(job)
    }
  }
  return starts
}
