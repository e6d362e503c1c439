import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { usePrinting } from '../use-printing.ts'

/** Between the margins of A4, and of Letter, which is wider: a figure is drawn for the sheet, as nothing tells how wide it is. */
const sheetPx = 690

/** Width in CSS pixels of the element that a figure fills, followed as it changes. */
export const useWidth = <E extends HTMLElement>(fallback = 800): [RefObject<E | null>, number] => {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(fallback)
  // Before the first paint: a figure that is drawn for another width first moves what stands below it.
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return
    const { paddingLeft, paddingRight } = getComputedStyle(target)
    const first = Math.floor(target.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
    if (first > 0) setWidth(first)
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  const printing = usePrinting()
  return [element, printing ? Math.min(width, sheetPx) : width]
}
