// Input of a form that is too long for an address, kept under a short name that stands there instead: going back finds it, and so does a
// reload, as far as the browser's storage for the session reaches.

const prefix = 'novodb_draft_'
/** Drafts held in the page: their changes in a few steps back. */
const maxHeld = 8
const held = new Map<string, string>()

/** The same text has the same name, also after going back. FNV-1a, 32 bits, twice seeded. */
const nameOf = (text: string): string =>
  [0x811c9dc5, 0x01234567]
    .map((seed) => {
      let hash = seed
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
      return (hash >>> 0).toString(36)
    })
    .join('')

/** Whether the session's storage took it; it takes some megabytes in all. */
const store = (key: string, body: string): boolean => {
  try {
    sessionStorage.setItem(key, body)
    return true
  } catch {
    return false
  }
}

/**
 * Keeps the values of a tool's form and gives the name they have. What does not fit into the session's storage beside older drafts
 * takes their place; what does not fit at all is there until the page is loaded anew.
 */
export const keepDraft = (tool: string, values: unknown): string => {
  const body = JSON.stringify(values)
  const name = nameOf(body)
  const key = `${prefix}${tool}_${name}`
  held.delete(key)
  held.set(key, body)
  for (const old of held.keys()) if (held.size > maxHeld) held.delete(old)
  if (!store(key, body)) {
    for (const other of Object.keys(sessionStorage)) if (other.startsWith(prefix)) sessionStorage.removeItem(other)
    store(key, body)
  }
  return name
}

/** Values that were kept under a name; nothing when they are of another session or were given up for others. */
export const findDraft = (tool: string, name: string): Record<string, unknown> => {
  const key = `${prefix}${tool}_${name}`
  try {
    return JSON.parse(held.get(key) ?? sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}
