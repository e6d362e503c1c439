import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/receipt.ts'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { categoryColour, viridis } from '../../kit/ui/palette.ts'
import type { TableColumn } from '../../kit/ui/result-table.tsx'
import messages from './messages.ts'
import type { CellResult } from './tool.ts'

export type GroupedGene = NonNullable<CellResult['genes']>[number]
type Levels = NonNullable<CellResult['group']>['levels']

/** A gene in a group: the numbers behind every figure here. */
export interface GroupRow {
  gene: GroupedGene
  group: string
  cells: number
  mean: number
  percent: number
}

export const groupRows = (genes: GroupedGene[], levels: Levels): GroupRow[] =>
  genes.flatMap((gene) =>
    gene.groups.map(({ mean, percent }, at) => ({
      gene,
      group: levels[at]!.name,
      cells: levels[at]!.cells,
      mean,
      percent,
    })),
  )

export const useGroupColumns = (): TableColumn<GroupRow>[] => {
  const t = useText(messages)
  return [
    { key: 'gene', title: t('column.gene'), kind: 'id', value: (one) => one.gene.id },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (one) => one.gene.symbol },
    { key: 'group', title: t('column.group'), value: (one) => one.group },
    { key: 'cells', title: t('column.cells'), kind: 'number', value: (one) => one.cells },
    { key: 'mean', title: t('column.mean'), kind: 'number', digits: 3, value: (one) => one.mean },
    { key: 'percent', title: t('column.percent'), kind: 'number', digits: 1, value: (one) => one.percent },
    { key: 'description', title: t('column.description'), long: true, value: (one) => one.gene.description },
  ]
}

const labelOf = ({ symbol, id }: GroupedGene): string => symbol ?? id
const textWidth = (texts: string[]): number =>
  Math.min(
    220,
    12 +
      Math.max(
        20,
        ...texts.map((text) => [...text].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e80 ? 12 : 6.8), 0)),
      ),
  )

/** A histogram as a smooth outline: a normal kernel as wide as one and a half steps, which few cells of one value need. */
const smooth = (histogram: number[]): number[] =>
  histogram.map((_, at) =>
    histogram.reduce((sum, count, other) => sum + count * Math.exp(-((at - other) ** 2) / (2 * 1.5 ** 2)), 0),
  )

/** Symmetric about 0: blue, white, orange, as Okabe and Ito's pair that everyone tells apart. */
const diverging = (z: number): string => {
  const part = Math.max(-1, Math.min(1, z / 2))
  const [r, g, b] = part < 0 ? [0, 114, 178] : [213, 94, 0]
  const mix = (one: number): number => Math.round(255 + (one - 255) * Math.abs(part))
  return `rgb(${mix(r!)}, ${mix(g!)}, ${mix(b!)})`
}

export const GroupFigure = ({
  kind,
  genes,
  levels,
  receipt,
  name,
}: {
  kind: 'dot' | 'violin' | 'heat'
  genes: GroupedGene[]
  levels: Levels
  receipt?: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const columns = useGroupColumns()
  const rows = groupRows(genes, levels)
  return (
    <FigureFrame
      title={t(`tab.${kind}`)}
      name={`${name}-${kind}`}
      method={t(`figure.${kind}Method`)}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{ columns, rows, rowKey: (one) => `${one.gene.id}/${one.group}` }}
    >
      <div className="sc-scroll">
        {kind === 'violin' ? (
          <Violins genes={genes} levels={levels} />
        ) : (
          <Grid kind={kind} genes={genes} levels={levels} />
        )}
      </div>
    </FigureFrame>
  )
}

