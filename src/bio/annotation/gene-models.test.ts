import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectSameInParts } from '../../testing/gene-parts.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { codingSequence } from '../sequence/coding-sequence.ts'
import { FastaReader } from '../sequence/fasta.ts'
import { translate } from '../sequence/genetic-codes.ts'
import type { Alphabet } from '../sequence/sequence.ts'
import { DefectLog } from '../text/defects.ts'
import { GeneModelReader } from './gene-model-reader.ts'
import { computePhases } from './gene-models/gene-model-structure.ts'

const gff = (...rows: string[]) => rows.map((row) => row.replaceAll(/ +/g, '\t')).join('\n')

/** What was built is built once more in parts, at the end. */
const inParts: (() => Promise<void>)[] = []

function build(
  text: string,
  options: { sequences?: Map<string, number>; circular?: string[]; format?: 'gff3' | 'gtf' | 'genbank' } = {},
) {
  const log = new DefectLog(1000)
  const reader = new GeneModelReader({ file: 'x', log, ...options })
  const bytes = new TextEncoder().encode(text)
  reader.push(bytes)
  const { genes, features, circular } = reader.finish()
  inParts.push(() => expectSameInParts(bytes, { file: 'x', ...options }, { genes, circular }, log))
  return { genes, features, codes: log.defects.map(({ code }) => code), log }
}
const shape = (transcript: {
  exons: { start1: number; end1: number }[]
  cds: { start1: number; end1: number; phase: number }[]
}) => ({
  exons: transcript.exons.map(({ start1, end1 }) => [start1, end1]),
  cds: transcript.cds.map(({ start1, end1, phase }) => [start1, end1, phase]),
})

describe('computePhases', () => {
  it('counts the bases of the codon that an intron cuts', () => {
    expect(computePhases([10, 10, 10], 0)).toEqual([0, 2, 1])
    expect(computePhases([1, 1, 4], 0)).toEqual([0, 2, 1])
    expect(computePhases([7, 9], 1)).toEqual([1, 0])
    expect(computePhases([1, 5], 2)).toEqual([2, 1])
  })
})

