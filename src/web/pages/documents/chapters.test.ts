import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messages } from '../../messages/document.ts'
import { findRoute } from '../../shell/route-table.ts'
import { chapterOfFile, loadChapters, portalChapters, tutorials, withoutTitle } from './chapters.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (id: string, language: 'en' | 'zh'): string =>
  readFileSync(join(root, 'src/web/documents', `${id}.${language}.md`), 'utf8')
const languages = ['en', 'zh'] as const
/** Addresses of the portal that a text leads to. */
const linksOf = (text: string): URL[] =>
  [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, address]) => new URL(address!, 'http://portal.example'))

describe('chapters of the Usage', () => {
  it.each([...portalChapters, ...tutorials])(
    '%s: its title in the contents is that of its text, in both languages',
    (id) => {
      for (const language of languages)
        expect(/^# (.+)$/m.exec(read(id, language))?.[1]).toBe(messages[language][`chapter.${id}`])
      for (const language of languages) expect(messages[language][`about.${id}`]).toBeTruthy()
    },
  )

  it('there is no text that no chapter shows', () => {
    const ids = new Set(readdirSync(join(root, 'src/web/documents')).map((name) => name.split('.')[0]))
    expect([...ids].sort()).toEqual([...portalChapters, ...tutorials].sort())
    for (const id of loadChapters)
      for (const language of languages) expect(existsSync(join(root, 'docs', `${id}.${language}.md`))).toBe(true)
  })

  it.each([...portalChapters, ...tutorials])(
    '%s leads to addresses that there are, the same in both languages',
    (id) => {
      const [english, chinese] = languages.map((language) => linksOf(read(id, language)))
      for (const { pathname } of english!) expect(findRoute(pathname), pathname).not.toBeNull()
      expect(chinese!.map(({ href }) => href)).toEqual(english!.map(({ href }) => href))
    },
  )

  it.each(tutorials)('%s goes through five tools and has the genes filled in', (id) => {
    const links = linksOf(read(id, 'en'))
    const steps = links.filter(({ pathname, search }) => !pathname.startsWith('/document') && search !== '')
    expect(new Set(steps.map(({ pathname }) => pathname)).size).toBeGreaterThanOrEqual(5)
    expect(read(id, 'en').match(/^## \d\. /gm)).toHaveLength(5)
  })

  it('are known by their files, and shown without the title that the page has', () => {
    expect(chapterOfFile('../../../tools/blast/document.en.md')).toBe('blast')
    expect(chapterOfFile('../../../../docs/data-formats.zh.md')).toBe('data-formats')
    expect(withoutTitle('# BLAST\n\nWhere?')).toBe('\nWhere?')
  })
})
