import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { DefectLog } from '../text/defects.ts'
import { FastaReader, parseFastaText } from './fasta.ts'
import type { Alphabet } from './sequence.ts'

function read(text: string | Uint8Array, alphabet: Alphabet = 'nucleotide', chunkSize = Number.POSITIVE_INFINITY) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const log = new DefectLog()
  const records: { name: string; description: string; line: number; sequence: string; count: number }[] = []
  let sequence = ''
  const reader = new FastaReader({
    file: 'x.fa',
    log,
    alphabet,
    onResidues: (residues) => {
      sequence += new TextDecoder('latin1').decode(residues)
    },
    onRecordEnd(header, count) {
      records.push({ ...header, sequence, count })
      sequence = ''
    },
  })
  for (let start = 0; start < bytes.length; start += chunkSize) reader.push(bytes.subarray(start, start + chunkSize))
  reader.end()
  return { records, defects: log.defects.map(({ code, line }) => `${code}@${line}`), log }
}

describe('FastaReader', () => {
  it('gives the same records whatever the pieces are: CRLF, blank lines, comments, soft mask, no last newline', () => {
    const text = '; old comment\r\n>chrI  Saccharomyces  cerevisiae\r\nACGTacgt\r\nNN\r\n\r\nRY\r\n>chrII\r\nAC\r\nG'
    const expected = read(text)
    expect(expected.records).toEqual([
      { name: 'chrI', description: 'Saccharomyces  cerevisiae', line: 2, sequence: 'ACGTacgtNNRY', count: 12 },
      { name: 'chrII', description: '', line: 7, sequence: 'ACG', count: 3 },
    ])
    expect(expected.defects).toEqual([])
    for (const size of [1, 2, 3, 5, 63, 64, 65]) {
      expect(read(text, 'nucleotide', size).records, `pieces of ${size}`).toEqual(expected.records)
      expect(read(text, 'nucleotide', size).defects).toEqual([])
    }
  })

  it('names line and column of a letter that is no base', () => {
    const { log } = read('>chrI\nACGT\nACEGT\n>b\nAC!T\n')
    expect(log.defects.map(({ line, params }) => [line, params])).toEqual([
      [3, { name: 'chrI', column: 3, character: 'E', alphabet: '@nucleotide' }],
      [5, { name: 'b', column: 3, character: '!', alphabet: '@nucleotide' }],
    ])
    const long = `>chrI\n${'ACGT'.repeat(40)}E`
    expect(read(long, 'nucleotide', 70).log.defects[0]!.params).toMatchObject({ column: 161 })
  })

  it('reads an old Macintosh file line by line', () => {
    const { records, defects } = read(`>a\r${'ACGT\r'.repeat(30)}>b\rAC\r`, 'nucleotide', 7)
    expect(records.map(({ name, count, line }) => [name, count, line])).toEqual([
      ['a', 120, 1],
      ['b', 2, 32],
    ])
    expect(defects).toEqual(['text-old-mac-newlines@1'])
  })

  it.each([
    ['a sequence without header', 'ACGT\nACGT\n>b\nAC\n', ['fasta-no-header@1']],
    ['a name used twice', '>a\nAC\n>b\nAC\n>a\nAC\n', ['fasta-duplicate-name@5']],
    ['a header without name', '>\nAC\n> \nAC\n', ['fasta-empty-name@1', 'fasta-empty-name@3']],
    ['a blank before the name', '> a\nAC\n', ['fasta-space-before-name@1']],
    ['a record without sequence', '>a\n>b\nAC\n>c', ['fasta-empty-sequence@1', 'fasta-empty-sequence@4']],
    ['GenBank numbering', '>a\n1 acgtac gtacgt\n13 acgt\n', ['fasta-blanks-or-digits@2']],
    ['an alignment', '>a\nAC--GT\n', ['fasta-gaps-removed@2']],
    ['a blank file', '\n\n', ['fasta-no-sequences@null']],
    ['an empty file', '', ['text-empty@null']],
    ['a gzip file', Uint8Array.of(0x1f, 0x8b, 8, 0, 0), ['text-compressed@1']],
    ['a byte order mark', '\ufeff>a\nAC\n', ['text-byte-order-mark@1']],
  ])('reports %s', (_, text, defects) => {
    expect(read(text).defects).toEqual(defects)
  })

  it('leaves out sequence before the first header, and keeps the rest', () => {
    expect(read('ACGT\n>b\nAC\n').records.map(({ name, sequence }) => [name, sequence])).toEqual([['b', 'AC']])
  })

  it('takes every amino acid, keeps the final stop and reports an internal one', () => {
    const { records, defects } = read('>p\nMKUOBZXJ*\n>q\nMK*LT*\n>r\nMK.\n>s\nMA**\n', 'protein')
    expect(records.map(({ sequence }) => sequence)).toEqual(['MKUOBZXJ*', 'MK*LT*', 'MK*', 'MA**'])
    expect(defects).toEqual(['fasta-internal-stop@4', 'fasta-dot-as-stop@6', 'fasta-internal-stop@8'])
  })
})

describe('parseFastaText', () => {
  it('reads a bare pasted sequence with blanks', () => {
    const { records, alphabet } = parseFastaText('acgt acgt')
    expect(records).toEqual([{ name: 'sequence_1', description: '', sequence: 'acgtacgt' }])
    expect(alphabet).toBe('nucleotide')
  })
  it('guesses proteins from the sequences, not from the headers', () => {
    const { records, alphabet, log } = parseFastaText('>ACGTACGTACGTACGT\nMKLVFW\n>b\nMSTQ*')
    expect(alphabet).toBe('protein')
    expect(records.map(({ sequence }) => sequence)).toEqual(['MKLVFW', 'MSTQ*'])
    expect(log.defects).toEqual([])
  })
})

const yeast = `${realData}/yeast`
describe.skipIf(!hasRealData)('on the real yeast genome', () => {
  it('finds 17 sequences and 12,157,105 bases', () => {
    const { records, defects } = read(
      gunzipSync(readFileSync(`${yeast}/genome/R64.genome.chr.fa.gz`)),
      'nucleotide',
      65_536,
    )
    expect(records).toHaveLength(17)
    expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(12_157_105)
    expect(records.find(({ name }) => name === 'chrmt')!.count).toBe(85_779)
    expect(defects).toEqual([])
  })
  it('reads all 5,816 SGD proteins, each with its stop at the end', () => {
    const { records, defects } = read(gunzipSync(readFileSync(`${yeast}/genome/SGDref.PoFF.faa.gz`)), 'protein', 65_536)
    expect(records).toHaveLength(5816)
    expect(records.every(({ sequence }) => sequence.endsWith('*'))).toBe(true)
    expect(defects).toEqual([])
  })
})

describe('FASTA in UTF-16 that is cut in the middle of a character', () => {
  const whole = Uint8Array.from([0xff, 0xfe, ...[...'>chr1 x\nACGTACGT\n'].flatMap((one) => [one.charCodeAt(0), 0])])

  it.each([1, 7, 4096])('is told, in pieces of %d bytes', (size) => {
    expect(read(whole, 'nucleotide', size).defects).toEqual(['text-other-encoding@1'])
    const cut = read(whole.subarray(0, whole.length - 1), 'nucleotide', size)
    expect(cut.defects).toEqual(['text-other-encoding@1', 'text-utf16-damaged@null'])
  })
})
