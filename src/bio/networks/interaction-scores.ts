/**
 * Probability by which STRING's channels are lifted: what two proteins taken at random have (von Mering et al. 2005,
 * doi:10.1093/nar/gki005; STRING's own script for combining channels).
 */
const stringPrior = 0.041

/** Columns of a STRING table that say how alike two proteins are, not how they interact. */
const homologyColumn = 'homology'
const transferredEnd = /_transferred$/

/** Channels that homologous proteins share without interacting: they count as much less as the pair is alike. */
const loweredByHomology = ['cooccurence', 'cooccurrence', 'textmining']

export const isTransferred = (channel: string): boolean => transferredEnd.test(channel)

/** `experiments` of both `experiments` and `experiments_transferred`. */
export const plainChannel = (channel: string): string => channel.replace(transferredEnd, '')

const withoutPrior = (score: number): number => Math.max(0, (score / 1000 - stringPrior) / (1 - stringPrior))

/**
 * Makes what combines the chosen channels of STRING as STRING does: each freed of the prior, joined with the same channel transferred
 * from other organisms, then all as independent evidence, and the prior put back. All in thousandths, as in STRING's files; 0 where no
 * chosen channel says anything. Over all channels it gives `combined_score` to within 1.
 *
 * @example createCombiner(['experiments', 'textmining'], () => true)([292, 0], 0) // 292
 */
export const createCombiner = (
  channels: readonly string[],
  chosen: (channel: string) => boolean,
): ((cells: ArrayLike<number>, first: number) => number) => {
  const homology = channels.indexOf(homologyColumn)
  const groups = new Map<string, number[]>()
  for (const [at, channel] of channels.entries()) {
    if (channel === homologyColumn || !chosen(channel)) continue
    const plain = plainChannel(channel)
    groups.set(plain, [...(groups.get(plain) ?? []), at])
  }
  const list = [...groups].map(([plain, indexes]) => ({ places: indexes, lowered: loweredByHomology.includes(plain) }))
  return (cells, first) => {
    let miss = 1
    let any = false
    for (const { places: indexes, lowered } of list) {
      let own = 1
      for (const at of indexes) {
        const score = cells[first + at]!
        if (score > 0) any = true
        own *= 1 - withoutPrior(score)
      }
      const found = (1 - own) * (lowered && homology >= 0 ? 1 - cells[first + homology]! / 1000 : 1)
      miss *= 1 - found
    }
    // Whole thousandths are cut, not rounded, as in STRING's files; the small number keeps 0.292 from becoming 0.291.
    return any ? Math.floor(1000 * ((1 - miss) * (1 - stringPrior) + stringPrior) + 1e-9) : 0
  }
}

/**
 * How many of the pairs of some genes would interact in a random network in which every gene keeps its number of partners
 * (configuration model): the sum of d(i) d(j) / 2m over the pairs, each at most 1. `edges` is m of the whole network.
 *
 * @example expectedEdges([2, 2], 4) // 0.5
 */
export const expectedEdges = (degrees: readonly number[], edges: number): number => {
  let sum = 0
  for (let a = 0; a < degrees.length; a += 1)
    for (let b = a + 1; b < degrees.length; b += 1) sum += Math.min(1, (degrees[a]! * degrees[b]!) / (2 * edges))
  return sum
}

/**
 * Chance of at least `observed` events where `mean` are expected (Poisson); as R's `ppois(observed - 1, mean, lower.tail = FALSE)`.
 *
 * @example poissonUpperTail(1, 1) // 0.632
 */
export const poissonUpperTail = (observed: number, mean: number): number => {
  if (observed <= 0) return 1
  if (mean <= 0) return 0
  let logTerm = -mean
  for (let k = 1; k <= observed; k += 1) logTerm += Math.log(mean / k)
  // Below the mean the other tail is the shorter sum.
  if (observed <= mean) {
    let below = 0
    let log = -mean
    for (let k = 0; k < observed; k += 1) {
      below += Math.exp(log)
      log += Math.log(mean / (k + 1))
    }
    return Math.max(0, 1 - below)
  }
  let share = 1
  let sum = 1
  for (let k = observed + 1; share > 1e-17 * sum; k += 1) {
    share *= mean / k
    sum += share
  }
  return Math.min(1, Math.exp(logTerm) * sum)
}
