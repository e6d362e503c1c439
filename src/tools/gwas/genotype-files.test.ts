import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseVcfRecord, readGenotypes } from '../../bio/variation/vcf.ts'
import { writeGenotypes } from './genotype-files.ts'

test('an allele and its counterpart are one pattern, whatever the first sample has', async () => {
  const lines = [
    ['0/1', '0/0', '1/1'],
    // The counterpart of the first.
    ['0/1', '1/1', '0/0'],
    ['0/0', '0/1', '1/1'],
    ['1/1', '0/1', '0/0'],
  ].map((calls, at) => ['chr1', at + 1, '.', 'A', 'C', '.', 'PASS', '.', 'GT', ...calls].join('\t'))
  const directory = await mkdtemp(join(tmpdir(), 'genotypes-'))
  const records = async function* () {
    for (const line of lines) {
      const record = parseVcfRecord(line)!
      yield { ...record, genotypes: readGenotypes(record, 3, 2) }
    }
  }
  try {
    const written = await writeGenotypes({
      directory,
      records: records(),
      samples: [0, 1, 2],
      names: ['a', 'b', 'c'],
      phenotype: [1, 2, 3],
      ploidy: 2,
      minMinorFrequency: 0,
      maxMissingShare: 1,
      maxSites: 10,
      maxGenotypes: 100,
      signal: new AbortController().signal,
    })
    expect(written.patterns).toEqual({ count: 2, of: 4 })
  } finally {
    await rm(directory, { recursive: true })
  }
})
