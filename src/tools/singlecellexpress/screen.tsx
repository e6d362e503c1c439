import { type ReactNode, useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { Field, Select, SelectField, TextInput } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { Tabs } from '../../kit/ui/controls/tabs.tsx'
import { ChangeFigure, useChanges } from '../../kit/ui/figures/change-figure.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { type Format, type Translate, useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type FormProps, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { CellMap } from './cell-map.tsx'
import { useCellDatasets } from './cells.ts'
import { GroupFigure, groupRows, useGroupColumns } from './group-figures.tsx'
import messages from './messages.ts'
import { ScatterFigure } from './scatter-figure.tsx'
import { parseSelection } from './selection.ts'
import { singleCellData } from './stored.ts'
import tool, { type CellResult, type ComparedGene, significantAt } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>
const Form = ({ values, onValues, onAdjust, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const write = useToolText(messages)
  const assembly = givenText(values.assembly)
  const datasetsAnswer = useCellDatasets(assembly)
  const datasets = datasetsAnswer.data
  const asked = givenText(values.dataset)
  const dataset = datasets?.find(({ id }) => id === asked) ?? datasets?.[0]
  // A data set of another assembly, as the form was left.
  const strange = datasets !== undefined && asked !== undefined && dataset?.id !== asked
  useEffect(() => {
    if (strange) onAdjust({ dataset: undefined, group: undefined, split: undefined, first: '', second: '' })
  }, [strange, onAdjust])
  const groups = dataset?.columns.filter(({ levels }) => levels !== null) ?? []
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{ assembly: { needs: singleCellData }, genes: { widget: 'genes', required: true } }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={write}
    />
  )
  const levelOptions = groups.flatMap(({ name, levels }) =>
    (levels ?? []).slice(0, 100).map((level) => ({
      value: `${name}=${level.name}`,
      label: `${name}: ${level.name} (${format.number(level.cells)})`,
    })),
  )
  /** Cells that were drawn, several levels, or one beyond those listed: what is chosen is an option all the same. */
  const chosenOption = (value: string): { value: string; label: string }[] =>
    value === '' || levelOptions.some((option) => option.value === value)
      ? []
      : [{ value, label: value.startsWith('@') ? t('map.lasso') : value.replace('=', ': ').replaceAll('|', ' | ') }]
  const selection = (field: 'first' | 'second'): ReactNode => (
    <Field
      label={t(`field.${field}`)}
      help={t(`help.${field}`)}
      problems={problems[field] ?? []}
      optional={field === 'second'}
    >
      {(control) => (
        <>
          <Select
            {...control}
            value={givenText(values[field]) ?? ''}
            onChoose={(value) => onValues({ [field]: value })}
            options={[{ value: '', label: '–' }, ...chosenOption(givenText(values[field]) ?? ''), ...levelOptions]}
          />
          <details>
            <summary>{t('form.several')}</summary>
            <TextInput
              aria-label={t('form.several')}
              placeholder={t('form.severalExample')}
              value={givenText(values[field]) ?? ''}
              onChange={(event) => onValues({ [field]: event.target.value })}
            />
          </details>
        </>
      )}
    </Field>
  )
  return (
    <>
      {part(['assembly'])}
      {datasets === undefined ? (
        datasetsAnswer.isError ? (
          <Unanswered of={datasetsAnswer} line />
        ) : (
          <div className="sc-waiting">
            <Waiting />
          </div>
        )
      ) : dataset === undefined ? (
        <p className="nv-field-help">{t('none.title')}</p>
      ) : (
        <SelectField
          label={t('field.dataset')}
          problems={problems.dataset ?? []}
          aside={<SimulatedTag simulated={dataset.simulated} beside={dataset.name} />}
          help={format.text(dataset.description)}
          value={dataset.id}
          onChoose={(id) =>
            onValues({
              dataset: id === datasets[0]?.id ? undefined : id,
              group: undefined,
              split: undefined,
              first: '',
              second: '',
            })
          }
          options={datasets.map((one) => ({
            value: one.id,
            label: t('dataset.option', { name: format.text(one.name), cells: one.cellCount }),
          }))}
        />
      )}
      {part(['task'])}
      {values.task === 'compare' || dataset === undefined ? null : (
        <SelectField
          label={t('field.group')}
          problems={problems.group ?? []}
          value={givenText(values.group) ?? dataset.group ?? ''}
          onChoose={(group) => onValues({ group: group === dataset.group ? undefined : group })}
          options={groups.map(({ name, computed, levels }) => ({
            value: name,
            label: `${name} (${levels!.length}${computed ? `, ${t('note.computed')}` : ''})`,
          }))}
        />
      )}
      {values.task !== 'genes' || dataset === undefined || groups.length < 2 ? null : (
        <SelectField
          label={t('field.split')}
          problems={problems.split ?? []}
          optional
          value={givenText(values.split) ?? ''}
          onChoose={(split) => onValues({ split: split === '' ? undefined : split })}
          options={[
            { value: '', label: t('figure.unsplit') },
            ...groups.map(({ name, levels }) => ({ value: name, label: `${name} (${levels!.length})` })),
          ]}
        />
      )}
      {values.task === 'compare' ? (
        <>
          {selection('first')}
          {selection('second')}
          {part(['test', 'correction'])}
          {assembly === undefined || dataset === undefined || dataset.pseudobulk === null ? null : (
            <p className="nv-field-help">
              {t('compare.replicates')}{' '}
              <Link
                to={`/tools/differentialexpression?${new URLSearchParams({ assembly, dataset: dataset.pseudobulk })}`}
              >
                {t('compare.pseudobulk')}
              </Link>
            </p>
          )}
        </>
      ) : values.task === 'markers' ? (
        part(['correction'])
      ) : (
        part(['genes'])
      )}
    </>
  )
}

/** The map of the data set that the form stands at. */
const Start = (): ReactNode => {
  const t = useText(messages)
  const [query] = useAddressValues()
  const assemblies = useAssemblies()
  const assembly = query.get('assembly') ?? assemblies.find(({ dataTypes }) => (dataTypes[singleCellData] ?? 0) > 0)?.id
  const datasetsAnswer = useCellDatasets(assembly)
  const datasets = datasetsAnswer.data
  const dataset = datasets?.find(({ id }) => id === query.get('dataset')) ?? datasets?.[0]
  if (assembly === undefined || (datasets !== undefined && dataset === undefined))
    return <NoDataState title={t('none.title')} how={t('none.why')} />
  if (datasetsAnswer.isError) return <Unanswered of={datasetsAnswer} />
  return dataset === undefined ? (
    <Waiting />
  ) : (
    <CellMap key={`${assembly}/${dataset.id}`} assembly={assembly} dataset={dataset} />
  )
}

type Row = ComparedGene & { group: string }

const ComparedTable = ({
  rows,
  kind,
  assembly,
  name,
  receipt,
}: {
  rows: Row[]
  kind: 'markers' | 'compare'
  assembly: string
  name: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const [a, b] = kind === 'markers' ? (['Own', 'Rest'] as const) : (['First', 'Second'] as const)
  const columns: TableColumn<Row>[] = [
    ...(kind === 'markers' ? [{ key: 'group', title: t('column.group'), value: (one: Row) => one.group }] : []),
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      main: true,
      value: (one) => one.id,
      render: (one) => <GeneLink id={one.id} assembly={assembly} symbol={one.symbol} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', hidden: true, value: (one) => one.symbol },
    {
      key: 'log2FoldChange',
      title: t('column.log2FoldChange'),
      main: true,
      kind: 'number',
      digits: 2,
      value: (one) => one.log2FoldChange,
    },
    {
      key: 'percentFirst',
      title: t(`column.percent${a}`),
      kind: 'number',
      digits: 1,
      value: (one) => one.percentFirst,
    },
    {
      key: 'percentSecond',
      title: t(`column.percent${b}`),
      kind: 'number',
      digits: 1,
      value: (one) => one.percentSecond,
    },
    { key: 'auc', title: t('column.auc'), help: t('help.auc'), kind: 'number', digits: 3, value: (one) => one.auc },
    {
      key: 'statistic',
      title: t('column.statistic'),
      kind: 'number',
      digits: 2,
      hidden: true,
      value: (one) => one.statistic,
    },
    { key: 'pValue', title: t('column.pValue'), kind: 'pValue', hidden: true, value: (one) => one.pValue },
    {
      key: 'adjustedPValue',
      title: t('column.adjustedPValue'),
      main: true,
      kind: 'pValue',
      value: (one) => one.adjustedPValue,
    },
    {
      key: 'meanFirst',
      title: t(`column.mean${a}`),
      kind: 'number',
      digits: 3,
      hidden: true,
      value: (one) => one.meanFirst,
    },
    {
      key: 'meanSecond',
      title: t(`column.mean${b}`),
      kind: 'number',
      digits: 3,
      hidden: true,
      value: (one) => one.meanSecond,
    },
    { key: 'description', title: t('column.description'), long: true, value: (one) => one.description },
  ]
  return (
    <ResultTable
      label={t(`table.${kind}`)}
      name={name}
      receipt={receipt}
      columns={columns}
      rows={rows}
      rowKey={(one) => `${one.group}/${one.id}`}
      gene={(one) => ({ id: one.id, assembly })}
      empty={<EmptyState title={t('markers.none')} why={t('help.auc')} />}
    />
  )
}

/** The genes compared as a volcano plot. */
const ComparisonFigure = ({
  rows,
  name,
  first,
  second,
  assembly,
  receipt,
}: {
  rows: ComparedGene[]
  name: string
  /** Selections of cells as the address has them. */
  first: string
  second: string
  assembly: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const points = useMemo(() => rows.map((row) => ({ ...row, mean: null })), [rows])
  const nameOf = (text: string): string => {
    const selection = parseSelection(text)
    if (selection === null) return t('compare.others')
    return selection.kind === 'lasso' ? t('compare.drawn') : format.names(selection.levels)
  }
  return (
    <ChangeFigure
      points={points}
      changes={useChanges(points)}
      title={t('compare.title', { first: nameOf(first), second: nameOf(second) })}
      file={name}
      means={null}
      method={t('compare.method')}
      assembly={assembly}
      receipt={receipt}
    />
  )
}

/** What a group has too little more of to be told by is no marker of it, though it be the best there is. */
const significantMarkers = (markers: NonNullable<CellResult['markers']>): NonNullable<CellResult['markers']> =>
  markers.map((one) => ({ ...one, rows: one.rows.filter(({ adjustedPValue }) => adjustedPValue < significantAt) }))

/** Cells of a group, in percent, that express a gene of which the headline says that it is highest there. */
const tellingPercent = 10
/** Genes of which the headline tells where they are highest. */
const namedGenes = 3
/** Groups whose first markers the headline names. */
const namedGroups = 8

/** Whose markers alone are in the table, in the address. */
const groupKey = `${viewPrefix}markers`

/** Genes of a dot plot that has room beside the map. */
const besideMap = 24

const ResultView = ({ input, result, receipt }: ResultProps<Input, CellResult>): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  const columns = useGroupColumns(result.split !== null)
  const { dataset, assembly, group, split, genes, markers, comparison, unknown, absent, ambiguous } = result
  const name = `${dataset.id}-${input.task}`
  const figures = [
    'dot',
    'violin',
    'heat',
    ...((genes?.length ?? 0) > 1 ? (['scatter'] as const) : []),
    'table',
  ] as const
  const tabs = figures.map((key) => ({ key, label: t(`tab.${key}`) }))
  const chosen = tabs.find(({ key }) => key === query.get('view.figure'))?.key ?? (split === null ? 'dot' : 'violin')
  const listed = significantMarkers(markers ?? [])
  const askedGroup = query.get(groupKey)
  const shownGroup = listed.some(({ level, rows }) => rows.length > 0 && group?.levels[level]?.name === askedGroup)
    ? askedGroup
    : null
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} absent={absent} dataset={dataset.id} />
      {dataset.values === 'scaled' ? <p className="nv-warn">{t('note.scaled')}</p> : null}
      {split === null || split.levels.length === split.total ? null : (
        <p className="nv-quiet">
          {t('note.splitCut', { name: split.name, total: split.total, shown: split.levels.length })}
        </p>
      )}
      <div className={genes !== null && genes.length <= besideMap && split === null ? 'sc-pair' : undefined}>
        <CellMap
          key={`${assembly}/${dataset.id}`}
          assembly={assembly}
          dataset={dataset}
          genes={(markers === null ? genes?.[0]?.id : undefined) ?? ''}
          receipt={receipt}
        />
        {genes === null || genes.length === 0 || group === null ? null : (
          <Tabs
            tabs={tabs}
            chosen={chosen}
            onChoose={(key) => change({ 'view.figure': key }, true)}
            label={t('tab.label')}
          >
            {chosen === 'table' ? (
              <Card title={t('table.genes')} flush>
                <ResultTable
                  label={t('table.genes')}
                  name={name}
                  receipt={receipt}
                  columns={columns}
                  rows={groupRows(genes, group.levels, split)}
                  rowKey={(one) => `${one.gene.id}/${one.group}/${one.part ?? ''}`}
                  gene={(one) => ({ id: one.gene.id, assembly })}
                />
              </Card>
            ) : chosen === 'scatter' ? (
              <ScatterFigure genes={genes} group={group.name} assembly={assembly} dataset={dataset} receipt={receipt} />
            ) : (
              <GroupFigure
                kind={chosen}
                genes={genes}
                levels={group.levels}
                split={split}
                receipt={receipt}
                name={name}
              />
            )}
          </Tabs>
        )}
      </div>
      {markers === null || group === null ? null : (
        <Card title={t('table.markers')} flush>
          {group.computed ? <p className="nv-warn sc-note">{t('note.circular')}</p> : null}
          <p className="nv-quiet sc-note">{t('note.weak', { limit: tool.limits.markers })}</p>
          <ul className="sc-groups" aria-label={t('markers.groups', { group: group.name })}>
            {listed.map(({ level, rows }) => {
              const label = group.levels[level]!.name
              const isShown = shownGroup === label
              return (
                <li key={level}>
                  <Button
                    size="small"
                    look="quiet"
                    aria-pressed={isShown}
                    disabled={rows.length === 0}
                    onClick={() => change({ [groupKey]: isShown ? null : label }, true)}
                  >
                    {t('markers.group', { group: label, count: rows.length })}
                  </Button>
                  {rows.length === 0 ? null : (
                    <GeneSetMenu
                      look="quiet"
                      genes={rows.map(({ id }) => ({ id, assembly }))}
                      name={t('markers.setName', { group: label })}
                    />
                  )}
                </li>
              )
            })}
          </ul>
          <ComparedTable
            key={shownGroup ?? ''}
            kind="markers"
            assembly={assembly}
            name={name}
            receipt={receipt}
            rows={listed
              .flatMap(({ level, rows }) => rows.map((row) => ({ ...row, group: group.levels[level]!.name })))
              .filter((row) => shownGroup === null || row.group === shownGroup)}
          />
        </Card>
      )}
      {comparison === null || dataset.values === 'scaled' ? null : (
        <ComparisonFigure
          rows={comparison.rows}
          first={input.first}
          second={input.second}
          name={name}
          assembly={assembly}
          receipt={receipt}
        />
      )}
      {comparison === null ? null : (
        <Card title={t('table.compare')} flush>
          {comparison.shared === 0 ? null : (
            <p className="nv-warn sc-note">{t('note.shared', { count: comparison.shared })}</p>
          )}
          {comparison.rows.length === comparison.tested ? null : (
            <p className="nv-quiet sc-note">
              {t('note.cut', { shown: comparison.rows.length, total: comparison.tested })}
            </p>
          )}
          <ComparedTable
            kind="compare"
            assembly={assembly}
            name={name}
            receipt={receipt}
            rows={comparison.rows.map((row) => ({ ...row, group: '' }))}
          />
        </Card>
      )}
    </>
  )
}

