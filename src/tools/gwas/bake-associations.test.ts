import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../../bio/text/defects.ts'
import { StoreError } from '../../store/store-error.ts'
import { type BakedAssociations, bakeAssociations, readLoci } from './bake-associations.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-associations-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sequences = [
  { name: 'chrI', lengthBp: 5000 },
  { name: 'chrII', lengthBp: 3000 },
]
const findSequence = (name: string): string | null =>
  ({ chrI: 'chrI', '1': 'chrI', chrII: 'chrII', '2': 'chrII' })[name] ?? null

const bake = async (
  text: string | Buffer,
  positions?: string,
): Promise<{ baked: BakedAssociations | null; log: DefectLog }> => {
  const log = new DefectLog()
  const file = join(root, 'table.tsv')
  writeFileSync(file, text)
  if (positions !== undefined) writeFileSync(join(root, 'panel.bim'), positions)
  const loci = positions === undefined ? null : await readLoci(join(root, 'panel.bim'), findSequence, log)
  const baked = await bakeAssociations({
    file,
    trait: 'trait',
    outFile: join(root, 'out.bed.gz'),
    sequences,
    findSequence,
    ...(loci === null ? {} : { findLocus: (id) => loci.get(id) ?? null }),
    log,
  })
  return { baked, log }
}

test('a table without positions, as GEMMA writes them as -9, is placed by a .bim', async () => {
  const { baked, log } = await bake(
    'chr\trs\tps\tn_miss\tallele1\tallele0\taf\tbeta_1\tbeta_2\tp_lrt\n-9\tv1\t-9\t0\tA\tB\t0.2\t1\t1\t0.01\n-9\tv2\t-9\t0\tA\tB\t0.2\t1\t1\t0.9\n-9\tv3\t-9\t0\tA\tB\t0.2\t1\t1\t0.9\n',
    'chrI\tv1\t0\t120\tA\tC\n2\tv2\t0\t44\tA\tC\n',
  )
  expect(log.defects).toMatchObject([{ code: 'gwas-unplaced', params: { count: 1, total: 3 } }])
  expect(baked!.traits[0]!.plot.hits.map(({ sequence, position }) => [sequence, position])).toEqual([
    ['chrI', 120],
    ['chrII', 44],
  ])
})

test('a table that is none, or of another genome, is refused with the reason', async () => {
  for (const [text, code] of [
    ['chr\tpos\tbeta\nchrI\t5\t0.1\n', 'gwas-no-p'],
    ['sample\tp\nx\t0.1\n', 'gwas-no-place'],
    ['chr\tpos\tp\nscaffold_9\t5\t0.1\n', 'gwas-none'],
    ['chr\tpos\tp\n', 'gwas-none'],
    ['\n\n', 'text-empty'],
    [`chr\tpos\ttrait\tp\n${Array.from({ length: 1001 }, (_, at) => `1\t5\tt${at}\t0.5\n`).join('')}`, 'gwas-traits'],
  ] as const) {
    const { baked, log } = await bake(text)
    expect(baked).toBeNull()
    expect(log.defects.map((defect) => defect.code)).toContain(code)
  }
})

test('a compressed table that is cut off is told as such', async () => {
  const text = Array.from({ length: 3000 }, (_, at) => `chrI\t${at + 1}\t${(at * 0.618) % 1}\n`).join('')
  const whole = gzipSync(`chr\tpos\tp\n${text}`)
  await expect(bake(whole.subarray(0, whole.length >> 1))).rejects.toThrow(StoreError)
  await expect(bake(whole.subarray(0, whole.length >> 1))).rejects.toMatchObject({ code: 'truncated' })
})

test('a table whose column p holds -log10(p) is refused with its share and its first line; a few bad cells are not', async () => {
  // 40 scores as a Manhattan plot has them: those up to 1 pass as p-values, one in five.
  const scores = Array.from({ length: 40 }, (_, at) => (at % 5 === 0 ? 0.4 : 1.5 + at / 10))
  const rows = scores.map((score, at) => `rs${at}\t1\t${100 + at}\t${score}`)
  const { baked, log } = await bake(`snp\tchr\tpos\tp\n${rows.join('\n')}\n`)
  expect(baked).toBeNull()
  const reported = log.defects.find(({ code }) => code === 'gwas-p-beyond')
  expect(reported).toMatchObject({ line: 3, params: { count: 32, total: 40, column: 'p', looks: '@minus-log10-p' } })
  const few = rows.map((row, at) => row.replace(/\S+$/, at < 4 ? '7' : '0.2'))
  const taken = await bake(`snp\tchr\tpos\tp\n${few.join('\n')}\n`)
  expect(taken.baked?.rows).toBe(36)
  expect(taken.log.hasErrors).toBe(false)
})

