import dagre from '@dagrejs/dagre'
import { type ReactNode, useMemo } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { inkOn } from '../../kit/ui/figures/palette.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { significance, significanceColour, TermChoice, termName } from './figure-terms.tsx'
import messages from './messages.ts'
import { SignificanceScale } from './row-figure.tsx'
import type { GraphNode, TermGraph } from './tool.ts'

const boxWidth = 148
const lineHeight = 13
const lineLetters = 22
const maxLines = 3

/** A name over a few lines of a box, cut where it does not fit. */
const breakLines = (text: string): string[] => {
  const lines: string[] = []
  for (const word of text.split(/(?<=[\s/-])/)) {
    const last = lines.at(-1)
    if (last !== undefined && (last + word).trimEnd().length <= lineLetters) lines[lines.length - 1] = last + word
    else lines.push(word)
  }
  const kept = lines.slice(0, maxLines).map((line) => line.trim())
  if (lines.length > maxLines) kept[maxLines - 1] = `${kept[maxLines - 1]!.slice(0, lineLetters - 1)}…`
  return kept.map((line) => (line.length > lineLetters + 2 ? `${line.slice(0, lineLetters)}…` : line))
}

interface Box {
  node: GraphNode
  lines: string[]
  x: number
  y: number
  height: number
}

const layOut = ({ nodes, edges }: TermGraph): { boxes: Box[]; paths: string[]; width: number; height: number } => {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  const lines = nodes.map((node) => breakLines(termName(node)))
  for (const [at] of nodes.entries())
    graph.setNode(String(at), { width: boxWidth, height: lines[at]!.length * lineHeight + 24 })
  // What lies above stands above.
  for (const [from, to] of edges) graph.setEdge(String(to), String(from))
  dagre.layout(graph)
  const boxes = nodes.map((node, at) => {
    const { x, y, height } = graph.node(String(at)) as { x: number; y: number; height: number }
    return { node, lines: lines[at]!, x, y, height }
  })
  const paths = edges.map(([from, to]) => {
    const { points } = graph.edge(String(to), String(from)) as { points: { x: number; y: number }[] }
    return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`).join('')
  })
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return { boxes, paths, width, height }
}

/** The enriched terms of a collection within all that lies above them, from the root downwards. */
export const GraphFigure = ({
  graph,
  threshold,
  receipt,
  aside,
}: {
  graph: TermGraph
  threshold: number
  receipt: Receipt
  aside: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { boxes, paths, width, height } = useMemo(() => layOut(graph), [graph])
  const enriched = graph.nodes.filter(({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue <= threshold)
  const max = Math.max(1, ...enriched.map(({ adjustedPValue }) => significance(adjustedPValue!)))
  const total = height + 50
  const root = boxes.reduce<(typeof boxes)[number] | undefined>(
    (highest, one) => (highest === undefined || one.y < highest.y ? one : highest),
    undefined,
  )
  return (
    <FigureFrame
      title={t('view.graph')}
      aside={graph.shown < graph.of ? t('graph.cut', { collection: aside, shown: graph.shown, of: graph.of }) : aside}
      name="enrichment-graph"
      receipt={receipt}
      method={t('graph.method')}
      numbers={{
        rows: graph.nodes,
        rowKey: ({ id }) => id,
        columns: [
          { key: 'id', title: t('column.term'), kind: 'id', value: ({ id }) => id },
          { key: 'name', title: t('column.name'), value: ({ name }) => name },
          { key: 'set', title: t('column.set'), kind: 'number', value: ({ setCount }) => setCount },
          {
            key: 'background',
            title: t('column.background'),
            kind: 'number',
            value: ({ backgroundCount }) => backgroundCount,
          },
          {
            key: 'adjusted',
            title: t('column.adjusted'),
            kind: 'pValue',
            value: ({ adjustedPValue }) => adjustedPValue,
          },
        ],
      }}
    >
      <Drawing
        width={width}
        height={total}
        label={t('view.graph')}
        className="enr-figure"
        scroll="enr-scroll"
        {...(root === undefined ? {} : { middle: root.x })}
      >
        {paths.map((path) => (
          <path key={path} d={path} className="enr-edge" />
        ))}
        {boxes.map(({ node, lines, x, y, height: boxHeight }) => {
          const isEnriched = node.adjustedPValue !== null && node.adjustedPValue <= threshold
          const colour = isEnriched ? significanceColour(node.adjustedPValue!, max) : null
          const ink = colour === null ? undefined : { fill: inkOn(colour) }
          const top = y - boxHeight / 2
          return (
            <TermChoice key={node.id} id={node.id}>
              <title>
                {t('figure.node', {
                  term: `${termName(node)} (${node.id})`,
                  set: node.setCount,
                  background: node.backgroundCount,
                  pValue: node.adjustedPValue === null ? 'none' : format.pValue(node.adjustedPValue),
                })}
              </title>
              <rect
                x={x - boxWidth / 2}
                y={top}
                width={boxWidth}
                height={boxHeight}
                rx={5}
                className={`enr-box${node.adjustedPValue === null ? ' enr-untested' : ''}`}
                style={colour === null ? undefined : { fill: colour }}
              />
              {lines.map((line, at) => (
                <text key={line} x={x} y={top + 15 + at * lineHeight} textAnchor="middle" style={ink}>
                  {line}
                </text>
              ))}
              <text x={x} y={top + boxHeight - 6} textAnchor="middle" style={ink} className="enr-count">
                {`${format.number(node.setCount)} / ${format.number(node.backgroundCount)}`}
              </text>
            </TermChoice>
          )
        })}
        <SignificanceScale x={8} y={height + 12} max={max} />
      </Drawing>
    </FigureFrame>
  )
}
