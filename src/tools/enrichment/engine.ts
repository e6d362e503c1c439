import { type GeneSets, GeneSetTextError, parseGeneSets } from '../../bio/annotation/gene-set-files.ts'
import { reduceEdges } from '../../bio/annotation/propagate-terms.ts'
import { fieldError } from '../../contracts/errors.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import {
  type Collection,
  indexTerms,
  readAnnotation,
  readGenes,
  type TermNotes,
} from '../../kit/data/annotation-index.ts'
import { findAssemblyOfGenes } from '../../kit/data/find-assembly.ts'
import { findAskedGenes, type NameProblem } from '../../kit/data/genes/find-genes.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { adjustTogether, enrichTerms, type TestedCollection } from './enrich-terms.ts'
import { routes } from './routes.ts'
import tool, { type EnrichmentInput, type EnrichmentResult, limits, type TermGraph } from './tool.ts'

/** Names and terms that a result lists; all are counted. */
const listed = 200

/** The genes that the computation runs over: those of an assembly, or those that an own annotation names. */
interface Universe {
  assembly: string | null
  ids: string[]
  symbols: (string | null)[]
  /** Positions by exact id. */
  positionOf: Map<string, number>
  find(names: readonly string[]): Promise<{ found: Map<string, number>; problems: NameProblem[] }>
}

const openAssemblyGenes = async (data: PortalData, assembly: string): Promise<Universe & { bundles: number[] }> => {
  const { geneIds, symbols, positionOf, bundles } = await readGenes(data, assembly)
  return {
    assembly,
    ids: geneIds,
    symbols,
    positionOf,
    bundles,
    find: async (names) => {
      const found = new Map<string, number>()
      const others: string[] = []
      for (const name of names) {
        const position = positionOf.get(name)
        if (position === undefined) others.push(name)
        else found.set(name, position)
      }
      if (others.length === 0) return { found, problems: [] }
      const { genes, problems } = await findAskedGenes(others, assembly, data)
      for (const { query, id } of genes) found.set(query, positionOf.get(id)!)
      return { found, problems }
    },
  }
}

/** Genes without an assembly are their names, in any case of letters. */
const openNamedGenes = (names: Iterable<string>): Universe => {
  const ids: string[] = []
  const positions = new Map<string, number>()
  for (const name of names) {
    const key = name.toLowerCase()
    if (positions.has(key)) continue
    positions.set(key, ids.length)
    ids.push(name)
  }
  return {
    assembly: null,
    ids,
    symbols: ids.map(() => null),
    positionOf: new Map(ids.map((id, at) => [id, at])),
    find: async (wanted) => {
      const found = new Map<string, number>()
      const problems: NameProblem[] = []
      for (const query of wanted) {
        const position = positions.get(query.toLowerCase())
        if (position === undefined) problems.push({ query, id: 'reason.notInAnnotation', params: {} })
        else found.set(query, position)
      }
      return { found, problems }
    },
  }
}

interface Prepared {
  universe: Universe
  collections: Collection[]
  notes: TermNotes
  format: 'gmt' | 'table' | null
  unknownGenes: string[]
  /** Genes of which no assembly says that they are there. */
  namedOnly: boolean
}

const listOntologies = async (data: PortalData): Promise<number[]> => {
  const numbers = await Promise.all((await data.listSpecies()).map(({ id }) => data.speciesBundleNumber(id)))
  return numbers.filter((one) => one !== null)
}

const readOwn = (input: EnrichmentInput): GeneSets => {
  try {
    return parseGeneSets(input.ownAnnotation, input.ownFormat)
  } catch (error) {
    if (error instanceof GeneSetTextError)
      throw fieldError(['ownAnnotation'], `own.${error.reason}`, { line: error.line })
    throw error
  }
}

const prepareOwn = async (input: EnrichmentInput, { data }: EngineContext): Promise<Prepared> => {
  const own = readOwn(input)
  const names = new Set<string>()
  for (const { genes } of own.terms.values()) for (const gene of genes) names.add(gene)
  const ofAssembly = input.assembly === undefined ? null : await openAssemblyGenes(data, input.assembly)
  // Without an assembly the set may name genes that no term has; they are of the universe of "all genes" then.
  const universe = ofAssembly ?? openNamedGenes([...names, ...splitIdentifiers(input.backgroundGenes)])
  const { found, problems } = await universe.find([...names])
  if (found.size === 0)
    throw fieldError(['ownAnnotation'], 'own.noGenes', { gene: [...names][0] ?? '', format: own.format })
  const direct = new Map(
    [...own.terms].map(([term, { name, genes }]) => [
      term,
      { name, genes: [...genes].flatMap((gene) => found.get(gene) ?? []) },
    ]),
  )
  const bundles = ofAssembly?.bundles ?? (await listOntologies(data))
  const { collections, notes } = await indexTerms(direct, universe.ids.length, data.sql, bundles, {
    source: null,
    propagate: input.propagate,
  })
  return {
    universe,
    collections,
    notes,
    format: own.format,
    unknownGenes: problems.map(({ query }) => query),
    namedOnly: ofAssembly === null,
  }
}

