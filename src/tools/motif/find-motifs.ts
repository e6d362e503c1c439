import { type Motif, type MotifProblem, parseConsensus, parseMotifs } from '../../bio/motif/motif-formats.ts'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { type Collection, collectionKind, matricesKind, type StoredMotif } from './stored.ts'
import { limits, type MotifInput } from './tool.ts'

const shownProblems = 20

const reportProblems = (field: 'matrices' | 'consensus', problems: readonly MotifProblem[]): PortalError => {
  const [first] = problems
  return new PortalError('INVALID_INPUT', {
    message: `motifs.${first?.code ?? 'no-motifs'}`,
    params: { line: first?.line ?? 0, text: first?.text ?? '' },
    problems: problems.slice(0, shownProblems).map(
      ({ code, line, text }): FieldProblem => ({
        path: [field],
        message: `motifs.${code}`,
        params: { line, text },
      }),
    ),
  })
}

/** All collections that are loaded, with where they belong. */
export const findCollections = async (
  data: PortalData,
): Promise<(Collection & { id: string; species: string; speciesName: string })[]> => {
  const found = []
  for (const species of await data.listSpecies())
    for (const { id, data: about } of await data.listRecords<Collection>(collectionKind, { species: species.id }))
      found.push({ ...about, id: `${species.id}/${id}`, species: species.id, speciesName: species.name })
  return found
}

const readCollection = async (
  input: MotifInput,
  species: string | null,
  data: PortalData,
): Promise<{ motifs: Motif[]; collection: string }> => {
  const collections = await findCollections(data)
  const chosen =
    input.collection === undefined
      ? (collections.find((one) => one.species === species) ?? collections[0])
      : collections.find((one) => one.id === input.collection)
  if (chosen === undefined)
    throw collections.length === 0
      ? fieldError(['collection'], 'collection.none')
      : fieldError(['collection'], 'collection.unknown', {
          name: input.collection ?? '',
          known: collections
            .slice(0, 10)
            .map(({ id }) => id)
            .join(', '),
        })
  const stored =
    (await data.getRecord<StoredMotif[]>(matricesKind, chosen.id.slice(chosen.species.length + 1), {
      species: chosen.species,
    })) ?? []
  const motifs = stored.map(({ id, name, sites, rows }) => ({
    id,
    name,
    siteCount: sites,
    frequencies: rows,
    consensus: null,
  }))
  const wanted = splitIdentifiers(input.motifNames)
  if (wanted.length === 0) return { motifs, collection: chosen.id }
  const picked = new Set<number>()
  const unknown: string[] = []
  for (const name of wanted) {
    const low = name.toLowerCase()
    // YeTFaSCo's ids are factor and number (GCN4_205): the factor alone means all of its matrices.
    const numbers = motifs.flatMap((motif, number) =>
      motif.id.toLowerCase() === low ||
      motif.name?.toLowerCase() === low ||
      motif.id.toLowerCase().startsWith(`${low}_`)
        ? [number]
        : [],
    )
    if (numbers.length === 0) unknown.push(name)
    for (const number of numbers) picked.add(number)
  }
  if (unknown.length > 0)
    throw new PortalError('INVALID_INPUT', {
      message: 'motifNames.unknown',
      params: { name: unknown[0]!, count: unknown.length },
      problems: unknown.slice(0, shownProblems).map((name) => ({
        path: ['motifNames'],
        message: 'motifNames.unknown',
        params: { name, count: unknown.length },
      })),
    })
  return { motifs: [...picked].sort((a, b) => a - b).map((number) => motifs[number]!), collection: chosen.id }
}

/**
 * The motifs that were asked for, from a collection, pasted matrices or consensus words. Rejects beside the field for what is wrong with
 * them.
 */
export const findMotifs = async (
  input: MotifInput,
  species: string | null,
  data: PortalData,
): Promise<{ motifs: Motif[]; collection: string | null }> => {
  const found =
    input.motifSource === 'collection'
      ? await readCollection(input, species, data)
      : {
          ...(input.motifSource === 'matrices' ? parseMotifs(input.matrices) : parseConsensus(input.consensus)),
          collection: null,
        }
  if ('problems' in found && found.problems.length > 0)
    throw reportProblems(input.motifSource === 'matrices' ? 'matrices' : 'consensus', found.problems)
  if (found.motifs.length > limits.motifs)
    throw fieldError([input.motifSource === 'collection' ? 'motifNames' : 'matrices'], 'motifs.tooMany', {
      count: found.motifs.length,
      limit: limits.motifs,
    })
  return { motifs: found.motifs, collection: found.collection }
}
