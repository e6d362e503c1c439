import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { openCanvas } from '../../kit/ui/figures/canvas.ts'
import { tokenColour } from '../../kit/ui/figures/palette.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useTheme } from '../../kit/ui/theme.ts'
import { createCanvasInk, createSvgInk, fontOf, type Ink } from './ink.ts'
import messages from './messages.ts'
import {
  type AlignmentPaint,
  type Colours,
  paintAlignment,
  paintRound,
  paintRows,
  paintScale,
  type RowBox,
  rowTextSize,
  type TreePaint,
  xOf,
} from './paint.ts'
import { type PlacedNode, placeOnCircle, placeUnrooted, walkTree } from './tree-view.ts'

export interface TreeCanvasHandle {
  zoom(factor: number): void
  fit(): void
  /** Brings a node into view. */
  show(id: number): void
  renderSvg(title: string, description: string): string
}

const headPx = 44
const footPx = 26
const marginPx = 14
/** Height of the drawing at most; on a phone what still leaves room to scroll the page past it. */
const maxViewPx = { wide: 1080, narrow: 640 } as const
const minViewPx = 120
/** A row as long as the tree is not zoomed: what all leaves fit the height with, within what is easily read. */
const usualRowPx = { least: 11, narrow: 16, most: 24 } as const
const usualCellPx = { least: 6.5, most: 9 } as const
/** Of the round drawings: leaves stand so far from each other, the tree is at least so large, and names have this room at most. */
const round = { leafPx: 14, leastRadiusPx: 190, mostViewPx: 960, labelPx: 230 } as const
/** Narrower than this a tree leaves no room for an alignment. */
const minWidthPx = 520
/** Room that the alignment takes of the width, where there is one. */
const alignmentShare = 0.46
const minLabelPx = 60
const maxLabelShare = 0.3

/** The build shortens #ffffff to #fff. */
const veilOf = (colour: string): string => `${colour.length === 4 ? colour.replace(/[0-9a-f]/gi, '$&$&') : colour}b8`

const readColours = (element: Element): Colours => ({
  ink: tokenColour('figure-ink', element),
  muted: tokenColour('figure-axis', element),
  line: tokenColour('line-strong', element),
  veil: veilOf(tokenColour('surface', element)),
  chosen: tokenColour('danger', element),
  found: tokenColour('primary', element),
})

/** What files are drawn in, whatever theme is shown: tokens.css's light one. */
const lightColours: Colours = {
  ink: '#12231d',
  muted: '#5b6f67',
  line: '#b9c8c0',
  veil: '#ffffffb8',
  chosen: '#b3261e',
  found: '#0f7a55',
}

let measuring: CanvasRenderingContext2D | null = null
const textWidth = (text: string, size: number): number => {
  measuring ??= document.createElement('canvas').getContext('2d')
  if (measuring === null) return text.length * size * 0.55
  measuring.font = fontOf({ size })
  return measuring.measureText(text).width
}

/**
 * The drawing itself: a canvas as large as what is in sight, drawn anew when it is scrolled, so that thousands of leaves stay fluid.
 * The mouse, touch and the keyboard choose nodes; what is done with them is the caller's.
 */