describe('GeneModelBuilder', () => {
  it('builds a yeast gene with an intron, on the reverse strand, exons ascending', () => {
    const { genes, codes } = build(
      gff(
        'chrII SGD gene 100 900 . - . ID=YBL092W;Name=RPL32;Alias=rpl32a',
        'chrII SGD mRNA 100 900 . - . ID=YBL092W_mRNA;Parent=YBL092W',
        'chrII SGD exon 700 900 . - . Parent=YBL092W_mRNA',
        'chrII SGD exon 100 400 . - . Parent=YBL092W_mRNA',
        'chrII SGD CDS 150 400 . - 2 ID=c;Parent=YBL092W_mRNA',
        'chrII SGD CDS 700 799 . - 0 ID=c;Parent=YBL092W_mRNA',
      ),
    )
    expect(codes).toEqual([])
    expect(genes).toHaveLength(1)
    expect(genes[0]).toMatchObject({
      id: 'YBL092W',
      symbol: 'RPL32',
      aliases: ['rpl32a'],
      biotype: 'protein_coding',
      sequenceName: 'chrII',
      start1: 100,
      end1: 900,
      strand: '-',
    })
    expect(shape(genes[0]!.transcripts[0]!)).toEqual({
      exons: [
        [100, 400],
        [700, 900],
      ],
      cds: [
        [150, 400, 2],
        [700, 799, 0],
      ],
    })
  })

  it('takes children that come before their parents, and exons of two transcripts', () => {
    const { genes, codes } = build(
      gff(
        'c x exon 1 9 . + . Parent=t1,t2',
        'c x exon 21 30 . + . Parent=t2',
        'c x mRNA 1 30 . + . ID=t2;Parent=g',
        'c x mRNA 1 9 . + . ID=t1;Parent=g',
        'c x gene 1 30 . + . ID=g',
      ),
    )
    expect(codes).toEqual([])
    expect(genes[0]!.transcripts.map(({ id, exons }) => [id, exons.length])).toEqual([
      ['t2', 2],
      ['t1', 1],
    ])
  })

  it('keeps a 5-prime partial gene whose first codon is cut', () => {
    const { genes, codes } = build(
      gff(
        'c x gene 1 30 . + . ID=g',
        'c x mRNA 1 30 . + . ID=t;Parent=g',
        'c x exon 1 30 . + . Parent=t',
        'c x CDS 1 11 . + 2 Parent=t',
        'c x CDS 13 30 . + 0 Parent=t',
      ),
    )
    expect(codes).toEqual([])
    expect(genes[0]!.transcripts[0]!.cds.map(({ phase }) => phase)).toEqual([2, 0])
  })

  it('computes phases that an exporter wrote as 0 everywhere, without moving the reading frame', () => {
    const { genes, codes, log } = build(
      gff(
        'c x gene 1 130 . + . ID=g',
        'c x mRNA 1 130 . + . ID=t;Parent=g',
        'c x CDS 1 10 . + 0 Parent=t',
        'c x CDS 21 33 . + 0 Parent=t',
        'c x CDS 101 104 . + 0 Parent=t',
        'c x exon 1 130 . + . Parent=t',
      ),
    )
    expect(codes).toEqual(['model-phase-wrong'])
    expect(log.defects[0]!.params).toEqual({ transcript: 't', given: '0,0,0', computed: '0,2,1' })
    expect(genes[0]!.transcripts[0]!.cds.map(({ phase }) => phase)).toEqual([0, 2, 1])
  })

  it('trusts the other phases when only the first is against them', () => {
    const { genes } = build(
      gff(
        'c x CDS 1 10 . + 0 ID=a;locus_tag=a',
        'c x CDS 21 30 . + 0 ID=a;locus_tag=a',
        'c x CDS 41 50 . + 2 ID=a;locus_tag=a',
      ),
    )
    expect(genes[0]!.transcripts[0]!.cds.map(({ phase }) => phase)).toEqual([1, 0, 2])
  })

  it('joins the stop codon that GTF counts apart, also one that an intron splits', () => {
    const { genes, codes } = build(
      [
        'c\tx\texon\t1\t10\t.\t+\t.\tgene_id "g"; transcript_id "t";',
        'c\tx\texon\t21\t30\t.\t+\t.\tgene_id "g"; transcript_id "t";',
        'c\tx\tCDS\t1\t9\t.\t+\t0\tgene_id "g"; transcript_id "t";',
        'c\tx\tstop_codon\t10\t10\t.\t+\t0\tgene_id "g"; transcript_id "t";',
        'c\tx\tstop_codon\t21\t22\t.\t+\t2\tgene_id "g"; transcript_id "t";',
      ].join('\n'),
    )
    expect(codes).toEqual([])
    expect(shape(genes[0]!.transcripts[0]!).cds).toEqual([
      [1, 10, 0],
      [21, 22, 2],
    ])
  })

  it('makes a transcript for each of two overlapping coding sequences of a bacterial gene', () => {
    const { genes } = build(
      gff(
        'c x gene 1 90 . + . ID=prfB',
        'c x CDS 1 30 . + 0 ID=p1;Parent=prfB;protein_id=NP_1',
        'c x CDS 10 90 . + 0 ID=p2;Parent=prfB;protein_id=NP_2',
      ),
    )
    expect(genes[0]!.transcripts.map(({ id, proteinId, exons }) => [id, proteinId, exons])).toEqual([
      ['prfB.t1', 'NP_1', [{ start1: 1, end1: 30 }]],
      ['prfB.t2', 'NP_2', [{ start1: 10, end1: 90 }]],
    ])
  })

  it('keeps a programmed frameshift, whose coding parts overlap, as one protein', () => {
    const { genes, codes } = build(
      gff(
        'c x gene 1 60 . + . ID=dnaX',
        'c x mRNA 1 60 . + . ID=t;Parent=dnaX',
        'c x exon 1 60 . + . Parent=t',
        'c x CDS 1 30 . + 0 ID=p;Parent=t',
        'c x CDS 30 59 . + 0 ID=p;Parent=t',
      ),
    )
    expect(codes).toEqual([])
    expect(shape(genes[0]!.transcripts[0]!).cds).toEqual([
      [1, 30, 0],
      [30, 59, 0],
    ])
  })

  it('gives numbered CDS lines of one transcript one coding sequence', () => {
    const { genes } = build(
      gff(
        'c x mRNA 1 60 . + . ID=t',
        'c x CDS 1 30 . + 0 ID=t.cds1;Parent=t',
        'c x CDS 41 60 . + 0 ID=t.cds2;Parent=t',
      ),
    )
    expect(genes[0]!.transcripts).toHaveLength(1)
    expect(genes[0]!.transcripts[0]!.cds).toHaveLength(2)
  })

  it('reads Ensembl and NCBI prefixes, and keeps the file id as an alias', () => {
    const { genes } = build(
      [
        'I\tx\tgene\t1\t9\t.\t+\t.\tID=gene:YAL001C;Name=TFC3;biotype=protein_coding;gene_id=YAL001C;description=Subunit of RNA polymerase III [Source:SGD%3BAcc:S000000001]',
        'I\tx\tmRNA\t1\t9\t.\t+\t.\tID=transcript:YAL001C_mRNA;Parent=gene:YAL001C',
        'I\tx\texon\t1\t9\t.\t+\t.\tParent=transcript:YAL001C_mRNA',
        'I\tx\tCDS\t1\t9\t.\t+\t0\tID=CDS:YAL001C;Parent=transcript:YAL001C_mRNA;protein_id=YAL001C',
        'I\tx\tgene\t21\t29\t.\t+\t.\tID=gene-thrL;Name=thrL;gbkey=Gene;gene=thrL;locus_tag=b0001;gene_synonym=ECK0001,JW4367;Dbxref=GeneID:944742,taxon:83333',
        'I\tx\tCDS\t21\t29\t.\t+\t0\tID=cds-NP_414542.1;Parent=gene-thrL;gbkey=CDS;product=thr operon leader peptide;protein_id=NP_414542.1;transl_table=11',
      ].join('\n'),
    )
    expect(genes[0]).toMatchObject({
      id: 'YAL001C',
      symbol: 'TFC3',
      aliases: ['gene:YAL001C'],
      description: 'Subunit of RNA polymerase III',
    })
    expect(genes[0]!.transcripts[0]).toMatchObject({ id: 'YAL001C_mRNA', proteinId: 'YAL001C' })
    expect(genes[1]).toMatchObject({
      id: 'thrL',
      symbol: null,
      aliases: ['gene-thrL', 'b0001', 'ECK0001', 'JW4367', 'GeneID:944742'],
      description: 'thr operon leader peptide',
    })
    expect(genes[1]!.transcripts[0]).toMatchObject({ id: 'thrL.t1', proteinId: 'NP_414542.1' })
    expect(genes[1]!.transcripts[0]!.attributes.transl_table).toEqual(['11'])
  })

  it('leaves names alone that only look like those of NCBI', () => {
    const { genes } = build(gff('c x gene 1 9 . + . ID=gene-1', 'c x mRNA 1 9 . + . ID=rna-1;Parent=gene-1'))
    expect([genes[0]!.id, genes[0]!.transcripts[0]!.id]).toEqual(['gene-1', 'rna-1'])
  })

  it('puts a mature microRNA and its precursor into one gene', () => {
    const { genes } = build(
      gff(
        'c x gene 1 90 . + . ID=mir1;gene_biotype=miRNA',
        'c x primary_transcript 1 90 . + . ID=p;Parent=mir1',
        'c x exon 1 90 . + . Parent=p',
        'c x miRNA 10 31 . + . ID=m;Parent=p',
        'c x exon 10 31 . + . Parent=m',
      ),
    )
    expect(genes).toHaveLength(1)
    expect(genes[0]!.transcripts.map(({ id, biotype }) => [id, biotype])).toEqual([
      ['p', 'primary_transcript'],
      ['m', 'miRNA'],
    ])
  })

  it('keeps the reading order of the trans-spliced rps12, whose first exon lies on the other strand', () => {
    const { genes, codes } = build(
      gff(
        'pt x gene 200 309 . - . ID=rps12;exception=trans-splicing;part=1',
        'pt x gene 401 460 . + . ID=rps12;exception=trans-splicing;part=2',
        'pt x CDS 200 309 . - 0 ID=p;Parent=rps12;exception=trans-splicing;part=1',
        'pt x CDS 401 431 . + 1 ID=p;Parent=rps12;exception=trans-splicing;part=2',
        'pt x CDS 452 460 . + 0 ID=p;Parent=rps12;exception=trans-splicing;part=3',
      ),
    )
    expect(codes).toContain('model-trans-spliced')
    const transcript = genes[0]!.transcripts[0]!
    expect(transcript.readingOrder).toEqual([
      { start1: 200, end1: 309, strand: '-' },
      { start1: 401, end1: 431, strand: '+' },
      { start1: 452, end1: 460, strand: '+' },
    ])
    expect(transcript.cds.map(({ start1, phase }) => [start1, phase])).toEqual([
      [200, 0],
      [401, 1],
      [452, 0],
    ])
    expect([genes[0]!.start1, genes[0]!.end1]).toEqual([200, 460])
  })

  it('counts a gene across the origin of a circle on beyond its length, in both ways of writing', () => {
    const sequences = new Map([['phiX', 5386]])
    const spec = build(gff('phiX x gene 3981 5522 . + . ID=A', 'phiX x CDS 3981 5522 . + 0 ID=p;Parent=A'), {
      sequences,
      circular: ['phiX'],
    })
    const pieces = build(
      gff(
        'phiX x region 1 5386 . + . ID=r;Is_circular=true',
        'phiX x gene 3981 5522 . + . ID=A',
        'phiX x CDS 3981 5386 . + 0 ID=p;Parent=A',
        'phiX x CDS 1 136 . + 1 ID=p;Parent=A',
      ),
      { sequences },
    )
    for (const { genes, codes } of [spec, pieces]) {
      expect(codes).toContain('model-crosses-origin')
      expect([genes[0]!.start1, genes[0]!.end1]).toEqual([3981, 5522])
    }
    expect(shape(pieces.genes[0]!.transcripts[0]!)).toEqual({
      exons: [[3981, 5522]],
      cds: [[3981, 5522, 0]],
    })
    expect(pieces.codes).not.toContain('model-phase-wrong')
  })

  it('cuts what reaches beyond a linear sequence and leaves out what lies beyond', () => {
    const { genes, codes } = build(
      gff(
        'c x gene 50 120 . + . ID=g',
        'c x mRNA 50 120 . + . ID=t;Parent=g',
        'c x exon 50 120 . + . Parent=t',
        'c x gene 150 190 . + . ID=h',
      ),
      { sequences: new Map([['c', 100]]) },
    )
    expect(genes.map(({ id, end1 }) => [id, end1])).toEqual([['g', 100]])
    expect(genes[0]!.transcripts[0]!.exons).toEqual([{ start1: 50, end1: 100 }])
    expect(new Set(codes)).toEqual(new Set(['model-beyond-clipped', 'model-beyond-left-out']))
  })

  it('finds chromosomes under their other names and leaves out unknown scaffolds', () => {
    const { genes, log } = build(
      gff('I x gene 1 9 . + . ID=a', 'Mito x gene 1 9 . + . ID=b', 'scaffold_9 x gene 1 9 . + . ID=c'),
      {
        sequences: new Map([
          ['chrmt', 100],
          ['chrI', 100],
          ['chrII', 100],
        ]),
      },
    )
    expect(genes.map(({ id, sequenceName }) => [id, sequenceName])).toEqual([
      ['b', 'chrmt'],
      ['a', 'chrI'],
    ])
    expect(log.count('model-sequence-renamed')).toBe(2)
    expect(log.defects.find(({ code }) => code === 'model-sequence-unknown')!.params).toEqual({
      name: 'scaffold_9',
      count: 1,
    })
    expect(log.hasErrors).toBe(false)
  })

  it('refuses an annotation of another genome', () => {
    const { genes, codes } = build(gff('lambda x gene 1 9 . + . ID=a'), { sequences: new Map([['chrI', 100]]) })
    expect(genes).toEqual([])
    expect(codes).toEqual(['model-sequences-all-unknown'])
  })

  it('writes its models as JSON with all attributes', () => {
    const { genes } = build(gff('c x gene 1 9 . + . ID=g;Note=a%20b,c'))
    expect(JSON.parse(JSON.stringify(genes))[0].attributes).toEqual({ ID: ['g'], Note: ['a b', 'c'] })
  })
})

