import { expect, test } from 'vitest'
import type { PortalError } from '../../contracts/errors.ts'
import { createFairQueue } from './fair-queue.ts'

const never = new AbortController().signal
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: PortalError) => `${error.code} ${error.status} ${error.messageId}`,
  )

/** Works that end when they are told to, in the order in which they began. */
const createWorks = () => {
  const began: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name)
      ends.push(() => resolve(name))
    })
  const endOne = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { began, work, endOne }
}

test('a reader who asks for one sequence waits for one turn of everybody, not for hundreds of one script', async () => {
  const { began, work, endOne } = createWorks()
  const turns = createFairQueue({ atOnce: 2, waitingOfClient: 50, waiting: 100 })
  const all: Promise<string>[] = []
  for (let number = 1; number <= 6; number++) all.push(turns.take('script', never, work(`script ${number}`)))
  all.push(turns.take('reader', never, work('reader 1')), turns.take('class', never, work('class 1')))
  all.push(turns.take('reader', never, work('reader 2')))
  await new Promise((resolve) => setImmediate(resolve))
  expect(began).toEqual(['script 1', 'script 2'])
  for (let count = 0; count < 9; count++) await endOne()
  expect(began.slice(2)).toEqual(['script 3', 'reader 1', 'class 1', 'script 4', 'reader 2', 'script 5', 'script 6'])
  expect(await Promise.all(all)).toHaveLength(9)
})

test('a client has no more at work than it may, though places are free, and others take them', async () => {
  const { began, work, endOne } = createWorks()
  const turns = createFairQueue({ atOnce: 3, atOnceOfClient: 2, waitingOfClient: 2, waiting: 10 })
  const taken = [1, 2, 3, 4].map((number) => turns.take('script', never, work(`script ${number}`)))
  expect(await codeOf(turns.take('script', never, work('script 5')))).toBe('TOO_MANY_REQUESTS 429 tool.clientLimit')
  taken.push(turns.take('reader', never, work('reader')))
  await new Promise((resolve) => setImmediate(resolve))
  expect(began).toEqual(['script 1', 'script 2', 'reader'])
  for (let count = 0; count < 5; count++) await endOne()
  expect(began.slice(3)).toEqual(['script 3', 'script 4'])
  expect(await Promise.all(taken)).toHaveLength(5)
})

test('who needs a certain place waits for it and keeps nobody else from the others', async () => {
  const { began, work, endOne } = createWorks()
  const turns = createFairQueue({ atOnce: 2, waitingOfClient: 5, waiting: 10 })
  const indexes: number[] = []
  const at = (name: string) => (index: number) => {
    indexes.push(index)
    return work(name)()
  }
  const taken = [
    turns.take('a', never, at('first')),
    turns.take('b', never, at('stream'), 0),
    turns.take('b', never, at('page')),
    turns.take('c', never, at('last')),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  expect([began, indexes]).toEqual([
    ['first', 'page'],
    [0, 1],
  ])
  for (let count = 0; count < 4; count++) await endOne()
  expect(began.slice(2)).toEqual(['stream', 'last'])
  expect(indexes[2]).toBe(0)
  expect(await Promise.all(taken)).toHaveLength(4)
})

test('one client cannot fill the queue: it is told its own bound, and others are still served', async () => {
  const { work, endOne } = createWorks()
  const turns = createFairQueue({ atOnce: 1, waitingOfClient: 3, waiting: 5 })
  const taken = Array.from({ length: 4 }, () => turns.take('script', never, work('script')))
  expect(await codeOf(turns.take('script', never, work('script')))).toBe('TOO_MANY_REQUESTS 429 tool.clientLimit')
  taken.push(turns.take('reader', never, work('reader')), turns.take('class', never, work('class')))
  expect(await codeOf(turns.take('late', never, work('late')))).toBe('BUSY 503 error.BUSY')
  for (let count = 0; count < 6; count++) await endOne()
  expect(await Promise.all(taken)).toEqual(['script', 'script', 'script', 'script', 'reader', 'class'])
  expect(await codeOf(turns.take('late', never, async () => 'late'))).toBe('done')
})

test('whoever hangs up while waiting leaves the queue, and a work that fails gives its turn on', async () => {
  const { began, work, endOne } = createWorks()
  const turns = createFairQueue({ atOnce: 1, waitingOfClient: 1, waiting: 1 })
  const first = turns.take('a', never, work('first'))
  const gone = new AbortController()
  const waiting = turns.take('b', gone.signal, work('gone'))
  expect(await codeOf(turns.take('b', never, work('refused')))).toMatch(/^TOO_MANY/)
  gone.abort(new Error('hung up'))
  await expect(waiting).rejects.toThrow('hung up')
  const failing = expect(turns.take('b', never, () => Promise.reject(new Error('no such gene')))).rejects.toThrow(
    'no such gene',
  )
  await endOne()
  expect(await first).toBe('first')
  await failing
  const last = turns.take('c', never, work('last'))
  await endOne()
  expect(await last).toBe('last')
  expect(began).toEqual(['first', 'last'])
})
