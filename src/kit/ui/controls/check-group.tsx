import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'

const controlsIn = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('input[type=checkbox]:not(:disabled), button:not(:disabled)') ?? []),
]

const moveStop = (all: HTMLElement[], to: HTMLElement | undefined): void => {
  for (const one of all) one.tabIndex = one === to ? 0 : -1
}

/** Lines of a table or list, top to bottom: controls whose middles are level stand in one. */
const linesOf = (all: HTMLElement[]): HTMLElement[][] => {
  const lines: { middle: number; controls: HTMLElement[] }[] = []
  for (const control of all) {
    const { top, height } = control.getBoundingClientRect()
    const middle = top + height / 2
    const last = lines.at(-1)
    if (last !== undefined && Math.abs(last.middle - middle) < 4) last.controls.push(control)
    else lines.push({ middle, controls: [control] })
  }
  return lines.map(({ controls }) => controls)
}

/**
 * Where the arrow key leads from a control in lines of them: left and right through all of them, up and down to the same column of the
 * line beside, or to its last where that is shorter; undefined at the edge.
 */
export const stepFrom = <One,>(lines: One[][], from: One, key: string, rightToLeft = false): One | undefined => {
  const all = lines.flat()
  const at = all.indexOf(from)
  const row = lines.findIndex((line) => line.includes(from))
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key === 'ArrowLeft' || key === 'ArrowRight') return all[at + ((key === 'ArrowRight') === rightToLeft ? -1 : 1)]
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const beside = lines[row + (key === 'ArrowDown' ? 1 : -1)]
  return beside?.[Math.min(lines[row]!.indexOf(from), beside.length - 1)]
}

/**
 * Boxes, and buttons that check several of them, as one stop of the Tab key, through which arrows, Home and End move (a roving tabindex,
 * WAI-ARIA Authoring Practices): whoever goes through a form by the keyboard does not meet each genome of a long list.
 */
export const CheckGroup = ({
  id,
  label,
  className = 'nv-checks',
  describedBy,
  children,
}: {
  id?: string
  label: string
  className?: string
  describedBy?: string | undefined
  children: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const hint = useId()
  const root = useRef<HTMLDivElement>(null)
  // After every drawing: boxes come and go as the list is filtered.
  useLayoutEffect(() => {
    const all = controlsIn(root.current)
    moveStop(
      all,
      all.find((one) => one === document.activeElement) ??
        all.find((one) => (one as HTMLInputElement).checked === true || one.ariaPressed === 'true') ??
        all[0],
    )
  })
  const onFocus = ({ target }: FocusEvent<HTMLDivElement>): void => {
    const all = controlsIn(root.current)
    if (all.includes(target)) moveStop(all, target)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const all = controlsIn(root.current)
    const from = event.target as HTMLElement
    if (!all.includes(from) || event.ctrlKey || event.metaKey || event.altKey) return
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = stepFrom(linesOf(all), from, event.key, isRightToLeft)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and what is within is a table as well as a list.
    <div
      ref={root}
      id={id}
      role="group"
      aria-label={label}
      aria-describedby={describedBy === undefined ? hint : `${describedBy} ${hint}`}
      className={className}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <span id={hint} hidden>
        {t('form.arrows')}
      </span>
      {children}
    </div>
  )
}
