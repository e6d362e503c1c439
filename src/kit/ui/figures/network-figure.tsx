import { extent } from 'd3'
import { Maximize, Minus, Plus } from 'lucide-react'
import { memo, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { GeneSetMenu } from '../controls/gene-set-picker.tsx'
import { WithSymbols } from '../gene/with-symbols.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { type LabelBox, type PlacedLabel, placeLabels } from './label-places.ts'
import { type LayoutRequest, layOutNetwork, type NetworkLayout } from './network-layout.ts'
import { colourAlone, otherColour } from './palette.ts'
import { useWidth } from './use-width.ts'

export interface DrawnNode {
  id: string
  label: string
  /** Said on hover and to screen readers. */
  title: string
  colour: string
  /** Drawn larger, with a border: what was asked for. */
  asked?: boolean
}

export interface DrawnEdge {
  /** Places among the nodes. */
  a: number
  b: number
  title: string
  colour?: string
  dashed?: boolean
  /** 0 faint, 1 strong. */
  strength: number
}

/** Colour of the n-th group from 0; grey for none and beyond what colours tell apart. */
export const groupColour = (group: number | null): string => (group === null ? otherColour : colourAlone(group))

const askedRadius = 8
const usualRadius = 5
const margin = { x: 60, y: 26 }
/** A network of few nodes is not blown up more than this. */
const maxScale = 2.6
/** Pixels that a drawing is high at most: these, and so many for each node. */
const [heightOfFew, heightOfNode] = [260, 6]
const zoomStep = 1.3
const [minZoom, maxZoom] = [0.4, 12]
/** Pixels within which an edge is pointed at. */
const edgeReach = 5
/** Paths of edges, by how strong they are. */
const strengthSteps = 6

/** Networks up to this size are laid out at once: a worker takes longer to begin. */
const smallNetwork = 60

/** Places of a network's nodes, laid out beside the page; those of the network before until then. */
const usePlaces = (request: LayoutRequest): Float32Array | null => {
  const small = request.count <= smallNetwork
  const direct = useMemo(() => (small ? layOutNetwork(request) : null), [small, request])
  const [laid, setLaid] = useState<{ request: LayoutRequest; places: Float32Array } | null>(null)
  useEffect(() => {
    if (small) return
    const worker = new Worker(new URL('./network-layout-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<{ places: Float32Array }>) => setLaid({ request, places: data.places })
    // Where a browser refuses workers the page waits instead.
    worker.onerror = () => setLaid({ request, places: layOutNetwork(request) })
    worker.postMessage({ request, number: 0 })
    return () => worker.terminate()
  }, [small, request])
  return direct ?? (laid?.request.count === request.count ? laid.places : null)
}

/** Into the room there is, in pixels. */
const fitPlaces = (positions: Float32Array, width: number, height: number): Float32Array => {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 2) {
    x0 = Math.min(x0, positions[at]!)
    x1 = Math.max(x1, positions[at]!)
    y0 = Math.min(y0, positions[at + 1]!)
    y1 = Math.max(y1, positions[at + 1]!)
  }
  // On a phone the room of names beside the outermost nodes would take a third of the drawing.
  const beside = Math.min(margin.x, width * 0.1)
  const scale = Math.min(
    (width - 2 * beside) / Math.max(1, x1 - x0),
    (height - 2 * margin.y) / Math.max(1, y1 - y0),
    maxScale,
  )
  return positions.map((value, at) =>
    at % 2 === 0 ? width / 2 + (value - (x0 + x1) / 2) * scale : height / 2 + (value - (y0 + y1) / 2) * scale,
  )
}

const edgeOpacity = (strength: number): number => 0.16 + 0.6 * strength ** 1.5
const edgePx = (strength: number): number => 0.6 + 1.6 * strength

const labelFontPx = 10.5
const radiusOf = ({ asked }: DrawnNode): number => (asked === true ? askedRadius : usualRadius)

/** Genes asked for whose names are written also where they lie over other nodes: those of a long list would cover the drawing. */
const maxNamedAsked = 12

/**
 * Labels of nodes that stand free of each other and of every node, from their node in pixels: of those that are chosen first and always,
 * then those asked for, then those with most edges. Each stands on the side that its edges leave free.
 */
const chooseLabels = (
  nodes: readonly DrawnNode[],
  edges: readonly DrawnEdge[],
  positions: Float32Array,
  degrees: Uint32Array,
  chosen: ReadonlySet<string>,
  zoom: number,
  bounds: LabelBox,
): Map<number, PlacedLabel> => {
  const order = [...nodes.keys()].sort(
    (a, b) =>
      Number(chosen.has(nodes[b]!.id)) - Number(chosen.has(nodes[a]!.id)) ||
      Number(nodes[b]!.asked === true) - Number(nodes[a]!.asked === true) ||
      degrees[b]! - degrees[a]! ||
      a - b,
  )
  const named = nodes.filter(({ asked }) => asked === true).length <= maxNamedAsked
  const toTheRight = new Float64Array(nodes.length)
  for (const { a, b } of edges) {
    const across = Math.sign(positions[2 * b]! - positions[2 * a]!)
    toTheRight[a]! += across
    toTheRight[b]! -= across
  }
  const points = order.map((node) => ({
    x: positions[2 * node]! * zoom,
    y: positions[2 * node + 1]! * zoom,
    text: nodes[node]!.label,
    radius: radiusOf(nodes[node]!),
    side: toTheRight[node]! > 0 ? ('end' as const) : ('start' as const),
    needed: named && nodes[node]!.asked === true,
  }))
  const placed = placeLabels(points, { fontPx: labelFontPx, bounds })
  const labels = new Map<number, PlacedLabel>()
  for (const [at, node] of order.entries()) {
    const { x, y, radius } = points[at]!
    const label =
      placed[at] ?? (chosen.has(nodes[node]!.id) ? { x: x + radius + 3, y, anchor: 'start' as const } : null)
    if (label !== null && label !== undefined) labels.set(node, { ...label, x: label.x - x, y: label.y - y })
  }
  return labels
}

const NodeMark = memo(
  ({
    node,
    x,
    y,
    zoom,
    labelX,
    labelY,
    anchor,
    chosen,
    tabbable,
    at,
  }: {
    node: DrawnNode
    x: number
    y: number
    zoom: number
    /** Of its label, from its middle; not drawn without an anchor. */
    labelX: number
    labelY: number
    anchor: PlacedLabel['anchor'] | null
    chosen: boolean
    tabbable: boolean
    at: number
  }): ReactNode => (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no buttons.
    <g
      role="button"
      aria-pressed={chosen}
      aria-label={node.title}
      tabIndex={tabbable ? 0 : -1}
      data-node={at}
      data-gene={node.id}
      className="nv-network-node"
      transform={`translate(${x.toFixed(1)},${y.toFixed(1)}) scale(${(1 / zoom).toFixed(3)})`}
    >
      <circle
        r={radiusOf(node)}
        fill={node.colour}
        stroke={chosen ? 'var(--primary)' : 'var(--figure-ink)'}
        strokeWidth={chosen ? 3.5 : node.asked === true ? 2.2 : 0.6}
      />
      {anchor === null ? null : (
        <text
          x={labelX}
          y={labelY}
          textAnchor={anchor}
          dominantBaseline="central"
          fontSize={labelFontPx}
          // A locus tag is no symbol, and not set in italics.
          fontStyle={node.label === node.id ? 'normal' : 'italic'}
          fontWeight={node.asked === true ? 700 : 400}
          fill="var(--figure-ink)"
          stroke="var(--surface)"
          strokeWidth={3}
          paintOrder="stroke"
        >
          {node.label}
        </text>
      )}
    </g>
  ),
)

interface View {
  x: number
  y: number
  zoom: number
}
const wholeView: View = { x: 0, y: 0, zoom: 1 }

type Drag =
  | { kind: 'pan'; x: number; y: number; from: View; moved: boolean }
  | { kind: 'box'; x: number; y: number; toX: number; toY: number }
  | { kind: 'node'; node: number; x: number; y: number; moved: boolean; added: boolean }

/**
 * A network: drag the ground to move it, a node to place it, with Shift to choose what is within a box; click to choose a node, with Shift
 * or Ctrl to add it; double click or Enter opens it. Arrow keys go from node to node, space chooses.
 */
export const NetworkDrawing = ({
  nodes,
  edges,
  layoutEdges,
  groups,
  shells,
  layout = 'force',
  height: maxHeight = 480,
  label,
  chosen,
  onChoose,
  onOpen,
}: {
  nodes: readonly DrawnNode[]
  edges: readonly DrawnEdge[]
  /** Edges by which nodes are placed, kept when some are hidden; weights 0 to 1. A new list places them anew. */
  layoutEdges: LayoutRequest['edges']
  groups: readonly (number | null)[]
  shells?: readonly number[]
  layout?: NetworkLayout
  height?: number
  label: string
  chosen: ReadonlySet<string>
  onChoose: (ids: Set<string>) => void
  onOpen: (id: string) => void
}): ReactNode => {
  const t = useText(messages)
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(320, given)
  const count = nodes.length
  // On a narrow page, and of few nodes, a tall drawing would be mostly empty.
  const height = Math.min(maxHeight, Math.round(width * 0.95), heightOfFew + heightOfNode * count)
  const aspect = Math.round((4 * width) / height) / 4
  const request = useMemo(
    (): LayoutRequest => ({
      count,
      edges: layoutEdges,
      groups,
      shells: shells ?? Array.from({ length: count }, () => 0),
      layout,
      aspect,
    }),
    [count, layoutEdges, groups, shells, layout, aspect],
  )
  const laid = usePlaces(request)
  const fitted = useMemo(() => (laid === null ? null : fitPlaces(laid, width, height)), [laid, width, height])
  /** Nodes that were put elsewhere by hand, for the layout that they belong to. */
  const [moved, setMoved] = useState<{ of: Float32Array | null; places: Map<number, [number, number]> }>({
    of: null,
    places: new Map(),
  })
  const positions = useMemo(() => {
    if (fitted === null || moved.of !== laid || moved.places.size === 0) return fitted
    const own = fitted.slice()
    for (const [node, [x, y]] of moved.places) {
      own[2 * node] = x
      own[2 * node + 1] = y
    }
    return own
  }, [fitted, laid, moved])
  const [view, setView] = useState(wholeView)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [pointed, setPointed] = useState<{ x: number; y: number; text: string } | null>(null)
  const [focused, setFocused] = useState(0)
  const svg = useRef<SVGSVGElement>(null)

  const degrees = useMemo(() => {
    const found = new Uint32Array(count)
    for (const { a, b } of edges) {
      found[a]! += 1
      found[b]! += 1
    }
    return found
  }, [edges, count])
  const dragging = drag !== null && drag.kind === 'node' && drag.moved
  const zoomLevel = Math.round(view.zoom * 4) / 4
  const labels = useMemo(() => {
    if (positions === null) return new Map<number, PlacedLabel>()
    // From close by the drawing goes on beyond what is seen.
    const bounds =
      zoomLevel === 1
        ? { left: 0, top: 0, right: width, bottom: height }
        : { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
    return chooseLabels(nodes, edges, positions, degrees, chosen, zoomLevel, bounds)
  }, [nodes, edges, positions, degrees, chosen, zoomLevel, width, height])
  /** What is asked for or chosen lies above the others, with its name. */
  const drawnOrder = useMemo(() => {
    const isAbove = (at: number): number => Number(nodes[at]!.asked === true || chosen.has(nodes[at]!.id))
    return [...nodes.keys()].sort((a, b) => isAbove(a) - isAbove(b) || a - b)
  }, [nodes, chosen])
  /** Edges of one look are one path: a browser draws thousands of lines of one path at once. */
  const paths = useMemo(() => {
    if (positions === null) return []
    const found = new Map<string, { colour: string; dashed: boolean; strength: number; lines: string[] }>()
    for (const { a, b, colour = 'var(--figure-axis)', dashed = false, strength } of edges) {
      const step = Math.round(Math.min(1, Math.max(0, strength)) * (strengthSteps - 1)) / (strengthSteps - 1)
      const key = `${colour} ${dashed} ${step}`
      const own = found.get(key) ?? { colour, dashed, strength: step, lines: [] }
      found.set(key, own)
      own.lines.push(
        `M${positions[2 * a]!.toFixed(1)},${positions[2 * a + 1]!.toFixed(1)}L${positions[2 * b]!.toFixed(1)},${positions[2 * b + 1]!.toFixed(1)}`,
      )
    }
    return [...found].map(([key, own]) => ({ key, ...own })).sort((x, y) => x.strength - y.strength)
  }, [edges, positions])

  /** Where an event is in the drawing's own units. */
  const placeOf = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = svg.current!.getBoundingClientRect()
    return [(event.clientX - box.left - view.x) / view.zoom, (event.clientY - box.top - view.y) / view.zoom]
  }
  const zoomBy = (factor: number, at?: { clientX: number; clientY: number }): void =>
    setView((before) => {
      const zoom = Math.min(maxZoom, Math.max(minZoom, before.zoom * factor))
      const box = svg.current!.getBoundingClientRect()
      const [px, py] = at === undefined ? [width / 2, height / 2] : [at.clientX - box.left, at.clientY - box.top]
      return {
        zoom,
        x: px - ((px - before.x) / before.zoom) * zoom,
        y: py - ((py - before.y) / before.zoom) * zoom,
      }
    })
  // React's own wheel handlers are passive: the page would scroll as well.
  const wheel = useRef(zoomBy)
  wheel.current = zoomBy
  useEffect(() => {
    const element = svg.current
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      wheel.current(Math.exp(-event.deltaY / 300), event)
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])

  const nodeOf = (event: { target: EventTarget }): number | null => {
    const mark = (event.target as Element).closest<SVGGElement>('[data-node]')
    return mark === null ? null : Number(mark.dataset.node)
  }
  const choose = (node: number, adding: boolean): void => {
    const { id } = nodes[node]!
    const next = new Set(adding ? chosen : [])
    if (chosen.has(id) && (adding || chosen.size === 1)) next.delete(id)
    else next.add(id)
    onChoose(next)
  }
  const down = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.button !== 0) return
    const node = nodeOf(event)
    event.currentTarget.setPointerCapture(event.pointerId)
    setPointed(null)
    const adding = event.shiftKey || event.ctrlKey || event.metaKey
    if (node !== null) setDrag({ kind: 'node', node, x: event.clientX, y: event.clientY, moved: false, added: adding })
    else if (event.shiftKey) {
      const [x, y] = placeOf(event)
      setDrag({ kind: 'box', x, y, toX: x, toY: y })
    } else setDrag({ kind: 'pan', x: event.clientX, y: event.clientY, from: view, moved: false })
  }
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    if (positions === null) return
    const box = svg.current!.getBoundingClientRect()
    const say = (text: string): void => setPointed({ x: event.clientX - box.left, y: event.clientY - box.top, text })
    const node = nodeOf(event)
    if (node !== null) {
      say(nodes[node]!.title)
      return
    }
    const [px, py] = placeOf(event)
    let nearest: DrawnEdge | null = null
    let reach = edgeReach / view.zoom
    for (const edge of edges) {
      const [ax, ay, bx, by] = [
        positions[2 * edge.a]!,
        positions[2 * edge.a + 1]!,
        positions[2 * edge.b]!,
        positions[2 * edge.b + 1]!,
      ]
      const length = (bx - ax) ** 2 + (by - ay) ** 2
      const along =
        length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length))
      const away = Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
      if (away < reach) {
        reach = away
        nearest = edge
      }
    }
    if (nearest !== null) say(nearest.title)
    else if (pointed !== null) setPointed(null)
  }
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    if (drag === null) {
      point(event)
      return
    }
    if (drag.kind === 'box') {
      const [toX, toY] = placeOf(event)
      setDrag({ ...drag, toX, toY })
      return
    }
    // A hand that shakes is no drag.
    const far = drag.moved || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3
    if (!far) return
    if (!drag.moved) setDrag({ ...drag, moved: true })
    if (drag.kind === 'pan')
      setView({ ...drag.from, x: drag.from.x + event.clientX - drag.x, y: drag.from.y + event.clientY - drag.y })
    else {
      const place = placeOf(event)
      setMoved((before) => ({
        of: laid,
        places: new Map(before.of === laid ? before.places : []).set(drag.node, place),
      }))
    }
  }
  const up = (): void => {
    if (drag === null) return
    setDrag(null)
    if (drag.kind === 'node' && !drag.moved) {
      setFocused(drag.node)
      choose(drag.node, drag.added)
    } else if (drag.kind === 'pan' && !drag.moved && chosen.size > 0) onChoose(new Set())
    else if (drag.kind === 'box' && positions !== null) {
      const [x0, x1] = [Math.min(drag.x, drag.toX), Math.max(drag.x, drag.toX)]
      const [y0, y1] = [Math.min(drag.y, drag.toY), Math.max(drag.y, drag.toY)]
      const within = nodes.flatMap(({ id }, at) =>
        positions[2 * at]! >= x0 &&
        positions[2 * at]! <= x1 &&
        positions[2 * at + 1]! >= y0 &&
        positions[2 * at + 1]! <= y1
          ? [id]
          : [],
      )
      onChoose(new Set([...chosen, ...within]))
    }
  }
  const at = Math.min(focused, count - 1)
  return (
    <div className="nv-network">
      <div className="nv-network-tools">
        <Button
          size="small"
          look="quiet"
          aria-label={t('network.zoomIn')}
          icon={<Plus size={15} aria-hidden />}
          onClick={() => zoomBy(zoomStep)}
        />
        <Button
          size="small"
          look="quiet"
          aria-label={t('network.zoomOut')}
          icon={<Minus size={15} aria-hidden />}
          onClick={() => zoomBy(1 / zoomStep)}
        />
        <Button
          size="small"
          look="quiet"
          aria-label={t('network.whole')}
          icon={<Maximize size={14} aria-hidden />}
          onClick={() => {
            setView(wholeView)
            setMoved({ of: null, places: new Map() })
          }}
        />
      </div>
      <div ref={root} className="nv-network-figure" style={{ minBlockSize: height }}>
        {/* biome-ignore lint/a11y/useSemanticElements: a picture must not hold buttons, and an SVG has no fieldset. */}
        <svg
          ref={svg}
          data-figure
          data-placed={positions === null ? undefined : count}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={label}
          aria-busy={positions === null}
          className={drag?.kind === 'pan' || dragging ? 'nv-network-grabbed' : ''}
          onPointerDown={down}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={() => setDrag(null)}
          onPointerLeave={() => setPointed(null)}
          onDoubleClick={(event) => {
            const node = nodeOf(event)
            if (node !== null) onOpen(nodes[node]!.id)
          }}
          onKeyDown={(event) => {
            const node = nodeOf(event)
            if (node === null) return
            const step =
              event.key === 'ArrowRight' || event.key === 'ArrowDown'
                ? 1
                : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
                  ? -1
                  : 0
            if (step !== 0) {
              const next = (node + step + count) % count
              setFocused(next)
              svg.current?.querySelector<SVGGElement>(`[data-node="${next}"]`)?.focus()
            } else if (event.key === 'Enter') onOpen(nodes[node]!.id)
            else if (event.key === ' ') choose(node, true)
            else return
            event.preventDefault()
          }}
        >
          {positions === null ? null : (
            <g transform={`translate(${view.x.toFixed(1)},${view.y.toFixed(1)}) scale(${view.zoom.toFixed(4)})`}>
              {paths.map(({ key, colour, dashed, strength, lines }) => (
                <path
                  key={key}
                  d={lines.join('')}
                  fill="none"
                  stroke={colour}
                  strokeOpacity={edgeOpacity(strength)}
                  strokeWidth={edgePx(strength) / Math.sqrt(view.zoom)}
                  strokeDasharray={dashed ? '4 3' : undefined}
                />
              ))}
              {drawnOrder.map((index) => (
                <NodeMark
                  key={nodes[index]!.id}
                  node={nodes[index]!}
                  at={index}
                  x={positions[2 * index]!}
                  y={positions[2 * index + 1]!}
                  zoom={view.zoom}
                  labelX={labels.get(index)?.x ?? 0}
                  labelY={labels.get(index)?.y ?? 0}
                  anchor={labels.get(index)?.anchor ?? null}
                  chosen={chosen.has(nodes[index]!.id)}
                  tabbable={index === at}
                />
              ))}
              {drag?.kind === 'box' ? (
                <rect
                  data-screen-only
                  x={Math.min(drag.x, drag.toX)}
                  y={Math.min(drag.y, drag.toY)}
                  width={Math.abs(drag.toX - drag.x)}
                  height={Math.abs(drag.toY - drag.y)}
                  fill="var(--primary)"
                  fillOpacity={0.12}
                  stroke="var(--primary)"
                  strokeWidth={1 / view.zoom}
                />
              ) : null}
            </g>
          )}
        </svg>
        {pointed === null ? null : (
          <div
            className="nv-tip nv-network-tip"
            style={{ insetInlineStart: Math.min(pointed.x + 12, width - 220), insetBlockStart: pointed.y + 14 }}
          >
            {pointed.text}
          </div>
        )}
      </div>
      <p className="nv-quiet nv-network-help">{t('network.help')}</p>
    </div>
  )
}

