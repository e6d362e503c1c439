import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeFolder } from '../../testing/archives.ts'
import {
  baktaFolder,
  brakerFolder,
  ensemblFolders,
  fasta,
  funannotateFolder,
  gff3,
  liftoffFolder,
  makerFolder,
  phytozomeFolder,
  prokkaFolder,
  refseqFolder,
  type SourceFiles,
} from '../../testing/import-sources.ts'
import { checkSpecies } from '../check-species.ts'
import { importSpecies } from './import-species.ts'

let root: string
let places = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-sources-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const bring = async (files: SourceFiles, name = 'Testus minimus') => {
  places += 1
  const folder = writeFolder(join(root, `place-${places}`), files)
  const asked: string[] = []
  const report = await importSpecies({
    paths: [folder],
    dryRun: false,
    rewrite: false,
    language: 'en',
    ask: async ({ id, fallback }) => {
      asked.push(id)
      return id === 'species' ? name : fallback
    },
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
  })
  const state: Record<string, string> = {}
  for (const { file, state: own, entry } of report.accounts) state[file.path] = entry ?? own
  expect(Object.keys(state).sort()).toEqual(Object.keys(files).sort())
  return {
    folder,
    report,
    asked,
    state,
    titles: report.sources.map(({ title }) => title.en),
    codes: report.log.defects.map(({ code, file }) => `${code} ${file}`),
    manifest: parse(readFileSync(join(folder, 'species.yaml'), 'utf8')) as {
      assemblies: Record<string, unknown>[]
    } & Record<string, unknown>,
    errors: async () =>
      (await checkSpecies(folder, AbortSignal.timeout(60_000))).log.defects.filter(
        ({ severity }) => severity === 'error',
      ),
  }
}
const unrecognised = (state: Record<string, string>): string[] =>
  Object.keys(state).filter((path) => state[path] === 'unknown' || state[path] === 'not-placed')

