/** Haplotypes drawn; the table has all. */
const maxDrawn = 40

/**
 * The haplotypes that a figure draws, of those in the order of their copies, and what is said of the others: how many they are, and how
 * many copies the most frequent of them has.
 *
 * Example: of 42 haplotypes of one copy each 40 are drawn and `others` is `{ count: 2, copies: 1 }`.
 */
export const chooseDrawn = <Row extends { copies: number }>(
  haplotypes: readonly Row[],
): { drawn: Row[]; others: { count: number; copies: number } | null } => {
  const left = haplotypes.slice(maxDrawn)
  return {
    drawn: haplotypes.slice(0, maxDrawn),
    others: left.length === 0 ? null : { count: left.length, copies: Math.max(...left.map(({ copies }) => copies)) },
  }
}
