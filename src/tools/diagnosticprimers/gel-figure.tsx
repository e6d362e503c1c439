import { scaleLog } from 'd3'
import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { DiagnosticPair, DiagnosticResult, Outcome } from './tool.ts'

/** A ladder of 100 bp with the longer steps that such ladders have. */
const ladder = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1500, 2000, 3000, 5000]
const [bracketTop, gelTop, gelHeight, namePx] = [8, 30, 330, 11]
const nameLetters = 22
const axisWidth = 62
const minLane = 34
const maxLane = 120

/** What a group of genomes is called: both alleles of a SNP are amplified, so none is said not to be. */
export const groupWord = (kind: DiagnosticPair['kind'], group: Outcome['group']) =>
  group === 'spare' && (kind === 'kasp' || kind === 'caps') ? ('group.hex' as const) : (`group.${group}` as const)

interface Band {
  pair: DiagnosticPair
  lengthBp: number
  asAsked: boolean
}

const bandsOf = (pair: DiagnosticPair, outcome: Outcome): Band[] =>
  (pair.kind === 'caps' ? outcome.fragments : outcome.bands.map(({ lengthBp }) => lengthBp)).map((lengthBp) => ({
    pair,
    lengthBp,
    asAsked: outcome.asAsked !== false,
  }))

interface Reaction {
  key: string
  label: string
  pairs: DiagnosticPair[]
}

/** Reactions that can be looked at: each pair, the best with the control, the multiplex. */
const useReactions = (result: DiagnosticResult): Reaction[] => {
  const t = useText(messages)
  const { pairs, control, multiplex } = result
  const gels = pairs.filter(({ kind }) => kind !== 'kasp')
  const all = control === null ? gels : [...gels, control]
  return [
    ...(multiplex === null
      ? []
      : [
          {
            key: 'multiplex',
            label: t('gel.multiplex'),
            pairs: multiplex.ranks.flatMap((rank) => all.find((one) => one.rank === rank) ?? []),
          },
        ]),
    ...gels.map((pair) => ({
      key: String(pair.rank),
      label:
        pair.kind === 'caps'
          ? t('gel.assay', { enzyme: pair.enzyme?.name ?? '', rank: pair.rank })
          : t('gel.pair', { rank: pair.rank }),
      pairs: [pair],
    })),
    ...(control === null ? [] : [{ key: '0', label: t('gel.control'), pairs: [control] }]),
  ]
}

