import type { Accession } from '../../contracts/phenotypes.ts'
import { RecentAnswers } from '../recent-answers.ts'
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
const tables = new RecentAnswers<AccessionTable>(8)

const none: AccessionTable = { accessions: [], groupings: [], licence: null, simulated: false }

/** Accessions of a species, in the order of their table; empty when none is loaded. */
export const listAccessions = async (data: PortalData, species: string): Promise<AccessionTable> => {
  const bundle = await data.speciesBundleNumber(species)
  if (bundle === null) return none
  return tables.get(
    String(bundle),
    async () => (await data.getRecord<AccessionTable>(accessionsKind, 'accessions', { species })) ?? none,
  )
}
