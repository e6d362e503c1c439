import { ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'

export interface Choice {
  value: string
  label: ReactNode
  /** A second, quieter line or word. */
  hint?: ReactNode
  group?: string
}

/**
 * A box to type in, with a list of choices under it (ARIA combobox). The caller gives the choices for what is typed;
 * arrows move, Enter takes, Escape closes. With `free`, Enter without a marked choice hands over the typed text.
 */
export const Combobox = ({
  id,
  text,
  onText,
  choices,
  onChoose,
  onFree,
  placeholder,
  label,
  className = '',
  busy = false,
  clearable = false,
  describedBy,
  invalid,
  openOnFocus = true,
  inputClassName = 'nv-input',
  autoFocus = false,
  chooser = false,
}: {
  id?: string
  text: string
  onText: (text: string) => void
  choices: Choice[]
  onChoose: (value: string) => void
  onFree?: (text: string) => void
  placeholder?: string
  label: string
  className?: string
  busy?: boolean
  clearable?: boolean
  describedBy?: string
  invalid?: true | undefined
  openOnFocus?: boolean
  inputClassName?: string
  autoFocus?: boolean
  /** Shows that there is a list to choose from. */
  chooser?: boolean
}): ReactNode => {
  const t = useText(messages)
  const listId = useId()
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  /** The focus comes back to the box without its list. */
  const quiet = useRef(false)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)

  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  useEffect(() => {
    if (at >= 0) root.current?.querySelector(`#${CSS.escape(`${listId}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  const take = (value: string): void => {
    setOpen(false)
    setAt(-1)
    onChoose(value)
  }

  const keys = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) setOpen(true)
      else if (choices.length > 0)
        setAt((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + choices.length) % choices.length)
    } else if (event.key === 'Enter') {
      const choice = open && at >= 0 ? choices[at] : undefined
      if (choice !== undefined) {
        event.preventDefault()
        take(choice.value)
      } else if (onFree !== undefined) {
        event.preventDefault()
        setOpen(false)
        onFree(text)
      }
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      setOpen(false)
    }
  }

  const listed = open && choices.length > 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: that the focus leaves is seen here for box, button and list.
    <div
      className={`nv-combobox ${className}`}
      ref={root}
      // Whatever has the focus next, the list is done with; but its own scroll bar may be pulled.
      onBlur={({ relatedTarget }) => {
        if (relatedTarget?.closest('[role=listbox]')?.id !== listId) setOpen(false)
      }}
    >
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-label={id === undefined ? label : undefined}
        aria-expanded={listed}
        aria-controls={listed ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={listed && at >= 0 ? `${listId}-${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-busy={busy || undefined}
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: only where the page is one box to type in.
        autoFocus={autoFocus}
        className={inputClassName}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setOpen(true)
          setAt(-1)
        }}
        onFocus={() => {
          if (openOnFocus && !quiet.current) setOpen(true)
          quiet.current = false
        }}
        onKeyDown={keys}
      />
      {clearable && text !== '' ? (
        <button
          type="button"
          className="nv-combobox-clear"
          aria-label={t('combobox.clear')}
          onClick={() => {
            onText('')
            // The button goes with the text: whoever pressed it would be left nowhere.
            quiet.current = true
            input.current?.focus()
          }}
        >
          <X size={14} aria-hidden />
        </button>
      ) : chooser ? (
        <ChevronDown className="nv-combobox-arrow" size={15} aria-hidden />
      ) : null}
      {listed ? (
        // Not a stop of the keyboard, as browsers make of what scrolls: the arrows in the box scroll it.
        <div className="nv-combobox-list" id={listId} role="listbox" aria-label={label} tabIndex={-1}>
          {choices.map((choice, index) => (
            <div key={choice.value}>
              {choice.group !== undefined && choice.group !== choices[index - 1]?.group ? (
                <div className="nv-menu-heading">{choice.group}</div>
              ) : null}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above holds the focus and the keys. */}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className="nv-combobox-choice"
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setAt(index)}
                onClick={() => take(choice.value)}
              >
                <span>{choice.label}</span>
                {choice.hint === undefined ? null : <small>{choice.hint}</small>}
              </div>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  )
}
