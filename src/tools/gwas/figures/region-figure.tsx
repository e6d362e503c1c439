import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { browserAddress } from '../../../kit/ui/browser-address.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { nearestDot, PointedRing, PointerTip, pointerPosition } from '../../../kit/ui/figures/figure-pointer.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { locusAddress, type ScanSource, writeLocus } from '../addresses.ts'
import { getRegion, type RegionView } from '../endpoints.ts'
import messages from '../messages.ts'
import { reachPx, type Segment } from './manhattan-figure.tsx'
import { pText, sourceInput } from './parts.tsx'

const left = 54
const right = 12
const headPx = 14
const plotHeight = 240
const axisHeight = 48
const rowHeight = 26

/** r2 in fifths, from weak to strong, dark to light as viridis; grey where it is not known. */
const linkColours = ['#440154', '#3b528b', '#21918c', '#5ec962', '#d9c216'] as const
const unknownColour = '#9aa5a0'
const leadColour = '#d55e00'

const colourOf = (r2: number | null): string =>
  r2 === null ? unknownColour : linkColours[Math.min(4, Math.floor(r2 * 5))]!

/** Genes in rows so that neither they nor their names lie over each other; what does not fit in eight rows is counted. */
const layGenes = (
  genes: RegionView['genes'],
  x: (position: number) => number,
): { rows: (RegionView['genes'][number] & { row: number })[]; count: number; hidden: number } => {
  const ends: number[] = []
  let hidden = 0
  const rows = genes.flatMap((gene) => {
    const label = (gene.symbol ?? gene.id).length * 6.6
    const [from, to] = [x(gene.start), Math.max(x(gene.end), x(gene.start) + 3)]
    const middle = (Math.max(left, from) + to) / 2
    const [low, high] = [Math.min(from, middle - label / 2), Math.max(to, middle + label / 2)]
    let row = ends.findIndex((end) => end + 6 < low)
    if (row < 0) row = ends.length
    if (row >= 8) {
      hidden += 1
      return []
    }
    ends[row] = high
    return [{ ...gene, row }]
  })
  return { rows, count: Math.max(1, ends.length), hidden }
}