/** The least and the most of values, once where they are one; none of none. */
export const extremesOf = (values: readonly number[]): number[] =>
  [...new Set(extent(values))].filter((value) => value !== undefined)

/** What widths of edges and sizes of nodes stand for. */
export const NetworkKey = ({
  edges,
  asked,
}: {
  /** The weakest edge and the strongest: how strong they are drawn, and what that is of. */
  edges: readonly { strength: number; label: string }[]
  /** What the larger nodes are; null where there are none. */
  asked: string | null
}): ReactNode => (
  <ul className="nv-legend" data-legend>
    {edges.map(({ strength, label }) => (
      <li key={label}>
        <svg width={26} height={11} aria-hidden="true">
          <path
            d="M0,5.5H26"
            stroke="var(--figure-axis)"
            strokeWidth={edgePx(strength)}
            strokeOpacity={edgeOpacity(strength)}
          />
        </svg>{' '}
        {label}
      </li>
    ))}
    {asked === null ? null : (
      <li>
        <svg width={2 * askedRadius + 4} height={2 * askedRadius + 4} aria-hidden="true">
          <circle
            cx={askedRadius + 2}
            cy={askedRadius + 2}
            r={askedRadius}
            fill="none"
            stroke="var(--figure-ink)"
            strokeWidth={2.2}
          />
        </svg>{' '}
        {asked}
      </li>
    )}
  </ul>
)

