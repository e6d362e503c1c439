/** Name of the table in the species' bundle, where it is UTF-8 whatever the lab's file is. */
export const tableFile = 'orthogroups.tsv'

/** Kind of the file that pasted sequences are searched in. */
export const searchDatabaseKind = 'diamond-proteins'

/** What a computation says of itself: kept with it, shown with every result. */
export interface ComputedAbout {
  assemblies: { id: string; bundle: number; genes: number }[]
  /** Pairs of proteomes, each with itself too, and those whose search was kept from before. */
  pairs: { all: number; kept: number }
  orthogroups: number
  blocks: number
  edges: number
  elapsedMs: number
  inflation: number
  evalueLimit: number
}
