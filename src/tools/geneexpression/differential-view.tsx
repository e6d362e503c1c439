import { type ReactNode, useState } from 'react'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { ChangeFigure, useChanges } from '../../kit/ui/figures/change-figure.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { ExpressionResult } from './tool.ts'

type Differential = NonNullable<ExpressionResult['differential']>

/** A table of differential expression as volcano or MA plot and as table; bounds are the reader's. */
export const DifferentialView = ({
  differential: { contrast, points },
  dataset,
  assembly,
  receipt,
}: {
  differential: Differential
  dataset: ExpressionDataset
  assembly: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const changes = useChanges(points)
  const [only, setOnly] = useState(true)
  const rows = only ? changes.within : points
  return (
    <>
      <ChangeFigure
        points={points}
        changes={changes}
        title={format.text(contrast.name)}
        file={`${dataset.id}-${contrast.id}`}
        means={contrast.hasBaseMean ? (contrast.baseMeanIsLog ? 'log' : 'linear') : null}
        method={t('de.method', {
          program: contrast.compared === null ? (contrast.program ?? 'none') : 'resampling',
          test: contrast.compared?.test ?? '',
          reference: contrast.compared?.reference ?? '',
          adjusted: contrast.adjustedHere ? 'yes' : 'no',
        })}
        assembly={assembly}
        receipt={receipt}
      />
      <Card title={t('de.table')} flush>
        <div className="nv-figure-bar exp-inset">
          <Checkbox checked={only} onCheck={setOnly}>
            {t('de.only')}
          </Checkbox>
        </div>
        <ResultTable
          key={String(only)}
          label={t('de.table')}
          name={`${dataset.id}-${contrast.id}`}
          receipt={receipt}
          columns={[
            {
              key: 'gene',
              title: t('column.gene'),
              kind: 'id',
              value: ({ id }) => id,
              render: ({ id }) => <GeneLink id={id} assembly={assembly} />,
            },
            { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
            {
              key: 'lfc',
              title: t('column.log2FoldChange'),
              kind: 'number',
              digits: 3,
              value: (row) => row.log2FoldChange,
            },
            { key: 'padj', title: t('column.padj'), kind: 'pValue', value: (row) => row.adjustedPValue },
            {
              key: 'p',
              title: t('column.p'),
              kind: 'pValue',
              hidden: !contrast.hasPValue,
              value: (row) => row.pValue,
            },
            { key: 'mean', title: t('column.mean'), kind: 'number', digits: 2, value: (row) => row.mean },
            { key: 'description', title: t('column.description'), long: true, value: (row) => row.description },
          ]}
          rows={rows}
          rowKey={({ id }) => id}
          gene={({ id }) => ({ id, assembly })}
        />
      </Card>
    </>
  )
}
