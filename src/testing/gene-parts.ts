import { expect } from 'vitest'
import type { Together } from '../bio/annotation/feature-survey.ts'
import { type GeneModelReaderOptions, readGeneModelsInParts } from '../bio/annotation/gene-model-reader.ts'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import { DefectLog, type DefectTotal } from '../bio/text/defects.ts'

/** Each round reads the whole text again: texts of whole genomes are read in some rounds, not in one for each gene. */
const waysOf = (textBytes: number): Record<string, Together> => ({
  'as soon as they can be built': { min: 1, max: Number.POSITIVE_INFINITY },
  ...(textBytes > 100_000
    ? { 'in some rounds': { min: 3, max: 10_000 } }
    : { 'in as many rounds as can be': { min: 1, max: 0 }, 'a few in a round': { min: 3, max: 20 } }),
})

/** Genes as they are told apart, in an order of their own, and how often each defect was met. */
export const summarizeGenes = (
  genes: readonly GeneModel[],
  log: DefectLog,
): { genes: string[]; defects: DefectTotal[] } => ({
  genes: genes.map((gene) => JSON.stringify(gene)).sort(),
  defects: log.totals(),
})

/** Reads genes in parts, however it is parted, and expects what reading them all at once gave. */
export const expectSameInParts = async (
  bytes: Uint8Array,
  options: Omit<GeneModelReaderOptions, 'log' | 'onSequence'>,
  whole: { genes: readonly GeneModel[]; circular: string[] },
  wholeLog: DefectLog,
): Promise<void> => {
  for (const [way, together] of Object.entries(waysOf(bytes.length))) {
    const log = new DefectLog(1000)
    const genes: GeneModel[] = []
    const { circular } = await readGeneModelsInParts(
      { ...options, log, together, onGene: (gene) => void genes.push(gene) },
      async (onBytes) => onBytes(bytes),
    )
    expect([way, summarizeGenes(genes, log)]).toEqual([way, summarizeGenes(whole.genes, wholeLog)])
    expect(circular).toEqual(whole.circular)
  }
}
