import { type GenesPortal, openGenesPortal } from './genes-portal.ts'
import { makeRandom } from './random.ts'

// A simulated series: three modules of twelve genes that follow a course of their own each, and 24 genes that follow none.
export const moduleSize = 12
export const sampleCount = 30
export const geneIds = Array.from({ length: 3 * moduleSize + 24 }, (_, at) => `S_${String(at + 1).padStart(3, '0')}`)
export const moduleOf = (gene: string): number => Math.min(3, Math.floor((Number(gene.slice(2)) - 1) / moduleSize))

const random = makeRandom(20_261_121)
const noise = (): number => random() + random() + random() - 1.5
const courses = Array.from({ length: 3 }, () => Array.from({ length: sampleCount }, () => 2 * noise()))
export const values = new Map(
  geneIds.map((gene) => [
    gene,
    Array.from({ length: sampleCount }, (_, at) => {
      const course = moduleOf(gene) < 3 ? courses[moduleOf(gene)]![at]! : 2 * noise()
      return Number((2 ** (6 + course + 0.5 * noise())).toFixed(3))
    }),
  ]),
)
const samples = Array.from({ length: sampleCount }, (_, at) => `x${at + 1}`)
export const organs = ['root', 'leaf', 'flower']

/** log2(x + 1) of the values, as the tools compare them. */
export const logs = new Map([...values].map(([gene, row]) => [gene, row.map((value) => Math.log2(value + 1))]))

/** A portal with the series, a comparison of it, a second data set with gaps, and a pathway of its genes. */
export const openExpressionPortal = (): Promise<GenesPortal> => {
  const rows = geneIds.map((gene) => [gene, ...values.get(gene)!].join('\t'))
  return openGenesPortal({
    species: 'testus-series',
    geneIds,
    manifest: `    expression:
      - { id: series, name: Series, file: series.tsv, unit: TPM, samples: sheet.tsv, simulated: true, differential: [{ id: one, name: One, file: de.csv, columns: { baseMean: [baseMean, baseMean] } }] }
      - { id: gaps, name: Gaps, file: gaps.tsv, unit: log2ratio }
    pathways:
      - { file: sets.gmt, source: Made }
`,
    files: {
      'series.tsv': [['gene', ...samples].join('\t'), ...rows, ''].join('\n'),
      'sheet.tsv': ['sample\torgan\tminutes', ...samples.map((id, at) => `${id}\t${organs[at % 3]}\t${at}`), ''].join(
        '\n',
      ),
      'gaps.tsv':
        'gene\ta\tb\tc\td\te\tf\tg\nS_001\t1\t2\t3\t4\t5\t6\t7\nS_002\t1\t2\tNA\t4\tNA\t6\t8\nS_003\t1\t1\t1\t1\t1\t1\t1\nS_004\tNA\tNA\tNA\tNA\tNA\t1\t2\n',
      'sets.gmt': `P1\tBurning\tS_001\tS_002\tS_040\n`,
      'de.csv':
        ',baseMean,log2FoldChange,lfcSE,stat,pvalue,padj\nS_001,50,2,0.1,9,1e-20,1e-18\nS_002,40,-1,0.1,9,0.5,NA\n',
    },
  })
}
