// Copies of alleles by population, counted from the bytes of a VCF. Source: VCF 4.3 specification (hts-specs), sections 1.6.1 and 1.6.2.

/** One record of a VCF with its genotypes counted. The object is filled anew for the next record. */
export interface CountedSite {
  sequence: string
  position1: number
  /** Alleles of the record, the reference among them. */
  alleles: number
  /** Reference and every alternative is one base; a `*` (deleted by another record) does not count against it. */
  snp: boolean
  /** An alternative is `*`. */
  star: boolean
  /** `counts[population * alleles + allele]`: copies in individuals that are called in full. */
  counts: Int32Array
  /** Heterozygous individuals that carry the allele, in the same order. */
  heterozygotes: Int32Array
  /** Copies called, by population. */
  copies: Int32Array
  /** Individuals called, by population. */
  called: Int32Array
  /** Copies that its individuals have, called or not, by population. */
  slots: Int32Array
  /** By population: 1 where every individual called has two copies. */
  diploid: Uint8Array
}

export interface AlleleCounterOptions {
  /** Population of each sample of the file in its order; -1 of those that are left out. */
  populations: readonly number[]
  populationCount: number
  /** False when the record is wanted by no one: its genotypes are not read. */
  wants?(site: Pick<CountedSite, 'sequence' | 'position1' | 'alleles' | 'snp' | 'star'>): boolean
  onSite(site: CountedSite): void
}

const tab = 9
const newline = 10
const zero = 48
const nine = 57
const star = 42
const dot = 46
const comma = 44
const slash = 47
const bar = 124
const colon = 58

