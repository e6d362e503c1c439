import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { listExpression, openExpression, readContrast, readContrastRow } from '../../kit/data/expression-data.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../../testing/species.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('expression')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
})
afterAll(() => portal?.close())

const matrix = `gene,root_1,root_2,leaf_1,leaf_2,extra
TM_0001,3,5,0,NA,9
kinB,7,7,7,7,9
oldB,1,1,1,1,9
TM_0004,0,0,15,31,9
XX_1,1000000,999988,999978,999962,9
__no_feature,5,5,5,5,5
`
const sheet =
  'sample\torgan\treplicate\tlabel\nleaf_1\tleaf\t1\tLeaf one\nleaf_2\tleaf\t2\t\nroot_1\troot\t1\t\nroot_2\troot\t2\t\n'
const entry = `    expression:
      - id: organs
        name: { en: Organs, zh: 器官 }
        file: matrix.csv
        unit: counts
        samples: sheet.tsv
        picture: { file: plant.svg, factor: organ }
        simulated: true
        differential:
          - { id: leaf-root, name: Leaf against root, file: de.tsv }
`
const files = {
  'matrix.csv': matrix,
  'sheet.tsv': sheet,
  'plant.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path id="Leaf" d="M0 0h9v9z"/></svg>',
  'de.tsv':
    'logFC\tlogCPM\tF\tPValue\nTM_0001\t-3\t2\t9\t0.01\nTM_0004\t4\t5\t9\t0.02\nTM_0002\t0\t5\t9\tNA\nnobody\t1\t1\t1\t1\n',
}
let number = 0
const load = async (manifest: string, change: Record<string, string> = {}) => {
  number += 1
  const assembly = `E${number}`
  const folder = makeSpeciesFolder(join(root, `folder${number}`), {
    species: `testus-${number}`,
    assembly,
    manifest,
    files: { ...files, ...change },
  })
  const report = await loadTestSpecies(database, dataDir, folder)
  await portal.hearChanges()
  return { report, assembly }
}
const ours = (report: Awaited<ReturnType<typeof load>>['report']) =>
  report.defects.filter(({ code }) => /^(expression|genes|insertions)-/.test(code)).map(({ code }) => code)

