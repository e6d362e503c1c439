import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hudsonFst, weirCockerham } from '../../bio/population/population-statistics.ts'
import { PortalError } from '../../contracts/errors.ts'
import { answerText, askRoute, emptyReceipt } from '../../testing/contexts.ts'
import { failure } from '../../testing/failure.ts'
import { type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import { makeGenome } from '../../testing/species.ts'
import { checkExport, readStrictTable } from '../../testing/strict-reader.ts'
import sweep from './engine.ts'
import type { SweepResult } from './tool.ts'
import sweepTool from './tool.ts'
import { readWindowFile, type WindowTable, windowFile } from './window-table.ts'

/** A check by another program, where it is installed. */
const bcftools = existsSync('/usr/bin/bcftools')

// Sixteen haploid accessions of two populations; from 1501 to 1800 of chr1 they differ, elsewhere they are one.
const samples = Array.from({ length: 16 }, (_, at) => `acc${at + 1}`)
const random = makeRandom(20_261_122)
const { chr1, pT } = makeGenome()
const other = (base: string): string => (base === 'A' ? 'G' : 'A')
interface Site {
  position1: number
  calls: number[]
}
const sites: Site[] = []
for (let position1 = 5; position1 <= 3000; position1 += 10) {
  const sweeps = position1 > 1500 && position1 <= 1800
  const frequency = random()
  const calls = samples.map((_, at) => {
    if (random() < 0.03) return -1
    return (sweeps ? (at < 8 ? random() < 0.05 : random() < 0.9) : random() < frequency) ? 1 : 0
  })
  sites.push({ position1, calls })
}
const record = (sequence: string, position1: number, reference: string, alternative: string, calls: string[]): string =>
  [sequence, position1, '.', reference, alternative, '.', 'PASS', '.', 'GT', ...calls].join('\t')
const vcf = [
  '##fileformat=VCFv4.2',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
  ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples].join('\t'),
  ...sites.map(({ position1, calls }) =>
    record(
      '1',
      position1,
      chr1[position1 - 1]!,
      other(chr1[position1 - 1]!),
      calls.map((call) => (call < 0 ? '.' : String(call))),
    ),
  ),
  record(
    'pT',
    50,
    pT.slice(49, 51),
    pT[49]!,
    samples.map(() => '0'),
  ),
  '',
].join('\n')

// SNPs of two, three and four alleles, with `*`, an indel, and sites that do not vary; every tenth site of each kind.
const kinds = ['AG', 'two', 'three', 'four', 'star', 'indel', 'same'] as const
const mixed = Array.from({ length: 140 }, (_, at) => {
  const kind = kinds[at % kinds.length]!
  const position1 = 20 * at + 11
  const reference = chr1[position1 - 1]!
  const others = [...'ACGT'].filter((base) => base !== reference)
  const alternatives = {
    AG: others.slice(0, 1),
    two: others.slice(1, 2),
    three: others.slice(0, 2),
    four: others,
    star: [others[0]!, '*'],
    indel: [`${reference}${others[0]}`],
    same: ['.'],
  }[kind]
  const count = kind === 'same' ? 1 : alternatives.length + 1
  return { kind, position1, reference, alternatives, calls: samples.map(() => Math.floor(random() * count)) }
})
const mixedVcf = [
  ...vcf.split('\n').slice(0, 2),
  `##contig=<ID=1,length=${chr1.length}>`,
  vcf.split('\n')[2]!,
  ...mixed.map(({ position1, reference, alternatives, calls }) =>
    record('1', position1, reference, alternatives.join(','), calls.map(String)),
  ),
  '',
].join('\n')

const windowLines = ['CHROM\tBIN_START\tBIN_END\tN_VARIANTS\tWEIGHTED_FST\tMEAN_FST']
for (let at = 0; at < 30; at++)
  windowLines.push(
    `1\t${at * 100 + 1}\t${at * 100 + 150}\t${at}\t${at === 16 ? 0.9 : at / 100}\t${at % 7 === 0 ? '-nan' : 0}`,
  )

