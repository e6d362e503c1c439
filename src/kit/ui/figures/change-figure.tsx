import { scaleLinear } from 'd3'
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Field, NumberInput, Segmented } from '../controls/field.tsx'
import { GeneSetMenu } from '../controls/gene-set-picker.tsx'
import { useFormat, useText } from '../language.tsx'
import { useTheme } from '../theme.ts'
import { Axis } from './axis.tsx'
import { openCanvas } from './canvas.ts'
import { FigureFrame } from './figure-frame.tsx'
import { messages } from './figure-messages.ts'
import { nearestDot, PointerTip, pointerPosition } from './figure-pointer.tsx'
import { placeLabels } from './label-places.ts'
import { useWidth } from './use-width.ts'

/** A gene that was compared between two conditions. */
export interface ChangedGene {
  id: string
  symbol: string | null
  log2FoldChange: number | null
  adjustedPValue: number | null
  /** Mean over both, for the MA plot; null where there is none. */
  mean: number | null
}

const height = 420
const margin = { top: 14, right: 18, bottom: 42, left: 58 }
const upColour = '#d55e00'
const downColour = '#0072b2'
const restColour = '#9aa5a0'
/** Around the genes that were asked for. */
const markRadius = 4.6
const noGenes: ReadonlySet<string> = new Set()
/** Names beside the points that stand out most. */
const namedPoints = 15
const nameFontPx = 10.5
/** Adjusted p-values of 0 are below the least that the program writes. */
const minP = 1e-320

/** The reader's bounds, drawn through the points. */
const boundLine = {
  fill: 'none',
  stroke: 'var(--muted)',
  strokeWidth: 1,
  strokeDasharray: '4 3',
} as const

/** The bounds that a reader meets first: twofold, at an adjusted p of 0.05. */
const firstBounds = { fold: 1, significance: 0.05 }

/** Which way a gene changed by the reader's bounds; 0 where it did not, or nothing is known. */
export const directionOf = (
  { log2FoldChange, adjustedPValue }: Pick<ChangedGene, 'log2FoldChange' | 'adjustedPValue'>,
  bounds: { fold: number; significance: number } = firstBounds,
): -1 | 0 | 1 => {
  if (log2FoldChange === null || adjustedPValue === null) return 0
  if (adjustedPValue > bounds.significance || Math.abs(log2FoldChange) < bounds.fold) return 0
  return log2FoldChange > 0 ? 1 : -1
}

/** The surest first; equally sure ones by how much they changed. */
const byEvidence = (a: ChangedGene, b: ChangedGene): number =>
  a.adjustedPValue! - b.adjustedPValue! || Math.abs(b.log2FoldChange!) - Math.abs(a.log2FoldChange!)

export interface Changes<Point extends ChangedGene> {
  fold: number | undefined
  setFold: (fold: number | undefined) => void
  significance: number | undefined
  setSignificance: (significance: number | undefined) => void
  bounds: { fold: number; significance: number }
  up: Point[]
  down: Point[]
  /** Both, the surest first. */
  within: Point[]
}

/** The genes that rise and fall by the reader's bounds. */
export const useChanges = <Point extends ChangedGene>(points: readonly Point[]): Changes<Point> => {
  const [fold, setFold] = useState<number | undefined>(firstBounds.fold)
  const [significance, setSignificance] = useState<number | undefined>(firstBounds.significance)
  const bounds = useMemo(() => ({ fold: fold ?? 0, significance: significance ?? 1 }), [fold, significance])
  const up = useMemo(() => points.filter((point) => directionOf(point, bounds) > 0), [points, bounds])
  const down = useMemo(() => points.filter((point) => directionOf(point, bounds) < 0), [points, bounds])
  const within = useMemo(() => [...up, ...down].sort(byEvidence), [up, down])
  return { fold, setFold, significance, setSignificance, bounds, up, down, within }
}