describe('loading a matrix with its sample sheet', () => {
  test('bakes values, comparable rows, ranks, groups, picture and comparisons; what was left out is told', async () => {
    const { report, assembly } = await load(entry)
    expect(report.failure).toBeNull()
    expect(ours(report).sort()).toEqual([
      'expression-adjusted-here',
      'expression-column-left',
      'expression-gene-repeated',
      'expression-picture-areas',
      'expression-summary-rows',
      'genes-unmatched',
      'genes-unmatched',
    ])
    expect((await data.getAssembly(assembly)).dataTypes).toMatchObject({ expression: 1, differentialExpression: 1 })
    const [dataset] = await listExpression(data, assembly)
    expect(dataset).toMatchObject({
      id: 'organs',
      simulated: true,
      unit: 'counts',
      geneCount: 3,
      missing: 1,
      group: 'organ',
      pictureFactor: 'organ',
      factors: [
        { name: 'organ', levels: ['leaf', 'root'] },
        { name: 'replicate', levels: ['1', '2'] },
      ],
      contrasts: [{ id: 'leaf-root', program: 'edgeR', adjustedHere: true, baseMeanIsLog: true, geneCount: 3 }],
    })
    expect(dataset!.samples.map(({ id, label }) => [id, label])).toEqual([
      ['leaf_1', 'Leaf one'],
      ['leaf_2', 'leaf_2'],
      ['root_1', 'root_1'],
      ['root_2', 'root_2'],
    ])
    const open = await openExpression(data, assembly, 'organs')
    expect(open.genes).toEqual(['TM_0001', 'TM_0002', 'TM_0004'])
    const values = await open.openValues()
    expect((await values.readRows([0, 2])).map((row) => [...row])).toEqual([
      [0, Number.NaN, 3, 5],
      [15, 31, 0, 0],
    ])
    await values.close()
    const ranks = await open.openRanks()
    // Counts per million: every sample has a million counts in all, but for the repeated row.
    expect((await ranks.readRows([0, 2])).map((row) => [...row])).toEqual([
      [2, 0, 4, 6],
      [6, 8, 3, 3],
    ])
    await ranks.close()
    const standard = await open.openStandard()
    const [, , third] = await standard.readRows([0, 1, 2])
    expect([...third!].reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 6)
    expect([...third!].reduce((sum, value) => sum + value ** 2, 0)).toBeCloseTo(3, 5)
    await standard.close()
    expect(await open.picture()).toContain('id="Leaf"')
    const contrast = await readContrast(data, assembly, 'organs', 'leaf-root')
    expect(contrast.genes).toEqual(['TM_0001', 'TM_0004', 'TM_0002'])
    expect([...contrast.rows[0]!]).toEqual([-3, 0.01, 0.02, 2])
    expect(contrast.rows[2]![2]).toBeNaN()
    await expect(openExpression(data, assembly, 'nothing')).rejects.toMatchObject({
      messageId: 'problem.unknownDataset',
    })
  })

  test.each([
    ['a matrix with a word among its numbers', { 'matrix.csv': matrix.replace('15', 'many') }, 'expression-value'],
    ['a matrix of another annotation', { 'matrix.csv': 'gene,root_1\nprobe_1,1\n' }, 'genes-none'],
    ['a picture with a script', { 'plant.svg': '<svg><script/></svg>' }, 'expression-picture'],
    ['a comparison without fold changes', { 'de.tsv': 'gene\tp\nTM_0001\t1\n' }, 'expression-differential-columns'],
    ['an empty sample sheet', { 'sheet.tsv': 'sample\torgan\n' }, 'expression-sheet-empty'],
  ])('%s refuses the load, and nothing of it shows', async (_, change, code) => {
    const { report } = await load(entry, change)
    expect(report.ok).toBe(false)
    expect(ours(report)).toContain(code)
  })

  test('a folder of samples as STAR writes them is one matrix, of the strand that the counts tell', async () => {
    const star = (a: number, d: number) =>
      `N_unmapped\t91\t91\t91\nN_multimapping\t5\t5\t5\nN_noFeature\t8\t60\t9\nN_ambiguous\t1\t0\t0\nTM_0001\t${a}\t1\t${a - 1}\nTM_0004\t${d}\t0\t${d}\n`
    const manifest = '    expression:\n      - { id: star, name: STAR, folder: star, unit: counts }\n'
    const folders = {
      'star/leaf_rep1ReadsPerGene.out.tab': star(40, 10),
      'star/leaf_rep2ReadsPerGene.out.tab': star(50, 20),
      'star/leaf_rep1Log.final.out': 'Number of input reads |\t100\n',
    }
    const { report, assembly } = await load(manifest, folders)
    expect(report.failure).toBeNull()
    expect(ours(report)).toEqual(['expression-strand', 'expression-replicates-by-name'])
    const [dataset] = await listExpression(data, assembly)
    expect(dataset!.samples.map(({ id, factors, sum }) => [id, factors.group, sum])).toEqual([
      ['leaf_rep1', 'leaf', 49],
      ['leaf_rep2', 'leaf', 69],
    ])
    const open = await openExpression(data, assembly, 'star')
    const values = await open.openValues()
    expect((await values.readRows([0, 1])).map((row) => [...row])).toEqual([
      [39, 49],
      [10, 20],
    ])
    await values.close()
  })

  test('WIGs of insertion counts are kept site by site, and summed over genes without their stop codons', async () => {
    // TM_0001 codes at 101 to 260 of chr1: 258 is in its stop codon, 261 beyond it. TM_0003 codes for nothing; TM_0004 has no site.
    const wig = (scale: number, extra = '') =>
      `# library\nvariableStep chrom=chr1\n101 ${3 * scale}\n150 0\n257 ${scale}\n258 70\n261 70\n980 ${2 * scale}\n${extra}variableStep chrom=pT\n9 5\n`
    const manifest =
      '    expression:\n      - { id: tn, name: Tn, file: [tn/a_1.wig, tn/a_2.wig, tn/b_1.wig], unit: counts, samples: tn.tsv }\n'
    const folders = {
      'tn/a_1.wig': wig(1),
      'tn/a_2.wig': wig(10),
      'tn/b_1.wig': wig(100, '2000 8\n'),
      'tn.tsv': 'sample\tmedium\nb_1\tb\na_1\ta\na_2\ta\n',
    }
    const { report, assembly } = await load(manifest, folders)
    expect(report.failure).toBeNull()
    const open = await openExpression(data, assembly, 'tn')
    expect(open.dataset).toMatchObject({ sites: 8, unit: 'counts', group: 'medium' })
    const samples = open.dataset.samples.map(({ id }) => id)
    expect(samples).toEqual(['b_1', 'a_1', 'a_2'])
    const values = await open.openValues()
    const sumsOf = async (gene: string) => [...(await values.readRows([open.rows.get(gene)!]))[0]!]
    expect(await sumsOf('TM_0001')).toEqual([400, 4, 40])
    expect(await sumsOf('TM_0003')).toEqual([200, 2, 20])
    expect((await sumsOf('TM_0004')).every(Number.isNaN)).toBe(true)
    await values.close()
    const { counts, geneSites } = (await open.readSites())!
    expect(counts.length).toBe(8 * 3)
    const row = open.rows.get('TM_0001')!
    const [first, found] = [geneSites[2 * row]!, geneSites[2 * row + 1]!]
    expect([first, found]).toEqual([0, 3])
    expect([...counts.subarray(first * 3, (first + found) * 3)]).toEqual([300, 3, 30, 0, 0, 0, 100, 1, 10])
  })

  describe('two groups of insertion libraries', () => {
    const wig = (needed: boolean, extra: number) =>
      `variableStep chrom=chr1\n${Array.from({ length: 14 }, (_, at) => `${102 + 9 * at} ${needed ? 30 + at + extra : 0}\n`).join('')}${Array.from({ length: 40 }, (_, at) => `${1500 + 7 * at} ${20 + at + extra}\n`).join('')}`
    const manifest = (compare: string) =>
      `    expression:\n      - id: tn\n        name: Tn\n        file: [tn/a_1.wig, tn/a_2.wig, tn/b_1.wig, tn/b_2.wig]\n        unit: counts\n        samples: tn.tsv\n        differential: [{ id: b-a, name: b against a, ${compare} }]\n`
    const folders = {
      'tn/a_1.wig': wig(true, 1),
      'tn/a_2.wig': wig(true, 4),
      'tn/b_1.wig': wig(false, 2),
      'tn/b_2.wig': wig(false, 3),
      'tn.tsv': 'sample\tmedium\nb_1\tb\na_1\ta\na_2\ta\nb_2\tb\n',
    }

    test('are compared at load: a gene without insertions in one of them is told', async () => {
      const { report, assembly } = await load(manifest('test: b, reference: a'), folders)
      expect(report.failure).toBeNull()
      expect((await data.getAssembly(assembly)).dataTypes).toMatchObject({ differentialExpression: 1 })
      const [dataset] = await listExpression(data, assembly)
      expect(dataset!.contrasts).toMatchObject([
        { id: 'b-a', program: null, hasPValue: true, compared: { factor: 'medium', test: 'b', reference: 'a' } },
      ])
      const { genes, rows } = await readContrast(data, assembly, 'tn', 'b-a')
      const [change, pValue, adjusted] = rows[genes.indexOf('TM_0001')]!
      expect(change).toBeLessThan(-5)
      expect(pValue).toBeLessThan(0.001)
      expect(adjusted).toBeGreaterThanOrEqual(pValue!)
      // Without a site nothing is told of a gene.
      expect(genes).not.toContain('TM_0004')
      expect(await readContrastRow(data, assembly, 'tn', 'b-a', 'TM_0001')).toEqual(rows[genes.indexOf('TM_0001')])
      expect(await readContrastRow(data, assembly, 'tn', 'b-a', 'TM_0004')).toBeNull()
    })

    test.each([
      ['of a value that no sample has', 'test: c, reference: a', folders, 'expression-compare-group'],
      [
        'one of which is a single library',
        'test: b, reference: a',
        { ...folders, 'tn.tsv': folders['tn.tsv'].replace('b_2\tb', 'b_2\tc') },
        'expression-compare-group',
      ],
      [
        'with an empty library',
        'test: b, reference: a',
        { ...folders, 'tn/b_2.wig': 'variableStep chrom=chr1\n102 0\n' },
        'expression-compare-empty',
      ],
    ])('%s refuse the load', async (_, compare, changed, code) => {
      const { report } = await load(manifest(compare), changed)
      expect(ours(report)).toContain(code)
      expect(report.ok).toBe(false)
    })

    test('of values without sites need a table', async () => {
      const { report } = await load(entry.replace('file: de.tsv', 'test: leaf, reference: root'))
      expect(ours(report)).toContain('expression-compare-sites')
      expect(report.ok).toBe(false)
    })
  })

  test.each([
    ['a position outside the sequence', 'variableStep chrom=chr1\n3001 5\n', 'insertions-position'],
    ['a sequence of another genome', 'variableStep chrom=NC_1\n30 5\n', 'insertions-sequence'],
    ['a word for a count', 'variableStep chrom=chr1\n30 many\n', 'insertions-line'],
  ])('insertions with %s refuse the load', async (_, text, code) => {
    const manifest = '    expression:\n      - { id: tn, name: Tn, file: [a.wig], unit: counts }\n'
    const { report } = await load(manifest, { 'a.wig': text })
    expect(ours(report)).toContain(code)
    expect(report.ok).toBe(false)
  })

  test('Salmon’s folders are named by the sheet, and their transcripts summed; a change of one file bakes anew', async () => {
    const quant = (reads: number) =>
      `Name\tLength\tEffectiveLength\tTPM\tNumReads\ntranscript:TM_0001.1\t900\t700.5\t10\t${reads}\nTM_0004.1\t60\t1\t5\t7.5\n`
    const manifest =
      '    expression:\n      - { id: salmon, name: Salmon, folder: salmon, unit: counts, samples: samplesheet.csv }\n'
    const folders = {
      'salmon/WT_REP1/quant.sf': quant(30),
      'salmon/KO_REP1/quant.sf': quant(3),
      'salmon/KO_REP1/aux_info/meta_info.json': '{}',
      'samplesheet.csv':
        'sample,fastq_1,fastq_2,strandedness\nKO_REP1,k_1.fq,,auto\nWT_REP1,w_1.fq,,auto\nWT_REP1,w2_1.fq,,auto\n',
    }
    const { report, assembly } = await load(manifest, folders)
    expect(report.failure).toBeNull()
    expect(ours(report)).toEqual(['genes-matched', 'expression-replicates-by-name'])
    const open = await openExpression(data, assembly, 'salmon')
    expect(open.genes).toEqual(['TM_0004', 'TM_0001'].sort())
    const [dataset] = await listExpression(data, assembly)
    expect(dataset!.samples.map(({ id }) => id)).toEqual(['KO_REP1', 'WT_REP1'])
    const values = await open.openValues()
    expect([...(await values.readRows([0]))[0]!]).toEqual([3, 30])
    await values.close()
    const reload = async () => {
      const again = await loadTestSpecies(database, dataDir, join(root, `folder${number}`))
      return again.assemblies.map(({ reused }) => reused)
    }
    expect(await reload()).toEqual([true])
    writeFileSync(join(root, `folder${number}`, 'salmon/KO_REP1/aux_info/meta_info.json'), '{"a": 1}')
    expect(await reload()).toEqual([true])
    writeFileSync(join(root, `folder${number}`, 'salmon/KO_REP1/quant.sf'), quant(4))
    expect(await reload()).toEqual([false])
  })

  test('an assembly without a matrix says so', async () => {
    const { assembly } = await load('')
    expect(await listExpression(data, assembly)).toEqual([])
    await expect(openExpression(data, assembly, undefined)).rejects.toMatchObject({ messageId: 'problem.noExpression' })
  })
})
