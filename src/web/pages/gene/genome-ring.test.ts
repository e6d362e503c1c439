import { describe, expect, it } from 'vitest'
import { placePieces, shortName, thin, wrapName } from './genome-ring.tsx'

const sequence = (name: string, lengthBp: number, circular: boolean) => ({
  name,
  lengthBp,
  circular,
  role: 'chromosome',
  forward: [],
  reverse: [],
  gc: [],
  skew: [],
})

describe('the genome ring', () => {
  it('closes for one circular chromosome', () => {
    const [piece] = placePieces({ windowBp: 1, sequences: [sequence('NC_000962.2', 4_411_532, true)] })
    expect(piece?.from).toBe(0)
    expect(piece?.to).toBeCloseTo(2 * Math.PI, 12)
  })

  it('leaves a gap at the ends of linear chromosomes and keeps their proportions', () => {
    const pieces = placePieces({ windowBp: 1, sequences: [sequence('chr1', 300, false), sequence('chr2', 100, false)] })
    const [first, second] = pieces
    expect((first!.to - first!.from) / (second!.to - second!.from)).toBeCloseTo(3, 9)
    expect(second!.from).toBeGreaterThan(first!.to)
    expect(second!.to).toBeLessThan(2 * Math.PI)
  })

  it('keeps every gene when windows are joined', () => {
    const counts = Array.from({ length: 1001 }, (_, index) => index % 3)
    const joined = thin(counts, 100, 'sum')
    expect(joined.length).toBeLessThanOrEqual(100)
    expect(joined.reduce((sum, value) => sum + value, 0)).toBe(counts.reduce((sum, value) => sum + value, 0))
  })

  it('shortens the genus and nothing else', () => {
    expect(shortName('Mycobacterium tuberculosis complex')).toBe('M. tuberculosis complex')
    expect(shortName('SARS-CoV-2')).toBe('SARS-CoV-2')
  })

  it('wraps a long name within the rings, and cuts what three lines have no room for', () => {
    expect(wrapName('M. tuberculosis complex and M. smegmatis', 186, 13)).toEqual([
      'M. tuberculosis complex',
      'and M. smegmatis',
    ])
    expect(wrapName('Saccharomyces', 186, 13)).toEqual(['Saccharomyces'])
    const cut = wrapName(
      'a name of very many words that goes on and on and does not end within any ring at all',
      100,
      13,
    )
    expect(cut).toHaveLength(3)
    expect(cut.at(-1)).toMatch(/…$/)
  })
})
