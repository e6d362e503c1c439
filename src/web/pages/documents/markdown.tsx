import { marked, type Token, type Tokens } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ScrollBox } from '../../../kit/ui/controls/scroll-box.tsx'
import { chapterAddress, loadChapters } from './chapters.ts'

/** Anchor of a heading: `anchorOf('Limits & units')` is `limits-units`; Chinese characters are kept. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Address of the chapter that a document beside this one is in the Usage; null of other addresses. */
const chapterHref = (href: string): string | null => {
  const id = loadChapters.find((one) => href.startsWith(`${one}.`) && /^[\w-]+\.(en|zh)\.md$/.test(href))
  return id === undefined ? null : chapterAddress(id)
}

/** Addresses that a document may lead to: pages of the portal, anchors, and the web; `javascript:` and the like are dropped. */
export const safeHref = (href: string): string | null => (/^(https?:|mailto:|\/(?!\/)|#)/i.test(href) ? href : null)

const inline = (tokens: Token[] | undefined, section: string): ReactNode =>
  (tokens ?? []).map((token, index) => {
    const key = `${token.type}${index}`
    switch (token.type) {
      case 'strong':
        return <strong key={key}>{inline((token as Tokens.Strong).tokens, section)}</strong>
      case 'em':
        return <em key={key}>{inline((token as Tokens.Em).tokens, section)}</em>
      case 'del':
        return <del key={key}>{inline((token as Tokens.Del).tokens, section)}</del>
      case 'codespan':
        return <code key={key}>{(token as Tokens.Codespan).text}</code>
      case 'br':
        return <br key={key} />
      case 'link': {
        const link = token as Tokens.Link
        const safe = chapterHref(link.href) ?? safeHref(link.href)
        const href = safe?.startsWith('#') ? `#${section}-${safe.slice(1)}` : safe
        if (href === null) return <Fragment key={key}>{inline(link.tokens, section)}</Fragment>
        return href.startsWith('/') && !/^\/(api|data|refget)\//.test(href) ? (
          <Link key={key} to={href}>
            {inline(link.tokens, section)}
          </Link>
        ) : (
          <a key={key} href={href} rel="noreferrer" target={href.startsWith('http') ? '_blank' : undefined}>
            {inline(link.tokens, section)}
          </a>
        )
      }
      case 'escape':
        return (token as Tokens.Escape).text
      case 'text': {
        const text = token as Tokens.Text
        return text.tokens === undefined ? text.text : <Fragment key={key}>{inline(text.tokens, section)}</Fragment>
      }
      default:
        // Raw HTML and whatever else is shown as the text it is: nothing of a document is ever run.
        return token.raw
    }
  })

const block = (token: Token, index: number, section: string, lowered: number): ReactNode => {
  const key = `${token.type}${index}`
  switch (token.type) {
    case 'heading': {
      const heading = token as Tokens.Heading
      return createElement(
        `h${Math.min(6, heading.depth + lowered)}`,
        { key, id: `${section}-${anchorOf(heading.text)}` },
        inline(heading.tokens, section),
      )
    }
    case 'paragraph':
      return <p key={key}>{inline((token as Tokens.Paragraph).tokens, section)}</p>
    case 'text':
      return <Fragment key={key}>{inline((token as Tokens.Text).tokens ?? [token], section)}</Fragment>
    case 'code':
      return (
        // Wider than its place it is scrolled: by the keyboard, too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached (WCAG 2.1.1)
        <pre key={key} tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote key={key}>{blocks((token as Tokens.Blockquote).tokens, section, lowered)}</blockquote>
    case 'list': {
      const list = token as Tokens.List
      return createElement(
        list.ordered ? 'ol' : 'ul',
        { key },
        // biome-ignore lint/suspicious/noArrayIndexKey: a document's list is as it was written.
        list.items.map((item, at) => <li key={at}>{blocks(item.tokens, section, lowered)}</li>),
      )
    }
    case 'table': {
      const table = token as Tokens.Table
      return (
        <ScrollBox key={key} className="document-table" label={table.header.map((cell) => cell.text).join(', ')}>
          <table>
            <thead>
              <tr>
                {table.header.map((cell) => (
                  <th key={cell.text} scope="col">
                    {inline(cell.tokens, section)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a document's table is as it was written.
                <tr key={at}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: likewise.
                    <td key={column}>{inline(cell.tokens, section)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )
    }
    case 'hr':
      return <hr key={key} />
    case 'space':
      return null
    default:
      return <p key={key}>{token.raw}</p>
  }
}

/** Headings of the two highest levels of a text, with the anchors that `Markdown` gives them. */
export const headingsOf = (text: string, section: string): { id: string; title: string; level: 1 | 2 }[] => {
  const headings = marked.lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading')
  const highest = Math.min(...headings.map(({ depth }) => depth))
  return headings
    .filter(({ depth }) => depth <= highest + 1)
    .map(({ text: title, depth }) => ({
      id: `${section}-${anchorOf(title)}`,
      title: title.replace(/[*_`]/g, ''),
      level: depth === highest ? 1 : 2,
    }))
}

const blocks = (tokens: Token[], section: string, lowered: number): ReactNode =>
  tokens.map((token, index) => block(token, index, section, lowered))

/**
 * A Markdown text as elements; no HTML of it reaches the page. Its highest headings are those of the second level, below the page's own;
 * ids begin with `section`, and so do links to them.
 */
export const Markdown = ({ text, section }: { text: string; section: string }): ReactNode => {
  const tokens = marked.lexer(text)
  const highest = Math.min(
    ...tokens.flatMap((token) => (token.type === 'heading' ? [(token as Tokens.Heading).depth] : [])),
  )
  return <>{blocks(tokens, section, Number.isFinite(highest) ? 2 - highest : 1)}</>
}