test('rows beyond the ends, and rows of no sequence of the genome, refuse the table likewise', async () => {
  const beyond = Array.from({ length: 20 }, (_, at) => `rs${at}\t1\t${at < 6 ? 999_999_999 : 100 + at}\t0.5`)
  expect((await bake(`snp\tchr\tpos\tp\n${beyond.join('\n')}\n`)).log.count('rows-unusable')).toBe(1)
  const unknown = Array.from({ length: 20 }, (_, at) => `rs${at}\t${at < 19 ? 'X9' : '1'}\t${100 + at}\t0.5`)
  expect((await bake(`snp\tchr\tpos\tp\n${unknown.join('\n')}\n`)).log.count('rows-unknown')).toBe(1)
})

test('a p-value with a decimal comma is told as such', async () => {
  const { baked, log } = await bake('snp\tchr\tpos\tp\nrs1\t1\t100\t0,05\n')
  expect(baked).toBeNull()
  expect(log.defects.map(({ code, line }) => `${code}@${line}`)).toEqual(['phenotype-decimal-comma@2'])
})

test('a scan without any hit as -log10(p) under the heading p is refused, though nine of its values in ten could be p-values', async () => {
  // Uniform p-values: every 1000th part once, in another order.
  const uniform = Array.from({ length: 1000 }, (_, at) => (((at * 617) % 1000) + 0.5) / 1000)
  const table = (heading: string, write: (p: number) => number): string =>
    `snp\tchr\tpos\t${heading}\n${uniform.map((p, at) => `rs${at}\t1\t${100 + at}\t${write(p)}\n`).join('')}`
  for (const [heading, write, looks] of [
    ['P', (p) => -Math.log10(p), '@minus-log10-p'],
    ['p', (p) => Math.log10(p), '@log10-p'],
    ['p', (p) => 4 * (p - 0.5), '@statistic'],
  ] as [string, (p: number) => number, string][]) {
    const { baked, log } = await bake(table(heading, write))
    expect(baked).toBeNull()
    expect(log.defects.find(({ code }) => code === 'gwas-p-beyond')?.params).toMatchObject({ column: heading, looks })
    expect(log.hasErrors).toBe(true)
  }
  expect((await bake(table('p', (p) => p))).baked?.rows).toBe(1000)
  expect((await bake(table('logP', (p) => -Math.log10(p)))).baked?.rows).toBe(1000)
})

test('positions are read as people write them, and a table whose positions are none is refused', async () => {
  const table = (write: (at: number) => string): string =>
    `snp\tchr\tpos\tp\n${Array.from({ length: 40 }, (_, at) => `rs${at}\tchrI\t${write(at)}\t${(at + 0.5) / 40}\n`).join('')}`
  const groups = await bake(table((at) => `1,${100 + at}`))
  expect(groups.baked?.rows).toBe(40)
  expect(groups.baked?.traits[0]?.plot.hits[0]?.position).toBe(1100)
  expect((await bake(table((at) => (at < 6 ? '1e+03' : `${1000 + at}.0`)))).baked?.rows).toBe(40)
  for (const wrong of ['NA', '1,100x', '12,34', '0']) {
    const { baked, log } = await bake(table((at) => (at < 6 ? wrong : `${1000 + at}`)))
    expect(baked).toBeNull()
    expect(log.defects.find(({ code }) => code === 'rows-unusable')).toMatchObject({
      line: 2,
      params: { count: 6, total: 40, example: `rs0 chrI ${wrong} 0.0125` },
    })
  }
  expect((await bake(table((at) => (at < 4 ? 'NA' : `${1000 + at}`)))).baked?.rows).toBe(36)
})

test('variants that are known by name alone may mostly be missing from the table of positions, but not nearly all', async () => {
  const table = `snp\tp\n${Array.from({ length: 40 }, (_, at) => `v${at}\t${(at + 0.5) / 40}\n`).join('')}`
  const places = (count: number): string =>
    Array.from({ length: count }, (_, at) => `chrI\tv${at}\t0\t${100 + at}\tA\tC\n`).join('')
  expect((await bake(table, places(8))).baked?.rows).toBe(8)
  const { baked, log } = await bake(table, places(2))
  expect(baked).toBeNull()
  expect(log.count('rows-unknown')).toBe(1)
})

test('rows of covariates do not hide that the others cannot be used', async () => {
  const rows = Array.from({ length: 20 }, (_, at) =>
    ['ADD', ...Array.from({ length: 9 }, (_, number) => `COV${number}`)].map(
      (name) => `1 rs${at} ${at < 10 && name === 'ADD' ? 'x' : 100 + at} A ${name} 90 0.5 4 0.5`,
    ),
  )
  const { baked, log } = await bake(`CHR SNP BP A1 TEST NMISS BETA STAT P\n${rows.flat().join('\n')}\n`)
  expect(baked).toBeNull()
  expect(log.defects.find(({ code }) => code === 'rows-unusable')?.params).toMatchObject({ count: 10, total: 20 })
})
