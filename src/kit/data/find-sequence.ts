import { PortalError } from '../../contracts/errors.ts'
import type { GenomeSequence, PortalData } from './portal-data.ts'

/**
 * A sequence of the assembly by a name as people write it; null where it has none of that name. Rejects as `getSequence` does otherwise.
 */
export const findSequence = (
  data: Pick<PortalData, 'getSequence'>,
  assembly: string,
  name: string,
): Promise<GenomeSequence | null> =>
  data.getSequence(assembly, name).catch((error: unknown) => {
    if (error instanceof PortalError && error.code === 'UNKNOWN_SEQUENCE') return null
    throw error
  })
