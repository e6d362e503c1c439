import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { DownloadAbout } from '../../kit/loader.ts'
import { makeBakeContext } from '../../testing/contexts.ts'
import loaders from './load.ts'

const folder = mkdtempSync(join(tmpdir(), 'novodb-download-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(loaders)(
  'files for download are kept as they are, with what they are called and whose they are: $scope',
  async ({ scope, schema, bake }) => {
    const directory = join(folder, scope)
    mkdirSync(join(folder, 'other'), { recursive: true })
    mkdirSync(directory)
    writeFileSync(join(folder, 'notes.txt'), 'first\n')
    writeFileSync(join(folder, 'other', 'notes.txt'), 'second\n')
    const offered = new Map<string, DownloadAbout | undefined>()
    const { context } = makeBakeContext({
      directory,
      licence: 'CC0-1.0',
      resolveFile: async (path) => join(folder, path),
      addFile: (path, { download }) => void offered.set(path, download),
    })
    const counts = await bake(
      schema!.parse([
        { file: 'notes.txt', title: { en: 'Notes', zh: '说明' } },
        { file: 'other/notes.txt', title: 'More notes', licence: 'MIT', simulated: true },
      ]),
      context,
    )
    expect(counts).toEqual({ downloads: 2 })
    // Two files of one name do not take each other's place.
    const [first, second] = [...offered.keys()]
    expect([readFileSync(join(directory, first!), 'utf8'), readFileSync(join(directory, second!), 'utf8')]).toEqual([
      'first\n',
      'second\n',
    ])
    expect([...offered.values()]).toMatchObject([
      { title: { en: 'Notes', zh: '说明' }, licence: 'CC0-1.0', simulated: false },
      { title: 'More notes', licence: 'MIT', simulated: true },
    ])
    expect(await bake(null, context)).toEqual({})
  },
)
