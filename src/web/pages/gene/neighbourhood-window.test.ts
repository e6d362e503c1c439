import { describe, expect, it } from 'vitest'
import { neighbourhoodWindow, turnInto } from './neighbourhood-window.ts'

const plasmid = { lengthBp: 10_000, circular: true }
const chromosome = { lengthBp: 10_000, circular: false }

describe('the window around a gene', () => {
  it('ends where a linear chromosome does', () => {
    expect(neighbourhoodWindow({ start: 501, end: 900 }, 2000, chromosome)).toEqual({ start: 1, end: 2900 })
    expect(neighbourhoodWindow({ start: 9001, end: 9900 }, 2000, chromosome)).toEqual({ start: 7001, end: 10_000 })
  })

  it('goes on across the origin of a plasmid, at either side of it', () => {
    expect(neighbourhoodWindow({ start: 501, end: 900 }, 2000, plasmid)).toEqual({ start: 8501, end: 12_900 })
    expect(neighbourhoodWindow({ start: 9001, end: 9900 }, 2000, plasmid)).toEqual({ start: 7001, end: 11_900 })
  })

  it('has the whole of a gene that crosses the origin, and its flanks', () => {
    expect(neighbourhoodWindow({ start: 9801, end: 10_600 }, 2000, plasmid)).toEqual({ start: 7801, end: 12_600 })
  })

  it('is no longer than the plasmid, and the gene is in its middle', () => {
    const gene = { start: 101, end: 1100 }
    const window = neighbourhoodWindow(gene, 6000, plasmid)
    expect(window).toEqual({ start: 5601, end: 15_600 })
    expect(turnInto(gene, window, plasmid)).toBe(10_000)
  })
})

describe('a neighbour', () => {
  const window = { start: 8501, end: 12_900 }
  it('before the origin stands where it is, and one behind it a turn further on', () => {
    expect(turnInto({ start: 9001, end: 9500 }, window, plasmid)).toBe(0)
    expect(turnInto({ start: 501, end: 900 }, window, plasmid)).toBe(10_000)
  })
  it('across the origin is seen whole, or its end in a window behind the origin', () => {
    const crossing = { start: 9801, end: 10_600 }
    expect(turnInto(crossing, window, plasmid)).toBe(0)
    expect(turnInto(crossing, { start: 1, end: 4000 }, plasmid)).toBe(-10_000)
  })
  it('of a linear chromosome is never moved', () => {
    expect(turnInto({ start: 1, end: 5 }, { start: 9000, end: 10_000 }, chromosome)).toBe(0)
  })
})
