import { alignCodons, countKaKs } from '../../bio/ka-ks.ts'
import type { GeneTable } from '../../kit/collinear-blocks.ts'
import { fetchGeneSequences } from '../../kit/gene-sequences.ts'
import type { PortalData } from '../../kit/portal-data.ts'

type Counts = ReturnType<typeof countKaKs>

/** Numbers of the genes of pairs in the tables of two assemblies, side by side. */
export interface GenePairList {
  first: string
  second: string
  a: readonly number[]
  b: readonly number[]
}

/** Pairs that are measured before others of the thread have their turn: long proteins take milliseconds each. */
const pairsAtOnce = 20

/**
 * Differences of the coding sequences of pairs of genes, each of its longest transcript, for each list in its order; null where a gene
 * has none or two are too long to be aligned. The genetic code is that of the first gene's sequence. Sequences of an assembly are read
 * once, whatever the number of lists.
 */
export const measurePairs = async (
  lists: readonly GenePairList[],
  tables: ReadonlyMap<string, GeneTable>,
  data: PortalData,
  signal: AbortSignal,
): Promise<(Counts | null)[][]> => {
  const wanted = new Map<string, Set<number>>()
  const want = (assembly: string, genes: readonly number[]): void => {
    const own = wanted.get(assembly) ?? new Set<number>()
    for (const gene of genes) own.add(gene)
    wanted.set(assembly, own)
  }
  for (const { first, second, a, b } of lists) {
    want(first, a)
    want(second, b)
  }
  const sequences = new Map<string, Map<string, string>>()
  const codes = new Map<string, Map<string, number>>()
  for (const [assembly, genes] of wanted) {
    const { id } = tables.get(assembly)!
    const { queries } = await fetchGeneSequences(
      assembly,
      [...genes].map((gene) => id[gene]!),
      'cds',
      data,
      signal,
    )
    sequences.set(assembly, new Map(queries.map(({ gene, sequence }) => [gene, sequence.toUpperCase()])))
    codes.set(
      assembly,
      new Map((await data.listSequences(assembly)).map(({ name, geneticCode }) => [name, geneticCode])),
    )
  }
  let measured = 0
  const found: (Counts | null)[][] = []
  for (const { first, second, a, b } of lists) {
    const [genesA, genesB] = [tables.get(first)!, tables.get(second)!]
    const own: (Counts | null)[] = []
    for (const [at, geneA] of a.entries()) {
      measured += 1
      if (measured % pairsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      const x = sequences.get(first)!.get(genesA.id[geneA]!)
      const y = sequences.get(second)!.get(genesB.id[b[at]!]!)
      const code = codes.get(first)!.get(genesA.sequences[genesA.sequence[geneA]!]!) ?? 1
      const aligned = x === undefined || y === undefined ? null : alignCodons(x, y, code)
      own.push(aligned === null ? null : countKaKs(aligned[0], aligned[1], code))
    }
    found.push(own)
  }
  return found
}

/**
 * Shares out `most` among as many as there are counts, none more than its count: equal shares, and what one leaves goes to the others.
 *
 * Example: `shareOut([5, 100, 100], 45)` is `[5, 20, 20]`.
 */
export const shareOut = (counts: readonly number[], most: number): number[] => {
  const shares = counts.map(() => 0)
  let left = most
  let others = counts.length
  for (const at of [...counts.keys()].sort((p, q) => counts[p]! - counts[q]!)) {
    shares[at] = Math.min(counts[at]!, Math.floor(left / others))
    left -= shares[at]!
    others -= 1
  }
  return shares
}

/** `taken` places spread evenly over `count`. Example: `evenly(10, 2)` is `[2, 7]`. */
export const evenly = (count: number, taken: number): number[] =>
  Array.from({ length: taken }, (_, at) => Math.floor(((at + 0.5) * count) / taken))
