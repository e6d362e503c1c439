import { useQuery } from '@tanstack/react-query'
import { scaleLinear, ticks } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { type Gene, type GeneSummary, listGenesInRegion } from '../../../contracts/genes.ts'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { GeneLink, geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel, useRoleStyle, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/pages.ts'
import { neighbourhoodWindow, turnInto } from './neighbourhood-window.ts'

/** Genes to show at each side, about: the window is this many times the assembly's mean distance between genes. */
const genesASide = 6
const laneHeight = 30
const barHeight = 18
const axisHeight = 30
const labelCharacterPx = 6.7

/** Puts genes of one strand into as few lanes as keep bars and labels apart; gives back each one's lane. */
const placeInLanes = (boxes: { from: number; to: number }[]): number[] => {
  const ends: number[] = []
  return boxes.map(({ from, to }) => {
    const lane = ends.findIndex((end) => end < from)
    const at = lane === -1 ? ends.length : lane
    ends[at] = to
    return at
  })
}

const arrow = (x0: number, x1: number, y: number, strand: string): string => {
  const head = Math.min(8, (x1 - x0) * 0.6)
  const h = barHeight / 2
  if (strand === '+') return `M${x0},${y - h}H${x1 - head}L${x1},${y}L${x1 - head},${y + h}H${x0}Z`
  if (strand === '-') return `M${x1},${y - h}H${x0 + head}L${x0},${y}L${x0 + head},${y + h}H${x1}Z`
  return `M${x0},${y - h}H${x1}V${y + h}H${x0}Z`
}

/** The genes around one, to scale; a click goes to the gene clicked, which then stands in the middle. */
export const GeneNeighbourhood = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const labelOf = useSequenceLabel()
  const navigate = useNavigate()
  const [root, width] = useWidth<HTMLDivElement>()
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const spacing = assembly === undefined || assembly.geneCount === 0 ? 5000 : assembly.lengthBp / assembly.geneCount
  const flank = Math.max(2000, Math.min(500_000, Math.round((spacing * genesASide) / 1000) * 1000))
  const sequence = assembly?.sequences.find((one) => one.name === gene.sequence) ?? {
    lengthBp: Number.MAX_SAFE_INTEGER,
    circular: false,
  }
  const window = neighbourhoodWindow(gene, flank, sequence)
  const { start, end } = window
  const answer = useQuery({
    queryKey: ['neighbours', gene.assembly, gene.sequence, start, end],
    enabled: assembly !== undefined,
    queryFn: (context) =>
      call(listGenesInRegion, { assembly: gene.assembly, sequence: gene.sequence, start, end }, context),
  })
  const turnOf = (one: GeneSummary): number => turnInto(one, window, sequence)
  const circularBp = sequence.circular ? sequence.lengthBp : Number.POSITIVE_INFINITY
  const genes = [...(answer.data?.genes ?? [])].sort((a, b) => a.start + turnOf(a) - b.start - turnOf(b))
  const span = end - start + 1
  const x = (position: number): number => ((Math.max(start, Math.min(end + 1, position)) - start) / span) * width

  const rows = (['+', '-'] as const).map((strand) => {
    const own = genes.filter((one) => (strand === '+' ? one.strand !== '-' : one.strand === '-'))
    const boxes = own.map((one) => {
      const from = x(one.start + turnOf(one))
      const to = Math.max(from + 3, x(one.end + 1 + turnOf(one)))
      const label = one.symbol ?? one.id
      return { from, to: Math.max(to, from + label.length * labelCharacterPx) + 5 }
    })
    const lanes = placeInLanes(boxes)
    return { strand, own, lanes, count: Math.max(1, ...lanes.map((lane) => lane + 1)) }
  })
  const above = (rows[0]?.count ?? 1) * (laneHeight + 4)
  const below = (rows[1]?.count ?? 1) * (laneHeight + 4)
  const line = axisHeight + above + 6
  const height = line + below + 14

  // Behind the origin the numbers are round ones again, as they are before it.
  const wanted = Math.max(2, Math.floor(width / 150))
  const positions =
    end > circularBp
      ? [
          ...ticks(start, circularBp, Math.max(1, Math.round((wanted * (circularBp - start)) / span))),
          ...ticks(1, end - circularBp, Math.max(1, Math.round((wanted * (end - circularBp)) / span))).map(
            (tick) => tick + circularBp,
          ),
        ]
      : ticks(start, end, wanted)

  const draw = (one: GeneSummary, lane: number, up: boolean): ReactNode => {
    const y = up ? line - 14 - lane * (laneHeight + 4) : line + 14 + lane * (laneHeight + 4)
    const from = x(one.start + turnOf(one))
    const to = Math.max(from + 3, x(one.end + 1 + turnOf(one)))
    const own = one.id === gene.id
    const label = one.symbol ?? one.id
    const go = (): void => {
      if (!own) void navigate(geneAddress(one.id, one.assembly))
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: there is no link element that both browsers and copies of the figure take inside this drawing.
      <g
        key={one.id}
        className={`neighbour${own ? ' neighbour-own' : ''}`}
        role="link"
        tabIndex={0}
        aria-label={`${label} ${regionOf(one.assembly, one)}`}
        onClick={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go()
        }}
      >
        <title>{`${one.id}${one.symbol === null ? '' : ` ${one.symbol}`}\n${one.description ?? ''}\n${regionOf(one.assembly, one)}`}</title>
        <path d={arrow(from, to, y, one.strand)} />
        <text
          x={Math.max(0, Math.min(from, width - label.length * labelCharacterPx - 2))}
          y={up ? y - 12 : y + 21}
          className={one.symbol === null ? 'nv-figure-mono' : 'neighbour-symbol'}
        >
          {label}
        </text>
      </g>
    )
  }

  return (
    <FigureFrame
      title={t('gene.neighbourhood')}
      name={`neighbourhood-${gene.id}`}
      aside={
        answer.data === undefined
          ? undefined
          : t('gene.neighbours', { count: Math.max(0, genes.length - 1), length: format.basePairs(span) })
      }
      method={t('gene.neighbourMethod')}
      numbers={{
        rows: genes,
        rowKey: (one) => one.id,
        columns: [
          {
            key: 'id',
            title: t('search.column.id'),
            kind: 'id',
            value: (one) => one.id,
            render: (one) => <GeneLink id={one.id} assembly={one.assembly} />,
          },
          { key: 'symbol', title: t('search.column.label'), kind: 'symbol', value: (one) => one.symbol },
          { key: 'description', title: t('search.column.description'), value: (one) => one.description },
          { key: 'start', title: t('gene.start'), kind: 'number', value: (one) => one.start },
          { key: 'end', title: t('gene.end'), kind: 'number', value: (one) => one.end },
          { key: 'strand', title: t('gene.strand'), value: (one) => one.strand },
        ],
      }}
    >
      <div ref={root}>
        {answer.isError ? (
          <Unanswered of={answer} />
        ) : answer.data === undefined ? (
          <Waiting />
        ) : (
          <svg data-figure viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
            <title>
              {t('gene.neighbours', { count: Math.max(0, genes.length - 1), length: format.basePairs(span) })}
            </title>
            <g className="nv-axis">
              <text x={0} y={14} fontStyle={styleOf(gene.assembly, gene.sequence)}>
                {t('gene.axis', { sequence: gene.sequence })}
              </text>
            </g>
            <Axis
              side="top"
              scale={scaleLinear([start, end + 1], [0, width])}
              at={20.5}
              ticks={positions}
              text={(tick) => format.number(tick > circularBp ? tick - circularBp : tick)}
              within={[labelWidth(t('gene.axis', { sequence: labelOf(gene.assembly, gene.sequence) }), 11) + 12, width]}
            />
            <line className="nv-intron" x1={0} x2={width} y1={line} y2={line} />
            {end > circularBp ? (
              <g className="neighbour-origin" transform={`translate(${x(circularBp + 1)},0)`}>
                <title>{t('gene.origin')}</title>
                <line y1={20} y2={height - 14} />
                <text y={height - 3} textAnchor="middle">
                  {t('gene.origin')}
                </text>
              </g>
            ) : null}
            {rows.map(({ strand, own, lanes }) =>
              own.map((one, index) => draw(one, lanes[index] ?? 0, strand === '+')),
            )}
          </svg>
        )}
      </div>
    </FigureFrame>
  )
}
