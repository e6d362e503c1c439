import { describe, expect, it } from 'vitest'
import { batchCalls } from './batch-calls.ts'

describe('calls that are gathered', () => {
  it('of one turn go together, each with its own answer', async () => {
    const asked: string[][] = []
    const call = batchCalls(
      async (names: string[]) => {
        asked.push(names)
        return names.map((name) => name.toUpperCase())
      },
      { atOnce: 2, max: 100 },
    )
    expect(await Promise.all(['act1', 'pho5', 'gal4'].map(call))).toEqual(['ACT1', 'PHO5', 'GAL4'])
    expect(asked).toEqual([['act1', 'pho5', 'gal4']])
  })

  it('wait while as many statements run as may, and are never more than one statement takes', async () => {
    const ends: (() => void)[] = []
    const asked: number[][] = []
    const call = batchCalls(
      async (keys: number[]) => {
        asked.push(keys)
        await new Promise<void>((end) => ends.push(end))
        return keys
      },
      { atOnce: 1, max: 3 },
    )
    const answers = Promise.all([1, 2, 3, 4, 5].map(call))
    await new Promise((done) => setTimeout(done, 10))
    expect(asked).toEqual([[1, 2, 3]])
    ends.shift()!()
    await new Promise((done) => setTimeout(done, 10))
    expect(asked).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    ends.shift()!()
    expect(await answers).toEqual([1, 2, 3, 4, 5])
  })

  it('reject together when their statement fails, and the next ones are asked again', async () => {
    let failing = true
    const call = batchCalls(
      async (keys: number[]) => {
        if (failing) throw new Error('away')
        return keys
      },
      { atOnce: 1, max: 10 },
    )
    const outcomes = await Promise.allSettled([call(1), call(2)])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
    failing = false
    expect(await call(3)).toBe(3)
  })
})
