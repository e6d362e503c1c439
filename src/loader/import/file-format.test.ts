import { expect, test } from 'vitest'
import { sniffFormat } from './file-format.ts'

const formatOf = (text: string): string => {
  const bytes = Buffer.from(text)
  return sniffFormat(bytes, bytes).format
}

test('intervals without names or of one base are BED; depths and strands are tables', () => {
  expect(formatOf('chr1\t10\t20\t.\nchr1\t30\t40\t.\n')).toBe('bed')
  expect(formatOf('chr1\t0\t1\nchr1\t1\t2\nchr1\t2\t3\nchr1\t3\t4\n')).toBe('bed')
  expect(formatOf('chr1\t0\t100\nchr1\t1\t101\nchr1\t2\t102\n')).toBe('bed')
  expect(formatOf('chr1\t3\t90\nchr1\t4\t91\nchr1\t5\t95\n')).toBe('table')
  expect(formatOf('chr1\t1\t1\nchr1\t2\t2\nchr1\t3\t3\n')).toBe('table')
  expect(formatOf('chr1\t161\t200\t+\nchr1\t301\t400\t.\n')).toBe('table')
})

test('wide matrices are tables, also where their beginning ends within a line and names have commas', () => {
  const cells = Array.from({ length: 900 }, (_, at) => `s${at}`)
  const rows = Array.from({ length: 40 }, (_, at) => [`g${at}`, ...cells.map(() => '0.5')])
  const tabs = [['gene', ...cells], ...rows].map((row) => row.join('\t')).join('\n')
  const commas = [['gene', ...cells], ...rows.map(([id, ...values]) => [`"${id}, a kinase"`, ...values])]
    .map((row) => row.join(','))
    .join('\n')
  for (const text of [tabs, commas]) expect(formatOf(text.slice(0, 64 * 1024))).toBe('table')
})

test('a protein on one line that is longer than what is read is a protein', () => {
  expect(formatOf(`>titin\n${'MKLVWEDRHP'.repeat(7_000)}`)).toBe('fasta-protein')
})
