import type { ProgramOutcome, ProgramRequirement, ProgramRun } from '../jobs/program.ts'
import { createProgramRunner, type RunBounds } from '../jobs/program.ts'
import type { FoundProgram } from '../jobs/programs.ts'

/** Programs for loaders: null when one is not installed, so that its loader can say what to install and go on. */
export const createLoaderRunner =
  (options: { programs: FoundProgram[]; searchPath: string; bounds: Partial<RunBounds>; signal: AbortSignal }) =>
  async (run: ProgramRun, directory: string): Promise<ProgramOutcome | null> => {
    const found = options.programs.find((program) => program.program === run.program)
    if (found === undefined || found.path === null) return null
    const runner = createProgramRunner({ ...options, directory })
    return runner(run)
  }

export type { ProgramRequirement }
