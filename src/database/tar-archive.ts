/**
 * Reading and writing tar archives of small files, in the POSIX ustar format (IEEE Std 1003.1, pax, "ustar Interchange
 * Format"), so that a backup can be looked into with any tar program.
 */

const blockBytes = 512

export interface TarEntry {
  name: string
  content: Buffer
}

/** One file as the bytes of its archive entry; `name` is ASCII of at most 100 characters. */
export function renderTarEntry({ name, content }: TarEntry, modifiedAt: Date): Buffer {
  if (!/^[\x20-\x7e]{1,100}$/.test(name)) throw new RangeError(`No name for a tar entry: ${name}`)
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, offset: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1')
  header.write(name, 0, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(Math.floor(modifiedAt.getTime() / 1000), 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (blockBytes - 1))])
}

/** The two empty blocks that end an archive. */
export function renderTarEnd(): Buffer {
  return Buffer.alloc(2 * blockBytes)
}

/**
 * The files of an archive in order, each whole in memory. Throws when the archive is cut off or damaged, or an entry is no plain
 * file or larger than `limitBytes`.
 */
export async function* readTar(source: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<TarEntry> {
  const take = takeFrom(source)
  for (;;) {
    const header = await take(blockBytes)
    if (header.every((byte) => byte === 0)) return
    const field = (offset: number, length: number) =>
      header.toString('latin1', offset, offset + length).replace(/[\0 ].*$/s, '')
    if (Number.parseInt(field(148, 8), 8) !== checksumOf(header)) throw new Error('a header in the archive is damaged')
    const size = Number.parseInt(field(124, 12), 8)
    const kind = header.toString('latin1', 156, 157)
    const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
    if ((kind !== '0' && kind !== '\0') || !Number.isInteger(size))
      throw new Error(`${name} in the archive is not a plain file`)
    if (size > limitBytes) throw new Error(`${name} in the archive is larger than it may be`)
    const content = await take(size)
    await take(-size & (blockBytes - 1))
    yield { name, content }
  }
}

/** Sum of the header's bytes, its own field counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0
  return sum
}

function takeFrom(source: AsyncIterable<Buffer>): (length: number) => Promise<Buffer> {
  const parts = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (length) => {
    const collected = [rest]
    let bytes = rest.length
    while (bytes < length) {
      const next = await parts.next()
      if (next.done) throw new Error('the archive is cut off')
      collected.push(next.value)
      bytes += next.value.length
    }
    const all = collected.length === 1 ? rest : Buffer.concat(collected)
    rest = all.subarray(length)
    return all.subarray(0, length)
  }
}
