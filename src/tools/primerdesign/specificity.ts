import { FastaReader } from '../../bio/sequence/fasta.ts'
import { byLikelihood, likelyMismatches, mismatchesOf, PcrSearch } from '../../bio/sequence/in-silico-pcr.ts'
import type { PredictedProduct } from '../../bio/sequence/pcr-products.ts'
import type { PrimingRule } from '../../bio/sequence/priming-sites.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import {
  alikeBetweenPrimers,
  createLocusFinder,
  type HomologousLocus,
  liesAt,
  shareOf,
  type TemplateLocus,
} from './homologous-loci.ts'
import { type GenomeVerdict, limits, type Product, type searchedKinds } from './tool.ts'

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
  /** Length that the product is meant to have, on what is searched; null where it has none there. */
  expectedBp: number | null
  /** Bases of the template between the primers, in its reading direction. */
  between: string
}

interface PairSpecificity {
  intended: number
  counterparts: number
  others: number
  /** Others that are likely: see {@link likelyMismatches}. */
  likely: number
  repetitive: boolean
  products: Product[]
  genomes: GenomeVerdict[]
}

interface SpecificitySearch {
  pairs: readonly SearchedPair[]
  assemblies: readonly string[]
  searched: Exclude<(typeof searchedKinds)[number], 'none'>
  rule: PrimingRule
  maxProductBp: number
  data: PortalData
  signal: AbortSignal
  onProgress(fraction: number): void
}

/** Genes named under a product. */
const genesNamed = 5
/** Progress is told once in so many bases. */
const progressBp = 1_000_000

interface Found extends PredictedProduct {
  sequence: string
  sequenceLengthBp: number
  /** Gene of a transcript that was searched. */
  gene: { id: string; symbol: string | null } | null
  /** Its bases, of a transcript that was searched. */
  bases?: string
}

/** The best products of a pair in one assembly, and how many there were. */
class Collection {
  readonly best: Found[] = []
  intended: Found[] = []
  /** Those at the homologous place. */
  atLocus: Found[] = []
  count = 0
  likely = 0

  add(product: Found): void {
    this.count += 1
    if (mismatchesOf(product) <= likelyMismatches) this.likely += 1
    this.best.push(product)
    // Sorted only when twice as many are held as are kept.
    if (this.best.length > 4 * limits.shownProducts!) this.trim()
  }

  /** Takes away what is counted elsewhere. */
  remove(products: readonly Found[]): void {
    this.count -= products.length
    this.likely -= products.filter((one) => mismatchesOf(one) <= likelyMismatches).length
  }

  trim(): Found[] {
    this.best.sort(byLikelihood)
    this.best.length = Math.min(this.best.length, 2 * limits.shownProducts!)
    return this.best
  }
}

/** Products at one place that are compared with each other; a tandem repeat has more. */
const maxPerLocus = 1000
/** Products of one genome that are looked at by their bases; a repeat has more, and they say nothing new. */
const maxCompared = 20

const modulo = (position1: number, lengthBp: number): number => ((position1 - 1) % lengthBp) + 1

/**
 * Searches genomes or transcripts for what pairs amplify (see {@link PcrSearch}). Gives back one answer for each pair, in order; also
 * the bases that were read.
 */
