import { describe, expect, it } from 'vitest'
import { matchNames } from '../../testing/gene-matches.ts'
import { GeneMatches } from '../annotation/gene-matches.ts'
import { DefectLog } from '../text/defects.ts'
import { DifferentialReader } from './differential-table.ts'
import { ExpressionMatrixReader, guessSampleSheet, parseSampleSheet } from './expression-matrix.ts'

const known = new Map([
  ['geneA', 'geneA'],
  ['oldA', 'geneA'],
  ['geneB', 'geneB'],
])
const read = (text: string, options: { samples?: string[]; signed?: boolean; textBytes?: number } = {}) => {
  const log = new DefectLog()
  const reader = new ExpressionMatrixReader({
    file: 'x.tsv',
    log,
    ...(options.samples === undefined ? {} : { samples: options.samples }),
    matches: matchNames((name) => known.get(name) ?? null),
    signed: options.signed ?? false,
    additive: true,
    ...(options.textBytes === undefined ? {} : { textBytes: options.textBytes }),
  })
  for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
  return { matrix: reader.finish(), codes: log.defects.map(({ code }) => code), log }
}

describe('a matrix of genes and samples', () => {
  it('is read from TSV with comments, empty cells and NA, which are missing and not zero', () => {
    const { matrix, codes } = read('# made by hand\n\ts1\ts2\ngeneA\t1.5\t\ngeneB\tNA\t2e1')
    expect(matrix?.samples).toEqual(['s1', 's2'])
    expect(matrix?.genes).toEqual(['geneA', 'geneB'])
    expect([...matrix!.values]).toEqual([1.5, Number.NaN, Number.NaN, 20])
    expect(matrix?.missing).toBe(2)
    expect(codes).toEqual([])
  })

  it.each([undefined, 1, 40, 1e6])(
    'is the same whatever length was told (%s), without columns that are empty',
    (textBytes) => {
      const text = 'gene\ta\tb\tc\ngeneA\t1\t\t2\ngeneB\t3\t\tNA'
      const { matrix } = read(text, textBytes === undefined ? {} : { textBytes })
      expect(matrix).toMatchObject({ samples: ['a', 'c'], missing: 1, genes: ['geneA', 'geneB'] })
      expect([...matrix!.values]).toEqual([1, 2, 3, Number.NaN])
      expect([...matrix!.sums]).toEqual([4, 2])
    },
  )

  it('is read from CSV with quotes, and from R, whose heading has no name for the genes', () => {
    expect([...read('"gene","s,1","s2"\n"geneA","1","2"').matrix!.values]).toEqual([1, 2])
    expect(read('"gene","s,1","s2"\n"geneA","1","2"').matrix!.samples).toEqual(['s,1', 's2'])
    const { matrix } = read('s1\ts2\ngeneA\t1\t2')
    expect(matrix?.samples).toEqual(['s1', 's2'])
    expect([...matrix!.values]).toEqual([1, 2])
  })

  it('leaves out what is no sample: names, places, call columns of arrays, separators without a value', () => {
    const { matrix, codes } = read(
      'ORF\tGene\tHeat\t"Call:1=P, 0=A"\tsep\tAcid\t"Call:1=P, 0=A"\ngeneA\tx\t1\t1\t\t2\t0',
    )
    expect(matrix?.samples).toEqual(['Heat', 'Acid'])
    expect(codes).toEqual(['expression-column-empty'])
  })

  it('takes the samples of the sheet in its order, and tells of those that only one of the two has', () => {
    const { matrix, codes } = read('gene\ta\tb\tc\ngeneA\t1\t2\t3', { samples: ['c', 'a', 'z'] })
    expect(matrix?.samples).toEqual(['c', 'a'])
    expect([...matrix!.values]).toEqual([3, 1])
    expect(codes).toEqual(['expression-sample-absent', 'expression-column-left'])
  })

  it('keeps the first row of a gene under any of its names, and reports unknown genes and summary rows of htseq-count', () => {
    const text = 'gene\ts\ngeneA\t5\noldA\t7\nnobody\t3\n__no_feature\t1000\nalignment_not_unique\t9\ngeneB\t1'
    const { matrix, log } = read(text)
    expect(matrix?.genes).toEqual(['geneA', 'geneB'])
    expect([...matrix!.values]).toEqual([5, 1])
    // Counts per million are of all genes, also those without a model, and not of summary rows.
    expect([...matrix!.sums]).toEqual([16])
    expect(log.defects.map(({ code, params }) => [code, params])).toEqual([
      ['expression-gene-repeated', { name: 'oldA', gene: 'geneA', before: 'geneA' }],
      ['expression-summary-rows', { names: '__no_feature, alignment_not_unique' }],
      ['genes-unmatched', { count: 1, total: 4, names: 'nobody', percent: 75 }],
    ])
  })

  it.each([
    ['a word for a number', 'gene\ts\ngeneA\thigh', 'expression-value'],
    ['a decimal comma', 'gene\ts\ngeneA\t1,5', 'phenotype-decimal-comma'],
    ['a negative count', 'gene\ts\ngeneA\t-1', 'expression-negative'],
    ['a short row', 'gene\ts\tt\tu\ngeneA\t1', 'expression-columns'],
    ['two samples of one name', 'gene\ts\ts\ngeneA\t1\t2', 'expression-sample-repeated'],
    ['genes of another annotation', 'gene\ts\nprobe1\t1', 'genes-none'],
    ['a heading alone', 'gene\ts', 'expression-empty'],
    ['no sample', 'gene\tdescription\ngeneA\tkinase', 'expression-no-sample'],
  ])('is refused with %s', (_, text, code) => {
    const { codes, log } = read(text)
    expect(codes).toContain(code)
    expect(log.hasErrors).toBe(true)
  })

  const results = 'baseMean\tlog2FoldChange\tlfcSE\tstat\tpvalue\tpadj'
  it.each([
    ['DESeq2', 'expression-comparison', `\t${results}\ngeneA\t5\t1\t0.1\t2\t0.01\t0.02`],
    ['DESeq2 without a heading for genes', 'expression-comparison', `${results}\ngeneA\t5\t1\t0.1\t2\t0.01\t0.02`],
    ['edgeR', 'expression-comparison', '"","logFC","logCPM","F","PValue","FDR"\n"geneA",1,5,9,0.01,0.02'],
    ['limma', 'expression-comparison', 'ID\tlogFC\tAveExpr\tt\tP.Value\tadj.P.Val\tB\ngeneA\t1\t5\t9\t0.01\t0.02\t3'],
    ['Sailfish', 'expression-quantification', 'Name\tLength\tTPM\tNumReads\ngeneA\t900\t5.5\t30'],
    ['Cufflinks', 'expression-quantification', 'tracking_id\tgene_id\tFPKM\tFPKM_conf_lo\ngeneA\tgeneA\t5.5\t3'],
    ['htseq-count', 'expression-no-heading', 'geneA\t12\ngeneB\t7\n__no_feature\t90'],
    ['genes known by numbers', 'expression-no-heading', '1017\t5\t8\n1018\t4\t9'],
    ['featureCounts without its heading', 'expression-no-heading', 'nobody\t900\t12\ngeneA\t800\t7'],
    ['a gene whose name could be a heading', 'expression-no-heading', 'probe\t12\ngeneA\t7'],
    ['STAR', 'expression-no-heading', 'N_unmapped\t91\t91\t91\nN_ambiguous\t4\t1\t2\ngeneA\t9\t4\t5'],
    ['STAR, first row unequal', 'expression-no-heading', 'N_noFeature\t91\t8\t7\ngeneA\t9\t4\t5'],
  ])('is not the table of %s', (_, code, text) => {
    known.set('probe', 'geneC')
    const { matrix, codes } = read(text)
    known.delete('probe')
    expect(matrix).toBeNull()
    expect(codes).toEqual([code])
  })

  it('may have numbers for names of samples, and results before them', () => {
    for (const heading of [
      'gene_id\t0\t24',
      'GeneID\t0\t24',
      'systematic name\t0\t24',
      '基因\t0\t24',
      '\t0\t24',
      '0\t24',
    ])
      expect(read(`${heading}\ngeneA\t1\t2`).matrix?.samples).toEqual(['0', '24'])
    expect(read('Gen\t0\t24\ngeneA\t1\t2', { samples: ['24', '0'] }).matrix?.samples).toEqual(['24', '0'])
    const behind = read(`gene\t${results}\ts1\ngeneA\t5\t1\t0.1\t2\t0.01\t0.02\t7`, { samples: ['s1'] })
    expect([...behind.matrix!.values]).toEqual([7])
  })

  it('has the samples of the BAM files that featureCounts heads its columns by', () => {
    const heading = (paths: string[]) => ['Geneid', 'Chr', 'Start', 'End', 'Strand', 'Length', ...paths].join('\t')
    const text = `# Program:featureCounts v2.0.3; Command:"featureCounts" "-a" "g.gtf"\n${heading([
      '/home/me/map/leaf_rep1Aligned.sortedByCoord.out.bam',
      '/home/me/map/root_rep1Aligned.sortedByCoord.out.bam',
    ])}\ngeneA\tchr1;chr1\t1;50\t40;90\t+;+\t81\t5\t6\ngeneB\tchr1\t200\t300\t-\t101\t7\t8`
    const { matrix, codes } = read(text)
    expect(matrix?.samples).toEqual(['leaf_rep1', 'root_rep1'])
    expect([...matrix!.values]).toEqual([5, 6, 7, 8])
    expect(codes).toEqual(['expression-samples-renamed'])
    expect(read(text, { samples: ['root', 'leaf'] }).matrix?.samples).toEqual(['root', 'leaf'])
  })

  it('has rows of transcripts summed to their genes, as nf-core merges them', () => {
    const log = new DefectLog()
    const reader = new ExpressionMatrixReader({
      file: 'x',
      log,
      matches: new GeneMatches({
        file: 'x',
        match: (name) =>
          name.startsWith('gene') ? { gene: name.split('.')[0]!, rule: 'product', isProduct: true } : null,
      }),
      signed: false,
      additive: true,
    })
    const text = 'tx\tgene_id\ts1\ts2\ngeneA.1\tgeneA\t1.5\tNA\ngeneB.1\tgeneB\t4\t4\ngeneA.2\tgeneA\t2\t3'
    for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
    const matrix = reader.finish()
    expect(matrix?.genes).toEqual(['geneA', 'geneB'])
    expect([...matrix!.values]).toEqual([3.5, 3, 4, 4])
    expect(log.defects.map(({ code, params }) => [code, params])).toEqual([
      ['expression-transcripts-summed', { count: 3, genes: 2 }],
    ])
  })

  it('may be below zero where values are log ratios', () => {
    expect([...read('gene\ts\ngeneA\t-1.25', { signed: true }).matrix!.values]).toEqual([-1.25])
  })
})

