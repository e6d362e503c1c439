import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { guessCollinearFormat, parseCollinearFile } from './collinear-files.ts'

const mcscanx = `############### Parameters ###############
# MATCH_SCORE: 50
## Alignment 0: score=250.0 e_value=6.6e-12 N=2 at1&vv3 minus
  0-  0:\tAT1G1\tVV3\t 6e-294
  0-  1:\tAT1G2\tVV2\t      0
`

describe('files of collinear blocks', () => {
  test('MCScanX: score, e-value, orientation and pairs', () => {
    expect(parseCollinearFile(mcscanx)).toEqual({
      format: 'mcscanx',
      blocks: [
        {
          line: 3,
          orientation: -1,
          score: 250,
          evalue: 6.6e-12,
          geneCount: null,
          a: { genes: ['AT1G1', 'AT1G2'], sequence: null, start1: null, end1: null },
          b: { genes: ['VV3', 'VV2'], sequence: null, start1: null, end1: null },
        },
      ],
    })
  })

  test('JCVI anchors: blocks between lines of ###, Windows line ends', () => {
    const parsed = parseCollinearFile('###\r\na1\tb1\t1030\r\na2\tb2\t880L\r\n###\r\na7\tb3\t100\r\n')
    expect(parsed).toMatchObject({ format: 'anchors' })
    expect('blocks' in parsed && parsed.blocks.map(({ a }) => a.genes)).toEqual([['a1', 'a2'], ['a7']])
  })

  test('JCVI simple: ends of the blocks, how many genes, orientation; a colour before the first gene', () => {
    const parsed = parseCollinearFile('g*a1 a9 b1 b9 9 -\n')
    expect(parsed).toMatchObject({ format: 'simple', blocks: [{ orientation: -1, geneCount: 9 }] })
    expect('blocks' in parsed && parsed.blocks[0]!.a.genes).toEqual(['a1', 'a9'])
  })

  test('PAF: half-open starts become 1-based, secondary and short alignments are left out', () => {
    const line = (strand: string, type: string, end: number) =>
      `chrI\t230000\t100\t${end}\t${strand}\tchr1\t240000\t200\t${end + 100}\t9000\t9900\t60\ttp:A:${type}`
    const parsed = parseCollinearFile([line('-', 'P', 10_000), line('+', 'S', 10_000), line('+', 'P', 3000)].join('\n'))
    expect(parsed).toMatchObject({ format: 'paf' })
    expect('blocks' in parsed && parsed.blocks).toMatchObject([
      {
        orientation: -1,
        score: 9000,
        a: { sequence: 'chrI', start1: 101, end1: 10_000 },
        b: { start1: 201, end1: 10_100 },
      },
    ])
  })

  test('what is none of them, and the line that is wrong, are said', () => {
    expect(guessCollinearFormat('gene\tvalue\n')).toBeNull()
    expect(parseCollinearFile('gene\tvalue\n')).toMatchObject({ line: null })
    expect(parseCollinearFile(`${mcscanx}nonsense\n`)).toMatchObject({ line: 6 })
    expect(parseCollinearFile('###\n')).toMatchObject({ reason: 'no block in it' })
  })

  test.skipIf(!hasRealData)('a PAF of minimap2 has the primary blocks that were counted in it', () => {
    const text = gunzipSync(readFileSync(`${realData}/yeast/synteny/Y12_vs_R64.paf.gz`)).toString()
    const parsed = parseCollinearFile(text)
    expect('blocks' in parsed && parsed.blocks.length).toBeGreaterThanOrEqual(90)
  })
})
