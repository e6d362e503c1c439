import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, type ButtonVariant } from './button.tsx'

export interface MenuItem {
  key: string
  label: ReactNode
  icon?: ReactNode
  hint?: string
  run?: () => void
  href?: string
  chosen?: boolean
  /** A heading over the items after it; not to be chosen. */
  heading?: boolean
}

/** A button with a list under it. Arrow keys move, Escape closes and gives the focus back, a click outside closes. */
export const Menu = ({
  label,
  items,
  look = 'default',
  size = 'normal',
  icon,
  title,
  className = '',
  disabled = false,
  top,
  children,
}: {
  label?: ReactNode
  items: MenuItem[]
  look?: ButtonVariant
  size?: 'small' | 'normal'
  icon?: ReactNode
  /** Name for screen readers when the button shows only an icon. */
  title?: string
  className?: string
  disabled?: boolean
  /** Drawn over the items: choices that hold for all of them. */
  top?: ReactNode
  /** Drawn under the items; for what a plain list cannot say. */
  children?: (close: () => void) => ReactNode
}): ReactNode => {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    root.current?.querySelector<HTMLElement>('[role=menuitem], [role=menuitemradio], input')?.focus()
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const close = (): void => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('.nv-menu-button')?.focus()
  }

  const move = (step: number): void => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are handled here for the button and list inside.
    <div
      className={`nv-menu ${className}`}
      ref={root}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !root.current?.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (!open) return
        if (event.key === 'Escape') close()
        else if (event.key === 'ArrowDown') move(1)
        else if (event.key === 'ArrowUp') move(-1)
        else return
        event.preventDefault()
      }}
    >
      <Button
        look={look}
        size={size}
        icon={icon}
        className="nv-menu-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-label={title}
        title={title}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      {open ? (
        // Pressing what takes no focus, as the words of a choice, would give it to the page, and the list would close before the click.
        <div
          className="nv-menu-list"
          id={id}
          role="menu"
          onMouseDown={(event) => {
            if (!(event.target as Element).closest('input, textarea, select, button, a')) event.preventDefault()
          }}
        >
          {top}
          {items.map((item) =>
            item.heading === true ? (
              <div key={item.key} className="nv-menu-heading">
                {item.label}
              </div>
            ) : item.href !== undefined ? (
              <a
                key={item.key}
                role="menuitem"
                href={item.href}
                className="nv-menu-item"
                onClick={() => setOpen(false)}
              >
                {item.icon}
                <span>{item.label}</span>
                {item.hint === undefined ? null : <small>{item.hint}</small>}
              </a>
            ) : (
              <button
                key={item.key}
                type="button"
                {...(item.chosen === undefined
                  ? { role: 'menuitem' }
                  : { role: 'menuitemradio', 'aria-checked': item.chosen })}
                className="nv-menu-item"
                onClick={() => {
                  close()
                  item.run?.()
                }}
              >
                {item.icon}
                <span>{item.label}</span>
                {item.hint === undefined ? null : <small>{item.hint}</small>}
              </button>
            ),
          )}
          {children?.(close)}
        </div>
      ) : null}
    </div>
  )
}
