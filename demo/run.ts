import { spawn } from 'node:child_process'
import { DemoError } from './demo-error.ts'

export interface RunOptions {
  cwd?: string
  timeoutMs?: number
  signal?: AbortSignal
}

/** The end of what a failed program said is enough to understand it. */
const keptErrorBytes = 4000

/**
 * Runs a program with an argument vector (never a shell) and resolves to what it wrote on standard output, as text.
 * Rejects with DemoError `program-missing` when it is not installed and `program-failed` (the end of its standard error in
 * the message) when it exits with another status than 0 or does not end within `timeoutMs` (default ten minutes).
 */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      signal: options.signal,
      timeout: options.timeoutMs ?? 600_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output: Buffer[] = []
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-keptErrorBytes)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') reject(new DemoError('program-missing', `${program} is not installed`, error))
      else reject(error)
    })
    child.once('close', (status, signal) => {
      if (status === 0) resolve(Buffer.concat(output).toString('utf8'))
      else
        reject(
          new DemoError(
            'program-failed',
            `${program} ${args.join(' ')} ended with ${signal ?? `status ${status}`}: ${complaint.trim()}`,
          ),
        )
    })
  })
}
