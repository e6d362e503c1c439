import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Checkbox, Segmented } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { CategoryRest } from '../../kit/ui/figures/category-marks.tsx'
import type { FigureNumbers } from '../../kit/ui/figures/figure-frame.tsx'
import { otherColour } from '../../kit/ui/figures/palette.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { useSequenceRole } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useMedia } from '../../kit/ui/use-media.ts'
import { ChromosomeFigure } from './chromosome-figure.tsx'
import { CircleFigure } from './circle-figure.tsx'
import { countWindows, groupColours, useOverview } from './map-parts.ts'
import messages from './messages.ts'
import tool, { type GeneMap, type MappedFeature, type MappedLink, type MappedSequence } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const maxLines = 8

/** What of the input gave nothing, and why. */
const Notes = ({ result }: { result: GeneMap }): ReactNode => {
  const t = useText(messages)
  const { unknown, ambiguous, problems, problemTotal, assembly, sequences, sequenceTotal, linksCut } = result
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} />
      {problemTotal === 0 ? null : (
        <div className="nv-warn">
          {t('note.problems', { count: problemTotal })}
          <ul className="map-lines">
            {problems.slice(0, maxLines).map(({ field, line, id, text }) => (
              <li key={`${field} ${line}`}>
                {t('note.line', { field, line, text, reason: t(`reason.${id}` as 'reason.pair') })}
              </li>
            ))}
            {problemTotal > maxLines ? <li>{t('note.more', { count: problemTotal - maxLines })}</li> : null}
          </ul>
        </div>
      )}
      {linksCut === 0 ? null : <p className="nv-quiet">{t('note.linksCut', { count: linksCut })}</p>}
      {sequences.length === sequenceTotal ? null : (
        <p className="nv-quiet">{t('note.sequences', { shown: sequences.length, total: sequenceTotal })}</p>
      )}
    </>
  )
}

const names = {
  kind: `${viewPrefix}drawing`,
  labels: `${viewPrefix}labels`,
  density: `${viewPrefix}density`,
  only: `${viewPrefix}only`,
} as const

const ResultView = ({ result, receipt }: ResultProps<Input, GeneMap>): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  // A genome that is one circle, or two, is shown as such; standing, it would be a thin line in an empty card. On a phone that is its width.
  const isWide = useMedia('(min-width: 641px)')
  const isRound = result.sequences.length <= 2 && result.sequences.every(({ circular }) => circular)
  const usual = isRound && isWide ? 'circle' : 'chromosomes'
  const circle = (query.get(names.kind) ?? usual) === 'circle'
  const labels = query.get(names.labels) !== '0'
  const density = query.get(names.density) !== '0'
  const only = query.get(names.only) === '1'
  const overview = useOverview(result.assembly)
  const shown = useMemo((): GeneMap => {
    if (!only) return result
    const used = new Set([
      ...result.features.map(({ sequence }) => sequence),
      ...result.links.flatMap(({ from, to }) => [from.sequence, to.sequence]),
    ])
    return { ...result, sequences: result.sequences.filter(({ name }) => used.has(name)) }
  }, [result, only])
  const windows = useMemo(
    () =>
      density
        ? countWindows(
            overview,
            shown.sequences.map(({ name }) => name),
          )
        : null,
    [overview, density, shown],
  )
  const colours = useMemo(() => groupColours(result.features, result.links), [result])
  const legend = <Legend result={result} colours={colours} />
  const numbers = useFeatureRows(result)
  const Figure = circle ? CircleFigure : ChromosomeFigure
  return (
    <>
      <Notes result={result} />
      <div className="map-bar">
        <Segmented
          label={t('view.kind')}
          value={circle ? 'circle' : 'chromosomes'}
          onChoose={(kind) => change({ [names.kind]: kind === usual ? null : kind })}
          options={[
            { value: 'chromosomes', label: t('view.chromosomes') },
            { value: 'circle', label: t('view.circle') },
          ]}
        />
        <Checkbox checked={labels} onCheck={(on) => change({ [names.labels]: on ? null : '0' }, true)}>
          {t('view.labels')}
        </Checkbox>
        <Checkbox checked={density} onCheck={(on) => change({ [names.density]: on ? null : '0' }, true)}>
          {t('view.density')}
        </Checkbox>
        <Checkbox checked={only} onCheck={(on) => change({ [names.only]: on ? '1' : null }, true)}>
          {t('view.only')}
        </Checkbox>
      </div>
      <Figure {...{ result: shown, windows, colours, labels, legend, numbers, receipt }} />
      <FeatureTable result={result} receipt={receipt} />
      {result.links.length === 0 ? null : <LinkTable result={result} receipt={receipt} />}
      <SequenceTable result={result} receipt={receipt} />
    </>
  )
}

/** Groups with their colours; families, which are many, are not named. */
const Legend = ({ result, colours }: { result: GeneMap; colours: Map<string, string> }): ReactNode => {
  const t = useText(messages)
  const own = new Set(result.features.map(({ group }) => group))
  const groups = [...colours].filter(([group]) => own.has(group))
  const shown = groups.filter(([group, colour]) => group === '' || colour !== otherColour)
  if (groups.length < 2) return null
  return (
    <ul className="map-legend" data-legend>
      {shown.map(([group, colour]) => (
        <li key={group}>
          <span className="map-swatch" style={{ background: colour }} />
          {group === '' ? t('legend.none') : group}
        </li>
      ))}
      <CategoryRest count={groups.length - shown.length} />
    </ul>
  )
}

