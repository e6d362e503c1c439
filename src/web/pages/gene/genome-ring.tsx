import { useQuery } from '@tanstack/react-query'
import { ticks as d3Ticks } from 'd3'
import { type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { quantile } from '../../../bio/statistics/quantile.ts'
import { type AssemblyOverview, type AssemblySummary, getAssemblyOverview } from '../../../contracts/species.ts'
import { Unanswered } from '../../../kit/ui/controls/empty-state.tsx'
import { positionUnit } from '../../../kit/ui/figures/axis-ticks.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/home.ts'

const size = 640
const middle = size / 2
/** Radii of the rings, from outside: forward genes outwards of `genes`, reverse genes inwards; then GC, then skew. */
const radii = { outer: 292, genes: 262, inner: 232, gc: 192, skew: 146 }
const gcHeight = 26
const skewHeight = 30
/** Room for words within the innermost ring. */
const middleWidth = 1.6 * (radii.skew - skewHeight)

interface Piece {
  name: string
  lengthBp: number
  role: string
  from: number
  to: number
  forward: number[]
  reverse: number[]
  gc: number[]
  skew: number[]
}

/**
 * Places sequences around the ring by length. One circular sequence fills it; others leave gaps, so that a linear
 * chromosome is not drawn as a circle. Angles in radians from 12 o'clock, clockwise.
 */
export const placePieces = (overview: AssemblyOverview): Piece[] => {
  const total = overview.sequences.reduce((sum, one) => sum + one.lengthBp, 0)
  if (total === 0) return []
  const closed = overview.sequences.length === 1 && overview.sequences[0]?.circular === true
  const gap = closed ? 0 : Math.min(0.03, 0.9 / overview.sequences.length)
  const room = 2 * Math.PI - gap * overview.sequences.length
  let at = gap / 2
  return overview.sequences.map((one) => {
    const from = at
    const to = from + (one.lengthBp / total) * room
    at = to + gap
    return { ...one, from, to }
  })
}

/** Joins neighbouring windows until at most `maximum` are left: the eye cannot tell more on this circle. */
export const thin = (values: number[], maximum: number, how: 'sum' | 'mean'): number[] => {
  const step = Math.ceil(values.length / maximum)
  if (step <= 1) return values
  const out: number[] = []
  for (let at = 0; at < values.length; at += step) {
    const part = values.slice(at, at + step)
    const sum = part.reduce((total, value) => total + value, 0)
    out.push(how === 'sum' ? sum : sum / part.length)
  }
  return out
}

const point = (angle: number, radius: number): string =>
  `${(Math.sin(angle) * radius).toFixed(2)},${(-Math.cos(angle) * radius).toFixed(2)}`

/** The line of a piece at a radius, in two halves: one arc cannot be a whole circle. By hand, as the shapes of d3 would weigh on Home. */
const arcLine = ({ from, to }: Piece, radius: number): string => {
  const arc = (angle: number): string => `A${radius},${radius} 0 0 1 ${point(angle, radius)}`
  return `M${point(from, radius)}${arc((from + to) / 2)}${arc(to)}`
}

/** Bars along a circle as one path; heights by the square root, so that lone genes are still seen. */
const bars = (piece: Piece, values: number[], base: number, height: number, top: number): string => {
  const step = (piece.to - piece.from) / values.length
  return values
    .map((value, index) => {
      if (value === 0) return ''
      const a = piece.from + index * step
      const b = a + step * 0.86
      const radius = base + height * Math.sqrt(Math.min(1, value / top))
      return `M${point(a, base)}L${point(a, radius)}L${point(b, radius)}L${point(b, base)}Z`
    })
    .join('')
}

/** A signed line about a circle, its positive and negative sides as two areas. */
const sides = (piece: Piece, values: number[], base: number, height: number, limit: number): [string, string] => {
  const step = (piece.to - piece.from) / values.length
  const make = (sign: 1 | -1): string =>
    values
      .map((value, index) => {
        const size = Math.min(1, Math.max(0, (sign * value) / limit)) * height * sign
        if (size === 0) return ''
        const a = piece.from + index * step
        const b = a + step
        return `M${point(a, base)}L${point(a, base + size)}L${point(b, base + size)}L${point(b, base)}Z`
      })
      .join('')
  return [make(1), make(-1)]
}

/** The size that the largest few may exceed, so that one peak does not make the rest invisible. */
const maxOf = (values: readonly number[], min: number, share: number): number =>
  values.length === 0 ? min : Math.max(min, quantile(Float64Array.from(values).sort(), share))

/** The lab's own genome as the picture of the front page: genes by strand, GC, GC skew, drawn from what is loaded. */
export const GenomeRing = ({ assembly }: { assembly: AssemblySummary }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const [pointed, setPointed] = useState<{ piece: Piece; index: number; angle: number } | null>(null)
  const answer = useQuery({
    queryKey: ['overview', assembly.id, assembly.bundle],
    queryFn: (context) => call(getAssemblyOverview, { assembly: assembly.id }, context),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const overview = answer.data

  const drawing = useMemo(() => {
    if (overview === undefined) return null
    const pieces = placePieces(overview)
    const windows = overview.sequences.reduce((sum, one) => sum + one.gc.length, 0)
    const share = (piece: Piece): number => Math.max(6, Math.round((900 * piece.gc.length) / Math.max(1, windows)))
    const thinned = pieces.map((piece) => {
      const count = share(piece)
      return {
        piece,
        forward: thin(piece.forward, count, 'sum'),
        reverse: thin(piece.reverse, count, 'sum'),
        gc: thin(piece.gc, Math.round(count * 0.6), 'mean'),
        skew: thin(piece.skew, Math.round(count * 0.6), 'mean'),
      }
    })
    const genesTop = maxOf(
      thinned.flatMap((one) => [...one.forward, ...one.reverse]),
      1,
      0.985,
    )
    const gcAll = thinned.flatMap((one) => one.gc).filter((value) => value > 0)
    const gcMean = gcAll.reduce((sum, value) => sum + value, 0) / Math.max(1, gcAll.length)
    const gcLimit = maxOf(
      gcAll.map((value) => Math.abs(value - gcMean)),
      0.01,
      0.99,
    )
    const skewLimit = maxOf(
      thinned.flatMap((one) => one.skew.map(Math.abs)),
      0.01,
      0.985,
    )
    return thinned.map(({ piece, forward, reverse, gc, skew }) => ({
      piece,
      forward: bars(piece, forward, radii.genes + 1.5, radii.outer - radii.genes, genesTop),
      reverse: bars(piece, reverse, radii.genes - 1.5, radii.inner - radii.genes, genesTop),
      gc: sides(
        piece,
        gc.map((value) => (value === 0 ? 0 : value - gcMean)),
        radii.gc,
        gcHeight,
        gcLimit,
      ),
      skew: sides(piece, skew, radii.skew, skewHeight, skewLimit),
    }))
  }, [overview])

  const locate = (event: PointerEvent<SVGSVGElement>): void => {
    if (drawing === null) return
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left - box.width / 2
    const y = event.clientY - box.top - box.height / 2
    const radius = (Math.hypot(x, y) / box.width) * size
    const angle = (Math.atan2(x, -y) + 2 * Math.PI) % (2 * Math.PI)
    const found =
      radius < 100 || radius > 315 ? undefined : drawing.find(({ piece }) => angle >= piece.from && angle <= piece.to)
    if (found === undefined) setPointed(null)
    else {
      const { piece } = found
      const index = Math.min(
        piece.gc.length - 1,
        Math.floor(((angle - piece.from) / (piece.to - piece.from)) * piece.gc.length),
      )
      setPointed({ piece, index, angle })
    }
  }

  const speciesLines = wrapName(shortName(assembly.speciesName), middleWidth, 13)
  const windowBp = overview?.windowBp ?? 1
  const range = (piece: Piece, index: number): [number, number] => [
    index * windowBp + 1,
    Math.min(piece.lengthBp, (index + 1) * windowBp),
  ]
  const many = (drawing?.length ?? 0) > 1
  const single = many ? undefined : drawing?.[0]?.piece
  const ticks = single === undefined ? [] : d3Ticks(0, single.lengthBp, 6).filter((tick) => tick > 0)
  const { unit, bases, digits } = positionUnit(ticks)
  const label = t('home.ring', {
    name: `${assembly.speciesName} ${assembly.name}`,
    sequences: assembly.sequenceCount,
    length: format.basePairs(assembly.lengthBp),
    genes: format.number(assembly.geneCount),
  })

  if (answer.isError) return <Unanswered of={answer} line />
  return (
    <figure className="home-ring">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same search is in the box beside it. */}
      <svg
        viewBox={`${-middle} ${-middle} ${size} ${size}`}
        role="img"
        aria-label={label}
        onPointerMove={locate}
        onPointerLeave={() => setPointed(null)}
        onClick={() => {
          if (pointed === null) return
          const [from, to] = range(pointed.piece, pointed.index)
          navigate(
            `/search?${new URLSearchParams({ q: `${pointed.piece.name}:${from}..${to}`, assembly: assembly.id })}`,
          )
        }}
      >
        <title>{label}</title>
        {(drawing ?? []).map(({ piece, forward, reverse, gc, skew }) => (
          <g key={piece.name}>
            {[radii.genes, radii.gc, radii.skew].map((radius) => (
              <path key={radius} className="ring-base" d={arcLine(piece, radius)} />
            ))}
            <path className="ring-forward" d={forward} />
            <path className={piece.role === 'accessory' ? 'ring-accessory' : 'ring-reverse'} d={reverse} />
            <path className="ring-gc-high" d={gc[0]} />
            <path className="ring-gc-low" d={gc[1]} />
            <path className="ring-skew-plus" d={skew[0]} />
            <path className="ring-skew-minus" d={skew[1]} />
            {many && piece.to - piece.from > 0.07 ? (
              <text
                className="ring-name"
                transform={`translate(${point((piece.from + piece.to) / 2, radii.outer + 14)})`}
                textAnchor="middle"
                dominantBaseline="middle"
              >
                {piece.name.replace(/^(chr(omosome)?|scaffold)[_-]?/i, '')}
              </text>
            ) : null}
          </g>
        ))}
        {single === undefined
          ? null
          : ticks.map((tick) => (
              <text
                key={tick}
                className="ring-name"
                transform={`translate(${point(single.from + (tick / single.lengthBp) * (single.to - single.from), radii.outer + 20)})`}
                textAnchor="middle"
                dominantBaseline="middle"
              >
                {`${format.fixed(tick / bases, digits)} ${unit}`}
              </text>
            ))}
        {pointed === null ? null : (
          <path
            className="ring-hand"
            d={`M${point(pointed.angle, radii.skew - skewHeight)}L${point(pointed.angle, radii.outer + 6)}`}
          />
        )}
        <g className="ring-middle" textAnchor="middle">
          {pointed === null ? (
            <>
              {/* The ring is of one assembly: its name is said first, and its species where there is room. */}
              <text className="ring-species" y={-20 - 9 * (speciesLines.length - 1)}>
                {fitLine(assembly.name, middleWidth, 17)}
              </text>
              {speciesLines.map((line, at) => (
                <text key={line} className="ring-line ring-taxon" y={2 + 18 * at - 9 * (speciesLines.length - 1)}>
                  {line}
                </text>
              ))}
              <text className="ring-line" y={26 + 9 * (speciesLines.length - 1)}>
                {format.basePairs(assembly.lengthBp)}
              </text>
            </>
          ) : (
            <>
              <text className="ring-place" y={-18}>
                {`${pointed.piece.name}`}
              </text>
              <text className="ring-place" y={0}>
                {`${format.basePairs(range(pointed.piece, pointed.index)[0])}`}
              </text>
              <text className="ring-line" y={20}>
                {`+${format.number(pointed.piece.forward[pointed.index] ?? 0)}  −${format.number(pointed.piece.reverse[pointed.index] ?? 0)}`}
              </text>
              <text className="ring-line" y={37}>
                {`GC ${format.percent(pointed.piece.gc[pointed.index] ?? 0)}`}
              </text>
            </>
          )}
        </g>
      </svg>
      <figcaption>
        <span className="ring-key ring-key-forward">{t('home.ringForward')}</span>
        <span className="ring-key ring-key-reverse">{t('home.ringReverse')}</span>
        <span className="ring-key ring-key-gc">{t('home.ringGc')}</span>
        <span className="ring-key ring-key-skew">{t('home.ringSkew')}</span>
      </figcaption>
    </figure>
  )
}

/** "Mycobacterium tuberculosis complex" is "M. tuberculosis complex" where there is little room. */
export const shortName = (name: string): string => name.replace(/^([A-Z])[a-z]+ (?=[a-z])/, '$1. ')

const fitLine = (text: string, widthPx: number, fontPx: number): string => {
  if (labelWidth(text, fontPx) <= widthPx) return text
  let kept = text
  while (kept.length > 1 && labelWidth(`${kept}…`, fontPx) > widthPx) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}

/** A name in lines of at most so many pixels, three at most; what has no room is cut, and stands whole in the title. */
export const wrapName = (name: string, widthPx: number, fontPx: number): string[] => {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    const fits = labelWidth(joined, fontPx) <= widthPx
    if (lines.length > 0 && (fits || lines.length === 3)) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines.map((line) => fitLine(line, widthPx, fontPx))
}
