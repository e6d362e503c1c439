import { ChevronRight } from 'lucide-react'
import {
  type CSSProperties,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'

interface Fold {
  /** What a frame within need not say again. */
  title: string
  /** In the head: where the actions of the content stand. */
  actions: HTMLElement | null
}

const FoldContext = createContext<Fold | null>(null)

/** The folding card around, for frames that would repeat its title; null outside of one. */
export const useFold = (): Fold | null => useContext(FoldContext)

/** What can be done with the content of a folding card: stands in its head, or here where there is no such card. */
export const FoldActions = ({ children }: { children: ReactNode }): ReactNode => {
  const fold = useFold()
  if (fold === null) return <div className="nv-card-actions">{children}</div>
  return fold.actions === null ? null : createPortal(children, fold.actions)
}

/** Content is loaded before it comes into the window, by so much of its height. */
const ahead = '50%'

/**
 * A card whose content is shown and hidden by its title. The content is made when it is first open and near the window, and kept from
 * then on, so that folding loses nothing and a print has it; until it has loaded, `heightPx` is held for it, so that nothing below moves.
 */
export const FoldingCard = ({
  id,
  title,
  tag,
  gist,
  open,
  onOpen,
  heightPx,
  narrowPx = 1.5 * heightPx,
  flush = false,
  children,
}: {
  id: string
  title: string
  /** Beside the title, as that data are simulated. */
  tag?: ReactNode
  /** A few words in the head; made when that comes near the window. */
  gist?: () => ReactNode
  open: boolean
  onOpen: (open: boolean) => void
  heightPx: number
  /** The same on a phone, where what stands side by side stands one below the other. */
  narrowPx?: number | undefined
  /** Content goes to the card's edge (tables). */
  flush?: boolean
  children: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const root = useRef<HTMLElement>(null)
  const [near, setNear] = useState(false)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const [made, setMade] = useState(false)
  useEffect(() => {
    const card = root.current
    if (card === null || near) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: `${ahead} 0px` },
    )
    observer.observe(card)
    return () => observer.disconnect()
  }, [near])
  const make = made || (open && near)
  useEffect(() => {
    if (make) setMade(true)
  }, [make])
  const fold = useMemo(() => ({ title, actions }), [title, actions])
  return (
    <section ref={root} className="nv-card nv-fold" id={id} data-loaded={make} aria-labelledby={`${id}-title`}>
      <header className="nv-card-head nv-fold-head">
        <h2>
          <button
            id={`${id}-title`}
            type="button"
            className="nv-fold-button"
            aria-expanded={open}
            aria-controls={`${id}-content`}
            title={open ? t('fold.close') : t('fold.open')}
            onClick={() => onOpen(!open)}
          >
            <ChevronRight size={16} aria-hidden />
            {title}
          </button>
        </h2>
        {tag}
        {gist === undefined ? null : <div className="nv-card-aside nv-fold-gist">{near ? gist() : null}</div>}
        <div ref={setActions} className="nv-card-actions" hidden={!open} />
      </header>
      <div
        id={`${id}-content`}
        className={`nv-fold-content ${flush ? 'nv-card-flush' : 'nv-card-body'}`}
        hidden={!open}
        style={{ '--held': `${heightPx}px`, '--held-narrow': `${narrowPx}px` } as CSSProperties}
      >
        <FoldContext value={fold}>{make ? children : <div className="nv-fold-held" />}</FoldContext>
      </div>
    </section>
  )
}
