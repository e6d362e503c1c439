// The Newick tree format, as programs write it: http://biowiki.org/wiki/index.php/Newick_Format and Olsen's grammar
// (https://phylipweb.github.io/phylip/newick_doc.html), with quoted names, comments, supports at nodes and in brackets.

import { listNodes, type PhyloTree, type TreeNode } from './phylogeny.ts'

type TreeProblem =
  | 'empty'
  | 'notTree'
  | 'unclosed'
  | 'closedTwice'
  | 'length'
  | 'quote'
  | 'comment'
  | 'unexpected'
  | 'unnamedLeaf'
  | 'xml'
  | 'noTree'

/** A tree's text that cannot be read, with the line and column (from 1) where that shows. */
export class TreeTextError extends Error {
  readonly problem: TreeProblem
  readonly line: number
  readonly column: number
  /** What stands there, at most 40 characters. */
  readonly found: string

  constructor(problem: TreeProblem, text: string, offset: number) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - (before.lastIndexOf('\n') + 1) + 1
    super(`${problem} at line ${line}, column ${column}`)
    this.name = 'TreeTextError'
    this.problem = problem
    this.line = line
    this.column = column
    this.found = text.slice(offset, offset + 40).split('\n')[0]!
  }
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Numbers divided by `/`, as IQ-TREE writes several supports of one branch; null when it is anything else. */
const readSupport = (label: string): number[] | null => {
  const parts = label.split('/')
  return parts.every((part) => numberPattern.test(part)) ? parts.map(Number) : null
}

/** Keys under which programs write support into comments: NHX's B (Zmasek & Eddy), BEAST, MrBayes, FigTree and R's treeio. */
const supportKeys = /(?:^|[:,&])(?:B|bootstrap|support|posterior|prob|UFboot|label)=("?)([+-]?[\d.eE+-]+)\1/i

const readComment = (comment: string): number[] | null =>
  readSupport(comment.trim()) ??
  (/^&/.test(comment) && supportKeys.test(comment) ? readSupport(supportKeys.exec(comment)![2]!) : null)

interface ParsedNewick extends PhyloTree {
  /** Where the text goes on after the tree. */
  end: number
}

/**
 * Reads the first tree of a text. Names in quotes may hold anything (`''` is a quote); an underscore stays an underscore, for so do
 * the programs that write it. An inner node's label that is a number, or numbers divided by `/`, is the support of its branch, as is a
 * number in brackets or the support in an NHX or `[&…]` comment; all other comments are left out, save `[&R]` and `[&U]` before the
 * tree, which say whether it is rooted. The final semicolon may lack. Throws TreeTextError.
 *
 * Example: `parseNewick("((a:1,'b c':2)95:.5,d);").root.children[0].support` is `[95]`.
 */
export function parseNewick(text: string, from = 0): ParsedNewick {
  let at = from
  let ids = 0
  let rooted: boolean | null = null
  const make = (): TreeNode => ({ id: ids++, name: '', length: null, support: [], children: [] })
  const root = make()
  const path: TreeNode[] = []
  let node = root
  let opened = false
  /** What may come next within a node: children or name, then length, then nothing more. */
  let state: 'start' | 'closed' | 'named' | 'length' = 'start'
  const fail = (problem: TreeProblem, where = at): never => {
    throw new TreeTextError(problem, text, where)
  }
  const finish = (): void => {
    if (node.children.length === 0 && node.name === '') fail('unnamedLeaf')
  }
  if (text.slice(from).trim() === '') fail('empty')
  loop: while (at < text.length) {
    const sign = text[at]!
    switch (sign) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
      case '\ufeff':
        at++
        break
      case '[': {
        let depth = 0
        const begin = at
        do {
          if (text[at] === '[') depth++
          else if (text[at] === ']') depth--
          at++
        } while (depth > 0 && at < text.length)
        if (depth > 0) fail('comment', begin)
        const comment = text.slice(begin + 1, at - 1)
        if (!opened && /^&[RU]$/i.test(comment.trim())) rooted = comment.trim().toUpperCase() === '&R'
        else if (node.children.length > 0 && node.support.length === 0) node.support = readComment(comment) ?? []
        break
      }
      case '(':
        if (state !== 'start') fail('unexpected')
        opened = true
        path.push(node)
        node.children.push(make())
        node = node.children[0]!
        break
      case ',': {
        const parent = path.at(-1)
        if (parent === undefined) return fail(opened ? 'closedTwice' : 'notTree')
        finish()
        node = make()
        parent.children.push(node)
        state = 'start'
        at++
        continue
      }
      case ')': {
        const parent = path.pop()
        if (parent === undefined) return fail('closedTwice')
        finish()
        node = parent
        state = 'closed'
        at++
        continue
      }
      case ';':
        break loop
      case ':': {
        if (state === 'length') fail('unexpected')
        const match = /^:\s*(?:\[[^\]]*\]\s*)*([^\s,();:[]*)/.exec(text.slice(at, at + 400))!
        if (!numberPattern.test(match[1]!)) fail('length')
        const comment = /\[([^\]]*)\]/.exec(match[0])?.[1]
        if (comment !== undefined && node.children.length > 0 && node.support.length === 0)
          node.support = readComment(comment) ?? []
        node.length = Number(match[1])
        state = 'length'
        at += match[0].length
        continue
      }
      default: {
        if (state !== 'start' && state !== 'closed') fail('unexpected')
        if (!opened && path.length === 0) fail('notTree')
        let label = ''
        let quoted = false
        if (sign === "'" || sign === '"') {
          quoted = true
          const begin = at++
          for (;;) {
            const end = text.indexOf(sign, at)
            if (end < 0) fail('quote', begin)
            label += text.slice(at, end)
            at = end + 1
            if (text[at] !== sign) break
            label += sign
            at++
          }
        } else {
          const begin = at
          while (at < text.length && !/[\s,();:[]/.test(text[at]!)) at++
          label = text.slice(begin, at)
        }
        const inner = state === 'closed'
        const support = inner && !quoted ? readSupport(label) : null
        if (support !== null) node.support = support
        else node.name = label
        state = 'named'
        continue
      }
    }
    if (sign === '(') at++
  }
  if (path.length > 0) fail('unclosed')
  if (!opened) fail('notTree')
  finish()
  return { root, rooted, end: at < text.length ? at + 1 : at }
}

