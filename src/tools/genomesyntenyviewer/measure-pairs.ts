import { alignCodons, countKaKs } from '../../bio/comparative/ka-ks.ts'
import type { GeneTable } from '../../kit/data/collinear-blocks.ts'
import { fetchGeneSequences } from '../../kit/data/genes/gene-sequences.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

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
