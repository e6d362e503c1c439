import type { ReactNode } from 'react'
import { useFormat } from '../../../kit/ui/language.tsx'
import type { MapGene } from '../tool.ts'

/** Where a track lies: its top, and where positions of the horizontal axis stand. */
export interface TrackFrame {
  y: number
  height: number
  left: number
  inner: number
  place: (position: number) => number
}

const rowHeight = 20

/** Genes in as many rows as keep their names apart, four at most; a gene that finds no room in those is drawn in the last. */
const packGenes = (
  genes: readonly MapGene[],
  place: (position: number) => number,
): { gene: MapGene; row: number; named: boolean }[] => {
  const ends = [-1e9, -1e9, -1e9, -1e9]
  return genes.map((gene) => {
    const from = place(gene.start)
    const to = place(gene.end + 1)
    const nameWidth = (gene.symbol ?? gene.id).length * 6 + 6
    const free = ends.findIndex((end) => end <= from)
    const row = free < 0 ? ends.length - 1 : free
    // A name needs its own room; where there is none the gene is told by its title alone.
    const named = free >= 0 && Math.max(to - from, nameWidth) < 260
    ends[row] = Math.max(ends[row]!, to + 2, named ? from + nameWidth : 0)
    return { gene, row, named }
  })
}

/** Whether so many genes lie in a segment of this width in pixels that their names find no room. */
const isCrowded = (genes: readonly MapGene[], inner: number): boolean => genes.length * 12 > inner

export const geneTrackHeight = (genes: readonly MapGene[], inner: number): number =>
  isCrowded(genes, inner) ? 30 : 4 * rowHeight + 6

export const GeneTrack = ({
  genes,
  frame,
  onOpen,
}: {
  genes: MapGene[]
  frame: TrackFrame
  onOpen: (id: string) => void
}): ReactNode => {
  const format = useFormat()
  // So many genes have no room for names: one row for each strand tells more than four that are full.
  const crowded = isCrowded(genes, frame.inner)
  const packed = crowded
    ? genes.map((gene) => ({ gene, row: gene.strand === '-' ? 1 : 0, named: false }))
    : packGenes(genes, frame.place)
  const right = frame.left + frame.inner
  return (
    <g>
      {packed.map(({ gene, row, named }) => {
        const from = Math.max(frame.left, frame.place(gene.start))
        const to = Math.min(right, frame.place(gene.end + 1))
        const title = `${gene.symbol ?? gene.id} ${format.number(gene.start)}..${format.number(gene.end)} (${gene.strand})`
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the page of a gene is also reached by the table of its bin.
          <g key={gene.id} onClick={() => onOpen(gene.id)} style={{ cursor: 'pointer' }}>
            <rect
              className={gene.strand === '-' ? 'hic-gene-minus' : 'hic-gene'}
              x={from}
              y={frame.y + row * (crowded ? 10 : rowHeight)}
              width={Math.max(1, to - from)}
              height={6}
            >
              <title>{title}</title>
            </rect>
            {named ? (
              <text className="hic-gene-name" x={from} y={frame.y + row * rowHeight + 15}>
                {gene.symbol ?? gene.id}
              </text>
            ) : null}
          </g>
        )
      })}
    </g>
  )
}

/** Values along the horizontal axis as bars from zero, those below it the other way; null leaves a gap. */
export const BarTrack = ({
  values,
  startOf,
  widthBp,
  frame,
  title,
  signed = false,
}: {
  values: readonly (number | null)[]
  startOf: (index: number) => number
  widthBp: number
  frame: TrackFrame
  title: string
  signed?: boolean
}): ReactNode => {
  const format = useFormat()
  const numbers = values.filter((value) => value !== null)
  const max = Math.max(1e-12, ...numbers.map(Math.abs))
  const low = Math.min(0, ...numbers)
  const below = low < 0
  const zero = below ? frame.y + frame.height / 2 : frame.y + frame.height
  const room = (below ? frame.height / 2 : frame.height) - 1
  const right = frame.left + frame.inner
  const paths = { over: '', under: '' }
  for (const [at, value] of values.entries()) {
    if (value === null || value === 0) continue
    const from = Math.max(frame.left, frame.place(startOf(at)))
    const to = Math.min(right, frame.place(startOf(at) + widthBp))
    if (to <= from) continue
    const high = (Math.abs(value) / max) * room
    const bar = `M${from.toFixed(1)},${zero}h${(to - from + 0.2).toFixed(1)}v${(value > 0 ? -high : high).toFixed(1)}H${from.toFixed(1)}z`
    paths[value > 0 ? 'over' : 'under'] += bar
  }
  return (
    <g>
      <title>{title}</title>
      <path className={signed ? 'hic-a' : 'hic-signal'} d={paths.over} />
      <path className={signed ? 'hic-b' : 'hic-signal'} d={paths.under} />
      <line className="nv-grid-line" x1={frame.left} x2={right} y1={zero} y2={zero} />
      <text className="hic-axis" x={frame.left - 5} y={frame.y + 9} textAnchor="end" fontSize={9}>
        {format.statistic(max)}
      </text>
    </g>
  )
}

/** Values along the horizontal axis as a line from the lowest to the highest. */
export const LineTrack = ({
  values,
  startOf,
  widthBp,
  frame,
  byLogarithm = false,
}: {
  values: readonly (number | null)[]
  startOf: (index: number) => number
  widthBp: number
  frame: TrackFrame
  byLogarithm?: boolean
}): ReactNode => {
  const format = useFormat()
  const right = frame.left + frame.inner
  const shown = values.flatMap((value, at): [number, number][] => {
    const x = frame.place(startOf(at) + widthBp / 2)
    return value === null || (byLogarithm && value <= 0) || x < frame.left || x > right ? [] : [[at, value]]
  })
  if (shown.length === 0) return null
  let [low, high] = [shown[0]![1], shown[0]![1]]
  for (const [, value] of shown) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const scale = (value: number): number => (byLogarithm ? Math.log(value) : value)
  const y = (value: number): number =>
    frame.y +
    frame.height -
    2 -
    (high === low ? 0.5 : (scale(value) - scale(low)) / (scale(high) - scale(low))) * (frame.height - 4)
  let path = ''
  let previous = -2
  for (const [at, value] of shown) {
    path += `${at === previous + 1 ? 'L' : 'M'}${frame.place(startOf(at) + widthBp / 2).toFixed(1)},${y(value).toFixed(1)}`
    previous = at
  }
  return (
    <g>
      {!byLogarithm && low < 0 && high > 0 ? (
        <line className="nv-grid-line" x1={frame.left} x2={right} y1={y(0)} y2={y(0)} />
      ) : null}
      <path className="hic-profile" d={path} />
      <text className="hic-axis" x={frame.left - 5} y={frame.y + 9} textAnchor="end" fontSize={9}>
        {format.statistic(high)}
      </text>
      <text className="hic-axis" x={frame.left - 5} y={frame.y + frame.height} textAnchor="end" fontSize={9}>
        {format.statistic(low)}
      </text>
    </g>
  )
}

/** What a track is, above it. */
export const TrackTitle = ({ x, y, text }: { x: number; y: number; text: string }): ReactNode => (
  <text className="hic-axis" x={x} y={y} fontWeight={600}>
    {text}
  </text>
)
