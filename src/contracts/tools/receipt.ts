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
  /** Names of the data sets behind the result that are simulated: each figure and file made of it says so. */
  simulated: z.array(z.string()).optional(),
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
  ...(receipt.simulated ?? []).map((name) => `simulated data, not measured: ${name}`),
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

/** Characters of one text, entries of one list and characters of all parameters that a note tells. */
const noteBounds = { text: 60, entries: 10, parameters: 600 }

/** Parameters without what is empty or long, in letters that a FASTA header gives no meaning to. */
const noteParameters = (line: string): string => {
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string' && value.length > noteBounds.text)
      return `${value.slice(0, noteBounds.text)}... {${value.length} characters}`
    if (Array.isArray(value)) {
      const kept = value.slice(0, noteBounds.entries).map(shorten)
      return value.length > kept.length ? [...kept, `... {${value.length} in all}`] : kept
    }
    if (typeof value !== 'object' || value === null) return value
    const reported = Object.entries(value).filter(([, one]) => one !== '' && one !== null)
    return Object.fromEntries(reported.map(([name, one]) => [name, shorten(one)]))
  }
  const text = JSON.stringify(shorten(JSON.parse(line))).replaceAll('"', '')
  return text.length > noteBounds.parameters ? `${text.slice(0, noteBounds.parameters)}...}` : text
}

/**
 * How a file was made, on one line, for formats without comments of their own: it ends the description of a FASTA
 * header. Of the lines of `receiptLines`; it has no bracket, parenthesis, quote, semicolon or line end.
 *
 * Example: `NovoDB 0.1.0 tool=tree at=2026-01-02T03:04:05Z programs={mafft 7.505} data={R64@0123456789ab} parameters={source:genes}`.
 */
export const receiptNote = (lines: readonly string[]): string => {
  const [, version, tool, time] = /^NovoDB (\S+), tool (\S+), ([^,]+)/.exec(lines[0] ?? '') ?? []
  const dataAt = lines.findIndex((line) => /^(data|collection|simulated|parameters) /.test(line))
  const programs = lines.slice(1, dataAt < 0 ? 1 : dataAt).map((line) => line.split(': ')[0]!)
  const data = lines.flatMap((line) => {
    const [, name, checksum] = /^data (\S+), bundle \S+, (\S+)/.exec(line) ?? []
    const collection = /^collection (\S+)/.exec(line)?.[1]
    return name === undefined ? (collection ?? []) : `${name}@${checksum!.replace(/^\w+:/, '').slice(0, 12)}`
  })
  const simulated = lines.flatMap((line) => /^simulated data, not measured: (.*)$/.exec(line)?.[1] ?? [])
  const list = (all: string[]): string => {
    const unique = [...new Set(all)]
    const rest = unique.length - noteBounds.entries
    return `{${unique.slice(0, noteBounds.entries).join(', ')}${rest > 0 ? `, ... ${rest} more` : ''}}`
  }
  const parameters = lines.find((line) => line.startsWith('parameters {'))?.slice('parameters '.length) ?? '{}'
  return [
    `NovoDB ${version} tool=${tool} at=${time}`,
    ...(programs.length === 0 ? [] : [`programs=${list(programs)}`]),
    `data=${list(data)}`,
    ...(simulated.length === 0 ? [] : [`simulated=${list(simulated)}`]),
    `parameters=${noteParameters(parameters)}`,
  ]
    .join(' ')
    .replace(/[[(]/g, '{')
    .replace(/[\])]/g, '}')
    .replaceAll(';', ',')
    .replace(/[>'"`]/g, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
}
