import { expect, test } from 'vitest'
import { GfaError, parseGfaLine, parsePathName, walkSteps } from './gfa.ts'

test('a segment has its bases, or only its length', () => {
  expect(parseGfaLine('S\ts1\tACGT\tLN:i:4')).toEqual({
    kind: 'segment',
    name: 's1',
    sequence: 'ACGT',
    lengthBp: 4,
    stable: null,
  })
  expect(parseGfaLine('S\ts2\t*\tLN:i:900')).toMatchObject({ sequence: null, lengthBp: 900 })
  expect(() => parseGfaLine('S\ts2\t*')).toThrow(GfaError)
  expect(parseGfaLine('S\ts3\tAC\tSN:Z:chr1\tSO:i:77\tSR:i:0')).toMatchObject({
    stable: { name: 'chr1', start0: 77, rank: 0 },
  })
})

test('paths of GFA 1.0 and walks of 1.1 are read alike', () => {
  expect(parseGfaLine('P\tx#1#chrI:100-200\t1+,2-,3+\t0M,0M')).toMatchObject({
    locus: { sample: 'x', haplotype: '1', sequence: 'chrI', start0: 100 },
    walk: '>1<2>3',
  })
  expect(parseGfaLine('W\tx\t1\tchrI\t100\t200\t>1<2>3')).toMatchObject({
    locus: { name: 'x#1#chrI:100-200', sample: 'x', haplotype: '1', sequence: 'chrI', start0: 100 },
    walk: '>1<2>3',
  })
  expect([...walkSteps('>1<2>33')]).toEqual([
    ['1', false],
    ['2', true],
    ['33', false],
  ])
})

test('names of paths as programs write them', () => {
  expect(parsePathName('chrI')).toMatchObject({ sample: null, haplotype: null, sequence: 'chrI', start0: 0 })
  expect(parsePathName('grch38#chr6:31972046-32055647')).toMatchObject({
    sample: 'grch38',
    haplotype: null,
    sequence: 'chr6',
    start0: 31_972_046,
  })
  expect(parsePathName('HG00438#2#JAHBCA010000042.1:24398231-24449090')).toMatchObject({
    sample: 'HG00438',
    haplotype: '2',
    sequence: 'JAHBCA010000042.1',
  })
})

test('what cannot be read is refused with the reason, and lines of no interest are passed over', () => {
  for (const [line, code] of [
    ['H\tVN:Z:2.0', 'graph-version'],
    ['L\t1\t+\t2\t+\t12M', 'graph-overlaps'],
    ['P\tp\t1+,2+\t5M', 'graph-overlaps'],
    ['L\t1\tx\t2\t+\t0M', 'graph-line'],
    ['S\t1\tAC GT', 'graph-line'],
    ['W\ts\t1\tc\t-4\t9\t>1', 'graph-line'],
    ['W\ts\t1\tc\t0\t9\t1>2', 'graph-line'],
  ] as const)
    expect(() => parseGfaLine(line), line).toThrow(expect.objectContaining({ code }))
  expect(parseGfaLine('# note')).toBeNull()
  expect(parseGfaLine('H\tVN:Z:1.1')).toBeNull()
  expect(parseGfaLine('C\t1\t+\t2\t+\t0\t4M')).toBeNull()
  expect(parseGfaLine('')).toBeNull()
})