let portal: GenesPortal
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'novodb-sweep-'))
  portal = await openGenesPortal({
    species: 'testus-sweep',
    geneIds: Array.from({ length: 60 }, (_, at) => `S_${String(at + 1).padStart(3, '0')}`),
    manifest: `    variants:
      - { id: own, name: Own, file: own.vcf, simulated: true }
      - { id: mixed, name: Mixed, file: mixed.vcf, simulated: true }
    sweeps:
      - { id: windows, name: { en: Windows, zh: 窗口 }, file: own.windowed.weir.fst, populations: [wild, grown], simulated: true }
accessions: { file: accessions.tsv }
`,
    files: {
      'own.vcf': vcf,
      'mixed.vcf': mixedVcf,
      'own.windowed.weir.fst': `${windowLines.join('\n')}\nunknown\t1\t100\t3\t0.1\t0.1\n`,
      'accessions.tsv': [
        'accession\tpopulation\thabitat',
        ...samples.map((id, at) => `${id}\t${at < 8 ? 'wild' : 'grown'}\t${at % 4 === 0 ? 'oak' : 'soil'}`),
        '',
      ].join('\n'),
    },
  })
})
afterAll(async () => {
  await portal?.close()
  rmSync(directory, { recursive: true, force: true })
})

const run = async (input: object): Promise<SweepResult> => {
  const context = { ...portal.context(), directory }
  return sweepTool.result.parse(
    await sweep.run(sweepTool.input.parse({ assembly: portal.assembly, ...input }), context),
  ) as SweepResult
}
let result: SweepResult
const thisJob = 'a'.repeat(32)
const ask = async (path: string, input: object) => {
  const answer = await askRoute(sweep, path, input, {
    data: portal.data,
    openJob: async (id) => {
      if (id !== thisJob) throw new PortalError('NOT_FOUND')
      return { directory, input: {}, result, receipt: emptyReceipt }
    },
  })
  return 'json' in answer ? answer.json : answerText(answer)
}

const windows = { windowBp: 200, stepBp: 100, populations: ['wild', 'grown'], minCalled: 0 }

