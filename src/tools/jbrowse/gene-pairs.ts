import { openCollinearBlocks } from '../../kit/data/collinear-blocks.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

/** PAF has a quality from 0 to 255, the last for none. */
const noQuality = 255

/**
 * Pairs of genes of collinear blocks between two assemblies, a line each, the first as query; of blocks without pairs the segments. Both
 * ways round of an assembly with itself. Empty where no blocks were computed. PAF as minimap2's manual page has it: starts from 0.
 */
export const renderPairs = async (data: PortalData, first: string, second: string): Promise<string> => {
  const lengths = await Promise.all(
    [first, second].map(
      async (assembly) => new Map((await data.listSequences(assembly)).map(({ name, lengthBp }) => [name, lengthBp])),
    ),
  )
  const blocks = await openCollinearBlocks(data)
  const pair = await blocks?.between(first, second)
  const [genesA, genesB] = [await blocks?.genes(first), await blocks?.genes(second)]
  if (!pair || !genesA || !genesB) return ''
  type Segment = [sequence: string, start: number, end: number]
  const line = (a: Segment, b: Segment, strand: string): string => {
    const bases = Math.min(a[2] - a[1], b[2] - b[1]) + 1
    const side = ([sequence, start, end]: Segment, of: Map<string, number>) =>
      [sequence, of.get(sequence) ?? end, start - 1, end] as const
    return `${[...side(a, lengths[0]!), strand, ...side(b, lengths[1]!), bases, bases, noQuality].join('\t')}\n`
  }
  const lines: string[] = []
  for (const block of pair.blocks) {
    if (block.a.length === 0) {
      const strand = block.orientation === 1 ? '+' : '-'
      lines.push(line([block.sequenceA, block.startA, block.endA], [block.sequenceB, block.startB, block.endB], strand))
    }
    for (const [at, gene] of block.a.entries()) {
      const other = block.b[at]!
      const a: Segment = [block.sequenceA, genesA.start[gene]!, genesA.end[gene]!]
      const b: Segment = [block.sequenceB, genesB.start[other]!, genesB.end[other]!]
      const strand = genesA.strand[gene]! * genesB.strand[other]! < 0 ? '-' : '+'
      lines.push(line(a, b, strand))
      if (first === second) lines.push(line(b, a, strand))
    }
  }
  return lines.join('')
}
