import type { ComponentType } from 'react'
import type { Gene } from '../../../contracts/genes.ts'
import type { Messages } from '../../../contracts/text.ts'
import type { DataType } from '../../../contracts/tools/tool.ts'

/** What a panel tells the page about itself when it knows: how much it shows, for the left index; 0 when there is nothing of this gene. */
export type ReportCount = (count: number) => void

/**
 * What a tool adds to the gene page: the default export of its `gene-panel.tsx`. The page draws the card around it when
 * the gene's assembly has data of kind `needs`, and else lists it under "no data loaded" with the message `panel.add`.
 */
export interface GenePanel {
  /** The tool's id; also the anchor of the section on the page. */
  id: string
  /** Position among the panels; sections of the page itself end at 100. */
  order: number
  /** Needs `panel.title`, and `panel.add` (how to load the data) where `needs` is set. */
  messages: Messages
  needs?: DataType
  /** An address of the gene page at which the page opens at this panel: `/reseq/gene` for the variants. */
  opensAt?: '/reseq/gene' | '/map/gene'
  /** It tells the gene's family: what the page says of the gene itself leads to it. */
  tellsFamily?: true
  Panel: ComponentType<{ gene: Gene; report: ReportCount }>
}

export const defineGenePanel = (panel: GenePanel): GenePanel => panel
