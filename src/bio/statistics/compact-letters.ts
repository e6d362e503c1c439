const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Sets of groups on the way to the letters, of which there may be very many. */
const maxColumns = 1000

/**
 * Letters of groups by which pairs differ, as field figures show them: groups that share a letter do not differ (Piepho 2004, J Comput
 * Graph Stat 13:456, by insertion and absorption). Groups are to be in the order in which letters are given, the highest mean first. Small
 * letters come first, then capitals; all are empty where these do not suffice.
 *
 * @example lettersOf(3, [[0, 2]]) // ['a', 'ab', 'b']
 */
export const lettersOf = (groups: number, different: readonly (readonly [number, number])[]): string[] => {
  const none = Array.from({ length: groups }, () => '')
  let columns: Set<number>[] = [new Set(Array.from({ length: groups }, (_, at) => at))]
  for (const [a, b] of different) {
    const kept = columns.filter((column) => !(column.has(a) && column.has(b)))
    const parted = columns.flatMap((column) =>
      column.has(a) && column.has(b) ? [a, b].map((left) => new Set([...column].filter((one) => one !== left))) : [],
    )
    // No column is part of another, so that of the new ones none is of a new one.
    columns = [...kept, ...parted.filter((column) => !kept.some((other) => [...column].every((one) => other.has(one))))]
    if (columns.length > maxColumns) return none
  }
  if (columns.length > letters.length) return none
  columns.sort((a, b) => {
    const [x, y] = [[...a].sort((p, q) => p - q), [...b].sort((p, q) => p - q)]
    const at = x.findIndex((one, place) => one !== y[place])
    return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? groups)
  })
  return none.map((_, group) => columns.flatMap((column, at) => (column.has(group) ? [letters[at]!] : [])).join(''))
}
