import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { consequences, impactOf } from '../../bio/variation/consequences.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { EffectTag, useConsequenceName } from '../../kit/ui/gene/consequence-mark.tsx'
import { differencePlace } from '../../kit/ui/gene/difference-place.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { dnaChange } from './dna-change.ts'
import messages from './messages.ts'
import type { HighImpactEffect, StrainReport } from './tool.ts'

const grave = consequences.filter(({ impact }) => impact === 'high').map(({ name }) => name)

/** Where the changes of an effect lie on the reference. */
const placeOf = ({ sequence, changes }: HighImpactEffect): string => {
  const start = Math.min(...changes.map((one) => Math.min(one.start, one.end)))
  const end = Math.max(...changes.map((one) => Math.max(one.start, one.end)))
  const isInsertion = changes.every((one) => one.end < one.start) && end - start === 1
  return differencePlace({ sequence, start, end, lengthBp: isInsertion ? 0 : end - start + 1, parts: [] }, undefined)
}

/** Variants of the strain that break a gene product. */
export const EffectCard = ({ report, receipt }: { report: StrainReport; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const consequenceName = useConsequenceName()
  const nameOf = useAssemblyNames()
  const [shown, setShown] = useState('every')
  const { highImpact, reference, strain } = report
  const all = highImpact?.rows ?? []
  const rows = useMemo(
    () => (shown === 'every' ? all : all.filter(({ consequences: names }) => names[0] === shown)),
    [all, shown],
  )
  if (highImpact === null)
    return (
      <Card title={t('effects.title')}>
        <EmptyState title={t('effects.unavailable')} />
      </Card>
    )
  const { counts, set } = highImpact
  const present = grave.filter((name) => (counts[name] ?? 0) > 0)
  return (
    <Card
      title={t('effects.title')}
      aside={format.number(highImpact.total)}
      flush
      actions={
        rows.length === 0 ? undefined : (
          <GeneSetMenu
            genes={[...new Set(rows.map(({ gene }) => gene))].map((id) => ({ id, assembly: reference.id }))}
            name={t('genes.set', {
              what: t('effects.title'),
              strain: nameOf(strain.id),
              reference: nameOf(reference.id),
            })}
          />
        )
      }
    >
      <div className="strain-lead">
        <p className="strain-head">
          {t('effects.head', {
            total: highImpact.total,
            genes: highImpact.genes,
            kinds: format.series(present.map((name) => `${consequenceName(name)} ${format.number(counts[name]!)}`)),
          })}
        </p>
        <p className="nv-quiet">
          {set === null
            ? t('effects.alignment')
            : t('effects.variants', { set: format.text(set.name), sample: set.sample })}
        </p>
        {highImpact.total > all.length ? (
          <p className="nv-quiet">{t('effects.cut', { shown: all.length, total: highImpact.total })}</p>
        ) : null}
        {present.length < 2 ? null : (
          <div className="strain-choice" data-screen-only>
            <span>{t('genes.shown')}</span>
            <Select
              aria-label={`${t('effects.title')}: ${t('genes.shown')}`}
              value={shown}
              onChoose={setShown}
              options={['every', ...present].map((value) => ({
                value,
                label:
                  value === 'every'
                    ? t('effects.every')
                    : `${consequenceName(value)} (${format.number(counts[value] ?? 0)})`,
              }))}
            />
          </div>
        )}
      </div>
      <ResultTable
        label={t('effects.title')}
        name="strain-high-impact-variants"
        receipt={receipt}
        rows={rows}
        rowKey={(one) => `${one.gene}-${placeOf(one)}-${one.changes[0]!.to}`}
        gene={({ gene }) => ({ assembly: reference.id, id: gene })}
        pageSize={25}
        total={shown === 'every' ? highImpact.total : rows.length}
        empty={<EmptyState title={t('effects.none')} why={t('effects.noneWhy')} />}
        columns={[
          {
            key: 'consequence',
            title: t('column.consequence'),
            main: true,
            value: ({ consequences: names }) => names.map(consequenceName).join(', '),
            render: ({ consequences: names }) => (
              <span className="strain-kind">
                {names
                  .filter((name) => impactOf(name) === 'high')
                  .map((name) => (
                    <EffectTag key={name} name={name} />
                  ))}
              </span>
            ),
          },
          {
            key: 'gene',
            title: t('column.gene'),
            kind: 'id',
            main: true,
            value: ({ gene }) => gene,
            render: ({ gene }) => <GeneLink id={gene} assembly={reference.id} />,
          },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
          { key: 'product', title: t('column.product'), long: true, value: ({ description }) => description },
          { key: 'hgvs', title: t('column.hgvs'), kind: 'id', main: true, value: ({ hgvs }) => hgvs },
          {
            key: 'locus',
            title: t('column.inReference'),
            kind: 'id',
            value: placeOf,
            on: ({ sequence }) => ({ assembly: reference.id, sequence }),
          },
          ...(set === null
            ? [
                {
                  key: 'own',
                  title: t('column.inStrain'),
                  kind: 'id' as const,
                  value: ({ own }: HighImpactEffect) =>
                    own === null
                      ? null
                      : own.end < own.start
                        ? `${own.sequence}:${own.end}^${own.start}`
                        : `${own.sequence}:${own.start}..${own.end}`,
                  on: ({ own, sequence }: HighImpactEffect) =>
                    own === null
                      ? { assembly: reference.id, sequence }
                      : { assembly: strain.id, sequence: own.sequence },
                },
              ]
            : [
                {
                  key: 'variant',
                  title: t('column.variant'),
                  kind: 'id' as const,
                  value: ({ variant }: HighImpactEffect) => variant,
                  render: ({ variant }: HighImpactEffect) =>
                    variant === null ? null : (
                      <Link
                        to={`/detail?${new URLSearchParams({ type: 'variant', id: variant, assembly: reference.id })}`}
                      >
                        {variant}
                      </Link>
                    ),
                },
              ]),
          {
            key: 'dna',
            title: t('column.dna'),
            help: t('help.dna'),
            long: true,
            value: ({ changes }) => changes.map(dnaChange).join('; '),
          },
          {
            key: 'kept',
            title: t('column.kept'),
            help: t('help.kept'),
            kind: 'number',
            digits: 1,
            value: ({ keptShare }) => (keptShare === null ? null : 100 * keptShare),
          },
          {
            key: 'transcript',
            title: t('column.transcript'),
            kind: 'id',
            hidden: true,
            value: (one) => one.transcript,
          },
        ]}
      />
    </Card>
  )
}