/** Genes compared, as volcano plot, and as MA plot where their means are known; the bounds are the reader's. */
export const ChangeFigure = <Point extends ChangedGene>({
  points,
  changes: { fold, setFold, significance, setSignificance, bounds, up, down, within },
  title,
  file,
  means,
  method,
  aside,
  marked = noGenes,
  assembly,
  receipt,
}: {
  points: readonly Point[]
  changes: Changes<Point>
  /** What was compared. */
  title: string
  file: string
  /** How means are given; null for none, and no MA plot. */
  means: 'linear' | 'log' | null
  method: ReactNode
  aside?: ReactNode
  /** Ids of genes that were asked for: outlined, and named before others. */
  marked?: ReadonlySet<string>
  assembly: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const theme = useTheme()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(320, given)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [kind, setKind] = useState<'volcano' | 'ma'>('volcano')
  const [hover, setHover] = useState<{ point: Point; x: number; y: number } | null>(null)

  const logMeans = means === 'log'
  const drawn = useMemo(() => {
    const placed = points.flatMap((point) => {
      const { log2FoldChange, adjustedPValue, mean } = point
      if (log2FoldChange === null) return []
      if (kind === 'volcano') {
        if (adjustedPValue === null) return []
        return [{ point, a: log2FoldChange, b: -Math.log10(Math.max(adjustedPValue, minP)) }]
      }
      if (mean === null || (!logMeans && mean <= 0)) return []
      return [{ point, a: logMeans ? mean : Math.log10(mean), b: log2FoldChange }]
    })
    const extent = (values: number[]): [number, number] => {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (const value of values) {
        if (value < low) low = value
        if (value > high) high = value
      }
      return low > high ? [0, 1] : [low, high]
    }
    const [lowA, highA] = extent(placed.map(({ a }) => a))
    const [lowB, highB] = extent(placed.map(({ b }) => b))
    const max = Math.max(Math.abs(lowA), Math.abs(highA))
    const maxB = Math.max(Math.abs(lowB), Math.abs(highB))
    const x = scaleLinear(kind === 'volcano' ? [-max, max] : [lowA, highA], [margin.left, width - margin.right]).nice()
    const y = scaleLinear(kind === 'volcano' ? [0, highB] : [-maxB, maxB], [height - margin.bottom, margin.top]).nice()
    return { x, y, dots: placed.map(({ point, a, b }) => ({ point, x: x(a), y: y(b) })) }
  }, [points, kind, width, logMeans])

  const named = useMemo(() => {
    const isMarked = (point: ChangedGene): boolean => marked.has(point.id)
    const wanted =
      marked.size === 0
        ? within
        : points.filter((one) => isMarked(one) && one.log2FoldChange !== null && one.adjustedPValue !== null)
    const first = new Set<ChangedGene>([...wanted].sort(byEvidence).slice(0, namedPoints))
    const dots = drawn.dots.filter(({ point }) => first.has(point)).sort((a, b) => byEvidence(a.point, b.point))
    const places = dots.map(({ point, x, y }) => ({
      x,
      y,
      text: point.symbol ?? point.id,
      radius: marked.size === 0 ? 3 : markRadius,
    }))
    const bounds = { left: margin.left, right: width, top: 0, bottom: height - margin.bottom }
    return placeLabels(places, { fontPx: nameFontPx, bounds }).flatMap((label, at) =>
      label === null
        ? []
        : [{ id: dots[at]!.point.id, isSymbol: dots[at]!.point.symbol !== null, text: places[at]!.text, ...label }],
    )
  }, [within, points, marked, drawn, width])
  const axes = {
    x: kind === 'volcano' ? t('change.log2Fold') : logMeans ? t('change.logMean') : t('change.mean10'),
    y: kind === 'volcano' ? t('change.minusLog') : t('change.log2Fold'),
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours.
  useEffect(() => {
    const context = openCanvas(canvas.current, width, height)
    if (context === null) return
    // What changed least is drawn first, so that what changed lies above.
    for (const changed of [0, -1, 1] as const) {
      context.fillStyle = changed === 0 ? restColour : changed > 0 ? upColour : downColour
      context.globalAlpha = changed === 0 ? 0.45 : 0.8
      context.beginPath()
      for (const { point, x, y } of drawn.dots) {
        if (directionOf(point, bounds) !== changed) continue
        context.moveTo(x + 2.4, y)
        context.arc(x, y, 2.4, 0, 2 * Math.PI)
      }
      context.fill()
    }
    context.globalAlpha = 1
  }, [drawn, bounds, width, theme])

  const nearest = (event: PointerEvent): void => {
    const [x, y] = pointerPosition(event)
    const best = nearestDot(drawn.dots, x, y, 8)
    setHover(best === null ? null : { point: best.point, x, y })
  }
  const outlined = useMemo(() => drawn.dots.filter(({ point }) => marked.has(point.id)), [drawn, marked])
  const [across, upright] = [
    (at: number): string => `M${margin.left},${drawn.y(at).toFixed(1)} H${width - margin.right}`,
    (at: number): string => `M${drawn.x(at).toFixed(1)},${margin.top} V${height - margin.bottom}`,
  ]
  const isOn =
    (scale: typeof drawn.x) =>
    (at: number): boolean =>
      at >= scale.domain()[0]! && at <= scale.domain()[1]!
  const folds = bounds.fold > 0 ? [-bounds.fold, bounds.fold] : []
  const boundPaths =
    kind === 'volcano'
      ? [
          ...folds.filter(isOn(drawn.x)).map(upright),
          ...(bounds.significance < 1 ? [-Math.log10(bounds.significance)] : []).filter(isOn(drawn.y)).map(across),
        ]
      : folds.filter(isOn(drawn.y)).map(across)
  const frame = (dots: boolean): ReactNode => (
    <>
      <Axis side="bottom" scale={drawn.x} at={height - margin.bottom} grid={margin.top} name={axes.x} />
      <Axis side="left" scale={drawn.y} at={margin.left} grid={width - margin.right} name={axes.y} />
      {boundPaths.map((d) => (
        <path key={d} d={d} {...boundLine} />
      ))}
      {dots
        ? drawn.dots.map(({ point, x, y }) => {
            const changed = directionOf(point, bounds)
            return (
              <circle
                key={point.id}
                cx={x.toFixed(1)}
                cy={y.toFixed(1)}
                r={2.2}
                fill={changed === 0 ? restColour : changed > 0 ? upColour : downColour}
                fillOpacity={changed === 0 ? 0.45 : 0.8}
              />
            )
          })
        : null}
      {outlined.map(({ point, x, y }) => (
        <circle
          key={`${point.id} outline`}
          cx={x.toFixed(1)}
          cy={y.toFixed(1)}
          r={markRadius}
          fill="none"
          stroke="var(--figure-ink)"
          strokeWidth={1.3}
        />
      ))}
      {named.map(({ id, isSymbol, text, x, y, anchor }) => (
        <text
          key={id}
          x={x}
          y={y}
          textAnchor={anchor}
          dominantBaseline="central"
          fontSize={nameFontPx}
          fontStyle={isSymbol ? 'italic' : 'normal'}
          fill="var(--figure-ink)"
        >
          {text}
        </text>
      ))}
    </>
  )
  const reference = (list: readonly Point[]) => list.map(({ id }) => ({ id, assembly }))
  return (
    <FigureFrame
      title={t(`change.${kind}`, { name: title })}
      aside={aside}
      name={`${file}-${kind}`}
      receipt={receipt}
      method={method}
    >
      <div className="nv-figure-bar">
        {means !== null ? (
          <Segmented
            label={t('change.kind')}
            value={kind}
            onChoose={(value) => setKind(value as 'ma')}
            options={[
              { value: 'volcano', label: t('change.volcanoShort') },
              { value: 'ma', label: t('change.maShort') },
            ]}
          />
        ) : null}
        <div className="nv-figure-fields">
          <Field label={t('change.fold')}>
            {(control) => <NumberInput {...control} value={fold} min={0} step={0.5} onNumber={setFold} />}
          </Field>
          <Field label={t('change.significance')}>
            {(control) => (
              <NumberInput {...control} value={significance} min={0} max={1} step={0.01} onNumber={setSignificance} />
            )}
          </Field>
        </div>
        <ul className="nv-change-sides" data-legend>
          {(
            [
              ['up', upColour, up],
              ['down', downColour, down],
            ] as const
          ).map(([key, colour, ids]) => (
            // A count and its button stay on one line.
            <li key={key} className="nv-change-side">
              <span className="nv-change-count">
                <i style={{ background: colour }} aria-hidden />
                <span data-legend-label>{t(`change.${key}`, { count: ids.length })}</span>
              </span>
              {ids.length === 0 ? null : (
                <GeneSetMenu genes={reference(ids)} name={t(`change.set.${key}`, { name: title })} />
              )}
            </li>
          ))}
          {marked.size === 0 ? null : (
            <li className="nv-change-side">
              <span className="nv-change-count">
                <svg width={12} height={12} aria-hidden>
                  <circle cx={6} cy={6} r={markRadius} fill="none" stroke="var(--figure-ink)" strokeWidth={1.3} />
                </svg>
                <span data-legend-label>{t('change.marked', { count: outlined.length })}</span>
              </span>
            </li>
          )}
        </ul>
      </div>
      <div ref={root} className="nv-layers" onPointerMove={nearest} onPointerLeave={() => setHover(null)}>
        {/* For files: every point as a mark of its own. */}
        <svg width={width} height={height} className="nv-layers-file" data-figure aria-hidden>
          {frame(drawn.dots.length <= 20_000)}
        </svg>
        <canvas ref={canvas} className="nv-layers-under" style={{ inlineSize: width, blockSize: height }} aria-hidden />
        <svg width={width} height={height} role="img" aria-label={t(`change.${kind}`, { name: title })}>
          {frame(false)}
        </svg>
        {hover === null ? null : (
          <PointerTip at={hover} width={width}>
            <strong>{hover.point.symbol ?? hover.point.id}</strong> {hover.point.symbol === null ? '' : hover.point.id}
            <br />
            {`log2FC ${format.number(hover.point.log2FoldChange ?? 0, 2)}, padj ${hover.point.adjustedPValue === null ? '–' : format.pValue(hover.point.adjustedPValue)}`}
          </PointerTip>
        )}
      </div>
    </FigureFrame>
  )
}
