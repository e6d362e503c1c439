import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, ArrowUpRight, BookOpen, GraduationCap, Printer, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import { findPassages } from '../../../bio/text/find-passages.ts'
import { useAddressValues } from '../../../kit/ui/address-values.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { TextInput } from '../../../kit/ui/controls/field.tsx'
import { useLanguage, useText } from '../../../kit/ui/language.tsx'
import { useTheme } from '../../../kit/ui/theme.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { useMedia } from '../../../kit/ui/use-media.ts'
import { messages as own } from '../../messages/document.ts'
import { messages } from '../../messages/pages.ts'
import { messages as shell } from '../../messages/shell.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { Page404 } from '../status-page.tsx'
import { ApiReference, useApiOutline } from './api-reference.tsx'
import {
  apiChapter,
  type Chapter,
  chapterAddress,
  chapterOfFile,
  isTutorial,
  listChapters,
  withoutTitle,
} from './chapters.ts'
import { headingsOf, Markdown } from './markdown.tsx'
import './document-page.css'

const documents = {
  en: import.meta.glob<string>(
    ['../../documents/*.en.md', '../../../../docs/{import,data-formats}.en.md', '../../../tools/*/document.en.md'],
    { query: '?raw', import: 'default' },
  ),
  zh: import.meta.glob<string>(
    ['../../documents/*.zh.md', '../../../../docs/{import,data-formats}.zh.md', '../../../tools/*/document.zh.md'],
    { query: '?raw', import: 'default' },
  ),
}
/** Pictures of each tool's example result in both themes, or of its page: scripts/document-pictures.mjs takes them. */
const figures = import.meta.glob<string>(['../../../tools/*/figure.*.webp', '../../../tools/*/preview.*.webp'], {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The texts of chapters, by their ids. */
const readTexts = async (language: 'en' | 'zh', only?: string): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      Object.entries(documents[language])
        .filter(([path]) => only === undefined || chapterOfFile(path) === only)
        .map(async ([path, load]): Promise<[string, string]> => [chapterOfFile(path), await load()]),
    ),
  )

/** The picture of a tool's result in the reader's language and theme; of a tool that is a page of its own, the page. */
const Figure = ({ tool, title }: { tool: string; title: string }): ReactNode => {
  const o = useText(own)
  const language = useLanguage()
  const theme = useTheme()
  const page = figures[`../../../tools/${tool}/figure.${language}.webp`]
  const result = figures[`../../../tools/${tool}/preview.${language}.${theme === 'dark' ? 'dark' : 'light'}.webp`]
  const shown = result ?? page
  if (shown === undefined) return null
  return (
    <figure
      className={`document-figure ${result === undefined ? 'document-figure-page' : ''} ${result === undefined && theme === 'dark' ? 'document-figure-light' : ''}`}
    >
      <img src={shown} loading="lazy" alt={o('tool.figure', { name: title })} />
      <figcaption>{o('tool.figure', { name: title })}</figcaption>
    </figure>
  )
}

