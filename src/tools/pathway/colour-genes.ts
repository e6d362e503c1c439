import { interpolateRdBu } from 'd3'

export interface GeneValues {
  /** By name as it was typed, in lower case. */
  values: Map<string, number>
  /** Line from 1 that could not be read; 0 for more lines than allowed. */
  bad: number | null
}

/**
 * A gene and a number a line, parted by tab, comma or blanks; empty lines, comments and a heading are passed over.
 * Example: `parseGeneValues('gene\tlogFC\nCDC19\t-1.5', 10).values` is `Map {'cdc19' => -1.5}`.
 */
export const parseGeneValues = (text: string, most: number): GeneValues => {
  const values = new Map<string, number>()
  const lines = text.split(/\r?\n/)
  let read = 0
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [gene, value] = line.trim().split(/\s*[\t,;]\s*|\s+/)
    const number = Number(value)
    if (!gene || value === undefined || value === '' || !Number.isFinite(number)) {
      if (read === 0 && values.size === 0 && gene !== undefined && value !== undefined) {
        read += 1
        continue
      }
      return { values, bad: at + 1 }
    }
    read += 1
    if (read > most) return { values, bad: 0 }
    values.set(gene.toLowerCase(), number)
  }
  return { values, bad: null }
}

/** Blue for below 0, red for above, white at 0; `most` is where the colours end. Red and blue are told apart by all common eyes. */
export const valueColour = (value: number, most: number): string =>
  interpolateRdBu(0.5 - 0.42 * Math.max(-1, Math.min(1, most === 0 ? 0 : value / most)))
