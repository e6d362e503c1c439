import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { TableColumn } from '../../kit/ui/table/result-table.tsx'
import { levelColour } from './cell-colours.ts'
import messages from './messages.ts'
import type { CellResult } from './tool.ts'

export type GroupedGene = NonNullable<CellResult['genes']>[number]
type Levels = NonNullable<CellResult['group']>['levels']
type Split = CellResult['split']

/** A gene in a group: the numbers behind every figure here. */
export interface GroupRow {
  gene: GroupedGene
  group: string
  /** Level of the second column; null for the group whole. */
  part: string | null
  cells: number
  mean: number
  percent: number
}

export const groupRows = (genes: GroupedGene[], levels: Levels, split: Split): GroupRow[] =>
  genes.flatMap((gene) =>
    gene.groups.flatMap(({ mean, percent, parts }, at) => {
      const group = { gene, group: levels[at]!.name }
      return [
        { ...group, part: null, cells: levels[at]!.cells, mean, percent },
        ...(split === null ? [] : (parts ?? [])).map((one, part) => ({
          ...group,
          part: split!.levels[part]!.name,
          cells: one.cells,
          mean: one.mean,
          percent: one.percent,
        })),
      ]
    }),
  )

export const useGroupColumns = (split: boolean): TableColumn<GroupRow>[] => {
  const t = useText(messages)
  return [
    { key: 'gene', title: t('column.gene'), kind: 'id', value: (one) => one.gene.id },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (one) => one.gene.symbol },
    { key: 'group', title: t('column.group'), value: (one) => one.group },
    ...(split ? [{ key: 'part', title: t('column.split'), value: (one: GroupRow) => one.part }] : []),
    { key: 'cells', title: t('column.cells'), kind: 'number', value: (one) => one.cells },
    { key: 'mean', title: t('column.mean'), kind: 'number', digits: 3, value: (one) => one.mean },
    { key: 'percent', title: t('column.percent'), kind: 'number', digits: 1, value: (one) => one.percent },
    { key: 'description', title: t('column.description'), long: true, value: (one) => one.gene.description },
  ]
}

export const labelOf = ({ symbol, id }: GroupedGene): string => symbol ?? id
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

/** Where a violin stands within its group's step: one alone in the middle, two back to back, more side by side. */
const violinPosition = (
  from: number,
  step: number,
  parts: number,
  part: number,
): { middle: number; half: number; sides: readonly (1 | -1)[] } =>
  parts === 2
    ? { middle: from + step / 2, half: step / 2 - 2, sides: [part === 0 ? -1 : 1] }
    : {
        middle: from + (step * (part + 0.5)) / parts,
        half: step / 2 / parts - (parts === 1 ? 2 : 0.5),
        sides: [-1, 1],
      }

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
  split,
  receipt,
  name,
}: {
  kind: 'dot' | 'violin' | 'heat'
  genes: GroupedGene[]
  levels: Levels
  split: Split
  receipt?: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const parted = kind === 'violin' ? split : null
  const columns = useGroupColumns(parted !== null)
  const rows = groupRows(genes, levels, parted).filter(({ part }) => parted !== null || part === null)
  return (
    <FigureFrame
      title={t(`tab.${kind}`)}
      name={`${name}-${kind}`}
      method={parted === null ? t(`figure.${kind}Method`) : t('figure.splitMethod', { name: parted.name })}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{ columns, rows, rowKey: (one) => `${one.gene.id}/${one.group}/${one.part ?? ''}` }}
    >
      <div className="sc-scroll">
        {kind === 'violin' ? (
          <Violins genes={genes} levels={levels} split={split} />
        ) : (
          <Grid kind={kind} genes={genes} levels={levels} />
        )}
      </div>
    </FigureFrame>
  )
}

/** Groups that stand side by side, with the genes below each other; more of them stand below each other. */
const maxColumns = 8

