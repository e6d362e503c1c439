import { expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { SignalLines } from './signal-lines.ts'

const read = (text: string, lengthBp = 1000) => {
  const log = new DefectLog()
  const lines = new SignalLines({ file: 'a.wig', log, lengthOf: () => lengthBp })
  const out = text.split('\n').map((line, at) => lines.read(line, at + 1))
  return { out, cut: lines.cut, codes: log.defects.map(({ code, line }) => `${code} ${line}`) }
}

test('fixed and variable steps and bedGraph become intervals counted from 0, each in the line of its value', () => {
  const { out, codes } = read(
    [
      'track type=wiggle_0 name="a b"',
      'fixedStep chrom=chrI start=11 step=10 span=5',
      '2.5',
      '-3e-2',
      'variableStep chrom=chrII',
      '7 1',
      '9\t.5',
      'variableStep chrom=chrII span=20',
      '100 4',
      '# comment',
      'chrIII 0 10 6',
      'chrIII\t10\t20\t7',
    ].join('\n'),
  )
  expect(codes).toEqual([])
  expect(out).toEqual([
    '',
    '',
    'chrI\t10\t15\t2.5',
    'chrI\t20\t25\t-3e-2',
    '',
    'chrII\t6\t7\t1',
    'chrII\t8\t9\t.5',
    '',
    'chrII\t99\t119\t4',
    '',
    'chrIII\t0\t10\t6',
    'chrIII\t10\t20\t7',
  ])
})

test('a value that is missing takes its step and gives no interval', () => {
  expect(read('fixedStep chrom=c start=1 step=10\n1\nNaN\n3').out).toEqual(['', 'c\t0\t1\t1', '', 'c\t20\t21\t3'])
})

test('the last window of a sequence is cut at its end, one that begins behind it is not', () => {
  const { out, cut } = read('c\t90\t110\t1\nc\t110\t130\t1', 100)
  expect(out).toEqual(['c\t90\t100\t1', 'c\t110\t130\t1'])
  expect(cut).toBe(1)
})

test('what cannot be read is told with its line, and what follows a broken declaration not once more', () => {
  expect(read('5').codes).toEqual(['signal-undeclared 1'])
  expect(read('fixedStep chrom=c step=1\n1\n2').codes).toEqual(['signal-declaration 1'])
  expect(read('variableStep chrom=c\n0 1\n5 high\n6').codes).toEqual([
    'signal-position 2',
    'signal-value 3',
    'signal-columns 4',
  ])
})
