import type { DifferenceSide as Side, StructuralDifference } from '../../../contracts/structural-differences.ts'
import type { NamedFeature } from '../portal-data.ts'

type Feature = Pick<NamedFeature, 'label' | 'sequence' | 'start' | 'end'>

/** Share of both, of a difference and of a feature, in which they are the same place: of a published region ends differ by a repeat. */
const sameShare = 0.6
const mostNames = 3

const sharedShare = (side: Side, { sequence, start, end }: Feature): number => {
  if (sequence !== side.sequence) return 0
  const shared = Math.min(side.end, end) - Math.max(side.start, start) + 1
  return Math.max(0, shared) / Math.max(side.end - side.start + 1, end - start + 1)
}

/** Labels of the features that a difference is the same place as, on whichever of its sides has bases; the most alike first. */
export const nameRegions = (
  { a, b }: Pick<StructuralDifference, 'a' | 'b'>,
  features: readonly [first: readonly Feature[], second: readonly Feature[]],
): string[] => {
  const found = [a, b].flatMap((side, at) =>
    side.lengthBp === 0
      ? []
      : features[at]!.map((feature) => ({ label: feature.label, share: sharedShare(side, feature) })),
  )
  const alike = found.filter(({ share }) => share >= sameShare).sort((p, q) => q.share - p.share)
  return [...new Set(alike.map(({ label }) => label))].slice(0, mostNames)
}
