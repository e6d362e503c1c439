import { type ReactNode, useMemo } from 'react'
import { IntersectionFigure } from '../../kit/ui/figures/intersection-figure.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { TermChoice, type TermFigureProps, termName } from './figure-terms.tsx'
import messages from './messages.ts'
import type { TermResult } from './tool.ts'

const maxTerms = 10

/** The best terms with different genes; of those with the same genes the first. */
const differing = (terms: TermResult[]): TermResult[] => {
  const seen = new Set<string>()
  return terms
    .filter(({ genes }) => {
      const key = [...genes].sort((a, b) => a - b).join(' ')
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    .slice(0, maxTerms)
}

/** How many genes of the set have exactly which of the best terms. */
export const UpsetFigure = ({ result, terms, of, receipt }: TermFigureProps): ReactNode => {
  const t = useText(messages)
  const rows = useMemo(() => differing(terms), [terms])
  const sets = useMemo(
    () => rows.map((term) => ({ key: `${term.collection} ${term.id}`, name: termName(term), members: term.genes })),
    [rows],
  )
  const names = useMemo(() => result.genes.map(({ symbol, id }) => symbol ?? id), [result])
  return (
    <IntersectionFigure
      sets={sets}
      members={names}
      title={t('view.upset')}
      aside={t('figure.of', { shown: rows.length, of })}
      name="enrichment-intersections"
      receipt={receipt}
      method={t('upset.method')}
      setsTitle={t('column.terms')}
      wrap={(at, label) => <TermChoice id={rows[at]!.id}>{label}</TermChoice>}
    />
  )
}
