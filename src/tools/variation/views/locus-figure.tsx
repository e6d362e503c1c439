import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { impactOf } from '../../../bio/variation/consequences.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { nameMarks, namePx } from '../../../kit/ui/figures/mark-names.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import {
  ConsequenceMark,
  consequenceColour,
  useConsequenceName,
  useImpactLegend,
} from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { VariantsResult } from '../tool.ts'
import { GeneModels, layModels } from './gene-models.tsx'

const left = 56
const axisPx = 48
const right = 14
const lollipopHeight = 130
const narrowest = 300
/** Variants of one place as stems, over the genes that lie there. */
export const LocusFigure = ({
  found,
  assembly,
  set,
  receipt,
  changes,
  bare = false,
}: {
  found: Pick<VariantsResult, 'genes' | 'loci' | 'marks' | 'marksCut'>
  assembly: string
  set: string
  receipt?: Receipt
  /** What variants change, by their position: written beside those of high impact. */
  changes?: ReadonlyMap<number, string>
  /** Without a frame of its own. */
  bare?: boolean
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const nameOf = useConsequenceName()
  const impactLegend = useImpactLegend()
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLDivElement>()
  const locus = found.loci[0]
  if (locus === undefined) return null
  const width = Math.max(narrowest, given)
  const span = Math.max(1, locus.end - locus.start)
  const x = scaleLinear([locus.start, locus.start + span], [left, width - right])
  const legend = impactLegend(found.marks.map(([, consequence]) => consequence))
  const top = 10 + legendHeight(legend, width - left)
  const bottom = top + lollipopHeight
  // Rare variants would all lie on an axis that goes to 1.
  const mostFrequent = Math.max(0.01, ...found.marks.map(([, , frequency]) => frequency ?? 0))
  const y = scaleLinear([0, mostFrequent], [bottom, top]).nice()
  const genesTop = bottom + axisPx
  const { placed, heightPx } = layModels(found.genes, x, left, width - right)
  const height = genesTop + heightPx + 6
  const names = nameMarks(
    found.marks.map(([position, consequence, frequency]) => ({
      x: x(position),
      y: y(frequency ?? 0),
      text: impactOf(consequence) === 'high' ? (changes?.get(position) ?? null) : null,
    })),
    left,
    width - right,
  )
  const drawing = (
    <div ref={root} className="variation-figure">
      <Drawing width={width} height={height} label={t('figure.locus', { locus: regionOf(assembly, locus) })}>
        <Legend entries={legend} x={left} y={0} width={width - left} />
        <Axis side="left" scale={y} at={left} grid={width - right} name={t('figure.frequency')} />
        <Axis
          side="bottom"
          scale={x}
          at={bottom}
          grid={top}
          positions
          name={(unit) => t('figure.position', { sequence: labelOf(assembly, locus.sequence), unit })}
        />
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
            <g
              className="variation-mark"
              role="link"
              tabIndex={found.marks.length > 300 ? undefined : 0}
              aria-label={`${regionOf(assembly, { sequence: locus.sequence, start: position })} ${nameOf(consequence)}`}
              onClick={() => navigate(variationAddress({ assembly, set, id: `${locus.sequence}:${position}` }))}
              onKeyDown={(event) => {
                if (event.key === 'Enter')
                  navigate(variationAddress({ assembly, set, id: `${locus.sequence}:${position}` }))
              }}
            >
              <title>{`${regionOf(assembly, { sequence: locus.sequence, start: position })} ${nameOf(consequence)}${frequency === null ? '' : ` ${format.number(frequency, 3)}`}`}</title>
              <ConsequenceMark name={consequence} x={x(position)} y={y(frequency ?? 0)} />
            </g>
          </g>
        ))}
        {names.map((name) => (
          <text
            key={`${name.x} ${name.y}`}
            x={name.x}
            y={name.y}
            fontSize={namePx}
            fill="var(--figure-ink)"
            textAnchor={name.anchor}
          >
            {name.text}
          </text>
        ))}
        <GeneModels placed={placed} assembly={assembly} x={x} left={left} right={width - right} top={genesTop} />
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
