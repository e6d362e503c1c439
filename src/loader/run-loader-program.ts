import type { ProgramOutcome, ProgramRequirement, ProgramRun } from '../jobs/program.ts'
import { createProgramRunner, type RunBounds } from '../jobs/program.ts'
import type { FoundProgram } from '../jobs/programs.ts'

/** Runs a program in a directory until it ends or the signal fires, the load's own unless another is given. */
export type RunLoaderProgram = (
  run: ProgramRun,
  directory: string,
  signal?: AbortSignal,
) => Promise<ProgramOutcome | null>

/** Programs for loaders: null when one is not installed, so that its loader can say what to install and go on. */
export const createLoaderRunner =
  (options: {
    programs: FoundProgram[]
    searchPath: string
    bounds: Partial<RunBounds>
    signal: AbortSignal
  }): RunLoaderProgram =>
  async (run, directory, signal = options.signal) => {
    const found = options.programs.find((program) => program.program === run.program)
    if (found === undefined || found.path === null) return null
    const runner = createProgramRunner({ ...options, directory, signal })
    return runner(run)
  }

/** Programs that are there, with their versions: `diamond 2.1.8`. */
export const namePrograms = (programs: readonly FoundProgram[]): string[] =>
  programs.filter(({ path }) => path !== null).map(({ program, version }) => `${program} ${version}`)

export type { ProgramRequirement }
