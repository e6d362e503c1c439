import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Defect, DefectLog } from '../bio/text/defects.ts'
import { listActiveSpecies } from '../database/catalogue.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { readProducts } from '../testing/products.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../testing/protein-genomes.ts'
import { buildProfile, makeDomain } from '../testing/protein-profiles.ts'
import { full } from '../testing/real-data.ts'
import { loadTestSpecies } from '../testing/species.ts'
import { checkSpecies } from './check-species.ts'
import { exportSpecies } from './export-species.ts'
import { findLoaders, manifestSchema, readManifest } from './manifest.ts'
import { listNamedFiles } from './named-files.ts'

// Every fenced example of the document on data formats is loaded as it stands: what it names is made small, real and whole.

type Entries = Record<string, unknown>

const examplesOf = (language: string): Entries[] => {
  const document = readFileSync(resolve(import.meta.dirname, `../../docs/data-formats.${language}.md`), 'utf8')
  const fenced = [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
  expect(fenced.map(([, kind]) => kind)).toEqual(fenced.map(() => 'yaml'))
  return fenced.map(([, , text]) => parse(text!) as Entries | null).filter((example) => example !== null)
}

/** Without the words for readers, which each language says in its own way. */
const withoutWords = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutWords)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === 'name' ? '…' : withoutWords(item)]))
      : value

const proteins = Array.from({ length: 10 }, (_, at) =>
  at === 0 ? `M${makeDomain(1, 500)}${makeProtein(900)}` : makeProtein(at + 900),
)
const genome = (assembly: string, change: number, nameOf: (at: number) => string): TestGenome => ({
  assembly,
  genes: proteins.map((protein, at) => ({
    id: nameOf(at),
    protein: mutate(protein, change, at + 1),
    ...(assembly === 'R64' ? { symbol: `S${at}` } : {}),
  })),
})
const genomes = [
  genome('R64', 0, (at) => `R64_${at}`),
  genome('SK1', 0.04, (at) => `SK1_${at}`),
  genome('CBS432', 0.1, (at) => `CBS_${at}`),
  genome('H37Rv', 0.3, (at) => ['Rv3545c', 'Rv3570c'][at] ?? `Rv000${at}`),
]
const lengthsBp = new Map<string, number>()

const tab = (...rows: (string | number)[][]): string => `${rows.map((row) => row.join('\t')).join('\n')}\n`
const genes = (prefix: string, count = 10) => Array.from({ length: count }, (_, at) => `${prefix}_${at}`)
const windows = (value: (at: number) => number) =>
  Array.from({ length: 4 }, (_, at) => ['chr1', at * 1000 + 1, (at + 1) * 1000, value(at)])

const starCounts = (reads: number): string =>
  tab(
    ['N_unmapped', 9, 9, 9],
    ['N_multimapping', 5, 5, 5],
    ['N_noFeature', 3, 90, 6],
    ['N_ambiguous', 1, 0, 0],
    ...genes('R64').map((id, at) => [id, reads * (at + 1), 0, reads * (at + 1)]),
  )

let made: Record<string, string | Buffer> | undefined

/** Content of each file that an example names, or that stands beside it; made once, for a profile is built by its program. */
const contents = (root: string): Record<string, string | Buffer> => {
  made ??= makeContents(root)
  return made
}

