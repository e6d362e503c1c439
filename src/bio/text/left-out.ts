import { textDefects } from './text-defects.ts'
import type { TextLog } from './text-encoding.ts'

/**
 * The largest share of rows that may be left out of a file; with more of them it is refused, for what is left is not what was meant.
 * `unusable`: rows with values that cannot be, or at places that the genome does not have. `unknown`: rows of genes or sequences that
 * the assembly does not have, of which a file of the whole species may have many beside a part of it.
 */
export const maxLeftOut = { unusable: 0.1, unknown: 0.9 } as const

/** Fewer rows than these are told one by one and refuse nothing. */
export const minLeftOut = 5

/**
 * Refuses a file of which more rows are left out than may be, by an error with the counts and the first of them; true when it did.
 *
 * Example: 34 of 39 rows that are unusable refuse a file, 3 of 39 do not.
 */
export function refuseLeftOut(
  log: TextLog,
  file: string,
  facts: { why: keyof typeof maxLeftOut; count: number; total: number; line: number | null; example: string },
): boolean {
  const { why, count, total, line, example } = facts
  if (count < minLeftOut || count <= total * maxLeftOut[why]) return false
  log.report(textDefects, why === 'unusable' ? 'rows-unusable' : 'rows-unknown', file, line, {
    count,
    total,
    example,
    percent: Math.round((100 * count) / total),
    max: maxLeftOut[why] * 100,
  })
  return true
}