const Plot = ({
  view,
  assembly,
  threshold,
  onLead,
}: {
  view: RegionView
  assembly: string
  threshold: number | null
  onLead: (id: string) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const [root, width] = useWidth<HTMLDivElement>()
  const [hover, setHover] = useState<{ row: RegionView['rows'][number]; x: number; y: number } | null>(null)
  const inner = Math.max(60, width - left - right)
  // The strongest first, as they are drawn above the others.
  const legend: LegendEntry[] =
    view.linkage === null || !view.leadInVariants
      ? []
      : [4, 3, 2, 1, 0].map((fifth) => ({
          key: String(fifth),
          label: `r² ${format.fixed(fifth / 5, 1)}–${format.fixed((fifth + 1) / 5, 1)}`,
          colour: linkColours[fifth]!,
          mark: 0,
        }))
  const top = headPx + legendHeight(legend, inner)
  const line = threshold === null ? null : -Math.log10(threshold)
  const { x, y, dots, laid } = useMemo(() => {
    const across = scaleLinear([view.start, view.end + 1], [left, left + inner])
    const max = Math.max(4, line ?? 0, ...view.rows.map(({ logP }) => logP))
    const up = scaleLinear([0, max * 1.12], [top + plotHeight, top])
    return {
      x: across,
      y: up,
      dots: [...view.rows]
        .sort((a, b) => (a.r2 ?? -1) - (b.r2 ?? -1))
        .map((row) => ({ row, x: across(row.position), y: up(row.logP) })),
      laid: layGenes(view.genes, (position) => across(position)),
    }
  }, [view, inner, line, top])
  const height = top + plotHeight + axisHeight + laid.count * rowHeight + 6
  const nearest = (event: PointerEvent<SVGSVGElement>): (typeof dots)[number] | null =>
    nearestDot(dots, ...pointerPosition(event), reachPx)
  const geneTop = top + plotHeight + axisHeight
  return (
    <div ref={root} className="gwas-figure">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture must not hold links, and an SVG has no fieldset. */}
      <svg
        data-figure
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={t('region.label', {
          region: regionOf(assembly, view),
          count: view.total,
        })}
        onPointerMove={(event) => setHover(nearest(event))}
        onPointerLeave={() => setHover(null)}
        onPointerUp={(event) => {
          const dot = nearest(event)
          if (dot !== null && !(event.target as Element).closest('a')) onLead(dot.row.id)
        }}
        className="gwas-plot"
      >
        <Axis side="left" scale={y} at={left} grid={left + inner} name={t('axis.logP')} />
        {line === null ? null : (
          <line
            x1={left}
            x2={left + inner}
            y1={y(line)}
            y2={y(line)}
            stroke={leadColour}
            strokeDasharray="5 4"
            strokeOpacity={0.8}
          />
        )}
        {dots.map(({ row, x: cx, y: cy }) =>
          row.id === view.lead?.id && row.position === view.lead.position ? null : (
            <circle
              key={`${row.id} ${row.position} ${row.effectAllele ?? ''}`}
              cx={cx.toFixed(1)}
              cy={cy.toFixed(1)}
              r={3.6}
              fill={colourOf(row.r2)}
              stroke="var(--card, #fff)"
              strokeWidth={0.5}
            />
          ),
        )}
        {view.lead === null ? null : (
          <path
            d={`M${x(view.lead.position)},${y(view.lead.logP) - 7}l6,7l-6,7l-6,-7Z`}
            fill={leadColour}
            stroke="var(--figure-ink)"
            strokeWidth={0.8}
          />
        )}
        {view.lead === null ? null : (
          <text
            x={Math.min(left + inner - 4, Math.max(left + 4, x(view.lead.position)))}
            y={y(view.lead.logP) - 12}
            textAnchor={
              x(view.lead.position) > left + inner * 0.75
                ? 'end'
                : x(view.lead.position) < left + inner * 0.25
                  ? 'start'
                  : 'middle'
            }
            fontSize={11.5}
            fontWeight={600}
            fill="var(--figure-ink)"
          >
            {view.lead.id}
          </text>
        )}
        <Axis
          side="bottom"
          scale={x}
          at={top + plotHeight}
          positions
          name={(unit) => t('axis.position', { sequence: labelOf(assembly, view.sequence), unit })}
        />
        {laid.rows.map((gene) => {
          const [from, to] = [
            Math.max(left, x(gene.start)),
            Math.min(left + inner, Math.max(x(gene.end), x(gene.start) + 3)),
          ]
          const middle = geneTop + gene.row * rowHeight + 16
          const tip = Math.min(6, (to - from) / 2)
          const shape =
            gene.strand === '-'
              ? `M${to},${middle - 4}H${from + tip}L${from},${middle}L${from + tip},${middle + 4}H${to}Z`
              : gene.strand === '+'
                ? `M${from},${middle - 4}H${to - tip}L${to},${middle}L${to - tip},${middle + 4}H${from}Z`
                : `M${from},${middle - 4}H${to}V${middle + 4}H${from}Z`
          return (
            <Link
              key={gene.id}
              to={geneAddress(gene.id, assembly)}
              aria-label={t('region.gene', { gene: gene.symbol ?? gene.id })}
            >
              <title>{[gene.id, gene.symbol, gene.description].filter((part) => part !== null).join(' · ')}</title>
              <path d={shape} fill="var(--figure-axis)" />
              <text
                x={(from + to) / 2}
                y={middle - 7}
                textAnchor="middle"
                fontSize={10.5}
                fontStyle={gene.symbol === null ? 'normal' : 'italic'}
                fill="var(--figure-ink)"
              >
                {gene.symbol ?? gene.id}
              </text>
            </Link>
          )
        })}
        {view.genes.length === 0 ? (
          <text x={left + inner / 2} y={geneTop + 16} textAnchor="middle" fontSize={11} fill="var(--figure-axis)">
            {t('region.noGenes')}
          </text>
        ) : null}
        <Legend entries={legend} x={left} y={0} width={inner} />
        {hover === null ? null : <PointedRing at={hover} />}
      </svg>
      {laid.hidden === 0 && !view.genesCut ? null : (
        <p className="nv-quiet">{t('region.genesHidden', { count: laid.hidden })}</p>
      )}
      {hover === null ? null : (
        <PointerTip at={hover} width={width}>
          <strong>{hover.row.id}</strong>
          <br />
          {`${regionOf(assembly, { sequence: hover.row.sequence, start: hover.row.position })} ${hover.row.otherAllele ?? ''}${hover.row.effectAllele === null ? '' : `>${hover.row.effectAllele}`}`}
          <br />
          {`P = ${pText(hover.row.logP)}${hover.row.r2 === null ? '' : `, r² = ${format.number(hover.row.r2, 2)}`}`}
        </PointerTip>
      )}
    </div>
  )
}

