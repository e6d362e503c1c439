import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { Axis, CategoryAxis } from '../../../kit/ui/figures/axis.tsx'
import { layCategoryLabels } from '../../../kit/ui/figures/category-labels.ts'
import { CategoryTextures, categoryEdge, categoryFill, useTextureId } from '../../../kit/ui/figures/category-marks.tsx'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { categoryColour, otherColour } from '../../../kit/ui/figures/palette.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import {
  ConsequenceMark,
  consequenceColour,
  useConsequenceName,
  useImpactLegend,
} from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { changesOf, populationCategory, populationTextures, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { HaplotypesResult, VariationResult } from '../tool.ts'
import { chooseDrawn } from './drawn-haplotypes.ts'
import { GeneModels, layModels, SiteLines } from './gene-models.tsx'

const maxColumns = 120
const rowPx = 20
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

const HaplotypeFigure = ({
  found,
  name,
  receipt,
  assembly,
  set,
}: {
  found: HaplotypesResult
  name: string
  receipt: Receipt
  assembly: string
  set: string
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
  const left = 50
  const beside = left + 16 + countPx
  const column = Math.max(
    8,
    Math.min(widestColumn, Math.floor((given - beside - leastBarPx) / Math.max(1, sites.length))),
  )
  // What the sites leave is the bars'.
  const barPx = Math.max(leastBarPx, Math.min(widestBarPx, given - beside - sites.length * column))
  const width = Math.max(280, beside + sites.length * column + barPx)
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
  const linesTop = modelTop + axisPx + laid.heightPx
  const labelsTop = linesTop + linesPx
  const headPx = labelsTop + siteLabels.roomPx + markPx
  const bottom = headPx + drawn.length * rowPx
  const height = bottom + 8 + legendHeight(populationLegend, width - left)
  const max = Math.max(1, ...drawn.map(({ copies }) => copies))
  return (
    <FigureFrame
      title={t('figure.haplotypes', { gene: name })}
      name={`${name}-haplotypes`}
      receipt={receipt}
      method={t('figure.haplotypesMethod')}
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
            <g key={row.name}>
              <text
                x={left - 8}
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
        <Legend entries={populationLegend} x={left} y={bottom + 8} width={width - left} />
      </Drawing>
      {others === null ? null : <p className="nv-quiet">{t('haplotypes.notDrawn', others)}</p>}
    </FigureFrame>
  )
}

const PhenotypeFigure = ({
  found,
  name,
  receipt,
}: {
  found: HaplotypesResult
  name: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, given] = useWidth<HTMLDivElement>()
  const phenotype = found.phenotype!
  const trait = `${format.text(phenotype.name)}${phenotype.unit === null ? '' : ` (${phenotype.unit})`}`
  const groups = phenotype.groups.map(({ haplotype, figures }) => {
    const own = found.accessions.filter(
      ({ haplotypes, value }) =>
        value !== null && haplotypes.length > 0 && haplotypes.every((one) => one === haplotype),
    )
    return { haplotype, figures, values: own.map(({ id, value }) => ({ id, value: value! })) }
  })
  const all = groups.flatMap(({ values }) => values.map(({ value }) => value))
  const width = Math.max(340, given)
  const height = 260
  const [left, bottom] = [56, 216]
  const y = scaleLinear([Math.min(...all), Math.max(...all)], [bottom - 8, 14]).nice()
  const column = (width - left - 16) / Math.max(1, groups.length)
  const method = t(`option.test.${phenotype.method}`)
  return (
    <FigureFrame
      title={t('figure.phenotype', { trait })}
      aside={<SimulatedTag simulated={phenotype.simulated} />}
      name={`${name}-${phenotype.trait}`}
      receipt={receipt}
      method={t('figure.phenotypeMethod', { method, pairs: t(`pairs.${phenotype.method}`) })}
      numbers={{
        rows: groups,
        rowKey: ({ haplotype }) => String(haplotype),
        columns: [
          {
            key: 'haplotype',
            title: t('column.haplotype'),
            value: ({ haplotype }) => found.haplotypes[haplotype]!.name,
          },
          { key: 'n', title: t('column.n'), kind: 'number', value: ({ figures }) => figures.n },
          { key: 'mean', title: t('column.mean'), kind: 'number', digits: 4, value: ({ figures }) => figures.mean },
          {
            key: 'sd',
            title: t('column.deviation'),
            kind: 'number',
            digits: 4,
            value: ({ figures }) => figures.deviation,
          },
          {
            key: 'median',
            title: t('column.median'),
            kind: 'number',
            digits: 4,
            value: ({ figures }) => figures.median,
          },
        ],
      }}
    >
      {phenotype.test === null ? null : (
        <p>
          {t('test.line', {
            name: method,
            statistic: `${phenotype.method === 'kruskal' ? 'H' : 'F'} = ${format.statistic(phenotype.test.statistic)}, df = ${phenotype.test.degrees}${phenotype.test.residualDegrees === null ? '' : `, ${phenotype.test.residualDegrees}`}`,
            p: format.statistic(phenotype.test.pValue),
            effect: format.number(phenotype.test.effect, 3),
          })}
        </p>
      )}
      <div ref={root} className="variation-figure">
        <Drawing width={width} height={height} label={t('figure.phenotype', { trait })}>
          <Axis side="left" scale={y} at={left} grid={width - 10} name={trait} />
          {groups.map(({ haplotype, figures, values }, at) => {
            const middle = left + (at + 0.5) * column
            return (
              <g key={haplotype}>
                {values.map(({ id, value }, number) => (
                  <circle
                    key={id}
                    cx={middle + (((number * 0.618) % 1) - 0.5) * Math.min(60, column * 0.6)}
                    cy={y(value)}
                    r={3}
                    fill={categoryColour(at)}
                    fillOpacity={0.65}
                  >
                    <title>{`${id}: ${format.number(value, 3)}`}</title>
                  </circle>
                ))}
                <line
                  x1={middle - Math.min(34, column * 0.35)}
                  x2={middle + Math.min(34, column * 0.35)}
                  y1={y(figures.median)}
                  y2={y(figures.median)}
                  stroke="var(--figure-ink)"
                  strokeWidth={2}
                />
                <text x={middle} y={bottom + 18} textAnchor="middle" fontSize={12} fill="var(--figure-ink)">
                  {found.haplotypes[haplotype]!.name}
                </text>
                <text x={middle} y={bottom + 33} textAnchor="middle" fontSize={11} fill="var(--muted)">
                  {`n = ${figures.n}`}
                </text>
              </g>
            )
          })}
        </Drawing>
      </div>
    </FigureFrame>
  )
}

export const HaplotypesView = ({ result, receipt }: { result: VariationResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const regionOf = useRegionLabel()
  const found = result.haplotypes!
  const name = found.symbol ?? (found.gene === '' ? regionOf(result.assembly, found.locus) : found.gene)
  const rank = (index: number): string => found.haplotypes[index]?.name ?? '–'
  return (
    <>
      <p className="nv-quiet">{t('note.dropped', { count: found.siteCount, ...found.dropped })}</p>
      {found.haplotypes.length === 0 || found.sites.length === 0 ? (
        <EmptyState title={t('haplotypes.none')} why={t('haplotypes.noneWhy')} />
      ) : (
        <>
          <HaplotypeFigure found={found} name={name} receipt={receipt} assembly={result.assembly} set={result.set.id} />
          {found.phenotype !== null && found.phenotype.groups.length > 0 ? (
            <PhenotypeFigure found={found} name={name} receipt={receipt} />
          ) : null}
          {found.phenotype !== null && found.phenotype.pairs.length > 0 ? (
            <Card title={t('haplotypes.pairs')} flush>
              <ResultTable
                label={t('haplotypes.pairs')}
                name={`${name}-haplotype-pairs`}
                receipt={receipt}
                rows={found.phenotype.pairs}
                rowKey={({ a, b }) => `${a}-${b}`}
                columns={[
                  { key: 'pair', title: t('column.pair'), value: ({ a, b }) => `${rank(a)} – ${rank(b)}` },
                  {
                    key: 'difference',
                    title: t('column.difference'),
                    kind: 'number',
                    digits: 4,
                    value: ({ difference }) => difference,
                  },
                  { key: 'p', title: t('column.p'), kind: 'statistic', value: ({ pValue }) => pValue },
                  {
                    key: 'adjusted',
                    title: t('column.adjusted'),
                    kind: 'statistic',
                    value: ({ adjustedPValue }) => adjustedPValue,
                  },
                ]}
              />
            </Card>
          ) : null}
          <Card title={t('haplotypes.frequencies')} flush>
            <ResultTable
              label={t('haplotypes.frequencies')}
              name={`${name}-haplotype-frequencies`}
              receipt={receipt}
              rows={found.haplotypes}
              rowKey={(row) => row.name}
              columns={[
                { key: 'haplotype', title: t('column.haplotype'), value: (row) => row.name },
                { key: 'copies', title: t('column.copies'), kind: 'number', value: (row) => row.copies },
                ...found.populations.map(
                  (population, at): TableColumn<Row> => ({
                    key: `population-${at}`,
                    title: population.name,
                    kind: 'number',
                    value: (row) => row.byPopulation[at]!,
                  }),
                ),
                {
                  key: 'accessions',
                  title: t('column.accessions'),
                  long: true,
                  value: (row) => row.accessions.join(', '),
                },
              ]}
            />
          </Card>
          <Card title={t('haplotypes.accessions')} flush>
            <ResultTable
              label={t('haplotypes.accessions')}
              name={`${name}-accessions`}
              receipt={receipt}
              rows={found.accessions}
              rowKey={({ id }) => id}
              columns={[
                { key: 'accession', title: t('column.accession'), kind: 'id', value: ({ id }) => id },
                { key: 'population', title: t('column.population'), value: ({ population }) => population },
                {
                  key: 'haplotype',
                  title: t('column.haplotype'),
                  value: ({ haplotypes }) => haplotypes.map(rank).join(' / '),
                },
                { key: 'state', title: t('column.state'), value: ({ state }) => t(`state.${state}`) },
                {
                  key: 'value',
                  title: t('column.value'),
                  kind: 'number',
                  digits: 4,
                  hidden: found.phenotype === null,
                  value: ({ value }) => value,
                },
              ]}
            />
          </Card>
        </>
      )}
    </>
  )
}