const prepareLoaded = async (input: EnrichmentInput, { data }: EngineContext): Promise<Prepared> => {
  const assembly = input.assembly ?? (await findAssemblyOfGenes(data, input.genes, 'annotation'))
  if (assembly === null) throw fieldError(['genes'], 'genes.nowhere', { first: input.genes[0] ?? '' })
  const universe = await openAssemblyGenes(data, assembly)
  const { collections, notes } = await readAnnotation(data, assembly, input.propagate)
  if (collections.length === 0) throw fieldError(['assembly'], 'assembly.noAnnotation', { assembly })
  return { universe, collections, notes, format: null, unknownGenes: [], namedOnly: false }
}

const chooseCollections = (collections: Collection[], wanted: readonly string[]): Collection[] => {
  if (wanted.length === 0) return collections
  for (const id of wanted)
    if (!collections.some((one) => one.id === id || one.source === id))
      throw fieldError(['collections'], 'collections.unknown', {
        id,
        known: collections.map((one) => one.id).join(', '),
      })
  return collections.filter(({ id, source }) => wanted.includes(id) || (source !== null && wanted.includes(source)))
}

const graphOf = (number: number, tested: TestedCollection, threshold: number): TermGraph => {
  const enriched = tested.tested.filter(({ adjustedPValue }) => adjustedPValue <= threshold)
  const leading = enriched.slice(0, limits.graphTerms)
  const wanted = new Set(leading.flatMap(({ term }) => [term.id, ...term.ancestors]))
  const adjusted = new Map(tested.tested.map(({ term, adjustedPValue }) => [term.id, adjustedPValue]))
  const nodes = tested.counted.filter(({ term }) => wanted.has(term.id))
  return {
    collection: number,
    nodes: nodes.map(({ term, setCount, backgroundCount }) => ({
      id: term.id,
      name: term.name,
      setCount,
      backgroundCount,
      adjustedPValue: adjusted.get(term.id) ?? null,
    })),
    edges: reduceEdges(nodes.map(({ term }) => term)),
    shown: leading.length,
    of: enriched.length,
  }
}

