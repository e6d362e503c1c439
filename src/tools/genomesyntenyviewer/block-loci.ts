import type { Receipt } from '../../contracts/tools/receipt.ts'
import { type NamedSequence, useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import type { Colouring } from './colours.ts'
import type { Block, Genome, SyntenyResult } from './tool.ts'

/** What every view of the blocks is given. */
export interface BlockViewProps {
  result: SyntenyResult
  colouring: Colouring
  chosen: Block | null
  onChoose: (block: Block | null) => void
  receipt: Receipt
}

/** Every sequence of genomes with the assembly that it is of. */
export const sequencesOf = (genomes: readonly Genome[]): NamedSequence[] =>
  genomes.flatMap(({ id, sequences }) => sequences.map(({ name }) => ({ assembly: id, sequence: name })))

/** Both places of a block for a tooltip, each behind its genome. */
export const useBlockLoci = (genomes: readonly Genome[]): ((block: Block) => { first: string; second: string }) => {
  const regionOf = useRegionLabel()
  return (block) => {
    const [first, second] = [genomes[block.first]!.id, genomes[block.second]!.id]
    return {
      first: `${first} ${regionOf(first, { sequence: block.sequenceA, start: block.startA, end: block.endA })}`,
      second: `${second} ${regionOf(second, { sequence: block.sequenceB, start: block.startB, end: block.endB })}`,
    }
  }
}
