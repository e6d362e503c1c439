import { type CSSProperties, type ReactNode, useId, useMemo, useState } from 'react'
import { positionUnit, roundTicks } from '../../kit/ui/figures/axis-ticks.ts'
import { differenceColour } from '../../kit/ui/figures/difference-colours.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRoleStyle, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import {
  type BlockViewProps,
  type DifferenceViewProps,
  sequencesOf,
  useBlockLoci,
  useDifferenceText,
} from './block-loci.ts'
import { blockKey, createBlockColour, createSequenceColour, differenceKey } from './colours.ts'
import { bareName, directionsAround, layRow, marksSide, placeDifference, placeSide } from './layout.ts'
import { Legend } from './legend.tsx'
import messages from './messages.ts'
import type { Block } from './tool.ts'

/** More outlines than this make a page slow; the largest blocks are drawn, and that is said. */
const maxRibbons = 3000
/** Share of the circle between two genomes. */
const roomShare = 0.02
const ringWidth = 14
/** Marks of differences stand between the ring and the ribbons. */
const markWidth = 7
/** Most differences are narrower than a pixel of the circle. */
const leastMarkPx = 2.5
/** The far end of a sequence is a point, which says how it runs. */
const pointPx = 9
/** Outside the ring, one beyond the other: ticks, their numbers, names of sequences, names of genomes. */
const tickPx = 4
const [numberFontPx, sequenceFontPx, genomeFontPx] = [9, 11, 13]
const numberAt = tickPx + numberFontPx / 2 + 3
const sequenceAt = numberAt + numberFontPx / 2 + sequenceFontPx / 2 + 2
/** Numbers of more sequences would stand between their names. */
const mostNumbered = 8
const genomeAt = sequenceAt + sequenceFontPx / 2 + genomeFontPx / 2 + 4
const beyond = genomeAt + genomeFontPx / 2 + 4
/** Of an arc, that a number of it has at least. */
const leastTicksPx = 90
/** Ribbons between neighbours keep near the ring and leave the middle to those across, as bundles do. */
const bundle = { reach: 0.8, acrossAt: 0.75 * Math.PI }
/** Width of a bold letter, of its height. */
const nameShare = 0.62
/** Of ribbons: usual, chosen, and beside those of the sequence that is pointed at. */
const opacity = { usual: 0.38, chosen: 0.95, dimmed: 0.05, pointed: 0.75 } as const

