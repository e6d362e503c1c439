import { ticks as d3Ticks } from 'd3'

/** What a linear scale of d3 is to an axis. */
export interface AxisScale {
  (value: number): number
  domain: () => number[]
  range: () => number[]
}

/** Any other function from values to pixels, with what it goes from and to: categories by their number, sequences end to end. */
export const placedScale = (
  place: (value: number) => number,
  domain: readonly number[],
  range: readonly number[],
): AxisScale => Object.assign((value: number) => place(value), { domain: () => [...domain], range: () => [...range] })

/** Pixels that a tick with its number has at least: across, and upwards. */
const pxPerTick = { x: 88, y: 42 } as const

/**
 * Round numbers (1, 2 or 5 times a power of ten) from one end of an axis to the other, as many as there is room for: two where there is
 * little. `whole` leaves out what counts cannot be.
 *
 * @example roundTicks(0, 6.09e6, 1200, 'x') // [0, 500000, 1000000, … 6000000]
 */
export const roundTicks = (from: number, to: number, lengthPx: number, along: 'x' | 'y', whole = false): number[] => {
  const wanted = Math.max(2, Math.min(12, Math.round(lengthPx / pxPerTick[along])))
  let found = d3Ticks(from, to, wanted)
  // A single number gives no scale.
  for (let more = wanted + 1; found.length < 2 && more <= 6; more += 1) found = d3Ticks(from, to, more)
  return whole ? found.filter(Number.isInteger) : found
}

/** Digits after the point by which all of these are told apart and written alike: `tickDecimals([0, 0.5, 1])` is 1. */
export const tickDecimals = (ticks: readonly number[]): number => {
  for (let digits = 0; digits < 12; digits += 1) {
    const scale = 10 ** digits
    if (ticks.every((tick) => Math.abs(Math.round(tick * scale) / scale - tick) <= 1e-9 * Math.abs(tick))) return digits
  }
  return 12
}

export interface PositionUnit {
  unit: 'bp' | 'kb' | 'Mb'
  /** Bases of one. */
  bases: number
  digits: number
}

/**
 * The unit in which positions at these ticks are short and still told apart: bases where the steps are of less than a kilobase or where a
 * place beyond the first megabase is seen from close by, since that is what one copies.
 *
 * @example positionUnit([0, 500_000, 1_000_000]) // { unit: 'Mb', bases: 1_000_000, digits: 1 }
 */
export const positionUnit = (ticks: readonly number[]): PositionUnit => {
  const step = ticks.length < 2 ? (ticks[0] ?? 1) : ticks[1]! - ticks[0]!
  const last = Math.abs(ticks.at(-1) ?? 0)
  const [unit, bases] =
    step >= 100_000 || (step >= 50_000 && last >= 1e6)
      ? (['Mb', 1e6] as const)
      : step >= 1000 && last < 1e6
        ? (['kb', 1e3] as const)
        : (['bp', 1] as const)
  return { unit, bases, digits: tickDecimals(ticks.map((tick) => tick / bases)) }
}

/**
 * The longest round length (1, 2 or 5 times a power of ten) that takes up at most `maxPx`.
 *
 * @param perPx what one pixel stands for
 * @example roundLength(3400, 150) // { length: 500_000, px: 147.06 }
 */
export const roundLength = (perPx: number, maxPx: number): { length: number; px: number } => {
  const max = perPx * maxPx
  const power = 10 ** Math.floor(Math.log10(max))
  const length = ([5, 2, 1].find((times) => times * power <= max * (1 + 1e-9)) ?? 1) * power
  return { length, px: length / perPx }
}
