import { PortalError } from '../../contracts/errors.ts'
import { isAffirmed } from '../../database/terms.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import type { Pathway, PathwayAnswer, PathwayGene } from './endpoints.ts'
import { drawingId, drawingKind, type StoredDrawing, type StoredSource, sourceKind } from './stored.ts'
import { limits } from './tool.ts'

/** The assembly asked for, or the first with pathways. */
export const choosePathwayAssembly = async (data: PortalData, given: string | undefined): Promise<string | null> => {
  if (given !== undefined && given !== '') return (await data.getAssembly(given)).id
  const able = (await data.listAssemblies()).filter((one) => (one.dataTypes.pathways ?? 0) > 0)
  return (able.find((one) => one.reference) ?? able[0] ?? (await data.defaultAssembly()))?.id ?? null
}

export interface PathwayIndex {
  sources: (StoredSource & { id: string })[]
  /** By source and id, parted by a bar. */
  pathways: Map<string, Pathway & { description: string | null; ancestors: string[]; genes: Set<string> }>
}

const indexes = new RecentAnswers<PathwayIndex>(8)

/** All pathways of an assembly with their genes, those of pathways below them included; read once, then kept. */
export const readPathways = async (data: PortalData, assembly: string): Promise<PathwayIndex> => {
  const { species, checksum } = await data.getAssembly(assembly)
  const bundle = await data.bundleNumber(assembly)
  const ontology = await data.speciesBundleNumber(species)
  const key = `${bundle} ${ontology} ${checksum}`
  return indexes.get(key, () => read(data, assembly, bundle, ontology === null ? [bundle] : [ontology, bundle]))
}

const read = async (data: PortalData, assembly: string, bundle: number, bundles: number[]): Promise<PathwayIndex> => {
  const { sql } = data
  const records = await data.listRecords<StoredSource>(sourceKind, { assembly })
  const drawn = new Set((await data.listRecords<unknown>(drawingKind, { assembly })).map(({ id }) => id))
  const sources = records.map(({ id, data: about }) => ({ ...about, id }))
  const pathways: PathwayIndex['pathways'] = new Map()
  const names = sources.map(({ id }) => id)
  const rows = await sql<{ source: string; term: string; genes: string[] }[]>`
    select source, term, array_agg(distinct gene) as genes from ${sql(`gene_terms_${bundle}`)}
    where source = any(${names}) and ${isAffirmed(sql)}
    group by source, term`
  type TermRow = { source: string; term: string; name: string | null; definition: string | null; ancestors: string[] }
  const about = new Map<string, TermRow>()
  const take = async (terms: string[]): Promise<void> => {
    const found = await sql<TermRow[]>`
      select source, term, name, definition, ancestors from terms
      where bundle = any(${bundles}) and source = any(${names}) and term = any(${terms})
      order by array_position(${bundles}::int[], bundle)`
    for (const row of found) {
      const key = drawingId(row.source, row.term)
      if (!about.has(key)) about.set(key, row)
    }
  }
  await take(rows.map(({ term }) => term))
  await take([...new Set([...about.values()].flatMap(({ ancestors }) => ancestors))])
  const add = (source: string, id: string, genes: readonly string[]): void => {
    const key = drawingId(source, id)
    const known = pathways.get(key)
    if (known !== undefined) {
      for (const gene of genes) known.genes.add(gene)
      return
    }
    const row = about.get(key)
    pathways.set(key, {
      source,
      id,
      name: row?.name ?? null,
      description: row?.definition ?? null,
      ancestors: row?.ancestors ?? [],
      genes: new Set(genes),
      drawn: drawn.has(key),
      geneCount: 0,
    })
  }
  for (const { source, term, genes } of rows)
    for (const id of [term, ...(about.get(drawingId(source, term))?.ancestors ?? [])]) add(source, id, genes)
  // A drawing without a gene of this assembly is a pathway all the same.
  for (const key of drawn) {
    const [source = '', id = ''] = key.split(/\|(.*)/s)
    add(source, id, [])
  }
  for (const pathway of pathways.values()) pathway.geneCount = pathway.genes.size
  return { sources, pathways }
}

