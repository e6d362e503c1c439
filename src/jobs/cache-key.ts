import { createHash } from 'node:crypto'

/**
 * The one text of a JSON value: keys sorted by UTF-16 code unit, no white space, numbers as ECMAScript writes them
 * (RFC 8785). Absent and undefined properties are the same. Throws TypeError for what JSON cannot hold.
 */
export function renderCanonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => renderCanonicalJson(item)).join(',')}]`
  if (typeof value === 'object') {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      throw new TypeError(`A ${value.constructor.name} cannot be written as JSON`)
    }
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${renderCanonicalJson(item)}`).join(',')}}`
  }
  throw new TypeError(`A ${typeof value} cannot be written as JSON`)
}

export interface CacheKeyParts {
  tool: string
  toolVersion: number
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
    input: parts.input,
    bundles: [...new Set(parts.bundles)].sort(),
    programs: Object.fromEntries(parts.programs.map(({ program, version }) => [program, version])),
  })
  return createHash('sha256').update(text).digest('hex')
}
