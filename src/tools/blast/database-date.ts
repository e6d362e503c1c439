import { createReadStream } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { openSink } from '../../store/file-sink.ts'

// makeblastdb writes into a database when it was made: into the head of its index (.nin, .pin), and since 2.13 into its JSON (.njs,
// .pjs). Equal sequences are to be equal files, whose checksums say that they are.

const updatedAt = /("last-updated": *")[^"]*(")/
const headBytes = 64 * 1024
const constantDate = 'Jan 01, 1970  12:00 AM'
/** What follows the date begins at a multiple of eight bytes, behind zeros. */
const alignedTo = 8

/**
 * The first bytes of an index up to the date and with it, the date replaced, and how many bytes these were before: a date of another
 * length may have had another number of zeros. Version, kind and, in version 5, volume come first, in four bytes each; texts have
 * their length before them. Null of what is no such head.
 */
export const replaceDate = (head: Buffer): { replaced: Buffer; length: number } | null => {
  if (head.length < 12) return null
  const isFifth = head.readUInt32BE(0) === 5
  let at = isFifth ? 12 : 8
  // The title, and in version 5 the name of the file of identifiers.
  for (let text = 0; text < (isFifth ? 2 : 1); text += 1) {
    if (at + 4 > head.length) return null
    at += 4 + head.readUInt32BE(at)
  }
  if (at + 4 > head.length) return null
  const end = at + 4 + head.readUInt32BE(at)
  if (end > head.length) return null
  const shortest = at + 4 + constantDate.length
  const newEnd = shortest + ((((end - shortest) % alignedTo) + alignedTo) % alignedTo)
  const replaced = Buffer.alloc(newEnd)
  head.copy(replaced, 0, 0, at)
  replaced.writeUInt32BE(newEnd - at - 4, at)
  replaced.write(constantDate, at + 4, 'latin1')
  return { replaced, length: end }
}

/** Takes the time out of a file of a database; of files that have none nothing is changed. */
export const forgetDate = async (file: string): Promise<void> => {
  if (/\.[np]js$/.test(file)) {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(updatedAt, '$11970-01-01T00:00:00$2'))
    return
  }
  if (!/\.[np]in$/.test(file)) return
  const handle = await open(file, 'r+')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const found = replaceDate(buffer.subarray(0, bytesRead))
    if (found === null) throw new Error(`${file} has no head as makeblastdb writes it`)
    if (found.replaced.length === found.length) {
      await handle.write(found.replaced, 0, found.length, 0)
      return
    }
    const sink = await openSink(`${file}.part`)
    try {
      await sink.write(found.replaced)
      for await (const piece of createReadStream(file, { start: found.length })) await sink.write(piece as Buffer)
      await sink.end()
    } finally {
      await sink.discard()
    }
    await rename(`${file}.part`, file)
  } finally {
    await handle.close()
  }
}
