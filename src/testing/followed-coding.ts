import type { Segment } from '../bio/alignment/lift.ts'
import type { OrientedPiece } from '../bio/sequence/coding-sequence.ts'
import { reverseComplement } from '../bio/sequence/sequence.ts'
import type { FollowedCoding } from '../bio/variation/followed-coding.ts'

const flank = 'CCCCCCCCCC'

/** On which strand the gene is, and whether the other genome has it on the other strand; so many bases before it, and behind it, are told too. */
export interface FollowedWay {
  strand?: '+' | '-'
  turned?: boolean
  geneticCode?: number
  phase?: number
  lead?: number
  trail?: number
}

/** A gene as one genome has it, opposite what the other has, between flanks of C; `-` where one of them has no base. */
export const makeFollowed = (own: string, other: string, options: FollowedWay = {}): FollowedCoding => {
  const { strand = '+', turned = false, geneticCode = 11, phase = 0, lead = 0, trail = 0 } = options
  const bare = (text: string): string => text.replaceAll('-', '')
  const ownForward = strand === '+' ? own : reverseComplement(own)
  const otherForward = strand === '+' ? other : reverseComplement(other)
  const otherBases = bare(otherForward)
  const otherLength = otherBases.length + 2 * flank.length
  const segments: Segment[] = []
  let [source0, other0] = [flank.length, flank.length]
  for (const [at, base] of [...ownForward].entries()) {
    const partner = otherForward[at]!
    if (base !== '-' && partner !== '-')
      segments.push({
        source0,
        other0: turned ? otherLength - other0 - 1 : other0,
        lengthBp: 1,
        equal: base === partner,
      })
    if (base !== '-') source0 += 1
    if (partner !== '-') other0 += 1
  }
  const otherGenome = `${flank}${otherBases}${flank}`
  const [start1, end1] = [flank.length + 1, flank.length + bare(own).length]
  const pieces: OrientedPiece[] = [
    strand === '+'
      ? { start1: start1 + lead, end1: end1 - trail, strand }
      : { start1: start1 + trail, end1: end1 - lead, strand },
  ]
  return {
    pieces,
    phase,
    geneticCode,
    own: `${flank}${bare(ownForward)}${flank}`,
    ownStart0: 0,
    segments,
    strand: turned ? '-' : '+',
    other: turned ? reverseComplement(otherGenome) : otherGenome,
    otherStart0: 0,
  }
}
