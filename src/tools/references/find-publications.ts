import type { z } from 'zod'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { expressionKind } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import {
  assemblyDataSet,
  correctTerms,
  type DataSet,
  expressionDataSet,
  fold,
  identityOf,
  meansGene,
  type Publication,
  readPublication,
  readTerms,
  touchesDataSet,
  trackDataSet,
  weighPublication,
} from './publications.ts'
import type { BakedReference } from './stored.ts'
import type { FoundPublication, PublicationKey, searchFields } from './tool.ts'
import tool from './tool.ts'

export type Search = z.output<z.ZodObject<typeof searchFields>>

/** Commonest keywords that are offered to choose from, and how many are looked at before names of genes are left out. */
const keywordChoices = 40
const keywordCandidates = 200
/** Genes that are shown for one name of a publication. */
const genesPerName = 5

// A bundle never changes, so what is read of it stays true; a few are kept, for a portal has few species at a time.
const read = new RecentAnswers<Publication[]>(24)

const readBundle = (data: PortalData, species: string, bundle: number): Promise<Publication[]> =>
  read.get(String(bundle), async () => {
    const records = await data.listRecords<BakedReference>('reference', { species })
    return records.filter((record) => record.assembly === null).map((record) => readPublication(species, record.data))
  })

/** All that is loaded, species after species, and the assemblies they may be about. */
const openLibrary = async (
  data: PortalData,
): Promise<{ publications: Publication[]; assemblies: AssemblySummary[]; speciesNames: Map<string, string> }> => {
  const species = await data.listSpecies()
  const publications: Publication[] = []
  for (const { id } of species) {
    const bundle = await data.speciesBundleNumber(id)
    if (bundle !== null) publications.push(...(await readBundle(data, id, bundle)))
  }
  return {
    publications,
    assemblies: await data.listAssemblies(),
    speciesNames: new Map(species.map((one) => [one.id, one.name])),
  }
}
type Library = Awaited<ReturnType<typeof openLibrary>>

interface GeneNames {
  genes: GeneSummary[]
  species: Set<string>
  /** Every name of the genes, and of these those that must be written the same. */
  any: Set<string>
  ids: Set<string>
  symbols: Set<string>
}

/** The genes that a name means, with all their names; no gene where it is unknown. */
const openGene = async (
  data: PortalData,
  { assemblies }: Library,
  name: string,
  within: string,
): Promise<GeneNames> => {
  const resolved = await data.resolveGenes([name], within === '' ? undefined : within)
  const genes = [...resolved.found.map((one) => one.gene), ...resolved.ambiguous.flatMap((one) => one.genes)]
  const names: GeneNames = { genes, species: new Set(), any: new Set(), ids: new Set(), symbols: new Set() }
  for (const gene of genes) {
    const species = assemblies.find((one) => one.id === gene.assembly)?.species
    if (species !== undefined) names.species.add(species)
    const [whole] = await data.getGenes(gene.assembly, [gene.id])
    names.ids.add(gene.id.toLowerCase())
    if (gene.symbol !== null) names.symbols.add(gene.symbol)
    for (const one of [
      gene.id,
      gene.symbol,
      ...(whole?.aliases ?? []),
      ...(whole?.transcripts ?? []).flatMap((transcript) => [transcript.id, transcript.proteinId]),
    ])
      if (one !== null) names.any.add(one.toLowerCase())
  }
  return names
}

const namesGene = (publication: Publication, gene: GeneNames): boolean =>
  gene.species.has(publication.species) &&
  publication.geneNames.some(
    ({ name, by }) =>
      gene.ids.has(name.toLowerCase()) ||
      gene.symbols.has(name) ||
      (gene.any.has(name.toLowerCase()) && (by === 'entry' || (by === 'keyword' && /[A-Za-z].*\d/.test(name)))),
  )

type Condition = 'species' | 'assembly' | 'keyword' | 'year' | 'gene'

