import { z } from 'zod'
import { shellWord } from './shell-word.ts'

/** What was done to get a result: enough to repeat it by hand and to cite it. Part of every result and every export. */
export const receiptSchema = z.object({
  tool: z.string(),
  portalVersion: z.string(),
  startedAt: z.string(),
  elapsedMs: z.number(),
  /** Programs run, in order: argument vectors with the data directory's paths shortened to names. Versions are the program's own. */
  steps: z.array(
    z.object({
      program: z.string(),
      version: z.string(),
      command: z.array(z.string()).optional(),
      /** What the program was given of an environment beside the search path. */
      environment: z.record(z.string(), z.string()).optional(),
      /** Files that standard input came from and standard output went to. */
      input: z.string().optional(),
      output: z.string().optional(),
      formula: z.string().optional(),
      elapsedMs: z.number().optional(),
    }),
  ),
  data: z.array(z.object({ assembly: z.string(), bundle: z.string(), checksum: z.string() })),
  parameters: z.record(z.string(), z.unknown()),
  citations: z.array(z.object({ text: z.string(), doi: z.string().optional() })),
})
export type Receipt = z.infer<typeof receiptSchema>

type Step = Receipt['steps'][number]

/**
 * A program's run as a line that a shell reads; null of a step without one. `> tree.nwk` and `OMP_NUM_THREADS=1` stand in it where they
 * belong.
 */
export const commandLine = ({ command, environment = {}, input, output }: Step): string | null =>
  command === undefined
    ? null
    : [
        ...Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`),
        ...command.map(shellWord),
        ...(input === undefined ? [] : ['<', shellWord(input)]),
        ...(output === undefined ? [] : ['>', shellWord(output)]),
      ].join(' ')

/**
 * The receipt as lines of text, for the head of an export and for the clipboard.
 * `receiptLines(r)[0]` is like `NovoDB 0.1.0, tool blast, 2026-01-02T03:04:05Z, 812 ms`.
 */
export const receiptLines = (receipt: Receipt): string[] => [
  `NovoDB ${receipt.portalVersion}, tool ${receipt.tool}, ${receipt.startedAt}, ${Math.round(receipt.elapsedMs)} ms`,
  ...receipt.steps.map((step) =>
    [
      `${step.program} ${step.version}`.trim(),
      ...[commandLine(step), step.formula].filter((part) => part != null),
    ].join(': '),
  ),
  ...receipt.data.map((data) => `data ${data.assembly}, bundle ${data.bundle}, ${data.checksum}`),
  `parameters ${shortParameters(receipt.parameters)}`,
  ...receipt.citations.map(
    (citation) => `cite ${citation.text}${citation.doi === undefined ? '' : ` doi:${citation.doi}`}`,
  ),
]

/** Parameters as JSON; texts beyond 2,000 characters (pasted sequences) by their length only. */
const shortParameters = (parameters: Record<string, unknown>): string =>
  JSON.stringify(parameters, (_, value: unknown) =>
    typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 60)}… (${value.length} characters)` : value,
  )
