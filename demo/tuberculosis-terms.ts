import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findMostSpecific, readTermTree, type TermTree } from './gene-ontology.ts'
import type { TableGene } from './tuberculosis-genes.ts'

/** Rows of an annotation table (gene, term, name), and genes that the source names but the gene table does not have. */
export interface TermTable {
  lines: string[]
  genes: number
  terms: number
  unknownGenes: string[]
}

export const ontologyFile = 'gene_ontology.1_2.3-11-18.obo'

async function readPairs(file: string): Promise<Map<string, Set<string>>> {
  const pairs = new Map<string, Set<string>>()
  for (const line of (await readFile(file, 'utf8')).split(/\r?\n/)) {
    const [gene, term] = line.split('\t')
    if (!gene || !term || gene.startsWith('#')) continue
    const terms = pairs.get(gene)
    if (terms) terms.add(term.trim())
    else pairs.set(gene, new Set([term.trim()]))
  }
  return pairs
}

function tableOf(
  pairs: ReadonlyMap<string, readonly string[]>,
  loci: ReadonlySet<string>,
  nameOf: (term: string) => string,
): TermTable {
  const lines: string[] = []
  const terms = new Set<string>()
  const unknownGenes: string[] = []
  let genes = 0
  for (const [gene, its] of pairs) {
    if (!loci.has(gene)) {
      unknownGenes.push(gene)
      continue
    }
    if (its.length) genes++
    for (const term of its) {
      terms.add(term)
      lines.push(`${gene}\t${term}\t${nameOf(term)}`)
    }
  }
  return { lines, genes, terms: terms.size, unknownGenes }
}

export const readGeneOntology = (dataDir: string): Promise<TermTree> => readTermTree(join(dataDir, ontologyFile))

/**
 * GO terms of the genes. The table of H37Rv has every ancestor written out; what is kept is the most specific terms of each
 * gene, from which the ontology gives all of the others back. Merged ids become the id they were merged into.
 */
export async function makeOntologyTable(
  dataDir: string,
  fileName: string,
  genes: readonly TableGene[],
  tree: TermTree,
): Promise<TermTable> {
  const specific = new Map<string, string[]>()
  for (const [gene, terms] of await readPairs(join(dataDir, fileName)))
    specific.set(gene, findMostSpecific(tree, new Set([...terms].map((term) => tree.primary.get(term) ?? term))))
  return tableOf(specific, new Set(genes.map(({ locus }) => locus)), (term) => tree.names.get(term) ?? '')
}

/** The functional roles of the Sanger centre's annotation: a hierarchy by its numbers, `I.B.6.a` under `I.B.6`. */
export async function readRoles(dataDir: string): Promise<Map<string, string>> {
  const roles = new Map<string, string>()
  for (const line of (await readFile(join(dataDir, 'sanger_roles.dat'), 'utf8')).split(/\r?\n/)) {
    const [code, name] = line.split('\t')
    if (code && name) roles.set(code.trim(), name.trim())
  }
  return roles
}

const roleId = (code: string): string => `Role:${code}`

const parentRole = (code: string): string | null => {
  const dot = code.lastIndexOf('.')
  return dot < 0 ? null : code.slice(0, dot)
}

export function renderRoleOntology(roles: ReadonlyMap<string, string>): string[] {
  const lines = ['format-version: 1.2', 'ontology: role', 'default-namespace: functional_role']
  for (const [code, name] of roles) {
    lines.push('', '[Term]', `id: ${roleId(code)}`, `name: ${name}`)
    const parent = parentRole(code)
    if (parent && roles.has(parent)) lines.push(`is_a: ${roleId(parent)} ! ${roles.get(parent)}`)
  }
  return lines
}

/** Roles of the genes, the most specific of each branch; the source also lists every role above. */
export async function makeRoleTable(
  dataDir: string,
  genes: readonly TableGene[],
  roles: ReadonlyMap<string, string>,
): Promise<TermTable> {
  const specific = new Map<string, string[]>()
  for (const [gene, codes] of await readPairs(join(dataDir, 'H37Rv_sanger_roles.dat')))
    specific.set(
      gene,
      [...codes].filter((code) => ![...codes].some((other) => other.startsWith(`${code}.`))).map(roleId),
    )
  const nameOf = (id: string) => roles.get(id.slice('Role:'.length)) ?? ''
  return tableOf(specific, new Set(genes.map(({ locus }) => locus)), nameOf)
}

/** Clusters of orthologous groups with the one-letter categories they belong to. */
export interface ClusterNames {
  categories: Map<string, string>
  /** Name of a cluster where the source has one. */
  names: Map<string, string>
  letters: Map<string, string>
}

/** Reads the names; letters come from the gene tables where they have them. */
export async function readClusters(dataDir: string, tables: Iterable<readonly TableGene[]>): Promise<ClusterNames> {
  const categories = new Map<string, string>()
  for (const line of (await readFile(join(dataDir, 'COG_roles.dat'), 'utf8')).split(/\r?\n/)) {
    const [letter, name] = line.split('\t')
    if (letter && name) categories.set(letter.trim(), name.trim())
  }
  const names = new Map<string, string>()
  const letters = new Map<string, string>()
  for (const genes of tables)
    for (const { clusters } of genes)
      for (const cluster of clusters) if (cluster.letters) letters.set(cluster.id, cluster.letters)
  for (const line of (await readFile(join(dataDir, 'smeg_COG_roles.dat'), 'utf8')).split(/\r?\n/)) {
    const [, , its, id, name] = line.split('\t')
    if (!id || !name) continue
    names.set(id, name.trim().replaceAll(/ {2,}/g, ' '))
    if (!letters.has(id) && its) letters.set(id, its)
  }
  return { categories, names, letters }
}

const categoryId = (letter: string): string => `COG:${letter}`

export function renderClusterOntology({ categories, names, letters }: ClusterNames): string[] {
  const lines = ['format-version: 1.2', 'ontology: cog', 'default-namespace: cog']
  for (const [letter, name] of categories)
    lines.push('', '[Term]', `id: ${categoryId(letter)}`, `name: ${name}`, 'namespace: cog_category')
  for (const id of [...letters.keys()].sort()) {
    lines.push('', '[Term]', `id: ${id}`, `name: ${names.get(id) ?? id}`)
    for (const letter of letters.get(id) ?? '')
      if (categories.has(letter)) lines.push(`is_a: ${categoryId(letter)} ! ${categories.get(letter)}`)
  }
  return lines
}

/** Clusters of the genes, from the gene table. */
export function makeClusterTable(genes: readonly TableGene[], { names }: ClusterNames): TermTable {
  const pairs = new Map<string, string[]>()
  for (const { locus, clusters } of genes)
    if (clusters.length) pairs.set(locus, [...new Set(clusters.map(({ id }) => id))])
  return tableOf(pairs, new Set(pairs.keys()), (id) => names.get(id) ?? '')
}
