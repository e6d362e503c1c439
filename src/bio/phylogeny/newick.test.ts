import { describe, expect, test } from 'vitest'
import { parseNewick, renderNewick, TreeTextError } from './newick.ts'
import { listLeaves, listNodes } from './phylogeny.ts'
import { parseTreeFile, renderNexus, renderPhyloXml } from './tree-files.ts'

const failure = (text: string): TreeTextError => {
  try {
    parseTreeFile(text)
  } catch (error) {
    if (error instanceof TreeTextError) return error
    throw error
  }
  throw new Error('should have been refused')
}
const names = (text: string): string[] => listLeaves(parseTreeFile(text).root).map(({ name }) => name)
const supports = (text: string): (readonly number[])[] =>
  listNodes(parseTreeFile(text).root)
    .filter((node) => node.children.length > 0)
    .map(({ support }) => support)

describe('Newick', () => {
  test.each([
    '((a:1,b:2)95:0.5,c:1e-7,d);',
    "('a b':1,'it''s':2,'x:y(z)':3);",
    '((a,b)98.7/100:0.1,c,d);',
    '(a:-0.001,b:0,c:12.5);',
  ])('%s is written as it was read', (text) => {
    expect(renderNewick(parseNewick(text))).toBe(text.replace('1e-7', '0.0000001'))
  })

  test('gives supports from labels, brackets, NHX and BEAST comments', () => {
    expect(supports('((a,b)95,c,d);')).toEqual([[], [95]])
    expect(supports('((a,b):0.1[95],c,d);')).toEqual([[], [95]])
    expect(supports('((a,b)[95]:0.1,c,d);')).toEqual([[], [95]])
    expect(supports('((a:1,b:2):3[&&NHX:S=human:B=87],c,d);')).toEqual([[], [87]])
    expect(supports('((a,b)[&posterior=0.98,height=1.2]:3,c,d);')).toEqual([[], [0.98]])
  })

  test('keeps a clade name beside its support', () => {
    expect(renderNewick(parseNewick('((a,b)Fungi[99]:1,c,d);'))).toBe('((a,b)Fungi[99]:1,c,d);')
    expect(renderNewick(parseNewick("((a,b)'12':1,c,d);"))).toBe("((a,b)'12':1,c,d);")
  })

  test('reads blanks, line ends, comments and a lacking semicolon', () => {
    expect(names(' ( a [a comment [nested]] ,\r\n b:1 , (c,d)x )')).toEqual(['a', 'b', 'c', 'd'])
    expect(parseTreeFile('[&R] ((a,b),c);').rooted).toBe(true)
    expect(parseTreeFile('[&U]((a,b),c,d);\n(a,b,c);\n').treeCount).toBe(2)
  })

  test.each([
    ['', 'empty', 1, 1],
    ['>seq1\nACGT', 'notTree', 1, 1],
    ['((a,b),c;', 'unclosed', 1, 9],
    ['((a,b)),c);', 'closedTwice', 1, 8],
    ['(a:x,b);', 'length', 1, 3],
    ["(a,\n'b,c);", 'quote', 2, 1],
    ['(a,[b,c);', 'comment', 1, 4],
    ['(a b,c);', 'unexpected', 1, 4],
    ['(a,,b);', 'unnamedLeaf', 1, 4],
    ['(a:1:2,b);', 'unexpected', 1, 5],
  ] as const)('of %j says what is wrong and where', (text, problem, line, column) => {
    const error = failure(text)
    expect([error.problem, error.line, error.column]).toEqual([problem, line, column])
  })
})