const run = async (input: EnrichmentInput, context: EngineContext): Promise<EnrichmentResult> => {
  const { receipt, signal } = context
  const prepared = input.annotation === 'own' ? await prepareOwn(input, context) : await prepareLoaded(input, context)
  const { universe } = prepared
  const collections = chooseCollections(prepared.collections, input.collections)
  const asked = await universe.find(input.genes)
  const setPositions = [...new Set(asked.found.values())]
  if (setPositions.length === 0)
    throw fieldError(['genes'], 'genes.noneFound', { count: input.genes.length, first: input.genes[0] ?? '' })
  const geneCount = universe.ids.length
  const set = new Uint8Array(geneCount)
  for (const position of setPositions) set[position] = 1

  const given = input.background === 'own' ? splitIdentifiers(input.backgroundGenes) : null
  let list: Uint8Array | null = null
  let unknown: string[] = []
  if (given !== null) {
    if (given.length === 0) throw fieldError(['backgroundGenes'], 'backgroundGenes.none')
    if (given.length > limits.backgroundGenes)
      throw fieldError(['backgroundGenes'], 'backgroundGenes.tooMany', { limit: limits.backgroundGenes })
    const { found, problems } = await universe.find(given)
    if (found.size === 0) throw fieldError(['backgroundGenes'], 'backgroundGenes.noneFound', { first: given[0]! })
    unknown = problems.map(({ query }) => query)
    list = new Uint8Array(geneCount)
    for (const position of found.values()) list[position] = 1
  }
  const everyGene = new Uint8Array(geneCount).fill(1)
  const backgroundFor = (collection: Collection): Uint8Array => {
    if (input.background === 'annotated') return collection.annotated
    if (list === null) return everyGene
    const own = list
    return input.annotatedOnly ? collection.annotated.map((one, gene) => one & own[gene]!) : own
  }

  const placeOf = new Map(setPositions.map((position, at) => [position, at]))
  const results: EnrichmentResult['collections'] = []
  const terms: EnrichmentResult['terms'] = []
  const graphs: TermGraph[] = []
  let termCount = 0
  const all = collections.map((collection) => {
    signal.throwIfAborted()
    const background = backgroundFor(collection)
    return { background, tested: enrichTerms(collection.terms, set, background, input) }
  })
  const together = new Map<string, number[]>()
  for (const [number, { id, source }] of collections.entries()) {
    const key = { collection: id, vocabulary: source ?? '', all: '' }[input.correctedOver]
    together.set(key, [...(together.get(key) ?? []), number])
  }
  const correctedTests = new Map<number, number>()
  for (const numbers of together.values()) {
    const tests = adjustTogether(
      numbers.map((number) => all[number]!.tested),
      input.correction,
    )
    for (const number of numbers) correctedTests.set(number, tests)
  }
  for (const [number, collection] of collections.entries()) {
    const { background, tested } = all[number]!
    results.push({
      id: collection.id,
      source: collection.source,
      namespace: collection.namespace,
      hierarchical: collection.hierarchical && input.propagate,
      annotatedGenes: collection.annotatedGenes,
      backgroundGenes: tested.backgroundGenes,
      setGenes: tested.setGenes,
      outside: setPositions.flatMap((position, at) => (background[position] === 1 ? [] : [at])),
      terms: tested.terms,
      tests: tested.tests,
      small: tested.small,
      large: tested.large,
      unhit: tested.unhit,
      correctedTests: correctedTests.get(number)!,
      significant: tested.tested.filter(({ adjustedPValue }) => adjustedPValue <= input.threshold).length,
    })
    termCount += tested.tested.length
    for (const one of tested.tested)
      terms.push({
        collection: number,
        id: one.term.id,
        name: one.term.name,
        setCount: one.setCount,
        backgroundCount: one.backgroundCount,
        fold: one.fold,
        oddsRatio: one.oddsRatio,
        pValue: one.pValue,
        adjustedPValue: one.adjustedPValue,
        genes: [...one.term.genes].flatMap((gene) =>
          set[gene] === 1 && background[gene] === 1 ? [placeOf.get(gene)!] : [],
        ),
      })
    if (collection.hierarchical && input.propagate) {
      const graph = graphOf(number, tested, input.threshold)
      if (graph.shown > 0) graphs.push(graph)
    }
  }
  // The least telling of all collections go first, should there be too many.
  const kept =
    terms.length <= limits.shownTerms
      ? terms
      : [...terms]
          .sort((a, b) => a.pValue - b.pValue)
          .slice(0, limits.shownTerms)
          .sort((a, b) => a.collection - b.collection || a.pValue - b.pValue)
  if (universe.assembly !== null) receipt.addData(universe.assembly)
  receipt.addStep({
    program: 'NovoDB enrichment',
    version: String(tool.version),
    formula: `${
      {
        more: 'one-sided hypergeometric test for enrichment, P(X >= k)',
        fewer: 'one-sided hypergeometric test for depletion, P(X <= k)',
        both: "Fisher's exact test, two-sided: probabilities of all counts not likelier than k",
      }[input.direction]
    }, the set drawn from the background; ${
      { bh: 'Benjamini-Hochberg', holm: 'Holm', bonferroni: 'Bonferroni' }[input.correction]
    } over the tests of ${
      {
        collection: 'each collection by itself',
        vocabulary: 'all collections of a vocabulary together',
        all: 'all collections together',
      }[input.correctedOver]
    } (${input.tested === 'all' ? 'all its terms of the sizes asked for' : 'terms with a gene of the set'})${
      input.propagate ? '; terms propagated over is_a and part_of' : ''
    }`,
  })
  if (input.correction === 'bh')
    receipt.cite({
      text: 'Benjamini Y, Hochberg Y (1995). Controlling the false discovery rate. J R Stat Soc B 57:289-300.',
      doi: '10.1111/j.2517-6161.1995.tb02031.x',
    })
  if (input.correction === 'holm')
    receipt.cite({
      text: 'Holm S (1979). A simple sequentially rejective multiple test procedure. Scand J Stat 6:65-70.',
    })
  if (collections.some(({ source }) => source === 'GO'))
    receipt.cite({
      text: 'Ashburner M et al. (2000). Gene Ontology: tool for the unification of biology. Nat Genet 25:25-29.',
      doi: '10.1038/75556',
    })
  return {
    assembly: universe.assembly,
    genes: setPositions.map((position) => ({
      id: universe.ids[position]!,
      symbol: universe.symbols[position] ?? null,
    })),
    asked: input.genes.length,
    problems: asked.problems.slice(0, listed),
    problemCount: asked.problems.length,
    background: {
      kind: input.background,
      given: given?.length ?? null,
      found: list?.reduce((sum, one) => sum + one, 0) ?? null,
      unknown: unknown.slice(0, listed),
    },
    annotation: {
      kind: input.annotation,
      format: prepared.format,
      alternative: prepared.notes.alternative,
      replaced: prepared.notes.replaced,
      obsolete: prepared.notes.obsolete.slice(0, listed),
      obsoleteCount: prepared.notes.obsolete.length,
      missing: prepared.notes.missing,
      unknownGenes: prepared.unknownGenes.slice(0, listed),
      unknownGeneCount: prepared.unknownGenes.length,
    },
    collections: results,
    terms: kept,
    termCount,
    graphs,
  }
}

export default defineEngine({
  tool,
  programs: [],
  run,
  routes,
})
