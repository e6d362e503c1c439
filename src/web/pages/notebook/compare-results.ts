import { isRecord, renderCanonicalJson } from '../../../contracts/canonical-json.ts'

export interface ListChange {
  kind: 'list'
  /** Of the field, with those above it: `network.pairs`. */
  name: string
  before: number
  now: number
  added: number
  gone: number
  /** In both by their id, and different. */
  changed: number
}
export interface ValueChange {
  kind: 'value'
  name: string
  before: string
  now: string
}
export type ResultChange = ListChange | ValueChange

const maxDepth = 4
const maxLetters = 80
/** Fields by which items of a list are the same thing, the first that all of them have. */
const identities = ['id', 'gene', 'query', 'name', 'key', 'sample', 'position']

/** A field that only one of two results has is undefined in the other. */
const textOf = (value: unknown): string => (value === undefined ? '–' : renderCanonicalJson(value))

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : textOf(value)
  return text.length > maxLetters ? `${text.slice(0, maxLetters)}…` : text
}

const compareLists = (name: string, before: unknown[], now: unknown[]): ListChange | null => {
  const both = [...before, ...now]
  const identity = identities.find(
    (field) =>
      both.every((item) => isRecord(item) && (typeof item[field] === 'string' || typeof item[field] === 'number')) &&
      [before, now].every(
        (list) => new Set(list.map((item) => (item as Record<string, unknown>)[field])).size === list.length,
      ),
  )
  const keyOf = (item: unknown): string =>
    identity === undefined ? textOf(item) : String((item as Record<string, unknown>)[identity])
  const count = (list: unknown[]): Map<string, { texts: string[] }> => {
    const counted = new Map<string, { texts: string[] }>()
    for (const item of list) {
      const key = keyOf(item)
      const own = counted.get(key)
      if (own === undefined) counted.set(key, { texts: [textOf(item)] })
      else own.texts.push(textOf(item))
    }
    return counted
  }
  const [old, fresh] = [count(before), count(now)]
  let [added, gone, changed] = [0, 0, 0]
  for (const [key, { texts }] of fresh) {
    const known = old.get(key)?.texts ?? []
    added += Math.max(0, texts.length - known.length)
    if (identity !== undefined && known.length > 0 && known[0] !== texts[0]) changed += 1
  }
  for (const [key, { texts }] of old) gone += Math.max(0, texts.length - (fresh.get(key)?.texts.length ?? 0))
  return added + gone + changed === 0
    ? null
    : { kind: 'list', name, before: before.length, now: now.length, added, gone, changed }
}

/**
 * What is different between two results of one question: lists by how many items came, went and changed, by their ids where they have
 * any; other values as they are.
 *
 * Example: `{hits: [{id: 'a'}]}` and `{hits: []}` give one change of the list `hits` with one gone.
 */
export const compareResults = (before: unknown, now: unknown, name = '', depth = 0): ResultChange[] => {
  if (textOf(before) === textOf(now)) return []
  if (Array.isArray(before) && Array.isArray(now)) {
    const change = compareLists(name, before, now)
    // The same items in another order are no other answer.
    return change === null ? [] : [change]
  }
  if (isRecord(before) && isRecord(now) && depth < maxDepth)
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((field) =>
      compareResults(before[field], now[field], name === '' ? field : `${name}.${field}`, depth + 1),
    )
  return [{ kind: 'value', name, before: short(before), now: short(now) }]
}
