import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { answerJson, askRoute, makeEngineContext, runEngine, searchPath, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import { listCarriers } from './endpoints.ts'
import engine from './engine.ts'
import type tool from './tool.ts'
import type { VariationResult } from './tool.ts'

// A chromosome of 6 kb with two genes, one on each strand, and sixty diploid accessions in three populations, made by a small generator of
// numbers so that every run has the same.
const random = makeRandom(11)
const lengthBp = 6000
const bases = Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(random() * 4)]!)
/** Coding sequences without stops inside, so that the programs take them for genes. */
const codons = ['GCT', 'GAA', 'AAA', 'CTG', 'GGT', 'GAC', 'TCC', 'ATC', 'TGG', 'CAG', 'TAC']
const coding = (count: number): string =>
  `ATG${Array.from({ length: count - 2 }, () => codons[Math.floor(random() * codons.length)]!).join('')}TAA`
const complement = (text: string): string =>
  [...text]
    .reverse()
    .map((base) => 'ACGT'['TGCA'.indexOf(base)])
    .join('')
bases.splice(1000, 900, ...coding(300))
bases.splice(3500, 600, ...complement(coding(200)))
const genome = bases.join('')
const gff3 = [
  '##gff-version 3',
  'c\t.\tgene\t901\t2000\t.\t+\t.\tID=G1;Name=abc1',
  'c\t.\tmRNA\t901\t2000\t.\t+\t.\tID=G1.t;Parent=G1',
  'c\t.\texon\t901\t2000\t.\t+\t.\tParent=G1.t',
  'c\t.\tCDS\t1001\t1900\t.\t+\t0\tID=c1;Parent=G1.t',
  'c\t.\tgene\t3501\t4100\t.\t-\t.\tID=G2',
  'c\t.\tCDS\t3501\t4100\t.\t-\t0\tID=c2;Parent=G2',
  '',
].join('\n')

const samples = Array.from({ length: 60 }, (_, at) => `S${String(at + 1).padStart(2, '0')}`)
const populations = ['north', 'south', 'west']
const populationOf = (sample: number): string => populations[sample % 3]!
/** Six ancestral haplotypes, so that neighbouring sites are linked. */
const positions = Array.from({ length: 90 }, (_, at) => 40 + at * 66)
const ancestors = Array.from({ length: 6 }, () => positions.map(() => (random() < 0.3 ? 1 : 0)))
const chromosome = (): number[] => {
  let own = Math.floor(random() * 6)
  return positions.map((_, at) => {
    if (random() < 0.04) own = Math.floor(random() * 6)
    return ancestors[own]![at]!
  })
}
const copies = samples.map(() => [chromosome(), chromosome()])
const isMissing = samples.map(() => positions.map(() => random() < 0.03))
const genotypeOf = (sample: number, site: number): string =>
  isMissing[sample]![site]
    ? './.'
    : copies[sample]!.map((copy) => copy[site])
        .sort()
        .join('/')
const alternateOf = (site: number): string => ({ A: 'G', G: 'A', C: 'T', T: 'C' })[genome[positions[site]! - 1]!]!
const vcf = [
  '##fileformat=VCFv4.2',
  `##contig=<ID=c,length=${lengthBp}>`,
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
  `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${samples.join('\t')}`,
  ...positions.map((position, site) =>
    [
      ...[
        'c',
        position,
        site % 10 === 0 ? `snp${site}` : '.',
        genome[position - 1],
        alternateOf(site),
        '.',
        'PASS',
        '.',
        'GT',
      ],
      ...samples.map((_, sample) => genotypeOf(sample, site)),
    ].join('\t'),
  ),
  '',
].join('\n')

let root: string
let portal: EmptyPortal
let database: Database
let data: OpenPortalData

const ask = async (input: z.input<(typeof tool)['input']>, path = searchPath): Promise<VariationResult> => {
  const options = { path, signal: AbortSignal.timeout(60_000) }
  const programs = await withPrograms(engine, mkdtempSync(join(root, 'run-')), options)
  return runEngine(engine, input, makeEngineContext({ data, ...programs }))
}