describe.each<[string, () => SourceFiles, { title: string; asked?: string[]; manifest: object; assembly: object }]>([
  [
    'a RefSeq folder',
    refseqFolder,
    {
      title: 'RefSeq or GenBank files',
      manifest: {
        species: 'testus-minimus',
        name: 'Testus minimus',
        commonName: 'test microbe',
        taxonId: 9000001,
        geneticCode: 11,
      },
      assembly: {
        id: 'TMv2',
        strain: 'T7',
        accession: 'GCF_900000001.2',
        genome: 'GCF_900000001.2_TMv2_genomic.fna.gz',
        genes: 'GCF_900000001.2_TMv2_genomic.gff.gz',
        proteins: 'GCF_900000001.2_TMv2_protein.faa.gz',
        sequences: [
          { name: 'NC_900001.1', aliases: ['1', 'chr1', 'CM900001.1'] },
          { name: 'NC_900002.1', aliases: ['pT', 'CM900002.1'], role: 'plasmid', circular: true },
        ],
      },
    },
  ],
  [
    'folders of Ensembl',
    ensemblFolders,
    {
      title: 'Ensembl files',
      manifest: { species: 'testus-minimus', name: 'Testus minimus' },
      assembly: {
        id: 'TMv2',
        accession: 'GCA_900000001.2',
        source: 'Ensembl',
        genome: 'fasta/dna/Testus_minimus.TMv2.dna_sm.toplevel.fa.gz',
        genes: 'gff3/Testus_minimus.TMv2.59.gff3.gz',
      },
    },
  ],
  [
    'a Phytozome folder',
    phytozomeFolder,
    {
      title: 'Phytozome genome',
      manifest: { name: 'Testus minimus' },
      assembly: {
        genome: 'Phytozome/PhytozomeV13/Tminimus/v2.1/assembly/Tminimus_900_v2.0.softmasked.fa.gz',
        genes: 'Phytozome/PhytozomeV13/Tminimus/v2.1/annotation/Tminimus_900_v2.1.gene_exons.gff3.gz',
      },
    },
  ],
  [
    'Bakta',
    baktaFolder,
    {
      title: 'Bakta annotation',
      manifest: { name: 'Testus minimus', geneticCode: 11 },
      assembly: {
        id: 'T7',
        genome: 'T7.fna',
        genes: 'T7.gff3',
        sequences: [{ name: 'contig_2', role: 'plasmid', circular: true }],
      },
    },
  ],
  [
    'Prokka',
    prokkaFolder,
    {
      title: 'Prokka annotation',
      manifest: { name: 'Testus minimus', geneticCode: 11 },
      assembly: { id: 'T7', genome: 'PROKKA_01.fna', genes: 'PROKKA_01.gff' },
    },
  ],
  [
    'funannotate',
    funannotateFolder,
    {
      title: 'funannotate annotation',
      manifest: { name: 'Testus minimus' },
      assembly: {
        id: 'T7',
        genome: 'annotate_results/Testus_minimus_T7.scaffolds.fa',
        genes: 'annotate_results/Testus_minimus_T7.gff3',
      },
    },
  ],
  [
    'BRAKER',
    brakerFolder,
    {
      title: 'BRAKER annotation',
      asked: ['species'],
      manifest: { name: 'Testus minimus' },
      assembly: { genome: 'genome.fa', genes: 'braker/braker.gtf' },
    },
  ],
  [
    'MAKER, whose genome stands in its GFF3',
    makerFolder,
    {
      title: 'MAKER annotation',
      asked: ['species'],
      manifest: { name: 'Testus minimus' },
      assembly: { id: 'T7', genome: 'T7.genome.fa', genes: 'T7.all.gff' },
    },
  ],
  [
    'Liftoff',
    liftoffFolder,
    {
      title: 'Liftoff annotation',
      asked: ['species'],
      manifest: { name: 'Testus minimus' },
      assembly: { id: 'T8', genome: 'T8.fa', genes: 'lifted.gff3' },
    },
  ],
])('%s', (source, files, { title, asked, manifest, assembly }) => {
  test('is recognised as it is, and its manifest passes the check', async () => {
    const found = await bring(files())
    expect(found.codes).toEqual([])
    expect(found.titles).toContain(title)
    expect(found.asked).toEqual(asked ?? [])
    expect(found.manifest).toMatchObject(manifest)
    expect(found.manifest.assemblies).toHaveLength(1)
    expect(found.manifest.assemblies[0]).toMatchObject(assembly)
    expect(unrecognised(found.state)).toEqual(source === 'Liftoff' ? ['unmapped_features.txt'] : [])
    expect(await found.errors()).toEqual([])
  })
})

describe('a genome within its annotation', () => {
  test('is written out of GenBank, and carries the names of its genes', async () => {
    const { 'T7.gbff': genes } = baktaFolder()
    const { manifest, errors } = await bring({ 'T7.gbk': genes! })
    expect(manifest).toMatchObject({ name: 'Testus minimus', geneticCode: 11 })
    expect(manifest.assemblies[0]).toMatchObject({ genome: 'T7.genome.fa', genes: 'T7.gbk' })
    expect(await errors()).toEqual([])
  })
})

