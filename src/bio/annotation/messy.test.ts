import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectSameInParts } from '../../testing/gene-parts.ts'
import { FastaReader } from '../sequence/fasta.ts'
import { DefectLog } from '../text/defects.ts'
import { GeneModelReader } from './gene-model-reader.ts'
import type { GeneModel } from './gene-models.ts'

const folder = join(import.meta.dirname, 'fixtures/messy')

// Each file is a kind of mess that labs send. A gene is written as "id symbol biotype place transcript/biotype[exons][coding
// parts:phase]protein"; a defect as code@line.
interface Expectation {
  file: string
  what: string
  /** The genome that the file is read against; any when absent. */
  sequences?: [name: string, lengthBp: number][]
  genes: string[]
  features?: string[]
  defects: string[]
}

const annotations: Expectation[] = [
  {
    file: 'augustus.gff3',
    what: 'Augustus: a CDS that holds its stop, introns and transcription sites, no exons',
    genes: ['g1 - protein_coding c1:11-100- g1.t1/protein_coding[11-40,61-99][11-40:0,61-99:0]'],
    defects: ['model-exon-made@5', 'model-span-trimmed@5'],
  },
  {
    file: 'augustus.gtf',
    what: 'Augustus GTF: bare names in gene and transcript lines, stop codon outside of the CDS',
    genes: ['g1 - protein_coding c1:11-99+ g1.t1/protein_coding[11-40,61-99][11-40:0,61-99:0]'],
    defects: ['model-exon-made@2'],
  },
  {
    file: 'bacterial-no-mrna.gff3',
    what: 'CDS and exon directly under the gene, as NCBI writes prokaryotes: nothing to mend',
    genes: [
      'b0001 thrL protein_coding c1:11-40+ b0001.t1/protein_coding[11-40][11-40:0]',
      'b0002 - unknown c1:51-80- b0002.t1/unknown[51-80][]',
    ],
    defects: [],
  },
  {
    file: 'bacterial.gb',
    what: 'GenBank of a bacterium: a CDS without gene line, a pseudogene, a tRNA, quotes over lines',
    genes: [
      'TST_0001 abcA protein_coding TST001.1:1-15+ TST_0001.t1/protein_coding[1-15][1-15:0]AAA1.1',
      'TST_0002 - protein_coding TST001.1:31-60- TST_0002.t1/protein_coding[31-60][31-60:0]AAA2.1',
      'TST_0003 - pseudogene TST001.1:61-90+',
      'TST_0004 - tRNA TST001.1:91-120+ TST_0004.t1/tRNA[91-120][]',
    ],
    features: ['region', 'sequence_feature'],
    defects: ['model-gene-made@24', 'model-gene-made@31', 'model-gene-bare@28'],
  },
  {
    file: 'bad-coordinate.gff3',
    what: 'coordinates that are no whole numbers',
    genes: ['g1 - unknown c1:11-40+'],
    defects: ['gff-bad-coordinate@4', 'gff-bad-coordinate@5', 'model-gene-bare@3'],
  },
  {
    file: 'bad-location.gb',
    what: 'a location that runs backwards on a linear record, and a part in another record',
    genes: [
      'A - protein_coding TST001.1:1-15+ A.t1/protein_coding[1-15][1-15:0]',
      'C - protein_coding TST001.1:40-50+ C.t1/protein_coding[40-50][40-50:0]',
    ],
    defects: ['genbank-bad-location@13', 'genbank-remote-part@15', 'model-gene-made@15', 'model-cds-length@15'],
  },
  {
    file: 'beyond-sequence.gff3',
    what: 'features over and beyond the end of the sequence',
    sequences: [['c1', 100]],
    genes: ['g1 - protein_coding c1:81-100+ t1/mRNA[81-100][]'],
    features: ['repeat_region'],
    defects: [
      'model-beyond-clipped@5',
      'model-beyond-clipped@3',
      'model-beyond-left-out@8',
      'model-beyond-left-out@7',
      'model-beyond-left-out@6',
      'model-beyond-clipped@9',
    ],
  },
  {
    file: 'bakta.gff3',
    what: 'Bakta: the product as Name, which is no symbol; with --compliant, a gene of the name of its locus and "_gene"',
    genes: [
      'TST_00005 - protein_coding c1:11-40+ TST_00005.t1/protein_coding[11-40][11-40:0]',
      'TST_00010 abcA protein_coding c1:51-80- TST_00010.t1/protein_coding[51-80][51-80:0]',
    ],
    features: ['region'],
    defects: ['model-cds-orphan@7'],
  },
  {
    file: 'braker.gtf',
    what: 'BRAKER with GeneMark: transcript and mRNA are two lines of one transcript, which has no exons',
    genes: [
      'g1 - protein_coding c1:11-99+ g1.t1/protein_coding[11-40,61-99][11-40:0,61-99:0] g1.t2/protein_coding[11-28,61-99][11-28:0,61-99:0]',
    ],
    defects: ['model-duplicate-row@10', 'model-exon-made@7'],
  },
  {
    file: 'braker-renamed.gtf',
    what: 'BRAKER of two gene sets: the gene line has another name than its transcripts, and on the other strand none has its place',
    genes: [
      'file_2_1_g - protein_coding c1:11-28- file_2_1_t/protein_coding[11-28][11-28:0]',
      'file_1_g1 - protein_coding c1:11-99+ file_1_g1.t1/protein_coding[11-40,61-99][11-40:0,61-99:0]',
      'g2 - unknown c1:11-99-',
    ],
    defects: ['model-gene-line-by-place@2', 'model-gene-bare@7'],
  },
  {
    file: 'byte-order-mark.gff3',
    what: 'a UTF-8 byte order mark',
    genes: ['g1 abcA protein_coding c1:11-40+ t1/mRNA[11-40][]'],
    defects: ['text-byte-order-mark@1'],
  },
  {
    file: 'cds-only-prokka.gff3',
    what: 'Prokka: CDS lines alone, a tRNA, a FASTA section',
    genes: [
      'ABC_00001 dnaA protein_coding contig_1:1-30+ ABC_00001.t1/protein_coding[1-30][1-30:0]',
      'ABC_00002 - protein_coding contig_1:41-61- ABC_00002.t1/protein_coding[41-61][41-61:0]',
      'ABC_00003 - tRNA contig_1:71-140+ ABC_00003/tRNA[71-140][]',
    ],
    defects: ['model-gene-made@6', 'model-cds-orphan@4', 'model-cds-orphan@5', 'model-exon-made@6'],
  },
  {
    file: 'children-first.gff3',
    what: 'parts before their parents, genes out of order, ###',
    genes: [
      'g1 - protein_coding c2:11-40+ t1/protein_coding[11-40][11-40:0]',
      'g2 - protein_coding c1:11-20+ t2/mRNA[11-20][]',
      'g3 - protein_coding c1:51-60+ t3/mRNA[51-60][]',
    ],
    defects: [],
  },
  {
    file: 'circular-origin.gb',
    what: 'genes across the origin of a plasmid, on both strands',
    sequences: [['TST001.1', 120]],
    genes: [
      'A - protein_coding TST001.1:106-135+ A.t1/protein_coding[106-135][106-135:0]P1',
      'B - protein_coding TST001.1:115-126- B.t1/protein_coding[115-126][115-126:0]P2',
    ],
    features: ['region', 'promoter', 'promoter'],
    defects: ['genbank-origin-wrap@21', 'model-crosses-origin@11', 'model-crosses-origin@16'],
  },
  {
    file: 'comments-only.gff3',
    what: 'nothing but comments',
    genes: [],
    defects: ['gff-no-features@null'],
  },
  {
    file: 'counted-from-zero.gff3',
    what: 'a start of 0',
    genes: [],
    defects: ['gff-start-zero@3'],
  },
  {
    file: 'crlf.gff3',
    what: 'CRLF line ends and a blank line',
    genes: ['g1 abcA protein_coding c1:11-40+ t1/protein_coding[11-40][14-40:0]'],
    defects: [],
  },
  {
    file: 'duplicate-gene-id.gff3',
    what: 'two genes under one ID, each with its transcript',
    genes: ['g1 - protein_coding c1:11-40+ t1/mRNA[11-40][]', 'g1_dup2 - protein_coding c1:61-90+ t2/mRNA[61-90][]'],
    defects: ['model-duplicate-renamed@6'],
  },
  {
    file: 'empty.gff3',
    what: 'no byte at all',
    genes: [],
    defects: ['text-empty@null'],
  },
  {
    file: 'ensembl.gff3',
    what: 'Ensembl GFF3: gene:, transcript: and CDS: prefixes',
    genes: [
      'YAL068C PAU8 protein_coding I:11-100- YAL068C_mRNA/protein_coding[11-100][11-100:0]YAL068C',
      'tP - tRNA I:201-270+ tP_tRNA/tRNA[201-270][]',
    ],
    features: ['chromosome'],
    defects: [],
  },
  {
    file: 'ensembl.gtf',
    what: 'Ensembl GTF: gene lines, stop codon apart, a semicolon in quotes',
    genes: ['YAL069W ABC1 protein_coding I:11-100- YAL069W_mRNA/protein_coding[11-100][11-100:0]YAL069W'],
    defects: [],
  },
  {
    file: 'escapes.gff3',
    what: 'escapes, a lone percent sign, an unescaped semicolon',
    genes: ['g;1 a,b unknown c1:11-40+', 'g2 - unknown c1:51-60+'],
    defects: ['model-gene-bare@3', 'gff-bad-escape@3', 'model-gene-bare@4', 'gff-attribute-unescaped@4'],
  },
  {
    file: 'eukaryotic.gb',
    what: 'GenBank with two mRNAs and their CDS side by side, partial ends, a location over two lines',
    genes: [
      'XYZ1 - protein_coding TST001.1:1-100+ XM_1.1/protein_coding[1-30,61-100][11-30:2,61-90:0]XP_1.1 XM_2.1/protein_coding[1-40,61-100][11-40:0,61-90:0]XP_2.1',
    ],
    features: ['region', 'sequence_feature'],
    defects: [],
  },
  {
    file: 'fasta-named.gff3',
    what: 'FASTA under the name of GFF3',
    genes: [],
    defects: ['gff-other-format@1'],
  },
  {
    file: 'gene-and-mrna-same-id.gff3',
    what: 'gene, mRNA and CDS under one ID',
    genes: ['LOC1 - protein_coding c1:11-40+ LOC1.t1/protein_coding[11-40][11-40:0]'],
    defects: ['model-duplicate-other-type@4'],
  },
  {
    file: 'gene-span-only.gff3',
    what: 'genes without any part',
    genes: ['g1 - protein_coding c1:11-40+', 'g2 - pseudogene c1:51-80-'],
    defects: ['model-gene-bare@3', 'model-gene-bare@4'],
  },
  {
    file: 'gff2-lines-among-gff3.gff3',
    what: 'GFF2 attributes in some lines',
    genes: ['g1 - unknown c1:11-40+', 'g2 - protein_coding c1:51-80+ t2/mRNA[51-80][]'],
    defects: ['gff-old-attributes@4', 'gff-old-attributes@5', 'model-gene-bare@3'],
  },
  {
    file: 'jgi.gff',
    what: 'JGI GFF2: lines grouped by name',
    genes: [
      'fgenesh1_kg.1_#_1_#_abc - protein_coding c1:11-60+ fgenesh1_kg.1_#_1_#_abc/protein_coding[11-30,51-60][14-30:0,51-57:1]9',
    ],
    defects: [],
  },
  {
    file: 'latin-1.gff3',
    what: 'one UTF-8 and one Latin-1 line',
    genes: ['g1 - unknown c1:11-40+', 'g2 - unknown c1:51-60+'],
    defects: ['text-not-utf8@3', 'model-gene-bare@2', 'model-gene-bare@3'],
  },
  {
    file: 'maker.gff3',
    what: 'MAKER: evidence beside the genes',
    genes: [
      'maker-c1-augustus-gene-0.1 - protein_coding c1:11-100+ maker-c1-augustus-gene-0.1-mRNA-1/protein_coding[11-40,61-100][14-40:0,61-90:0]',
    ],
    features: ['contig', 'protein_match', 'match_part'],
    defects: [],
  },
  {
    file: 'missing-parent.gff3',
    what: 'parents that are nowhere',
    genes: [
      'lostGene - protein_coding c1:11-60+ t1/mRNA[11-40][] t2/mRNA[21-60][]',
      'lostTranscript - protein_coding c1:71-80- lostTranscript/protein_coding[71-80][72-80:0]',
    ],
    defects: ['model-parent-missing@3', 'model-parent-missing@7'],
  },
  {
    file: 'mrna-without-gene.gff3',
    what: 'gffread and others: transcripts without gene lines',
    genes: [
      'STRG.1 - unknown c1:11-40+ STRG.1.1/unknown[11-40][] STRG.1.2/unknown[11-30][]',
      'lonely LON1 protein_coding c1:51-80- lonely/mRNA[51-80][]',
    ],
    defects: ['model-gene-made@3', 'model-gene-made@7'],
  },
  {
    file: 'ncbi.gff3',
    what: 'NCBI: prefixes, synonyms, a pseudogene with an exon, a gene across the origin',
    sequences: [['NC_1.1', 1000]],
    genes: [
      'TFC3 - protein_coding NC_1.1:11-100+ NM_1.2/protein_coding[11-40,61-100][11-40:0,61-99:0]NP_1.1',
      'YAR - pseudogene NC_1.1:201-300- YAR.t1/pseudogene[201-300][]',
      'ori - protein_coding NC_1.1:981-1019+ ori.t1/protein_coding[981-1019][981-1019:0]NP_2.1',
    ],
    features: ['region'],
    defects: ['model-crosses-origin@12'],
  },
  {
    file: 'no-attributes.gff3',
    what: 'eight columns, tabs in attributes, tabs at the end',
    genes: ['gene_line_3 - unknown c1:11-40+', 'g2 - unknown c1:51-60+', 'g3 - unknown c1:71-80+'],
    defects: [
      'gff-attributes-absent@3',
      'gff-extra-tabs@4',
      'model-gene-bare@3',
      'model-gene-bare@4',
      'model-gene-bare@5',
    ],
  },
  {
    file: 'no-end.gb',
    what: 'a GenBank record that is cut off',
    genes: ['A - protein_coding TST001.1:1-15+ A.t1/protein_coding[1-15][1-15:0]'],
    defects: ['genbank-no-end@1', 'genbank-length-differs@1'],
  },
  {
    file: 'no-gene-lines.gtf',
    what: 'StringTie GTF: only exons',
    genes: ['MSTRG.1 - unknown c1:11-90+ MSTRG.1.1/unknown[11-40,61-90][] MSTRG.1.2/unknown[11-50][]'],
    defects: [],
  },
  {
    file: 'embl.gb',
    what: 'EMBL under the name of GenBank, without a heading of its features',
    genes: ['CDS_line_2 - protein_coding X56734.1:14-1495+ CDS_line_2.t1/protein_coding[14-1495][14-1495:0]'],
    defects: ['model-cds-orphan@2'],
  },
  {
    file: 'old-mac.gff3',
    what: 'CR line ends',
    genes: ['g1 abcA protein_coding c1:11-40+ t1/mRNA[11-40][]'],
    defects: ['text-old-mac-newlines@1'],
  },
  {
    file: 'orphan-exon.gff3',
    what: 'an exon and a CDS without parent',
    genes: ['g1 - unknown c1:11-40+', 'alone - protein_coding c1:12-20+ alone.t1/protein_coding[12-20][12-20:0]'],
    defects: ['model-exon-orphan@4', 'model-cds-orphan@5', 'model-gene-bare@3'],
  },
  {
    file: 'other-genome.gff3',
    what: 'the annotation of another genome',
    sequences: [
      ['c1', 100],
      ['chr2', 100],
    ],
    genes: [],
    defects: ['model-sequences-all-unknown@null'],
  },
  {
    file: 'parent-cycle.gff3',
    what: 'two transcripts that are each other’s parent',
    genes: ['a - protein_coding c1:11-40+ a/mRNA[11-40][] b/mRNA[11-40][]'],
    defects: ['model-parent-cycle@3', 'model-gene-made@3', 'model-parent-cycle@4'],
  },
  {
    file: 'parts-outside.gff3',
    what: 'exons that overlap and leave the gene, a CDS beyond its exon, an exon on another sequence',
    genes: ['g1 - protein_coding c1:11-56+ t1/protein_coding[11-56][12-56:0]'],
    defects: [
      'model-part-elsewhere@8',
      'model-exons-overlap@5',
      'model-cds-outside-exon@5',
      'model-span-extended@4',
      'model-span-extended@3',
    ],
  },
  {
    file: 'phases-missing.gff3',
    what: 'a reverse gene without phases',
    genes: ['g1 - protein_coding c1:1-60- t1/protein_coding[1-20,41-60][5-20:1,41-54:0]'],
    defects: ['model-phase-missing@8'],
  },
  {
    file: 'phases-wrong.gff3',
    what: 'phases written as frames',
    genes: ['g1 - protein_coding c1:1-60+ t1/protein_coding[1-20,41-60][1-20:0,41-50:1]'],
    defects: ['model-phase-wrong@7'],
  },
  {
    file: 'phytozome.gff3',
    what: 'Phytozome: versions at the end of IDs',
    genes: ['AT1G01010.TAIR10 - protein_coding Chr1:11-100+ AT1G01010.1.TAIR10/protein_coding[11-100][31-60:0]'],
    defects: [],
  },
  {
    file: 'protein.gp',
    what: 'a GenPept protein record',
    genes: [],
    features: ['Protein'],
    defects: ['genbank-protein@1', 'model-no-genes@null'],
  },
  {
    file: 'repeated-lines.gff3',
    what: 'lines given twice',
    genes: ['g1 - protein_coding c1:11-40+ t1/protein_coding[11-40][11-40:0]'],
    defects: ['model-duplicate-row@4', 'model-duplicate-row@7', 'model-duplicate-row@9'],
  },
  {
    file: 'rna-genes.gff3',
    what: 'lncRNA, tRNAs (one in two pieces), a pseudogene, a transposable element gene',
    genes: [
      'n1 - lncRNA c1:11-90+ n1.t/lncRNA[11-90][]',
      'trnA - tRNA c1:101-170- trnA/tRNA[101-170][]',
      'trnG - tRNA c1:201-270- trnG.t/tRNA[201-230,241-270][]',
      'ps1 - pseudogene c1:301-340+ ps1.t/pseudogenic_transcript[301-340][]',
      'te1 - transposable_element_gene c1:401-430+ te1.t/mRNA[401-430][]',
    ],
    defects: ['model-gene-made@6', 'model-exon-made@8', 'model-exon-made@6'],
  },
  {
    file: 'seven-columns.gff3',
    what: 'a line without source and phase',
    genes: ['g1 - unknown c1:11-40+'],
    defects: ['gff-column-count@4', 'model-gene-bare@3'],
  },
  {
    file: 'spaces.gff3',
    what: 'blanks for tabs',
    genes: ['g1 - protein_coding c1:11-40+ t1/mRNA[11-40][]'],
    defects: ['gff-spaces-for-tabs@2', 'gff-spaces-for-tabs@3', 'gff-spaces-for-tabs@4'],
  },
  {
    file: 'start-after-end.gff3',
    what: 'start after end, and an empty untranslated region',
    genes: ['g1 - protein_coding c1:11-40- t1/mRNA[11-40][]'],
    defects: ['gff-start-after-end@3', 'gff-start-after-end@4', 'gff-start-after-end@5', 'gff-empty-feature@6'],
  },
  {
    file: 'still-packed.gff3',
    what: 'a file that is still gzipped',
    genes: [],
    defects: ['text-compressed@1'],
  },
  {
    file: 'strands.gff3',
    what: 'strands written as ?, 1, -1, C, and none',
    genes: [
      'g1 - protein_coding c1:11-40- t1/mRNA[11-40][]',
      'g2 - protein_coding c1:51-80- t2/mRNA[51-80][]',
      'g3 - protein_coding c1:91-99. g3.t1/protein_coding[91-99][91-99:0]',
    ],
    defects: [
      'gff-bad-score@6',
      'gff-bad-strand@6',
      'gff-bad-phase@6',
      'gff-bad-strand@7',
      'gff-bad-strand@8',
      'model-strand-from-parts@3',
      'model-strand-from-parts@6',
      'model-strand-unknown@9',
    ],
  },
  {
    file: 'trans-spliced.gff3',
    what: 'the trans-spliced rps12 of chloroplasts',
    genes: ['rps12 - protein_coding pt:201-460- rps12.t1/protein_coding[201-260,401-460][201-260:0,401-460:0]RO'],
    defects: ['model-trans-spliced@5'],
  },
  {
    file: 'transcript-on-other-strand.gff3',
    what: 'a transcript against its gene, and an exon against its transcript',
    genes: [
      'g1 - protein_coding c1:11-40+ t1/mRNA[11-40][]',
      't2 - protein_coding c1:15-35- t2/mRNA[15-35][]',
      'g2 - protein_coding c1:51-80- t3/mRNA[51-80][]',
    ],
    defects: ['model-split-off@6', 'model-strand-from-parts@9', 'model-strand-from-parts@8'],
  },
  {
    file: 'ucsc-one-name-for-all.gtf',
    what: 'UCSC: gene_id equal to transcript_id, on X and Y',
    genes: [
      'NM_1 - protein_coding chrX:11-40+ NM_1/protein_coding[11-40][11-40:0]',
      'NM_1_dup2 - unknown chrY:11-40+ NM_1_dup2/unknown[11-40][]',
    ],
    defects: ['model-duplicate-renamed@3', 'model-duplicate-renamed@3'],
  },
  {
    file: 'unknown-sequence.gff3',
    what: 'a scaffold that the genome lacks, and a chromosome under another name',
    sequences: [
      ['c1', 100],
      ['chr2', 100],
    ],
    genes: ['g1 - unknown c1:11-40+', 'g3 - unknown chr2:11-40+'],
    defects: ['model-sequence-unknown@null', 'model-sequence-renamed@null', 'model-gene-bare@3', 'model-gene-bare@6'],
  },
  {
    file: 'web-page.gff3',
    what: 'the login page of a download site',
    genes: [],
    defects: ['text-html@1'],
  },
]

