import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { locusText } from './map/map-address.ts'
import messages from './messages.ts'
import type { Features } from './tool.ts'

type Loop = Features['loops'][number]

/** Loops with both their ends, each opened on the map. */
export const LoopsTable = ({
  assembly,
  title,
  loops,
  receipt,
  name,
  address,
}: {
  assembly: string
  title: string
  loops: Loop[]
  receipt: Receipt
  name: string
  address: (loop: Loop) => string
}): ReactNode => {
  const t = useText(messages)
  const columns: TableColumn<Loop>[] = [
    {
      key: 'a',
      title: t('column.bin'),
      kind: 'region',
      value: ({ a }) => locusText(a),
      on: ({ a }) => ({ assembly, sequence: a.sequence }),
    },
    {
      key: 'b',
      title: t('column.other'),
      kind: 'region',
      value: ({ b }) => locusText(b),
      on: ({ b }) => ({ assembly, sequence: b.sequence }),
    },
    {
      key: 'distance',
      title: t('column.distance'),
      kind: 'number',
      value: ({ a, b }) => (a.sequence === b.sequence ? Math.abs(a.start + a.end - b.start - b.end) / 2 : null),
    },
    { key: 'name', title: t('column.name'), value: ({ name: own }) => own },
    { key: 'score', title: t('column.score'), kind: 'number', digits: 3, value: ({ score }) => score },
    {
      key: 'map',
      title: t('column.map'),
      value: () => null,
      render: (loop) => (
        <Link to={address(loop)} aria-label={`${t('map.open')}: ${locusText(loop.a)}`}>
          {t('map.openCell')}
        </Link>
      ),
    },
  ]
  return (
    <Card title={title}>
      <ResultTable
        label={title}
        name={`${name}-loops`}
        receipt={receipt}
        columns={columns}
        rows={loops}
        rowKey={({ a, b }) => `${locusText(a)} ${locusText(b)}`}
      />
    </Card>
  )
}
