import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const tools = join(import.meta.dirname, '../tools')
const ids = readdirSync(tools).filter((folder) => existsSync(join(tools, folder, 'tool.ts')))
const routes = ids.map(
  (id) => /^ {2}route: '([^']+)'/m.exec(readFileSync(join(tools, id, 'tool.ts'), 'utf8'))?.[1] ?? '',
)

/** The addresses of the portal specification, installed or not; and texts, which are read by people. */
const passedOver = /^(shell\/route-table\.ts|messages\/.*)$/

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !passedOver.test(file),
)

/** Texts of a source that are a tool's id, hold its address, or import its files. */
const namesIn = (name: string, source: string): string[] => {
  const found: string[] = []
  const look = (text: string): void => {
    const names =
      ids.includes(text) ||
      routes.some((route) => new RegExp(`^${route.replace(/\/$/, '')}(/?$|/?[?#])`).test(text)) ||
      /^(\.\.\/)+tools\/\w+\//.test(text)
    if (names) found.push(text)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) look(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return found
}

describe('the web room', () => {
  it('names no tool: what opens a gene, a region or a term is what the tools say of themselves', () => {
    expect(ids.length).toBeGreaterThan(5)
    const named = files.flatMap((file) =>
      namesIn(file, readFileSync(join(import.meta.dirname, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
    expect(named).toEqual([])
  })

  it('would be found out: ids, addresses and imports in whatever form', () => {
    const [id, route] = [ids[0]!, routes[0]!]
    const bad = [`find('${id}')`, `\`${route}?\${query}\``, `to='${route}'`, `import x from '../tools/${id}/tool.ts'`]
    for (const source of bad) expect([source, namesIn('x.tsx', source).length]).toEqual([source, 1])
  })
})
