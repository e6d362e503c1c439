import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { toolCategories } from '../../contracts/tools/tool.ts'
import { usePressOutside } from '../../kit/ui/controls/use-press-outside.ts'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages } from '../messages/shell.ts'

/**
 * The entry of the main menu that leads to the tools: pressed, it opens all of them under it, by question (a disclosure, WAI-ARIA Authoring
 * Practices); as a link it still leads to their page, in a new tab, say. Arrows go through the tools; Escape, a press outside and the
 * focus elsewhere close it.
 */
export const ToolsPanel = ({
  to,
  title,
  isCurrent,
}: {
  to: string
  title: string
  /** The page is one of a tool, or that of all tools. */
  isCurrent: boolean
}): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = useToolList()
  const { pathname, search } = useLocation()
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const entry = useRef<HTMLAnchorElement>(null)
  const id = useId()

  usePressOutside(root, open, () => setOpen(false))
  // Another page has come: also by the keyboard or by Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what it follows.
  useEffect(() => setOpen(false), [pathname, search])

  const links = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('.shell-tools a') ?? [])]
  const toFirst = useRef(false)
  useEffect(() => {
    if (open && toFirst.current) links()[0]?.focus()
    toFirst.current = false
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = links()
    const at = all.indexOf(event.target as HTMLElement)
    if (event.key === 'Escape' && open) {
      setOpen(false)
      entry.current?.focus()
    } else if (event.key === 'ArrowDown' && !open) {
      toFirst.current = true
      setOpen(true)
    } else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus()
    else if (event.key === 'ArrowUp' && at === 0) entry.current?.focus()
    else if (event.key === 'ArrowUp' && at > 0) all[at - 1]?.focus()
    else if (event.key === 'Home' && at >= 0) all[0]?.focus()
    else if (event.key === 'End' && at >= 0) all.at(-1)?.focus()
    else return
    event.preventDefault()
  }

  const press = (event: MouseEvent): void => {
    // Into a new tab or window it is the link that it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    setOpen(!open)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are handled here for the entry and the links below it.
    <div
      className="shell-tools-entry"
      ref={root}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !root.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Link
        ref={entry}
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={press}
      >
        {title}
        <ChevronDown size={14} aria-hidden />
      </Link>
      {open ? (
        <div className="shell-tools" id={id}>
          {toolCategories.map((category) => {
            const own = tools.filter((tool) => tool.category === category)
            if (own.length === 0) return null
            return (
              <div key={category} className="shell-tools-group">
                <p id={`${id}-${category}`}>{t(`question.${category}`)}</p>
                <ul aria-labelledby={`${id}-${category}`}>
                  {own.map((tool) => (
                    <li key={tool.id}>
                      <Link to={tool.route} onClick={() => setOpen(false)} title={tool.summary[language]}>
                        <tool.icon size={16} aria-hidden />
                        {tool.title[language]}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            )
          })}
          <Link className="shell-tools-all" to={to} onClick={() => setOpen(false)}>
            {t('tools.all')}
          </Link>
        </div>
      ) : null}
    </div>
  )
}
