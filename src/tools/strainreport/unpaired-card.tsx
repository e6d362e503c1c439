import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { StrainReport } from './tool.ts'

/** Chromosomes and other sequences that only one of the two has; nothing where there are none. */
export const UnpairedCard = ({ report, receipt }: { report: StrainReport; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const { unpaired, strain, reference } = report
  if (unpaired === null || unpaired.total === 0) return null
  const idOf = { reference: reference.id, strain: strain.id }
  const count = (side: 'reference' | 'strain'): number => unpaired.rows.filter((one) => one.of === side).length
  return (
    <Card title={t('unpaired.title')} aside={format.number(unpaired.total)} flush>
      <div className="strain-lead">
        <p className="strain-head">
          {t('unpaired.head', {
            reference: count('reference'),
            strain: count('strain'),
            referenceName: nameOf(reference.id),
            strainName: nameOf(strain.id),
          })}
        </p>
        <p className="nv-quiet">{t('unpaired.note')}</p>
        {unpaired.total > unpaired.rows.length ? (
          <p className="nv-quiet">{t('unpaired.cut', { shown: unpaired.rows.length, total: unpaired.total })}</p>
        ) : null}
      </div>
      <ResultTable
        label={t('unpaired.title')}
        name="strain-unpaired-sequences"
        receipt={receipt}
        rows={unpaired.rows}
        rowKey={(one) => `${one.of}-${one.name}`}
        pageSize={25}
        columns={[
          { key: 'genome', title: t('column.genome'), value: (one) => nameOf(idOf[one.of]) },
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            main: true,
            value: ({ name }) => name,
            on: (one) => ({ assembly: idOf[one.of], sequence: one.name }),
          },
          { key: 'length', title: t('column.length'), kind: 'number', main: true, value: ({ lengthBp }) => lengthBp },
          {
            key: 'aligned',
            title: t('column.aligned'),
            kind: 'number',
            digits: 1,
            value: ({ alignedBp, lengthBp }) => (100 * alignedBp) / lengthBp,
          },
          { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ genes }) => genes },
        ]}
      />
    </Card>
  )
}