const makeContents = (root: string): Record<string, string | Buffer> => {
  const gene0 = 'R64_0'
  const scan = (extra: string[]) => (at: number) => [
    'chr1',
    100 + at * 100,
    `v${at}`,
    'A',
    'G',
    (at + 1) / 21,
    ...extra,
  ]
  return {
    'references.bib': '@article{one2020, title={One}, author={Li, Wei}, year={2020}, journal={Tests}}\n',
    'insertions.ris':
      'TY  - JOUR\nID  - griffin2011\nTI  - Insertions\nAU  - Griffin, J\nPY  - 2011\nJO  - Tests\nER  - \n',
    'repeats.gff3': tab(
      ['##gff-version 3'],
      ['chr1', 'x', 'LTR_retrotransposon', 100, 900, '.', '+', '.', 'ID=t1;Name=TY1-I'],
      ['chr1', 'x', 'transposable_element', 1500, 1800, '.', '+', '.', 'ID=t2;Name=TY3'],
    ),
    'families.fa': '>TY1-I#LTR/Copia\nACGTACGT\n',
    'sets.gmt': tab(['p1', 'Burning', 'R64_0', 'R64_1'], ['p2', 'Walls', 'R64_2']),
    'map1.xml':
      '<pathway name="path:p1" org="tst" number="00010" title="Burning"><entry id="1" name="tst:R64_0" type="gene"><graphics name="S0" type="rectangle" x="100" y="100" width="46" height="17"/></entry></pathway>',
    'map2.gpml':
      '<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="p2" Version="p2_r1"><Graphics BoardWidth="300" BoardHeight="200"/><DataNode TextLabel="S2" GraphId="a" Type="GeneProduct"><Graphics CenterX="50" CenterY="50" Width="60" Height="20"/><Xref Database="" ID="R64_2"/></DataNode></Pathway>',
    'kegg.tsv': tab(['R64_0', 'ko00010', 'Glycolysis'], ['R64_1', 'ko00010', 'Glycolysis']),
    'atlas-tpm.tsv.gz': gzipSync(
      tab(['gene', 'r1', 'r2', 'l1', 'l2'], ...genes('R64').map((id, at) => [id, at, at + 1, 2 * at, 9])),
    ),
    'atlas-samples.tsv': tab(
      ['sample', 'tissue', 'replicate'],
      ['r1', 'root', 1],
      ['r2', 'root', 2],
      ['l1', 'leaf', 1],
      ['l2', 'leaf', 2],
    ),
    'star/leaf_rep1ReadsPerGene.out.tab': starCounts(1),
    'star/root_rep1ReadsPerGene.out.tab': starCounts(2),
    'samplesheet.csv': 'sample,fastq_1,fastq_2,strandedness\nleaf_rep1,l_1.fq.gz,,auto\nroot_rep1,r_1.fq.gz,,auto\n',
    'plant.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path id="root" d="M0 0h5v5z"/><path id="leaf" d="M5 5h5v5z"/></svg>',
    'salt.deseq2.csv': `"","baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"\n${genes('R64')
      .map((id, at) => `"${id}",${100 + at},${at - 4},0.5,${2 * (at - 4)},${(at + 1) / 20},${(at + 1) / 15}`)
      .join('\n')}\n`,
    'root.h5ad': readFileSync(resolve(import.meta.dirname, '../store/golden/cells-csc.h5ad')),
    'leaf/matrix.mtx.gz': gzipSync(
      `%%MatrixMarket matrix coordinate integer general\n6 12 24\n${Array.from({ length: 12 }, (_, cell) =>
        [1, 2].map((gene) => `${((cell * gene) % 6) + 1} ${cell + 1} ${gene + (cell % 3)}\n`).join(''),
      ).join('')}`,
    ),
    'leaf/barcodes.tsv': tab(...Array.from({ length: 12 }, (_, cell) => [`c${cell}`])),
    'leaf/features.tsv': tab(...[0, 1, 2, 3, 4, 5].map((at) => [`R64_${at}`, `S${at}`, 'Gene Expression'])),
    'leaf/cells.tsv': tab(
      ['cell', 'cell type'],
      ...Array.from({ length: 12 }, (_, cell) => [`c${cell}`, cell % 2 === 0 ? 'mesophyll' : 'guard cell']),
    ),
    'height.assoc.txt.gz': gzipSync(
      tab(
        ['chr', 'rs', 'ps', 'n_miss', 'allele1', 'allele0', 'af', 'beta', 'se', 'p_wald'],
        ...Array.from({ length: 20 }, (_, at) => [
          ...['chr1', `v${at}`, 100 + at * 100, 0, 'A', 'G', 0.3, 0.1, 0.05, (at + 1) / 21],
        ]),
      ),
    ),
    'gwas.tsv.gz': gzipSync(
      tab(
        ['chromosome', 'position', 'id', 'ref', 'alt', 'p', 'trait'],
        ...Array.from({ length: 20 }, (_, at) => scan(['height'])(at)),
        ...Array.from({ length: 20 }, (_, at) => scan(['yield'])(at)),
      ),
    ),
    'panel.vcf': `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="G">\n${tab(
      ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', 'one', 'two'],
      ['chr1', 10, 'v', 'A', 'G', '.', '.', '.', 'GT', '0/1', '1/1'],
    )}`,
    'phenotypes-2024.csv': 'accession,plant_height\none,12.5\ntwo,13.5\n',
    'wild_cultivated.windowed.weir.fst': tab(
      ['CHROM', 'BIN_START', 'BIN_END', 'N_VARIANTS', 'WEIGHTED_FST', 'MEAN_FST'],
      ...windows((at) => at / 10).map((row) => [...row.slice(0, 3), 12, row[3]!, row[3]!]),
    ),
    'windows.tsv.gz': gzipSync(
      tab(
        ['chromosome', 'start', 'end', 'fst', 'pi_wild', 'iHS'],
        ...windows((at) => at / 8).map((row) => [...row, 0.01, 1.5]),
      ),
    ),
    '3702.protein.links.full.v12.0.txt.gz': gzipSync(
      'protein1 protein2 neighborhood fusion cooccurence coexpression experimental database textmining combined_score\n' +
        '3702.P1 3702.P2 0 0 0 100 200 0 300 450\n3702.P2 3702.P1 0 0 0 100 200 0 300 450\n',
    ),
    '3702.protein.aliases.v12.0.txt.gz': gzipSync(
      `#string_protein_id\talias\tsource\n3702.P1\t${gene0}\tEnsembl\n3702.P2\tR64_3\tEnsembl\n`,
    ),
    'accessions.tsv': tab(['accession', 'population', 'lat', 'lon'], ['one', 'wild', 10, 20], ['two', 'crop', 11, 21]),
    'phenotypes.csv': 'accession,height,colour\none,12.5,-9\ntwo,-9,red\n',
    'traits.tsv': tab(
      ['trait', 'name', 'unit', 'type'],
      ['height', 'Height', 'cm', 'quantitative'],
      ['colour', '', '', ''],
    ),
    'R64_CBS432.collinearity': `# MAX_PROCESSES: 1\n## Alignment 0: score=250.0 e_value=1e-10 N=5 chr1&chr1 plus\n${[
      0, 1, 2, 3, 4,
    ]
      .map((at) => `  0-  ${at}:\tR64_${at}\tCBS_${at}\t  1e-50`)
      .join('\n')}\n`,
    'R64.SK1.anchors': `###\n${[0, 1, 2, 3, 4].map((at) => `R64_${at}\tSK1_${at}\t500`).join('\n')}\n`,
    'SK1_vs_R64.paf.gz': gzipSync(
      tab([
        ...[
          'chr1',
          lengthsBp.get('SK1')!,
          0,
          5100,
          '+',
          'chr1',
          lengthsBp.get('R64')!,
          0,
          5100,
          5000,
          5100,
          60,
          'tp:A:P',
        ],
      ]),
    ),
    'tf-profiles.hmm': buildProfile(root, 'my_gal4', 1),
    'my-rules.txt': 'ID:1\nName:Zn-clus\nFamily:Zn-clus\nRequired:PF00172\nType:TF\nDesc:Zinc cluster\n//\n',
  }
}

