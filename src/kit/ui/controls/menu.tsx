import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, type ButtonVariant } from './button.tsx'
import { usePressOutside } from './use-press-outside.ts'

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

/** Letters that follow one another within this time are of one word. */
const typeaheadMs = 700

const itemsIn = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
]

/**
 * A button with a list under it, with the keys of a menu button (WAI-ARIA Authoring Practices): arrows, Home, End and first letters
 * move, Tab closes and goes on from the button, Escape closes and gives the focus back, a click outside closes. Fields in `top` or
 * `children` keep their own keys, and Tab goes through them. Why it is no library's: docs/decisions/0003.
 */
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
  /** Drawn over the items: choices that hold for all of them, or what one comes for first. */
  top?: ReactNode | ((close: () => void) => ReactNode)
  /** Drawn under the items; for what a plain list cannot say. */
  children?: (close: () => void) => ReactNode
}): ReactNode => {
  /** Where the focus begins in the open list. */
  const [open, setOpen] = useState<'first' | 'last' | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  const id = useId()
  /** A menu holds nothing but items: with fields beside it, it is a part of a dialog. */
  const hasFields = top !== undefined || children !== undefined

  usePressOutside(root, open !== null, () => setOpen(null))
  useEffect(() => {
    if (open === 'last') itemsIn(root.current).at(-1)?.focus()
    else if (open === 'first') {
      // By touch a text field would bring the keyboard over the list that was opened.
      const field = matchMedia('(pointer: coarse)').matches
        ? '[type=submit], [type=checkbox]'
        : 'input:not([type=radio])'
      root.current?.querySelector<HTMLElement>(`[role^=menuitem], ${field}, input:checked`)?.focus()
    }
  }, [open])

  const close = (): void => {
    setOpen(null)
    button.current?.focus()
  }

  /** The item that begins with the letters typed; the same letter again goes on to the next one. */
  const findTyped = (all: HTMLElement[], at: number, event: KeyboardEvent): HTMLElement | undefined => {
    const before = event.timeStamp - typed.current.at < typeaheadMs ? typed.current.text : ''
    const text = before + event.key.toLocaleLowerCase()
    typed.current = { text, at: event.timeStamp }
    const wanted = new Set(text).size === 1 ? text.slice(0, 1) : text
    const from = wanted.length === 1 ? at + 1 : at
    return [...all.slice(from), ...all.slice(0, from)].find((item) =>
      item.querySelector(':scope > :not([aria-hidden])')?.textContent.toLocaleLowerCase().startsWith(wanted),
    )
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { key } = event
    const all = itemsIn(root.current)
    const at = all.indexOf(event.target as HTMLElement)
    if (open === null) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return
      setOpen(key === 'ArrowDown' ? 'first' : 'last')
    } else if (key === 'Escape') close()
    // Fields beside the items have keys of their own.
    else if (at < 0 && event.target !== button.current) return
    else if (key === 'Tab') {
      // The browser goes on from the button, where the focus is by then.
      if (!hasFields) close()
      return
    } else if (key === 'ArrowDown') all[(at + 1) % all.length]?.focus()
    else if (key === 'ArrowUp') all.at(at < 0 ? -1 : at - 1)?.focus()
    else if (key === 'Home') all[0]?.focus()
    else if (key === 'End') all.at(-1)?.focus()
    else if (key === ' ' && all[at]?.tagName === 'A') all[at].click()
    else if (key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey)
      findTyped(all, at, event)?.focus()
    else return
    event.preventDefault()
  }

  const firstItem = items.find((item) => item.heading !== true)
  const renderItem = (item: MenuItem): ReactNode => {
    // Beside fields the menu is a stop of the Tab key.
    const shared = { className: 'nv-menu-item', tabIndex: hasFields && item === firstItem ? 0 : -1 }
    const content = (
      <>
        {item.icon}
        <span>{item.label}</span>
        {item.hint === undefined ? null : <small>{item.hint}</small>}
      </>
    )
    return item.href === undefined ? (
      <button
        key={item.key}
        type="button"
        {...shared}
        {...(item.chosen === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': item.chosen })}
        onClick={() => {
          close()
          item.run?.()
        }}
      >
        {content}
      </button>
    ) : (
      <a key={item.key} role="menuitem" href={item.href} {...shared} onClick={() => setOpen(null)}>
        {content}
      </a>
    )
  }

  // A group is read out by its heading.
  const groups: { heading?: MenuItem; items: MenuItem[] }[] = [{ items: [] }]
  for (const item of items) {
    if (item.heading === true) groups.push({ heading: item, items: [] })
    else groups.at(-1)!.items.push(item)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are handled here for the button and list inside.
    <div
      className={`nv-menu ${className}`}
      ref={root}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !root.current?.contains(event.relatedTarget)) setOpen(null)
      }}
      onKeyDown={onKeyDown}
    >
      <Button
        ref={button}
        id={`${id}-button`}
        look={look}
        size={size}
        icon={icon}
        className="nv-menu-button"
        aria-haspopup={hasFields ? 'dialog' : 'menu'}
        aria-expanded={open !== null}
        aria-controls={open === null ? undefined : id}
        aria-label={title}
        title={title}
        disabled={disabled}
        onClick={() => setOpen(open === null ? 'first' : null)}
      >
        {label}
      </Button>
      {open === null ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: pressing what takes no focus, as the words of a choice, would give it to the page, and the list would close before the click.
        <div
          className="nv-menu-list"
          id={id}
          {...(hasFields ? { role: 'dialog', 'aria-labelledby': `${id}-button` } : {})}
          onMouseDown={(event) => {
            if (!(event.target as Element).closest('input, textarea, select, button, a')) event.preventDefault()
          }}
        >
          {typeof top === 'function' ? top(close) : top}
          {firstItem === undefined ? null : (
            <div role="menu" aria-labelledby={`${id}-button`}>
              {groups.map(({ heading, items: own }) =>
                heading === undefined ? (
                  own.map(renderItem)
                ) : (
                  // biome-ignore lint/a11y/useSemanticElements: a fieldset is of forms.
                  <div key={heading.key} role="group" aria-labelledby={`${id}-${heading.key}`}>
                    <div className="nv-menu-heading" id={`${id}-${heading.key}`}>
                      {heading.label}
                    </div>
                    {own.map(renderItem)}
                  </div>
                ),
              )}
            </div>
          )}
          {children?.(close)}
        </div>
      )}
    </div>
  )
}

/** Choices within a menu that hold for what is chosen after them. */
export const MenuChoices = <Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChoose: (value: Value) => void
}): ReactNode => {
  const name = useId()
  return (
    <div className="nv-menu-checks" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="nv-checkbox">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
