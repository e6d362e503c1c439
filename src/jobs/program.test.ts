import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PortalError } from '../contracts/errors.ts'
import { full } from '../testing/real-data.ts'
import { findProcessState, getProcessName, getProcessStartTime, killOrphanEngines } from './processes.ts'
import { createProgramRunner, type ProgramRun, type ProgramStep, type RunBounds } from './program.ts'
import { type FoundProgram, findPrograms } from './programs.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin'
const folder = mkdtempSync(path.join(os.tmpdir(), 'novodb-program-'))
const onLinux = process.platform === 'linux'
let count = 0
let programs: FoundProgram[]

beforeAll(async () => {
  const names = ['sort', 'seq', 'sleep', 'cat', 'head', 'sh', 'env', 'node', 'novodb-none']
  programs = await findPrograms(
    names.map((program) => ({
      program,
      package: `package-of-${program}`,
      versionArguments: ['--version'],
      versionPattern: /(\d+\.\d+(?:\.\d+)?)/,
    })),
    `${path.dirname(process.execPath)}:${searchPath}`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(bounds: Partial<RunBounds> = {}, controller = new AbortController()) {
  const directory = path.join(folder, String(count++))
  const steps: ProgramStep[] = []
  const runner = createProgramRunner({
    directory,
    signal: controller.signal,
    bounds,
    programs,
    searchPath,
    onStep: (step) => steps.push(step),
  })
  return { directory, steps, run: (run: ProgramRun) => runner(run), controller }
}

async function failureOf(promise: Promise<unknown>): Promise<PortalError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PortalError)) throw new Error(`not a PortalError: ${String(error)}`)
  return error
}

