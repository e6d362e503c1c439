import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

export interface Tab {
  key: string
  label: ReactNode
  count?: number
}

/** A row of tabs; the panel is the caller's child, drawn for the chosen key. Arrows, Home and End choose a tab. */
export const Tabs = ({
  tabs,
  chosen,
  onChoose,
  label,
  children,
}: {
  tabs: Tab[]
  chosen: string
  onChoose: (key: string) => void
  label: string
  children?: ReactNode
}): ReactNode => {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  // On a narrow screen the row scrolls by itself: the chosen tab must not be out of sight. The page stays where it is.
  useLayoutEffect(() => {
    const list = row.current
    const tab = list?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(chosen)}"]`)
    if (list === null || tab === null || tab === undefined) return
    const show = (): void => {
      const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
      const margin = 32
      if (inner.left < outer.left + margin) list.scrollLeft += inner.left - outer.left - margin
      else if (inner.right > outer.right - margin) list.scrollLeft += inner.right - outer.right + margin
    }
    show()
    // Labels grow when their font or their counts come.
    const sizes = new ResizeObserver(show)
    for (const one of list.children) sizes.observe(one)
    return () => sizes.disconnect()
  }, [chosen])
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    // From the tab that has the focus: what is chosen may stand in the address, which is told a moment later.
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-tab]')?.dataset.tab ?? chosen
    const at = tabs.findIndex((tab) => tab.key === focused)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    let next: Tab | undefined
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      next = tabs[(at + (event.key === forward ? 1 : -1) + tabs.length) % tabs.length]
    else if (event.key === 'Home') next = tabs[0]
    else if (event.key === 'End') next = tabs.at(-1)
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <div className="nv-tabs">
      <div ref={row} role="tablist" aria-label={label} className="nv-tablist" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            data-tab={tab.key}
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === chosen}
            aria-controls={children === undefined ? undefined : `${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => onChoose(tab.key)}
          >
            {tab.label}
            {tab.count === undefined ? null : <small>{tab.count}</small>}
          </button>
        ))}
      </div>
      {children === undefined ? null : (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
          {children}
        </div>
      )}
    </div>
  )
}
