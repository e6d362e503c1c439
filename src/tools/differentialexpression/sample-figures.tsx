import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { ColourScale, Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { placeLabels } from '../../kit/ui/figures/label-places.ts'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { markPath } from '../../kit/ui/figures/mark-shapes.ts'
import { categoryColour, viridis } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { CheckedSample, ComparisonResult } from './tool.ts'

const fontPx = 11
const height = 340
const margin = { top: 12, right: 16, bottom: 46, left: 62 }
/** Test and reference: orange and blue, as genes that are higher and lower. */
export const groupColours = { test: '#d55e00', reference: '#0072b2' } as const
const marks = { test: 0, reference: 2 } as const

const useLegend = ({ testName, referenceName }: ComparisonResult): LegendEntry[] => [
  { key: 'test', label: testName, colour: groupColours.test, mark: marks.test },
  { key: 'reference', label: referenceName, colour: groupColours.reference, mark: marks.reference },
]

/** Samples by their first two principal components. */
export const ComponentFigure = ({ result, receipt }: { result: ComparisonResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(480)
  const legend = useLegend(result)
  const labelOf = ({ at }: CheckedSample): string => result.dataset.samples[at]!.label
  const points = result.samples.filter(({ components: [x, y] }) => x !== null && y !== null)
  const share = (axis: number): string =>
    t('pca.axis', {
      axis: axis + 1,
      share: result.componentShares[axis] == null ? '–' : format.percent(result.componentShares[axis], 0),
    })
  const values = (axis: number): number[] => points.map(({ components }) => components[axis]!)
  const domain = (axis: number): [number, number] => {
    const own = values(axis)
    return own.length === 0 ? [-1, 1] : [Math.min(...own), Math.max(...own)]
  }
  const x = scaleLinear(domain(0), [margin.left + 12, width - margin.right - 12]).nice()
  const y = scaleLinear(domain(1), [height - margin.bottom - 10, margin.top + 10]).nice()
  const placed = placeLabels(
    points.map((one) => ({ x: x(one.components[0]!), y: y(one.components[1]!), text: labelOf(one), radius: 5 })),
    { fontPx, bounds: { left: margin.left, right: width, top: 0, bottom: height - margin.bottom } },
  )
  return (
    <FigureFrame
      title={t('pca.title')}
      name={`${result.dataset.id}-pca`}
      method={t('pca.method', { genes: result.componentGenes, transformation: result.transformation })}
      receipt={receipt}
      numbers={{
        rows: points,
        rowKey: (one) => String(one.at),
        columns: [
          { key: 'sample', title: t('column.sample'), value: labelOf },
          { key: 'group', title: t('column.group'), value: ({ group }) => result[`${group}Name`] },
          ...[0, 1, 2].map((axis) => ({
            key: `pc${axis + 1}`,
            title: share(axis),
            kind: 'number' as const,
            digits: 3,
            value: ({ components }: CheckedSample) => components[axis]!,
          })),
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height + legendHeight(legend, width)} label={t('pca.title')}>
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} name={share(1)} />
          <Axis side="bottom" scale={x} at={height - margin.bottom} grid={margin.top} name={share(0)} />
          {points.map((one) => (
            <path
              key={one.at}
              transform={`translate(${x(one.components[0]!)},${y(one.components[1]!)})`}
              d={markPath(marks[one.group], 64)}
              fill={groupColours[one.group]}
              stroke={one.nearerToOther ? 'var(--figure-ink)' : 'none'}
              strokeWidth={1.5}
            >
              <title>{labelOf(one)}</title>
            </path>
          ))}
          {placed.map((label, index) =>
            label === null ? null : (
              <text
                key={points[index]!.at}
                x={label.x}
                y={label.y}
                textAnchor={label.anchor}
                dominantBaseline="central"
                fontSize={fontPx}
                fill="var(--figure-ink)"
              >
                {labelOf(points[index]!)}
              </text>
            ),
          )}
          <Legend entries={legend} width={width - margin.left} x={margin.left} y={height} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}

/** Distances between all samples as a square of colours, the groups one after the other. */
export const DistanceFigure = ({ result, receipt }: { result: ComparisonResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, given] = useWidth<HTMLDivElement>(480)
  const { samples, distances, dataset } = result
  const count = samples.length
  const names = samples.map(({ at }) => dataset.samples[at]!.label)
  const room = Math.min(190, 16 + Math.max(...names.map((name) => labelWidth(name, fontPx))))
  const cell = Math.max(3, Math.min(30, (given - room - 24) / count))
  const named = cell >= 9
  const left = named ? room : 16
  const width = Math.max(280, left + count * cell + 12)
  const top = 14
  const size = count * cell
  const max = distances.reduce((most, one) => Math.max(most, one), 1e-9)
  const colourOf = (share: number): string => viridis(1 - share)
  return (
    <FigureFrame
      title={t('distances.title')}
      name={`${dataset.id}-distances`}
      method={t('distances.method', { transformation: result.transformation })}
      receipt={receipt}
      numbers={{
        rows: samples,
        rowKey: (one) => String(one.at),
        columns: [
          { key: 'sample', title: t('column.sample'), value: ({ at }) => dataset.samples[at]!.label },
          ...samples.map((_, column) => ({
            key: String(column),
            title: names[column]!,
            kind: 'number' as const,
            digits: 2,
            value: (one: CheckedSample) => distances[samples.indexOf(one) * count + column]!,
          })),
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={top + size + 62} label={t('distances.title')} scroll="dif-scroll">
          {samples.map(({ at, group }, row) => (
            <g key={at}>
              <path
                transform={`translate(${left - 7},${top + (row + 0.5) * cell})`}
                d={markPath(marks[group], Math.min(40, cell * cell * 0.5))}
                fill={groupColours[group]}
              />
              {named ? (
                <text
                  x={left - 15}
                  y={top + (row + 0.5) * cell}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={Math.min(fontPx, cell + 1)}
                >
                  {names[row]}
                </text>
              ) : null}
              {samples.map((other, column) => {
                const value = distances[row * count + column]!
                return (
                  <rect
                    key={other.at}
                    x={left + column * cell}
                    y={top + row * cell}
                    width={cell - (cell > 6 ? 1 : 0)}
                    height={cell - (cell > 6 ? 1 : 0)}
                    fill={row === column ? 'var(--figure-grid)' : colourOf(value / max)}
                  >
                    <title>{`${names[row]} – ${names[column]}: ${format.number(value, 2)}`}</title>
                  </rect>
                )
              })}
            </g>
          ))}
          <ColourScale
            x={left}
            y={top + size + 16}
            colour={colourOf}
            ends={['0', format.number(max, 1)]}
            title={t('distances.scale')}
          />
        </Drawing>
      </div>
    </FigureFrame>
  )
}

const rowPx = 22

/** Library sizes, or genes with values, a bar each sample. */
export const SizeFigure = ({ result, receipt }: { result: ComparisonResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(480)
  const { samples, dataset } = result
  const names = samples.map(({ at }) => dataset.samples[at]!.label)
  const left = Math.min(200, 14 + Math.max(...names.map((name) => labelWidth(name, fontPx))))
  const max = Math.max(...samples.map(({ total }) => total), 1)
  const million = max >= 2e6
  const x = scaleLinear([0, million ? max / 1e6 : max], [left, width - 20]).nice()
  const bottom = 8 + samples.length * rowPx
  return (
    <FigureFrame
      title={t('sizes.title')}
      name={`${dataset.id}-library-sizes`}
      method={t('sizes.method')}
      receipt={receipt}
      numbers={{
        rows: samples,
        rowKey: (one) => String(one.at),
        columns: [
          { key: 'sample', title: t('column.sample'), value: ({ at }) => dataset.samples[at]!.label },
          { key: 'total', title: t('column.total'), kind: 'number', value: ({ total }) => total },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={bottom + 46} label={t('sizes.title')}>
          <Axis
            side="bottom"
            scale={x}
            at={bottom}
            grid={4}
            name={million ? t('sizes.axisMillion') : t('sizes.axis')}
            within={[left - 10, width]}
          />
          {samples.map(({ at, group, total }, row) => (
            <g key={at}>
              <text
                x={left - 6}
                y={8 + (row + 0.5) * rowPx - 2}
                textAnchor="end"
                dominantBaseline="central"
                fontSize={fontPx}
              >
                {names[row]}
              </text>
              <rect
                x={left}
                y={8 + row * rowPx}
                width={Math.max(1, x(million ? total / 1e6 : total) - left)}
                height={rowPx - 6}
                fill={group === 'test' ? groupColours.test : categoryColour(0)}
              >
                <title>{`${names[row]}: ${format.number(total)}`}</title>
              </rect>
            </g>
          ))}
        </Drawing>
      </div>
    </FigureFrame>
  )
}
