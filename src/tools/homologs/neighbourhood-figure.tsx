import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Receipt } from '../../contracts/receipt.ts'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { geneAddress } from '../../kit/ui/gene-link.tsx'
import { useWidth } from '../../kit/ui/gene-structure.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { categoryColour, inkOn } from '../../kit/ui/palette.ts'
import messages from './messages.ts'
import type { Place } from './tool.ts'

/** As many genes on each side as the engine gives. */
const besides = 5
const slots = 2 * besides + 1
const rowHeight = 56
const arrowHeight = 20
const labelPx = 112
const narrowestPx = 640
const characterPx = 5.7

type Neighbour = Place['genes'][number]

/** Genes by slot, 0 to 10 with the gene itself at 5; turned round when the gene reads backwards. */
const placeInSlots = (place: Place): { slot: number; gene: Neighbour; forward: boolean }[] => {
  const at = place.genes.findIndex((gene) => gene.id === place.gene)
  const turned = place.genes[at]?.strand === '-'
  return place.genes.map((gene, number) => ({
    slot: besides + (turned ? at - number : number - at),
    gene,
    forward: turned ? gene.strand === '-' : gene.strand !== '-',
  }))
}

const arrow = (x: number, y: number, width: number, forward: boolean): string => {
  const h = arrowHeight / 2
  const head = Math.min(8, width / 2)
  return forward
    ? `M${x},${y - h}H${x + width - head}L${x + width},${y}L${x + width - head},${y + h}H${x}Z`
    : `M${x + width},${y - h}H${x + head}L${x},${y}L${x + head},${y + h}H${x + width}Z`
}

/** The gene and its homologues with their neighbours, a row an assembly; one colour is one orthogroup. */
export const NeighbourhoodFigure = ({ places, receipt }: { places: Place[]; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(narrowestPx, given)
  const rows = new Map<string, number>()
  for (const { genes } of places)
    for (const group of new Set(genes.flatMap((gene) => gene.orthogroup ?? [])))
      rows.set(group, (rows.get(group) ?? 0) + 1)
  const colours = new Map<string, string>()
  for (const { genes } of places)
    for (const { orthogroup } of genes)
      if (orthogroup !== null && (rows.get(orthogroup) ?? 0) > 1 && !colours.has(orthogroup))
        colours.set(orthogroup, categoryColour(colours.size))
  const slotWidth = (width - labelPx) / slots
  const numbers = places.flatMap((place) => place.genes.map((gene) => ({ place, gene })))
  return (
    <FigureFrame
      title={t('places.title')}
      name={`neighbourhood-${places[0]?.gene ?? ''}`}
      receipt={receipt}
      method={t('places.method')}
      numbers={{
        rows: numbers,
        rowKey: ({ place, gene }) => `${place.assembly}/${gene.id}`,
        columns: [
          { key: 'assembly', title: t('column.assembly'), kind: 'id', value: ({ place }) => place.assembly },
          { key: 'center', title: t('column.center'), kind: 'id', value: ({ place }) => place.gene },
          { key: 'sequence', title: t('column.sequence'), kind: 'id', value: ({ place }) => place.sequence },
          { key: 'gene', title: t('column.gene'), kind: 'id', value: ({ gene }) => gene.id },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ gene }) => gene.symbol },
          { key: 'start', title: t('column.start'), kind: 'number', value: ({ gene }) => gene.start },
          { key: 'end', title: t('column.end'), kind: 'number', value: ({ gene }) => gene.end },
          { key: 'strand', title: t('column.strand'), kind: 'id', value: ({ gene }) => gene.strand },
          { key: 'orthogroup', title: t('column.orthogroup'), kind: 'id', value: ({ gene }) => gene.orthogroup },
        ],
      }}
    >
      <div ref={root} className="hom-places">
        <svg width={width} height={places.length * rowHeight}>
          <title>{t('places.title')}</title>
          {places.slice(1).map((place, number) => {
            // Colours repeat after nine: the bands say which genes belong together.
            const above = placeInSlots(places[number]!)
            const from = number * rowHeight + rowHeight / 2 + arrowHeight / 2
            const to = from + rowHeight - arrowHeight
            return placeInSlots(place).flatMap(({ slot, gene }) =>
              above
                .filter((other) => gene.orthogroup !== null && other.gene.orthogroup === gene.orthogroup)
                .map((other) => {
                  const x0 = labelPx + other.slot * slotWidth + 2
                  const x1 = labelPx + slot * slotWidth + 2
                  const w = slotWidth - 4
                  return (
                    <path
                      key={`${place.assembly}/${gene.id}/${other.gene.id}`}
                      d={`M${x0},${from}H${x0 + w}L${x1 + w},${to}H${x1}Z`}
                      fill={colours.get(gene.orthogroup!)}
                      opacity={0.18}
                    />
                  )
                }),
            )
          })}
          {places.map((place, row) => {
            const y = row * rowHeight + rowHeight / 2
            return (
              <g key={place.assembly}>
                <text
                  x={0}
                  y={y - 7}
                  dominantBaseline="central"
                  fontSize={12}
                  fontWeight={600}
                  fill="var(--figure-ink)"
                >
                  {place.assembly.slice(0, 15)}
                </text>
                <text x={0} y={y + 9} dominantBaseline="central" fontSize={11} fill="var(--figure-axis)">
                  {place.sequence.slice(0, 16)}
                </text>
                <line x1={labelPx} x2={width} y1={y} y2={y} stroke="var(--figure-grid)" />
                {placeInSlots(place).map(({ slot, gene, forward }) => {
                  const x = labelPx + slot * slotWidth + 2
                  const shared = gene.orthogroup === null ? undefined : colours.get(gene.orthogroup)
                  const own = gene.id === place.gene
                  const name = gene.symbol ?? gene.id
                  const room = Math.floor((slotWidth - 9) / characterPx)
                  const label = t('places.gene', {
                    gene: gene.id,
                    symbol: gene.symbol ?? '',
                    group: gene.orthogroup ?? '–',
                  })
                  const open = (): void => void navigate(geneAddress(gene.id, place.assembly))
                  return (
                    // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
                    <g
                      key={gene.id}
                      role="link"
                      tabIndex={0}
                      aria-label={label}
                      className="hom-gene"
                      onClick={open}
                      onKeyDown={(event) => {
                        if (event.key === 'Enter') open()
                      }}
                    >
                      <title>{label}</title>
                      <path
                        d={arrow(x, y, slotWidth - 4, forward)}
                        fill={shared ?? 'var(--surface)'}
                        stroke={own ? 'var(--figure-ink)' : (shared ?? 'var(--line-strong)')}
                        strokeWidth={own ? 2 : 1}
                      />
                      <text
                        x={x + (slotWidth - 4) / 2}
                        y={y}
                        textAnchor="middle"
                        dominantBaseline="central"
                        fontSize={10}
                        fontStyle={gene.symbol === null ? undefined : 'italic'}
                        style={{ fill: shared === undefined ? 'var(--figure-ink)' : inkOn(shared) }}
                      >
                        {name.length <= room ? name : room < 4 ? '' : `${name.slice(0, room - 1)}…`}
                      </text>
                    </g>
                  )
                })}
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
