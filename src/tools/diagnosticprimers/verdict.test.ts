import { describe, expect, test } from 'vitest'
import { judgeCandidate } from './check-pairs.ts'
import type { Outcome } from './tool.ts'
import { verdictOf } from './verdict.ts'

type Candidate = Parameters<typeof judgeCandidate>[0]

const band = (mismatches: number) => ({
  sequence: 'chr1',
  start: 101,
  end: 600,
  lengthBp: 500,
  mismatches,
  threePrimeMismatches: 0,
})
const genome = (group: Outcome['group'], mismatches: number[], weak = 0): Outcome => ({
  assembly: group,
  group,
  bands: mismatches.map(band),
  bandCount: mismatches.length,
  weak,
  fragments: [],
  allele: null,
  asAsked: null,
})
const judge = (...outcomes: Outcome[]) =>
  verdictOf(
    judgeCandidate({ kind: 'pcr', productBp: 500 } as Candidate, outcomes, { minDifferenceBp: 50, sizeMethod: false }),
  )

describe('what is said of a pair of primers follows its products', () => {
  test('one product without mismatches in the one, none in the other', () => {
    expect(judge(genome('target', [0]), genome('spare', []))).toBe('verdict.sure')
  })
  test('mismatches are spoken of where there are some in a genome to be amplified', () => {
    expect(judge(genome('target', [2]), genome('spare', [], 3))).toBe('verdict.mismatches')
  })
  test('no mismatches are spoken of where all are 0: a further product, or an unlikely one in a genome to be spared', () => {
    expect(judge(genome('target', [0, 0]), genome('spare', []))).toBe('verdict.further')
    expect(judge(genome('target', [0]), genome('spare', [], 1))).toBe('verdict.unlikely')
  })
  test('a product in a genome to be spared discriminates nothing', () => {
    expect(judge(genome('target', [0]), genome('spare', [1]))).toBe('verdict.no')
  })
})
