import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translate } from '../../bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { threeLetters } from '../../bio/variation/protein-change.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { blastProgram, homologyPrograms } from '../../kit/programs.ts'
import { makeEngineContext, runEngine, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import { listPrivate } from './private-rows.ts'

// A circular chromosome with a gene each kilobase, and strains made of it by changes that are written down.

const randomBases = (lengthBp: number, seed: number): string => {
  const next = makeRandom(seed)
  return Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
}
const codons = ['GCT', 'GAC', 'GAA', 'TTC', 'GGT', 'CAC', 'ATC', 'AAA', 'CTG', 'AAC', 'CCG', 'CGT', 'TCC', 'ACC', 'GTT']
const codingBases = (count: number, seed: number): string => {
  const next = makeRandom(seed)
  return `ATG${Array.from({ length: count - 2 }, () => codons[Math.floor(next() * codons.length)]!).join('')}TAA`
}

const geneBp = 600
/** An insertion sequence with one gene of its own. */
const element = `GGTTCACCGATC${codingBases(geneBp / 3, 999)}GATCGGTGAACC`
const genesAt: { start0: number; id: string; product: string }[] = []
const makeReference = (): string => {
  let bases = ''
  for (let number = 0; number < 80; number += 1) {
    bases += randomBases(400, 1000 + number)
    if (number === 15 || number === 45 || number === 65) {
      genesAt.push({ start0: bases.length + 12, id: `IS${number}`, product: 'transposase of insertion element IS9001' })
      bases += element
      bases += randomBases(300, 3000 + number)
    }
    genesAt.push({ start0: bases.length, id: `g${number}`, product: `protein ${number}` })
    bases += codingBases(geneBp / 3, 2000 + number)
  }
  return bases
}
const reference = makeReference()
const startOf = (id: string): number => genesAt.find((gene) => gene.id === id)!.start0

/** From 0, ends excluded. */
const [deleted, inserted, turned] = [
  { start0: startOf('g20') - 150, end0: startOf('g24') - 150 },
  { at0: startOf('g35') - 200, bases: randomBases(200, 7) + codingBases(geneBp / 3, 8) + randomBases(200, 9) },
  { start0: startOf('g50') - 180, end0: startOf('g60') - 180 },
]
/** Not in step with the genes, so that it meets each part of them. */
const snpEvery = 1990
const withSnps = (bases: string): string =>
  [...bases].map((base, at) => (at % snpEvery === 1000 ? { A: 'G', G: 'A', C: 'T', T: 'C' }[base]! : base)).join('')
/** A base less in the tenth codon of this gene. */
const shiftedAt0 = startOf('g5') + 30
const strain = (() => {
  const bases = withSnps(reference)
  return [
    bases.slice(0, shiftedAt0),
    bases.slice(shiftedAt0 + 1, deleted.start0),
    bases.slice(deleted.end0, inserted.at0),
    inserted.bases,
    bases.slice(inserted.at0, turned.start0),
    reverseComplement(bases.slice(turned.start0, turned.end0)),
    bases.slice(turned.end0),
  ].join('')
})()
const snps = [...withSnps(reference)].filter(
  (base, at) => base !== reference[at] && (at < deleted.start0 || at >= deleted.end0),
).length
/** The same chromosome from another first base, with two more copies of the insertion sequence. */
const [firstCopy, secondCopy] = [startOf('g30') - 200, startOf('g70') - 200]
const rotated = (() => {
  const bases = [
    reference.slice(0, firstCopy),
    element,
    reference.slice(firstCopy, secondCopy),
    element,
    reference.slice(secondCopy),
  ].join('')
  return bases.slice(33_000) + bases.slice(0, 33_000)
})()
/** Contigs of the reference without annotation, the first bases of a gene of one unknown. */
const unknownBp = 30
const unknownAt0 = startOf('g58')
const contigs = [
  reference.slice(0, 30_000),
  reverseComplement(reference.slice(30_000, 55_000)),
  `${reference.slice(55_000, unknownAt0)}${'N'.repeat(unknownBp)}${reference.slice(unknownAt0 + unknownBp)}`,
]

const gff3Of = (bases: string, sequence: string, prefix: string): string => {
  const lines = ['##gff-version 3']
  const products = genesAt.map(({ start0, id, product }) => ({
    id,
    product,
    bases: reference.slice(start0, start0 + geneBp),
  }))
  products.push({ id: 'new', product: 'toxin of the strain', bases: inserted.bases.slice(200, 200 + geneBp) })
  const add = (id: string, product: string, start0: number, strand: '+' | '-'): void => {
    const about = [sequence, 'made', 'gene', start0 + 1, start0 + geneBp, '.', strand, '.']
    lines.push([...about, `ID=${prefix}${id};description=${product}`].join('\t'))
    about[2] = 'mRNA'
    lines.push([...about, `ID=${prefix}${id}.t;Parent=${prefix}${id}`].join('\t'))
    about[2] = 'CDS'
    about[7] = 0 as never
    lines.push([...about, `ID=${prefix}${id}.c;Parent=${prefix}${id}.t`].join('\t'))
  }
  for (const { id, product, bases: own } of products) {
    // By its middle, which no change but a SNP or two touches.
    const middle = own.slice(280, 310)
    const [there, back] = [bases.indexOf(middle), bases.indexOf(reverseComplement(middle))]
    if (there >= 280) add(id, product, there - 280, '+')
    else if (back >= 0) add(id, product, back - (geneBp - 310), '-')
  }
  return `${lines.join('\n')}\n`
}

let portal: EmptyPortal
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('strainreport')
  const folder = join(portal.root, 'made')
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  write('REF.fa', `>chr\n${reference}\n`)
  write('REF.gff3', gff3Of(reference, 'chr', 'R_'))
  write('S1.fa', `>s1\n${strain}\n`)
  write('S1.gff3', gff3Of(strain, 's1', 'S_'))
  write('ROT.fa', `>rot\n${rotated}\n`)
  write('ROT.gff3', gff3Of(rotated, 'rot', 'T_'))
  write('CTG.fa', [...contigs, randomBases(5000, 77)].map((bases, at) => `>c${at}\n${bases}\n`).join(''))
  const entry = (id: string, sequence: string, more = ''): string =>
    `  - { id: ${id}, genome: ${id}.fa, genes: ${id}.gff3, sequences: [{ name: ${sequence}, circular: true }]${more} }\n`
  // Stops in place of the third codon of two genes, of which the rotated strain has one.
  const stopIn = (id: string, name: string, genotypes: string): string => {
    const at0 = startOf(id) + 6
    return ['chr', at0 + 1, name, reference.slice(at0, at0 + 3), 'TAA', '.', 'PASS', '.', 'GT', genotypes].join('\t')
  }
  write(
    'panel.vcf',
    [
      '##fileformat=VCFv4.2',
      `##contig=<ID=chr,length=${reference.length}>`,
      '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
      '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tROT\tother',
      stopIn('g10', 'planted', '1\t0'),
      stopIn('g11', 'another', '0\t1'),
      // Tryptophan, which the genes have none of, in the third codon of a third.
      stopIn('g12', 'moderate', '1\t0').replace('\tTAA\t', '\tTGG\t'),
      '',
    ].join('\n'),
  )
  write(
    'species.yaml',
    `novodb: 1\nspecies: made\nname: Made up\nassemblies:\n${entry('REF', 'chr', ', reference: true, variants: [{ id: panel, name: Panel, file: panel.vcf }]')}${entry('S1', 's1')}${entry('ROT', 'rot')}  - { id: CTG, genome: CTG.fa }\n`,
  )
  // Another species that is listed before.
  const other = join(portal.root, 'another')
  mkdirSync(other, { recursive: true })
  for (const id of ['A1', 'A2']) writeFileSync(join(other, `${id}.fa`), `>a\n${randomBases(3000, 5)}\n`)
  writeFileSync(
    join(other, 'species.yaml'),
    'novodb: 1\nspecies: another\nname: Another\nassemblies:\n  - { id: A1, genome: A1.fa, reference: true }\n  - { id: A2, genome: A2.fa }\n',
  )
  expect(await loadTestSpecies(portal.database, portal.dataDir, other)).toMatchObject({ ok: true })
  const minimap2 = {
    program: 'minimap2',
    package: 'minimap2',
    bioconda: 'minimap2',
    versionArguments: ['--version'],
    versionPattern: /(\d+\.\d+)/,
  }
  const bcftools = {
    program: 'bcftools',
    package: 'bcftools',
    bioconda: 'bcftools',
    versionArguments: ['--version'],
    versionPattern: /bcftools (\d+\.\d+)/,
  }
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, {
    requirements: [minimap2, bcftools, blastProgram('blastn'), blastProgram('tblastn'), ...homologyPrograms],
  })
  expect(report).toMatchObject({ ok: true, failure: null })
  await portal.hearChanges()
  data = await portal.openData()
}, 570_000)
afterAll(() => portal?.close())

