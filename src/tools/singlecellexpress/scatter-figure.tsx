import { scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { countPair, type GenePair } from '../../bio/expression/cell-statistics.ts'
import { seededRandom } from '../../bio/statistics/random.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { otherColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { levelColour } from './cell-colours.ts'
import { type CellColours, useColours } from './cells.ts'
import { canvasRatio, drawCells, paintCells, radiusOf } from './draw-cells.ts'
import { type GroupedGene, labelOf } from './group-figures.tsx'
import messages from './messages.ts'
import type { CellDataset } from './stored.ts'

const height = 420
const margin = { top: 12, right: 16, bottom: 46, left: 58 }
/** Between the axes and the first points. */
const inset = 12
/** How far a point may be moved, in parts of its axis. */
const jitter = 0.01

const numbersOf = (colours: CellColours | undefined): Float32Array | null =>
  colours?.kind === 'numbers' ? colours.values : null

interface PairRow extends GenePair {
  group: string
}

/** Every cell by its values of two genes, in the colours of its group. */
export const ScatterFigure = ({
  genes,
  group,
  assembly,
  dataset,
  receipt,
}: {
  /** At least two. */
  genes: GroupedGene[]
  /** A column of the cells with names. */
  group: string
  assembly: string
  dataset: CellDataset
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.min(760, Math.max(300, given))
  const [chosen, setChosen] = useState<[string, string]>([genes[0]!.id, genes[1]!.id])
  const geneOf = (id: string, other: number): GroupedGene => genes.find((gene) => gene.id === id) ?? genes[other]!
  const [across, upwards] = [geneOf(chosen[0], 0), geneOf(chosen[1], 1)]
  const first = useColours(assembly, dataset, { kind: 'genes', genes: across.id })
  const second = useColours(assembly, dataset, { kind: 'genes', genes: upwards.id })
  const groups = useColours(assembly, dataset, { kind: 'column', name: group })
  const [xs, ys] = [numbersOf(first.data), numbersOf(second.data)]
  const levels = useMemo(
    () => dataset.columns.find(({ name }) => name === group)?.levels ?? [],
    [dataset.columns, group],
  )
  const x = scaleLinear(across.range, [margin.left + inset, width - margin.right - inset])
  const y = scaleLinear(upwards.range, [height - margin.bottom - inset, margin.top + inset])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scales follow the genes and the width.
  const picture = useMemo(() => {
    if (xs === null || ys === null || groups.data === undefined) return null
    const ratio = canvasRatio(xs.length)
    const random = seededRandom(20_261_121)
    const positions = new Float32Array(2 * xs.length)
    const move = (room: number): number => (2 * random() - 1) * jitter * room
    for (let cell = 0; cell < xs.length; cell += 1) {
      positions[2 * cell] = x(xs[cell]!) + move(width)
      positions[2 * cell + 1] = -(y(ys[cell]!) + move(height))
    }
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    const context = canvas.getContext('2d')
    if (context === null) return null
    const image = context.createImageData(canvas.width, canvas.height)
    const paint = paintCells(
      xs.length,
      groups.data,
      levels.map((_, level) => levelColour(level)),
      // One that both grounds show: the picture is saved as it is.
      otherColour,
      null,
    )
    drawCells(image, null, positions, paint, { scale: ratio, x: 0, y: 0 }, radiusOf(xs.length, 1, ratio, width))
    context.putImageData(image, 0, 0)
    return canvas.toDataURL('image/png')
  }, [xs, ys, groups.data, across.id, upwards.id, width, levels])
  const rows = useMemo((): PairRow[] => {
    if (xs === null || ys === null || groups.data?.kind !== 'levels') return []
    const { codes } = groups.data
    return [
      { group: t('figure.all'), ...countPair(xs, ys, null, 0) },
      ...levels.map((level, code) => ({ group: level.name, ...countPair(xs, ys, codes, code) })),
    ]
  }, [xs, ys, groups.data, levels, t])
  const [all] = rows
  const [nameX, nameY] = [labelOf(across), labelOf(upwards)]
  const pick = (place: 0 | 1, label: string): ReactNode => (
    <SelectField
      label={label}
      value={[across, upwards][place]!.id}
      onChoose={(id) => setChosen(place === 0 ? [id, upwards.id] : [across.id, id])}
      options={genes.map((gene) => ({ value: gene.id, label: labelOf(gene) }))}
    />
  )
  const title = t('figure.scatter', { x: nameX, y: nameY, count: dataset.cellCount })
  const failed = [first, second, groups].find(({ isError }) => isError)?.error
  return (
    <FigureFrame<PairRow>
      title={title}
      name={`${dataset.id}-${across.id}-${upwards.id}`}
      simulated={dataset.simulated}
      method={t('figure.scatterMethod')}
      receipt={receipt}
      numbers={{
        rows,
        rowKey: (row) => row.group,
        columns: [
          { key: 'group', title: t('column.group'), value: (row) => row.group },
          { key: 'cells', title: t('column.cells'), kind: 'number', value: (row) => row.cells },
          { key: 'both', title: t('column.both'), kind: 'number', value: (row) => row.both },
          { key: 'x', title: t('column.only', { gene: nameX }), kind: 'number', value: (row) => row.onlyFirst },
          { key: 'y', title: t('column.only', { gene: nameY }), kind: 'number', value: (row) => row.onlySecond },
          {
            key: 'r',
            title: t('column.correlation'),
            kind: 'number',
            digits: 3,
            value: (row) => row.correlation,
          },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <div className="nv-figure-fields">
          {pick(0, t('figure.x'))}
          {pick(1, t('figure.y'))}
        </div>
        {all === undefined ? null : (
          <span className="nv-quiet">
            {t('figure.correlation', {
              r: all.correlation === null ? '–' : format.number(all.correlation, 3),
              both: all.both,
              onlyX: all.onlyFirst,
              onlyY: all.onlySecond,
              x: nameX,
              y: nameY,
            })}
          </span>
        )}
      </div>
      {failed === undefined || failed === null ? null : <p className="nv-warn">{failed.message}</p>}
      <div ref={root} className="sc-scroll">
        {picture === null && failed === undefined ? <Waiting /> : null}
        <Drawing width={width} height={height} label={title} className="sc-scatter">
          <Axis side="bottom" scale={x} at={height - margin.bottom} grid={margin.top} />
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} />
          {picture === null ? null : (
            <image href={picture} width={width} height={height} data-cells={dataset.cellCount} />
          )}
          <text className="sc-axis sc-symbol" x={(margin.left + width) / 2} y={height - 6} textAnchor="middle">
            {nameX}
          </text>
          <text
            className="sc-axis sc-symbol"
            transform={`translate(16,${(height - margin.bottom) / 2}) rotate(-90)`}
            textAnchor="middle"
          >
            {nameY}
          </text>
        </Drawing>
      </div>
      <ul className="sc-legend sc-plain" data-legend aria-label={group}>
        {levels.slice(0, 40).map((level, code) => (
          <li key={level.name}>
            <i style={{ background: levelColour(code) }} /> {level.name}
          </li>
        ))}
      </ul>
    </FigureFrame>
  )
}
