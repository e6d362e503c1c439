import type { Receipt } from '../../contracts/tools/receipt.ts'
import { namesOfGenes } from '../../kit/ui/gene/difference-place.ts'
import { type NamedSequence, useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { Colouring } from './colours.ts'
import messages from './messages.ts'
import type { Block, Genome, SyntenyDifference, SyntenyResult } from './tool.ts'

/** What every view of the blocks is given. */
export interface BlockViewProps {
  result: SyntenyResult
  colouring: Colouring
  chosen: Block | null
  onChoose: (block: Block | null) => void
  receipt: Receipt
}

/** What a view that marks the differences is given besides. */
export interface DifferenceViewProps {
  difference: SyntenyDifference | null
  onChooseDifference: (difference: SyntenyDifference | null) => void
}

/** Every sequence of genomes with the assembly that it is of. */
export const sequencesOf = (genomes: readonly Genome[]): NamedSequence[] =>
  genomes.flatMap(({ id, sequences }) => sequences.map(({ name }) => ({ assembly: id, sequence: name })))

/** Both places of a block for a tooltip, each behind its genome. */
export const useBlockLoci = (genomes: readonly Genome[]): ((block: Block) => { first: string; second: string }) => {
  const regionOf = useRegionLabel()
  const nameOf = useAssemblyNames()
  return (block) => {
    const [first, second] = [genomes[block.first]!.id, genomes[block.second]!.id]
    return {
      first: `${nameOf(first)} ${regionOf(first, { sequence: block.sequenceA, start: block.startA, end: block.endA })}`,
      second: `${nameOf(second)} ${regionOf(second, { sequence: block.sequenceB, start: block.startB, end: block.endB })}`,
    }
  }
}

/** What a difference is called: `deletion`, or of a duplication in which of the two genomes it is. */
export const useDifferenceName = (genomes: readonly Genome[]): ((difference: SyntenyDifference) => string) => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  return ({ kind, copyIn, first, second }) =>
    copyIn === null
      ? t(`difference.${kind}`)
      : t('difference.copyIn', { genome: nameOf(genomes[copyIn === 'first' ? first : second]!.id) })
}

/** A difference in a line: what it is, how long, where, and what genes are in it. */
export const useDifferenceText = (genomes: readonly Genome[]): ((difference: SyntenyDifference) => string) => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const nameOf = useAssemblyNames()
  const called = useDifferenceName(genomes)
  return (difference) => {
    const [first, second] = [genomes[difference.first]!.id, genomes[difference.second]!.id]
    const { kind, copyIn, geneCount, basis, sizeBp } = difference
    // What is not there is told by the place where it would be.
    const shownIn = kind === 'insertion' || copyIn === 'second' ? 'second' : 'first'
    const [id, side] = shownIn === 'first' ? [first, difference.a] : [second, difference.b]
    return t('difference.short', {
      kind: called(difference),
      of: copyIn === null ? nameOf(second) : 'none',
      size: format.basePairs(sizeBp),
      about: String(basis === 'genes'),
      place: `${nameOf(id)} ${regionOf(id, side)}`,
      genes: geneCount,
      names: namesOfGenes(difference),
    })
  }
}
