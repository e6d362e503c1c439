import { isCurrentFor, listUncompared } from '../../bio/comparative/uncompared.ts'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { fetchGeneSequences, type GeneSequenceKind } from '../../kit/data/genes/gene-sequences.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { nameLeavesApart, type TreeSequence } from './read-sequences.ts'
import { limits, type Note, type TreeInput, type TreeResult } from './tool.ts'

interface CollectedGenes {
  sequences: TreeSequence[]
  notes: Note[]
  problems: TreeResult['problems']
}

type Place = Pick<GeneSummary, 'assembly' | 'id'>

const kinds: Record<TreeInput['molecule'], GeneSequenceKind> = {
  protein: 'protein',
  codon: 'cds',
  cds: 'cds',
  transcript: 'transcript',
  gene: 'genomic',
}

const groupByAssembly = (places: readonly Place[]): Map<string, Place[]> => {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const own = groups.get(place.assembly)
    if (own === undefined) groups.set(place.assembly, [place])
    else own.push(place)
  }
  return groups
}

/** Genes by name; a name that several genes have means all of them, so that one symbol brings every assembly's gene. */
const findNamed = async (
  input: TreeInput,
  context: EngineContext,
): Promise<Pick<CollectedGenes, 'notes' | 'problems'> & { places: Place[] }> => {
  const names = input.genes ?? []
  if (names.length === 0) throw fieldError(['genes'], 'problem.noGene')
  const resolved = await context.data.resolveGenes(names, input.assembly)
  const places = new Map<string, Place[]>()
  for (const { query, gene } of resolved.found) places.set(query, [gene])
  for (const { query, genes } of resolved.ambiguous) places.set(query, genes)
  const problems = resolved.unknown.map((query) => ({ query, id: 'problem.unknownGene', params: { name: query } }))
  if (places.size === 0)
    throw new PortalError('UNKNOWN_GENE', {
      message: 'problem.unknownGene',
      params: { name: resolved.unknown[0] ?? '' },
      problems: problems.slice(0, 20).map(({ id, params }): FieldProblem => ({ path: ['genes'], message: id, params })),
    })
  const several = resolved.ambiguous.length
  return {
    places: names.flatMap((name) => places.get(name) ?? []),
    notes:
      several === 0
        ? []
        : [
            {
              id: 'note.several',
              params: {
                count: several,
                names: resolved.ambiguous
                  .slice(0, 10)
                  .map(({ query }) => query)
                  .join(', '),
              },
            },
          ],
    problems,
  }
}

/** The genes with the members of their orthogroups and, when asked for, their best other hits; those of the genes asked for first. */
const addRelatives = async (
  named: Place[],
  input: TreeInput,
  context: EngineContext,
  notes: Note[],
): Promise<Place[]> => {
  const { data } = context
  const state = await data.getHomology()
  if (state === null) {
    notes.push({ id: 'note.noHomology', params: {} })
    return named
  }
  const assemblies = await data.listAssemblies()
  const compared = { own: [...new Set(named.map(({ assembly }) => assembly))], chosen: input.assemblies }
  if (!isCurrentFor(state, compared, assemblies)) {
    const names = listUncompared(state.missing, compared, assemblies).map(
      (id) => assemblies.find((one) => one.id === id)?.name ?? id,
    )
    notes.push({ id: 'note.staleHomology', params: { missing: names.join('; ') || '-' } })
  }
  const known = new Map<string, Place>()
  const add = (place: Place): void =>
    void known.set(`${place.assembly}\0${place.id}`, known.get(`${place.assembly}\0${place.id}`) ?? place)
  for (const place of named) add(place)
  const byAssembly = groupByAssembly(named)
  const hits: { place: Place; bitScore: number }[] = []
  for (const [assembly, places] of byAssembly) {
    const ids = places.map(({ id }) => id)
    const groups = new Set((await data.listOrthogroups(assembly, ids)).values())
    for (const id of groups) {
      const group = await data.getOrthogroup(id)
      for (const [member, genes] of group?.members ?? []) for (const gene of genes) add({ assembly: member, id: gene })
    }
    if (!input.similar) continue
    for (const { homologs } of await data.listHomologs(assembly, ids))
      for (const one of homologs)
        if (one.relation === 'similar')
          hits.push({ place: { assembly: one.assembly, id: one.gene }, bitScore: one.bitScore })
  }
  hits.sort((a, b) => b.bitScore - a.bitScore)
  for (const { place } of hits) add(place)
  const chosen = input.assemblies.length === 0 ? null : new Set(input.assemblies)
  const all = [...known.values()].filter(({ assembly }) => chosen === null || chosen.has(assembly))
  const max = Math.max(input.relatives, named.length)
  if (all.length > max) notes.push({ id: 'note.cut', params: { shown: max, total: all.length } })
  return all.slice(0, max)
}

/** Sequences of the genes asked for, each leaf named by its gene, with the assembly where there are several. */
export const collectGenes = async (input: TreeInput, context: EngineContext): Promise<CollectedGenes> => {
  const { data, signal } = context
  for (const assembly of input.assemblies) await data.getAssembly(assembly)
  const { places: named, notes, problems } = await findNamed(input, context)
  const unique = new Map(named.map((place) => [`${place.assembly}\0${place.id}`, place] as const))
  const places =
    input.source === 'family' ? await addRelatives([...unique.values()], input, context, notes) : [...unique.values()]
  if (places.length > limits.sequences)
    throw fieldError(['genes'], 'sequence.tooMany', { count: places.length, limit: limits.sequences })
  const order = new Map(places.map(({ assembly, id }, at) => [`${assembly}\0${id}`, at]))
  const severalAssemblies = new Set(places.map(({ assembly }) => assembly)).size > 1
  const found: { at: number; one: TreeSequence }[] = []
  for (const [assembly, own] of groupByAssembly(places)) {
    signal.throwIfAborted()
    const ids = own.map(({ id }) => id)
    const { queries, without } = await fetchGeneSequences(assembly, ids, kinds[input.molecule], data, signal)
    for (const query of without)
      problems.push({ query, id: 'problem.noProduct', params: { name: query, assembly, molecule: input.molecule } })
    const genes = new Map((await data.getGenes(assembly, ids)).map((gene) => [gene.id, gene]))
    const codes = new Map((await data.listSequences(assembly)).map(({ name, geneticCode }) => [name, geneticCode]))
    const { speciesName } = await data.getAssembly(assembly)
    context.receipt.addData(assembly)
    for (const { gene: id, sequence } of queries) {
      const gene = genes.get(id)!
      found.push({
        at: order.get(`${assembly}\0${id}`)!,
        one: {
          leaf: {
            name: severalAssemblies ? `${id}|${assembly}` : id,
            gene: id,
            symbol: gene.symbol,
            assembly,
            species: speciesName,
            description: gene.description,
          },
          sequence: sequence.toUpperCase(),
          geneticCode: codes.get(gene.sequence) ?? 1,
        },
      })
    }
  }
  found.sort((a, b) => a.at - b.at)
  const { leaves } = nameLeavesApart(found.map(({ one }) => one.leaf))
  return { sequences: found.map(({ one }, at) => ({ ...one, leaf: leaves[at]! })), notes, problems }
}