const Text = ({ chapter }: { chapter: Chapter }): ReactNode => {
  const t = useText(messages)
  const o = useText(own)
  const language = useLanguage()
  const { hash } = useLocation()
  const answer = useQuery({
    queryKey: ['document', language, chapter.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readTexts(language, chapter.id),
  })
  const text = answer.data?.get(chapter.id)
  const ready = text !== undefined
  useEffect(() => {
    if (ready && hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [ready, hash])
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  if (text === undefined) return <p>{t('document.none')}</p>
  const headings = headingsOf(withoutTitle(text), chapter.id)
  return (
    <div className="document-chapter">
      {headings.length < 3 ? null : (
        <nav className="document-outline" aria-label={o('outline')}>
          <p className="document-group">{o('outline')}</p>
          {headings.map(({ id, title, level }) => (
            <a key={id} href={`#${id}`} data-level={level}>
              {title}
            </a>
          ))}
        </nav>
      )}
      <div className="document-body">
        {chapter.tool === null ? null : <Figure tool={chapter.id} title={chapter.title} />}
        <Markdown text={withoutTitle(text)} section={chapter.id} />
      </div>
    </div>
  )
}

const Api = (): ReactNode => {
  const { hash } = useLocation()
  const chosen = decodeURIComponent(hash.slice(1))
  const { answer } = useApiOutline()
  const ready = answer.data !== undefined
  useEffect(() => {
    if (ready && chosen !== '') document.getElementById(chosen)?.scrollIntoView()
  }, [ready, chosen])
  return <ApiReference chosen={chosen} />
}

/** Passages of all chapters with the words that are looked for. */
const Found = ({
  words,
  chapters,
  onClear,
}: {
  words: string
  chapters: Chapter[]
  onClear: () => void
}): ReactNode => {
  const o = useText(own)
  const language = useLanguage()
  const { groups } = useApiOutline()
  const texts = useQuery({
    queryKey: ['documents', language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readTexts(language),
  })
  if (texts.isPending) return <Waiting />
  if (texts.isError) return <Unanswered of={texts} />
  const passages = findPassages(
    [
      ...chapters
        .filter(({ id }) => id !== apiChapter)
        .map(({ id, title }) => ({ id: chapterAddress(id), title, text: withoutTitle(texts.data.get(id) ?? '') })),
      ...groups.flatMap((group) =>
        group.endpoints.map((endpoint) => ({
          id: `${chapterAddress(apiChapter)}#${endpoint.id}`,
          title: `${endpoint.method} ${endpoint.path}`,
          text: `${endpoint.summary}. ${endpoint.input.map((field) => field.name).join(', ')}`,
        })),
      ),
    ],
    words,
  )
  return (
    <section className="document-found" aria-live="polite">
      <p>
        <strong>
          {passages.length === 0 ? o('find.none', { words }) : o('find.count', { count: passages.length })}
        </strong>
        <Button
          size="small"
          look="quiet"
          aria-label={o('find.clear')}
          icon={<X size={14} aria-hidden />}
          onClick={onClear}
        />
      </p>
      <ol>
        {passages.slice(0, 60).map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages are in the order of the chapters.
          <li key={index}>
            <Link to={passage.id}>{passage.title}</Link>
            <span>
              …{passage.before}
              <mark>{passage.match}</mark>
              {passage.after}…
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/**
 * The Usage: a page of each chapter, of the portal, of tutorials, of every tool, of loading data and of the API, and one with the contents.
 * `server/routes/documents.ts` has the same texts for browsers that run no scripts.
 */
const DocumentPage = (): ReactNode => {
  const t = useText(messages)
  const o = useText(own)
  const s = useText(shell)
  const language = useLanguage()
  const tools = useToolList()
  const wide = useMedia('(min-width: 960px)')
  const { chapter: asked } = useParams()
  const { hash } = useLocation()
  const [query, change] = useAddressValues()
  const words = query.get('q') ?? ''
  const groups = listChapters(tools, language, o, (category) => s(`category.${category}`))
  const chapters = groups.flatMap((group) => group.chapters)
  const at = chapters.findIndex(({ id }) => id === asked)
  const chapter = chapters[at]

  // Links from the time when all chapters were one page: /document#blast, /document#api-get-api-search.
  const anchor = decodeURIComponent(hash.slice(1))
  const meant = chapters.find(({ id }) => id === anchor || (id === apiChapter && anchor.startsWith('api-')))
  if (asked === undefined && meant !== undefined)
    return (
      <Navigate
        replace
        to={{ pathname: chapterAddress(meant.id), hash: anchor === meant.id ? '' : hash, search: query.toString() }}
      />
    )
  if (asked !== undefined && chapter === undefined) return <Page404 />

  const title = chapter?.title ?? t('document.title')
  const [before, after] = [chapters[at - 1], chapter === undefined ? undefined : chapters[at + 1]]
  return (
    <main className="nv-page document">
      <PageTitle>{title}</PageTitle>
      <header className="nv-page-head">
        <div>
          {chapter === undefined ? null : (
            <p className="document-above">
              <Link to="/document">{t('document.title')}</Link>
            </p>
          )}
          <h1>{title}</h1>
          {chapter === undefined ? <p className="nv-lead">{t('document.lead')}</p> : null}
        </div>
        <div className="nv-page-actions">
          {chapter?.tool == null ? null : (
            <ButtonLink to={chapter.tool.route} icon={<ArrowUpRight size={15} aria-hidden />}>
              {o('tool.open', { name: chapter.title })}
            </ButtonLink>
          )}
          <Button look="quiet" icon={<Printer size={15} aria-hidden />} onClick={() => window.print()}>
            {o('page.print')}
          </Button>
        </div>
      </header>
      <div className="document-grid">
        <div className="document-index">
          <search className="document-find">
            <TextInput
              type="search"
              aria-label={o('find.label')}
              placeholder={o('find.placeholder')}
              value={words}
              onChange={(event) => change({ q: event.target.value === '' ? null : event.target.value }, true)}
            />
          </search>
          <details open={wide}>
            <summary>{o('contents.show')}</summary>
            <nav aria-label={t('document.contents')}>
              {groups.map((group) => (
                <div key={group.key}>
                  <p className="document-group">{group.title}</p>
                  {group.chapters.map(({ id, title }) => (
                    <Link
                      key={id}
                      to={chapterAddress(id)}
                      className={id === asked ? 'document-here' : ''}
                      aria-current={id === asked ? 'page' : undefined}
                    >
                      {title}
                    </Link>
                  ))}
                </div>
              ))}
            </nav>
          </details>
        </div>
        <article className="document-text">
          {words.trim() === '' ? null : (
            <Found words={words} chapters={chapters} onClear={() => change({ q: null }, true)} />
          )}
          {words.trim() !== '' ? null : chapter === undefined ? (
            groups.map((group) => (
              <section key={group.key} className="document-group-of">
                <h2>{group.title}</h2>
                <ul>
                  {group.chapters.map(({ id, title, tool }) => {
                    const listed = tools.find((one) => one.id === tool?.id)
                    const Icon = listed?.icon ?? (isTutorial(id) ? GraduationCap : BookOpen)
                    return (
                      <li key={id}>
                        <Link to={chapterAddress(id)} className="nv-card">
                          <Icon size={18} aria-hidden />
                          <strong>{title}</strong>
                          <span>
                            {listed === undefined ? o(`about.${id}` as 'about.start') : listed.summary[language]}
                          </span>
                        </Link>
                      </li>
                    )
                  })}
                </ul>
              </section>
            ))
          ) : (
            <>
              {chapter.id === apiChapter ? <Api /> : <Text key={chapter.id} chapter={chapter} />}
              <nav className="document-next" aria-label={o('page.next')}>
                {before === undefined ? null : (
                  <Link to={chapterAddress(before.id)} rel="prev">
                    <ArrowLeft size={14} aria-hidden /> {before.title}
                  </Link>
                )}
                {after === undefined ? null : (
                  <Link to={chapterAddress(after.id)} rel="next">
                    {after.title} <ArrowRight size={14} aria-hidden />
                  </Link>
                )}
              </nav>
            </>
          )}
        </article>
      </div>
    </main>
  )
}

export default DocumentPage