describe('a sample sheet', () => {
  it('has factors of any name, and a label that is none', () => {
    const log = new DefectLog()
    const text = 'sample,tissue,label,replicate\ns1,root,Root 1,1\ns2,leaf,,1\ns1,leaf,x,2'
    expect(parseSampleSheet(text.split('\n'), 'x.csv', log)).toEqual({
      factors: ['tissue', 'replicate'],
      samples: [
        { id: 's1', label: 'Root 1', factors: { tissue: 'root', replicate: '1' }, file: null, strand: null },
        { id: 's2', label: 's2', factors: { tissue: 'leaf', replicate: '1' }, file: null, strand: null },
      ],
    })
    expect(log.defects.map(({ code }) => code)).toEqual(['expression-sheet-repeated'])
  })

  it('of nf-core has a row for each file of reads, which are neither samples nor factors', () => {
    const log = new DefectLog()
    const text =
      'sample,fastq_1,fastq_2,strandedness\nWT_REP1,a_1.fq.gz,a_2.fq.gz,auto\nWT_REP1,b_1.fq.gz,b_2.fq.gz,auto\nKO_REP1,c_1.fq.gz,,reverse'
    const sheet = parseSampleSheet(text.split('\n'), 'samplesheet.csv', log)
    expect(sheet.factors).toEqual([])
    expect(sheet.samples.map(({ id, strand }) => [id, strand])).toEqual([
      ['WT_REP1', null],
      ['KO_REP1', 'reverse'],
    ])
    expect(log.defects).toEqual([])
    expect(guessSampleSheet(['WT_REP1', 'KO_REP1'], sheet).samples[1]).toMatchObject({
      factors: { group: 'KO', replicate: '1' },
      strand: 'reverse',
    })
  })

  it('is guessed from names that end in replicates, and not from others', () => {
    expect(guessSampleSheet(['WT_rep01', 'snf2.R2']).samples.map(({ factors }) => factors)).toEqual([
      { group: 'WT', replicate: '1' },
      { group: 'snf2', replicate: '2' },
    ])
    expect(guessSampleSheet(['alpha0', 'alpha7']).factors).toEqual([])
  })
})

