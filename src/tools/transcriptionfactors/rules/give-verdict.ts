import { type DomainHit, resolveOverlaps } from '../profiles/domain-hits.ts'
import type { StoredProfile } from '../stored.ts'
import type { Domain, StatedRule, Verdict } from '../tool.ts'
import { assignFamily, inspectRule } from './assign-family.ts'
import { buildVocabulary, type DomainVocabulary, withWords } from './domain-vocabulary.ts'
import { type FamilyRule, type RuleFile, renderExpression } from './rule-file.ts'

/** Rules with every domain by its one word, and how profiles are called. */
export interface RuleBook {
  rules: FamilyRule[]
  vocabulary: DomainVocabulary
}

export const openRules = (
  file: RuleFile,
  given: Record<string, string>,
  profiles: { name: string; accession: string | null; description?: string | null }[],
): RuleBook => {
  const vocabulary = buildVocabulary(file, given, profiles)
  const rules = file.rules.map((rule) => ({
    ...rule,
    required: withWords(rule.required, vocabulary),
    forbidden: withWords(rule.forbidden, vocabulary),
    auxiliary: withWords(rule.auxiliary, vocabulary),
  }))
  return { rules, vocabulary }
}

/** The rules as they are shown, with what each lacks when only some domains can be found. */
export const stateRules = ({ rules }: RuleBook, canFind: (domain: string) => boolean): StatedRule[] =>
  rules.map((rule) => ({
    id: rule.id,
    family: rule.name,
    within: rule.within,
    type: rule.type,
    description: rule.description,
    group: rule.group,
    citation: rule.citation,
    required: renderExpression(rule.required),
    forbidden: renderExpression(rule.forbidden),
    auxiliary: renderExpression(rule.auxiliary),
    ...inspectRule(rule, canFind),
  }))

/** Hits of HMMER as domains, with the threshold of each in bits. */
export const hitsAsDomains = (
  hits: readonly DomainHit[],
  { vocabulary }: RuleBook,
  profiles: ReadonlyMap<string, Pick<StoredProfile, 'gathering'>>,
): (Domain & DomainHit)[] =>
  hits.map((hit) => {
    const domain = vocabulary.find(hit.profile)
    const threshold = profiles.get(hit.profile)?.gathering?.[1] ?? null
    return { ...hit, domain, label: vocabulary.label(domain), threshold }
  })

/** Lets the rules speak on the domains of a protein, overlaps resolved. */
export const giveVerdict = (domains: readonly (Domain & DomainHit)[], book: RuleBook): Verdict => {
  const { kept, covered } = resolveOverlaps(domains)
  return { ...verdictOn(kept, book), domains: kept.map(plainDomain), covered: covered.map(plainDomain) }
}

/** The same for domains of an annotation, which come without scores; those of one word that overlap are one. */
export const giveAnnotationVerdict = (domains: readonly Domain[], book: RuleBook): Verdict => {
  const kept: Domain[] = []
  const placed = [...domains].sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || (b.end ?? 0) - (a.end ?? 0))
  for (const one of placed) {
    const same = kept.filter(({ domain }) => domain === one.domain)
    // A term without a place says that there is at least one.
    if (one.start === null || one.end === null) {
      if (!domains.some((other) => other.domain === one.domain && other.start !== null) && same.length === 0)
        kept.push(one)
      continue
    }
    const touching = same.find(
      ({ start, end }) => start !== null && end !== null && start <= one.end! && one.start! <= end,
    )
    if (touching === undefined) kept.push({ ...one })
    else touching.end = Math.max(touching.end!, one.end)
  }
  return { ...verdictOn(kept, book), domains: kept, covered: [] }
}

const verdictOn = (
  domains: readonly Pick<Domain, 'domain' | 'score'>[],
  { rules }: RuleBook,
): Omit<Verdict, 'domains' | 'covered'> => {
  const { rule, alsoFits, refusals, incomplete } = assignFamily(
    domains.map(({ domain, score }) => ({ domain, score: score ?? 0 })),
    rules,
  )
  return {
    family: rule?.name ?? null,
    within: rule?.within ?? [],
    type: rule?.type ?? null,
    rule: rule?.id ?? null,
    alsoFits,
    refusals,
    incomplete,
  }
}

const plainDomain = (one: Domain & DomainHit): Domain => ({
  domain: one.domain,
  label: one.label,
  profile: one.profile,
  accession: one.accession,
  start: one.start,
  end: one.end,
  alignmentStart: one.alignmentStart,
  alignmentEnd: one.alignmentEnd,
  profileStart: one.profileStart,
  profileEnd: one.profileEnd,
  profileLength: one.profileLength,
  evalue: one.evalue,
  score: one.score,
  threshold: one.threshold,
})
