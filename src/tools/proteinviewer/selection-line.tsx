import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EffectTag } from '../../kit/ui/gene/consequence-mark.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { labelOf } from './lay-features.ts'
import messages from './messages.ts'
import type { Selection } from './protein-figure.tsx'

const TermLink = ({ id, assembly }: { id: string; assembly: string }): ReactNode => (
  <Link to={`/detail?${new URLSearchParams({ type: 'term', id, assembly })}`}>{id}</Link>
)

/** What is pointed at or chosen, in words; the room is held so that nothing below moves. */
export const SelectionLine = ({
  selection,
  assembly,
}: {
  selection: Selection | null
  assembly: string
}): ReactNode => {
  const t = useText(messages)
  if (selection === null) return <p className="protein-selection nv-quiet">{t('selection.hint')}</p>
  const { feature, variant, start, end } = selection
  if (feature !== undefined)
    return (
      <p className="protein-selection" aria-live="polite">
        <strong>{labelOf(feature)}</strong> {t(`kind.${feature.kind}`)} · {start}–{end} · {feature.analysis}{' '}
        {feature.accession === null ? null : <TermLink id={feature.accession} assembly={assembly} />}
        {feature.entry === null ? null : (
          <>
            {` · ${t('column.entry')} `}
            <TermLink id={feature.entry} assembly={assembly} />
          </>
        )}
        {feature.evalue === null ? null : ` · ${t('column.evalue')} ${feature.evalue.toExponential(1)}`}
      </p>
    )
  if (variant !== undefined)
    return (
      <p className="protein-selection" aria-live="polite">
        <strong>{variant.change}</strong> <EffectTag name={variant.consequence} /> {t('selection.residue', { start })} ·{' '}
        {variant.sequence}:{variant.position} {variant.reference} &gt; {variant.alternates.join(', ')}
      </p>
    )
  return (
    <p className="protein-selection" aria-live="polite">
      {start === end ? t('selection.residue', { start }) : t('selection.residues', { start, end })}
    </p>
  )
}
