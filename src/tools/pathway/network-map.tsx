import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Drawing, fitInto } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { placeLabels } from '../../kit/ui/figures/label-places.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useText } from '../../kit/ui/language.tsx'
import { mapAddress, mapGeneAddress } from './addresses.ts'
import { ColourLegend, colourLegendPx, fillOfGenes, inkStyle, type MapColours, useValueText } from './drawn-map.tsx'
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

const labelFontPx = 11
const maxLabel = 30
const shortLabel = (label: string): string => (label.length > maxLabel ? `${label.slice(0, maxLabel - 1)}…` : label)

interface PathwayFigureProps {
  pathway: PathwayAnswer
  colours: MapColours
  highlighted: string
  receipt: Receipt | undefined
}

/** A pathway without a drawing: its genes and the pathways that share them; where none does, its genes alone, once they have colours. */
export const UndrawnMap = (props: PathwayFigureProps): ReactNode => {
  const t = useText(messages)
  if (props.pathway.related.length > 0) return <NetworkMap {...props} />
  // Nodes without a link are no network, and without colours a second list of the genes.
  return props.colours.kind === 'none' ? <p className="nv-quiet">{t('map.nothingDrawn')}</p> : <GeneTiles {...props} />
}

const tile = { height: 26, gap: 6, minWidth: 74 }

/** Genes as boxes in their colours. */
const GeneTiles = ({ pathway, colours, highlighted, receipt }: PathwayFigureProps): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  const valueText = useValueText()
  const { assembly } = pathway
  const genes = [...pathway.genes].sort((a, b) => (a.symbol ?? a.id).localeCompare(b.symbol ?? b.id))
  const longest = Math.max(0, ...genes.map(({ id, symbol }) => labelWidth(symbol ?? id, labelFontPx)))
  const columns = Math.max(1, Math.floor((width + tile.gap) / (Math.max(tile.minWidth, longest + 14) + tile.gap)))
  const wide = (width - (columns - 1) * tile.gap) / columns
  const tall = Math.ceil(genes.length / columns) * (tile.height + tile.gap)
  return (
    <FigureFrame title={t('map.genes')} name={`${pathway.id}-genes`} receipt={receipt} method={t('map.tilesMethod')}>
      <div ref={root}>
        <Drawing
          width={width}
          height={tall + colourLegendPx(colours)}
          label={t('map.genes')}
          title={pathway.name ?? pathway.id}
          className="path-map"
        >
          {genes.map(({ id, symbol }, at) => {
            const colour = fillOfGenes([id], colours)
            const value = valueText(id, colours)
            const [x, y] = [(at % columns) * (wide + tile.gap), Math.floor(at / columns) * (tile.height + tile.gap) + 2]
            return (
              <Link key={id} to={mapGeneAddress(id, assembly, pathway)} className="path-choice">
                <title>{`${symbol ?? id} (${id})${value === null ? '' : `: ${value}`}`}</title>
                <rect
                  x={x + 2}
                  y={y}
                  width={wide - 4}
                  height={tile.height}
                  rx={3}
                  className={`path-node path-gene${id === highlighted ? ' path-highlighted' : ''}`}
                  style={colour === null ? undefined : { fill: colour.fill }}
                />
                <text
                  x={x + wide / 2}
                  y={y + tile.height / 2}
                  textAnchor="middle"
                  dominantBaseline="central"
                  className="path-text path-tile"
                  style={colour === null ? undefined : inkStyle(colour)}
                >
                  {symbol ?? id}
                </text>
              </Link>
            )
          })}
          <ColourLegend colours={colours} y={tall + 6} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}

const NetworkMap = ({ pathway, colours, highlighted, receipt }: PathwayFigureProps): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  const valueText = useValueText()
  const { assembly, related } = pathway
  const shown = useMemo(() => {
    const links = new Map<string, number>()
    for (const { shared } of related) for (const gene of shared) links.set(gene, (links.get(gene) ?? 0) + 1)
    return pathway.genes
      .filter(({ id }) => links.has(id))
      .sort((a, b) => links.get(b.id)! - links.get(a.id)!)
      .slice(0, maxGenes)
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
  const total = height + colourLegendPx(colours)
  // Pathways first: there are few, and their names say what joins the genes.
  const labels = useMemo(() => {
    const order = [...places.keys()].sort(
      (a, b) => Number(places[b]!.kind === 'other') - Number(places[a]!.kind === 'other') || a - b,
    )
    const placed = placeLabels(
      order.map((at) => {
        const one = places[at]!
        return { x: one.x, y: one.y, text: shortLabel(one.label), radius: one.kind === 'other' ? 10 : 7 }
      }),
      { fontPx: labelFontPx, bounds: { left: 0, top: 0, right: width, bottom: height } },
    )
    return new Map(order.map((at, number) => [at, placed[number] ?? null]))
  }, [places, width, height])
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
          {places.map(({ key, kind, label, x, y }, number) => {
            const id = key.slice(2)
            const place = labels.get(number) ?? null
            const written =
              place === null ? null : (
                <text
                  x={place.x}
                  y={place.y}
                  textAnchor={place.anchor}
                  dominantBaseline="central"
                  className="path-text path-named"
                >
                  {shortLabel(label)}
                </text>
              )
            if (kind === 'other')
              return (
                <Link key={key} to={mapAddress({ source: pathway.source, id }, assembly)} className="path-choice">
                  <title>{label}</title>
                  <rect x={x - 8} y={y - 8} width={16} height={16} rx={3} className="path-node path-pathway" />
                  {written}
                </Link>
              )
            const colour = fillOfGenes([id], colours)
            const value = valueText(id, colours)
            return (
              <Link key={key} to={mapGeneAddress(id, assembly, pathway)} className="path-choice">
                <title>{`${label} (${id})${value === null ? '' : `: ${value}`}`}</title>
                <circle
                  cx={x}
                  cy={y}
                  r={6}
                  className={`path-node path-gene${id === highlighted ? ' path-highlighted' : ''}`}
                  style={colour === null ? undefined : { fill: colour.fill }}
                />
                {written}
              </Link>
            )
          })}
          <ColourLegend colours={colours} y={height + 4} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
