import { describe, expect, test } from 'vitest'
import { drawRibbons, pixelOf } from './draw-ribbons.ts'
import {
  directionsAround,
  followRibbon,
  isCollinear,
  layRow,
  layRows,
  makeRibbons,
  nameSequences,
  placeDifference,
  placeSide,
  readLocus,
  stackAround,
} from './layout.ts'
import type { Block, Genome } from './tool.ts'

const genome = (id: string, lengths: Record<string, number>): Genome => ({
  id,
  name: id,
  speciesName: '',
  partial: false,
  codingGenes: 10,
  omitted: 0,
  sequences: Object.entries(lengths).map(([name, lengthBp]) => ({ name, lengthBp, genes: 5 })),
})
const block = (sequenceA: string, startA: number, sequenceB: string, startB: number, pairs = 10): Block => ({
  first: 0,
  second: 1,
  number: 0,
  kind: 'syntenic',
  orientation: 1,
  score: 500,
  evalue: 0,
  pairs,
  sequenceA,
  startA,
  endA: startA + 99,
  sequenceB,
  startB,
  endB: startB + 99,
})

describe('rows of genomes', () => {
  test('a place on a row is one on a sequence and back; between sequences there is none', () => {
    const row = layRow(0, genome('A', { chrI: 1000, chrII: 2000 }), ['chrI', 'chrII'])
    const [from, to] = placeSide(row, 'chrII', 11, 20)!
    expect(to - from).toBe(10)
    expect(readLocus(row, from)).toEqual({ sequence: 'chrII', position: 11 })
    expect(readLocus(row, 1001)).toBeNull()
    expect(placeSide(row, 'chrX', 1, 2)).toBeNull()
  })

  test('a sequence that reads against its counterpart is turned, and its places with it; one that does not stays', () => {
    const genomes = [genome('A', { chrI: 1000, chrII: 2000 }), genome('B', { one: 2000, two: 1000 })]
    const turned = { ...block('chrII', 1801, 'one', 101), orientation: -1 as const }
    const rows = layRows(genomes, [turned, block('chrI', 101, 'two', 101)], { matched: true, star: false })
    expect(rows[1]!.order).toEqual(['two', 'one'])
    expect([...rows[1]!.flipped]).toEqual(['one'])
    const from = rows[1]!.starts.get('one')!
    expect(placeSide(rows[1]!, 'one', 101, 200)).toEqual([from + 1800, from + 1900])
    expect(readLocus(rows[1]!, from + 1899)).toEqual({ sequence: 'one', position: 101 })
    expect(placeDifference(rows[1]!, { sequence: 'one', start: 101, end: 200, lengthBp: 100, parts: [] })).toEqual([
      [from + 1800, from + 1900],
    ])
    const plain = layRows(genomes, [turned], { matched: false, star: false })
    expect(plain[1]!.flipped.size).toBe(0)
  })

  test('a difference over the origin of a circle is in two parts, the longer first; one without bases is a place', () => {
    const row = layRow(0, genome('A', { chrI: 1000, chrII: 2000 }), ['chrI', 'chrII'])
    const from = row.starts.get('chrII')!
    const side = (start: number, end: number, lengthBp = end - start + 1) => ({
      sequence: 'chrII',
      start,
      end,
      lengthBp,
      parts: [],
    })
    expect(placeDifference(row, side(11, 20))).toEqual([[from + 10, from + 20]])
    expect(placeDifference(row, side(1991, 2030))).toEqual([
      [from, from + 30],
      [from + 1990, from + 2000],
    ])
    expect(placeDifference(row, side(500, 501, 0))).toEqual([[from + 500, from + 500]])
    expect(placeDifference(row, { ...side(1, 5), sequence: 'chrX' })).toEqual([])
  })

  test('compared with one genome, each of the others has it as a neighbour', () => {
    expect(stackAround(2)).toEqual([0, 1])
    for (const count of [3, 4, 5, 8, 12]) {
      const rows = stackAround(count)
      for (let other = 1; other < count; other += 1) {
        const at = rows.indexOf(other)
        expect([rows[at - 1], rows[at + 1]]).toContain(0)
      }
    }
  })

  test('every bar of a row has a name of one kind, none over another: of sixteen chromosomes on a desk all are named', () => {
    const lengths = [230, 813, 317, 1532, 577, 270, 1091, 563, 440, 746, 667, 1078, 924, 784, 1091, 948]
    const names = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ')
    const spans = (scale: number) => {
      let from = 0
      return lengths.map((length, at) => {
        const span = { name: `chr${names[at]}`, from: from * scale, to: (from + length) * scale }
        from += length + 60
        return span
      })
    }
    const desk = nameSequences(spans(1300 / 13_000), 1300, 11)
    expect(desk.map(({ text }) => text)).toEqual(names)
    expect(nameSequences(spans(0.4), 5200, 11)[0]!.text).toBe('chrI')
    const phone = nameSequences(spans(300 / 13_000), 300, 11)
    expect(phone.length).toBeLessThan(16)
    expect(phone.length).toBeGreaterThan(4)
    expect(nameSequences([{ name: 'NC_000962.2', from: -500, to: 2000 }], 800, 11)).toEqual([
      { name: 'NC_000962.2', text: 'NC_000962.2', at: 400 },
    ])
  })

  test('ordered by the genome above, sequences come as their counterparts do; alone a genome stands twice', () => {
    const genomes = [genome('A', { I: 1000, II: 1000 }), genome('B', { x: 1000, y: 1000, z: 1000 })]
    const blocks = [block('I', 1, 'y', 1), block('II', 1, 'x', 1)]
    expect(layRows(genomes, blocks, { matched: true, star: false })[1]!.order).toEqual(['y', 'x', 'z'])
    expect(layRows(genomes, blocks, { matched: false, star: false })[1]!.order).toEqual(['x', 'y', 'z'])
    expect(
      layRows([...genomes, genome('C', { i: 900 })], [], { matched: false, star: true }).map((row) => row.genome),
    ).toEqual([1, 0, 2])
    expect(layRows([genomes[0]!], [], { matched: true, star: false }).map((row) => row.genome)).toEqual([0, 0])
  })

  test('rows that have all in one order are told from those with something turned, moved or copied', () => {
    const ribbonsOf = (...ends: [number, number, number, number][]) =>
      makeRibbons(ends.map(([a0, a1, b0, b1]) => ({ a: [a0, a1], b: [b0, b1], source: 0, colour: 0 })))
    expect(isCollinear(ribbonsOf([300, 400, 310, 410], [0, 250, 0, 260]))).toBe(true)
    expect(isCollinear(ribbonsOf([0, 250, 260, 0]))).toBe(false)
    expect(isCollinear(ribbonsOf([0, 250, 400, 650], [300, 400, 0, 100]))).toBe(false)
    expect(isCollinear(ribbonsOf([0, 250, 0, 250], [0, 100, 700, 800]))).toBe(false)
  })

  test('a place is followed along the widest ribbon over it, also where it is turned round', () => {
    const ribbons = makeRibbons([
      { a: [0, 100], b: [1100, 1000], source: 0, colour: 0 },
      { a: [10, 20], b: [5000, 5010], source: 1, colour: 0 },
    ])
    expect(followRibbon(ribbons, 10, true)).toBe(1090)
    expect(followRibbon(ribbons, 1090, false)).toBe(10)
    expect(followRibbon(ribbons, 500, true)).toBeNull()
  })
})

