import type { BlockKind } from '../../bio/comparative/block-kinds.ts'
import type { DifferenceKind } from '../../bio/comparative/structural-differences.ts'
import { categoryColour, colourAlone, otherColour } from '../../kit/ui/figures/palette.ts'
import type { Block, SyntenyDifference, SyntenyResult } from './tool.ts'

/** One colour a kind, told apart by everyone; what is as expected is the grey of the palette. */
const kindNumbers: Record<BlockKind, number> = { syntenic: -1, inverted: 5, moved: 6, translocated: 0, duplicated: 3 }

export const kindColour = (kind: BlockKind): string => categoryColour(kindNumbers[kind])

/** What is called the same has the same colour, whether blocks or alignments tell it. */
const differenceNumbers: Record<DifferenceKind, number> = {
  deletion: 15,
  insertion: 2,
  replacement: 7,
  duplication: kindNumbers.duplicated,
  inversion: kindNumbers.inverted,
}

export const differenceColour = (kind: DifferenceKind): string => categoryColour(differenceNumbers[kind])

export type Colouring = 'kind' | 'sequence'

interface ColouredSequence {
  genome: number
  name: string
  colour: string
}

/** Sequences that blocks begin on, of the first genome first: no colour stands for two, of whichever genome; beyond the palette grey. */
export const colourSequences = ({ genomes, blocks }: Pick<SyntenyResult, 'genomes' | 'blocks'>): ColouredSequence[] => {
  const begun = genomes.map(() => new Set<string>())
  for (const { first, sequenceA } of blocks) begun[first]!.add(sequenceA)
  return genomes
    .flatMap(({ sequences }, genome) =>
      sequences.flatMap(({ name }) => (begun[genome]!.has(name) ? [{ genome, name }] : [])),
    )
    .map((one, at) => ({ ...one, colour: colourAlone(at) }))
}

/** Colour of a block: by its kind, or by its sequence in the first of its genomes. */
export const createBlockColour = (
  result: Pick<SyntenyResult, 'genomes' | 'blocks'>,
  colouring: Colouring,
): ((block: Block) => string) => {
  if (colouring === 'kind') return ({ kind }) => kindColour(kind)
  const colours = result.genomes.map(() => new Map<string, string>())
  for (const { genome, name, colour } of colourSequences(result)) colours[genome]!.set(name, colour)
  return ({ first, sequenceA }) => colours[first]!.get(sequenceA) ?? otherColour
}

/** Address of a block within a result. */
export const blockKey = ({ first, second, number }: Block): string => `${first}-${second}-${number}`

/** Address of a difference within a result: there is one of a kind at a place. */
export const differenceKey = ({ first, second, kind, a, b }: SyntenyDifference): string =>
  `${first}-${second}-${kind}-${a.sequence}-${a.start}-${b.start}`
