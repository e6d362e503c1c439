import type { GeneSummary, ResolvedGenes } from '../../../contracts/genes.ts'
import type { PortalData } from '../portal-data.ts'

/** Names that are looked for in other genomes, and genomes that are asked: each is a look-up of all of them. */
const maxNames = 50
const maxGenomes = 20

type NameSources = Pick<
  PortalData,
  'resolveGenes' | 'getHomology' | 'listHomologs' | 'listAssemblies' | 'getAssembly' | 'getGenes'
>

/**
 * Genes of an assembly by names that only genomes beside it in the species use: a symbol there leads to its ortholog here, as hadA of one
 * annotation of a strain to a gene that another knows by its locus tag alone. Ids are no such names: each is of its own assembly.
 */
const findByOrthologs = async (
  data: NameSources,
  assembly: string,
  names: readonly string[],
): Promise<Map<string, GeneSummary[]>> => {
  const found = new Map<string, string[]>()
  const homology = await data.getHomology()
  if (homology === null || !homology.covered.includes(assembly)) return new Map()
  const { id: target, species } = await data.getAssembly(assembly)
  const others = (await data.listAssemblies())
    .filter((one) => one.species === species && one.id !== target && !one.outgroup && homology.covered.includes(one.id))
    .slice(0, maxGenomes)
  let open = names.slice(0, maxNames)
  for (const other of others) {
    if (open.length === 0) break
    const there = (await data.resolveGenes(open, other.id)).found.filter(
      ({ query, gene }) => gene.id.toLowerCase() !== query.toLowerCase(),
    )
    const homologs = await data.listHomologs(
      other.id,
      there.map(({ gene }) => gene.id),
    )
    const orthologs = new Map(
      homologs.map(({ gene, homologs: hits }) => [
        gene,
        hits.filter((hit) => hit.assembly === target && hit.relation === 'ortholog').map((hit) => hit.gene),
      ]),
    )
    for (const { query, gene } of there) {
      const here = orthologs.get(gene.id) ?? []
      if (here.length > 0) found.set(query, here)
    }
    open = open.filter((name) => !found.has(name))
  }
  const genes = new Map(
    (await data.getGenes(target, [...new Set([...found.values()].flat())])).map((one) => [one.id, one]),
  )
  return new Map(
    [...found].flatMap(([name, ids]): [string, GeneSummary[]][] => {
      const known = ids.flatMap((id) => genes.get(id) ?? [])
      return known.length === 0 ? [] : [[name, known.map(summaryOf)]]
    }),
  )
}

const summaryOf = (gene: GeneSummary): GeneSummary => {
  const { assembly, id, symbol, description, biotype, sequence, start, end, strand } = gene
  return { assembly, id, symbol, description, biotype, sequence, start, end, strand }
}

/**
 * Looks names up in an assembly; those that it does not know, and other genomes of its species do, stand among the ambiguous ones with the
 * orthologs that they lead to: they are offered and told, never taken in silence.
 */
export const resolveByOrthologs = async (
  data: NameSources,
  names: string[],
  assembly: string | undefined,
): Promise<ResolvedGenes> => {
  const resolved = await data.resolveGenes(names, assembly)
  if (assembly === undefined || resolved.unknown.length === 0) return resolved
  const led = await findByOrthologs(data, assembly, resolved.unknown)
  return {
    found: resolved.found,
    ambiguous: [...resolved.ambiguous, ...[...led].map(([query, genes]) => ({ query, genes }))],
    unknown: resolved.unknown.filter((name) => !led.has(name)),
  }
}
