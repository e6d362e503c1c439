import type { Segment } from '../../bio/alignment/lift.ts'
import { oppositeStrand } from '../../bio/sequence/region.ts'
import type { TracedLocus } from '../../kit/data/alignment-data.ts'

/** A local alignment of BLAST+. Places from 0, ends excluded, of the genome on its forward strand. */
export interface BlastHit {
  query: number
  sequence: string
  queryStart0: number
  queryEnd0: number
  start0: number
  end0: number
  strand: '+' | '-'
  /** Share of 1. */
  identity: number
  bits: number
  btop: string
}

/** The ungapped parts of a hit: `btop` counts equal bases and names those that differ, in the direction of the query. */
export const readBtop = ({ queryStart0, start0, end0, strand, btop }: BlastHit): Segment[] => {
  const segments: Segment[] = []
  let [source0, walked] = [queryStart0, 0]
  const push = (lengthBp: number, equal: boolean): void => {
    const other0 = strand === '+' ? start0 + walked : end0 - walked - lengthBp
    segments.push({ source0, other0, lengthBp, equal })
    source0 += lengthBp
    walked += lengthBp
  }
  for (const [, count, pair] of btop.matchAll(/(\d+)|([A-Za-z*-]{2})/g)) {
    if (count !== undefined) push(Number(count), true)
    else if (pair![0] === '-') walked += 1
    else if (pair![1] === '-') source0 += 1
    else push(1, false)
  }
  return segments
}

interface Gene {
  start: number
  end: number
}

/** Other DNA among the bases of a gene beyond which two hits are not of one place. */
const maxGapBp = 3000

/**
 * Hits of a gene as places, the best first: those of a strand of a sequence that follow one another are one. Of two that overlap in the
 * gene the better one has what both have.
 *
 * Example: two hits of the gene's halves, 1.4 kb apart in the genome, are one place with an insertion.
 */
export const placesOf = (hits: readonly BlastHit[], gene: Gene): (TracedLocus & { bits: number })[] => {
  const lengthBp = gene.end - gene.start + 1
  const left = [...hits].sort((a, b) => b.bits - a.bits)
  const places: (TracedLocus & { bits: number })[] = []
  while (left.length > 0) {
    const first = left.shift()!
    const chain = [first]
    for (let at = 0; at < left.length; ) {
      const hit = left[at]!
      if (follows(chain, hit, lengthBp)) {
        chain.push(hit)
        left.splice(at, 1)
      } else at += 1
    }
    places.push(placeOf(chain, gene))
  }
  return places.sort((a, b) => b.bits - a.bits)
}

const follows = (chain: readonly BlastHit[], hit: BlastHit, lengthBp: number): boolean =>
  chain.every((one) => {
    if (one.sequence !== hit.sequence || one.strand !== hit.strand) return false
    const [before, after] = one.queryStart0 <= hit.queryStart0 ? [one, hit] : [hit, one]
    const overlap = before.queryEnd0 - after.queryStart0
    if (overlap > 0.3 * Math.min(after.queryEnd0 - after.queryStart0, before.queryEnd0 - before.queryStart0))
      return false
    const gap = hit.strand === '+' ? after.start0 - before.end0 : before.start0 - after.end0
    return gap >= -Math.max(0, overlap) - 30 && gap <= lengthBp + maxGapBp
  })

const placeOf = (chain: readonly BlastHit[], gene: Gene): TracedLocus & { bits: number } => {
  const segments: Segment[] = []
  let reached = 0
  for (const hit of [...chain].sort((a, b) => a.queryStart0 - b.queryStart0))
    for (const segment of readBtop(hit)) {
      const skip = Math.max(0, reached - segment.source0)
      if (skip >= segment.lengthBp) continue
      segments.push({
        source0: gene.start - 1 + segment.source0 + skip,
        other0: segment.other0 + (hit.strand === '+' ? skip : 0),
        lengthBp: segment.lengthBp - skip,
        equal: segment.equal,
      })
      reached = segment.source0 + segment.lengthBp
    }
  const alignedBp = segments.reduce((sum, one) => sum + one.lengthBp, 0)
  const equalBp = segments.reduce((sum, one) => sum + (one.equal === true ? one.lengthBp : 0), 0)
  const [first, last] = [segments[0]!, segments.at(-1)!]
  const start0 = Math.min(first.other0, last.other0)
  const end0 = Math.max(first.other0 + first.lengthBp, last.other0 + last.lengthBp)
  return {
    sequence: chain[0]!.sequence,
    start: start0 + 1,
    end: end0,
    strand: chain[0]!.strand,
    regionStart: first.source0 + 1,
    regionEnd: last.source0 + last.lengthBp,
    alignedBp,
    identity: alignedBp === 0 ? null : equalBp / alignedBp,
    missingBp: last.source0 + last.lengthBp - first.source0 - alignedBp,
    insertedBp: Math.max(0, end0 - start0 - alignedBp),
    mapq: 0,
    role: 'best',
    segments,
    bits: chain.reduce((sum, { bits }) => sum + bits, 0),
  }
}

/** Where a gene's protein is like what a genome would read. */
export interface ProteinPlace {
  sequence: string
  start: number
  end: number
  /** Of the gene there. */
  strand: '+' | '-'
  /** Residues that are aligned, and of these the share that is equal. */
  residues: number
  identity: number
  bits: number
  /** Number of the first residue in whose place a stop is. */
  stop1: number | null
}

/** The same of hits of a protein: introns part them, so they are joined over more. */
export const placesOfProtein = (hits: readonly BlastHit[], gene: Gene): ProteinPlace[] => {
  const lengthBp = gene.end - gene.start + 1
  const left = [...hits].sort((a, b) => b.bits - a.bits)
  const places: ProteinPlace[] = []
  while (left.length > 0) {
    const chain = [left.shift()!]
    for (let at = 0; at < left.length; ) {
      const hit = left[at]!
      if (follows(chain, hit, lengthBp)) {
        chain.push(hit)
        left.splice(at, 1)
      } else at += 1
    }
    let [residues, equal] = [0, 0]
    let stop1: number | null = null
    let reached = 0
    for (const hit of chain.sort((a, b) => a.queryStart0 - b.queryStart0)) {
      let at0 = hit.queryStart0
      for (const [, count, pair] of hit.btop.matchAll(/(\d+)|([A-Za-z*-]{2})/g)) {
        const length = count === undefined ? (pair![0] === '-' ? 0 : 1) : Number(count)
        const fresh = Math.max(0, at0 + length - Math.max(at0, reached))
        if (count !== undefined) {
          residues += fresh
          equal += fresh
        } else if (pair![0] !== '-' && pair![1] !== '-') {
          residues += fresh
          if (pair![1] === '*') stop1 ??= at0 + 1
        }
        at0 += length
        reached = Math.max(reached, at0)
      }
    }
    places.push({
      sequence: chain[0]!.sequence,
      start: Math.min(...chain.map(({ start0 }) => start0)) + 1,
      end: Math.max(...chain.map(({ end0 }) => end0)),
      strand: chain[0]!.strand,
      residues,
      identity: residues === 0 ? 0 : equal / residues,
      bits: chain.reduce((sum, { bits }) => sum + bits, 0),
      stop1,
    })
  }
  return places.sort((a, b) => b.bits - a.bits)
}

/** A place on the strand of the alignment, of one on the gene's own. */
export const alignedStrand = (strand: '+' | '-', gene: '+' | '-' | '.'): '+' | '-' =>
  gene === '-' ? oppositeStrand(strand) : strand
