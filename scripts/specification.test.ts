import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| *\d+ *\|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, section = '', statement = '', file = '', test = '']) => ({
    section,
    statement,
    file: file.replaceAll('`', ''),
    test,
  }))

/** `it`, `test`, and what is made of them: `it.each(…)`, `test.concurrent.each(…)`; not `it.skip` and `it.todo`, which prove nothing. */
const makesTest = (callee: ts.Expression): boolean => {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test'
  if (ts.isPropertyAccessExpression(callee))
    return !['skip', 'todo', 'fails'].includes(callee.name.text) && makesTest(callee.expression)
  return ts.isCallExpression(callee) && makesTest(callee.expression)
}

/** Titles of the tests of a source, as they are written. */
const titlesOf = (source: string, file = 'a.test.ts'): Set<string> => {
  const titles = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && makesTest(node.expression)) {
      const [title, ...rest] = node.arguments
      if (title !== undefined && ts.isStringLiteralLike(title) && rest.length > 0) titles.add(title.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest))
  return titles
}

const titlesOfFile = new Map<string, Set<string>>()

describe('the table of the specification', () => {
  it('has statements of every section from 1 to 9, each once', () => {
    expect([...new Set(rows.map((row) => row.section))].sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(rows.length).toBeGreaterThanOrEqual(100)
    const statements = rows.map((row) => `${row.section} ${row.statement}`)
    expect(statements.filter((one, at) => statements.indexOf(one) !== at)).toEqual([])
  })

  it.each(rows)('$section: $statement', ({ file, test }) => {
    expect(file, 'a test file').toMatch(/\.test\.tsx?$/)
    expect(existsSync(join(root, file)), file).toBe(true)
    const titles = titlesOfFile.get(file) ?? titlesOf(readFileSync(join(root, file), 'utf8'), file)
    titlesOfFile.set(file, titles)
    expect([...titles]).toContain(test)
  })

  it('takes no comment, no other string and no test that is left out for one that proves', () => {
    const source = `it('a', () => {})
test.each([[1, '(']])('b %s', (n) => {})
it.skip('c', () => {})
it.todo('d')
// it('e', () => {})
const f = "it('f', () => {})"
it.skip.each([1])('g', () => {})`
    expect([...titlesOf(source)]).toEqual(['a', 'b %s'])
  })
})
