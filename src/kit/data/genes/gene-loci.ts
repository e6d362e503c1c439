import type { GeneLocus } from '../../../contracts/gene-loci.ts'
import type { PortalData } from '../portal-data.ts'

interface Neighbour {
  id: string
  symbol: string | null
  start: number
  end: number
  strand: string
  originShift: number
}

/**
 * A gene with so many neighbours on each side of it and their orthogroups, on a circular sequence across its origin, each once; null when
 * there is no such gene.
 */
export const findGeneLocus = async (
  data: PortalData,
  assembly: string,
  gene: string,
  besides: number,
): Promise<GeneLocus | null> => {
  const bundle = await data.bundleNumber(assembly)
  const genes = data.sql(`genes_${bundle}`)
  const [own] = await data.sql<
    { position: number; sequence: string; circularBp: number | null; geneCount: number | null }[]
  >`
    select own.position, own.sequence, ring.bp as "circularBp", ring.genes as "geneCount"
    from ${genes} own
    left join lateral (
      select length_bp::float8 as bp, gene_count::int as genes
      from ${data.sql(`sequences_${bundle}`)} where name = own.sequence and circular
    ) ring on true
    where own.id = ${gene}`
  if (own === undefined) return null
  // Positions run on along the sequence; on a circular one also behind its last gene and before its first.
  const count = own.geneCount ?? 0
  const reach = own.circularBp === null ? besides : Math.min(besides, Math.floor((count - 1) / 2))
  const turns = own.circularBp === null ? [0] : [-1, 0, 1]
  const rows = await data.sql<Neighbour[]>`
    select g.id, g.symbol, g.start1 as start, g.end1 as end, g.strand, turn.bp as "originShift"
    from unnest(${turns.map((turn) => turn * count)}::int[], ${turns.map((turn) => turn * (own.circularBp ?? 0))}::float8[])
      as turn (genes, bp)
    join ${genes} g
      on g.sequence = ${own.sequence}
      and g.position between ${own.position - reach}::int - turn.genes and ${own.position + reach}::int - turn.genes
    order by g.position + turn.genes`
  const groups = await data.listOrthogroups(
    assembly,
    rows.map((row) => row.id),
  )
  return {
    assembly,
    sequence: own.sequence,
    gene,
    genes: rows.map(({ originShift, ...row }) => ({
      ...row,
      ...(originShift === 0 ? {} : { originShift }),
      orthogroup: groups.get(row.id) ?? null,
    })),
  }
}