/** Processes that carry a word in their command line: what is left of an engine. */
function findLeft(word: string): string[] {
  return execFileSync('ps', ['-eo', 'stat=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(word) && !line.trimStart().startsWith('Z'))
}

describe('a program that does as it should', () => {
  test('sort puts 200,000 streamed gene coordinates in the order that the numbers have', async () => {
    const { run, steps, directory } = start()
    const starts = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 12_157_105)
    async function* pieces() {
      for (let i = 0; i < starts.length; i += 1000) yield `${starts.slice(i, i + 1000).join('\n')}\n`
    }
    const outcome = await run({ program: 'sort', arguments: ['-n'], input: pieces() })
    expect(outcome.output).toBe(`${[...starts].sort((a, b) => a - b).join('\n')}\n`)
    expect(steps).toMatchObject([{ program: 'sort', command: [expect.stringMatching(/\/sort$/), '-n'] }])
    expect(steps[0]?.version).toMatch(/^\d+\.\d+/)
    expect(JSON.parse(readFileSync(path.join(directory, 'command.json'), 'utf8'))).toMatchObject({
      commands: [{ program: 'sort', pid: null, exitCode: 0 }],
    })
  })

  test('input waits for the program: a slow reader of 100 MB does not fill our memory', async () => {
    const { run } = start()
    let ahead = 0
    async function* pieces() {
      for (let i = 0; i < 1600; i++) {
        ahead += 65_536
        yield Buffer.alloc(65_536, 65)
      }
    }
    const running = run({ program: 'sh', arguments: ['-c', 'sleep 0.4; cat | wc -c'], input: pieces() })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(ahead).toBeLessThan(1_000_000)
    expect((await running).output.trim()).toBe(String(1600 * 65_536))
  })

  test('output goes to a file of the run, and a program that stops reading early is no failure', async () => {
    const { run, directory } = start()
    const outcome = await run({
      program: 'head',
      arguments: ['-n', '1'],
      input: (async function* () {
        for (let i = 0; i < 10_000; i++) yield `>gene${i}\n${'ACGT'.repeat(100)}\n`
      })(),
      outputFile: 'first.fa',
    })
    expect(outcome.output).toBe('')
    expect(readFileSync(path.join(directory, 'first.fa'), 'utf8')).toBe('>gene0\n')
    await expect(run({ program: 'seq', arguments: ['1'], outputFile: '../outside' })).rejects.toThrow(TypeError)
  })

  test('an argument is an argument, whatever a shell would make of it, and the environment is the minimal one', async () => {
    const { run, directory } = start()
    const hostile = '$(touch pwned); `id` "x" \'y\' * \n'
    expect(
      (await run({ program: 'node', arguments: ['-e', 'process.stdout.write(process.argv[1])', hostile] })).output,
    ).toBe(hostile)
    const { output } = await run({ program: 'env', arguments: ['-0'], environment: { BLASTDB: 'x' } })
    const names = output.split('\0').map((line) => line.split('=')[0])
    expect(names.filter(Boolean).sort()).toEqual(['BLASTDB', 'HOME', 'LC_ALL', 'NOVODB_ENGINE_OF', 'PATH', 'TMPDIR'])
    expect(output).toContain(`TMPDIR=${directory}`)
  })

  test('progress on standard error comes line by line, carriage returns included', async () => {
    const { run } = start()
    const seen: string[] = []
    const script = "printf '10%%\\r20%%\\rthird\\r\\nlast' >&2"
    const outcome = await run({ program: 'sh', arguments: ['-c', script], onErrorLine: (line) => seen.push(line) })
    expect(seen).toEqual(['10%', '20%', 'third', 'last'])
    expect(outcome.errorText).toBe('10%\r20%\rthird\r\nlast')
  })
})

describe('a program that fails', () => {
  test('its exit status tells the fault of the input from ours', async () => {
    const { run } = start()
    const script = { program: 'sh', arguments: ['-c', 'echo "BLAST query error: no letters" >&2; exit 1'] }
    const ours = await failureOf(run(script))
    expect([ours.code, ours.messageId, ours.params]).toEqual([
      'ENGINE_FAILED',
      'job.programFailed',
      { program: 'sh', exitCode: 1 },
    ])
    expect(String((ours.cause as Error).message)).toContain('no letters')
    const theirs = await failureOf(
      run({
        ...script,
        explainFailure: (exitCode, errorText) =>
          exitCode === 1 && errorText.includes('query error') ? new PortalError('INVALID_INPUT') : null,
      }),
    )
    expect(theirs.code).toBe('INVALID_INPUT')
    expect((await run({ ...script, acceptedExitCodes: [0, 1] })).exitCode).toBe(1)
  })

  test('one that is not installed is named with its package; one that dies of a signal is our fault', async () => {
    const { run } = start()
    const missing = await failureOf(run({ program: 'novodb-none', arguments: [] }))
    expect([missing.code, missing.params]).toEqual([
      'TOOL_UNAVAILABLE',
      { program: 'novodb-none', package: 'package-of-novodb-none' },
    ])
    await expect(run({ program: 'undeclared', arguments: [] })).rejects.toThrow(TypeError)
    const killed = await failureOf(run({ program: 'sh', arguments: ['-c', 'kill -SEGV $$'] }))
    expect([killed.code, killed.messageId, killed.params.signal]).toEqual([
      'ENGINE_FAILED',
      'job.programKilled',
      'SIGSEGV',
    ])
  })

  test('an error of the input stream or of a callback ends the program and is what comes back', async () => {
    const { run } = start()
    const broken = (async function* () {
      yield '>x\n'
      throw new PortalError('UNKNOWN_SEQUENCE')
    })()
    expect((await failureOf(run({ program: 'sort', arguments: [], input: broken }))).code).toBe('UNKNOWN_SEQUENCE')
    const callback = run({
      program: 'sh',
      arguments: ['-c', 'echo x >&2; sleep 987.1'],
      onErrorLine: () => {
        throw new RangeError('a defect')
      },
    })
    await expect(callback).rejects.toThrow('a defect')
    expect(findLeft('987.1')).toEqual([])
  })
})

describe('limits and cancel', () => {
  test('time: the whole group is gone, children that ignore SIGTERM included', async () => {
    const { run } = start()
    const script = "trap '' TERM; sleep 987.2 & (trap '' TERM; sleep 987.2; sleep 987.2) & wait; wait"
    const error = await failureOf(run({ program: 'sh', arguments: ['-c', script], timeoutMs: 300 }))
    expect([error.code, error.messageId]).toEqual(['ENGINE_LIMIT', 'job.timeLimit'])
    expect(findLeft('987.2')).toEqual([])
  })

  if (full)
    test('time is shared by the programs of a run', async () => {
      const { run } = start({ timeoutMs: 6000 })
      await run({ program: 'sleep', arguments: ['1.5'] })
      // Alone it would fit; after the first it does not.
      expect((await failureOf(run({ program: 'sleep', arguments: ['5'] }))).code).toBe('ENGINE_LIMIT')
    })

  test.skipIf(!onLinux)('memory: of the whole group together, not of the first process alone', async () => {
    const { run } = start()
    const script = 'node -e "globalThis.x=Buffer.alloc(200e6,1);setTimeout(()=>{},9e4)" & wait'
    const error = await failureOf(run({ program: 'sh', arguments: ['-c', script], memoryBytes: 150 * 1024 ** 2 }))
    expect([error.code, error.messageId, error.params.megabytes]).toEqual(['ENGINE_LIMIT', 'job.memoryLimit', 150])
    expect(findLeft('200e6')).toEqual([])
  })

  test('output: in memory, in the output file, and in files that the program writes itself', async () => {
    const { run } = start({ outputBytes: 1_000_000 })
    for (const [script, outputFile] of [
      ['yes ACGT', undefined],
      ['yes ACGT', 'out'],
      ['yes ACGT > own', undefined],
      ['head -c 2000000 /dev/zero', 'quick'],
    ] as const) {
      const { run } = start({ outputBytes: 1_000_000 })
      const error = await failureOf(run({ program: 'sh', arguments: ['-c', script], outputFile }))
      expect([script, error.code, error.messageId]).toEqual([script, 'ENGINE_LIMIT', 'job.outputLimit'])
    }
    expect((await run({ program: 'seq', arguments: ['10'] })).output).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n')
  })

  test('cancel kills the group at once and carries the reason; nothing starts after it', async () => {
    const { run, controller } = start()
    const running = failureOf(run({ program: 'sh', arguments: ['-c', 'sleep 987.4 & sleep 987.4'] }))
    await expect.poll(() => findLeft('sleep 987.4').length).toBeGreaterThanOrEqual(2)
    controller.abort()
    expect((await running).code).toBe('JOB_CANCELLED')
    expect(findLeft('987.4')).toEqual([])
    expect((await failureOf(run({ program: 'seq', arguments: ['1'] }))).code).toBe('JOB_CANCELLED')
  })

  test('a child that keeps the pipes open after the program ended does not keep the run', async () => {
    const { run } = start()
    expect((await run({ program: 'sh', arguments: ['-c', 'sleep 987.5 & echo done'] })).output).toBe('done\n')
    expect(findLeft('987.5')).toEqual([])
  })
})

describe('processes known for certain', () => {
  test.skipIf(!onLinux)(
    'an engine whose runner is dead is killed, one whose runner lives and a stranger are not',
    async () => {
      const runner = spawn('sleep', ['987.6'])
      const runnerName = `${getProcessName().split('/')[0]}/${runner.pid}/${getProcessStartTime(runner.pid!)}`
      const start = (owner: string | undefined) =>
        spawn('sleep', ['987.7'], { detached: true, env: owner ? { NOVODB_ENGINE_OF: owner } : {} })
      const orphan = start(runnerName)
      const recycled = start(`${getProcessName().split('/')[0]}/${process.pid}/1`)
      const kept = [start(getProcessName()), start(undefined), start('anothermachine/1/1')]
      expect(findProcessState(runnerName)).toBe('alive')
      runner.kill('SIGKILL')
      await new Promise((resolve) => runner.on('close', resolve))
      expect(findProcessState(runnerName)).toBe('dead')
      const gone = Promise.all(
        [orphan, recycled].map((child) => new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))),
      )
      // How many is not asked: a portal that starts beside this test clears orphans too.
      killOrphanEngines()
      expect(await gone).toEqual(['SIGKILL', 'SIGKILL'])
      for (const child of kept) {
        expect(getProcessStartTime(child.pid!)).not.toBeNull()
        child.kill('SIGKILL')
      }
    },
  )
})

