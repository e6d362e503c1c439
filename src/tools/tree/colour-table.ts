// A reader's own table of colours: name, group, and a colour if it is to be a certain one.

import { colourAlone, distinctColours } from '../../kit/ui/palette.ts'
import type { Leaf } from './tool.ts'

export interface ColourGroups {
  /** Group of each leaf by its name. */
  groups: Map<string, string>
  colours: Map<string, string>
  /** Groups beyond the palette, all of one grey. */
  grey: Set<string>
}

/**
 * Groups of leaves from lines of name, tab, group and colour; names are those of leaves or of genes. Groups without a colour take those
 * of the palette in turn while it lasts, then grey.
 */
export const parseColourTable = (text: string, leaves: readonly Leaf[]): ColourGroups => {
  const names = new Map<string, string[]>()
  for (const { name, gene, symbol } of leaves)
    for (const key of new Set([name, gene, symbol]))
      if (key !== null) names.set(key.toLowerCase(), [...(names.get(key.toLowerCase()) ?? []), name])
  const groups = new Map<string, string>()
  const colours = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [name = '', group = '', colour = ''] = line
      .split(line.includes('\t') ? '\t' : /\s*[,;]\s*/)
      .map((cell) => cell.trim())
    if (group === '') continue
    const matched = names.get(name.toLowerCase()) ?? []
    for (const leaf of matched) groups.set(leaf, group)
    if (matched.length === 0) continue
    if (/^#[0-9a-f]{6}$/i.test(colour)) colours.set(group, colour)
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
  return { groups, colours, grey }
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