describe('NEXUS', () => {
  test('reads translated and quoted names, in any case, and counts trees', () => {
    const text = `#nexus
[written by hand]
Begin Taxa; dimensions ntax=3; end;
BEGIN TREES;
  Translate
    1 'Homo sapiens',
    2 Pan_troglodytes,
    3 'it''s';
  tree * 'best tree' = [&R] [&lnP=-1] ((1:0.1,2:0.2)0.9:1,3:2);
  tree other = ((1,3),2);
END;`
    const tree = parseTreeFile(text)
    expect(tree).toMatchObject({ format: 'nexus', rooted: true, treeCount: 2 })
    expect(names(text)).toEqual(['Homo sapiens', 'Pan_troglodytes', "it's"])
    expect(supports(text)).toEqual([[], [0.9]])
  })

  test('a million open brackets, blanks or digits are told at once, not tried one against the other', () => {
    // Tried one against the other they would take hours.
    const many = (text: string): string => text.repeat(1_000_000)
    expect(failure(`#NEXUS\nbegin trees;\n${many('[x')}`).problem).toBe('noTree')
    expect(failure(`#NEXUS\nbegin trees;\ntree ${many(' ')}x`).problem).toBe('noTree')
    expect(listNodes(parseTreeFile(`((a,b)${many('1')}x,c);`).root)[1]!.support).toEqual([])
  })

  test('comments go, with quotes in them and after a lone quote; quoted brackets and supports stay', () => {
    const text = "#NEXUS\nbegin trees;\n[John's tree] tree t = [&U] ((a,'b[1]')[95],[note]c,d);\nend;"
    expect(names(text)).toEqual(['a', 'b[1]', 'c', 'd'])
    expect(supports(text)).toEqual([[], [95]])
  })

  test('without a trees block says so', () => {
    expect(failure('#NEXUS\nbegin data;\nend;').problem).toBe('noTree')
    expect(failure('#NEXUS\nbegin trees;\nend;').problem).toBe('noTree')
  })
})

describe('phyloXML', () => {
  const text = `<?xml version="1.0"?>
<!DOCTYPE phyloxml>
<phy:phyloxml xmlns:phy="http://www.phyloxml.org">
<phy:phylogeny rooted="true"><phy:name>the tree</phy:name>
<phy:clade><phy:clade branch_length="0.5"><phy:confidence type="bootstrap">88</phy:confidence>
  <phy:clade><phy:name>a &amp; b&#x21;</phy:name><phy:branch_length>1.5</phy:branch_length></phy:clade>
  <phy:clade><phy:taxonomy><phy:scientific_name>Homo sapiens</phy:scientific_name></phy:taxonomy></phy:clade></phy:clade>
  <phy:clade><phy:name><![CDATA[c<d]]></phy:name></phy:clade></phy:clade>
</phy:phylogeny></phy:phyloxml>`

  test('reads names, lengths, supports and entities', () => {
    const tree = parseTreeFile(text)
    expect(tree).toMatchObject({ format: 'phyloxml', rooted: true, treeCount: 1 })
    expect(names(text)).toEqual(['a & b!', 'Homo sapiens', 'c<d'])
    expect(tree.root.children[0]).toMatchObject({ length: 0.5, support: [88] })
  })

  test('tells tags that do not fit, and a file without a tree', () => {
    expect(failure('<phyloxml><phylogeny><clade></phylogeny></phyloxml>').problem).toBe('xml')
    expect(failure('<phyloxml><phylogeny>').problem).toBe('xml')
    expect(failure('<phyloxml></phyloxml>').problem).toBe('noTree')
    expect(failure('<html><body>an error page & more</body></html>').problem).toBe('noTree')
  })
})

test('a tree goes through every format and comes back the same, names with every forbidden sign included', () => {
  const tree = parseNewick("((a:1,'b (c):d,[e];''f''':2)95:0.5,'<g>&\"':1,h_i:0.25);")
  const expected = renderNewick(tree)
  expect(renderNewick(parseTreeFile(expected))).toBe(expected)
  expect(renderNewick(parseTreeFile(renderNexus(tree, ['made [by] hand'])))).toBe(expected)
  expect(renderNewick(parseTreeFile(renderPhyloXml(tree, 'bootstrap', 'a < b')))).toBe(expected)
})
