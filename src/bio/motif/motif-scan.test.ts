import { describe, expect, it } from 'vitest'
import { scoreWord } from '../../testing/motif-words.ts'
import { makeBases } from '../../testing/random.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { countBackground, encodeSequences } from './encoded-sequences.ts'
import type { Motif } from './motif-formats.ts'
import { countTests, scanSequences } from './motif-scan.ts'
import { makeBackground, nrdbFrequencies, scoreInBits, scoreMatrix, thresholdScore } from './motif-scores.ts'

const motifOf = (frequencies: number[][], siteCount = 20): Motif => ({
  id: 'm',
  name: null,
  consensus: null,
  siteCount,
  frequencies: frequencies.map((row) => {
    const sum = row.reduce((total, value) => total + value, 0)
    return row.map((value) => value / sum)
  }),
})

/** MCM1 of budding yeast, as MEME found it in 29 promoters (letter-probability matrix, 18 positions). */
const mcm1 = motifOf(
  `0 0.034483 0 0.965517
0.034483 0 0.103448 0.862069
0.068966 0 0.172414 0.758621
0 0.965517 0 0.034483
0 1 0 0
0.103448 0.344828 0.068966 0.482759
0.275862 0.137931 0.275862 0.310345
0.413793 0 0 0.586207
0 0 0 1
0.103448 0 0 0.896552
0.172414 0.206897 0.379310 0.241379
0.068966 0 0.896552 0.034483
0 0 1 0
0.620690 0.068966 0.103448 0.206897
0.655172 0.137931 0 0.206897
0.896552 0 0.103448 0
0.206897 0.137931 0.137931 0.517241
0.448276 0.034483 0.034483 0.482759`
    .split('\n')
    .map((line) => line.split(' ').map(Number)),
  29,
)

/** MexR of Pseudomonas, PRODORIC MX000001, of two sites. */
const mexR = motifOf(
  ['G', 'T', 'T', 'G', 'A', 'CT', 'C', 'CT', 'AT', 'AG', 'T', 'C', 'A', 'A', 'C'].map((bases) =>
    [...'ACGT'].map((base) => (bases.includes(base) ? 1 : 0)),
  ),
  2,
)

const significant = (value: number, digits: number): string => Number(value.toPrecision(digits)).toString()

describe('scores and p-values are those that FIMO prints', () => {
  it.each([
    ['TTTCCTAAATGGGAAAAA', 13.3034, 5.95e-6],
    ['TAACCTCTTTGGGGAAAA', 12.8427, 7.21e-6],
    ['GAGCCCATTTAGGAAAGT', 5.58427, 9.53e-5],
    ['TTTGCCAATTTAGCTAGA', 3.33708, 0.000189],
    ['TTTGCTCTTAATGGAAAA', 1.24719, 0.000344],
    ['TATCATAATTTGGGAGTG', 0.438202, 0.000428],
    ['TTGCCAATTTAGCTAGAC', 0.393258, 0.000434],
    ['ATTTCATATTGAGATGTA', -0.685393, 0.000576],
    ['CAACCTTATTTGATAAAT', -1.58427, 0.000726],
    ['TTGCTCTTAATGGAAAAT', -2.21348, 0.00085],
    ['TTATCATATAGCGTAAGA', -2.32584, 0.000874],
  ])('FIMO 5.4.0 --norc, MCM1 on %s: %f bits, p %f', (word, score, pValue) => {
    const matrix = scoreMatrix(mcm1, makeBackground(nrdbFrequencies, false))
    const scaled = scoreWord(matrix, word)!
    expect(significant(scoreInBits(matrix, scaled), 6)).toBe(significant(score, 6))
    expect(significant(matrix.tail[scaled]!, 3)).toBe(significant(pValue, 3))
  })

  it.each([
    ['GTTGAGCTGGTCAAC', 14.5143, 7.01e-7],
    ['GGTGATCTTGTCCAC', 12.5571, 6.57e-6],
    ['GTTGACCAGCTCAAC', 9.28571, 1.14e-5],
    ['GTAGAGCTTGTCGAC', 7.32857, 2.41e-5],
    ['GTCCATCTTCTCAAC', 6.77143, 4.54e-5],
    ['CTTGACCTTGTCGAG', 6.07143, 9.32e-5],
  ])('FIMO 5.4.1 on both strands, MexR of two sites on %s: %f bits, p %f', (word, score, pValue) => {
    const matrix = scoreMatrix(mexR, makeBackground(nrdbFrequencies, true))
    const scaled = scoreWord(matrix, word)!
    expect(significant(scoreInBits(matrix, scaled), 6)).toBe(significant(score, 6))
    expect(significant(matrix.tail[scaled]!, 3)).toBe(significant(pValue, 3))
  })

  it('the background is averaged over the strands only where both are scanned (FIMO 5.4.1 --norc)', () => {
    const matrix = scoreMatrix(mexR, makeBackground(nrdbFrequencies, false))
    const scaled = scoreWord(matrix, 'GTTGACCAGCTCAAC')!
    expect(significant(scoreInBits(matrix, scaled), 6)).toBe('9.32857')
    expect(significant(matrix.tail[scaled]!, 2)).toBe('0.000011')
  })
})

