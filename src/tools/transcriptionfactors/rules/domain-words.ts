import type { Translate } from '../../../kit/ui/language.tsx'
import type messages from '../messages.ts'
import type { Domain, Verdict } from '../tool.ts'

export type Words = Translate<Extract<keyof (typeof messages)['en'], string>>

/** Domains in order, copies in a row counted: `AP2 ×2 · B3`. */
export const architectureOf = (domains: readonly Pick<Domain, 'label'>[]): string => {
  const runs: { label: string; count: number }[] = []
  for (const { label } of domains) {
    const last = runs.at(-1)
    if (last?.label === label) last.count += 1
    else runs.push({ label, count: 1 })
  }
  return runs.map(({ label, count }) => (count === 1 ? label : `${label} ×${count}`)).join(' · ')
}

/** Why a protein is in no family; null where it is in one. */
export const whyNone = (verdict: Verdict, t: Words): string | null => {
  if (verdict.family !== null) return null
  if (verdict.domains.length === 0) return t('why.none')
  const labels = new Map(verdict.domains.map(({ domain, label }) => [domain, label]))
  const named = (domains: string[]): string => domains.map((domain) => labels.get(domain) ?? domain).join(', ')
  const refused = verdict.refusals.map(({ family, forbidden }) =>
    t('why.forbidden', { family, domains: named(forbidden) }),
  )
  const lacking = verdict.incomplete
    .slice(0, 3)
    .map(({ family, lacks }) =>
      t('why.lacks', { family, domains: lacks.join(', ').replaceAll('#', ' ×').replaceAll(':', ' / ') }),
    )
  return [...refused, ...lacking].join('; ') || t('why.unused')
}

/** A domain by its short name and the word that rules have for it: `AP2 (PF00847)`. */
export const namedDomain =
  (labels: Record<string, string>) =>
  (domain: string): string => {
    const label = labels[domain]
    return label === undefined || label === domain ? domain : `${label} (${domain})`
  }

/** The lowest e-value of the domains that count; null for annotation. */
export const bestEvalue = ({ domains }: Pick<Verdict, 'domains'>): number | null => {
  const values = domains.flatMap(({ evalue }) => evalue ?? [])
  return values.length === 0 ? null : Math.min(...values)
}

/** An expression of the rule file in words: `PF00046--PF02183:PF01852` is "PF00046 and PF02183 or PF01852". */
export const expressionInWords = (expression: string, t: Words, label: (domain: string) => string): string =>
  expression
    .split('; ')
    .filter((part) => part !== '')
    .map((part) =>
      part
        .split('--')
        .map((member) => {
          const alternatives = member.split(':').map((one) => {
            const [domain, copies] = one.split('#')
            const named = label(domain ?? '')
            return copies === undefined ? named : t('rule.copies', { domain: named, copies })
          })
          const text = alternatives.join(` ${t('rule.or')} `)
          return alternatives.length > 1 && part.includes('--') ? `(${text})` : text
        })
        .join(` ${t('rule.and')} `),
    )
    .join(` ${t('rule.or')} `)
