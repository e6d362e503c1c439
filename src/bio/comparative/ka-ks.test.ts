import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alignProteins, scoreResidues } from '../alignment/protein-alignment.ts'
import { alignCodons, countKaKs } from './ka-ks.ts'

describe('Ka and Ks by Nei and Gojobori', () => {
  test('a fourfold site is one synonymous site, a start codon has none', () => {
    // GGN: the third base is free. ATG has no synonymous change.
    expect(countKaKs('GGTATG', 'GGCATG')).toMatchObject({
      codons: 2,
      synonymousSites: 1,
      nonsynonymousSites: 5,
      synonymousDifferences: 1,
      nonsynonymousDifferences: 0,
    })
  })

  test('two differences in a codon are averaged over both paths, as in the paper: TTT to GTA', () => {
    // Nei & Gojobori 1986: TTT (Phe) - GTT (Val) - GTA (Val) has one of each, TTT - TTA (Leu) - GTA two that change: 0.5 and 1.5.
    expect(countKaKs('TTT', 'GTA')).toMatchObject({ synonymousDifferences: 0.5, nonsynonymousDifferences: 1.5 })
  })

  test('a path through a stop does not count', () => {
    // TGG (Trp) to TAT (Tyr): through TAG, a stop, or TGT (Cys).
    expect(countKaKs('TGG', 'TAT')).toMatchObject({ synonymousDifferences: 0, nonsynonymousDifferences: 2 })
  })

  test('codons with gaps, ambiguous bases and stops are left out; TGA codes in table 4', () => {
    expect(countKaKs('ATG---TGANNNGGT', 'ATGAAATGAGGTGGC').codons).toBe(2)
    expect(countKaKs('ATG---TGANNNGGT', 'ATGAAATGAGGTGGC', 4).codons).toBe(3)
  })

  test('saturated sites have no estimate, identical sequences 0 and no ratio', () => {
    expect(countKaKs('GGTGGTGGT', 'GGCGGAGGC').ks).toBeNull()
    expect(countKaKs('ATGGGT', 'ATGGGT')).toMatchObject({ ks: 0, ka: 0, omega: null })
  })

  test('agrees with PAML’s yn00 (4.9j, NG86) on pairs of yeast paralogs to its four digits', () => {
    const lines = readFileSync(new URL('./fixtures/ng86.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    expect(lines.length).toBe(14)
    for (const line of lines) {
      const [, first, second, omega, dn, ds] = line.split('\t')
      const own = countKaKs(first!, second!)
      expect(Math.abs(own.ka! - Number(dn))).toBeLessThan(6e-5)
      expect(Math.abs(own.ks! - Number(ds))).toBeLessThan(6e-5)
      // yn00 writes -1 where dN or dS is next to none.
      if (Number(omega) >= 0) expect(Math.abs(own.omega! - Number(omega))).toBeLessThan(6e-5)
    }
  })
})

describe('alignment of proteins', () => {
  const scoreOf = ([a, b]: [string, string]): number => {
    let score = 0
    let gap = ''
    for (const [at, letter] of [...a].entries()) {
      const now = letter === '-' ? 'a' : b[at] === '-' ? 'b' : ''
      score += now === '' ? scoreResidues(letter, b[at]!) : now === gap ? -1 : -12
      gap = now
    }
    return score
  }

  test('a deletion is one gap', () => {
    expect(alignProteins('MKVLAWWHK', 'MKAWWHK')).toEqual(['MKVLAWWHK', 'MK--AWWHK'])
  })

  test('no alignment of short proteins scores more, by trying them all', () => {
    const best = (a: string, b: string): number => {
      let max = Number.NEGATIVE_INFINITY
      const walk = (i: number, j: number, x: string, y: string): void => {
        if (i === a.length && j === b.length) max = Math.max(max, scoreOf([x, y]))
        if (i < a.length && j < b.length) walk(i + 1, j + 1, x + a[i], y + b[j])
        if (i < a.length) walk(i + 1, j, x + a[i], `${y}-`)
        if (j < b.length) walk(i, j + 1, `${x}-`, y + b[j])
      }
      walk(0, 0, '', '')
      return max
    }
    for (const [a, b] of [
      ['MKWVL', 'MWL'],
      ['WWHK', 'HKWWH'],
      ['ACDEF', 'GHIKL'],
      ['MAAAW', 'MW'],
    ] as const)
      expect(scoreOf(alignProteins(a, b)!)).toBe(best(a, b))
  })

  test('nothing is aligned with an empty protein', () => {
    expect(alignProteins('', 'MK')).toBeNull()
    expect(alignCodons('ATGAAAGTT', 'ATGGTT')).toEqual(['ATGAAAGTT', 'ATG---GTT'])
  })
})
