import { describe, expect, test } from 'vitest'
import { matchNames } from '../../testing/gene-matches.ts'
import { GeneMatches } from '../annotation/gene-matches.ts'
import { DefectLog } from '../text/defects.ts'
import {
  chooseQuantifications,
  detectQuantification,
  QuantificationTable,
  type QuantifiedUnit,
} from './quantification.ts'
import type { Strandedness } from './strandedness.ts'

const salmon = 'Name\tLength\tEffectiveLength\tTPM\tNumReads\n'
const star = (...rows: string[]) =>
  `N_unmapped\t9\t9\t9\nN_multimapping\t5\t5\t5\nN_noFeature\t3\t70\t6\nN_ambiguous\t1\t0\t0\n${rows.join('\n')}`

describe('the program is told by the first lines', () => {
  test.each([
    ['Salmon', `${salmon}t1\t900\t700.1\t3.5\t12.25`],
    ['kallisto', 'target_id\tlength\teff_length\test_counts\ttpm\nt1\t900\t701\t12\t3.5'],
    [
      'RSEM',
      'gene_id\ttranscript_id(s)\tlength\teffective_length\texpected_count\tTPM\tFPKM\ng1\tt1,t2\t900\t700\t12\t3\t2',
    ],
    [
      'RSEM',
      'transcript_id\tgene_id\tlength\teffective_length\texpected_count\tTPM\tFPKM\tIsoPct\nt1\tg1\t900\t700\t12\t3\t2\t100',
    ],
    [
      'StringTie',
      'Gene ID\tGene Name\tReference\tStrand\tStart\tEnd\tCoverage\tFPKM\tTPM\ng1\t-\tchr1\t+\t1\t9\t2.5\t3\t4',
    ],
    ['STAR', star('g1\t5\t1\t4')],
    ['htseq-count', 'g1\t5\ng2\t0\n__no_feature\t7'],
    ['htseq-count', 'g1\tabcA\t5\ng2\t\t0'],
    [
      'featureCounts',
      '# Program:featureCounts v2.0.3\nGeneid\tChr\tStart\tEnd\tStrand\tLength\t/m/leaf.bam\ng1\tchr1\t1\t9\t+\t9\t5',
    ],
  ])('%s', (program, text) => {
    expect(detectQuantification(text.split('\n'))?.program).toBe(program)
  })

  test.each([
    ['a matrix', 'gene\tleaf\troot\ng1\t5\t6'],
    ['counts of several samples by htseq-count', 'g1\t5\t6\ng2\t0\t1'],
    [
      'featureCounts of two BAM files',
      'Geneid\tChr\tStart\tEnd\tStrand\tLength\ta.bam\tb.bam\ng1\tchr1\t1\t9\t+\t9\t5\t6',
    ],
    ['results of DESeq2', '\tbaseMean\tlog2FoldChange\tlfcSE\tstat\tpvalue\tpadj\ng1\t5\t1\t1\t1\t0.1\t0.2'],
  ])('none of %s', (_, text) => {
    expect(detectQuantification(text.split('\n'))).toBeNull()
  })
})

test('of a folder the files are read that programs give such names', () => {
  expect(
    chooseQuantifications([
      'q/leaf/aux_info/ambig_info.tsv',
      'q/leaf/cmd_info.json',
      'q/leaf/quant.genes.sf',
      'q/leaf/quant.sf',
      'q/salmon.merged.gene_counts.tsv',
    ]),
  ).toEqual(['q/leaf/quant.sf'])
  expect(chooseQuantifications(['s/aLog.final.out', 's/aReadsPerGene.out.tab', 's/aSJ.out.tab'])).toEqual([
    's/aReadsPerGene.out.tab',
  ])
  expect(chooseQuantifications(['h/a.counts', 'h/a.bam', 'h/a.txt.summary'])).toEqual(['h/a.counts'])
})

