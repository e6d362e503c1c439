/**
 * Letters of groups by which pairs differ, as field figures show them: groups that share a letter do not differ (Piepho 2004, J Comput
 * Graph Stat 13:456, by insertion and absorption). Groups are to be in the order in which letters are given, the highest mean first.
 *
 * @example lettersOf(3, [[0, 2]]) // ['a', 'ab', 'b']
 */
export const lettersOf = (groups: number, different: readonly (readonly [number, number])[]): string[] => {
  let columns: Set<number>[] = [new Set(Array.from({ length: groups }, (_, at) => at))]
  for (const [a, b] of different) {
    const next: Set<number>[] = []
    for (const column of columns)
      if (column.has(a) && column.has(b))
        for (const left of [a, b]) next.push(new Set([...column].filter((one) => one !== left)))
      else next.push(column)
    columns = next.filter(
      (column, at) =>
        !next.some(
          (other, place) =>
            place !== at &&
            [...column].every((one) => other.has(one)) &&
            // Of two that are the same the first stays.
            (other.size > column.size || place < at),
        ),
    )
  }
  columns.sort((a, b) => {
    const [x, y] = [[...a].sort((p, q) => p - q), [...b].sort((p, q) => p - q)]
    const at = x.findIndex((one, place) => one !== y[place])
    return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? groups)
  })
  return Array.from({ length: groups }, (_, group) =>
    columns.flatMap((column, at) => (column.has(group) ? [letterAt(at)] : [])).join(''),
  )
}

/** `a` to `z`, then `a1`, `b1` … */
const letterAt = (index: number): string =>
  `${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26)}`
