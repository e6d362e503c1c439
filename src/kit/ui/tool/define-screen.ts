import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import type { Language, Messages } from '../../../contracts/text.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import type { PortalFacts, ToolDefinition } from '../../../contracts/tools/tool.ts'
import type { SchemaField, Values } from '../controls/schema-fields.ts'
import type { Format, Parameters, Translate } from '../language.tsx'
import type { messages } from '../messages.ts'

/** How one field of the drawn form departs from what its schema says by itself. */
export interface FieldHint {
  /** The folded form does not tell it: another part of the question says it. */
  untold?: boolean
  /** Folded under "advanced options". */
  advanced?: boolean
  widget?: SchemaField['kind'] | 'genes' | 'sequence'
  /** The field shows only while this holds; its value is kept. */
  when?: (values: Values) => boolean
  /** For assembly pickers: only assemblies with this kind of data. */
  needs?: string
  /** For assembly pickers: "all assemblies" may be chosen (the field is left out). */
  allowAll?: boolean
  /** Of a list of genes that is longer than the field takes: what its answer is looked for in; see `openTargets`. */
  beyond?: 'geneFamilies'
  /** Message that names the field where other values change what it is; else `field.<name>` does. */
  label?: (values: Values) => string | undefined
  /** Of a list of identifiers as it was typed: its entries, where these are not parted as identifiers are. */
  split?: (typed: string) => string[]
  rows?: number
  placeholder?: string
  /** Whether a run asks for the field while it shows, where the schema, which knows no other fields, cannot say so. */
  required?: boolean
  /** Not drawn; a form beside it or another page sets it. */
  hidden?: boolean
}

export interface FormProps<Input = Values> {
  values: Input
  /** Changes some fields. */
  onValues: (change: Partial<Input>) => void
  /**
   * Fills in or mends fields by the form itself, as a default that depends on what is loaded. It may come at any time, so it does not
   * touch the address: a run that the reader has just begun goes on.
   */
  onAdjust: (change: Partial<Input>) => void
  /** Messages beside the fields, by the name of the field (first part of the path). */
  problems: Record<string, string[]>
  fields: SchemaField[]
}

export interface ResultProps<Input, Result> {
  input: Input
  result: Result
  receipt: Receipt
  /** Id of the job that computed it; null for an answer given at once. For further pages of a big result. */
  job: string | null
  /** Another part of the answer (see `paging`) is on its way; the part before it is still shown. */
  pending: boolean
}

/**
 * A tool's page. The frame (title, purpose, example, form, run, job, failure, headline, receipt, JSON) is the kit's;
 * the tool gives the result and, only where the drawn form will not do, its own form.
 *
 * Messages that the frame looks up: `title`, `summary`; `answers`, the questions that the tool answers, one a line; `field.<name>`, `help.<name>` and `option.<name>.<value>` of the
 * form; `limit.<name>` of each limit (with `{value}`); `step.<name>` of a running job; any id used in a FieldProblem.
 */
export interface Screen<Input extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  tool: ToolDefinition<Input, Result>
  messages: Messages
  Form?: ComponentType<FormProps>
  /** An example of the task that the form stands at, for tools with several; null for the tool's own. */
  example?: (facts: PortalFacts, values: Values) => z.input<Input> | null
  fields?: Record<string, FieldHint>
  /**
   * The example's result as it looks: `import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' })`, which
   * scripts/document-pictures.mjs takes. Shown before anything is run.
   */
  pictures?: Readonly<Record<string, string>>
  /**
   * Shown before anything is run, below what the tool answers: such as what is loaded of the tool's kind. How it is looked at stands in
   * the address (`viewPrefix`).
   */
  Start?: ComponentType
  Result: ComponentType<ResultProps<z.output<Input>, z.output<Result>>>
  /**
   * A better example than the tool can name by what is known in the browser: asked for when the Example button is pressed, with the
   * tool's own example; null keeps that one.
   */
  loadExample?: (example: z.input<Input>) => Promise<z.input<Input> | null>
  /** What the input asks for by ids that say nothing to a reader, in the words of the result: first in the line of the folded form. */
  asked?: (found: { input: z.output<Input>; result: z.output<Result>; format: Format }) => string[]
  /** What was found, in words, above any table: "12 hits in 3 assemblies; best Rv3875, 100 % identity". */
  headline?: (found: {
    input: z.output<Input>
    result: z.output<Result>
    t: Translate<string>
    /** The texts that every screen shares. */
    shared: Translate<keyof typeof messages.en>
    format: Format
    /** Names of assemblies by id. */
    assemblyName: (id: string) => string
  }) => ReactNode
  /** The result with words in place of codes, as the screen shows it: of this are the tables of a notebook's export. */
  inWords?: (found: { result: z.output<Result>; language: Language }) => unknown
  /**
   * Fields that only say which part of the answer is shown and in which order. A result changes them in the address
   * (`useAddressValues`); until the other part has come the one before it stays.
   */
  paging?: readonly (keyof z.input<Input> & string)[]
  /**
   * `side` (form at the left, result at the right) unless the result needs the page's whole width: then the form gives way to a line
   * that tells the question once it is run.
   */
  layout?: 'side' | 'top'
}

export type { Parameters }

/** Declares a tool's screen: the default export of its `screen.tsx`. */
export const defineScreen = <Input extends z.ZodType, Result extends z.ZodType>(
  screen: Screen<Input, Result>,
): Screen<Input, Result> => screen

/** A tool whose page is its own from edge to edge, such as a browser of genomes: no form, run and result. */
export interface OwnPage {
  Page: ComponentType
}

/** Declares such a page: the default export of `screen.tsx`. */
export const definePage = (page: OwnPage): OwnPage => page