/** A name as it must stand in a tree: in quotes where it holds a sign that means something there. */
const quoteName = (name: string): string =>
  /[\s()[\]{}:;,'"=]/.test(name) || name === '' ? `'${name.replaceAll("'", "''").replace(/\s+/g, ' ')}'` : name

/** A length as text without exponent or rounding beyond what doubles hold. */
const lengthText = (length: number): string => {
  const text = String(length)
  return text.includes('e') ? length.toFixed(20).replace(/0+$/, '').replace(/\.$/, '') : text
}

/**
 * Writes a tree on one line. Supports stand as labels of inner nodes, several divided by `/`; an inner node that has a name and a
 * support keeps the name, with the support in brackets. `nameOf` gives other names.
 *
 * Example: the tree of `((a:1,'b c':2)95:.5,d);` is written `((a:1,'b c':2)95:0.5,d);`.
 */
export function renderNewick(tree: PhyloTree, nameOf: (node: TreeNode) => string = (node) => node.name): string {
  const written = new Map<TreeNode, string>()
  const nodes = listNodes(tree.root)
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    const name = nameOf(node)
    const support = node.support.join('/')
    const label =
      node.children.length === 0
        ? quoteName(name)
        : name === ''
          ? support
          : `${numberPattern.test(name) ? `'${name}'` : quoteName(name)}${support === '' ? '' : `[${support}]`}`
    const inside = node.children.length === 0 ? '' : `(${node.children.map((child) => written.get(child)!).join(',')})`
    for (const child of node.children) written.delete(child)
    written.set(node, `${inside}${label}${node.length === null ? '' : `:${lengthText(node.length)}`}`)
  }
  return `${written.get(tree.root)!};`
}
