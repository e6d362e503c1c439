import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Drawing, fitInto } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/gene-structure.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { mapAddress, mapGeneAddress } from './addresses.ts'
import { ColourLegend, colourOfGenes, type MapColours } from './drawn-map.tsx'
import type { PathwayAnswer } from './endpoints.ts'
import messages from './messages.ts'

/** Genes that a network shows and still can be read. */
const maxGenes = 150
const steps = 250

interface Place extends SimulationNodeDatum {
  key: string
  kind: 'gene' | 'other'
  label: string
}

/** A pathway without a drawing: its genes and the pathways that share them. */
export const NetworkMap = ({
  pathway,
  colours,
  highlighted,
  receipt,
}: {
  pathway: PathwayAnswer
  colours: MapColours
  highlighted: string
  receipt: Receipt | undefined
}): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  const { assembly, related } = pathway
  const shown = useMemo(() => {
    const links = new Map<string, number>()
    for (const { shared } of related) for (const gene of shared) links.set(gene, (links.get(gene) ?? 0) + 1)
    return [...pathway.genes].sort((a, b) => (links.get(b.id) ?? 0) - (links.get(a.id) ?? 0)).slice(0, maxGenes)
  }, [pathway, related])
  const height = Math.round(Math.min(900, Math.max(340, 150 + shown.length * 7)))
  const { places, edges } = useMemo(() => {
    const kept = new Set(shown.map(({ id }) => id))
    const all: Place[] = [
      ...shown.map(({ id, symbol }): Place => ({ key: `g ${id}`, kind: 'gene', label: symbol ?? id })),
      ...related.map(({ id, name }): Place => ({ key: `p ${id}`, kind: 'other', label: name ?? id })),
    ]
    const at = new Map(all.map(({ key }, position) => [key, position]))
    const joined = related.flatMap(({ id, shared }) =>
      shared
        .filter((gene) => kept.has(gene))
        .map((gene) => ({ source: at.get(`g ${gene}`)!, target: at.get(`p ${id}`)! })),
    )
    const ends = joined.map(({ source, target }) => [source, target] as const)
    forceSimulation(all)
      .force('link', forceLink(joined).distance(80).strength(0.12))
      .force(
        'charge',
        forceManyBody<Place>().strength(({ kind }) => (kind === 'other' ? -420 : -60)),
      )
      .force('x', forceX<Place>(0).strength((0.08 * height) / width))
      .force('y', forceY<Place>(0).strength(0.09))
      .force(
        'collide',
        forceCollide<Place>(({ kind }) => (kind === 'other' ? 34 : 17)),
      )
      .stop()
      .tick(steps)
    const xs = all.map(({ x = 0 }) => x)
    const ys = all.map(({ y = 0 }) => y)
    const [intoX, intoY] = [fitInto(xs, width, Math.min(80, width / 5)), fitInto(ys, height, 30)]
    return {
      places: all.map((place) => ({
        ...place,
        x: intoX(place.x ?? 0),
        y: intoY(place.y ?? 0),
      })),
      edges: ends,
    }
  }, [shown, related, width, height])
  const total = height + (colours.kind === 'none' ? 0 : colours.title === undefined ? 40 : 52)
  return (
    <FigureFrame
      title={t('map.network')}
      aside={
        shown.length < pathway.genes.length
          ? t('map.networkMany', { shown: shown.length, of: pathway.genes.length })
          : undefined
      }
      name={`${pathway.id}-network`}
      receipt={receipt}
      method={t('map.networkMethod')}
      numbers={{
        rows: related,
        rowKey: ({ id }) => id,
        columns: [
          { key: 'id', title: t('column.id'), kind: 'id', value: ({ id }) => id },
          { key: 'name', title: t('column.name'), value: ({ name }) => name },
          { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ geneCount }) => geneCount },
          { key: 'shared', title: t('column.shared'), kind: 'number', value: ({ shared }) => shared.length },
          { key: 'which', title: t('column.gene'), long: true, value: ({ shared }) => shared.join(' ') },
        ],
      }}
    >
      <div ref={root}>
        <Drawing
          width={width}
          height={total}
          label={t('map.network')}
          title={pathway.name ?? pathway.id}
          className="path-map"
        >
          {edges.map(([from, to]) => (
            <line
              key={`${from} ${to}`}
              className="path-link"
              x1={places[from]!.x}
              y1={places[from]!.y}
              x2={places[to]!.x}
              y2={places[to]!.y}
            />
          ))}
          {places.map(({ key, kind, label, x, y }) => {
            const id = key.slice(2)
            if (kind === 'other')
              return (
                <Link key={key} to={mapAddress({ source: pathway.source, id }, assembly)} className="path-choice">
                  <title>{label}</title>
                  <rect x={x - 8} y={y - 8} width={16} height={16} rx={3} className="path-node path-pathway" />
                  <text x={x} y={y + 19} textAnchor="middle" className="path-text path-named">
                    {label.length > 30 ? `${label.slice(0, 29)}…` : label}
                  </text>
                </Link>
              )
            const colour = colourOfGenes([id], colours)
            return (
              <Link key={key} to={mapGeneAddress(id, assembly, pathway)} className="path-choice">
                <title>{`${label} (${id})`}</title>
                <circle
                  cx={x}
                  cy={y}
                  r={6}
                  className={`path-node path-gene${id === highlighted ? ' path-highlighted' : ''}`}
                  style={colour === null ? undefined : { fill: colour }}
                />
                <text x={x} y={y - 9} textAnchor="middle" className="path-text path-named">
                  {label}
                </text>
              </Link>
            )
          })}
          <ColourLegend colours={colours} y={height + 4} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
