import { scaleLinear } from 'd3'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { ColourScale } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { pointerPosition } from '../../../kit/ui/figures/figure-pointer.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { downloadText, fileName } from '../../../kit/ui/table/export.ts'
import messages from '../messages.ts'
import type { DomainsResult, Axis as MapAxis, MapResult, Place } from '../tool.ts'
import { useBinSize, useNormalizationName } from '../use-maps.ts'
import { colourAt, paintCells, renderMatrix, scaleOf, unpackCells } from './map-cells.ts'
import { BarTrack, GeneTrack, geneTrackHeight, LineTrack, type TrackFrame, TrackTitle } from './map-tracks.tsx'

export type Look = 'square' | 'triangle'

/** Where the reader wants to go: the segment of each axis. */
export interface Target {
  x: { start: number; end: number }
  y: { start: number; end: number } | null
}

/** Beside the map, for the numbers of axes; less in a narrow window. */
const besidePx = { wide: { left: 78, right: 36 }, narrow: { left: 52, right: 14 } } as const
const narrowPx = 480
const top = 52
const trackGap = 22
const trackHeight = 44
const maxPx = 760

const clampRange = (start: number, span: number, lengthBp: number): { start: number; end: number } => {
  const wide = Math.max(1, Math.min(lengthBp, Math.round(span)))
  const from = Math.min(Math.max(1, Math.round(start)), lengthBp - wide + 1)
  return { start: from, end: from + wide - 1 }
}

/** A window moved by shares of its width, and zoomed around a share of it. */
export const moveWindow = (
  { x, y, symmetric, resolution }: Pick<MapResult, 'x' | 'y' | 'symmetric' | 'resolution'>,
  { by = [0, 0], factor = 1, at = [0.5, 0.5] }: { by?: [number, number]; factor?: number; at?: [number, number] },
): Target => {
  const move = (axis: MapAxis, share: number, around: number): { start: number; end: number } => {
    const span = axis.end - axis.start + 1
    // Closer than a few bins there is nothing more to see.
    const wide = Math.max(Math.min(span, 4 * resolution), span * factor)
    return clampRange(axis.start + share * span + around * (span - wide), wide, axis.lengthBp)
  }
  return { x: move(x, by[0], at[0]), y: symmetric ? null : move(y, by[1], at[1]) }
}

const keySteps = new Map<string, Parameters<typeof moveWindow>[1]>([
  ['ArrowLeft', { by: [-0.25, 0] }],
  ['ArrowRight', { by: [0.25, 0] }],
  ['ArrowUp', { by: [0, -0.25] }],
  ['ArrowDown', { by: [0, 0.25] }],
  ['+', { factor: 0.5 }],
  ['=', { factor: 0.5 }],
  ['-', { factor: 2 }],
])

/** Where a key leads; null of a key that leads nowhere. */
const keyTarget = (result: MapResult, key: string): Target | null => {
  const step = keySteps.get(key)
  return step === undefined ? null : moveWindow(result, step)
}

