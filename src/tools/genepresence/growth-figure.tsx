import { line, scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { Presence } from './tool.ts'

const height = 320

/** Pan-genome and core as genomes are added, by DNA beside what is annotated. */
export const GrowthFigure = ({ result, receipt }: { result: Presence; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const { dna, annotated } = result.growth
  const series = [
    { key: 'panDna', values: dna.pan, colour: categoryColour(0), dash: '' },
    { key: 'panGenes', values: annotated.pan, colour: categoryColour(0), dash: '5 4' },
    { key: 'coreDna', values: dna.core, colour: categoryColour(5), dash: '' },
    { key: 'coreGenes', values: annotated.core, colour: categoryColour(5), dash: '5 4' },
  ] as const
  const count = dna.pan.length
  const every = series.flatMap(({ values }) => values)
  const [min, max] = [Math.min(...every), Math.max(...every)]
  const [left, right, top, bottom] = [70, width - 16, 12, height - 46]
  const x = scaleLinear([1, Math.max(2, count)], [left + 8, right - 8])
  const y = scaleLinear([Math.max(0, min - (max - min) * 0.12), max], [bottom, top]).nice()
  const legend = series.map(({ key, colour, dash }) => ({ key, label: t(`growth.${key}`), colour, dash }))
  return (
    <FigureFrame
      title={t('growth.title')}
      name="gene-presence-growth"
      receipt={receipt}
      method={t('growth.method')}
      numbers={{
        rows: dna.pan.map((_, at) => at + 1),
        rowKey: String,
        columns: [
          { key: 'n', title: t('growth.n'), kind: 'number', value: (n) => n },
          ...series.map(({ key, values }) => ({
            key,
            title: t(`growth.${key}`),
            kind: 'number' as const,
            digits: 1,
            value: (n: number) => values[n - 1] ?? null,
          })),
        ],
      }}
    >
      <div ref={root} className="presence-figure">
        <svg
          data-figure
          width={width}
          height={height + legendHeight(legend, width)}
          role="img"
          aria-label={t('growth.title')}
        >
          <Axis side="left" scale={y} at={left} grid={right} name={t('growth.y')} whole />
          <Axis side="bottom" scale={x} at={bottom} name={t('growth.x')} whole />
          {series.map(({ key, values, colour, dash }) => (
            <g key={key}>
              <path
                d={
                  line<number>()
                    .x((_, at) => x(at + 1))
                    .y((value) => y(value))([...values]) ?? ''
                }
                fill="none"
                stroke={colour}
                strokeWidth={2}
                {...(dash === '' ? {} : { strokeDasharray: dash })}
              />
              {values.map((value, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is its number of genomes.
                <circle key={at} cx={x(at + 1)} cy={y(value)} r={2.6} fill={colour}>
                  <title>{`${t(`growth.${key}`)}, ${at + 1}: ${format.number(value, 1)}`}</title>
                </circle>
              ))}
            </g>
          ))}
          <Legend entries={legend} width={width} y={height} />
        </svg>
      </div>
    </FigureFrame>
  )
}
