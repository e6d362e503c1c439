/** A name with `head` letters of its beginning and as much of its end as there is room for. */
const cut = (name: string, max: number, head: number): string =>
  name.length <= max ? name : `${name.slice(0, head)}…${head === max - 1 ? '' : name.slice(head + 1 - max)}`

/**
 * Names that a drawing has room for `max` letters of, cut alike so that each is told from the others: at their ends, where that leaves them
 * different; else in the middle, or as far to the front as it needs. What is cut should stand whole in a `title`.
 *
 * @example shortenNames(['mc2-155-TAMU', 'mc2-155-JCVI', 'H37Rv'], 9) // ['mc2-…TAMU', 'mc2-…JCVI', 'H37Rv']
 */
export const shortenNames = (names: readonly string[], max: number): string[] => {
  const room = Math.max(2, Math.floor(max))
  const different = new Set(names).size
  const middle = Math.ceil((room - 1) / 2)
  const heads = [room - 1, ...Array.from({ length: middle + 1 }, (_, at) => middle - at)]
  let best: string[] = []
  let reported = 0
  for (const head of heads) {
    const labels = names.map((name) => cut(name, room, head))
    const count = new Set(labels).size
    if (count === different) return labels
    if (count > reported) [best, reported] = [labels, count]
  }
  return best
}
