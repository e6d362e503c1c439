// primer3's reasons in the reader's words.

import type { ExplainCount } from '../../bio/sequence/boulder.ts'

/** Reasons as libprimer3 2.6.1 writes them (p3_get_oligo_array_explain_string, p3_get_pair_array_explain_string). */
const words = {
  considered: ['why.considered', 'advice.none'],
  ok: ['why.ok', 'advice.none'],
  'too many Ns': ['why.n', 'advice.place'],
  'overlap target': ['why.target', 'advice.place'],
  'overlap excluded region': ['why.excluded', 'advice.place'],
  'GC content failed': ['why.gc', 'advice.gc'],
  'GC clamp failed': ['why.clamp', 'advice.gc'],
  'low tm': ['why.lowTm', 'advice.tm'],
  'high tm': ['why.highTm', 'advice.tm'],
  'high any compl': ['why.selfAny', 'advice.structure'],
  'high end compl': ['why.selfEnd', 'advice.structure'],
  'high hairpin stability': ['why.hairpin', 'advice.structure'],
  'long poly-x seq': ['why.poly', 'advice.poly'],
  "high 3' stability": ['why.end', 'advice.none'],
  'high template mispriming score': ['why.mispriming', 'advice.none'],
  "lowercase masking of 3' end": ['why.masked', 'advice.place'],
  'no overlap of required point': ['why.junction', 'advice.tm'],
  'no target': ['why.noTarget', 'advice.place'],
  'unacceptable product size': ['why.size', 'advice.size'],
  'low product Tm': ['why.productTm', 'advice.size'],
  'high product Tm': ['why.productTm', 'advice.size'],
  'tm diff too large': ['why.difference', 'advice.tm'],
  'primer in pair overlaps a primer in a better pair': ['why.similar', 'advice.none'],
  'no internal oligo': ['why.probe', 'advice.none'],
} as const satisfies Record<string, readonly [`why.${string}`, `advice.${string}`]>

type WhyMessage = (typeof words)[keyof typeof words][number]

/** Message ids of a reason and of what to do; null for a reason of another version of primer3, to be shown as it is. */
export const wordsOf = (reason: string): { why: WhyMessage; advice: WhyMessage } | null => {
  const found = Object.hasOwn(words, reason) ? words[reason as keyof typeof words] : undefined
  return found === undefined ? null : { why: found[0], advice: found[1] }
}

/** The number under a reason; 0 when it is absent. `countOf([{reason: 'ok', count: 3}], 'ok')` is 3. */
export const countOf = (explain: readonly ExplainCount[], reason: string): number =>
  explain.find((one) => one.reason === reason)?.count ?? 0

/** The commonest reason of refusal; null when nothing was refused. */
export const mainReason = (explain: readonly ExplainCount[]): ExplainCount | null =>
  explain
    .filter(({ reason, count }) => reason !== 'considered' && reason !== 'ok' && count > 0)
    .sort((a, b) => b.count - a.count)[0] ?? null
