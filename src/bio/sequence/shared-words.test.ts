import { describe, expect, test } from 'vitest'
import { makeRandomBelow } from '../../testing/random.ts'
import { reverseComplement } from './sequence.ts'
import { sharedWordShare } from './shared-words.ts'

const chance = makeRandomBelow(11)
const bases = (lengthBp: number): string => Array.from({ length: lengthBp }, () => 'ACGT'[chance(4)]).join('')

describe('words that two sequences share', () => {
  test('are all of what stands there whole, on either strand, in either case', () => {
    const gene = bases(600)
    const around = `${bases(2000)}${gene.toLowerCase()}${bases(2000)}`
    expect(sharedWordShare(gene, around)).toBe(1)
    expect(sharedWordShare(gene, reverseComplement(around))).toBe(1)
  })

  test('tell DNA that has diverged by 15 % from other DNA', () => {
    for (let round = 0; round < 20; round += 1) {
      const gene = bases(900)
      const diverged = [...gene].map((base) => (chance(100) < 15 ? 'ACGT'.replace(base, '')[chance(3)] : base)).join('')
      expect(sharedWordShare(gene, `${bases(4000)}${diverged}${bases(4000)}`)).toBeGreaterThan(0.03)
      expect(sharedWordShare(gene, bases(20_000))).toBeLessThan(0.01)
    }
  })

  test('are none of a sequence of unknown bases, or shorter than a word', () => {
    expect(sharedWordShare('N'.repeat(100), 'N'.repeat(1000))).toBe(0)
    expect(sharedWordShare('ACGTACGT', 'ACGTACGT')).toBe(0)
  })
})
