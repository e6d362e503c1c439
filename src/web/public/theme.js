// Runs before the first paint, so that a reader of the dark theme sees no white flash; the rest is in kit/ui/theme.ts.
;(() => {
  try {
    const stored = localStorage.getItem('novodb_theme')
    const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  } catch {
    document.documentElement.dataset.theme = 'light'
  }
})()
