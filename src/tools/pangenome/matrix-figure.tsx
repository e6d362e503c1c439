import { scaleLinear } from 'd3'
import { ListFilter, Search, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import { familyClasses } from '../../bio/comparative/pan-genome.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { drawTree } from '../../kit/ui/figures/dendrogram.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { pointerPosition } from '../../kit/ui/figures/figure-pointer.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { tokenColour } from '../../kit/ui/figures/palette.ts'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useTheme } from '../../kit/ui/theme.ts'
import {
  classColour,
  classesByCount,
  type Matrix,
  type NamedFamilies,
  useClassBounds,
  useFamilyGenes,
  useGenesOf,
} from './families.ts'
import messages from './messages.ts'
import type { PanGenome } from './tool.ts'

const stripHeight = 8
const axisHeight = 40
const treePx = 54
const letterPx = 6.6
const tallestRow = 30
const shortestRow = 4
/** Rows lower than this have no room for names; then every so many is named. */
const labelPx = 12

/** Of one gene, two, three and more. */
const shades = [0, 0.62, 0.82, 1]
const partialColour = [150, 164, 157]
const partialShade = 0.35

/**
 * The cells of a segment of families as a picture, one row a genome: a point holds one family, or where there are more families than
 * points the mean of several. Data URL of a PNG.
 */
const paintCells = (
  matrix: Matrix,
  order: readonly number[],
  partial: readonly boolean[],
  [from, to]: readonly [number, number],
  points: number,
  presentColour: readonly number[],
): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.min(points, to - from))
  canvas.height = order.length
  const context = canvas.getContext('2d')
  if (context === null) return ''
  const image = context.createImageData(canvas.width, canvas.height)
  const perPoint = (to - from) / canvas.width
  for (const [row, genome] of order.entries()) {
    const empty = partial[genome] === true ? partialShade : 0
    for (let point = 0; point < canvas.width; point += 1) {
      const first = from + Math.floor(point * perPoint)
      const last = Math.max(first + 1, from + Math.floor((point + 1) * perPoint))
      let shade = 0
      let absent = 0
      for (let index = first; index < last; index += 1) {
        const genes = matrix.at(index, genome)
        if (genes === 0) absent += 1
        else shade += shades[genes]!
      }
      const count = last - first
      const filled = shade / count
      const void_ = (empty * absent) / count
      const at = (row * canvas.width + point) * 4
      const alpha = Math.min(1, filled + void_)
      for (let channel = 0; channel < 3; channel += 1)
        image.data[at + channel] =
          alpha === 0 ? 0 : (presentColour[channel]! * filled + partialColour[channel]! * void_) / (filled + void_)
      image.data[at + 3] = Math.round(255 * alpha)
    }
  }
  context.putImageData(image, 0, 0)
  return canvas.toDataURL('image/png')
}

