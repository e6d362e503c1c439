import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetDate } from './database-date.ts'

const text = (content: string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(content, 'latin1')])
}

/** An index as makeblastdb 2.12 writes it: zeros behind the date up to a multiple of eight bytes. */
const makeIndex = (title: string, date: string): Buffer => {
  const before = Buffer.concat([Buffer.from([0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0]), text(title), text('genome.ndb')])
  const zeros = (8 - ((before.length + 4 + date.length) % 8)) % 8
  return Buffer.concat([before, text(date + '\0'.repeat(zeros)), Buffer.from('what follows')])
}

test('an index is the same whenever it was made, and for a title of any length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-date-'))
  const file = join(folder, 'genome.nin')
  const forget = async (index: Buffer): Promise<Buffer> => {
    writeFileSync(file, index)
    await forgetDate(file)
    return readFileSync(file)
  }
  try {
    for (let length = 0; length < 8; length += 1) {
      const title = `Nov 1, 2026  1:10 AM${'x'.repeat(length)}`
      const dates = ['Nov 9, 2026  9:59 AM', 'Nov 9, 2026  10:00 AM', 'Nov 10, 2026  9:59 PM', 'Nov 10, 2026  10:00 PM']
      const forgotten: Buffer[] = []
      for (const date of dates) forgotten.push(await forget(makeIndex(title, date)))
      const [first, ...others] = forgotten
      for (const other of others) expect(other.equals(first!)).toBe(true)
      expect(first!.includes('Jan 01, 1970  12:00 AM') && first!.includes(title)).toBe(true)
      expect(first!.indexOf('what follows') % 8).toBe(0)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
