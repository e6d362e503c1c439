import { type AnnotatedTerm, propagateTerms, type TermAbout } from '../../bio/annotation/propagate-terms.ts'
import type { Sql } from '../../database/connect.ts'
import { RecentAnswers } from '../recent-answers.ts'
import type { PortalData } from './portal-data.ts'

export interface Collection {
  id: string
  source: string | null
  namespace: string | null
  hierarchical: boolean
  terms: AnnotatedTerm[]
  /** Marks of the genes that have any of its terms, and how many they are. */
  annotated: Uint8Array
  annotatedGenes: number
}

export interface TermNotes {
  alternative: number
  replaced: number
  /** Obsolete terms that nothing replaces; they are left out. */
  obsolete: string[]
  /** Terms that the ontology of their vocabulary does not have: tested by themselves. */
  missing: number
}

/** All that an enrichment needs of an assembly, in memory. */
export interface AnnotationIndex {
  geneIds: string[]
  symbols: (string | null)[]
  positionOf: Map<string, number>
  collections: Collection[]
  notes: TermNotes
}

/** Terms that lie in no branch of a vocabulary that has branches. */
export const unplaced = 'unplaced'

interface TermRow {
  source: string
  term: string
  name: string | null
  namespace: string | null
  obsolete: boolean
  replacedBy: string | null
  alternativeIds: string[]
  ancestors: string[]
}

/** Terms at once in a query. */
const batch = 10_000

const readTerms = async (
  sql: Sql,
  bundles: number[],
  source: string | null,
  ids: string[],
  alternatives: boolean,
): Promise<TermRow[]> => {
  const rows: TermRow[] = []
  const ofSource = source === null ? sql`true` : sql`source = ${source}`
  for (let from = 0; from < ids.length; from += batch) {
    const some = ids.slice(from, from + batch)
    const named = alternatives
      ? sql`(term = any(${some}) or alternative_ids && ${some}::text[])`
      : sql`term = any(${some})`
    rows.push(
      ...(await sql<TermRow[]>`
        select source, term, name, namespace, obsolete, replaced_by as "replacedBy", alternative_ids as "alternativeIds", ancestors
        from terms where bundle = any(${bundles}) and ${ofSource} and ${named}
        order by array_position(${bundles}::int[], bundle)`),
    )
  }
  return rows
}

type DirectTerms = ReadonlyMap<string, { name: string | null; genes: Iterable<number> }>

/**
 * Sets direct annotation by terms of one vocabulary (of any, where `source` is null) against the ontologies: alternative ids become
 * primary ones, obsolete terms what replaces them, the rest of the obsolete is left out; terms are then given to all above them, and
 * sorted into collections by vocabulary and branch.
 */
