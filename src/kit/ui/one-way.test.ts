import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../..')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(kit|web|tools)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, lines: readFileSync(join(folder, file), 'utf8').split('\n') }))

/** Lines with the words, as `file:line`, with the lines before each. */
const find = (words: RegExp, allowed: string[]) =>
  sources
    .filter(({ file }) => !allowed.includes(file))
    .flatMap(({ file, lines }) =>
      lines.flatMap((line, at) =>
        words.test(line) ? [{ place: `${file}:${at + 1}`, before: lines.slice(Math.max(0, at - 3), at) }] : [],
      ),
    )

describe('sources of the screens', () => {
  it('pass the error handler by where a comment beside it says why, and nowhere else', () => {
    const skipped = find(/skipErrorHandler/, ['kit/ui/request.ts'])
    expect(skipped.length).toBeGreaterThan(0)
    expect(skipped.filter(({ before }) => !before.some((line) => /^\s*\/\/ \S/.test(line)))).toEqual([])
  })

  it('ask the server by the request layer, which gives its failures to the handler', () => {
    // The connection is asked after by what the layer itself waits for.
    expect(
      find(/(?<![.\w])fetch\(/, ['kit/ui/request.ts', 'kit/ui/connection.ts', 'web/service-worker/service-worker.js']),
    ).toEqual([])
  })

  it('copy by the one way that has a fallback and a notice', () => {
    expect(find(/navigator\.clipboard|execCommand/, ['kit/ui/controls/copy-text.ts'])).toEqual([])
  })

  it('make gene sets by the one menu, which names them, says where they are and leads on to tools', () => {
    // A notebook keeps a step of its own as a set.
    expect(
      find(/\bcreateGeneSet\(/, ['kit/ui/controls/gene-set-picker.tsx', 'web/pages/notebook/notebook-page.tsx']).filter(
        ({ place }) => !place.startsWith('kit/ui/gene/gene-sets.ts'),
      ),
    ).toEqual([])
  })

  it('colour categories by the one palette, which never begins again', () => {
    expect(find(/scaleOrdinal|scheme(Category|Tableau|Set|Paired|Accent|Dark|Pastel)/, [])).toEqual([])
    expect(find(/(colou?r|palette|shade|texture|fill)\w*\[[^\]]*%/i, [])).toEqual([])
  })
})
