import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import type { PlainDocuments } from '../../../contracts/plain-documents.ts'
import type { Language } from '../../../contracts/text.ts'
import { type Locale, translator } from '../../../kit/ui/language.tsx'
import { messages as own } from '../../messages/document.ts'
import { messages as pages } from '../../messages/pages.ts'
import { messages as shell } from '../../messages/shell.ts'
import { apiChapter, type Chapter, type DocumentedTool, listChapters, withoutTitle } from './chapters.ts'
import { Markdown } from './markdown.tsx'

const localeOf: Record<Language, Locale> = { en: 'en-US', zh: 'zh-CN' }
const namesOfThemselves: Record<Language, string> = { en: 'English', zh: '简体中文' }

/** The Usage in one language as it is drawn by the portal's own components, once, when the browser part is built. */
export const renderPlainDocuments = (
  language: Language,
  sources: {
    tools: readonly DocumentedTool[]
    /** Texts by the ids of their chapters. */
    texts: ReadonlyMap<string, string>
    /** Addresses of the tools' pictures, by the tools' ids. */
    figures: ReadonlyMap<string, string>
    style: string
  },
): PlainDocuments => {
  const o = translator(own, localeOf[language])
  const t = translator(pages, localeOf[language])
  const s = translator(shell, localeOf[language])
  const html = (node: ReactNode): string => renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>)
  const draw = ({ id, title, tool }: Chapter): string => {
    if (id === apiChapter)
      return html(
        <>
          <p>{o('api.lead')}</p>
          <ul>
            {(['envelope', 'language', 'token', 'begin', 'jobs', 'files'] as const).map((part) => (
              <li key={part}>{o(`api.${part}`)}</li>
            ))}
            <li>
              <a href="/api/openapi.json">{o('api.openapi')}</a>
            </li>
          </ul>
        </>,
      )
    const figure = sources.figures.get(id)
    return html(
      <>
        {tool === null ? null : (
          <p>
            <a href={tool.route}>{o('tool.open', { name: title })}</a>
          </p>
        )}
        {figure === undefined ? null : (
          <figure className="document-figure">
            <img src={figure} alt={o('tool.figure', { name: title })} />
          </figure>
        )}
        <Markdown text={withoutTitle(sources.texts.get(id) ?? '')} section={id} />
      </>,
    )
  }
  const groups = listChapters(sources.tools, language, o, (category) => s(`category.${category}`))
  return {
    style: sources.style,
    labels: {
      usage: t('document.title'),
      lead: t('document.lead'),
      contents: t('document.contents'),
      search: o('find.label'),
      found: o('find.found'),
      home: s('page.home'),
      otherLanguage: namesOfThemselves[language === 'en' ? 'zh' : 'en'],
    },
    groups: groups.map(({ title, chapters }) => ({
      title,
      chapters: chapters.map((chapter) => ({
        id: chapter.id,
        title: chapter.title,
        html: draw(chapter),
        text: withoutTitle(sources.texts.get(chapter.id) ?? ''),
      })),
    })),
  }
}
