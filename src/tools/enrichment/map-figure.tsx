import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3'
import { type ReactNode, useMemo } from 'react'
import { renderCytoscape, renderGraphMl } from '../../bio/networks/network-files.ts'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { Drawing, fitInto } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { downloadText } from '../../kit/ui/table/export.ts'
import {
  shorten,
  significance,
  significanceColour,
  TermChoice,
  type TermFigureProps,
  termName,
  useTermTitle,
} from './figure-terms.tsx'
import messages from './messages.ts'
import { SignificanceScale } from './row-figure.tsx'
import { listOverlaps, networkFile, type TermNetwork } from './term-network.ts'
import type { TermResult } from './tool.ts'

/** Likeness from which two terms are linked. */
const minSimilarity = 0.5
const maxRadius = 22
const steps = 300

interface Place extends SimulationNodeDatum {
  term: TermResult
  radius: number
}

const layOut = (terms: TermResult[], network: TermNetwork, width: number, height: number): Place[] => {
  const maxGenes = Math.max(1, ...terms.map(({ setCount }) => setCount))
  const places: Place[] = terms.map((term) => ({
    term,
    radius: Math.max(6, maxRadius * Math.sqrt(term.setCount / maxGenes)),
  }))
  const links: (SimulationLinkDatum<Place> & { similarity: number })[] = network.links.map(
    ({ from, to, similarity }) => ({
      source: from,
      target: to,
      similarity,
    }),
  )
  const simulation = forceSimulation(places)
    .force(
      'link',
      forceLink<Place, (typeof links)[number]>(links)
        .distance(70)
        .strength(({ similarity }) => 0.25 * similarity),
    )
    .force('charge', forceManyBody<Place>().strength(-420))
    .force('x', forceX<Place>(0).strength((0.09 * height) / width))
    .force('y', forceY<Place>(0).strength(0.09))
    .force(
      'collide',
      forceCollide<Place>((place) => place.radius + 12),
    )
    .stop()
  simulation.tick(steps)
  // Into the figure, with room for names at the sides.
  const xs = places.map(({ x = 0 }) => x)
  const ys = places.map(({ y = 0 }) => y)
  const [intoX, intoY] = [fitInto(xs, width, Math.min(90, width / 5)), fitInto(ys, height, 40)]
  return places.map((place) => ({
    ...place,
    x: intoX(place.x ?? 0),
    y: intoY(place.y ?? 0),
  }))
}

/** Enriched terms as a network by the genes that they share. */
export const MapFigure = ({ result, terms, of, receipt }: TermFigureProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const titleOf = useTermTitle()
  const [root, width] = useWidth<HTMLDivElement>()
  const network = useMemo(() => listOverlaps(terms, minSimilarity), [terms])
  const height = Math.round(Math.min(860, Math.max(400, terms.length * 28)))
  const places = useMemo(() => layOut(terms, network, width, height), [terms, network, width, height])
  const file = () => ({ about: receiptLines(receipt), ...networkFile(terms, network) })
  const max = Math.max(...terms.map(({ adjustedPValue }) => significance(adjustedPValue)))
  return (
    <FigureFrame
      title={t('view.map')}
      aside={t('figure.of', { shown: terms.length, of })}
      name="enrichment-map"
      receipt={receipt}
      method={t('map.method', { min: format.percent(minSimilarity, 0) })}
      actions={
        <Menu
          size="small"
          look="quiet"
          label={t('map.files')}
          items={[
            {
              key: 'graphml',
              label: 'GraphML',
              run: () => downloadText(renderGraphMl(file()), 'enrichment-map.graphml', 'application/xml'),
            },
            {
              key: 'cytoscape',
              label: 'Cytoscape JSON',
              run: () => downloadText(renderCytoscape(file()), 'enrichment-map.cyjs', 'application/json'),
            },
          ]}
        />
      }
      numbers={{
        rows: network.links,
        rowKey: ({ from, to }) => `${from} ${to}`,
        columns: [
          { key: 'a', title: t('column.term'), kind: 'id', value: ({ from }) => terms[from]!.id },
          { key: 'aName', title: t('column.name'), value: ({ from }) => terms[from]!.name },
          { key: 'b', title: t('column.term'), kind: 'id', value: ({ to }) => terms[to]!.id },
          { key: 'bName', title: t('column.name'), value: ({ to }) => terms[to]!.name },
          { key: 'shared', title: t('figure.genes'), kind: 'number', value: ({ shared }) => shared },
          {
            key: 'similarity',
            title: t('map.overlap'),
            kind: 'number',
            digits: 2,
            value: ({ similarity }) => similarity,
          },
        ],
      }}
    >
      <div ref={root} className="enr-figure">
        <Drawing width={width} height={height + 52} label={t('view.map')}>
          {network.links.map(({ from, to, similarity, shared }) => (
            <line
              key={`${from} ${to}`}
              className="enr-link"
              x1={places[from]!.x}
              y1={places[from]!.y}
              x2={places[to]!.x}
              y2={places[to]!.y}
              strokeWidth={1 + 4 * (similarity - minSimilarity)}
            >
              <title>{t('map.edge', { a: termName(terms[from]!), b: termName(terms[to]!), shared })}</title>
            </line>
          ))}
          {places.map(({ term, radius, x = 0, y = 0 }) => (
            <TermChoice key={`${term.collection} ${term.id}`} id={term.id}>
              <title>{titleOf(term, result.collections[term.collection]!)}</title>
              <circle
                cx={x}
                cy={y}
                r={radius}
                fill={significanceColour(term.adjustedPValue, max)}
                className="enr-mark"
              />
              <text className="enr-label" x={x} y={y + radius + 11} textAnchor="middle">
                {shorten(termName(term), 28)}
              </text>
            </TermChoice>
          ))}
          <SignificanceScale x={8} y={height + 14} max={max} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