const ask = async (input: object) =>
  runEngine(
    engine,
    input,
    makeEngineContext({ data, ...(await withPrograms(engine, mkdtempSync(join(portal.root, 'run-')))) }),
  )
const reportOf = async (assembly: string, more: object = {}) => (await ask({ assembly, ...more })).report!

describe('a strain with changes that are known', () => {
  test('has each of them, with breakpoints to the base as far as equal bases beside them let tell', async () => {
    const { structure, unpaired } = await reportOf('S1')
    expect(structure!.counts).toEqual({ deletion: 1, insertion: 1, inversion: 1, replacement: 0, duplication: 0 })
    expect(unpaired).toEqual({ total: 0, rows: [] })
    expect(structure).toMatchObject({
      basis: 'alignment',
      deletedBp: deleted.end0 - deleted.start0,
      insertedBp: inserted.bases.length,
      breakpoints: [],
    })
    const find = (kind: string) => structure!.differences.find((one) => one.kind === kind)!
    const near = (value: number, expected: number): void => expect(Math.abs(value - expected)).toBeLessThanOrEqual(4)
    const [deletion, insertion, inversion] = ['deletion', 'insertion', 'inversion'].map(find)
    near(deletion!.a.start, deleted.start0 + 1)
    near(deletion!.a.end, deleted.end0)
    expect(deletion!.genes).toEqual(['R_g20', 'R_g21', 'R_g22', 'R_g23'])
    near(insertion!.a.start, inserted.at0)
    expect(insertion).toMatchObject({ sizeBp: inserted.bases.length, genes: ['S_new'], genesOf: 'second' })
    near(inversion!.a.start, turned.start0 + 1)
    near(inversion!.a.end, turned.end0)
  })

  test('lost the genes of the deletion, has one with a frameshift, and gained that of the insertion', async () => {
    const { genes } = await reportOf('S1')
    const named = (change: string) => genes!.rows.filter((row) => row.change === change).map(({ id }) => id)
    expect(named('lost')).toEqual(['R_g20', 'R_g21', 'R_g22', 'R_g23'])
    expect(named('disrupted')).toEqual(['R_g5'])
    expect(named('gained')).toEqual(['S_new'])
    expect(genes!.rows.find(({ id }) => id === 'R_g5')).toMatchObject({ frame: 'frameshift' })
  })

  test('has what its SNPs do to each protein, and the frameshift, each in its gene, with those that break it first', async () => {
    const { proteinVariants } = await reportOf('S1')
    expect(proteinVariants).toMatchObject({ basis: 'alignment', set: null })
    const expected: Record<'high' | 'moderate', string[]> = { high: [], moderate: [] }
    for (const { start0, id } of genesAt) {
      if (start0 < deleted.end0 && start0 + geneBp > deleted.start0) continue
      const proteinOf = (bases: string): string => translate(bases.slice(start0, start0 + geneBp))
      const [before, after] = [proteinOf(reference), proteinOf(withSnps(reference))]
      for (const [at, residue] of [...before].entries()) {
        const other = after[at]!
        if (id === 'g5' && at === 10) {
          expected.high.push('R_g5 frameshift')
          break
        }
        if (residue === other) continue
        if (at === 0) expected.high.push(`R_${id} start_lost`)
        else if (residue === '*') expected.high.push(`R_${id} stop_lost`)
        else if (other === '*') {
          expected.high.push(`R_${id} stop_gained`)
          break
        } else expected.moderate.push(`R_${id} p.(${threeLetters[residue]}${at + 1}${threeLetters[other]})`)
      }
    }
    const { rows, totals, counts } = proteinVariants!
    const genesOf = (list: string[]): number => new Set(list.map((text) => text.split(' ')[0])).size
    expect(expected.moderate.length).toBeGreaterThan(5)
    expect(
      rows.map(({ gene, consequences, hgvs }) => `${gene} ${consequences[0] === 'missense' ? hgvs : consequences[0]}`),
    ).toEqual([...expected.high, ...expected.moderate])
    expect(totals).toEqual({
      high: { variants: expected.high.length, genes: genesOf(expected.high) },
      moderate: { variants: expected.moderate.length, genes: genesOf(expected.moderate) },
    })
    expect(counts).toMatchObject({ frameshift: 1, missense: expected.moderate.length })
    const shifted = rows.find(({ gene }) => gene === 'R_g5')!
    expect(shifted.hgvs).toMatch(/^p\.\([A-Z][a-z]{2}\d+[A-Z][a-z]{2}fs/)
    expect(shifted.own).toMatchObject({ sequence: 's1' })
    expect(shifted.keptShare).toBeLessThan(0.9)
  })

  test('its SNPs and its one indel are counted', async () => {
    const { density } = await reportOf('S1')
    expect(density!.toldApart).toBe(true)
    expect(density!.substitutions).toBe(snps)
    expect([density!.insertions, density!.deletions]).toEqual([0, 1])
    // Beside breakpoints alignments may end some bases early.
    const kept = reference.length - (deleted.end0 - deleted.start0) - 1
    expect(density!.comparedBp).toBeLessThanOrEqual(kept)
    expect(density!.comparedBp).toBeGreaterThan(0.995 * kept)
  })

  test('what it alone has is told, since the rotated strain is aligned there without it', async () => {
    const rows = listPrivate(await reportOf('S1'), 'REF')
    expect(rows.flatMap(({ difference }) => difference?.kind ?? []).sort()).toEqual([
      'deletion',
      'insertion',
      'inversion',
    ])
    expect(rows.flatMap(({ gene }) => gene?.id ?? []).sort()).toEqual(
      ['R_g20', 'R_g21', 'R_g22', 'R_g23', 'R_g5', 'S_new'].sort(),
    )
  })
})

describe('other strains', () => {
  test('variants that are loaded of a strain are taken for it, by the name of their sample', async () => {
    const { proteinVariants } = await reportOf('ROT')
    expect(proteinVariants).toMatchObject({
      basis: 'variants',
      set: { id: 'panel', sample: 'ROT' },
      totals: { high: { variants: 1, genes: 1 }, moderate: { variants: 1, genes: 1 } },
    })
    expect(proteinVariants!.rows).toMatchObject([
      {
        gene: 'R_g10',
        consequences: ['stop_gained'],
        hgvs: expect.stringMatching(/^p\.\([A-Z][a-z]{2}3Ter\)$/),
        changes: [{ start: startOf('g10') + 7 }],
        variant: 'planted',
        own: null,
      },
      { gene: 'R_g12', consequences: ['missense'], hgvs: expect.stringMatching(/^p\.\([A-Z][a-z]{2}3Trp\)$/) },
    ])
  })

  test('another first base of a circle is no rearrangement; two more copies of an element are two insertions', async () => {
    const { structure, elements, genes } = await reportOf('ROT')
    expect(structure!.breakpoints).toEqual([])
    expect(structure!.counts.inversion + structure!.counts.deletion + structure!.counts.replacement).toBe(0)
    expect(structure!.counts.insertion + structure!.counts.duplication).toBe(2)
    expect(elements).toMatchObject({ basis: 'search', assemblies: ['REF', 'S1', 'ROT', 'CTG'] })
    expect(elements!.families).toMatchObject([{ family: 'IS9001', from: 'REF', copies: [3, 3, 5, 3] }])
    expect(elements!.places).toHaveLength(5)
    expect(genes!.counts).toMatchObject({ lost: 0, disrupted: 0, truncated: 0 })
  })

  test('contigs without annotation are compared by their bases', async () => {
    const { structure, strain: facts, genes, density, unpaired, proteinVariants } = await reportOf('CTG')
    expect(facts).toMatchObject({ geneCount: 0, sequenceCount: 4 })
    // A contig that the reference has nothing of.
    expect(unpaired).toMatchObject({ total: 1, rows: [{ of: 'strain', name: 'c3', lengthBp: 5000, alignedBp: 0 }] })
    expect(Object.values(structure!.counts).reduce((sum, count) => sum + count, 0)).toBe(0)
    expect(structure!.breakpoints).toEqual([])
    // Aligners write unknown bases as mismatches.
    const none = { variants: 0, genes: 0 }
    expect(proteinVariants).toMatchObject({ basis: 'alignment', totals: { high: none, moderate: none } })
    expect(density).toMatchObject({ substitutions: 0, insertions: 0, deletions: 0 })
    expect(density!.comparedBp).toBeLessThanOrEqual(reference.length - unknownBp)
    expect(genes?.counts.lost ?? 0).toBe(0)
  })

  test('the other way round a deletion is an insertion, and a lost gene is gained', async () => {
    const { structure, genes, density } = await reportOf('REF', { reference: 'S1' })
    expect(structure!.counts).toMatchObject({ deletion: 1, insertion: 1, inversion: 1 })
    expect(structure).toMatchObject({ insertedBp: deleted.end0 - deleted.start0, deletedBp: inserted.bases.length })
    expect(genes!.rows.filter(({ change }) => change === 'gained').map(({ id }) => id)).toContain('R_g20')
    expect([density!.insertions, density!.deletions]).toEqual([1, 0])
    expect(density!.assembly).toBe('REF')
  })

  test('all strains are rows, the reference the first of them', async () => {
    // Asked by the reference, which says what species is meant.
    const { species, all } = await ask({ task: 'all', assembly: 'REF' })
    expect(species).toBe('made')
    expect(all!.rows.map(({ id }) => id)).toEqual(['REF', 'S1', 'ROT', 'CTG'])
    expect(all!.rows[0]).toMatchObject({ structure: null, elements: 3 })
    expect(all!.rows[1]).toMatchObject({ substitutions: snps, indels: 1, elements: 3, genes: { lost: 4, gained: 1 } })
    expect(all!.rows.map(({ highImpact }) => highImpact === null)).toEqual([true, false, false, false])
  })

  test('the reference against itself, and assemblies that are not there, are refused', async () => {
    await expect(ask({ assembly: 'REF' })).rejects.toMatchObject({ problems: [{ message: 'problem.itself' }] })
    await expect(ask({ assembly: 'S1', reference: 'S1' })).rejects.toMatchObject({
      problems: [{ path: ['reference'], message: 'problem.itself' }],
    })
    await expect(ask({ assembly: 'S1', reference: 'A1' })).rejects.toMatchObject({
      problems: [{ path: ['reference'], message: 'problem.otherSpecies' }],
    })
    await expect(ask({ assembly: 'none' })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
  })
})
