import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findLoaders, manifestJsonSchema } from './manifest.ts'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
}

/** Every entry of the manifest and every word that an entry may be, lists and alternatives included. */
const namesOf = (schema: Schema): string[] => [
  ...Object.keys(schema.properties ?? {}),
  ...(schema.enum ?? []).map(String),
  ...[
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ].flatMap(namesOf),
]

test.each(['en', 'zh'])('every entry of species.yaml stands in the document, language %s', async (language) => {
  const names = new Set(namesOf(manifestJsonSchema(await findLoaders()) as Schema))
  expect(names).toContain('tracks')
  expect(names).toContain('interproscan')
  const document = readFileSync(resolve(import.meta.dirname, `../../docs/data-formats.${language}.md`), 'utf8').replace(
    /^```.*?^```$/gms,
    '',
  )
  const written = new Set([...document.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1]!.split(/[^\w]+/)))
  expect([...names].filter((name) => !written.has(name))).toEqual([])
})

test.each([
  ['en', '## The species', '## An assembly'],
  ['zh', '## 物种', '## 组装版本'],
])(
  'the tables of the species and of an assembly name entries that may stand there, language %s',
  async (language, ...headings) => {
    const document = readFileSync(resolve(import.meta.dirname, `../../docs/data-formats.${language}.md`), 'utf8')
    const species = manifestJsonSchema(await findLoaders()) as Schema
    for (const [schema, heading] of [
      [species, headings[0]!],
      [species.properties!.assemblies!.items!, headings[1]!],
    ] as const) {
      const section = document.slice(document.indexOf(`${heading}\n`) + heading.length).split(/^##/m)[0]!
      const rows = [...section.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap((row) => row[1]!.match(/\w+/g)!)
      expect(rows.length).toBeGreaterThan(10)
      expect(rows.filter((name) => !(name in schema.properties!))).toEqual([])
    }
  },
)
