import { Lasso, Maximize } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Field, SelectField, TextInput } from '../../kit/ui/controls/field.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { lightTokenColour, tokenColour, viridis } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useTheme } from '../../kit/ui/theme.ts'
import { levelColour } from './cell-colours.ts'
import { type Colouring, useColours, useMap } from './cells.ts'
import {
  canvasRatio,
  drawCells,
  drawLabels,
  type Paint,
  paintCells,
  placeGroups,
  radiusOf,
  type View,
  viewOfAll,
} from './draw-cells.ts'
import { renderMapFile } from './map-file.ts'
import messages from './messages.ts'
import { cellsWithin, renderSelection } from './selection.ts'
import type { CellDataset } from './stored.ts'

/** Levels that get a label on the map and a line of the legend. */
const maxLabels = 40
/** A lasso is thinned to this many corners, so that an address can hold it. */
const maxCorners = 60

/** Of the two arrows in the corner that name the axes: a map of cells has no scale. */
const axesPx = { width: 92, height: 84, clear: 26 }
/** Width below which a map is as high as it is wide. */
const narrowPx = 560

type LevelCount = { name: string; cells: number }

/** What the map is coloured by at first: the genes asked for, or the groups. */
const readColouring = (query: URLSearchParams, dataset: CellDataset, genes: string): Colouring => {
  const reported = query.get('view.colour')
  if (reported?.startsWith('gene:')) return { kind: 'genes', genes: reported.slice(5) }
  const column = reported === null ? undefined : dataset.columns.find(({ name }) => `column:${name}` === reported)
  if (column !== undefined) return { kind: 'column', name: column.name }
  if (genes !== '') return { kind: 'genes', genes }
  const first = dataset.group ?? dataset.columns[0]?.name
  return first === undefined ? null : { kind: 'column', name: first }
}

