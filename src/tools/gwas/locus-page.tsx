import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { Field, NumberInput, TextInput } from '../../kit/ui/controls/field.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { colourAlone } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { addressWith, readAsked, readLocus, scanAddress, writeLocus } from './addresses.ts'
import { findAtLocus, type LocusView } from './endpoints.ts'
import { pColumn, pText, ScanNav, useTraitName } from './figures/parts.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const left = 84
const top = 14
const plotHeight = 260
const bottom = 110
/** Traits named beside their point. */
const maxNamed = 12

/** Best test of every trait at one place, trait after trait. */
const TraitsFigure = ({
  view,
  receipt,
  name,
}: {
  view: LocusView
  receipt?: Receipt | undefined
  name: string
}): ReactNode => {
  const t = useText(messages)
  const regionOf = useRegionLabel()
  const nameOf = useTraitName(view.assembly)
  const [root, width] = useWidth<HTMLDivElement>()
  const rows = useMemo(
    () => [...view.rows].sort((a, b) => a.set.localeCompare(b.set) || a.trait.localeCompare(b.trait)),
    [view.rows],
  )
  const sets = [...new Set(rows.map(({ set }) => set))]
  const inner = Math.max(80, width - left - 14)
  const max = Math.max(4, ...rows.map(({ best }) => best.logP))
  const y = scaleLinear([0, max * 1.06], [top + plotHeight, top])
  const x = (at: number): number => left + ((at + 0.5) / Math.max(1, rows.length)) * inner
  const named = new Set([...rows].sort((a, b) => b.best.logP - a.best.logP).slice(0, maxNamed))
  let lastEnd = Number.NEGATIVE_INFINITY
  return (
    <FigureFrame
      title={t('locus.figure')}
      aside={regionOf(view.assembly, view)}
      name={`${name}-traits`}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('locus.method')}
    >
      <div ref={root} className="gwas-figure">
        <Drawing width={width} height={top + plotHeight + bottom} label={t('locus.label', { count: rows.length })}>
          <Axis side="left" scale={y} at={left} grid={left + inner} name={t('axis.logP')} />
          <line x1={left} x2={left + inner} y1={top + plotHeight} y2={top + plotHeight} stroke="var(--figure-axis)" />
          {sets.length < 2
            ? null
            : sets.map((set) => {
                const first = rows.findIndex((row) => row.set === set)
                const count = rows.filter((row) => row.set === set).length
                const letters = Math.floor(((count / rows.length) * inner) / 6.5)
                return (
                  <text key={set} x={x(first - 0.5) + 2} y={10} fontSize={11} fill="var(--figure-ink)">
                    <title>{set}</title>
                    {set.length <= letters ? set : letters < 3 ? '' : `${set.slice(0, letters - 1)}…`}
                  </text>
                )
              })}
          {rows.map((row, at) => {
            const [px, py] = [x(at), y(row.best.logP)]
            const rising = (row.best.beta ?? 0) >= 0
            const shape =
              row.best.beta === null
                ? `M${px - 4},${py}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0`
                : rising
                  ? `M${px},${py - 5}l5,9h-10Z`
                  : `M${px},${py + 5}l5,-9h-10Z`
            const fits = named.has(row) && px > lastEnd + 12
            if (fits) lastEnd = px
            return (
              <Link
                key={`${row.set} ${row.trait}`}
                to={scanAddress(view.assembly, row.set, row.trait)}
                aria-label={`${nameOf(row.set, row.trait)}${sets.length < 2 ? '' : `, ${row.set}`}, P = ${pText(row.best.logP)}`}
              >
                <title>{`${nameOf(row.set, row.trait)} · ${row.set} · ${row.best.id} · P = ${pText(row.best.logP)}`}</title>
                <path d={shape} fill={colourAlone(sets.indexOf(row.set))} />
                {fits ? (
                  <text
                    transform={`translate(${px + 3},${top + plotHeight + 12}) rotate(-40)`}
                    textAnchor="end"
                    fontSize={10.5}
                    fill="var(--figure-ink)"
                  >
                    {nameOf(row.set, row.trait).length > 22
                      ? `${nameOf(row.set, row.trait).slice(0, 21)}…`
                      : nameOf(row.set, row.trait)}
                  </text>
                ) : null}
              </Link>
            )
          })}
        </Drawing>
      </div>
    </FigureFrame>
  )
}

/** What was understood: the gene by its names, and the segment that was searched. */
const Searched = ({ view, flankBp }: { view: LocusView; flankBp: number }): ReactNode => {
  const t = useText(messages)
  const locus = useRegionLabel()(view.assembly, view)
  return (
    <p className="gwas-searched">
      {view.gene === null ? null : (
        <>
          <GeneLink id={view.gene.id} symbol={view.gene.symbol} assembly={view.assembly} />{' '}
        </>
      )}
      {t('locus.searched', { locus, flank: flankBp })}
    </p>
  )
}

