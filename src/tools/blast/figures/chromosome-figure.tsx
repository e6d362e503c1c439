import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import type { HitAnswer, OverviewAnswer } from '../endpoints.ts'
import { rangeNumbers, rangesOf } from '../hits/hsp-ranges.ts'
import { renderBitScore } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { narrowestPx, pressable, shortName } from './figure-parts.tsx'
import { scoreColour } from './score-colours.ts'
import { ScoreLegend } from './score-legend.tsx'

const left = 130
const right = 30
const top = 76
const rowHeight = 26
/** A gene on a chromosome is less than a pixel; its mark must still be seen. */
const minMark = 5

/** Hits of one assembly at their places on its sequences; sequences without a hit are drawn too, the longest first as loaded. */
export const ChromosomeFigure = ({
  assembly,
  hits,
  receipt,
  name,
  onHit,
}: {
  assembly: OverviewAnswer['assemblies'][number]
  hits: HitAnswer[]
  receipt: Receipt
  name: string
  onHit: (rank: number) => void
}): ReactNode => {
  const [box, given] = useWidth<HTMLDivElement>()
  const width = Math.max(narrowestPx, given)
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const mine = hits.filter((hit) => hit.assembly === assembly.assembly && hit.kind === 'genome')
  const sequences = [
    ...assembly.sequences,
    // A small scaffold may not be in the assembly's summary, but was hit.
    ...mine
      .filter((hit) => !assembly.sequences.some((sequence) => sequence.name === hit.subject))
      .map((hit) => ({ name: hit.subject, lengthBp: hit.subjectLength })),
  ]
  const longest = Math.max(1, ...sequences.map((sequence) => sequence.lengthBp))
  const x = scaleLinear([0, longest], [left, width - right])
  const height = top + sequences.length * rowHeight + 16
  const marks = rangesOf(mine)
  return (
    <FigureFrame
      title={t('map.title', { assembly: nameOf(assembly.assembly) })}
      method={t('map.method')}
      receipt={receipt}
      name={`${name}-${assembly.assembly}-chromosomes`}
      numbers={rangeNumbers(marks, ['subject', 'range', 'bits'], t, nameOf)}
    >
      <RoleNote sequences={sequences.map(({ name: sequence }) => ({ assembly: assembly.assembly, sequence }))} />
      <div className="blast-scroll" ref={box}>
        <svg
          data-figure
          viewBox={`0 0 ${width} ${height}`}
          className="blast-figure"
          aria-label={t('map.title', { assembly: nameOf(assembly.assembly) })}
        >
          <ScoreLegend x={left} y={2} title={t('overview.score')} />
          <Axis
            side="top"
            scale={x}
            at={top - 8}
            grid={height - 10}
            positions
            name={(unit) => t('map.axis', { unit })}
          />
          {sequences.map((sequence, at) => {
            const y = top + at * rowHeight + 8
            return (
              <g key={sequence.name}>
                <text
                  x={left - 8}
                  y={y + 4}
                  textAnchor="end"
                  className="blast-row-label"
                  fontStyle={styleOf(assembly.assembly, sequence.name)}
                >
                  {shortName(sequence.name, 16)}
                </text>
                <rect
                  x={left}
                  width={Math.max(1, x(sequence.lengthBp) - left)}
                  y={y - 2}
                  height={4}
                  rx={2}
                  className="blast-chromosome"
                />
                {marks
                  .filter((mark) => mark.hit.subject === sequence.name)
                  .reverse()
                  .map((mark) => {
                    const { range, hit } = mark
                    const minus = range[2] > range[3] || (hit.hsps.length === 1 && hit.strand === '-')
                    const from = x(Math.min(range[2], range[3]))
                    const to = x(Math.max(range[2], range[3]))
                    return (
                      <rect
                        key={`${hit.rank}.${mark.number}`}
                        {...pressable(() => onHit(hit.rank))}
                        aria-label={`${hit.subject}:${range[2]}-${range[3]}`}
                        x={Math.min(from, (from + to) / 2 - minMark / 2)}
                        width={Math.max(minMark, to - from)}
                        y={minus ? y + 2 : y - 12}
                        height={10}
                        fill={scoreColour(range[4])}
                        className="blast-bar blast-mark"
                      >
                        <title>{`${regionOf(hit.assembly, { sequence: hit.subject, start: Math.min(range[2], range[3]), end: Math.max(range[2], range[3]), strand: minus ? '-' : '+' })}\n${renderBitScore(range[4])} bits, ${range[5]} %`}</title>
                      </rect>
                    )
                  })}
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
