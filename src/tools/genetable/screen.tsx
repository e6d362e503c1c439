import { type ReactNode, useMemo, useState } from 'react'
import type { z } from 'zod'
import { Card } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { useBiotypeName } from '../../kit/ui/gene/biology-names.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { messages as presence } from '../../kit/ui/gene/presence-messages.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import tool, { type GeneTable, type ListedColumn, type ListedGene } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>
/** A gene with its place in the columns. */
type Row = ListedGene & { at: number }

const useColumns = ({ assembly, columns }: GeneTable): TableColumn<Row>[] => {
  const t = useText(messages)
  const p = useText(presence)
  const format = useFormat()
  const biotypeName = useBiotypeName()
  const columnOf = ({
    key,
    title,
    help,
    kind,
    digits,
    hidden,
    main,
    values,
    assembly: of,
  }: ListedColumn): TableColumn<Row> => {
    const shared = {
      key,
      title: format.text(title),
      hidden,
      main,
      ...(help === null ? {} : { help: format.text(help) }),
    }
    if (kind === 'presence')
      return {
        ...shared,
        value: ({ at }) => (values[at] === null ? null : p(`state.${values[at]}` as 'state.intact')),
      }
    if (kind === 'genes')
      return {
        ...shared,
        kind: 'id',
        value: ({ at }) => values[at] ?? null,
        render: ({ at }) =>
          values[at] === null
            ? null
            : String(values[at])
                .split('; ')
                .map((id) => (
                  <span key={id}>
                    <GeneLink id={id} assembly={of} />{' '}
                  </span>
                )),
      }
    return {
      ...shared,
      kind: kind === 'terms' ? 'text' : kind,
      ...(kind === 'terms' ? { long: true } : {}),
      ...(digits === null ? {} : { digits }),
      value: ({ at }) => values[at] ?? null,
    }
  }
  return [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ id }) => id,
      render: ({ id }) => <GeneLink id={id} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', main: true, value: ({ symbol }) => symbol },
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
    {
      key: 'biotype',
      title: t('column.biotype'),
      hidden: true,
      value: ({ biotype }) => biotypeName(biotype),
    },
    {
      key: 'locus',
      title: t('column.locus'),
      kind: 'region',
      hidden: true,
      value: ({ sequence, start, end, strand }) => `${sequence}:${start}..${end}(${strand})`,
      on: ({ sequence }) => ({ assembly, sequence }),
    },
    {
      key: 'protein',
      title: t('column.protein'),
      kind: 'number',
      hidden: true,
      value: ({ proteinLength }) => proteinLength,
    },
    ...columns.map(columnOf),
  ]
}

const Result = ({ result, receipt }: ResultProps<Input, GeneTable>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, genes, notes, simulated, unknown, ambiguous, columnsCut } = result
  const columns = useColumns(result)
  const [passing, setPassing] = useState<readonly Row[] | null>(null)
  const rows = useMemo(() => genes.map((gene, at): Row => ({ ...gene, at })), [genes])
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} />
      {notes.map((note) => (
        <p key={format.text(note)} className="nv-quiet">
          {format.text(note)}
        </p>
      ))}
      {simulated.length === 0 ? null : (
        <p className="nv-quiet">{t('note.simulated', { names: format.names(simulated.map(format.text)) })}</p>
      )}
      {columnsCut === 0 ? null : <p className="nv-warn">{t('note.cut', { count: columnsCut })}</p>}
      <Card
        title={t('table.title')}
        flush
        actions={<GeneSetMenu genes={(passing ?? rows).map(({ id }) => ({ id, assembly }))} />}
      >
        <div className="genetable">
          <ResultTable
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            name={`${assembly}-gene-table`}
            receipt={receipt}
            label={t('table.title')}
            gene={({ id }) => ({ id, assembly })}
            onPassing={setPassing}
          />
        </div>
      </Card>
      <p className="nv-quiet">{t('note.filter')}</p>
    </>
  )
}

const Headline = ({ result }: { result: GeneTable }): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const { genes, columns, assembly } = result
  const tools = new Set(columns.map((column) => column.tool)).size
  const shared = { genes: genes.length, assembly: nameOf(assembly) }
  return columns.length === 0 ? t('head.none', shared) : t('head', { ...shared, tools })
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result,
  layout: 'top',
  fields: { assembly: { needs: 'genes' }, genes: { widget: 'genes', rows: 4 } },
  headline: ({ result }) => <Headline result={result} />,
})
