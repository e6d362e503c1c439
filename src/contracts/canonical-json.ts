export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
