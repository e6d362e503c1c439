// Files of trees other than bare Newick: NEXUS (Maddison, Swofford & Maddison 1997, doi:10.1093/sysbio/46.4.590) and phyloXML
// (Han & Zmasek 2009, doi:10.1186/1471-2105-10-356).

import { parseNewick, renderNewick, TreeTextError } from './newick.ts'
import { listNodes, type PhyloTree, type TreeNode } from './phylogeny.ts'

type TreeFormat = 'newick' | 'nexus' | 'phyloxml'

export interface ParsedTreeFile extends PhyloTree {
  format: TreeFormat
  /** Trees in the file; the first was read. */
  treeCount: number
}

/**
 * Reads the first tree of a Newick, NEXUS or phyloXML text, told apart by its beginning. Throws TreeTextError.
 *
 * Example: `parseTreeFile('#NEXUS\nbegin trees;\ntranslate 1 a, 2 b;\ntree t = [&R] (1,2);\nend;').root.children[0].name` is `a`.
 */
export function parseTreeFile(text: string): ParsedTreeFile {
  if (/^\ufeff?\s*#nexus/i.test(text)) return parseNexus(text)
  if (/^\ufeff?\s*</.test(text)) return parsePhyloXml(text)
  const { root, rooted, end } = parseNewick(text)
  let treeCount = 1
  for (const line of text.slice(end).split('\n')) if (/^\s*[[(]/.test(line)) treeCount++
  return { root, rooted, format: 'newick', treeCount }
}

/** Text with its NEXUS comments blanked out, save `[&…]` commands; offsets stay. Quoted brackets are no comments. */
const blankComments = (text: string): string => {
  const pieces: string[] = []
  let from = 0
  // By hand: a pattern would look for the end of every one of a million open brackets anew.
  const mark = /['[]/g
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const end = text.indexOf(match[0] === '[' ? ']' : "'", match.index + 1)
    // An open bracket says that no later one is closed either; after a lone quote there are comments still.
    if (end < 0 && match[0] === '[') break
    if (end < 0) continue
    mark.lastIndex = end + 1
    const found = text.slice(match.index, end + 1)
    // A number in brackets is a support; `''` within quotes ends one text and begins the next.
    if (match[0] === "'" || found.startsWith('[&') || /^\[[\d.eE+/-]+\]$/.test(found)) continue
    pieces.push(text.slice(from, match.index), found.replace(/[^\n]/g, ' '))
    from = end + 1
  }
  return pieces.join('') + text.slice(from)
}

const nexusWord = /'((?:[^']|'')*)'|([^\s,;=()[\]']+)/y

function parseNexus(given: string): ParsedTreeFile {
  const text = blankComments(given)
  const names = new Map<string, string>()
  const block = /begin\s+trees\s*;/i.exec(text)
  if (block === null) throw new TreeTextError('noTree', given, 0)
  // Blanks are bounded in all three: of a run of a million no pattern may try every part.
  const end = /\bend(?:block)?\s{0,100};/gi
  end.lastIndex = block.index
  const blockEnd = end.exec(text)?.index ?? text.length
  let at = block.index + block[0].length
  const translate = /\btranslate\b/gi
  translate.lastIndex = at
  const table = translate.exec(text)
  const firstTree = /\bu?tree\s{1,100}(?:\*\s{0,100})?(?:'(?:[^']|'')*'|[^\s=]+)\s{0,100}=/gi
  firstTree.lastIndex = at
  let tree = firstTree.exec(text)
  if (table !== null && (tree === null || table.index < tree.index)) {
    at = table.index + table[0].length
    const word = (): string => {
      while (/[\s,]/.test(text[at] ?? '')) at++
      nexusWord.lastIndex = at
      const match = nexusWord.exec(text)
      if (match === null) throw new TreeTextError('unexpected', given, at)
      at = nexusWord.lastIndex
      return match[1]?.replaceAll("''", "'") ?? match[2]!
    }
    for (;;) {
      while (/[\s,]/.test(text[at] ?? '')) at++
      if (text[at] === ';' || at >= text.length) break
      const key = word()
      names.set(key, word())
    }
    firstTree.lastIndex = at
    tree = firstTree.exec(text)
  }
  if (tree === null || tree.index > blockEnd) throw new TreeTextError('noTree', given, block.index)
  const parsed = parseNewick(text, tree.index + tree[0].length)
  let treeCount = 1
  for (let next = firstTree.exec(text); next !== null && next.index < blockEnd; next = firstTree.exec(text)) treeCount++
  for (const node of listNodes(parsed.root)) node.name = names.get(node.name) ?? node.name
  return { root: parsed.root, rooted: parsed.rooted, format: 'nexus', treeCount }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeXml = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    if (!name.startsWith('#')) return entities[name] ?? whole
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

interface XmlElement {
  name: string
  text: string
  start: number
}

