import { makeGenome, makeGff3 } from './species.ts'

// Downloads and outputs of programs with the small genome of `species.ts`, laid out and written as their sources do.

export type SourceFiles = Record<string, string | Uint8Array>

const wrap = (bases: string, width = 80): string => bases.replace(new RegExp(`(.{${width}})`, 'g'), '$1\n')

/** The genome's FASTA with headers of one's own. */
export const fasta = (chr1: string, pT: string): string => {
  const genome = makeGenome()
  return `>${chr1}\n${wrap(genome.chr1)}\n>${pT}\n${wrap(genome.pT)}\n`
}

/** The gene models with other names of the sequences. */
export const gff3 = (chr1: string, pT: string, head: readonly string[] = ['##gff-version 3']): string =>
  [...head, ...makeGff3().split('\n').slice(1)]
    .map((line) => line.replace(/^(chr1|CHROMOSOME_1)\t/, `${chr1}\t`).replace(/^pT\t/, `${pT}\t`))
    .join('\n')

/** Of the gene models, GTF with `key "value"`. */
export const gtf = (chr1: string, pT: string, head: readonly string[] = []): string => {
  const rows: [string, string, number, number, string, string, string, string][] = [
    [chr1, 'exon', 101, 160, '+', '.', 'TM_0001', 'TM_0001.1'],
    [chr1, 'exon', 201, 260, '+', '.', 'TM_0001', 'TM_0001.1'],
    [chr1, 'CDS', 101, 160, '+', '0', 'TM_0001', 'TM_0001.1'],
    [chr1, 'CDS', 201, 260, '+', '0', 'TM_0001', 'TM_0001.1'],
    [chr1, 'exon', 501, 650, '-', '.', 'TM_0002', 'TM_0002.1'],
    [chr1, 'CDS', 501, 650, '-', '0', 'TM_0002', 'TM_0002.1'],
    [pT, 'exon', 101, 160, '+', '.', 'TM_0004', 'TM_0004.1'],
    [pT, 'CDS', 101, 160, '+', '0', 'TM_0004', 'TM_0004.1'],
  ]
  const lines = rows.map(
    ([sequence, type, start1, end1, strand, phase, gene, transcript]) =>
      `${sequence}\tx\t${type}\t${start1}\t${end1}\t.\t${strand}\t${phase}\tgene_id "${gene}"; transcript_id "${transcript}";`,
  )
  return `${[...head, ...lines].join('\n')}\n`
}

export const cdsFasta = (header: (id: string) => string): string =>
  ['TM_0001.1', 'TM_0002.1'].map((id) => `>${header(id)}\nATGTCTAAACTGCGTGATCAGACCCCGGAAGTTCACTAA\n`).join('')

/** Proteins of the two genes, as they are translated. */
export const proteinFasta = (first: string, second: string): string =>
  `>${first}\nMSKLRDQTPEVHWYCNFGIAMKLDERTPQSVHWGNYCFA\n>${second}\nMTDLPKRRAENQSVGHWYFCIMLKTDEPAGQRNSVHWYFCILKTDEPAG\n`

const ncbiGff3 = (): string =>
  gff3('NC_900001.1', 'NC_900002.1', [
    '##gff-version 3',
    '#!gff-spec-version 1.21',
    '#!processor NCBI annotwriter',
    '#!genome-build TMv2',
    '#!genome-build-accession NCBI_Assembly:GCF_900000001.2',
    '##sequence-region NC_900001.1 1 3000',
    '##species https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9000001',
    'NC_900001.1\tRefSeq\tregion\t1\t3000\t.\t+\t.\tID=NC_900001.1:1..3000;Dbxref=taxon:9000001;Name=1;chromosome=1;gbkey=Src;genome=chromosome;mol_type=genomic DNA;strain=T7',
    '##sequence-region NC_900002.1 1 600',
    'NC_900002.1\tRefSeq\tregion\t1\t600\t.\t+\t.\tID=NC_900002.1:1..600;Dbxref=taxon:9000001;Is_circular=true;Name=pT;gbkey=Src;genome=plasmid;mol_type=genomic DNA;plasmid-name=pT;strain=T7',
  ]).replace(/(\tCDS\t.*)$/gm, '$1;gbkey=CDS;transl_table=11')

const assemblyReport = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  accession: 'GCF_900000001.2',
  annotationInfo: { name: 'Annotation submitted by TestBase', provider: 'TestBase' },
  assemblyInfo: {
    assemblyLevel: 'Complete Genome',
    assemblyName: 'TMv2',
    assemblyStatus: 'current',
    assemblyType: 'haploid',
    refseqCategory: 'reference genome',
  },
  assemblyStats: { totalSequenceLength: '3600' },
  currentAccession: 'GCF_900000001.2',
  organism: {
    commonName: 'test microbe',
    infraspecificNames: { strain: 'T7' },
    organismName: 'Testus minimus T7',
    taxId: 9000001,
  },
  pairedAccession: 'GCA_900000001.2',
  sourceDatabase: 'SOURCE_DATABASE_REFSEQ',
  ...more,
})

const sequenceReport = (): string =>
  [
    {
      assemblyAccession: 'GCF_900000001.2',
      assemblyUnit: 'Primary Assembly',
      assignedMoleculeLocationType: 'Chromosome',
      chrName: '1',
      gcPercent: 50,
      genbankAccession: 'CM900001.1',
      length: 3000,
      refseqAccession: 'NC_900001.1',
      role: 'assembled-molecule',
      sequenceName: '1',
      ucscStyleName: 'chr1',
    },
    {
      assemblyAccession: 'GCF_900000001.2',
      assemblyUnit: 'Primary Assembly',
      assignedMoleculeLocationType: 'Plasmid',
      chrName: 'pT',
      genbankAccession: 'CM900002.1',
      length: 600,
      refseqAccession: 'NC_900002.1',
      role: 'assembled-molecule',
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** What `datasets download genome accession … --include genome,gff3,gtf,cds,protein,seq-report` gives. */
export const ncbiDatasets = (): SourceFiles => {
  const data = 'ncbi_dataset/data'
  const own = `${data}/GCF_900000001.2`
  return {
    'README.md': 'The NCBI Datasets team\n\nhttps://www.ncbi.nlm.nih.gov/datasets\n# NCBI Datasets\n',
    'md5sum.txt': 'd41d8cd98f00b204e9800998ecf8427e  ncbi_dataset/data/dataset_catalog.json\n',
    [`${data}/assembly_data_report.jsonl`]: `${JSON.stringify(assemblyReport())}\n`,
    [`${data}/dataset_catalog.json`]: JSON.stringify({ apiVersion: 'V2', assemblies: [{ files: [] }] }),
    [`${own}/GCF_900000001.2_TMv2_genomic.fna`]: fasta(
      'NC_900001.1 Testus minimus T7 chromosome 1, complete sequence',
      'NC_900002.1 Testus minimus T7 plasmid pT, complete sequence',
    ),
    [`${own}/genomic.gff`]: ncbiGff3(),
    [`${own}/genomic.gtf`]: gtf('NC_900001.1', 'NC_900002.1', ['#gtf-version 2.2', '#!genome-build TMv2']),
    [`${own}/cds_from_genomic.fna`]: cdsFasta((id) => `lcl|NC_900001.1_cds_${id}_1 [locus_tag=${id}] [gbkey=CDS]`),
    [`${own}/protein.faa`]: proteinFasta(
      'TMP_1.1 ATPase subunit alpha [Testus minimus T7]',
      'TM_0002.1 kinase [Testus minimus T7]',
    ),
    [`${own}/sequence_report.jsonl`]: sequenceReport(),
  }
}
