import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

// Archives as tests need them: also such as no program would write.

export interface ArchiveEntry {
  name: string
  content?: string | Uint8Array
  /** A symbolic link to this. */
  link?: string
  /** What the directory says of the size and the checksum, where that is not true. */
  claims?: { bytes?: number; crc?: number }
  encrypted?: boolean
}

/** A ZIP archive (APPNOTE 4.3): local headers with deflated data, the directory, its end. */
export const makeZip = (entries: readonly ArchiveEntry[]): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', link, claims, encrypted } of entries) {
    const data = Buffer.from((link ?? content) as string)
    const packed = deflateRawSync(data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(encrypted ? 1 : 0, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(claims?.crc ?? crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claims?.bytes ?? data.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    // Attributes of Unix in the upper half: a link or a file.
    rest.writeUInt32LE(((link === undefined ? 0o100644 : 0o120777) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const madeByUnix = Buffer.from([20, 3])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeByUnix, fields, rest, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const whole = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(whole.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, whole, end])
}

/** A tar archive of POSIX (ustar). */
export const makeTar = (entries: readonly ArchiveEntry[]): Buffer => {
  const blocks: Buffer[] = []
  for (const { name, content = '', link } of entries) {
    const data = link === undefined ? Buffer.from(content as string) : Buffer.alloc(0)
    const head = Buffer.alloc(512)
    head.write(name, 0, 100, 'latin1')
    head.write('0000644\0', 100)
    head.write('0000000\0', 108)
    head.write('0000000\0', 116)
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write('00000000000\0', 136)
    head.write('        ', 148)
    head.write(link !== undefined ? '2' : name.endsWith('/') ? '5' : '0', 156)
    if (link !== undefined) head.write(link, 157, 100, 'latin1')
    head.write('ustar\x0000', 257, 'latin1')
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    blocks.push(head, data, Buffer.alloc((512 - (data.length % 512)) % 512))
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Writes files by their paths below a folder, and gives it back. */
export const writeFolder = (folder: string, files: Record<string, string | Uint8Array>): string => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return folder
}