const everyWord = (width: number): string[] =>
  width === 0 ? [''] : everyWord(width - 1).flatMap((word) => [...'ACGT'].map((base) => word + base))

describe('p-values are exact: the sum over every word', () => {
  const hexamer = motifOf([
    [9, 1, 0, 2],
    [0, 0, 12, 0],
    [3, 3, 3, 3],
    [0, 8, 1, 3],
    [11, 0, 1, 0],
    [2, 0, 0, 10],
  ])

  it.each([
    ['of order 0 on both strands', makeBackground([0.31, 0.2, 0.17, 0.32], true)],
    ['of order 0 on one strand', makeBackground([0.4, 0.15, 0.1, 0.35], false)],
    ['of order 1', countBackground(encodeSequences([makeBases(3000, 7, 'AAACGTT'), 'CGCGCGCG'.repeat(20)]), 1, true)],
  ])('under a background %s', (_, background) => {
    const matrix = scoreMatrix(hexamer, background)
    const probabilityOf = (word: string): number => {
      const codes = [...word].map((base) => 'ACGT'.indexOf(base))
      return codes.reduce(
        (product, code, at) =>
          product *
          (at === 0 || background.transitions === null
            ? background.bases[code]!
            : background.transitions[4 * codes[at - 1]! + code]!),
        1,
      )
    }
    const words = everyWord(6).map((word) => ({ scaled: scoreWord(matrix, word)!, probability: probabilityOf(word) }))
    expect(words.reduce((sum, word) => sum + word.probability, 0)).toBeCloseTo(1, 12)
    for (const scaled of new Set(words.map((word) => word.scaled))) {
      const exact = words.reduce((sum, word) => (word.scaled >= scaled ? sum + word.probability : sum), 0)
      expect(matrix.tail[scaled]! / exact).toBeCloseTo(1, 9)
    }
    expect(matrix.best).toBe(Math.max(...words.map((word) => word.scaled)))
  })

  it('the threshold of a p-value is the smallest score that reaches it', () => {
    const matrix = scoreMatrix(hexamer, makeBackground([1, 1, 1, 1], true))
    for (const pValue of [1, 0.1, 1e-2, 1e-3, 4 ** -6 * 1.0001]) {
      const threshold = thresholdScore(matrix, pValue)
      expect(matrix.tail[threshold]!).toBeLessThanOrEqual(pValue)
      if (threshold > 0) expect(matrix.tail[threshold - 1]!).toBeGreaterThan(pValue)
    }
    expect(thresholdScore(matrix, 4 ** -6 * 0.999)).toBe(matrix.best + 1)
  })

  it('a word whose p-value is the limit itself is a site, though products of decimal shares are rounded', () => {
    // G is one in ten: GGG has 0.1³, which in doubles is a little more than 0.001.
    const background = makeBackground([0.4, 0.35, 0.1, 0.15], false)
    const frequencies = [0, 1, 2].map(() => [0, 0, 1, 0])
    const matrix = scoreMatrix({ id: 'GGG', name: null, consensus: null, siteCount: 20, frequencies }, background)
    expect(matrix.tail[matrix.best]).toBeGreaterThan(0.001)
    expect(thresholdScore(matrix, 0.001)).toBeLessThanOrEqual(matrix.best)
    expect(thresholdScore(matrix, 0.001 * (1 - 1e-9))).toBe(matrix.best + 1)
  })

  it('of order 1 on both strands, a word is as probable as its reverse complement', () => {
    const background = countBackground(encodeSequences([makeBases(5000, 3, 'AAACCGT')]), 1, true)
    const forward = scoreMatrix(hexamer, background)
    const reverse = scoreMatrix(
      { ...hexamer, frequencies: [...hexamer.frequencies].reverse().map((row) => [...row].reverse()) },
      background,
    )
    const threshold = thresholdScore(forward, 1e-2)
    expect(Math.abs(reverse.tail[threshold]! / forward.tail[threshold]! - 1)).toBeLessThan(1e-2)
  })
})

