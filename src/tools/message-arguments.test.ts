import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import type { Messages } from '../contracts/text.ts'

const source = join(import.meta.dirname, '..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
)

/** Names of the arguments that a message takes, those within the branches of a plural or a choice among them. */
const argumentsOf = (text: string): string[] => {
  const names: string[] = []
  let at = 0
  const readMessage = (): void => {
    for (; at < text.length && text[at] !== '}'; at += 1)
      if (text[at] === "'" && /[{}]/.test(text[at + 1] ?? '')) at = text.indexOf("'", at + 1)
      else if (text[at] === '{') readArgument()
  }
  const readArgument = (): void => {
    const [, name, branches] = /^\{\s*(\w+)\s*(,\s*(?:plural|select|selectordinal)\s*,)?/.exec(text.slice(at)) ?? []
    names.push(name ?? '')
    at += 1
    if (branches === undefined) at = text.indexOf('}', at)
    else
      for (; at < text.length && text[at] !== '}'; at += 1)
        if (text[at] === '{') {
          at += 1
          readMessage()
        }
  }
  readMessage()
  return names
}

/** Message keys with the arguments of each message that has that key, and its tool's folder, of every table of messages in the sources. */
const known = new Map<string, { names: string[]; folder: string }[]>()
const toolOf = (file: string): string => /^tools\/[^/]+/.exec(file)?.[0] ?? ''

/** What a message may take: of a tool's own, as that has it. */
const candidatesOf = (key: string, file: string): string[][] | undefined => {
  const all = known.get(key)
  const own = all?.filter(({ folder }) => folder !== '' && folder === toolOf(file)) ?? []
  return (own.length > 0 ? own : all)?.map(({ names }) => names)
}
const tables = files.filter((file) => /(^|[/-])messages(\/\w+)?\.ts$/.test(file))

/** The message that an expression shows or throws, and what is given to it: `t(key, given)`, `fieldError(path, key, given)`, `{ message: key, params: given }`. */
const messageOf = (node: ts.Node): { key: ts.Expression | undefined; given: ts.Expression | undefined } | null => {
  if (ts.isCallExpression(node)) {
    const called = node.expression.getText()
    if (/(^|[.])(t|k|text|translate)$/i.test(called)) return { key: node.arguments[0], given: node.arguments[1] }
    return called === 'fieldError' ? { key: node.arguments[1], given: node.arguments[2] } : null
  }
  if (!ts.isObjectLiteralExpression(node)) return null
  const partOf = (name: string): ts.Expression | undefined => {
    const property = node.properties.find((one) => one.name?.getText() === name)
    if (property === undefined) return undefined
    return ts.isPropertyAssignment(property) ? property.initializer : (property.name as ts.Identifier)
  }
  const isThrown =
    node.parent !== undefined && /PortalError$|problems?$/i.test(node.parent.getText().split(/[(:=]/)[0]!)
  // Elsewhere an object without parameters may be given them later.
  return partOf('params') === undefined && !isThrown ? null : { key: partOf('message'), given: partOf('params') }
}

const propertiesOf = (node: ts.ObjectLiteralExpression): string[] | null =>
  node.properties.some((one) => ts.isSpreadAssignment(one)) ? null : node.properties.map((one) => one.name!.getText())

it('every message that is shown or thrown has all of its arguments', async () => {
  for (const file of tables)
    for (const table of Object.values(await import(join(source, file))) as Messages[])
      for (const [key, text] of Object.entries(table?.en ?? {}))
        known.set(key, [...(known.get(key) ?? []), { names: argumentsOf(text), folder: toolOf(file) }])
  expect(known.size).toBeGreaterThan(2000)
  const lacking: string[] = []
  let checked = 0
  for (const file of files) {
    const parsed = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit)
      const shown = messageOf(node)
      if (shown?.key === undefined || !ts.isStringLiteral(shown.key)) return
      const { key, given } = shown
      const candidates = candidatesOf(key.text, file)
      if (candidates === undefined) return
      const names = given === undefined ? [] : ts.isObjectLiteralExpression(given) ? propertiesOf(given) : null
      if (names === null) return
      checked += 1
      if (!candidates.some((wanted) => wanted.every((name) => names.includes(name))))
        lacking.push(`${dirname(file)}: ${key.text} takes ${candidates.join(' or ')}, is given ${names.join(', ')}`)
    }
    visit(parsed)
  }
  expect(checked).toBeGreaterThan(2000)
  expect(lacking).toEqual([])
  // Every table is read, also where a new tool's tests are run with few settings.
}, 60_000)
