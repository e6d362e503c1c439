import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages, type RouteTitle } from '../messages/routes.ts'
import { PageTitle } from '../shell/page-title.tsx'
import './tools-page.css'

/** The address of a tool that this installation does not have: what it would be for, and what there is instead. */
export const AbsentToolPage = ({ title }: { title: RouteTitle }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = useToolList()
  const name = t(`route.${title}`)
  const purpose = `absent.${title}`
  return (
    <main className="nv-page" data-absent={title}>
      <PageTitle>{name}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{name}</h1>
          <p className="nv-lead">{t('absent.lead')}</p>
        </div>
      </header>
      <Card title={t('absent.purpose')}>
        <p>{purpose in messages.en ? t(purpose as 'absent.blast') : name}</p>
        <p className="nv-quiet">{t('absent.admin')}</p>
      </Card>
      {tools.length === 0 ? null : (
        <section className="tools-group">
          <h2>
            <Link to="/tools">{t('absent.tools')}</Link>
          </h2>
          <ul className="tools-grid">
            {tools.map((tool) => (
              <li key={tool.id}>
                <Link to={tool.route} className="tools-card">
                  <span className="tools-icon">
                    <tool.icon size={20} aria-hidden />
                  </span>
                  <span className="tools-text">
                    <strong>{tool.title[language]}</strong>
                    <span>{tool.summary[language]}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}
