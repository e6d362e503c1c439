import type { AlignmentRow } from './multiple-alignment.ts'

/** Blocks that follow each other this closely in both genomes are one. */
const joinedBp = 1000
/** Shorter ones say little about synteny and are most of the number. */
const shortestBp = 1000

interface Chain {
  sequence: string
  lengthBp: number
  strand: '+' | '-'
  queryStart0: number
  queryEnd0: number
  chromosome: string
  start0: number
  end0: number
  matches: number
  columns: number
}

/** Collects pairwise blocks of one genome against the reference, as PAF lines. */
export class PafCollector {
  readonly #chromosomes: ReadonlyMap<string, number>
  readonly #lines: string[] = []
  #chain: Chain | null = null

  constructor(chromosomes: ReadonlyMap<string, number>) {
    this.#chromosomes = chromosomes
  }

  add(reference: AlignmentRow, row: AlignmentRow): void {
    let matches = 0
    let columns = 0
    for (let i = 0; i < row.text.length; i++) {
      const a = reference.text[i]!
      const b = row.text[i]!
      // Columns in which both have gaps belong to other genomes.
      if (a === 45 && b === 45) continue
      columns++
      if ((a & 0xdf) === (b & 0xdf)) matches++
    }
    const queryStart0 = row.strand === '+' ? row.start0 : row.lengthBp - row.start0 - row.sizeBp
    const next: Chain = {
      sequence: row.sequence,
      lengthBp: row.lengthBp,
      strand: row.strand,
      queryStart0,
      queryEnd0: queryStart0 + row.sizeBp,
      chromosome: reference.sequence,
      start0: reference.start0,
      end0: reference.start0 + reference.sizeBp,
      matches,
      columns,
    }
    if (this.#chain && follows(this.#chain, next)) join(this.#chain, next)
    else {
      this.#close()
      this.#chain = next
    }
  }

  #close(): void {
    const chain = this.#chain
    this.#chain = null
    if (!chain || chain.end0 - chain.start0 < shortestBp) return
    const { sequence, lengthBp, queryStart0, queryEnd0, strand, chromosome, start0, end0, matches, columns } = chain
    const chromosomeBp = this.#chromosomes.get(chromosome)!
    // 255: no mapping quality (PAF, column 12).
    this.#lines.push(
      [
        sequence,
        lengthBp,
        queryStart0,
        queryEnd0,
        strand,
        chromosome,
        chromosomeBp,
        start0,
        end0,
        matches,
        columns,
        255,
      ].join('\t'),
    )
  }

  finish(): string[] {
    this.#close()
    return this.#lines
  }
}

function follows(chain: Chain, next: Chain): boolean {
  if (next.sequence !== chain.sequence || next.strand !== chain.strand || next.chromosome !== chain.chromosome)
    return false
  const step = next.start0 - chain.end0
  const queryStep = chain.strand === '+' ? next.queryStart0 - chain.queryEnd0 : chain.queryStart0 - next.queryEnd0
  return step >= 0 && step <= joinedBp && queryStep >= 0 && queryStep <= joinedBp
}

function join(chain: Chain, next: Chain): void {
  chain.end0 = next.end0
  chain.queryStart0 = Math.min(chain.queryStart0, next.queryStart0)
  chain.queryEnd0 = Math.max(chain.queryEnd0, next.queryEnd0)
  chain.matches += next.matches
  chain.columns += next.columns
}
