import { describe, expect, it } from 'vitest'
import { DefectLog } from './defects.ts'
import { LineReader } from './text-lines.ts'

function read(bytes: Uint8Array, chunkSize = bytes.length) {
  const log = new DefectLog()
  const lines: string[] = []
  const numbers: number[] = []
  const reader = new LineReader({
    file: 'x.gff3',
    log,
    onLine(line, lineNumber) {
      lines.push(line)
      numbers.push(lineNumber)
    },
  })
  for (let start = 0; start < bytes.length; start += Math.max(1, chunkSize)) {
    reader.push(bytes.subarray(start, start + Math.max(1, chunkSize)))
  }
  reader.end()
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  return { lines, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('LineReader', () => {
  it('gives the same lines whatever the pieces are, also when they cut a Chinese character', () => {
    const text = `##gff-version 3\r\n# 酿酒酵母 基因组注释 Saccharomyces cerevisiae S288C genes and names\n\nchrI\tSGD\tgene\nlast`
    const expected = read(utf8(text))
    expect(expected.lines).toEqual([
      '##gff-version 3',
      '# 酿酒酵母 基因组注释 Saccharomyces cerevisiae S288C genes and names',
      '',
      'chrI\tSGD\tgene',
      'last',
    ])
    for (const size of [1, 2, 3, 7, 64, 65]) expect(read(utf8(text), size)).toEqual(expected)
  })
  it('does not make an empty line of the newline at the end', () => {
    expect(read(utf8('a\nb\n')).lines).toEqual(['a', 'b'])
    expect(read(utf8(`${'a'.repeat(99)}\nb\n`)).lines).toEqual(['a'.repeat(99), 'b'])
    expect(read(utf8('a\r\nb\r\n')).lines).toEqual(['a', 'b'])
  })
  it('skips a byte order mark and says so', () => {
    expect(read(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8('a\nb')))).toEqual({
      lines: ['a', 'b'],
      defects: ['text-byte-order-mark@1'],
    })
  })
  it('reads a Latin-1 line among UTF-8 ones: the β of one line survives, the é of another too', () => {
    const bytes = Uint8Array.of(...utf8('β-actin\nNote=prot'), 0xe9, ...utf8('ine\nend\n'))
    expect(read(bytes)).toEqual({ lines: ['β-actin', 'Note=protéine', 'end'], defects: ['text-not-utf8@2'] })
  })
  it('reads files of the old Macintosh, whose lines end with CR', () => {
    const text = `${'x'.repeat(40)}\r${'y'.repeat(40)}\rz\r`
    for (const size of [1, 50, 500]) {
      const { lines, defects } = read(utf8(text), size)
      expect(lines).toEqual(['x'.repeat(40), 'y'.repeat(40), 'z'])
      expect(defects).toEqual(['text-old-mac-newlines@1'])
    }
  })
  it.each([
    ['gzip', [0x1f, 0x8b, 8, 0], 'text-compressed@1'],
    ['UTF-16', [0xff, 0xfe, 65, 0], 'text-utf16@1'],
    ['a web page', [...utf8('\n<!DOCTYPE html><html>')], 'text-html@1'],
    ['nothing', [], 'text-empty@null'],
  ])('refuses %s', (_, bytes, defect) => {
    expect(read(Uint8Array.from(bytes))).toEqual({ lines: [], defects: [defect] })
  })
})
