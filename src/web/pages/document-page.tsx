import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { toolCategories } from '../../contracts/tool.ts'
import { FailureState, Waiting } from '../../kit/ui/empty-state.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useToolList } from '../../kit/ui/tool-list.ts'
import { Markdown } from '../markdown.tsx'
import { messages } from '../messages/pages.ts'
import { messages as shell } from '../messages/shell.ts'
import { PageTitle } from '../page-title.tsx'
import './document-page.css'

const documents = {
  en: import.meta.glob<string>(['../../tools/*/document.en.md'], { query: '?raw', import: 'default' }),
  zh: import.meta.glob<string>(['../../tools/*/document.zh.md'], { query: '?raw', import: 'default' }),
}
const portalDocuments = {
  en: import.meta.glob<string>('../documents/*.en.md', { query: '?raw', import: 'default' }),
  zh: import.meta.glob<string>('../documents/*.zh.md', { query: '?raw', import: 'default' }),
}

/** The Usage page: the portal's own chapters, then one section of every tool, each at its tool's id. */
const DocumentPage = (): ReactNode => {
  const t = useText(messages)
  const s = useText(shell)
  const language = useLanguage()
  const tools = useToolList()
  const { hash } = useLocation()
  const chosen = hash.slice(1)
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
  const loaded = answer.data !== undefined
  useEffect(() => {
    if (loaded && chosen !== '') document.getElementById(decodeURIComponent(chosen))?.scrollIntoView()
  }, [loaded, chosen])

  const titleOf = (text: string, id: string): string => /^#\s+(.+)$/m.exec(text)?.[1] ?? id
  return (
    <main className="nv-page">
      <PageTitle>{t('document.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('document.title')}</h1>
          <p className="nv-lead">{t('document.lead')}</p>
        </div>
      </header>
      {answer.isPending ? <Waiting /> : null}
      {answer.isError ? <FailureState onRetry={() => void answer.refetch()} /> : null}
      {answer.data === undefined ? null : (
        <div className="document-grid">
          <nav className="document-index" aria-label={t('document.contents')}>
            {answer.data.portal.length === 0 ? null : <h2>{t('document.portal')}</h2>}
            {answer.data.portal.map((one) => (
              <Link key={one.id} to={`#${one.id}`} className={chosen === one.id ? 'document-here' : ''}>
                {titleOf(one.text, one.id)}
              </Link>
            ))}
            {toolCategories.map((category) => {
              const own = tools.filter((tool) => tool.category === category)
              return own.length === 0 ? null : (
                <div key={category}>
                  <h2>{s(`category.${category}`)}</h2>
                  {own.map((tool) => (
                    <Link key={tool.id} to={`#${tool.id}`} className={chosen === tool.id ? 'document-here' : ''}>
                      {tool.title[language]}
                    </Link>
                  ))}
                </div>
              )
            })}
          </nav>
          <article className="document-text">
            {answer.data.portal.map((one) => (
              <section key={one.id} id={one.id}>
                <Markdown text={one.text} section={one.id} />
              </section>
            ))}
            {tools.map((tool) => {
              const found = answer.data.tools.find((one) => one.id === tool.id)
              return (
                <section key={tool.id} id={tool.id}>
                  {found === undefined ? (
                    <>
                      <h2>{tool.title[language]}</h2>
                      <p>{t('document.none')}</p>
                    </>
                  ) : (
                    <Markdown text={found.text} section={tool.id} />
                  )}
                </section>
              )
            })}
          </article>
        </div>
      )}
    </main>
  )
}

export default DocumentPage
