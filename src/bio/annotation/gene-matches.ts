// Names of genes in the files of programs, matched to the genes that are loaded: the one way in which every reader does it.

import type { DefectLog } from '../text/defects.ts'
import { refuseLeftOut } from '../text/left-out.ts'
import { PackedNames } from '../text/packed-names.ts'
import { geneMatchDefects } from './gene-match-defects.ts'

/**
 * How a name was matched, the surest first: as id, symbol or alias of a gene; as id of a transcript or protein; the same without a
 * prefix, without a version, or as a part of a header of FASTA; or as an id in other letters' case.
 */
export const matchRules = ['name', 'product', 'prefix', 'version', 'header', 'case'] as const
export type MatchRule = (typeof matchRules)[number]

export interface MatchedGene {
  gene: string
  rule: MatchRule
  /** The name is, or seems to be, of one of the gene's transcripts or proteins. */
  isProduct: boolean
}

/** `ambiguous`: several genes have the name, and none is guessed. */
export type GeneMatch = MatchedGene | 'ambiguous' | null

/** Ensembl and WormBase write `gene:X`, NCBI `gene-X`; the latter only of these words, for elsewhere `gene-1` is a name (see cleanId). */
const prefix = /^(?:(?:gene|transcript|mrna|cds|protein|polypeptide):|(?:gene|rna|cds|id)-)(?=.)/i
/** `.2` of accessions and of transcripts, `.v4.1` of Phytozome's genes, and its peptides' `.p`. */
const version = /(?:\.p|\.\d+|\.v\d+(?:\.\d+)*)$/i
/** NCBI's headers of cds_from_genomic.fna and translated_cds.faa: `lcl|NC_000962.3_cds_NP_214515.1_1`. */
const ncbiHeader = /^lcl\|.+_(?:cds|prot|mrna|ncrna|rrna|trna|trace|gene)_(.+)_\d+$/

/** A name without such a prefix; the name itself where it has none. `withoutPrefix('gene:AT1G01010')` is `AT1G01010`. */
export const withoutPrefix = (name: string): string => name.replace(prefix, '')

/** A name without its version; the name itself where it has none. `withoutVersion('NM_000014.6')` is `NM_000014`. */
export const withoutVersion = (name: string): string => name.replace(version, '')

/**
 * What a header of FASTA names as a sequence: NCBI's `lcl|…_cds_NP_1.1_1`, or the parts of `gi|1|ref|NP_1.1|` and of GENCODE's
 * `ENST…|ENSG…|…`. Empty where the name is no such header.
 */
export const namesInHeader = (name: string): string[] => {
  const own = ncbiHeader.exec(name)?.[1]
  if (own !== undefined) return [own]
  return name.includes('|') ? name.split('|').filter((part) => part.length > 3 && !/^\d+$/.test(part)) : []
}

const maxNamed = 5

export interface GeneMatchesOptions {
  /** For reports. */
  file: string
  match(name: string): GeneMatch
}

/**
 * The names of one file: finds the genes that they mean, counts each name once, and says what share was matched, by which rule, and what
 * was not. More than `maxLeftOut.unknown` of them unmatched refuse the file.
 */
export class GeneMatches {
  readonly #options: GeneMatchesOptions
  readonly #seen = new PackedNames()
  readonly #counts = Object.fromEntries(matchRules.map((rule) => [rule, 0])) as Record<MatchRule, number>
  #example: { name: string; gene: string } | null = null
  readonly #unmatched: string[] = []
  readonly #ambiguous: string[] = []
  #unmatchedCount = 0
  #ambiguousCount = 0
  #unmatchedLine: number | null = null
  #lastName: string | null = null
  #last: MatchedGene | null = null

  constructor(options: GeneMatchesOptions) {
    this.#options = options
  }

  get matched(): number {
    return matchRules.reduce((sum, rule) => sum + this.#counts[rule], 0)
  }

  get total(): number {
    return this.#seen.size
  }

  /** Whether a name means a gene; it is not counted as one of the file's. */
  knows(name: string): boolean {
    const found = this.#options.match(name)
    return found !== null && found !== 'ambiguous'
  }

  /** The gene that a name means, else the first of the other names that the file has for it; null when it is left out. */
  find(name: string, others: readonly string[] = [], line: number | null = null): string | null {
    return this.match(name, others, line)?.gene ?? null
  }

  /** As `find`, with how it was found. */
  match(name: string, others: readonly string[] = [], line: number | null = null): MatchedGene | null {
    if (name === this.#lastName) return this.#last
    const size = this.#seen.size
    this.#seen.add(name)
    let found = this.#options.match(name)
    for (let at = 0; (found === null || found === 'ambiguous') && at < others.length; at += 1) {
      const other = this.#options.match(others[at]!)
      if (other !== null && (found === null || other !== 'ambiguous')) found = other
    }
    if (this.#seen.size > size) this.#count(name, found, line)
    this.#lastName = name
    this.#last = found === 'ambiguous' ? null : found
    return this.#last
  }

  #count(name: string, found: GeneMatch, line: number | null): void {
    if (found === null) {
      this.#unmatchedCount += 1
      this.#unmatchedLine ??= line
      if (this.#unmatched.length < maxNamed) this.#unmatched.push(name)
    } else if (found === 'ambiguous') {
      this.#ambiguousCount += 1
      if (this.#ambiguous.length < maxNamed) this.#ambiguous.push(name)
    } else {
      this.#counts[found.rule] += 1
      if (found.rule !== 'name' && found.rule !== 'product' && this.#example === null)
        this.#example = { name, gene: found.gene }
    }
  }

  /**
   * Tells what was found; false when the file is refused. Names of transcripts and proteins are what many programs write, and told only
   * beside others. `each`: those that were not matched are told one by one by who reads the lines.
   */
  report(log: DefectLog, { each = false } = {}): boolean {
    const { file } = this.#options
    const { matched, total } = this
    if (this.#example !== null)
      log.report(geneMatchDefects, 'genes-matched', file, null, {
        ...this.#counts,
        total,
        matched,
        example: this.#example.name,
        gene: this.#example.gene,
      })
    if (this.#ambiguousCount > 0)
      log.report(geneMatchDefects, 'genes-ambiguous', file, null, {
        count: this.#ambiguousCount,
        names: this.#ambiguous.join(', '),
      })
    if (matched === 0 && total > 0 && !each) {
      const names = [...this.#unmatched, ...this.#ambiguous].slice(0, maxNamed).join(', ')
      log.report(geneMatchDefects, 'genes-none', file, null, { names })
      return false
    }
    if (this.#unmatchedCount === 0) return true
    if (!each)
      log.report(geneMatchDefects, 'genes-unmatched', file, null, {
        count: this.#unmatchedCount,
        total,
        names: this.#unmatched.join(', '),
        percent: Math.floor((100 * matched) / total),
      })
    return !refuseLeftOut(log, file, {
      why: 'unknown',
      count: this.#unmatchedCount + this.#ambiguousCount,
      total,
      line: this.#unmatchedLine,
      example: this.#unmatched[0] ?? '',
    })
  }
}
