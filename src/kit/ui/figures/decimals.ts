/**
 * Digits after the point by which values that spread over so much can be told apart. Example: `decimalsFor(12)` is 1, `decimalsFor(0.05)`
 * 4.
 */
export const decimalsFor = (spread: number): number =>
  spread > 0 ? Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(spread)))) : 2
