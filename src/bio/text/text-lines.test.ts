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
    ['half a character of UTF-16', [0xff, 0xfe, 65, 0, 66], 'text-other-encoding@1'],
    ['a web page', [...utf8('\n<!DOCTYPE html><html>')], 'text-html@1'],
    ['nothing', [], 'text-empty@null'],
  ])('refuses %s', (_, bytes, defect) => {
    const found = read(Uint8Array.from(bytes))
    expect(found.lines).toEqual([])
    expect(found.defects[0]).toBe(defect)
  })
})

// Bytes as other programs write them, so that the reading is not compared with itself: iconv -t GB18030.
const gbk: Record<string, number[]> = {
  过: [0xb9, 0xfd],
  氧: [0xd1, 0xf5],
  化: [0xbb, 0xaf],
  氢: [0xc7, 0xe2],
  酶: [0xc3, 0xb8],
  水: [0xcb, 0xae],
  稻: [0xb5, 0xbe],
  // Of the wider tables: GBK, and four bytes.
  镕: [0xe9, 0x46],
  㐀: [0x81, 0x39, 0xee, 0x39],
}
const gb = (text: string) => [...text].flatMap((letter) => gbk[letter] ?? [letter.charCodeAt(0)])
const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : part)))

describe('texts in other encodings', () => {
  const rows = 'chr1\tx\tgene\t1\t9\t.\t+\t.\tID=g;product='.repeat(3)
  it('GB18030 is read, also where a letter of the wider table stands beside common ones, in pieces of any size', () => {
    const bytes = bytesOf(`${rows}`, gb('过氧化氢酶'), '\nplain\n', gb('水镕㐀稻'), '; catalase\n', 'end')
    for (const size of [1, 3, 64, 700, bytes.length]) {
      expect(read(bytes, size)).toEqual({
        lines: [`${rows}过氧化氢酶`, 'plain', '水镕㐀稻; catalase', 'end'],
        defects: ['text-other-encoding@1'],
      })
    }
  })
  it('a line of GB18030 that is UTF-8 by chance is read like its neighbours', () => {
    // D3 BE (泳) by itself is a letter of Cyrillic in UTF-8.
    const bytes = bytesOf(gb('过氧化氢酶'), '\n', [0xd3, 0xbe], '\n')
    expect(read(bytes).lines).toEqual(['过氧化氢酶', '泳'])
  })
  it.each(['utf-16le', 'utf-16be'])(
    '%s is read with and without a byte order mark, in pieces that cut its letters',
    (kind) => {
      const text = '@article{a,\n  title = {水稻 catalase μ},\n}\n'
      const code = (letters: string) =>
        Uint8Array.from(
          [...letters].flatMap((letter) => {
            const unit = letter.charCodeAt(0)
            return kind === 'utf-16le' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]
          }),
        )
      for (const bytes of [code(`\ufeff${text}`), code(text)])
        for (const size of [1, 5, bytes.length])
          expect(read(bytes, size)).toEqual({
            lines: text.split('\n').slice(0, -1),
            defects: ['text-other-encoding@1'],
          })
    },
  )
  it('Windows-1252 is read with its degree signs, micro signs and quotes', () => {
    const bytes = bytesOf(
      'grown at 37',
      [0xb0],
      'C in 5 ',
      [0xb5],
      'M ',
      [0x93],
      'X',
      [0x94],
      '\nMeyer, J',
      [0xfc],
      'rgen\n',
    )
    expect(read(bytes)).toEqual({
      lines: ['grown at 37°C in 5 µM “X”', 'Meyer, Jürgen'],
      defects: ['text-not-utf8@1', 'text-not-utf8@2'],
    })
  })
  it.each([
    ['UTF-8 cut within its last letter', bytesOf('a\n水稻', [0xe9, 0x85]), 'text-utf8-damaged@2'],
    ['UTF-8 with a letter of Latin-1 in one line', bytesOf('a\n水稻 prot', [0xe9], 'ine\n'), 'text-utf8-damaged@2'],
    ['GB18030 behind Windows-1252', bytesOf('37', [0xb0], 'C\n', gb('过氧化氢酶'), '\n'), 'text-encoding-mixed@2'],
    ['Windows-1252 behind GB18030', bytesOf(gb('过氧化氢酶'), '\n37', [0xb0], 'C\n'), 'text-encoding-mixed@2'],
    ['UTF-8 behind GB18030', bytesOf(gb('过氧化氢酶'), '\n水稻\n'), 'text-encoding-mixed@2'],
    [
      'one pair between letters, which may be either',
      bytesOf('a\nM', [0xc4, 0xd6], 'ller\n'),
      'text-encoding-unclear@2',
    ],
    ['NUL bytes', bytesOf('abcd efgh\nab\0c\n'), 'text-binary@2'],
  ])('%s is refused with its line', (_, bytes, defect) => {
    for (const size of [bytes.length, 1]) expect(read(bytes, size).defects.at(-1)).toBe(defect)
  })
  it('a contradiction that comes megabytes later still refuses the file', () => {
    const log = new DefectLog()
    const reader = new LineReader({ file: 'x', log, onLine: () => undefined })
    reader.push(bytesOf(gb('过氧化氢酶'), '\n'))
    const piece = utf8('a line of a large file\n'.repeat(4000))
    for (let number = 0; number < 30; number++) reader.push(piece)
    reader.push(bytesOf('caf', [0xe9], '\n'))
    reader.end()
    expect(log.defects.map(({ code, line }) => `${code}@${line}`)).toEqual([
      'text-other-encoding@1',
      'text-encoding-mixed@120002',
    ])
  })
  it('a tar archive is told', () => {
    const head = new Uint8Array(1024)
    head.set(utf8('genes.gff3'))
    head.set(utf8('ustar'), 257)
    expect(read(head).defects).toEqual(['text-archive@1'])
  })
})
