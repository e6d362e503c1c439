import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import { boundsOfDPrime, countPackedPair, findBlocks, packSite } from './linkage-blocks.ts'
import { readGenotypes } from './vcf.ts'

const pack = (position1: number, samples: readonly string[]) =>
  packSite(position1, readGenotypes({ format: 'GT', samples: samples.join('\t') }, samples.length)!)

it('haplotypes of two sites are counted from copies, phase and homozygotes; double heterozygotes without phase are left', () => {
  const a = pack(1, ['0/0', '1/1', '0/1', '0|1', '0|1', '0', '1', './.', '0/1'])
  const b = pack(2, ['1/1', '1/1', '0/0', '0|1', '1|0', '0', '1', '0/0', '0/1'])
  // Neither, the second's, the first's, both.
  expect(countPackedPair(a, b)).toEqual({ known: [3, 3, 2, 4], unphased: 1 })
})

it('bounds of D′ are narrow where many copies go together, and wide where few do', () => {
  expect(boundsOfDPrime([200, 0, 0, 200], 0)).toEqual({ low: 98, high: 100 })
  const few = boundsOfDPrime([3, 0, 0, 3], 0)!
  expect(few.low).toBeLessThan(70)
  expect(boundsOfDPrime([50, 50, 50, 50], 0)!.high).toBeLessThan(30)
  expect(boundsOfDPrime([10, 0, 10, 0], 0)).toBeNull()
})

it('four gametes between two sites end a block, and a block needs two sites', () => {
  const columns = ['0001111100', '0001111100', '0101010101', '0101010101'].map((text, at) =>
    pack(100 * (at + 1), [...text]),
  )
  expect(findBlocks(columns, 'gametes')).toEqual([
    { first: 0, last: 1 },
    { first: 2, last: 3 },
  ])
  expect(findBlocks(columns.slice(0, 1), 'gametes')).toEqual([])
  expect(findBlocks([], 'gabriel')).toEqual([])
})

it('blocks of unphased diploids are those of plink --blocks', () => {
  if (spawnSync('plink1.9', ['--version']).error !== undefined) return
  const random = makeRandom(23)
  const count = 80
  const positions = Array.from({ length: 120 }, (_, at) => 100 + at * 130 + Math.floor(random() * 100))
  const ancestors = Array.from({ length: 6 }, () => positions.map(() => (random() < 0.35 ? 1 : 0)))
  const chromosome = (): number[] => {
    let own = Math.floor(random() * 6)
    return positions.map((_, at) => {
      if (random() < (at % 17 === 0 ? 0.5 : 0.01)) own = Math.floor(random() * 6)
      return ancestors[own]![at]!
    })
  }
  const copies = Array.from({ length: count }, () => [chromosome(), chromosome()])
  const sites = positions.map((position, at) => ({
    position,
    samples: copies.map((own) =>
      random() < 0.02
        ? './.'
        : own
            .map((copy) => copy[at]!)
            .sort()
            .join('/'),
    ),
  }))
  const folder = mkdtempSync(join(tmpdir(), 'novodb-blocks-'))
  try {
    const vcf = join(folder, 'v.vcf')
    writeFileSync(
      vcf,
      [
        '##fileformat=VCFv4.2',
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
        `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${copies.map((_, at) => `S${at}`).join('\t')}`,
        ...sites.map(({ position, samples }) => `1\t${position}\t.\tA\tG\t.\t.\t.\tGT\t${samples.join('\t')}`),
        '',
      ].join('\n'),
    )
    const out = join(folder, 'out')
    execFileSync(
      'plink1.9',
      ['--vcf', vcf, '--double-id', '--set-missing-var-ids', '@:#', '--blocks', 'no-pheno-req', '--out', out],
      { stdio: 'ignore' },
    )
    const expected = readFileSync(`${out}.blocks.det`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [, start, end, , sites] = line.trim().split(/\s+/)
        return `${start}-${end} ${sites}`
      })
    const common = sites.filter(({ samples }) => {
      const called = samples.filter((one) => one !== './.')
      const frequency = [...called.join('')].filter((one) => one === '1').length / (2 * called.length)
      return Math.min(frequency, 1 - frequency) >= 0.05
    })
    const packed = common.map(({ position, samples }) => pack(position, samples))
    expect(
      findBlocks(packed, 'gabriel').map(
        ({ first, last }) => `${packed[first]!.position1}-${packed[last]!.position1} ${last - first + 1}`,
      ),
    ).toEqual(expected)
    expect(expected.length).toBeGreaterThan(3)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
