import { listActiveSpecies } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import { type ManifestChange, takeBack } from '../../loader/import/add-to-species.ts'

/** Loads a folder whose manifest was changed; where that is refused, the manifest of before is put back and `onTakenBack` hears of it. */
export const loadChange = async (
  { sql, species, manifest }: { sql: Sql; species: string; manifest: ManifestChange },
  load: () => Promise<boolean>,
  onTakenBack: () => void = () => undefined,
): Promise<boolean> => {
  const releaseOf = async (): Promise<number | undefined> =>
    (await listActiveSpecies(sql)).find(({ id }) => id === species)?.release
  const before = await releaseOf()
  let isDone = false
  try {
    isDone = await load()
    return isDone
  } finally {
    // One that was stopped in what is computed over all assemblies is in service; where the database cannot say, nothing is known to be.
    const isServed = isDone || (await releaseOf().catch(() => before)) !== before
    if (!isServed && (await takeBack(manifest))) onTakenBack()
  }
}
