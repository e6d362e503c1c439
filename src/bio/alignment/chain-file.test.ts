import { expect, test } from 'vitest'
import { ChainReader } from './chain-file.ts'
import { PafError, parsePafLine, renderCigar, renderPafLine } from './paf.ts'

const read = (text: string) => {
  const reader = new ChainReader()
  const records = text.split('\n').flatMap((line) => reader.push(line))
  reader.end()
  return records
}

// The example of the format's description at UCSC.
test('a chain on the forward strand is one alignment whose gaps are insertions and deletions', () => {
  const [record, ...rest] = read(
    '##comment\nchain 4900 chrY 58368225 + 25985403 25985638 chr5 151006098 + 43257292 43257528 1\n9 1 0\n10 0 5\n61 4 0\n16 0 4\n42 3 0\n16 0 8\n14 1 0\n3 7 0\n48\n',
  )
  expect(rest).toEqual([])
  expect(record).toMatchObject({ target: 'chrY', targetStart0: 25_985_403, targetEnd0: 25_985_638 })
  expect(record).toMatchObject({ query: 'chr5', strand: '+', queryStart0: 43_257_292, queryEnd0: 43_257_528 })
  expect(renderCigar(record!.cigar!)).toBe('9M1D10M5I61M4D16M4I42M3D16M8I14M1D3M7D48M')
})

test('places on the reverse strand of the query are told on its forward strand', () => {
  const [record] = read('chain 10 chr1 100 + 0 20 q 90 - 10 28 1\n8 4 2\n8\n')
  expect(record).toMatchObject({ strand: '-', queryStart0: 62, queryEnd0: 80, matches: 16, blockBp: 22 })
  expect(renderCigar(record!.cigar!)).toBe('8M4D2I8M')
})

test('where long stretches of both lie between blocks, the alignments are two', () => {
  const records = read('chain 10 chr1 1000 + 0 320 q 1000 + 100 440 1\n100 120 140\n100\n')
  expect(
    records.map(({ targetStart0, targetEnd0, queryStart0, queryEnd0 }) => [
      targetStart0,
      targetEnd0,
      queryStart0,
      queryEnd0,
    ]),
  ).toEqual([
    [0, 100, 100, 200],
    [220, 320, 340, 440],
  ])
})

test.each([
  ['8 4 2', 'before the first line'],
  ['chain 10 chr1 100 + 0 20 q 90 - 10', 'twelve'],
  ['chain 10 chr1 100 - 0 20 q 90 - 10 28 1', 'not +'],
  ['chain 10 chr1 100 + 0 20 q 90 + 10 28 1\n8 4 2\n', 'cut off'],
  ['chain 10 chr1 100 + 0 30 q 90 + 10 28 1\n8 4 2\n8\n', 'do not end'],
  ['chain 10 chr1 100 + 0 20 q 90 + 10 28 1\n8 4 2\n8\n8', 'behind the last block'],
  ['chain 10 chr1 10 + 0 20 q 90 + 10 28 1', 'beyond'],
  ['chain 10 chr1 100 + 0 20 q 90 + 10 28 1\n8 x 2', 'no whole number'],
])('what is no chain is refused: %j', (text, why) => {
  expect(() => read(text)).toThrow(PafError)
  expect(() => read(text)).toThrow(why)
})

test('a line of PAF that is written is read as it was', () => {
  const [record] = read('chain 10 chr1 100 + 0 20 q 90 - 10 28 1\n8 4 2\n8\n')
  expect(parsePafLine(renderPafLine(record!))).toEqual(record)
})
