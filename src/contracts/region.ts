import { z } from 'zod'
import { type RegionErrorCode, readPosition } from '../bio/sequence/region.ts'

/**
 * Places as every input takes them. A text is read by `parseRegion` (bio/sequence/region.ts) on the server, where the sequences are known;
 * fields of their own are read here. One meaning in both: counted from 1, both ends included, start above end is the reverse strand.
 */

/** Positions are kept as integers of 32 bits; what is left of them is for a turn around a circular sequence. */
const maxPosition = 2_000_000_000

const positionText = z.union([z.number().meta({ minimum: 1, maximum: maxPosition }), z.string().max(40)])

type Refuse = (issue: { code: 'custom'; message: string; params: Record<string, string | number> }) => void

const readGiven = (given: number | string, refuse: Refuse): number => {
  const wrong = (message: string, params: Record<string, string | number> = {}): number => {
    refuse({ code: 'custom', message, params })
    return z.NEVER
  }
  const read =
    typeof given === 'string'
      ? readPosition(given)
      : Number.isInteger(given)
        ? { ok: true as const, value: given }
        : { ok: false as const, error: { code: 'region-number-bad' as const, params: { value: given } } }
  if (!read.ok) return wrong(locusMessage(read.error.code), read.error.params)
  if (read.value < 1) return wrong(locusMessage('region-start-zero'))
  if (read.value > maxPosition) return wrong('input.tooBig', { maximum: maxPosition })
  return read.value
}

/** A position as a number, or as its digits with commas between thousands. */
const position1Schema = positionText.transform((given, context) => readGiven(given, (issue) => context.addIssue(issue)))

/** The same where an empty box stands for the end of the sequence. */
export const optionalPosition1Schema = positionText
  .optional()
  .transform((given, context) =>
    given === undefined || (typeof given === 'string' && given.trim() === '')
      ? undefined
      : readGiven(given, (issue) => context.addIssue(issue)),
  )

/** A region in fields of their own. */
export const locusFields = {
  sequence: z.string().min(1).max(200),
  start: position1Schema,
  end: position1Schema,
}

/** The segment that `locusFields` mean, and the strand. Example: 9 and 5 are `{start: 5, end: 9, strand: '-'}`. */
export const orientLocus = ({
  start,
  end,
}: {
  start: number
  end: number
}): { start: number; end: number; strand: '+' | '-' } =>
  start <= end ? { start, end, strand: '+' } : { start: end, end: start, strand: '-' }

const locusMessages = {
  'region-empty': 'locus.empty',
  'region-unreadable': 'locus.unreadable',
  'region-name-missing': 'locus.name-missing',
  'region-range-missing': 'locus.range-missing',
  'region-number-bad': 'locus.number-bad',
  'region-number-comma': 'locus.number-comma',
  'region-start-zero': 'locus.start-zero',
  'region-bed-columns': 'locus.bed-columns',
  'region-bed-empty': 'locus.bed-empty',
  'region-sequence-unknown': 'locus.sequence-unknown',
  'region-name-ambiguous': 'locus.name-ambiguous',
  'region-beyond-end': 'locus.beyond-end',
} as const satisfies Record<RegionErrorCode, string>

/** The shared message of what is wrong with a region. */
export const locusMessage = (code: RegionErrorCode): string => locusMessages[code]
