import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { toolCategories } from '../../contracts/tools/tool.ts'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { TextInput } from '../../kit/ui/controls/field.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useToolStatuses } from '../../kit/ui/portal-data.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages } from '../messages/pages.ts'
import { messages as shell } from '../messages/shell.ts'
import { PageTitle } from '../shell/page-title.tsx'
import './tools-page.css'

const ToolsPage = (): ReactNode => {
  const t = useText(messages)
  const s = useText(shell)
  const language = useLanguage()
  const tools = useToolList()
  const statusesAnswer = useToolStatuses()
  const statuses = statusesAnswer.data ?? []
  const [words, setWords] = useState('')
  const parts = words.toLowerCase().split(/\s+/)
  const shown = tools.filter((tool) =>
    parts.every((part) =>
      [tool.id, tool.title.en, tool.title.zh, tool.summary[language]].join(' ').toLowerCase().includes(part),
    ),
  )
  return (
    <main className="nv-page">
      <PageTitle>{t('tools.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('tools.title')}</h1>
          <p className="nv-lead">{t('tools.lead')}</p>
        </div>
        <div className="nv-page-actions">
          <TextInput
            type="search"
            aria-label={t('tools.filter')}
            placeholder={t('tools.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      </header>
      {statusesAnswer.isError ? <Unanswered of={statusesAnswer} line /> : null}
      {shown.length === 0 ? <EmptyState title={t(tools.length === 0 ? 'tools.empty' : 'tools.none')} /> : null}
      {toolCategories.map((category) => {
        const own = shown.filter((tool) => tool.category === category)
        if (own.length === 0) return null
        return (
          <section key={category} className="tools-group">
            <h2>{s(`category.${category}`)}</h2>
            <ul className="tools-grid">
              {own.map((tool) => {
                const status = statuses.find((one) => one.id === tool.id)
                return (
                  <li key={tool.id}>
                    <Link to={tool.route} className="tools-card">
                      <span className="tools-icon">
                        <tool.icon size={20} aria-hidden />
                      </span>
                      <span className="tools-text">
                        <strong>
                          {tool.title[language]} {tool.mode === 'job' ? <Tag tone="grey">{s('tool.job')}</Tag> : null}
                          {status?.available === false ? (
                            <Tag tone="amber" title={status.unavailable.join('\n')}>
                              {s('tool.unavailable')}
                            </Tag>
                          ) : null}
                        </strong>
                        <span>{tool.summary[language]}</span>
                      </span>
                    </Link>
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
    </main>
  )
}

export default ToolsPage
