import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const documents = ['README.md', 'README.zh-CN.md', 'SECURITY.md', 'docs', 'docs/decisions'].flatMap((path) =>
  path.endsWith('.md')
    ? [path]
    : readdirSync(join(root, path))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${path}/${name}`),
)

/** Files of the sources as documents name them: from the root, or from `src/`; with `*` for a name. */
const pathsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /`((?:src|bio|contracts|store|database|jobs|kit|tools|loader|server|web|demo|e2e|bench|scripts)\/[\w./*-]+)`/g,
    ),
  ].map(([, path]) => path!)

const isThere = (path: string): boolean =>
  ['', 'src'].some((folder) => existsSync(join(root, folder, path.replace(/\/\*.*$/, '').replace(/\/$/, ''))))

it('every file that a document names is there', () => {
  const named = documents.flatMap((document) =>
    pathsIn(readFileSync(join(root, document), 'utf8')).map((path) => ({ document, path })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ path }) => !isThere(path))).toEqual([])
})
