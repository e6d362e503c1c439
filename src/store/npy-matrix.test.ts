import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openMatrix, writeMatrix } from './npy-matrix.ts'

const folder = mkdtempSync(join(tmpdir(), 'novodb-npy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a matrix is read back row by row and as a whole, and its header is NumPy’s', async () => {
  const file = join(folder, 'a.npy')
  // More than one piece of 8 MB.
  const [rows, columns] = [3000, 1000]
  await writeMatrix(file, '<f4', rows, columns, (row, into) => {
    for (let at = 0; at < columns; at += 1) into[at] = row + at / 1000
  })
  const bytes = readFileSync(file)
  expect(bytes.subarray(1, 6).toString('latin1')).toBe('NUMPY')
  expect(bytes.readUInt16LE(8) + 10).toBe(128)
  expect(bytes.length).toBe(128 + rows * columns * 4)
  const matrix = await openMatrix(file, '<f4')
  const [last, first] = await matrix.readRows([2999, 0])
  expect([last![500], first![1]]).toEqual([2999.5, Math.fround(0.001)])
  let sum = 0
  let count = 0
  for await (const piece of matrix.scan()) {
    for (let row = 0; row < piece.count; row += 1) sum += piece.cells[row * columns]!
    count += piece.count
  }
  expect([count, sum]).toEqual([rows, (2999 * 3000) / 2])
  await expect(matrix.readRows([3000])).rejects.toThrow(RangeError)
  await matrix.close()
})

test('another kind of file, another type of cells and a cut file are refused', async () => {
  const file = join(folder, 'b.npy')
  await writeMatrix(file, '<u2', 2, 3, (row, into) => void into.fill(row))
  await expect(openMatrix(file, '<f8')).rejects.toMatchObject({ code: 'corrupt' })
  const bytes = readFileSync(file)
  writeFileSync(join(folder, 'cut.npy'), bytes.subarray(0, bytes.length - 1))
  const cut = await openMatrix(join(folder, 'cut.npy'), '<u2')
  expect([...(await cut.readRows([0]))[0]!]).toEqual([0, 0, 0])
  await expect(cut.readRows([1])).rejects.toMatchObject({ code: 'truncated' })
  await cut.close()
  writeFileSync(join(folder, 'text'), 'gene\ts1\n'.repeat(20))
  await expect(openMatrix(join(folder, 'text'), '<f4')).rejects.toMatchObject({ code: 'corrupt' })
})
