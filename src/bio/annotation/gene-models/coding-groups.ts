import { stopPart } from '../feature-types.ts'
import { proteinIdOf } from './gene-model-naming.ts'
import type { PartStore } from './gene-model-store.ts'

// Coding parts under different IDs are one CDS when every part has an ID of its own (numbered parts), and several when they
// overlap or name different proteins.
export function groupCds(parts: PartStore, cds: number[]): number[][] {
  const byId = new Map<string, number[]>()
  const stops: number[] = []
  for (const part of cds) {
    if (parts.kind[part] === stopPart) {
      stops.push(part)
      continue
    }
    const id = parts.cdsId[part] ?? ''
    const group = byId.get(id)
    if (group) group.push(part)
    else byId.set(id, [part])
  }
  const groups = [...byId.values()]
  if (groups.length === 0) return [stops]
  if (groups.length === 1) {
    groups[0]!.push(...stops)
    return groups
  }
  const proteins = new Set(groups.map((group) => proteinIdOf(parts.text[group[0]!]!)))
  const separate = (proteins.size === groups.length && !proteins.has(null)) || overlapAcross(parts, groups)
  if (!separate) return [cds]
  for (const stop of stops) {
    const strandSign = parts.strand[stop]!
    const near = groups.find((group) =>
      group.some((part) =>
        strandSign < 0 ? parts.start1[part]! === parts.end1[stop]! + 1 : parts.end1[part]! + 1 === parts.start1[stop]!,
      ),
    )
    near?.push(stop)
  }
  return groups
}

function overlapAcross(parts: PartStore, groups: number[][]): boolean {
  const all = groups.flatMap((group, index) => group.map((part) => ({ part, index })))
  all.sort((a, b) => parts.start1[a.part]! - parts.start1[b.part]!)
  let end1 = -1
  let owner = -1
  for (const { part, index } of all) {
    // Equal coordinates are a repeated line, which is dealt with later.
    if (parts.start1[part]! <= end1 && owner !== index) return true
    if (parts.end1[part]! > end1) {
      end1 = parts.end1[part]!
      owner = index
    }
  }
  return false
}