describe('ribbons', () => {
  const surface = () => ({
    width: 100,
    height: 20,
    pixels: new Uint32Array(2000).fill(pixelOf('#fff')),
    picks: new Uint32Array(2000),
  })
  const views: [{ offset: number; scale: number }, { offset: number; scale: number }] = [
    { offset: 0, scale: 1 },
    { offset: 0, scale: 1 },
  ]

  test('a ribbon fills its run of pixels on every line and can be found under the pointer', () => {
    const drawing = surface()
    const ribbons = makeRibbons([{ a: [10, 20], b: [50, 60], source: 4, colour: pixelOf('#000000') }])
    expect(drawRibbons(drawing, ribbons, views, [0, 20])).toBe(1)
    expect(drawing.picks[15]).toBe(5)
    expect(drawing.picks[19 * 100 + 55]).toBe(5)
    expect(drawing.picks[19 * 100 + 15]).toBe(0)
    // Half way across on the line in the middle.
    expect([drawing.picks[10 * 100 + 35], drawing.picks[10 * 100 + 70]]).toEqual([5, 0])
    expect(drawing.pixels[15]! >>> 24).toBe(0xff)
    expect(drawing.pixels[15]! & 0xff).toBeLessThan(150)
  })

  test('a turned ribbon is narrowest where its edges cross, never nothing; outside of the window nothing is drawn', () => {
    const drawing = surface()
    const ribbons = makeRibbons([
      { a: [30, 50], b: [50, 30], source: 0, colour: pixelOf('#d55e00') },
      { a: [300, 350], b: [400, 450], source: 1, colour: 0 },
    ])
    expect(drawRibbons(drawing, ribbons, views, [0, 20])).toBe(1)
    const widths = Array.from({ length: 20 }, (_, line) =>
      drawing.picks.subarray(line * 100, line * 100 + 100).reduce((sum, pick) => sum + (pick === 0 ? 0 : 1), 0),
    )
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(1)
    expect(Math.min(...widths)).toBeLessThan(5)
    expect(widths[0]).toBeGreaterThan(17)
  })

  test('20,000 ribbons are all drawn, however many lie on one column', () => {
    const ends = Array.from({ length: 20_000 }, (_, at) => ({
      a: [at * 60, at * 60 + 50] as [number, number],
      b: [at * 60, at * 60 + 50] as [number, number],
      source: at,
      colour: pixelOf('#999999'),
    }))
    const drawing = { width: 1400, height: 96, pixels: new Uint32Array(1400 * 96), picks: null }
    const whole = { offset: 0, scale: 1400 / 1_200_000 }
    expect(drawRibbons(drawing, makeRibbons(ends), [whole, whole], [0, 96])).toBe(20_000)
  })
})

describe('directionsAround', () => {
  const next = (count: number) => Array.from({ length: count - 1 }, (_, at) => ({ first: at, second: at + 1 }))
  const all = (count: number) =>
    Array.from({ length: count }, (_, first) =>
      Array.from({ length: count - first - 1 }, (_, at) => ({ first, second: first + at + 1 })),
    ).flat()

  test('genomes that are compared run against each other, so that those in the same order do not cross', () => {
    expect(directionsAround(2, next(2))).toEqual([true, false])
    expect(directionsAround(4, next(4))).toEqual([true, false, true, false])
    expect(
      directionsAround(
        4,
        [1, 2, 3].map((second) => ({ first: 0, second })),
      ),
    ).toEqual([true, false, false, false])
  })

  test('of all with all, the first against the others; a genome and itself says nothing', () => {
    expect(directionsAround(3, all(3))).toEqual([true, false, false])
    expect(directionsAround(1, [{ first: 0, second: 0 }])).toEqual([true])
    expect(directionsAround(2, [{ first: 0, second: 0 }])).toEqual([true, true])
  })
})
