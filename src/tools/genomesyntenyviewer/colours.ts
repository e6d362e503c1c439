import { rgb } from 'd3'
import type { BlockKind } from '../../bio/comparative/block-kinds.ts'
import { categoryColour, colourAlone, otherColour, viridis } from '../../kit/ui/figures/palette.ts'
import type { Block, SyntenyDifference, SyntenyResult } from './tool.ts'

/** One colour a kind, told apart by everyone; what is as expected is the grey of the palette. */
const kindNumbers: Record<BlockKind, number> = { syntenic: -1, inverted: 5, moved: 6, translocated: 0, duplicated: 3 }

export const kindColour = (kind: BlockKind): string => categoryColour(kindNumbers[kind])

export const colourings = ['kind', 'sequence', 'position'] as const
export type Colouring = (typeof colourings)[number]

/**
 * What tells most where nothing was chosen: kinds where genomes are so close that their differences are listed, or one is compared with
 * itself; of distant ones which chromosome a block is of, or, where there is one, from where on it.
 */
export const usualColouring = ({ genomes, blocks, comparisons }: SyntenyResult): Colouring => {
  if (genomes.length === 1 || comparisons.some(({ differences }) => differences !== null)) return 'kind'
  return colourSequences({ genomes, blocks }).filter(({ genome }) => genome === 0).length > 1 ? 'sequence' : 'position'
}

/** Colour of a place from the start (0) of a genome to its end (1); without the palest end, which a light ground swallows. */
export const positionColour = (share: number): string => rgb(viridis(0.94 * share)).formatHex()

interface ColouredSequence {
  genome: number
  name: string
  colour: string
}

/**
 * Sequences that have a colour: each of the first genome that blocks lie on, and of the others each after the one that it shares most pairs
 * of genes with, directly or by a genome between, so that a colour is one chromosome through all genomes. Beyond the palette, and what has
 * no counterpart, grey.
 */
export const colourSequences = ({ genomes, blocks }: Pick<SyntenyResult, 'genomes' | 'blocks'>): ColouredSequence[] => {
  const shared = genomes.map(() => new Map<string, Map<string, number>>())
  const address = (genome: number, name: string): string => JSON.stringify([genome, name])
  for (const { first, second, sequenceA, sequenceB, pairs, kind } of blocks) {
    if (kind === 'duplicated' && first !== second) continue
    for (const [genome, name, other] of [
      [first, sequenceA, address(second, sequenceB)],
      [second, sequenceB, address(first, sequenceA)],
    ] as const) {
      const sums = shared[genome]!.get(name) ?? new Map<string, number>()
      sums.set(other, (sums.get(other) ?? 0) + Math.max(1, pairs))
      shared[genome]!.set(name, sums)
    }
  }
  const colours = new Map<string, string>()
  const found: ColouredSequence[] = []
  const add = (genome: number, name: string, colour: string): void => {
    colours.set(address(genome, name), colour)
    found.push({ genome, name, colour })
  }
  for (const [genome, { sequences }] of genomes.entries())
    for (const { name } of sequences) {
      const sums = shared[genome]!.get(name)
      if (sums === undefined) continue
      if (genome === 0) {
        add(genome, name, colourAlone(found.length))
        continue
      }
      const [best] = [...sums].filter(([other]) => colours.has(other)).sort((p, q) => q[1] - p[1])
      add(genome, name, best === undefined ? otherColour : colours.get(best[0])!)
    }
  return found
}

/** Colours of sequences for bars and rings, where blocks have those of their sequences; null for what has none. */
export const createSequenceColour = (
  result: Pick<SyntenyResult, 'genomes' | 'blocks'>,
  colouring: Colouring,
): ((genome: number, name: string) => string | null) => {
  if (colouring !== 'sequence') return () => null
  const colours = new Map(colourSequences(result).map((one) => [`${one.genome}/${one.name}`, one.colour]))
  return (genome, name) => colours.get(`${genome}/${name}`) ?? null
}

/** Colour of a block: by its kind, or by its sequence or its place in the first of its genomes. */
export const createBlockColour = (
  result: Pick<SyntenyResult, 'genomes' | 'blocks'>,
  colouring: Colouring,
): ((block: Block) => string) => {
  if (colouring === 'kind') return ({ kind }) => kindColour(kind)
  if (colouring === 'position') {
    const placed = result.genomes.map(({ sequences }) => {
      const starts = new Map<string, number>()
      let total = 0
      for (const { name, lengthBp } of sequences) {
        starts.set(name, total)
        total += lengthBp
      }
      return { starts, total: Math.max(1, total) }
    })
    return ({ first, sequenceA, startA, endA }) => {
      const { starts, total } = placed[first]!
      return positionColour(((starts.get(sequenceA) ?? 0) + (startA + endA) / 2) / total)
    }
  }
  const colours = result.genomes.map(() => new Map<string, string>())
  for (const { genome, name, colour } of colourSequences(result)) colours[genome]!.set(name, colour)
  return ({ first, sequenceA }) => colours[first]!.get(sequenceA) ?? otherColour
}

/** Address of a block within a result. */
export const blockKey = ({ first, second, number }: Block): string => `${first}-${second}-${number}`

/** Address of a difference within a result: there is one of a kind at a place. */
export const differenceKey = ({ first, second, kind, a, b }: SyntenyDifference): string =>
  `${first}-${second}-${kind}-${a.sequence}-${a.start}-${b.start}`
