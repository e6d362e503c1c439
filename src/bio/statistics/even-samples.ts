/**
 * `taken` places spread evenly over `count`, ascending; each once where `taken` is at most `count`. Example: `evenly(10, 2)` is `[2, 7]`.
 */
export const evenly = (count: number, taken: number): number[] =>
  Array.from({ length: taken }, (_, at) => Math.floor(((at + 0.5) * count) / taken))

/** At most `max` items, evenly from all, in their order. Example: `takeEvenly(['a', 'b', 'c', 'd'], 2)` is `['b', 'd']`. */
export const takeEvenly = <Item>(items: ArrayLike<Item>, max: number): Item[] =>
  items.length <= max ? Array.from(items) : evenly(items.length, max).map((at) => items[at]!)

/**
 * Shares out `max` among as many as there are counts, none more than its count: equal shares, and what one leaves goes to the others.
 *
 * Example: `shareOut([5, 100, 100], 45)` is `[5, 20, 20]`.
 */
export const shareOut = (counts: readonly number[], max: number): number[] => {
  const shares = counts.map(() => 0)
  let left = max
  let others = counts.length
  for (const at of [...counts.keys()].sort((p, q) => counts[p]! - counts[q]!)) {
    shares[at] = Math.min(counts[at]!, Math.floor(left / others))
    left -= shares[at]!
    others -= 1
  }
  return shares
}
