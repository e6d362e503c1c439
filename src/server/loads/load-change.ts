import { PortalError } from '../../contracts/errors.ts'
import { listActiveSpecies } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import { type ManifestChange, takeBack } from '../../loader/import/add-to-species.ts'

/** A manifest that still says what is not in service, since it could not be put back: told, and tried again later. */
export class ManifestLeftError extends Error {
  override readonly name = 'ManifestLeftError'
  readonly file: string
  readonly reason: string

  constructor(file: string, cause: unknown) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    super(`${file} could not be put back as it was before: ${reason}`, { cause })
    this.file = file
    this.reason = reason
  }
}

/** The same for a reader. */
export const manifestLeft = ({ file, reason }: ManifestLeftError): PortalError =>
  new PortalError('TOOL_UNAVAILABLE', { message: 'import.manifestLeft', params: { file, reason } })

/** `takeBack` of a change, whose failure says which file is left. */
export const takeBackOrTell = async (change: ManifestChange): Promise<boolean> => {
  try {
    return await takeBack(change)
  } catch (error) {
    throw new ManifestLeftError(change.file, error)
  }
}

/** Loads a folder whose manifest was changed; where that is refused, the manifest of before is put back and `onTakenBack` hears of it. Throws ManifestLeftError where it cannot be put back. */
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
    if (!isServed && (await takeBackOrTell(manifest))) onTakenBack()
  }
}
