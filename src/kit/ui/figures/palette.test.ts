import { rgb } from 'd3'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { CategoryTextures, categoryDash, categoryFill, categoryTexture } from './category-marks.tsx'
import { markGroups } from './neighbourhood-figure.tsx'
import { categoryBeside, categoryColour, colourAlone, distinctColours, distinctMarks, otherColour } from './palette.ts'

/** Oklab (Ottosson 2020): equal distances look about equal. */
const oklab = (colour: string): [number, number, number] => {
  const { r, g, b } = rgb(colour)
  const [red, green, blue] = [r, g, b].map((level) => {
    const part = level / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
const apart = (a: string, b: string): number => {
  const [one, other] = [oklab(a), oklab(b)]
  return Math.hypot(...one.map((part, at) => part - other[at]!))
}

describe('one colour for one thing', () => {
  const marks = Array.from({ length: distinctMarks }, (_, index) => index)

  test('no two categories share a colour, and none has the grey of the others; those beyond the last have it', () => {
    const colours = marks.map(categoryColour)
    expect(new Set(colours).size).toBe(distinctMarks)
    expect(colours.every((colour) => /^#[0-9a-f]{6}$/.test(colour))).toBe(true)
    expect(colours).not.toContain(otherColour)
    for (const none of [-1, distinctMarks, 1000]) {
      expect(categoryColour(none)).toBe(otherColour)
      expect(categoryFill('figure', none)).toBe(otherColour)
      expect(categoryDash(none)).toBeUndefined()
    }
  })

  test('of one texture all colours lie apart, so that no mark is taken for another', () => {
    const textures = new Set(marks.map(categoryTexture))
    expect(new Set(marks.map(categoryDash)).size).toBe(textures.size)
    for (const texture of textures) {
      const colours = [...marks.filter((index) => categoryTexture(index) === texture).map(categoryColour), otherColour]
      for (const [at, one] of colours.entries())
        for (const other of colours.slice(at + 1)) expect(apart(one, other), `${one} ${other}`).toBeGreaterThan(0.1)
    }
    expect(new Set(marks.map((index) => categoryFill('figure', index))).size).toBe(distinctMarks)
  })

  test('a drawing has every texture that its categories are filled with, each another', () => {
    const drawn = renderToStaticMarkup(createElement(CategoryTextures, { figure: 'figure', count: 1000 }))
    const patterns = new Map(
      [...drawn.matchAll(/<pattern id="([^"]+)"[^>]*>(.*?)<\/pattern>/g)].map((one) => [one[1], one[2]]),
    )
    for (const index of marks.filter((one) => categoryTexture(one) > 0))
      expect(patterns.has(categoryFill('figure', index).slice('url(#'.length, -1))).toBe(true)
    expect(new Set(patterns.values()).size).toBe(marks.filter((index) => categoryTexture(index) > 0).length)
  })

  test('what has its colour alone is grey beyond what colours tell apart', () => {
    const colours = Array.from({ length: 1000 }, (_, index) => colourAlone(index))
    expect(new Set(colours.slice(0, distinctColours)).size).toBe(distinctColours)
    expect(new Set(colours.slice(distinctColours))).toEqual(new Set([otherColour]))
  })

  test('those that are told apart by colour alone lie apart, and from the grey', () => {
    const colours = [...Array.from({ length: distinctColours }, (_, index) => categoryColour(index)), otherColour]
    for (const [at, one] of colours.entries())
      for (const other of colours.slice(at + 1)) expect(apart(one, other), `${one} ${other}`).toBeGreaterThan(0.1)
  })

  test('neighbours of a gene: every family in view has its own colour and texture, what stands once has none', () => {
    // Thirty families in rows of two assemblies, in another order each, and strangers between them.
    const row = (assembly: string, order: number[]) => ({
      assembly,
      sequence: 'chr1',
      gene: `${assembly}_0`,
      genes: [...order.entries()].flatMap(([at, family]) => [
        {
          id: `${assembly}_${at}`,
          symbol: null,
          start: at * 10 + 1,
          end: at * 10 + 5,
          strand: '+',
          orthogroup: `OG${family}`,
        },
        {
          id: `${assembly}_s${at}`,
          symbol: null,
          start: at * 10 + 6,
          end: at * 10 + 9,
          strand: '-',
          orthogroup: `${assembly}${at}`,
        },
        { id: `${assembly}_n${at}`, symbol: null, start: at * 10 + 9, end: at * 10 + 9, strand: '-', orthogroup: null },
      ]),
    })
    const families = Array.from({ length: 30 }, (_, family) => family)
    const marked = markGroups(
      [row('A', families), row('B', [...families].reverse()), row('C', families.slice(4, 9))],
      'OG0',
    )
    expect(marked.length).toBe(30)
    expect(marked[0]!.orthogroup).toBe('OG0')
    expect(marked.slice(1, 6).map(({ genes }) => genes)).toEqual([3, 3, 3, 3, 3])
    const marks = marked.map((_, number) => `${categoryColour(number)} ${categoryTexture(number)}`)
    expect(new Set(marks).size).toBe(30)
    expect(new Set(marked.map((_, number) => categoryColour(number))).size).toBe(30)
    // Beyond the first dozen a texture helps the eye.
    expect(marked.map((_, number) => categoryTexture(number)).filter((texture) => texture === 0).length).toBe(12)
  })
})

test('categories beside others have none of their places', () => {
  expect([0, 1, 2, 3, 4].map((index) => categoryBeside([5, 1, 2], index))).toEqual([0, 3, 4, 6, 7])
  expect(categoryBeside([], 2)).toBe(2)
  expect(categoryBeside([0], -1)).toBe(-1)
})
