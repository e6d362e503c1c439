// A reader's own table of colours: name, group, and a colour if it is to be a certain one.

import { splitListLine } from '../../bio/text/table-cells.ts'
import { colourAlone, distinctColours } from '../../kit/ui/figures/palette.ts'
import type { Leaf } from './tool.ts'

export interface ColourGroups {
  /** Group of each leaf by its name. */
  groups: Map<string, string>
  colours: Map<string, string>
  /** Groups beyond the palette, all of one grey. */
  grey: Set<string>
  /** The first line that cannot be read, from 1; it colours nothing. */
  problem?: { kind: 'cells'; line: number; found: number } | { kind: 'hex'; line: number; value: string }
}

/**
 * Groups of leaves from lines of name, group and colour, parted by tab, comma or semicolon; names are those of leaves or of genes. Groups
 * without a colour take those of the palette in turn while it lasts, then grey.
 */
export const parseColourTable = (text: string, leaves: readonly Leaf[]): ColourGroups => {
  const names = new Map<string, string[]>()
  for (const { name, gene, symbol } of leaves)
    for (const key of new Set([name, gene, symbol]))
      if (key !== null) names.set(key.toLowerCase(), [...(names.get(key.toLowerCase()) ?? []), name])
  const groups = new Map<string, string>()
  const colours = new Map<string, string>()
  let problem: ColourGroups['problem']
  for (const [at, raw] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = at + 1
    const cells = splitListLine(raw)
    if (cells.length > 3) {
      problem ??= { kind: 'cells', line, found: cells.length }
      continue
    }
    const [name = '', group = '', colour = ''] = cells
    if (group === '') continue
    const matched = names.get(name.toLowerCase()) ?? []
    if (matched.length > 0 && colour !== '' && !/^#[0-9a-f]{6}$/i.test(colour)) {
      problem ??= { kind: 'hex', line, value: colour.slice(0, 60) }
      continue
    }
    for (const leaf of matched) groups.set(leaf, group)
    if (matched.length === 0) continue
    if (colour !== '') colours.set(group, colour)
  }
  // A colour that the table gives is not given to another group as well.
  const given = new Set([...colours.values()].map((colour) => colour.toLowerCase()))
  const grey = new Set<string>()
  let next = 0
  for (const group of new Set(groups.values())) {
    if (colours.has(group)) continue
    while (next < distinctColours && given.has(colourAlone(next))) next += 1
    colours.set(group, colourAlone(next))
    if (next >= distinctColours) grey.add(group)
    next += 1
  }
  return { groups, colours, grey, ...(problem === undefined ? {} : { problem }) }
}

/** Groups by what is known of the leaves; those beyond the palette are grey. */
export const groupLeaves = (leaves: readonly Leaf[], by: 'assembly' | 'species'): ColourGroups => {
  const groups = new Map<string, string>()
  for (const leaf of leaves) if (leaf[by] !== null) groups.set(leaf.name, leaf[by])
  const names = [...new Set(groups.values())]
  return {
    groups,
    colours: new Map(names.map((group, at) => [group, colourAlone(at)])),
    grey: new Set(names.slice(distinctColours)),
  }
}
