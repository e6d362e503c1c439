import { makeProtein, mutate, type TestGenome } from './protein-genomes.ts'

export const proteins = Array.from({ length: 16 }, (_, number) => makeProtein(number + 1))
const tandem = makeProtein(99)
const lost = makeProtein(98)

/** Sixteen genes, two identical copies in their middle, and one that not every genome has. */
export const genome = (
  assembly: string,
  change: number,
  options: { turned?: boolean; lacks?: boolean } = {},
): TestGenome => {
  const changed = (protein: string, seed: number): string => mutate(protein, change, seed)
  const genes = [
    ...proteins
      .slice(0, 8)
      .map((protein, number) => ({ id: `${assembly}_${number}`, protein: changed(protein, number) })),
    { id: `${assembly}_t1`, protein: tandem },
    { id: `${assembly}_t2`, protein: tandem },
    ...proteins
      .slice(8)
      .map((protein, number) => ({ id: `${assembly}_${number + 8}`, protein: changed(protein, number + 8) })),
    ...(options.lacks === true ? [] : [{ id: `${assembly}_lost`, protein: changed(lost, 98), symbol: 'esxL' }]),
  ]
  if (options.turned !== true) return { assembly, genes }
  return { assembly, genes: genes.reverse().map((gene) => ({ ...gene, strand: '-' as const })) }
}
