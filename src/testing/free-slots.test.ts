import { expect, test } from 'vitest'
import { findStarts, type SlotEvent } from './free-slots.ts'

const slots = (atMs: number, count: number): SlotEvent => ({ atMs, kind: 'slots', slots: count })
const job = (atMs: number, kind: 'waits' | 'starts' | 'leaves' | 'ends', name: string): SlotEvent => ({
  atMs,
  kind,
  job: name,
})

test('a job that waits for its turn waits beside no free slot until there is one', () => {
  const starts = findStarts([
    slots(0, 1),
    job(0, 'waits', 'a'),
    job(1, 'waits', 'b'),
    job(100, 'starts', 'a'),
    job(1_100, 'ends', 'a'),
    job(1_600, 'starts', 'b'),
    job(2_000, 'ends', 'b'),
  ])
  expect(starts.map(({ job: name, waitedMs, besideFreeSlotMs }) => [name, waitedMs, besideFreeSlotMs])).toEqual([
    ['a', 100, 100],
    ['b', 1_599, 500],
  ])
})

test('slots of a node that is gone are no slots, and a job that was lost there waits from when that is known', () => {
  const starts = findStarts([
    slots(0, 2),
    job(0, 'waits', 'a'),
    job(0, 'starts', 'a'),
    job(0, 'waits', 'b'),
    job(0, 'starts', 'b'),
    slots(1_000, 1),
    job(1_000, 'leaves', 'a'),
    job(5_000, 'waits', 'a'),
    job(6_000, 'ends', 'b'),
    job(6_200, 'starts', 'a'),
  ])
  expect(starts.at(-1)).toEqual({ job: 'a', atMs: 6_200, waitedMs: 1_200, besideFreeSlotMs: 200 })
})
