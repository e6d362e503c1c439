/**
 * Chains of alignments as UCSC's tools write and read them (liftOver, axtChain, chainNet): a heading line, then blocks without gaps and
 * the gaps behind them. Format: https://genome.ucsc.edu/goldenPath/help/chain.html; Kent et al. 2003, PNAS 100:11484.
 */

import { cigarOperation, PafError, type PafRecord } from './paf.ts'

/** A gap in both sequences of so many bases or more parts a chain into alignments: what lies there was not aligned base by base. */
const partingGapBp = 50

interface OpenChain {
  target: string
  targetLengthBp: number
  targetPosition0: number
  targetEnd0: number
  query: string
  queryLengthBp: number
  /** Of the strand that is aligned. */
  queryPosition0: number
  queryEnd0: number
  strand: '+' | '-'
  part: { targetStart0: number; queryStart0: number; operations: number[]; matches: number; blockBp: number } | null
  /** The last block, behind which no gap is told, was read. */
  ended: boolean
}

/**
 * Reads chains line by line into alignments of PAF, without mismatches told from matches: operations are M, I and D, places of the query
 * those of its forward strand. Mapping quality, which a chain does not have, is 255: PAF's word for "missing".
 *
 * Example: `chain 10 chr1 100 + 0 20 q 90 - 10 28 1`, `8 4 2`, `8` is one alignment of chr1:0-20 to q:62-80 on the reverse strand by
 * 8M4D2I8M.
 */
export class ChainReader {
  #chain: OpenChain | null = null
  readonly #records: PafRecord[] = []

  /** Takes a line without its end. Resolves to what it completed. Throws PafError for what is no chain; the message says why. */
  push(line: string): PafRecord[] {
    const cells = line.trim().split(/\s+/)
    if (line.startsWith('#') || cells[0] === '') return []
    if (cells[0] === 'chain') {
      this.#requireEnd()
      this.#chain = openChain(cells)
      return []
    }
    const chain = this.#chain
    if (chain === null) throw new PafError('it stands before the first line "chain"', 1)
    if (chain.ended) throw new PafError('it stands behind the last block of its chain', 1)
    if (cells.length !== 1 && cells.length !== 3)
      throw new PafError(`it has ${cells.length} numbers, and a block has one or three`, cells.length)
    const [size, targetGap, queryGap] = cells.map((cell, column) => readNumber(cell, column + 1))
    if (size === 0) throw new PafError('a block has no length', 1)
    chain.part ??= {
      targetStart0: chain.targetPosition0,
      queryStart0: chain.queryPosition0,
      operations: [],
      matches: 0,
      blockBp: 0,
    }
    chain.part.operations.push(size! * 16 + cigarOperation.either)
    chain.part.matches += size!
    chain.part.blockBp += size!
    chain.targetPosition0 += size!
    chain.queryPosition0 += size!
    if (targetGap === undefined || queryGap === undefined) {
      chain.ended = true
      this.#close(chain)
      this.#requireEnd()
    } else if (targetGap > 0 && queryGap > 0 && Math.max(targetGap, queryGap) >= partingGapBp) {
      this.#close(chain)
    } else {
      if (targetGap > 0) chain.part.operations.push(targetGap * 16 + cigarOperation.deletion)
      if (queryGap > 0) chain.part.operations.push(queryGap * 16 + cigarOperation.insertion)
      chain.part.blockBp += targetGap + queryGap
    }
    chain.targetPosition0 += targetGap ?? 0
    chain.queryPosition0 += queryGap ?? 0
    return this.#records.splice(0)
  }

  /** To be called after the last line. Throws PafError when the last chain is cut off. */
  end(): void {
    this.#requireEnd()
  }

  #requireEnd(): void {
    const chain = this.#chain
    if (chain === null) return
    if (!chain.ended) throw new PafError('the chain before has no last block: the file is cut off', 1)
    if (chain.targetPosition0 !== chain.targetEnd0 || chain.queryPosition0 !== chain.queryEnd0)
      throw new PafError('the blocks of the chain before do not end where its heading says', 1)
  }

  #close(chain: OpenChain): void {
    const { part } = chain
    if (part === null) return
    const reverse = chain.strand === '-'
    this.#records.push({
      query: chain.query,
      queryLengthBp: chain.queryLengthBp,
      queryStart0: reverse ? chain.queryLengthBp - chain.queryPosition0 : part.queryStart0,
      queryEnd0: reverse ? chain.queryLengthBp - part.queryStart0 : chain.queryPosition0,
      strand: chain.strand,
      target: chain.target,
      targetLengthBp: chain.targetLengthBp,
      targetStart0: part.targetStart0,
      targetEnd0: chain.targetPosition0,
      matches: part.matches,
      blockBp: part.blockBp,
      mapq: 255,
      kind: 'primary',
      score: part.matches,
      divergence: null,
      cigar: Uint32Array.from(part.operations),
    })
    chain.part = null
  }
}

const readNumber = (text: string, column: number): number => {
  if (!/^\d{1,9}$/.test(text)) throw new PafError(`"${text.slice(0, 40)}" is no whole number`, column)
  return Number(text)
}

const openChain = (cells: readonly string[]): OpenChain => {
  if (cells.length < 12) throw new PafError(`the heading has ${cells.length} columns, and a chain has twelve`, 1)
  const [, , target, targetSize, targetStrand, targetStart, targetEnd, query, querySize, strand, queryStart, queryEnd] =
    cells as [string, string, string, string, string, string, string, string, string, string, string, string]
  if (targetStrand !== '+') throw new PafError('the strand of the reference is not +', 5)
  if (strand !== '+' && strand !== '-') throw new PafError(`"${strand.slice(0, 40)}" (strand) is neither + nor -`, 10)
  const chain: OpenChain = {
    target,
    targetLengthBp: readNumber(targetSize, 4),
    targetPosition0: readNumber(targetStart, 6),
    targetEnd0: readNumber(targetEnd, 7),
    query,
    queryLengthBp: readNumber(querySize, 9),
    queryPosition0: readNumber(queryStart, 11),
    queryEnd0: readNumber(queryEnd, 12),
    strand,
    part: null,
    ended: false,
  }
  if (chain.targetEnd0 > chain.targetLengthBp) throw new PafError('the end is beyond the length', 7)
  if (chain.queryEnd0 > chain.queryLengthBp) throw new PafError('the end is beyond the length', 12)
  return chain
}
