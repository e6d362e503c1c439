import { SeededRandom } from './seeded-random.ts'

/** A table of interactions with its planted complexes. */
export interface SimulatedInteractions {
  lines: string[]
  complexes: string[][]
}

const sizes = { min: 5, max: 9 }
/** Share of the pairs of a complex that are in the table, and of the genes that a chance interaction begins from. */
const withinShare = 0.85
const chancePerGene = 1.5
const methods = ['Affinity capture (simulated)', 'Two-hybrid (simulated)'] as const

/**
 * Interactions with planted complexes: genes drawn without replacement into `count` complexes whose members interact with high scores,
 * and among all genes chance interactions of low scores, which join the complexes loosely. A tenth of those score as high as true ones.
 */
export const simulateInteractions = (genes: readonly string[], count: number, seed: number): SimulatedInteractions => {
  const random = new SeededRandom(seed)
  const left = [...genes]
  const draw = (): string => left.splice(random.between(0, left.length - 1), 1)[0]!
  const complexes: string[][] = []
  while (complexes.length < count && left.length >= sizes.max)
    complexes.push(Array.from({ length: random.between(sizes.min, sizes.max) }, draw))
  const lines = ['gene1\tgene2\tscore\tevidence']
  const seen = new Set<string>()
  const add = (a: string, b: string, score: number, method: string): void => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`
    if (a === b || seen.has(key)) return
    seen.add(key)
    lines.push([a, b, score.toFixed(3), method].join('\t'))
  }
  for (const members of complexes)
    for (const [at, a] of members.entries())
      for (const b of members.slice(at + 1))
        if (random.chance(withinShare)) add(a, b, 0.7 + 0.29 * random.fraction(), methods[0])
  for (let number = 0; number < chancePerGene * genes.length; number += 1) {
    const score = random.chance(0.1) ? 0.6 + 0.3 * random.fraction() : 0.15 + 0.4 * random.fraction()
    add(random.pick(genes), random.pick(genes), score, methods[1])
  }
  return { lines, complexes }
}
