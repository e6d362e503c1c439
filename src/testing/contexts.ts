import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { GeneMatches } from '../bio/annotation/gene-matches.ts'
import { PortalError } from '../contracts/errors.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import { createProgramRunner } from '../jobs/program.ts'
import { findPrograms } from '../jobs/programs.ts'
import type { Engine, EngineContext, ToolRouteAnswer, ToolRouteContext } from '../kit/engine.ts'
import type { BakeContext, BakedRecord, BakedSearchEntry, ReportedDefect } from '../kit/loader.ts'
import { describeReceipt } from '../kit/run-tool.ts'

// What engines, routes and loaders are given of the world, for tests that call them: each says only what is its own.

/** A receipt that says nothing. */
export const emptyReceipt: Receipt = {
  tool: 'test',
  portalVersion: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 0,
  steps: [],
  data: [],
  parameters: {},
  citations: [],
}

/** Where a machine has its programs. */
export const searchPath = '/usr/local/bin:/usr/bin:/bin'

const nowhere = '/nonexistent'
const noProgram = () => Promise.reject(new Error('no program is needed'))

/** The context of a run that starts no program, writes no file and has its receipt read by nobody, save what is given. */
export const makeEngineContext = (given: Pick<EngineContext, 'data'> & Partial<EngineContext>): EngineContext => ({
  signal: new AbortController().signal,
  directory: nowhere,
  runProgram: noProgram,
  progress: () => undefined,
  findEarlier: async () => null,
  receipt: {
    repeatPrograms: () => undefined,
    addStep: () => undefined,
    addData: () => undefined,
    addDataSet: () => undefined,
    cite: () => undefined,
  },
  ...given,
})

/** The part of a context that runs the programs of an engine in a directory, as they are found in the folders of `path`. */
export const withPrograms = async (
  { programs }: Pick<Engine, 'programs'>,
  directory: string,
  { path = searchPath, signal = new AbortController().signal } = {},
): Promise<Pick<EngineContext, 'directory' | 'signal' | 'runProgram'>> => ({
  directory,
  signal,
  runProgram: createProgramRunner({
    directory,
    signal,
    searchPath: path,
    programs: await findPrograms(programs, path),
  }),
})

/** The context of a route of the tool whose reader reads English and has no job, save what is given. */
export const makeRouteContext = (
  tool: string,
  given: Pick<ToolRouteContext, 'data'> & Partial<ToolRouteContext>,
): ToolRouteContext => ({
  signal: new AbortController().signal,
  language: 'en',
  openJob: () => Promise.reject(new PortalError('NOT_FOUND')),
  runProgram: noProgram,
  describeReceipt: (about) => describeReceipt(about, { tool, portalVersion: 'test', data: given.data }),
  ...given,
})

/** What the route of that path answers to an input, which its schema reads first. */
export const askRoute = async (
  { tool, routes = [] }: { tool: { id: string }; routes?: Engine['routes'] },
  path: string,
  input: unknown,
  given: Pick<ToolRouteContext, 'data'> & Partial<ToolRouteContext>,
): Promise<ToolRouteAnswer> => {
  const route = routes.find((one) => one.path === path)
  if (route === undefined) throw new Error(`${tool.id} has no route ${path}`)
  return route.handle(route.input.parse(input), makeRouteContext(tool.id, given))
}

/** What a route answers as JSON, of the type that the caller names. */
export const answerJson = <Json = unknown>(answer: ToolRouteAnswer): Json => {
  if (!('json' in answer)) throw new Error('The answer is a file.')
  return answer.json as Json
}

/** The bytes of a route's answer, whatever form it has. */
export const answerBytes = async (answer: ToolRouteAnswer): Promise<Buffer> => {
  if ('json' in answer) return Buffer.from(JSON.stringify(answer.json))
  if ('file' in answer) return readFileSync(answer.file)
  if (typeof answer.body === 'string' || answer.body instanceof Uint8Array) return Buffer.from(answer.body)
  const pieces: Buffer[] = []
  for await (const piece of answer.body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

export const answerText = async (answer: ToolRouteAnswer): Promise<string> =>
  (await answerBytes(answer)).toString('utf8')

/** What a loader gave to the bundle. */
export interface BakedParts {
  records: BakedRecord[]
  searchEntries: BakedSearchEntry[]
  files: string[]
  defects: ReportedDefect[]
}

/** The context of a loader for an assembly of nothing, without programs, save what is given; `baked` has what the loader gave. */
export const makeBakeContext = (given: Partial<BakeContext> = {}): { context: BakeContext; baked: BakedParts } => {
  const baked: BakedParts = { records: [], searchEntries: [], files: [], defects: [] }
  const context: BakeContext = {
    species: 'test-species',
    assembly: null,
    simulated: false,
    licence: null,
    directory: nowhere,
    scratch: nowhere,
    signal: new AbortController().signal,
    sequences: [],
    resolveFile: async (path) => path,
    findFile: async () => null,
    findSequence: () => null,
    findGene: () => null,
    matchGenes: (file) => new GeneMatches({ file, match: () => null }),
    listFolder: async () => [],
    genes: async function* () {},
    termsOf: () => [],
    bakedFile: () => null,
    report: (_catalogue, defect) => void baked.defects.push(defect),
    forward: (defect) => void baked.defects.push(defect),
    addFile: (path) => void baked.files.push(path),
    addRecord: async (record) => void baked.records.push(record),
    addSearchEntry: async (entry) => void baked.searchEntries.push(entry),
    addTerm: async () => undefined,
    addGeneTerm: async () => undefined,
    addRow: async () => undefined,
    progress: () => undefined,
    runProgram: async () => null,
    ...given,
  }
  return { context, baked }
}

/** Runs an engine on an input, which the tool's schema reads first; the result as its schema gives it out. */
export const runEngine = async <Input extends z.ZodType, Result extends z.ZodType>(
  engine: Pick<Engine<Input, Result>, 'tool' | 'run'>,
  input: unknown,
  context: EngineContext,
): Promise<z.output<Result>> => engine.tool.result.parse(await engine.run(engine.tool.input.parse(input), context))