describe('selective sweeps from loaded genotypes', () => {
  test('find the region where two haploid populations were made to differ, with its genes', async () => {
    result = await run(windows)
    expect(result.populations).toEqual([
      { name: 'wild', samples: 8 },
      { name: 'grown', samples: 8 },
    ])
    expect(result.series.map(({ key }) => key)).toEqual([
      'fst_wild_grown',
      'hudson_wild_grown',
      'piRatio_wild_grown',
      'dxy_wild_grown',
      'pi_wild',
      'pi_grown',
      'tajimaD_wild',
      'tajimaD_grown',
    ])
    expect(result.records).toMatchObject({ read: 301, used: 300, notSnps: 1, elsewhere: 0, damaged: 0 })
    const found = (await ask('regions/', { job: thisJob, series: 'fst_wild_grown', share: 0.1 })) as {
      outliers: number
      regions: { sequence: string; start: number; end: number; genes: { id: string }[]; geneCount: number }[]
      genes: string[]
    }
    expect(found.outliers).toBe(3)
    const inside = found.regions.filter(({ start, end }) => start >= 1401 && end <= 1900)
    expect(inside).toEqual(found.regions)
    // Genes lie every thirty bases from 1000 on; those of the regions overlap them.
    const first = found.regions[0]!
    const overlapping = Array.from({ length: 60 }, (_, at) => 1000 + at * 30).filter(
      (start) => start <= first.end && start + 20 >= first.start,
    )
    expect(first.geneCount).toBe(overlapping.length)
    expect(found.genes.length).toBeGreaterThanOrEqual(overlapping.length)
  })

  test('have in each window the quotient of the sums of its sites', async () => {
    const answer = (await ask('windows/', { job: thisJob, series: 'fst_wild_grown,hudson_wild_grown' })) as {
      start: number[]
      end: number[]
      sites: number[]
      values: Record<string, number[]>
      sequences: { name: string; windows: number }[]
    }
    expect(answer.sequences.map(({ name }) => name)).toEqual(['chr1', 'pT'])
    const at = 14
    expect([answer.start[at], answer.end[at]]).toEqual([1401, 1600])
    const own = sites
      .filter(({ position1 }) => position1 >= 1401 && position1 <= 1600)
      .map(({ calls }) =>
        [calls.slice(0, 8), calls.slice(8)].map((group) =>
          [0, 1].map((allele) => group.filter((call) => call === allele).length),
        ),
      )
      // Sites where all are alike say nothing.
      .filter(([one, two]) => (one![0]! > 0 || two![0]! > 0) && (one![1]! > 0 || two![1]! > 0))
    expect(answer.sites[at]).toBe(own.length)
    const sums = (parts: ({ numerator: number; denominator: number } | null)[]): number =>
      parts.reduce((sum, one) => sum + one!.numerator, 0) / parts.reduce((sum, one) => sum + one!.denominator, 0)
    const haploid = (counts: number[]) => ({ counts, heterozygotes: null })
    expect(answer.values.fst_wild_grown![at]).toBeCloseTo(
      sums(own.map(([one, two]) => weirCockerham([haploid(one!), haploid(two!)]))),
      5,
    )
    expect(answer.values.hudson_wild_grown![at]).toBeCloseTo(sums(own.map(([one, two]) => hudsonFst(one!, two!))), 5)
  })

  test('biallelic SNPs only: what bcftools keeps, and pi, Fst and Tajima’s D of these by hand', async () => {
    const scan = async (kind: string): Promise<{ result: SweepResult; table: WindowTable }> => {
      const own = mkdtempSync(join(directory, 'sites-'))
      const input = {
        assembly: portal.assembly,
        variants: 'mixed',
        ...windows,
        windowBp: 3000,
        stepBp: 3000,
        sites: kind,
      }
      const context = { ...portal.context(), directory: own }
      const scanned = sweepTool.result.parse(await sweep.run(sweepTool.input.parse(input), context))
      return { result: scanned, table: await readWindowFile(join(own, windowFile)) }
    }
    const { result: only, table } = await scan('biallelic')
    const kept = mixed.filter(({ kind }) => kind === 'AG' || kind === 'two')
    expect(only.records).toMatchObject({ read: 140, used: kept.length + 20, multiallelic: 60, notSnps: 20 })
    if (bcftools) {
      writeFileSync(join(directory, 'mixed.vcf'), mixedVcf)
      const lines = execFileSync('bcftools', ['view', '-H', '-m2', '-M2', '-v', 'snps', join(directory, 'mixed.vcf')], {
        encoding: 'utf8',
      })
      const positions = lines
        .trim()
        .split('\n')
        .map((line) => Number(line.split('\t')[1]))
      expect(positions).toEqual(kept.map(({ position1 }) => position1))
    }
    // By hand, over every pair of accessions.
    const groups = [samples.slice(0, 8), samples.slice(8)].map((names) => names.map((name) => samples.indexOf(name)))
    const differing = (one: number[], other: number[], same: boolean): number => {
      let [different, pairs] = [0, 0]
      for (const { calls } of kept)
        for (const a of one)
          for (const b of other) {
            if (same && a >= b) continue
            pairs += 1 / kept.length
            different += calls[a] === calls[b] ? 0 : 1
          }
      return different / pairs
    }
    for (const [at, group] of groups.entries())
      expect(only.overall.pi[at]! * chr1.length).toBeCloseTo(differing(group, group, true), 6)
    expect(only.overall.dxy[0]! * chr1.length).toBeCloseTo(differing(groups[0]!, groups[1]!, false), 6)
    const within = (differing(groups[0]!, groups[0]!, true) + differing(groups[1]!, groups[1]!, true)) / 2
    expect(only.overall.hudson[0]).toBeCloseTo(1 - within / differing(groups[0]!, groups[1]!, false), 6)
    // Tajima 1989 (doi:10.1093/genetics/123.3.585), equations 35 to 38.
    for (const [at, group] of groups.entries()) {
      const segregating = kept.filter(({ calls }) => new Set(group.map((one) => calls[one])).size === 2).length
      const [n, numbers] = [group.length, group.slice(1).map((_, one) => one + 1)]
      const a1 = numbers.reduce((sum, one) => sum + 1 / one, 0)
      const a2 = numbers.reduce((sum, one) => sum + 1 / one ** 2, 0)
      const [b1, b2] = [(n + 1) / (3 * (n - 1)), (2 * (n * n + n + 3)) / (9 * n * (n - 1))]
      const [c1, c2] = [b1 - 1 / a1, b2 - (n + 2) / (a1 * n) + a2 / a1 ** 2]
      const variance = (c1 / a1) * segregating + (c2 / (a1 ** 2 + a2)) * segregating * (segregating - 1)
      const d = (differing(group, group, true) - segregating / a1) / Math.sqrt(variance)
      expect(table.values[table.keys.indexOf(`tajimaD_${['wild', 'grown'][at]}`)]![0]).toBeCloseTo(d, 6)
    }
    const { result: snps } = await scan('snps')
    expect(snps.records).toMatchObject({ used: 120, multiallelic: 0, notSnps: 20 })
    expect((await scan('all')).result.records).toMatchObject({ used: 140, notSnps: 0 })
    expect(snps.overall.pi[0]!).toBeGreaterThan(only.overall.pi[0]!)
  })

  test('both cut-offs together leave fewer windows, and the files have all of them', async () => {
    const question = { job: thisJob, series: 'fst_wild_grown', share: 0.2, second: 'dxy_wild_grown', secondShare: 0.2 }
    const alone = (await ask('regions/', { ...question, second: undefined })) as { outliers: number }
    const both = (await ask('regions/', question)) as { outliers: number; regionCount: number; secondCutoff: number }
    expect(both.outliers).toBeGreaterThan(0)
    expect(both.outliers).toBeLessThanOrEqual(alone.outliers)
    expect(both.secondCutoff).toBeGreaterThan(0)
    const table = String(await ask('regions.tsv', question))
    expect(table.split('\n').filter((line) => line.startsWith('chr1\t'))).toHaveLength(both.regionCount)
    expect(table).toContain('peak_dxy_wild_grown')
    const bed = String(await ask('regions.bed', question))
    const [, start0] = bed
      .split('\n')
      .find((line) => line.startsWith('chr1'))!
      .split('\t')
    expect((Number(start0) % 100) + 1).toBe(1)
    const all = String(await ask('windows.tsv', { job: thisJob })).split('\n')
    expect(all.filter((line) => /^(chr1|pT)\t/.test(line))).toHaveLength(result.windowCount)
    expect(all.find((line) => line.startsWith('chrom'))).toMatch(/^chrom\tstart\tend\tsites\tfst_wild_grown/)
    for (const [name, text] of Object.entries({
      'regions.tsv': table,
      'regions.bed': bed,
      'windows.tsv': all.join('\n'),
    }))
      expect(checkExport(name, Buffer.from(text))).toEqual([])
  })

  // 2 n + n (n - 1) / 2 ... series of n populations: four of them make the table of twelve columns and more that BED would misread.
  test.each([1, 2, 3, 4])(
    'all headings of %i populations and more differ, and the head says who was compared',
    async (more) => {
      const names = ['east', 'west', 'north', 'south', 'isle'].slice(0, more + 1)
      const groups = samples.map((id, at) => `${id}\t${names[at % names.length]}`).join('\n')
      result = await run({ ...windows, populations: [], groups })
      const text = String(await ask('windows.tsv', { job: thisJob }))
      const { head, headings, rows } = readStrictTable(text, 'tsv')
      expect(checkExport('windows.tsv', Buffer.from(text))).toEqual([])
      expect(headings).toHaveLength(4 + result.series.length)
      expect(rows).toHaveLength(result.windowCount)
      expect(rows.every((row) => row.length === headings.length)).toBe(true)
      for (const name of names) expect(head.join('\n')).toContain(`${name} (`)
      for (const { key, populations } of result.series)
        expect(head.join('\n')).toMatch(new RegExp(`${key} = .*${populations.join(' and ')}`))
    },
  )

  test('populations are of any column of the accessions, or pasted', async () => {
    const byHabitat = await run({ ...windows, populations: [], grouping: 'habitat' })
    expect(byHabitat.populations).toEqual([
      { name: 'soil', samples: 12 },
      { name: 'oak', samples: 4 },
    ])
    const pasted = await run({
      ...windows,
      populations: [],
      groups: 'A: acc1 acc2, acc3 acc4\nB：acc9 acc10 acc11 nobody\n# note\nacc16\tB',
    })
    expect(pasted.populations).toEqual([
      { name: 'A', samples: 4 },
      { name: 'B', samples: 4 },
    ])
    expect(pasted).toMatchObject({ unknownSamples: ['nobody'], unknownSampleCount: 1, otherSamples: 8 })
  })

  test.each([
    [{ groups: 'acc1\tA\nacc1\tB' }, 'groups', 'groups.twice'],
    [{ groups: 'acc1 A more' }, 'groups', 'groups.cells'],
    [{ groups: 'A: x y\nB: acc1 acc2' }, 'groups', 'groups.noSamples'],
    [{ groups: 'A: acc1\nB: acc2 acc3' }, 'groups', 'populations.tooFew'],
    [{ groups: '#' }, 'groups', 'groups.none'],
    [{ groups: samples.map((id, at) => `${id}\tP${at >> 1}`).join('\n') }, 'groups', null],
    [{ populations: ['wild', 'nobody'] }, 'populations', 'populations.unknown'],
    [{ grouping: 'colour' }, 'grouping', 'grouping.unknown'],
    [{ variants: 'none' }, 'variants', 'variants.unknown'],
    [{ windowBp: 100, stepBp: 200 }, 'stepBp', 'stepBp.wide'],
  ])('what is wrong is told beside its field: %j', async (input, field, message) => {
    if (message === null) {
      expect((await run({ ...windows, populations: [], ...input })).populations).toHaveLength(8)
      return
    }
    const error = await failure(run({ ...windows, populations: [], ...input }))
    expect(error.problems).toMatchObject([{ path: [field], message }])
  })

  test('a job of another tool, an unknown series and no source are told', async () => {
    expect((await failure(ask('windows/', { job: 'b'.repeat(32), series: '' }))).code).toBe('NOT_FOUND')
    expect((await failure(ask('windows/', { job: thisJob, series: 'colour' }))).messageId).toBe('series.unknown')
    expect((await failure(ask('regions/', { series: 'fst' }))).messageId).toBe('source.needed')
  })
})

