import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe('the table of the specification', () => {
  it('has statements of every section from 1 to 9', () => {
    expect([...new Set(rows.map((row) => row.section))].sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(rows.length).toBeGreaterThanOrEqual(80)
  })

  it.each(rows)('$section: $statement', ({ file, test }) => {
    expect(file, 'a test file').toMatch(/\.test\.tsx?$/)
    expect(existsSync(join(root, file)), file).toBe(true)
    expect(test, 'the name of a test').not.toBe('')
    const source = readFileSync(join(root, file), 'utf8')
    const quoted = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    // The name stands as the title of a test, not in a comment or in another string.
    expect(source, test).toMatch(
      new RegExp(`\\b(it|test)(\\.[\\w.]+)*(\\([^()]*(\\([^()]*\\)[^()]*)*\\))?\\(\\s*(['"\`])${quoted}\\4`),
    )
  })
})
