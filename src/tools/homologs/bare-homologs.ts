import type { z } from 'zod'
import { isOrtholog } from '../../bio/comparative/orthology.ts'
import type { CatalogueGene, GeneHomologs, Orthogroup, PortalData } from '../../kit/data/portal-data.ts'
import { evalueLimit } from './method.ts'
import type tool from './tool.ts'
import type { FoundHomolog } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** A homolog before its gene has been looked up. */
export type Bare = Omit<FoundHomolog, 'symbol' | 'description' | 'sequence' | 'start' | 'end' | 'strand' | 'orthogroup'>

export const percent = (share: number): number => Math.min(100, Number((share * 100).toFixed(1)))

/** Genes of many assemblies by assembly and id, each assembly asked once. */
export const lookUp = async (
  data: PortalData,
  wanted: { assembly: string; gene: string }[],
): Promise<Map<string, CatalogueGene>> => {
  const ids = new Map<string, Set<string>>()
  for (const { assembly, gene } of wanted) {
    const own = ids.get(assembly)
    if (own === undefined) ids.set(assembly, new Set([gene]))
    else own.add(gene)
  }
  const found = new Map<string, CatalogueGene>()
  await Promise.all(
    [...ids].map(async ([assembly, own]) => {
      for (const gene of await data.getGenes(assembly, [...own])) found.set(`${assembly}/${gene.id}`, gene)
    }),
  )
  return found
}

/** Whether a homolog is within the bounds that were asked for. */
export const passes = (one: Bare, input: Input): boolean =>
  (input.similar || one.relation !== 'similar') &&
  (one.identity ?? 0) >= input.minimumIdentity &&
  (one.coverage ?? 0) >= input.minimumCoverage &&
  (one.evalue === null ? input.evalue >= evalueLimit : one.evalue <= input.evalue) &&
  (input.assemblies.length === 0 || input.assemblies.includes(one.assembly))

/**
 * The homologs of a gene, and the members of its orthogroup that it has no hit with. In assemblies of `lacking`, which lack the gene itself,
 * what was called its ortholog is a paralog.
 */
export const listBare = (
  gene: { assembly: string; id: string },
  row: GeneHomologs | undefined,
  group: Orthogroup | null,
  lacking: ReadonlySet<string> = new Set(),
): Bare[] => {
  const isOfAnother = (one: { assembly: string; relation: string }): boolean =>
    lacking.has(one.assembly) && isOrtholog(one)
  const bare = (row?.homologs ?? []).map(
    (one): Bare => ({
      assembly: one.assembly,
      gene: one.gene,
      relation: isOfAnother(one) ? 'paralog' : one.relation,
      identity: one.identity,
      coverage: percent(one.coverage),
      targetCoverage: percent(one.targetCoverage),
      evalue: one.evalue,
      bitScore: one.bitScore,
      reciprocalBest: one.reciprocalBest,
      sharedNeighbours: one.sharedNeighbours,
      neighbours: one.neighbours,
      chosenBy: isOfAnother(one) ? null : one.reason,
    }),
  )
  // Members that the gene has no hit with belong to the group by way of others.
  const known = new Set(bare.map((one) => `${one.assembly}/${one.gene}`))
  for (const [assembly, genes] of group?.members ?? [])
    for (const member of genes) {
      if (known.has(`${assembly}/${member}`) || (assembly === gene.assembly && member === gene.id)) continue
      const relation = assembly === gene.assembly ? 'paralog' : 'member'
      bare.push({
        assembly,
        gene: member,
        relation,
        identity: null,
        coverage: null,
        targetCoverage: null,
        evalue: null,
        bitScore: null,
        reciprocalBest: null,
        sharedNeighbours: null,
        neighbours: null,
        chosenBy: null,
      })
    }
  return bare
}