export const TreeCanvas = ({
  paint,
  layout,
  alignment,
  aligned,
  onChoose,
  onKey,
  describe,
  handle,
}: {
  paint: Omit<TreePaint, 'colours'>
  layout: 'rectangular' | 'circular' | 'unrooted'
  alignment: AlignmentPaint | null
  aligned: boolean
  onChoose: (id: number | null) => void
  onKey: (key: string) => boolean
  describe: (id: number) => string
  handle: RefObject<TreeCanvasHandle | null>
}): ReactNode => {
  const t = useText(messages)
  const theme = useTheme()
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(800)
  const [zoomedRowPx, setRowPx] = useState<number | null>(null)
  const [moved, setMoved] = useState({ zoom: 1, x: 0, y: 0 })
  const [top, setTop] = useState(0)
  const [column, setColumn] = useState(0)
  const [zoomedCellPx, setCellPx] = useState<number | null>(null)
  const [hovered, setHovered] = useState<{ x: number; y: number; text: string } | null>(null)
  const { tree } = paint
  const isRound = layout !== 'rectangular'

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => setWidth(Math.max(280, Math.floor(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const isNarrow = width < minWidthPx
  const mostViewPx = isNarrow ? maxViewPx.narrow : maxViewPx.wide
  const fittingRowPx = (mostViewPx - headPx - footPx - 8) / Math.max(1, tree.rows.length)
  const rowPx =
    zoomedRowPx ?? Math.min(usualRowPx.most, Math.max(isNarrow ? usualRowPx.narrow : usualRowPx.least, fittingRowPx))
  const size = rowTextSize(rowPx)
  const labelPx = useMemo(() => {
    if (size === 0) return 36
    let longest = 0
    let widest: PlacedNode | null = null
    // Letters are counted and only the longest name measured: two thousand measurements a frame are felt.
    for (const row of tree.rows) {
      const { length } = paint.labelOf(row)
      if (length > longest) {
        longest = length
        widest = row
      }
    }
    return widest === null
      ? minLabelPx
      : Math.max(textWidth(paint.labelOf(widest), size) * 1.08, paint.labelOf(widest).length * size * 0.57) + 26
  }, [tree, paint.labelOf, size])

  const shownAlignment = isRound ? null : alignment
  const showsAlignment = shownAlignment !== null && width >= minWidthPx
  const alignmentPx = showsAlignment ? Math.floor(width * alignmentShare) : 0
  const headRoomPx = showsAlignment ? headPx : marginPx
  const contentPx = tree.rows.length * rowPx
  const cellPx =
    zoomedCellPx ??
    Math.min(
      usualCellPx.most,
      Math.max(usualCellPx.least, (alignmentPx - 30) / Math.max(1, shownAlignment?.columns ?? 0)),
    )
  const roundLabelPx = Math.min(round.labelPx, labelPx, width * 0.22) + 20
  const viewPx = isRound
    ? Math.min(
        width,
        round.mostViewPx,
        2 * (roundLabelPx + Math.max(round.leastRadiusPx, (tree.rows.length * round.leafPx) / (2 * Math.PI))),
      )
    : Math.min(mostViewPx, Math.max(minViewPx, contentPx + headRoomPx + footPx + 8))
  const rowBoxOf = (scrollTop: number, from: number, to: number): RowBox => {
    const room = width - alignmentPx - 2 * marginPx
    const label = Math.min(
      Math.max(minLabelPx, labelPx),
      Math.max(minLabelPx, showsAlignment ? room * 0.5 : width * Math.max(maxLabelShare, 0.45)),
    )
    return {
      left: marginPx,
      top: headRoomPx + rowPx / 2 + 2 - scrollTop,
      rowPx,
      treePx: Math.max(80, room - label),
      labelPx: label,
      aligned: aligned || showsAlignment,
      from,
      to,
    }
  }
  const places = useMemo(
    () => (layout === 'circular' ? placeOnCircle(tree) : layout === 'unrooted' ? placeUnrooted(tree) : null),
    [tree, layout],
  )
  const roundRadius = (viewPx / 2 - roundLabelPx) * moved.zoom
  const roundBox = {
    x: width / 2 + moved.x,
    y: viewPx / 2 + moved.y,
    radius: Math.max(40, roundRadius),
    layout: layout === 'unrooted' ? ('unrooted' as const) : ('circular' as const),
  }

  const draw = (ink: Ink, colours: Colours, height: number, scrollTop: number): void => {
    const whole: TreePaint = { ...paint, colours }
    if (places !== null) {
      paintRound(ink, whole, places, roundBox)
      const pxAUnit =
        layout === 'circular'
          ? roundBox.radius / (tree.deepest || 1)
          : unrootedScale(tree.nodes, places, roundBox.radius)
      paintScale(ink, whole, marginPx, height - 14, pxAUnit)
      return
    }
    const rows = rowBoxOf(scrollTop, headRoomPx, height - footPx)
    const treeWidth = rows.left + rows.treePx + rows.labelPx
    ink.clip(0, rows.from, showsAlignment ? treeWidth : width, rows.to - rows.from)
    paintRows(ink, whole, rows)
    ink.release()
    if (showsAlignment)
      paintAlignment(ink, whole, shownAlignment, rows, {
        left: treeWidth + 6,
        width: width - treeWidth - 6 - marginPx,
        cellPx,
        firstColumn: Math.min(column, Math.max(0, shownAlignment.columns - 1)),
        headTop: 0,
        headPx,
      })
    paintScale(ink, whole, marginPx, height - 12, rows.treePx / (tree.deepest || 1))
  }

  useLayoutEffect(() => {
    void theme
    const element = canvas.current
    const context = openCanvas(element, width, viewPx)
    if (element === null || context === null) return
    const before = performance.now()
    draw(createCanvasInk(context), readColours(element), viewPx, top)
    element.dataset.drawMs = (performance.now() - before).toFixed(1)
  })

  const alignmentLeft = width - alignmentPx
  const maxColumn =
    shownAlignment === null ? 0 : Math.max(0, shownAlignment.columns - Math.floor((alignmentPx - 30) / cellPx))
  const move = (columns: number): void =>
    setColumn((now) => Math.min(maxColumn, Math.max(0, Math.round(now + columns))))

  const scrollTo = (row: number): void => {
    const scroller = box.current
    if (scroller === null) return
    const y = headRoomPx + row * rowPx
    if (y - rowPx < scroller.scrollTop + headRoomPx || y + rowPx > scroller.scrollTop + viewPx - footPx)
      scroller.scrollTop = Math.max(0, y - viewPx / 2)
  }

  const zoomBy = (factor: number): void => {
    if (isRound) setMoved((now) => ({ ...now, zoom: Math.min(60, Math.max(0.5, now.zoom * factor)) }))
    else {
      const next = Math.min(40, Math.max(Math.min(16, fittingRowPx), rowPx * factor))
      const middle = top + viewPx / 2
      setRowPx(next)
      setCellPx(Math.min(14, Math.max(1, cellPx * factor)))
      requestAnimationFrame(() => {
        if (box.current !== null) box.current.scrollTop = (middle * next) / rowPx - viewPx / 2
      })
    }
  }

  useImperativeHandle(handle, () => ({
    zoom: zoomBy,
    fit: () => {
      setMoved({ zoom: 1, x: 0, y: 0 })
      setRowPx(Math.min(18, fittingRowPx))
      setCellPx(
        shownAlignment === null
          ? null
          : Math.min(usualCellPx.most, Math.max(0.2, (alignmentPx - 30) / Math.max(1, shownAlignment.columns))),
      )
      setColumn(0)
    },
    show: (id) => {
      const node = tree.nodes.find((one) => one.id === id)
      if (node !== undefined && !isRound) scrollTo(node.row)
    },
    renderSvg: (title, description) => {
      // Rectangular trees go into the file whole, the others as they are seen.
      const height = isRound ? viewPx : Math.max(viewPx, contentPx + headRoomPx + footPx + 8)
      const ink = createSvgInk(width, height)
      draw(ink, lightColours, height, 0)
      return ink.finish(title, description)
    },
  }))

  // A wheel listener of React's cannot keep the page from zooming.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2)
      } else if (showsAlignment && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
        event.preventDefault()
        move((event.deltaX || event.deltaY) / cellPx)
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  })

  /** The node at a point of the canvas: the nearest within reach, or the row's leaf where its name is. */
  const findNode = (x: number, y: number): PlacedNode | null => {
    let best: PlacedNode | null = null
    let reach = 12
    if (places !== null) {
      for (const node of tree.nodes) {
        const place = places.get(node)!
        const distance = Math.hypot(
          roundBox.x + place.x * roundBox.radius - x,
          roundBox.y + place.y * roundBox.radius - y,
        )
        if (distance < reach) {
          best = node
          reach = distance
        }
      }
      return best
    }
    const rows = rowBoxOf(top, headRoomPx, viewPx - footPx)
    const row = Math.round((y - rows.top) / rowPx)
    for (const node of tree.nodes) {
      const dy = Math.abs(rows.top + node.row * rowPx - y)
      if (dy >= reach) continue
      const end = xOf(paint, rows, node.depth)
      const start = node.parent === null ? end : xOf(paint, rows, node.parent.depth)
      // Anywhere on its branch, the node's own end before others.
      const dx = x < start ? start - x : x > end ? x - end : 0
      const distance = Math.hypot(dx, dy) + (x <= end ? 0.01 : 0)
      if (distance < reach) {
        best = node
        reach = distance
      }
    }
    if (best !== null) return best
    const leaf = tree.rows[row]
    if (leaf === undefined || y < headRoomPx || y > viewPx - footPx) return null
    return x > xOf(paint, rows, leaf.depth) ? leaf : null
  }

  const drag = useRef<{
    x: number
    y: number
    moved: boolean
    column: number
    at: typeof moved
    inAlignment: boolean
  } | null>(null)
  const pointOf = (event: PointerEvent<HTMLElement>): [number, number] => {
    const { left, top: canvasTop } = canvas.current!.getBoundingClientRect()
    return [event.clientX - left, event.clientY - canvasTop]
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.startsWith('Arrow')) {
      if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
        move(event.key === 'ArrowLeft' ? -10 : 10)
      else {
        const next = walkTree(tree, paint.chosen, event.key)
        onChoose(next)
        const node = tree.nodes.find((one) => one.id === next)
        if (node !== undefined && !isRound) scrollTo(node.row)
      }
    } else if (event.key === '+' || event.key === '=') zoomBy(1.25)
    else if (event.key === '-') zoomBy(0.8)
    else if (event.key === 'Escape') onChoose(null)
    else if (!onKey(event.key.toLowerCase())) return
    event.preventDefault()
  }

  return (
    <div className="tree-drawing">
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a drawing that is walked with the arrow keys. */}
      <div
        ref={box}
        className={`tree-scroll ${isRound ? 'tree-round' : ''}`}
        style={{ blockSize: viewPx }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the tree is walked with the arrow keys.
        tabIndex={0}
        role="group"
        aria-label={t('view.canvas', { leaves: tree.rows.length })}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          const [x, y] = pointOf(event)
          drag.current = { x, y, moved: false, column, at: moved, inAlignment: showsAlignment && x > alignmentLeft }
        }}
        onPointerMove={(event) => {
          const [x, y] = pointOf(event)
          const start = drag.current
          if (start !== null && (Math.abs(x - start.x) > 4 || Math.abs(y - start.y) > 4)) start.moved = true
          if (start?.moved === true && isRound)
            setMoved({ ...start.at, x: start.at.x + x - start.x, y: start.at.y + y - start.y })
          else if (start?.moved === true && start.inAlignment)
            setColumn(Math.min(maxColumn, Math.max(0, Math.round(start.column - (x - start.x) / cellPx))))
          if (start !== null) return
          const node = x > alignmentLeft && showsAlignment ? null : findNode(x, y)
          setHovered(node === null ? null : { x, y, text: describe(node.id) })
        }}
        onPointerLeave={() => {
          setHovered(null)
          drag.current = null
        }}
        onPointerUp={(event) => {
          const start = drag.current
          drag.current = null
          if (start === null || start.moved || start.inAlignment) return
          onChoose(findNode(...pointOf(event))?.id ?? null)
        }}
      >
        <canvas ref={canvas} style={{ inlineSize: width, blockSize: viewPx }} aria-hidden />
        {isRound ? null : <div style={{ blockSize: Math.max(0, contentPx + headRoomPx + footPx + 8 - viewPx) }} />}
      </div>
      {hovered === null ? null : (
        <div
          className="tree-tip"
          style={{ insetInlineStart: Math.min(hovered.x + 14, width - 240), insetBlockStart: hovered.y + 12 }}
        >
          {hovered.text}
        </div>
      )}
      {alignment !== null && !showsAlignment ? (
        <p className="nv-quiet tree-trimmed">{t(isRound ? 'view.alignmentRound' : 'view.alignmentNarrow')}</p>
      ) : null}
      {showsAlignment && shownAlignment.kept.includes(0) ? (
        <p className="nv-quiet tree-trimmed">{t('view.trimmed')}</p>
      ) : null}
      {showsAlignment && maxColumn > 0 ? (
        <input
          type="range"
          className="tree-columns"
          style={{ inlineSize: alignmentPx - 40 }}
          aria-label={t('view.columns')}
          min={0}
          max={maxColumn}
          value={Math.min(column, maxColumn)}
          onChange={(event) => setColumn(event.target.valueAsNumber)}
        />
      ) : null}
    </div>
  )
}

/** Pixels of one unit of length in the unrooted drawing: any branch that has a length tells. */
const unrootedScale = (
  nodes: readonly PlacedNode[],
  places: ReadonlyMap<PlacedNode, { x: number; y: number }>,
  radius: number,
): number => {
  for (const node of nodes) {
    const length = node.node.length ?? 0
    if (node.parent === null || length <= 0) continue
    const a = places.get(node)!
    const b = places.get(node.parent)!
    return (Math.hypot(a.x - b.x, a.y - b.y) * radius) / length
  }
  return 0
}
