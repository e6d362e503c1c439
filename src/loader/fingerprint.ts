import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { renderCanonicalJson } from '../contracts/canonical-json.ts'

/** Raised when the loader bakes the same input to something else than before: older bundles are then baked anew. */
export const loaderVersion = 7

/**
 * SHA-256 over the loader's version, the manifest entries that are baked, and the content of every file they name; with the SHA-256 of
 * each of these files.
 */
export const computeFingerprint = async (
  parts: { entries: unknown; loaderVersions: Record<string, number>; programs: string[] },
  files: string[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<{ fingerprint: string; digests: ReadonlyMap<string, string> }> => {
  const whole = createHash('sha256').update(renderCanonicalJson({ loaderVersion, ...parts }))
  const digests = new Map<string, string>()
  for (const file of [...new Set(files)].sort()) {
    const content = createHash('sha256')
    for await (const chunk of createReadStream(file, { highWaterMark: 4 * 1024 * 1024, signal })) {
      content.update(chunk as Buffer)
      onBytes((chunk as Buffer).length)
    }
    const digest = content.digest()
    digests.set(file, digest.toString('hex'))
    whole.update(digest)
  }
  return { fingerprint: whole.digest('hex'), digests }
}
