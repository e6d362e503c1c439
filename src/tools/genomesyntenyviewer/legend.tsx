import type { ReactNode } from 'react'
import { blockKinds } from '../../bio/block-kinds.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useSequenceLabel } from '../../kit/ui/sequence-name.tsx'
import { blockColour, type Colouring, kindColour } from './colours.ts'
import messages from './messages.ts'
import type { SyntenyResult } from './tool.ts'

/** Sequences of the first genome that get a line. */
const mostSequences = 30

/** What the colours say: kinds with how many blocks are of each, or sequences. */
export const Legend = ({ result, colouring }: { result: SyntenyResult; colouring: Colouring }): ReactNode => {
  const t = useText(messages)
  const labelOf = useSequenceLabel()
  const genome = result.genomes[0]?.id ?? ''
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
      : (result.genomes[0]?.sequences.slice(0, mostSequences) ?? []).flatMap(({ name }) => {
          const block = result.blocks.find(({ first, sequenceA }) => first === 0 && sequenceA === name)
          return block === undefined
            ? []
            : [
                {
                  key: name,
                  colour: blockColour(block, result.genomes, colouring),
                  text: labelOf(genome, name),
                  help: name,
                },
              ]
        })
  return (
    <ul className="gsv-legend">
      {lines.map(({ key, colour, text, help }) => (
        <li key={key} title={help}>
          <span style={{ background: colour }} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  )
}
