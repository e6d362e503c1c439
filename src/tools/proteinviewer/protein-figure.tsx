import { scaleLinear } from 'd3'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { PlacedRun } from '../../bio/structure/structure-places.ts'
import { impactOf, impacts } from '../../bio/variation/consequences.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { CategoryTextures, categoryFill, useTextureId } from '../../kit/ui/figures/category-marks.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { nameMarks, namePx } from '../../kit/ui/figures/mark-names.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import {
  ConsequenceMark,
  consequenceColour,
  useConsequenceName,
  useImpactLegend,
} from '../../kit/ui/gene/consequence-mark.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { FeatureMark, featureCategory } from './feature-mark.tsx'
import { featureColumns, type TabledRow, tabledRows } from './feature-table.tsx'
import { colourGroups, groupOf, isColoured, labelOf, layRows } from './lay-features.ts'
import messages from './messages.ts'
import { SelectionLine } from './selection-line.tsx'
import type { Feature, Protein, ProteinVariant } from './tool.ts'

/** Residues that the reader chose, in the figure or in the structure. */
export interface Selection {
  start: number
  end: number
  feature?: Feature
  variant?: ProteinVariant
}

const rowPx = 22
const levelPx = 16
const axisPx = 46
const right = 16
const narrowest = 300

/** By HGVS, without the brackets of what is predicted: the figure's method says that changes are. */
const writtenChange = ({ change }: ProteinVariant): string => change.replace(/^p\.\((.*)\)$/, 'p.$1')

const isSame = (one: Selection | null, other: Selection): boolean =>
  one !== null && one.feature === other.feature && one.variant === other.variant && one.start === other.start

