import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useContactColumns } from './contact-columns.tsx'
import { listContactMaps } from './endpoints.ts'
import { LoopsTable } from './feature-tables.tsx'
import { SearchForm } from './form.tsx'
import { ArcsFigure, minDistanceBp, strongestRows } from './map/arcs-figure.tsx'
import { around, locusText, mapAddress } from './map/map-address.ts'
import messages from './messages.ts'
import { NamesNote } from './names-note.tsx'
import { StartView } from './start-view.tsx'
import { contactsData } from './stored.ts'
import tool, { type ContactRow, type HicResult, type SearchResult } from './tool.ts'
import { useBinSize } from './use-maps.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const topRows = 20
/** More genes than this are not the partners of a place but most of the genome. */
const maxOfAll = 500

/** Genes of bins, each once. */
const genesOf = (rows: readonly ContactRow[], assembly: string): { id: string; assembly: string }[] =>
  [...new Set(rows.flatMap(({ genes }) => genes.map(({ id }) => id)))].map((id) => ({ id, assembly }))

const Rows = ({ result, receipt, name }: { result: SearchResult; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const columns = useContactColumns(result)
  const [chosen, setChosen] = useState<ContactRow[]>([])
  const { assembly, rows } = result
  const top = strongestRows(result, topRows)
  const all = genesOf(rows, assembly)
  const groups = [
    ...(chosen.length > 0 ? [{ label: t('genes.save'), genes: genesOf(chosen, assembly) }] : []),
    { label: t('genes.top', { count: top.length }), genes: genesOf(top, assembly) },
    { label: t('genes.all', { count: all.length }), genes: all.length > maxOfAll ? [] : all },
  ].filter(({ genes }) => genes.length > 0)
  return (
    <Card title={t('rows.title')}>
      {groups.length === 0 ? null : (
        <ul className="hic-sets">
          {groups.map(({ label, genes }) => (
            <li key={label}>
              {label} <GeneSetMenu genes={genes} look="quiet" />
            </li>
          ))}
        </ul>
      )}
      <ResultTable
        label={t('rows.title')}
        name={`${name}-contacts`}
        receipt={receipt}
        columns={columns}
        rows={rows}
        total={result.total}
        rowKey={locusText}
        onSelect={setChosen}
        initialSort={{ key: result.expectedFrom === null ? 'observed' : 'ratio', descending: true }}
        empty={<EmptyState title={t('rows.none')} why={t('rows.noneWhy')} />}
      />
    </Card>
  )
}

/** Sequences of the map without a place in the assembly: a plasmid, say, or what an older release had. */
const Lacking = ({ result, receipt, name }: { result: SearchResult; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const { lacking, sums, assembly } = result
  if (lacking === null || lacking.length === 0) return null
  const trans = sums.trans ?? 0
  return (
    <Card title={t('lacking.title', { assembly })}>
      <p className="nv-quiet">{t('lacking.lead')}</p>
      <ResultTable
        plain
        label={t('lacking.title', { assembly })}
        name={`${name}-not-in-assembly`}
        receipt={receipt}
        rows={lacking}
        rowKey={(row) => row.name}
        initialSort={{ key: 'observed', descending: true }}
        columns={[
          { key: 'name', title: t('column.lackingName'), kind: 'id', value: (row) => row.name },
          { key: 'observed', title: t('column.observed'), kind: 'number', digits: 2, value: (row) => row.observed },
          { key: 'bins', title: t('column.lackingBins'), kind: 'number', value: (row) => row.bins },
          {
            key: 'mean',
            title: t('column.lackingMean'),
            kind: 'number',
            digits: 2,
            value: (row) => (row.bins === 0 ? null : row.observed / row.bins),
          },
          {
            key: 'share',
            title: t('column.lackingOf'),
            kind: 'number',
            digits: 1,
            value: (row) => (trans === 0 ? null : (100 * row.observed) / trans),
          },
        ]}
      />
    </Card>
  )
}

const Found = ({ input, result, receipt }: { input: Input; result: SearchResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const regionOf = useRegionLabel()
  const columns = useContactColumns(result)
  const { assembly, map, view, locus, resolution, normalization, gene, reachedBp, sums, rows, total } = result
  const lengthBp = map.chromosomes.find(({ sequence }) => sequence === view.sequence)?.lengthBp ?? view.end
  const name = gene?.id ?? locusText(locus)
  const near = around(
    { start: Math.max(1, view.start - 20 * resolution), end: Math.min(lengthBp, view.end + 20 * resolution) },
    view,
    lengthBp,
  )
  return (
    <>
      <div className="nv-figure-bar">
        <ButtonLink
          to={mapAddress({
            assembly,
            map: map.id,
            resolution,
            normalization,
            locus: locusText({ sequence: view.sequence, ...near }),
          })}
        >
          {t('map.open')}
        </ButtonLink>
        <span className="nv-quiet">
          {format.text(map.name)} · {binSize(resolution)} · {regionOf(assembly, view)}
        </span>
        <SimulatedTag simulated={map.simulated} />
      </div>
      {view.usable === 0 ? <p className="nv-warn">{t('note.unusable')}</p> : null}
      {reachedBp === null ? null : (
        <p className="nv-warn">{t('note.reached', { distance: format.basePairs(reachedBp) })}</p>
      )}
      {sums.trans === null && input.partners === 'all' ? <p className="nv-warn">{t('note.noTrans')}</p> : null}
      {total > rows.length ? <p className="nv-warn">{t('note.more', { total, shown: rows.length })}</p> : null}
      {gene !== null && locus.end - locus.start < resolution ? (
        <p className="nv-quiet">
          {t('note.sameBin', { gene: gene.symbol ?? gene.id, resolution: binSize(resolution) })}
        </p>
      ) : null}
      {rows.some(({ distance }) => distance !== null) ? (
        <ArcsFigure result={result} receipt={receipt} name={name} lengthBp={lengthBp} columns={columns} />
      ) : null}
      {result.features.loops.length === 0 ? null : (
        <LoopsTable
          assembly={assembly}
          title={t('loops.title')}
          loops={result.features.loops}
          receipt={receipt}
          name={name}
          address={(loop) =>
            loop.a.sequence === loop.b.sequence
              ? mapAddress({
                  assembly,
                  map: map.id,
                  locus: locusText({ sequence: loop.a.sequence, ...around(loop.a, loop.b, lengthBp) }),
                })
              : mapAddress({ assembly, map: map.id, locus: locusText(loop.a), otherLocus: locusText(loop.b) })
          }
        />
      )}
      <Rows result={result} receipt={receipt} name={name} />
      <Lacking result={result} receipt={receipt} name={name} />
      <NamesNote map={map} assembly={assembly} />
    </>
  )
}

const ResultView = ({ input, result, receipt }: ResultProps<Input, HicResult>): ReactNode =>
  result.task === 'search' ? <Found input={input} result={result} receipt={receipt} /> : null

const Headline = ({ result }: { result: SearchResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const regionOf = useRegionLabel()
  const { assembly, gene, locus, view, resolution, total, sums } = result
  const best = strongestRows(result, 1)[0]
  const lacking = (result.lacking ?? []).filter((one) => one.observed > 0)
  const lackingSum = lacking.reduce((sum, { observed }) => sum + observed, 0)
  return format.sentences([
    t('head.found', {
      locus: gene?.symbol ?? gene?.id ?? regionOf(assembly, locus),
      bins: view.bins,
      resolution: binSize(resolution),
      count: total,
    }),
    best === undefined
      ? ''
      : t('head.strongest', {
          bin: regionOf(assembly, best),
          ratio: format.number(best.ratio!, 2),
          min: format.basePairs(minDistanceBp(result)),
          genes:
            best.genes.length === 0
              ? 'none'
              : format.names(best.genes.slice(0, 4).map(({ id, symbol }) => symbol ?? id)),
        }),
    sums.trans === null || sums.cis === 0
      ? ''
      : t('head.share', { share: format.percent(sums.trans / (sums.cis + sums.trans), 1) }),
    lackingSum === 0 || sums.trans === null
      ? ''
      : t('head.lacking', {
          share: format.percent(lackingSum / (sums.cis + sums.trans), 1),
          names: format.names(lacking.map((one) => one.name)),
          assembly,
        }),
  ])
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: SearchForm,
  Start: StartView,
  Result: ResultView,
  loadExample: async ({ assembly }) => {
    const { example } = await call(listContactMaps, { assembly })
    return example === null ? null : { assembly, locus: example }
  },
  headline: ({ result }) => (result.task === 'search' ? <Headline result={result} /> : null),
  fields: {
    assembly: { needs: contactsData },
    task: { hidden: true },
    otherLocus: { hidden: true },
    values: { hidden: true },
    signal: { hidden: true },
    window: { hidden: true },
  },
})
