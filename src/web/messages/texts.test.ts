import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { accountMessages } from '../../contracts/accounts/account-messages.ts'
import { errorMessages } from '../../contracts/error-messages.ts'
import type { Messages } from '../../contracts/text.ts'
import { messages as kit } from '../../kit/ui/messages.ts'
import { messages as account } from './account.ts'
import { messages as admin } from './admin.ts'
import { messages as detail } from './detail.ts'
import { messages as home } from './home.ts'
import { messages as dataImport } from './import.ts'
import { messages as pages } from './pages.ts'
import { messages as routes } from './routes.ts'
import { messages as shell } from './shell.ts'

const source = join(import.meta.dirname, '../..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
)
const read = (file: string): string => readFileSync(join(source, file), 'utf8')

const tables: Record<string, Messages> = {
  'contracts/accounts/account-messages.ts': accountMessages,
  'contracts/error-messages.ts': errorMessages,
  'kit/ui/messages.ts': kit,
  'web/messages/account.ts': account,
  'web/messages/detail.ts': detail,
  'web/messages/admin.ts': admin,
  'web/messages/home.ts': home,
  'web/messages/import.ts': dataImport,
  'web/messages/pages.ts': pages,
  'web/messages/routes.ts': routes,
  'web/messages/shell.ts': shell,
}

/** Every message key that the sources write out, and patterns of those that they put together. */
const written = new Set<string>()
const patterns = new Set<string>()
for (const file of files) {
  if (/messages(\/\w+)?\.ts$|-messages\.ts$/.test(file)) continue
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) written.add(node.text)
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
      if (/^[a-z][A-Za-z]*\./.test(node.head.text))
        patterns.add(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\w .-]+'))
    }
    ts.forEachChild(node, visit)
  }
  // In a .ts file `<T>(…) =>` is a function of any T, in a .tsx file a tag.
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, false, kind))
}
const composed = [...patterns].map((pattern) => new RegExp(`^${pattern}$`))
const isUsed = (key: string): boolean => written.has(key) || composed.some((pattern) => pattern.test(key))

describe('the texts of the portal', () => {
  it.each(Object.entries(tables))('%s: each is used somewhere', (_, table) => {
    expect(Object.keys(table.en).filter((key) => !isUsed(key))).toEqual([])
  })

  it.each(Object.entries(tables))('%s: each is there in both languages, and in Chinese in Chinese', (_, table) => {
    expect(Object.keys(table.zh)).toEqual(Object.keys(table.en))
    const words = (text: string): string => text.replace(/\{[^{}]*\}|[{}#]/g, ' ')
    const untranslated = Object.entries(table.en).filter(
      ([key, text]) =>
        // A word in small letters that is not the name of a file, a program or a unit has a Chinese counterpart.
        /(^|[\s“(])[a-z]{3,}\b/.test(words(text)) && !/[\u4e00-\u9fff]/.test(table.zh[key] ?? ''),
    )
    expect(untranslated.map(([key]) => key).filter((key) => !sameInBoth.has(key))).toEqual([])
  })
})

/** Words that a Chinese reader writes in Latin letters, too. */
const sameInBoth = new Set(['role.scaffold'])

/** What may stand in a screen as it is: signs, units, formats, names of programs. */
const isName = (text: string): boolean =>
  !/\p{L}{2}/u.test(text) ||
  // Entities, options of programs, and the scheme before an identifier.
  /^(&\w+;|-\w.*|doi:\s*)$/.test(text.trim()) ||
  /^[\s\p{P}\p{S}\d]*(bp|kb|Mb|aa|nt|PMID|MD5|SHA-256|GA4GH|TSV|CSV|XLSX|JSON|SVG|PNG|FASTA|GFF3|BED|BLAST|NovoDB|ID|UTR|CDS|cDNA|mRNA|DNA|RNA|SQ|GC)[\s\p{P}\p{S}\d]*$/u.test(
    text,
  )

/** Attributes that people read or hear. */
const spoken = new Set(['title', 'aria-label', 'placeholder', 'alt', 'label', 'why', 'help', 'aria-description'])

describe('a screen', () => {
  it('has no text of its own: all of it comes from the tables of messages', () => {
    const bare: string[] = []
    for (const file of files.filter((one) => one.endsWith('.tsx'))) {
      const parsed = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
      const tell = (node: ts.Node, text: string): void => {
        const { line } = parsed.getLineAndCharacterOfPosition(node.getStart())
        bare.push(`${relative('.', file)}:${line + 1} ${text.trim()}`)
      }
      const visit = (node: ts.Node): void => {
        if (ts.isJsxText(node) && !isName(node.text)) tell(node, node.text)
        if (
          ts.isJsxExpression(node) &&
          node.expression !== undefined &&
          ts.isStringLiteralLike(node.expression) &&
          (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent)) &&
          !isName(node.expression.text)
        )
          tell(node, node.expression.text)
        if (ts.isJsxAttribute(node) && spoken.has(node.name.getText()) && node.initializer !== undefined) {
          const { initializer } = node
          const value = ts.isJsxExpression(initializer) ? initializer.expression : initializer
          if (value !== undefined && ts.isStringLiteralLike(value) && !isName(value.text)) tell(node, value.text)
        }
        ts.forEachChild(node, visit)
      }
      visit(parsed)
    }
    expect(bare).toEqual([])
  })
})
