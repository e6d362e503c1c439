import { nameGenes, type OtherRules } from '../../data/genes/promoter-rules.ts'
import type { Format, Translate } from '../language.tsx'
import type { messages } from '../messages.ts'

interface Words {
  /** The texts that every screen shares. */
  shared: Translate<keyof typeof messages.en>
  format: Format
}

/** The names that a sentence has room for, and how many more there are. */
export const listNames = (names: string[], more: number, { shared, format }: Words): string =>
  more === 0 ? format.list(names) : shared('names.more', { names: names.join(', '), more })

/** A sentence for each rule by which promoters were taken instead of the one that the settings say. */
export const otherRulesText = (otherRules: OtherRules, words: Words): string[] =>
  otherRules.map((entry) => {
    const { names, more } = nameGenes(entry)
    return words.shared(`promoterRule.${entry.rule}`, { count: entry.count, names: listNames(names, more, words) })
  })