describe('a table of differential expression', () => {
  const table = (text: string, columns = {}) => {
    const log = new DefectLog()
    const reader = new DifferentialReader({
      file: 'x',
      log,
      matches: matchNames((name) => known.get(name) ?? null),
      columns,
    })
    for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
    return { table: reader.finish(), log }
  }
  it.each([
    [
      'DESeq2',
      '"baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"\n"geneA",100,-2,0.1,-20,1e-80,NA',
      [100, -2, 1e-80, Number.NaN],
    ],
    ['edgeR', 'logFC\tlogCPM\tF\tPValue\tFDR\ngeneA\t-2\t6.5\t90\t0.01\t0.02', [6.5, -2, 0.01, 0.02]],
    ['limma', 'ID\tlogFC\tAveExpr\tt\tP.Value\tadj.P.Val\tB\ngeneA\t-2\t7\t3\t0.01\t0.02\t1', [7, -2, 0.01, 0.02]],
  ])('of %s is known by its headings', (program, text, [mean, fold, p, adjusted]) => {
    const found = table(text).table!
    expect(found.program).toBe(program)
    expect([found.baseMean![0], found.log2FoldChange[0], found.pValue![0], found.adjustedPValue![0]]).toEqual([
      mean,
      fold,
      p,
      adjusted,
    ])
    expect(found.baseMeanIsLog).toBe(program !== 'DESeq2')
  })

  it('has its columns named where they are another program’s, and the mean of several as mean', () => {
    const { table: found } = table('# by hand\nGeneID\tchange\tsig\tWT\tmut\ngeneB\t1\t0.5\t10\t30', {
      log2FoldChange: 'change',
      adjustedPValue: 'sig',
      baseMean: ['WT', 'mut'],
    })
    expect([found!.baseMean![0], found!.adjustedPValue![0], found!.pValue]).toEqual([20, 0.5, null])
  })

  it('is refused without a fold change', () => {
    expect(table('gene\tp\ngeneA\t0.1').log.defects.map(({ code }) => code)).toEqual([
      'expression-differential-columns',
    ])
  })

  it.each([
    ['edgeR', '"","GeneID","Length","logFC","logCPM","F","PValue","FDR"\n"1","geneA",900,1,5,9,0.01,0.02', 'GeneID'],
    [
      'limma',
      '\tENTREZID\tSYMBOL\tlogFC\tAveExpr\tt\tP.Value\tadj.P.Val\tB\n4970\t4970\tgeneA\t1\t5\t9\t0.01\t0.02\t3',
      'SYMBOL',
    ],
    [
      'limma without a heading for the names of rows',
      'genes\tlogFC\tAveExpr\tt\tP.Value\tadj.P.Val\tB\n17\tgeneA\t1\t5\t9\t0.01\t0.02\t3',
      'genes',
    ],
  ])('of %s has the genes in the column that names them, where the rows are named otherwise', (_, text, column) => {
    const log = new DefectLog()
    const matches = matchNames((name) => known.get(name) ?? null)
    const reader = new DifferentialReader({ file: 'x', log, matches })
    for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
    const table = reader.finish()
    expect([table?.genes, [...table!.log2FoldChange], [...table!.pValue!]]).toEqual([['geneA'], [1], [0.01]])
    expect(log.defects.map(({ code, params }) => [code, params.column])).toEqual([['expression-name-column', column]])
  })
})
