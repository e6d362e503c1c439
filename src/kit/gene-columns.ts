import { closeUp, type LocalizedText, type Messages, textIn } from '../contracts/text.ts'
import type { CatalogueGene, PortalData } from './data/portal-data.ts'

/** What a tool knows of each gene of a list, for a table beside what other tools know. */
export interface GeneColumn {
  /** Of letters, digits, dots, dashes and underscores; unique within the tool. */
  key: string
  title: LocalizedText
  /** Explains the heading. */
  help?: LocalizedText
  /**
   * `presence` has states of `presenceStates`; `genes` ids of genes of `assembly` with `; ` between; `terms` names with `; ` between;
   * the rest as columns of tables have them.
   */
  kind: 'number' | 'statistic' | 'pValue' | 'text' | 'terms' | 'genes' | 'presence'
  /** Of `genes`: whose they are. */
  assembly?: string
  /** Decimals of a `number`. */
  digits?: number
  /** Not shown at first. */
  hidden?: boolean
  /** Among the few that a phone shows. */
  main?: boolean
  /** A value for each gene, in their order; null where there is none. */
  values: (string | number | null)[]
}

export interface GeneColumns {
  columns: GeneColumn[]
  /** Data sets that they rest on: what is simulated is told. */
  dataSets?: { name: LocalizedText; simulated: boolean }[]
  /** What was left out, and why. */
  notes?: LocalizedText[]
}

export interface GeneColumnContext {
  data: PortalData
  assembly: string
  /** Genes of the assembly, each once. */
  genes: readonly CatalogueGene[]
  signal: AbortSignal
}

/** Columns in the order in which they are shown; none where nothing that the tool works on is loaded for the assembly. */
export type GeneColumnSource = (context: GeneColumnContext) => Promise<GeneColumns>

/** Declares what a tool adds to tables of genes; default export of `gene-columns.ts`. */
export const defineGeneColumns = (source: GeneColumnSource): GeneColumnSource => source

/**
 * A heading in both languages out of a message of the tool, whose arguments are names.
 *
 * @example columnText({ en: { a: 'In {x}' }, zh: { a: '{x} 中' } }, 'a', { x: 'R64' }) // { en: 'In R64', zh: 'R64 中' }
 */
export const columnText = <Key extends string>(
  messages: Messages<Key>,
  key: Key,
  params: Readonly<Record<string, LocalizedText | number>> = {},
): { en: string; zh: string } => {
  const fill = (language: 'en' | 'zh'): string =>
    messages[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name]
      return value === undefined ? whole : typeof value === 'number' ? String(value) : textIn(value, language)
    })
  return { en: fill('en'), zh: closeUp(fill('zh')) }
}
