import { z } from 'zod'
import type { FamilyCounts } from '../../bio/comparative/pan-genome.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import type { PortalData } from './portal-data.ts'

/** Genes of each orthogroup in each assembly, largest orthogroup first: uint16, columns in the order of what was computed over. */
export const familyCountsFile = 'families.npy'
export const familyCountsKind = 'family-counts'

const aboutSchema = z.object({ assemblies: z.array(z.object({ id: z.string() })) })

/**
 * Genes of every orthogroup in the assemblies asked for, in their order; a family's number is its orthogroup's position. Null where
 * nothing was computed, or by an older version that did not count. Assemblies must be covered by what was computed.
 */
export const readFamilyCounts = async (data: PortalData, assemblies: string[]): Promise<FamilyCounts | null> => {
  const state = await data.getHomology()
  const file = await data.homologyFile(familyCountsKind)
  const about = aboutSchema.safeParse(state?.about)
  if (file === null || !about.success) return null
  const of = new Map(about.data.assemblies.map(({ id }, column) => [id, column]))
  const columns = assemblies.map((assembly) => of.get(assembly)!)
  const matrix = await openMatrix(file, '<u2')
  try {
    const genomes = columns.length
    const counts = new Uint16Array(matrix.rows * genomes)
    for await (const { first, count, cells } of matrix.scan())
      for (let row = 0; row < count; row += 1)
        for (let at = 0; at < genomes; at += 1)
          counts[(first + row) * genomes + at] = cells[row * matrix.columns + columns[at]!]!
    return { families: matrix.rows, genomes, counts }
  } finally {
    await matrix.close()
  }
}
