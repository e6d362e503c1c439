import { expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { InsertionReader } from './insertion-sites.ts'

const read = (libraries: Record<string, string[]>) => {
  const log = new DefectLog()
  const sequences = [{ name: 'chr', lengthBp: 1000 }]
  const reader = new InsertionReader({ log, sequences, findSequence: (name) => (name === 'chr' ? name : null) })
  for (const [name, lines] of Object.entries(libraries)) {
    const take = reader.open(name, `${name}.wig`)
    for (const [at, line] of ['variableStep chrom=chr', ...lines].entries()) take(line, at + 1)
  }
  const gene = { id: 'g', sequence: 'chr', start1: 100, end1: 200, isCoding: true }
  return {
    log,
    found: reader.finish('set', [
      { ...gene, strand: '+' },
      { ...gene, id: 'r', strand: '-' },
    ]),
  }
}

it('sites that one library does not name have no reads there, and several lines of a site are summed', () => {
  const { found } = read({ a: ['100 5', '150 2', '150 3'], b: ['199 7', '300 1'] })
  expect(found).toMatchObject({ siteCount: 4, samples: ['a', 'b'], missing: 0 })
  expect([...found!.counts]).toEqual([5, 0, 5, 0, 0, 7, 0, 1])
  expect([...found!.sums]).toEqual([10, 8])
  // Not counted in the stop codon: 198 to 200 of the one, 100 to 102 of the other.
  expect([...found!.values]).toEqual([10, 0, 5, 7])
})

it('a library without sites is none, and a position beyond the sequence is refused', () => {
  expect(read({ a: [] }).found).toBeNull()
  const { found, log } = read({ a: ['1001 1'] })
  expect(found).toBeNull()
  expect(log.defects.map(({ code }) => code)).toEqual(['insertions-position'])
})
