import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** The pages of a tool that has several, under the title of each; a result belongs to the page that it was asked for on. */
export const ToolPages = ({
  label,
  pages,
  now,
}: {
  label: string
  pages: readonly { key: string; to: string; title: string }[]
  now: string
}): ReactNode => (
  <nav className="nv-tool-pages" aria-label={label}>
    {pages.map(({ key, to, title }) => (
      <Link key={key} to={to} aria-current={key === now ? 'page' : undefined}>
        {title}
      </Link>
    ))}
  </nav>
)
