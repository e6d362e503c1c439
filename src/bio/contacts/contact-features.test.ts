import { describe, expect, it, test } from 'vitest'
import { ContactLineError, createLoopReader, createRegionReader } from './contact-features.ts'

const readAll = <Found>(read: (line: string) => Found | null, text: string): Found[] =>
  text.split('\n').flatMap((line) => read(line) ?? [])

describe('domains', () => {
  it('are read from BED and from the squares of Arrowhead', () => {
    expect(readAll(createRegionReader('tads'), 'track name=x\nchr1\t0\t90000\td1\nchr1\t90000\t150000')).toEqual([
      { sequence: 'chr1', start0: 0, end0: 90_000, name: 'd1', value: null },
      { sequence: 'chr1', start0: 90_000, end0: 150_000, name: null, value: null },
    ])
    const arrowhead = 'chr1\tx1\tx2\tchr2\ty1\ty2\tcolor\nchr1\t5000\t70000\tchr1\t5000\t70000\t255,255,0'
    expect(readAll(createRegionReader('tads'), arrowhead)).toEqual([
      { sequence: 'chr1', start0: 5000, end0: 70_000, name: null, value: null },
    ])
  })
  it('with a start behind the end are refused', () => {
    expect(() => createRegionReader('tads')('chr1\t500\t20')).toThrow(ContactLineError)
    expect(() => createRegionReader('tads')('chr1\t5')).toThrow(ContactLineError)
  })
})

describe('compartments', () => {
  it('are read from bedGraph, from the table of cooltools and from A and B as names', () => {
    const values = (text: string): (number | null)[] =>
      readAll(createRegionReader('compartments'), text).map(({ value }) => value)
    expect(values('chr1\t0\t100\t0.5\nchr1\t100\t200\t-1.25')).toEqual([0.5, -1.25])
    expect(values('chrom\tstart\tend\tweight\tE1\tE2\nchr1\t0\t100\t0.01\t-0.75\t2\nchr1\t100\t200\t\t\t')).toEqual([
      -0.75,
    ])
    expect(values('chr1\t0\t100\tA1\nchr1\t100\t200\tB')).toEqual([1, -1])
  })
})

test('values with decimal commas and values that are none are told, those that are missing are not', () => {
  const problem = (read: (line: string) => unknown, ...lines: string[]): unknown => {
    try {
      for (const line of lines) read(line)
    } catch (error) {
      return error instanceof ContactLineError ? error.problem : error
    }
    return null
  }
  const compartments = () => createRegionReader('compartments')
  const at = (value: string) => `chr1\t0\t100\t${value}`
  const comma = 'phenotype-decimal-comma'
  expect(problem(compartments(), at('0,5'))).toEqual({ code: comma, params: { value: '0,5', column: '@value' } })
  expect(problem(compartments(), at('bin1\t0,5'))).toMatchObject({ code: comma })
  expect(problem(compartments(), 'chrom\tstart\tend\tE1\tE2', at('-0,5\t0.1'))).toMatchObject({
    code: comma,
    params: { value: '-0,5', column: 'E1' },
  })
  expect(problem(compartments(), at('high'))).toEqual({
    code: 'cell-no-number',
    params: { value: 'high', column: '@value' },
  })
  for (const missing of ['NA', '', '.', 'nan']) expect(problem(compartments(), at(missing))).toBeNull()
  // A value that is missing is not that of the next column.
  const second = readAll(compartments(), 'chrom\tstart\tend\tE1\tE2\nchr1\t0\t100\t\t0.7')
  expect(second).toEqual([])
  const pair = 'chr1\t0\t10\tchr1\t500\t510'
  expect(problem(createLoopReader(), `${pair}\tl1\t7,5`)).toMatchObject({ code: comma })
  expect(problem(createLoopReader(), `${pair}\tl1\tstrong`)).toBeNull()
  const heading = 'chrom1\tstart1\tend1\tchrom2\tstart2\tend2\tscore'
  expect(problem(createLoopReader(), heading, `${pair}\t7,5`)).toMatchObject({
    code: comma,
    params: { column: 'score' },
  })
  expect(problem(createLoopReader(), heading, `${pair}\tstrong`)).toMatchObject({ code: 'cell-no-number' })
})

describe('loops', () => {
  it('are read from BEDPE and from headed tables', () => {
    expect(readAll(createLoopReader(), 'chr1\t0\t10\tchr1\t500\t510\tl1\t7.5')).toEqual([
      {
        a: { sequence: 'chr1', start0: 0, end0: 10 },
        b: { sequence: 'chr1', start0: 500, end0: 510 },
        name: 'l1',
        score: 7.5,
      },
    ])
    const headed = 'chrom1\tstart1\tend1\tchrom2\tstart2\tend2\tbin1\tbin2\tscore\nII\t0\t10\tII\t50\t60.0\t1\t2\t0.4'
    expect(readAll(createLoopReader(), headed)).toMatchObject([{ b: { end0: 60 }, name: null, score: 0.4 }])
    expect(readAll(createLoopReader(), '#chr1\tx1\tx2\tchr2\ty1\ty2\tname\n# juicer\nII\t0\t1\tII\t5\t6')).toHaveLength(
      1,
    )
  })
})
