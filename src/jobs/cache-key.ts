import { createHash } from 'node:crypto'
import { renderCanonicalJson } from '../contracts/canonical-json.ts'

export interface CacheKeyParts {
  tool: string
  toolVersion: number
  /** JSON Schema of the tool's result: one kept by an earlier release without a part that this one shows is computed anew. */
  resultSchema: unknown
  /** Parsed input, defaults filled in: what the person left out and what they typed equal to the default is one question. */
  input: unknown
  /** Names of the bundles that the input was resolved against; a set, order is no matter. */
  bundles: string[]
  /** Programs that the tool may run, with the versions found at start. */
  programs: { program: string; version: string | null }[]
}

/** SHA-256, in hexadecimal, of all that a result depends on: equal keys have equal results. */
export function createCacheKey(parts: CacheKeyParts): string {
  const text = renderCanonicalJson({
    tool: parts.tool,
    toolVersion: parts.toolVersion,
    resultSchema: parts.resultSchema,
    input: parts.input,
    bundles: [...new Set(parts.bundles)].sort(),
    programs: Object.fromEntries(parts.programs.map(({ program, version }) => [program, version])),
  })
  return createHash('sha256').update(text).digest('hex')
}