let portal: EmptyPortal
beforeAll(async () => {
  portal = await openEmptyPortal('examples')
})
afterAll(() => portal?.close())

/** The entries as top-level ones, or of the assembly R64 where they stand beside a genome. */
const writeFolder = async (name: string, examples: Entries[]): Promise<string> => {
  const folder = writeSpecies(join(portal.root, name), name, genomes)
  for (const { assembly } of genomes)
    lengthsBp.set(assembly, readFileSync(join(folder, `${assembly}.fa`), 'utf8').split('\n')[1]!.length)
  const topKeys = new Set(
    (await findLoaders()).flatMap(({ loader }) =>
      loader.scope === 'species' || loader.inherited ? [loader.entry] : [],
    ),
  )
  const manifest = parse(readFileSync(join(folder, 'species.yaml'), 'utf8')) as {
    assemblies: Entries[]
  } & Entries
  const [reference] = manifest.assemblies as [Entries]
  reference.annotation = [{ file: 'kegg.tsv', format: 'table', source: 'KEGG pathway' }]
  reference.variants = [{ id: 'panel', name: 'Panel', file: 'panel.vcf' }]
  manifest.phenotypes = []
  for (const example of examples)
    for (const [key, value] of Object.entries(example))
      (topKeys.has(key) ? manifest : reference)[key] = value
      // What other examples name by its id.
  ;(manifest.phenotypes as Entries[]).push({ id: 'field-2024', name: 'Field 2024', file: 'phenotypes-2024.csv' })
  writeFileSync(join(folder, 'species.yaml'), stringify(manifest))
  for (const [file, content] of Object.entries(contents(portal.root))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
}

const errorsIn = (report: { readonly defects: readonly Defect[] }) =>
  report.defects.filter(({ severity }) => severity === 'error').map(({ code, file }) => `${file}: ${code}`)

test('the examples are the same in both languages', () => {
  expect(withoutWords(examplesOf('zh'))).toEqual(withoutWords(examplesOf('en')))
  expect(examplesOf('en').length).toBeGreaterThan(11)
})

describe.each(['en', 'zh'])('the examples of docs/data-formats.%s.md', (language) => {
  const name = `examples-${language}`
  test.skipIf(language === 'zh' && !full)(
    'are loaded, every one of them, and the same is loaded of what is exported',
    async () => {
      const folder = await writeFolder(name, examplesOf(language))
      const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: true })
      expect([errorsIn(report), report.failure, report.ok]).toEqual([[], null, true])
      const { bundles } = (await listActiveSpecies(portal.database.sql)).find(({ id }) => id === name)!
      const loaded = bundles.flatMap(({ summary }) => Object.keys(summary.dataTypes))
      expect(loaded).toEqual(
        expect.arrayContaining([
          'references',
          'transposableElements',
          'pathways',
          'expression',
          'singleCell',
          'gwas',
          'sweeps',
          'interactions',
        ]),
      )
      const exported = join(portal.root, `exported-${language}`)
      const { sql } = portal.database
      const about = { sql, files: openLocalFiles(portal.dataDir), species: name, folder: exported }
      const { log } = await exportSpecies({
        ...about,
        signal: AbortSignal.timeout(60_000),
        onProgress: () => undefined,
      })
      expect(log.defects).toEqual([])
      const elsewhere = await openEmptyPortal('elsewhere')
      try {
        const again = await loadTestSpecies(elsewhere.database, elsewhere.dataDir, exported, { engines: true })
        expect([errorsIn(again), again.ok]).toEqual([[], true])
        expect(await readProducts(elsewhere.database.sql, name)).toEqual(await readProducts(sql, name))
      } finally {
        await elsewhere.close()
      }
      // What one language has loaded is taken out, for its assemblies have the names of the other's.
      await portal.database.sql`delete from species where id = ${name}`
    },
    600_000,
  )

  test('are found right by a check, too', async () => {
    const { log } = await checkSpecies(await writeFolder(name, examplesOf(language)), AbortSignal.timeout(200_000))
    expect(errorsIn(log)).toEqual([])
  }, 200_000)

  test('name the files that they mean, and nothing else is taken for one', async () => {
    const loaders = await findLoaders()
    const named = new Set<string>()
    for (const [number, example] of examplesOf(language).entries()) {
      const log = new DefectLog()
      const manifest = await readManifest(await writeFolder(`${name}-${number}`, [example]), loaders, log)
      expect(log.defects).toEqual([])
      for (const { file } of listNamedFiles(manifestSchema(loaders), manifest)) named.add(file)
    }
    const beside = ['leaf/barcodes.tsv', 'leaf/features.tsv']
    // Of a folder the loader says what is read.
    const within = (file: string) => file.startsWith('star/')
    expect([...named].sort()).toEqual(
      [
        ...genomes.flatMap(({ assembly }) => [`${assembly}.fa`, `${assembly}.gff3`]),
        ...Object.keys(contents(portal.root)).filter((file) => !beside.includes(file) && !within(file)),
      ].sort(),
    )
  })
})

