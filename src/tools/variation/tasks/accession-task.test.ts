import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PortalError } from '../../../contracts/errors.ts'
import type { OpenPortalData } from '../../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine } from '../../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../../testing/empty-portal.ts'
import { loadTestSpecies } from '../../../testing/species.ts'
import engine from '../engine.ts'
import tool, { type AccessionsResult, limits } from '../tool.ts'

// Two genes on one strand. abc1 from base 101: M A S S A G K L E *; def1 from base 301: M E K D *.
const bases = [...'CAGT'.repeat(100)]
bases.splice(100, 30, ...'ATGGCATCTAGCGCTGGTAAACTGGAATAA')
bases.splice(300, 15, ...'ATGGAAAAAGATTAA')
const genome = bases.join('')
const gff3 = [
  '##gff-version 3',
  'c\t.\tgene\t101\t130\t.\t+\t.\tID=G1;Name=abc1',
  'c\t.\tCDS\t101\t130\t.\t+\t0\tParent=G1',
  'c\t.\tgene\t301\t315\t.\t+\t.\tID=G2;Name=def1',
  'c\t.\tCDS\t301\t315\t.\t+\t0\tParent=G2',
  '',
].join('\n')

/** Diploids, and two haploids at the end. */
const samples = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const records = [
  'c 108 . C T 0/0 0/1 1/1 ./. ./1 ./0 1 0',
  // Both make arginine of serine 4.
  'c 112 . C A 0/0 0/0 0/1 1/1 0/0 0/0 0 .',
  'c 112 . C G 0/1 0/0 0/0 0/0 ./. 0/0 0 1',
  // Alanine 5 becomes valine or aspartic acid.
  'c 114 . C T,A 0/2 1/2 0/1 2/2 0/0 ./. 2 1',
  'c 304 rs1 G A 1/1 1/1 0|1 0/0 0/1 1/1 1 0',
].map((line) => {
  const [sequence, position, id, reference, alternate, ...genotypes] = line.split(' ')
  return [sequence, position, id, reference, alternate, '.', 'PASS', '.', 'GT', ...genotypes].join('\t')
})
const head = (names: readonly string[]): string =>
  [
    '##fileformat=VCFv4.2',
    `##contig=<ID=c,length=${genome.length}>`,
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}`,
    '',
  ].join('\n')

let portal: EmptyPortal
let data: OpenPortalData

beforeAll(async () => {
  portal = await openEmptyPortal('accessions-with')
  const folder = join(portal.root, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'g.fa'), `>c\n${genome}\n`)
  writeFileSync(join(folder, 'g.gff3'), gff3)
  writeFileSync(join(folder, 'v.vcf'), `${head(samples)}${records.join('\n')}\n`)
  writeFileSync(join(folder, 'other.vcf'), `${head(['Z'])}c\t20\trs2\t${bases[19]}\tG\t.\tPASS\t.\tGT\t1\n`)
  // H is not described.
  writeFileSync(
    join(folder, 'accessions.tsv'),
    [
      'accession\tname\tpopulation\tcountry\tlatitude\tlongitude\tlineage\tyear',
      'A\tAlpha\tnorth\tPeru\t-9.1\t-75\tL1\t2001',
      'B\tBeta\tnorth\tPeru\t\t\tL2\t2002',
      'C\t\tsouth\tPeru\t\t\tL1\t2001',
      'D\t\tsouth\tIndia\t\t\tL2\t',
      'E\t\tsouth\tIndia\t\t\tL1\t2003',
      'F\t\tnorth\tIndia\t\t\tL1\t2003',
      'G\t\tnorth\t\t\t\tL2\t2003',
      '',
    ].join('\n'),
  )
  writeFileSync(
    join(folder, 'traits.tsv'),
    'accession\tmic\tresistance\nA\t1.5\tsensitive\nB\t2\tresistant\nC\t8\tresistant\nE\t4\tresistant\nG\t9\tresistant\n',
  )
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1
species: made-up
name: Made up
accessions: { file: accessions.tsv }
phenotypes:
  - { id: field, name: Field, file: traits.tsv }
assemblies:
  - id: M1
    genome: g.fa
    genes: g.gff3
    variants:
      - { id: panel, name: Panel, file: v.vcf }
      - { id: other, name: Other, file: other.vcf }
`,
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { requirements: engine.programs })
  if (!report.ok) throw new Error(JSON.stringify(report))
  data = await portal.openData()
})
afterAll(() => portal?.close())

