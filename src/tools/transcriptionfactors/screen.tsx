import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { familyAddress } from './addresses.ts'
import { Browse } from './browse.tsx'
import { DomainFigure } from './domain-figure.tsx'
import { DomainTable } from './domain-table.tsx'
import messages from './messages.ts'
import { ProteinTable } from './protein-table.tsx'
import { namedDomain } from './rules/domain-words.ts'
import tool, { profileData } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

/** Families that the headline names; the card below has all, with their numbers. */
const namedFamilies = 5

/** Pasted proteins may share a name: the second is told apart, so that no row is lost. */
const disambiguate = (proteins: Result['proteins']): Result['proteins'] => {
  const seen = new Map<string, number>()
  return proteins.map((protein) => {
    const times = (seen.get(protein.name) ?? 0) + 1
    seen.set(protein.name, times)
    return times === 1 ? protein : { ...protein, name: `${protein.name} (${times})` }
  })
}

const Notes = ({ result }: { result: Result }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, unknown, noProtein, ambiguous, rules, labels } = result
  const label = namedDomain(labels)
  const missing = rules.filter((rule) => rule.missing.length > 0)
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} />
      {noProtein.length === 0 ? null : (
        <p className="nv-warn">{t('note.noProtein', { names: format.names(noProtein) })}</p>
      )}
      {missing.length === 0 ? null : (
        <details className="nv-quiet">
          <summary>
            {t('note.missing', { count: missing.length })} {t('note.missingShow')}
          </summary>
          <p>{missing.map((rule) => `${rule.family} (${rule.missing.map(label).join(', ')})`).join('; ')}</p>
        </details>
      )}
    </>
  )
}

const ResultView = ({ result, receipt }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const { assembly } = result
  const proteins = useMemo(() => {
    const all = disambiguate(result.proteins)
    return [...all.filter(({ family }) => family !== null), ...all.filter(({ family }) => family === null)]
  }, [result.proteins])
  const drawn = useMemo(
    () =>
      proteins
        .filter(({ domains }) => domains.length > 0)
        .map((protein) => ({ ...protein, symbol: protein.gene?.symbol ?? null })),
    [proteins],
  )
  const counts = new Map<string, number>()
  for (const { family } of proteins) if (family !== null) counts.set(family, (counts.get(family) ?? 0) + 1)
  return (
    <div className="tf-stack">
      <div>
        <Notes result={result} />
        <ButtonLink size="small" look="quiet" to={familyAddress(assembly)} icon={<ArrowLeft size={14} aria-hidden />}>
          {t('back.browse')}
        </ButtonLink>
      </div>
      {counts.size === 0 ? null : (
        <Card title={t('families.title')}>
          <ul className="tf-families">
            {[...counts]
              .sort((a, b) => b[1] - a[1])
              .map(([family, count]) => (
                <li key={family}>
                  <Link to={familyAddress(assembly, family)}>{family}</Link> <span className="nv-tabular">{count}</span>
                </li>
              ))}
          </ul>
        </Card>
      )}
      <Card title={t('table.proteins')} flush>
        <ProteinTable proteins={proteins} name="transcription-factors" receipt={receipt} assembly={assembly} />
      </Card>
      {drawn.length === 0 ? null : (
        <>
          <DomainFigure proteins={drawn} name="domain-architecture" receipt={receipt} />
          <Card title={t('table.domains')} flush>
            <DomainTable proteins={drawn} name="domains" receipt={receipt} />
          </Card>
        </>
      )}
    </div>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Start: Browse,
  Result: ResultView,
  fields: {
    genes: { widget: 'genes', when: (values) => values.by !== 'sequence' },
    sequence: { widget: 'sequence', rows: 9, required: true, when: (values) => values.by === 'sequence' },
    assembly: { needs: profileData },
  },
  headline: ({ result, t, format }) => {
    const families = [...new Set(result.proteins.flatMap(({ family }) => family ?? []))]
    const named = families.length > namedFamilies ? [...families.slice(0, namedFamilies), '…'] : families
    const factors = result.proteins.filter(({ family }) => family !== null).length
    const count = result.proteins.length
    return factors === 0
      ? t('head.none', { count })
      : t('head.found', { count, factors, families: families.length, names: format.names(named) })
  },
})
