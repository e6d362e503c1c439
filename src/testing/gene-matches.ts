import { type GeneMatch, GeneMatches } from '../bio/annotation/gene-matches.ts'

/** Matching of names as they are, by whoever finds the gene of one. */
export const matchAsIs =
  (find: (name: string) => string | null) =>
  (name: string): GeneMatch => {
    const gene = find(name)
    return gene === null ? null : { gene, rule: 'name', isProduct: false }
  }

/** The names of a file, matched so. */
export const matchNames = (find: (name: string) => string | null, file = 'x'): GeneMatches =>
  new GeneMatches({ file, match: matchAsIs(find) })
