import { DefectLog } from '../../bio/defects.ts'
import { FastaReader } from '../../bio/fasta.ts'
import type { PortalData } from '../../kit/portal-data.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { type PrimingRule, PrimingScanner, type PrimingSite } from './priming-sites.ts'
import { findProducts, type PredictedProduct } from './products.ts'
import { limits, type Product, type searchedKinds } from './tool.ts'

/** A pair to be searched for, and what it is meant to amplify. */
export interface SearchedPair {
  left: string
  right: string
  assembly: string | null
  gene: string | null
  /** The genomic product that is meant; null where there is none, as of a primer on an exon junction. */
  intended: { sequence: string; start1: number; end1: number } | null
  /** Whether the template lies in its assembly at all. */
  placed: boolean
}

interface PairSpecificity {
  intended: number
  counterparts: number
  others: number
  /** Others that are likely: see {@link likelyMismatches}. */
  likely: number
  repetitive: boolean
  products: Product[]
}

interface SpecificitySearch {
  pairs: readonly SearchedPair[]
  assemblies: readonly string[]
  searched: (typeof searchedKinds)[number]
  rule: PrimingRule
  maxProductBp: number
  data: PortalData
  signal: AbortSignal
  onProgress(fraction: number): void
}

/** Places of one primer on one sequence that are followed; beyond that it is a repeat, and says nothing more by more of them. */
const mostSites = 20_000
/** Genes named under a product. */
const genesNamed = 5
/**
 * A product with at most so many mismatches, of both primers together, is likely to be seen on a gel. Beyond, amplification falls
 * off steeply (Kwok et al. 1990, Nucleic Acids Res 18:999-1005, for mismatches near the 3′ end); Primer-BLAST lists it all the same.
 */
const likelyMismatches = 3
/** Progress is told once in so many bases. */
const progressBp = 1_000_000

interface Found extends PredictedProduct {
  sequence: string
  sequenceLengthBp: number
  /** Gene of a transcript that was searched. */
  gene: { id: string; symbol: string | null } | null
}

const mismatchesOf = (product: PredictedProduct): number => product.forwardMismatches + product.reverseMismatches

const byLikelihood = (a: Found, b: Found): number =>
  mismatchesOf(a) - mismatchesOf(b) || a.lengthBp - b.lengthBp || a.start1 - b.start1

/** The best products of a pair in one assembly, and how many there were. */
class Collection {
  readonly best: Found[] = []
  intended: Found[] = []
  count = 0
  likely = 0

  add(product: Found): void {
    this.count += 1
    if (mismatchesOf(product) <= likelyMismatches) this.likely += 1
    this.best.push(product)
    // Sorted only when twice as many are held as are kept.
    if (this.best.length > 4 * limits.shownProducts!) this.trim()
  }

  trim(): Found[] {
    this.best.sort(byLikelihood)
    this.best.length = Math.min(this.best.length, 2 * limits.shownProducts!)
    return this.best
  }
}

const modulo = (position1: number, lengthBp: number): number => ((position1 - 1) % lengthBp) + 1

/**
 * Searches genomes or transcripts for what pairs amplify: every place where a primer may prime (see {@link PrimingScanner}), and
 * every two that face each other within `maxProductBp`. Gives back one answer for each pair, in order; also the bases that were
 * read.
 */