/** The gel that a reaction is predicted to give: a lane a genome, beside a ladder. */
export const GelFigure = ({
  result,
  receipt,
  chosen,
  about,
}: {
  result: DiagnosticResult
  receipt: Receipt
  /** Rank of the pair that the reader looks at. */
  chosen: number
  /** What is said of each pair of the reaction beside the gel. */
  about: (pair: DiagnosticPair) => ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const [root, width] = useWidth<HTMLDivElement>()
  const reactions = useReactions(result)
  // What was chosen in the table is shown until another is chosen here.
  const [own, setOwn] = useState<{ key: string; chosen: number } | null>(null)
  const key = own !== null && own.chosen === chosen ? own.key : String(chosen)
  const reaction = reactions.find((one) => one.key === key) ?? reactions[0]
  if (reaction === undefined) return null
  const { pairs } = reaction
  const lanes = pairs[0]!.outcomes.map(({ assembly, group }) => ({
    assembly,
    group,
    name: nameOf(assembly),
    bands: pairs.flatMap((pair) => {
      const outcome = pair.outcomes.find((one) => one.assembly === assembly)
      return outcome === undefined ? [] : bandsOf(pair, outcome)
    }),
  }))
  const every = lanes.flatMap(({ bands }) => bands.map(({ lengthBp }) => lengthBp))
  const steps = ladder.filter((step) => step <= Math.max(1000, 1.3 * Math.max(0, ...every)))
  const y = scaleLog(
    [Math.max(20, 0.8 * Math.min(100, ...every.filter((size) => size >= 20))), 1.15 * steps.at(-1)!],
    [gelTop + gelHeight, gelTop],
  )
  const names = shortenNames(
    lanes.map(({ name }) => name),
    nameLetters,
  )
  const nameHeight = Math.max(40, ...[...names, t('gel.ladder')].map((name) => labelWidth(name, namePx))) + 14
  const sizesShown = [...new Set(pairs.map(({ productBp, kind }) => (kind === 'caps' ? 0 : productBp)))].filter(Boolean)
  const rightWidth = sizesShown.length === 0 ? 12 : 64
  const lane = Math.min(maxLane, Math.max(minLane, (width - axisWidth - rightWidth) / (lanes.length + 1)))
  const drawn = Math.max(width, axisWidth + lane * (lanes.length + 1) + rightWidth)
  const laneX = (at: number): number => axisWidth + lane * at
  const isMany = pairs.length > 1
  const colourOf = (pair: DiagnosticPair): string | undefined =>
    isMany
      ? pair.kind === 'control'
        ? undefined
        : categoryColour([1, 4, 0, 2, 6, 3][pairs.indexOf(pair) % 6]!)
      : undefined
  const pairLabel = (pair: DiagnosticPair): string =>
    pair.kind === 'control' ? t('gel.control') : t('gel.pair', { rank: pair.rank })
  const brackets = lanes.reduce<{ group: Outcome['group']; from: number; to: number }[]>((found, { group }, at) => {
    const last = found.at(-1)
    if (last !== undefined && last.group === group) last.to = at
    else found.push({ group, from: at, to: at })
    return found
  }, [])
  const label = t('gel.label', { name: reaction.label, bands: every.length, lanes: lanes.length })
  const right = laneX(lanes.length + 1)
  return (
    <FigureFrame
      title={t('gel.title')}
      aside={reaction.label}
      name={`predicted-gel-${reaction.key}`}
      receipt={receipt}
      method={t('gel.method')}
      numbers={{
        rows: lanes,
        rowKey: ({ assembly }) => assembly,
        columns: [
          { key: 'assembly', title: t('column.assembly'), value: ({ name }) => name },
          { key: 'group', title: t('column.group'), value: ({ group }) => t(groupWord(pairs[0]!.kind, group)) },
          ...pairs.map((pair) => ({
            key: `pair-${pair.rank}`,
            title: `${pairLabel(pair)} (bp)`,
            value: ({ bands }: (typeof lanes)[number]) => {
              const sizes = bands.filter((one) => one.pair === pair).map(({ lengthBp }) => format.number(lengthBp))
              return sizes.length === 0 ? t('result.noBand') : sizes.join(', ')
            },
          })),
        ],
      }}
    >
      <div className="diagnostic-gel">
        <div ref={root} className="diagnostic-gel-drawing">
          {reactions.length < 2 ? null : (
            <div className="diagnostic-reaction">
              <SelectField
                label={t('gel.shown')}
                value={reaction.key}
                onChoose={(next) => setOwn({ key: next, chosen })}
                options={reactions.map((one) => ({ value: one.key, label: one.label }))}
              />
            </div>
          )}
          <Drawing width={drawn} height={gelTop + gelHeight + nameHeight} label={label} scroll="diagnostic-gel-box">
            {brackets.map(({ group, from, to }) => {
              const [x1, x2] = [laneX(from + 1) + 3, laneX(to + 2) - 3]
              const words = t(groupWord(pairs[0]!.kind, group))
              return (
                <g key={group}>
                  <path className="diagnostic-gel-bracket" d={`M${x1},${gelTop - 4}v-5H${x2}v5`} />
                  <text className="diagnostic-gel-text" x={(x1 + x2) / 2} y={bracketTop + 6} textAnchor="middle">
                    {labelWidth(words, namePx) > x2 - x1 + 24 ? null : words}
                    <title>{words}</title>
                  </text>
                </g>
              )
            })}
            <rect
              className="diagnostic-lane"
              x={laneX(0)}
              y={gelTop}
              width={right - laneX(0)}
              height={gelHeight}
              rx={4}
            />
            <Axis
              side="left"
              scale={y}
              at={axisWidth - 4}
              name={t('gel.axis')}
              ticks={steps.filter((step) => [100, 200, 300, 500, 1000, 2000, 3000, 5000].includes(step))}
              text={(tick) => format.number(tick)}
            />
            {steps.map((step) => (
              <rect
                key={step}
                className="diagnostic-band-ladder"
                x={laneX(0) + 5}
                width={lane - 10}
                y={y(step) - (step === 500 || step === 1000 ? 2 : 1)}
                height={step === 500 || step === 1000 ? 4 : 2}
              >
                <title>{`${t('gel.ladder')}: ${format.number(step)} bp`}</title>
              </rect>
            ))}
            {lanes.map(({ assembly, name, bands }, at) => (
              <g key={assembly}>
                <rect x={laneX(at + 1)} y={gelTop} width={lane} height={gelHeight} fill="transparent">
                  <title>{bands.length === 0 ? t('gel.empty', { genome: name }) : name}</title>
                </rect>
                {bands.map(({ pair, lengthBp, asAsked }, number) => (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: bands of a lane keep their order.
                    key={number}
                    className={asAsked ? 'diagnostic-band' : 'diagnostic-band-unasked'}
                    style={asAsked && colourOf(pair) !== undefined ? { fill: colourOf(pair) } : undefined}
                    x={laneX(at + 1) + 5}
                    width={lane - 10}
                    y={y(Math.max(20, lengthBp)) - 2.5}
                    height={5}
                    rx={1.5}
                  >
                    <title>
                      {t('gel.band', { genome: name, pair: pairLabel(pair), size: format.number(lengthBp) })}
                    </title>
                  </rect>
                ))}
              </g>
            ))}
            {sizesShown.map((size) => (
              <text key={size} className="diagnostic-gel-text" x={right + 6} y={y(size) + 4}>
                {`${format.number(size)} bp`}
              </text>
            ))}
            {[t('gel.ladder'), ...names].map((name, at) => (
              <text
                // biome-ignore lint/suspicious/noArrayIndexKey: lanes keep their order.
                key={at}
                className={at === 0 ? 'diagnostic-gel-quiet' : 'diagnostic-gel-text'}
                transform={`translate(${laneX(at) + lane / 2 + 4},${gelTop + gelHeight + 8}) rotate(-90)`}
                textAnchor="end"
              >
                {name}
                <title>{at === 0 ? name : lanes[at - 1]!.name}</title>
              </text>
            ))}
          </Drawing>
          {!isMany && lanes.every(({ bands }) => bands.every((one) => one.asAsked)) ? null : (
            <ul className="nv-legend" data-legend>
              {isMany
                ? pairs.map((pair) => (
                    <li key={pair.rank}>
                      <i className="nv-key" style={{ background: colourOf(pair) ?? '#b8c9c0' }} /> {pairLabel(pair)} (
                      {format.number(pair.productBp)} bp)
                    </li>
                  ))
                : null}
              {lanes.some(({ bands }) => bands.some((one) => !one.asAsked)) ? (
                <li>
                  <i className="nv-key" style={{ background: '#f0a33a' }} /> {t('gel.unexpected')}
                </li>
              ) : null}
            </ul>
          )}
        </div>
        <div className="diagnostic-gel-about">{pairs.map(about)}</div>
      </div>
    </FigureFrame>
  )
}