// ---------------------------------------------------------------------------------------------------------------------

const yeast = `${realData}/yeast`
const load = (path: string): Uint8Array => {
  const bytes = readFileSync(path)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}
function readFasta(path: string, alphabet: Alphabet): Map<string, string> {
  const sequences = new Map<string, string>()
  let pieces: string[] = []
  const reader = new FastaReader({
    file: path,
    log: new DefectLog(),
    alphabet,
    onResidues: (residues) => void pieces.push(new TextDecoder('latin1').decode(residues)),
    onRecordEnd({ name }) {
      sequences.set(name, pieces.join(''))
      pieces = []
    },
  })
  reader.push(load(path))
  reader.end()
  return sequences
}
function compareProteins(
  gffPath: string,
  genomePath: string,
  proteinPath: string,
  idOf: (name: string) => string,
  mitochondria = 1,
) {
  const genome = readFasta(genomePath, 'nucleotide')
  const proteins = new Map(
    [...readFasta(proteinPath, 'protein')].map(([name, protein]) => [idOf(name), protein.replace(/\*$/, '')]),
  )
  const log = new DefectLog()
  const reader = new GeneModelReader({
    file: gffPath,
    log,
    sequences: new Map([...genome].map(([name, sequence]) => [name, sequence.length])),
  })
  const bytes = load(gffPath)
  for (let start = 0; start < bytes.length; start += 65_536) reader.push(bytes.subarray(start, start + 65_536))
  const { genes, features } = reader.finish()
  let coding = 0
  const different: string[] = []
  for (const gene of genes) {
    for (const transcript of gene.transcripts) {
      if (transcript.cds.length === 0) continue
      coding++
      const { sequence, phase } = codingSequence(transcript, gene.strand, (start1, end1) =>
        genome.get(gene.sequenceName)!.slice(start1 - 1, end1),
      )
      const table = gene.sequenceName === 'chrmt' ? mitochondria : 1
      const protein = translate(sequence, { table, phase, firstCodonIsStart: true, stopHandling: 'trim' })
      if (protein !== (proteins.get(transcript.id) ?? proteins.get(gene.id))) different.push(gene.id)
    }
  }
  return { genes, features, coding, different, log, proteins }
}