const isBase = (byte: number): boolean => {
  const upper = byte & 0xdf
  return upper === 65 || upper === 67 || upper === 71 || upper === 84 || upper === 78
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/**
 * Counts alleles in a VCF that comes in pieces of any size; the header is passed over. Genotypes are read as bytes, any ploidy, phased or
 * not; one of which a part is missing (`./1`) counts as not called, and so does one with the allele `*`. Records without GT as their first
 * key are counted in `withoutGenotypes`; those whose columns cannot be read in `damaged`.
 *
 * Example: the lines `chrI 5 . A C . . . GT 0/1 1` with populations [0, 1] give `counts` [1, 1, 0, 1], `called` [1, 1] and, as one is
 * haploid, `diploid` [0].
 */
export class AlleleCounter {
  readonly #options: AlleleCounterOptions
  readonly #populations: Int32Array
  readonly #site: CountedSite
  #rest: Uint8Array = new Uint8Array(0)
  #sequenceBytes: Uint8Array = new Uint8Array(0)
  /** Alleles of the individual that is being read. */
  #present = new Int32Array(8)
  records = 0
  withoutGenotypes = 0
  damaged = 0

  constructor(options: AlleleCounterOptions) {
    this.#options = options
    this.#populations = Int32Array.from(options.populations)
    const { populationCount } = options
    this.#site = {
      sequence: '',
      position1: 0,
      alleles: 0,
      snp: false,
      star: false,
      counts: new Int32Array(populationCount * 2),
      heterozygotes: new Int32Array(populationCount * 2),
      copies: new Int32Array(populationCount),
      called: new Int32Array(populationCount),
      slots: new Int32Array(populationCount),
      diploid: new Uint8Array(populationCount),
    }
  }

  push(chunk: Uint8Array): void {
    let from = 0
    if (this.#rest.length > 0) {
      const end = chunk.indexOf(newline)
      if (end < 0) {
        this.#rest = joined(this.#rest, chunk)
        return
      }
      const line = joined(this.#rest, chunk.subarray(0, end))
      this.#line(line, 0, line.length)
      from = end + 1
    }
    for (;;) {
      const end = chunk.indexOf(newline, from)
      if (end < 0) break
      this.#line(chunk, from, end)
      from = end + 1
    }
    this.#rest = chunk.slice(from)
  }

  end(): void {
    if (this.#rest.length > 0) this.#line(this.#rest, 0, this.#rest.length)
    this.#rest = new Uint8Array(0)
  }

  #line(bytes: Uint8Array, from: number, lineEnd: number): void {
    const end = lineEnd > from && bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd
    if (end === from || bytes[from] === 35) return
    this.records += 1
    const site = this.#site
    let at = bytes.indexOf(tab, from)
    if (at < 0 || at >= end) {
      this.damaged += 1
      return
    }
    this.#takeSequence(bytes, from, at)
    let position1 = 0
    for (at += 1; at < end && bytes[at] !== tab; at++) {
      const digit = bytes[at]! - zero
      position1 = digit >= 0 && digit <= 9 ? position1 * 10 + digit : Number.NaN
    }
    at = bytes.indexOf(tab, at + 1)
    if (at < 0 || at >= end || !Number.isSafeInteger(position1)) {
      this.damaged += 1
      return
    }
    site.position1 = position1
    const referenceFrom = at + 1
    const referenceEnd = bytes.indexOf(tab, referenceFrom)
    const alternativeEnd = referenceEnd < 0 ? -1 : bytes.indexOf(tab, referenceEnd + 1)
    if (alternativeEnd < 0 || alternativeEnd >= end) {
      this.damaged += 1
      return
    }
    let snp = referenceEnd - referenceFrom === 1 && isBase(bytes[referenceFrom]!)
    let alleles = 1
    let starAllele = -1
    if (!(alternativeEnd - referenceEnd === 2 && bytes[referenceEnd + 1] === dot)) {
      let begin = referenceEnd + 1
      for (at = begin; at <= alternativeEnd; at++) {
        if (at < alternativeEnd && bytes[at] !== comma) continue
        if (at - begin === 1 && bytes[begin] === star) starAllele = alleles
        else if (at - begin !== 1 || !isBase(bytes[begin]!)) snp = false
        alleles += 1
        begin = at + 1
      }
    }
    site.alleles = alleles
    site.snp = snp
    site.star = starAllele >= 0
    if (this.#options.wants?.(site) === false) return
    // QUAL, FILTER, INFO, FORMAT.
    at = alternativeEnd
    for (let column = 0; column < 3; column++) {
      at = bytes.indexOf(tab, at + 1)
      if (at < 0 || at >= end) {
        this.withoutGenotypes += 1
        return
      }
    }
    const formatEnd = bytes.indexOf(tab, at + 1)
    const isGenotype =
      bytes[at + 1] === 71 && bytes[at + 2] === 84 && (bytes[at + 3] === colon || bytes[at + 3] === tab)
    if (formatEnd < 0 || formatEnd >= end || !isGenotype) {
      this.withoutGenotypes += 1
      return
    }
    if (this.#count(bytes, formatEnd + 1, end, starAllele)) this.#options.onSite(site)
    else this.damaged += 1
  }

  #takeSequence(bytes: Uint8Array, from: number, end: number): void {
    const before = this.#sequenceBytes
    let same = before.length === end - from
    for (let at = 0; same && at < before.length; at++) same = before[at] === bytes[from + at]
    if (same) return
    this.#sequenceBytes = bytes.slice(from, end)
    this.#site.sequence = new TextDecoder().decode(this.#sequenceBytes)
  }

  /** False where a genotype names an allele that the record has not, or samples are missing. */
  #count(bytes: Uint8Array, from: number, end: number, starAllele: number): boolean {
    const site = this.#site
    const { alleles, copies, called, slots, diploid } = site
    const size = alleles * this.#options.populationCount
    if (site.counts.length !== size) {
      site.counts = new Int32Array(size)
      site.heterozygotes = new Int32Array(size)
    } else {
      site.counts.fill(0)
      site.heterozygotes.fill(0)
    }
    const { counts, heterozygotes } = site
    copies.fill(0)
    called.fill(0)
    slots.fill(0)
    const populations = this.#populations
    diploid.fill(1)
    let at = from
    for (let sample = 0; sample < populations.length; sample++) {
      if (at > end) return false
      const population = populations[sample]!
      if (population >= 0) {
        let ploidy = 0
        let whole = true
        let value = -1
        // The alleles of the genotype, up to the colon, tab or end of line.
        for (; ; at++) {
          const byte = at < end ? bytes[at]! : tab
          if (byte >= zero && byte <= nine) {
            value = (value < 0 ? 0 : value * 10) + byte - zero
            continue
          }
          if (byte === dot) {
            value = -2
            continue
          }
          if (ploidy === this.#present.length) {
            const wider = new Int32Array(2 * ploidy)
            wider.set(this.#present)
            this.#present = wider
          }
          // VCF 4.4 allows a sign of phase before the first allele.
          if (value !== -1) {
            if (value >= alleles) return false
            if (value < 0 || value === starAllele) whole = false
            this.#present[ploidy] = value
            ploidy += 1
            value = -1
          }
          if (byte !== slash && byte !== bar) break
        }
        slots[population]! += ploidy
        if (whole && ploidy > 0) {
          const base = population * alleles
          const present = this.#present
          called[population]! += 1
          copies[population]! += ploidy
          if (ploidy === 2) {
            const first = present[0]!
            const second = present[1]!
            counts[base + first]! += 1
            counts[base + second]! += 1
            if (first !== second) {
              heterozygotes[base + first]! += 1
              heterozygotes[base + second]! += 1
            }
          } else {
            diploid[population] = 0
            for (let copy = 0; copy < ploidy; copy++) counts[base + present[copy]!]! += 1
          }
        }
      }
      // On to the next sample.
      while (at < end && bytes[at] !== tab) at++
      at += 1
    }
    return true
  }
}
