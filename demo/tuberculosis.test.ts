import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { computeAncestors, createOboReader, type OboTerm } from '../src/bio/annotation/obo.ts'
import { propagateTerms } from '../src/bio/annotation/propagate-terms.ts'
import { DefectLog } from '../src/bio/text/defects.ts'
import { speciesManifestSchema } from '../src/contracts/manifest.ts'
import { adjustTogether, enrichTerms } from '../src/tools/enrichment/enrich-terms.ts'
import { DemoError } from './demo-error.ts'
import { readGenome } from './genome-fasta.ts'
import { demoPackageCache } from './package-cache.ts'
import { type FetchedPackage, fetchPackage } from './packages.ts'
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

  test('Tn-seq: dnaA takes no insertion on cholesterol, and the matrix adds up to the reads within genes', async () => {
    expect(summary.taSites).toBe(74_605)
    const matrix = (await readText('H37Rv/tnseq-counts.tsv')).trim().split('\n')
    expect(matrix).toHaveLength(3991)
    expect(matrix[1]).toBe('Rv0001\t32\t0\t0\t0\t0\t124')
    // The package's own normalized table names the gene of each site: an independent count of one that matters.
    const data = join(fetched!.root, 'usr/lib/python3/dist-packages/pytransit/data')
    const combined = (await readFile(join(data, 'cholesterol_glycerol_combined.dat'), 'utf8')).split('\n')
    const sites = combined.filter((line) => line.includes('Rv3545c (cyp125)'))
    const row = matrix.find((line) => line.startsWith('Rv3545c\t'))!.split('\t')
    expect(Number(row[1])).toBe(sites.length)
    const normalized = sites.reduce((sum, line) => sum + Number(line.split('\t')[4]), 0)
    expect(Number(row[5]) * 2.286197257382532).toBeCloseTo(normalized, -1)
  })

  test('genes that take fewer insertions on cholesterol are enriched in the breakdown of cholesterol', async () => {
    const rows = (await readText('H37Rv/tnseq-counts.tsv'))
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    // Gene, TA sites, two on glycerol, three on cholesterol; counts per million of their sample.
    const samples = rows[0]!.slice(2)
    const totals = samples.map((_, at) => rows.slice(1).reduce((sum, row) => sum + Number(row[at + 2]), 0))
    const mean = (row: string[], condition: string): number => {
      const values = samples.flatMap((name, at) =>
        name.startsWith(condition) ? [(1e6 * Number(row[at + 2])) / totals[at]!] : [],
      )
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    const genes = rows.slice(1).map((row) => row[0]!)
    const set = new Uint8Array(genes.length)
    for (const [at, row] of rows.slice(1).entries())
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
      setCount: 8,
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
        ...(expression ?? []).flatMap(({ file, samples }) => [file, samples!]),
        ...(singleCell ?? []).flatMap(({ file, metadata }) => [file, metadata!]),
      )
    expect(files).toHaveLength(43)
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
