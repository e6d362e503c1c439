// Tables of genes that are no matrices of samples: programs write them, and they are known by their headings.

/** Programs that write a file a sample, and columns by which it is known; those with more of them first. */
const quantifications: readonly [string, readonly string[]][] = [
  ['Salmon quant.sf', ['EffectiveLength', 'TPM', 'NumReads']],
  ['Sailfish quant.sf', ['Length', 'TPM', 'NumReads']],
  ['kallisto abundance.tsv', ['eff_length', 'est_counts', 'tpm']],
  ['RSEM', ['effective_length', 'expected_count', 'TPM']],
  ['StringTie', ['Coverage', 'FPKM', 'TPM']],
  ['Cufflinks', ['tracking_id', 'FPKM', 'FPKM_conf_lo']],
]

/** Programs that compare groups of samples: DESeq2 (results), edgeR (topTags), limma (topTable). */
const comparisons: readonly [string, readonly string[]][] = [
  ['DESeq2', ['log2FoldChange', 'pvalue']],
  ['edgeR', ['logFC', 'logCPM', 'PValue']],
  ['edgeR', ['logFC', 'PValue', 'FDR']],
  ['limma', ['logFC', 'AveExpr', 'P.Value']],
]

export interface OtherTable {
  kind: 'quantification' | 'comparison'
  program: string
}

/**
 * The program that writes a table of such headings; null when it may be one of samples.
 *
 * Example: `detectOtherTable(['', 'baseMean', 'log2FoldChange', 'lfcSE', 'stat', 'pvalue', 'padj'])` is of DESeq2.
 */
export const detectOtherTable = (headings: readonly string[]): OtherTable | null => {
  const find = (tables: typeof quantifications): string | undefined =>
    tables.find(([, columns]) => columns.every((name) => headings.includes(name)))?.[0]
  const quantification = find(quantifications)
  if (quantification !== undefined) return { kind: 'quantification', program: quantification }
  const comparison = find(comparisons)
  return comparison === undefined ? null : { kind: 'comparison', program: comparison }
}

/** First rows of STAR's ReadsPerGene.out.tab, which has no heading (STAR manual, "Counting number of reads per gene"). */
export const isStarCount = (name: string): boolean => /^N_(unmapped|multimapping|noFeature|ambiguous)$/.test(name)
