import { interpolateRdBu, interpolateViridis } from 'd3'
import { Search, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { ProfileScale } from '../../../bio/expression/expression-profile.ts'
import { quantile } from '../../../bio/statistics/quantile.ts'
import type { ExpressionDataset, HeatMapValues } from '../../../contracts/expression.ts'
import { type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { Button } from '../controls/button.tsx'
import { useUnitName } from '../controls/expression-fields.tsx'
import { GeneSetMenu } from '../controls/gene-set-picker.tsx'
import { openCanvas } from '../figures/canvas.ts'
import { CategoryRest } from '../figures/category-marks.tsx'
import { type ColouredCells, cellCanvas, pointsForFile } from '../figures/cell-picture.ts'
import { clusterAt, drawTree } from '../figures/dendrogram.ts'
import { FigureFrame } from '../figures/figure-frame.tsx'
import { PointerTip, pointerPosition } from '../figures/figure-pointer.tsx'
import { categoryBeside, colourAlone, distinctColours, tokenColour } from '../figures/palette.ts'
import { useWidth } from '../figures/use-width.ts'
import { useFormat, useText } from '../language.tsx'
import { useTheme } from '../theme.ts'
import { samplesOf, unitOnScale, valuesOf } from './expression-scale.ts'
import { messages } from './heat-map-messages.ts'
import {
  columnLabelSize,
  type HeatMapLayout,
  heatColour,
  labelSize,
  layOut,
  missingColour,
  renderScene,
  type Shape,
  type View,
} from './heat-map-scene.ts'

/** Standard deviations at which the colours of z-scores end. */
const maxDeviations = 2.5
const colourSteps = 60
/** Places in the palette of the colours that the cells have: a group of samples in one of them would read as high or low. */
const signedColours = [0, 4, 5]
const viridisColours = [0, 2, 6, 7, 8]
/** What is said of a cell in the lower half stands above the pointer, so many CSS pixels. */
const tipHeight = 98

/** Genes by samples as colours, with dendrograms; a segment of rows is chosen by dragging or at the dendrogram. */
export const HeatMap = ({
  dataset,
  expression,
  assembly,
  scale,
  groups,
  about,
  name = `${dataset.id}-heat-map`,
  receipt,
}: {
  dataset: ExpressionDataset
  expression: HeatMapValues
  assembly: string
  scale: ProfileScale
  /** What the samples are told apart by above the cells: its name, and the group of each sample in the order of `expression`. */
  groups: {
    name: string
    ofSamples: readonly string[]
    /** Of groups that figures beside this one draw as well. */
    colours?: Readonly<Record<string, string>>
  } | null
  /** What these genes are, for the method line. */
  about?: string
  /** Base of the names of its files. */
  name?: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const theme = useTheme()
  const [root, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { genes, geneTree, sampleTree } = expression
  const samples = useMemo(() => samplesOf(dataset, expression), [dataset, expression])
  const rowOrder = useMemo(() => geneTree?.order ?? [...genes.keys()], [geneTree, genes])
  const columnOrder = useMemo(() => sampleTree?.order ?? [...samples.keys()], [sampleTree, samples])
  const whole: View = { row0: 0, row1: rowOrder.length, column0: 0, column1: columnOrder.length }
  const [view, setView] = useState<View>(whole)
  const [selection, setSelection] = useState<View | null>(null)
  const [drag, setDrag] = useState<{ row: number; column: number } | null>(null)
  const [hover, setHover] = useState<{ row: number; column: number; x: number; y: number } | null>(null)

  const values = useMemo(
    () => genes.map((gene) => valuesOf(gene, dataset, samples, scale)),
    [genes, dataset, samples, scale],
  )
  const twoSided = scale === 'zscore' || dataset.unit === 'log2ratio'
  const domain = useMemo((): [number, number] => {
    if (scale === 'zscore') return [-maxDeviations, maxDeviations]
    const known = Float64Array.from(values.flatMap((row) => [...row].filter((value) => !Number.isNaN(value)))).sort()
    if (known.length === 0) return [0, 1]
    // The highest hundredth would take most of the colours.
    const [low, high] = [quantile(known, 0.01), quantile(known, 0.99)]
    if (!twoSided) return [Math.min(low, 0), high]
    const max = Math.max(Math.abs(low), Math.abs(high), 1e-9)
    return [-max, max]
  }, [values, scale, twoSided])

  /** In the order of the drawing. */
  const coloured = useMemo((): ColouredCells => {
    const rgba = new Uint8ClampedArray(4 * rowOrder.length * columnOrder.length)
    const table = Array.from({ length: 256 }, (_, step) => {
      const fraction = step / 255
      const colour = twoSided ? interpolateRdBu(1 - fraction) : interpolateViridis(fraction)
      const parts = colour.startsWith('#')
        ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
        : (colour.match(/\d+/g) ?? []).map(Number)
      return parts
    })
    const missing = [1, 3, 5].map((at) => Number.parseInt(missingColour.slice(at, at + 2), 16))
    const [low, high] = domain
    let index = 0
    for (const row of rowOrder)
      for (const column of columnOrder) {
        const value = values[row]![column]!
        const step = Math.round(Math.min(1, Math.max(0, (value - low) / (high - low || 1))) * 255)
        const colour = Number.isNaN(value) ? missing : table[step]!
        rgba[index] = colour[0]!
        rgba[index + 1] = colour[1]!
        rgba[index + 2] = colour[2]!
        rgba[index + 3] = 255
        index += 4
      }
    return { columns: columnOrder.length, rgba }
  }, [rowOrder, columnOrder, values, domain, twoSided])

  const levels = [...new Set(groups?.ofSamples)]
  const taken = twoSided ? signedColours : viridisColours
  const groupColour = (at: number): string =>
    groups?.colours?.[levels[at] ?? ''] ?? colourAlone(categoryBeside(taken, at))
  const namedLevels = levels.slice(0, distinctColours - taken.length)
  const hasStrip = levels.length > 1 && levels.length <= 40
  /** Symbols that several of these genes have, as the two lysS of a bacterium: they are told from one another by their ids. */
  const shared = useMemo(() => {
    const counts = new Map<string, number>()
    for (const { symbol } of genes) if (symbol !== null) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
    return new Set([...counts].flatMap(([symbol, count]) => (count > 1 ? [symbol] : [])))
  }, [genes])
  const geneName = ({ id, symbol }: { id: string; symbol: string | null }): string =>
    symbol === null ? id : shared.has(symbol) ? `${symbol} (${id})` : symbol
  const nameOf = (row: number): string => geneName(genes[rowOrder[row]!]!)
  const labelOf = (column: number): string => samples[columnOrder[column]!]!.label
  const longestRow = Math.max(4, ...genes.map((gene) => geneName(gene).length))
  const layout: HeatMapLayout = layOut(
    width,
    view,
    { rowTree: geneTree !== null, columnTree: sampleTree !== null, strip: hasStrip },
    longestRow,
    columnOrder.slice(view.column0, view.column1).map((column) => samples[column]!.label),
  )
  const { cells } = layout
  const rowPx = cells.height / (view.row1 - view.row0)
  const columnPx = cells.width / (view.column1 - view.column0)
  const unit = scale === 'zscore' ? t('heat.zscore') : unitOnScale(dataset.unit, scale, unitName)

  const drawShapes = (faint: string): Shape[] => {
    const shapes: Shape[] = []
    const legendPx = 150
    for (let step = 0; step < colourSteps; step += 1)
      shapes.push({
        kind: 'rect',
        x: cells.x + (step * legendPx) / colourSteps,
        y: 4,
        width: legendPx / colourSteps + 0.5,
        height: 9,
        fill: heatColour(domain[0] + ((domain[1] - domain[0]) * (step + 0.5)) / colourSteps, domain, twoSided),
      })
    const spread = domain[1] - domain[0]
    const tick = (value: number): string => format.tick(value, spread < 1 ? 2 : spread < 40 ? 1 : 0, true)
    for (const [fraction, anchor] of [
      [0, 'start'],
      [0.5, 'middle'],
      [1, 'end'],
    ] as const)
      shapes.push({
        kind: 'text',
        x: cells.x + fraction * legendPx,
        y: 21,
        text: tick(domain[0] + fraction * (domain[1] - domain[0])),
        size: 10,
        anchor,
      })
    shapes.push({ kind: 'text', x: cells.x + legendPx + 8, y: 9, text: unit, size: 11, anchor: 'start' })
    if (expression.genes.some(({ values: own }) => own.includes(null))) {
      const x = cells.x + legendPx + 20 + unit.length * 7
      shapes.push({ kind: 'rect', x, y: 4, width: 12, height: 9, fill: missingColour })
      shapes.push({ kind: 'text', x: x + 16, y: 9, text: t('heat.missing'), size: 11, anchor: 'start' })
    }
    if (geneTree !== null && layout.rowTree !== null)
      shapes.push({
        kind: 'path',
        d: drawTree(geneTree, layout.rowTree, view.row0, view.row1, 'left'),
        stroke: faint,
        clip: layout.rowTree,
      })
    if (sampleTree !== null && layout.columnTree !== null)
      shapes.push({
        kind: 'path',
        d: drawTree(sampleTree, layout.columnTree, view.column0, view.column1, 'top'),
        stroke: faint,
        clip: layout.columnTree,
      })
    if (layout.strip !== null && groups !== null)
      for (let column = view.column0; column < view.column1; column += 1)
        shapes.push({
          kind: 'rect',
          x: cells.x + (column - view.column0) * columnPx,
          y: layout.strip.y,
          width: columnPx + 0.3,
          height: layout.strip.height,
          fill: groupColour(levels.indexOf(groups.ofSamples[columnOrder[column]!]!)),
        })
    // Labels that would lie over each other are left out, evenly.
    const rowStep = Math.max(1, Math.ceil((labelSize + 1) / rowPx))
    for (let row = view.row0; row < view.row1; row += rowStep)
      shapes.push({
        kind: 'text',
        x: cells.x + cells.width + 6,
        y: cells.y + (row - view.row0 + 0.5) * rowPx,
        text: nameOf(row),
        size: labelSize,
        anchor: 'start',
        italic: genes[rowOrder[row]!]!.symbol !== null,
      })
    const { angle, every, texts } = layout.columnLabels
    for (const [number, text] of texts.entries())
      if (number % every === 0)
        shapes.push({
          kind: 'text',
          x: cells.x + (number + 0.5) * columnPx,
          y: cells.y + cells.height + (angle === 0 ? 10 : 6),
          text,
          size: columnLabelSize,
          anchor: angle === 0 ? 'middle' : 'end',
          ...(angle === 0 ? {} : { angle }),
        })
    return shapes
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes the drawing comes through these.
  useEffect(() => {
    const context = openCanvas(canvas.current, layout.width, layout.height)
    if (context === null) return
    const ratio = window.devicePixelRatio || 1
    const picture = cellCanvas(coloured, view, Math.round(cells.width * ratio), Math.round(cells.height * ratio))
    context.imageSmoothingEnabled = false
    if (picture !== null) context.drawImage(picture, cells.x, cells.y, cells.width, cells.height)
    const ink = tokenColour('figure-ink')
    for (const shape of drawShapes(tokenColour('figure-axis'))) {
      if (shape.kind === 'rect') {
        context.fillStyle = shape.fill
        context.fillRect(shape.x, shape.y, shape.width, shape.height)
      } else if (shape.kind === 'path') {
        context.save()
        if (shape.clip !== undefined) {
          context.beginPath()
          context.rect(shape.clip.x, shape.clip.y, shape.clip.width, shape.clip.height)
          context.clip()
        }
        context.strokeStyle = shape.stroke
        context.stroke(new Path2D(shape.d))
        context.restore()
      } else {
        context.save()
        context.translate(shape.x, shape.y)
        if (shape.angle !== undefined) context.rotate((shape.angle * Math.PI) / 180)
        context.fillStyle = ink
        context.font = `${shape.italic === true ? 'italic ' : ''}${shape.size}px ${tokenColour('font-text')}`
        context.textAlign = shape.anchor === 'middle' ? 'center' : shape.anchor
        context.textBaseline = 'middle'
        context.fillText(shape.text, 0, 0)
        context.restore()
      }
    }
    if (selection !== null) {
      const x = cells.x + (selection.column0 - view.column0) * columnPx
      const y = cells.y + (selection.row0 - view.row0) * rowPx
      context.save()
      context.beginPath()
      context.rect(cells.x - 2, cells.y - 2, cells.width + 4, cells.height + 4)
      context.clip()
      context.strokeStyle = ink
      context.lineWidth = 2
      context.strokeRect(
        x,
        y,
        (selection.column1 - selection.column0) * columnPx,
        Math.max(2, (selection.row1 - selection.row0) * rowPx),
      )
      context.restore()
    }
  }, [coloured, view, selection, width, theme, t, layout.height, groups?.ofSamples.join('\n')])

  const cellAt = (x: number, y: number): { row: number; column: number } | null => {
    const row = view.row0 + Math.floor((y - cells.y) / rowPx)
    const column = view.column0 + Math.floor((x - cells.x) / columnPx)
    const inside = row >= view.row0 && row < view.row1 && column >= view.column0 && column < view.column1
    return inside ? { row, column } : null
  }
  const onDown = (event: PointerEvent): void => {
    const [x, y] = pointerPosition(event)
    const cell = cellAt(x, y)
    if (cell !== null) {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag(cell)
      setSelection(null)
      return
    }
    const tree = layout.rowTree
    if (tree === null || geneTree === null || x < tree.x || x > tree.x + tree.width) return
    const at = view.row0 + (y - cells.y) / rowPx
    const tallest = Math.max(...geneTree.merges.map(([, , height]) => height))
    const [first, last] = clusterAt(geneTree, at, tallest * (1 - (x - tree.x) / tree.width))
    if (first >= 0 && last < rowOrder.length)
      setSelection({ row0: first, row1: last + 1, column0: view.column0, column1: view.column1 })
  }
  const onMove = (event: PointerEvent): void => {
    const [x, y] = pointerPosition(event)
    const cell = cellAt(
      Math.min(cells.x + cells.width - 1, Math.max(cells.x, x)),
      Math.min(cells.y + cells.height - 1, Math.max(cells.y, y)),
    )
    setHover(cellAt(x, y) === null || cell === null ? null : { ...cell, x, y })
    if (drag === null || cell === null) return
    if (cell.row === drag.row && cell.column === drag.column) return
    setSelection({
      row0: Math.min(drag.row, cell.row),
      row1: Math.max(drag.row, cell.row) + 1,
      column0: Math.min(drag.column, cell.column),
      column1: Math.max(drag.column, cell.column) + 1,
    })
  }
  const zoom = (factor: number): void => {
    const rows = Math.max(1, Math.min(rowOrder.length, Math.round((view.row1 - view.row0) * factor)))
    const middle = (view.row0 + view.row1) / 2
    const row0 = Math.max(0, Math.min(rowOrder.length - rows, Math.round(middle - rows / 2)))
    setView({ ...view, row0, row1: row0 + rows })
  }
  const move = (rows: number): void => {
    const row0 = Math.max(0, Math.min(rowOrder.length - (view.row1 - view.row0), view.row0 + rows))
    setView({ ...view, row0, row1: row0 + view.row1 - view.row0 })
  }
  const chosen = selection === null ? [] : rowOrder.slice(selection.row0, selection.row1).map((row) => genes[row]!)
  const zoomed = view.row1 - view.row0 < rowOrder.length || view.column1 - view.column0 < columnOrder.length
  const shownGene = hover === null ? undefined : genes[rowOrder[hover.row]!]
  const hovered = hover === null ? Number.NaN : values[rowOrder[hover.row]!]![columnOrder[hover.column]!]!

  const method = t('heat.method', {
    scale,
    counts: dataset.unit === 'counts' ? 'yes' : 'no',
    logarithms: dataset.unit.startsWith('log2') ? 'yes' : 'no',
  })
  const renderFile = (): string => {
    const part = cellCanvas(
      coloured,
      view,
      pointsForFile(view.column1 - view.column0, cells.width),
      pointsForFile(view.row1 - view.row0, cells.height),
    )
    return renderScene(
      drawShapes('#5b6f67'),
      layout,
      part?.toDataURL('image/png') ?? '',
      [t('heat.title'), ...receiptLines(receipt)].join('\n'),
    )
  }

  return (
    <FigureFrame
      title={t('heat.title')}
      name={name}
      receipt={receipt}
      renderFile={renderFile}
      method={about === undefined ? method : t('heat.aboutMethod', { about, method })}
      numbers={{
        rows: rowOrder.map((row) => ({ gene: genes[row]!, values: values[row]! })),
        rowKey: ({ gene }) => gene.id,
        columns: [
          { key: 'id', title: t('heat.gene'), kind: 'id', value: ({ gene }) => gene.id },
          { key: 'symbol', title: t('heat.symbol'), kind: 'symbol', value: ({ gene }) => gene.symbol },
          ...columnOrder.map((column) => ({
            key: `s${column}`,
            title: samples[column]!.label,
            kind: 'number' as const,
            digits: 3,
            value: (row: { values: Float64Array }) =>
              Number.isNaN(row.values[column]!) ? null : Number(row.values[column]!.toPrecision(7)),
          })),
        ],
      }}
    >
      <div className="nv-figure-bar">
        <Button size="small" icon={<ZoomIn size={14} aria-hidden />} onClick={() => zoom(0.5)}>
          {t('heat.zoomIn')}
        </Button>
        <Button
          size="small"
          icon={<ZoomOut size={14} aria-hidden />}
          disabled={!zoomed}
          onClick={() => (view.column1 - view.column0 < columnOrder.length ? setView(whole) : zoom(2))}
        >
          {t('heat.zoomOut')}
        </Button>
        {chosen.length === 0 ? (
          <>
            <span className="nv-quiet">{t('heat.hint')}</span>
            <GeneSetMenu genes={genes.map(({ id }) => ({ id, assembly }))} />
          </>
        ) : (
          <>
            <strong>{t('heat.chosen', { count: chosen.length })}</strong>
            <Button
              size="small"
              icon={<Search size={14} aria-hidden />}
              onClick={() => {
                if (selection !== null) setView(selection)
                setSelection(null)
              }}
            >
              {t('heat.zoomTo')}
            </Button>
            <GeneSetMenu genes={chosen.map(({ id }) => ({ id, assembly }))} />
            <Button size="small" look="quiet" icon={<X size={14} aria-hidden />} onClick={() => setSelection(null)}>
              {t('heat.clear')}
            </Button>
          </>
        )}
      </div>
      {hasStrip ? (
        <ul className="nv-legend" data-legend>
          <li>{groups?.name}</li>
          {namedLevels.map((level, at) => (
            <li key={level}>
              <i className="nv-key" style={{ background: groupColour(at) }} />
              {level === '' ? '–' : level}
            </li>
          ))}
          <CategoryRest count={levels.length - namedLevels.length} />
        </ul>
      ) : null}
      <div ref={root} className="nv-layers">
        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={t('heat.label', { genes: genes.length, samples: samples.length })}
          style={{ inlineSize: layout.width, blockSize: layout.height }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={() => setDrag(null)}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={() => setView(whole)}
          onKeyDown={(event) => {
            const step = new Map([
              ['+', () => zoom(0.5)],
              ['-', () => zoom(2)],
              ['ArrowDown', () => move(Math.ceil((view.row1 - view.row0) / 8))],
              ['ArrowUp', () => move(-Math.ceil((view.row1 - view.row0) / 8))],
            ]).get(event.key)
            if (step === undefined) return
            event.preventDefault()
            step()
          }}
        />
        {hover === null || shownGene === undefined || drag !== null ? null : (
          <PointerTip at={{ x: hover.x, y: hover.y > layout.height / 2 ? hover.y - tipHeight : hover.y }} width={width}>
            <strong>{shownGene.symbol ?? shownGene.id}</strong> {shownGene.symbol === null ? '' : shownGene.id}
            <br />
            {labelOf(hover.column)}
            {groups === null ? '' : ` · ${groups.ofSamples[columnOrder[hover.column]!]}`}
            <br />
            {Number.isNaN(hovered) ? t('heat.missing') : `${format.number(hovered, 3)} ${unit}`}
          </PointerTip>
        )}
      </div>
    </FigureFrame>
  )
}
