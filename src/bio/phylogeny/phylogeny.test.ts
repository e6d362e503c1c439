import { expect, test } from 'vitest'
import { parseNewick, renderNewick } from './newick.ts'
import { compareTrees, ladderize, listLeaves, listNodes, listSplits, rootAbove, rootAtMidpoint } from './phylogeny.ts'

const idOf = (tree: ReturnType<typeof parseNewick>, names: string): number =>
  listNodes(tree.root).find(
    (node) =>
      listLeaves(node)
        .map(({ name }) => name)
        .sort()
        .join('') === names,
  )!.id

test('rooting above a leaf turns the branches between it and the old root round, and the old root disappears', () => {
  const tree = parseNewick('((a:1,b:2)90:3,c:4);')
  expect(renderNewick(rootAbove(tree, idOf(tree, 'b')))).toBe('(b:1,(a:1,c:7):1);')
})

test('support stays on its branch when the tree is rooted elsewhere, as Czech et al. 2017 ask of viewers', () => {
  const tree = parseNewick('((((a:1,b:1)90:1,c:1)80:1,d:1)70:1,e:1,f:1);')
  const before = listSplits(tree)
  for (const { id } of listNodes(tree.root).slice(1)) {
    const rooted = rootAbove(tree, id, 0.25)
    expect(listSplits(rooted).size).toBe(before.size)
    for (const [key, split] of listSplits(rooted)) {
      expect(split.support, split.names.join()).toEqual(before.get(key)!.support)
      expect(split.length).toBeCloseTo(before.get(key)!.length!, 12)
    }
  }
  // And back again.
  const again = rootAbove(rootAbove(tree, idOf(tree, 'ab')), idOf(tree, 'c'))
  expect(compareTrees(tree, again)).toEqual({ distance: 0, splits: 6, supportDifference: 0, lengthDifference: 0 })
})

test('distances between leaves are the same wherever the root is', () => {
  const tree = parseNewick('((a:1,b:2):3,(c:4,d:5):6,e:7);')
  const total = (one: typeof tree): number => listNodes(one.root).reduce((sum, node) => sum + (node.length ?? 0), 0)
  for (const { id } of listNodes(tree.root)) expect(total(rootAbove(tree, id) as typeof tree)).toBeCloseTo(28, 12)
})

test('the midpoint lies midway between the farthest leaves', () => {
  expect(renderNewick(rootAtMidpoint(parseNewick('(a:1,b:2,c:6);')))).toBe('(c:4,(a:1,b:2):2);')
  const deep = rootAtMidpoint(parseNewick('((a:1,(b:1,z:9)77:1)50:1,(c:2,d:2)60:1,e:1);'))
  const reach = (node: (typeof deep.root.children)[number]): number =>
    (node.length ?? 0) + Math.max(0, ...node.children.map(reach))
  const [one, other] = deep.root.children.map(reach)
  expect(one).toBeCloseTo(other!, 12)
  expect(deep.root.children).toHaveLength(2)
})

test('a tree without lengths, or of identical sequences, has no midpoint and stays as it is', () => {
  for (const text of ['((a,b),c,d);', '((a:0,b:0):0,c:0,d:0);'])
    expect(renderNewick(rootAtMidpoint(parseNewick(text)))).toBe(text)
})

test('ladders put the smaller branches first or last and keep equal ones in order', () => {
  const tree = parseNewick('((a,b,c),d,(e,f));')
  expect(renderNewick(ladderize(tree, 'up'))).toBe('(d,(e,f),(a,b,c));')
  expect(renderNewick(ladderize(tree, 'down'))).toBe('((a,b,c),(e,f),d);')
})

test('the two branches at a root are one division of the leaves', () => {
  const splits = [...listSplits(parseNewick('((a:1,b:1)90:2,(c:1,d:1):3);')).values()]
  expect(splits).toEqual([{ support: [90], length: 5, names: ['c', 'd'] }])
})

test('trees are compared over more leaves than one word has bits', () => {
  const names = Array.from({ length: 100 }, (_, at) => `t${at}`)
  const ladder = (order: string[]): string =>
    `${order.slice(1).reduce((text, name) => `(${text},${name})`, order[0]!)};`
  const swapped = [...names]
  ;[swapped[40], swapped[41]] = [swapped[41]!, swapped[40]!]
  const a = parseNewick(ladder(names))
  expect(compareTrees(a, parseNewick(ladder(names))).distance).toBe(0)
  expect(compareTrees(a, parseNewick(ladder(swapped))).distance).toBe(2)
  expect(() => compareTrees(a, parseNewick('(a,b,c);'))).toThrow(RangeError)
})

test('a ladder of twenty thousand leaves is read, rooted, ordered and written without running out of stack', () => {
  let text = 't0:1'
  for (let at = 1; at < 20_000; at++) text = `(${text},t${at}:1):1`
  const tree = parseNewick(`${text};`)
  const rooted = ladderize(rootAtMidpoint(tree), 'down')
  expect(listLeaves(parseNewick(renderNewick(rooted)).root)).toHaveLength(20_000)
})