function outline(gene: GeneModel): string {
  const span = ({ start1, end1 }: { start1: number; end1: number }) => `${start1}-${end1}`
  const transcripts = gene.transcripts.map(
    ({ id, biotype, exons, cds, proteinId, readingOrder }) =>
      ` ${id}/${biotype}[${exons.map(span).join()}][${cds.map((part) => `${span(part)}:${part.phase}`).join()}]${proteinId ?? ''}${readingOrder ? 'RO' : ''}`,
  )
  return `${gene.id} ${gene.symbol ?? '-'} ${gene.biotype} ${gene.sequenceName}:${span(gene)}${gene.strand}${transcripts.join('')}`
}

function read(file: string, sequences: Expectation['sequences'], chunkSize = Number.POSITIVE_INFINITY) {
  const log = new DefectLog()
  const reader = new GeneModelReader({ file, log, sequences: sequences && new Map(sequences) })
  const bytes = readFileSync(join(folder, file))
  for (let start = 0; start < bytes.length; start += chunkSize) reader.push(bytes.subarray(start, start + chunkSize))
  return { ...reader.finish(), log, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}

/** What every gene model promises, whatever file it came from. */
function checkPromises(genes: readonly GeneModel[]): void {
  const geneIds = genes.map(({ id }) => id)
  expect(new Set(geneIds).size).toBe(geneIds.length)
  const transcriptIds = genes.flatMap(({ transcripts }) => transcripts.map(({ id }) => id))
  expect(new Set(transcriptIds).size).toBe(transcriptIds.length)
  for (const gene of genes) {
    expect(gene.start1).toBeGreaterThanOrEqual(1)
    expect(gene.start1).toBeLessThanOrEqual(gene.end1)
    expect(gene.aliases).not.toContain(gene.id)
    for (const { start1, end1, exons, cds } of gene.transcripts) {
      expect([gene.start1 <= start1, gene.end1 >= end1]).toEqual([true, true])
      expect([exons[0]!.start1, exons.at(-1)!.end1]).toEqual([start1, end1])
      for (const [index, exon] of exons.entries()) {
        expect(exon.start1).toBeLessThanOrEqual(exon.end1)
        if (index > 0) expect(exon.start1).toBeGreaterThan(exons[index - 1]!.end1)
      }
      for (const [index, part] of cds.entries()) {
        expect(exons.some((exon) => exon.start1 <= part.start1 && exon.end1 >= part.end1)).toBe(true)
        if (index > 0) expect(part.start1).toBeGreaterThanOrEqual(cds[index - 1]!.start1)
      }
    }
  }
}

describe('the messy collection of annotations', () => {
  it('has an expectation for every file, thirty files at least', () => {
    const files = readdirSync(folder).filter((file) => !/\.fa+$/.test(file))
    expect(files.sort()).toEqual(annotations.map(({ file }) => file).sort())
    expect(files.length).toBeGreaterThanOrEqual(30)
  })

  it.each(annotations)('$file: $what', ({ file, sequences, genes, features, defects }) => {
    const result = read(file, sequences)
    expect(result.genes.map(outline)).toEqual(genes)
    expect(result.features.map(({ type }) => type)).toEqual(features ?? [])
    expect(result.defects).toEqual(defects)
    checkPromises(result.genes)
  })

  it.each(annotations)(
    '$file gives the same genes and defects when it is read in parts',
    async ({ file, sequences }) => {
      const whole = read(file, sequences)
      const options = { file, sequences: sequences && new Map(sequences) }
      await expectSameInParts(readFileSync(join(folder, file)), options, whole, whole.log)
    },
  )

  it.each(annotations)('$file reads the same in pieces of 7 bytes', ({ file, sequences, genes, defects }) => {
    const result = read(file, sequences, 7)
    expect(result.genes.map(outline)).toEqual(genes)
    expect(result.defects).toEqual(defects)
  })

  it('refuses what cannot be used, and nothing else', () => {
    const refused = annotations
      .filter(({ file, sequences }) => read(file, sequences).log.hasErrors)
      .map(({ file }) => file)
    expect(refused).toEqual([
      'bad-coordinate.gff3',
      'bad-location.gb',
      'comments-only.gff3',
      'counted-from-zero.gff3',
      'empty.gff3',
      'fasta-named.gff3',
      'other-genome.gff3',
      'protein.gp',
      'seven-columns.gff3',
      'still-packed.gff3',
      'web-page.gff3',
    ])
  })

  it('keeps names, synonyms, cross-references and descriptions', () => {
    const gene = (file: string, id: string) => read(file, undefined).genes.find((one) => one.id === id)!
    expect(gene('ncbi.gff3', 'TFC3')).toMatchObject({
      aliases: ['gene-TFC3', 'YAL001C', 'FUN24', 'tau 138', 'GeneID:851262'],
      description: 'transcription factor TFIIIC subunit TFC3',
    })
    expect(gene('ensembl.gff3', 'YAL068C')).toMatchObject({
      aliases: ['gene:YAL068C'],
      description: 'Protein of unknown function',
    })
    expect(gene('escapes.gff3', 'g;1')).toMatchObject({ symbol: 'a,b', description: 'tab\tand 中文' })
    expect(gene('escapes.gff3', 'g2')).toMatchObject({ aliases: ['x=y', 'z'], description: 'kinase; putative' })
    expect(gene('latin-1.gff3', 'g2').description).toBe('protéine membranaire')
    expect(gene('bacterial.gb', 'TST_0001')).toMatchObject({
      symbol: 'abcA',
      aliases: ['OLD1'],
      description: 'a protein whose name goes on, with a "quoted" word',
    })
    expect(gene('eukaryotic.gb', 'XYZ1').aliases).toEqual(['XYZ', 'syn2'])
    expect(gene('phytozome.gff3', 'AT1G01010.TAIR10')).toMatchObject({ symbol: null, aliases: ['AT1G01010'] })
    expect(gene('cds-only-prokka.gff3', 'ABC_00001')).toMatchObject({
      symbol: 'dnaA',
      description: 'Chromosomal replication initiator protein DnaA',
    })
  })
})

const sequences: {
  file: string
  alphabet: 'nucleotide' | 'protein'
  records: [name: string, sequence: string][]
  defects: string[]
}[] = [
  {
    file: 'crlf-lower.fa',
    alphabet: 'nucleotide',
    records: [
      ['chr1', 'acgtnnACGTAC'],
      ['chr2', 'RYKM'],
    ],
    defects: [],
  },
  {
    file: 'duplicate-name.fa',
    alphabet: 'nucleotide',
    records: [
      ['chr1', 'ACGT'],
      ['chr2', 'ACGT'],
      ['chr1', 'TTTT'],
    ],
    defects: ['fasta-duplicate-name@5'],
  },
  {
    file: 'illegal-letter.fa',
    alphabet: 'nucleotide',
    records: [['chr1', 'ACGTACT']],
    defects: ['fasta-illegal-character@3'],
  },
  { file: 'no-header.fa', alphabet: 'nucleotide', records: [['chr1', 'ACGT']], defects: ['fasta-no-header@1'] },
  {
    file: 'nameless.fa',
    alphabet: 'nucleotide',
    records: [
      ['unnamed_1', 'ACGT'],
      ['chr1', ''],
      ['chr2', 'ACGT'],
    ],
    defects: ['fasta-empty-name@1', 'fasta-empty-sequence@3'],
  },
  {
    file: 'aligned.fa',
    alphabet: 'nucleotide',
    records: [
      ['a', 'ACGT'],
      ['b', 'acgtacgt'],
    ],
    defects: ['fasta-gaps-removed@2', 'fasta-blanks-or-digits@4'],
  },
  {
    file: 'stops.faa',
    alphabet: 'protein',
    records: [
      ['p1', 'MKV*'],
      ['p2', 'MK*LV'],
      ['p3', 'MKV*'],
    ],
    defects: ['fasta-internal-stop@4', 'fasta-dot-as-stop@6'],
  },
  { file: 'blank.fa', alphabet: 'nucleotide', records: [], defects: ['fasta-no-sequences@null'] },
]

describe('the messy collection of sequences', () => {
  it('has an expectation for every file', () => {
    const files = readdirSync(folder).filter((file) => /\.fa+$/.test(file))
    expect(files.sort()).toEqual(sequences.map(({ file }) => file).sort())
  })

  it.each(sequences)('$file', ({ file, alphabet, records, defects }) => {
    const log = new DefectLog()
    const found: [string, string][] = []
    let sequence = ''
    const reader = new FastaReader({
      file,
      log,
      alphabet,
      onResidues: (residues) => {
        sequence += new TextDecoder('latin1').decode(residues)
      },
      onRecordEnd({ name }) {
        found.push([name, sequence])
        sequence = ''
      },
    })
    reader.push(readFileSync(join(folder, file)))
    reader.end()
    expect(found).toEqual(records)
    expect(log.defects.map(({ code, line }) => `${code}@${line}`)).toEqual(defects)
  })
})
