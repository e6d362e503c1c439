import type { Database } from '../../src/database/connect.ts'
import { findStarts, type SlotEvent, type Start } from '../../src/testing/free-slots.ts'

/** A time in which something was broken, and how many slots for jobs were left. */
export interface BrokenTime {
  fromMs: number
  untilMs: number
  slots: number
}

interface Step {
  job: string
  state: string
  atMs: number
}

/** Notes each change of a job's state in a table beside the queue, in the transaction that makes it: what happened, whoever did it. */
export const noteJobSteps = async ({ sql }: Database): Promise<void> => {
  await sql.unsafe(`
    create table job_steps (number bigint generated always as identity, job text not null, state text not null, at timestamptz not null);
    create function note_job_step() returns trigger language plpgsql as $$
    begin
      insert into job_steps (job, state, at) values (new.id, new.state, clock_timestamp());
      return null;
    end $$;
    create trigger job_is_new after insert on jobs for each row execute function note_job_step();
    create trigger job_has_changed after update on jobs for each row
      when ((old.state, old.worker) is distinct from (new.state, new.worker)) execute function note_job_step()`)
}

export interface JobHistory {
  /** Jobs by their state now. */
  states: Map<string, string>
  /** Jobs whose result is that of an equal one. */
  shared: Set<string>
  /** Messages of those that failed. */
  failures: { job: string; message: string }[]
  /** Jobs that were ended more than once. */
  endedTwice: string[]
  /** Starts of jobs, by the slots of the cluster. */
  starts: Start[]
  /** The same by no more slots than this machine can serve. */
  startsServed: Start[]
  /** From the loss of what ran a job to its next start, by how many were lost. */
  startedAgainAfterMs: number[]
}

const isEnd = (state: string): boolean => state === 'done' || state === 'failed' || state === 'cancelled'

/** What the table of steps says. Starts are judged by the slots that there were, and by `served` at most. */
export const readJobHistory = async (
  { sql }: Database,
  slots: number,
  broken: readonly BrokenTime[],
  served: number,
): Promise<JobHistory> => {
  const jobs = await sql<{ id: string; state: string; shared: boolean; message: string | null }[]>`
    select id, state, result_of is not null as shared, error->>'message' as message from jobs`
  const steps = await sql<Step[]>`
    select job, state, extract(epoch from at)::float8 * 1000 as "atMs" from job_steps order by number`
  const byJob = new Map<string, Step[]>()
  for (const step of steps) {
    const own = byJob.get(step.job)
    if (own === undefined) byJob.set(step.job, [step])
    else own.push(step)
  }
  const events: SlotEvent[] = []
  const endedTwice: string[] = []
  const startedAgainAfterMs: number[] = []
  for (const [job, own] of byJob) {
    if (own.filter(({ state }) => isEnd(state)).length > 1) endedTwice.push(job)
    for (const [at, { state, atMs }] of own.entries()) {
      const before = own[at - 1]
      const kind = state === 'queued' ? 'waits' : state === 'running' ? 'starts' : 'ends'
      events.push({ atMs, kind, job })
      if (kind !== 'waits' || before?.state !== 'running') continue
      // What ran it went with what was broken last; that it is lost is known later.
      const lost = broken.filter(({ fromMs }) => fromMs >= before.atMs && fromMs <= atMs).at(-1)
      const lostMs = lost?.fromMs ?? atMs
      events.push({ atMs: lostMs, kind: 'leaves', job })
      const next = own.slice(at).find((step) => step.state === 'running')
      if (next !== undefined) startedAgainAfterMs.push(next.atMs - lostMs)
    }
  }
  const slotsOf = (most: number): SlotEvent[] =>
    [
      { atMs: 0, slots },
      ...broken.flatMap((time) => [
        { atMs: time.fromMs, slots: time.slots },
        { atMs: time.untilMs, slots },
      ]),
    ].map((event) => ({ atMs: event.atMs, kind: 'slots', slots: Math.min(most, event.slots) }))
  return {
    states: new Map(jobs.map(({ id, state }) => [id, state])),
    shared: new Set(jobs.filter(({ shared }) => shared).map(({ id }) => id)),
    failures: jobs.flatMap(({ id, state, message }) =>
      state === 'failed' ? [{ job: id, message: message ?? '' }] : [],
    ),
    endedTwice,
    starts: findStarts([...events, ...slotsOf(Number.POSITIVE_INFINITY)]),
    startsServed: findStarts([...events, ...slotsOf(served)]),
    startedAgainAfterMs,
  }
}
