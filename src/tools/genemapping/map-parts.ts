import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AssemblyOverview, getAssemblyOverview } from '../../contracts/species.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { type PositionUnit, positionUnit, roundTicks } from '../../kit/ui/figures/axis-ticks.ts'
import type { FigureNumbers } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour, colourAlone, otherColour } from '../../kit/ui/figures/palette.ts'
import { call } from '../../kit/ui/request.ts'
import type { GeneMap, MappedFeature } from './tool.ts'

/** Windows of the assembly's longest sequences; undefined until they are known. */
export const useOverview = (assembly: string): AssemblyOverview | undefined =>
  useQuery({
    queryKey: ['overview', assembly],
    queryFn: (context) => call(getAssemblyOverview, { assembly }, context),
    staleTime: Number.POSITIVE_INFINITY,
  }).data

/** What a drawing of the map is given, on chromosomes as on a circle. */
export interface MapFigureProps {
  result: GeneMap
  windows: Windows | null
  colours: Map<string, string>
  labels: boolean
  legend: ReactNode
  /** The features that are drawn, as a table. */
  numbers: FigureNumbers<MappedFeature>
  receipt: Receipt
}

export interface Windows {
  windowBp: number
  /** Genes that begin in each window, by sequence. */
  of: Map<string, number[]>
  /** Of the fullest window. */
  max: number
}

/** Genes of both strands in windows. */
export const countWindows = (overview: AssemblyOverview | undefined, shown: readonly string[]): Windows | null => {
  if (overview === undefined) return null
  const names = new Set(shown)
  const of = new Map(
    overview.sequences
      .filter(({ name }) => names.has(name))
      .map(({ name, forward, reverse }) => [name, forward.map((count, at) => count + (reverse[at] ?? 0))]),
  )
  return { windowBp: overview.windowBp, of, max: Math.max(1, ...[...of.values()].flat()) }
}

/** Joins neighbouring windows until each is at least a point wide on a sequence of `px` points. */
export const joinWindows = (counts: readonly number[], px: number): { counts: number[]; joined: number } => {
  const joined = Math.max(1, Math.ceil(counts.length / Math.max(1, px / 2)))
  if (joined === 1) return { counts: [...counts], joined }
  const out: number[] = []
  for (let at = 0; at < counts.length; at += joined)
    out.push(counts.slice(at, at + joined).reduce((sum, count) => sum + count, 0))
  return { counts: out, joined }
}

/** Of what stands without a group where there are none: vermilion. */
const onlyColour = 5

/**
 * Groups of features in the order in which they come, then those of links, most pairs first, each with a colour of its own while there are
 * such; the others are grey, as what has no group beside groups.
 */
export const groupColours = (features: readonly MappedFeature[], links: GeneMap['links']): Map<string, string> => {
  const groups = new Set(features.map(({ group }) => group))
  const pairs = new Map<string, number>()
  for (const { group } of links) pairs.set(group, (pairs.get(group) ?? 0) + 1)
  const alone = groups.has('') && groups.size === 1
  const linked = [...pairs.keys()].filter((group) => !groups.has(group)).sort((a, b) => pairs.get(b)! - pairs.get(a)!)
  const named = [...[...groups].filter((group) => group !== ''), ...linked]
  const colours = new Map(named.map((group, at) => [group, colourAlone(alone && at >= onlyColour ? at + 1 : at)]))
  if (groups.has('')) colours.set('', alone ? categoryColour(onlyColour) : otherColour)
  return colours
}

export const middleOf = ({ start, end }: { start: number; end: number }): number => (start + end) / 2

/**
 * The scale of sequences that share a circle of `px` points: one step for all, since they are drawn at one scale, as the longest has room
 * for; so one number of digits tells apart the ticks of each.
 */
export const circleScale = (
  lengths: readonly number[],
  px: number,
): PositionUnit & { ticksOf: (lengthBp: number) => number[] } => {
  const longest = Math.max(1, ...lengths)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const ticks = roundTicks(0, longest, (longest / Math.max(1, total)) * px, 'x')
  const ticksOf = (lengthBp: number): number[] => ticks.filter((tick) => tick > 0 && tick < lengthBp)
  return { ...positionUnit(ticks), ticksOf }
}
