import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { renderCanonicalJson } from '../jobs/cache-key.ts'

/** Raised when the loader bakes the same input to something else than before: older bundles are then baked anew. */
const loaderVersion = 5

/** SHA-256 over the loader's version, the manifest entries that are baked, and the content of every file they name. */
export const computeFingerprint = async (
  parts: { entries: unknown; loaderVersions: Record<string, number>; programs: string[] },
  files: string[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string> => {
  const whole = createHash('sha256').update(renderCanonicalJson({ loaderVersion, ...parts }))
  for (const file of [...new Set(files)].sort()) {
    const content = createHash('sha256')
    for await (const chunk of createReadStream(file, { highWaterMark: 4 * 1024 * 1024, signal })) {
      content.update(chunk as Buffer)
      onBytes((chunk as Buffer).length)
    }
    whole.update(content.digest())
  }
  return whole.digest('hex')
}
