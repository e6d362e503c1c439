import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sequenceColors } from './sequence-colors.ts'

/** Relative luminance of a colour as #rrggbb (WCAG 2.2, "relative luminance"). */
const luminance = (color: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

describe('names and numbers of chromosomes in the overview of the browser', () => {
  // The grounds that browser-view.tsx gives to JBrowse.
  const view = readFileSync(new URL('browser-view.tsx', import.meta.url), 'utf8')
  const grounds = { light: '#ffffff', dark: '#141e1a' }
  it.each(['light', 'dark'] as const)('can be read on the %s ground, each by another colour', (theme) => {
    expect(view).toContain(`background: { default: '${grounds[theme]}'`)
    const colors = sequenceColors[theme]
    expect(new Set(colors).size).toBe(colors.length)
    for (const color of colors) expect(contrast(color, grounds[theme]), color).toBeGreaterThanOrEqual(4.5)
  })
})