export const indexTerms = async (
  direct: DirectTerms,
  geneCount: number,
  sql: Sql,
  bundles: number[],
  { source, propagate }: { source: string | null; propagate: boolean },
): Promise<{ collections: Collection[]; notes: TermNotes }> => {
  const notes: TermNotes = { alternative: 0, replaced: 0, obsolete: [], missing: 0 }
  const known = new Map<string, TermRow>()
  const alternatives = new Map<string, string>()
  const take = (rows: TermRow[]): void => {
    for (const row of rows) {
      // A term of the ontology wins over one that an annotation file only named: its bundle comes first.
      if (!known.has(row.term)) known.set(row.term, row)
      for (const one of row.alternativeIds) alternatives.set(one, row.term)
    }
  }
  const missingOf = (ids: Iterable<string>): string[] => [...new Set(ids)].filter((id) => !known.has(id))
  // What was loaded had its alternative ids changed then; what is pasted has not.
  take(await readTerms(sql, bundles, source, [...direct.keys()], source === null))
  const replacing = [...known.values()].flatMap(({ obsolete, replacedBy }) =>
    obsolete && replacedBy ? [replacedBy] : [],
  )
  take(await readTerms(sql, bundles, source, missingOf(replacing), false))
  if (propagate) {
    const above = [...known.values()].flatMap(({ ancestors }) => ancestors)
    take(await readTerms(sql, bundles, source, missingOf(above), false))
  }
  const structured = new Set([...known.values()].flatMap((row) => (row.ancestors.length > 0 ? [row.source] : [])))
  const aboveOthers = new Set([...known.values()].flatMap(({ ancestors }) => ancestors))
  const isPlaced = ({ term, namespace, ancestors }: TermRow): boolean =>
    namespace !== null || ancestors.length > 0 || aboveOthers.has(term)

  const genesOf = new Map<string, Set<number>>()
  const about = new Map<string, TermAbout>()
  for (const [id, { name, genes }] of direct) {
    let term = id
    if (!known.has(term) && alternatives.has(term)) {
      term = alternatives.get(term)!
      notes.alternative += 1
    }
    let row = known.get(term)
    // A chain of replacements is followed, a ring is not.
    for (let steps = 0; row?.obsolete === true && steps < 5; steps++) {
      const next: TermRow | undefined = row.replacedBy === null ? undefined : known.get(row.replacedBy)
      if (next === undefined) break
      if (steps === 0) notes.replaced += 1
      row = next
      term = next.term
    }
    if (row?.obsolete === true) {
      notes.obsolete.push(id)
      continue
    }
    if (structured.size > 0 && (row === undefined || (structured.has(row.source) && !isPlaced(row)))) notes.missing += 1
    const list = genesOf.get(term)
    if (list === undefined) genesOf.set(term, new Set(genes))
    else for (const gene of genes) list.add(gene)
    if (row === undefined) about.set(term, { id: term, source, namespace: null, name, ancestors: [] })
  }
  for (const row of known.values()) {
    if (row.obsolete) continue
    const { term, namespace, name, ancestors } = row
    about.set(term, {
      id: term,
      source: row.source,
      namespace,
      name: name ?? direct.get(term)?.name ?? null,
      ancestors,
    })
  }
  const terms = propagateTerms(
    new Map([...genesOf].map(([term, genes]) => [term, Uint32Array.from(genes)])),
    about,
    geneCount,
    propagate,
  )
  return { collections: sortIntoCollections(terms, geneCount), notes }
}

const sortIntoCollections = (terms: readonly AnnotatedTerm[], geneCount: number): Collection[] => {
  const bySource = new Map<string | null, AnnotatedTerm[]>()
  for (const term of terms) {
    const list = bySource.get(term.source)
    if (list === undefined) bySource.set(term.source, [term])
    else list.push(term)
  }
  return orderCollections(
    [...bySource].flatMap(([source, own]) => {
      const namespaces = [...new Set(own.map(({ namespace }) => namespace))]
      const split = namespaces.filter((one) => one !== null).length > 1
      const make = (namespace: string | null, some: AnnotatedTerm[]): Collection => {
        const annotated = new Uint8Array(geneCount)
        for (const { genes } of some) for (const gene of genes) annotated[gene] = 1
        const name = source ?? 'own'
        return {
          id: namespace === null ? name : `${name}/${namespace}`,
          source,
          namespace,
          hierarchical: some.some(({ ancestors }) => ancestors.length > 0),
          terms: some,
          annotated,
          annotatedGenes: annotated.reduce((sum, one) => sum + one, 0),
        }
      }
      return split
        ? namespaces.map((one) =>
            make(
              one ?? unplaced,
              own.filter(({ namespace }) => namespace === one),
            ),
          )
        : [make(null, own)]
    }),
  )
}

const orderCollections = (collections: Collection[]): Collection[] =>
  collections.sort((a, b) => rank(a) - rank(b) || b.annotatedGenes - a.annotatedGenes || (a.id < b.id ? -1 : 1))

const branches = ['biological_process', 'molecular_function', 'cellular_component']
/** The Gene Ontology first, in the order people read it; what is in no branch last. */
const rank = ({ source, namespace }: Collection): number =>
  namespace === unplaced ? 9 : source === 'GO' && namespace !== null ? branches.indexOf(namespace) : 5

