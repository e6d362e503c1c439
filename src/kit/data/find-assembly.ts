import { possibleNames } from '../../bio/sequence/region.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { findSequence } from './find-sequence.ts'
import type { PortalData } from './portal-data.ts'

/** Names that tell the assembly of a list: it is mostly plain from the first, and all would be looked up twice. */
const askedNames = 500
const askedPlaces = 10

const isPlain = (name: string): boolean => !/\p{Cc}/u.test(name)

/**
 * The assembly of a list of genes where none was chosen: the one that has most of the names, of those with this kind of data where any
 * has one; of several the reference, else the first. Null where none has any of them.
 */
export const findAssemblyOfGenes = async (
  data: Pick<PortalData, 'listAssemblies' | 'resolveGenes'>,
  names: readonly string[],
  dataType: string,
): Promise<string | null> => {
  const { found, ambiguous } = await data.resolveGenes(names.filter(isPlain).slice(0, askedNames))
  const counts = new Map<string, number>()
  for (const genes of [...found.map(({ gene }) => [gene]), ...ambiguous.map(({ genes: all }) => all)])
    for (const assembly of new Set(genes.map((gene) => gene.assembly)))
      counts.set(assembly, (counts.get(assembly) ?? 0) + 1)
  const hasData = ({ dataTypes }: AssemblySummary): number => Number((dataTypes[dataType] ?? 0) > 0)
  const [best] = (await data.listAssemblies())
    .filter(({ id }) => counts.has(id))
    .sort(
      (a, b) =>
        hasData(b) - hasData(a) || counts.get(b.id)! - counts.get(a.id)! || Number(b.reference) - Number(a.reference),
    )
  return best?.id ?? null
}

/**
 * Assemblies that have all of these places (regions, sequences or genes as people write them), of which the one is meant where no assembly
 * was chosen. Those that write the name of the sequence so come before those that know it by another.
 */
export const listAssembliesOfPlaces = async (
  data: Pick<PortalData, 'listAssemblies' | 'getSequence' | 'resolveGenes'>,
  places: readonly string[],
): Promise<string[]> => {
  let left = (await data.listAssemblies()).map(({ id }) => id)
  for (const place of [...new Set(places)].filter(isPlaceText).slice(0, askedPlaces)) {
    const names = possibleNames(place)
    const having: { id: string; isWrittenSo: boolean }[] = []
    for (const id of left)
      for (const name of names) {
        const sequence = await findSequence(data, id, name)
        if (sequence === null) continue
        having.push({ id, isWrittenSo: sequence.name === name })
        break
      }
    const exact = having.filter(({ isWrittenSo }) => isWrittenSo)
    let all = (exact.length > 0 ? exact : having).map(({ id }) => id)
    if (all.length === 0) {
      const { found, ambiguous } = await data.resolveGenes([place.trim()])
      const genes = [...found.map(({ gene }) => gene), ...ambiguous.flatMap((one) => one.genes)]
      all = left.filter((id) => genes.some(({ assembly }) => assembly === id))
    }
    left = all
    if (left.length === 0) break
  }
  return left
}

/** A tab parts the columns of BED; no name holds another control character, and the database would refuse it. */
const isPlaceText = (text: string): boolean => isPlain(text.replaceAll('\t', ' '))