export const searchSpecificity = async (
  search: SpecificitySearch,
): Promise<{ answers: PairSpecificity[]; searchedBp: number }> => {
  const { pairs, data, signal, rule, maxProductBp } = search
  const numbers = new Map<string, number>()
  const numberOf = (primer: string): number => {
    const key = primer.toUpperCase()
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const primers = pairs.map((pair) => ({ left: numberOf(pair.left), right: numberOf(pair.right) }))
  const pairsOf: number[][] = Array.from({ length: numbers.size }, () => [])
  for (const [pair, { left, right }] of primers.entries()) {
    pairsOf[left]!.push(pair)
    if (right !== left) pairsOf[right]!.push(pair)
  }
  const scanner = new PrimingScanner([...numbers.keys()], rule)
  const answers = pairs.map(
    (): PairSpecificity => ({ intended: 0, counterparts: 0, others: 0, likely: 0, repetitive: false, products: [] }),
  )
  const genesAt = new Map<string, Product['genes']>()
  const findGenes = async (assembly: string, product: Found): Promise<Product['genes']> => {
    if (product.gene !== null) return [product.gene]
    const key = `${assembly} ${product.sequence} ${product.start1} ${product.end1}`
    const known = genesAt.get(key)
    if (known !== undefined) return known
    const genes = (
      await data.listGenesInRegion(assembly, product.sequence, product.start1, product.end1, genesNamed)
    ).map(({ id, symbol }) => ({ id, symbol }))
    genesAt.set(key, genes)
    return genes
  }

  const totals = await Promise.all(
    search.assemblies.map(async (assembly) => (await data.getAssembly(assembly)).lengthBp),
  )
  const totalBp = Math.max(
    1,
    totals.reduce((sum, one) => sum + one, 0),
  )
  let searchedBp = 0
  let toldBp = 0
  let doneBp = 0
  for (const [at, assembly] of search.assemblies.entries()) {
    const collections = new Map<number, Collection>()
    /** Takes one sequence: its sites come in while it is read, its products when it ends. */
    const openSequence = (
      sequence: { name: string; lengthBp: number; circular: boolean },
      gene: Found['gene'],
    ): ((bases: Uint8Array | null) => void) => {
      const sites = new Map<number, PrimingSite[]>()
      const take = scanner.open(sequence, (site) => {
        const own = sites.get(site.primer)
        if (own === undefined) sites.set(site.primer, [site])
        else if (own.length < mostSites) own.push(site)
      })
      return (bases) => {
        take(bases)
        if (bases !== null) {
          searchedBp += bases.length
          if (searchedBp - toldBp >= progressBp) {
            toldBp = searchedBp
            search.onProgress(
              Math.min(1, (doneBp + totals[at]! * Math.min(1, (searchedBp - startBp) / totals[at]!)) / totalBp),
            )
          }
          return
        }
        const touched = new Set([...sites.keys()].flatMap((primer) => pairsOf[primer]!))
        for (const number of touched) {
          const pair = pairs[number]!
          const { left, right } = primers[number]!
          const leftSites = sites.get(left) ?? []
          const rightSites = sites.get(right) ?? []
          if (leftSites.length >= mostSites || rightSites.length >= mostSites) answers[number]!.repetitive = true
          let collection = collections.get(number)
          findProducts({
            left: leftSites,
            right: left === right ? [] : rightSites,
            sequence,
            maxProductBp,
            onProduct: (product) => {
              if (collection === undefined) {
                collection = new Collection()
                collections.set(number, collection)
              }
              const found: Found = { ...product, sequence: sequence.name, sequenceLengthBp: sequence.lengthBp, gene }
              if (pair.assembly === assembly && isIntended(pair, found)) collection.intended.push(found)
              else collection.add(found)
            },
          })
        }
      }
    }
    const startBp = searchedBp
    if (search.searched === 'genome') {
      for (const sequence of await data.listSequences(assembly)) {
        const take = openSequence(sequence, null)
        if (sequence.lengthBp > 0)
          for await (const piece of data.streamSequence(assembly, sequence.name, 1, sequence.lengthBp)) {
            signal.throwIfAborted()
            take(Buffer.from(piece, 'latin1'))
          }
        take(null)
      }
    } else await readTranscripts(assembly, data, signal, openSequence)

    for (const [number, collection] of collections) {
      const pair = pairs[number]!
      const answer = answers[number]!
      const others = collection.trim()
      // Without a place of its own here the pair is expected to find one: the most likely product, of transcripts all of that gene.
      const own = pair.assembly === assembly && pair.placed
      const first = own ? undefined : others[0]
      const isCounterpart = (product: Found): boolean =>
        first !== undefined &&
        (product === first ||
          (first.gene !== null && product.gene?.id === first.gene.id && product.forward !== product.reverse))
      const counterparts = others.filter(isCounterpart)
      answer.intended += collection.intended.length
      answer.counterparts += counterparts.length
      answer.others += collection.count - counterparts.length
      answer.likely += collection.likely - counterparts.filter((one) => mismatchesOf(one) <= likelyMismatches).length
      const shown: [Found, Product['kind']][] = [
        ...collection.intended.map((one): [Found, Product['kind']] => [one, 'intended']),
        ...counterparts.map((one): [Found, Product['kind']] => [one, 'counterpart']),
        ...others
          .filter((one) => !isCounterpart(one))
          .slice(0, limits.shownProducts)
          .map((one): [Found, Product['kind']] => [one, 'other']),
      ]
      for (const [product, kind] of shown)
        answer.products.push({
          assembly,
          searched: search.searched,
          sequence: product.sequence,
          start: modulo(product.start1, product.sequenceLengthBp),
          end: modulo(product.end1, product.sequenceLengthBp),
          lengthBp: product.lengthBp,
          forward: product.forward,
          reverse: product.reverse,
          forwardMismatches: product.forwardMismatches,
          reverseMismatches: product.reverseMismatches,
          forwardThreePrimeMismatches: product.forwardThreePrimeMismatches,
          reverseThreePrimeMismatches: product.reverseThreePrimeMismatches,
          kind,
          genes: await findGenes(assembly, product),
        })
    }
    doneBp += totals[at]!
    search.onProgress(Math.min(1, doneBp / totalBp))
  }
  const kinds: Product['kind'][] = ['intended', 'counterpart', 'other']
  for (const answer of answers) {
    answer.products.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    answer.products.length = Math.min(answer.products.length, limits.shownProducts!)
  }
  return { answers, searchedBp }
}

const isIntended = (pair: SearchedPair, product: Found): boolean => {
  if (product.gene !== null) return product.gene.id === pair.gene && product.forward !== product.reverse
  const { intended } = pair
  if (intended === null || intended.sequence !== product.sequence) return false
  return (
    intended.end1 - intended.start1 + 1 === product.lengthBp &&
    modulo(intended.start1, product.sequenceLengthBp) === modulo(product.start1, product.sequenceLengthBp)
  )
}

/** Transcripts as the loader baked them, one by one. */
const readTranscripts = async (
  assembly: string,
  data: PortalData,
  signal: AbortSignal,
  openSequence: (
    sequence: { name: string; lengthBp: number; circular: boolean },
    gene: Found['gene'],
  ) => (bases: Uint8Array | null) => void,
): Promise<void> => {
  const file = await data.bundleFile(assembly, 'transcripts')
  if (file === null) return
  let pieces: Buffer[] = []
  const reader = new FastaReader({
    file,
    log: new DefectLog(),
    alphabet: 'nucleotide',
    onResidues: (residues) => void pieces.push(Buffer.from(residues)),
    onRecordEnd: ({ name, description }) => {
      const bases = Buffer.concat(pieces)
      pieces = []
      const gene = /(?:^|\s)gene=(\S+)/.exec(description)?.[1] ?? name
      const symbol = /(?:^|\s)symbol=(\S+)/.exec(description)?.[1] ?? null
      const take = openSequence({ name, lengthBp: bases.length, circular: false }, { id: gene, symbol })
      take(bases)
      take(null)
    },
  })
  for await (const bytes of readDecompressed(file)) {
    signal.throwIfAborted()
    reader.push(bytes)
  }
  reader.end()
}