beforeAll(async () => {
  portal = await openEmptyPortal('variation')
  ;({ database, root } = portal)
  const { dataDir } = portal
  const folder = join(root, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'g.fa'), `>c\n${genome}\n`)
  writeFileSync(join(folder, 'g.gff3'), gff3)
  writeFileSync(join(folder, 'v.vcf'), vcf)
  writeFileSync(
    join(folder, 'accessions.tsv'),
    `accession\tpopulation\n${samples.map((name, at) => `${name}\t${populationOf(at)}\n`).join('')}`,
  )
  // Height goes with the first site of G1 that changes its protein; see the test of haplotypes.
  writeFileSync(
    join(folder, 'traits.tsv'),
    `accession\theight\n${samples.map((name, at) => `${name}\t${(100 + 5 * copies[at]!.reduce((sum, copy) => sum + copy[20]!, 0) + random()).toFixed(3)}\n`).join('')}`,
  )
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1
species: made-up
name: Made up
accessions: { file: accessions.tsv }
phenotypes:
  - { id: field, name: Field, file: traits.tsv, simulated: true }
assemblies:
  - id: M1
    genome: g.fa
    genes: g.gff3
    variants:
      - { id: panel, name: { en: Panel, zh: 群体 }, file: v.vcf, simulated: true }
`,
  )
  const report = await loadTestSpecies(database, dataDir, folder, { requirements: engine.programs })
  if (!report.ok) throw new Error(JSON.stringify(report))
  data = await portal.openData()
})
afterAll(() => portal?.close())

const bcftools = (...args: string[]): string =>
  execFileSync('bcftools', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

describe('variants', () => {
  test('of a gene by symbol, with frequencies in all and in populations as bcftools has them', async () => {
    const { variants } = await ask({ assembly: 'M1', genes: 'abc1', pageSize: 200 })
    const inGene = positions.filter((position) => position >= 901 && position <= 2000)
    expect(variants!.rows.map(({ position }) => position)).toEqual(inGene)
    expect(variants!.total).toBe(inGene.length)
    const groups = join(root, 'groups.txt')
    writeFileSync(groups, samples.map((name, at) => `${name}\t${populationOf(at)}\n`).join(''))
    const tags = bcftools('+fill-tags', join(root, 'folder/v.vcf'), '--', '-S', groups, '-t', 'AF,AN,F_MISSING')
    const filled = new Map(
      tags.split('\n').flatMap((line) => {
        if (line === '' || line.startsWith('#')) return []
        const cells = line.split('\t', 8)
        return [[Number(cells[1]), Object.fromEntries(cells[7]!.split(';').map((part) => part.split('=')))] as const]
      }),
    )
    for (const row of variants!.rows) {
      const expected = filled.get(row.position) as Record<string, string>
      expect(row.alleles!.called).toBe(Number(expected.AN))
      expect(row.alleles!.counts[1]! / row.alleles!.called).toBeCloseTo(Number(expected.AF), 5)
      expect(row.alleles!.missing / 60).toBeCloseTo(Number(expected.F_MISSING), 5)
      for (const [at, { counts, called }] of row.byPopulation.entries())
        expect(counts[1]! / called).toBeCloseTo(Number(expected[`AF_${populations[at]}`]), 5)
    }
    expect(variants!.populations).toEqual(populations.map((name) => ({ name, samples: 20 })))
  })

  test('by consequence, id, frequency and place, one page after the other, counted whole', async () => {
    const all = await ask({ assembly: 'M1', pageSize: 200 })
    const missense = all.variants!.rows.filter(({ effects }) =>
      effects.some((one) => one.consequences.includes('missense')),
    )
    expect(missense.length).toBeGreaterThan(3)
    expect(all.variants!.counts!.missense).toBe(missense.length)
    const found = await ask({ assembly: 'M1', consequences: ['missense'], pageSize: 2, page: 2 })
    expect(found.variants!.total).toBe(missense.length)
    expect(found.variants!.rows.map(({ key }) => key)).toEqual(missense.slice(2, 4).map(({ key }) => key))
    // The genes are those of every page, also where accessions are asked of.
    const genesOf = (rows: typeof missense) => [
      ...new Set(rows.flatMap(({ effects }) => effects.map(({ gene }) => gene))),
    ]
    expect(found.variants!.affected!.toSorted()).toEqual(genesOf(missense).sort())
    const carrier = (await ask({ assembly: 'M1', carriers: 'S01', pageSize: 200 })).variants!
    const paged = (await ask({ assembly: 'M1', carriers: 'S01', pageSize: 1 })).variants!
    expect(paged.affected!.toSorted()).toEqual(genesOf(carrier.rows).sort())
    const western = (
      await ask({ assembly: 'M1', population: 'west', minInPopulation: 0.3, maxElsewhere: 0.35, pageSize: 200 })
    ).variants!
    const shareOf = ({ counts, called }: { counts: number[]; called: number }): number => 1 - counts[0]! / called
    const expected = all.variants!.rows.filter(
      ({ byPopulation: [north, south, west] }) =>
        shareOf(west!) >= 0.3 && shareOf(north!) <= 0.35 && shareOf(south!) <= 0.35,
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.variants!.rows.length)
    expect(western.rows.map(({ row }) => row)).toEqual(expected.map(({ row }) => row))
    await expect(ask({ assembly: 'M1', population: 'east' })).rejects.toThrow(PortalError)
    // By the frequency of a population, over all pages; of one frequency by position.
    const byWest = [...all.variants!.rows].sort((a, b) => shareOf(b.byPopulation[2]!) - shareOf(a.byPopulation[2]!))
    const sorted = (await ask({ assembly: 'M1', sort: 'in:west', pageSize: 10, page: 2 })).variants!
    expect(sorted.rows.map(({ row }) => row)).toEqual(byWest.slice(10, 20).map(({ row }) => row))
    expect(sorted).toMatchObject({ total: all.variants!.total, sort: { by: 'in:west', descending: true } })
    expect(sorted.counts).toEqual(all.variants!.counts)
    const rare = (await ask({ assembly: 'M1', sort: 'frequency', descending: false, pageSize: 3 })).variants!
    const lowest = Math.min(...all.variants!.rows.map(({ alleles }) => shareOf(alleles!)))
    expect(shareOf(rare.rows[0]!.alleles!)).toBe(lowest)
    const between = await ask({ assembly: 'M1', consequences: ['intergenic'], pageSize: 200 })
    expect(between.variants!.rows.every(({ effects }) => effects.length === 0)).toBe(true)
    const common = await ask({ assembly: 'M1', minFrequency: 0.3, pageSize: 200 })
    expect(common.variants!.rows.map(({ row }) => row)).toEqual(
      all
        .variants!.rows.filter(
          ({ alleles }) => Math.min(alleles!.counts[0]!, alleles!.counts[1]!) / alleles!.called >= 0.3,
        )
        .map(({ row }) => row),
    )
    for (const id of [
      'snp20',
      'SNP20',
      `c:${positions[20]}`,
      `c:${positions[20]}:${genome[positions[20]! - 1]}:${alternateOf(20)}`,
    ]) {
      const one = await ask({ assembly: 'M1', id })
      expect(
        one.variants!.rows.map(({ row }) => row),
        id,
      ).toEqual([20])
      expect(one.variants!.genotypes).toHaveLength(60)
    }
    expect((await ask({ assembly: 'M1', id: 'c:77:A:T' })).unknown).toEqual(['c:77:A:T'])
    const region = await ask({ assembly: 'M1', region: `c:${positions[3]}-${positions[7]}` })
    expect(region.variants!.rows.map(({ row }) => row)).toEqual([3, 4, 5, 6, 7])
  })

  test('by the change that they make of a gene, on either strand, in one letter or three', async () => {
    const of = async (id: string) => (await ask({ assembly: 'M1', id })).variants!.rows.map(({ row }) => row)
    for (const [gene, baseAt] of [
      ['abc1', (position: number) => position - 1000],
      ['G2', (position: number) => 4101 - position],
    ] as const) {
      const { variants } = await ask({ assembly: 'M1', genes: gene, pageSize: 200 })
      const { row, position, reference, alternates, effects } = variants!.rows.find((one) =>
        one.effects.some(({ proteinChange }) => proteinChange != null),
      )!
      const change = effects.find(({ proteinChange }) => proteinChange != null)!.proteinChange!
      expect(change).toMatch(/^p\.\([A-Z][a-z]{2}\d+(?:[A-Z][a-z]{2}|=)\)$/)
      expect(await of(`${gene} ${change}`)).toEqual([row])
      expect(await of(`${gene} ${change.replace(/^p\.\(|\)$/g, '')}`)).toEqual([row])
      const bases = gene === 'G2' ? [reference, alternates[0]!].map(complement) : [reference, alternates[0]!]
      expect(await of(`${gene}:c.${baseAt(position)}${bases[0]}>${bases[1]}`)).toEqual([row])
      // Neither another base there nor one that the gene does not have.
      expect(await of(`${gene}:c.${baseAt(position)}${bases[1]}>${bases[0]}`)).toEqual([])
    }
    expect(await ask({ assembly: 'M1', id: 'abc1 W2C' })).toMatchObject({
      unknown: ['abc1 W2C'],
      variants: { total: 0 },
    })
  })

  test('by what accessions have, and the reader is told how many were looked at', async () => {
    const { variants } = await ask({ assembly: 'M1', carriers: 'S01', without: ['S02', 'S03'], pageSize: 200 })
    const expected = positions.flatMap((_, site) =>
      /1/.test(genotypeOf(0, site)) && genotypeOf(1, site) === '0/0' && genotypeOf(2, site) === '0/0' ? [site] : [],
    )
    expect(expected.length).toBeGreaterThan(2)
    expect(variants!.rows.map(({ row }) => row)).toEqual(expected)
    expect(variants!.scanned).toEqual({ looked: 90, of: 90, passed: expected.length })
    expect(variants!.total).toBe(expected.length)
    await expect(ask({ assembly: 'M1', carriers: 'nobody' })).rejects.toMatchObject({
      problems: [{ path: ['carriers'], message: 'problem.unknownAccession' }],
    })
  })

  test('questions that cannot be answered say why', async () => {
    for (const input of [
      { genes: 'nogene' },
      { region: 'c:9000-9100' },
      { set: 'other' },
      { task: 'haplotypes' as const },
      { task: 'ld' as const },
      { task: 'markers' as const },
      { task: 'markers' as const, id: 'rs_none' },
    ])
      await expect(ask({ assembly: 'M1', ...input }), JSON.stringify(input)).rejects.toBeInstanceOf(PortalError)
  })
})

describe('linkage', () => {
  test('r2 and D′ of unphased diploids are those of plink', async () => {
    const folder = join(root, 'plink')
    mkdirSync(folder)
    const plink = (...args: string[]) =>
      execFileSync(
        'plink1.9',
        [
          '--vcf',
          join(root, 'folder/v.vcf'),
          '--allow-extra-chr',
          '--double-id',
          '--set-missing-var-ids',
          '@:#',
          '--ld-window',
          '999',
          '--ld-window-kb',
          '999',
          '--ld-window-r2',
          '0',
          '--out',
          join(folder, 'out'),
          ...args,
        ],
        { stdio: 'ignore' },
      )
    if (spawnSync('plink1.9', ['--version']).error !== undefined) return
    const read = (): Map<string, Record<string, number>> => {
      const [head, ...lines] = readFileSync(join(folder, 'out.ld'), 'utf8').trim().split('\n')
      const names = head!.trim().split(/\s+/)
      return new Map(
        lines.map((line) => {
          const cells = line.trim().split(/\s+/)
          const row = Object.fromEntries(names.map((name, at) => [name, Number(cells[at])]))
          return [`${row.BP_A}-${row.BP_B}`, row]
        }),
      )
    }
    const { ld } = await ask({ assembly: 'M1', task: 'ld', region: 'c:900-4200', ldSites: 200 })
    expect(ld!.phase).toBe('estimated')
    // Each site is named by the gene that its effect is on.
    expect(ld!.sites.some(({ gene }) => typeof gene === 'string')).toBe(true)
    for (const { gene, consequence } of ld!.sites) expect(gene === null).toBe(consequence === 'intergenic')
    plink('--r2')
    const doses = read()
    plink('--r2', 'dprime')
    const haplotypes = read()
    let compared = 0
    let at = 0
    for (const [a, first] of ld!.sites.entries())
      for (const second of ld!.sites.slice(a + 1)) {
        const pair = `${first.position}-${second.position}`
        const expected = doses.get(pair)
        if (expected !== undefined) {
          expect(ld!.r2[at]!, pair).toBeCloseTo(expected.R2!, 4)
          expect(ld!.dPrime[at]!, pair).toBeCloseTo(haplotypes.get(pair)!.DP!, 3)
          compared += 1
        }
        at += 1
      }
    expect(compared).toBeGreaterThan(100)
  })
})

describe('haplotypes of a gene', () => {
  test('are the alleles of homozygous accessions, counted by population, and told apart by the trait', async () => {
    const { haplotypes } = await ask({
      assembly: 'M1',
      task: 'haplotypes',
      genes: 'G1',
      sites: 'all',
      trait: 'field|height',
      minCount: 2,
      region: undefined,
    })
    const found = haplotypes!
    expect(found.sites.length + found.dropped.missing + found.dropped.invariant).toBe(found.siteCount)
    const heterozygous = samples.filter((_, sample) =>
      found.sites.some(({ row }) => ['0/1', '1/0'].includes(genotypeOf(sample, row))),
    )
    expect(found.accessions.filter(({ state }) => state === 'heterozygous').map(({ id }) => id)).toEqual(heterozygous)
    for (const { id, haplotypes: own, state } of found.accessions) {
      if (state !== 'complete') continue
      const sample = samples.indexOf(id)
      expect(own).toHaveLength(2)
      for (const [at, { row }] of found.sites.entries())
        expect(found.haplotypes[own[0]!]!.alleles[at]).toBe(copies[sample]![0]![row])
    }
    for (const { copies: count, byPopulation } of found.haplotypes)
      expect(byPopulation.reduce((sum, one) => sum + one, 0)).toBe(count)
    expect(found.phenotype).toMatchObject({ trait: 'height', method: 'kruskal', simulated: true })
    expect(found.haplotypeCount).toBe(found.haplotypes.length)
    expect(found.grouping).toBe('population')
  })

  test('of the one site that height goes with differ by their letters, within populations too, and every test says so', async () => {
    for (const method of ['kruskal', 'anova', 'welch'] as const) {
      const { haplotypes } = await ask({
        assembly: 'M1',
        task: 'haplotypes',
        region: `c:${positions[20]}-${positions[20]}`,
        trait: 'field|height',
        test: method,
      })
      const { groups, test: all, within, pairs } = haplotypes!.phenotype!
      expect(groups.map(({ letters }) => letters).toSorted(), method).toEqual(['a', 'b'])
      const tallest = groups.toSorted((a, b) => b.figures!.mean - a.figures!.mean)[0]!
      expect(tallest.letters).toBe('a')
      expect(haplotypes!.haplotypes[tallest.haplotype]!.alleles).toEqual([1])
      expect(all!.pValue).toBeLessThan(1e-3)
      expect(within!.pValue).toBeLessThan(1e-6)
      expect(within!.populations).toBe(3)
      expect(pairs).toHaveLength(1)
    }
  })

  test('stand over blocks of common variants, none of which reaches into another, by either rule or without', async () => {
    for (const rule of ['gabriel', 'gametes', 'none'] as const) {
      const { haplotypes } = await ask({ assembly: 'M1', task: 'haplotypes', region: 'c:1-6000', blocks: rule })
      const { blocks } = haplotypes!
      if (rule === 'none') {
        expect(blocks).toBeNull()
        continue
      }
      expect(blocks!.blocks.length, rule).toBeGreaterThan(0)
      expect(blocks!.sites).toBe(blocks!.of)
      for (const [at, { start, end, sites }] of blocks!.blocks.entries()) {
        expect(sites).toBeGreaterThan(1)
        expect(end).toBeGreaterThan(start)
        if (at > 0) expect(start).toBeGreaterThan(blocks!.blocks[at - 1]!.end)
      }
    }
  })

  test('are told of no more variants than those that were asked for', async () => {
    const { haplotypes } = await ask({ assembly: 'M1', task: 'haplotypes', region: 'c:1-6000', maxFrequency: 0.3 })
    const { blocks } = haplotypes!
    expect(blocks!.of).toBeGreaterThan(1)
    expect(blocks!.sites).toBe(blocks!.of)
  })
})

describe('carriers of a haplotype', () => {
  // Two neighbouring sites: of more, nearly all accessions are heterozygous at one and have no phase.
  const sites = [24, 25]
  const region = `c:${positions[24]}-${positions[25]}`
  const carriersOf = async (input: object) =>
    listCarriers.output.parse(
      answerJson(await askRoute(engine, 'carriers/', { assembly: 'M1', region, ...input }, { data })),
    )

  test('are all accessions whose genotypes are it or do not contradict it, and no other', async () => {
    const first = await carriersOf({})
    expect(first).toMatchObject({
      assembly: 'M1',
      set: 'panel',
      sequence: 'c',
      start: positions[24],
      end: positions[25],
      haplotype: 'H1',
    })
    expect(first.haplotypes).toBeGreaterThan(1)
    const listed = new Map<string, string>()
    let before = Number.POSITIVE_INFINITY
    for (let rank = 1; rank <= first.haplotypes; rank += 1) {
      const { accessions, copies: total, sites: own } = await carriersOf({ haplotype: `h${rank}` })
      expect(own.map(({ position }) => position)).toEqual(sites.map((site) => positions[site]!))
      expect(total).toBe(accessions.reduce((sum, one) => sum + one.copies, 0))
      expect(total).toBeLessThanOrEqual(before)
      before = total
      const numbers = own.map(({ allele }, at) => (allele === alternateOf(sites[at]!) ? 1 : 0))
      for (const [at, { allele }] of own.entries())
        expect(allele).toBe(numbers[at] === 1 ? alternateOf(sites[at]!) : genome[positions[sites[at]!]! - 1])
      const has = (sample: number, at: number): boolean =>
        genotypeOf(sample, sites[at]!) === `${numbers[at]}/${numbers[at]}`
      for (const { id, population, copies: number, ploidy } of accessions) {
        const sample = samples.indexOf(id)
        expect({ population, number, ploidy }).toEqual({ population: populationOf(sample), number: 2, ploidy: 2 })
        expect(listed.has(id), `${id} carries two`).toBe(false)
        listed.set(id, `H${rank}`)
        for (const at of sites.keys()) expect(has(sample, at) || isMissing[sample]![sites[at]!]).toBe(true)
      }
      const ids = accessions.map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
      for (const [sample, id] of samples.entries())
        if ([...sites.keys()].every((at) => has(sample, at))) expect(ids).toContain(id)
    }
    expect(listed.size).toBeGreaterThan(10)
  })

  test('are those that the haplotypes of the same question have', async () => {
    const { haplotypes } = await ask({ assembly: 'M1', task: 'haplotypes', region })
    for (const [rank, { name, copies: count }] of haplotypes!.haplotypes.entries()) {
      const found = await carriersOf({ haplotype: name })
      expect(found.copies).toBe(count)
      expect(found.accessions.map(({ id }) => id)).toEqual(
        haplotypes!.accessions.filter(({ haplotypes: own }) => own.includes(rank)).map(({ id }) => id),
      )
    }
  })

  test('a haplotype that is none, and no place, are refused', async () => {
    const { haplotypes: count } = await carriersOf({})
    await expect(carriersOf({ haplotype: `H${count + 1}` })).rejects.toMatchObject({
      problems: [{ path: ['haplotype'], message: 'problem.unknownHaplotype' }],
    })
    await expect(carriersOf({ region: undefined })).rejects.toMatchObject({
      problems: [{ path: ['genes'], message: 'problem.oneGene' }],
    })
    // Of several genes of one sequence the region is told that they span.
    await expect(ask({ assembly: 'M1', task: 'haplotypes', genes: ['abc1', 'G2'] })).rejects.toMatchObject({
      problems: [
        {
          path: ['genes'],
          message: 'problem.severalNear',
          params: { genes: 2, first: 'abc1', region: 'c:901..4100' },
        },
      ],
    })
    await expect(carriersOf({ haplotype: 'H0' })).rejects.toThrow()
  })
})

describe('markers', () => {
  test('KASP primers end at the variant with the alleles that they tell apart, and enzymes cut one allele alone', async () => {
    const site = positions.findIndex((position) => position > 2000)
    const { markers } = await ask({ assembly: 'M1', task: 'markers', id: `c:${positions[site]}` })
    const { kasp, caps, neighbours } = markers!
    expect(neighbours).toBeGreaterThan(5)
    expect(kasp.length + caps.length).toBeGreaterThan(0)
    const neighbourLoci = positions.filter((_, at) => at !== site)
    for (const { reference, alternate, common } of kasp) {
      const turned = reference.strand === '-'
      const alleles = [genome[positions[site]! - 1]!, alternateOf(site)].map((base) =>
        turned ? complement(base) : base,
      )
      expect([reference.sequence.at(-1), alternate.sequence.at(-1)]).toEqual(alleles)
      expect(turned ? reference.start : reference.end).toBe(positions[site])
      const segment = genome.slice(common.start - 1, common.end)
      expect(common.sequence).toBe(common.strand === '-' ? complement(segment) : segment)
      expect(neighbourLoci.some((index) => index >= common.start && index <= common.end)).toBe(false)
    }
    const codes = { R: '[AG]', Y: '[CT]', S: '[CG]', W: '[AT]', K: '[GT]', M: '[AC]', N: '.' } as Record<string, string>
    for (const { fragments, site: recognised, left, right, derived } of caps) {
      if (derived !== null) continue
      // Also sites over other variants: the fragments are those of the reference's own sequence.
      const pattern = new RegExp(`(?=${[...recognised].map((code) => codes[code] ?? code).join('')})`, 'g')
      const pieces = [...genome.slice(left.start - 1, right.end).matchAll(pattern)].length + 1
      if (recognised !== 'CCGC') expect(fragments.reference).toHaveLength(pieces)
    }
    for (const { fragments, cutAllele } of caps) {
      const [cut, whole] =
        cutAllele === 'reference'
          ? [fragments.reference, fragments.alternate]
          : [fragments.alternate, fragments.reference]
      expect(cut.length).toBe(whole.length + 1)
    }
  })
  test('without primer3 the tool says what is missing', async () => {
    await expect(ask({ assembly: 'M1', task: 'markers', id: 'snp20' }, root)).rejects.toMatchObject({
      code: 'TOOL_UNAVAILABLE',
    })
  })
})
