import { describe, expect, test } from 'vitest'
import { compareResults } from './compare-results.ts'

describe('two results of one question', () => {
  test('that say the same in another order of fields or items have no difference', () => {
    expect(compareResults({ a: 1, list: [1, 2, 2] }, { list: [2, 1, 2], a: 1 })).toEqual([])
  })
  test('lists are compared by the ids of their items', () => {
    const before = {
      hits: [
        { id: 'a', score: 1 },
        { id: 'b', score: 2 },
        { id: 'c', score: 3 },
      ],
    }
    const now = {
      hits: [
        { id: 'c', score: 3 },
        { id: 'b', score: 9 },
        { id: 'd', score: 3 },
        { id: 'e', score: 3 },
      ],
    }
    expect(compareResults(before, now)).toEqual([
      { kind: 'list', name: 'hits', before: 3, now: 4, added: 2, gone: 1, changed: 1 },
    ])
  })
  test('lists without ids by what their items say, as often as they do', () => {
    expect(
      compareResults(
        {
          network: {
            pairs: [
              [0, 1],
              [0, 1],
              [2, 3],
            ],
          },
        },
        {
          network: {
            pairs: [
              [0, 1],
              [4, 5],
            ],
          },
        },
      ),
    ).toEqual([{ kind: 'list', name: 'network.pairs', before: 3, now: 2, added: 1, gone: 2, changed: 0 }])
  })
  test('values, and what is there in one of them alone', () => {
    expect(compareResults({ lambda: 1.02, name: 'x' }, { lambda: 1.5, name: 'x', more: null })).toEqual([
      { kind: 'value', name: 'lambda', before: '1.02', now: '1.5' },
      { kind: 'value', name: 'more', before: '–', now: 'null' },
    ])
  })
})
