import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Printer, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { toolCategories } from '../../../contracts/tools/tool.ts'
import { useAddressValues } from '../../../kit/ui/address-values.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { TextInput } from '../../../kit/ui/controls/field.tsx'
import { useLanguage, useText } from '../../../kit/ui/language.tsx'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { useMedia } from '../../../kit/ui/use-media.ts'
import { messages as own } from '../../messages/document.ts'
import { messages } from '../../messages/pages.ts'
import { messages as shell } from '../../messages/shell.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { ApiReference, useApiOutline } from './api-reference.tsx'
import { findPassages } from './find-passages.ts'
import { Markdown } from './markdown.tsx'
import './document-page.css'

const documents = {
  en: import.meta.glob<string>(['../../../tools/*/document.en.md'], { query: '?raw', import: 'default' }),
  zh: import.meta.glob<string>(['../../../tools/*/document.zh.md'], { query: '?raw', import: 'default' }),
}
const portalDocuments = {
  en: import.meta.glob<string>(['../../documents/*.en.md', '../../../../docs/data-formats.en.md'], {
    query: '?raw',
    import: 'default',
  }),
  zh: import.meta.glob<string>(['../../documents/*.zh.md', '../../../../docs/data-formats.zh.md'], {
    query: '?raw',
    import: 'default',
  }),
}
/** A picture of each tool with its example, where it has one: scripts/document-pictures.mjs takes them. */
const figures = {
  en: import.meta.glob<string>('../../../tools/*/figure.en.webp', { query: '?url', import: 'default', eager: true }),
  zh: import.meta.glob<string>('../../../tools/*/figure.zh.webp', { query: '?url', import: 'default', eager: true }),
}
/** The portal's own chapters; how to load data, long and for the administrator, stands after the tools. */
const firstChapters = ['start', 'statistics']
const loadChapter = 'data-formats'

