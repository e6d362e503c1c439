import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { describeConsensus, logoHeights, parseConsensus, parseMotifs } from './motif-formats.ts'

describe('matrices are read in the formats of the field', () => {
  it('MEME, with its background, several motifs, names and numbers of sites', () => {
    const { format, motifs, problems, background } = parseMotifs(`MEME version 4

ALPHABET= ACGT
strands: + -
Background letter frequencies (from file):
A 0.3 C 0.2 G 0.2 T 0.3

MOTIF MA0281.2 CBF1
log-odds matrix: alength= 4 w= 2 E= 0
 10 -20 30 40
 10 -20 30 40
letter-probability matrix: alength= 4 w= 2 nsites= 34 E= 0
 0.5 0.0 0.5 0.0
 0.0 1.0 0.0 0.0
URL http://jaspar.example

MOTIF second NA
letter-probability matrix: alength= 4 w= 1
0.25 0.25 0.25 0.25
`)
    expect(format).toBe('meme')
    expect(problems).toEqual([])
    expect(background).toEqual([0.3, 0.2, 0.2, 0.3])
    expect(motifs).toEqual([
      {
        id: 'MA0281.2',
        name: 'CBF1',
        siteCount: 34,
        consensus: null,
        frequencies: [
          [0.5, 0, 0.5, 0],
          [0, 1, 0, 0],
        ],
      },
      { id: 'second', name: null, siteCount: 20, consensus: null, frequencies: [[0.25, 0.25, 0.25, 0.25]] },
    ])
  })

  it('JASPAR, with brackets and letters', () => {
    const { format, motifs } = parseMotifs(`>MA0299.1\tGAL4
A  [     0     0     2    96 ]
C  [   100     2    96     1 ]
G  [     0    98     1     2 ]
T  [     0     0     1     1 ]
`)
    expect(format).toBe('jaspar')
    expect(motifs).toHaveLength(1)
    expect(motifs[0]).toMatchObject({ id: 'MA0299.1', name: 'GAL4', siteCount: 100 })
    expect(motifs[0]!.frequencies[0]).toEqual([0, 1, 0, 0])
    expect(describeConsensus(motifs[0]!.frequencies)).toBe('CGCA')
  })

  it('plain frequency matrices: lines of bases as JASPAR wrote them, and lines of positions', () => {
    const bases = parseMotifs('>GCN4\n0 9 0 3 0\n0 0 0 3 9\n0 0 9 0 0\n9 0 0 3 0')
    expect(bases.format).toBe('pfm')
    expect(describeConsensus(bases.motifs[0]!.frequencies)).toBe('TAGHC')
    const positions = parseMotifs('# comment\n>GCN4\n0\t0\t0\t9\n9\t0\t0\t0\n0\t0\t9\t0\n3\t3\t0\t3\n0\t9\t0\t0')
    expect(positions.motifs[0]!.frequencies).toEqual(bases.motifs[0]!.frequencies)
  })

  it('of four lines by four columns, tells positions from bases by their sums', () => {
    const bases = parseMotifs('>m\n8 0 0 0\n0 8 0 5\n0 0 8 0\n0 0 0 3')
    expect(bases.motifs[0]!.frequencies[3]).toEqual([0, 0.625, 0, 0.375])
    const positions = parseMotifs('>m\n8 0 0 0\n0 0 0 8\n8 0 0 0\n0 5 0 3')
    expect(positions.motifs[0]!.frequencies[3]).toEqual([0, 0.625, 0, 0.375])
  })

  it('TRANSFAC, whatever the order of its bases', () => {
    const { format, motifs, problems } = parseMotifs(`AC  M00193
XX
ID  F$GCN4_01
NA  GCN4
P0      T      A      C      G
01     10      0      0      0      T
02      0      0      0     10      G
03      2      8      0      0      A
XX
//
`)
    expect(format).toBe('transfac')
    expect(problems).toEqual([])
    expect(motifs).toEqual([
      {
        id: 'M00193',
        name: 'GCN4',
        siteCount: 10,
        consensus: null,
        frequencies: [
          [0, 0, 0, 1],
          [0, 0, 1, 0],
          [0.8, 0, 0, 0.2],
        ],
      },
    ])
  })

  it('names motifs apart that have the same id', () => {
    expect(parseMotifs('>a\n1 2\n1 1\n3 1\n1 1\n>a\n1 2\n1 1\n3 1\n1 1').motifs.map(({ id }) => id)).toEqual([
      'a',
      'a_2',
    ])
  })

  it.each([
    [
      'MEME version 4\nALPHABET= ACDEFGHIKLMNPQRSTVWY\nMOTIF x\nletter-probability matrix: alength= 20 w= 1\n',
      'not-dna',
      2,
    ],
    ['MEME version 4\nMOTIF x\nletter-probability matrix: alength= 4 w= 3\n0.25 0.25 0.25 0.25\n', 'bad-rows', 3],
    ['MEME version 4\nMOTIF x\nletter-probability matrix: alength= 4 w= 1\n0.25 0.25 x 0.25\n', 'bad-number', 4],
    ['MEME version 4\n', 'no-motifs', 0],
    ['>m\nA [1 2 3]\nC [1 2 3]\nG [1 2 3]\n', 'bad-rows', 1],
    ['>m\nA [1 2]\nC [1 2]\nG [1 -2]\nT [1 2]', 'bad-number', 4],
    ['>m\n0 0\n0 1\n0 0\n0 0', 'empty-column', 1],
    ['>m\n1 2 3\n1 2 3', 'bad-columns', 1],
    ['MKVLAARW and other words', 'unknown-format', 0],
    ['   ', 'no-motifs', 0],
  ])('tells what is wrong: %j', (text, code, line) => {
    const { motifs, problems } = parseMotifs(text)
    expect(motifs).toEqual([])
    expect(problems[0]).toMatchObject({ code, line })
  })

  it('keeps the motifs that can be read beside one that cannot', () => {
    const { motifs, problems } = parseMotifs('>a\n1 x\n>b\n1 2\n1 1\n3 1\n1 1')
    expect(motifs.map(({ id }) => id)).toEqual(['b'])
    expect(problems).toHaveLength(1)
  })

  it.skipIf(!hasRealData)('the yeast collections whole: YeTFaSCo, MacIsaac and JASPAR fungi', () => {
    const read = (name: string): string => {
      const bytes = readFileSync(join(realData, 'yeast/motif', name))
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    }
    const yetfasco = parseMotifs(read('yetfasco_all.meme.gz'))
    expect([yetfasco.motifs.length, yetfasco.problems]).toEqual([1883, []])
    expect(yetfasco.background).toEqual([0.309, 0.191, 0.191, 0.309])
    const macisaac = parseMotifs(read('macisaac_yeast.v1.meme.gz'))
    expect([macisaac.motifs.length, macisaac.problems]).toEqual([124, []])
    const jaspar = parseMotifs(read('JASPAR2022_fungi.pfm'))
    expect([jaspar.format, jaspar.motifs.length, jaspar.problems]).toEqual(['pfm', 179, []])
  })
})

