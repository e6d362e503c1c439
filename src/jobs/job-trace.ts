import type { Claim } from './claims.ts'
import type { ProgramEnd } from './program.ts'

/** What is told of one run of a job to whoever keeps traces; nothing of what was asked or found is. */
export interface JobTrace {
  /** A program has ended that took `elapsedMs` until now. */
  noteProgram(end: ProgramEnd): void
  /** The tool has given its result, or has failed; what follows is writing it. */
  noteEngineEnd(): void
  /** The run is over: how, and with which error's code. */
  end(outcome: 'done' | 'failed' | 'cancelled' | 'released' | 'lost', errorCode: string | null): void
}

/** Begins the trace of a run that was just claimed. */
export type TraceJob = (claim: Claim) => JobTrace
