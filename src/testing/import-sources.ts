import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
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

const md5 = (content: string | Uint8Array): string => createHash('md5').update(content).digest('hex')

/** What `datasets download genome accession … --include genome,gff3,gtf,cds,protein,seq-report` gives. */
export const ncbiDatasets = (): SourceFiles => {
  const data = 'ncbi_dataset/data'
  const own = `${data}/GCF_900000001.2`
  const files = {
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
  return {
    'README.md': 'The NCBI Datasets team\n\nhttps://www.ncbi.nlm.nih.gov/datasets\n# NCBI Datasets\n',
    'md5sum.txt': Object.entries(files)
      .map(([path, content]) => `${md5(content)}  ${path}\n`)
      .join(''),
    ...files,
  }
}

/** A folder of the FTP site of NCBI, gzipped as there. */
export const refseqFolder = (): SourceFiles => {
  const prefix = 'GCF_900000001.2_TMv2'
  const packed = ncbiDatasets()
  const own = 'ncbi_dataset/data/GCF_900000001.2'
  const report = [
    '# Assembly name:  TMv2',
    '# Organism name:  Testus minimus T7 (test microbe)',
    '# Infraspecific name:  strain=T7',
    '# Taxid:          9000001',
    '# RefSeq category: Reference Genome',
    '# RefSeq assembly accession: GCF_900000001.2',
    '#',
    '# Sequence-Name\tSequence-Role\tAssigned-Molecule\tAssigned-Molecule-Location/Type\tGenBank-Accn\tRelationship\tRefSeq-Accn\tAssembly-Unit\tSequence-Length\tUCSC-style-name',
    '1\tassembled-molecule\t1\tChromosome\tCM900001.1\t=\tNC_900001.1\tPrimary Assembly\t3000\tchr1',
    'pT\tassembled-molecule\tpT\tPlasmid\tCM900002.1\t=\tNC_900002.1\tPrimary Assembly\t600\tna',
  ]
  const genome = gzipSync(packed[`${own}/${prefix}_genomic.fna`]!)
  return {
    [`${prefix}_genomic.fna.gz`]: genome,
    [`${prefix}_genomic.gff.gz`]: gzipSync(packed[`${own}/genomic.gff`]!),
    [`${prefix}_genomic.gtf.gz`]: gzipSync(packed[`${own}/genomic.gtf`]!),
    [`${prefix}_protein.faa.gz`]: gzipSync(packed[`${own}/protein.faa`]!),
    [`${prefix}_cds_from_genomic.fna.gz`]: gzipSync(packed[`${own}/cds_from_genomic.fna`]!),
    [`${prefix}_assembly_report.txt`]: `${report.join('\r\n')}\r\n`,
    [`${prefix}_assembly_stats.txt`]: '# Assembly Statistics Report\n',
    [`${prefix}_feature_table.txt.gz`]: gzipSync('# feature\tclass\tassembly\ngene\tprotein_coding\tGCF_900000001.2\n'),
    'md5checksums.txt': `${md5(genome)}  ./${prefix}_genomic.fna.gz\n${md5('')}  ./${prefix}_rna.fna.gz\n`,
    'README.txt': 'About the files\n',
  }
}

/** Genes with the prefixes of Ensembl's GFF3. */
const ensemblGff3 = (): string =>
  gff3('1', 'pT', [
    '##gff-version 3',
    '##sequence-region   1 1 3000',
    '##sequence-region   pT 1 600',
    '#!genome-build  TMv2',
    '#!genome-version TMv2',
    '#!genome-date 2020-01',
    '#!genome-build-accession GCA_900000001.2',
    '#!genebuild-last-updated 2021-05',
    '1\tTMv2\tchromosome\t1\t3000\t.\t.\t.\tID=chromosome:1;Alias=CM900001.1,NC_900001.1',
    '###',
  ])
    .replace(/\tID=(TM_\d+)(;|$)/gm, '\tID=gene:$1$2')
    .replace(/\tID=(TM_\d+\.1);Parent=(TM_\d+)$/gm, '\tID=transcript:$1;Parent=gene:$2')
    .replace(/Parent=(TM_\d+\.1)/g, 'Parent=transcript:$1')

/** Files of Ensembl Bacteria, Fungi, Plants … in the folders of its FTP site. */
export const ensemblFolders = (): SourceFiles => {
  const prefix = 'Testus_minimus.TMv2'
  const dna = (kind: string): string =>
    fasta(`1 ${kind}:chromosome chromosome:TMv2:1:1:3000:1 REF`, `pT ${kind}:plasmid plasmid:TMv2:pT:1:600:1 REF`)
  return {
    [`fasta/dna/${prefix}.dna.toplevel.fa.gz`]: gzipSync(dna('dna')),
    [`fasta/dna/${prefix}.dna_sm.toplevel.fa.gz`]: gzipSync(dna('dna_sm')),
    [`fasta/dna/${prefix}.dna_rm.toplevel.fa.gz`]: gzipSync(dna('dna_rm')),
    'fasta/dna/CHECKSUMS': '12345 67 Testus_minimus.TMv2.dna.toplevel.fa.gz\n',
    [`fasta/cds/${prefix}.cds.all.fa.gz`]: gzipSync(
      cdsFasta((id) => `${id} cds chromosome:TMv2:1:101:260:1 gene:TM_0001`),
    ),
    [`fasta/pep/${prefix}.pep.all.fa.gz`]: gzipSync(
      proteinFasta(
        'TMP_1.1 pep chromosome:TMv2:1:101:260:1 gene:TM_0001',
        'TMP_2.1 pep chromosome:TMv2:1:501:650:-1 gene:TM_0002',
      ),
    ),
    [`gff3/${prefix}.59.gff3.gz`]: gzipSync(ensemblGff3()),
    [`gtf/${prefix}.59.gtf.gz`]: gzipSync(
      gtf('1', 'pT', [
        '#!genome-build TMv2',
        '#!genome-build-accession GCA_900000001.2',
        '#!genebuild-last-updated 2021-05',
      ]),
    ),
  }
}

/** What a download of Phytozome unpacks to. */
export const phytozomeFolder = (): SourceFiles => {
  const genes = (): string =>
    gff3('Chr1', 'Chr2', ['##gff-version 3', '##annot-version v2.1', '##species Testus minimus']).replaceAll(
      '\tx\t',
      '\tphytozomev13\t',
    )
  const own = 'Phytozome/PhytozomeV13/Tminimus/v2.1'
  return {
    [`${own}/assembly/Tminimus_900_v2.0.fa.gz`]: gzipSync(fasta('Chr1', 'Chr2')),
    [`${own}/assembly/Tminimus_900_v2.0.softmasked.fa.gz`]: gzipSync(fasta('Chr1', 'Chr2')),
    [`${own}/assembly/Tminimus_900_v2.0.hardmasked.fa.gz`]: gzipSync(fasta('Chr1', 'Chr2')),
    [`${own}/annotation/Tminimus_900_v2.1.gene.gff3.gz`]: gzipSync(
      genes()
        .split('\n')
        .filter((line) => !line.includes('\texon\t'))
        .join('\n'),
    ),
    [`${own}/annotation/Tminimus_900_v2.1.gene_exons.gff3.gz`]: gzipSync(genes()),
    [`${own}/annotation/Tminimus_900_v2.1.annotation_info.txt`]:
      '#pacId\tlocusName\ttranscriptName\tpeptideName\tPfam\tPanther\tKOG\tec\tKO\tGO\tBest-hit-arabi-name\tarabi-symbol\tarabi-defline\n900001\tTM_0001\tTM_0001.1\tTM_0001.1.p\tPF00004\tPTHR1\t\t\tK02108\tGO:0000009\tAT1G01010.1\tABC\tprotein\n',
    [`${own}/annotation/Tminimus_900_v2.1.cds.fa.gz`]: gzipSync(cdsFasta((id) => `${id} pacid=900001 locus=TM_0001`)),
    [`${own}/annotation/Tminimus_900_v2.1.protein_primaryTranscriptOnly.fa.gz`]: gzipSync(
      proteinFasta('TM_0001.1.p pacid=900001', 'TM_0002.1.p pacid=900002'),
    ),
    [`${own}/annotation/Tminimus_900_v2.1.defline.txt`]: 'TM_0001.1\tdefline\tATPase\n',
    [`${own}/Tminimus_900_v2.1.readme.txt`]: 'About the genome\n',
  }
}

const genbank = (): string => {
  const record = (name: string, bases: string, shape: string, plasmid: string, features: string): string =>
    [
      `LOCUS       ${name.padEnd(16)} ${bases.length} bp    DNA     ${shape} BCT 01-JAN-2024`,
      'DEFINITION  Testus minimus T7.',
      `ACCESSION   ${name}`,
      `VERSION     ${name}`,
      'SOURCE      Testus minimus T7',
      '  ORGANISM  Testus minimus T7',
      '            .',
      'FEATURES             Location/Qualifiers',
      `     source          1..${bases.length}`,
      '                     /mol_type="genomic DNA"',
      `${plasmid}${features}ORIGIN`,
      ...(bases.toLowerCase().match(/.{1,60}/g) ?? []).map(
        (line, at) => `${String(1 + 60 * at).padStart(9)} ${line.replace(/(.{10})(?=.)/g, '$1 ')}`,
      ),
      '//',
      '',
    ].join('\n')
  const cds = (place: string, tag: string): string =>
    `     gene            ${place}\n                     /locus_tag="${tag}"\n     CDS             ${place}\n                     /locus_tag="${tag}"\n                     /transl_table=11\n                     /product="test protein"\n`
  const { chr1, pT } = makeGenome()
  return (
    record(
      'contig_1',
      chr1,
      'linear',
      '',
      cds('join(101..160,201..260)', 'TM_0001') + cds('complement(501..650)', 'TM_0002'),
    ) + record('contig_2', pT, 'circular', '                     /plasmid="pT"\n', cds('101..157', 'TM_0004'))
  )
}

/** Of Bakta and Prokka: the sequences stand behind the features. */
const bacterialGff3 = (program: string, head: readonly string[], sequences = true): string => {
  const rows = [
    `contig_1\t${program}\tCDS\t101\t160\t.\t+\t0\tID=TM_0001;Name=ATPase;locus_tag=TM_0001;product=ATPase;inference=ab initio prediction:${program}`,
    `contig_1\t${program}\tCDS\t501\t650\t.\t-\t0\tID=TM_0002;Name=kinase;locus_tag=TM_0002;product=kinase;inference=ab initio prediction:${program}`,
    `contig_2\t${program}\tCDS\t101\t160\t.\t+\t0\tID=TM_0004;Name=repW;locus_tag=TM_0004;product=replication protein;inference=ab initio prediction:${program}`,
  ]
  return `${[...head, '##sequence-region contig_1 1 3000', ...rows].join('\n')}\n${sequences ? `##FASTA\n${fasta('contig_1', 'contig_2')}` : ''}`
}

const baktaHead = [
  '##gff-version 3',
  '##feature-ontology https://github.com/The-Sequence-Ontology/SO-Ontologies/blob/v3.1/so.obo',
  '# organism Testus minimus T7',
  '# Annotated with Bakta',
  '# Software: v1.9.3',
  '# Database: v5.1, full',
]

export const baktaFolder = (): SourceFiles => ({
  'T7.gff3': bacterialGff3('Prodigal', baktaHead),
  'T7.gbff': genbank(),
  'T7.embl': 'ID   contig_1; ; linear; DNA; ; PRO; 3000 BP.\n',
  'T7.fna': fasta(
    'contig_1 [gcode=11] [topology=linear]',
    'contig_2 [plasmid-name=unnamed1] [gcode=11] [topology=circular]',
  ),
  'T7.ffn': cdsFasta((id) => `${id} ATPase`),
  'T7.faa': proteinFasta('TM_0001 ATPase', 'TM_0002 kinase'),
  'T7.tsv':
    '# Annotated with Bakta\n#Sequence Id\tType\tStart\tStop\tStrand\tLocus Tag\tGene\tProduct\tDbXrefs\ncontig_1\tcds\t101\t160\t+\tTM_0001\t\tATPase\tSO:0001217, UniRef:UniRef50_A\n',
  'T7.hypotheticals.tsv': '# Annotated with Bakta\n#Sequence Id\tStart\tStop\n',
  'T7.hypotheticals.faa': proteinFasta('TM_0001 x', 'TM_0002 y'),
  'T7.txt': 'Sequence(s):\nLength: 3600\nCount: 2\n',
  'T7.json': '{"genome": {"genus": "Testus"}, "stats": {}}',
  'T7.log': '12:00:00.000 - INFO - MAIN\n',
})

export const prokkaFolder = (): SourceFiles => ({
  'PROKKA_01.gff': bacterialGff3('Prodigal:002006', ['##gff-version 3']),
  'PROKKA_01.gbk': genbank(),
  'PROKKA_01.fna': fasta('contig_1', 'contig_2'),
  'PROKKA_01.fsa': fasta('contig_1 [gcode=11] [organism=Genus species]', 'contig_2 [gcode=11]'),
  'PROKKA_01.ffn': cdsFasta((id) => `${id} ATPase`),
  'PROKKA_01.faa': proteinFasta('TM_0001 ATPase', 'TM_0002 kinase'),
  'PROKKA_01.tsv':
    'locus_tag\tftype\tlength_bp\tgene\tEC_number\tCOG\tproduct\nTM_0001\tCDS\t60\tabcA\t3.6.3.14\tCOG0055\tATPase\n',
  'PROKKA_01.tbl': '>Feature contig_1\n101\t160\tgene\n\t\t\tlocus_tag\tTM_0001\n',
  'PROKKA_01.txt': 'organism: Testus minimus T7 \ncontigs: 2\nbases: 3600\nCDS: 3\n',
  'PROKKA_01.log': '[12:00:00] This is prokka 1.14.6\n',
  'PROKKA_01.err': 'Discrepancy Report Results\n',
  'PROKKA_01.sqn': 'Seq-submit ::= {\n  sub {\n',
})

const renamed = (program: string, text: string): string => text.replaceAll('\tx\t', `\t${program}\t`)

export const funannotateFolder = (): SourceFiles => ({
  'annotate_results/Testus_minimus_T7.gff3': renamed('funannotate', gff3('scaffold_1', 'scaffold_2')),
  'annotate_results/Testus_minimus_T7.scaffolds.fa': fasta('scaffold_1', 'scaffold_2'),
  'annotate_results/Testus_minimus_T7.contigs.fsa': fasta('scaffold_1 [organism=Testus minimus]', 'scaffold_2'),
  'annotate_results/Testus_minimus_T7.proteins.fa': proteinFasta('TM_0001.1 TM_0001', 'TM_0002.1 TM_0002'),
  'annotate_results/Testus_minimus_T7.cds-transcripts.fa': cdsFasta((id) => `${id} TM_0001`),
  'annotate_results/Testus_minimus_T7.annotations.txt':
    'GeneID\tTranscriptID\tFeature\tContig\tStart\tStop\tStrand\tName\tProduct\tAlias/Synonyms\tEC_number\tBUSCO\tPFAM\tInterPro\tEggNog\tCOG\tGO Terms\tSecreted\tMembrane\tProtease\tCAZyme\tNotes\tgDNA\tmRNA\tCDS-transcript\tTranslation\nTM_0001\tTM_0001.1\tCDS\tscaffold_1\t101\t260\t+\tabcA\tATPase\t\t\t\tPF00004\t\t\t\t\t\t\t\t\t\tATG\tATG\tATG\tM\n',
  'annotate_results/Testus_minimus_T7.agp': 'scaffold_1\t1\t3000\t1\tW\tcontig_1\t1\t3000\t+\n',
  'annotate_results/Testus_minimus_T7.tbl': '>Feature scaffold_1\n101\t160\tgene\n',
  'logfiles/funannotate-annotate.log': '[12:00 AM]: OS: linux\n',
})

/** Gene and transcript lines of BRAKER's GTF have a bare identifier; its GFF3 of before 3.0.4 has fewer genes. */
export const brakerFolder = (): SourceFiles => {
  const body = gtf('chr1', 'chr2').replaceAll('\tx\t', '\tAUGUSTUS\t')
  const heads = [
    'chr1\tAUGUSTUS\tgene\t101\t260\t.\t+\t.\tTM_0001',
    'chr1\tAUGUSTUS\ttranscript\t101\t260\t.\t+\t.\tTM_0001.1',
    'chr1\tAUGUSTUS\tgene\t501\t650\t.\t-\t.\tTM_0002',
    'chr1\tAUGUSTUS\ttranscript\t501\t650\t.\t-\t.\tTM_0002.1',
  ]
  return {
    'braker/braker.gtf': `${heads.join('\n')}\n${body}`,
    'braker/braker.gff3': renamed('AUGUSTUS', gff3('chr1', 'chr2')),
    'braker/braker.aa': proteinFasta('TM_0001.1', 'TM_0002.1'),
    'braker/braker.codingseq': cdsFasta((id) => id),
    'braker/braker.log': '# Fri Jan  1 12:00:00 2024\n',
    'braker/hintsfile.gff': 'chr1\tb2h\tintron\t150\t200\t5\t+\t.\tmult=5;pri=4;src=E\n',
    'braker/Augustus/augustus.hints.gtf': `${heads.join('\n')}\n${body}`,
    'braker/GeneMark-ETP/genemark.gtf': body.replaceAll('\tAUGUSTUS\t', '\tGeneMark.hmm3\t'),
    'braker/errors/GeneMark-ETP.stderr': 'Converted 2 genes\n',
    'genome.fa': fasta('chr1', 'chr2'),
  }
}

export const makerFolder = (): SourceFiles => ({
  'T7.all.gff': `##gff-version 3\nchr1\t.\tcontig\t1\t3000\t.\t.\t.\tID=chr1;Name=chr1\nchr1\tblastn\texpressed_sequence_match\t101\t260\t100\t+\t.\tID=chr1:hit:1;Name=EST1\n${renamed('maker', gff3('chr1', 'chr2')).split('\n').slice(1).join('\n')}##FASTA\n${fasta('chr1', 'chr2')}`,
  'T7.all.maker.proteins.fasta': proteinFasta('TM_0001.1 protein AED:0.1', 'TM_0002.1 protein AED:0.2'),
  'T7.all.maker.transcripts.fasta': cdsFasta((id) => `${id} transcript offset:0 AED:0.1`),
})

export const liftoffFolder = (): SourceFiles => ({
  'T8.fa': fasta('chr1', 'chr2'),
  'lifted.gff3': renamed(
    'Liftoff',
    gff3('chr1', 'chr2', ['##gff-version 3', '# Liftoff v1.6.3', '# /usr/bin/liftoff -g genes.gff3 T8.fa T7.fa']),
  ),
  'unmapped.txt': 'TM_0009\n',
})

/** The same records as EMBL flat files have them. */
export const embl = (): string => {
  let within = ''
  return genbank()
    .split('\n')
    .flatMap((line) => {
      const [key = '', name = '', lengthBp = ''] = line.split(/\s+/)
      if (/^\S/.test(line)) within = key
      if (key === 'LOCUS')
        return [
          `ID   ${name}; ; ${/circular/.test(line) ? 'circular' : 'linear'}; DNA; ; PRO; ${lengthBp} BP.`,
          'XX',
          'DE   Testus minimus T7',
          'OS   Testus minimus',
        ]
      if (key === 'FEATURES') return ['FH   Key             Location/Qualifiers', 'FH']
      if (key === 'ORIGIN') return ['SQ   Sequence;']
      if (key === '//') return [line]
      if (within === 'FEATURES') return [`FT${line.slice(2)}`]
      return within === 'ORIGIN' ? [line] : []
    })
    .join('\n')
}
