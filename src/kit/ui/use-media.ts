import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, e.g. `(min-width: 900px)`; follows the window. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    useCallback(
      (changed) => {
        const media = matchMedia(query)
        media.addEventListener('change', changed)
        return () => media.removeEventListener('change', changed)
      },
      [query],
    ),
    () => matchMedia(query).matches,
  )
