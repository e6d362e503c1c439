import { type ReactNode, useMemo } from 'react'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRoleStyle, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import {
  type BlockViewProps,
  type DifferenceViewProps,
  sequencesOf,
  useBlockLoci,
  useDifferenceText,
} from './block-loci.ts'
import { blockKey, createBlockColour, differenceColour, differenceKey } from './colours.ts'
import { directionsAround, layRow, marksSide, placeDifference, placeSide } from './layout.ts'
import { Legend } from './legend.tsx'
import messages from './messages.ts'
import type { Block } from './tool.ts'

/** More outlines than this make a page slow; the largest blocks are drawn, and that is said. */
const maxRibbons = 3000
/** Share of the circle between two genomes. */
const roomShare = 0.02
const ringWidth = 12
/** Marks of differences stand between the ring and the ribbons. */
const markWidth = 7
/** Most differences are narrower than a pixel of the circle. */
const leastMarkPx = 2.5
/** The far end of a sequence is a point, which says how it runs. */
const pointPx = 9
/** Letters of a sequence's name outside the ring. */
const ringLetters = 7
const sequenceFontPx = 9
const genomeFontPx = 13

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
  const { genomes } = result
  const sidesOf = useBlockLoci(genomes)
  const styleOf = useRoleStyle()
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const labelOf = useSequenceLabel()
  const [root, width] = useWidth<HTMLDivElement>()
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
  const labels = rows.map(({ order }) =>
    shortenNames(
      order.map((name) => (name.length > ringLetters ? name.replace(/^chr(omosome|om)?[_-]?(?=.)/i, '') : name)),
      ringLetters,
    ),
  )
  // Names of genomes stand beyond those of their sequences.
  const beyond = 9 + Math.max(...labels.flat().map((label) => labelWidth(label, sequenceFontPx)))
  const radius = size / 2 - beyond - genomeFontPx - 8
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

  const drawn = result.blocks.slice(0, maxRibbons).flatMap((block) => {
    const a = placeSide(rows[block.first]!, block.sequenceA, block.startA, block.endA)
    const b = placeSide(rows[block.second]!, block.sequenceB, block.startB, block.endB)
    if (a === null || b === null) return []
    const [a0, a1] = [angle(block.first, a[0]), angle(block.first, a[1])]
    const [b0, b1] = [angle(block.second, b[0]), angle(block.second, b[1])]
    // From an end to the one that it corresponds to: those of genomes that run against each other do not cross.
    const [from, to] = block.orientation === 1 ? [b1, b0] : [b0, b1]
    const d = `M${point(a0, inner)}${arc(a0, a1, inner)}Q0,0 ${point(from, inner)}${arc(from, to, inner)}Q0,0 ${point(a0, inner)}Z`
    return [{ block, d }]
  })
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
      <div ref={root} className="gsv-plot">
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
                fillOpacity={own ? 0.95 : 0.42}
                stroke={own ? 'var(--figure-ink)' : colour}
                strokeWidth={own ? 1.5 : 0.6}
                strokeOpacity={own ? 1 : 0.6}
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
            const middle = angle(genome, row.lengthBp / 2)
            const turned = Math.sin(middle) > 0
            return (
              <g key={genomes[genome]!.id}>
                {row.order.map((name, number) => {
                  const [from, to] = [
                    angle(genome, row.starts.get(name)!),
                    angle(genome, row.starts.get(name)! + row.lengths.get(name)!),
                  ]
                  const at = (from + to) / 2
                  const wide = Math.abs(to - from)
                  const neck = to - Math.sign(to - from) * Math.min(pointPx / radius, wide / 2)
                  const degrees = (at * 180) / Math.PI
                  const flipped = Math.cos(at) < 0
                  return (
                    <g key={name}>
                      <path
                        d={`M${point(from, radius)}${arc(from, neck, radius)}L${point(to, radius - ringWidth / 2)}L${point(neck, radius - ringWidth)}${arc(neck, from, radius - ringWidth)}Z`}
                        fill="var(--gene-muted)"
                      >
                        <title>{`${nameOf(genomes[genome]!.id)} ${labelOf(genomes[genome]!.id, name)}`}</title>
                      </path>
                      {wide * radius < 11 ? null : (
                        <text
                          transform={`rotate(${degrees}) translate(${radius + 5},0)${flipped ? ' rotate(180)' : ''}`}
                          textAnchor={flipped ? 'end' : 'start'}
                          dominantBaseline="central"
                          fontSize={sequenceFontPx}
                          fontStyle={styleOf(genomes[genome]!.id, name)}
                          fill="var(--figure-axis)"
                        >
                          {labels[genome]![number]}
                        </text>
                      )}
                    </g>
                  )
                })}
                <text
                  transform={`rotate(${(middle * 180) / Math.PI + (turned ? -90 : 90)}) translate(0,${turned ? radius + beyond + genomeFontPx : -(radius + beyond)})`}
                  textAnchor="middle"
                  fontSize={genomeFontPx}
                  fontWeight={600}
                  fill="var(--figure-ink)"
                >
                  {nameOf(genomes[genome]!.id)}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