/** Tests of a segment coloured by their linkage to the lead, above the genes there. */
export const RegionFigure = ({
  source,
  assembly,
  segment: interval,
  threshold,
  lead,
  onLead,
  onMove,
  receipt,
  track,
}: {
  source: ScanSource
  assembly: string
  segment: Segment
  threshold: number | null
  lead: string | null
  onLead: (id: string | null) => void
  onMove: (interval: Segment) => void
  receipt?: Receipt | undefined
  track?: string | undefined
}): ReactNode => {
  const t = useText(messages)
  const regionOf = useRegionLabel()
  const openings = useOpenings('region', assembly)
  const answer = useQuery({
    queryKey: ['gwas-region', JSON.stringify(source), JSON.stringify(interval), lead],
    queryFn: (context) =>
      call(getRegion, { ...sourceInput(source), ...interval, ...(lead === null ? {} : { lead }) }, context),
    placeholderData: (before) => before,
    staleTime: 10 * 60_000,
    retry: false,
  })
  const move = (from: number, to: number): void => {
    const start = Math.max(1, Math.round(from))
    onMove({ sequence: interval.sequence, start, end: Math.max(start + 20, Math.round(to)) })
  }
  const span = interval.end - interval.start + 1
  if (answer.isError) return <Unanswered of={answer} />
  const view = answer.data
  if (view === undefined) return <Waiting />
  const region = { assembly, sequence: view.sequence, start: view.start, end: view.end }
  const variation = openings.filter(({ tool }) => tool.id === 'variation')
  return (
    <FigureFrame
      id="gwas-region"
      title={t('region.title')}
      aside={regionOf(assembly, view)}
      name={`${assembly}-${view.sequence}-${view.start}-${view.end}`}
      {...(receipt === undefined ? {} : { receipt })}
      method={
        view.linkage === null
          ? t('region.methodNone')
          : view.leadInVariants
            ? t('region.method', { set: view.linkage, samples: view.linkageSamples })
            : t('region.methodMissing', { set: view.linkage })
      }
      actions={
        view.genes.length === 0 ? undefined : <GeneSetMenu genes={view.genes.map(({ id }) => ({ id, assembly }))} />
      }
      numbers={{
        rows: view.rows,
        rowKey: (row) => `${row.id} ${row.position} ${row.effectAllele ?? ''}`,
        columns: [
          { key: 'id', title: t('column.variant'), kind: 'id', value: ({ id }) => id },
          { key: 'position', title: t('column.position'), kind: 'number', value: ({ position }) => position },
          { key: 'effect', title: t('column.effectAllele'), kind: 'id', value: ({ effectAllele }) => effectAllele },
          { key: 'other', title: t('column.otherAllele'), kind: 'id', value: ({ otherAllele }) => otherAllele },
          { key: 'logP', title: t('column.logP'), kind: 'number', digits: 3, value: ({ logP }) => logP },
          { key: 'beta', title: t('column.beta'), kind: 'number', digits: 4, value: ({ beta }) => beta },
          { key: 'r2', title: t('column.r2'), kind: 'number', digits: 3, value: ({ r2 }) => r2 },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <Button
          size="small"
          look="quiet"
          aria-label={t('region.left')}
          title={t('region.left')}
          icon={<ChevronLeft size={16} aria-hidden />}
          onClick={() => move(interval.start - span / 2, interval.end - span / 2)}
        />
        <Button
          size="small"
          look="quiet"
          aria-label={t('region.in')}
          title={t('region.in')}
          icon={<ZoomIn size={16} aria-hidden />}
          onClick={() => move(interval.start + span / 4, interval.end - span / 4)}
        />
        <Button
          size="small"
          look="quiet"
          aria-label={t('region.out')}
          title={t('region.out')}
          icon={<ZoomOut size={16} aria-hidden />}
          onClick={() => move(interval.start - span / 2, interval.end + span / 2)}
        />
        <Button
          size="small"
          look="quiet"
          aria-label={t('region.right')}
          title={t('region.right')}
          icon={<ChevronRight size={16} aria-hidden />}
          onClick={() => move(interval.start + span / 2, interval.end + span / 2)}
        />
        <ButtonLink size="small" to={browserAddress(region, { more: track === undefined ? {} : { tracks: track } })}>
          {t('region.browser')}
        </ButtonLink>
        {variation.map((opening) => (
          <ButtonLink key={opening.tool.id} size="small" to={opening.address(region, { run: true })}>
            {opening.label}
          </ButtonLink>
        ))}
        {source.job !== undefined ? null : (
          <ButtonLink size="small" to={locusAddress({ assembly, locus: writeLocus(view) })}>
            {t('region.allTraits')}
          </ButtonLink>
        )}
        {view.total > view.rows.length ? (
          <span className="nv-warn">{t('region.cut', { shown: view.rows.length, total: view.total })}</span>
        ) : null}
        {lead === null ? (
          <span className="nv-quiet">{t('region.hint')}</span>
        ) : (
          <Button size="small" look="quiet" onClick={() => onLead(null)}>
            {t('region.bestLead')}
          </Button>
        )}
      </div>
      <Plot view={view} assembly={assembly} threshold={threshold} onLead={onLead} />
    </FigureFrame>
  )
}