const orders: Record<Search['sort'], (a: Publication, b: Publication) => number> = {
  // Equal weights: the newest first.
  relevance: (a, b) => orders.newest(a, b),
  newest: (a, b) => (b.reference.year ?? 0) - (a.reference.year ?? 0) || orders.title(a, b),
  oldest: (a, b) => (a.reference.year ?? 9999) - (b.reference.year ?? 9999) || orders.title(a, b),
  title: (a, b) =>
    fold(a.reference.title ?? a.reference.key).localeCompare(fold(b.reference.title ?? b.reference.key), 'en'),
  author: (a, b) =>
    fold(a.reference.authors[0] ?? '\uffff').localeCompare(fold(b.reference.authors[0] ?? '\uffff'), 'en') ||
    orders.newest(a, b),
}

/** The same publication as one or several species have it, of those that fit. */
interface FoundGroup {
  publications: Publication[]
  weight: number
}

/** Everything that fits, in order, with what the filters would find. Words that nothing has are read as the nearest. */
export const findPublications = async (search: Search, data: PortalData) => {
  const library = await openLibrary(data)
  const { publications, assemblies, speciesNames } = library
  const sets = assemblies.map(assemblyDataSet)
  const gene = search.gene === '' ? null : await openGene(data, library, search.gene, search.geneAssembly)
  const { terms, corrections } = correctTerms(publications, readTerms(search.words))
  const keyword = fold(search.keyword)
  const chosenSet = sets.find((set) => set.id === search.assembly)

  const failing = (publication: Publication): Condition[] => {
    const { reference, species } = publication
    const failed: Condition[] = []
    if (search.species !== '' && species !== search.species) failed.push('species')
    if (search.assembly !== '' && (chosenSet === undefined || touchesDataSet(publication, chosenSet) === null))
      failed.push('assembly')
    if (keyword !== '' && !reference.keywords.some((one) => fold(one) === keyword)) failed.push('keyword')
    const { year } = reference
    if (
      (search.yearFrom != null && (year === null || year < search.yearFrom)) ||
      (search.yearTo != null && (year === null || year > search.yearTo))
    )
      failed.push('year')
    if (gene !== null && !namesGene(publication, gene)) failed.push('gene')
    return failed
  }

  // One that several species load is one result, counted once.
  const byIdentity = new Map<string, FoundGroup>()
  const counts = {
    years: new Map<number, Set<string>>(),
    species: new Map<string, Set<string>>(),
    assemblies: new Map<string, Set<string>>(),
    keywords: new Map<string, Set<string>>(),
  }
  const keywordTexts = new Map<string, string>()
  for (const publication of publications) {
    const identity = identityOf(publication)
    const count = <Key>(into: Map<Key, Set<string>>, key: Key): void =>
      void into.set(key, (into.get(key) ?? new Set()).add(identity))
    const weight = weighPublication(publication, terms)
    if (weight === null) continue
    const failed = failing(publication)
    if (failed.length === 0) {
      const group = byIdentity.get(identity) ?? { publications: [], weight: 0 }
      group.publications.push(publication)
      group.weight = Math.max(group.weight, weight)
      byIdentity.set(identity, group)
    }
    if (failed.length > 1) continue
    const only = failed[0]
    const { reference, species } = publication
    if ((only === undefined || only === 'year') && reference.year !== null) count(counts.years, reference.year)
    if (only === undefined || only === 'species') count(counts.species, species)
    if (only === undefined || only === 'assembly')
      for (const set of sets) if (touchesDataSet(publication, set) !== null) count(counts.assemblies, set.id)
    if (only === undefined || only === 'keyword')
      for (const word of reference.keywords) {
        count(counts.keywords, fold(word))
        if (!keywordTexts.has(fold(word))) keywordTexts.set(fold(word), word)
      }
  }
  const order = orders[search.sort]
  const found = [...byIdentity.values()].sort((a, b) => {
    const byOrder = order(a.publications[0]!, b.publications[0]!)
    return search.sort === 'relevance' ? b.weight - a.weight || byOrder : byOrder
  })

  const common = [...counts.keywords]
    .map(([key, { size }]) => ({ keyword: keywordTexts.get(key)!, count: size }))
    .sort((a, b) => b.count - a.count || a.keyword.localeCompare(b.keyword, 'en'))
    .slice(0, keywordCandidates)
  const resolved = await data.resolveGenes(common.map((one) => one.keyword).filter((one) => !/\s/.test(one)))
  const meant = new Set([
    ...resolved.found.flatMap(({ query, gene: one }) =>
      meansGene({ name: query, by: 'keyword' }, one) ? [query] : [],
    ),
    ...resolved.ambiguous.flatMap(({ query, genes }) =>
      genes.some((one) => meansGene({ name: query, by: 'keyword' }, one)) ? [query] : [],
    ),
  ])
  const assemblyNames = new Set(sets.flatMap((set) => set.names))
  return {
    library,
    found: found.map((one) => one.publications),
    loaded: new Set(publications.map(identityOf)).size,
    corrections,
    gene: gene === null ? null : { query: search.gene, genes: gene.genes },
    facets: {
      years: [...counts.years].map(([year, { size }]) => ({ year, count: size })).sort((a, b) => a.year - b.year),
      species: [...counts.species]
        .map(([species, { size }]) => ({ species, name: speciesNames.get(species) ?? species, count: size }))
        .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'en')),
      assemblies: [...counts.assemblies]
        .map(([assembly, { size }]) => ({ assembly, count: size }))
        .sort((a, b) => b.count - a.count || a.assembly.localeCompare(b.assembly, 'en')),
      keywords: common
        .filter(({ keyword: one }) => !meant.has(one) || assemblyNames.has(fold(one)))
        .slice(0, keywordChoices),
    },
  }
}