/** The Usage page: the portal's own chapters, one section of every tool at its tool's id, loading data, and the API. */
const DocumentPage = (): ReactNode => {
  const t = useText(messages)
  const o = useText(own)
  const s = useText(shell)
  const language = useLanguage()
  const tools = useToolList()
  const { hash } = useLocation()
  const chosen = decodeURIComponent(hash.slice(1))
  const [query, change] = useAddressValues()
  const words = query.get('q') ?? ''
  const { answer: api, groups } = useApiOutline()
  const wide = useMedia('(min-width: 960px)')
  const answer = useQuery({
    queryKey: ['documents', language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const read = async (files: Record<string, () => Promise<string>>): Promise<{ id: string; text: string }[]> =>
        Promise.all(
          Object.entries(files).map(async ([path, load]) => ({
            id: path.includes('/tools/')
              ? (path.split('/').at(-2) ?? '')
              : ((path.split('/').at(-1) ?? '').split('.')[0] ?? ''),
            text: await load(),
          })),
        )
      return { portal: await read(portalDocuments[language]), tools: await read(documents[language]) }
    },
  })
  // Anchors of the API are there when its document has come.
  const ready = answer.data !== undefined && (!chosen.startsWith('api') || api.data !== undefined)
  useEffect(() => {
    if (ready && chosen !== '') document.getElementById(chosen)?.scrollIntoView()
  }, [ready, chosen])

  const titleOf = (text: string, id: string): string => /^#\s+(.+)$/m.exec(text)?.[1] ?? id
  const chapters = firstChapters.flatMap((id) => answer.data?.portal.filter((one) => one.id === id) ?? [])
  const loading = answer.data?.portal.find((one) => one.id === loadChapter)
  const toolText = (id: string): string | undefined => answer.data?.tools.find((one) => one.id === id)?.text
  const passages = findPassages(
    [
      ...chapters.map((one) => ({
        id: one.id,
        title: titleOf(one.text, one.id),
        text: one.text.replace(/^# .*/m, ''),
      })),
      ...tools.map((tool) => ({ id: tool.id, title: tool.title[language], text: toolText(tool.id) ?? '' })),
      ...(loading === undefined
        ? []
        : [{ id: loadChapter, title: o('load.title'), text: loading.text.replace(/^# .*/m, '') }]),
      ...groups.flatMap((group) =>
        group.endpoints.map((endpoint) => ({
          id: endpoint.id,
          title: `${endpoint.method} ${endpoint.path}`,
          text: `${endpoint.summary}. ${endpoint.input.map((field) => field.name).join(', ')}`,
        })),
      ),
    ],
    words,
  )
  const entry = (id: string, title: string): ReactNode => (
    <Link
      key={id}
      to={{ search: query.toString(), hash: `#${id}` }}
      className={chosen === id ? 'document-here' : ''}
      aria-current={chosen === id ? 'location' : undefined}
    >
      {title}
    </Link>
  )

  return (
    <main className="nv-page document">
      <PageTitle>{t('document.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('document.title')}</h1>
          <p className="nv-lead">{t('document.lead')}</p>
        </div>
        <div className="nv-page-actions">
          <Button look="quiet" icon={<Printer size={15} aria-hidden />} onClick={() => window.print()}>
            {o('page.print')}
          </Button>
        </div>
      </header>
      {answer.isPending ? <Waiting /> : null}
      {answer.isError ? <Unanswered of={answer} /> : null}
      {answer.data === undefined ? null : (
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
                <h2>{t('document.portal')}</h2>
                {chapters.map((one) => entry(one.id, titleOf(one.text, one.id)))}
                {toolCategories.map((category) => {
                  const some = tools.filter((tool) => tool.category === category)
                  return some.length === 0 ? null : (
                    <div key={category}>
                      <h2>{s(`category.${category}`)}</h2>
                      {some.map((tool) => entry(tool.id, tool.title[language]))}
                    </div>
                  )
                })}
                <h2>{o('load.title')}</h2>
                {loading === undefined ? null : entry(loadChapter, titleOf(loading.text, loadChapter))}
                <h2>{o('api.title')}</h2>
                {entry('api', o('api.title'))}
                {entry('api-errors', o('api.errors'))}
              </nav>
            </details>
          </div>
          <article className="document-text">
            {words.trim() === '' ? null : (
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
                    onClick={() => change({ q: null }, true)}
                  />
                </p>
                <ol>
                  {passages.slice(0, 60).map((passage, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: passages are in the order of the page.
                    <li key={index}>
                      <Link to={{ search: query.toString(), hash: `#${passage.id}` }}>{passage.title}</Link>
                      <span>
                        …{passage.before}
                        <mark>{passage.match}</mark>
                        {passage.after}…
                      </span>
                    </li>
                  ))}
                </ol>
              </section>
            )}
            {chapters.map((one) => (
              <section key={one.id} id={one.id}>
                <Markdown text={one.text} section={one.id} />
              </section>
            ))}
            {tools.map((tool) => {
              const text = toolText(tool.id)
              const figure = figures[language][`../../../tools/${tool.id}/figure.${language}.webp`]
              return (
                <section key={tool.id} id={tool.id}>
                  <header className="document-tool">
                    <h2>{tool.title[language]}</h2>
                    <Link to={tool.route}>
                      {o('tool.open', { name: tool.title[language] })} <ArrowUpRight size={14} aria-hidden />
                    </Link>
                  </header>
                  {figure === undefined ? null : (
                    <figure className="document-figure">
                      <img src={figure} loading="lazy" alt={o('tool.figure', { name: tool.title[language] })} />
                      <figcaption>{o('tool.figure', { name: tool.title[language] })}</figcaption>
                    </figure>
                  )}
                  {text === undefined ? (
                    <p>{t('document.none')}</p>
                  ) : (
                    <Markdown text={text.replace(/^#\s+.*\n/, '')} section={tool.id} />
                  )}
                </section>
              )
            })}
            {loading === undefined ? null : (
              <section id={loadChapter}>
                <Markdown text={loading.text} section={loadChapter} />
              </section>
            )}
            <section id="api">
              <ApiReference chosen={chosen} />
            </section>
          </article>
        </div>
      )}
    </main>
  )
}

export default DocumentPage
