import { deflateSync } from 'node:zlib'

// A small .hic file of version 8 or 9, written by hand for tests as the format's two descriptions lay it out.

export interface MadeHic {
  version: 8 | 9
  chromosomes: { name: string; lengthBp: number }[]
  binBp: number
  /** Bins on a side of a block. */
  blockBins: number
  /** Numbers of two chromosomes (the first not the greater), their bins, and the contacts. */
  pixels: [a: number, b: number, x: number, y: number, count: number][]
  /** One vector a chromosome, by name of the normalization. */
  vectors?: Record<string, Float64Array[]>
  /** Mean contact by distance, with the factor of each chromosome; by name, "NONE" for plain counts. */
  expected?: Record<string, { values: Float64Array; factors: number[] }>
  /** Cells of a block row after row instead of lists of rows. */
  dense?: boolean
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const int = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32LE(value)
  return buffer
}
const short = (value: number): Buffer => {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16LE(value)
  return buffer
}
const long = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64LE(BigInt(value))
  return buffer
}
const float = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}
const double = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeDoubleLE(value)
  return buffer
}

type Cell = [x: number, y: number, count: number]

const renderBlock = (cells: Cell[], { version, dense }: MadeHic): Buffer => {
  const firstX = Math.min(...cells.map(([x]) => x))
  const firstY = Math.min(...cells.map(([, y]) => y))
  const fractions = cells.some(([, , count]) => !Number.isInteger(count) || count > 32_767)
  const value = fractions ? float : short
  const head = [int(cells.length), int(firstX), int(firstY), Buffer.from([fractions ? 1 : 0])]
  // Version 9 may write positions in 32 bits: here those of rows, so that both widths are read.
  if (version === 9) head.push(Buffer.from([0, 1]))
  const wide = version === 9 ? int : short
  if (dense === true) {
    const width = Math.max(...cells.map(([x]) => x)) - firstX + 1
    const height = Math.max(...cells.map(([, y]) => y)) - firstY + 1
    const grid = new Array<number | null>(width * height).fill(null)
    for (const [x, y, count] of cells) grid[(y - firstY) * width + (x - firstX)] = count
    const empty = fractions ? Number.NaN : -32_768
    const values = grid.map((found) => value(found ?? empty))
    return deflateSync(Buffer.concat([...head, Buffer.from([2]), int(grid.length), short(width), ...values]))
  }
  const rows = new Map<number, Cell[]>()
  for (const cell of cells) rows.set(cell[1], [...(rows.get(cell[1]) ?? []), cell])
  const body = [...rows].flatMap(([y, row]) => [
    wide(y - firstY),
    short(row.length),
    ...row.flatMap(([x, , count]) => [short(x - firstX), value(count)]),
  ])
  return deflateSync(Buffer.concat([...head, Buffer.from([1]), wide(rows.size), ...body]))
}

/** Renders the file; its chromosomes stand behind juicer's "All". */
export const renderHic = (made: MadeHic): Buffer => {
  const { version, chromosomes, binBp, blockBins, pixels, vectors = {}, expected = {} } = made
  const wide = version === 9 ? long : int
  const real = version === 9 ? float : double
  const bins = chromosomes.map(({ lengthBp }) => Math.ceil(lengthBp / binBp))
  const columns = Math.floor(Math.max(...bins) / blockBins) + 1
  const blockOf = (a: number, b: number, x: number, y: number): number => {
    if (version === 8 || a !== b) return Math.floor(y / blockBins) * columns + Math.floor(x / blockBins)
    const depth = Math.floor(Math.log2(1 + Math.abs(x - y) / Math.SQRT2 / blockBins))
    return depth * columns + Math.floor((x + y) / 2 / blockBins)
  }
  const head = (footerPosition: number, indexPosition: number, indexBytes: number): Buffer =>
    Buffer.concat([
      text('HIC'),
      int(version),
      long(footerPosition),
      text('toy'),
      ...(version === 9 ? [long(indexPosition), long(indexBytes)] : []),
      int(0),
      int(chromosomes.length + 1),
      ...[{ name: 'All', lengthBp: 1 }, ...chromosomes].flatMap(({ name, lengthBp }) => [text(name), wide(lengthBp)]),
      int(1),
      int(binBp),
      int(0),
    ])
  const parts: Buffer[] = [head(0, 0, 0)]
  let position = parts[0]!.length
  const put = (bytes: Buffer): number => {
    const at = position
    parts.push(bytes)
    position += bytes.length
    return at
  }
  const index: Buffer[] = []
  const pairs = new Map<string, MadeHic['pixels']>()
  for (const pixel of pixels) {
    const key = `${pixel[0] + 1}_${pixel[1] + 1}`
    pairs.set(key, [...(pairs.get(key) ?? []), pixel])
  }
  for (const [key, cells] of pairs) {
    const blocks = new Map<number, Cell[]>()
    for (const [a, b, x, y, count] of cells) {
      const number = blockOf(a, b, x, y)
      blocks.set(number, [...(blocks.get(number) ?? []), [x, y, count]])
    }
    const entries = [...blocks]
      .sort(([one], [other]) => one - other)
      .map(([number, block]) => {
        const bytes = renderBlock(block, made)
        return Buffer.concat([int(number), long(put(bytes)), int(bytes.length)])
      })
    const [a, b] = key.split('_').map(Number)
    const zoom = [text('BP'), int(0), float(0), float(0), float(0), float(0), int(binBp), int(blockBins), int(columns)]
    const matrix = Buffer.concat([int(a!), int(b!), int(1), ...zoom, int(entries.length), ...entries])
    index.push(Buffer.concat([text(key), long(put(matrix)), int(matrix.length)]))
  }
  const places: Buffer[] = []
  for (const [name, list] of Object.entries(vectors)) {
    for (const [chromosome, values] of list.entries()) {
      const bytes = Buffer.concat([wide(values.length), ...Array.from(values, real)])
      places.push(
        Buffer.concat([text(name), int(chromosome + 1), text('BP'), int(binBp), long(put(bytes)), wide(bytes.length)]),
      )
    }
  }
  const renderExpected = (name: string): Buffer => {
    const { values, factors } = expected[name]!
    return Buffer.concat([
      ...(name === 'NONE' ? [] : [text(name)]),
      text('BP'),
      int(binBp),
      wide(values.length),
      ...Array.from(values, real),
      int(factors.length),
      ...factors.flatMap((factor, number) => [int(number + 1), real(factor)]),
    ])
  }
  const normalised = Object.keys(expected).filter((name) => name !== 'NONE')
  const first = Buffer.concat([
    int(index.length),
    ...index,
    int(expected.NONE === undefined ? 0 : 1),
    ...(expected.NONE === undefined ? [] : [renderExpected('NONE')]),
  ])
  const second = Buffer.concat([int(normalised.length), ...normalised.map(renderExpected)])
  const third = Buffer.concat([int(places.length), ...places])
  const footerPosition = put(Buffer.concat([wide(first.length), first, second]))
  const indexPosition = put(third)
  parts[0] = head(footerPosition, indexPosition, third.length)
  return Buffer.concat(parts)
}