const Grid = ({ kind, genes, levels }: { kind: 'dot' | 'heat'; genes: GroupedGene[]; levels: Levels }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const step = 24
  const left = textWidth(levels.map((level) => level.name))
  const top = textWidth(genes.map(labelOf))
  const right = 170
  const most = Math.max(1e-9, ...genes.flatMap(({ groups }) => groups.map(({ mean }) => mean)))
  const standard = genes.map(({ groups }) => {
    const mean = groups.reduce((sum, one) => sum + one.mean, 0) / groups.length
    const deviation = Math.sqrt(
      groups.reduce((sum, one) => sum + (one.mean - mean) ** 2, 0) / Math.max(1, groups.length - 1),
    )
    return groups.map((one) => (deviation > 0 ? (one.mean - mean) / deviation : 0))
  })
  const width = left + genes.length * step + right
  const height = Math.max(top + levels.length * step + 12, top + 150)
  const legendX = left + genes.length * step + 20
  return (
    <svg
      data-figure
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t(`tab.${kind}`)}
    >
      {genes.map((gene, at) => (
        <text
          key={gene.id}
          className="sc-axis sc-symbol"
          transform={`translate(${left + at * step + step / 2 + 4}, ${top - 6}) rotate(-90)`}
        >
          {labelOf(gene)}
        </text>
      ))}
      {levels.map((level, at) => (
        <text key={level.name} className="sc-axis" x={left - 6} y={top + at * step + step / 2 + 4} textAnchor="end">
          {level.name}
        </text>
      ))}
      {genes.map((gene, column) =>
        gene.groups.map(({ mean, percent }, row) => {
          const title = `${labelOf(gene)} · ${levels[row]!.name}: ${format.number(mean, 3)}, ${format.number(percent, 1)} %`
          const [x, y] = [left + column * step, top + row * step]
          return kind === 'dot' ? (
            <circle
              key={`${gene.id}/${levels[row]!.name}`}
              cx={x + step / 2}
              cy={y + step / 2}
              r={Math.sqrt(percent / 100) * (step / 2 - 1)}
              fill={viridis(mean / most)}
            >
              <title>{title}</title>
            </circle>
          ) : (
            <rect
              key={`${gene.id}/${levels[row]!.name}`}
              x={x}
              y={y}
              width={step - 1}
              height={step - 1}
              fill={diverging(standard[column]![row]!)}
            >
              <title>{title}</title>
            </rect>
          )
        }),
      )}
      <text className="sc-axis" x={legendX} y={top + 4}>
        {t(kind === 'dot' ? 'figure.mean' : 'figure.z')}
      </text>
      {Array.from({ length: 40 }, (_, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: steps of a scale
          key={at}
          x={legendX + at * 3}
          y={top + 10}
          width={3}
          height={10}
          fill={kind === 'dot' ? viridis(at / 39) : diverging((at / 39) * 4 - 2)}
        />
      ))}
      <text className="sc-axis" x={legendX} y={top + 34}>
        {kind === 'dot' ? '0' : '−2'}
      </text>
      <text className="sc-axis" x={legendX + 120} y={top + 34} textAnchor="end">
        {kind === 'dot' ? format.number(most, 2) : '2'}
      </text>
      {kind === 'dot' ? (
        <>
          <text className="sc-axis" x={legendX} y={top + 66}>
            {t('figure.percent')}
          </text>
          {[10, 50, 100].map((percent, at) => (
            <g key={percent}>
              <circle
                cx={legendX + 14 + at * 44}
                cy={top + 88}
                r={Math.sqrt(percent / 100) * (step / 2 - 1)}
                className="sc-dot"
              />
              <text className="sc-axis" x={legendX + 14 + at * 44} y={top + 116} textAnchor="middle">
                {percent}
              </text>
            </g>
          ))}
        </>
      ) : null}
    </svg>
  )
}

const Violins = ({ genes, levels }: { genes: GroupedGene[]; levels: Levels }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const band = 96
  const step = Math.max(26, Math.min(64, 900 / Math.max(1, levels.length)))
  const left = textWidth(genes.map(labelOf)) + 34
  const below = textWidth(levels.map((level) => level.name))
  const width = left + levels.length * step + 16
  const height = 8 + genes.length * band + below
  return (
    <svg
      data-figure
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('tab.violin')}
    >
      {genes.map((gene, row) => {
        const top = 8 + row * band
        const [least, most] = gene.range
        const reach = Math.max(1e-9, most - least)
        const y = (value: number): number => top + (band - 16) * (1 - (value - least) / reach)
        return (
          <g key={gene.id}>
            <line x1={left} x2={width - 16} y1={y(least)} y2={y(least)} className="sc-rule" />
            <text className="sc-axis sc-symbol" x={left - 36} y={top + band / 2} textAnchor="end">
              {labelOf(gene)}
            </text>
            {[least, most].map((value) => (
              <text
                key={value}
                className="sc-axis"
                x={left - 4}
                y={y(value) + (value === most ? 9 : 0)}
                textAnchor="end"
              >
                {format.number(value, 1)}
              </text>
            ))}
            {gene.groups.map(({ histogram, mean }, at) => {
              const outline = smooth(histogram)
              const widest = Math.max(1e-9, ...outline)
              const middle = left + at * step + step / 2
              const points = (side: 1 | -1): string[] =>
                outline.map((count, place) => {
                  const half = (count / widest) * (step / 2 - 2)
                  return `${middle + side * half},${y(least + ((place + 0.5) / outline.length) * reach)}`
                })
              return (
                <g key={levels[at]!.name}>
                  <polygon
                    points={[...points(1), ...points(-1).reverse()].join(' ')}
                    fill={categoryColour(at)}
                    className="sc-violin"
                  >
                    <title>{`${labelOf(gene)} · ${levels[at]!.name}: ${format.number(mean, 3)}`}</title>
                  </polygon>
                  <line x1={middle - 8} x2={middle + 8} y1={y(mean)} y2={y(mean)} className="sc-mean" />
                </g>
              )
            })}
          </g>
        )
      })}
      {levels.map((level, at) => (
        <text
          key={level.name}
          className="sc-axis"
          textAnchor="end"
          transform={`translate(${left + at * step + step / 2 + 4}, ${14 + genes.length * band}) rotate(-90)`}
        >
          {level.name}
        </text>
      ))}
    </svg>
  )
}
