import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { notebookLimits } from '../../../contracts/notebooks.ts'

/** A notebook that this browser knows: one that it made, or its account's. */
const knownNotebookSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Of a visitor's notebook; null of an account's. Never in an address. */
  key: z.string().nullable(),
})
export type KnownNotebook = z.infer<typeof knownNotebookSchema>

const storageKey = 'novodb_notebooks'
const listeners = new Set<() => void>()
let read: { text: string | null; notebooks: KnownNotebook[] } = { text: null, notebooks: [] }

/** Notebooks of this browser, the one that was used last first. What cannot be read as notebooks is passed over, not thrown. */
export const listKnownNotebooks = (): KnownNotebook[] => {
  const text = localStorage.getItem(storageKey)
  if (text === read.text) return read.notebooks
  let notebooks: KnownNotebook[] = []
  try {
    notebooks = z
      .array(knownNotebookSchema)
      .catch([])
      .parse(JSON.parse(text ?? '[]'))
  } catch {
    notebooks = []
  }
  read = { text, notebooks }
  return notebooks
}

const replace = (notebooks: KnownNotebook[]): void => {
  localStorage.setItem(storageKey, JSON.stringify(notebooks.slice(0, notebookLimits.known)))
  for (const listener of listeners) listener()
}

/** Puts a notebook first; a key that is known stays. */
export const keepNotebook = ({ id, title, key }: KnownNotebook): void => {
  const before = listKnownNotebooks()
  const known = before.find((one) => one.id === id)
  if (known !== undefined && before[0] === known && known.title === title && (key ?? known.key) === known.key) return
  replace([{ id, title, key: key ?? known?.key ?? null }, ...before.filter((one) => one.id !== id)])
}

export const forgetNotebook = (id: string): void => replace(listKnownNotebooks().filter((one) => one.id !== id))

/** Of notebooks that an account has now, by which they are changed. */
export const dropNotebookKeys = (ids: readonly string[]): void =>
  replace(listKnownNotebooks().map((one) => (ids.includes(one.id) ? { ...one, key: null } : one)))

export const keyOfNotebook = (id: string): string | undefined =>
  listKnownNotebooks().find((one) => one.id === id)?.key ?? undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export const useKnownNotebooks = (): KnownNotebook[] => useSyncExternalStore(subscribe, listKnownNotebooks)
