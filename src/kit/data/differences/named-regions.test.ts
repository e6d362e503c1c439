import { expect, test } from 'vitest'
import { nameRegions } from './named-regions.ts'

const side = (start: number, end: number, lengthBp = end - start + 1) => ({
  sequence: 'chr1',
  start,
  end,
  lengthBp,
  parts: [],
})
const feature = (label: string, start: number, end: number, sequence = 'chr1') => ({ label, sequence, start, end })

test('a difference is named after the feature that is the same place, not after what lies in it or around it', () => {
  const features = [
    feature('RD1', 1010, 10_000),
    feature('a gene in it', 4000, 5000),
    feature('all of the chromosome', 1, 90_000),
    feature('elsewhere', 1010, 10_000, 'chr2'),
  ]
  expect(nameRegions({ a: side(1000, 10_000), b: side(500, 501, 0) }, [features, []])).toEqual(['RD1'])
  expect(nameRegions({ a: side(500, 501, 0), b: side(1000, 10_000) }, [[], features])).toEqual(['RD1'])
  expect(nameRegions({ a: side(500, 501, 0), b: side(1000, 10_000) }, [features, []])).toEqual([])
})
