import { type RefObject, useEffect, useRef, useState } from 'react'

/** Width in CSS pixels of the element that a figure fills, followed as it changes. */
export const useWidth = <E extends HTMLElement>(fallback = 800): [RefObject<E | null>, number] => {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(fallback)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
