import path from 'node:path'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { ProgramStep } from './program.ts'

/** A directory and the name that stands for it in what people read; an empty name leaves the path below it alone. */
export interface NamedFolder {
  directory: string
  name: string
}

/**
 * An argument with the paths of named folders shortened: `/srv/novodb/bundles/b1/blast/nt` with the folder
 * `/srv/novodb/bundles/b1` named `R64` becomes `R64/blast/nt`; the same within `--db=…` and in lists. The longest folder
 * wins. A path that only begins alike (`/srv/novodb/bundles/b10`) is left.
 */
export function shortenPaths(argument: string, folders: NamedFolder[]): string {
  const sorted = folders
    .map(({ directory, name }) => ({ directory: path.resolve(directory), name }))
    .sort((a, b) => b.directory.length - a.directory.length)
  let text = argument
  for (const { directory, name } of sorted) {
    let from = 0
    for (;;) {
      const at = text.indexOf(directory, from)
      if (at < 0) break
      const end = at + directory.length
      const before = text[at - 1]
      const after = text[end]
      // Within a path of another root, or a longer name, it is another directory.
      const whole =
        (before === undefined || !/[\w./-]/.test(before)) && (after === undefined || /[/\s,:;'")]/.test(after))
      if (!whole) {
        from = end
        continue
      }
      const short = name !== '' ? name : after === '/' ? '' : '.'
      const rest = text.slice(name === '' && after === '/' ? end + 1 : end)
      text = text.slice(0, at) + short + rest
      from = at + short.length
    }
  }
  return text
}

export interface ReceiptOptions {
  tool: string
  portalVersion: string
  /** The input as the tool understood it. */
  parameters: Record<string, unknown>
  /** The run's own directory (name it '') and the data directory, at least; bundles are added by `addData`. */
  folders: NamedFolder[]
}

/** Gathers what was done while a tool runs. */
export interface ReceiptBuilder {
  addProgram(step: ProgramStep): void
  addStep(step: { program: string; version: string; formula?: string }): void
  /** Notes a bundle once, however often it is read; its directory is shown in commands by the assembly's name. */
  addData(data: { assembly: string; bundle: string; checksum: string; directory?: string }): void
  /** Notes once that a data set behind the result is simulated, by its name. */
  addSimulated(name: string): void
  cite(citation: { text: string; doi?: string }): void
  build(): Receipt
}

/** Starts a receipt; its time runs from here to `build`. */
export function createReceipt(options: ReceiptOptions): ReceiptBuilder {
  const startedAt = new Date()
  const startedMs = performance.now()
  const steps: Receipt['steps'] = []
  const data = new Map<string, Receipt['data'][number]>()
  const simulated = new Set<string>()
  const citations = new Map<string, Receipt['citations'][number]>()
  const folders = [...options.folders]

  return {
    addProgram: (step) => steps.push(step),
    addStep: (step) => steps.push(step),
    addData({ assembly, bundle, checksum, directory }) {
      data.set(bundle, { assembly, bundle, checksum })
      if (directory !== undefined && !folders.some((folder) => folder.directory === directory)) {
        folders.push({ directory, name: assembly })
      }
    },
    addSimulated: (name) => simulated.add(name),
    cite: (citation) => citations.set(citation.doi?.toLowerCase() ?? citation.text, citation),
    build: () => ({
      tool: options.tool,
      portalVersion: options.portalVersion,
      startedAt: startedAt.toISOString(),
      elapsedMs: Math.round(performance.now() - startedMs),
      // Shortened last, when all bundles are known.
      steps: steps.map((step) =>
        step.command
          ? {
              ...step,
              command: step.command.map((argument, index) =>
                index === 0 ? path.basename(argument) : shortenPaths(argument, folders),
              ),
              ...(step.environment === undefined
                ? {}
                : {
                    environment: Object.fromEntries(
                      Object.entries(step.environment).map(([name, value]) => [name, shortenPaths(value, folders)]),
                    ),
                  }),
            }
          : step,
      ),
      data: [...data.values()],
      ...(simulated.size === 0 ? {} : { simulated: [...simulated] }),
      parameters: options.parameters,
      citations: [...citations.values()],
    }),
  }
}
