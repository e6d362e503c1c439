import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { speciesManifestSchema } from '../src/contracts/manifest.ts'
import { readGenome } from './genome-fasta.ts'
import { makeSimulated, type SimulatedSummary } from './simulated.ts'
import { simulateGenome } from './simulated-genome.ts'
import type { SpeciesFolder } from './species-folder.ts'

let directory = ''
let summary: SimulatedSummary
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simulated-'))
  summary = await makeSimulated(join(directory, 'one'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const readText = (file: string) => readFile(join(directory, 'one', file), 'utf8')

test('a simulated species has 300 genes on three chromosomes of about 300 kb, many with introns', async () => {
  expect(summary.genes).toBe(300)
  expect(summary.introns).toBeGreaterThan(300)
  const genome = await readGenome(join(directory, 'one/genome.fa'))
  expect([...genome.keys()]).toEqual(['chr1', 'chr2', 'chr3'])
  for (const bases of genome.values()) expect(Math.abs(bases.length - 300_000)).toBeLessThan(30_000)
})

test('every simulated gene is a protein on the FASTA: M to stop, none inside, introns from GT to AG, phases in the GFF3', async () => {
  const genome = await readGenome(join(directory, 'one/genome.fa'))
  const parts = new Map<string, { sequence: string; start1: number; end1: number; strand: string; phase: number }[]>()
  for (const line of (await readText('genes.gff3')).split('\n')) {
    const [sequence, , type, start, end, , strand, phase, attributes] = line.split('\t')
    if (type !== 'CDS') continue
    const id = /ID=([^;]+)/.exec(attributes!)![1]!
    const list = parts.get(id) ?? []
    parts.set(id, list)
    list.push({ sequence: sequence!, start1: Number(start), end1: Number(end), strand: strand!, phase: Number(phase) })
  }
  expect(parts.size).toBe(300)
  for (const cds of parts.values()) {
    const bases = genome.get(cds[0]!.sequence)!
    const turned = cds[0]!.strand === '-'
    const forward = cds.map(({ start1, end1 }) => bases.slice(start1 - 1, end1)).join('')
    const coding = turned ? reverseComplement(forward) : forward
    expect(coding.length % 3).toBe(0)
    const protein = translate(coding)
    expect(protein.startsWith('M')).toBe(true)
    expect(protein.indexOf('*')).toBe(protein.length - 1)
    for (let i = 1; i < cds.length; i++) {
      const intron = bases.slice(cds[i - 1]!.end1, cds[i]!.start1 - 1)
      expect(turned ? reverseComplement(intron) : intron).toMatch(/^GT.+AG$/)
    }
    let readBp = 0
    for (const { start1, end1, phase } of turned ? [...cds].reverse() : cds) {
      expect((readBp + phase) % 3).toBe(0)
      readBp += end1 - start1 + 1
    }
  }
})

test('variants name the base of the FASTA, and 24 samples have genotypes', async () => {
  const genome = await readGenome(join(directory, 'one/genome.fa'))
  const vcf = gunzipSync(await readFile(join(directory, 'one/variants.vcf.gz'))).toString('utf8')
  const rows = vcf
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
  expect(rows).toHaveLength(summary.variants)
  for (const [sequence, position, , reference, alternative, , , , , ...genotypes] of rows) {
    expect(genome.get(sequence!)![Number(position) - 1]).toBe(reference)
    expect(alternative).not.toBe(reference)
    expect(genotypes).toHaveLength(24)
  }
})

test('samples are taller by the planted variant: twelve centimetres an allele', async () => {
  const { gene, sequence, position1 } = summary.planted
  const vcf = gunzipSync(await readFile(join(directory, 'one/variants.vcf.gz'))).toString('utf8')
  const row = vcf.split('\n').find((line) => line.startsWith(`${sequence}\t${position1}\t`))!
  const names = vcf
    .split('\n')
    .find((line) => line.startsWith('#CHROM'))!
    .split('\t')
    .slice(9)
  const counts = row
    .split('\t')
    .slice(9)
    .map((call) => call.split('/').filter((allele) => allele === '1').length)
  const heights = new Map<string, number[]>()
  for (const line of (await readText('heights.tsv')).trimEnd().split('\n').slice(1)) {
    const [accession, , height] = line.split('\t')
    heights.set(accession!, [...(heights.get(accession!) ?? []), Number(height)])
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanOf = (count: number): number =>
    mean(names.flatMap((name, at) => (counts[at] === count ? heights.get(name)! : [])))
  expect(meanOf(2) - meanOf(0)).toBeGreaterThan(18)
  expect(meanOf(2) - meanOf(0)).toBeLessThan(30)
  expect(await readText('genes.gff3')).toContain(`ID=${gene};`)
})

test('the same species is made every time', async () => {
  await makeSimulated(join(directory, 'two'))
  for (const file of ['genome.fa', 'genes.gff3', 'variants.vcf.gz', 'signal.bw', 'terms.tsv'])
    expect((await readFile(join(directory, 'two', file))).equals(await readFile(join(directory, 'one', file)))).toBe(
      true,
    )
  expect(simulateGenome(1).sequences.get('chr1')).not.toBe(simulateGenome(2).sequences.get('chr1'))
})

test('the manifest passes the loader’s schema and says simulated of species, assembly and tracks', async () => {
  const manifest = parse(await readText('species.yaml')) as SpeciesFolder
  const { downloads: _, accessions, phenotypes, assemblies, ...rest } = manifest
  const plain = assemblies.map(
    ({ tracks: _, expression: __, singleCell: ___, interactions: ____, variants: _____, ...assembly }) => assembly,
  )
  const parsed = speciesManifestSchema.parse({ ...rest, assemblies: plain })
  expect(parsed.simulated).toBe(true)
  expect(parsed.assemblies.every(({ simulated }) => simulated)).toBe(true)
  expect(assemblies[0]!.tracks!.map(({ simulated }) => simulated)).toEqual([true])
  expect([accessions!.simulated, phenotypes![0]!.simulated, assemblies[0]!.variants![0]!.simulated]).toEqual([
    true,
    true,
    true,
  ])
  expect(assemblies[0]!.singleCell!.map(({ simulated }) => simulated)).toEqual([true])
  expect(assemblies[0]!.interactions!.map(({ simulated }) => simulated)).toEqual([true])
  expect(assemblies[0]!.expression!.map(({ simulated }) => simulated)).toEqual([true])
})