/** Only what phyloXML needs of XML: elements, attributes, text, CDATA and the five named entities; a DTD's own ones stay unread. */
function parsePhyloXml(text: string): ParsedTreeFile {
  const token =
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y
  let ids = 0
  let treeCount = 0
  let root: TreeNode | null = null
  let rooted: boolean | null = null
  const elements: XmlElement[] = []
  const clades: TreeNode[] = []
  const local = (name: string): string => name.replace(/^.*:/, '').toLowerCase()
  const close = ({ name, text: content }: XmlElement): void => {
    const node = clades.at(-1)
    const value = decodeXml(content).trim()
    const parent = elements.at(-1)?.name
    if (name === 'clade') {
      clades.pop()
      return
    }
    if (node === undefined || treeCount > 1) return
    if (name === 'name' && parent === 'clade') node.name = value
    else if (name === 'branch_length' && parent === 'clade') node.length = readNumber(value)
    else if (name === 'confidence' && parent === 'clade') {
      const support = readNumber(value)
      if (support !== null) node.support = [...node.support, support]
    } else if (node.name === '' && value !== '' && (name === 'scientific_name' || name === 'accession'))
      node.name = value
    else if (node.name === '' && name === 'name' && parent === 'sequence') node.name = value
  }
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const match = token.exec(text)
    if (match === null) throw new TreeTextError('xml', text, at)
    const [, cdata, closing, tag, attributeText = '', selfClosed, words] = match
    const top = elements.at(-1)
    if (top !== undefined && (words ?? cdata) !== undefined) top.text += words ?? cdata!.replaceAll('&', '&amp;')
    if (tag === undefined) continue
    const name = local(tag)
    if (closing === '/') {
      if (top === undefined || top.name !== name) throw new TreeTextError('xml', text, at)
      elements.pop()
      close(top)
      continue
    }
    const attributes: Record<string, string> = {}
    for (const [, key, , double, single] of attributeText.matchAll(/([\w:.-]+)\s*=\s*("([^"]*)"|'([^']*)')/g))
      attributes[local(key!)] = decodeXml(double ?? single ?? '')
    if (name === 'phylogeny') {
      treeCount++
      if (treeCount === 1 && attributes.rooted !== undefined) rooted = attributes.rooted === 'true'
    }
    if (name === 'clade') {
      const node: TreeNode = {
        id: treeCount === 1 ? ids++ : 0,
        name: '',
        length: readNumber(attributes.branch_length ?? ''),
        support: [],
        children: [],
      }
      const parent = clades.at(-1)
      if (parent !== undefined) parent.children.push(node)
      else if (treeCount === 1 && root === null) root = node
      clades.push(node)
    }
    const element = { name, text: '', start: at }
    if (selfClosed === '/') close(element)
    else elements.push(element)
  }
  if (elements.length > 0) throw new TreeTextError('xml', text, elements.at(-1)!.start)
  const top = root as TreeNode | null
  if (top === null) throw new TreeTextError('noTree', text, 0)
  for (const node of listNodes(top))
    if (node.children.length === 0 && node.name === '') throw new TreeTextError('unnamedLeaf', text, 0)
  return { root: top, rooted, format: 'phyloxml', treeCount }
}

const readNumber = (text: string): number | null => {
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

/** A NEXUS file of one tree with its taxa. Comments are lines for the head, without brackets of their own. */
export function renderNexus(tree: PhyloTree, comments: readonly string[] = []): string {
  const leaves = listNodes(tree.root).filter(({ children }) => children.length === 0)
  const taxon = (name: string): string => (/^[A-Za-z_][\w.]*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`)
  return [
    '#NEXUS',
    ...comments.map((line) => `[ ${line.replace(/[[\]]/g, ' ')} ]`),
    'BEGIN TAXA;',
    `  DIMENSIONS NTAX=${leaves.length};`,
    `  TAXLABELS ${leaves.map(({ name }) => taxon(name)).join(' ')};`,
    'END;',
    'BEGIN TREES;',
    `  TREE tree1 = [&${tree.rooted === true ? 'R' : 'U'}] ${renderNewick(tree)}`,
    'END;',
    '',
  ].join('\n')
}

const encodeXml = (text: string): string =>
  text.replace(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[sign]!)

/** A phyloXML file of one tree. `confidence` names the kind of support, such as `bootstrap`. */
export function renderPhyloXml(tree: PhyloTree, confidence: string, description = ''): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<phyloxml xmlns="http://www.phyloxml.org">',
    `<phylogeny rooted="${tree.rooted === true}">`,
    ...(description === '' ? [] : [`<description>${encodeXml(description)}</description>`]),
  ]
  // A closing tag waits on the stack behind the children.
  const stack: (TreeNode | null)[] = [tree.root]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node === null || node === undefined) {
      lines.push('</clade>')
      continue
    }
    lines.push('<clade>')
    if (node.name !== '') lines.push(`<name>${encodeXml(node.name)}</name>`)
    if (node.length !== null) lines.push(`<branch_length>${node.length}</branch_length>`)
    for (const value of node.support) lines.push(`<confidence type="${encodeXml(confidence)}">${value}</confidence>`)
    stack.push(null)
    for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!)
  }
  return `${[...lines, '</phylogeny>', '</phyloxml>'].join('\n')}\n`
}
