import { scaleLinear } from 'd3'
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { openCanvas } from '../../kit/ui/figures/canvas.ts'
import { nearestDot, PointerTip, pointerPosition } from '../../kit/ui/figures/figure-pointer.tsx'
import { fittingLabels } from '../../kit/ui/figures/fitting-labels.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useTheme } from '../../kit/ui/theme.ts'
import type { ShownWindows } from './endpoints.ts'
import type { GenomeScale } from './genome-scale.ts'
import messages from './messages.ts'
import { writeValue } from './series-name.ts'

const margin = { top: 14, right: 14, bottom: 40, left: 62 }
const height = 250
/** The narrowest phones leave this much beside the edges of a card. */
const narrowestPx = 260

/** Sequences by turns, and what stands out: blue, sky blue and vermilion of Okabe and Ito. */
export const pointColours = { odd: '#0072b2', even: '#56b4e9', beyond: '#d55e00' } as const

/** Points that a file still takes as marks of their own. */
const maxMarks = 40_000

/** Least of the axis that can be zoomed to, in bases. */
const minShownBp = 200

/**
 * Values of windows along the genome, sequences side by side. What is shown is dragged out; a double click shows all again.
 */
export const GenomeFigure = ({
  assembly,
  windows,
  scale,
  values,
  name,
  cutoff,
  isOutlier,
  shown,
  onShow,
}: {
  assembly: string
  windows: ShownWindows
  scale: GenomeScale
  values: readonly (number | null)[]
  name: string
  cutoff: number | null
  isOutlier: (window: number) => boolean
  /** Part of the axis that is shown. */
  shown: readonly [from: number, to: number]
  onShow: (shown: readonly [number, number] | null) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const theme = useTheme()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(narrowestPx, given)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hover, setHover] = useState<{ window: number; x: number; y: number } | null>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)

  const drawn = useMemo(() => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const value of values) {
      if (value === null) continue
      if (value < low) low = value
      if (value > high) high = value
    }
    if (low > high) [low, high] = [0, 1]
    if (low === high) [low, high] = [low - 0.5, high + 0.5]
    const x = scaleLinear([shown[0], shown[1]], [margin.left, width - margin.right])
    const y = scaleLinear([low, high], [height - margin.bottom, margin.top]).nice(5)
    const dots: { window: number; x: number; y: number; odd: boolean; beyond: boolean }[] = []
    for (const [number, { from, until }] of scale.sequences.entries())
      for (let at = from; at < until; at++) {
        const value = values[at]
        const middle = scale.middle[at]!
        if (value === null || value === undefined || middle < shown[0] || middle > shown[1]) continue
        dots.push({ window: at, x: x(middle), y: y(value), odd: number % 2 === 0, beyond: isOutlier(at) })
      }
    return { x, y, dots }
  }, [values, scale, shown, width, isOutlier])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours.
  useEffect(() => {
    const context = openCanvas(canvas.current, width, height)
    if (context === null) return
    const size = drawn.dots.length > 20_000 ? 1.6 : drawn.dots.length > 4000 ? 2.2 : 3
    // What stands out is drawn last.
    for (const beyond of [false, true]) {
      context.globalAlpha = beyond ? 1 : 0.75
      for (const dot of drawn.dots) {
        if (dot.beyond !== beyond) continue
        context.fillStyle = beyond ? pointColours.beyond : dot.odd ? pointColours.odd : pointColours.even
        context.fillRect(dot.x - size / 2, dot.y - size / 2, size, size)
      }
    }
  }, [drawn, width, theme])

  const visible = scale.sequences.filter(({ offset, lengthBp }) => offset <= shown[1] && offset + lengthBp >= shown[0])
  const alone = visible.length === 1 ? visible[0]! : null
  const labels = visible.map(({ name: sequence, offset, lengthBp }) => {
    const left = Math.max(margin.left, drawn.x(offset))
    const right = Math.min(width - margin.right, drawn.x(offset + lengthBp))
    return { sequence, text: sequence, at: (left + right) / 2, left, right }
  })
  const fitting = fittingLabels(labels, 11, 0, width)
  const frame = (marks: boolean): ReactNode => (
    <>
      <Axis side="left" scale={drawn.y} at={margin.left} grid={width - margin.right} name={name} />
      {(alone === null ? labels : []).map(({ sequence, text, at, left, right }, number) => (
        <g key={text}>
          <line
            x1={left}
            x2={right}
            y1={height - margin.bottom}
            y2={height - margin.bottom}
            stroke="var(--figure-axis)"
          />
          {fitting[number] ? (
            <text
              className="sweep-sequence"
              x={at}
              y={height - margin.bottom + 16}
              textAnchor="middle"
              fontSize={11}
              fontStyle={styleOf(assembly, sequence)}
              fill="var(--figure-ink)"
            >
              {text}
            </text>
          ) : null}
        </g>
      ))}
      {alone === null ? null : (
        <Axis
          side="bottom"
          scale={scaleLinear(
            [Math.max(0, shown[0] - alone.offset), Math.min(alone.lengthBp, shown[1] - alone.offset)],
            [drawn.x(Math.max(shown[0], alone.offset)), drawn.x(Math.min(shown[1], alone.offset + alone.lengthBp))],
          )}
          at={height - margin.bottom}
          positions
          name={(unit) => `${alone.name}, ${t('figure.position', { unit })}`}
          nameStyle={styleOf(assembly, alone.name)}
        />
      )}
      {marks
        ? drawn.dots.map(({ window: at, x, y, odd, beyond }) => (
            <circle
              key={at}
              cx={x.toFixed(1)}
              cy={y.toFixed(1)}
              r={1.5}
              fill={beyond ? pointColours.beyond : odd ? pointColours.odd : pointColours.even}
            />
          ))
        : null}
      {cutoff === null ? null : (
        <g transform={`translate(0,${drawn.y(cutoff)})`}>
          <line
            x1={margin.left}
            x2={width - margin.right}
            stroke={pointColours.beyond}
            strokeDasharray="5 3"
            strokeWidth={1}
          />
          {/* Windows stand behind the words: an edge of the ground's colour keeps them legible. */}
          <text
            x={width - margin.right}
            y={-4}
            textAnchor="end"
            fontSize={11}
            fill="var(--figure-ink)"
            stroke="var(--surface)"
            strokeWidth={4}
            paintOrder="stroke"
          >
            {t('figure.cutoff', { value: writeValue(format, cutoff) })}
          </text>
        </g>
      )}
    </>
  )

  const within = (x: number): number => Math.min(width - margin.right, Math.max(margin.left, x))
  const follow = (event: PointerEvent): void => {
    const [x, y] = pointerPosition(event)
    if (drag !== null) {
      setDrag({ ...drag, to: within(x) })
      return
    }
    const best = nearestDot(drawn.dots, x, y, 10)
    setHover(best === null ? null : { window: best.window, x, y })
  }
  const sequenceOf = (at: number): string =>
    scale.sequences.find(({ from, until }) => at >= from && at < until)?.name ?? ''
  const figure = (
    // biome-ignore lint/a11y/noStaticElementInteractions: sequences are also chosen from a list, and every value is in the table.
    <div
      ref={root}
      className="nv-layers sweep-genome"
      onPointerMove={follow}
      onPointerLeave={() => setHover(null)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const x = within(pointerPosition(event)[0])
        setHover(null)
        setDrag({ from: x, to: x })
      }}
      onPointerUp={() => {
        if (drag === null) return
        setDrag(null)
        if (Math.abs(drag.to - drag.from) < 6) return
        const [from, to] = [drag.from, drag.to].sort((a, b) => a - b).map((x) => drawn.x.invert(x)) as [number, number]
        if (to - from >= minShownBp) onShow([from, to])
      }}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => onShow(null)}
    >
      <svg width={width} height={height} className="nv-layers-file" data-figure aria-hidden>
        {frame(drawn.dots.length <= maxMarks)}
      </svg>
      <canvas ref={canvas} className="nv-layers-under" style={{ inlineSize: width, blockSize: height }} aria-hidden />
      <svg width={width} height={height} role="img" aria-label={t('figure.title', { series: name })}>
        {frame(false)}
        {drag === null ? null : (
          <rect
            x={Math.min(drag.from, drag.to)}
            width={Math.abs(drag.to - drag.from)}
            y={margin.top}
            height={height - margin.bottom - margin.top}
            fill="var(--primary)"
            fillOpacity={0.15}
          />
        )}
      </svg>
      {hover === null ? null : (
        <PointerTip at={hover} width={width}>
          <strong>
            {regionOf(assembly, {
              sequence: sequenceOf(hover.window),
              start: windows.start[hover.window]!,
              end: windows.end[hover.window]!,
            })}
          </strong>
          <br />
          {`${name}: ${writeValue(format, values[hover.window] ?? 0)}`}
          {windows.sites === null ? null : (
            <>
              <br />
              {`${t('column.sites')}: ${format.number(windows.sites[hover.window]!)}`}
            </>
          )}
        </PointerTip>
      )}
    </div>
  )
  return (
    <>
      <RoleNote sequences={visible.map(({ name: sequence }) => ({ assembly, sequence }))} />
      {figure}
    </>
  )
}
