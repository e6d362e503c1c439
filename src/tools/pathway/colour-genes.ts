import { interpolateRdBu } from 'd3'
import { hasDecimalComma, splitListLine } from '../../bio/text/table-cells.ts'

/** Why a line is no gene and number; `line` is counted from 1. */
export type ValueProblem =
  | { kind: 'bad'; line: number }
  | { kind: 'cells'; line: number; found: number }
  | { kind: 'comma'; line: number; value: string }
  | { kind: 'many' }

export interface GeneValues {
  /** By name as it was typed, in lower case. */
  values: Map<string, number>
  /** The first line that cannot be read; those after it are not. */
  problem: ValueProblem | null
}

/**
 * A gene and a number a line, parted by tab, comma, semicolon or blanks; empty lines, comments and a heading are passed over. None of
 * several numbers is taken, nor one with a decimal comma.
 * Example: `parseGeneValues('gene\tlogFC\nCDC19\t-1.5', 10).values` is `Map {'cdc19' => -1.5}`.
 */
export const parseGeneValues = (text: string, max: number): GeneValues => {
  const values = new Map<string, number>()
  let read = 0
  for (const [at, raw] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = at + 1
    if (raw.trim() === '' || raw.startsWith('#')) continue
    // Of a gene and its number parted by blanks the comma is the number's.
    const byBlanks = raw.trim().split(/\s+/)
    const apart = byBlanks.length === 2 && hasDecimalComma(byBlanks[1]!)
    const cells = apart ? byBlanks : splitListLine(raw, { blanks: true })
    if (cells.length > 2) return { values, problem: { kind: 'cells', line, found: cells.length } }
    const [gene, value] = cells
    const number = Number(value)
    if (value !== undefined && hasDecimalComma(value)) return { values, problem: { kind: 'comma', line, value } }
    if (!gene || value === undefined || value === '' || !Number.isFinite(number)) {
      if (read === 0 && gene !== undefined && value !== undefined) {
        read += 1
        continue
      }
      return { values, problem: { kind: 'bad', line } }
    }
    read += 1
    if (read > max) return { values, problem: { kind: 'many' } }
    values.set(gene.toLowerCase(), number)
  }
  return { values, problem: null }
}

/** Blue for below 0, red for above, white at 0; `max` is where the colours end. Red and blue are told apart by all common eyes. */
export const valueColour = (value: number, max: number): string =>
  interpolateRdBu(0.5 - 0.42 * Math.max(-1, Math.min(1, max === 0 ? 0 : value / max)))