interface AssemblyTerms {
  geneIds: string[]
  symbols: (string | null)[]
  positionOf: Map<string, number>
  /** Genes of each term as annotated, by vocabulary. */
  direct: Map<string, Map<string, { name: null; genes: Uint32Array }>>
  bundles: number[]
  indexes: Map<boolean, Promise<AnnotationIndex>>
}

const readAssembly = async (data: PortalData, assembly: string): Promise<AssemblyTerms> => {
  const { sql } = data
  const { species } = await data.getAssembly(assembly)
  const bundle = await data.bundleNumber(assembly)
  const ontology = await data.speciesBundleNumber(species)
  const genes = await sql<{ id: string; symbol: string | null; position: number }[]>`
    select id, symbol, position from ${sql(`genes_${bundle}`)} order by position`
  // An annotation with NOT says that the gene product lacks the function (GAF 2.2, column 4).
  const rows = await sql<{ source: string; term: string; genes: string }[]>`
    select gt.source, gt.term, string_agg(distinct g.position::text, ' ') as genes
    from ${sql(`gene_terms_${bundle}`)} gt join ${sql(`genes_${bundle}`)} g on g.id = gt.gene
    where gt.qualifier is null or gt.qualifier !~* '(^|[|])not([|]|$)'
    group by gt.source, gt.term`
  const placeOf = new Map(genes.map(({ position }, at) => [position, at]))
  const direct: AssemblyTerms['direct'] = new Map()
  for (const { source, term, genes: list } of rows) {
    const own = direct.get(source) ?? new Map()
    own.set(term, { name: null, genes: Uint32Array.from(list.split(' '), (one) => placeOf.get(Number(one))!) })
    direct.set(source, own)
  }
  return {
    geneIds: genes.map(({ id }) => id),
    symbols: genes.map(({ symbol }) => symbol),
    positionOf: new Map(genes.map(({ id }, at) => [id, at])),
    direct,
    bundles: ontology === null ? [bundle] : [ontology, bundle],
    indexes: new Map(),
  }
}

/** Assemblies kept in memory; the annotation of 30,000 genes takes some ten megabytes. */
const assemblies = new RecentAnswers<AssemblyTerms>(6)

const openAssembly = async (data: PortalData, assembly: string): Promise<AssemblyTerms> => {
  // A bundle never changes; another one, or another ontology, has another number.
  const { species, checksum } = await data.getAssembly(assembly)
  const key = `${await data.bundleNumber(assembly)} ${await data.speciesBundleNumber(species)} ${checksum}`
  return assemblies.get(key, () => readAssembly(data, assembly))
}

/** The loaded annotation of an assembly; read once, then kept. */
export const readAnnotation = async (
  data: PortalData,
  assembly: string,
  propagate: boolean,
): Promise<AnnotationIndex> => {
  const held = await openAssembly(data, assembly)
  const found = held.indexes.get(propagate)
  if (found !== undefined) return found
  const { geneIds, symbols, positionOf, direct, bundles } = held
  const making = Promise.all(
    [...direct].map(([source, terms]) => indexTerms(terms, geneIds.length, data.sql, bundles, { source, propagate })),
  ).then((parts) => ({
    geneIds,
    symbols,
    positionOf,
    collections: orderCollections(parts.flatMap(({ collections }) => collections)),
    notes: {
      alternative: 0,
      replaced: parts.reduce((sum, { notes }) => sum + notes.replaced, 0),
      obsolete: parts.flatMap(({ notes }) => notes.obsolete),
      missing: parts.reduce((sum, { notes }) => sum + notes.missing, 0),
    },
  }))
  held.indexes.set(propagate, making)
  making.catch(() => held.indexes.delete(propagate))
  return making
}

/** Genes of an assembly without its annotation. */
export const readGenes = async (
  data: PortalData,
  assembly: string,
): Promise<Pick<AnnotationIndex, 'geneIds' | 'symbols' | 'positionOf'> & { bundles: number[] }> =>
  openAssembly(data, assembly)
