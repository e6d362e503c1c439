import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')

/** Chinese words that stand after "not" in the column of senses, each with the word that is used. */
const avoided = glossary
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, , term = '', sense = '']) => {
    const word = /\bnot ([\u4e00-\u9fff]+)/.exec(sense)?.[1]
    return word === undefined ? [] : [{ word, term }]
  })

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
