import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { kaspTails, type MarkerPrimer } from '../../../contracts/markers.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Card, Facts } from '../../../kit/ui/controls/card.tsx'
import { EffectTag } from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { alleleText, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { VariationResult } from '../tool.ts'

export const MarkersView = ({ result, receipt }: { result: VariationResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const markers = result.markers!
  const { variant } = markers
  const primers = markers.kasp.flatMap((assay, number) =>
    (
      [
        ['fam', assay.reference, variant.reference],
        ['hex', assay.alternate, markers.alternate],
        ['common', assay.common, ''],
      ] as [string, MarkerPrimer, string][]
    ).map(([kind, primer, allele]) => ({ assay: number + 1, kind, primer, allele, productBp: assay.productBp })),
  )
  const pieces = (lengths: number[]): string => lengths.join(' + ')
  return (
    <>
      <Card title={t('record.title', { name: variant.key })}>
        <Facts
          facts={[
            {
              name: t('column.position'),
              value: (
                <Link to={variationAddress({ assembly: result.assembly, set: result.set.id, id: variant.key })}>
                  <code>{regionOf(result.assembly, { sequence: markers.sequence, start: variant.position })}</code>
                </Link>
              ),
            },
            { name: t('column.alleles'), value: <code>{alleleText(variant)}</code> },
            { name: t('column.effect'), value: <EffectTag name={variant.consequence} /> },
            {
              name: t('markers.flanking'),
              value: <code className="variation-allele">{markers.flanking}</code>,
              wide: true,
            },
          ]}
        />
        <p className="nv-quiet">{t('note.neighbours', { count: markers.neighbours })}</p>
      </Card>
      <Card
        title={t('markers.kasp')}
        flush={primers.length > 0}
        foot={<p className="nv-method">{t('markers.kaspMethod')}</p>}
      >
        {primers.length === 0 ? (
          <p className="nv-quiet">{t(`markers.kasp.${markers.kaspWhy ?? 'noPrimers'}` as 'markers.kasp.noPrimers')}</p>
        ) : (
          <ResultTable
            label={t('markers.kasp')}
            name={`${variant.key}-kasp`}
            receipt={receipt}
            rows={primers}
            rowKey={({ assay, kind }) => `${assay}-${kind}`}
            columns={[
              { key: 'assay', title: t('markers.assay'), kind: 'number', value: ({ assay }) => assay },
              {
                key: 'primer',
                title: t('column.primer'),
                value: ({ kind, allele }) =>
                  kind === 'common' ? t('markers.common') : t(`markers.${kind}` as 'markers.fam', { allele }),
              },
              {
                key: 'sequence',
                title: t('column.sequence'),
                kind: 'id',
                value: ({ kind, primer }) => `${kind === 'common' ? '' : kaspTails[kind as 'fam']}${primer.sequence}`,
                render: ({ kind, primer }) => (
                  <code className="variation-primer">
                    {kind === 'common' ? null : (
                      <span className="nv-quiet">{kaspTails[kind as 'fam'].toLowerCase()}</span>
                    )}
                    {primer.sequence}
                  </code>
                ),
              },
              {
                key: 'locus',
                title: t('column.locus'),
                kind: 'id',
                value: ({ primer: { start, end, strand } }) => `${markers.sequence}:${start}..${end}(${strand})`,
                on: () => ({ assembly: result.assembly, sequence: markers.sequence }),
                render: ({ primer: { start, end, strand } }) => format.region(markers.sequence, start, end, strand),
              },
              { key: 'tm', title: t('column.tm'), kind: 'number', digits: 1, value: ({ primer }) => primer.tm },
              { key: 'gc', title: t('column.gc'), kind: 'number', digits: 1, value: ({ primer }) => primer.gcPercent },
              { key: 'product', title: t('column.product'), kind: 'number', value: ({ productBp }) => productBp },
            ]}
          />
        )}
      </Card>
      <Card
        title={t('markers.caps')}
        flush={markers.caps.length > 0}
        foot={<p className="nv-method">{t('markers.capsMethod')}</p>}
      >
        {markers.caps.length === 0 ? (
          <>
            <p className="nv-quiet">{t('markers.noCaps')}</p>
            {markers.enzymes.length === 0 ? null : (
              <p>
                {t('markers.enzymes', {
                  names: format.names(markers.enzymes.map(({ name, site }) => `${name} (${site})`)),
                })}
              </p>
            )}
          </>
        ) : (
          <ResultTable
            label={t('markers.caps')}
            name={`${variant.key}-caps`}
            receipt={receipt}
            rows={markers.caps.map((one, number) => ({ ...one, number }))}
            rowKey={({ number }) => String(number)}
            columns={[
              {
                key: 'enzyme',
                title: t('column.enzyme'),
                value: ({ enzyme, derived }) => `${enzyme}${derived === null ? '' : ' (dCAPS)'}`,
              },
              { key: 'site', title: t('column.site'), kind: 'id', value: ({ site }) => site },
              { key: 'cuts', title: t('column.cuts'), value: ({ cutAllele }) => t(`markers.${cutAllele}`) },
              {
                key: 'reference',
                // Of one allele alone the assay cannot be read.
                main: true,
                title: `${t('column.fragments')}, ${variant.reference.slice(0, 10)}`,
                kind: 'id',
                value: ({ fragments }) => pieces(fragments.reference),
              },
              {
                key: 'alternate',
                // Of one allele alone the assay cannot be read.
                main: true,
                title: `${t('column.fragments')}, ${markers.alternate.slice(0, 10)}`,
                kind: 'id',
                value: ({ fragments }) => pieces(fragments.alternate),
              },
              { key: 'left', title: t('markers.left'), kind: 'id', value: ({ left }) => left.sequence },
              { key: 'right', title: t('markers.right'), kind: 'id', value: ({ right }) => right.sequence },
              {
                key: 'tm',
                title: t('column.tm'),
                kind: 'id',
                value: ({ left, right }) => `${left.tm.toFixed(1)}, ${right.tm.toFixed(1)}`,
              },
              { key: 'product', title: t('column.product'), kind: 'number', value: ({ productBp }) => productBp },
              {
                key: 'derived',
                title: t('column.derived'),
                value: ({ derived }) => (derived === null ? null : t('markers.changed', derived)),
              },
            ]}
          />
        )}
      </Card>
    </>
  )
}
