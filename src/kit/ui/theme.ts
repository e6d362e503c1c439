import { useSyncExternalStore } from 'react'

/** The reader's choice; `system` follows the machine's setting, also when it changes while the page is open. */
export type ThemeChoice = 'system' | 'light' | 'dark'
export type Theme = 'light' | 'dark'

const storageKey = 'novodb_theme'
const listeners = new Set<() => void>()

const darkMedia = (): MediaQueryList | null =>
  typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null

/** The stored choice; anything else in storage counts as `system`. */
export const themeChoice = (): ThemeChoice => {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const currentTheme = (): Theme => {
  const choice = themeChoice()
  if (choice !== 'system') return choice
  return darkMedia()?.matches ? 'dark' : 'light'
}

/** Puts the theme on the document, where tokens.css reads it, and tells the components that draw on canvas. */
const applyTheme = (): void => {
  document.documentElement.dataset.theme = currentTheme()
  for (const listener of listeners) listener()
}

export const chooseTheme = (choice: ThemeChoice): void => {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
  applyTheme()
}

/** Call once at start, before the first paint. */
export const followSystemTheme = (): void => {
  applyTheme()
  darkMedia()?.addEventListener('change', applyTheme)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme shown; components that draw on canvas redraw when it changes, others need only the tokens. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, themeChoice)
