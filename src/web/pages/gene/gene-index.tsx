import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/pages.ts'

/** The section in sight. */
const useSectionInSight = (ids: string[]): string | undefined => {
  const [seen, setSeen] = useState<string | undefined>(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const look = (): void => {
      const above = key
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < 140)
      setSeen(above.at(-1) ?? key.split(' ')[0])
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [key])
  return seen
}

/** What there is on the page and how much; follows the page, and scrolls by itself where it is longer than the window. */
export const GeneIndex = ({
  sections,
  onOpen,
  allOpen,
  onAll,
}: {
  sections: { id: string; title: string; count?: number | undefined; folds?: boolean }[]
  /** A section is to be seen: it must be open. */
  onOpen: (id: string) => void
  allOpen: boolean
  onAll: (open: boolean) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const seen = useSectionInSight(sections.map(({ id }) => id))
  const index = useRef<HTMLElement>(null)
  // Not by `scrollIntoView`, which would move the page as well.
  useEffect(() => {
    const entry = seen === undefined ? null : index.current?.querySelector('[aria-current]')
    if (index.current === null || !entry) return
    const [box, own] = [index.current.getBoundingClientRect(), entry.getBoundingClientRect()]
    index.current.scrollBy(
      Math.min(0, own.left - box.left) + Math.max(0, own.right - box.right),
      Math.min(0, own.top - box.top) + Math.max(0, own.bottom - box.bottom),
    )
  }, [seen])
  return (
    <nav className="gene-index" ref={index} aria-label={t('gene.contents')}>
      {sections.map(({ id, title, count }) => (
        <a key={id} href={`#${id}`} aria-current={seen === id ? 'location' : undefined} onClick={() => onOpen(id)}>
          <span>{title}</span>
          {count === undefined ? null : <small>{format.number(count)}</small>}
        </a>
      ))}
      {sections.some(({ folds }) => folds) ? (
        <Button
          size="small"
          look="quiet"
          icon={allOpen ? <ChevronsDownUp size={14} aria-hidden /> : <ChevronsUpDown size={14} aria-hidden />}
          onClick={() => onAll(!allOpen)}
        >
          {allOpen ? t('gene.foldAll') : t('gene.openAll')}
        </Button>
      ) : null}
    </nav>
  )
}
