import type { CatalogueGene, PortalData } from '../portal-data.ts'

/** A typed name that gave no gene: `id` is the message that says why. */
export interface NameProblem {
  query: string
  id: string
  params: Record<string, string | number>
}

/** A gene that was asked for, by the name that was typed. */
export interface AskedGene {
  query: string
  id: string
}

const shownCandidates = 10

// A database refuses NUL in texts, and no identifier holds a control character.
const isPlainName = (name: string): boolean => {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index)
    if (code < 32 || code === 127) return false
  }
  return true
}

/** Looks the names up; unknown, ambiguous and repeated ones are problems, one by one in the order typed. */
export const findAskedGenes = async (
  names: readonly string[],
  assembly: string,
  data: PortalData,
): Promise<{ genes: AskedGene[]; problems: NameProblem[]; refused: number }> => {
  const resolved = await data.resolveGenes(names.filter(isPlainName), assembly)
  const found = new Map(resolved.found.map(({ query, gene }) => [query, gene.id]))
  const ambiguous = new Map(resolved.ambiguous.map(({ query, genes }) => [query, genes]))
  const genes: AskedGene[] = []
  const problems: NameProblem[] = []
  let refused = 0
  for (const query of names) {
    const id = found.get(query)
    if (id !== undefined) {
      genes.push({ query, id })
      continue
    }
    refused++
    const candidates = ambiguous.get(query)
    problems.push(
      candidates === undefined
        ? { query, id: 'reason.unknown', params: { assembly } }
        : {
            query,
            id: 'reason.ambiguous',
            params: {
              count: candidates.length,
              genes: candidates
                .slice(0, shownCandidates)
                .map((gene) => gene.id)
                .join(', '),
            },
          },
    )
  }
  return { genes, problems, refused }
}

/**
 * Ids that names mean, each once, in the order asked. A name of several genes means the first that is preferred, or the first of all; it
 * stands among the ambiguous ones.
 */
export const findMeantGenes = async (
  data: Pick<PortalData, 'resolveGenes'>,
  assembly: string,
  names: string[],
  isPreferred: (id: string) => boolean = () => true,
): Promise<{ ids: string[]; unknown: string[]; ambiguous: { name: string; gene: string }[] }> => {
  const resolved = await data.resolveGenes(names, assembly)
  const meaning = new Map(resolved.found.map(({ query, gene }) => [query, gene.id]))
  const ambiguous: { name: string; gene: string }[] = []
  for (const { query, genes } of resolved.ambiguous) {
    const gene = (genes.find(({ id }) => isPreferred(id)) ?? genes[0]!).id
    ambiguous.push({ name: query, gene })
    meaning.set(query, gene)
  }
  const ids = [...new Set(names.flatMap((name) => meaning.get(name) ?? []))]
  return { ids, unknown: resolved.unknown, ambiguous }
}

/** The transcript that the typed name means, when it names one (or its protein) and not the gene itself. */
export const namedTranscript = (query: string, gene: CatalogueGene): string | null => {
  const wanted = query.toLowerCase()
  if ([gene.id, gene.symbol, ...gene.aliases].some((name) => name?.toLowerCase() === wanted)) return null
  const transcript = gene.transcripts.find(
    ({ id, proteinId }) => id.toLowerCase() === wanted || proteinId?.toLowerCase() === wanted,
  )
  return transcript?.id ?? null
}