type Asked = Omit<z.input<(typeof tool)['input']>, 'assembly' | 'task'>

const ask = async (input: Asked): Promise<AccessionsResult> => {
  const answer = await runEngine(engine, { assembly: 'M1', task: 'accessions', ...input }, makeEngineContext({ data }))
  return answer.accessions!
}
const idsOf = ({ accessions }: AccessionsResult): string => accessions.map(({ id }) => id).join('')

describe('accessions with variants', () => {
  test('carry one with a copy of it, haploid or diploid; those not called are neither carriers nor others', async () => {
    const found = await ask({ variants: 'abc1 p.Ser3Phe' })
    expect(idsOf(found)).toBe('BCEG')
    expect(found.accessions.map(({ genotypes }) => genotypes[0])).toEqual([
      { text: 'C/T', carriage: 'some' },
      { text: 'T/T', carriage: 'every' },
      { text: './T', carriage: 'some' },
      { text: 'T', carriage: 'every' },
    ])
    expect(found.variants[0]!.carriages).toEqual({ every: 2, some: 2, none: 2, missing: 2 })
    expect(found.counts).toEqual({ carriers: 4, undetermined: 2, accessions: 8 })
    expect(found.variants[0]!.sites).toMatchObject([
      { sequence: 'c', position: 108, gene: 'G1', symbol: 'abc1', proteinChange: 'p.(Ser3Phe)', counted: [1] },
    ])
  })

  test('are the same by id, position, alleles, change of bases and of protein', async () => {
    for (const one of ['c:108', 'c:108:C:T', 'abc1 S3F', 'abc1 p.(Ser3Phe)', 'G1:c.8C>T'])
      expect(idsOf(await ask({ variants: one })), one).toBe('BCEG')
    expect(idsOf(await ask({ variants: 'RS1' }))).toBe('ABCEFG')
  })

  test('of several genes carry all, or any', async () => {
    for (const list of [['abc1 S3F', 'def1 E2K'], 'abc1 S3F\ndef1 p.Glu2Lys', 'c:108;rs1', 'c:108,rs1']) {
      const all = await ask({ variants: list })
      expect(all.match).toBe('all')
      expect(idsOf(all)).toBe('BCEG')
      // Of D the first is not called, of which the second is none; of F the first may be there.
      expect(all.counts).toEqual({ carriers: 4, undetermined: 1, accessions: 8 })
      const any = await ask({ variants: list, match: 'any' })
      expect(idsOf(any)).toBe('ABCEFG')
      expect(any.counts).toEqual({ carriers: 6, undetermined: 1, accessions: 8 })
      expect(any.accessions.map(({ genotypes }) => genotypes.map(({ text }) => text).join(' '))).toEqual([
        ...['C/C A/A', 'C/T A/A', 'T/T G|A', './T G/A', './C A/A', 'T A'],
      ])
    }
  })

  test('of one allele of a multiallelic record do not count the other, and of the position count both', async () => {
    expect(idsOf(await ask({ variants: 'abc1 A5V' }))).toBe('BCH')
    expect(idsOf(await ask({ variants: 'abc1 A5D' }))).toBe('ABDG')
    expect(idsOf(await ask({ variants: 'c:114:C:A' }))).toBe('ABDG')
    expect(idsOf(await ask({ variants: 'c:114' }))).toBe('ABCDGH')
    expect(idsOf(await ask({ variants: 'c:114:C:T/A' }))).toBe('ABCDGH')
    const both = await ask({ variants: ['abc1 A5V', 'abc1 A5D'] })
    expect(idsOf(both)).toBe('B')
    expect(both.variants.map(({ sites }) => [sites[0]!.proteinChange, sites[0]!.counted])).toEqual([
      ['p.(Ala5Val)', [1]],
      ['p.(Ala5Asp)', [2]],
    ])
  })

  test('of a change of the protein that several records make carry any of them', async () => {
    const found = await ask({ variants: 'abc1 S4R' })
    expect(found.variants[0]!.sites.map(({ key }) => key)).toEqual(['c:112:C:A', 'c:112:C:G'])
    expect(idsOf(found)).toBe('ACDH')
    expect(found.accessions.map(({ genotypes }) => genotypes[0])).toEqual([
      { text: 'C/C; C/G', carriage: 'some' },
      { text: 'C/A; C/C', carriage: 'some' },
      { text: 'A/A; C/C', carriage: 'every' },
      { text: '.; G', carriage: 'every' },
    ])
    expect(found.variants[0]!.carriages).toEqual({ every: 2, some: 2, none: 3, missing: 1 })
  })

  test('are counted by each column of the accessions and by the levels of a phenotype, those without a value too', async () => {
    const found = await ask({ variants: 'c:108', trait: 'field|resistance' })
    const groups = Object.fromEntries(
      found.groupings.map(({ column, groups: own }) => [
        column ?? 'phenotype',
        own.map((one) => [one.value, one.carriers, one.undetermined, one.accessions]),
      ]),
    )
    expect(groups).toMatchObject({
      population: [
        ['north', 2, 1, 4],
        ['south', 2, 1, 3],
        [null, 0, 0, 1],
      ],
      country: [
        ['Peru', 2, 0, 3],
        ['India', 1, 2, 3],
        [null, 1, 0, 2],
      ],
      lineage: [
        ['L1', 2, 1, 4],
        ['L2', 2, 1, 3],
        [null, 0, 0, 1],
      ],
    })
    expect(groups.phenotype!.map((one) => one[0]).toSorted()).toEqual(['resistant', 'sensitive', null].toSorted())
    expect(groups.phenotype!.find((one) => one[0] === 'resistant')).toEqual(['resistant', 4, 0, 4])
    for (const { groups: own } of found.groupings) {
      const sum = (of: 'carriers' | 'undetermined' | 'accessions') => own.reduce((all, one) => all + one[of], 0)
      expect([sum('carriers'), sum('undetermined'), sum('accessions')]).toEqual([4, 2, 8])
    }
    expect(found.attributes).toEqual(['lineage', 'year'])
    expect(found.accessions[0]).toMatchObject({
      ...{ id: 'B', name: 'Beta', population: 'north', country: 'Peru', level: 'resistant' },
      attributes: { lineage: 'L2', year: 2002 },
    })
    expect((await ask({ variants: 'c:108', trait: 'field|mic' })).accessions.map(({ value }) => value)).toEqual([
      ...[2, 8, 4, 9],
    ])
  })

  test('are those that bcftools query lists', async () => {
    const file = join(portal.root, 'folder/v.vcf')
    for (const position of [108, 114, 304]) {
      const arguments_ = ['query', '-i', `POS=${position}`, '-f', '[%SAMPLE %GT\n]', file]
      const lines = execFileSync('bcftools', arguments_).toString().trim().split('\n')
      expect(lines).toHaveLength(samples.length)
      const listed = lines.flatMap((line) => (/ .*[1-9]/.test(line) ? [line[0]!] : []))
      expect(idsOf(await ask({ variants: `c:${position}` })), String(position)).toBe(listed.join(''))
    }
  })

  test('are looked for in the set that has the variants, where none is named', async () => {
    expect(idsOf(await ask({ variants: 'rs2' }))).toBe('Z')
    await expect(ask({ variants: 'rs2', set: 'panel' })).rejects.toMatchObject({
      problems: [{ path: ['variants'], message: 'problem.unknownVariants', params: { names: 'rs2' } }],
    })
  })

  test('what names no variant, no variant at all, and too many are told at the field', async () => {
    const problemOf = async (variants: string): Promise<string | undefined> => {
      const error = await ask({ variants }).catch((one: unknown) => one)
      expect(error).toBeInstanceOf(PortalError)
      const [problem] = (error as PortalError).problems ?? []
      expect(problem?.path).toEqual(['variants'])
      return problem?.message
    }
    expect(await problemOf('')).toBe('problem.variantsNeeded')
    expect(await problemOf('c:108\nabc1 W2C')).toBe('problem.unknownVariants')
    expect(await problemOf('c:0')).toBe('locus.start-zero')
    const many = (count: number): string => Array.from({ length: count }, (_, at) => `c:${at + 1}`).join(',')
    const read = (variants: string) => tool.input.safeParse({ assembly: 'M1', task: 'accessions', variants })
    expect(read(many(limits.chosen)).success).toBe(true)
    const refused = read(many(limits.chosen + 1))
    expect(refused.error?.issues[0]?.path).toEqual(['variants'])
    // The same variant twice is one.
    expect(read('rs1, RS1\nrs1').data?.variants).toEqual(['rs1'])
    expect(read('c:1,155,c:108').data?.variants).toEqual(['c:1,155', 'c:108'])
  })
})