describe('data on a genome', () => {
  const genome = { 'T7.fa': fasta('chr1', 'chr2'), 'T7.gff3': gff3('chr1', 'chr2') }
  const vcf = (name: string): string =>
    `##fileformat=VCFv4.2\n##contig=<ID=${name},length=3000>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${name}\t120\trs1\t${fasta('x', 'y').replace(/>x\n|\n/g, '')[119]}\tN\t.\t.\t.\n`

  test('becomes tracks, variants and annotation, by what each file is', async () => {
    const { manifest, state, errors } = await bring({
      ...genome,
      'snps.vcf': vcf('chr1'),
      'snps.vcf.tbi': Buffer.from('TBI\x01\x00\x00'),
      'peaks.bed': 'chr1\t100\t260\tpeak1\nchr1\t900\t980\tpeak2\n',
      'repeats.gff3': '##gff-version 3\nchr1\tx\trepeat_region\t1500\t1600\t.\t.\t.\tID=r1\n',
      'go.tsv': 'TM_0001\tGO:0000009\nTM_0002\tGO:0000003\n',
      'short_summary.specific.bacteria_odb10.T7.txt':
        '# BUSCO version is: 5.4.7\n# The lineage dataset is: bacteria_odb10 (Creation date: 2020-03-06)\n\n\tC:98.4%[S:98.4%,D:0.0%],F:0.8%,M:0.8%,n:124\n',
      'cover.bedgraph': 'chr1\t0\t100\t2.5\nchr1\t100\t200\t3\n',
      'salmon/quant.sf': 'Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001.1\t120\t80\t1\t2\n',
      'papers.bib': '@article{A2020,\n  title = {A},\n  year = {2020}\n}\n',
    })
    expect(manifest.assemblies[0]).toMatchObject({
      genes: 'T7.gff3',
      variants: [{ id: 'snps', name: 'snps', file: 'snps.vcf' }],
      tracks: [
        { id: 'peaks', name: 'peaks', file: 'peaks.bed' },
        { id: 'repeats', name: 'repeats', file: 'repeats.gff3' },
      ],
      annotation: [{ file: 'go.tsv' }],
      busco: 'short_summary.specific.bacteria_odb10.T7.txt',
    })
    expect(manifest.references).toEqual(['papers.bib'])
    expect(state).toMatchObject({ 'snps.vcf.tbi': 'none', 'cover.bedgraph': 'none', 'salmon/quant.sf': 'none' })
    expect(await errors()).toEqual([])
  })

  test('goes to the assembly whose sequences it names, and to none where that is not told', async () => {
    const { manifest, codes, state } = await bring({
      ...genome,
      'T8.fa': fasta('scf1', 'scf2'),
      'calls.vcf': vcf('scf1'),
      'both.bed': 'other_9\t1\t5\n',
    })
    expect(manifest.assemblies.map(({ id, variants }) => [id, variants === undefined])).toEqual([
      ['T7', true],
      ['T8', false],
    ])
    expect(codes).toEqual(['import-not-placed both.bed'])
    expect(state['both.bed']).toBe('not-placed')
  })

  test('has the names that genome browsers give its tracks', async () => {
    const { manifest, state, errors } = await bring({
      ...genome,
      'jbrowse/config.json': JSON.stringify({
        assemblies: [
          { name: 'T7', sequence: { adapter: { type: 'IndexedFastaAdapter', fastaLocation: { uri: '../T7.fa' } } } },
        ],
        tracks: [
          {
            trackId: 'chip',
            name: 'ChIP of kinB',
            category: ['Regulation', 'ChIP'],
            adapter: {
              type: 'BedTabixAdapter',
              index: { location: { uri: 'a.bed.tbi' } },
              bedGzLocation: { uri: 'a.bed' },
            },
          },
          {
            trackId: 'away',
            name: 'Elsewhere',
            adapter: { type: 'BigWigAdapter', bigWigLocation: { uri: 'https://example.org/a.bw' } },
          },
        ],
      }),
      'jbrowse/a.bed': 'chr1\t100\t260\tpeak1\n',
      'hub/hub.txt': 'hub T7\nshortLabel T7 hub\ngenomesFile genomes.txt\n',
      'hub/genomes.txt': 'genome T7\ntrackDb T7/trackDb.txt\n',
      'hub/T7/trackDb.txt': 'track sites\nbigDataUrl b.bed\nshortLabel Binding sites\ntype bigBed 4\n',
      'hub/T7/b.bed': 'chr1\t900\t980\tsite1\n',
    })
    expect(manifest.assemblies[0]!.tracks).toEqual([
      { id: 'sites', name: 'Binding sites', file: 'hub/T7/b.bed' },
      { id: 'chip', name: 'ChIP of kinB', file: 'jbrowse/a.bed', category: 'ChIP' },
    ])
    expect(unrecognised(state)).toEqual([])
    expect(await errors()).toEqual([])
  })

  test('of two sets of genes the chosen one is taken, and the other is told', async () => {
    const { manifest, asked, state } = await bring({
      ...brakerFolder(),
      'lifted.gff3': liftoffFolder()['lifted.gff3']!.toString(),
    })
    expect(asked).toEqual(['species', expect.stringContaining('genes ')])
    expect(manifest.assemblies[0]!.genes).toBe('braker/braker.gtf')
    expect(state['lifted.gff3']).toBe('none')
  })
})
