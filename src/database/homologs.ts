import { type OrthologReason, orthologReasons } from '../bio/comparative/orthology.ts'
import type { BakedTable } from './baked-tables.ts'
import { notifyCatalogue } from './catalogue.ts'
import type { Sql } from './connect.ts'

/**
 * How a gene stands to another of its list. `ortholog`: best of both by similarity and gene order; `coortholog`: in the orthogroup, a
 * copy of an ortholog that is nearer to it than the two genomes are; `paralog`: in the orthogroup, in the same assembly; `member`:
 * elsewhere in the orthogroup; `similar`: not in the orthogroup.
 */
const homologRelations = ['ortholog', 'coortholog', 'paralog', 'member', 'similar'] as const
export type HomologRelation = (typeof homologRelations)[number]

/** One entry of a row's list; shares are of 1, identity is in percent as search programs give it. */
export interface HomologHit {
  /** Bundle of the assembly that the gene is in. */
  bundle: number
  gene: string
  relation: HomologRelation
  identity: number
  /** Share of the query's protein, and of the other's, that the alignment covers. */
  coverage: number
  targetCoverage: number
  evalue: number
  bitScore: number
  /** Each is the other's best by score alone. */
  reciprocalBest: boolean
  /** Neighbours of the query gene, and those with a member of their orthogroup beside the other gene. */
  sharedNeighbours: number
  neighbours: number
  /** Why it was taken as ortholog; null for other relations. */
  reason: OrthologReason | null
}

/** Tables of what is computed over all assemblies (migrations/0003-homologs.ts). */
export const orthogroupTable: BakedTable = {
  name: 'orthogroups',
  columns: 'id position gene_count assembly_count source members',
  indexes: ['unique (id)', 'unique (position)'],
}
export const homologTable: BakedTable = {
  name: 'homologs',
  columns: 'assembly_bundle gene orthogroup hits',
  indexes: ['unique (assembly_bundle, gene)', '(orthogroup)'],
}

/** As stored: a list takes a third of the room of an object with names. */
type StoredHit = [
  bundle: number,
  gene: string,
  relation: number,
  identity: number,
  coverage: number,
  targetCoverage: number,
  evalue: number,
  bits: number,
  reciprocal: 0 | 1,
  shared: number,
  neighbours: number,
  /** -1 for none; absent in bundles of before there were reasons. */
  reason?: number,
]

export const storeHit = (hit: HomologHit): StoredHit => [
  hit.bundle,
  hit.gene,
  homologRelations.indexOf(hit.relation),
  hit.identity,
  hit.coverage,
  hit.targetCoverage,
  hit.evalue,
  hit.bitScore,
  hit.reciprocalBest ? 1 : 0,
  hit.sharedNeighbours,
  hit.neighbours,
  hit.reason === null ? -1 : orthologReasons.indexOf(hit.reason),
]

const readHit = (stored: StoredHit): HomologHit => ({
  bundle: stored[0],
  gene: stored[1],
  relation: homologRelations[stored[2]]!,
  identity: stored[3],
  coverage: stored[4],
  targetCoverage: stored[5],
  evalue: stored[6],
  bitScore: stored[7],
  reciprocalBest: stored[8] === 1,
  sharedNeighbours: stored[9],
  neighbours: stored[10],
  reason: orthologReasons[stored[11] ?? -1] ?? null,
})

export type OrthogroupSource = 'clustered' | 'table'

export interface OrthogroupRow {
  id: string
  /** 0 is the largest. */
  position: number
  geneCount: number
  source: OrthogroupSource
  /** Genes by the number of their assembly's bundle. */
  members: Record<string, string[]>
}

/** A bundle that was computed over others. */
export interface PortalBundle {
  bundle: number
  uid: string
  /** Numbers of the bundles it was computed from, ascending. */
  inputs: number[]
  summary: unknown
  createdAt: Date
}

/** Those of a tool, newest first. */
export const listPortalBundles = async (sql: Sql, tool: string): Promise<PortalBundle[]> =>
  sql<PortalBundle[]>`
    select b.id as bundle, b.uid, p.inputs, b.summary, b.created_at as "createdAt"
    from portal_bundles p join bundles b on b.id = p.bundle
    where p.tool = ${tool} order by b.id desc`

/** One by its number; null when it is forgotten. */
export const getPortalBundle = async (sql: Sql, bundle: number): Promise<PortalBundle | null> => {
  const [found] = await sql<PortalBundle[]>`
    select b.id as bundle, b.uid, p.inputs, b.summary, b.created_at as "createdAt"
    from portal_bundles p join bundles b on b.id = p.bundle
    where b.id = ${bundle}`
  return found ?? null
}

/** Registers a sealed bundle as one over others; `createBundle` has attached its rows. */
export const addPortalBundle = async (sql: Sql, bundle: number, tool: string, inputs: number[]): Promise<void> => {
  await sql`insert into portal_bundles (bundle, tool, inputs) values (${bundle}, ${tool}, ${inputs})`
  await notifyCatalogue(sql, '')
}

/** Forgets all but the newest `keep` of a tool, and one that serves what is active; what is forgotten is swept with unused bundles. */
export const deleteOldPortalBundles = async (sql: Sql, tool: string, keep: number, inputs: number[]): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`
      delete from portal_bundles where tool = ${tool} and inputs <> ${inputs} and bundle in (
        select bundle from portal_bundles where tool = ${tool} order by bundle desc offset ${keep})`
  })

