import { describe, expect, it } from 'vitest'
import { countSlips, isLikelySlip, oneSlipAway, rankSpellings, swapAndDrop } from './spelling.ts'

describe('countSlips', () => {
  it.each([
    ['kinase', 'kinase', 0],
    ['kinsae', 'kinase', 1],
    ['polymerse', 'polymerase', 1],
    ['polymerse', 'polymers', 1],
    ['tyrsoine', 'tyrosine', 1],
    ['helikase', 'helicase', 1],
    ['', 'gene', 4],
    ['ca', 'abc', 3],
  ])('%s and %s are %i apart', (a, b, slips) => {
    expect(countSlips(a, b)).toBe(slips)
    expect(countSlips(b, a)).toBe(slips)
  })
})

describe('swapAndDrop', () => {
  it('makes of kinsae the kinase that shares too few trigrams with it', () => {
    expect(swapAndDrop('kinsae')).toContain('kinase')
    expect(swapAndDrop('aa')).toEqual(['a'])
    expect(swapAndDrop('转录因')).toEqual(['录转因', '转因录', '录因', '转因', '转录'])
  })
})

describe('rankSpellings', () => {
  it('takes ribosome, which hundreds of genes have, before the ribosom of one cut-off description', () => {
    const words = [
      { word: 'ribosom', count: 1 },
      { word: 'ribosome', count: 529 },
      { word: 'ribosomes', count: 900 },
    ]
    expect(rankSpellings('ribosoem', words)).toEqual(['ribosome', 'ribosom', 'ribosomes'])
    expect(rankSpellings('ribsom', words)[0]).toBe('ribosom')
  })
})

describe('isLikelySlip', () => {
  it.each([
    ['katgg', 'katg', true],
    ['lamda', 'lambda', true],
    ['rbcl', 'rcbl', true],
    ['helikaze', 'helicase', true],
    ['mmpl31', 'mmpl13', true],
    ['recx', 'reca', false],
    ['fadd7', 'fadd8', false],
    ['b0001', 'b0002', false],
    ['ab', 'abc', true],
    ['xyzzyase', 'polymerase', false],
  ])('%s for %s: %s', (typed, meant, likely) => {
    expect(isLikelySlip(typed, meant)).toBe(likely)
  })

  it('every single slip is among those that are looked for', () => {
    for (const meant of ['katg', 'ktg', 'aktg', 'katgg', 'matg', 'kat-g'])
      if (meant !== 'katg') expect(oneSlipAway('katg')).toContain(meant)
  })
})
