import type { Accession } from '../contracts/phenotypes.ts'
import type { PortalData } from './portal-data.ts'

/** Kind and id of the record that the loader of accessions adds to the species' bundle. */
export const accessionsKind = 'accessions'

export interface AccessionTable {
  accessions: Accession[]
  /** Columns by which accessions can be grouped, the usual one first. */
  groupings: string[]
  licence: string | null
  simulated: boolean
}

/** Tables by the number of their bundle, which never changes; those asked for last. */
const kept = new Map<number, Promise<AccessionTable>>()
const mostKept = 8

const none: AccessionTable = { accessions: [], groupings: [], licence: null, simulated: false }

/** Accessions of a species, in the order of their table; empty when none is loaded. */
export const listAccessions = async (data: PortalData, species: string): Promise<AccessionTable> => {
  const bundle = await data.speciesBundleNumber(species)
  if (bundle === null) return none
  const known = kept.get(bundle)
  if (known !== undefined) {
    kept.delete(bundle)
    kept.set(bundle, known)
    return known
  }
  const reading = data.getRecord<AccessionTable>(accessionsKind, 'accessions', { species }).then((row) => row ?? none)
  kept.set(bundle, reading)
  reading.catch(() => kept.delete(bundle))
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  return reading
}
