import type { ReactNode, Ref } from 'react'

/** A box in which something wide (a figure, a table, an alignment) is scrolled, also by the keyboard. `label` says what it holds. */
export const ScrollBox = ({
  ref,
  className,
  label,
  children,
}: {
  ref?: Ref<HTMLElement>
  className: string
  label: string
  children: ReactNode
}): ReactNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
  <section ref={ref} className={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
