import type { StrainReport } from './tool.ts'

/** Whether one of some genes, by id, is asked for. */
export type GeneFilter = (genes: readonly string[]) => boolean

/** Words that a reader types, parted by blanks, commas or semicolons. */
const readWords = (typed: string): string[] =>
  typed
    .toLowerCase()
    .split(/[\s,;，、；]+/)
    .filter((word) => word !== '')

/**
 * Genes whose symbol or locus tag begins with one of the typed words, in whatever case; all where nothing is typed. Symbols are those of
 * the genes that the report lists.
 *
 * Example: `esx` finds esxA (Rv3875), and `rv387` finds it too.
 */
export const filterGenes = (typed: string, { genes, proteinVariants }: StrainReport): GeneFilter => {
  const words = readWords(typed)
  if (words.length === 0) return () => true
  const symbols = new Map<string, string>()
  for (const { id, symbol } of genes?.rows ?? []) if (symbol !== null) symbols.set(id, symbol)
  for (const { gene, symbol } of proteinVariants?.rows ?? []) if (symbol !== null) symbols.set(gene, symbol)
  const matches = (name: string): boolean => words.some((word) => name.toLowerCase().startsWith(word))
  return (ids) => ids.some((id) => matches(id) || matches(symbols.get(id) ?? ''))
}
