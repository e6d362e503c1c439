// Matrices as NumPy's own files (.npy, format 1.0: numpy.lib.format), rows one after the other: numpy.load opens them as they are.

import { closeSync, openSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { StoreError } from './store-error.ts'

const types = { '<f4': Float32Array, '<f8': Float64Array, '<u2': Uint16Array, '<u4': Uint32Array } as const
export type MatrixType = keyof typeof types
type Cells<Type extends MatrixType> = InstanceType<(typeof types)[Type]>

const magic = Buffer.from('\x93NUMPY\x01\x00', 'latin1')
/** The header ends at a multiple of this, so that cells lie as processors like them. */
const alignment = 64
const pieceBytes = 8 << 20

const renderHeader = (type: MatrixType, rows: number, columns: number): Buffer => {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const length = Math.ceil((10 + text.length + 1) / alignment) * alignment
  const header = Buffer.alloc(length, ' ')
  magic.copy(header)
  header.writeUInt16LE(length - 10, 8)
  header.write(text, 10, 'latin1')
  header[length - 1] = 10
  return header
}

/** Writes a matrix row by row: `fill` is handed each row's number and a row to fill. */
export const writeMatrix = async <Type extends MatrixType>(
  file: string,
  type: Type,
  rows: number,
  columns: number,
  fill: (row: number, into: Cells<Type>) => void,
): Promise<void> => {
  const handle = await open(file, 'w')
  try {
    await handle.write(renderHeader(type, rows, columns))
    const rowBytes = columns * types[type].BYTES_PER_ELEMENT
    const rowsAPiece = Math.max(1, Math.floor(pieceBytes / Math.max(1, rowBytes)))
    for (let from = 0; from < rows; from += rowsAPiece) {
      const count = Math.min(rowsAPiece, rows - from)
      const piece = new types[type](count * columns)
      for (let at = 0; at < count; at += 1)
        fill(from + at, piece.subarray(at * columns, (at + 1) * columns) as Cells<Type>)
      const bytes = Buffer.from(piece.buffer)
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten
    }
  } finally {
    await handle.close()
  }
}

export interface OpenColumn<Type extends MatrixType> {
  /** Writes cells at a place of their own, in any order of calls. */
  write(cells: Cells<Type>, at: number): void
  close(): void
}

/** Begins a matrix of one column whose cells are written piece by piece, each where it belongs; what is never written is 0. */
export const createColumn = <Type extends MatrixType>(file: string, type: Type, rows: number): OpenColumn<Type> => {
  const descriptor = openSync(file, 'w')
  const header = renderHeader(type, rows, 1)
  const width = types[type].BYTES_PER_ELEMENT
  const writeAll = (bytes: Uint8Array, position: number): void => {
    for (let done = 0; done < bytes.length; )
      done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
  }
  writeAll(header, 0)
  return {
    write: (cells, at) =>
      writeAll(new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength), header.length + at * width),
    close: () => closeSync(descriptor),
  }
}

export interface MatrixFile<Type extends MatrixType = MatrixType> {
  rows: number
  columns: number
  /** Rows by number, in the order asked. */
  readRows(rows: readonly number[]): Promise<Cells<Type>[]>
  /** Cells by their place in the file, rows one after the other: of a matrix of one column, its rows. */
  readCells(first: number, count: number): Promise<Cells<Type>>
  /** All rows in order, some at a time; the array is used again for the next piece. */
  scan(): AsyncGenerator<{ first: number; count: number; cells: Cells<Type> }>
  close(): Promise<void>
}

const readWhole = async (handle: FileHandle, bytes: Uint8Array, position: number, file: string): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done)
    if (bytesRead === 0) throw new StoreError('truncated', file, 'its rows are cut off')
    done += bytesRead
  }
}

/** Opens such a file of this type of cells; only what is asked for is read. Throws StoreError when it is another kind of file. */
export const openMatrix = async <Type extends MatrixType>(file: string, type: Type): Promise<MatrixFile<Type>> => {
  const handle = await open(file, 'r')
  try {
    const start = Buffer.alloc(10)
    await readWhole(handle, start, 0, file)
    if (!start.subarray(0, 8).equals(magic)) throw new StoreError('corrupt', file, 'it is no .npy file of format 1.0')
    const header = Buffer.alloc(start.readUInt16LE(8))
    await readWhole(handle, header, 10, file)
    const match = /^\{'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \((\d+), (\d+)\), \}\s*$/.exec(
      header.toString('latin1'),
    )
    if (match?.[1] !== type || match[2] !== 'False')
      throw new StoreError('corrupt', file, `it is no matrix of ${type}, row after row`)
    const [rows, columns] = [Number(match[3]), Number(match[4])]
    const offset = 10 + header.length
    const Cells = types[type]
    const rowBytes = columns * Cells.BYTES_PER_ELEMENT
    const bytesOf = (cells: { buffer: ArrayBufferLike; byteLength: number }): Uint8Array =>
      new Uint8Array(cells.buffer, 0, cells.byteLength)
    return {
      rows,
      columns,
      readRows: async (wanted) => {
        const found: Cells<Type>[] = []
        for (const row of wanted) {
          if (!(row >= 0 && row < rows)) throw new RangeError(`row ${row} of ${rows}`)
          const cells = new Cells(columns) as Cells<Type>
          await readWhole(handle, bytesOf(cells), offset + row * rowBytes, file)
          found.push(cells)
        }
        return found
      },
      readCells: async (first, count) => {
        if (!(first >= 0 && first + count <= rows * columns)) throw new RangeError(`cells ${first}, ${count} more`)
        const cells = new Cells(count) as Cells<Type>
        await readWhole(handle, bytesOf(cells), offset + first * Cells.BYTES_PER_ELEMENT, file)
        return cells
      },
      scan: async function* () {
        const rowsAPiece = Math.max(1, Math.floor(pieceBytes / Math.max(1, rowBytes)))
        const whole = new Cells(Math.min(rows, rowsAPiece) * columns) as Cells<Type>
        for (let first = 0; first < rows; first += rowsAPiece) {
          const count = Math.min(rowsAPiece, rows - first)
          await readWhole(handle, bytesOf(whole).subarray(0, count * rowBytes), offset + first * rowBytes, file)
          yield { first, count, cells: whole }
        }
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
