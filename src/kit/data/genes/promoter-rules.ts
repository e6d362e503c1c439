import { z } from 'zod'
import type { LocatedRecord } from './locate-records.ts'

/**
 * What was taken as the promoter. `asked`: upstream of the point asked for, to the neighbour. Where that leaves nothing of use:
 * `start-codon`: between coding sequences, from the own start codon to the neighbour's, untranslated regions included; `operon`: before
 * the first gene of the operon; `into-neighbour`: as many bases as were asked for, though they lie in the neighbour.
 */
export const promoterRules = ['asked', 'start-codon', 'operon', 'into-neighbour'] as const
export type PromoterRule = (typeof promoterRules)[number]

/** Genes whose promoter was taken by another rule than the settings say, by rule; the first of each are named, all are counted. */
export const otherRulesSchema = z.array(
  z.object({
    rule: z.enum(promoterRules).exclude(['asked']),
    count: z.number(),
    genes: z.array(
      z.object({
        id: z.string(),
        symbol: z.string().nullable(),
        /** The neighbour, or the first gene of the operon. */
        other: z.string().nullable(),
      }),
    ),
  }),
)
export type OtherRules = z.infer<typeof otherRulesSchema>

const namedGenes = 100

/** Collects them over records as they come. */
export class OtherRulesList {
  readonly #rules = new Map<PromoterRule, OtherRules[number]>()

  add({ gene, flank }: Pick<LocatedRecord, 'gene' | 'flank'>): void {
    if (flank === undefined || flank.rule === 'asked') return
    const entry = this.#rules.get(flank.rule) ?? { rule: flank.rule, count: 0, genes: [] }
    this.#rules.set(flank.rule, entry)
    entry.count += 1
    if (entry.genes.length < namedGenes) entry.genes.push({ id: gene.id, symbol: gene.symbol, other: flank.gene })
  }

  get(): OtherRules {
    return promoterRules.flatMap((rule) => this.#rules.get(rule) ?? [])
  }
}

/** Genes that a sentence names; the others are a number behind them. */
const maxNamedGenes = 8

/** Names for a sentence, and how many more there are. */
export const nameGenes = (entry: OtherRules[number]): { names: string[]; more: number } => {
  const names = entry.genes.slice(0, maxNamedGenes).map(({ id, symbol }) => symbol ?? id)
  return { names, more: entry.count - names.length }
}
