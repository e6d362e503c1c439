import { useCallback, useState } from 'react'

const storageKey = 'novodb_gene_sections'

/** What the reader opened and folded, by section; anything else in storage counts as nothing. */
const readFolds = (): Record<string, boolean> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof stored === 'object' && stored !== null
      ? Object.fromEntries(Object.entries(stored).filter(([, open]) => typeof open === 'boolean'))
      : {}
  } catch {
    return {}
  }
}

/**
 * Which sections are open: as the reader left them on any gene, else as they say themselves. `open` opens some for this visit only, as a
 * link to a section does.
 */
export const useFolds = (): {
  isOpen: (section: { id: string; opened: boolean }) => boolean
  remember: (ids: readonly string[], open: boolean) => void
  open: (id: string) => void
} => {
  const [folds, setFolds] = useState(readFolds)
  const remember = useCallback((ids: readonly string[], open: boolean) => {
    const chosen = Object.fromEntries(ids.map((id) => [id, open]))
    setFolds((before) => ({ ...before, ...chosen }))
    localStorage.setItem(storageKey, JSON.stringify({ ...readFolds(), ...chosen }))
  }, [])
  const open = useCallback((id: string) => setFolds((before) => ({ ...before, [id]: true })), [])
  return { isOpen: ({ id, opened }) => folds[id] ?? opened, remember, open }
}
