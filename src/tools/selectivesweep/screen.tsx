import type { ReactNode } from 'react'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { listChoices } from './endpoints.ts'
import { SweepForm, useChoices } from './form.tsx'
import messages from './messages.ts'
import type { Series } from './series.ts'
import { useSeriesName, writeValue } from './series-name.ts'
import tool, { fewIndividuals, type SweepInput, type SweepResult } from './tool.ts'
import { WindowsView } from './windows-view.tsx'
import './screen.css'

const tableKey = `${viewPrefix}table`

/** Windows that are loaded for the assembly that the form stands at. */
const Start = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const assemblies = useAssemblies()
  const assembly =
    query.get('assembly') ?? assemblies.find(({ dataTypes }) => (dataTypes.sweeps ?? dataTypes.variants ?? 0) > 0)?.id
  const choicesAnswer = useChoices(assembly)
  const choices = choicesAnswer.data
  const tables = choices?.tables ?? []
  const table = tables.find(({ id }) => id === query.get(tableKey)) ?? tables[0]
  if (choicesAnswer.isError) return <Unanswered of={choicesAnswer} />
  if (assembly === undefined || table === undefined)
    return choices === undefined && assembly !== undefined ? (
      <Waiting />
    ) : (
      <EmptyState title={t('start.none')} why={t('start.noneWhy')} />
    )
  return (
    <>
      <Card title={t('start.title')} actions={<SimulatedTag simulated={table.simulated} />}>
        <SelectField
          label={t('start.table')}
          help={format.text(table.description ?? '')}
          value={table.id}
          onChoose={(id) =>
            change({
              [tableKey]: id,
              [`${viewPrefix}series`]: null,
              [`${viewPrefix}second`]: null,
              [`${viewPrefix}tail`]: null,
              [`${viewPrefix}place`]: null,
            })
          }
          options={tables.map((one) => ({ value: one.id, label: format.text(one.name) }))}
        />
        <p className="nv-quiet">
          {[table.licence, t('start.compute')].filter((part) => part !== null && part !== '').join(' · ')}
        </p>
      </Card>
      <WindowsView
        key={`${assembly}/${table.id}`}
        source={{ assembly, table: table.id }}
        assembly={assembly}
        series={table.series}
        name={table.id}
      />
    </>
  )
}

interface SummaryRow {
  series: Series
  whole: number | null
}

/** Value of a series over the whole genome; null for those that are not sums. */
const wholeOf = (result: SweepResult, at: number): number | null => {
  const pairs = (result.populations.length * (result.populations.length - 1)) / 2
  const { overall } = result
  // In the order of the engine: Fst, Hudson, ratio, dxy of the pairs, then pi and D of the populations.
  const order = [overall.fst, overall.hudson, null, overall.dxy]
  if (at < 4 * pairs) return order[Math.floor(at / pairs)]?.[at % pairs] ?? null
  return at < 4 * pairs + result.populations.length ? (overall.pi[at - 4 * pairs] ?? null) : null
}

const Summary = ({ result, receipt }: ResultProps<SweepInput, SweepResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const seriesName = useSeriesName()
  const { records } = result
  const rows: SummaryRow[] = result.series.map((series, at) => ({ series, whole: wholeOf(result, at) }))
  const shown = (value: number | null): string => (value === null ? '–' : writeValue(format, value))
  const figure = (
    key: string,
    title: string,
    value: (row: SummaryRow) => number | null,
    hidden = false,
  ): TableColumn<SummaryRow> => ({
    key,
    title,
    kind: 'number',
    value,
    render: (row) => shown(value(row)),
    hidden,
  })
  const notes = [
    records.notSnps > 0 ? t('summary.notSnps', { count: records.notSnps }) : null,
    records.multiallelic > 0 ? t('summary.multiallelic', { count: records.multiallelic }) : null,
    records.withoutGenotypes > 0 ? t('summary.without', { count: records.withoutGenotypes }) : null,
    records.damaged > 0 ? t('summary.damaged', { count: records.damaged }) : null,
    records.elsewhere > 0
      ? t('summary.elsewhere', { count: records.elsewhere, names: records.elsewhereNames.join(', ') })
      : null,
    result.unknownSampleCount > 0
      ? t('summary.unknown', { count: result.unknownSampleCount, names: result.unknownSamples.join(', ') })
      : null,
    result.otherSamples > 0 ? t('summary.others', { count: result.otherSamples }) : null,
  ].filter((note) => note !== null)
  return (
    <Card
      title={t('summary.title')}
      aside={result.populations
        .map(({ name, samples }) => `${name}: ${t('populations.samples', { count: samples })}`)
        .join(' · ')}
      actions={<SimulatedTag simulated={result.variants.simulated} />}
      flush
      foot={
        <>
          <p className="nv-quiet">{t('summary.method', { used: records.used, read: records.read })}</p>
          {notes.map((note) => (
            <p key={note} className="nv-quiet">
              {note}
            </p>
          ))}
        </>
      }
    >
      <ResultTable
        plain
        label={t('summary.title')}
        name="sweep-summary"
        receipt={receipt}
        rows={rows}
        rowKey={({ series }) => series.key}
        columns={[
          { key: 'series', title: t('column.statistic'), value: ({ series }) => seriesName(series) },
          figure('whole', t('column.whole'), ({ whole }) => whole),
          figure('mean', t('column.mean'), ({ series }) => series.mean),
          figure('median', t('column.median'), ({ series }) => series.median),
          figure('min', t('column.min'), ({ series }) => series.min),
          figure('max', t('column.max'), ({ series }) => series.max),
          {
            key: 'windows',
            title: t('column.windows'),
            kind: 'number',
            value: ({ series }) => series.windows,
          },
        ]}
      />
    </Card>
  )
}

const Result = (props: ResultProps<SweepInput, SweepResult>): ReactNode => {
  const t = useText(messages)
  const { result, receipt, job } = props
  const few = result.populations.filter(({ samples }) => samples < fewIndividuals)
  return (
    <>
      {few.length === 0 ? null : (
        <div className="nv-banner nv-banner-warn" role="status">
          <strong>{t('few.title')}</strong>{' '}
          {t('few.why', { names: few.map(({ name, samples }) => `${name} (${samples})`).join(', ') })}
        </div>
      )}
      {job === null ? null : (
        <WindowsView
          source={{ job }}
          assembly={result.assembly}
          series={result.series}
          name="sweep"
          receipt={receipt}
        />
      )}
      <Summary {...props} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: SweepForm,
  Start,
  Result,
  loadExample: async (example) => {
    const { groupings } = await call(listChoices, { assembly: example.assembly })
    const grouping = groupings.find(({ populations }) => populations.length > 1)
    if (grouping === undefined) return null
    return {
      ...example,
      grouping: grouping.name,
      populations: grouping.populations.slice(0, 2).map(({ name }) => name),
    }
  },
  headline: ({ input, result, t, format }) => {
    const found = t('head.found', {
      windows: result.windowCount,
      sites: result.overall.sites,
      kind: input.sites,
    })
    const tag = <SimulatedTag simulated={result.variants.simulated} />
    const [fst] = result.overall.fst
    if (fst === undefined || fst === null || result.populations.length !== 2)
      return (
        <>
          {found} {tag}
        </>
      )
    const [one, other] = result.populations
    const pair = t('series.between', { one: one!.name, other: other!.name })
    return (
      <>
        {t('head.fst', { found, pair, value: writeValue(format, fst) })} {tag}
      </>
    )
  },
})
