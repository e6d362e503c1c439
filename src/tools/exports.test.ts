import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '..')

const sources = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/(\.test\.tsx?|testing|testbed)/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => /^(tools|web|kit)\//.test(relative(source, file)))

// What is written by hand is written without the care of the one writer: headings twice, broken lines, formulas.
const byHand: [what: string, pattern: RegExp][] = [
  ['a head of comments', /map\(\(line\) => `# \$\{line/],
  ['a line of headings and cells to be downloaded', /`\$\{[^`]*join\('\\t'\)\}\\n`/],
  ['CSV', /replaceAll\('"', '""'\)/],
]
/** The writer itself; text that is JBrowse's to read; tables of a store or of a program. */
const others = new Set([
  'kit/write-table.ts',
  'tools/jbrowse/engine.ts',
  'tools/jbrowse/gene-pairs.ts',
  'tools/motif/site-file.ts',
])

describe('files that readers download', () => {
  it.each(byHand)('are written by the one writer: %s', (_, pattern) => {
    const found = sources
      .filter((file) => pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(source, file))
      .filter((file) => !others.has(file))
    expect(found).toEqual([])
  })
})
