import type { GeneLocus } from '../../../contracts/gene-loci.ts'
import type { PortalData } from '../portal-data.ts'

interface Neighbour {
  id: string
  symbol: string | null
  sequence: string
  start: number
  end: number
  strand: string
}

/** A gene with so many neighbours on each side of it and their orthogroups; null when there is no such gene. */
export const findGeneLocus = async (
  data: PortalData,
  assembly: string,
  gene: string,
  besides: number,
): Promise<GeneLocus | null> => {
  const bundle = await data.bundleNumber(assembly)
  const rows = await data.sql<Neighbour[]>`
    select g.id, g.symbol, g.sequence, g.start1 as start, g.end1 as end, g.strand
    from ${data.sql(`genes_${bundle}`)} own
    join ${data.sql(`genes_${bundle}`)} g
      on g.sequence = own.sequence and g.position between own.position - ${besides} and own.position + ${besides}
    where own.id = ${gene}
    order by g.position`
  if (rows.length === 0) return null
  const groups = await data.listOrthogroups(
    assembly,
    rows.map((row) => row.id),
  )
  return {
    assembly,
    sequence: rows[0]!.sequence,
    gene,
    genes: rows.map(({ sequence: _, ...row }) => ({ ...row, orthogroup: groups.get(row.id) ?? null })),
  }
}
