import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls back when something outside of the element is pressed, while `active`. A press need not move the focus: on iOS none does. */
export const usePressOutside = (root: RefObject<HTMLElement | null>, active: boolean, onPress: () => void): void => {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    if (!active) return
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) press()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [active, root])
}
