import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { computeAncestors, createOboReader, type OboTerm } from '../src/bio/annotation/obo.ts'
import { propagateTerms } from '../src/bio/annotation/propagate-terms.ts'
import { InsertionReader, type InsertionSites, type SiteGene } from '../src/bio/expression/insertion-sites.ts'
import { resampleGene, trimmedTotalReadsFactor } from '../src/bio/expression/resampling.ts'
import { seededRandom } from '../src/bio/statistics/random.ts'
import { DefectLog } from '../src/bio/text/defects.ts'
import { speciesManifestSchema } from '../src/contracts/manifest.ts'
import { adjustTogether, enrichTerms } from '../src/tools/enrichment/enrich-terms.ts'
import { DemoError } from './demo-error.ts'
import { readGenome } from './genome-fasta.ts'
import { demoPackageCache } from './package-cache.ts'
import { type FetchedPackage, fetchPackage } from './packages.ts'
import { regionsOfDifference } from './regions-of-difference.ts'
import type { SpeciesFolder } from './species-folder.ts'
import { makeTuberculosis, simulatedStates, type TuberculosisSummary, tuberculosisPackage } from './tuberculosis.ts'

const fetched: FetchedPackage | null = await fetchPackage(tuberculosisPackage, demoPackageCache()).catch((thrown) => {
  if (thrown instanceof DemoError) return null
  throw thrown
})

