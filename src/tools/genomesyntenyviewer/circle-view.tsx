import { type ReactNode, useMemo } from 'react'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/gene-structure.tsx'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { RoleNote, useRoleStyle, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { type BlockViewProps, sequencesOf, useBlockLoci } from './block-loci.ts'
import { blockKey, createBlockColour } from './colours.ts'
import { layRow, placeSide } from './layout.ts'
import { Legend } from './legend.tsx'
import messages from './messages.ts'
import type { Block } from './tool.ts'

/** More outlines than this make a page slow; the largest blocks are drawn, and that is said. */
const maxRibbons = 3000
/** Share of the circle between two genomes. */
const roomShare = 0.02
const ringWidth = 12
/** Letters of a sequence's name outside the ring. */
const ringLetters = 7

/** Genomes around a circle, blocks as ribbons across it. */
export const CircleView = ({ result, colouring, chosen, onChoose, receipt }: BlockViewProps): ReactNode => {
  const t = useText(messages)
  const { genomes } = result
  const sidesOf = useBlockLoci(genomes)
  const styleOf = useRoleStyle()
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const labelOf = useSequenceLabel()
  const [root, width] = useWidth<HTMLDivElement>()
  const size = Math.max(280, Math.min(width, 860))
  const radius = size / 2 - 52

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
  // Every genome has the same share of the circle: a small one would else be a line beside a large one.
  const share = 1 / rows.length - roomShare
  const angle = (genome: number, base: number): number =>
    2 * Math.PI * (genome / rows.length + roomShare / 2 + share * (base / rows[genome]!.lengthBp)) - Math.PI / 2
  const point = (at: number, r: number): string => `${(r * Math.cos(at)).toFixed(1)},${(r * Math.sin(at)).toFixed(1)}`
  const inner = radius - ringWidth - 2
  const arc = (from: number, to: number, r: number, back = false): string =>
    `A${r},${r} 0 ${Math.abs(to - from) > Math.PI ? 1 : 0} ${back ? 0 : 1} ${point(to, r)}`

  const drawn = result.blocks.slice(0, maxRibbons).flatMap((block) => {
    const a = placeSide(rows[block.first]!, block.sequenceA, block.startA, block.endA)
    const b = placeSide(rows[block.second]!, block.sequenceB, block.startB, block.endB)
    if (a === null || b === null) return []
    const [a0, a1] = [angle(block.first, a[0]), angle(block.first, a[1])]
    const [b0, b1] = [angle(block.second, b[0]), angle(block.second, b[1])]
    // The ends of a block that reads alike cross on a circle, where both run clockwise.
    const d =
      block.orientation === 1
        ? `M${point(a0, inner)}${arc(a0, a1, inner)}Q0,0 ${point(b1, inner)}${arc(b1, b0, inner, true)}Q0,0 ${point(a0, inner)}Z`
        : `M${point(a0, inner)}${arc(a0, a1, inner)}Q0,0 ${point(b0, inner)}${arc(b0, b1, inner)}Q0,0 ${point(a0, inner)}Z`
    return [{ block, d }]
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
      <Legend result={result} colouring={colouring} />
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
          {rows.map((row, genome) => {
            const middle = angle(genome, row.lengthBp / 2)
            const turned = Math.sin(middle) > 0
            const labels = shortenNames(
              row.order.map((name) =>
                name.length > ringLetters ? name.replace(/^chr(omosome|om)?[_-]?(?=.)/i, '') : name,
              ),
              ringLetters,
            )
            return (
              <g key={genomes[genome]!.id}>
                {row.order.map((name, number) => {
                  const [from, to] = [
                    angle(genome, row.starts.get(name)!),
                    angle(genome, row.starts.get(name)! + row.lengths.get(name)!),
                  ]
                  const at = (from + to) / 2
                  const degrees = (at * 180) / Math.PI
                  const flipped = Math.cos(at) < 0
                  return (
                    <g key={name}>
                      <path
                        d={`M${point(from, radius)}${arc(from, to, radius)}L${point(to, radius - ringWidth)}${arc(to, from, radius - ringWidth, true)}Z`}
                        fill="var(--gene-muted)"
                      >
                        <title>{`${nameOf(genomes[genome]!.id)} ${labelOf(genomes[genome]!.id, name)}`}</title>
                      </path>
                      {(to - from) * radius < 11 ? null : (
                        <text
                          transform={`rotate(${degrees}) translate(${radius + 5},0)${flipped ? ' rotate(180)' : ''}`}
                          textAnchor={flipped ? 'end' : 'start'}
                          dominantBaseline="central"
                          fontSize={9}
                          fontStyle={styleOf(genomes[genome]!.id, name)}
                          fill="var(--figure-axis)"
                        >
                          {labels[number]}
                        </text>
                      )}
                    </g>
                  )
                })}
                <text
                  transform={`rotate(${(middle * 180) / Math.PI + (turned ? -90 : 90)}) translate(0,${turned ? radius + 42 : -(radius + 34)})`}
                  textAnchor="middle"
                  fontSize={13}
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
