/**
 * Moves labels apart along a line by as little as may be: places at least `gap` apart, within `min` and `max`, in the order of the
 * places wanted, with the least sum of squared shifts (pooling of adjacent violators: Barlow et al. 1972). Where there is no room for
 * all they stand evenly over the whole line, nearer than `gap`.
 *
 * @param wanted places in ascending order
 * @example spreadLabels([10, 11, 50], 10, 0, 100) // [5.5, 15.5, 50]
 */
export const spreadLabels = (wanted: readonly number[], gap: number, min: number, max: number): number[] => {
  const count = wanted.length
  if (count === 0) return []
  const step = count === 1 ? 0 : Math.min(gap, (max - min) / (count - 1))
  // Less what the labels before take up, positions need only not fall: a regression that keeps order.
  const pools: { sum: number; count: number }[] = []
  for (const [at, position] of wanted.entries()) {
    let pool = { sum: position - at * step, count: 1 }
    for (let last = pools.at(-1); last !== undefined && last.sum / last.count > pool.sum / pool.count; ) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count }
      pools.pop()
      last = pools.at(-1)
    }
    pools.push(pool)
  }
  const positions = pools.flatMap(({ sum, count: size }) => new Array<number>(size).fill(sum / size))
  const top = max - (count - 1) * step
  return positions.map((position, at) => Math.min(top, Math.max(min, position)) + at * step)
}
