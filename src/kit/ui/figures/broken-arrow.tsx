import type { ReactNode } from 'react'
import type { BrokenGene } from '../../../contracts/gene-loci.ts'

/** Narrower ones have no room for a head and a torn edge beside it. */
const headPx = 8
const toothPx = 2.5
/** What is lost is shown at least so wide, and what is left, too. */
const leastPx = 5

/** A torn edge from `(x, top)` downwards, or upwards, as path data that goes on from there. */
const torn = (x: number, top: number, height: number, down: boolean): string => {
  const steps = [0.25, 0.5, 0.75, 1]
  return steps
    .map(
      (part, at) =>
        `L${x + (at % 2 === 0 ? toothPx : at === 3 ? 0 : -toothPx)},${down ? top + part * height : top + height - part * height}`,
    )
    .join('')
}

/** The arrow of a gene that points to the right, from `left` to `right`; its ends are torn where bases of it are lost. */
const body = (
  left: number,
  right: number,
  y: number,
  height: number,
  tornAt: { start: boolean; end: boolean },
): string => {
  const top = y - height / 2
  const head = Math.min(headPx, (right - left) / 2)
  const tip = tornAt.end
    ? `H${right}${torn(right, top, height, true)}`
    : `H${right - head}L${right},${y}L${right - head},${y + height / 2}`
  return `M${left},${top}${tip}H${left}${tornAt.start ? torn(left, top, height, false) : ''}Z`
}

/**
 * A gene that is not whole: of one that is cut short what is left, with a torn edge, and in dashes what is lost; of a disrupted frame all of
 * its bases, pale from where it is not read any more; of a split gene its two parts. `toScale`: the width is that of what is left.
 */
export const BrokenArrow = ({
  x,
  y,
  width,
  height,
  forward,
  broken: { state, kept },
  toScale,
  fill,
  stroke,
}: {
  x: number
  y: number
  width: number
  height: number
  forward: boolean
  broken: Pick<BrokenGene, 'state' | 'kept'>
  toScale: boolean
  fill: string
  stroke: string
}): ReactNode => {
  const right = x + width
  const whole = body(x, right, y, height, { start: false, end: false })
  const drawn = (): ReactNode => {
    if (state === 'truncated') {
      const [from, to] = kept ?? [0, 1]
      // Nobody knows which end is lost: both are torn.
      const tornAt = kept === null ? { start: true, end: true } : { start: from > 0.01, end: to < 0.99 }
      const start = toScale || !tornAt.start || kept === null ? x : x + Math.max(leastPx, from * width)
      const end = toScale || !tornAt.end || kept === null ? right : right - Math.max(leastPx, (1 - to) * width)
      return (
        <>
          {toScale ? null : (
            <path d={whole} fill="var(--surface)" stroke={stroke} strokeWidth={1} strokeDasharray="3 2.5" />
          )}
          <path
            d={body(start, Math.max(end, start + leastPx), y, height, tornAt)}
            fill={fill}
            stroke={stroke}
            strokeWidth={1}
          />
        </>
      )
    }
    const at =
      state === 'disrupted' && kept !== null
        ? x + Math.min(width - leastPx, Math.max(leastPx, kept[1] * width))
        : x + width / 2
    const [top, bottom] = [y - height / 2, y + height / 2]
    if (state === 'disrupted')
      return (
        <>
          <path d={whole} fill="var(--surface)" stroke={stroke} strokeWidth={1} />
          <path d={whole} fill={fill} fillOpacity={0.35} stroke={stroke} strokeWidth={1} strokeDasharray="3 2.5" />
          <path d={body(x, at, y, height, { start: false, end: true })} fill={fill} stroke={stroke} strokeWidth={1} />
        </>
      )
    return (
      <>
        <path d={whole} fill={fill} stroke={stroke} strokeWidth={1} />
        <path d={`M${at + 3},${top - 2}L${at - 3},${bottom + 2}`} stroke="var(--surface)" strokeWidth={5} />
        <path
          d={`M${at + 0.5},${top - 2}L${at - 5.5},${bottom + 2}M${at + 5.5},${top - 2}L${at - 0.5},${bottom + 2}`}
          stroke={stroke}
          strokeWidth={1}
        />
      </>
    )
  }
  return <g transform={forward ? undefined : `translate(${2 * x + width},0) scale(-1,1)`}>{drawn()}</g>
}

const examples: Record<BrokenGene['state'], BrokenGene['kept']> = {
  truncated: [0, 0.6],
  disrupted: [0, 0.5],
  split: null,
}

/** Key of a state for a legend. */
export const BrokenKey = ({ state }: { state: BrokenGene['state'] }): ReactNode => (
  <svg className="nv-category-swatch" width={30} height={12} aria-hidden>
    <BrokenArrow
      x={1}
      y={6}
      width={28}
      height={10}
      forward
      broken={{ state, kept: examples[state] }}
      toScale={false}
      fill="var(--figure-axis)"
      stroke="var(--figure-axis)"
    />
  </svg>
)
