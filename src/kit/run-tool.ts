import type { z } from 'zod'
import { textIn } from '../contracts/text.ts'
import { type Receipt, receiptLines } from '../contracts/tools/receipt.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import { createProgramRunner, type ProgramEnd } from '../jobs/program.ts'
import type { FoundProgram } from '../jobs/programs.ts'
import { createReceipt } from '../jobs/receipts.ts'
import type { PortalData } from './data/portal-data.ts'
import type { EarlierRun, Engine, EngineContext, RouteReceipt } from './engine.ts'

export interface ToolRun {
  /** Input as the tool's schema gives it out (defaults filled in). */
  input: unknown
  data: PortalData
  /** Directory of this run; its files stay. */
  directory: string
  dataDir: string
  searchPath: string
  /** What was found at start of the programs that tools declare. */
  programs: FoundProgram[]
  portalVersion: string
  signal: AbortSignal
  bounds: { timeoutMs: number; memoryBytes: number; outputBytes: number }
  onProgress(fraction: number | null, step: string | undefined): void
  /** See `EngineContext.findEarlier`. */
  findEarlier?(): Promise<EarlierRun | null>
  /** A program of the run has ended, well or not. */
  onProgram?(ended: ProgramEnd): void
}

/** Ids of earlier annotations that a receipt names one by one. */
const notedFormer = 50

/** The same data, where it is noted which names are ids of an earlier annotation: whoever reads the result is told what was taken. */
const noteFormer = (data: PortalData, former: Map<string, string>, elsewhere: Set<string>): PortalData =>
  Object.create(data, {
    resolveGenes: {
      value: (async (names, assembly) => {
        const resolved = await data.resolveGenes(names, assembly)
        for (const { query, gene, ...one } of resolved.found) {
          if (one.former === true) former.set(query, gene.id)
          if (one.elsewhere === true) elsewhere.add(gene.id)
        }
        return resolved
      }) satisfies PortalData['resolveGenes'],
    },
  }) as PortalData

/** Runs an engine once and gives back its result with the receipt: the same in each process of the portal and in a test. */
export const runTool = async (
  engine: Engine,
  run: ToolRun,
): Promise<{ result: z.output<ToolDefinition['result']>; receipt: Receipt }> => {
  const receipt = createReceipt({
    tool: engine.tool.id,
    portalVersion: run.portalVersion,
    parameters: run.input as Record<string, unknown>,
    folders: [
      { directory: run.directory, name: '' },
      { directory: run.dataDir, name: 'data' },
    ],
  })
  const noted = new Set<string>()
  const notes: Promise<void>[] = []
  const noteData = async (assembly: string): Promise<void> => {
    const summary = await run.data.getAssembly(assembly)
    receipt.addData({
      assembly,
      bundle: summary.bundle,
      checksum: summary.checksum,
      directory: await run.data.bundleDirectory(assembly),
    })
  }
  const former = new Map<string, string>()
  const elsewhere = new Set<string>()
  const context: EngineContext = {
    data: noteFormer(run.data, former, elsewhere),
    signal: run.signal,
    directory: run.directory,
    runProgram: createProgramRunner({
      directory: run.directory,
      signal: run.signal,
      searchPath: run.searchPath,
      programs: run.programs.filter((found) => engine.programs.some((needed) => needed.program === found.program)),
      bounds: { ...run.bounds, ...engine.bounds },
      onStep: (step) => receipt.addProgram(step),
      ...(run.onProgram === undefined ? {} : { onEnd: run.onProgram }),
    }),
    progress: (fraction, step) => run.onProgress(fraction, step),
    findEarlier: async () =>
      engine.marks === undefined || run.findEarlier === undefined ? null : await run.findEarlier(),
    receipt: {
      repeatPrograms: ({ receipt: { steps } }) => {
        for (const step of steps) if (step.command !== undefined) receipt.addStep(step)
      },
      addStep: (step) => receipt.addStep(step),
      addData: (assembly) => {
        if (noted.has(assembly)) return
        noted.add(assembly)
        notes.push(noteData(assembly))
      },
      addDataSet: ({ name, simulated }) => {
        if (simulated) receipt.addSimulated(textIn(name, 'en'))
      },
      cite: (citation) => receipt.cite(citation),
    },
  }
  const result = await engine.run(run.input, context)
  await Promise.all(notes)
  const addNote = (about: string, names: readonly string[]): void => {
    if (names.length === 0) return
    const shown = names.slice(0, notedFormer)
    if (names.length > notedFormer) shown.push(`… (${names.length})`)
    receipt.addStep({ program: 'NovoDB', version: run.portalVersion, formula: `${about}: ${shown.join(', ')}` })
  }
  addNote(
    'ids of an earlier annotation, and the genes taken for them',
    Array.from(former, ([query, gene]) => `${query} → ${gene}`),
  )
  addNote('ids that meant another gene in an earlier annotation; the current gene was taken', [...elsewhere])
  return { result: engine.tool.result.parse(result), receipt: receipt.build() }
}

/** The receipt of a file that a tool's route writes, as lines for its head. */
export const describeReceipt = async (
  about: RouteReceipt,
  portal: { tool: string; portalVersion: string; data: PortalData },
): Promise<string[]> => {
  const receipt = createReceipt({
    tool: portal.tool,
    portalVersion: portal.portalVersion,
    parameters: { ...about.job?.parameters, ...about.parameters },
    folders: [],
  })
  for (const step of about.job?.steps ?? []) receipt.addStep(step)
  for (const data of about.job?.data ?? []) receipt.addData(data)
  for (const name of about.job?.simulated ?? []) receipt.addSimulated(name)
  for (const { name, simulated } of about.dataSets ?? []) if (simulated) receipt.addSimulated(textIn(name, 'en'))
  for (const step of about.steps) receipt.addStep(step)
  for (const citation of [...(about.job?.citations ?? []), ...(about.citations ?? [])]) receipt.cite(citation)
  for (const assembly of about.assemblies) {
    const { id, bundle, checksum } = await portal.data.getAssembly(assembly)
    receipt.addData({ assembly: id, bundle, checksum })
  }
  return receiptLines(receipt.build()).map((line) => line.replace(/[\r\n]+/g, ' '))
}
