import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { renderTwoBit } from '../testing/two-bit.ts'
import { readGenomeText } from './genome-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'genome-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = async (content: Uint8Array | string): Promise<string> => {
  const file = join(folder, 'genome')
  writeFileSync(file, content)
  const pieces: Buffer[] = []
  for await (const piece of readGenomeText(file)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
/** Without line ends within sequences, which mean nothing. */
const sequencesOf = (fasta: string): Record<string, string> =>
  Object.fromEntries(
    fasta
      .split('>')
      .slice(1)
      .map((record) => [
        record.slice(0, record.indexOf('\n')),
        record.slice(record.indexOf('\n')).replaceAll('\n', ''),
      ]),
  )

// Longer than what is read at once, and no multiple of four.
const long = `${'ACGTNNNNacgtnnTT'.repeat(30_000)}G`

describe('a genome as text', () => {
  it.each([
    { isLittleEndian: true, hasLongOffsets: false },
    { isLittleEndian: false, hasLongOffsets: false },
    { isLittleEndian: true, hasLongOffsets: true },
    { isLittleEndian: false, hasLongOffsets: true },
  ])('is read of 2bit, %o', async (options) => {
    const sequences = { chrI: 'ACGTNNacgtn', empty: '', long, chrII: 'n'.repeat(9) }
    expect(sequencesOf(await read(renderTwoBit(sequences, options)))).toEqual(sequences)
  })

  it('is refused where the 2bit file is cut off, also where it says of itself to be longer than memory', async () => {
    const whole = renderTwoBit({ chrI: long })
    await expect(read(whole.subarray(0, -40))).rejects.toMatchObject({ code: 'truncated' })
    await expect(read(whole.subarray(0, 24))).rejects.toMatchObject({ code: 'truncated' })
    whole.writeUInt32LE(0xffffffff, 16 + 9 + 4)
    await expect(read(whole)).rejects.toMatchObject({ code: 'truncated' })
  })

  it('is FASTA as it is', async () => {
    expect(await read('>chrI\nAC\nGT\n')).toBe('>chrI\nAC\nGT\n')
  })
})
