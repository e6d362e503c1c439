import type { AssemblySummary } from '../../contracts/species.ts'
import { schemaFields, writeQuery } from '../../kit/ui/controls/schema-fields.ts'
import type { DatabaseKind, Program } from './programs.ts'
import tool, { limits } from './tool.ts'

/** A search of one gene against all other assemblies, as an address that runs it. */
export interface PresenceSearch {
  program: Program
  address: string
  /** Databases that are searched, and how many there would be: more than a search takes are cut. */
  searched: number
  available: number
}

/**
 * Searches that tell in which other assemblies a gene is, the most telling first: its protein in the translated genomes finds it
 * also where no gene is annotated (tblastn; Gertz et al. 2006), then in the annotated proteins, then its bases in the genomes. Those
 * of the gene's own species come first. A gene without a protein has only the last.
 */
export const presenceSearches = (
  gene: { id: string; assembly: string; species: string; coding: boolean },
  assemblies: readonly AssemblySummary[],
): PresenceSearch[] => {
  const others = assemblies
    .filter((one) => one.id !== gene.assembly)
    .sort((a, b) => Number(b.species === gene.species) - Number(a.species === gene.species))
  const plans: [Program, DatabaseKind][] = [
    ...(gene.coding
      ? ([
          ['tblastn', 'genome'],
          ['blastp', 'protein'],
        ] as [Program, DatabaseKind][])
      : []),
    ['blastn', 'genome'],
  ]
  const fields = schemaFields(tool.input)
  return plans.flatMap(([program, kind]) => {
    const names = others.filter((one) => one.dataTypes[`blast-${kind}`] !== undefined).map((one) => `${one.id}/${kind}`)
    if (names.length === 0) return []
    const databases = names.slice(0, limits.databases)
    const query = writeQuery(fields, { genes: gene.id, assembly: gene.assembly, program, databases })
    return [
      {
        program,
        address: `${tool.route}?${new URLSearchParams([...query, ['run', '1']])}`,
        searched: databases.length,
        available: names.length,
      },
    ]
  })
}

/** Assemblies that were searched and have no hit, in the order of the databases: where the sequence is not found. */
export const assembliesWithoutHit = (
  databases: readonly { assembly: string | null }[],
  hits: readonly { assembly: string | null }[],
): string[] => {
  const having = new Set(hits.map((hit) => hit.assembly))
  return [...new Set(databases.flatMap((one) => one.assembly ?? []))].filter((assembly) => !having.has(assembly))
}
