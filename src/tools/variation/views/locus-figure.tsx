import { ticks as niceTicks } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { impactOf, impacts } from '../../../bio/variation/consequences.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Drawing, GridLines } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../../kit/ui/figures/gene-structure.tsx'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { consequenceColour, impactColour, useConsequenceName, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { VariantsResult } from '../tool.ts'

const left = 56
const right = 14
const top = 34
const lollipopHeight = 130
const laneHeight = 26
const narrowest = 340

/** Variants of one place as stems, over the genes that lie there. */
export const LocusFigure = ({
  found,
  assembly,
  set,
  receipt,
  bare = false,
}: {
  found: Pick<VariantsResult, 'genes' | 'loci' | 'marks' | 'marksCut'>
  assembly: string
  set: string
  receipt?: Receipt
  /** Without a frame of its own. */
  bare?: boolean
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const nameOf = useConsequenceName()
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLDivElement>()
  const locus = found.loci[0]
  if (locus === undefined) return null
  const width = Math.max(narrowest, given)
  const span = Math.max(1, locus.end - locus.start)
  const x = (position: number): number => left + ((position - locus.start) / span) * (width - left - right)
  const bottom = top + lollipopHeight
  const y = (frequency: number): number => bottom - frequency * lollipopHeight
  // Genes that overlap stand in lanes below each other.
  const lanes: number[] = []
  const placed = found.genes.map((gene) => {
    const [from, to] = [Math.max(left, x(gene.start)), Math.min(width - right, x(gene.end))]
    const label = (gene.symbol ?? gene.id).length * 7
    let lane = lanes.findIndex((end) => end < from - 6)
    if (lane < 0) lane = lanes.length
    lanes[lane] = Math.max(to, from + label)
    return { gene, lane, from, to }
  })
  const genesTop = bottom + 26
  const height = genesTop + Math.max(1, lanes.length) * laneHeight + 24
  const drawing = (
    <div ref={root} className="variation-figure">
      <Drawing width={width} height={height} label={t('figure.locus', { locus: regionOf(assembly, locus) })}>
        <g className="nv-scale">
          {impacts.map((impact, at) => (
            <g key={impact} transform={`translate(${left + at * Math.min(92, (width - left) / impacts.length)},14)`}>
              <circle r={5} cx={5} cy={-4} fill={impactColour(impact)} />
              <text x={15}>{t(`impact.${impact}`)}</text>
            </g>
          ))}
        </g>
        <GridLines
          of="y"
          ticks={[0, 0.5, 1]}
          place={y}
          from={left}
          to={width - right}
          text={(value) => format.number(value, 1)}
        />
        <GridLines
          of="x"
          ticks={niceTicks(locus.start, locus.end, Math.max(2, Math.floor(width / 150))).filter(
            (tick) => Number.isInteger(tick) && tick >= locus.start && tick <= locus.end,
          )}
          place={x}
          from={top}
          to={bottom}
          text={(value) => format.number(value)}
        />
        <g className="nv-axis">
          <text transform={`translate(14,${top + lollipopHeight / 2}) rotate(-90)`} textAnchor="middle">
            {t('figure.frequency')}
          </text>
          <text x={(left + width - right) / 2} y={height - 6} textAnchor="middle">
            {t('figure.position', { sequence: labelOf(assembly, locus.sequence) })}
          </text>
        </g>
        {found.marks.map(([position, consequence, frequency], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several variants may share a place.
          <g key={at}>
            <line
              x1={x(position)}
              x2={x(position)}
              y1={bottom}
              y2={y(frequency ?? 0)}
              stroke={consequenceColour(consequence)}
              strokeOpacity={0.55}
            />
            {/* biome-ignore lint/a11y/useSemanticElements: a mark within a drawing. */}
            <circle
              className="variation-mark"
              role="link"
              tabIndex={found.marks.length > 300 ? undefined : 0}
              aria-label={`${regionOf(assembly, { sequence: locus.sequence, start: position })} ${nameOf(consequence)}`}
              cx={x(position)}
              cy={y(frequency ?? 0)}
              r={impactOf(consequence) === 'high' ? 5 : impactOf(consequence) === 'moderate' ? 4 : 3}
              fill={consequenceColour(consequence)}
              onClick={() => navigate(variationAddress({ assembly, set, id: `${locus.sequence}:${position}` }))}
              onKeyDown={(event) => {
                if (event.key === 'Enter')
                  navigate(variationAddress({ assembly, set, id: `${locus.sequence}:${position}` }))
              }}
            >
              <title>{`${regionOf(assembly, { sequence: locus.sequence, start: position })} ${nameOf(consequence)}${frequency === null ? '' : ` ${format.number(frequency, 3)}`}`}</title>
            </circle>
          </g>
        ))}
        {placed.map(({ gene, lane, from, to }) => {
          const at = genesTop + lane * laneHeight
          const inside = (start: number, end: number): { x: number; width: number } | null => {
            const [a, b] = [Math.max(left, x(start)), Math.min(width - right, x(end + 1))]
            return b <= a ? null : { x: a, width: Math.max(1, b - a) }
          }
          return (
            <g key={gene.id}>
              <line x1={from} x2={to} y1={at + 5} y2={at + 5} stroke="var(--figure-ink)" strokeOpacity={0.5} />
              {gene.exons.map(([start, end]) => {
                const box = inside(start, end)
                return box === null ? null : (
                  <rect key={start} {...box} y={at + 2} height={6} fill="var(--primary)" fillOpacity={0.45} />
                )
              })}
              {gene.cds.map(([start, end]) => {
                const box = inside(start, end)
                return box === null ? null : <rect key={start} {...box} y={at} height={10} fill="var(--primary)" />
              })}
              <a
                href={geneAddress(gene.id, assembly)}
                onClick={(event) => {
                  event.preventDefault()
                  navigate(geneAddress(gene.id, assembly))
                }}
              >
                <text
                  x={Math.max(left, from)}
                  y={at + 20}
                  fontSize={11}
                  fontStyle={gene.symbol === null ? undefined : 'italic'}
                  fill="var(--figure-ink)"
                >
                  {`${gene.strand === '-' ? '← ' : ''}${gene.symbol ?? gene.id}${gene.strand === '-' ? '' : ' →'}`}
                </text>
              </a>
            </g>
          )
        })}
      </Drawing>
    </div>
  )
  if (bare) return drawing
  return (
    <FigureFrame
      title={t('figure.locus', { locus: regionOf(assembly, locus) })}
      name={`${locus.sequence}-${locus.start}-${locus.end}-variants`}
      method={`${t('figure.locusMethod')}${found.marksCut ? ` ${t('note.marksCut', { count: found.marks.length })}` : ''}`}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{
        rows: found.marks.map((mark, number) => ({ mark, number })),
        rowKey: ({ number }) => String(number),
        columns: [
          { key: 'position', title: t('column.position'), kind: 'number', value: ({ mark }) => mark[0] },
          { key: 'effect', title: t('column.effect'), value: ({ mark }) => nameOf(mark[1]) },
          { key: 'frequency', title: t('column.frequency'), kind: 'number', digits: 4, value: ({ mark }) => mark[2] },
        ],
      }}
    >
      {drawing}
    </FigureFrame>
  )
}