describe('consensus words', () => {
  it('are read with names or without, and equal shares for ambiguity codes', () => {
    const { motifs, problems } = parseConsensus('GATA HGATAR\ncacgtg, TGASTCA')
    expect(problems).toEqual([])
    expect(motifs.map(({ id, consensus }) => [id, consensus])).toEqual([
      ['GATA', 'HGATAR'],
      ['CACGTG', 'CACGTG'],
      ['TGASTCA', 'TGASTCA'],
    ])
    expect(motifs[0]!.frequencies[0]).toEqual([1 / 3, 1 / 3, 0, 1 / 3])
    expect(motifs.map((motif) => describeConsensus(motif.frequencies))).toEqual(['HGATAR', 'CACGTG', 'TGASTCA'])
  })

  it('name the letter that is none of IUPAC', () => {
    expect(parseConsensus('TATAZAA').problems).toEqual([{ code: 'bad-letter', line: 1, text: 'Z' }])
  })
})

it('letters of a logo are as high as Schneider and Stephens define, corrected for few sites', () => {
  const [sure, even, half] = logoHeights(
    [
      [1, 0, 0, 0],
      [0.25, 0.25, 0.25, 0.25],
      [0.5, 0, 0, 0.5],
    ],
    null,
  )
  expect(sure).toEqual([2, 0, 0, 0])
  expect(even).toEqual([0, 0, 0, 0])
  expect(half).toEqual([0.5, 0, 0, 0.5])
  expect(logoHeights([[1, 0, 0, 0]], 20)[0]![0]).toBeCloseTo(1.8918, 4)
})