/** The publications of the keys, in the order given, each with all species that have it; unknown keys are left out. */
export const choosePublications = (
  publications: readonly Publication[],
  keys: readonly PublicationKey[],
): Publication[][] => {
  const groups = new Map<string, Publication[]>()
  const byKey = new Map<string, Publication[]>()
  for (const one of publications) {
    const identity = identityOf(one)
    const group = groups.get(identity) ?? []
    group.push(one)
    groups.set(identity, group)
    byKey.set(`${one.species}\n${one.reference.key}`, group)
  }
  const chosen = keys.flatMap(({ species, key }) => {
    const group = byKey.get(`${species}\n${key}`)
    return group === undefined ? [] : [group]
  })
  return [...new Set(chosen)]
}

interface BakedTrackText {
  id: string
  name: DataSet['name']
  description: DataSet['name'] | null
  category: DataSet['name'] | null
  simulated: boolean
}

/** Publications as they are shown: with the data sets and the genes that they touch in every species that has them. */
export const describePublications = async (
  groups: readonly (readonly Publication[])[],
  library: Library,
  data: PortalData,
): Promise<FoundPublication[]> => {
  const described = await describeEach(groups.flat(), library, data)
  return groups.map((group) => {
    const [first, ...others] = group.map((one) => described.get(one)!)
    const genes = structuredClone(first!.genes)
    for (const one of others.flatMap((other) => other.genes)) {
      const known = genes.find(({ name }) => name === one.name)
      if (known === undefined) genes.push(one)
      else known.genes.push(...one.genes)
    }
    return {
      ...first!,
      keywords: [...new Set(group.flatMap(({ reference }) => reference.keywords))],
      records: group.map(({ species, reference }) => ({ species, key: reference.key })),
      dataSets: [first!, ...others].flatMap(({ dataSets }) => dataSets),
      genes,
    }
  })
}

