import { withoutVersion } from '../profiles/hmm-profiles.ts'
import type { Combination, RuleFile } from './rule-file.ts'

/** One word for each domain, whether a profile, an annotation or a rule names it. */
export interface DomainVocabulary {
  /** The word that stands for this name or accession; the name itself (without a Pfam version) when it is not known. */
  find(name: string): string
  /** A short name to be shown; the word itself when there is none. */
  label(word: string): string
}

const pfamPattern = /^PF\d{5}(\.\d+)?$/i

/** `PF00172.24` and `pf00172` are one accession of Pfam. */
const plain = (name: string): string => (pfamPattern.test(name) ? withoutVersion(name).toUpperCase() : name)

/**
 * Builds the vocabulary from the rule file's `Domain` blocks, the lab's own names for profiles (`domains` of the manifest, profile to
 * word), and the profiles, whose name and accession mean the same.
 */
export const buildVocabulary = (
  file: Pick<RuleFile, 'domains'>,
  given: Record<string, string>,
  profiles: { name: string; accession: string | null; description?: string | null }[],
): DomainVocabulary => {
  const words = new Map<string, string>()
  const labels = new Map<string, string>()
  const key = (name: string): string => plain(name).toLowerCase()
  const add = (name: string, word: string): void => {
    if (!words.has(key(name))) words.set(key(name), word)
  }
  for (const { domain, name, others } of file.domains) {
    const word = plain(domain)
    for (const one of [domain, ...(name === null ? [] : [name]), ...others]) add(one, word)
    if (name !== null) labels.set(word, name)
  }
  const find = (name: string): string => words.get(key(name)) ?? plain(name)
  // A lab's word for a profile holds before everything else.
  for (const [profile, word] of Object.entries(given)) words.set(key(profile), find(word))
  for (const { name, accession } of profiles) {
    const word = words.get(key(name)) ?? (accession === null ? undefined : find(accession)) ?? plain(name)
    add(name, word)
    if (accession !== null) add(accession, word)
    if (!labels.has(word)) labels.set(word, name)
  }
  return { find, label: (word) => labels.get(word) ?? word }
}

/** The expression with each domain by its one word. */
export const withWords = (combinations: Combination[], vocabulary: DomainVocabulary): Combination[] =>
  combinations.map((members) =>
    members.map((one) => one.map(({ domain, copies }) => ({ domain: vocabulary.find(domain), copies }))),
  )