describe.skipIf(!hasRealData)('on real yeast', () => {
  const genome = `${yeast}/genome/R64.genome.chr.fa.gz`
  const sgdProteins = `${yeast}/genome/SGDref.PoFF.faa.gz`

  it('builds the 6,241 genes of R64, and 5,766 of 5,816 translations equal the SGD proteins', () => {
    const result = compareProteins(`${yeast}/derived/R64.gff3.gz`, genome, sgdProteins, (name) => name)
    expect(result.genes).toHaveLength(6241)
    expect(result.genes.filter(({ biotype }) => biotype === 'protein_coding')).toHaveLength(5816)
    expect(result.coding).toBe(5816)
    expect(result.different).toHaveLength(50)
    expect(result.features).toHaveLength(17)
    expect(result.log.hasErrors).toBe(false)
    const biotypes = new Map<string, number>()
    for (const { biotype } of result.genes) biotypes.set(biotype, (biotypes.get(biotype) ?? 0) + 1)
    expect(Object.fromEntries(biotypes)).toEqual({
      protein_coding: 5816,
      tRNA: 299,
      snoRNA: 77,
      rRNA: 24,
      ncRNA: 18,
      snRNA: 6,
      telomerase_RNA: 1,
    })
    expect(result.genes.find(({ id }) => id === 'YAL001C')).toMatchObject({ symbol: 'TFC3', strand: '-' })
  })

  it('builds the same models from the same lines in any order', () => {
    const text = new TextDecoder().decode(load(`${yeast}/derived/R64.gff3.gz`))
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const regions = text.split('\n').filter((line) => line.startsWith('##'))
    // A linear congruential generator, so that a failure can be repeated.
    let state = 7
    const shuffled = [...lines]
    for (let index = shuffled.length - 1; index > 0; index--) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      const other = Math.floor((state / 2_147_483_648) * (index + 1))
      ;[shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!]
    }
    const inOrder = build([...regions, ...lines].join('\n')).genes
    const anyOrder = build([...regions, ...shuffled].join('\n')).genes
    expect(anyOrder).toHaveLength(6241)
    expect(JSON.stringify(anyOrder)).toBe(JSON.stringify(inOrder))
  })

  it('translates the mitochondrial genes with their own code', () => {
    const standard = compareProteins(`${yeast}/derived/R64.gff3.gz`, genome, sgdProteins, (name) => name, 1)
    const own = compareProteins(`${yeast}/derived/R64.gff3.gz`, genome, sgdProteins, (name) => name, 3)
    const ofMitochondria = (ids: string[]) => ids.filter((id) => id.startsWith('Q0')).length
    expect(ofMitochondria(standard.different)).toBe(19)
    expect(ofMitochondria(own.different)).toBeLessThan(19)
  })

  it.each([
    ['S288C', 5570, 273],
    ['SK1', 5543, 275],
    ['Y12', 5547, 275],
    ['YPS128', 5537, 275],
    ['DBVPG6044', 5544, 275],
    ['UWOPS034614', 5564, 272],
    ['CBS432', 5531, 275],
  ])(
    'builds the genes of the strain %s, and all translations but at most one equal its proteins',
    (strain, coding, tRna) => {
      const path = `${yeast}/strains/${strain}`
      const result = compareProteins(
        `${path}.all_feature.gff.gz`,
        `${path}.genome.fa.gz`,
        `${path}.pep.fa.gz`,
        (name) => name.split('|')[1]!,
      )
      expect(result.coding).toBe(coding)
      expect(result.genes.filter(({ biotype }) => biotype === 'tRNA')).toHaveLength(tRna)
      expect(result.genes).toHaveLength(coding + tRna)
      expect(result.different.length).toBeLessThanOrEqual(1)
      expect(result.log.count('model-phase-missing')).toBe(coding)
      expect(result.log.hasErrors).toBe(false)
    },
  )

  it('reads the volvox of JBrowse: EDEN with its three transcripts, and all that is no gene as features', () => {
    const log = new DefectLog()
    const reader = new GeneModelReader({ file: 'volvox.gff3', log })
    reader.push(load(`${realData}/formats/bam_bigwig_vcf/volvox.gff3`))
    const { genes, features } = reader.finish()
    const eden = genes.find(({ id }) => id === 'EDEN')!
    expect(eden.transcripts.map(({ id, exons, cds }) => [id, exons.length, cds.length])).toEqual([
      ['EDEN.1', 4, 4],
      ['EDEN.2', 3, 3],
      ['EDEN.3', 4, 3],
    ])
    expect(features.some(({ type }) => type === 'polypeptide_domain')).toBe(true)
    expect(log.hasErrors).toBe(false)
  })
})

