import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeFolder } from '../../testing/archives.ts'
import {
  baktaFolder,
  brakerFolder,
  embl,
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
import { helixCif, helixPdb } from '../../testing/made-structures.ts'
import { makeGenome } from '../../testing/species.ts'
import { renderTwoBit } from '../../testing/two-bit.ts'
import { checkSpecies } from '../check-species.ts'
import { importSpecies } from './import-species.ts'

let root: string
let places = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-sources-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** `name` null: nobody answers. */
const bring = async (files: SourceFiles, name: string | null = 'Testus minimus') => {
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
      return id === 'species' || name === null ? name : fallback
    },
    signal: AbortSignal.timeout(180_000),
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
      (await checkSpecies(folder, AbortSignal.timeout(180_000))).log.defects.filter(
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
])('%s', (_, files, { title, asked, manifest, assembly }) => {
  test('is recognised as it is, and its manifest passes the check', async () => {
    const found = await bring(files())
    expect(found.codes).toEqual([])
    expect(found.titles).toContain(title)
    expect(found.asked).toEqual(asked ?? [])
    expect(found.manifest).toMatchObject(manifest)
    expect(found.manifest.assemblies).toHaveLength(1)
    expect(found.manifest.assemblies[0]).toMatchObject(assembly)
    expect(unrecognised(found.state)).toEqual([])
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

describe('a genome within EMBL', () => {
  test('is written, with the names of its genes', async () => {
    const { manifest, errors } = await bring({ 'T7.embl': embl() })
    expect(manifest).toMatchObject({ name: 'Testus minimus', geneticCode: 11 })
    expect(manifest.assemblies[0]).toMatchObject({ genome: 'T7.genome.fa', genes: 'T7.embl' })
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
      'score.txt': 'track type=wiggle_0\nfixedStep chrom=chr1 start=1 step=10 span=10\n1\n2\n',
      'papers.bib': '@article{A2020,\n  title = {A},\n  year = {2020}\n}\n',
    })
    expect(manifest.assemblies[0]).toMatchObject({
      genes: 'T7.gff3',
      variants: [{ id: 'snps', name: 'snps', file: 'snps.vcf' }],
      tracks: [
        { id: 'cover', name: 'cover', file: 'cover.bedgraph' },
        { id: 'peaks', name: 'peaks', file: 'peaks.bed' },
        { id: 'repeats', name: 'repeats', file: 'repeats.gff3' },
        { id: 'score', name: 'score', file: 'score.txt', type: 'wig' },
      ],
      annotation: [{ file: 'go.tsv' }],
      busco: 'short_summary.specific.bacteria_odb10.T7.txt',
    })
    expect(manifest.references).toEqual(['papers.bib'])
    expect(state).toMatchObject({ 'snps.vcf.tbi': 'none' })
    expect(await errors()).toEqual([])
  })

  /** The header of a BAM of chr1 and no reads. */
  const bam = (order: string): Buffer => {
    const text = `@HD\tVN:1.6\tSO:${order}\n`
    const head = Buffer.alloc(25 + text.length)
    head.write('BAM\x01', 0, 'latin1')
    head.writeUInt32LE(text.length, 4)
    head.write(text, 8, 'latin1')
    const at = 8 + text.length
    head.writeUInt32LE(1, at)
    head.writeUInt32LE(5, at + 4)
    head.write('chr1', at + 8, 'latin1')
    head.writeUInt32LE(3000, at + 13)
    return gzipSync(head)
  }

  test('of aligners is named by its samples; lists of splice sites, depths and logs are no tracks', async () => {
    const { manifest, state } = await bring({
      ...genome,
      'star/leaf/Aligned.sortedByCoord.out.bam': bam('coordinate'),
      'star/leaf/SJ.out.tab': 'chr1\t161\t200\t1\t1\t1\t9\t0\t30\n',
      'star/leaf/_STARgenome/sjdbList.out.tab': 'chr1\t161\t200\t+\nchr1\t301\t400\t-\n',
      'star/root/Aligned.sortedByCoord.out.bam': bam('coordinate'),
      'star/root/Log.final.out': '                                 Started job on |\tNov 28 00:00:00\n',
      'splices.txt': 'chr1\t161\t200\t+\nchr1\t301\t400\t-\n',
      'depth.txt': 'chr1\t3\t90\nchr1\t4\t91\nchr1\t5\t95\nchr1\t6\t99\n',
      'leaf.summary.txt': '8000 reads; of these:\n  8000 (100.00%) were paired; of these:\n',
      'byname.bam': bam('queryname'),
      'stem.bam': bam('unsorted'),
      'stem.sam': '@SQ\tSN:chr1\tLN:3000\n',
      'stem.sorted.bam': bam('coordinate'),
      'star/leaf/Aligned.out.bam': bam('unsorted'),
      'rsem/leaf.transcript.sorted.bam': bam('coordinate'),
      'reads.sam': '@SQ\tSN:chr1\tLN:3000\n',
      'leaf/leaf.gtf':
        'chr1\tStringTie\ttranscript\t101\t260\t1000\t+\t.\tgene_id "S.1"; transcript_id "S.1.1"; cov "8.4"; FPKM "7.1";\n',
      'leaf/t_data.ctab': 't_id\tchr\tstrand\tstart\tend\n1\tchr1\t+\t101\t260\n',
    })
    expect(manifest.assemblies[0]!.tracks).toEqual([
      { id: 'byname', name: 'byname', file: 'byname.bam' },
      { id: 'reads', name: 'reads', file: 'reads.sam' },
      { id: 'leaf', name: 'leaf', file: 'star/leaf/Aligned.sortedByCoord.out.bam' },
      { id: 'root', name: 'root', file: 'star/root/Aligned.sortedByCoord.out.bam' },
      { id: 'stem', name: 'stem', file: 'stem.sorted.bam' },
    ])
    expect(manifest.assemblies[0]!.genes).toBe('T7.gff3')
    expect(unrecognised(state)).toEqual(['depth.txt', 'splices.txt'])
    expect(state).toMatchObject({
      'star/leaf/Aligned.out.bam': 'none',
      'stem.bam': 'none',
      'stem.sam': 'none',
      'rsem/leaf.transcript.sorted.bam': 'none',
    })
  })

  const genes = 'gene_id\tgene_name\tleaf\troot\nTM_0001\tabcA\t1.5\t2\nTM_0002\tkinB\t5\t6\n'
  const ofRun = {
    'pipeline_info/execution_report_2026-11-28_03-00-00.html': '<!DOCTYPE html>\n',
    'pipeline_info/execution_trace_2026-11-28_03-00-00.txt': 'task_id\thash\tname\n1\tab/cd\tSTAR\n',
    'pipeline_info/nf_core_pipeline_software_mqc_versions.yml': 'Workflow:\n  nf-core/x: v3\n',
    'pipeline_info/params_2026-11-28_03-00-00.json': '{"input": "samplesheet.csv"}\n',
    'multiqc/star_salmon/multiqc_report.html': '<!DOCTYPE html>\n',
    'multiqc/star_salmon/multiqc_report_data/multiqc_general_stats.txt': 'Sample\ta\tb\nleaf\t1\t2\nroot\t2\t3\n',
    'multiqc/star_salmon/multiqc_report_data/multiqc_data.json': '{}\n',
  }

  test('in the folder of a run of nf-core/rnaseq are its merged table, reads and signals; every other file is told', async () => {
    const { manifest, state, codes } = await bring({
      ...genome,
      ...Object.fromEntries(Object.entries(ofRun).map(([path, text]) => [`results/${path}`, text])),
      'results/fastqc/raw/leaf_1_fastqc.zip': Buffer.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)]),
      'results/trimgalore/leaf_1.fastq.gz_trimming_report.txt': 'SUMMARISING RUN PARAMETERS\n',
      'results/star_salmon/leaf.markdup.sorted.bam': bam('coordinate'),
      'results/star_salmon/leaf.markdup.sorted.bam.bai': Buffer.from('BAI\x01'),
      'results/star_salmon/root.markdup.sorted.bam': bam('coordinate'),
      'results/star_salmon/bigwig/leaf.forward.bigWig': Buffer.from([
        0x26,
        0xfc,
        0x8f,
        0x88,
        ...new Array<number>(60).fill(0),
      ]),
      'results/star_salmon/deseq2_qc/deseq2.dds.RData': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]),
      'results/star_salmon/deseq2_qc/deseq2.pca.vals.txt': 'sample\tPC1\tPC2\nleaf\t1\t2\nroot\t-1\t-2\n',
      'results/star_salmon/featurecounts/leaf.biotype_counts_mqc.tsv': '# id: biotype\nprotein_coding\t90\n',
      'results/star_salmon/log/leaf.Log.final.out':
        '                                 Started job on |\tNov 28 00:00:00\n',
      'results/star_salmon/log/leaf.SJ.out.tab': 'chr1\t161\t200\t1\t1\t1\t9\t0\t30\n',
      'results/star_salmon/rseqc/bam_stat/leaf.bam_stat.txt': 'Total records: 9\n',
      'results/star_salmon/rseqc/junction_annotation/bed/leaf.junction.bed': 'chr1\t160\t200\tj1\t9\t+\n',
      'results/star_salmon/samtools_stats/leaf.markdup.sorted.bam.flagstat':
        '9 + 0 in total (QC-passed reads + QC-failed reads)\n',
      'results/star_salmon/stringtie/leaf.coverage.gtf':
        'chr1\tStringTie\ttranscript\t101\t260\t1000\t+\t.\tgene_id "TM_0001"; transcript_id "TM_0001.1"; cov "8.4";\n',
      'results/star_salmon/stringtie/leaf.gene.abundance.txt':
        'Gene ID\tGene Name\tReference\tStrand\tStart\tEnd\tCoverage\tFPKM\tTPM\nTM_0001\tabcA\tchr1\t+\t101\t260\t8.4\t7\t1.5\n',
      'results/star_salmon/salmon.merged.gene_tpm.tsv': genes,
      'results/star_salmon/salmon.merged.gene_counts.tsv': genes,
      'results/star_salmon/salmon.merged.gene_counts_length_scaled.tsv': genes,
      'results/star_salmon/salmon.merged.gene_lengths.tsv': genes,
      'results/star_salmon/salmon.merged.gene.SummarizedExperiment.rds': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]),
      'results/star_salmon/salmon.merged.transcript_tpm.tsv': genes.replace('gene_id', 'tx'),
      'results/star_salmon/tx2gene.tsv': 'TM_0001.1\tTM_0001\tabcA\nTM_0002.1\tTM_0002\tkinB\n',
      'results/star_salmon/leaf/quant.sf': 'Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001.1\t120\t90\t1.5\t3\n',
      'results/star_salmon/leaf/quant.genes.sf':
        'Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001\t120\t90\t1.5\t3\n',
      'results/star_salmon/leaf/cmd_info.json': '{}\n',
      // What lies in a real folder beside: covered transcripts as the annotation has them, a second aligner, the checked sheet, an index.
      'results/star_salmon/stringtie/root.coverage.gtf':
        'chr1\ttest\ttranscript\t101\t260\t.\t+\t.\tgene_id "TM_0001"; transcript_id "TM_0001.1";\nchr1\ttest\texon\t101\t260\t.\t+\t.\tgene_id "TM_0001"; transcript_id "TM_0001.1";\n',
      'results/salmon/salmon.merged.gene_tpm.tsv': genes,
      'results/pipeline_info/samplesheet.valid.csv':
        'sample,single_end,fastq_1,fastq_2,strandedness\nleaf_T1,0,/d/leaf_1.fastq.gz,/d/leaf_2.fastq.gz,auto\nleaf_T2,0,/d/l_1.fastq.gz,/d/l_2.fastq.gz,auto\nroot_T1,0,/d/root_1.fastq.gz,/d/root_2.fastq.gz,auto\n',
      'results/genome/genome.fa.fai': 'chr1\t3000\t6\t60\t61\nchr2\t900\t3062\t60\t61\n',
      'results/genome/sizes': 'chr1\t3000\t6\t60\t61\nchr2\t900\t3062\t60\t61\n',
      'results/star_salmon/leaf/aux_info/meta_info.json': '{}\n',
    })
    expect(unrecognised(state)).toEqual([])
    expect(codes).toEqual([])
    expect(manifest.assemblies[0]!.tracks).toEqual([
      { id: 'leaf.forward', name: 'leaf.forward', file: 'results/star_salmon/bigwig/leaf.forward.bigWig' },
      expect.objectContaining({ file: 'results/star_salmon/leaf.markdup.sorted.bam' }),
      expect.objectContaining({ file: 'results/star_salmon/root.markdup.sorted.bam' }),
    ])
    const samples = 'results/pipeline_info/samplesheet.valid.csv'
    expect(manifest.assemblies[0]!.expression).toEqual([
      { id: 'salmon', name: 'salmon', file: 'results/salmon/salmon.merged.gene_tpm.tsv', unit: 'TPM', samples },
      {
        id: 'star_salmon',
        name: 'star_salmon',
        file: 'results/star_salmon/salmon.merged.gene_tpm.tsv',
        unit: 'TPM',
        samples,
      },
    ])
    expect(manifest.assemblies[0]!.genes).toBe('T7.gff3')
    expect(state).toMatchObject({
      'results/star_salmon/stringtie/root.coverage.gtf': 'none',
      'results/genome/genome.fa.fai': 'none',
      'results/genome/sizes': 'none',
    })
  })

  test('in the folder of a run of nf-core/sarek are the last reads and variants of each sample; every other file is told', async () => {
    const calls = gzipSync(vcf('chr1'))
    const calling = 'variant_calling'
    const { manifest, state, codes } = await bring({
      ...genome,
      ...ofRun,
      'csv/markduplicates.csv': 'patient,sex,status,sample,cram,crai\np,XX,0,leaf,a.cram,a.crai\n',
      'preprocessing/markduplicates/leaf/leaf.md.bam': bam('coordinate'),
      'preprocessing/recalibrated/leaf/leaf.recal.bam': bam('coordinate'),
      'preprocessing/markduplicates/root/root.md.bam': bam('coordinate'),
      'preprocessing/recal_table/leaf/leaf.recal.table': '#:GATKReport.v1.1:5\n',
      'reports/mosdepth/leaf/leaf.md.regions.bed.gz': gzipSync('chr1\t0\t100\t9.5\n'),
      'reports/samtools/leaf/leaf.md.cram.stats': '# This file was produced by samtools stats\n',
      'reports/vcftools/haplotypecaller/leaf/leaf.TsTv.count': 'MODEL\tCOUNT\nAC\t1\n',
      [`${calling}/haplotypecaller/leaf/leaf.haplotypecaller.vcf.gz`]: calls,
      [`${calling}/haplotypecaller/leaf/leaf.haplotypecaller.filtered.vcf.gz`]: calls,
      [`${calling}/haplotypecaller/leaf/leaf.haplotypecaller.filtered.vcf.gz.tbi`]: gzipSync(Buffer.from('TBI\x01')),
      [`${calling}/deepvariant/leaf/leaf.deepvariant.g.vcf.gz`]: calls,
      [`${calling}/strelka/leaf/leaf.strelka.variants.vcf.gz`]: calls,
      [`${calling}/strelka/leaf/leaf.strelka.genome.vcf.gz`]: calls,
      [`${calling}/cnvkit/leaf/leaf.cns`]: 'chromosome\tstart\tend\tgene\tlog2\nchr1\t0\t100\t-\t0.1\n',
      'annotation/haplotypecaller/leaf/leaf.haplotypecaller.filtered_snpEff.ann.vcf.gz': calls,
    })
    expect(unrecognised(state)).toEqual([])
    expect(codes).toEqual([])
    expect((manifest.assemblies[0]!.tracks as { file: string }[]).map(({ file }) => file)).toEqual([
      'preprocessing/markduplicates/root/root.md.bam',
      'preprocessing/recalibrated/leaf/leaf.recal.bam',
    ])
    expect((manifest.assemblies[0]!.variants as { file: string }[]).map(({ file }) => file)).toEqual([
      'variant_calling/haplotypecaller/leaf/leaf.haplotypecaller.filtered.vcf.gz',
      'variant_calling/strelka/leaf/leaf.strelka.variants.vcf.gz',
    ])
  })

  test('of PLINK becomes variants, with the files of its variants and samples', async () => {
    const base = fasta('x', 'y').replace(/>x\n|\n/g, '')[119]!
    const other = base === 'A' ? 'C' : 'A'
    const { manifest, state, errors } = await bring({
      ...genome,
      'panel.bed': Buffer.from([0x6c, 0x1b, 0x01, 0b11_10_01_00]),
      'panel.bim': `chr1\trs1\t0\t120\t${other}\t${base}\n`,
      'panel.fam': 'f a 0 0 0 -9\nf b 0 0 0 -9\nf c 0 0 0 -9\nf d 0 0 0 -9\n',
      'alone.bed': Buffer.from([0x6c, 0x1b, 0x01, 0]),
    })
    expect(manifest.assemblies[0]!.variants).toEqual([{ id: 'panel', name: 'panel', file: 'panel.bed' }])
    expect(state).toMatchObject({ 'panel.bim': 'variants', 'panel.fam': 'variants', 'alone.bed': 'none' })
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

  test('may bring its genome as 2bit: alone, beside the same in FASTA, and in a hub that names its species', async () => {
    const sequences = makeGenome()
    const packed = renderTwoBit({ chr1: sequences.chr1, chr2: sequences.pT }, { isLittleEndian: false })
    const alone = await bring({ 'T7.2bit': packed, 'T7.gff3': gff3('chr1', 'chr2') })
    expect(alone.manifest.assemblies[0]).toMatchObject({ genome: 'T7.2bit', genes: 'T7.gff3' })
    expect(await alone.errors()).toEqual([])
    const beside = await bring({ ...genome, 'T7.2bit': packed })
    expect(beside.manifest.assemblies).toHaveLength(1)
    expect(beside.state).toMatchObject({ 'T7.fa': 'genome', 'T7.2bit': 'none' })
    const hub = await bring({
      'hub.txt': 'hub T7\nshortLabel T7 hub\ngenomesFile genomes.txt\n',
      'genomes.txt': 'genome T7v2\ntrackDb T7/trackDb.txt\ntwoBitPath T7/x.2bit\nscientificName Testus minimus\n',
      'T7/trackDb.txt': 'track sites\nbigDataUrl b.bed\n',
      'T7/b.bed': 'chr1\t900\t980\tsite1\n',
      'T7/x.2bit': packed,
    })
    expect(hub.asked).toEqual([])
    expect(hub.manifest.name).toBe('Testus minimus')
    expect(hub.manifest.assemblies[0]).toMatchObject({ id: 'T7v2', genome: 'T7/x.2bit', tracks: [{ id: 'sites' }] })
    expect(await hub.errors()).toEqual([])
  })

  test('has the names that genome browsers give its tracks', async () => {
    const { manifest, state, codes, errors } = await bring({
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
          { trackId: 'gone', adapter: { type: 'BamAdapter', uri: 'gone.bam' } },
          { trackId: 'within', name: 'Within', adapter: { type: 'FromConfigAdapter', features: [] } },
          {
            trackId: 'both',
            name: 'Signals',
            adapter: {
              type: 'MultiWiggleAdapter',
              subadapters: ['leaf', 'root'].map((source) => ({
                type: 'BigWigAdapter',
                source,
                bigWigLocation: { uri: `${source}.bedgraph` },
              })),
            },
          },
        ],
      }),
      'jbrowse/a.bed': 'chr1\t100\t260\tpeak1\n',
      'jbrowse/leaf.bedgraph': 'chr1\t0\t100\t1\n',
      'jbrowse/root.bedgraph': 'chr1\t0\t100\t2\n',
      'hub/hub.txt': 'hub T7\nshortLabel T7 hub\ngenomesFile genomes.txt\n',
      'hub/genomes.txt': 'genome T7\ntrackDb T7/trackDb.txt\ngroups T7/groups.txt\n',
      'hub/T7/groups.txt': 'name regulation\nlabel Regulation\n',
      'hub/T7/regulation.html': '<H2>Description</H2>\n<P>Sites.</P>\n',
      'hub/T7/trackDb.txt': [
        'track regulation',
        'superTrack on show',
        'shortLabel Regulation',
        '',
        '  track sites',
        '  superTrack regulation dense',
        '  bigDataUrl b.bed',
        '  shortLabel Binding sites',
        '  longLabel Binding sites of KinB',
        '  type bigBed 4',
        '',
        'track signals',
        'compositeTrack on',
        'shortLabel Signals',
        '',
        '    track view',
        '    view signal',
        '    parent signals',
        '',
        '        track leaf',
        '        parent view off',
        '        bigDataUrl ../leaf%20signal.bedgraph',
        '        type bigWig 0 10',
        '',
        'track remote',
        'bigDataUrl https://example.org/b.bb',
        '',
      ].join('\n'),
      'hub/T7/b.bed': 'chr1\t900\t980\tsite1\n',
      'hub/leaf signal.bedgraph': 'chr1\t0\t100\t1\n',
    })
    expect(manifest.assemblies[0]!.tracks).toEqual([
      {
        id: 'sites',
        name: 'Binding sites',
        file: 'hub/T7/b.bed',
        category: 'Regulation',
        description: 'Binding sites of KinB',
      },
      { id: 'leaf', name: 'leaf', file: 'hub/leaf signal.bedgraph', category: 'Signals' },
      { id: 'chip', name: 'ChIP of kinB', file: 'jbrowse/a.bed', category: 'ChIP' },
      { id: 'both-1', name: 'Signals, leaf', file: 'jbrowse/leaf.bedgraph' },
      { id: 'both-2', name: 'Signals, root', file: 'jbrowse/root.bedgraph' },
    ])
    expect(codes).toEqual([
      'import-tracks-elsewhere hub/T7/trackDb.txt',
      'import-tracks-elsewhere jbrowse/config.json',
      'import-tracks-missing jbrowse/config.json',
      'import-tracks-unread jbrowse/config.json',
    ])
    expect(unrecognised(state)).toEqual([])
    expect(await errors()).toEqual([])
  })

  test('lies on the genome that the configuration of JBrowse names, in folders that have copies of it', async () => {
    const sequences = makeGenome()
    const packed = renderTwoBit({ chr1: sequences.chr1, chr2: sequences.pT })
    const track = (id: string, type: string, uri: string, assemblyNames: string[]): object => ({
      trackId: id,
      name: id,
      assemblyNames,
      adapter: { type, [`${type.replace('Adapter', '').toLowerCase()}Location`]: { uri } },
    })
    const genomeOf = (name: string, uri: string, more: object = {}): object => ({
      name,
      sequence: { trackId: `${name}-seq`, adapter: { type: 'TwoBitAdapter', twoBitLocation: { uri } } },
      ...more,
    })
    const { manifest, state, asked } = await bring(
      {
        'index.html': '<!DOCTYPE html>\n',
        'static/js/main.1.chunk.js': 'var a=1;\n',
        'test_data/config.json': JSON.stringify({
          assemblies: [
            genomeOf('GCF', 'GCF.2bit', {
              displayName: 'Testus minimus T7',
              refNameAliases: { adapter: { type: 'RefNameAliasAdapter', location: { uri: 'GCF.aliases.txt' } } },
            }),
            genomeOf('T8', 'T8/T8.2bit', {
              refNameAliases: {
                adapter: { type: 'FromConfigAdapter', features: [{ refName: 'chr1', aliases: ['A', 'contigA'] }] },
              },
            }),
            genomeOf('away', 'https://example.org/away.2bit'),
          ],
          tracks: [
            { ...track('reads', 'BedAdapter', 'T8/reads.bed', ['T8']), name: '<i>Reads</i> < 5' },
            {
              trackId: 'both',
              name: 'T8 on T7',
              assemblyNames: ['T8', 'GCF'],
              adapter: { type: 'PAFAdapter', pafLocation: { uri: 'T8.paf' }, assemblyNames: ['T8', 'GCF'] },
            },
          ],
        }),
        'test_data/GCF.2bit': packed,
        'test_data/GCF.aliases.txt': 'chr1\tNC_1.1\tucsc\nchr2\tNC_2.1\tucsc\n',
        'test_data/T8/T8.2bit': packed,
        'test_data/T8/T8.fa': fasta('chr1', 'chr2'),
        'test_data/T8/T8.sorted.gff3': gff3('chr1', 'chr2'),
        'test_data/T8/reads.bed': 'chr1\t100\t200\n',
        'test_data/T8.paf': 'chr1\t3000\t0\t2000\t+\tchr1\t3000\t0\t2000\t2000\t2000\t60\n',
      },
      null,
    )
    expect(manifest.name).toBe('Testus minimus')
    expect(asked).toEqual(['reference testus-minimus'])
    expect(state['static/js/main.1.chunk.js']).toBe('none')
    expect(manifest.synteny).toEqual([{ file: 'test_data/T8.paf', assemblies: ['T8', 'T7'] }])
    expect(manifest.assemblies).toMatchObject([
      {
        id: 'T7',
        genome: 'test_data/GCF.2bit',
        sequences: [
          { name: 'chr1', aliases: ['NC_1.1'] },
          { name: 'chr2', aliases: ['NC_2.1'] },
        ],
      },
      {
        id: 'T8',
        genome: 'test_data/T8/T8.2bit',
        genes: 'test_data/T8/T8.sorted.gff3',
        sequences: [{ name: 'chr1', aliases: ['A', 'contigA'] }],
        tracks: [{ id: 'reads', name: 'Reads < 5', file: 'test_data/T8/reads.bed' }],
      },
    ])
  })

  test('with the names that UCSC lists goes to the genome with other names; alignments of one genome alone are told', async () => {
    const { manifest, state } = await bring({
      ...genome,
      'T7.chromAlias.txt': '# ucsc\tassembly\tgenbank\nchr1\t1\tCM000001.1\nchr2\t2\tCM000002.1\n',
      'peaks.bed': 'CM000001.1\t100\t200\n',
      'others.paf': 'x1\t3000\t0\t2000\t+\tchr1\t3000\t0\t2000\t2000\t2000\t60\n',
    })
    expect(manifest.assemblies[0]).toMatchObject({
      sequences: [
        { name: 'chr1', aliases: ['1', 'CM000001.1'] },
        { name: 'chr2', aliases: ['2', 'CM000002.1'] },
      ],
      tracks: [{ id: 'peaks', file: 'peaks.bed' }],
    })
    expect(state).toMatchObject({ 'T7.chromAlias.txt': 'read', 'others.paf': 'none' })
  })

  test('of Phytozome is known by its older names, and where the species has a number', async () => {
    const genes = gff3('Chr1', 'Chr2', ['##gff-version 3', '##annot-version v1.1']).replaceAll(
      '\tx\t',
      '\tphytozome8_0\t',
    )
    const names = (species: string): Record<string, string> => ({
      [`${species}_109.fa`]: fasta('Chr1', 'Chr2'),
      [`${species}_109_RM.fa`]: fasta('Chr1', 'Chr2'),
      [`${species}_109_gene.gff3`]: genes,
      [`${species}_109_gene_exons.gff3`]: genes,
      [`${species}_109_cds.fa`]: fasta('c1', 'c2'),
      [`${species}_109_annotation_info.txt`]:
        '#pacId\tlocusName\ttranscriptName\tpeptideName\tPfam\tPanther\tKOG\tec\tKO\tGO\tBest-hit-arabi-name\tarabi-symbol\tarabi-defline\n900001\tTM_0001\tTM_0001.1\tTM_0001.1.p\tPF00004\tPTHR1\t\t\tK02108\tGO:0000009\tAT1G01010.1\tABC\tprotein\n',
    })
    for (const species of ['Tmin', 'T7minimus']) {
      const { manifest, titles, report } = await bring(names(species))
      expect(report.log.defects).toEqual([])
      expect(titles).toEqual(['Phytozome genome'])
      expect(manifest.assemblies).toMatchObject([
        {
          id: `${species}_109`,
          source: 'Phytozome 109',
          genome: `${species}_109.fa`,
          genes: `${species}_109_gene_exons.gff3`,
          annotation: [{ file: `${species}_109_annotation_info.txt` }],
        },
      ])
    }
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

describe('annotation of programs', () => {
  test.each([
    ['Phytozome', phytozomeFolder, /annotation_info\.txt$/],
    ['Bakta', baktaFolder, /^T7\.tsv$/],
    ['Prokka', prokkaFolder, /^PROKKA_01\.tsv$/],
    ['funannotate', funannotateFolder, /annotations\.txt$/],
  ] as const)('of %s is taken', async (_, files, name) => {
    const { manifest, errors } = await bring(files())
    expect(manifest.assemblies[0]!.annotation).toEqual([{ file: expect.stringMatching(name) }])
    expect(await errors()).toEqual([])
  })

  test('is that of the assembly whose genes it names, and of none where it names others', async () => {
    const { manifest, codes, state, errors } = await bring({
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'B.fa': fasta('b1', 'b2'),
      'B.gff3': gff3('b1', 'b2').replaceAll('TM_', 'BB_').replaceAll('TMP_', 'BBP_'),
      'ko/kofam.txt':
        '#\tgene name\tKO\tthrshld\tscore\tE-value\t"KO definition"\n*\tBB_0001\tK02111\t100.0\t200.0\t1e-50\t"ATPase"\n',
      'eggnog/x.emapper.annotations':
        '## emapper-3.0.0\n#query\tseed_ortholog\tevalue\tscore\teggNOG_OGs\tmax_annot_lvl\tCOG_category\tDescription\tPreferred_name\tGOs\tEC\tKEGG_ko\tKEGG_Pathway\tKEGG_Module\tKEGG_Reaction\tKEGG_rclass\tBRITE\tKEGG_TC\tCAZy\tBiGG_Reaction\tPFAMs\nTM_0001.1\t1.A\t1e-50\t200\tCOG0055@1|root\t1|root\tC\tATPase\tabcA\tGO:0000009\t-\tko:K02111\t-\t-\t-\t-\t-\t-\t-\t-\tATP-synt_ab\n',
      'other/go.tsv': 'ZZ_1\tGO:0000009\nZZ_2\tGO:0000003\n',
      'gene_presence_absence.csv':
        'Gene,Non-unique Gene name,Annotation,B,T7\nabcA,,"ATPase, subunit A",BB_0001,TM_0001\n',
      // What Roary writes beside it is neither a genome nor gene models nor a matrix of expression.
      'accessory_binary_genes.fa': '>B\nACAC\n>T7\nCCAA\n',
      'accessory.header.embl':
        'ID   Genome standard; DNA; PRO; 1234 BP.\nXX\nFH   Key             Location/Qualifiers\nFH\nFT   feature         1..100\nFT                   /label=abcA\nXX\nSQ   Sequence 1234 BP; 789 A; 1717 C; 1693 G; 691 T; 0 other;\n//\n',
      'gene_presence_absence.Rtab': 'Gene\tB\tT7\nBB_0001\t1\t0\nTM_0001\t1\t1\n',
      'number_of_genes_in_pan_genome.Rtab': '1\t2\n1\t2\n',
    })
    for (const name of ['accessory_binary_genes.fa', 'accessory.header.embl', 'gene_presence_absence.Rtab'])
      expect(state[name]).toBe('none')
    expect(manifest.assemblies.map(({ id, annotation }) => [id, annotation])).toEqual([
      ['B', [{ file: 'ko/kofam.txt' }]],
      ['T7', [{ file: 'eggnog/x.emapper.annotations' }]],
    ])
    expect(manifest.orthogroups).toBe('gene_presence_absence.csv')
    expect(codes).toEqual(['import-genes-unknown other/go.tsv'])
    expect(state['other/go.tsv']).toBe('not-placed')
    expect(await errors()).toEqual([])
  })

  test('of InterProScan is its TSV; its GFF3 lies on proteins', async () => {
    const md5 = '0123456789abcdef'.repeat(2)
    const { manifest, codes, state } = await bring({
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'out.tsv': `TM_0001.1\t${md5}\t90\tMobiDBLite\tmobidb-lite\tconsensus disorder prediction\t4\t17\t-\tT\t09-11-2021\t-\t-\n`,
      'out.gff3': `##gff-version 3\n##interproscan-version 5.52-86.0\n##sequence-region TM_0001.1 1 90\nTM_0001.1\t.\tpolypeptide\t1\t90\t.\t+\t.\tID=TM_0001.1;md5=${md5}\n`,
      'out.json': '{\n "interproscan-version": "5.52-86.0",\n "results": []\n}\n',
      'out.xml': '<?xml version="1.0"?>\n<protein-matches interproscan-version="5.52-86.0">\n</protein-matches>\n',
    })
    expect(manifest.assemblies[0]!.annotation).toEqual([{ file: 'out.tsv' }])
    expect(codes).toEqual([])
    for (const end of ['gff3', 'json', 'xml']) expect(state[`out.${end}`]).toBe('none')
  })

  test('structures of proteins are named by their folder, or each by itself beside others; a small molecule is none', async () => {
    const helix = 'MKLVAEERTGKLIAADDEWYF'
    const { manifest, codes, state } = await bring({
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'af/AF-TMP_1.1-F1-model_v4.cif': helixCif(helix),
      'af/TM_0002.pdb': helixPdb(helix),
      'lab/TM_0001.1.pdb': helixPdb(helix),
      'lab/ligand.cif': "data_x\n_chemical_formula_sum 'C6 H12 O6'\n",
      'measured/TM_0002.cif': helixCif(helix).replace('\n', '\n_reflns.entry_id x\n'),
    })
    expect(manifest.assemblies[0]!.structures).toEqual([{ folder: 'af' }, 'lab/TM_0001.1.pdb', 'measured/TM_0002.cif'])
    expect(codes.filter((code) => !code.includes('ligand'))).toEqual([])
    expect(state['lab/ligand.cif']).not.toBe('entry')
    expect(codes.some((code) => code.includes('af/'))).toBe(false)
  })

  test('of an OrthoFinder run is its table; trees, sequences and numbers of genes are no genomes and no matrices', async () => {
    const run = (name: string): string => `OrthoFinder/Results_Jan01/${name}`
    const { manifest, codes, state, errors } = await bring({
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'B.fa': fasta('b1', 'b2'),
      'B.gff3': gff3('b1', 'b2').replaceAll('TM_', 'BB_').replaceAll('TMP_', 'BBP_'),
      [run('Orthogroups/Orthogroups.tsv')]: 'Orthogroup\tB.pep\tT7.pep\nOG0000000\tBB_0001.1\tTM_0001.1\n',
      [run('Orthogroups/Orthogroups.txt')]: 'OG0000000: BB_0001.1 TM_0001.1\n',
      [run('Orthogroups/Orthogroups.GeneCount.tsv')]: 'Orthogroup\tB.pep\tT7.pep\tTotal\nOG0000000\t1\t1\t2\n',
      [run('Orthogroups/Orthogroups_UnassignedGenes.tsv')]: 'Orthogroup\tB.pep\tT7.pep\nOG0000001\tBB_0002.1\t\n',
      [run('Comparative_Genomics_Statistics/Statistics_Overall.tsv')]: 'Number of species\t2\nNumber of genes\t4\n',
      [run('Gene_Trees/OG0000000_tree.txt')]: '(B_BB_0001.1:0.1,T7_TM_0001.1:0.1);\n',
      [run('Orthogroup_Sequences/OG0000000.fa')]: '>BB_0001.1\nMKV*\n>TM_0001.1\nMKV*\n',
      [run('Log.txt')]: '2026-01-01 10:00:00 : Started OrthoFinder version 2.5.5\n',
    })
    expect(manifest.orthogroups).toBe(run('Orthogroups/Orthogroups.tsv'))
    expect(manifest.assemblies.map(({ id }) => id)).toEqual(['B', 'T7'])
    expect(codes).toEqual([])
    for (const name of Object.keys(state).filter(
      (path) => path.startsWith('OrthoFinder') && !/Orthogroups\.tsv$/.test(path),
    ))
      expect([name, state[name]]).toEqual([name, 'none'])
    expect(await errors()).toEqual([])
  })

  test('waits for a person where two assemblies have its genes', async () => {
    const files = {
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'B.fa': fasta('b1', 'b2'),
      'B.gff3': gff3('b1', 'b2'),
      'ko/go.tsv': 'TM_0001\tGO:0000009\nTM_0002\tGO:0000003\n',
    }
    const { asked, manifest, report } = await bring(files, null)
    expect(asked).toContain('assembly ko/go.tsv')
    expect(manifest.assemblies[0]!.annotation).toEqual([{ file: 'ko/go.tsv' }])
    expect(report.manifests[0]!.text).toMatch(
      /# CHECK: the genes of ko\/go\.tsv are those of T7\S* as well\n +annotation:/,
    )
  })
})

describe('transposable elements', () => {
  const genome = { 'T7.fa': fasta('chr1', 'chr2'), 'T7.gff3': gff3('chr1', 'chr2') }
  const out =
    '   SW   perc perc perc  query     position in query    matching repeat       position in repeat\nscore   div. del. ins.  sequence  begin end   (left)   repeat   class/family begin  end    (left)  ID\n\n  734   27.6  9.9  4.0  chr1       1483  1806 (1194) + Ty1      LTR/Copia    5368   5710  (414)   1\n'

  test('of RepeatMasker are its .out; the masked genome is no second assembly', async () => {
    const { manifest, codes, state } = await bring({
      ...genome,
      'T7.fa.out': out,
      'T7.fa.masked': fasta('chr1', 'chr2').replace(/[ACGT]{20}/, 'N'.repeat(20)),
      'T7.fa.tbl': '==================================================\nfile name: T7.fa\nsequences:             2\n',
      'T7.fa.cat': '734 27.6 9.9 4.0 chr1 1483 1806 (1194) Ty1#LTR/Copia 5368 5710 (414) 1\n',
      'T7.fa.out.gff':
        '##gff-version 2\nchr1\tRepeatMasker\tsimilarity\t1483\t1806\t27.6\t+\t.\tTarget "Motif:Ty1" 5368 5710\n',
    })
    expect(manifest.assemblies).toHaveLength(1)
    expect(manifest.assemblies[0]).toMatchObject({
      genome: 'T7.fa',
      genes: 'T7.gff3',
      transposableElements: { file: 'T7.fa.out' },
    })
    expect(manifest.assemblies[0]!.tracks).toBeUndefined()
    expect(codes).toEqual([])
    for (const end of ['masked', 'tbl', 'cat', 'out.gff']) expect(state[`T7.fa.${end}`]).toBe('none')
  })

  test('of EDTA are its annotation and library; its copy of the genome is no second assembly', async () => {
    const line = (id: string): string =>
      `chr1\tEDTA\tCopia_LTR_retrotransposon\t1483\t1806\t2950\t+\t.\tID=${id};Name=TE_1_INT;Classification=LTR/Copia;Sequence_ontology=SO:0002264;Identity=0.967;Method=homology\n`
    const { manifest, codes, state } = await bring({
      ...genome,
      'T7.fa.mod': fasta('chr1', 'chr2'),
      'T7.fa.mod.EDTA.TElib.fa': '>TE_1_INT#LTR/Copia\nACGTACGTAC\n',
      'T7.fa.mod.EDTA.TEanno.gff3': `##gff-version 3\n${line('TE_homo_0')}`,
      'T7.fa.mod.EDTA.intact.gff3': `##gff-version 3\n${line('TE_struc_0')}`,
      'T7.fa.mod.EDTA.TEanno.sum': 'Repeat Classes\n==============\nTotal Sequences: 2\n',
      'T7.fa.mod.MAKER.masked': fasta('chr1', 'chr2').replace(/[ACGT]{20}/, 'N'.repeat(20)),
      'T7.fa.mod.EDTA.raw/T7.fa.mod.LTR.intact.raw.fa': '>chr1:1483..1806#LTR/Copia\nACGTACGTAC\n',
      'T7.fa.mod.EDTA.anno/T7.fa.mod.EDTA.RM.out': out,
    })
    expect(manifest.assemblies).toHaveLength(1)
    expect(manifest.assemblies[0]).toMatchObject({
      genome: 'T7.fa',
      transposableElements: {
        file: 'T7.fa.mod.EDTA.TEanno.gff3',
        library: { file: 'T7.fa.mod.EDTA.TElib.fa' },
      },
    })
    expect(codes).toEqual([])
    expect(Object.values(state)).not.toContain('unknown')
  })
})

describe('expression', () => {
  const genome = { 'T7.fa': fasta('chr1', 'chr2'), 'T7.gff3': gff3('chr1', 'chr2') }
  const samples = ['leaf_1', 'leaf_2', 'root_1', 'root_2']
  const perSample = (path: (sample: string) => string, content: string): SourceFiles =>
    Object.fromEntries(samples.map((sample) => [path(sample), content]))
  const star = 'N_unmapped\t5\t5\t5\nN_multimapping\t1\t1\t1\nN_noFeature\t2\t9\t3\nN_ambiguous\t0\t0\t0\n'
  const salmon =
    'Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001.1\t120\t80\t600000\t20\nTM_0002.1\t150\t90\t400000\t30\n'
  const rsem = 'TM_0001\tTM_0001.1\t120\t80\t20\t600000\t500000\nTM_0002\tTM_0002.1\t150\t90\t30\t400000\t300000\n'
  const sheet = `sample,tissue\n${samples.map((sample) => `${sample},${sample.slice(0, 4)}\n`).join('')}`

  test.each<[string, SourceFiles, object]>([
    [
      'STAR',
      perSample((sample) => `star/${sample}ReadsPerGene.out.tab`, `${star}TM_0001\t10\t1\t9\nTM_0002\t20\t1\t19\n`),
      { id: 'star', name: 'star', folder: 'star', unit: 'counts' },
    ],
    [
      'Salmon',
      perSample((sample) => `salmon/${sample}/quant.sf`, salmon),
      { id: 'salmon', folder: 'salmon', unit: 'TPM' },
    ],
    [
      'kallisto',
      perSample(
        (sample) => `kallisto/${sample}/abundance.tsv`,
        'target_id\tlength\teff_length\test_counts\ttpm\nTM_0001.1\t120\t80\t20\t600000\nTM_0002.1\t150\t90\t30\t400000\n',
      ),
      { id: 'kallisto', folder: 'kallisto', unit: 'TPM' },
    ],
    [
      'RSEM',
      perSample(
        (sample) => `rsem/${sample}.genes.results`,
        `gene_id\ttranscript_id(s)\tlength\teffective_length\texpected_count\tTPM\tFPKM\n${rsem}`,
      ),
      { id: 'rsem', folder: 'rsem', unit: 'TPM' },
    ],
    [
      'htseq-count, beside other files',
      { ...perSample((sample) => `${sample}.htseq.txt`, 'TM_0001\t10\nTM_0002\t20\n__no_feature\t4\n') },
      { file: samples.map((sample) => `${sample}.htseq.txt`), unit: 'counts' },
    ],
    [
      'featureCounts',
      {
        'counts/gene.txt': `# Program:featureCounts v2.0.3; Command:"featureCounts"\nGeneid\tChr\tStart\tEnd\tStrand\tLength\t${samples.map((sample) => `/map/${sample}.bam`).join('\t')}\nTM_0001\tchr1;chr1\t101;201\t160;260\t+;+\t120\t1\t2\t3\t4\nTM_0002\tchr1\t501\t650\t-\t150\t5\t6\t7\t8\n`,
        'counts/gene.txt.summary': 'Status\t/map/leaf_1.bam\nAssigned\t10\n',
      },
      { id: 'gene', file: 'counts/gene.txt', unit: 'counts' },
    ],
    [
      'nf-core/rnaseq',
      {
        ...perSample((sample) => `star_salmon/${sample}/quant.sf`, salmon),
        'star_salmon/salmon.merged.gene_tpm.tsv': `gene_id\tgene_name\t${samples.join('\t')}\nTM_0001\tabcA\t1.5\t2\t3\t4\nTM_0002\tkinB\t5\t6\t7\t8\n`,
        'star_salmon/salmon.merged.gene_counts.tsv': `gene_id\tgene_name\t${samples.join('\t')}\nTM_0001\tabcA\t1\t2\t3\t4\nTM_0002\tkinB\t5\t6\t7\t8\n`,
        'star_salmon/tx2gene.tsv': 'TM_0001.1\tTM_0001\tabcA\nTM_0002.1\tTM_0002\tkinB\n',
      },
      { file: 'star_salmon/salmon.merged.gene_tpm.tsv', unit: 'TPM' },
    ],
    [
      'a matrix, whose sheet and results lie beside it',
      {
        'atlas-tpm.csv': `gene,${samples.join(',')}\nTM_0001,1.5,2,3,4\nTM_0002,5,6,7,8\n`,
        'deseq2/salt_vs_control.deseq2.csv':
          '"","baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"\n"TM_0001",10,1.5,0.2,5,0.001,0.002\n"TM_0002",20,-1,0.2,5,0.01,0.01\n',
      },
      {
        id: 'atlas-tpm',
        file: 'atlas-tpm.csv',
        unit: 'TPM',
        differential: [{ id: 'salt_vs_control', name: 'salt_vs_control', file: 'deseq2/salt_vs_control.deseq2.csv' }],
      },
    ],
  ])('of %s has its entry, with the sheet of its samples', async (_, files, entry) => {
    const { manifest, codes, asked, state, errors } = await bring({ ...genome, ...files, 'samplesheet.csv': sheet })
    expect(codes).toEqual([])
    expect(asked).toEqual(['species'])
    expect(manifest.assemblies[0]!.expression).toMatchObject([{ ...entry, samples: 'samplesheet.csv' }])
    expect(unrecognised(state)).toEqual([])
    expect(await errors()).toEqual([])
  })

  test('of no known unit waits for a person; a table of other genes is not recognised', async () => {
    const { manifest, asked, report, state } = await bring(
      {
        ...genome,
        'values.tsv': 'gene\ta\tb\nTM_0001\t1.5\t7\nTM_0002\t2.5\t3\n',
        'weather.tsv': 'day\train\twind\nMonday\t1\t2\nTuesday\t3\t4\n',
        'alone/x.edger.tsv':
          'Chr\tStart\tEnd\tlogFC\tlogCPM\tPValue\tFDR\nTM_0001\tchr1\t101\t260\t1.5\t7\t0.01\t0.02\n',
        'introns.tsv': 'gene\tintrons\texons\nTM_0001\t1\t2\nTM_0002\t0\t1\n',
        'peaks.xls':
          'chr\tstart\tend\tlength\tpileup\t-log10(pvalue)\tname\nchr1\t101\t260\t160\t9\t7.5\tpeak_1\nchr1\t301\t360\t60\t9\t7.5\tpeak_2\n',
      },
      null,
    )
    // What two columns of whole numbers are, nothing tells; and the results may be of either table.
    expect(asked).toEqual(['species', 'unit introns.tsv', 'unit values.tsv', 'differential alone/x.edger.tsv'])
    expect(manifest.assemblies[0]!.expression).toEqual([
      {
        id: 'introns',
        name: 'introns',
        file: 'introns.tsv',
        unit: 'counts',
        differential: [{ id: 'x', name: 'x', file: 'alone/x.edger.tsv' }],
      },
      { id: 'values', name: 'values', file: 'values.tsv', unit: 'log2' },
    ])
    expect(manifest.assemblies[0]!.gwas).toBeUndefined()
    expect(report.manifests[0]!.text).toMatch(
      /# CHECK: the unit of the values; alone\/x\.edger\.tsv may be of values instead\n[\s\S]*# CHECK: the unit of the values\n/,
    )
    expect(state).toMatchObject({ 'weather.tsv': 'unknown', 'peaks.xls': 'unknown' })
  })
})

describe('association scans', () => {
  test('of programs become entries; GEMMA has its positions of PLINK', async () => {
    const { manifest, codes, state, errors } = await bring({
      'T7.fa': fasta('chr1', 'chr2'),
      'T7.gff3': gff3('chr1', 'chr2'),
      'plink2.height.glm.linear':
        '#CHROM\tPOS\tID\tREF\tALT\tA1\tTEST\tOBS_CT\tBETA\tSE\tT_STAT\tP\nchr1\t120\trs1\tA\tG\tG\tADD\t90\t0.5\t0.1\t5\t1e-6\nchr1\t520\trs2\tA\tC\tC\tADD\t90\t0.1\t0.1\t1\t0.3\n',
      'gemma/yield.assoc.txt':
        'chr\trs\tps\tn_miss\tallele1\tallele0\taf\tbeta\tse\tlogl_H1\tl_remle\tp_wald\n-9\trs1\t-9\t0\tG\tA\t0.2\t0.5\t0.1\t-10\t1\t1e-6\n-9\trs2\t-9\t0\tC\tA\t0.2\t0.1\t0.1\t-10\t1\t0.3\n',
      'gemma/panel.bim': 'chr1\trs1\t0\t120\tG\tA\nchr1\trs2\t0\t520\tC\tA\n',
      // SAIGE-GENE writes the results of groups and, beside them, those of single variants; beta is of allele 2.
      'saige/cobolt_out.txt':
        'Region\tGroup\tmax_MAF\tPvalue\tPvalue_Burden\tPvalue_SKAT\tBETA_Burden\tSE_Burden\tMAC\nGENE1\tlof\t0.01\t0.04\t0.04\t0.05\t0.1\t0.06\t5\n',
      'saige/cobolt_out.txt.singleAssoc.txt':
        'CHR\tPOS\tMarkerID\tAllele1\tAllele2\tAC_Allele2\tAF_Allele2\tMissingRate\tBETA\tSE\tTstat\tvar\tp.value\nchr1\t120\trs1\tA\tC\t20\t0.01\t0\t-0.06\t0.7\t-0.1\t1.6\t0.93\n',
    })
    expect(codes).toEqual([])
    expect(manifest.assemblies[0]!.gwas).toEqual([
      { id: 'yield', name: 'yield', file: 'gemma/yield.assoc.txt', positions: 'gemma/panel.bim' },
      { id: 'height', name: 'height', file: 'plink2.height.glm.linear' },
      { id: 'cobolt_out', name: 'cobolt_out', file: 'saige/cobolt_out.txt.singleAssoc.txt' },
    ])
    expect(state['saige/cobolt_out.txt']).toBe('none')
    expect(unrecognised(state)).toEqual([])
    expect(await errors()).toEqual([])
  })
})
