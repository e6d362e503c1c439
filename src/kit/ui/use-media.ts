import { useCallback, useSyncExternalStore } from 'react'

/** Windows as narrow as a phone held upright, as the style sheets have them. */
export const phone = '(max-width: 640px)'

/** Whether a media query holds; drawn anew when that changes. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}
