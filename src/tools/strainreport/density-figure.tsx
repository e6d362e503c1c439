import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { fittingLabels } from '../../kit/ui/figures/fitting-labels.ts'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { densityRows } from './density-rows.ts'
import messages from './messages.ts'
import type { Density } from './tool.ts'

const panelPx = 92
const gapPx = 26

/** SNPs and indels in windows along the assembly that the two are aligned on. */
export const DensityFigure = ({
  density,
  isReference,
  receipt,
}: {
  density: Density
  isReference: boolean
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const [root, width] = useWidth<HTMLDivElement>()
  const { assembly } = density
  const rows = densityRows(density)
  const [left, right] = [62, width - 14]
  const many = density.sequences.length > 1
  const total = density.sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  const gapBp = many ? Math.min(0.006, 0.2 / density.sequences.length) * total : 0
  const starts = new Map<string, number>()
  let end = 0
  for (const { name, lengthBp } of density.sequences) {
    starts.set(name, end)
    end += lengthBp + gapBp
  }
  const x = scaleLinear([0, Math.max(1, end - gapBp)], [left, right])
  const panels = (['snps', 'indels'] as const).filter((one) => one === 'indels' || density.toldApart)
  const yOf = (number: number): number => 10 + number * (panelPx + gapPx)
  const bottom = yOf(panels.length - 1) + panelPx
  const nameY = bottom + 14
  const axisY = bottom + (many ? 22 : 4)
  const names = density.sequences.map(({ name, lengthBp }) => ({ text: name, at: x(starts.get(name)! + lengthBp / 2) }))
  const fits = fittingLabels(names, 11, left - 30, right + 12)
  const title = isReference ? t('density.title') : t('density.titleStrain', { assembly: nameOf(assembly) })
  return (
    <FigureFrame
      title={title}
      name={`strain-density-${assembly}`}
      receipt={receipt}
      method={[
        t('density.method', { window: format.basePairs(density.windowBp) }),
        ...(density.omitted === 0 ? [] : [t('drawn.omitted', { count: density.omitted })]),
      ].join(' ')}
      numbers={{
        rows,
        rowKey: ({ sequence, start }) => `${sequence}-${start}`,
        columns: [
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            value: ({ sequence }) => sequence,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
          { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
          { key: 'end', title: t('column.end'), kind: 'number', value: (one) => one.end },
          { key: 'compared', title: t('column.compared'), kind: 'number', value: ({ comparedBp }) => comparedBp },
          {
            key: 'snps',
            title: t('column.substitutions'),
            kind: 'number',
            value: ({ substitutions }) => (density.toldApart ? substitutions : null),
          },
          { key: 'rate', title: t('density.snps'), kind: 'number', digits: 2, value: ({ snps }) => snps },
          { key: 'insertions', title: t('column.insertions'), kind: 'number', value: ({ insertions }) => insertions },
          { key: 'deletions', title: t('column.deletions'), kind: 'number', value: ({ deletions }) => deletions },
          { key: 'indels', title: t('density.indels'), kind: 'number', digits: 3, value: ({ indels }) => indels },
        ],
      }}
    >
      <div ref={root} className="strain-figure">
        <svg data-figure width={width} height={axisY + 42} role="img" aria-label={title}>
          {panels.map((panel, number) => {
            const most = Math.max(1e-9, ...rows.map((one) => one[panel] ?? 0))
            const y = scaleLinear([0, most], [yOf(number) + panelPx, yOf(number)]).nice()
            return (
              <g key={panel}>
                <Axis side="left" scale={y} at={left} grid={right} name={t(`density.${panel}`)} />
                {rows.map((one) => {
                  const value = one[panel]
                  if (value === null || value === 0) return null
                  const start = starts.get(one.sequence)!
                  const [from, to] = [x(start + one.start - 1), x(start + one.end)]
                  return (
                    <rect
                      key={`${one.sequence}-${one.start}`}
                      x={from}
                      width={Math.max(0.6, to - from - 0.4)}
                      y={y(value)}
                      height={y(0) - y(value)}
                      fill={categoryColour(panel === 'snps' ? 0 : 5)}
                    >
                      <title>{`${regionOf(assembly, one)}: ${format.number(value, 2)}`}</title>
                    </rect>
                  )
                })}
              </g>
            )
          })}
          {many
            ? names.map(({ text, at }, number) =>
                fits[number] ? (
                  <text
                    key={text}
                    x={at}
                    y={nameY}
                    textAnchor="middle"
                    fontSize={11}
                    fontStyle={styleOf(assembly, text)}
                  >
                    {text}
                  </text>
                ) : null,
              )
            : null}
          <Axis side="bottom" scale={x} at={axisY} positions name={(unit) => t('density.axis', { unit })} />
        </svg>
      </div>
    </FigureFrame>
  )
}
