import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { ColourScale, Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { inkOn } from '../../kit/ui/figures/palette.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { mapAddress, mapGeneAddress } from './addresses.ts'
import { valueColour } from './colour-genes.ts'
import type { MapNode, PathwayAnswer } from './endpoints.ts'
import messages from './messages.ts'

export interface MapColours {
  kind: 'none' | 'set' | 'values'
  /** By gene id; of a set 1. */
  values: ReadonlyMap<string, number>
  max: number
  /** Some value lies beyond `max`. */
  isClipped: boolean
  /** Genes without a read or an insertion in any sample, by id, and which of the two. */
  uncounted: ReadonlySet<string>
  counted: 'insertions' | 'reads'
  /** What the values are, where that is known. */
  title?: string
}

const letterWidth = 5.6
const setColour = '#d55e00'

/** Of genes that have no counts: neither a colour of the scale nor the green of genes that are not coloured. */
const uncountedFill = 'url(#path-uncounted)'

/** Fill of a box by its genes and the ink on it: of several values the strongest; null for none. */
export const fillOfGenes = (
  genes: readonly string[],
  { kind, values, max, uncounted }: MapColours,
): { fill: string; ink: string } | null => {
  if (kind === 'none') return null
  const found = genes.flatMap((gene) => values.get(gene) ?? [])
  if (found.length === 0)
    return genes.some((gene) => uncounted.has(gene)) ? { fill: uncountedFill, ink: '#000000' } : null
  const colour =
    kind === 'set'
      ? setColour
      : valueColour(
          found.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
          max,
        )
  return { fill: colour, ink: inkOn(colour) }
}

/** The value of a gene in words, for what the pointer names and for tables; null where there is none. */
export const useValueText = (): ((gene: string, colours: MapColours) => string | null) => {
  const t = useText(messages)
  const format = useFormat()
  return (gene, { kind, values, uncounted, counted }) => {
    if (kind !== 'values') return null
    if (uncounted.has(gene)) return t(`map.no.${counted}`)
    const value = values.get(gene)
    return value === undefined ? null : format.number(value, 3)
  }
}

/** Room that the legend of the colours takes. */
export const colourLegendPx = ({ kind, title }: MapColours): number =>
  kind === 'none' ? 0 : title === undefined ? 40 : 52

/** What the colours of a map or network mean. */
export const ColourLegend = ({ colours, y }: { colours: MapColours; y: number }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  if (colours.kind === 'none') return null
  if (colours.kind === 'set')
    return (
      <g transform={`translate(10,${y})`} className="nv-scale">
        <rect width={22} height={12} fill={setColour} />
        <text x={28} y={10}>
          {t('map.inSet')}
        </text>
      </g>
    )
  const [least, most] = [format.number(-colours.max, 2), format.number(colours.max, 2)]
  const top = colours.title === undefined ? y : y + 8
  return (
    <>
      <ColourScale
        x={10}
        y={top}
        {...(colours.title === undefined ? {} : { title: colours.title })}
        colour={(fraction) => valueColour((2 * fraction - 1) * colours.max, colours.max)}
        // Beyond them the colours stay what they are at the ends.
        ends={colours.isClipped ? [`≤ ${least}`, `≥ ${most}`] : [least, most]}
        middle="0"
      />
      {colours.uncounted.size === 0 ? null : (
        <g transform={`translate(174,${colours.title === undefined ? top : top + 6})`} className="nv-scale">
          <defs>
            <pattern id="path-uncounted" width={6} height={6} patternUnits="userSpaceOnUse">
              <rect width={6} height={6} fill="#ffffff" />
              <path d="M-1,7L7,-1M-1,1L1,-1M5,7L7,5" stroke="#8a8a8a" strokeWidth={1.2} />
            </pattern>
          </defs>
          <rect width={22} height={10} fill={uncountedFill} stroke="#8a8a8a" strokeWidth={0.5} />
          <text x={28} y={9}>
            {t(`map.no.${colours.counted}`)}
          </text>
        </g>
      )}
    </>
  )
}

/** Letters on a box: on the pattern with a white edge. */
export const inkStyle = ({ fill, ink }: { fill: string; ink: string }) =>
  fill === uncountedFill
    ? { fill: ink, paintOrder: 'stroke' as const, stroke: '#ffffff', strokeWidth: 3 }
    : { fill: ink }

/** A name within a box of this width; nothing where not even a letter fits. */
const fitText = (text: string, width: number): string => {
  const room = Math.floor((width - 3) / letterWidth)
  return text.length <= room ? text : room < 2 ? '' : `${text.slice(0, room - 1)}…`
}

/** The pathway as its file draws it. */
export const DrawnMap = ({
  pathway,
  colours,
  highlighted,
  onNode,
  receipt,
}: {
  pathway: PathwayAnswer
  colours: MapColours
  /** A gene whose boxes are outlined. */
  highlighted: string
  onNode: (node: MapNode) => void
  receipt: Receipt | undefined
}): ReactNode => {
  const t = useText(messages)
  const [full, setFull] = useState(false)
  const drawing = pathway.drawing!
  const { assembly } = pathway
  const symbols = new Map(pathway.genes.map(({ id, symbol }) => [id, symbol ?? id]))
  const nameOf = (gene: string): string => symbols.get(gene) ?? gene
  // A box on a map of orthologs is named by its numbers: the genes here say more.
  const labelOf = (node: MapNode): string =>
    node.kind === 'gene' && node.genes.length > 0 && /^(K\d{5}|\d+\.\d+\.|[a-z]{2,5}:)/.test(node.label)
      ? `${nameOf(node.genes[0]!)}${node.genes.length > 1 ? ` +${node.genes.length - 1}` : ''}`
      : node.label
  const height = drawing.height + Math.max(4, colourLegendPx(colours))
  const valueText = useValueText()
  const withValue = (gene: string): string => {
    const value = valueText(gene, colours)
    return value === null ? nameOf(gene) : t('map.valued', { gene: nameOf(gene), value })
  }
  const genesNodes = drawing.nodes.filter(({ kind }) => kind === 'gene')
  const titleOf = (node: MapNode): string =>
    node.kind !== 'gene'
      ? node.label
      : node.genes.length === 0
        ? t('map.nodeNone', { label: node.label, assembly })
        : t('map.node', { label: node.label, genes: node.genes.map(withValue).join(', ') })
  const box = (node: MapNode): ReactNode => {
    const { x, y, width, height: high, kind } = node
    const colour = kind === 'gene' ? fillOfGenes(node.genes, colours) : null
    const isHighlighted = highlighted !== '' && node.genes.includes(highlighted)
    const className = `path-node path-${kind}${kind === 'gene' && node.genes.length === 0 ? ' path-empty' : ''}${isHighlighted ? ' path-highlighted' : ''}`
    const style = colour === null ? undefined : { fill: colour.fill }
    const label = labelOf(node)
    const small = kind === 'compound' && drawing.format === 'kgml'
    return (
      <>
        <title>{titleOf(node)}</title>
        {kind === 'label' ? null : small ? (
          <circle cx={x} cy={y} r={Math.max(4, width / 2)} className={className} />
        ) : (
          <rect
            x={x - width / 2}
            y={y - high / 2}
            width={width}
            height={high}
            rx={node.round ? Math.min(9, high / 2) : 1.5}
            className={className}
            style={style}
          />
        )}
        {small || kind === 'shape' || kind === 'group' ? null : (
          <text
            x={x}
            y={y}
            textAnchor="middle"
            dominantBaseline="central"
            className={`path-text path-text-${kind}`}
            style={colour === null ? undefined : inkStyle(colour)}
          >
            {kind === 'label' ? label : fitText(label, width)}
          </text>
        )}
      </>
    )
  }
  const order = ['shape', 'group', 'label', 'pathway', 'compound', 'gene']
  const nodes = [...drawing.nodes].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  const below = nodes.filter(({ kind }) => kind === 'shape' || kind === 'group')
  const above = nodes.filter(({ kind }) => kind !== 'shape' && kind !== 'group')
  return (
    <FigureFrame
      title={t('map.figure')}
      aside={drawing.organism ?? undefined}
      name={`${pathway.id}-map`}
      receipt={receipt}
      method={t('map.method', { format: drawing.format.toUpperCase(), assembly })}
      actions={
        <Button size="small" look="quiet" aria-pressed={full} onClick={() => setFull(!full)}>
          {full ? t('map.fit') : t('map.full')}
        </Button>
      }
      numbers={{
        rows: genesNodes,
        rowKey: ({ id }) => id,
        columns: [
          { key: 'label', title: t('column.nodes'), value: ({ label }) => label },
          { key: 'names', title: t('column.id'), kind: 'id', value: ({ names }) => names.join(' ') },
          { key: 'genes', title: t('column.gene'), long: true, value: ({ genes }) => genes.join(' ') },
          {
            key: 'value',
            title: t('column.value'),
            kind: 'number',
            digits: 3,
            value: ({ genes }) => {
              const found = genes.flatMap((gene) => colours.values.get(gene) ?? [])
              return found.length === 0 ? null : found.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
            },
          },
        ],
      }}
    >
      <Drawing
        width={drawing.width}
        height={height}
        label={t('map.figure')}
        title={pathway.name ?? pathway.id}
        className="path-map"
        scroll={full ? 'path-scroll path-full' : 'path-scroll'}
      >
        <defs>
          <marker
            id="path-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0,0.8 L7.4,4 L0,7.2 Z" className="path-head" />
          </marker>
          <marker
            id="path-inhibition"
            viewBox="0 0 8 8"
            refX="4"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto-start-reverse"
          >
            <path d="M4,0 L4,8" className="path-edge" />
          </marker>
        </defs>
        {below.map((node) => (
          <g key={node.id}>{box(node)}</g>
        ))}
        {drawing.edges.map((edge, at) => (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a drawing keep their order.
            key={at}
            d={edge.points.map(([x, y], point) => `${point === 0 ? 'M' : 'L'}${x},${y}`).join('')}
            className="path-edge"
            strokeDasharray={edge.dashed ? '4 3' : undefined}
            markerEnd={edge.arrow === 'none' ? undefined : `url(#path-${edge.arrow})`}
            markerStart={edge.backArrow === 'none' ? undefined : `url(#path-${edge.backArrow})`}
          />
        ))}
        {above.map((node) => {
          if (node.kind === 'pathway' && node.leadsTo !== null)
            return (
              <Link
                key={node.id}
                to={mapAddress({ source: pathway.source, id: node.leadsTo }, assembly)}
                className="path-choice"
              >
                {box(node)}
              </Link>
            )
          if (node.kind !== 'gene' || node.genes.length === 0) return <g key={node.id}>{box(node)}</g>
          const [only] = node.genes
          return (
            <Link
              key={node.id}
              to={mapGeneAddress(only!, assembly, pathway)}
              className="path-choice"
              onClick={(event) => {
                // A box of several genes lists them; one of a single gene leads to it.
                if (node.genes.length === 1) return
                event.preventDefault()
                onNode(node)
              }}
            >
              {box(node)}
            </Link>
          )
        })}
        <ColourLegend colours={colours} y={drawing.height + 4} />
      </Drawing>
    </FigureFrame>
  )
}
