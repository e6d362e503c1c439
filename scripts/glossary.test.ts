import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')

const rows = glossary
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** English words that were given up in messages, each with the word that is used. */
const givenUp = rows.flatMap(([, english = '', , sense = '']) =>
  [...sense.matchAll(/\bnot ([a-z]+(?: [a-z]+)*)(?!:)\b/g)].map(([, word]) => ({ word: word!, english })),
)

/** Chinese words that stand after "not" in the column of senses, each with the word that is used. */
const avoided = rows.flatMap(([, , term = '', sense = '']) =>
  [...sense.matchAll(/\bnot ([\u4e00-\u9fff]+)/g)].map(([, word]) => ({ word: word!, term })),
)

/** Everything that readers of Chinese are shown: messages in the sources, documents of tools, pages and the installation. */
const shown = ['README.zh-CN.md', 'docs', 'src', 'demo'].flatMap((part) =>
  part.endsWith('.md')
    ? [part]
    : readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|tsx|zh\.md)$/.test(file) && !/\.test\.tsx?$/.test(file))
        .map((file) => join(part, file)),
)

it('no Chinese text uses a word that the glossary sets aside', () => {
  expect(avoided.length).toBeGreaterThan(5)
  expect(shown.length).toBeGreaterThan(300)
  const found = shown.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        avoided
          .filter(({ word }) => line.includes(word))
          .map(({ word, term }) => `${file}:${at + 1}: ${word}, ${term}`),
      ),
  )
  expect(found).toEqual([])
})

it('no English message uses a word that the glossary has given up', async () => {
  expect(givenUp.length).toBeGreaterThan(5)
  const tables = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|[/-])messages(\/\w+)?\.ts$/.test(file),
  )
  expect(tables.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const file of tables)
    for (const table of Object.values(await import(join(root, 'src', file))) as { en?: Record<string, string> }[])
      for (const [key, text] of Object.entries(table?.en ?? {}))
        for (const { word, english } of givenUp)
          if (new RegExp(`(?<!at )\\b${word}\\b(?! squares)`, 'i').test(text.replace(/\{\w+[,}]/g, '')))
            found.push(`${file}: ${key}: ${word}, ${english}`)
  expect(found).toEqual([])
})
