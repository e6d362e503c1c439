import type { GeneReference } from '../../kit/ui/gene/chosen-genes.ts'
import type { OrthologCell, OrthologRow, OrthologTable } from './tool.ts'

/** What a cell says, also of a gene that has none. */
export type ShownState = OrthologCell['state'] | 'uncompared' | 'noProtein'

export const stateOf = (row: OrthologRow, at: number, missing: readonly string[]): ShownState =>
  row.cells[at]?.state ?? (missing.includes(row.gene.assembly) ? 'uncompared' : 'noProtein')

/**
 * How many genes have an ortholog in the genome of a column, how many of them one-to-one, and how many have only paralogs there; `all` are
 * those of other genomes.
 */
export const countColumn = (
  rows: readonly OrthologRow[],
  at: number,
): { all: number; count: number; one2one: number; paralogs: number } => {
  const cells = rows.flatMap(({ cells }) => cells[at] ?? [])
  const found = cells.filter(({ state }) => state === 'ortholog')
  return {
    all: rows.length - cells.filter(({ state }) => state === 'own').length,
    count: found.length,
    one2one: found.filter(({ type }) => type === 'one2one').length,
    paralogs: cells.filter(({ state }) => state === 'paralogs').length,
  }
}

/** The orthologs in the genome of a column, each once. */
export const orthologsIn = ({ assemblies, rows }: OrthologTable, at: number): GeneReference[] => {
  const ids = new Set(
    rows.flatMap(({ cells }) => (cells[at]?.state === 'ortholog' ? cells[at].genes.map(({ gene }) => gene) : [])),
  )
  return [...ids].map((id) => ({ id, assembly: assemblies[at]! }))
}

/** How many genes have an ortholog in every other genome; the genome that lacks most, where not all lack as many. */
export const summarise = ({
  assemblies,
  rows,
}: OrthologTable): { all: number; fewest: { assembly: string; count: number } | null } => {
  const counts = assemblies.map((assembly, at) => ({ assembly, ...countColumn(rows, at) }))
  const lackedBy = ({ all, count }: { all: number; count: number }): number => all - count
  const [first, ...others] = [...counts].sort((a, b) => lackedBy(b) - lackedBy(a))
  return {
    all: rows.filter(
      ({ cells }) => cells.length > 0 && cells.every(({ state }) => state === 'ortholog' || state === 'own'),
    ).length,
    fewest: first === undefined || others.every((one) => lackedBy(one) === lackedBy(first)) ? null : first,
  }
}

export interface OrthologPair extends Pick<OrthologRow, 'gene' | 'orthogroup'> {
  assembly: string
  state: ShownState
  type: OrthologCell['type']
  /** Null where the genome has none, and no paralog either. */
  ortholog: OrthologCell['genes'][number] | null
}

/** A gene and an ortholog in each line; a gene without one in a genome has a line that says so. */
export const listPairs = ({ assemblies, rows }: OrthologTable, missing: readonly string[]): OrthologPair[] =>
  rows.flatMap((row) =>
    assemblies.flatMap((assembly, at): OrthologPair[] => {
      const { gene, orthogroup } = row
      const about = { gene, orthogroup, assembly, state: stateOf(row, at, missing), type: row.cells[at]?.type ?? null }
      if (about.state === 'own') return []
      const orthologs = row.cells[at]?.genes ?? []
      return orthologs.length === 0
        ? [{ ...about, ortholog: null }]
        : orthologs.map((ortholog) => ({ ...about, ortholog }))
    }),
  )