/** Genomes around a circle, blocks as ribbons across it. */
export const CircleView = ({
  result,
  colouring,
  chosen,
  onChoose,
  difference,
  onChooseDifference,
  receipt,
}: BlockViewProps & DifferenceViewProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { genomes } = result
  const sidesOf = useBlockLoci(genomes)
  const styleOf = useRoleStyle()
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const labelOf = useSequenceLabel()
  const [root, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<{ genome: number; sequence: string } | null>(null)
  const arcId = `arc${useId().replace(/\W/g, '')}`
  const size = Math.max(280, Math.min(width, 860))

  const rows = useMemo(
    () =>
      genomes.map((genome, at) =>
        layRow(
          at,
          genome,
          genome.sequences.map(({ name }) => name),
        ),
      ),
    [genomes],
  )
  const radius = size / 2 - beyond
  const isNumbered = genomes.reduce((sum, { sequences }) => sum + sequences.length, 0) <= mostNumbered
  const nameAt = isNumbered ? sequenceAt : tickPx + sequenceFontPx / 2 + 4
  const sequenceColour = useMemo(() => createSequenceColour(result, colouring), [result, colouring])
  const clockwise = useMemo(() => directionsAround(genomes.length, result.comparisons), [genomes, result.comparisons])
  // Every genome has the same share of the circle: a small one would else be a line beside a large one.
  const share = 1 / rows.length - roomShare
  const angle = (genome: number, base: number): number =>
    2 *
      Math.PI *
      (genome / rows.length +
        roomShare / 2 +
        share * (clockwise[genome] ? base / rows[genome]!.lengthBp : 1 - base / rows[genome]!.lengthBp)) -
    Math.PI / 2
  const point = (at: number, r: number): string => `${(r * Math.cos(at)).toFixed(1)},${(r * Math.sin(at)).toFixed(1)}`
  const withDifferences = colouring === 'kind' && result.differences.length > 0
  const inner = radius - ringWidth - 2 - (withDifferences ? markWidth + 1 : 0)
  const arc = (from: number, to: number, r: number): string =>
    `A${r},${r} 0 ${Math.abs(to - from) > Math.PI ? 1 : 0} ${to < from ? 0 : 1} ${point(to, r)}`
  /** From one place of the ring to another: the farther apart, the nearer it passes to the middle. */
  const across = (from: number, to: number): string => {
    const apart = Math.abs(Math.atan2(Math.sin(to - from), Math.cos(to - from)))
    const middle = from + Math.atan2(Math.sin(to - from), Math.cos(to - from)) / 2
    return `Q${point(middle, inner * bundle.reach * Math.max(0, 1 - apart / bundle.acrossAt))} ${point(to, inner)}`
  }

  const drawn = result.blocks.slice(0, maxRibbons).flatMap((block) => {
    const a = placeSide(rows[block.first]!, block.sequenceA, block.startA, block.endA)
    const b = placeSide(rows[block.second]!, block.sequenceB, block.startB, block.endB)
    if (a === null || b === null) return []
    const [a0, a1] = [angle(block.first, a[0]), angle(block.first, a[1])]
    const [b0, b1] = [angle(block.second, b[0]), angle(block.second, b[1])]
    // From an end to the one that it corresponds to: those of genomes that run against each other do not cross.
    const [from, to] = block.orientation === 1 ? [b1, b0] : [b0, b1]
    const d = `M${point(a0, inner)}${arc(a0, a1, inner)}${across(a1, from)}${arc(from, to, inner)}${across(to, a0)}Z`
    return [{ block, d }]
  })
  const isPointed = ({ first, second, sequenceA, sequenceB }: Block): boolean =>
    pointed !== null &&
    ((first === pointed.genome && sequenceA === pointed.sequence) ||
      (second === pointed.genome && sequenceB === pointed.sequence))
  const opacityOf = (block: Block): number =>
    block === chosen
      ? opacity.chosen
      : pointed === null
        ? opacity.usual
        : isPointed(block)
          ? opacity.pointed
          : opacity.dimmed
  const isRing = (genome: number, sequence: string): boolean =>
    pointed !== null && pointed.genome === genome && pointed.sequence === sequence
  const differenceText = useDifferenceText(genomes)
  const marks = !withDifferences
    ? []
    : result.differences.map((one) => {
        const sides = [
          { genome: one.first, side: one.a, isMarked: marksSide(one, 'first') },
          { genome: one.second, side: one.b, isMarked: marksSide(one, 'second') },
        ]
        const [high, low] = [radius - ringWidth - 1, radius - ringWidth - 1 - markWidth]
        const d = sides.flatMap(({ genome, side, isMarked }) =>
          (isMarked ? placeDifference(rows[genome]!, side) : []).map((ends) => {
            const [p, q] = [angle(genome, ends[0]), angle(genome, ends[1])]
            const [middle, half] = [(p + q) / 2, Math.max(Math.abs(q - p), leastMarkPx / radius) / 2]
            const [from, to] = [middle - half, middle + half]
            return `M${point(from, high)}${arc(from, to, high)}L${point(to, low)}${arc(to, from, low)}Z`
          }),
        )
        return { one, d: d.join('') }
      })
  const colourOf = useMemo(() => createBlockColour(result, colouring), [result, colouring])
  const describe = (block: Block): string =>
    t('block.short', {
      kind: t(`kind.${block.kind}`),
      ...sidesOf(block),
      pairs: block.pairs,
      turned: String(block.orientation === -1),
    })
  return (
    <FigureFrame
      title={t('circle.title')}
      name="synteny-circle"
      receipt={receipt}
      method={t('circle.method', { max: maxRibbons, cut: String(result.blocks.length > maxRibbons) })}
    >
      <Legend result={result} colouring={colouring} differences={withDifferences} />
      <RoleNote sequences={sequencesOf(genomes)} />
      <div ref={root} className="gsv-plot gsv-circle">
        <svg
          data-figure
          width={size}
          height={size}
          viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`}
          role="img"
          aria-label={t('linear.label', {
            genomes: listOf(genomes.map(({ id }) => id)),
            blocks: drawn.length,
          })}
        >
          {drawn.map(({ block, d }) => {
            const colour = colourOf(block)
            const own = block === chosen
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table below has every block by keyboard.
              <path
                key={blockKey(block)}
                d={d}
                fill={colour}
                fillOpacity={opacityOf(block)}
                stroke={own ? 'var(--figure-ink)' : colour}
                strokeWidth={own ? 1.5 : 0.5}
                strokeOpacity={own ? 1 : 0.7 * opacityOf(block)}
                className="gsv-ribbon"
                onClick={() => onChoose(block)}
              >
                <title>{describe(block)}</title>
              </path>
            )
          })}
          {marks.map(({ one, d }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table below has every difference by keyboard.
            <path
              key={differenceKey(one)}
              d={d}
              fill={differenceColour(one.kind)}
              stroke={one === difference ? 'var(--figure-ink)' : 'none'}
              className="gsv-mark"
              onClick={() => onChooseDifference(one)}
            >
              <title>{differenceText(one)}</title>
            </path>
          ))}
          {rows.map((row, genome) => {
            const { id } = genomes[genome]!
            const ends = [angle(genome, 0), angle(genome, row.lengthBp)].sort((p, q) => p - q) as [number, number]
            const middle = (ends[0] + ends[1]) / 2
            // Letters stand upright: below the middle names run against the clock.
            const isBelow = Math.sin(middle) > 0
            const nameRadius = radius + genomeAt + (isBelow ? 1 : -1) * genomeFontPx * 0.36
            const arcPx = (ends[1] - ends[0]) * nameRadius
            const shown = shortenNames([nameOf(id)], Math.floor(arcPx / (genomeFontPx * nameShare)))[0]!
            const single = row.order.length === 1 ? labelOf(id, row.order[0]!) : null
            return (
              <g key={id}>
                {row.order.map((name) => {
                  const start = row.starts.get(name)!
                  const length = row.lengths.get(name)!
                  const [from, to] = [angle(genome, start), angle(genome, start + length)]
                  const at = (from + to) / 2
                  const wide = Math.abs(to - from)
                  const neck = to - Math.sign(to - from) * Math.min(pointPx / radius, wide / 2)
                  const ticks = wide * radius < leastTicksPx ? [] : roundTicks(0, length, wide * radius, 'x')
                  const { unit, bases, digits } = positionUnit(ticks)
                  const label = single ?? bareName(name)
                  const room = wide * (radius + nameAt)
                  return (
                    <g
                      key={name}
                      onPointerEnter={() => setPointed({ genome, sequence: name })}
                      onPointerLeave={() => setPointed(null)}
                    >
                      <path
                        d={`M${point(from, radius)}${arc(from, neck, radius)}L${point(to, radius - ringWidth / 2)}L${point(neck, radius - ringWidth)}${arc(neck, from, radius - ringWidth)}Z`}
                        fill={
                          isRing(genome, name)
                            ? 'var(--figure-axis)'
                            : (sequenceColour(genome, name) ?? 'var(--gene-muted)')
                        }
                      >
                        <title>{`${nameOf(id)} ${labelOf(id, name)} (${format.basePairs(length)})`}</title>
                      </path>
                      {ticks.map((tick) => {
                        const where = angle(genome, start + tick)
                        return (
                          <g key={tick}>
                            <path
                              d={`M${point(where, radius)}L${point(where, radius + tickPx)}`}
                              stroke="var(--figure-axis)"
                            />
                            {tick === 0 || !isNumbered ? null : (
                              <Around at={where} r={radius + numberAt} fontPx={numberFontPx}>
                                {`${format.fixed(tick / bases, digits)} ${unit}`}
                              </Around>
                            )}
                          </g>
                        )
                      })}
                      {labelWidth(label, sequenceFontPx) + 2 > room ? null : (
                        <Around at={at} r={radius + nameAt} fontPx={sequenceFontPx} fontStyle={styleOf(id, name)}>
                          {label}
                        </Around>
                      )}
                    </g>
                  )
                })}
                <path
                  id={`${arcId}-${genome}`}
                  d={
                    isBelow
                      ? `M${point(ends[1], nameRadius)}${arc(ends[1], ends[0], nameRadius)}`
                      : `M${point(ends[0], nameRadius)}${arc(ends[0], ends[1], nameRadius)}`
                  }
                  fill="none"
                />
                <text fontSize={genomeFontPx} fontWeight={600} fill="var(--figure-ink)">
                  <title>{nameOf(id)}</title>
                  <textPath href={`#${arcId}-${genome}`} startOffset="50%" textAnchor="middle">
                    {shown}
                  </textPath>
                </text>
              </g>
            )
          })}
        </svg>
      </div>
      <p className="nv-quiet">{t('circle.help')}</p>
    </FigureFrame>
  )
}

/** A short text along a circle about the origin, upright. */
const Around = ({
  at,
  r,
  fontPx,
  fontStyle,
  children,
}: {
  at: number
  r: number
  fontPx: number
  fontStyle?: CSSProperties['fontStyle']
  children: string
}): ReactNode => (
  <text
    transform={`translate(${(r * Math.cos(at)).toFixed(1)},${(r * Math.sin(at)).toFixed(1)}) rotate(${((at * 180) / Math.PI + (Math.sin(at) > 0 ? -90 : 90)).toFixed(1)})`}
    textAnchor="middle"
    dominantBaseline="central"
    fontSize={fontPx}
    fontStyle={fontStyle}
    fill="var(--figure-axis)"
  >
    {children}
  </text>
)