export const CellMap = ({
  assembly,
  dataset,
  genes = '',
  maxHeight = 500,
  receipt,
}: {
  assembly: string
  dataset: CellDataset
  /** Genes to colour by at first. */
  genes?: string
  /** Of the map in pixels. */
  maxHeight?: number
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const mapNumber = Math.min(Number(query.get('view.map') ?? 0) || 0, dataset.embeddings.length - 1)
  const embedding = dataset.embeddings[mapNumber]!
  const colouring = readColouring(query, dataset, genes)
  const map = useMap(assembly, dataset.id, mapNumber)
  const colours = useColours(assembly, dataset, colouring)
  const [typed, setTyped] = useState(colouring?.kind === 'genes' ? colouring.genes : '')
  const [only, setOnly] = useState<number | null>(null)
  const [lassoing, setLassoing] = useState(false)
  const [corners, setCorners] = useState<[number, number][]>([])
  const [hover, setHover] = useState<{ x: number; y: number; text: string } | null>(null)
  const [root, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View | null>(null)
  const whole = useRef<View | null>(null)
  const shown = useRef(new Uint32Array(0))
  const asked = useRef<number | null>(null)
  const frame = useRef(0)
  const drag = useRef<{ x: number; y: number } | null>(null)
  // In a narrow column the map is a square: half as high as wide, it would be a stripe.
  const height = Math.round(Math.max(280, Math.min(maxHeight, width * (width < narrowPx ? 1 : 0.66))))

  const column = colouring?.kind === 'column' ? dataset.columns.find(({ name }) => name === colouring.name) : undefined
  const levels = colours.data?.kind === 'levels' ? (column?.levels ?? null) : null
  const theme = useTheme()
  const paintIn = useCallback(
    (quiet: string): Paint | null =>
      map.data === undefined
        ? null
        : paintCells(
            map.data.length / 2,
            colours.data,
            (levels ?? []).map((_, level) => levelColour(level)),
            quiet,
            only,
          ),
    [map.data, colours.data, levels, only],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the token's colour.
  const paint = useMemo(() => paintIn(tokenColour('line')), [paintIn, theme])
  /** Where each group lies on the map. */
  const labels = useMemo(() => {
    if (levels === null || levels.length > maxLabels || colours.data?.kind !== 'levels' || map.data === undefined)
      return []
    return placeGroups(
      map.data,
      colours.data.codes,
      levels.map(({ name }) => name),
    )
  }, [levels, colours.data, map.data])

  const ratio = canvasRatio(dataset.cellCount)
  const draw = useCallback((): void => {
    const surface = canvas.current
    const context = surface?.getContext('2d')
    if (surface === null || context === null || context === undefined || map.data === undefined || paint === null)
      return
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (w < 1 || h < 1) return
    if (surface.width !== w || surface.height !== h) {
      surface.width = w
      surface.height = h
      view.current = null
    }
    if (shown.current.length !== w * h) shown.current = new Uint32Array(w * h)
    if (view.current === null) {
      whole.current = viewOfAll(map.data, w, h, axesPx.clear * ratio)
      view.current = { ...whole.current }
    }
    const image = context.createImageData(w, h)
    const zoom = view.current.scale / whole.current!.scale
    drawCells(
      image,
      drag.current === null ? shown.current : null,
      map.data,
      paint,
      view.current,
      radiusOf(map.data.length / 2, zoom, ratio, width),
    )
    context.putImageData(image, 0, 0)
    drawLabels(context, labels, view.current, ratio, {
      ground: tokenColour('surface'),
      ink: tokenColour('ink'),
      font: getComputedStyle(surface).fontFamily,
      image,
    })
    if (asked.current !== null && colours.data !== undefined) {
      surface.dataset.clickMs = String(Math.round(performance.now() - asked.current))
      asked.current = null
    }
    surface.dataset.drawn = colouring === null ? '' : colouring.kind === 'genes' ? colouring.genes : colouring.name
  }, [map.data, paint, width, height, ratio, labels, colours.data, colouring])

  /** The map as it is shown now, in the colours of the light theme, for a file. */
  const drawLight = (): string | null => {
    const light = paintIn(lightTokenColour('line'))
    const surface = canvas.current
    if (surface === null || map.data === undefined || light === null || view.current === null) return null
    const sheet = document.createElement('canvas')
    sheet.width = surface.width
    sheet.height = surface.height
    const context = sheet.getContext('2d')
    if (context === null) return null
    const image = context.createImageData(sheet.width, sheet.height)
    const zoom = view.current.scale / whole.current!.scale
    drawCells(image, null, map.data, light, view.current, radiusOf(map.data.length / 2, zoom, ratio, width))
    context.putImageData(image, 0, 0)
    drawLabels(context, labels, view.current, ratio, {
      ground: lightTokenColour('surface'),
      ink: lightTokenColour('ink'),
      font: getComputedStyle(surface).fontFamily,
      image,
    })
    return sheet.toDataURL('image/png')
  }

  const drawSoon = useCallback((): void => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(draw)
  }, [draw])
  useLayoutEffect(() => {
    draw()
    return () => cancelAnimationFrame(frame.current)
  }, [draw])
  // Another map has other units; what was drawn around on the one is not on the other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map's number is what changes
  useEffect(() => {
    view.current = null
    setCorners([])
    drawSoon()
  }, [mapNumber, map.data])

  const zoomAt = useCallback(
    (px: number, py: number, factor: number): void => {
      const now = view.current
      if (now === null || whole.current === null) return
      const scale = Math.max(whole.current.scale * 0.5, Math.min(whole.current.scale * 400, now.scale * factor))
      const by = scale / now.scale
      view.current = { scale, x: px - (px - now.x) * by, y: py - (py - now.y) * by }
      drawSoon()
    },
    [drawSoon],
  )
  // React listens to wheels passively; the page must not scroll along.
  useEffect(() => {
    const surface = canvas.current
    if (surface === null) return
    const onWheel = (event: WheelEvent): void => {
      // The wheel alone scrolls the page, as it does over a network.
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const box = surface.getBoundingClientRect()
      zoomAt((event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio, Math.exp(-event.deltaY * 0.0015))
    }
    surface.addEventListener('wheel', onWheel, { passive: false })
    return () => surface.removeEventListener('wheel', onWheel)
  }, [zoomAt, ratio])

  const placeOf = (event: PointerEvent): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect()
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio]
  }
  const unitsOf = ([px, py]: [number, number]): [number, number] => {
    const now = view.current!
    return [(px - now.x) / now.scale, (now.y - py) / now.scale]
  }
  const onDown = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (view.current === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const [x, y] = placeOf(event)
    drag.current = { x, y }
    setHover(null)
    if (lassoing) setCorners([unitsOf([x, y])])
  }
  const onMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    const [x, y] = placeOf(event)
    const from = drag.current
    if (from === null) {
      const cell = (shown.current[Math.round(y) * (canvas.current?.width ?? 0) + Math.round(x)] ?? 0) - 1
      setHover(cell < 0 ? null : { x: x / ratio, y: y / ratio, text: describeCell(cell) })
      return
    }
    if (lassoing) {
      if (Math.hypot(x - from.x, y - from.y) < 3 * ratio) return
      drag.current = { x, y }
      setCorners((before) => [...before, unitsOf([x, y])])
    } else if (view.current !== null) {
      view.current = { ...view.current, x: view.current.x + x - from.x, y: view.current.y + y - from.y }
      drag.current = { x, y }
      drawSoon()
    }
  }
  const onUp = (): void => {
    drag.current = null
    drawSoon()
    if (!lassoing) return
    setLassoing(false)
    setCorners((before) => {
      if (before.length < 3) return []
      const step = Math.ceil(before.length / maxCorners)
      return before.filter((_, at) => at % step === 0)
    })
  }
  const describeCell = (cell: number): string => {
    if (colours.data?.kind === 'levels') return levels?.[colours.data.codes[cell]!]?.name ?? t('map.other')
    if (colours.data?.kind === 'numbers') return format.number(colours.data.values[cell]!, 2)
    return ''
  }

  const chosen = useMemo(
    () =>
      lassoing || corners.length < 3 || map.data === undefined
        ? null
        : cellsWithin(corners, map.data).reduce((sum, one) => sum + one, 0),
    [lassoing, corners, map.data],
  )
  const seeAll = (): void => {
    view.current = whole.current === null ? null : { ...whole.current }
    drawSoon()
  }
  const colourBy = (colour: string): void => {
    asked.current = performance.now()
    setOnly(null)
    change({ 'view.colour': colour }, true)
  }
  const use = (field: 'first' | 'second'): void =>
    change({
      task: 'compare',
      [field]: renderSelection({ kind: 'lasso', map: mapNumber, points: corners }),
      run: null,
      job: null,
    })
  const colourGenes = (event: FormEvent): void => {
    event.preventDefault()
    const names = splitIdentifiers(typed).join(',')
    if (names !== '') colourBy(`gene:${names}`)
  }

  if (map.isError) return <Unanswered of={map} />
  const name = format.text(dataset.name)
  const onKey = (event: KeyboardEvent): void => {
    const now = view.current
    if (now === null) return
    const [w, h] = [width * ratio, height * ratio]
    const far = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key]
    if (far !== undefined) {
      view.current = { ...now, x: now.x + far[0]! * w, y: now.y + far[1]! * h }
      drawSoon()
    } else if (event.key === '+' || event.key === '=') zoomAt(w / 2, h / 2, 1.4)
    else if (event.key === '-') zoomAt(w / 2, h / 2, 1 / 1.4)
    else if (event.key === '0') seeAll()
    else return
    event.preventDefault()
  }
  const outline = (): string => {
    const now = view.current
    if (now === null || corners.length === 0) return ''
    return corners.map(([x, y]) => `${(x * now.scale + now.x) / ratio},${(now.y - y * now.scale) / ratio}`).join(' ')
  }
  const renderFile = (): string | null => {
    const picture = drawLight()
    if (picture === null) return null
    return renderMapFile({
      width,
      height,
      picture,
      axes: [t('axis.x', { map: embedding.name }), t('axis.y', { map: embedding.name })],
      legend:
        colours.data?.kind === 'numbers'
          ? {
              name: colouring?.kind === 'genes' ? colouring.genes : (colouring?.name ?? ''),
              min: colours.data.min,
              max: colours.data.max,
            }
          : (levels ?? []).slice(0, maxLabels),
    })
  }
  const method = t('map.method', {
    map: embedding.name,
    computed: String(embedding.computed),
    sampled: embedding.sampled ?? 0,
  })
  return (
    <FigureFrame<LevelCount>
      title={t('map.title')}
      name={`${dataset.id}-map`}
      aside={name}
      simulated={dataset.simulated}
      method={method}
      {...(receipt === undefined ? {} : { receipt })}
      renderFile={renderFile}
      {...(levels === null
        ? {}
        : {
            numbers: {
              columns: [
                { key: 'group', title: t('column.group'), value: (one) => one.name },
                { key: 'cells', title: t('column.cells'), kind: 'number' as const, value: (one) => one.cells },
              ],
              rows: levels,
              rowKey: (one) => one.name,
            },
          })}
    >
      <p className="nv-quiet">
        {t('dataset.about', {
          cells: dataset.cellCount,
          genes: dataset.geneCount,
          layout: dataset.layout,
          values: dataset.values,
        })}
      </p>
      <div className="sc-bar">
        {dataset.embeddings.length < 2 ? null : (
          <SelectField
            label={t('map.map')}
            value={String(mapNumber)}
            onChoose={(value) => change({ 'view.map': value }, true)}
            options={dataset.embeddings.map((one, at) => ({ value: String(at), label: one.name }))}
          />
        )}
        <SelectField
          label={t('map.colour')}
          value={colouring?.kind === 'column' ? `column:${colouring.name}` : '~gene'}
          onChoose={(value) => (value === '~gene' ? undefined : colourBy(value))}
          options={[
            ...dataset.columns.map((one) => ({
              value: `column:${one.name}`,
              label: one.computed ? `${one.name} (${t('note.computed')})` : one.name,
            })),
            ...(colouring?.kind === 'genes' ? [{ value: '~gene', label: t('map.gene') }] : []),
          ]}
        />
        <form onSubmit={colourGenes} className="sc-gene">
          <Field label={t('map.gene')}>
            {(control) => (
              <TextInput
                {...control}
                value={typed}
                placeholder={t('map.genePlaceholder')}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit">{t('map.geneButton')}</Button>
        </form>
        <span className="sc-tools">
          <Button
            size="small"
            aria-pressed={lassoing}
            icon={<Lasso size={14} aria-hidden />}
            onClick={() => {
              setCorners([])
              setLassoing(!lassoing)
            }}
          >
            {t('map.lasso')}
          </Button>
          <Button size="small" icon={<Maximize size={14} aria-hidden />} onClick={seeAll}>
            {t('map.all')}
          </Button>
        </span>
      </div>
      {colours.isError ? <Unanswered of={colours} line /> : null}
      <div ref={root} className="sc-map" style={{ height }}>
        {map.data === undefined ? <Waiting /> : null}
        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={t('map.canvas', { count: dataset.cellCount })}
          onKeyDown={onKey}
          className={lassoing ? 'sc-lasso' : undefined}
          style={{ width, height }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={() => {
            drag.current = null
          }}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={seeAll}
        />
        <svg width={axesPx.width} height={axesPx.height} aria-hidden="true" className="sc-axes">
          <path
            d={`M8,8V${axesPx.height - 8}H${axesPx.width - 8}M5,13L8,8L11,13M${axesPx.width - 13},${axesPx.height - 11}L${axesPx.width - 8},${axesPx.height - 8}L${axesPx.width - 13},${axesPx.height - 5}`}
          />
          <text x={14} y={axesPx.height - 14}>
            {t('axis.x', { map: embedding.name })}
          </text>
          <text transform={`translate(20,${axesPx.height - 26}) rotate(-90)`}>
            {t('axis.y', { map: embedding.name })}
          </text>
        </svg>
        {corners.length < 2 ? null : (
          <svg width={width} height={height} aria-hidden="true" className="sc-outline">
            <polygon points={outline()} />
          </svg>
        )}
        {hover === null || hover.text === '' ? null : (
          <span className="sc-hover" style={{ left: hover.x + 12, top: hover.y + 8 }}>
            {hover.text}
          </span>
        )}
      </div>
      <p className="nv-field-help sc-hint">{t('map.hint')}</p>
      {chosen === null ? null : (
        <p className="sc-chosen">
          {t('map.selected', { count: chosen })}{' '}
          <Button size="small" onClick={() => use('first')}>
            {t('map.useFirst')}
          </Button>{' '}
          <Button size="small" onClick={() => use('second')}>
            {t('map.useSecond')}
          </Button>
        </p>
      )}
      {colours.data?.kind === 'numbers' ? (
        <p className="sc-scale">
          <span>{format.number(colours.data.min, 2)}</span>
          <span
            className="sc-ramp"
            style={{
              background: `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((at) => viridis(at)).join(', ')})`,
            }}
          />
          <span>{format.number(colours.data.max, 2)}</span>
          <span className="nv-quiet">
            {colouring?.kind === 'genes'
              ? t('map.expressing', {
                  gene: colouring.genes.includes(',')
                    ? t('map.score', { count: colouring.genes.split(',').length })
                    : colouring.genes,
                  count: colours.data.expressing,
                  total: dataset.cellCount,
                  max: format.number(colours.data.max, 2),
                })
              : colouring?.name}
          </span>
        </p>
      ) : (
        <ul className="sc-legend">
          {(levels ?? []).slice(0, maxLabels).map((level, at) => (
            <li key={level.name}>
              <button type="button" aria-pressed={only === at} onClick={() => setOnly(only === at ? null : at)}>
                <i style={{ background: levelColour(at) }} /> {level.name} <small>{format.number(level.cells)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </FigureFrame>
  )
}
