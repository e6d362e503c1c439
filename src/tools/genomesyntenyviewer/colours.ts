import type { BlockKind } from '../../bio/block-kinds.ts'
import { categoryColour } from '../../kit/ui/palette.ts'
import type { Block, Genome } from './tool.ts'

/** One colour a kind, told apart by everyone; what is as expected is the grey of the palette. */
const kindNumbers: Record<BlockKind, number> = { syntenic: -1, inverted: 5, moved: 6, translocated: 0, duplicated: 3 }

export const kindColour = (kind: BlockKind): string => categoryColour(kindNumbers[kind])

export type Colouring = 'kind' | 'sequence'

/** Colour of a block: by its kind, or by its sequence in the first of its genomes. */
export const blockColour = (block: Block, genomes: readonly Genome[], colouring: Colouring): string =>
  colouring === 'kind'
    ? kindColour(block.kind)
    : categoryColour(genomes[block.first]!.sequences.findIndex(({ name }) => name === block.sequenceA))

/** Address of a block within a result. */
export const blockKey = ({ first, second, number }: Block): string => `${first}-${second}-${number}`
