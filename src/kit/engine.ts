import type { z } from 'zod'
import type { Endpoint } from '../contracts/endpoint.ts'
import type { LocalizedText } from '../contracts/text.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import type { ProgramOutcome, ProgramRequirement, ProgramRun } from '../jobs/program.ts'
import type { Resources } from '../jobs/scheduler/scheduler.ts'
import type { PortalData } from './data/portal-data.ts'

/**
 * What a tool's `run` is given. Everything it needs of the world comes through here, so that it runs alike in a process for answers, a worker and a
 * test.
 */
export interface EngineContext {
  /** Genes, sequences, terms and files of what is loaded, as of the moment the input was accepted. */
  data: PortalData
  /** Fires on cancel, time limit and shutdown; long loops check it. */
  signal: AbortSignal
  /** Directory of this run for inputs and outputs of programs; kept with a job, removed after an answer. */
  directory: string
  /**
   * Runs one of the tool's declared programs with an argument vector, within the limits; noted in the receipt, by which it can be run
   * again: standard input is a file. Rejects with a PortalError (ENGINE_FAILED, ENGINE_LIMIT, TOOL_UNAVAILABLE).
   */
  runProgram(run: Omit<ProgramRun, 'input'>): Promise<ProgramOutcome>
  /** 0 to 1, or null when it cannot be told; `step` is a message id of the tool saying what is happening now. */
  progress(fraction: number | null, step?: string): void
  /** The newest kept run of an input that differs only in the engine's `marks`; null where there is none, or the engine has none. */
  findEarlier(): Promise<EarlierRun | null>
  receipt: {
    /** The programs that an earlier run started, whose files this one goes on from. */
    repeatPrograms(earlier: EarlierRun): void
    /** A computation of our own: its name, version and formula or method. */
    addStep(step: { program: string; version: string; formula?: string }): void
    /** The assembly's bundle and checksum. */
    addData(assembly: string): void
    /** A data set that the result rests on: noted where it is simulated, so that every figure and file of the result says so. */
    addDataSet(set: { name: LocalizedText; simulated: boolean }): void
    cite(citation: { text: string; doi?: string }): void
  }
}

/** A run of the same computation that is kept. */
export interface EarlierRun {
  /** Its files, which others may be reading. */
  directory: string
  receipt: Receipt
}

export interface Engine<Input extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  tool: ToolDefinition<Input, Result>
  /** Programs that `run` may start, with the package that brings them. */
  programs: ProgramRequirement[]
  /** Fields of the input on which nothing rests that is long computed: they mark its result, or name it. See `findEarlier`. */
  marks?: readonly (string & keyof z.output<Input>)[]
  /** Bounds on one run; the worker's defaults where absent. */
  bounds?: { timeoutMs?: number; memoryBytes?: number; outputBytes?: number }
  /**
   * What a scheduler is asked for to run this input: programs are held to the memory, and use as many processors as `usableCores` says.
   * `plainResources` where absent.
   */
  resources?(input: z.output<Input>, data: PortalData): Resources | Promise<Resources>
  /**
   * The input with what only the loaded data tell, such as the one assembly that has the sequence named; asked before a job waits, so that
   * what is missing is said at its field at once and the job's input says what it was run on. Runs in the server: look-ups by an index alone.
   */
  completeInput?(input: z.output<Input>, data: PortalData): Promise<z.output<Input>>
  /** Rejects with PortalError for what the user or administrator can mend; any other exception is a defect of ours. */
  run(input: z.output<Input>, context: EngineContext): Promise<z.input<Result>>
  /**
   * The tool's example with what only the loaded data can tell, such as the name of a trait, so that it can be run as it stands; null where
   * nothing fits. The example itself where absent.
   */
  completeExample?(example: z.input<Input>, data: PortalData): Promise<z.input<Input> | null>
  /** Further endpoints of the tool (a page of a big result, a file), mounted under /api/tools/{id}/. */
  routes?: ToolRoute[]
}

/** An endpoint under /api/tools/{tool}/{path}; `job` routes are given the job's directory and parsed result. */
export interface ToolRoute<Input extends z.ZodType = z.ZodType> {
  /** GET when absent. POST takes its input as a JSON body: for inputs too long for an address, such as thousands of genes. */
  method?: 'GET' | 'POST'
  path: string
  summary: string
  input: Input
  /** The endpoint that this route answers, where it answers JSON: see `answerEndpoint`. */
  endpoint?: Endpoint
  handle(input: z.output<Input>, context: ToolRouteContext): Promise<ToolRouteAnswer>
}

export interface ToolRouteContext {
  data: PortalData
  signal: AbortSignal
  /** The language of the reader. */
  language: 'en' | 'zh'
  /** Directory, input, result and receipt of a job that is done; rejects with NOT_FOUND otherwise. */
  openJob(id: string): Promise<{ directory: string; input: unknown; result: unknown; receipt: Receipt }>
  runProgram(run: ProgramRun): Promise<ProgramOutcome>
  /** The receipt of a file that the route writes, as lines of text for the file's head, without a sign of comment. */
  describeReceipt(about: RouteReceipt): Promise<string[]>
}

/** What a route says of how its file was made; portal, tool and time are added. */
export interface RouteReceipt {
  /** Of the job that the file is of: its programs, data, citations and parameters come first. */
  job?: Receipt
  parameters: Record<string, unknown>
  assemblies: string[]
  /** Data sets that the file is of; those that are simulated are named. */
  dataSets?: { name: LocalizedText; simulated: boolean }[]
  steps: { program: string; version: string; formula?: string }[]
  citations?: { text: string; doi?: string }[]
}

/** JSON in the envelope, or a file or stream with its own type. */
export type ToolRouteAnswer =
  | { json: unknown }
  | { body: AsyncIterable<string | Uint8Array> | string | Uint8Array; contentType: string; fileName?: string }
  | { file: string; contentType: string; fileName?: string }

/** Declares a tool's engine; default export of `engine.ts`. */
export const defineEngine = <Input extends z.ZodType, Result extends z.ZodType>(
  engine: Engine<Input, Result>,
): Engine<Input, Result> => engine

export const defineRoute = <Input extends z.ZodType>(route: ToolRoute<Input>): ToolRoute =>
  route as unknown as ToolRoute
