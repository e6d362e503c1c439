import type { ReactNode } from 'react'
import { blockKinds } from '../../bio/comparative/block-kinds.ts'
import { differenceKinds } from '../../bio/comparative/structural-differences.ts'
import { CategoryRest } from '../../kit/ui/figures/category-marks.tsx'
import { otherColour } from '../../kit/ui/figures/palette.ts'
import { useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { type Colouring, colourSequences, differenceColour, kindColour } from './colours.ts'
import { countDifferences } from './compared-differences.ts'
import messages from './messages.ts'
import type { SyntenyResult } from './tool.ts'

/** What the colours say: kinds with how many blocks are of each, or sequences; with `differences` also those. */
export const Legend = ({
  result,
  colouring,
  differences = false,
}: {
  result: SyntenyResult
  colouring: Colouring
  differences?: boolean
}): ReactNode => {
  const t = useText(messages)
  const labelOf = useSequenceLabel()
  const nameOf = useAssemblyNames()
  const sequences = colouring === 'sequence' ? colourSequences(result) : []
  const named = sequences.filter(({ colour }) => colour !== otherColour)
  const several = new Set(sequences.map(({ genome }) => genome)).size > 1
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
      : named.map(({ genome, name, colour }) => {
          const { id } = result.genomes[genome]!
          const label = labelOf(id, name)
          return { key: `${genome}/${name}`, colour, text: several ? `${nameOf(id)} ${label}` : label, help: name }
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
                text: `${t(`difference.${kind}`)} (${count})`,
                help: t(`differenceHelp.${kind}`),
              },
            ]
      })
  return (
    <ul className="gsv-legend" data-legend>
      {[...lines, ...more].map(({ key, colour, text, help }) => (
        <li key={key} title={help}>
          <span style={{ background: colour }} aria-hidden />
          {text}
        </li>
      ))}
      <CategoryRest count={sequences.length - named.length} />
    </ul>
  )
}
