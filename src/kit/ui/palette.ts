/**
 * Colours of data, readable with the common forms of colour blindness.
 * Categories: Okabe & Ito 2008, "Color Universal Design". Magnitudes: viridis (van der Walt & Smith 2015), as
 * d3-scale-chromatic draws it.
 */
import { hsl, interpolateViridis, rgb } from 'd3'

/**
 * Categories, in the order of use: Okabe and Ito's without black, which a dark ground swallows, with a purple of our own; then those that
 * lie farthest from all before them and from the grey, each the best of a grid of 4,096 in Oklab (Ottosson 2020), the least of three
 * distances counting: as it is, and with protanopia and deuteranopia (Machado et al. 2009).
 */
const categories = [
  ...['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#8c6bb1'],
  ...['#550088', '#005500', '#dd00ff', '#aa0055', '#0000dd', '#00dd88', '#661133', '#ff3366'],
  ...['#00eeff', '#99ffbb', '#335566', '#5544bb', '#882299', '#995533', '#ff77dd', '#dd0099'],
] as const

/** So many categories are told apart by their colours; what has more wears textures or shapes too, or is `otherColour`. */
export const distinctColours = categories.length

/** What is no category: other, none, not known. No category has it. */
export const otherColour = '#999999'

/** Degrees between hues that never meet again (Vogel 1979). */
const goldenAngle = 137.508

/**
 * Colour of the n-th category as #rrggbb, another for each: beyond `distinctColours` hues that have not been, which neighbours in a
 * figure tell apart and a legend does not. `categoryColour(0)` is blue; what is not found (-1) is the grey of the others.
 */
export const categoryColour = (index: number): string => {
  if (index < 0) return otherColour
  const own = categories[index]
  if (own !== undefined) return own
  const lightness = [0.42, 0.62, 0.3][index % 3]!
  return hsl((index * goldenAngle) % 360, index % 2 === 0 ? 0.55 : 0.85, lightness).formatHex()
}

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
