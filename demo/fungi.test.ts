import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { speciesManifestSchema } from '../src/contracts/manifest.ts'
import { parseJgiCatalogue, parseMipsAnnotation } from './fungi-genes.ts'
import { demoPackageCache } from './package-cache.ts'
import { findUnpackedPackage } from './packages.ts'
import type { SpeciesFolder } from './species-folder.ts'
import { makeUstilago } from './ustilago.ts'
import { fungiPackage, makeZymoseptoria, type ZymoseptoriaSummary } from './zymoseptoria.ts'
import { plantedGenes, plantedSweep, populationFiles } from './zymoseptoria-population.ts'

test('exons and CDS lines of one JGI model become a gene named by its protein, on either strand', () => {
  const line = (type: string, start: number, end: number, frame: string, rest: string) =>
    ['chr_1', 'JGI', type, start, end, '.', '-', frame, `name "fgenesh1_pg.C_chr_1000003"; ${rest}`].join('\t')
  const [gene, ...more] = parseJgiCatalogue(
    [
      line('exon', 118058, 118320, '.', 'transcriptId 88586'),
      line('CDS', 118058, 118320, '1', 'proteinId 88586; exonNumber 2'),
      line('exon', 117450, 117922, '.', 'transcriptId 88586'),
      line('CDS', 117450, 117922, '2', 'proteinId 88586; exonNumber 3'),
      line('stop_codon', 117450, 117452, '0', ''),
    ].join('\n'),
  )
  expect(more).toEqual([])
  expect(gene).toMatchObject({ id: 'Mycgr3G88586', aliases: ['fgenesh1_pg.C_chr_1000003'], strand: '-' })
  expect(gene!.cds).toEqual([
    { start1: 117450, end1: 117922, phase: 2 },
    { start1: 118058, end1: 118320, phase: 1 },
  ])
  expect(() => parseJgiCatalogue('chr_1\tJGI\texon\t1\t2')).toThrow(/line 1/)
})

test('notes of the MIPS annotation are read as descriptions, whichever of mRNA and CDS comes first', () => {
  const text = [
    'chr01\tMIPS\tCDS\t1\t9\t.\t+\t0\tParent=mRNA:um1;Note=+Ste20-like+kinase%3B+mating',
    'chr01\tMIPS\tmRNA\t1\t9\t.\t+\t.\tID=mRNA:um1;Note=+Ste20-like+kinase%3B+mating',
  ]
  for (const lines of [text, [...text].reverse()]) {
    const [gene] = parseMipsAnnotation(lines.join('\n'))
    expect(gene).toMatchObject({ id: 'um1', description: 'Ste20-like kinase; mating' })
    expect(gene!.cds).toEqual([{ start1: 1, end1: 9, phase: 0 }])
  }
})

// The package is 79 MB and takes half a minute: these run where the demo's packages were unpacked for tests before.
const unpacked = await findUnpackedPackage(fungiPackage, demoPackageCache())

describe.skipIf(!unpacked)('fungi, from the real package', () => {
  let directory = ''
  let summary: ZymoseptoriaSummary
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fungi-'))
    summary = await makeZymoseptoria(unpacked!, join(directory, 'z'))
  }, 600_000)
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('IPO323 is 39.7 Mb with next to no gap, the twelve others have what aligns', () => {
    expect(summary.bases.get('IPO323')).toMatchObject({ sequences: 21, lengthBp: 39_686_251 })
    expect(summary.bases.get('IPO323')!.unknownBp).toBeLessThan(20_000)
    for (const [id, { lengthBp, unknownBp }] of summary.bases)
      if (id !== 'IPO323') {
        expect(unknownBp / lengthBp).toBeGreaterThan(0.07)
        expect(unknownBp / lengthBp).toBeLessThan(0.2)
      }
  })

  test('10,952 genes, one with a stop inside, and 9.1 million single-base sites', () => {
    expect([summary.genes.genes, summary.genes.interrupted]).toEqual([10_952, ['Mycgr3G13539']])
    expect([summary.triticiVariants, summary.variants]).toEqual([1_251_414, 9_121_046])
  })

  test('fewer genes align the further the relative: within the species most, in Z. passerinii least', () => {
    const { aligned, projected } = summary
    expect(aligned.get('A26b')).toBeGreaterThan(10_000)
    expect(aligned.get('Spasserinii-P63')).toBe(Math.min(...aligned.values()))
    expect([...projected.values()]).toEqual([...projected.values()].sort((a, b) => b - a))
  })

  test('the manifest says of twelve assemblies that they are partial, and of eight chromosomes that they are accessory', async () => {
    const manifest = parse(await readFile(join(directory, 'z/species.yaml'), 'utf8')) as SpeciesFolder
    const {
      downloads: _,
      references: __,
      accessions: ___,
      phenotypes: ____,
      transcriptionFactors,
      assemblies,
      ...rest
    } = manifest
    const plain = assemblies.map(
      ({ variants: _, gwas: __, sweeps: _0, graphs: ___, downloads: ____, transposableElements: _____, ...assembly }) =>
        assembly,
    )
    expect(Object.values(transcriptionFactors!.domains)).toEqual(['PF00172', 'PF00096', 'PF00320'])
    const parsed = speciesManifestSchema.parse({ ...rest, assemblies: plain })
    expect(parsed.assemblies.filter(({ partial }) => partial)).toHaveLength(12)
    const accessory = parsed.assemblies[0]!.sequences!.filter(({ role }) => role === 'accessory')
    expect(accessory.map(({ name }) => name)).toEqual([14, 15, 16, 17, 18, 19, 20, 21].map((number) => `chr_${number}`))
  })

  test('200 recombinants at real sites; each planted variant lies in its gene and is common', async () => {
    const { accessions, sites, planted } = summary.population
    expect([accessions, sites]).toEqual([200, 152_829])
    expect(planted.map(({ gene }) => gene)).toEqual(plantedGenes)
    for (const { frequency } of planted) expect(Math.abs(frequency - 0.5)).toBeLessThan(0.2)
  })

  test('the planted sweep is where diversity of the one population is least beside that of the other', async () => {
    const text = await readFile(join(directory, 'z', populationFiles.windows), 'utf8')
    const [heading, ...rows] = text.trimEnd().split('\n')
    const at = heading!.split('\t').indexOf('log2_pi_ratio')
    const lowest = rows
      .map((row) => row.split('\t'))
      .filter((cells) => cells[at] !== 'NA')
      .sort((a, b) => Number(a[at]) - Number(b[at]))
      .slice(0, 10)
    const { sequence, start1, end1 } = plantedSweep
    for (const [name, start, end] of lowest) {
      expect(name).toBe(sequence)
      expect(Number(end)).toBeGreaterThan(start1)
      expect(Number(start)).toBeLessThan(end1)
    }
  })

  test('Ustilago: 6,787 genes, 403 with stops inside as given', async () => {
    const { sequences, lengthBp, genes } = await makeUstilago(unpacked!, join(directory, 'u'))
    expect([sequences, lengthBp]).toEqual([36, 19_702_792])
    expect([genes.genes, genes.interrupted.length]).toEqual([6787, 403])
  })
})
