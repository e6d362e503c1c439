import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import tool, { type SpeciesRow, type StrainResult } from './tool.ts'

/** The address of a strain's report, run at once. */
export const reportAddress = (values: Record<string, string | undefined>): string =>
  `${tool.route}?${new URLSearchParams([
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ['run', '1'],
  ] as [string, string][])}`

/** All strains of a species, one a row. */
export const SpeciesTable = ({
  all,
  minimumBp,
  reference,
  receipt,
}: {
  all: NonNullable<StrainResult['all']>
  minimumBp: number
  /** Where another than that of the species was chosen. */
  reference: string | undefined
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const count = (kind: 'deletion' | 'insertion' | 'duplication' | 'inversion' | 'replacement') => (row: SpeciesRow) =>
    row.structure?.counts[kind] ?? null
  const number = (
    key: string,
    title: string,
    value: (row: SpeciesRow) => number | null,
    about: Partial<TableColumn<SpeciesRow>> = {},
  ): TableColumn<SpeciesRow> => ({ key, title, kind: 'number', value, ...about })
  const noteOf = ({ id, why }: SpeciesRow): string | null =>
    id === all.reference ? t('note.reference') : why === null ? null : t(`note.${why}`)
  return (
    <div className="strain-all">
      <Card title={t('all.title', { reference: nameOf(all.reference) })} flush>
        <div className="strain-lead">
          <p className="nv-quiet">{t('all.note')}</p>
          {all.basis === null ? null : <p className="nv-quiet">{t(`elements.${all.basis}`)}</p>}
          {all.outgroups.length === 0 ? null : (
            <p className="nv-quiet">{t('all.outgroups', { assemblies: listOf(all.outgroups) })}</p>
          )}
        </div>
        <ResultTable
          label={t('all.title', { reference: nameOf(all.reference) })}
          name="strains"
          receipt={receipt}
          rows={all.rows}
          rowKey={({ id }) => id}
          pageSize={50}
          columns={[
            {
              key: 'strain',
              title: t('column.strain'),
              value: ({ id }) => nameOf(id),
              render: ({ id }) =>
                id === all.reference ? (
                  <>
                    {nameOf(id)} <Tag>{t('note.reference')}</Tag>
                  </>
                ) : (
                  <Link to={reportAddress({ assembly: id, reference, minimumBp: String(minimumBp) })}>
                    {nameOf(id)}
                  </Link>
                ),
            },
            number('deletions', t('column.deletionsLong'), count('deletion'), { main: true }),
            number('insertions', t('column.insertionsLong'), count('insertion')),
            number('duplications', t('column.duplications'), count('duplication')),
            number('inversions', t('column.inversions'), count('inversion')),
            number('replacements', t('column.replacements'), count('replacement')),
            number('breakpoints', t('column.breakpoints'), ({ breakpoints }) => breakpoints, { hidden: true }),
            number('deletedBp', t('column.deletedBp'), ({ structure }) => structure?.deletedBp ?? null),
            number('insertedBp', t('column.insertedBp'), ({ structure }) => structure?.insertedBp ?? null),
            number('lost', t('column.lost'), ({ genes }) => genes?.lost ?? null, { main: true }),
            number('broken', t('column.broken'), ({ genes }) =>
              genes === null ? null : genes.truncated + genes.split + genes.disrupted,
            ),
            number('gained', t('column.gained'), ({ genes }) => genes?.gained ?? null),
            number('highImpact', t('column.highImpact'), ({ highImpact }) => highImpact),
            number('elements', t('column.elements'), ({ elements }) => elements),
            number('snps', t('column.snps'), ({ substitutions }) => substitutions, { main: true }),
            number(
              'rate',
              t('column.rate'),
              ({ substitutions, comparedBp }) =>
                substitutions === null || !comparedBp ? null : (1000 * substitutions) / comparedBp,
              { digits: 3, hidden: true },
            ),
            number('indels', t('column.indels'), ({ indels }) => indels),
            { key: 'note', title: t('column.note'), value: noteOf },
          ]}
        />
      </Card>
    </div>
  )
}