describe('pseudogenes', () => {
  const rows = (gene: string, transcript: string, cds: string) =>
    gff(
      `c x ${gene}`.replace('@', '11 70 . +'),
      `c x ${transcript}`.replace('@', '11 70 . +'),
      `c x CDS 11 40 . + 0 ID=p;Parent=t${cds}`,
      `c x CDS 51 70 . + 0 ID=p;Parent=t${cds}`,
    )
  it.each([
    ['pseudo=true of NCBI', rows('pseudogene @ . ID=g;pseudo=true', 'mRNA @ . ID=t;Parent=g', ';pseudo=true')],
    ['the type of the gene', rows('processed_pseudogene @ . ID=g', 'mRNA @ . ID=t;Parent=g', '')],
    ['gene_biotype', rows('gene @ . ID=g;gene_biotype=pseudogene', 'mRNA @ . ID=t;Parent=g', '')],
    ['the type of the transcript', rows('gene @ . ID=g', 'pseudogenic_transcript @ . ID=t;Parent=g', '')],
    ['pseudo on the CDS alone', rows('gene @ . ID=g', 'mRNA @ . ID=t;Parent=g', ';pseudo=true')],
    ['pseudogene= of INSDC', rows('gene @ . ID=g;pseudogene=unitary', 'mRNA @ . ID=t;Parent=g', '')],
    [
      'pseudo against a coding biotype',
      rows('gene @ . ID=g;gene_biotype=protein_coding;pseudo=true', 'mRNA @ . ID=t;Parent=g', ''),
    ],
  ])('by %s has exons and no CDS', (_, text) => {
    const { genes, codes } = build(text)
    const [transcript] = genes[0]!.transcripts
    expect(shape(transcript!)).toEqual({ exons: [[11, 40], [51, 70]], cds: [] }) // biome-ignore format: short
    expect(genes[0]!.biotype).toMatch(/pseudogen/)
    expect(codes).toContain('model-pseudogene-cds')
  })

  it('of GTF, and /pseudo and /pseudogene of GenBank', () => {
    const gtf = ['gene', 'transcript', 'CDS']
      .map(
        (type) =>
          `c\tx\t${type}\t11\t40\t.\t+\t0\tgene_id "g"; transcript_id "t"; gene_biotype "unprocessed_pseudogene";`,
      )
      .join('\n')
    const genbank = ['/pseudo', '/pseudogene="unknown"'].map(
      (mark) => `LOCUS       c 90 bp DNA linear BCT\nACCESSION   c\nFEATURES             Location/Qualifiers
     gene            11..40
                     /locus_tag="g"
                     ${mark}
     CDS             11..40
                     /locus_tag="g"
                     ${mark}
//\n`,
    )
    for (const text of [gtf, ...genbank]) {
      const { genes } = build(text)
      expect(genes.map(({ biotype }) => /pseudogene$/.test(biotype))).toEqual([true])
      expect(genes[0]!.transcripts.flatMap(({ cds }) => cds)).toEqual([])
    }
  })

  it('that code in some individuals, and a transcript beside a pseudogenic one, keep their CDS', () => {
    const coding = build(rows('gene @ . ID=g;biotype=polymorphic_pseudogene', 'mRNA @ . ID=t;Parent=g', ''))
    expect(coding.genes[0]!.transcripts[0]!.cds).toHaveLength(2)
    const built = build(rows('gene @ . ID=g;pseudo=false', 'mRNA @ . ID=t;Parent=g', ''))
    expect(built.genes[0]!.transcripts[0]!.cds).toHaveLength(2)
    const both = build(
      `${rows('gene @ . ID=g', 'mRNA @ . ID=t;Parent=g;pseudo=true', '')}\n${gff(
        'c x mRNA 11 70 . + . ID=u;Parent=g',
        'c x CDS 11 40 . + 0 ID=q;Parent=u',
      )}`,
    )
    expect(both.genes[0]!.transcripts.map(({ id, cds, biotype }) => [id, cds.length, biotype])).toEqual([
      ['t', 0, 'pseudogene'],
      ['u', 1, 'protein_coding'],
    ])
    expect(both.genes[0]!.biotype).toBe('protein_coding')
  })
})

describe('readGeneModelsInParts', () => {
  it('gives of every text that was built above the same genes and defects', async () => {
    expect(inParts.length).toBeGreaterThan(30)
    for (const check of inParts) await check()
  })
})