/** The groups of a network as a list: each is a gene set that can be kept or sent to another tool. */
export const NetworkGroups = ({
  label,
  assembly,
  groups,
  title,
  onPoint,
}: {
  label: string
  assembly: string
  groups: readonly { group: number; genes: readonly { id: string; label: string }[] }[]
  title: (number: number, count: number) => string
  /** Chooses the genes of a group in the drawing. */
  onPoint?: (ids: string[]) => void
}): ReactNode => {
  const format = useFormat()
  return (
    <ul className="nv-network-groups" aria-label={label} data-legend>
      {groups.map(({ group, genes }) => {
        const name = title(group + 1, genes.length)
        return (
          <li key={group}>
            <span className="nv-network-swatch" style={{ background: groupColour(group) }} aria-hidden />
            {onPoint === undefined ? (
              <strong data-legend-label>{name}</strong>
            ) : (
              <Button size="small" look="quiet" onClick={() => onPoint(genes.map(({ id }) => id))}>
                <span data-legend-label>{name}</span>
              </Button>
            )}{' '}
            <span className="nv-quiet">
              <WithSymbols
                text={format.names(genes.slice(0, 5).map((gene) => gene.label))}
                genes={genes.map(({ id, label: symbol }) => ({ symbol: symbol === id ? null : symbol }))}
              />
              {genes.length > 5 ? ' …' : ''}
            </span>
            <GeneSetMenu genes={genes.map(({ id }) => ({ id, assembly }))} />
          </li>
        )
      })}
    </ul>
  )
}