const genes = new Set(['g1', 'g2', 'g3'])
const read = (
  files: Record<string, string>,
  unit: QuantifiedUnit = 'counts',
  strandOf: (sample: number) => Strandedness | null = () => null,
  matches = matchNames((name) => (genes.has(name) ? name : null)),
) => {
  const log = new DefectLog()
  const table = new QuantificationTable({ matches, log, unit })
  for (const [id, text] of Object.entries(files)) {
    const lines = text.split('\n')
    const addLine = table.open(id, `${id}.txt`, detectQuantification(lines)!)
    for (const [at, line] of lines.entries()) addLine?.(line, at + 1)
  }
  return { matrix: table.finish('folder', strandOf), log, codes: log.defects.map(({ code }) => code) }
}

test('samples are columns; a gene that one file lacks is missing there, and rows that are no genes are none', () => {
  const { matrix, log } = read({ a: 'g1\t5\ng2\t6\n__no_feature\t9', b: 'g2\t7\ng3\t8\nnobody\t4\n__ambiguous\t1' })
  expect(matrix).toMatchObject({ samples: ['a', 'b'], genes: ['g1', 'g2', 'g3'], missing: 2 })
  expect([...matrix!.values]).toEqual([5, Number.NaN, 6, 7, Number.NaN, 8])
  expect([...matrix!.sums]).toEqual([11, 19])
  expect(log.defects).toMatchObject([{ code: 'genes-unmatched', params: { count: 1, total: 4, percent: 75 } }])
})

test('transcripts are summed to genes, in the unit that is asked for', () => {
  const match = (name: string) =>
    name.startsWith('t') ? ({ gene: `g${name[1]}`, rule: 'product', isProduct: true } as const) : null
  const text = `${salmon}t1.1\t900\t700\t1.5\t10\nt1.2\t900\t700\t2\t20\nt2.1\t900\t700\t4\t40`
  const matches = () => new GeneMatches({ file: 'folder', match })
  const counts = read({ a: text }, 'counts', undefined, matches())
  expect([counts.matrix!.genes, [...counts.matrix!.values]]).toEqual([
    ['g1', 'g2'],
    [30, 40],
  ])
  expect(counts.log.defects).toMatchObject([{ code: 'expression-transcripts-summed', params: { count: 3, genes: 2 } }])
  expect([...read({ a: text }, 'TPM', undefined, matches()).matrix!.values]).toEqual([3.5, 4])
  expect(read({ a: text }, 'FPKM', undefined, matches()).codes).toContain('expression-unit-absent')
})

describe('the column of STAR', () => {
  const reverse = star('g1\t50\t1\t49', 'g2\t50\t2\t48')
  const unstranded = star('g1\t50\t24\t26', 'g2\t50\t25\t25')
  test('is told by the counts of each sample, and said', () => {
    const { matrix, log } = read({ a: reverse, b: unstranded })
    expect([...matrix!.values]).toEqual([49, 50, 48, 50])
    expect([...matrix!.sums]).toEqual([97, 100])
    expect(log.defects).toMatchObject([
      { code: 'expression-strand', params: { count: 1, strand: '@reverse', min: 3, names: 'a' } },
      { code: 'expression-strand', params: { count: 1, strand: '@unstranded', min: 49, names: 'b' } },
    ])
  })

  test('is the one that is given, though the counts tell another, which is said', () => {
    const { matrix, codes } = read({ a: reverse }, 'counts', () => 'unstranded')
    expect([...matrix!.values]).toEqual([50, 50])
    expect(codes).toEqual(['expression-strand-differs', 'expression-strand'])
  })

  test('is that of both strands where the counts tell neither', () => {
    const { matrix, codes } = read({ a: star('g1\t100\t68\t32') })
    expect([...matrix!.values]).toEqual([100])
    expect(codes).toEqual(['expression-strand-unclear', 'expression-strand'])
  })
})

test('a row of another width and a value that is none are errors with their line', () => {
  expect(read({ a: 'g1\t5\ng2\t6\t7' }).log.defects[0]).toMatchObject({ code: 'expression-columns', line: 2 })
  expect(read({ a: 'g1\t5\ng2\tmany' }).log.defects[0]).toMatchObject({ code: 'expression-value', line: 2 })
})