const describeEach = async (
  shown: readonly Publication[],
  { assemblies }: Library,
  data: PortalData,
): Promise<Map<Publication, FoundPublication>> => {
  const answer = new Map<Publication, FoundPublication>()
  for (const species of new Set(shown.map((one) => one.species))) {
    const own = assemblies
      .filter((one) => one.species === species)
      .sort((a, b) => Number(b.reference) - Number(a.reference))
    const tracks = await data.listRecords<BakedTrackText>('track', { species })
    const measured = await data.listRecords<ExpressionDataset>(expressionKind, { species })
    const sets = [
      ...own.map(assemblyDataSet),
      ...tracks.flatMap((track) =>
        track.assembly === null ? [] : [trackDataSet(species, track.assembly, track.data)],
      ),
      ...measured.flatMap(({ assembly, data: dataset }) =>
        assembly === null ? [] : [expressionDataSet(species, assembly, dataset)],
      ),
    ]
    const assemblyNames = new Set(sets.flatMap((set) => set.names))
    const group = shown.filter((one) => one.species === species)
    const named = group.map((publication) => ({
      publication,
      dataSets: sets.flatMap((set) => {
        const by = touchesDataSet(publication, set)
        return by === null ? [] : [{ set, by }]
      }),
      // A strain's name is no gene, though some gene may have it as an alias.
      names: publication.geneNames.filter(({ name, by }) => by === 'entry' || !assemblyNames.has(fold(name))),
    }))
    // First where the publication is, or the reference; every other assembly only for what is not there.
    const wanted = new Map<string, Set<string>>()
    for (const { dataSets, names } of named) {
      const places = [...new Set(dataSets.map(({ set }) => set.assembly))]
      for (const place of places.length > 0 ? places : own.slice(0, 1).map((one) => one.id)) {
        const list = wanted.get(place) ?? new Set()
        for (const { name } of names) list.add(name)
        wanted.set(place, list)
      }
    }
    const inAssembly = new Map<string, Map<string, GeneSummary[]>>()
    for (const [assembly, names] of wanted) inAssembly.set(assembly, await resolve(data, [...names], assembly))
    const missing = new Set<string>()
    for (const { names } of named)
      for (const { name, by } of names)
        if (by !== 'text' && ![...inAssembly.values()].some((known) => known.has(name))) missing.add(name)
    const elsewhere = await resolve(data, [...missing])
    const ofSpecies = new Set(own.map((one) => one.id))

    for (const { publication, dataSets, names } of named) {
      const places = new Set(dataSets.map(({ set }) => set.assembly))
      const { line: _, genes: __, assemblies: ___, ...rest } = publication.reference
      const seen = new Set<string>()
      answer.set(publication, {
        ...rest,
        species,
        records: [],
        dataSets: dataSets.map(({ set, by }) => ({
          kind: set.kind,
          assembly: set.assembly,
          id: set.id,
          name: set.name,
          by,
          simulated: set.simulated,
        })),
        genes: names.flatMap(({ name, by }) => {
          const here = [...inAssembly].flatMap(([assembly, known]) =>
            places.size === 0 || places.has(assembly) ? (known.get(name) ?? []) : [],
          )
          const genes = (here.length > 0 ? here : (elsewhere.get(name) ?? []))
            .filter((gene) => ofSpecies.has(gene.assembly) && meansGene({ name, by }, gene))
            .slice(0, genesPerName)
          // A symbol and an id of one gene are one gene.
          const fresh = genes.filter((gene) => !seen.has(`${gene.assembly}/${gene.id}`))
          for (const gene of fresh) seen.add(`${gene.assembly}/${gene.id}`)
          // A name that the file gives is kept, even where no such gene is loaded.
          return fresh.length > 0 || (by === 'entry' && genes.length === 0) ? [{ name, by, genes: fresh }] : []
        }),
      })
    }
  }
  return answer
}

const resolve = async (data: PortalData, names: string[], assembly?: string): Promise<Map<string, GeneSummary[]>> => {
  if (names.length === 0) return new Map()
  const { found, ambiguous } = await data.resolveGenes(names, assembly)
  return new Map([
    ...found.map(({ query, gene }): [string, GeneSummary[]] => [query, [gene]]),
    ...ambiguous.map(({ query, genes }): [string, GeneSummary[]] => [query, genes]),
  ])
}

export const searchStep = {
  program: 'NovoDB references',
  version: String(tool.version),
  formula:
    'every word is found, whole or as a beginning, without accents; weight of a word: title 8, keyword and key 6, author 5, journal 2, abstract 1, twice for a whole word',
}