const groupColumns = (sql: Sql) => sql`id, position, gene_count as "geneCount", source, members`

export const getOrthogroupRow = async (sql: Sql, bundle: number, id: string): Promise<OrthogroupRow | null> => {
  const [row] = await sql<OrthogroupRow[]>`
    select ${groupColumns(sql)} from ${sql(`orthogroups_${bundle}`)} where id = ${id}`
  return row ?? null
}

/** Those of these ids that there are, in no order, in one answer. */
export const getOrthogroupRows = async (sql: Sql, bundle: number, ids: string[]): Promise<OrthogroupRow[]> =>
  sql<OrthogroupRow[]>`select ${groupColumns(sql)} from ${sql(`orthogroups_${bundle}`)} where id = any(${ids})`

/** Ids of orthogroups by their positions. */
export const listOrthogroupIds = async (
  sql: Sql,
  bundle: number,
  positions: number[],
): Promise<Map<number, string>> => {
  const rows = await sql<{ id: string; position: number }[]>`
    select id, position from ${sql(`orthogroups_${bundle}`)} where position = any(${positions})`
  return new Map(rows.map(({ id, position }) => [position, id]))
}

/** The group of a gene in the first of these assemblies that has a gene of that name. */
export const findGroupOfGene = async (
  sql: Sql,
  bundle: number,
  assemblyBundles: number[],
  gene: string,
): Promise<string | null> => {
  const [row] = await sql<{ orthogroup: string }[]>`
    select orthogroup from ${sql(`homologs_${bundle}`)}
    where assembly_bundle = any(${assemblyBundles}) and gene = ${gene} and orthogroup is not null
    order by array_position(${assemblyBundles}::int[], assembly_bundle) limit 1`
  return row?.orthogroup ?? null
}

/** All groups, largest first, `size` at a time. */
export async function* streamOrthogroupRows(sql: Sql, bundle: number, size = 2000): AsyncGenerator<OrthogroupRow[]> {
  let position = -1
  while (true) {
    const rows = await sql<OrthogroupRow[]>`
      select ${groupColumns(sql)} from ${sql(`orthogroups_${bundle}`)}
      where position > ${position} order by position limit ${size}`
    if (rows.length === 0) return
    yield rows
    position = rows.at(-1)!.position
  }
}

interface HomologRow {
  gene: string
  orthogroup: string | null
  hits: HomologHit[]
}

/** Rows of genes of one assembly, in no order; genes without a protein have none. */
export const getHomologRows = async (
  sql: Sql,
  bundle: number,
  assemblyBundle: number,
  genes: string[],
): Promise<HomologRow[]> => {
  const rows = await sql<{ gene: string; orthogroup: string | null; hits: StoredHit[] }[]>`
    select gene, orthogroup, hits from ${sql(`homologs_${bundle}`)}
    where assembly_bundle = ${assemblyBundle} and gene = any(${genes})`
  return rows.map((row) => ({ ...row, hits: row.hits.map(readHit) }))
}

/** Orthogroup of each gene of one assembly, in one answer. */
export const listGeneOrthogroups = async (
  sql: Sql,
  bundle: number,
  assemblyBundle: number,
  genes: string[],
): Promise<Map<string, string | null>> => {
  const rows = await sql<{ gene: string; orthogroup: string | null }[]>`
    select gene, orthogroup from ${sql(`homologs_${bundle}`)}
    where assembly_bundle = ${assemblyBundle} and gene = any(${genes})`
  return new Map(rows.map((row) => [row.gene, row.orthogroup]))
}

/** Genes of one assembly with their orthogroups: of these groups, or of all when absent. In no order. */
export const listOrthogroupGenes = async (
  sql: Sql,
  bundle: number,
  assemblyBundle: number,
  orthogroups?: string[],
): Promise<{ gene: string; orthogroup: string; position: number }[]> =>
  sql<{ gene: string; orthogroup: string; position: number }[]>`
    select h.gene, h.orthogroup, o.position from ${sql(`homologs_${bundle}`)} h
    join ${sql(`orthogroups_${bundle}`)} o on o.id = h.orthogroup
    where h.assembly_bundle = ${assemblyBundle}
    ${orthogroups === undefined ? sql`` : sql`and h.orthogroup = any(${orthogroups})`}`

export interface RepresentativeRow {
  orthogroup: string
  gene: string
  symbol: string | null
  description: string | null
}

/** A gene of one assembly for each of these orthogroups, one with a symbol before others, then by place in the genome. In no order. */
export const listRepresentatives = async (
  sql: Sql,
  bundle: number,
  assemblyBundle: number,
  orthogroups: string[],
): Promise<RepresentativeRow[]> =>
  sql<RepresentativeRow[]>`
    select distinct on (h.orthogroup) h.orthogroup, h.gene, g.symbol, g.description
    from ${sql(`homologs_${bundle}`)} h
    left join genes g on g.bundle = ${assemblyBundle} and g.id = h.gene
    where h.assembly_bundle = ${assemblyBundle} and h.orthogroup = any(${orthogroups})
    order by h.orthogroup, (g.symbol is null), g.position`