describe.skipIf(!fetched)('the tuberculosis complex, from the real package', () => {
  let directory = ''
  let summary: TuberculosisSummary
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tuberculosis-'))
    summary = await makeTuberculosis(fetched!, directory)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const readText = (file: string) => readFile(join(directory, file), 'utf8')
  const assembly = (id: string) => summary.assemblies.find((one) => one.id === id)!

  test('five genomes have the lengths and gene counts of the source', () => {
    expect(summary.assemblies.map(({ id, lengthBp, genes }) => [id, lengthBp, genes])).toEqual([
      ['H37Rv', 4_411_532, 3990],
      ['H37RvBD', 4_411_709, 4036],
      ['H37RvMA2', 4_410_911, 4018],
      ['BCG-Pasteur', 4_374_522, 3952],
      ['mc2-155', 6_988_560, 6716],
    ])
  })

  test('coding sequences are proteins in the bacterial code, and those that are not are known', () => {
    expect(
      summary.assemblies.map(({ frames }) => [frames.whole, frames.interrupted.length, frames.unended, frames.rna]),
    ).toEqual([
      [3988, 0, ['Rv3022c'], 1],
      [4036, 0, [], 0],
      [4004, 12, ['Rv1180'], 1],
      [3952, 0, [], 0],
      [6698, 18, [], 0],
    ])
  })

  test('a third of the mycobacterial genes start with GTG, some with TTG', () => {
    const { starts } = assembly('H37Rv').frames
    expect([starts.get('ATG'), starts.get('GTG'), starts.get('TTG')]).toEqual([2432, 1340, 192])
  })

  test('the vaccine lacks RD1: Rv3872 to Rv3878 wholly, its neighbours in part', () => {
    const rd1 = summary.missingInBcg.find(({ genes }) => genes.includes('Rv3875'))!
    expect([rd1.start1, rd1.end1]).toEqual([4_350_266, 4_359_722])
    expect(rd1.genes).toEqual([
      'Rv3871',
      'Rv3872',
      'Rv3873',
      'Rv3874',
      'Rv3875',
      'Rv3876',
      'Rv3877',
      'Rv3878',
      'Rv3879c',
    ])
  })

  // The rest are repeats, such as genes of PPE proteins in RD6, of which the vaccine has other copies.
  test('most of each published deletion is in segments that the vaccine lacks', () => {
    for (const [name, start1, end1] of regionsOfDifference) {
      const missing = summary.missingInBcg.map((one) => Math.min(one.end1, end1) - Math.max(one.start1, start1) + 1)
      const share = missing.filter((bases) => bases > 0).reduce((sum, bases) => sum + bases, 0) / (end1 - start1 + 1)
      expect(share, name).toBeGreaterThan(0.75)
    }
  })

  test('the sequences of esxA and esxB are in H37Rv and nowhere in BCG', async () => {
    const h37rv = (await readGenome(join(directory, 'H37Rv/genome.fa'))).get('NC_000962.2')!
    const bcg = (await readGenome(join(directory, 'BCG-Pasteur/genome.fa'))).get('NC_008769.1')!
    const rows = (await readText('H37Rv/genes.gff3')).split('\n').map((line) => line.split('\t'))
    for (const symbol of ['esxA', 'esxB']) {
      const gene = rows.find((row) => row[2] === 'gene' && row[8]!.includes(`;Name=${symbol};`))!
      expect(gene[6]).toBe('+')
      const sequence = h37rv.slice(Number(gene[3]) - 1, Number(gene[4]))
      expect(sequence.length % 3).toBe(0)
      for (let at = 0; at + 30 <= sequence.length; at += 30)
        expect(bcg.includes(sequence.slice(at, at + 30))).toBe(false)
    }
  })

  test('GO terms: the most specific ones give back every term that the source lists', async () => {
    const table = assembly('H37Rv').tables.go!
    expect([table.genes, table.unknownGenes.length]).toEqual([3270, 23])
    const obo = gunzipSync(await readFile(join(directory, 'ontologies/go-2018-03-09.obo.gz'))).toString('utf8')
    expect(obo.match(/^\[Term\]$/gm)).toHaveLength(47_122)
    const parents = new Map<string, string[]>()
    const merged = new Map<string, string>()
    for (const term of obo.split('\n[Term]\n').slice(1)) {
      const id = /^id: (\S+)/m.exec(term)![1]!
      parents.set(
        id,
        [...term.matchAll(/^(?:is_a: |relationship: part_of )(GO:\d+)/gm)].map((match) => match[1]!),
      )
      for (const match of term.matchAll(/^alt_id: (\S+)/gm)) merged.set(match[1]!, id)
    }
    const closure = (term: string, into: Set<string>) => {
      if (into.has(term)) return
      into.add(term)
      for (const parent of parents.get(term) ?? []) closure(parent, into)
    }
    const given = new Map<string, Set<string>>()
    for (const line of table.lines) {
      const [gene, term] = line.split('\t')
      const terms = given.get(gene!) ?? new Set()
      given.set(gene!, terms)
      closure(term!, terms)
    }
    const source = join(fetched!.root, 'usr/lib/python3/dist-packages/pytransit/data/H37Rv_GO_terms.txt')
    let checked = 0
    for (const line of (await readFile(source, 'utf8')).trim().split('\n')) {
      const [gene, term] = line.split('\t')
      if (!given.has(gene!)) continue
      expect(given.get(gene!)!.has(merged.get(term!) ?? term!)).toBe(true)
      checked++
    }
    expect(checked).toBeGreaterThan(109_000)
  })

  test('functional roles are a hierarchy in which every role of a gene has a name', async () => {
    const roles = await readText('ontologies/roles.obo')
    expect(roles).toContain('id: Role:I.B.6.a\nname: aerobic\nis_a: Role:I.B.6 ! Respiration')
    expect(assembly('H37Rv').tables.roles!.lines.every((line) => /^Rv\w+\tRole:[IVa-c0-9A-K.]+\t\S/.test(line))).toBe(
      true,
    )
  })

  /** The libraries as the portal reads them; samples: three on cholesterol, two on glycerol. */
  const readLibraries = async (): Promise<InsertionSites> => {
    const table = join(fetched!.root, 'usr/lib/python3/dist-packages/pytransit/genomes/H37Rv.prot_table')
    const genes = (await readFile(table, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line): SiteGene => {
        const [, start, end, strand, , , , , id] = line.split('\t')
        const strandOf = strand === '-' ? '-' : '+'
        return {
          id: id!,
          sequence: 'H37Rv',
          start1: Number(start),
          end1: Number(end),
          strand: strandOf,
          isCoding: true,
        }
      })
    const log = new DefectLog()
    const sequences = [{ name: 'H37Rv', lengthBp: 4_411_532 }]
    const reader = new InsertionReader({ log, sequences, findSequence: (name) => (name === 'H37Rv' ? name : null) })
    for (const sample of ['cholesterol_1', 'cholesterol_2', 'cholesterol_3', 'glycerol_1', 'glycerol_2']) {
      const take = reader.open(sample, sample)
      for (const [at, line] of (await readText(`H37Rv/${sample}.wig`)).split(/\r?\n/).entries()) take(line, at + 1)
    }
    expect(log.defects).toEqual([])
    return reader.finish('H37Rv', genes)!
  }

  test('Tn-seq: sites, factors and means of genes are those that TRANSIT 3.2.7 gives for resampling', async () => {
    expect(summary.taSites).toBe(74_605)
    const { genes, siteCount, counts, geneSites, values } = await readLibraries()
    expect([siteCount, genes.length]).toEqual([74_605, 3990])
    expect([...values.subarray(0, 5)]).toEqual([0, 0, 0, 0, 0])
    const factors = [0, 1, 2, 3, 4].map((sample) =>
      trimmedTotalReadsFactor(Float64Array.from({ length: siteCount }, (_, site) => counts[5 * site + sample]!)),
    )
    const given = [2.6365107688705036, 3.2329912278198036, 2.865270203473558, 2.286197257382532, 1.4371695843583265]
    for (const [at, factor] of factors.entries()) expect(factor).toBeCloseTo(given[at]!, 12)
    // Sites, mean on glycerol, mean on cholesterol, log2 fold change as TRANSIT prints them.
    for (const [gene, sites, glycerol, cholesterol, change] of [
      ['Rv0003', 35, 17.9, 21.7, 0.27],
      ['Rv0004', 7, 2.4, 0, -1.75],
      ['Rv3545c', 24, 123.8, 18.1, -2.71],
    ] as const) {
      const row = genes.indexOf(gene)
      const [first, found] = [geneSites[2 * row]!, geneSites[2 * row + 1]!]
      expect([gene, found]).toEqual([gene, sites])
      const of = (samples: number[]) =>
        Array.from({ length: found }, (_, site) =>
          samples.map((sample) => counts[5 * (first + site) + sample]! * factors[sample]!),
        ).flat()
      const tested = resampleGene(of([3, 4]), of([0, 1, 2]), seededRandom(1), { max: 1000, enough: 50 })
      expect(tested.meanReference.toFixed(1)).toBe(glycerol.toFixed(1))
      expect(tested.meanTest.toFixed(1)).toBe(cholesterol.toFixed(1))
      expect(tested.log2FoldChange.toFixed(2)).toBe(change.toFixed(2))
    }
  })

  test('genes that take fewer insertions on cholesterol are enriched in the breakdown of cholesterol', async () => {
    const libraries = await readLibraries()
    const { samples, sums } = libraries
    // Counts per million of their sample; genes without a site have none.
    const rows = libraries.genes.map((gene, row) => ({
      gene,
      counts: [...libraries.values.subarray(5 * row, 5 * row + 5)].map((count) => (Number.isNaN(count) ? 0 : count)),
    }))
    const mean = ({ counts }: (typeof rows)[number], condition: string): number => {
      const values = samples.flatMap((name, at) =>
        name.startsWith(condition) ? [(1e6 * counts[at]!) / sums[at]!] : [],
      )
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    const { genes } = libraries
    const set = new Uint8Array(genes.length)
    for (const [at, row] of rows.entries())
      if (mean(row, 'glycerol') >= 40 && mean(row, 'cholesterol') < mean(row, 'glycerol') / 5) set[at] = 1
    const positions = new Map(genes.map((gene, at) => [gene, at]))
    const enrich = async (table: string, ontology: string) => {
      const terms: OboTerm[] = []
      const reader = createOboReader({ file: ontology, log: new DefectLog(), onTerm: (term) => terms.push(term) })
      const bytes = await readFile(join(directory, ontology))
      const text = (ontology.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
      reader.end()
      const ancestors = computeAncestors(terms)
      const about = new Map(
        terms.map(({ id, name, namespace }) => [
          id,
          { id, name, namespace, source: table, ancestors: ancestors.get(id) ?? [] },
        ]),
      )
      const direct = new Map<string, number[]>()
      for (const line of (await readText(table)).trim().split('\n')) {
        const [gene = '', term = ''] = line.split('\t')
        const position = positions.get(gene)
        if (position !== undefined) direct.set(term, [...(direct.get(term) ?? []), position])
      }
      const annotated = propagateTerms(
        new Map([...direct].map(([term, its]) => [term, Uint32Array.from(its)])),
        about,
        genes.length,
        true,
      )
      const background = new Uint8Array(genes.length)
      for (const { genes: its } of annotated) for (const gene of its) background[gene] = 1
      const choice = { minSize: 3, maxSize: 2000, direction: 'more', tested: 'all' } as const
      const enriched = enrichTerms(annotated, set, background, choice)
      adjustTogether([enriched], 'bh')
      return enriched.tested
    }
    const ofGo = await enrich('H37Rv/go.tsv', 'ontologies/go-2018-03-09.obo.gz')
    const cholesterol = ofGo.find(({ term }) => term.id === 'GO:0006707')!
    expect(cholesterol).toMatchObject({
      setCount: 9,
      backgroundCount: 19,
      term: { name: 'cholesterol catabolic process' },
    })
    expect(cholesterol.adjustedPValue).toBeLessThan(1e-5)
    // Most of what is clearest is about steroids and sterols.
    const clear = ofGo.filter(({ adjustedPValue }) => adjustedPValue < 1e-5)
    expect(clear.filter(({ term }) => /ster(ol|oid)/.test(term.name ?? '')).length).toBeGreaterThanOrEqual(5)
    // Among functional roles virulence leads, by the mce4 operon that takes cholesterol up, and the degradation of fatty acids.
    const ofRoles = await enrich('H37Rv/roles.tsv', 'ontologies/roles.obo')
    expect(ofRoles.filter(({ adjustedPValue }) => adjustedPValue < 0.02).map(({ term }) => term.name)).toEqual(
      expect.arrayContaining(['Virulence', 'Fatty acids', 'Degradation']),
    )
  })

  test('the manifest passes the loader’s schema, and every file that it names is there', async () => {
    const manifest = parse(await readText('species.yaml')) as SpeciesFolder
    const { references, downloads, accessions, phenotypes, assemblies, ...rest } = manifest
    const plain = assemblies.map(
      ({
        tracks: _,
        downloads: __,
        expression: ___,
        pathways: ____,
        singleCell: _____,
        interactions: ______,
        variants: _______,
        gwas: ________,
        ...assembly
      }) => assembly,
    )
    expect(speciesManifestSchema.parse({ ...rest, assemblies: plain }).assemblies).toHaveLength(5)
    const files = [...references!, ...downloads!.map(({ file }) => file)]
    files.push(accessions!.file, ...phenotypes!.flatMap(({ file, traits }) => [file, traits!]))
    for (const {
      genome,
      genes,
      annotation,
      tracks,
      downloads,
      expression,
      singleCell,
      interactions,
      variants,
    } of assemblies)
      files.push(
        ...[genome, genes!].flat(),
        ...(annotation ?? []).map(({ file }) => file),
        ...(tracks ?? []).map(({ file }) => file),
        ...(downloads ?? []).map(({ file }) => file),
        ...(interactions ?? []).map(({ file }) => file),
        ...(variants ?? []).map(({ file }) => file),
        ...(expression ?? []).flatMap(({ file, samples }) => [...[file].flat(), samples!]),
        ...(singleCell ?? []).flatMap(({ file, metadata }) => [file, metadata!]),
      )
    expect(files).toHaveLength(48)
    // Every gene that marks a simulated state is one of the genome.
    const features = new Set((await readText('H37Rv/simulated-cells/features.tsv')).split(/[\t\n]/))
    expect(simulatedStates.flatMap(({ markers }) => markers).filter((gene) => !features.has(gene))).toEqual([])
    for (const file of files) expect((await readFile(join(directory, file))).length).toBeGreaterThan(100)
  })

  test('simulated isolates have the real resistance mutations at their places, and the mixed model finds the planted one', async () => {
    const { accessions, sites, planted, association } = summary.lineages
    expect([accessions, sites]).toEqual([60, 3002])
    // Codon 450 of rpoB and 315 of katG lie there in every publication on H37Rv.
    expect(planted.map(({ position1 }) => position1)).toEqual([761_155, 2_155_168])
    if (!association) return
    const table = gunzipSync(await readFile(join(directory, 'H37Rv/simulated/rifampicin-mic.assoc.txt.gz'))).toString()
    const [head, ...rows] = table.trimEnd().split('\n')
    const column = head!.split('\t').indexOf('p_wald')
    const found = rows.map((row) => row.split('\t')).sort((a, b) => Number(a[column]) - Number(b[column]))
    expect(found[0]![2]).toBe('761155')
    expect(Number(found[0]![column])).toBeLessThan(1e-20)
    expect(Number(found[1]![column])).toBeGreaterThan(1e-6)
  })
})
