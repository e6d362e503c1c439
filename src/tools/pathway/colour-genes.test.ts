import { expect, test } from 'vitest'
import { parseGeneValues } from './colour-genes.ts'

const read = (text: string) => {
  const { values, problem } = parseGeneValues(text, 3)
  return [Object.fromEntries(values), problem]
}

test.each([
  ['gene\tlog2\nPDC1\t-0.5\nTDH3\t2\t\n', { pdc1: -0.5, tdh3: 2 }],
  ['\ufeffPDC1, 0.25\n# note\n\nTDH3;-1e-2', { pdc1: 0.25, tdh3: -0.01 }],
  ['"PDC1","0.25"\r\n"TDH3, like","4"', { pdc1: 0.25, 'tdh3, like': 4 }],
  ['PDC1   3', { pdc1: 3 }],
])('%j is read', (text, values) => expect(read(text)).toEqual([values, null]))

test.each([
  ['PDC1;0,75', { kind: 'comma', line: 1, value: '0,75' }],
  ['PDC1 -0,75', { kind: 'comma', line: 1, value: '-0,75' }],
  ['PDC1\t0,75', { kind: 'comma', line: 1, value: '0,75' }],
  ['PDC1,"0,75"', { kind: 'comma', line: 1, value: '0,75' }],
  ['PDC1,0,75', { kind: 'cells', line: 1, found: 3 }],
  ['gene,padj,log2\nPDC1,0.01,2', { kind: 'cells', line: 1, found: 3 }],
  ['PDC1 0.01 2', { kind: 'cells', line: 1, found: 3 }],
  ['gene;value\nPDC1;high', { kind: 'bad', line: 2 }],
  ['a 1\nb 2\nc 3\nd 4', { kind: 'many' }],
])('of %j none of several readings is taken', (text, problem) => expect(read(text)[1]).toEqual(problem))
