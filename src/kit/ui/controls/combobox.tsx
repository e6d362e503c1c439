import { ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { usePressOutside } from './use-press-outside.ts'

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

  usePressOutside(root, open, () => setOpen(false))
  useEffect(() => {
    if (at >= 0) root.current?.querySelector(`#${CSS.escape(`${listId}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  const take = (value: string): void => {
    setOpen(false)
    setAt(-1)
    onChoose(value)
  }

  const keys = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Of an input method that is writing a word, such as Pinyin, these keys are its own.
    if (event.nativeEvent.isComposing) return
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
  // A group is read out by its heading.
  const groups: { name: string | undefined; first: number; options: ReactNode[] }[] = []
  for (const [index, choice] of choices.entries()) {
    if (groups.length === 0 || groups.at(-1)!.name !== choice.group)
      groups.push({ name: choice.group, first: index, options: [] })
    groups.at(-1)!.options.push(
      // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and the keys.
      <div
        key={choice.value}
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
      </div>,
    )
  }
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
        aria-activedescendant={listed && choices[at] !== undefined ? `${listId}-${at}` : undefined}
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
          {groups.map((group) =>
            group.name === undefined ? (
              group.options
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is of forms.
              <div key={group.first} role="group" aria-labelledby={`${listId}-of-${group.first}`}>
                <div className="nv-menu-heading" id={`${listId}-of-${group.first}`}>
                  {group.name}
                </div>
                {group.options}
              </div>
            ),
          )}
        </div>
      ) : null}
    </div>
  )
}