describe('loaded tables of windows', () => {
  test('are found with the variants and populations that there are to choose from', async () => {
    const choices = (await ask('choices/', { assembly: portal.assembly })) as {
      variantSets: object[]
      groupings: object[]
      tables: { id: string; windowCount: number; windowBp: number; series: object[] }[]
    }
    expect(choices.variantSets).toMatchObject([
      { id: 'own', samples: 16, simulated: true },
      { id: 'mixed', samples: 16, simulated: true },
    ])
    expect(choices.groupings).toMatchObject([
      { name: 'population', populations: [{ name: 'grown', samples: 8 }, { name: 'wild' }] },
      { name: 'habitat' },
    ])
    expect(choices.tables).toMatchObject([{ id: 'windows', windowCount: 30, windowBp: 150, simulated: true }])
    expect(choices.tables[0]!.series).toMatchObject([
      { key: 'WEIGHTED_FST_wild_grown', statistic: 'fst', populations: ['wild', 'grown'], windows: 30, max: 0.9 },
      { key: 'MEAN_FST_wild_grown', windows: 25 },
    ])
  })

  test('answer for regions and for a gene: where its windows stand in the genome', async () => {
    const source = { assembly: portal.assembly, table: 'windows' }
    const found = (await ask('regions/', { ...source, series: 'WEIGHTED_FST_wild_grown', share: 0.03 })) as {
      cutoff: number
      regions: { start: number; end: number; peakValue: number }[]
    }
    expect(found).toMatchObject({ cutoff: 0.9, regions: [{ start: 1601, end: 1750, peakValue: 0.9 }] })
    const place = (await ask('locus/', { assembly: portal.assembly, sequence: '1', start: 1700, end: 1720 })) as {
      tables: { found: { key: string; value: number; share: number; windows: number }[] }[]
    }
    expect(place.tables[0]!.found[0]).toEqual({
      key: 'WEIGHTED_FST_wild_grown',
      windows: 2,
      start: 1601,
      end: 1750,
      value: 0.9,
      share: 1 / 30,
    })
    const none = (await ask('locus/', { assembly: portal.assembly, sequence: 'pT', start: 1, end: 9 })) as {
      tables: { found: object[] }[]
    }
    expect(none.tables[0]!.found).toEqual([])
  })

  test('are tracks of the genome browser, one a series, without the windows that have no value', async () => {
    const tracks = await portal.data.listRecords<{ file: string; scoreColumn?: string; name: unknown }>('track', {
      assembly: portal.assembly,
    })
    const own = tracks.filter(({ id }) => id.startsWith('sweeps-'))
    expect(own.map(({ id }) => id)).toEqual([
      'sweeps-windows-WEIGHTED_FST_wild_grown',
      'sweeps-windows-MEAN_FST_wild_grown',
    ])
    expect(own[0]!.data).toMatchObject({
      scoreColumn: 'score',
      name: { en: 'Windows: WEIGHTED_FST (wild – grown)', zh: '窗口: WEIGHTED_FST (wild – grown)' },
    })
    const bundle = await portal.data.bundleDirectory(portal.assembly)
    const lines = gunzipSync(readFileSync(join(bundle, own[1]!.data.file)))
      .toString()
      .trim()
      .split('\n')
    expect(lines).toHaveLength(26)
    expect(lines[1]).toBe('chr1\t100\t250\t.\t0')
  })
})