describe('the scan finds what scoring every place word by word finds', () => {
  const sequences = [
    makeBases(4000, 1),
    '',
    'ACG',
    `${makeBases(150, 2)}NNNN${makeBases(90, 3)}r${makeBases(30, 4).toLowerCase()}`,
    makeBases(18, 5),
    `${makeBases(40, 6)}TTTCCTAAATGGGAAAAA${makeBases(33, 8)}${reverseComplement('TTTCCTAAATGGGAAAAA')}`,
  ]
  const motifs: [string, Motif][] = [
    ['18 positions', mcm1],
    [
      '24 positions, most of them weak',
      motifOf(
        [...mexR.frequencies, ...mcm1.frequencies.slice(9)]
          .slice(3)
          .map((row) => row.map((value) => value + 0.4))
          .concat([
            [1, 1, 1, 2],
            [2, 1, 1, 1],
            [1, 1, 2, 1],
          ]),
      ),
    ],
    ['15 positions', mexR],
    ['6 positions', motifOf(mcm1.frequencies.slice(8, 14))],
    ['4 positions', motifOf(mcm1.frequencies.slice(3, 7))],
    ['7 positions', motifOf(mcm1.frequencies.slice(3, 10))],
    ['1 position', motifOf([[1, 0, 0, 0]])],
  ]

  it.each(motifs)('with a motif of %s, on both strands and around N', (_, motif) => {
    const matrix = scoreMatrix(motif, makeBackground([0.3, 0.2, 0.2, 0.3], true))
    for (const pValue of [1e-3, 0.05, 1]) {
      const threshold = thresholdScore(matrix, pValue)
      const found: string[] = []
      const encoded = encodeSequences(sequences)
      scanSequences(matrix, encoded, {
        bothStrands: true,
        threshold,
        onSite: (sequence, start0, strand, scaled) => found.push([sequence, strand, start0, scaled].join(' ')),
      })
      const expected: string[] = []
      const expectedBest = sequences.map(() => -1)
      let positions = 0
      for (const [number, sequence] of sequences.entries())
        for (const strand of ['+', '-'] as const)
          for (let at = 0; at + matrix.width <= sequence.length; at++) {
            const word = sequence.slice(at, at + matrix.width).toUpperCase()
            const scaled = scoreWord(matrix, strand === '+' ? word : reverseComplement(word))
            if (scaled === null) continue
            positions += 1
            expectedBest[number] = Math.max(expectedBest[number]!, scaled)
            if (scaled >= threshold) expected.push([number, strand, at, scaled].join(' '))
          }
      expect(found.sort()).toEqual(expected.sort())
      const best = scanSequences(matrix, encoded, {
        bothStrands: true,
        threshold,
        wantsBest: true,
        onSite: () => undefined,
      })
      expect([...best!]).toEqual(expectedBest)
      expect(countTests(encoded, matrix.width, true)).toBe(positions)
    }
  })

  it('on one strand only where that is asked for', () => {
    const matrix = scoreMatrix(mcm1, makeBackground([1, 1, 1, 1], false))
    const encoded = encodeSequences(sequences)
    const found: [number, number, string][] = []
    scanSequences(matrix, encoded, {
      bothStrands: false,
      threshold: thresholdScore(matrix, 1e-5),
      onSite: (sequence, start0, strand) => found.push([sequence, start0, strand]),
    })
    expect(found.filter(([sequence]) => sequence === 5)).toEqual([[5, 40, '+']])
    expect(found.every(([, , strand]) => strand === '+')).toBe(true)
    expect(countTests(encoded, 18, false, (sequence) => sequence === 5)).toBe(sequences[5]!.length - 18 + 1)
  })
})
