import { interpolateReds, scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { Segmented } from '../../../kit/ui/controls/field.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { ColourScale, Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { ConsequenceMark, consequenceColour, useImpactLegend } from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { changesOf } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { VariationResult } from '../tool.ts'

const left = 14
const linksPx = 46

export const LdView = ({ result, receipt }: { result: VariationResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const [measure, setMeasure] = useState<'r2' | 'dPrime'>('r2')
  const [root, given] = useWidth<HTMLDivElement>()
  const labelOf = useSequenceLabel()
  const impactLegend = useImpactLegend()
  const ld = result.ld!
  const { sites } = ld
  if (sites.length < 2) return <EmptyState title={t('ld.none')} why={t('ld.noneWhy')} />
  const locus = ld.loci[0]!
  const width = Math.max(360, given)
  const inner = width - 2 * left
  const step = inner / sites.length
  const legend = impactLegend(sites.map(({ consequence }) => consequence))
  const axisTop = 50 + legendHeight(legend, inner)
  const top = axisTop + linksPx
  const height = top + inner / 2 + 46
  const [from, to] = [
    Math.min(...sites.map(({ position }) => position)),
    Math.max(...sites.map(({ position }) => position)),
  ]
  const alongAxis = (position: number): number =>
    left + (from === to ? inner / 2 : ((position - from) / (to - from)) * inner)
  const values = ld[measure]
  const pairs: { a: number; b: number; value: number | null; other: number | null; at: number }[] = []
  let at = 0
  for (let a = 0; a < sites.length; a += 1)
    for (let b = a + 1; b < sites.length; b += 1, at += 1)
      pairs.push({ a, b, value: values[at]!, other: ld[measure === 'r2' ? 'dPrime' : 'r2'][at]!, at })
  const geneOf = (number: number): string | null => sites[number]!.symbol ?? sites[number]!.gene ?? null
  const changeOf = (number: number): string => changesOf([sites[number]!])
  /** Its gene, what it changes in the protein, and its position. */
  const nameOf = (number: number): string =>
    [
      geneOf(number),
      changeOf(number),
      regionOf(result.assembly, { sequence: locus.sequence, start: sites[number]!.position }),
    ]
      .filter((part) => part !== null && part !== '')
      .join(' ')
  const label = measure === 'r2' ? 'r²' : 'D′'
  return (
    <FigureFrame
      title={t('figure.ld')}
      aside={t(`phase.${ld.phase}`)}
      name={`${result.assembly}-${locus.sequence}-${locus.start}-${locus.end}-ld`}
      receipt={receipt}
      method={t('figure.ldMethod')}
      actions={
        ld.phase === 'none' ? undefined : (
          <Segmented
            label={t('figure.measure')}
            value={measure}
            options={[
              { value: 'r2', label: 'r²' },
              { value: 'dPrime', label: 'D′' },
            ]}
            onChoose={(value) => setMeasure(value as 'r2')}
          />
        )
      }
      numbers={{
        rows: pairs,
        rowKey: ({ a, b }) => `${a}-${b}`,
        columns: [
          { key: 'a', title: `${t('column.position')} 1`, kind: 'number', value: ({ a }) => sites[a]!.position },
          { key: 'geneA', title: `${t('column.gene')} 1`, kind: 'symbol', value: ({ a }) => geneOf(a) },
          { key: 'changeA', title: `${t('column.change')} 1`, kind: 'id', value: ({ a }) => changeOf(a) },
          { key: 'b', title: `${t('column.position')} 2`, kind: 'number', value: ({ b }) => sites[b]!.position },
          { key: 'geneB', title: `${t('column.gene')} 2`, kind: 'symbol', value: ({ b }) => geneOf(b) },
          { key: 'changeB', title: `${t('column.change')} 2`, kind: 'id', value: ({ b }) => changeOf(b) },
          {
            key: 'distance',
            title: t('column.distance'),
            kind: 'number',
            value: ({ a, b }) => sites[b]!.position - sites[a]!.position,
          },
          { key: 'r2', title: 'r²', kind: 'number', digits: 6, value: (pair) => ld.r2[pair.at] ?? null },
          { key: 'dPrime', title: 'D′', kind: 'number', digits: 6, value: (pair) => ld.dPrime[pair.at] ?? null },
        ],
      }}
    >
      <div ref={root} className="variation-figure">
        <Drawing width={width} height={height} label={t('figure.ld')}>
          <Legend entries={legend} x={left} y={2} width={inner} />
          <Axis
            side="top"
            scale={scaleLinear([from, to], [left, left + inner])}
            at={axisTop}
            within={[0, width]}
            positions
            name={(unit) => t('figure.position', { sequence: labelOf(result.assembly, locus.sequence), unit })}
          />
          {sites.map((site, number) => (
            <g key={site.row}>
              <line
                x1={alongAxis(site.position)}
                x2={left + (number + 0.5) * step}
                y1={axisTop}
                y2={top}
                stroke={consequenceColour(site.consequence)}
                strokeOpacity={0.7}
              />
              <g>
                <title>{`${nameOf(number)} ${site.reference}>${site.alternates.join(',')} ${format.number(site.frequency, 3)}`}</title>
                <ConsequenceMark name={site.consequence} x={alongAxis(site.position)} y={axisTop} />
              </g>
            </g>
          ))}
          {pairs.map(({ a, b, value }) => {
            const x = left + ((a + b + 1) / 2) * step
            const y = top + ((b - a) / 2) * step
            const half = step / 2
            return (
              <path
                key={`${a}-${b}`}
                d={`M${x} ${y - half}L${x + half} ${y}L${x} ${y + half}L${x - half} ${y}Z`}
                fill={value === null ? 'var(--line)' : interpolateReds(0.06 + 0.94 * value)}
              >
                <title>{`${nameOf(a)} – ${nameOf(b)}: ${label} = ${value === null ? '–' : format.number(value, 3)}`}</title>
              </path>
            )
          })}
          <ColourScale
            x={left}
            y={height - 40}
            colour={(share) => interpolateReds(0.06 + 0.94 * share)}
            ends={['0', '1']}
            title={label}
          />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
