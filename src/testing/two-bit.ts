const baseCodes = 'TCAG'

/** Runs of letters that a test matches: where each begins, counted from 0, and how long it is. */
const runsOf = (bases: string, letters: RegExp): [number, number][] =>
  [...bases.matchAll(letters)].map((run) => [run.index, run[0].length])

/** A 2bit file as faToTwoBit writes it; N and lower case become its stretches. */
export const renderTwoBit = (
  sequences: Readonly<Record<string, string>>,
  { isLittleEndian = true, hasLongOffsets = false } = {},
): Buffer => {
  const uint32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    if (isLittleEndian) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const uint64 = (value: number): Buffer => {
    const bytes = Buffer.alloc(8)
    if (isLittleEndian) bytes.writeBigUInt64LE(BigInt(value))
    else bytes.writeBigUInt64BE(BigInt(value))
    return bytes
  }
  const stretches = (runs: [number, number][]): Buffer =>
    Buffer.concat([
      uint32(runs.length),
      ...runs.map(([start0]) => uint32(start0)),
      ...runs.map(([, lengthBp]) => uint32(lengthBp)),
    ])
  const records = Object.values(sequences).map((bases) => {
    const packed = Buffer.alloc(Math.ceil(bases.length / 4))
    for (let at = 0; at < bases.length; at++) {
      const code = Math.max(0, baseCodes.indexOf(bases[at]!.toUpperCase()))
      packed[at >> 2] = packed[at >> 2]! | (code << (6 - 2 * (at % 4)))
    }
    const head = [uint32(bases.length), stretches(runsOf(bases, /[Nn]+/g)), stretches(runsOf(bases, /[a-z]+/g))]
    return Buffer.concat([...head, uint32(0), packed])
  })
  const names = Object.keys(sequences)
  const offsetBytes = hasLongOffsets ? 8 : 4
  let offset = 16 + names.reduce((sum, name) => sum + 1 + name.length + offsetBytes, 0)
  const index = names.map((name, number) => {
    const entry = Buffer.concat([
      Buffer.of(name.length),
      Buffer.from(name),
      hasLongOffsets ? uint64(offset) : uint32(offset),
    ])
    offset += records[number]!.length
    return entry
  })
  const head = [0x1a412743, hasLongOffsets ? 1 : 0, names.length, 0].map(uint32)
  return Buffer.concat([...head, ...index, ...records])
}