/** The map of a window as a square or, around the diagonal, as a triangle, with the tracks of its horizontal axis below. */
export const MapFigure = ({
  result,
  domains,
  look: wanted,
  contrast,
  viewpoint,
  receipt,
  signalName,
  onMove,
  onViewpoint,
}: {
  result: MapResult
  domains: DomainsResult | null
  look: Look
  contrast: number
  /** Position on the vertical axis whose contacts are drawn below. */
  viewpoint: number | null
  receipt: Receipt
  signalName: string | null
  onMove: (target: Target) => void
  onViewpoint: (position: number | null) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const normalizationName = useNormalizationName()
  const navigate = useNavigate()
  const [root, width] = useWidth<HTMLDivElement>()
  const svg = useRef<SVGSVGElement>(null)
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null)
  const [hover, setHover] = useState<{ px: number; py: number; text: string } | null>(null)
  const { x, y, symmetric, resolution, normalization, map, features } = result
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const look: Look = symmetric ? wanted : 'square'
  const cells = useMemo(() => unpackCells(result), [result])
  const scale = useMemo(() => scaleOf(result, contrast), [result, contrast])
  const spanX = x.end - x.start + 1
  const spanY = y.end - y.start + 1
  const { left, right } = besidePx[width > 0 && width < narrowPx ? 'narrow' : 'wide']
  const inner = Math.max(160, Math.min(width - left - right, look === 'square' ? maxPx - left : 2 * maxPx))
  const mapHeight =
    look === 'triangle' ? inner / 2 : Math.min(maxPx, Math.max(90, inner * (symmetric ? 1 : spanY / spanX)))
  // The last bin of a chromosome may be cut: cells are drawn in bins, positions in bases, both from the window's start.
  const binPx = (inner * resolution) / spanX
  const rowPx = look === 'triangle' ? binPx : (mapHeight * resolution) / spanY
  const placeX = (position: number): number => left + ((position - x.start) / spanX) * inner
  const placeY = (position: number): number => top + ((position - y.start) / spanY) * mapHeight

  const image = useMemo(() => {
    const canvas = document.createElement('canvas')
    canvas.width = cells.columns
    canvas.height = cells.rows
    const context = canvas.getContext('2d')
    if (context === null) return ''
    context.putImageData(new ImageData(paintCells(cells, scale, look === 'triangle'), cells.columns, cells.rows), 0, 0)
    return canvas.toDataURL('image/png')
  }, [cells, scale, look])

  /** The bins below a point of the drawing; null outside of the map. */
  const binsAt = (px: number, py: number): [number, number] | null => {
    let [u, v] = [(px - left) / binPx, (py - top) / rowPx]
    if (look === 'triangle') {
      const sum = ((px - left) / binPx) * 2
      const apart = ((top + mapHeight - py) / binPx) * 2
      ;[u, v] = [(sum - apart) / 2, (sum + apart) / 2]
      if (apart < 0) return null
    }
    const [one, two] = [Math.floor(u), Math.floor(v)]
    return one >= 0 && two >= 0 && one < cells.columns && two < cells.rows ? [one, two] : null
  }
  const binOf = (axis: MapAxis, bin: number): Place => ({
    sequence: axis.sequence,
    start: axis.start + bin * resolution,
    end: Math.min(axis.end, axis.start + (bin + 1) * resolution - 1),
  })
  const reported = (locus: Place): string => regionOf(result.assembly, locus)

  const zoom = useRef((_px: number, _py: number, _factor: number): void => undefined)
  zoom.current = (px, py, factor) => {
    const share = (value: number): number => Math.min(1, Math.max(0, value))
    onMove(moveWindow(result, { factor, at: [share((px - left) / inner), share((py - top) / mapHeight)] }))
  }
  useEffect(() => {
    const drawing = svg.current
    if (drawing === null) return
    let gathered = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      const box = drawing.getBoundingClientRect()
      gathered += event.deltaY
      clearTimeout(timer)
      // One question to the server for a turn of the wheel, not for each of its notches.
      timer = setTimeout(() => {
        const factor = Math.exp(Math.max(-600, Math.min(600, gathered)) * 0.0015)
        gathered = 0
        zoom.current(event.clientX - box.left, event.clientY - box.top, factor)
      }, 120)
    }
    drawing.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      clearTimeout(timer)
      drawing.removeEventListener('wheel', onWheel)
    }
  }, [])

  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== svg.current) return
    const target = keyTarget(result, event.key)
    if (target !== null) onMove(target)
    else if (event.key === 'Enter') onViewpoint(viewpoint === null ? Math.round((y.start + y.end) / 2) : null)
    else return
    event.preventDefault()
  }

  const tads = [
    ...features.tads.map((locus) => ({ ...locus, from: 'loaded' as const })),
    ...(domains !== null && domains.sequence === x.sequence
      ? domains.tads.map((locus) => ({ ...locus, name: null, from: 'computed' as const }))
      : []),
  ].filter(({ sequence, start, end }) => sequence === x.sequence && end >= x.start && start <= x.end)
  const drawnTads =
    x.sequence !== y.sequence
      ? []
      : tads.map((tad) => {
          const [from, to] = [tad.start, tad.end + 1]
          const title = `${t('tad.legend')} (${t(`figure.${tad.from}`)}): ${reported(tad)}`
          const d =
            look === 'triangle'
              ? `M${placeX(from)},${top + mapHeight}L${placeX((from + to) / 2)},${top + mapHeight - (placeX(to) - placeX(from)) / 2}L${placeX(to)},${top + mapHeight}`
              : `M${placeX(from)},${placeY(from)}H${placeX(to)}V${placeY(to)}H${placeX(from)}Z`
          return (
            <path
              key={`${tad.from}${from}`}
              className="hic-tad-line"
              d={d}
              strokeDasharray={tad.from === 'loaded' ? undefined : '5 3'}
            >
              <title>{title}</title>
            </path>
          )
        })
  const loops = features.loops.flatMap(({ a, b, name, score }) => {
    const ends: [Place, Place][] = symmetric
      ? [[a, b], ...(look === 'square' ? [[b, a] as [Place, Place]] : [])]
      : a.sequence === x.sequence
        ? [[a, b]]
        : [[b, a]]
    return ends.map(([one, two]) => {
      const [p, q] = [(one.start + one.end) / 2, (two.start + two.end) / 2]
      const [low, high] = [Math.min(p, q), Math.max(p, q)]
      const cx = look === 'triangle' ? placeX((p + q) / 2) : placeX(p)
      const cy = look === 'triangle' ? top + mapHeight - (placeX(high) - placeX(low)) / 2 : placeY(q)
      return (
        <circle key={`${p}-${q}`} className="hic-loop" cx={cx} cy={cy} r={6}>
          <title>
            {`${t('loop.legend')}${name === null ? '' : ` ${name}`}: ${reported(one)} × ${reported(two)}${score === null ? '' : ` (${format.number(score, 3)})`}`}
          </title>
        </circle>
      )
    })
  })

  const viewBin = viewpoint === null ? null : Math.floor((viewpoint - y.start) / resolution)
  const profile =
    viewBin === null || viewBin < 0 || viewBin >= cells.rows
      ? null
      : Array.from({ length: cells.columns }, (_, bin) => {
          const value = cells.values[bin * cells.rows + viewBin]!
          return Number.isNaN(value) ? null : value
        })

  const tracks: { key: string; title: string; height: number; draw: (frame: TrackFrame) => ReactNode }[] = []
  if (x.genes.length > 0)
    tracks.push({
      key: 'genes',
      title: t('figure.genes'),
      height: geneTrackHeight(x.genes, inner),
      draw: (frame) => (
        <GeneTrack genes={x.genes} frame={frame} onOpen={(id) => void navigate(geneAddress(id, result.assembly))} />
      ),
    })
  else if (x.geneCount > 0) tracks.push({ key: 'genes', title: t('figure.genesTooMany'), height: 0, draw: () => null })
  const { signal } = result
  if (signal !== null)
    tracks.push({
      key: 'signal',
      title: `${t('figure.signal')}: ${signalName ?? signal.id}`,
      height: trackHeight,
      draw: (frame) => (
        <BarTrack
          values={signal.values}
          startOf={(bin) => x.start + bin * resolution}
          widthBp={resolution}
          frame={frame}
          title={signalName ?? signal.id}
        />
      ),
    })
  if (features.compartments.some(({ sequence }) => sequence === x.sequence)) {
    const own = features.compartments.filter(({ sequence }) => sequence === x.sequence)
    tracks.push({
      key: 'loaded',
      title: t('figure.loadedCompartments'),
      height: trackHeight,
      draw: (frame) => (
        <g>
          {own.map(({ start, end, value }) => (
            <BarTrack
              key={start}
              values={[value]}
              startOf={() => start}
              widthBp={end - start + 1}
              frame={frame}
              title={format.statistic(value)}
              signed
            />
          ))}
        </g>
      ),
    })
  }
  if (domains !== null && domains.sequence === x.sequence) {
    const { compartments } = domains
    if (compartments !== null)
      tracks.push({
        key: 'compartments',
        title: `${t('figure.compartments', { share: format.percent(compartments.share) })} (${binSize(compartments.resolution)})`,
        height: trackHeight,
        draw: (frame) => (
          <BarTrack
            values={compartments.values}
            startOf={(bin) => 1 + bin * compartments.resolution}
            widthBp={compartments.resolution}
            frame={frame}
            title={t('figure.computed')}
            signed
          />
        ),
      })
    tracks.push({
      key: 'insulation',
      title: `${t('figure.insulation')} (${binSize(domains.resolution)})`,
      height: trackHeight + 10,
      draw: (frame) => (
        <LineTrack
          values={domains.insulation}
          startOf={(bin) => 1 + bin * domains.resolution}
          widthBp={domains.resolution}
          frame={frame}
        />
      ),
    })
  }
  if (profile !== null && viewBin !== null)
    tracks.push({
      key: 'viewpoint',
      title: t('figure.viewpoint', { bin: reported(binOf(y, viewBin)) }),
      height: trackHeight + 26,
      draw: (frame) => (
        <LineTrack
          values={profile}
          startOf={(bin) => x.start + bin * resolution}
          widthBp={resolution}
          frame={frame}
          byLogarithm
        />
      ),
    })
  const axisY = top + mapHeight
  let below = axisY + 42
  const laid = tracks.map((track) => {
    const at = below + 12
    below += trackGap + track.height
    return { ...track, y: at }
  })
  const height = below + 6
  const label = t('figure.label', {
    x: reported(x),
    other: symmetric ? 'none' : reported(y),
    resolution: binSize(resolution),
    bins: Math.max(cells.columns, cells.rows),
  })
  const name = fileName('hic', map.id, x.sequence, String(x.start))
  const show = (px: number, py: number): void => {
    const bins = binsAt(px, py)
    if (bins === null) {
      setHover(null)
      return
    }
    const value = cells.values[bins[0] * cells.rows + bins[1]]!
    setHover({
      px,
      py,
      text: t('figure.cell', {
        x: reported(binOf(x, bins[0])),
        y: reported(binOf(y, bins[1])),
        value: Number.isNaN(value) ? t('figure.noValue') : format.statistic(value),
      }),
    })
  }
  const unusable = cells.values.every(Number.isNaN)
  return (
    <FigureFrame
      title={symmetric ? reported(x) : `${reported(x)} × ${reported(y)}`}
      name={name}
      receipt={receipt}
      aside={`${format.text(map.name)} · ${binSize(resolution)}`}
      actions={
        <Button
          size="small"
          look="quiet"
          onClick={() =>
            downloadText(
              renderMatrix(cells, result, receiptLines(receipt)),
              `${name}.matrix.tsv`,
              'text/tab-separated-values',
            )
          }
        >
          {t('figure.matrix')}
        </Button>
      }
      method={t('figure.method', {
        values: t(result.values === 'ratio' ? 'detail.ratio' : 'detail.contacts'),
        normalization: normalizationName(normalization),
        resolution: binSize(resolution),
        from: format.statistic(scale.from),
        to: format.statistic(scale.to),
        scale: t(scale.ratio ? 'figure.log2' : 'figure.log'),
        expected: result.expectedFrom === null ? '' : t(`expected.${result.expectedFrom}`),
      })}
    >
      {unusable ? (
        <p className="nv-warn">{t('figure.notConverged', { normalization: normalizationName(normalization) })}</p>
      ) : result.total === 0 ? (
        <p className="nv-quiet">{t('figure.empty')}</p>
      ) : null}
      <RoleNote sequences={[x, y].map(({ sequence }) => ({ assembly: result.assembly, sequence }))} />
      <div ref={root} className="hic-map">
        <svg
          ref={svg}
          data-figure
          data-drawn={`${x.sequence}:${x.start}..${x.end} ${resolution} ${normalization} ${result.values}`}
          className="hic-map-svg"
          width={left + inner + right}
          height={height}
          viewBox={`0 0 ${left + inner + right} ${height}`}
          role="application"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved and zoomed by the keyboard.
          tabIndex={0}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            const [px, py] = pointerPosition(event)
            if (event.button !== 0 || binsAt(px, py) === null) return
            drag.current = { x: px, y: py, moved: false }
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => {
            const [px, py] = pointerPosition(event)
            const start = drag.current
            if (start !== null && Math.hypot(px - start.x, py - start.y) > 4) start.moved = true
            if (start?.moved === true) setHover(null)
            else show(px, py)
          }}
          onPointerUp={(event) => {
            const start = drag.current
            drag.current = null
            if (start === null) return
            const [px, py] = pointerPosition(event)
            if (start.moved) {
              onMove(moveWindow(result, { by: [(start.x - px) / inner, (start.y - py) / mapHeight] }))
              return
            }
            const bins = binsAt(px, py)
            if (bins !== null) onViewpoint(binOf(y, bins[1]).start)
          }}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={(event) => zoom.current(...pointerPosition(event), 0.5)}
        >
          <title>{label}</title>
          <clipPath id="hic-map-clip">
            <rect x={left} y={top} width={inner} height={mapHeight} />
          </clipPath>
          {look === 'square' ? <rect className="hic-ground" x={left} y={top} width={inner} height={mapHeight} /> : null}
          <g clipPath="url(#hic-map-clip)">
            <image
              href={image}
              width={cells.columns}
              height={cells.rows}
              preserveAspectRatio="none"
              imageRendering="pixelated"
              transform={
                look === 'triangle'
                  ? `matrix(${binPx / 2} ${binPx / 2} ${binPx / 2} ${-binPx / 2} ${left} ${top + mapHeight})`
                  : `matrix(${binPx} 0 0 ${rowPx} ${left} ${top})`
              }
            />
            {drawnTads}
            {loops}
            {viewBin !== null && profile !== null && look === 'square' ? (
              <line
                className="hic-cursor"
                x1={left}
                x2={left + inner}
                y1={top + (viewBin + 0.5) * rowPx}
                y2={top + (viewBin + 0.5) * rowPx}
              />
            ) : null}
            {viewBin !== null && profile !== null && symmetric ? (
              <line
                className="hic-cursor"
                x1={left + (viewBin + 0.5) * binPx}
                x2={left + (viewBin + 0.5) * binPx}
                y1={top}
                y2={top + mapHeight}
              />
            ) : null}
          </g>
          <ColourScale
            x={left + inner - 150}
            y={12}
            colour={(fraction) => colourAt(scale, fraction)}
            ends={[format.statistic(scale.from), format.statistic(scale.to)]}
            title={t(result.values === 'ratio' ? 'detail.ratio' : 'detail.contacts')}
          />
          <Axis side="bottom" scale={scaleLinear([x.start, x.end + 1], [left, left + inner])} at={axisY} positions />
          {look === 'triangle' ? null : (
            <Axis side="left" scale={scaleLinear([y.start, y.end + 1], [top, top + mapHeight])} at={left} positions />
          )}
          <text className="hic-axis" x={left} y={axisY + 31} fontStyle={styleOf(result.assembly, x.sequence)}>
            {x.sequence}
          </text>
          {look === 'triangle' ? null : (
            <text className="hic-axis" x={left} y={top - 8} fontStyle={styleOf(result.assembly, y.sequence)}>
              {y.sequence}
            </text>
          )}
          {laid.map((track) => (
            <g key={track.key}>
              <TrackTitle x={left} y={track.y - 3} text={track.title} />
              {track.draw({ y: track.y + 3, height: track.height - 4, left, inner, place: placeX })}
            </g>
          ))}
        </svg>
        {hover === null ? null : (
          <div
            className="hic-tooltip"
            style={{
              insetInlineStart: Math.min(hover.px + 14, Math.max(0, width - 330)),
              insetBlockStart: hover.py + 14,
            }}
          >
            {hover.text}
          </div>
        )}
      </div>
      {profile === null ? <p className="nv-quiet">{t('figure.viewpointHelp')}</p> : null}
    </FigureFrame>
  )
}
