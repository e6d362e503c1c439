import { describe, expect, it } from 'vitest'
import { parseFastaText } from './fasta.ts'
import { listIllegalLetters } from './illegal-letters.ts'

const list = (text: string) => listIllegalLetters(parseFastaText(text, { alphabet: 'nucleotide' }).log)

describe('what is no letter of a sequence', () => {
  it('is nothing in a clean one', () => {
    expect(list('>a\nACGTRYN\n')).toBeNull()
  })
  it('is told once a character, with the line and column of each place', () => {
    expect(list('>a\nAC!GT!\nAC@\n')).toEqual({ letters: '“!” 2:3, 2:6 · “@” 3:3', kinds: 2, more: 0 })
  })
  it('is told as it was typed, where it is a letter of a Chinese keyboard or with an accent', () => {
    // U+FF21 is the full-width A, three bytes in UTF-8.
    expect(list('>a\nACＡＣGTé!\n')).toEqual({
      letters: '“Ａ” 2:3 · “Ｃ” 2:4 · “é” 2:7 · “!” 2:8',
      kinds: 4,
      more: 0,
    })
  })
  it('is counted beyond what is kept of it', () => {
    expect(list(`>a\nAC${'!'.repeat(50)}\n`)).toEqual({ letters: '“!” 2:3, 2:4, 2:5, 2:6, …', kinds: 1, more: 30 })
  })
})