test('a change of any file that is named, under whatever key, or that stands beside one, bakes anew', async () => {
  const folder = await writeFolder('changing', examplesOf('en'))
  const load = async () => {
    const report = await loadTestSpecies(portal.database, portal.dataDir, folder)
    expect([errorsIn(report), report.ok]).toEqual([[], true])
    const { bundles } = (await listActiveSpecies(portal.database.sql)).find(({ id }) => id === 'changing')!
    return bundles.map(({ uid }) => uid)
  }
  let before = await load()
  expect(await load()).toEqual(before)
  const gzipped = (file: string): Buffer => gzipSync(`${gunzipSync(readFileSync(join(folder, file)))}\n`)
  const changed = Object.entries({
    'traits.tsv': `${readFileSync(join(folder, 'traits.tsv'), 'utf8').replace('Height', 'Plant height')}`,
    'leaf/barcodes.tsv': readFileSync(join(folder, 'leaf/barcodes.tsv'), 'utf8').replace('c11', 'c99'),
    'leaf/cells.tsv': readFileSync(join(folder, 'leaf/cells.tsv'), 'utf8').replaceAll('guard', 'Guard'),
    '3702.protein.aliases.v12.0.txt.gz': gzipped('3702.protein.aliases.v12.0.txt.gz'),
    'tf-profiles.hmm': readFileSync(join(folder, 'tf-profiles.hmm'), 'utf8').replace(/^DATE.*/m, 'DATE  now'),
  })
  // One that stands beside a named file and one that is named; the others with --full.
  const ordinary = ['leaf/barcodes.tsv', 'tf-profiles.hmm']
  for (const [file, content] of changed) {
    if (!full && !ordinary.includes(file)) continue
    writeFileSync(join(folder, file), content)
    const now = await load()
    expect(now.filter((uid, at) => uid !== before[at]).length, file).toBeGreaterThan(0)
    before = now
  }
  await portal.database.sql`delete from species where id = 'changing'`
}, 300_000)
