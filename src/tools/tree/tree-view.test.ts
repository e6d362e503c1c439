import { expect, test } from 'vitest'
import { parseNewick, renderNewick } from '../../bio/phylogeny/newick.ts'
import { listLeaves, type PhyloTree } from '../../bio/phylogeny/phylogeny.ts'
import { parseColourTable } from './colour-table.ts'
import { createSvgInk } from './ink.ts'
import { paintRows, type TreePaint } from './paint.ts'
import { placeOnCircle, placeTree, placeUnrooted, scaleBarLength, type TreeViewState, walkTree } from './tree-view.ts'

const plain: TreeViewState = {
  root: 'given',
  order: 'given',
  swapped: new Set(),
  collapsed: new Set(),
  only: null,
  lengths: true,
}
const tree: PhyloTree = parseNewick('((a:1,b:2)95:3,(c:1,d:1)60:1,e:0.5);')
const id = (name: string): number => listLeaves(tree.root).find((leaf) => leaf.name === name)!.id
const parentOf = (name: string): number =>
  placeTree(tree, plain).nodes.find((one) => one.node.name === name)!.parent!.id

test('leaves stand in rows, inner nodes between their children, depths add up', () => {
  const placed = placeTree(tree, plain)
  expect(placed.rows.map(({ node, row, depth }) => [node.name, row, depth])).toEqual([
    ['a', 0, 4],
    ['b', 1, 5],
    ['c', 2, 2],
    ['d', 3, 2],
    ['e', 4, 0.5],
  ])
  expect(placed.root.row).toBe((0.5 + 4) / 2)
  expect(placed.deepest).toBe(5)
})

test('without lengths all leaves end in one line', () => {
  const placed = placeTree(tree, { ...plain, lengths: false })
  expect(new Set(placed.rows.map(({ depth }) => depth)).size).toBe(1)
  expect(placed.hasLengths).toBe(false)
})

test('swapping, collapsing and showing a clade alone leave the tree given as it was', () => {
  const before = renderNewick(tree)
  const clade = parentOf('a')
  const swapped = placeTree(tree, { ...plain, swapped: new Set([clade]) })
  expect(renderNewick(swapped.tree)).toBe('((b:2,a:1)95:3,(c:1,d:1)60:1,e:0.5);')
  const collapsed = placeTree(tree, { ...plain, collapsed: new Set([clade]) })
  expect(collapsed.rows.map(({ leaves }) => leaves)).toEqual([2, 1, 1, 1])
  // Files hold the clade whole.
  expect(renderNewick(collapsed.tree)).toBe(before)
  expect(renderNewick(placeTree(tree, { ...plain, only: clade }).tree)).toBe('(a:1,b:2);')
  expect(renderNewick(tree)).toBe(before)
})

test('the root goes to a chosen branch, and back', () => {
  const rooted = placeTree(tree, { ...plain, root: id('e') })
  expect(rooted.root.children.map(({ leaves }) => leaves).sort()).toEqual([1, 4])
  expect(placeTree(tree, { ...plain, root: 'midpoint' }).root.children).toHaveLength(2)
})

test('circular and unrooted places lie on a disc', () => {
  const placed = placeTree(tree, plain)
  for (const places of [placeOnCircle(placed), placeUnrooted(placed)])
    for (const { x, y } of places.values()) expect(Math.hypot(x, y)).toBeLessThanOrEqual(Math.SQRT2 + 1e-9)
  const unrooted = placeUnrooted(placed)
  const lengths = placed.nodes.slice(1).map((one) => {
    const a = unrooted.get(one)!
    const b = unrooted.get(one.parent!)!
    return Math.hypot(a.x - b.x, a.y - b.y) / one.node.length!
  })
  // One scale for all branches.
  for (const length of lengths) expect(length).toBeCloseTo(lengths[0]!, 9)
})

