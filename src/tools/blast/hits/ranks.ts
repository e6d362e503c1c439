/**
 * Ranks written as ranges; thousands of hits then fit an address.
 *
 * Example: `renderRanks([4, 1, 2, 3, 9])` is `1-4,9`.
 */
export const renderRanks = (ranks: Iterable<number>): string => {
  const ranges: [number, number][] = []
  for (const rank of [...new Set(ranks)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === rank - 1) last[1] = rank
    else ranges.push([rank, rank])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** What tells for each rank whether it is chosen: `parseRanks('1-4,9')(3)` is `true`. Each part is a rank or a range. */
export const parseRanks = (text: string): ((rank: number) => boolean) => {
  const ranges = text.split(',').map((part): [number, number] => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return [from, to]
  })
  return (rank) => ranges.some(([from, to]) => rank >= from && rank <= to)
}
