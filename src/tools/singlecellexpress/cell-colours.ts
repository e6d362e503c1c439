import { categoryColour } from '../../kit/ui/palette.ts'

const hslToHex = (h: number, lightness: number): string => {
  const part = (n: number): string => {
    const k = (n + h / 30) % 12
    const value = lightness - 0.55 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(8)}${part(4)}`
}

/** Colour of a group of cells; beyond the nine that everyone tells apart, hues at the golden angle, darker and lighter by turns. */
export const levelColour = (level: number): string =>
  level < 9 ? categoryColour(level) : hslToHex((level * 137.508) % 360, level % 2 === 0 ? 0.42 : 0.62)
