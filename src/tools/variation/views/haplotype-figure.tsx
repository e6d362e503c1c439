import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { Axis, CategoryAxis } from '../../../kit/ui/figures/axis.tsx'
import { layCategoryLabels } from '../../../kit/ui/figures/category-labels.ts'
import { CategoryTextures, categoryEdge, categoryFill, useTextureId } from '../../../kit/ui/figures/category-marks.tsx'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { markPath, maxMarks } from '../../../kit/ui/figures/mark-shapes.ts'
import { otherColour } from '../../../kit/ui/figures/palette.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import {
  ConsequenceMark,
  consequenceColour,
  useConsequenceName,
  useImpactLegend,
} from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import type { TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { changesOf, populationCategory, populationTextures, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { HaplotypesResult } from '../tool.ts'
import { traitLabel } from '../trait-label.ts'
import { chooseDrawn } from './drawn-haplotypes.ts'
import { GeneModels, layModels, SiteLines } from './gene-models.tsx'
import { haplotypeColour } from './haplotype-colours.ts'
import { levelLegend, TraitColumn } from './trait-column.tsx'

const maxColumns = 120
const [plainRowPx, traitRowPx] = [20, 26]
/** Blocks stand under the genes, the trait's axis under the rows. */
const [blocksPx, traitAxisPx] = [20, 44]
const [leastTraitPx, widestTraitPx] = [240, 560]
const markPx = 18
/** The axis over the genes, the lines from places to columns, and the room at the right of both. */
const [axisPx, linesPx, modelRight] = [48, 26, 14]
const widestColumn = 64
const [leastBarPx, widestBarPx] = [90, 360]
/** Behind the longest bar: its number. */
const countPx = 50

type Row = HaplotypesResult['haplotypes'][number]

const alleleOf = (site: HaplotypesResult['sites'][number], allele: number): string =>
  allele === 0 ? site.reference : (site.alternates[allele - 1] ?? '?')

/** A long allele is longer (+) or shorter (−) than the reference, or as long (±). */
const writeAllele = (site: HaplotypesResult['sites'][number], allele: number): string => {
  const own = alleleOf(site, allele)
  if (own.length <= 2) return own
  return allele === 0 ? '·' : own.length > site.reference.length ? '+' : own.length < site.reference.length ? '−' : '±'
}

/** Haplotypes as rows: alleles by site under the genes and blocks, and beside each its copies by population and the trait. */
export const HaplotypeFigure = ({
  found,
  name,
  receipt,
  assembly,
  set,
  haploid,
  selected,
  onSelect,
}: {
  found: HaplotypesResult
  name: string
  receipt: Receipt
  assembly: string
  set: string
  /** Of one copy nothing is homozygous. */
  haploid: 'yes' | 'no'
  /** Place of the haplotype whose carriers are shown. */
  selected: number | null
  onSelect: (rank: number | null) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useConsequenceName()
  const labelOf = useSequenceLabel()
  const navigate = useNavigate()
  const figure = useTextureId()
  const sites = found.sites.slice(0, maxColumns)
  const { drawn, others } = chooseDrawn(found.haplotypes)
  const [root, given] = useWidth<HTMLDivElement>()
  const regionOf = useRegionLabel()
  const { phenotype } = found
  // Those compared with none of its values have no trait to draw.
  const hasTrait = phenotype !== null && phenotype.groups.length > 0
  const rowPx = hasTrait ? traitRowPx : plainRowPx
  const left = 64
  const beside = left + 16 + countPx
  const leastPx = leastBarPx + (hasTrait ? leastTraitPx : 0)
  const column = Math.max(8, Math.min(widestColumn, Math.floor((given - beside - leastPx) / Math.max(1, sites.length))))
  // What the sites leave is the bars' and the trait's.
  const room = Math.max(leastPx, given - beside - sites.length * column)
  const barPx = Math.max(
    leastBarPx,
    Math.min(widestBarPx, hasTrait ? Math.min(0.45 * room, room - leastTraitPx) : room),
  )
  const traitPx = hasTrait ? Math.max(leastTraitPx, Math.min(widestTraitPx, room - barPx)) : 0
  const width = Math.max(280, beside + sites.length * column + barPx + traitPx)
  const impactLegend = useImpactLegend()(sites.map(({ consequence }) => consequence))
  const populationLegend: LegendEntry[] = found.populations.map((population, at) => ({
    key: population.name,
    label: population.name,
    colour: categoryFill(figure, populationCategory(at)),
  }))
  const changes = sites.map((site) =>
    changesOf([{ ...site, consequences: site.consequences.length === 0 ? [site.consequence] : site.consequences }]),
  )
  const positions = sites.map(({ position }, at) => `${format.number(position)} ${changes[at]}`.trim())
  const siteLabels = layCategoryLabels(positions, column, { fontPx: 11, maxRoomPx: 160 })
  const legendTop = 4
  // Over the sites the sequence they lie on, to scale, with its genes.
  const spanBp = Math.max(1, found.locus.end - found.locus.start)
  const scale = scaleLinear([found.locus.start, found.locus.start + spanBp], [left, width - modelRight])
  const laid = layModels(found.models ?? [], scale, left, width - modelRight)
  const modelTop = legendTop + legendHeight(impactLegend, width - left)
  const blocks = found.blocks?.blocks ?? []
  const blocksTop = modelTop + axisPx + laid.heightPx
  const linesTop = blocksTop + (blocks.length === 0 ? 0 : blocksPx)
  const labelsTop = linesTop + linesPx
  const headPx = labelsTop + siteLabels.roomPx + markPx
  const bottom = headPx + drawn.length * rowPx
  const levels = hasTrait && phenotype.method === 'table' ? levelLegend(phenotype.levels ?? []) : []
  const below = bottom + 8 + (hasTrait ? traitAxisPx : 0)
  const legendPx = legendHeight(populationLegend, width - left)
  const height = below + legendPx + legendHeight(levels, width - left)
  const colourOf = haplotypeColour(found.populations.length)
  const traitName = phenotype === null ? '' : traitLabel(format, phenotype)
  const groupOf = new Map(phenotype?.groups.map((group) => [found.haplotypes[group.haplotype]?.name, group]))
  const choose = (rank: number): void => onSelect(selected === rank ? null : rank)
  const method = [
    t('figure.haplotypesMethod', { haploid }),
    ...(hasTrait ? [t(phenotype.method === 'table' ? 'figure.levelsMethod' : 'figure.traitMethod', { haploid })] : []),
    ...(hasTrait && phenotype.pairs.length > 0
      ? [t('figure.lettersMethod', { pairs: t(`pairs.${phenotype.method}`) })]
      : []),
  ].join(' ')
  const max = Math.max(1, ...drawn.map(({ copies }) => copies))
  const figuresOf = (row: Row) => groupOf.get(row.name)?.figures
  const traitColumns: TableColumn<Row>[] = !hasTrait
    ? []
    : [
        ...(phenotype.method === 'table'
          ? (phenotype.levels ?? []).map(
              (level, at): TableColumn<Row> => ({
                key: `level-${at}`,
                title: level,
                kind: 'number',
                value: (row) => groupOf.get(row.name)?.levelCounts?.[at],
              }),
            )
          : ([
              { key: 'n', title: t('column.n'), kind: 'number', value: (row) => figuresOf(row)?.n },
              { key: 'mean', title: t('column.mean'), kind: 'number', digits: 4, value: (row) => figuresOf(row)?.mean },
              {
                key: 'sd',
                title: t('column.deviation'),
                kind: 'number',
                digits: 4,
                value: (row) => figuresOf(row)?.deviation,
              },
              {
                key: 'median',
                title: t('column.median'),
                kind: 'number',
                digits: 4,
                value: (row) => figuresOf(row)?.median,
              },
            ] satisfies TableColumn<Row>[])),
        { key: 'letters', title: t('column.letters'), value: (row) => groupOf.get(row.name)?.letters },
      ]
  return (
    <FigureFrame
      title={t('figure.haplotypes', { gene: name })}
      name={`${name}-haplotypes`}
      receipt={receipt}
      method={method}
      aside={<SimulatedTag simulated={hasTrait && phenotype.simulated} />}
      numbers={{
        rows: found.haplotypes,
        rowKey: (row: Row) => row.name,
        columns: [
          { key: 'haplotype', title: t('column.haplotype'), value: (row) => row.name },
          ...found.sites.slice(0, maxColumns).map(
            (site, at): TableColumn<Row> => ({
              key: `site-${site.row}`,
              title: format.number(site.position),
              kind: 'id',
              value: (row) => alleleOf(site, row.alleles[at]!),
            }),
          ),
          { key: 'copies', title: t('column.copies'), kind: 'number', value: (row) => row.copies },
          ...found.populations.map(
            (population, at): TableColumn<Row> => ({
              key: `population-${at}`,
              title: population.name,
              kind: 'number',
              value: (row) => row.byPopulation[at]!,
            }),
          ),
          ...(hasTrait ? traitColumns : []),
        ],
      }}
    >
      <div ref={root} />
      <Drawing width={width} height={height} label={t('figure.haplotypes', { gene: name })} scroll="variation-scroll">
        <CategoryTextures figure={figure} count={populationTextures(found.populations.length)} />
        <Legend entries={impactLegend} x={left} y={legendTop} width={width - left} />
        <Axis
          side="bottom"
          scale={scale}
          at={modelTop + 4}
          positions
          name={(unit) => t('figure.position', { sequence: labelOf(assembly, found.locus.sequence), unit })}
        />
        <GeneModels
          placed={laid.placed}
          assembly={assembly}
          x={scale}
          left={left}
          right={width - modelRight}
          top={modelTop + axisPx}
        />
        {blocks.map((block, at) => {
          const from = scale(block.start)
          const wide = Math.max(3, scale(block.end + 1) - from)
          const told = `B${at + 1}`
          const address = variationAddress({
            task: 'haplotypes',
            assembly,
            set,
            region: `${found.locus.sequence}:${block.start}..${block.end}`,
            ...(found.blocks === null || found.blocks === undefined ? {} : { blocks: found.blocks.rule }),
            ...(phenotype === null ? {} : { trait: `${phenotype.set}|${phenotype.trait}` }),
          })
          return (
            <a
              key={block.start}
              className="variation-block"
              href={address}
              aria-label={t('blocks.block', {
                name: told,
                region: regionOf(assembly, { sequence: found.locus.sequence, start: block.start, end: block.end }),
                sites: block.sites,
              })}
              onClick={(event) => {
                event.preventDefault()
                navigate(address)
              }}
            >
              <title>
                {t('blocks.block', {
                  name: told,
                  region: regionOf(assembly, { sequence: found.locus.sequence, start: block.start, end: block.end }),
                  sites: block.sites,
                })}
              </title>
              <rect
                x={from}
                y={blocksTop + 3}
                width={wide}
                height={13}
                rx={3}
                fill="var(--figure-grid)"
                stroke="var(--figure-axis)"
              />
              {wide < 24 ? null : (
                <text
                  x={from + wide / 2}
                  y={blocksTop + 10}
                  fontSize={10}
                  textAnchor="middle"
                  dominantBaseline="central"
                  fill="var(--figure-ink)"
                >
                  {told}
                </text>
              )}
            </a>
          )
        })}
        <SiteLines
          sites={sites.map(({ position }, at) => ({
            place: scale(position),
            column: left + (at + 0.5) * column,
          }))}
          from={linesTop}
          to={labelsTop - 2}
          through={modelTop + axisPx - 4}
        />
        {sites.map((site, at) => (
          <ConsequenceMark
            key={site.row}
            name={site.consequence}
            x={left + (at + 0.5) * column}
            y={headPx - markPx / 2}
          />
        ))}
        <CategoryAxis
          side="top"
          labels={siteLabels}
          names={sites.map(
            (site, at) =>
              `${format.number(site.position)} ${site.reference}>${site.alternates.join(',')} ${nameOf(site.consequence)} ${changes[at]}`,
          )}
          place={(at) => left + (at + 0.5) * column}
          at={headPx - markPx}
          wrap={(at, label) => {
            const address = variationAddress({ assembly, set, id: sites[at]!.key })
            return (
              <a
                href={address}
                onClick={(event) => {
                  event.preventDefault()
                  navigate(address)
                }}
              >
                {label}
              </a>
            )
          }}
        />
        <text x={left + sites.length * column + 16} y={headPx - 6} fontSize={11} fill="var(--figure-axis)">
          {t('column.copies')}
        </text>
        {drawn.map((row, at) => {
          const y = headPx + at * rowPx
          const barLeft = left + sites.length * column + 16
          let filled = 0
          const total = row.byPopulation.reduce((sum, count) => sum + count, 0)
          return (
            // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own.
            <g
              key={row.name}
              className="variation-row"
              role="button"
              tabIndex={0}
              aria-pressed={selected === at}
              aria-description={t('carriers.select', { haplotype: row.name })}
              opacity={selected === null || selected === at ? 1 : 0.45}
              onClick={() => choose(at)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return
                event.preventDefault()
                choose(at)
              }}
            >
              <rect className="variation-row-ground" x={2} y={y} width={width - 4} height={rowPx} />
              <path
                transform={`translate(${left - 14},${y + rowPx / 2})`}
                d={markPath(Math.min(at, maxMarks - 1))}
                fill={colourOf(at)}
                stroke="var(--figure-axis)"
                strokeWidth={0.7}
              />
              <text
                x={left - 26}
                y={y + rowPx / 2}
                textAnchor="end"
                dominantBaseline="central"
                fontSize={12}
                fill="var(--figure-ink)"
              >
                {row.name}
              </text>
              {sites.map((site, column0) => {
                const allele = row.alleles[column0]!
                const x = left + column0 * column
                return (
                  <g key={site.row}>
                    <rect
                      x={x + 0.5}
                      y={y + 1}
                      width={column - 1}
                      height={rowPx - 2}
                      fill={allele === 0 ? 'var(--line)' : consequenceColour(site.consequence)}
                      fillOpacity={allele === 0 ? 0.6 : 0.85}
                    />
                    {column < 11 ? null : (
                      <text
                        x={x + column / 2}
                        y={y + rowPx / 2}
                        textAnchor="middle"
                        dominantBaseline="central"
                        fontSize={11}
                        fill={allele === 0 ? 'var(--figure-axis)' : '#000000'}
                      >
                        {writeAllele(site, allele)}
                      </text>
                    )}
                  </g>
                )
              })}
              {(total === 0 ? [row.copies] : row.byPopulation).map((count, population) => {
                const part = (count / max) * barPx
                const x = barLeft + filled
                filled += part
                return (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: populations keep their order.
                    key={population}
                    x={x}
                    y={y + 3}
                    width={part}
                    height={rowPx - 6}
                    fill={total === 0 ? otherColour : categoryFill(figure, populationCategory(population))}
                    stroke={categoryEdge}
                    strokeWidth={0.5}
                  >
                    <title>{`${found.populations[population]?.name ?? ''} ${count}`}</title>
                  </rect>
                )
              })}
              <text
                x={barLeft + (row.copies / max) * barPx + 6}
                y={y + rowPx / 2}
                dominantBaseline="central"
                fontSize={11}
                fill="var(--figure-ink)"
              >
                {format.number(row.copies)}
              </text>
            </g>
          )
        })}
        {hasTrait ? (
          <TraitColumn
            found={found}
            phenotype={phenotype}
            rows={drawn.map((_, at) => at)}
            left={left + sites.length * column + 16 + barPx + countPx}
            width={traitPx}
            top={headPx}
            rowPx={rowPx}
            axisName={traitName}
          />
        ) : null}
        <Legend entries={populationLegend} x={left} y={below} width={width - left} />
        <Legend entries={levels} x={left} y={below + legendPx} width={width - left} />
      </Drawing>
      {others === null ? null : <p className="nv-quiet">{t('haplotypes.notDrawn', others)}</p>}
    </FigureFrame>
  )
}
