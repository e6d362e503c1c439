/** Positions in a list, those of each gene together and in their order: of gene `g` from `starts[g]` up to `starts[g + 1]`. */
export interface ByGene {
  positions: Uint32Array
  starts: Uint32Array
}

/** @param genes the gene, below `geneCount`, of each position */
export const groupByGene = (genes: ArrayLike<number>, geneCount: number): ByGene => {
  const starts = new Uint32Array(geneCount + 1)
  for (let position = 0; position < genes.length; position += 1) starts[genes[position]! + 1]! += 1
  for (let gene = 0; gene < geneCount; gene += 1) starts[gene + 1]! += starts[gene]!
  const next = starts.slice()
  const positions = new Uint32Array(genes.length)
  for (let position = 0; position < genes.length; position += 1) positions[next[genes[position]!]!++] = position
  return { positions, starts }
}

export const positionsOf = ({ positions, starts }: ByGene, gene: number): Uint32Array =>
  positions.subarray(starts[gene], starts[gene + 1])