export const searchSpecificity = async (
  search: SpecificitySearch,
): Promise<{ answers: PairSpecificity[]; searchedBp: number }> => {
  const { pairs, data, signal, rule, maxProductBp } = search
  const pcr = new PcrSearch(pairs, rule, maxProductBp)
  const answers = pairs.map(
    (): PairSpecificity => ({
      intended: 0,
      counterparts: 0,
      others: 0,
      likely: 0,
      repetitive: false,
      products: [],
      genomes: [],
    }),
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

  const findLocus = createLocusFinder(data, search.assemblies, search.searched === 'transcripts')
  /** Bases of a product between its primers, in the reading direction of the left one. */
  const readBetween = async (assembly: string, product: Found, pair: SearchedPair): Promise<string> => {
    const { forward, start1, lengthBp } = product
    const whole = product.bases ?? (await data.fetchSequence(assembly, product.sequence, start1, start1 + lengthBp - 1))
    const read = forward === 'left' ? whole : reverseComplement(whole)
    return read.slice(pair.left.length, Math.max(pair.left.length, lengthBp - pair.right.length))
  }
  /** Where a pair's product is to be looked for in another genome; null where only the bases can tell. */
  const placeIn = async (pair: SearchedPair, assembly: string): Promise<HomologousLocus | null> => {
    if (pair.assembly === null || !pair.placed) return null
    const template: TemplateLocus = { assembly: pair.assembly, intended: pair.intended, gene: pair.gene }
    const locus = await findLocus(template, assembly)
    return locus.basis === 'bases' ? null : locus
  }
  /** The best of the products that have the template's bases between the primers. */
  const findAlike = async (assembly: string, products: readonly Found[], pair: SearchedPair): Promise<Found[]> => {
    const alike: Found[] = []
    for (const product of products.filter((one) => one.forward !== one.reverse).slice(0, maxCompared))
      if (alikeBetweenPrimers(pair.between, await readBetween(assembly, product, pair))) alike.push(product)
    return ofOneLocus(alike, (product) => likeness(product.lengthBp, pair.expectedBp))
  }

  const describe = async (product: Found, assembly: string): Promise<Omit<Product, 'kind'>> => ({
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
    genes: await findGenes(assembly, product),
  })

  const totals = await Promise.all(
    search.assemblies.map(async (assembly) => (await data.getAssembly(assembly)).lengthBp),
  )
  const totalBp = Math.max(
    1,
    totals.reduce((sum, one) => sum + one, 0),
  )
  let searchedBp = 0
  let reportedBp = 0
  let doneBp = 0
  for (const [at, assembly] of search.assemblies.entries()) {
    const collections = new Map<number, Collection>()
    const loci: (HomologousLocus | null)[] = []
    for (const pair of pairs) {
      signal.throwIfAborted()
      loci.push(pair.assembly === assembly ? null : await placeIn(pair, assembly))
    }
    /** Takes one sequence: its sites come in while it is read, its products when it ends. */
    const openSequence = (
      sequence: { name: string; lengthBp: number; circular: boolean },
      gene: Found['gene'],
      basesOf: ((start1: number, end1: number) => string) | null = null,
    ): ((bases: Uint8Array | null) => void) => {
      const take = pcr.open(
        sequence,
        (number, product) => {
          const pair = pairs[number]!
          let collection = collections.get(number)
          if (collection === undefined) {
            collection = new Collection()
            collections.set(number, collection)
          }
          const found: Found = { ...product, sequence: sequence.name, sequenceLengthBp: sequence.lengthBp, gene }
          if (basesOf !== null && !pair.placed) found.bases = basesOf(found.start1, found.end1)
          if (pair.assembly === assembly && isIntended(pair, found)) collection.intended.push(found)
          else if (collection.atLocus.length < maxPerLocus && isAtLocus(loci[number]!, found))
            collection.atLocus.push(found)
          else collection.add(found)
        },
        (number) => {
          answers[number]!.repetitive = true
        },
      )
      return (bases) => {
        take(bases)
        if (bases !== null) {
          searchedBp += bases.length
          if (searchedBp - reportedBp >= progressBp) {
            reportedBp = searchedBp
            search.onProgress(
              Math.min(1, (doneBp + totals[at]! * Math.min(1, (searchedBp - startBp) / totals[at]!)) / totalBp),
            )
          }
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

    for (const [number, pair] of pairs.entries()) {
      const answer = answers[number]!
      const collection = collections.get(number) ?? new Collection()
      // At home the place itself is known: whatever lies elsewhere is nonspecific, however alike.
      const own = pair.assembly === assembly && pair.placed
      const locus = loci[number]!
      const { atLocus } = collection
      const counterparts = ofOneLocus(atLocus, (product) =>
        locus?.basis === 'alignment'
          ? Math.max(...locus.loci.map((one) => shareOf(product, one, product.sequenceLengthBp)))
          : likeness(product.lengthBp, pair.expectedBp),
      )
      for (const one of atLocus) if (!counterparts.includes(one)) collection.add(one)
      const others = collection.trim()
      if (!own && locus === null) {
        const alike = await findAlike(assembly, others, pair)
        counterparts.push(...alike)
        collection.remove(alike)
      }
      const isCounterpart = (product: Found): boolean => counterparts.includes(product)
      const elsewhere = collection.count
      const likely = collection.likely
      answer.intended += collection.intended.length
      answer.counterparts += counterparts.length
      answer.others += elsewhere
      answer.likely += likely
      const best = collection.intended[0] ?? counterparts[0] ?? null
      const bestOther = others.find((one) => !isCounterpart(one)) ?? null
      answer.genomes.push({
        assembly,
        verdict:
          collection.intended.length > 0
            ? 'intended'
            : best !== null
              ? 'homologous'
              : elsewhere > 0
                ? 'elsewhere'
                : 'none',
        judgedBy: own ? null : (locus?.basis ?? 'bases'),
        ...(own || locus?.basis !== 'gene' ? {} : { orthologs: [...locus.genes] }),
        outcome: locus?.outcome ?? null,
        product: best === null ? null : await describe(best, assembly),
        differenceBp: best === null || pair.expectedBp === null ? null : best.lengthBp - pair.expectedBp,
        elsewhere,
        elsewhereLikely: likely,
        bestElsewhere: bestOther === null ? null : await describe(bestOther, assembly),
      })
      const shown: [Found, Product['kind']][] = [
        ...collection.intended.map((one): [Found, Product['kind']] => [one, 'intended']),
        ...counterparts.map((one): [Found, Product['kind']] => [one, 'counterpart']),
        ...others
          .filter((one) => !isCounterpart(one))
          .slice(0, limits.shownProducts)
          .map((one): [Found, Product['kind']] => [one, 'other']),
      ]
      for (const [product, kind] of shown) answer.products.push({ ...(await describe(product, assembly)), kind })
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

const likeness = (lengthBp: number, expectedBp: number | null): number =>
  expectedBp === null ? 0 : Math.min(lengthBp, expectedBp) / Math.max(lengthBp, expectedBp)

/**
 * The product of a place out of those that lie there: the one that fits it best, for one that begins at the place may end at a copy
 * far off; of several that fit alike (to a tenth) the most likely. Of transcripts every form of that gene.
 */
const ofOneLocus = (products: readonly Found[], closeness: (product: Found) => number): Found[] => {
  const [best] = [...products].sort(
    (a, b) => Math.round(10 * closeness(b)) - Math.round(10 * closeness(a)) || byLikelihood(a, b),
  )
  return products.filter((one) => one === best || (one.gene !== null && one.gene.id === best?.gene?.id))
}

const isAtLocus = (locus: HomologousLocus | null, product: Found): boolean =>
  locus !== null &&
  product.forward !== product.reverse &&
  (product.gene === null
    ? locus.loci.some((one) => liesAt(product, one, product.sequenceLengthBp))
    : locus.genes.has(product.gene.id))

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
    basesOf: (start1: number, end1: number) => string,
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
      const take = openSequence(
        { name, lengthBp: bases.length, circular: false },
        { id: gene, symbol },
        (start1, end1) => bases.toString('latin1', start1 - 1, end1),
      )
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