const Grid = ({ kind, genes, levels }: { kind: 'dot' | 'heat'; genes: GroupedGene[]; levels: Levels }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const step = 24
  const geneNames = genes.map((gene) => ({ key: gene.id, text: labelOf(gene), isSymbol: gene.symbol !== null }))
  const groupNames = levels.map(({ name }) => ({ key: name, text: name, isSymbol: false }))
  // Few groups stand side by side: so the figure has room beside a map and on a phone.
  const turned = levels.length <= maxColumns
  const [across, down] = turned ? [groupNames, geneNames] : [geneNames, groupNames]
  const left = textWidth(down.map(({ text }) => text))
  const top = textWidth(across.map(({ text }) => text))
  const right = 170
  const max = Math.max(1e-9, ...genes.flatMap(({ groups }) => groups.map(({ mean }) => mean)))
  const standard = genes.map(({ groups }) => {
    const mean = groups.reduce((sum, one) => sum + one.mean, 0) / groups.length
    const deviation = Math.sqrt(
      groups.reduce((sum, one) => sum + (one.mean - mean) ** 2, 0) / Math.max(1, groups.length - 1),
    )
    return groups.map((one) => (deviation > 0 ? (one.mean - mean) / deviation : 0))
  })
  const width = left + across.length * step + right
  const height = Math.max(top + down.length * step + 12, top + 150)
  const legendX = left + across.length * step + 20
  return (
    <svg
      data-figure
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t(`tab.${kind}`)}
    >
      {across.map(({ key, text, isSymbol }, at) => (
        <text
          key={key}
          className={isSymbol ? 'sc-axis sc-symbol' : 'sc-axis'}
          transform={`translate(${left + at * step + step / 2 + 4}, ${top - 6}) rotate(-90)`}
        >
          {text}
        </text>
      ))}
      {down.map(({ key, text, isSymbol }, at) => (
        <text
          key={key}
          className={isSymbol ? 'sc-axis sc-symbol' : 'sc-axis'}
          x={left - 6}
          y={top + at * step + step / 2 + 4}
          textAnchor="end"
        >
          {text}
        </text>
      ))}
      {genes.map((gene, geneAt) =>
        gene.groups.map(({ mean, percent }, groupAt) => {
          const [column, row] = turned ? [groupAt, geneAt] : [geneAt, groupAt]
          const title = `${labelOf(gene)} · ${levels[groupAt]!.name}: ${format.number(mean, 3)}, ${format.number(percent, 1)} %`
          const [x, y] = [left + column * step, top + row * step]
          return kind === 'dot' ? (
            <circle
              key={`${gene.id}/${levels[groupAt]!.name}`}
              cx={x + step / 2}
              cy={y + step / 2}
              r={Math.sqrt(percent / 100) * (step / 2 - 1)}
              fill={viridis(mean / max)}
            >
              <title>{title}</title>
            </circle>
          ) : (
            <rect
              key={`${gene.id}/${levels[groupAt]!.name}`}
              x={x}
              y={y}
              width={step - 1}
              height={step - 1}
              fill={diverging(standard[geneAt]![groupAt]!)}
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
        {kind === 'dot' ? format.number(max, 2) : '2'}
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

const Violins = ({ genes, levels, split }: { genes: GroupedGene[]; levels: Levels; split: Split }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const band = 96
  const parts = split?.levels.length ?? 1
  const step = Math.max(parts > 2 ? 12 * parts : 26, Math.min(64, 900 / Math.max(1, levels.length)))
  const left = textWidth(genes.map(labelOf)) + 44
  const below = textWidth(levels.map((level) => level.name))
  const width = Math.max(left + levels.length * step + 16, split === null ? 0 : left + parts * 130)
  const legend = split === null ? 0 : 22
  const height = 8 + genes.length * band + below + legend
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
        const [min, max] = gene.range
        const reach = Math.max(1e-9, max - min)
        const y = scaleLinear([min, min + reach], [top + band - 16, top]).nice(3)
        return (
          <g key={gene.id}>
            <Axis side="left" scale={y} at={left} grid={width - 16} />
            <text
              className={gene.symbol === null ? 'sc-axis' : 'sc-axis sc-symbol'}
              x={left - 44}
              y={top + band / 2}
              textAnchor="end"
            >
              {labelOf(gene)}
            </text>
            {gene.groups.map((one, at) => {
              const shapes = one.parts === null ? [{ ...one, cells: 1 }] : one.parts
              return shapes.map(({ histogram, mean, cells }, part) => {
                if (cells === 0) return null
                const own = levels[at]!.name + (split === null ? '' : ` · ${split.levels[part]!.name}`)
                const place = violinPosition(left + at * step, step, shapes.length, part)
                const outline = smooth(histogram)
                const widest = Math.max(1e-9, ...outline)
                const points = (side: 1 | -1): string[] =>
                  outline.map((count, level) => {
                    const half = place.sides.includes(side) ? (count / widest) * place.half : 0
                    return `${place.middle + side * half},${y(min + ((level + 0.5) / outline.length) * reach)}`
                  })
                return (
                  <g key={own}>
                    <polygon
                      points={[...points(1), ...points(-1).reverse()].join(' ')}
                      fill={levelColour(split === null ? at : part)}
                      className="sc-violin"
                    >
                      <title>{`${labelOf(gene)} · ${own}: ${format.number(mean, 3)}`}</title>
                    </polygon>
                    <line
                      x1={place.middle - (place.sides.includes(-1) ? Math.min(8, place.half) : 0)}
                      x2={place.middle + (place.sides.includes(1) ? Math.min(8, place.half) : 0)}
                      y1={y(mean)}
                      y2={y(mean)}
                      className="sc-mean"
                    />
                  </g>
                )
              })
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
      {(split?.levels ?? []).map((level, at) => (
        <g key={level.name} transform={`translate(${left + at * 130},${height - 14})`}>
          <rect width={11} height={11} rx={2} fill={levelColour(at)} />
          <text className="sc-axis" x={16} y={10}>
            {level.name.length > 16 ? `${level.name.slice(0, 15)}…` : level.name}
          </text>
        </g>
      ))}
    </svg>
  )
}
