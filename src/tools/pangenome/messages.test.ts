import { expect, it } from 'vitest'
import messages from './messages.ts'

it('the size of a pan-genome is told with γ, its new families and whether it is open with α, in both languages', () => {
  for (const texts of [messages.en, messages.zh] as Record<string, string>[]) {
    const symbols = (key: string): string[] => [...new Set(texts[key]!.match(/[αγ]/g))]
    expect(symbols('head')).toEqual(['γ'])
    expect(symbols('growth.heaps')).toEqual(['γ'])
    for (const key of ['growth.alpha', 'growth.open', 'growth.closed', 'growth.undecided'])
      expect(symbols(key), key).toEqual(['α'])
  }
})
