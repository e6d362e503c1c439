import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * Wherever a reader sees the name of a sequence, what the sequence is stands beside it: an accessory chromosome, an organelle, a
 * plasmid. Held for every screen by how screens are written, so that a new one is held to it too.
 */

const root = join(import.meta.dirname, '..')
const sources = ['tools', 'web', 'kit/ui']
  .flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }))
  .filter(
    (entry) =>
      entry.isFile() &&
      /\.tsx?$/.test(entry.name) &&
      !/\.test\.tsx?$/.test(entry.name) &&
      entry.name !== 'sequence-name.tsx',
  )
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { file: relative(root, path), tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
  })

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

const placeOf = (file: string, node: ts.Node): string =>
  `${file}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`

const propertyOf = (object: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralElementLike | undefined =>
  object.properties.find((one) => one.name?.getText() === name)

/** A column of a table, by what every one has. */
const isColumn = (node: ts.Node): node is ts.ObjectLiteralExpression =>
  ts.isObjectLiteralExpression(node) && ['key', 'title', 'value'].every((name) => propertyOf(node, name) !== undefined)

/** The words of the portal's results for a sequence of an assembly. */
const sequenceWords = /^(sequence|otherSequence|sequenceA|sequenceB|subject)$/

const namesSequence = (node: ts.Node): boolean => {
  let found = false
  walk(node, (one) => {
    // Its length is no name of it.
    const measured = ts.isPropertyAccessExpression(one.parent) && /^length/.test(one.parent.name.text)
    if (ts.isIdentifier(one) && sequenceWords.test(one.text) && !measured) found = true
  })
  return found
}

/** Columns with such a word that name no sequence of an assembly: residues, names of what was searched, distances; mails. */
const otherColumns = new Set([
  'web/pages/admin/messages-tab.tsx subject',
  'web/pages/admin/outbox-tab.tsx body',
  'tools/diagnosticprimers/result-view.tsx forward',
  'tools/diagnosticprimers/result-view.tsx reverse',
  'tools/diagnosticprimers/result-view.tsx sequence',
  'tools/motif/promoter-figure.tsx sequence',
  'tools/motif/result-view.tsx gene',
  'tools/motif/result-view.tsx sequence',
  'tools/primerdesign/result-view.tsx left',
  'tools/primerdesign/result-view.tsx right',
  'tools/primerdesign/result-view.tsx probe',
  'tools/transcriptionfactors/protein-table.tsx sequence',
  'tools/variation/views/markers-view.tsx sequence',
  'tools/variation/views/markers-view.tsx left',
  'tools/variation/views/markers-view.tsx right',
  'tools/pangenomebrowser/tube-figure.tsx sequence',
  'tools/hicsearch/feature-tables.tsx distance',
  // What a job was asked about.
  'web/pages/account/account-center-page.tsx job',
  'web/pages/admin/jobs-tab.tsx job',
])

describe('the role of a sequence is said wherever the sequence is named', () => {
  it('in every column of every table, by `on`', () => {
    let columns = 0
    const silent: string[] = []
    for (const { file, tree } of sources)
      walk(tree, (node) => {
        if (!isColumn(node)) return
        const shown = ['value', 'render'].flatMap((name) => propertyOf(node, name) ?? [])
        // A column without a value of its own has links to other pages.
        if (!shown.some(namesSequence) || propertyOf(node, 'value')!.getText() === 'value: () => null') return
        const key = propertyOf(node, 'key')!
          .getText()
          .replace(/^key: '?|'$/g, '')
        if (otherColumns.has(`${file} ${key}`)) return
        columns += 1
        if (propertyOf(node, 'on') === undefined) silent.push(`${placeOf(file, node)} ${key}`)
      })
    expect(silent).toEqual([])
    expect(columns).toBeGreaterThan(30)
  })

  it('in every place that is written out, by the shared labels', () => {
    const silent: string[] = []
    for (const { file, tree } of sources)
      walk(tree, (node) => {
        if (!ts.isCallExpression(node) || !/^format\.(region|place)$/.test(node.expression.getText())) return
        for (let above: ts.Node = node; above !== tree; above = above.parent) {
          // Beside a cell the table says it.
          if (isColumn(above) && propertyOf(above, 'on') !== undefined) return
          if (ts.isJsxElement(above) || ts.isJsxFragment(above))
            if (above.children.some((child) => child.getText().includes('<RoleOf '))) return
        }
        silent.push(placeOf(file, node))
      })
    expect(silent).toEqual([])
  })

  it('in every sentence that names it, by the shared labels', () => {
    const silent: string[] = []
    for (const { file, tree } of sources)
      walk(tree, (node) => {
        if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'sequence') return
        const call = node.parent.parent
        if (!ts.isCallExpression(call) || call.expression.getText() !== 't') return
        // What is drawn is told by its style.
        for (let above: ts.Node = call; above !== tree; above = above.parent)
          if (ts.isJsxElement(above) && /\bfontStyle=/.test(above.openingElement.getText())) return
        if (!/[lL]abel/.test(node.initializer.getText())) silent.push(placeOf(file, node))
      })
    expect(silent).toEqual([])
  })

  it('in every drawn label, by its style', () => {
    const silent: string[] = []
    for (const { file, tree } of sources)
      walk(tree, (node) => {
        if (!ts.isJsxElement(node) || node.openingElement.tagName.getText() !== 'text') return
        const attributes = node.openingElement.attributes.properties.map((one) => one.name?.getText())
        const named = node.children.filter(
          (child) => ts.isJsxExpression(child) && namesSequence(child) && !/(labelOf|regionOf)\(/.test(child.getText()),
        )
        if (named.length > 0 && !attributes.includes('fontStyle')) silent.push(placeOf(file, node))
      })
    expect(silent).toEqual([])
  })

  it('never in a file: the value of a cell is the name', () => {
    const marked: string[] = []
    for (const { file, tree } of sources)
      walk(tree, (node) => {
        if (!isColumn(node) || propertyOf(node, 'on') === undefined) return
        const value = propertyOf(node, 'value')!.getText()
        if (/(labelOf|regionOf|roleOf|format\.\w+)\(/.test(value)) marked.push(placeOf(file, node))
      })
    expect(marked).toEqual([])
  })
})
