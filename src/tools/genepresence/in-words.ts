import { type Presence, stateOfLetter } from './tool.ts'

/** The result with a column a genome in place of the letters of its states, each state in words. */
export const presenceInWords = (
  result: Presence,
  wordOf: (state: ReturnType<typeof stateOfLetter>) => string,
): object => {
  const { states, ...genes } = result.genes
  const columns = result.genomes.map(({ id }, at) => [id, states.map((of) => wordOf(stateOfLetter(of[at]!)))])
  return { ...result, genes: { ...genes, ...Object.fromEntries(columns) } }
}
