import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { computeAssemblyStats, computeNx, SequenceCounter, type SequenceCounts } from './assembly-stats.ts'
import { DefectLog } from './defects.ts'
import { FastaReader } from './fasta.ts'

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
      medianBp: 40,
      n50Bp: 60,
      l50: 1,
      gcFraction: null,
    })
    expect(computeAssemblyStats([])).toMatchObject({ sequenceCount: 0, totalBp: 0, n50Bp: 0, meanBp: 0, medianBp: 0 })
  })
})

describe('SequenceCounter', () => {
  it('counts gaps across pieces, at both ends, whatever the case', () => {
    const gaps: [number, number][] = []
    const counter = new SequenceCounter({ onGap: (start0, end0) => void gaps.push([start0, end0]) })
    for (const piece of ['NNac', 'gtNN', 'nRNu', 'N']) counter.add(new TextEncoder().encode(piece))
    counter.end()
    expect(counter.counts).toEqual({ lengthBp: 13, gcCount: 2, atCount: 3, nCount: 7, gapCount: 4 })
    expect(gaps).toEqual([
      [0, 2],
      [6, 9],
      [10, 11],
      [12, 13],
    ])
  })
  it('leaves short runs of N out of the gaps when asked, but counts their Ns', () => {
    const counter = new SequenceCounter({ smallestGapBp: 3 })
    counter.add(new TextEncoder().encode('ANNANNNA'))
    counter.end()
    expect(counter.counts).toMatchObject({ nCount: 5, gapCount: 1 })
  })
})

describe.skipIf(!existsSync('../shared/data'))('on the real yeast genome', () => {
  it('gives the figures of R64: 12,157,105 bases, N50 924,431, GC 38.15 %', () => {
    const sequences: SequenceCounts[] = []
    let counter = new SequenceCounter()
    const reader = new FastaReader({
      file: 'R64',
      log: new DefectLog(),
      alphabet: 'nucleotide',
      onResidues: (residues) => counter.add(residues),
      onRecordEnd() {
        counter.end()
        sequences.push(counter.counts)
        counter = new SequenceCounter()
      },
    })
    reader.push(gunzipSync(readFileSync('../shared/data/yeast/genome/R64.genome.chr.fa.gz')))
    reader.end()
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
