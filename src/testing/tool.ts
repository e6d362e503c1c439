import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { defineTool } from '../contracts/tools/tool.ts'
import { defineEngine, defineRoute } from '../kit/engine.ts'
import type { PortalTool } from '../server/portal.ts'

const tool = defineTool({
  id: 'testing',
  route: '/tools/Testing',
  category: 'find',
  order: 99,
  icon: 'flask-conical',
  mode: 'answer',
  version: 1,
  input: z.object({ what: z.enum(['where', 'loop']) }),
  result: z.object({ pid: z.number() }),
  limits: {},
  needs: [],
  example: () => null,
})

/** Field 19 of man 5 proc; the first two are cut off. */
const readNiceness = (): number | null => {
  if (process.platform !== 'linux') return null
  const text = readFileSync('/proc/self/stat', 'latin1')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
}

const loop = (): never => {
  while (true) JSON.stringify({ for: 'ever' })
}

/** A tool that behaves as tools should not, and tells where it runs. */
export const testingTool: PortalTool = {
  id: tool.id,
  tool,
  messages: { en: {}, zh: {} },
  engine: defineEngine({
    tool,
    programs: [],
    run: async ({ what }) => (what === 'loop' ? loop() : { pid: process.pid }),
    routes: [
      defineRoute({
        path: 'where',
        summary: 'The process that answers, and its niceness',
        input: z.object({}),
        handle: async () => ({ json: { pid: process.pid, niceness: readNiceness() } }),
      }),
      defineRoute({
        path: 'loop',
        summary: 'Never ends; with a file it is said there that it has begun',
        input: z.object({ file: z.string().optional() }),
        handle: async ({ file }) => {
          if (file !== undefined) writeFileSync(`${file}.begun`, '')
          return loop()
        },
      }),
      defineRoute({
        path: 'heap',
        summary: 'Needs ever more memory',
        input: z.object({}),
        handle: async () => {
          const kept: string[][] = []
          while (true) kept.push(Array.from({ length: 100_000 }, (_, number) => `${kept.length} ${number}`))
        },
      }),
      defineRoute({
        path: 'hold',
        summary:
          'Says in the file that it has begun, waits for its word to go on or for its end, and says which it was',
        input: z.object({ file: z.string() }),
        handle: async ({ file }, { signal }) => {
          writeFileSync(`${file}.begun`, '')
          while (!signal.aborted && !existsSync(`${file}.go`)) await pause(20)
          writeFileSync(`${file}.ended`, signal.aborted ? 'stopped' : 'done')
          return { json: { pid: process.pid } }
        },
      }),
      defineRoute({
        path: 'stream',
        summary: 'Lines without an end, or some; with a file it is said there when nobody reads on',
        input: z.object({ lines: z.coerce.number().int().optional(), file: z.string().optional() }),
        handle: async ({ lines = Number.POSITIVE_INFINITY, file }) => ({
          contentType: 'text/plain; charset=utf-8',
          fileName: 'lines.txt',
          body: (async function* () {
            try {
              for (let line = 0; line < lines; line += 1) yield `${process.pid} ${line} ${'x'.repeat(1000)}\n`
            } finally {
              if (file !== undefined) writeFileSync(`${file}.ended`, '')
            }
          })(),
        }),
      }),
      defineRoute({
        path: 'refusing-stream',
        summary: 'A stream that is refused when its first piece is made',
        input: z.object({}),
        handle: async () => ({
          contentType: 'text/plain',
          // biome-ignore lint/correctness/useYield: it is refused before
          body: (async function* (): AsyncGenerator<string> {
            throw Object.assign(new Error('the database is away'), { code: '57P01' })
          })(),
        }),
      }),
    ],
  }),
}

const sorting = defineTool({
  id: 'sorting',
  route: '/tools/Sorting',
  category: 'find',
  order: 99,
  icon: 'flask-conical',
  mode: 'job',
  version: 1,
  input: z.object({ words: z.string(), fail: z.boolean().default(false) }),
  result: z.object({ sorted: z.string() }),
  limits: {},
  needs: [],
  example: () => null,
})

/** A job with a program of every Linux. */
export const sortingTool: PortalTool = {
  id: sorting.id,
  tool: sorting,
  messages: { en: {}, zh: {} },
  engine: defineEngine({
    tool: sorting,
    programs: [
      {
        program: 'sort',
        package: 'coreutils',
        versionArguments: ['--version'],
        versionPattern: /sort \(GNU coreutils\) (\S+)/,
      },
    ],
    run: async ({ words, fail }, { runProgram, directory }) => {
      await writeFile(join(directory, 'words'), words)
      const { output } = await runProgram({
        program: 'sort',
        arguments: fail ? ['--no-such-option'] : [],
        inputFile: 'words',
      })
      return { sorted: output }
    },
  }),
}
