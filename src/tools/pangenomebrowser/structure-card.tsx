import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { variantClasses } from '../../bio/alignment/structural-variants.ts'
import { listGenesInRegion } from '../../contracts/genes.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { NamedGenes } from '../../kit/ui/gene/named-genes.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { listAlignedSegments, listStructuralVariants, maxListed } from './endpoints.ts'
import messages from './messages.ts'
import type { GraphResult } from './tool.ts'

type Segments = z.output<typeof listAlignedSegments.output>['assemblies']
type Variant = z.output<typeof listStructuralVariants.output>['variants'][number]
type State = Segments[number]['spans'][number]['state']

const states: readonly State[] = ['aligned', 'replaced', 'deleted']
const stateColour: Record<State, string> = {
  aligned: categoryColour(0),
  replaced: categoryColour(1),
  deleted: categoryColour(5),
}
/** Half as high where the assembly has other bases, a thin line where it has none: not told by colour alone. */
const stateHeight: Record<State, number> = { aligned: 11, replaced: 6, deleted: 2 }
const rowPx = 16
const plotPx = 820
/** Of a whole chromosome smaller ones would hide the others. */
const minOfSequence = 300

const SegmentFigure = ({
  segments,
  title,
  name,
  start,
  end,
}: {
  segments: Segments
  title: string
  name: string
  start: number
  end: number
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const labelPx = Math.max(60, ...segments.map(({ assembly }) => labelWidth(nameOf(assembly), 11) + 12))
  const x = (position: number): number => labelPx + ((position - start) / Math.max(1, end - start + 1)) * plotPx
  const width = labelPx + plotPx + 16
  const height = segments.length * rowPx + 46
  return (
    <FigureFrame
      title={title}
      name={name}
      method={t('segments.method')}
      numbers={{
        rows: segments.flatMap(({ assembly, spans }) => spans.map((span) => ({ assembly, ...span }))),
        rowKey: (row) => `${row.assembly} ${row.start} ${row.state}`,
        columns: [
          { key: 'assembly', title: t('column.sample'), value: (row) => nameOf(row.assembly) },
          { key: 'state', title: t('column.state'), value: (row) => t(`state.${row.state}`) },
          { key: 'start', title: t('column.start'), kind: 'number', main: true, value: (row) => row.start },
          { key: 'end', title: t('column.end'), kind: 'number', value: (row) => row.end },
        ],
      }}
    >
      <ScrollBox className="pgb-scroll" label={title}>
        <svg data-figure role="img" aria-label={title} viewBox={`0 0 ${width} ${height}`} className="pgb-wide">
          <title>{title}</title>
          {segments.map(({ assembly, spans }, row) => (
            <g key={assembly} transform={`translate(0,${row * rowPx + 4})`}>
              <text className="pgb-row" x={labelPx - 6} y={10} textAnchor="end">
                {nameOf(assembly)}
              </text>
              <line className="pgb-nothing" x1={labelPx} x2={labelPx + plotPx} y1={6} y2={6} />
              {spans.map((span) => (
                <rect
                  key={`${span.start} ${span.state}`}
                  x={x(span.start)}
                  width={Math.max(0.6, x(span.end + 1) - x(span.start))}
                  y={6 - stateHeight[span.state] / 2}
                  height={stateHeight[span.state]}
                  fill={stateColour[span.state]}
                >
                  <title>{`${nameOf(assembly)} ${format.number(span.start)}..${format.number(span.end)}: ${t(`state.${span.state}`)}`}</title>
                </rect>
              ))}
            </g>
          ))}
          <Axis
            side="bottom"
            scale={scaleLinear([start, end], [labelPx, labelPx + plotPx])}
            at={segments.length * rowPx + 6}
            positions
          />
          <g transform={`translate(${labelPx},${segments.length * rowPx + 32})`}>
            {[...states, 'nothing' as const].map((state, number) => (
              <g key={state} transform={`translate(${number * 190},0)`}>
                {state === 'nothing' ? (
                  <line className="pgb-nothing" x1={0} x2={18} y1={6} y2={6} />
                ) : (
                  <rect
                    width={18}
                    y={6 - stateHeight[state] / 2}
                    height={stateHeight[state]}
                    fill={stateColour[state]}
                  />
                )}
                <text className="pgb-row" x={24} y={10}>
                  {t(`state.${state}`)}
                </text>
              </g>
            ))}
          </g>
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}

/**
 * Structural variants and aligned segments of the other assemblies, in the region or on the whole sequence; nothing where none is
 * aligned.
 */
export const StructureCard = ({ result, lengthBp }: { result: GraphResult; lengthBp: number }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const listOf = useAssemblyList()
  const nameOf = useAssemblyNames()
  const [, change] = useAddressValues()
  const [scope, setScope] = useState<'region' | 'sequence'>('sequence')
  const { assembly, sequence } = result
  const [start, end] = scope === 'region' ? [result.start, result.end] : [1, lengthBp]
  const locus = { assembly, sequence, start, end }
  // Others of a species are aligned to its reference.
  const assemblies = useAssemblies()
  const own = assemblies.find(({ id }) => id === assembly)
  const enabled =
    own?.reference === true && assemblies.some((one) => one.species === own.species && one.id !== assembly)
  const segments = useQuery({
    queryKey: ['aligned-segments', locus],
    enabled,
    queryFn: (context) => call(listAlignedSegments, locus, context),
    staleTime: 300_000,
    retry: false,
  })
  const found = useQuery({
    queryKey: ['structural-variants', locus],
    enabled: enabled && segments.data?.aligned === true,
    queryFn: (context) =>
      call(
        listStructuralVariants,
        { ...locus, limit: maxListed, ...(scope === 'sequence' ? { minBp: minOfSequence } : {}) },
        context,
      ),
    staleTime: 300_000,
    retry: false,
  })
  const genes = useQuery({
    queryKey: ['genes-in-region', locus],
    queryFn: (context) => call(listGenesInRegion, { ...locus, limit: 5000 }, context),
    staleTime: 300_000,
  })
  // Nothing is aligned to this assembly: the graph is all there is.
  if (!enabled || segments.data?.aligned === false) return null
  if (segments.isError) return <Unanswered of={segments} />
  if (found.isError) return <Unanswered of={found} />
  if (segments.data === undefined || found.data === undefined) return <Waiting />
  const genesOf = (one: Variant): GraphResult['genes'] =>
    (genes.data?.genes ?? []).filter((gene) => gene.start <= one.end && gene.end >= one.start)
  const columns: TableColumn<Variant>[] = [
    { key: 'id', title: t('column.variant'), kind: 'id', main: false, value: ({ id }) => id },
    { key: 'class', title: t('column.type'), main: true, value: (one) => t(`class.${one.class}`) },
    { key: 'start', title: t('column.start'), kind: 'number', value: (one) => one.start },
    { key: 'end', title: t('column.end'), kind: 'number', value: (one) => one.end },
    { key: 'length', title: t('column.length'), kind: 'number', main: true, value: ({ lengthBp: bp }) => bp },
    {
      key: 'mate',
      title: t('column.mate'),
      kind: 'region',
      value: ({ mate }) => (mate === null ? null : `${mate.sequence}:${mate.position}`),
      on: ({ mate }) => (mate === null ? null : { assembly, sequence: mate.sequence }),
    },
    {
      key: 'genes',
      title: t('column.genes'),
      value: (one) =>
        genesOf(one)
          .map(({ id, symbol }) => symbol ?? id)
          .join(', '),
      render: (one) => <NamedGenes genes={genesOf(one)} />,
    },
    {
      key: 'carriers',
      title: t('column.samples'),
      value: ({ carriers }) => listOf(carriers.map((one) => one.assembly)),
      render: ({ carriers }) => format.names(carriers.map((one) => nameOf(one.assembly))),
    },
    { key: 'without', title: t('column.without'), hidden: true, value: ({ without }) => listOf(without) },
    {
      key: 'open',
      title: t('column.open'),
      value: () => null,
      render: (one) => {
        const from = Math.max(1, one.start - 500)
        const to = Math.min(lengthBp, one.end + 500)
        return to - from >= 100_000 ? null : (
          <Button
            size="small"
            look="quiet"
            onClick={() => change({ locus: `${sequence}:${from}-${to}`, graph: null, run: '1' })}
          >
            {t('structure.open')}
          </Button>
        )
      },
    },
  ]
  const { variants, truncated } = found.data
  const title = scope === 'region' ? t('structure.region') : t('structure.sequence', { sequence })
  return (
    <>
      <SegmentFigure
        segments={segments.data.assemblies}
        title={t('segments.title', { locus: regionOf(assembly, { sequence, start, end }) })}
        name={`${assembly}-${sequence}-${start}-${end}-aligned`}
        start={start}
        end={end}
      />
      <Card
        title={title}
        flush
        actions={
          <Segmented
            label={t('structure.scope')}
            value={scope}
            onChoose={(value) => setScope(value as 'region' | 'sequence')}
            options={[
              { value: 'sequence', label: t('structure.ofSequence') },
              { value: 'region', label: t('structure.ofRegion') },
            ]}
          />
        }
      >
        <p className="nv-quiet pgb-note">
          {t('structure.counts', {
            counts: variantClasses
              .map((one) => [one, variants.filter((variant) => variant.class === one).length] as const)
              .filter(([, count]) => count > 0)
              .map(([one, count]) => `${t(`class.${one}`)} ${format.number(count, 0)}`)
              .join(', '),
            min: scope === 'sequence' ? minOfSequence : 50,
          })}
        </p>
        {truncated ? <p className="nv-warn">{t('structure.cut', { shown: variants.length })}</p> : null}
        {variants.length === 0 ? (
          <EmptyState title={t('structure.none')} why={t('structure.noneWhy')} />
        ) : (
          <ResultTable
            label={title}
            name={`${assembly}-${sequence}-${start}-${end}-structural-variants`}
            columns={columns}
            rows={variants}
            rowKey={({ id }) => id}
          />
        )}
      </Card>
    </>
  )
}