export const plainPathway = ({ source, id, name, geneCount, drawn }: Pathway): Pathway => ({
  source,
  id,
  name,
  geneCount,
  drawn,
})

/** The pathway of an id, in the source given or the first that has it. */
const findPathway = ({ pathways }: PathwayIndex, source: string, id: string) =>
  source === '' ? [...pathways.values()].find((one) => one.id === id) : pathways.get(drawingId(source, id))

/** Genes of a pathway. Rejects with NOT_FOUND when the assembly has no such pathway. */
export const listPathwayGenes = async (
  data: PortalData,
  assembly: string,
  { source, id }: { source: string; id: string },
): Promise<string[]> => {
  const pathway = findPathway(await readPathways(data, assembly), source, id)
  if (pathway === undefined) throw new PortalError('NOT_FOUND', { message: 'map.unknown', params: { id, assembly } })
  return [...pathway.genes]
}

export const describePathway = async (
  data: PortalData,
  assembly: string,
  given: { source: string; id: string },
): Promise<PathwayAnswer> => {
  const index = await readPathways(data, assembly)
  const pathway = findPathway(index, given.source, given.id)
  if (pathway === undefined)
    throw new PortalError('NOT_FOUND', { message: 'map.unknown', params: { id: given.id, assembly } })
  const { source } = pathway
  const bundle = await data.bundleNumber(assembly)
  const genes = await data.sql<(PathwayGene & { position: number })[]>`
    select id, symbol, description, sequence, start1 as start, end1 as "end", strand, position
    from ${data.sql(`genes_${bundle}`)} where id = any(${[...pathway.genes]}) order by position`
  const stored = await data.getRecord<StoredDrawing>(drawingKind, drawingId(source, pathway.id), { assembly })
  const others = [...index.pathways.values()].filter((one) => one.source === source && one.id !== pathway.id)
  const numberOf = (id: string): string | undefined => /(\d{5})$/.exec(id)?.[1]
  const leadsTo = (names: readonly string[]): string | null => {
    for (const name of names) {
      const id = name.replace(/^path:/, '')
      const found =
        others.find((one) => one.id === id) ??
        others.find((one) => numberOf(id) !== undefined && numberOf(one.id) === numberOf(id))
      if (found !== undefined) return found.id
    }
    return null
  }
  const above = new Set(pathway.ancestors)
  const nearest = pathway.ancestors.filter(
    (id) =>
      !pathway.ancestors.some(
        (other) => other !== id && index.pathways.get(drawingId(source, other))?.ancestors.includes(id),
      ),
  )
  const named = (id: string) => ({ id, name: index.pathways.get(drawingId(source, id))?.name ?? null })
  const below = others.filter(({ ancestors }) => ancestors.includes(pathway.id))
  const belowIds = new Set(below.map(({ id }) => id))
  const related = others
    .filter(({ id }) => !above.has(id) && !belowIds.has(id))
    .map(({ id, name, geneCount, genes: its }) => ({
      id,
      name,
      geneCount,
      shared: [...its].filter((gene) => pathway.genes.has(gene)).sort(),
    }))
    .filter(({ shared }) => shared.length > 0)
    .sort((a, b) => b.shared.length - a.shared.length || a.geneCount - b.geneCount)
    .slice(0, limits.related)
  const about = index.sources.find(({ id }) => id === source)
  return {
    assembly,
    source,
    title: about?.title ?? null,
    licence: about?.licence ?? null,
    id: pathway.id,
    name: pathway.name,
    description: pathway.description,
    genes: genes.map(({ position: _, ...gene }) => gene),
    parents: nearest.map(named),
    children: below
      .filter(({ ancestors }) => !ancestors.some((id) => belowIds.has(id)))
      .map(({ id, name }) => ({ id, name })),
    drawing:
      stored === null
        ? null
        : {
            format: stored.format,
            organism: stored.organism,
            width: stored.width,
            height: stored.height,
            nodes: stored.nodes.map((node) => ({
              ...node,
              leadsTo:
                node.kind === 'pathway'
                  ? leadsTo([...node.names, ...(/^WP\d+$/.test(node.label) ? [node.label] : [])])
                  : null,
            })),
            edges: stored.edges,
          },
    related,
  }
}
