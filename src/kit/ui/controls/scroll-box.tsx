import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'

/**
 * A box in which something wide (a figure, a table, an alignment) is scrolled, also by the keyboard. `label` says what it holds. Where
 * there is more than fits, its sides are shaded, and a phone says so in words.
 */
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
}): ReactNode => {
  const t = useText(messages)
  const box = useRef<HTMLElement>(null)
  const [wide, setWide] = useState(false)
  useImperativeHandle(ref, () => box.current!, [])
  // Before it is painted: the words take a line.
  useLayoutEffect(() => {
    const look = (): void => {
      const { scrollWidth, clientWidth } = box.current!
      setWide(scrollWidth > clientWidth + 1)
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(box.current!)
    for (const child of box.current!.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [])
  return (
    <section
      ref={box}
      className={`nv-scroll ${className}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      tabIndex={0}
      aria-label={label}
      data-hint={wide ? t('scroll.hint') : undefined}
    >
      {children}
    </section>
  )
}
