import type { ReactNode } from 'react'
import { blockKinds } from '../../bio/comparative/block-kinds.ts'
import { differenceKinds } from '../../bio/comparative/structural-differences.ts'
import { CategoryRest } from '../../kit/ui/figures/category-marks.tsx'
import { differenceColour, differenceMark } from '../../kit/ui/figures/difference-colours.ts'
import { otherColour } from '../../kit/ui/figures/palette.ts'
import { useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { type Colouring, colourSequences, kindColour, positionColour } from './colours.ts'
import { countDifferences } from './compared-differences.ts'
import messages from './messages.ts'
import type { SyntenyResult } from './tool.ts'

const scaleParts = 13

/**
 * What the colours say: kinds with how many blocks are of each, sequences, or places; with `differences` also those, by their marks with
 * `marks`. `lines` tells also which way a line of a dot plot runs.
 */
export const Legend = ({
  result,
  colouring,
  differences = false,
  marks = false,
  lines: withLines = false,
}: {
  result: SyntenyResult
  colouring: Colouring
  differences?: boolean
  marks?: boolean
  lines?: boolean
}): ReactNode => {
  const t = useText(messages)
  const labelOf = useSequenceLabel()
  const nameOf = useAssemblyNames()
  // Those of further genomes have the colours of their counterparts.
  const sequences = colouring === 'sequence' ? colourSequences(result).filter(({ genome }) => genome === 0) : []
  const named = sequences.filter(({ colour }) => colour !== otherColour)
  const lines =
    colouring === 'kind'
      ? blockKinds.flatMap((kind) => {
          const count = result.blocks.filter((block) => block.kind === kind).length
          return count === 0
            ? []
            : [
                {
                  key: kind,
                  colour: kindColour(kind),
                  text: `${t(`kind.${kind}`)} (${count})`,
                  help: t(`kindHelp.${kind}`),
                },
              ]
        })
      : (colouring === 'sequence' ? named : []).map(({ genome, name, colour }) => {
          const { id } = result.genomes[genome]!
          const label = labelOf(id, name)
          return { key: `${genome}/${name}`, colour, text: label, help: name }
        })
  const counts = countDifferences(result)
  const more = !differences
    ? []
    : differenceKinds.flatMap((kind) => {
        const count = counts[kind]
        return count === 0
          ? []
          : [
              {
                key: `difference-${kind}`,
                colour: differenceColour(kind),
                mark: marks ? differenceMark(kind) : null,
                text: `${t(`difference.${kind}`)} (${count})`,
                help: t(`differenceHelp.${kind}`),
              },
            ]
      })
  return (
    <ul className="gsv-legend" data-legend>
      {colouring !== 'position' ? null : (
        <li title={t('legend.positionHelp')}>
          <svg width={2 * scaleParts} height={11} aria-hidden>
            {Array.from({ length: scaleParts }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of a scale keep their order.
              <rect key={at} x={2 * at} width={2.2} height={11} fill={positionColour(at / (scaleParts - 1))} />
            ))}
          </svg>
          {t('legend.position', { genome: nameOf(result.genomes[0]!.id), several: String(result.genomes.length > 2) })}
        </li>
      )}
      {!withLines
        ? null
        : (['alike', 'turned'] as const).map((way) => (
            <li key={way}>
              <svg width={13} height={11} aria-hidden>
                <path
                  d={way === 'alike' ? 'M1,10L12,1' : 'M1,1L12,10'}
                  stroke="var(--figure-ink)"
                  strokeWidth={2}
                  strokeLinecap="round"
                />
              </svg>
              {t(`legend.${way}`)}
            </li>
          ))}
      {lines.map(({ key, colour, text, help }) => (
        <li key={key} title={help}>
          <span style={{ background: colour }} aria-hidden />
          {text}
        </li>
      ))}
      {more.map(({ key, colour, mark, text, help }) => (
        <li key={key} title={help}>
          {mark === null ? (
            <span style={{ background: colour }} aria-hidden />
          ) : (
            <svg width={13} height={11} aria-hidden>
              <path transform="translate(6.5,5.5)" d={mark} fill={colour} />
            </svg>
          )}
          {text}
        </li>
      ))}
      <CategoryRest count={sequences.length - named.length} />
    </ul>
  )
}
