import type { TraceJob } from '../../jobs/job-trace.ts'
import type { ProgramEnd } from '../../jobs/program.ts'
import type { Traces } from './traces.ts'

/** A program that has just ended, as a span of its own. */
export const traceProgram = (
  traces: Traces,
  parent: string,
  { program, version, exitCode, elapsedMs }: ProgramEnd,
): void => {
  traces
    .startSpan(`program ${program}`, {
      parent,
      startedAt: Date.now() - elapsedMs,
      fields: { 'novodb.program': program, ...(version === null ? {} : { 'novodb.program.version': version }) },
    })
    .end(exitCode === null ? {} : { 'process.exit.code': exitCode }, exitCode === null ? 'killed' : null)
}

/**
 * Traces runs of jobs, as parts of the requests that asked for them: from when a job was accepted until its result is written, with how
 * long it waited, its tool at work and each program. A further attempt is a span of its own, without a wait.
 */
export const traceJobs =
  (traces: Traces): TraceJob =>
  ({ id, tool, attempt, submittedAt, requestId, traceparent }) => {
    const now = Date.now()
    // By the database's clock, which may be ahead of this host's.
    const acceptedAt = Math.min(now, submittedAt.getTime())
    const first = attempt === 1
    const job = traces.startSpan(`job ${tool}`, {
      parent: traceparent,
      kind: 'consumer',
      startedAt: first ? acceptedAt : now,
      fields: {
        'novodb.tool': tool,
        'novodb.job': id,
        'novodb.attempt': attempt,
        ...(requestId === null ? {} : { 'novodb.request_id': requestId }),
      },
    })
    if (first) traces.startSpan('wait for a worker', { parent: job.traceparent, startedAt: acceptedAt }).end()
    const engine = traces.startSpan(`run ${tool}`, { parent: job.traceparent, fields: { 'novodb.tool': tool } })
    let engineEnded = false
    const endEngine = (): void => {
      if (!engineEnded) engine.end()
      engineEnded = true
    }
    return {
      noteProgram: (ended) => traceProgram(traces, engine.traceparent, ended),
      noteEngineEnd: endEngine,
      end: (outcome, errorCode) => {
        endEngine()
        job.end({ 'novodb.outcome': outcome }, errorCode)
      },
    }
  }