describe('finding programs', () => {
  test('a version is read from what the program says, even when it says it as an error; a missing one has its commands', async () => {
    const bin = path.join(folder, 'bin')
    await mkdir(bin)
    await writeFile(path.join(bin, 'fakemcl'), '#!/bin/sh\necho "mcl 22-282" >&2\nexit 3\n', { mode: 0o755 })
    await writeFile(path.join(bin, 'notexecutable'), 'x', { mode: 0o644 })
    const need = (program: string) => ({
      program,
      package: 'mcl',
      bioconda: 'mcl',
      versionArguments: ['--version'],
      versionPattern: /mcl (\S+)/,
    })
    const found = await findPrograms(['fakemcl', 'notexecutable', 'fakemcl'].map(need), `${bin}:${searchPath}`)
    expect(found).toEqual([
      {
        program: 'fakemcl',
        path: path.join(bin, 'fakemcl'),
        version: '22-282',
        package: 'mcl',
      },
      {
        program: 'notexecutable',
        path: null,
        version: null,
        package: 'mcl',
      },
    ])
  })

  test('of the programs of one build one is asked its version; one that was put in later, or elsewhere, is asked itself', async () => {
    const bins = ['one', 'other'].map((name) => path.join(folder, name))
    const asked = path.join(folder, 'asked')
    const built = new Date('2022-02-17T10:04:48Z')
    const put = async (bin: string, program: string, version: string, time: Date): Promise<void> => {
      const file = path.join(bin, program)
      await writeFile(file, `#!/bin/sh\necho ${program} >> ${asked}\necho "blast ${version}+"\n`, { mode: 0o755 })
      await utimes(file, time, time)
    }
    for (const bin of bins) await mkdir(bin)
    for (const program of ['ablastn', 'ablastp', 'ablastx']) await put(bins[0]!, program, '2.12.0', built)
    await put(bins[0]!, 'ablastnew', '2.16.0', new Date('2025-01-01T00:00:00Z'))
    await put(bins[1]!, 'ablastother', '2.13.0', built)
    const need = (program: string) => ({
      program,
      package: 'ncbi-blast+',
      bioconda: 'blast',
      versionArguments: ['-version'],
      versionPattern: /(\d+\.\d+\.\d+)\+/,
    })
    const found = await findPrograms(
      ['ablastn', 'ablastp', 'ablastx', 'ablastnew', 'ablastother'].map(need),
      `${bins.join(':')}:${searchPath}`,
    )
    expect(found.map(({ version }) => version)).toEqual(['2.12.0', '2.12.0', '2.12.0', '2.16.0', '2.13.0'])
    expect((await readFile(asked, 'utf8')).trim().split('\n').sort()).toEqual(['ablastn', 'ablastnew', 'ablastother'])
  })
})
