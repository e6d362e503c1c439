import { viridis } from '../../../kit/ui/figures/palette.ts'

// The five classes of bit scores that NCBI's own graphic made familiar, in viridis instead of its red and green;
// without its darkest part, which a dark page swallows.
const classes: { from: number; label: string; fraction: number }[] = [
  { from: 200, label: '≥ 200', fraction: 0.3 },
  { from: 80, label: '80–200', fraction: 0.48 },
  { from: 50, label: '50–80', fraction: 0.64 },
  { from: 40, label: '40–50', fraction: 0.8 },
  { from: 0, label: '< 40', fraction: 0.95 },
]

/** Colour of a bit score, dark for high ones. */
export const scoreColour = (bitScore: number): string =>
  viridis((classes.find((one) => bitScore >= one.from) ?? classes.at(-1)!).fraction)

export const scoreLegend = (): { colour: string; label: string }[] =>
  [...classes].reverse().map(({ label, fraction }) => ({ colour: viridis(fraction), label }))
