import { scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { CategoryTextures, categoryFill, useTextureId } from '../../kit/ui/figures/category-marks.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useConsequenceName } from '../../kit/ui/gene/consequence-mark.tsx'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { FeatureMark, featureCategory } from './feature-mark.tsx'
import { featureColumns, tabledRows } from './feature-table.tsx'
import {
  alignedRuns,
  colourGroups,
  groupOf,
  isColoured,
  labelOf,
  plainRuns,
  summarizeFeatures,
} from './lay-features.ts'
import messages from './messages.ts'
import type { ProteinResult } from './tool.ts'

const rowPx = 24
const axisPx = 46
const narrowest = 300
const firstDrawn = 40

/** Proteins beneath each other, one a row: to the columns of their alignment where there is one, else from their first residues on. */
export const FamilyFigure = ({
  result,
  name,
  receipt,
}: {
  result: Pick<ProteinResult, 'proteins' | 'columns'>
  name: string
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const consequenceName = useConsequenceName()
  const figure = useTextureId()
  const [root, given] = useWidth<HTMLDivElement>()
  const [count, setCount] = useState(firstDrawn)
  const { proteins, columns } = result
  const rows = useMemo(
    () =>
      proteins.map((protein) => ({
        protein,
        features: summarizeFeatures(protein.features),
        runs: protein.row === null ? plainRuns : alignedRuns(protein.row),
      })),
    [proteins],
  )
  const groups = colourGroups(rows.flatMap(({ features }) => features))
  const numbers = new Map(groups.map(({ group }, at) => [group, at]))
  const width = Math.max(narrowest, given)
  const titleOf = ({ symbol, gene }: (typeof proteins)[number]): string => symbol ?? gene
  const rowLabel = (protein: (typeof proteins)[number]): string => `${titleOf(protein)} · ${nameOf(protein.assembly)}`
  const longest = Math.max(40, ...proteins.map((protein) => labelWidth(rowLabel(protein), 11) + 14))
  const left = Math.min(longest, width < 560 ? 104 : 240)
  const span = columns ?? Math.max(1, ...proteins.map(({ length }) => length))
  const x = scaleLinear([0.5, span + 0.5], [left, width - 16])
  const legend: LegendEntry[] = groups.map(({ group, label }, at) => ({
    key: group,
    label: label.length > 48 ? `${label.slice(0, 46)}…` : label,
    title: `${group} ${label}`,
    colour: categoryFill(figure, featureCategory(at)),
  }))
  const head = legendHeight(legend, width - left)
  const drawn = rows.slice(0, count)
  const bottom = head + drawn.length * rowPx + 4
  const title = t(columns === null ? 'family.plainTitle' : 'family.title')
  return (
    <FigureFrame
      title={title}
      name={name}
      method={t(columns === null ? 'family.plainMethod' : 'family.method')}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{
        rows: proteins
          .flatMap(tabledRows)
          .map((row, at) => ({ ...row, key: `${row.protein.assembly} ${row.key} ${at}` })),
        rowKey: ({ key }) => key,
        columns: featureColumns({ t, consequenceName, several: true }),
      }}
    >
      <div ref={root} className="protein-figure">
        <Drawing width={width} height={bottom + axisPx} label={title}>
          <Legend entries={legend} x={left} y={0} width={width - left} />
          {drawn.map(({ protein, features, runs }, at) => {
            const y = head + at * rowPx + rowPx / 2
            const label = rowLabel(protein)
            const letters = Math.floor((left - 14) / (labelWidth(label, 11) / label.length))
            return (
              <g key={`${protein.assembly} ${protein.transcript}`}>
                <Link to={geneAddress(protein.gene, protein.assembly)} className="protein-row">
                  <title>{`${protein.gene} ${nameOf(protein.assembly)}, ${t('figure.length', { length: protein.length })}`}</title>
                  <text x={left - 8} y={y} textAnchor="end" dominantBaseline="central" fontSize={11}>
                    {label.length <= letters ? label : `${label.slice(0, Math.max(1, letters - 1))}…`}
                  </text>
                </Link>
                <path
                  d={`M${x(0.5)},${y}H${x(span + 0.5)}`}
                  stroke="var(--figure-axis)"
                  strokeOpacity={0.25}
                  strokeWidth={1}
                />
                {runs(1, protein.length).map(([first, last]) => (
                  <rect
                    key={first}
                    x={x(first + 0.5)}
                    width={Math.max(0.5, x(last + 1.5) - x(first + 0.5))}
                    y={y - 2}
                    height={4}
                    fill="var(--figure-axis)"
                    fillOpacity={0.7}
                  />
                ))}
                {features.map((feature) => (
                  <g key={`${feature.analysis} ${feature.accession} ${feature.start}`}>
                    <title>
                      {t('feature.label', {
                        name: labelOf(feature),
                        analysis: feature.analysis,
                        kind: t(`kind.${feature.kind}`),
                        start: feature.start,
                        end: feature.end,
                      })}
                    </title>
                    <FeatureMark
                      feature={feature}
                      label={labelOf(feature)}
                      category={isColoured(feature) ? featureCategory(numbers.get(groupOf(feature)) ?? -1) : -1}
                      figure={figure}
                      runs={runs(feature.start, feature.end).map(
                        ([first, last]) => [x(first + 0.5), x(last + 1.5)] as const,
                      )}
                      y={y}
                    />
                  </g>
                ))}
              </g>
            )
          })}
          <Axis
            side="bottom"
            scale={x}
            at={bottom}
            name={t(columns === null ? 'axis.residues' : 'axis.columns')}
            whole
            within={[left - 14, width]}
          />
          <CategoryTextures figure={figure} count={featureCategory(Math.max(0, groups.length - 1)) + 1} />
        </Drawing>
        {rows.length > drawn.length ? (
          <p className="nv-quiet">
            {t('family.cut', { shown: drawn.length, total: rows.length })}{' '}
            <Button size="small" onClick={() => setCount(rows.length)}>
              {t('family.all')}
            </Button>
          </p>
        ) : null}
      </div>
    </FigureFrame>
  )
}
