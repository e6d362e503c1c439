import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Narrower than this a drawing with labels is not to be read; it then scrolls. */
const min = 600

/** Width of an element in CSS pixels, followed as it changes, so that drawings keep their type size at every width. */
export const useWidth = (): [RefObject<HTMLDivElement | null>, number] => {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(760)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => setWidth(Math.max(min, Math.round(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
