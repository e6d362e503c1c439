/**
 * Colours of data, readable with the common forms of colour blindness.
 * Categories: Okabe & Ito 2008, "Color Universal Design". Magnitudes: viridis (van der Walt & Smith 2015), as
 * d3-scale-chromatic draws it.
 */
import { interpolateViridis, rgb } from 'd3'

/** Categories, in the order of use: Okabe and Ito's without black, which a dark ground swallows, then a purple and a grey of our own. */
const okabeIto = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#8c6bb1',
  '#999999',
] as const

/** Colour of the n-th category; repeats after the last. `categoryColour(0)` is blue. */
export const categoryColour = (index: number): string => okabeIto[((index % 9) + 9) % 9] ?? okabeIto[0]

/** Magnitude 0 to 1; beyond is clipped. */
export const viridis = (fraction: number): string => interpolateViridis(Math.min(1, Math.max(0, fraction)))

/** A token of tokens.css as a colour, for canvas drawings: `tokenColour('primary')`. */
export const tokenColour = (name: string, element: Element = document.documentElement): string =>
  getComputedStyle(element).getPropertyValue(`--${name}`).trim()

/** Black or white, whichever reads better on a colour written as #rrggbb or rgb(r, g, b) (relative luminance of WCAG 2.2). */
export const inkOn = (colour: string): '#000000' | '#ffffff' => {
  const { r: red, g: green, b: blue } = rgb(colour)
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((level) => {
    const part = level / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff'
}