/** Features as a table, below the figure and as its numbers. */
const useFeatureRows = ({ assembly, features }: GeneMap): FigureNumbers<MappedFeature> => {
  const t = useText(messages)
  // A list may hold a feature twice.
  const number = useMemo(() => new Map(features.map((feature, at) => [feature, at])), [features])
  const columns: TableColumn<MappedFeature>[] = [
    {
      key: 'name',
      title: t('column.name'),
      value: ({ name }) => name,
      render: ({ name, gene, symbol }) =>
        gene === null ? name : <GeneLink id={gene} assembly={assembly} symbol={symbol} />,
    },
    { key: 'gene', title: t('column.gene'), kind: 'id', hidden: true, value: ({ gene }) => gene },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', hidden: true, value: ({ symbol }) => symbol },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: ({ sequence }) => sequence,
      on: ({ sequence }) => ({ assembly, sequence }),
    },
    { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
    { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
    {
      key: 'length',
      title: t('column.length'),
      kind: 'number',
      hidden: true,
      value: ({ start, end }) => end - start + 1,
    },
    { key: 'strand', title: t('column.strand'), value: ({ strand }) => strand },
    ...(features.some(({ group }) => group !== '')
      ? [{ key: 'group', title: t('column.group'), value: ({ group }: MappedFeature) => group }]
      : []),
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
  ]
  return { columns, rows: features, rowKey: (feature) => String(number.get(feature)) }
}

const FeatureTable = ({ result, receipt }: { result: GeneMap; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const { assembly, features } = result
  const genes = features.flatMap(({ gene }) => (gene === null ? [] : [{ id: gene, assembly }]))
  const numbers = useFeatureRows(result)
  return (
    <Card title={t('table.title')} flush actions={genes.length === 0 ? null : <GeneSetMenu genes={genes} />}>
      <ResultTable
        {...numbers}
        name={`${assembly}-features`}
        receipt={receipt}
        label={t('table.title')}
        gene={({ gene }) => (gene === null ? null : { id: gene, assembly })}
      />
    </Card>
  )
}

const LinkTable = ({ result, receipt }: { result: GeneMap; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const number = useMemo(() => new Map(result.links.map((link, at) => [link, at])), [result.links])
  const end = (key: 'from' | 'to'): TableColumn<MappedLink>[] => [
    { key, title: t(`column.${key}`), value: (link) => link[key].name },
    {
      key: `${key}-place`,
      title: `${t(`column.${key}`)}: ${t('column.sequence')}`,
      kind: 'region',
      value: (link) => `${link[key].sequence}:${link[key].start}..${link[key].end}`,
      on: (link) => ({ assembly: result.assembly, sequence: link[key].sequence }),
    },
  ]
  return (
    <Card title={t('table.links')} flush>
      <ResultTable
        columns={[
          ...end('from'),
          ...end('to'),
          { key: 'group', title: t('column.group'), value: ({ group }) => group },
        ]}
        rows={result.links}
        rowKey={(link) => String(number.get(link))}
        name={`${result.assembly}-links`}
        receipt={receipt}
        label={t('table.links')}
      />
    </Card>
  )
}

const SequenceTable = ({ result, receipt }: { result: GeneMap; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const roleOf = useSequenceRole()
  const columns: TableColumn<MappedSequence>[] = [
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: ({ name }) => name,
      on: ({ name }) => ({ assembly: result.assembly, sequence: name }),
    },
    // For the file of the table, and for filters.
    {
      key: 'role',
      title: t('column.role'),
      value: ({ name }) => roleOf(result.assembly, name),
      hidden: true,
    },
    { key: 'length', title: t('column.length'), kind: 'number', value: ({ lengthBp }) => lengthBp },
    { key: 'count', title: t('column.count'), kind: 'number', value: ({ count }) => count },
    {
      key: 'perMb',
      title: t('column.perMb'),
      kind: 'number',
      digits: 2,
      value: ({ count, lengthBp }) => (1e6 * count) / lengthBp,
    },
  ]
  return (
    <Card title={t('table.sequences')} flush>
      <ResultTable
        columns={columns}
        rows={result.sequences}
        rowKey={({ name }) => name}
        name={`${result.assembly}-by-sequence`}
        receipt={receipt}
        label={t('table.sequences')}
      />
    </Card>
  )
}

const Headline = ({ result }: { result: GeneMap }): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const [fullest, next] = [...result.sequences].sort((a, b) => b.count - a.count)
  const used = result.sequences.filter(({ count }) => count > 0)
  return t('head', {
    features: result.features.length,
    sequences: used.length,
    assembly: assemblyName(result.assembly),
    max: used.length < 2 || fullest === undefined || next?.count === fullest.count ? 'none' : fullest.name,
    count: fullest?.count ?? 0,
    links: result.links.length,
  })
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  fields: {
    assembly: { needs: 'genes' },
    genes: { widget: 'genes', rows: 4 },
    features: { widget: 'long-text', rows: 4 },
    links: { widget: 'long-text', rows: 3, advanced: true },
  },
  headline: ({ result }) => <Headline result={result} />,
})
