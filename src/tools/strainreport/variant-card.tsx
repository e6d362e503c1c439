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
import type { GeneFilter } from './gene-filter.ts'
import messages from './messages.ts'
import { type ListedImpact, listedImpacts, type ProteinVariant, type StrainReport } from './tool.ts'

const isListed = (impact: string): impact is ListedImpact => (listedImpacts as readonly string[]).includes(impact)
const listed = consequences.filter(({ impact }) => isListed(impact)).map(({ name }) => name)

/** Where the changes of an effect lie on the reference. */
const placeOf = ({ sequence, changes }: ProteinVariant): string => {
  const start = Math.min(...changes.map((one) => Math.min(one.start, one.end)))
  const end = Math.max(...changes.map((one) => Math.max(one.start, one.end)))
  const isInsertion = changes.every((one) => one.end < one.start) && end - start === 1
  return differencePlace({ sequence, start, end, lengthBp: isInsertion ? 0 : end - start + 1, parts: [] }, undefined)
}

/** Whether a variant is of what is chosen: an impact, the gravest consequence of its own, or all. */
const isOf = ({ consequences: [gravest = ''] }: ProteinVariant, shown: string): boolean =>
  shown === 'every' || gravest === shown || impactOf(gravest) === shown

/** Variants of the strain that break a gene product, and those that leave another; the first are shown first. */
export const VariantCard = ({
  report,
  filter,
  receipt,
}: {
  report: StrainReport
  filter: GeneFilter
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const consequenceName = useConsequenceName()
  const nameOf = useAssemblyNames()
  const { proteinVariants, reference, strain } = report
  const [chosen, setShown] = useState<string | null>(null)
  const all = proteinVariants?.rows ?? []
  const usual = (proteinVariants?.totals.high.variants ?? 0) > 0 ? 'high' : 'moderate'
  // Of a gene that is asked for, what there is, of whatever impact.
  const hasUsual = useMemo(() => all.some((one) => isOf(one, usual) && filter([one.gene])), [all, usual, filter])
  const shown = chosen ?? (hasUsual ? usual : 'every')
  const ofShown = useMemo(() => all.filter((one) => isOf(one, shown)), [all, shown])
  const rows = useMemo(() => ofShown.filter(({ gene }) => filter([gene])), [ofShown, filter])
  if (proteinVariants === null)
    return (
      <Card title={t('variants.title')}>
        <EmptyState title={t('variants.unavailable')} />
      </Card>
    )
  const { counts, set, totals } = proteinVariants
  const total = totals.high.variants + totals.moderate.variants
  const present = listed.filter((name) => (counts[name] ?? 0) > 0)
  const kinds = (impact: ListedImpact): string =>
    format.series(
      present
        .filter((name) => impactOf(name) === impact)
        .map((name) => `${consequenceName(name)} ${format.number(counts[name]!)}`),
    )
  const countOf = (value: string): number =>
    value === 'every' ? total : isListed(value) ? totals[value].variants : (counts[value] ?? 0)
  return (
    <Card
      title={t('variants.title')}
      aside={format.number(total)}
      flush
      actions={
        rows.length === 0 ? undefined : (
          <GeneSetMenu
            genes={[...new Set(rows.map(({ gene }) => gene))].map((id) => ({ id, assembly: reference.id }))}
            name={t('genes.set', {
              what: t('variants.title'),
              strain: nameOf(strain.id),
              reference: nameOf(reference.id),
            })}
          />
        )
      }
    >
      <div className="strain-lead">
        <p className="strain-head">
          {t('variants.head', { total: totals.high.variants, genes: totals.high.genes, kinds: kinds('high') })}
        </p>
        <p>
          {t('variants.moderate', {
            total: totals.moderate.variants,
            genes: totals.moderate.genes,
            kinds: kinds('moderate'),
            shown: t('genes.shown'),
          })}
        </p>
        <p className="nv-quiet">
          {set === null
            ? t('variants.alignment')
            : t('variants.loaded', { set: format.text(set.name), sample: set.sample })}
        </p>
        {total > all.length ? <p className="nv-quiet">{t('variants.cut', { shown: all.length, total })}</p> : null}
        {total === 0 ? null : (
          <div className="strain-choice" data-screen-only>
            <span>{t('genes.shown')}</span>
            <Select
              aria-label={`${t('variants.title')}: ${t('genes.shown')}`}
              value={shown}
              onChoose={setShown}
              options={[
                ...listedImpacts.flatMap((impact) => [
                  { value: impact, label: t('variants.impact', { impact, count: countOf(impact) }) },
                  ...present
                    .filter((name) => impactOf(name) === impact)
                    .map((name) => ({
                      value: name,
                      label: `${consequenceName(name)} (${format.number(countOf(name))})`,
                    })),
                ]),
                { value: 'every', label: `${t('variants.every')} (${format.number(total)})` },
              ]}
            />
          </div>
        )}
      </div>
      <ResultTable
        label={t('variants.title')}
        name="strain-protein-variants"
        receipt={receipt}
        rows={rows}
        rowKey={(one) => `${one.gene}-${placeOf(one)}-${one.changes[0]!.to}`}
        gene={({ gene }) => ({ assembly: reference.id, id: gene })}
        pageSize={25}
        total={rows.length < ofShown.length ? rows.length : countOf(shown)}
        empty={
          ofShown.length > 0 ? (
            <EmptyState title={t('filter.none')} />
          ) : (
            <EmptyState title={t('variants.none')} why={t('variants.noneWhy')} />
          )
        }
        columns={[
          {
            key: 'consequence',
            title: t('column.consequence'),
            main: true,
            value: ({ consequences: names }) => names.map(consequenceName).join(', '),
            render: ({ consequences: names }) => (
              <span className="strain-kind">
                {names
                  .filter((name) => impactOf(name) === impactOf(names[0] ?? ''))
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
            kind: 'region',
            value: placeOf,
            on: ({ sequence }) => ({ assembly: reference.id, sequence }),
          },
          ...(set === null
            ? [
                {
                  key: 'own',
                  title: t('column.inStrain'),
                  kind: 'region' as const,
                  // Both loci have no room beside the change; the gene is that of the reference.
                  hidden: true,
                  value: ({ own }: ProteinVariant) =>
                    own === null
                      ? null
                      : own.end < own.start
                        ? `${own.sequence}:${own.end}^${own.start}`
                        : `${own.sequence}:${own.start}..${own.end}`,
                  on: ({ own, sequence }: ProteinVariant) =>
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
                  value: ({ variant }: ProteinVariant) => variant,
                  render: ({ variant }: ProteinVariant) =>
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
            hidden: true,
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
