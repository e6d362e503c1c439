import { expect, test } from 'vitest'
import { PortalError } from '../../contracts/errors.ts'
import { beginStream } from './begin-stream.ts'

const pieces = (log: string[], failAt = Number.POSITIVE_INFINITY) =>
  (async function* () {
    try {
      for (let at = 0; at < 3; at += 1) {
        if (at === failAt) throw new PortalError('NOT_FOUND')
        log.push(`made ${at}`)
        yield `${at};`
      }
    } finally {
      log.push('closed')
    }
  })()

test('a stream gives out all pieces, the first of which is made before it is there', async () => {
  const log: string[] = []
  const stream = await beginStream(pieces(log))
  expect(log).toEqual(['made 0'])
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('0;1;2;')
  expect(log.at(-1)).toBe('closed')
})

test('what fails before the first piece fails before there is a stream, and has closed what it read', async () => {
  const log: string[] = []
  await expect(beginStream(pieces(log, 0))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(log).toEqual(['closed'])
})

test('a reader who hangs up before the first piece is sent closes what is read all the same', async () => {
  const log: string[] = []
  const stream = await beginStream(pieces(log))
  stream.destroy()
  await expect.poll(() => log).toEqual(['made 0', 'closed'])
})

test('nothing at all is a stream that ends', async () => {
  const stream = await beginStream((async function* () {})())
  expect(await stream.toArray()).toEqual([])
})
