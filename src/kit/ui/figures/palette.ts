/**
 * Colours of data, readable with the common forms of colour blindness.
 * Categories: Okabe & Ito 2008, "Color Universal Design". Magnitudes: viridis (van der Walt & Smith 2015), as
 * d3-scale-chromatic draws it.
 */
import { interpolateLab, interpolateViridis, rgb } from 'd3'

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

/** So many categories are told apart by their colours alone. */
export const distinctColours = categories.length

/** So many are told apart by colour and texture (`category-marks.tsx`), or colour and dash; those beyond have no colour of their own. */
export const distinctMarks = 84

/** What is no category: other, none, not known, beyond what can be told apart. No category has it. */
export const otherColour = '#999999'

/** Share of black in each further round of the colours. */
const roundShade = 0.05

/**
 * Colour of the n-th category as #rrggbb, another for each up to `distinctMarks`; the grey of the others beyond and for what is not found
 * (-1). Beyond `distinctColours` they are shades of those before, which only their textures tell apart: what can have no texture takes
 * `colourAlone`.
 */
export const categoryColour = (index: number): string => {
  if (index < 0 || index >= distinctMarks) return otherColour
  const own = categories[index % distinctColours]!
  const round = Math.floor(index / distinctColours)
  return round === 0 ? own : rgb(interpolateLab(own, '#000000')(roundShade * round)).formatHex()
}

/** Colour of the n-th category where nothing else marks it (points, narrow strips): grey beyond what colours alone tell apart. */
export const colourAlone = (index: number): string => (index < distinctColours ? categoryColour(index) : otherColour)

/**
 * Place in the palette of the n-th category beside others in view that have these places, so that no colour stands for two things. What is
 * not found (-1) stays so.
 *
 * @example categoryBeside([1, 2, 5], 1) // 3
 */
export const categoryBeside = (taken: readonly number[], index: number): number =>
  index < 0 ? index : [...taken].sort((a, b) => a - b).reduce((place, one) => (one <= place ? place + 1 : place), index)

/** Magnitude 0 to 1; beyond is clipped. */
export const viridis = (fraction: number): string => interpolateViridis(Math.min(1, Math.max(0, fraction)))

/** A token of tokens.css as a colour, for canvas drawings: `tokenColour('primary')`. */
export const tokenColour = (name: string, element: Element = document.documentElement): string =>
  getComputedStyle(element).getPropertyValue(`--${name}`).trim()

/** The same in the light theme whatever theme is shown: what is saved stands on white. */
export const lightTokenColour = (name: string): string => {
  const host = document.createElement('div')
  host.dataset.theme = 'light'
  document.body.append(host)
  try {
    return tokenColour(name, host)
  } finally {
    host.remove()
  }
}

/** Black or white, whichever reads better on a colour written as #rrggbb or rgb(r, g, b) (relative luminance of WCAG 2.2). */
export const inkOn = (colour: string): '#000000' | '#ffffff' => {
  const { r: red, g: green, b: blue } = rgb(colour)
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((level) => {
    const part = level / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff'
}
