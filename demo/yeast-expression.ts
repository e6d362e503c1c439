import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ExpressionEntry, writeLines } from './species-folder.ts'

/** Cell cultures of Spellman et al. 1998 by how they were synchronised; the time of a sample stands at the end of its name. */
const cellCycleSamples: readonly [pattern: RegExp, experiment: string][] = [
  [/^alpha(\d+)$/, 'alpha factor'],
  [/^cdc15_(\d+)$/, 'cdc15'],
  [/^cdc28_(\d+)$/, 'cdc28'],
  [/^elu(\d+)$/, 'elutriation'],
  [/^(cln3)-\d$/, 'cln3 induction'],
  [/^(clb2)-\d$/, 'clb2 induction'],
]

const readHeadings = async (file: string): Promise<string[]> =>
  gunzipSync(await readFile(file))
    .toString('utf8')
    .split(/\r?\n/, 1)[0]!
    .split('\t')

const cellCycleSheet = (headings: string[]): string[] => {
  const rows = headings.flatMap((heading) => {
    for (const [pattern, experiment] of cellCycleSamples) {
      const match = pattern.exec(heading)
      if (match !== null) return [[heading, experiment, /^\d+$/.test(match[1]!) ? match[1]! : ''].join('\t')]
    }
    return []
  })
  return ['sample\tsynchronisation\tminutes', ...rows]
}

const stressSheet = (headings: string[]): string[] => {
  const rows = headings.flatMap((heading) => {
    const match = /^(.+) (\d+)'(?: \(([AB])\))?$/.exec(heading)
    return match === null ? [] : [[heading, match[1], match[2], match[3] ?? 'A', `${match[1]} ${match[2]}`].join('\t')]
  })
  return ['sample\ttreatment\tminutes\treplicate\tcondition', ...rows]
}

const strainSheet = (headings: string[]): string[] => [
  'sample\tgenotype\treplicate',
  ...headings.slice(1).map((heading) => {
    const [genotype, replicate] = heading.split('_rep')
    return [heading, genotype === 'WT' ? 'wild type' : 'snf2', Number(replicate)].join('\t')
  }),
]

/**
 * Three real data sets of budding yeast, each matrix as its authors gave it, with a sample sheet made of its headings: cell cycle
 * (gaps, separator columns), stress (present/absent calls between the columns), 48 replicates of two strains with their DESeq2 result.
 */
export async function makeYeastExpression(yeast: string, outDir: string): Promise<ExpressionEntry[]> {
  const file = (name: string): string => join(yeast, 'expression', name)
  const sheet = async (name: string, matrix: string, make: (headings: string[]) => string[]): Promise<string> => {
    await writeLines(join(outDir, name), make(await readHeadings(file(matrix))))
    return name
  }
  const counts = 'gierlinski2015_counts_matrix_96.tsv.gz'
  const stress = 'causton2001_stress_raw.txt.gz'
  const cycle = 'spellman1998_cellcycle_combined.txt.gz'
  return [
    {
      id: 'cell-cycle',
      name: { en: 'Cell cycle', zh: '细胞周期' },
      file: file(cycle),
      unit: 'log2ratio',
      samples: await sheet('cell-cycle-samples.tsv', cycle, cellCycleSheet),
      group: 'synchronisation',
      description: {
        en: 'Two-colour arrays of synchronised cultures against an asynchronous one, over up to three cycles.',
        zh: '同步化培养物相对于非同步培养物的双色芯片，最多跨三个细胞周期。',
      },
      source: { en: 'Spellman et al. 1998', zh: 'Spellman 等，1998' },
    },
    {
      id: 'stress',
      name: { en: 'Stress time courses', zh: '胁迫时间序列' },
      file: file(stress),
      unit: 'intensity',
      samples: await sheet('stress-samples.tsv', stress, stressSheet),
      group: 'condition',
      description: {
        en: 'One-colour arrays after heat, acid, alkali, peroxide, salt and sorbitol.',
        zh: '热、酸、碱、过氧化氢、盐及山梨醇处理后的单色芯片。',
      },
      source: { en: 'Causton et al. 2001', zh: 'Causton 等，2001' },
    },
    {
      id: 'snf2',
      name: { en: 'Wild type and snf2, 48 replicates each', zh: '野生型与 snf2 各 48 个重复' },
      file: file(counts),
      unit: 'counts',
      samples: await sheet('snf2-samples.tsv', counts, strainSheet),
      group: 'genotype',
      description: {
        en: 'RNA-seq reads counted by gene; nothing but a deletion of SNF2 parts the two groups.',
        zh: '按基因统计的 RNA-seq 读段数；两组仅相差 SNF2 缺失。',
      },
      source: { en: 'Gierliński et al. 2015', zh: 'Gierliński 等，2015' },
      licence: 'MIT',
      differential: [
        {
          id: 'snf2-wt',
          name: { en: 'snf2 against wild type', zh: 'snf2 相对野生型' },
          file: file('gierlinski2015_deseq2_full48.txt.gz'),
          // The authors' script writes results of DESeq2 under headings of its own; "significance" is the adjusted p-value.
          columns: {
            log2FoldChange: 'log2foldchange',
            adjustedPValue: 'significance',
            baseMean: ['WT', 'Snf2'],
          },
          description: {
            en: 'DESeq2 over all replicates, by the authors.',
            zh: '作者用 DESeq2 分析全部重复所得。',
          },
        },
      ],
    },
  ]
}
