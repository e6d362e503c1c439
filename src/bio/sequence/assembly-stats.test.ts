import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { computeAssemblyStats, computeNx, type SequenceCounts } from './assembly-stats.ts'

const ofLength = (lengthBp: number): SequenceCounts => ({ lengthBp, gcCount: 0, atCount: 0, nCount: 0, gapCount: 0 })

describe('computeNx', () => {
  it('finds N50 and L50 where half of the bases is reached, exactly half included', () => {
    expect(computeNx([80, 70, 50, 40, 30, 20], 0.5)).toEqual({ lengthBp: 70, count: 2 })
    expect(computeNx([50, 50], 0.5)).toEqual({ lengthBp: 50, count: 1 })
    expect(computeNx([80, 70, 50, 40, 30, 20], 0.9)).toEqual({ lengthBp: 30, count: 5 })
    expect(computeNx([], 0.5)).toEqual({ lengthBp: 0, count: 0 })
  })
})

describe('computeAssemblyStats', () => {
  it('gives lengths, and no GC content where there are only Ns', () => {
    expect(computeAssemblyStats([ofLength(60), ofLength(40), ofLength(10)])).toMatchObject({
      sequenceCount: 3,
      totalBp: 110,
      longestBp: 60,
      shortestBp: 10,
      n50Bp: 60,
      l50: 1,
      gcFraction: null,
    })
    expect(computeAssemblyStats([])).toMatchObject({ sequenceCount: 0, totalBp: 0, n50Bp: 0 })
  })
})

describe.skipIf(!hasRealData)('on the real yeast genome', () => {
  it('gives the figures of R64: 12,157,105 bases, N50 924,431, GC 38.15 %', () => {
    const text = gunzipSync(readFileSync(`${realData}/yeast/genome/R64.genome.chr.fa.gz`)).toString('latin1')
    const sequences = text
      .split('>')
      .slice(1)
      .map((record): SequenceCounts => {
        const bases = record.slice(record.indexOf('\n')).replaceAll('\n', '')
        const count = (letters: RegExp): number => bases.match(letters)?.length ?? 0
        return {
          lengthBp: bases.length,
          gcCount: count(/[GC]/gi),
          atCount: count(/[AT]/gi),
          nCount: count(/N/gi),
          gapCount: count(/N+/gi),
        }
      })
    const stats = computeAssemblyStats(sequences)
    expect(stats).toMatchObject({
      sequenceCount: 17,
      totalBp: 12_157_105,
      n50Bp: 924_431,
      l50: 6,
      nCount: 0,
      gapCount: 0,
    })
    expect(stats.gcFraction).toBeCloseTo(0.3815, 4)
  })
})
