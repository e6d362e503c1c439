/** A program of the machine that an engine may run, and how to get it. */
export interface ProgramRequirement {
  program: string
  /** Debian/Ubuntu package and Bioconda package that bring it. */
  package: string
  bioconda?: string
  /** Arguments that make it print its version. */
  versionArguments: string[]
  /** Finds the version in what it printed (standard output and error together). */
  versionPattern: RegExp
}

/** One run of a program: never a shell, always an argument vector. */
export interface ProgramRun {
  program: string
  arguments: string[]
  /** Text or pieces for standard input; none when absent. */
  input?: string | AsyncIterable<string | Uint8Array>
  /** File name (in the run's directory) that standard output goes to; kept in memory (bounded) when absent. */
  outputFile?: string
  /** Exit statuses that are not failures; [0] when absent. */
  acceptedExitCodes?: number[]
  /** Extra environment on top of the minimal one (PATH, LC_ALL=C, TMPDIR). */
  environment?: Record<string, string>
  /** Called with each line of standard error, for programs that tell their progress. */
  onErrorLine?(line: string): void
  timeoutMs?: number
  memoryBytes?: number
  /** Bound on standard output and on the directory's size. */
  outputBytes?: number
  /** Turns an exit status and the end of standard error into an error of the user's input; null means it is our fault. */
  explainFailure?(exitCode: number, errorText: string): import('../contracts/errors.ts').PortalError | null
}

export interface ProgramOutcome {
  exitCode: number
  /** Standard output when it was kept in memory. */
  output: string
  /** The last 64 KiB of standard error. */
  errorText: string
  elapsedMs: number
}