/** Families by assemblies as a drawing that can be zoomed; a segment of families is chosen by dragging. */
export const MatrixFigure = ({
  result,
  matrix,
  families,
  chosen,
  onChoose,
  receipt,
}: {
  result: PanGenome
  matrix: Matrix
  families: NamedFamilies | undefined
  /** Families that are chosen, by number; shared with the table. */
  chosen: readonly number[]
  onChoose: (families: number[]) => void
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const [root, given] = useWidth<HTMLDivElement>()
  const [bounds] = useClassBounds()
  const [genesOf] = useGenesOf(result)
  const familyGenes = useFamilyGenes(genesOf)
  const total = matrix.families.length
  const [view, setView] = useState<[number, number]>([0, total])
  const [drag, setDrag] = useState<number | null>(null)
  const [marked, setMarked] = useState<[number, number] | null>(null)
  const [hover, setHover] = useState<{ index: number; row: number; x: number; y: number } | null>(null)
  const { order } = result.tree
  const { assemblies } = result
  const partial = useMemo(() => assemblies.map((one) => one.partial), [assemblies])
  const width = Math.max(300, given)
  const names = order.map((genome) => assemblyName(assemblies[genome]!.id))
  const room = Math.min(190, width * 0.3, Math.max(...names.map((name) => name.length)) * letterPx + 12)
  const labels = shortenNames(names, (room - 6) / letterPx)
  const tree = width < 520 ? 0 : treePx
  const left = tree + room
  const inner = width - left - 8
  const rowPx = Math.max(shortestRow, Math.min(tallestRow, 520 / order.length))
  const cellsHeight = rowPx * order.length
  const classes = classesByCount(assemblies.length, bounds)
  const legend: LegendEntry[] = [
    ...familyClasses
      .filter((one) => classes.slice(1).includes(one))
      .map((one) => ({ key: one, label: t(`class.${one}`), colour: classColour[one] })),
    { key: 'present', label: t('matrix.present'), colour: 'var(--gene-fill)', opacity: shades[1]! },
    { key: 'more', label: t('matrix.more'), colour: 'var(--gene-fill)' },
    { key: 'absent', label: t('matrix.absent'), colour: 'var(--surface)' },
    ...(partial.some(Boolean)
      ? [
          {
            key: 'partial',
            label: t('matrix.partial'),
            colour: `rgb(${partialColour.join()})`,
            opacity: partialShade,
          },
        ]
      : []),
  ]
  const head = legendHeight(legend, width) + 2
  const top = head + stripHeight + 4
  const height = top + cellsHeight + axisHeight
  const [from, to] = view
  const theme = useTheme()
  const picture = useMemo(() => {
    const colour = theme === null ? '' : tokenColour('gene-fill')
    const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0)
    return paintCells(matrix, order, partial, view, Math.round(inner), parts)
  }, [matrix, order, partial, view, inner, theme])
  // Families of one class mostly stand together: the strip above has a piece for each run.
  const strip = useMemo(() => {
    const pieces: { from: number; to: number; kind: (typeof classes)[number] }[] = []
    const step = Math.max(1, Math.floor((to - from) / Math.max(1, inner)))
    for (let index = from; index < to; index += step) {
      const kind = classes[matrix.present[index]!]!
      const last = pieces.at(-1)
      if (last?.kind === kind) last.to = Math.min(to, index + step)
      else pieces.push({ from: index, to: Math.min(to, index + step), kind })
    }
    return pieces
  }, [classes, matrix, from, to, inner])
  const x = (index: number): number => left + ((index - from) / (to - from)) * inner
  const placeAt = (event: PointerEvent<SVGSVGElement>): { index: number; row: number; x: number; y: number } => {
    const [px, py] = pointerPosition(event)
    const index = from + Math.floor(((px - left) / inner) * (to - from))
    return {
      index: Math.max(from, Math.min(to - 1, index)),
      row: Math.floor((py - top) / rowPx),
      x: px,
      y: py,
    }
  }
  const inCells = ({ row, x: px }: { row: number; x: number }): boolean =>
    row >= 0 && row < order.length && px >= left && px <= left + inner
  const zoom = (factor: number): void => {
    const count = Math.max(Math.min(8, total), Math.min(total, Math.round((to - from) * factor)))
    const first = Math.max(0, Math.min(total - count, Math.round((from + to - count) / 2)))
    setView([first, first + count])
  }
  const move = (step: number): void => {
    const first = Math.max(0, Math.min(total - (to - from), from + step))
    setView([first, first + to - from])
  }
  const choose = (range: [number, number] | null): void => {
    setMarked(range)
    onChoose(range === null ? [] : [...matrix.families.subarray(range[0], range[1])])
  }
  const shownMark = marked !== null && chosen.length > 0 ? marked : null
  const chosenGenes = useMemo(
    () => chosen.flatMap((family) => (familyGenes?.get(family) ?? []).map((id) => ({ id, assembly: genesOf }))),
    [chosen, familyGenes, genesOf],
  )
  const labelStep = Math.max(1, Math.ceil(labelPx / rowPx))
  const tipFamily = hover === null ? null : matrix.families[hover.index]!
  const tip = tipFamily === null ? undefined : families?.byNumber.get(tipFamily)
  const hoverGenome = hover === null || hover.row < 0 || hover.row >= order.length ? null : order[hover.row]!
  const hoverGenes = hover === null || hoverGenome === null ? 0 : matrix.at(hover.index, hoverGenome)
  return (
    <FigureFrame
      title={t('matrix.title')}
      aside={t('matrix.shown', { from: from + 1, to, total })}
      name="presence-absence"
      receipt={receipt}
      method={t('matrix.method')}
    >
      <div className="pan-bar">
        <Button size="small" icon={<ZoomIn size={14} aria-hidden />} onClick={() => zoom(0.5)}>
          {t('matrix.zoomIn')}
        </Button>
        <Button
          size="small"
          icon={<ZoomOut size={14} aria-hidden />}
          disabled={to - from === total}
          onClick={() => zoom(2)}
        >
          {t('matrix.zoomOut')}
        </Button>
        {shownMark === null ? (
          <span className="nv-quiet">{t('matrix.hint')}</span>
        ) : (
          <>
            <strong>{t('matrix.chosen', { count: chosen.length })}</strong>
            <Button
              size="small"
              icon={<Search size={14} aria-hidden />}
              onClick={() => setView([shownMark[0], Math.max(shownMark[1], shownMark[0] + 1)])}
            >
              {t('matrix.zoomTo')}
            </Button>
            {chosenGenes.length === 0 ? null : <GeneSetMenu genes={chosenGenes} />}
            <Button
              size="small"
              look="quiet"
              icon={<ListFilter size={14} aria-hidden />}
              onClick={() => document.getElementById('families')?.scrollIntoView({ block: 'start' })}
            >
              {t('matrix.selectedList')}
            </Button>
            <Button size="small" look="quiet" icon={<X size={14} aria-hidden />} onClick={() => choose(null)}>
              {t('matrix.clear')}
            </Button>
          </>
        )}
      </div>
      {result.matrix.notDrawn === 0 ? null : (
        <p className="nv-quiet">{t('matrix.notDrawn', { count: result.matrix.notDrawn })}</p>
      )}
      <div ref={root} className="pan-figure pan-matrix">
        <svg
          data-figure
          width={width}
          height={height}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom and move it.
          tabIndex={0}
          aria-label={t('matrix.label', { families: total, assemblies: assemblies.length })}
          onPointerDown={(event) => {
            const at = placeAt(event)
            if (!inCells(at)) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrag(at.index)
            choose(null)
          }}
          onPointerMove={(event) => {
            const at = placeAt(event)
            setHover(inCells(at) ? at : null)
            if (drag !== null) setMarked([Math.min(drag, at.index), Math.max(drag, at.index) + 1])
          }}
          onPointerUp={() => {
            if (drag !== null && marked !== null) choose(marked)
            setDrag(null)
          }}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={() => setView([0, total])}
          onKeyDown={(event) => {
            const far = Math.ceil((to - from) / 8)
            const act = new Map([
              ['+', () => zoom(0.5)],
              ['=', () => zoom(0.5)],
              ['-', () => zoom(2)],
              ['ArrowRight', () => move(far)],
              ['ArrowLeft', () => move(-far)],
              ['Home', () => move(-total)],
              ['End', () => move(total)],
            ]).get(event.key)
            if (act === undefined) return
            event.preventDefault()
            act()
          }}
        >
          <Legend entries={legend} y={0} width={width} />
          {strip.map((piece) => (
            <rect
              key={piece.from}
              x={x(piece.from)}
              width={x(piece.to) - x(piece.from)}
              y={head}
              height={stripHeight}
              fill={classColour[piece.kind]}
            >
              <title>{t(`class.${piece.kind}`)}</title>
            </rect>
          ))}
          {tree === 0 ? null : (
            <path
              d={drawTree(result.tree, { x: 2, y: top, width: tree - 6, height: cellsHeight }, 0, order.length, 'left')}
              fill="none"
              stroke="var(--figure-axis)"
            />
          )}
          {names.map((name, row) =>
            row % labelStep === 0 ? (
              <text
                key={order[row]}
                x={left - 6}
                y={top + (row + 0.5) * rowPx}
                textAnchor="end"
                dominantBaseline="central"
                fontSize={Math.min(12, Math.max(9, rowPx * labelStep - 1))}
                fill="var(--figure-ink)"
              >
                <title>{name}</title>
                {labels[row]}
              </text>
            ) : null,
          )}
          <rect
            x={left}
            y={top}
            width={inner}
            height={cellsHeight}
            fill="none"
            stroke="var(--figure-axis)"
            strokeWidth={0.6}
          />
          <image
            x={left}
            y={top}
            width={inner}
            height={cellsHeight}
            preserveAspectRatio="none"
            style={{ imageRendering: 'pixelated' }}
            href={picture}
          />
          {rowPx < 8
            ? null
            : order.map((genome, row) =>
                row === 0 ? null : (
                  <line
                    key={genome}
                    x1={left}
                    x2={left + inner}
                    y1={top + row * rowPx}
                    y2={top + row * rowPx}
                    stroke="var(--surface)"
                    strokeWidth={1}
                  />
                ),
              )}
          {marked === null ? null : (
            <rect
              x={x(Math.max(from, marked[0]))}
              width={Math.max(2, x(Math.min(to, marked[1])) - x(Math.max(from, marked[0])))}
              y={top - 1}
              height={cellsHeight + 2}
              fill="none"
              stroke="var(--figure-ink)"
              strokeWidth={2}
              visibility={marked[1] <= from || marked[0] >= to ? 'hidden' : undefined}
            />
          )}
          <Axis
            side="bottom"
            scale={scaleLinear([from + 1, to], [left, left + inner])}
            at={top + cellsHeight}
            within={[left - 20, width]}
            name={t('families.title')}
            whole
          />
        </svg>
        {hover === null || tipFamily === null || drag !== null ? null : (
          <div
            className="pan-tip"
            style={{
              insetInlineStart: Math.min(hover.x + 14, Math.max(0, width - 250)),
              insetBlockStart: hover.y > height / 2 ? Math.max(0, hover.y - 104) : hover.y + 16,
            }}
          >
            {tip === undefined ? null : <strong>{tip.id} · </strong>}
            {t(`class.${classes[matrix.present[hover.index]!]!}`)}, {matrix.present[hover.index]} / {assemblies.length}
            {tip === undefined ? null : (
              <>
                <br />
                {tip.symbol === null ? <code>{tip.gene}</code> : <i>{tip.symbol}</i>} {tip.description ?? ''}
              </>
            )}
            {hoverGenome === null ? null : (
              <>
                <br />
                {assemblyName(assemblies[hoverGenome]!.id)}:{' '}
                {hoverGenes === 0
                  ? t(partial[hoverGenome] === true ? 'matrix.partial' : 'matrix.absent')
                  : hoverGenes === 3
                    ? '≥ 3'
                    : t('matrix.genes', { count: hoverGenes })}
              </>
            )}
          </div>
        )}
      </div>
    </FigureFrame>
  )
}