test('arrow keys walk to parent, child and neighbours, and stop at the ends', () => {
  const placed = placeTree(tree, plain)
  expect(walkTree(placed, null, 'ArrowRight')).toBe(0)
  expect(walkTree(placed, id('a'), 'ArrowLeft')).toBe(parentOf('a'))
  expect(walkTree(placed, id('a'), 'ArrowDown')).toBe(id('b'))
  expect(walkTree(placed, id('b'), 'ArrowDown')).toBe(id('c'))
  expect(walkTree(placed, id('e'), 'ArrowDown')).toBe(id('e'))
  expect(walkTree(placed, parentOf('a'), 'ArrowDown')).toBe(parentOf('c'))
})

test('scale bars are 1, 2 or 5 times a power of ten', () => {
  expect([0.9, 1.3, 4, 47].map(scaleBarLength).map((value) => Number(value.toPrecision(2)))).toEqual([0.2, 0.2, 1, 10])
  expect(scaleBarLength(0)).toBe(0)
})

test('a table of colours groups leaves by name, gene or symbol', () => {
  const leaf = { assembly: 'x', species: null, description: null }
  const leaves = [
    { name: 'g1|x', gene: 'g1', symbol: 'abcA', ...leaf },
    { name: 'g2|x', gene: 'g2', symbol: null, ...leaf },
  ]
  const { groups, colours } = parseColourTable('ABCA\tpump\t#123456\ng2\tother\nnone\tpump', leaves)
  expect([...groups]).toEqual([
    ['g1|x', 'pump'],
    ['g2|x', 'other'],
  ])
  expect(colours.get('pump')).toBe('#123456')
  expect(colours.get('other')).toMatch(/^#[0-9a-f]{6}$/)
})

test('cells of a table of colours may be quoted, and what is no such table is told', () => {
  const leaf = { assembly: 'x', species: null, description: null, symbol: null }
  const leaves = ['wolf', 'fox', 'bear'].map((name) => ({ name, gene: null, ...leaf }))
  const read = (text: string) => parseColourTable(text, leaves)
  const quoted = read('wolf,"Dogs, ""true"""\nfox,"Dogs, south",#009e73\nbear;"Bears; all"')
  expect([...quoted.groups.values()]).toEqual(['Dogs, "true"', 'Dogs, south', 'Bears; all'])
  expect(quoted.colours.get('Dogs, south')).toBe('#009e73')
  expect(quoted.problem).toBeUndefined()
  expect(read('name,group,colour\nwolf,Dogs').problem).toBeUndefined()
  const wide = read('wolf,Dogs, north, old\nbear,Bears')
  expect(wide.problem).toEqual({ kind: 'cells', line: 1, found: 4 })
  expect([...wide.groups]).toEqual([['bear', 'Bears']])
  expect(read('wolf\tDogs\t\nfox,Dogs, south').problem).toEqual({ kind: 'hex', line: 2, value: 'south' })
})

test('a drawing of two thousand leaves has every name once in its SVG', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `leaf<${at}>`)
  const big: PhyloTree = parseNewick(`(${names.map((name) => `${name}:1`).join(',')});`)
  const placed = placeTree(big, plain)
  const ink = createSvgInk(800, 40_000)
  const paint: TreePaint = {
    tree: placed,
    colours: {
      ink: '#000000',
      muted: '#555555',
      line: '#cccccc',
      veil: '#ffffffb8',
      chosen: '#ff0000',
      found: '#00ff00',
    },
    labelOf: ({ node }) => node.name,
    slantedOf: () => 0,
    leafColour: () => null,
    branchColour: () => null,
    support: 'values',
    supportFull: 100,
    threshold: 0,
    chosen: null,
    found: new Set(),
  }
  paintRows(ink, paint, {
    left: 10,
    top: 20,
    rowPx: 16,
    treePx: 400,
    labelPx: 200,
    aligned: false,
    from: 0,
    to: 40_000,
  })
  const svg = ink.finish('t', 'd')
  expect(svg.match(/leaf&lt;\d+&gt;/g)).toHaveLength(2000)
})
