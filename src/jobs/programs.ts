import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ProgramRequirement } from './program.ts'

/** What was found of one required program. */
export interface FoundProgram {
  program: string
  /** Absolute path; null when it is not installed. */
  path: string | null
  /** As the program tells it; null when it is not installed or its answer was not understood. */
  version: string | null
  /** Debian/Ubuntu package that brings it. */
  package: string
}

/** A program that cannot say its version in this time is taken without one. Java programs need seconds on a busy machine. */
const versionTimeoutMs = 15_000
/** Whoever writes more than this when asked for a version was asked wrongly. */
const versionTextBytes = 256 * 1024

const versions = new Map<string, Promise<string | null>>()

/** Absolute path of an executable file of that name on the search path (`PATH`'s notation); null when there is none. */
export async function findOnPath(program: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter)) {
    // An empty part of PATH means the current directory, from which nothing should be run.
    if (!path.isAbsolute(folder)) continue
    const file = path.join(folder, program)
    try {
      await access(file, constants.X_OK)
      if ((await stat(file)).isFile()) return file
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/**
 * Looks for programs on the search path and asks for their versions, once in the life of this process: a program that is
 * replaced meanwhile is asked again, for its file has another time. Same order as the requirements, repeats dropped.
 */
export async function findPrograms(requirements: ProgramRequirement[], searchPath: string): Promise<FoundProgram[]> {
  const unique = [...new Map(requirements.map((requirement) => [requirement.program, requirement])).values()]
  // All are found before one is asked: of one build it is the first of the requirements.
  const files = await Promise.all(
    unique.map(async ({ program }) => {
      const file = await findOnPath(program, searchPath)
      return file === null ? null : { path: file, mtimeMs: (await stat(file)).mtimeMs }
    }),
  )
  return Promise.all(
    unique.map(async (requirement, at) => ({
      program: requirement.program,
      path: files[at]?.path ?? null,
      version: files[at] ? await findVersion(files[at], requirement, searchPath) : null,
      package: requirement.package,
    })),
  )
}

/**
 * Of the programs of one package one is asked: those in one folder and of one time are of one build (reproducible-builds.org,
 * SOURCE_DATE_EPOCH). To ask all seven of BLAST+ takes more than a second of processor time at each start.
 */
async function findVersion(
  { path: file, mtimeMs }: { path: string; mtimeMs: number },
  requirement: ProgramRequirement,
  searchPath: string,
): Promise<string | null> {
  const askOnce = (...of: string[]): Promise<string | null> => {
    const key = [...of, mtimeMs, ...requirement.versionArguments, requirement.versionPattern.source].join('\0')
    const version = versions.get(key) ?? askVersion(file, requirement, searchPath)
    versions.set(key, version)
    return version
  }
  // One that cannot tell its own says nothing of the others.
  return (await askOnce(path.dirname(file), requirement.package)) ?? askOnce(file)
}

/** Exit statuses are not looked at: many programs print their version as an error of usage. */
function askVersion(file: string, requirement: ProgramRequirement, searchPath: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(file, requirement.versionArguments, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: searchPath, LC_ALL: 'C' },
      timeout: versionTimeoutMs,
      killSignal: 'SIGKILL',
    })
    const texts = ['', '']
    ;[child.stdout, child.stderr].forEach((stream, index) => {
      stream.setEncoding('utf8').on('data', (part: string) => {
        if (texts[index]!.length < versionTextBytes) texts[index] += part
      })
    })
    child.on('error', () => resolve(null))
    child.on('close', () => {
      const match = requirement.versionPattern.exec(texts.join('\n'))
      resolve(match ? (match[1] ?? match[0]) : null)
    })
  })
}
