import type { ReactNode } from 'react'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import { BlastForm } from './form.tsx'
import { renderEvalue, shortNumber } from './hits/tabular.ts'
import messages from './messages.ts'
import { countScope } from './result/scope-words.ts'
import { BlastResultView } from './result-view.tsx'
import tool, { type BlastResult } from './tool.ts'
import './screen.css'

interface NamedHit {
  subject: string
  assembly: string | null
}

/** Hits as the headline names them: where each is in another genome, by the genome, which readers know better than the sequence. */
const hitNames = (hits: NamedHit[], genomes: boolean, nameOf: (assembly: string) => string): string[] =>
  genomes && new Set(hits.map(({ assembly }) => assembly)).size === hits.length
    ? hits.map(({ subject, assembly }) => (assembly === null ? subject : nameOf(assembly)))
    : hits.map(({ subject, assembly }) =>
        assembly === null || assembly === subject ? subject : `${subject} · ${nameOf(assembly)}`,
      )

const Headline = ({ result }: { result: BlastResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const evalue = shortNumber(result.settings.evalue)
  const only = result.queries.length === 1 ? result.queries[0] : undefined
  const { what, searched, found, others } = countScope(result, only)
  const where =
    found === null || result.hits === 0
      ? t('headline.where', { what, searched })
      : t('headline.whereHits', { what, searched, found })
  const equal = (only?.equalToBest?.named ?? []).slice(0, 3)
  const headline =
    result.hits === 0
      ? t('headline.none', { queries: result.queries.length, where, evalue })
      : only?.best
        ? t('headline.one', {
            hits: only.hits,
            where,
            best: format.names(hitNames([only.best, ...equal], what === 'genome', nameOf)),
            equal: only.equalToBest?.count ?? 0,
            more: Math.max(0, (only.equalToBest?.count ?? 0) - equal.length),
            identity: format.number(only.best.identityPercent, 1),
            coverage: format.number(only.best.queryCoveragePercent, 1),
            evalue: renderEvalue(only.best.evalue),
          })
        : t('headline.many', {
            found: result.queries.filter((query) => query.hits > 0).length,
            queries: result.queries.length,
            hits: result.hits,
            hsps: result.hsps,
            where,
          })
  return others === 0 ? headline : `${headline} ${t('headline.others', { count: others })}`
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  layout: 'top',
  Form: BlastForm,
  Result: BlastResultView,
  headline: ({ result }) => <Headline result={result} />,
})