const Found = ({ view }: { view: LocusView }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const nameOf = useTraitName(view.assembly)
  const receipt = useCatalogueReceipt(
    tool.id,
    'best p-value of every trait in the region',
    { assembly: view.assembly, locus: writeLocus(view) },
    [view.assembly],
  )
  const name = `${view.assembly}-${view.sequence}-${view.start}-${view.end}`
  if (view.rows.length === 0)
    return (
      <EmptyState
        title={t('locus.none')}
        why={view.traitCount === 0 ? t('locus.noScans') : t('locus.noneWhy', { count: view.traitCount })}
      />
    )
  return (
    <>
      <p className="nv-headline">
        {t('locus.head', {
          count: view.rows.length,
          all: view.traitCount,
          significant: view.rows.filter(({ significant }) => significant > 0).length,
          locus: regionOf(view.assembly, view),
        })}
      </p>
      {view.cut ? <p className="nv-warn">{t('locus.cut')}</p> : null}
      <TraitsFigure view={view} receipt={receipt} name={name} />
      <Card title={t('traits.title')} flush>
        <ResultTable
          label={t('traits.title')}
          name={`${name}-traits`}
          {...(receipt === undefined ? {} : { receipt })}
          rows={view.rows}
          rowKey={({ set, trait }) => `${set}|${trait}`}
          columns={[
            {
              key: 'trait',
              title: t('column.trait'),
              value: ({ set, trait }) => nameOf(set, trait),
              render: ({ set, trait }) => <Link to={scanAddress(view.assembly, set, trait)}>{nameOf(set, trait)}</Link>,
            },
            {
              key: 'set',
              title: t('column.set'),
              value: ({ setName }) => format.text(setName),
              render: ({ setName, simulated }) => (
                <>
                  {format.text(setName)} <SimulatedTag simulated={simulated} />
                </>
              ),
            },
            { key: 'best', title: t('column.lead'), kind: 'id', value: ({ best }) => best.id },
            { key: 'position', title: t('column.position'), kind: 'number', value: ({ best }) => best.position },
            pColumn(t('column.p'), ({ best }: { best: { logP: number } }) => best.logP, { main: true }),
            { key: 'beta', title: t('column.beta'), kind: 'number', digits: 3, value: ({ best }) => best.beta },
            { key: 'count', title: t('column.tests'), kind: 'number', value: ({ count }) => count },
            {
              key: 'significant',
              title: t('column.significant'),
              kind: 'number',
              value: ({ significant }) => significant,
            },
          ]}
          initialSort={{ key: 'p', descending: false }}
        />
      </Card>
    </>
  )
}

/** A look at all traits from one place or gene (PheWAS). */
export const LocusPage = (): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  const assemblies = useAssemblies()
  const assembly = query.get('assembly') || (assemblies.find((one) => (one.dataTypes.gwas ?? 0) > 0)?.id ?? '')
  const text = query.get('gene') || query.get('locus') || ''
  const [typed, setTyped] = useState(text)
  const flankBp = Math.min(1_000_000, Math.max(0, Number(query.get('flank')) || 0))
  const asked = readAsked(query.get('gene'), query.get('locus'))
  const answer = useQuery({
    queryKey: ['gwas-locus', assembly, JSON.stringify(asked), flankBp],
    enabled: asked !== null && assembly !== '',
    queryFn: (context) => call(findAtLocus, { assembly, ...asked, flankBp }, context),
    staleTime: 10 * 60_000,
    retry: false,
  })
  const go = (): void => {
    const found = readLocus(typed)
    change(found === null ? { gene: typed.trim(), locus: '' } : { locus: writeLocus(found), gene: null })
  }
  const example = assemblies.find(({ id }) => id === assembly)?.exampleGenes[0]
  return (
    <main className="nv-page gwas-page">
      <title>{`${t('locus.title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{t('locus.title')}</h1>
          <p className="nv-lead">{t('locus.lead')}</p>
        </div>
        <div className="nv-page-actions gwas-assembly">
          <AssemblyPicker value={assembly} needs="gwas" onChoose={(chosen) => change({ assembly: chosen })} />
        </div>
      </header>
      <ScanNav now="locus" assembly={assembly} />
      <Card>
        <form
          className="gwas-controls"
          onSubmit={(event) => {
            event.preventDefault()
            go()
          }}
        >
          <Field label={t('locus.field')} help={t('locus.help')}>
            {(control) => <TextInput {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
          </Field>
          <Field label={t('locus.flank')}>
            {(control) => (
              <NumberInput
                {...control}
                value={flankBp}
                min={0}
                max={1_000_000}
                step={1000}
                onNumber={(value) => change({ flank: value === undefined || value === 0 ? null : String(value) }, true)}
              />
            )}
          </Field>
          <div className="gwas-go">
            <Button type="submit" look="primary">
              {t('locus.go')}
            </Button>
            {example === undefined ? null : (
              <Button
                onClick={() => {
                  setTyped(example.id)
                  change({ gene: example.id, locus: '', flank: '10000', assembly })
                }}
              >
                {t('locus.example')}
              </Button>
            )}
          </div>
        </form>
      </Card>
      {asked === null ? null : answer.isError ? (
        <Unanswered of={answer} />
      ) : answer.data === undefined ? (
        <Waiting />
      ) : (
        <>
          <Searched view={answer.data} flankBp={flankBp} />
          <Found view={answer.data} />
        </>
      )}
      <p>
        <Link to={addressWith({ assembly })}>{t('nav.overview')}</Link>
      </p>
    </main>
  )
}