const describeResult = (result: CellResult, t: Translate<keyof typeof messages.en>, format: Format): string => {
  const { dataset, group, genes, markers, comparison } = result
  if (comparison !== null)
    return t('head.compare', {
      significant: comparison.significant,
      tested: comparison.tested,
      first: comparison.first,
      second: comparison.second,
      best: comparison.rows[0]?.symbol ?? comparison.rows[0]?.id ?? '–',
    })
  if (markers !== null)
    return t('head.markers', {
      group: group?.name ?? '',
      names: format.names([
        ...significantMarkers(markers)
          .slice(0, namedGroups)
          .map(({ level, rows }) =>
            t('head.marker', {
              group: group?.levels[level]?.name ?? '',
              gene: rows[0]?.symbol ?? rows[0]?.id ?? t('head.noMarker'),
            }),
          ),
        ...(markers.length > namedGroups ? ['…'] : []),
      ]),
    })
  /** How far the highest group of a gene stands above the next. */
  const leadOf = ({ groups }: { groups: readonly { mean: number }[] }): number => {
    const [first = 0, second = 0] = groups.map(({ mean }) => mean).sort((a, b) => b - a)
    return first - second
  }
  // Those that tell groups apart most; what few cells express is noise.
  const telling = [...(genes ?? [])].sort((a, b) => leadOf(b) - leadOf(a)).slice(0, namedGenes)
  const highest = telling.flatMap(({ id, symbol, groups }) => {
    const best = groups.reduce((high, { mean }, at) => (mean > groups[high]!.mean ? at : high), 0)
    const shown = groups[best]
    return shown === undefined || shown.percent < tellingPercent
      ? []
      : t('head.highest', {
          gene: symbol ?? id,
          group: group?.levels[best]?.name ?? '',
          percent: format.percent(shown.percent / 100, 0),
        })
  })
  const counted = t('head.genes', {
    genes: genes?.length ?? 0,
    groups: group?.levels.length ?? 0,
    cells: dataset.cellCount,
  })
  return format.sentences([counted, ...highest])
}

/** Genes that the headline may name. */
const namedOf = ({ genes, markers, comparison }: CellResult): { symbol: string | null }[] => [
  ...(genes ?? []),
  ...(markers ?? []).flatMap(({ rows }) => rows.slice(0, 1)),
  ...(comparison?.rows.slice(0, 1) ?? []),
]

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form,
  Start,
  fields: { assembly: { needs: singleCellData } },
  Result: ResultView,
  headline: ({ input, result, t, format }) => (
    <>
      <WithSymbols text={describeResult(result, t, format)} genes={namedOf(result)} />{' '}
      {input.task !== 'genes' && input.correction === 'bonferroni' ? t('head.bonferroni') : ''}{' '}
      <SimulatedTag simulated={result.dataset.simulated} />
    </>
  ),
})
