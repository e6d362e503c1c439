import type { Combination, DomainCount, FamilyRule } from './rule-file.ts'

/** A domain of a protein as far as rules look at it. `score` is in bits; 0 where the source tells none. */
export interface CountedDomain {
  domain: string
  score: number
}

/** A rule that a protein fits. */
interface Fit {
  rule: FamilyRule
  /** Copies of required domains that the rule asks for, in the way in which it is met. */
  copies: number
  auxiliary: number
  score: number
}

/** A rule whose required domains are there and that is not fitted all the same. */
export interface Refusal {
  rule: string
  family: string
  /** The forbidden domains that are there. */
  forbidden: string[]
}

export interface Assignment {
  /** Null when no rule is fitted. */
  rule: FamilyRule | null
  /** Families of further rules that are fitted less well, best first. */
  alsoFits: string[]
  refusals: Refusal[]
  /** Combinations of which some domains are there, and what they lack: `PF02362` or `PF00847#2`; only where nothing is fitted. */
  incomplete: { rule: string; family: string; lacks: string[] }[]
}

const renderCount = ({ domain, copies }: DomainCount): string => (copies === 1 ? domain : `${domain}#${copies}`)

/**
 * Assigns a protein to the family whose rule it fits best.
 *
 * A combination is met when of each member some alternative has its copies; a rule is fitted when one of its required combinations is
 * met and none of its forbidden ones. Among the rules that are fitted the one wins that asks for more copies of domains (AP2, two
 * copies, before ERF, one); then the one with more auxiliary combinations met; then the one whose required domains score more bits;
 * then the first in the file.
 *
 * Example: a protein with two AP2 domains (PF00847) fits the rules `PF00847#2` (AP2) and `PF00847` (ERF) and is assigned to AP2.
 */
export const assignFamily = (domains: readonly CountedDomain[], rules: readonly FamilyRule[]): Assignment => {
  const scores = new Map<string, number[]>()
  for (const { domain, score } of domains) scores.set(domain, [...(scores.get(domain) ?? []), score])
  for (const list of scores.values()) list.sort((a, b) => b - a)
  const has = ({ domain, copies }: DomainCount): boolean => (scores.get(domain)?.length ?? 0) >= copies
  const bits = ({ domain, copies }: DomainCount): number =>
    (scores.get(domain) ?? []).slice(0, copies).reduce((sum, score) => sum + score, 0)

  /** Copies and bits of the best way to meet a combination; null when it is not met. */
  const meet = (members: Combination): { copies: number; score: number } | null => {
    let copies = 0
    let score = 0
    for (const alternatives of members) {
      const [best] = alternatives.filter(has).sort((a, b) => b.copies - a.copies || bits(b) - bits(a))
      if (best === undefined) return null
      copies += best.copies
      score += bits(best)
    }
    return { copies, score }
  }

  const fits: Fit[] = []
  const refusals: Refusal[] = []
  const incomplete: Assignment['incomplete'] = []
  for (const rule of rules) {
    const ways = rule.required.map(meet).filter((way) => way !== null)
    if (ways.length === 0) {
      const [nearest] = rule.required
        .map((members) => ({
          lacks: members.filter((alternatives) => !alternatives.some(has)),
          some: members.some((alternatives) => alternatives.some(({ domain }) => scores.has(domain))),
        }))
        .filter(({ some }) => some)
        .sort((a, b) => a.lacks.length - b.lacks.length)
      if (nearest !== undefined)
        incomplete.push({
          rule: rule.id,
          family: rule.name,
          lacks: nearest.lacks.map((alternatives) => alternatives.map(renderCount).join(':')),
        })
      continue
    }
    const forbidden = rule.forbidden.filter((members) => meet(members) !== null)
    if (forbidden.length > 0) {
      const found = forbidden.flatMap((members) =>
        members.flatMap((one) => one.filter(has).map(({ domain }) => domain)),
      )
      refusals.push({ rule: rule.id, family: rule.name, forbidden: [...new Set(found)] })
      continue
    }
    const [best] = ways.sort((a, b) => b.copies - a.copies || b.score - a.score)
    fits.push({ rule, ...best!, auxiliary: rule.auxiliary.filter((members) => meet(members) !== null).length })
  }
  // Sorting is stable: among equals the first of the file stays first.
  fits.sort((a, b) => b.copies - a.copies || b.auxiliary - a.auxiliary || b.score - a.score)
  const winner = fits[0]?.rule ?? null
  return {
    rule: winner,
    alsoFits: [...new Set(fits.slice(1).map(({ rule }) => rule.name))].filter((name) => name !== winner?.name),
    refusals,
    incomplete: winner === null ? incomplete : [],
  }
}

export interface RuleState {
  /** Required domains that nothing can find, where no combination is left: the family cannot be assigned. */
  missing: string[]
  /** Required alternatives that nothing can find while another way is left: the family may be found less often. */
  missingAlternatives: string[]
  /** Forbidden domains that nothing can find: what they would exclude is not excluded. */
  missingForbidden: string[]
}

/** What a rule lacks when only some domains can be found. */
export const inspectRule = (rule: FamilyRule, canFind: (domain: string) => boolean): RuleState => {
  const lacks = (combinations: Combination[]): string[] => [
    ...new Set(
      combinations.flatMap((members) =>
        members.flatMap((one) => one.map(({ domain }) => domain).filter((domain) => !canFind(domain))),
      ),
    ),
  ]
  const possible = rule.required.some((members) =>
    members.every((alternatives) => alternatives.some(({ domain }) => canFind(domain))),
  )
  const missing = lacks(rule.required)
  return {
    missing: possible ? [] : missing,
    missingAlternatives: possible ? missing : [],
    missingForbidden: lacks(rule.forbidden),
  }
}
