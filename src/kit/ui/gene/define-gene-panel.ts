import type { ComponentType, ReactNode } from 'react'
import type { Gene } from '../../../contracts/genes.ts'
import type { AssemblySummary } from '../../../contracts/species.ts'
import type { Messages } from '../../../contracts/text.ts'
import type { DataType } from '../../../contracts/tools/tool.ts'
import type { Format, Translate } from '../language.tsx'
import type { CallOptions } from '../request.ts'

/**
 * What sections of the gene page are about, in the order in which a geneticist asks: what it is and who has it, how it is built and what
 * lies beside it, what it does, its sequence, and then what was compared, found to vary, measured and written.
 */
export const geneTopics = [
  'identity',
  'structure',
  'neighbours',
  'function',
  'sequence',
  'homology',
  'variants',
  'expression',
  'interactions',
  'genome',
  'literature',
] as const
export type GeneTopic = (typeof geneTopics)[number]

/** What a section says in its head before it is opened. */
export interface GeneGist {
  /** How much there is of this gene, for the index of the page; 0 when nothing. */
  count?: number
  /** A few words: the finding, not what the section is. */
  text?: string
  /** What it is called for this gene, where its data are of another kind than its title says. */
  title?: string
  /** What it shows first is simulated, although not all of its data are. */
  simulated?: boolean
}

/** A section of the gene page. */
export interface GeneSection {
  topic: GeneTopic
  /** Place within the topic, ascending. */
  order: number
  /**
   * About how high its content is on a wide screen: so much room is held until it has loaded, so that nothing below moves. Of what has a
   * row for each genome by their number in the species.
   */
  heightPx: number | ((genomes: number) => number)
  /** Open until the reader folds it; the others show their gist. */
  opened?: true
  /** An address of the gene page at which the page opens at this section: `/reseq/gene` for the variants. */
  opensAt?: '/reseq/gene' | '/map/gene'
  /** It tells the gene's family: what the page says of the gene itself leads to it. */
  tellsFamily?: true
  /** It shows more than this section of the page itself, and stands for it; it is given that one's content, for where it has nothing. */
  standsFor?: 'neighbourhood'
  /** Asked when the head comes into sight; undefined until it is known. */
  useGist?: (gene: Gene) => GeneGist | undefined
  Panel: ComponentType<{ gene: Gene; own: ReactNode }>
}

/** Something that the tool does with a gene, begun at a press: an entry under the tool's name in "Analyse this gene". */
export interface GeneAnalysis {
  key: string
  label: string
  address: string
}

export interface GeneAnalysisContext {
  gene: Gene
  assemblies: AssemblySummary[]
  /** Of the panel's own messages. */
  t: Translate<string>
  format: Format
  request: CallOptions
}

/**
 * What a tool adds to the gene page: the default export of its `gene-panel.tsx`. With data of kind `needs` in the gene's assembly the
 * page shows its section, and offers its analyses; without, the section is listed under "no data loaded" with the message `panel.add`.
 */
export interface GenePanel {
  /** The tool's id; also the anchor of the section on the page. */
  id: string
  /** Needs `panel.title`, and `panel.add` (how to load the data) where a section needs data. */
  messages: Messages
  needs?: DataType
  section?: GeneSection
  analyses?: (context: GeneAnalysisContext) => GeneAnalysis[] | Promise<GeneAnalysis[]>
}

export const defineGenePanel = (panel: GenePanel): GenePanel => panel
