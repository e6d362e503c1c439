import type { z } from 'zod'
import { isAbsent } from '../../bio/comparative/gene-presence.ts'
import { isOrtholog, orthologyType } from '../../bio/comparative/orthology.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { GeneHomologs } from '../../kit/data/portal-data.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { type Bare, listBare, lookUp, passes } from './bare-homologs.ts'
import type tool from './tool.ts'
import { limits, type OrthologCell, type OrthologRow, type OrthologTable } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** A gene as it was asked for. */
export interface AskedGene {
  name: string
  gene: GeneSummary
  /** Other genes that the name means as well. */
  others: GeneSummary[]
}

/** Where a genome has no ortholog, the paralogs that are named. */
const mostParalogs = 3

type BareCell = Omit<OrthologCell, 'genes'> & { genes: Bare[] }

const isMember = ({ relation }: Bare): boolean => relation === 'member' || relation === 'paralog'

/**
 * What a genome has of a gene whose homologs are `bare`. Where the gene's own DNA is known to be deleted, the nearest protein is that of a
 * paralog, unless it is one of the genes annotated on what is left of it (`remnants`; null where it is not deleted, or not known to be).
 */
export const findCell = (
  bare: readonly Bare[],
  own: string,
  { id, partial, remnants }: { id: string; partial: boolean; remnants: readonly string[] | null },
  isWanted: (one: Bare) => boolean,
): BareCell => {
  const there = bare.filter((one) => one.assembly === id)
  const isLost = ({ gene }: Bare): boolean => remnants !== null && !remnants.includes(gene)
  const orthologs = id === own ? [] : there.filter((one) => isOrtholog(one) && !isLost(one))
  const members = there.filter((one) => isMember(one) || (isOrtholog(one) && isLost(one)))
  if (id === own) return { state: 'own', type: null, genes: [], paralogs: members.length }
  const type = orthologyType(
    orthologs.map((one) => ({ ortholog: one.relation === 'ortholog', bits: one.bitScore ?? 0 })),
    bare.flatMap((one) => (one.assembly === own && one.relation === 'paralog' ? [one.bitScore ?? 0] : [])),
  )
  if (orthologs.length > 0) {
    const genes = orthologs.filter(isWanted)
    return { state: genes.length > 0 ? 'ortholog' : 'below', type, genes, paralogs: members.length }
  }
  const nearest = [...members].sort((a, b) => (b.bitScore ?? 0) - (a.bitScore ?? 0)).slice(0, mostParalogs)
  const state = members.length > 0 ? 'paralogs' : partial ? 'unknown' : 'none'
  return { state, type: null, genes: nearest, paralogs: members.length }
}

/**
 * Finds by DNA which genes of `assembly` are deleted from other genomes of its species, where that was computed: of such a gene, those
 * annotated on its remnant.
 */
const findRemnants = async (
  data: EngineContext['data'],
  assembly: string,
  asked: readonly string[],
  others: readonly string[],
): Promise<(gene: string, other: string) => string[] | null> => {
  const genes = await data.presence.genes(assembly)
  const remnants = new Map<string, string[]>()
  const wanted = new Set(asked)
  const numbers = [...(genes?.id ?? []).entries()].filter(([, id]) => wanted.has(id))
  for (const other of others) {
    const states = other === assembly || genes === null ? null : await data.presence.states(assembly, other)
    if (states === null) continue
    const lost = numbers.filter(([number]) => isAbsent(states.states[number]!))
    const found = await data.presence.genesIn(
      assembly,
      other,
      lost.map(([number]) => number),
    )
    for (const [number, id] of lost) remnants.set(`${id} ${other}`, found.get(number)?.genes ?? [])
  }
  return (gene, other) => remnants.get(`${gene} ${other}`) ?? null
}

/**
 * The orthologs of many genes, genome by genome. The genome that all genes are of is left out. Rejects at the field `assemblies` where
 * these are more cells than a table may have.
 */
export const listOrthologs = async (
  asked: readonly AskedGene[],
  input: Input,
  assemblies: readonly Pick<AssemblySummary, 'id' | 'partial'>[],
  { data, signal }: Pick<EngineContext, 'data' | 'signal'>,
): Promise<Omit<OrthologTable, 'unknown'>> => {
  const homes = [...new Set(asked.map(({ gene }) => gene.assembly))]
  const shown = assemblies.filter(
    ({ id }) =>
      (input.assemblies.length === 0 || input.assemblies.includes(id)) && (homes.length > 1 || id !== homes[0]),
  )
  const cells = asked.length * shown.length
  if (cells > limits.cells)
    throw fieldError(['assemblies'], 'problem.tooManyCells', {
      genes: asked.length,
      assemblies: shown.length,
      limit: limits.cells,
    })
  const homologs = new Map<string, GeneHomologs>()
  const remnantsOf = new Map<string, Awaited<ReturnType<typeof findRemnants>>>()
  for (const assembly of homes) {
    const ids = asked.flatMap(({ gene }) => (gene.assembly === assembly ? [gene.id] : []))
    for (const row of await data.listHomologs(assembly, ids)) homologs.set(`${assembly}/${row.gene}`, row)
    remnantsOf.set(
      assembly,
      await findRemnants(
        data,
        assembly,
        ids,
        shown.map(({ id }) => id),
      ),
    )
  }
  const groups = await data.getOrthogroups([
    ...new Set([...homologs.values()].flatMap(({ orthogroup }) => orthogroup ?? [])),
  ])
  signal.throwIfAborted()
  const rows = asked.map(({ name, gene, others }) => {
    const row = homologs.get(`${gene.assembly}/${gene.id}`)
    const group = row?.orthogroup == null ? null : (groups.get(row.orthogroup) ?? null)
    const bare = listBare({ assembly: gene.assembly, id: gene.id }, row, group)
    return {
      query: name,
      gene,
      otherInterpretations: others.map(({ assembly, id }) => ({ assembly, id })),
      orthogroup: group?.id ?? null,
      paralogs: bare.flatMap((one) => (one.relation === 'paralog' ? [one.gene] : [])),
      cells:
        row === undefined
          ? []
          : shown.map(({ id, partial }) =>
              findCell(
                bare,
                gene.assembly,
                { id, partial: partial !== null, remnants: remnantsOf.get(gene.assembly)?.(gene.id, id) ?? null },
                (one) => passes(one, input),
              ),
            ),
    }
  })
  const named = await lookUp(
    data,
    rows.flatMap((row) => row.cells.flatMap(({ genes }) => genes)),
  )
  return {
    assemblies: shown.map(({ id }) => id),
    rows: rows.map(
      (row): OrthologRow => ({
        ...row,
        cells: row.cells.map((cell) => ({
          ...cell,
          genes: cell.genes.map(({ assembly, gene, identity, coverage, targetCoverage }) => ({
            gene,
            symbol: named.get(`${assembly}/${gene}`)?.symbol ?? null,
            identity,
            coverage,
            targetCoverage,
          })),
        })),
      }),
    ),
  }
}