/** A protein to scale: variants by residue, domains and other features in rows by database, and what a structure shows of it. */
export const ProteinFigure = ({
  protein,
  selection,
  onSelect,
  structure,
  receipt,
  isOneOfSeveral = false,
}: {
  protein: Protein
  /** Of several genes: each figure says of which. */
  isOneOfSeveral?: boolean
  selection: Selection | null
  onSelect: (selection: Selection | null) => void
  /** Residues that the structure in view has. */
  structure?: { name: string; runs: readonly PlacedRun[] }
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const consequenceName = useConsequenceName()
  const impactLegend = useImpactLegend()
  const [root, given] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<Selection | null>(null)
  const figure = useTextureId()
  const width = Math.max(narrowest, given)
  const { features, variants, length } = protein
  const rows = layRows(features)
  const groups = colourGroups(features)
  const numbers = new Map(groups.map(({ group }, at) => [group, at]))
  const analysisLabel = (analysis: string): string => analysis.replace(/^(SignalP)_.*$/i, '$1')
  const names = [...rows.flatMap(({ analysis }) => (analysis === null ? [] : [analysisLabel(analysis)]))]
  if (variants.length > 0) names.push(t('row.variants'))
  if (structure !== undefined) names.push(t('row.structure'))
  const left = Math.min(width < 520 ? 96 : 150, Math.max(20, ...names.map((name) => labelWidth(name, 11) + 14)))
  const x = scaleLinear([0.5, length + 0.5], [left, width - right])
  const coloured: LegendEntry[] = groups.map(({ group, label }, at) => ({
    key: group,
    label: label.length > 48 ? `${label.slice(0, 46)}…` : label,
    title: group === label ? label : `${group} ${label}`,
    colour: categoryFill(figure, featureCategory(at)),
  }))
  const legend = [...coloured, ...impactLegend(variants.map(({ consequence }) => consequence))]
  const head = legendHeight(legend, width - left)
  // Graver variants stand higher; a row each, so that a shape lies over none of another kind.
  const levels = impacts.filter((impact) => variants.some(({ consequence }) => impactOf(consequence) === impact))
  const stems = head + (variants.length === 0 ? 0 : levels.length * levelPx + 16)
  const yOf = (consequence: string): number => head + 10 + levels.indexOf(impactOf(consequence)) * levelPx
  /** What variants change, written beside them where nothing lies. */
  const named = new Map(
    nameMarks(
      variants.map((variant) => ({
        x: x(variant.residue),
        y: yOf(variant.consequence),
        text: writtenChange(variant),
      })),
      left,
      width,
    ).map((name) => [variants[name.at], name]),
  )
  const bar = stems + 12
  const covered = bar + 16
  const firstRow = covered + (structure === undefined ? 0 : rowPx)
  const bottom = firstRow + rows.length * rowPx + 4
  const height = bottom + axisPx
  const button = (own: Selection, label: string) => ({
    className: 'protein-mark',
    role: 'button',
    tabIndex: 0,
    'aria-label': label,
    'aria-pressed': isSame(selection, own),
    onClick: () => onSelect(isSame(selection, own) ? null : own),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      onSelect(isSame(selection, own) ? null : own)
    },
    onPointerEnter: () => setPointed(own),
    onPointerLeave: () => setPointed(null),
    onFocus: () => setPointed(own),
    onBlur: () => setPointed(null),
  })
  const featureText = (feature: Feature): string =>
    t('feature.label', {
      name: labelOf(feature),
      analysis: feature.analysis,
      kind: t(`kind.${feature.kind}`),
      start: feature.start,
      end: feature.end,
    })
  const markLabel = (feature: Feature): string => {
    if (feature.kind !== 'topology') return labelOf(feature)
    const accession = feature.accession ?? ''
    // Parts of a signal peptide by their letters: n, h and c.
    const part = /_([NHC])_REGION$/i.exec(accession)?.[1]
    if (part !== undefined) return part.toLowerCase()
    return t(/non|out|extra|lumen|peri/i.test(accession) ? 'side.outside' : 'side.inside')
  }
  const shown = pointed ?? selection
  const label = t('figure.label', { protein: protein.protein ?? protein.transcript, length, features: features.length })
  const tabled = tabledRows(protein)
  return (
    <FigureFrame
      title={t('figure.title')}
      aside={[
        ...(isOneOfSeveral ? [protein.symbol ?? protein.gene, nameOf(protein.assembly)] : []),
        protein.transcript,
        t('figure.length', { length }),
      ].join(' · ')}
      name={`${protein.transcript}-features`}
      method={t(variants.length === 0 ? 'figure.method' : 'figure.methodVariants')}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{
        rows: tabled,
        rowKey: ({ key }: TabledRow) => key,
        columns: featureColumns({ t, consequenceName }),
      }}
    >
      <div ref={root} className="protein-figure">
        <Drawing width={width} height={height} label={label} title={label}>
          <Legend entries={legend} x={left} y={0} width={width - left} />
          {shown === null ? null : (
            <rect
              data-screen-only
              className="protein-band"
              x={x(shown.start - 0.5)}
              width={Math.max(2, x(shown.end + 0.5) - x(shown.start - 0.5))}
              y={head}
              height={bottom - head}
            />
          )}
          {variants.length === 0 ? null : (
            <text
              x={left - 8}
              y={head + 10}
              textAnchor="end"
              dominantBaseline="central"
              fontSize={11}
              fill="var(--figure-ink)"
            >
              {t('row.variants')}
            </text>
          )}
          {[...variants]
            .sort((a, b) => impacts.indexOf(impactOf(b.consequence)) - impacts.indexOf(impactOf(a.consequence)))
            .map((variant) => {
              const at = x(variant.residue)
              const own: Selection = { start: variant.residue, end: variant.residue, variant }
              const told = `${writtenChange(variant)} ${consequenceName(variant.consequence)}`
              const name = named.get(variant)
              return (
                <g
                  key={`${variant.set} ${variant.sequence} ${variant.position} ${variant.alternates.join()} ${variant.change}`}
                  {...button(own, told)}
                  tabIndex={variants.length > 300 ? -1 : 0}
                >
                  <title>{told}</title>
                  <path
                    d={`M${at},${bar}V${yOf(variant.consequence)}`}
                    stroke={consequenceColour(variant.consequence)}
                    strokeOpacity={0.45}
                  />
                  <ConsequenceMark name={variant.consequence} x={at} y={yOf(variant.consequence)} />
                  {name === undefined ? null : (
                    <text x={name.x} y={name.y} textAnchor={name.anchor} fontSize={namePx} fill="var(--figure-ink)">
                      {name.text}
                    </text>
                  )}
                </g>
              )
            })}
          <rect
            x={x(0.5)}
            y={bar - 3}
            width={x(length + 0.5) - x(0.5)}
            height={6}
            rx={3}
            fill="var(--figure-axis)"
            fillOpacity={0.55}
          />
          {structure === undefined ? null : (
            <g>
              <text
                x={left - 8}
                y={covered + rowPx / 2}
                textAnchor="end"
                dominantBaseline="central"
                fontSize={11}
                fill="var(--figure-ink)"
              >
                {t('row.structure')}
              </text>
              <title>{structure.name}</title>
              {structure.runs.map(({ residue, length: span }) => (
                <rect
                  key={residue}
                  x={x(residue - 0.5)}
                  width={Math.max(1, x(residue + span - 0.5) - x(residue - 0.5))}
                  y={covered + rowPx / 2 - 4}
                  height={8}
                  fill="none"
                  stroke="var(--figure-ink)"
                  strokeWidth={1.2}
                />
              ))}
            </g>
          )}
          {rows.map(({ analysis, features: own }, at) => {
            const y = firstRow + at * rowPx + rowPx / 2
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order.
              <g key={at}>
                {analysis === null ? null : (
                  <text
                    x={left - 8}
                    y={y}
                    textAnchor="end"
                    dominantBaseline="central"
                    fontSize={11}
                    fill="var(--figure-ink)"
                  >
                    <title>{analysis}</title>
                    {analysisLabel(analysis)}
                  </text>
                )}
                {own.map((feature) => (
                  <g
                    key={`${feature.accession} ${feature.start} ${feature.end} ${feature.name}`}
                    {...button({ start: feature.start, end: feature.end, feature }, featureText(feature))}
                  >
                    <title>{featureText(feature)}</title>
                    {/* What is pressed is as high as the row, so that a finger meets it. */}
                    <rect
                      x={x(feature.start - 0.5)}
                      width={Math.max(8, x(feature.end + 0.5) - x(feature.start - 0.5))}
                      y={y - rowPx / 2}
                      height={rowPx}
                      fill="transparent"
                    />
                    <FeatureMark
                      feature={feature}
                      label={markLabel(feature)}
                      category={isColoured(feature) ? featureCategory(numbers.get(groupOf(feature)) ?? -1) : -1}
                      figure={figure}
                      runs={[[x(feature.start - 0.5), x(feature.end + 0.5)]]}
                      y={y}
                    />
                  </g>
                ))}
              </g>
            )
          })}
          <Axis side="bottom" scale={x} at={bottom} name={t('axis.residues')} whole within={[left - 14, width]} />
          <CategoryTextures figure={figure} count={featureCategory(Math.max(0, groups.length - 1)) + 1} />
        </Drawing>
        <SelectionLine selection={shown} assembly={protein.assembly} />
        {protein.variantsCut ? (
          <p className="nv-quiet">{t('note.variantsCut', { count: format.number(variants.length) })}</p>
        ) : null}
      </div>
    </FigureFrame>
  )
}
