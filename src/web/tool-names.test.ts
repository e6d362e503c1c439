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
const passedOver = /^(web\/shell\/route-table\.ts|web\/messages\/.*)$/

/** Words that are also the id of a tool. */
const exceptions = new Set([
  // A package, a kind of records and a table, which have these names by themselves.
  'kit/programs.ts: blast',
  'database/homologs.ts: homologs',
  // The genome browser's page, by which tools lead on to it: an address of the specification.
  'kit/ui/browser-address.ts: /jbrowse/?',
])

const source = join(import.meta.dirname, '..')
const filesOf = (room: string): string[] =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !passedOver.test(file))

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

describe('rooms that tools stand on or are shown by', () => {
  it.each(['web', 'kit', 'database'])('%s/ names no tool: what a tool does is what it says of itself', (room) => {
    expect(ids.length).toBeGreaterThan(5)
    const named = filesOf(room).flatMap((file) =>
      namesIn(file, readFileSync(join(source, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
    expect(named.filter((found) => !exceptions.has(found))).toEqual([])
  })

  it('would be found out: ids, addresses and imports in whatever form', () => {
    const [id, route] = [ids[0]!, routes[0]!]
    const bad = [`find('${id}')`, `\`${route}?\${query}\``, `to='${route}'`, `import x from '../tools/${id}/tool.ts'`]
    for (const text of bad) expect([text, namesIn('x.tsx', text).length]).toEqual([text, 1])
  })
})
