// Terms as annotation writes them: the forms of their identifiers, and what cross-references are terms.

import type { AnnotationRow } from './annotation.ts'

/** What a file says that a gene has. */
export interface TermOfGene {
  term: string
  source: string
  name: string | null
  evidence: string | null
}

export const goId = /^GO:\d{7}$/

// Functional categories of the Clusters of Orthologous Genes (Galperin et al. 2021, Nucleic Acids Research 49:D274).
export const cogCategories: Readonly<Record<string, string>> = {
  A: 'RNA processing and modification',
  B: 'Chromatin structure and dynamics',
  C: 'Energy production and conversion',
  D: 'Cell cycle control, cell division, chromosome partitioning',
  E: 'Amino acid transport and metabolism',
  F: 'Nucleotide transport and metabolism',
  G: 'Carbohydrate transport and metabolism',
  H: 'Coenzyme transport and metabolism',
  I: 'Lipid transport and metabolism',
  J: 'Translation, ribosomal structure and biogenesis',
  K: 'Transcription',
  L: 'Replication, recombination and repair',
  M: 'Cell wall/membrane/envelope biogenesis',
  N: 'Cell motility',
  O: 'Posttranslational modification, protein turnover, chaperones',
  P: 'Inorganic ion transport and metabolism',
  Q: 'Secondary metabolites biosynthesis, transport and catabolism',
  R: 'General function prediction only',
  S: 'Function unknown',
  T: 'Signal transduction mechanisms',
  U: 'Intracellular trafficking, secretion, and vesicular transport',
  V: 'Defense mechanisms',
  W: 'Extracellular structures',
  X: 'Mobilome: prophages, transposons',
  Y: 'Nuclear structure',
  Z: 'Cytoskeleton',
}

const termForms: readonly [RegExp, string][] = [
  [/^GO:\d+$/i, 'GO'],
  [/^IPR\d{6}$/, 'InterPro'],
  [/^PF\d{5}(\.\d+)?$/, 'Pfam'],
  [/^PTHR\d+/, 'PANTHER'],
  [/^(ko:)?K\d{5}$/, 'KEGG'],
  [/^(map|ko|path:[a-z]+)\d{5}$/, 'KEGG pathway'],
  [/^(COG|KOG)\d{4}$/, 'COG'],
  [/^(EC:)?\d+\.(\d+|-)\.(\d+|-)\.(n?\d+|-)$/, 'EC'],
  [/^SM\d{5}$/, 'SMART'],
]

/** The vocabulary of a term by its form; null where that does not tell it. */
export const guessSource = (term: string): string | null => termForms.find(([form]) => form.test(term))?.[1] ?? null

/** Databases whose entries are families or functions, not sequences, by the names that cross-references give them. */
const vocabularies: readonly [database: RegExp, source: string, form: RegExp][] = [
  [/^go$/i, 'GO', /^(?=GO:\d{7}$)(.+)$/],
  [/^interpro$/i, 'InterPro', /^(IPR\d{6})$/],
  [/^pfam$/i, 'Pfam', /^(PF\d{5})(?:\.\d+)?$/],
  [/^(cog|kog|arcog)$/i, 'COG', /^((?:COG|KOG|arCOG)\d+)$/],
  [/^ec$/i, 'EC', /^(?:EC:)?(\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-))$/],
  [/^(kegg|ko)$/i, 'KEGG', /^(K\d{5})$/],
  [/^panther$/i, 'PANTHER', /^(PTHR\d+(?::SF\d+)?)$/],
  [/^cazy$/i, 'CAZy', /^((?:GH|GT|PL|CE|AA|CBM)\d+\S*)$/],
  [/^eggnog$/i, 'eggNOG', /^(\S+)$/],
]

/**
 * Terms of a cross-reference such as `PFAM:PF00308`; of one letter each for COG's categories (`COG:LK`). Empty for references to sequences,
 * organisms and records (UniRef, RefSeq, taxon, SO), which are no functions.
 */
export const termOfReference = (reference: string): TermOfGene[] => {
  const at = reference.indexOf(':')
  const database = at < 0 ? (guessSource(reference) ?? '') : reference.slice(0, at)
  const id = (at < 0 ? reference : reference.slice(at + 1)).trim()
  if (/^cog$/i.test(database) && /^[A-Z]+$/.test(id))
    return [...id].flatMap((letter) => {
      const name = cogCategories[letter]
      return name === undefined ? [] : [{ term: letter, source: 'COG', name, evidence: null }]
    })
  for (const [name, source, form] of vocabularies) {
    if (!name.test(database.trim())) continue
    const term = form.exec(source === 'GO' && !id.startsWith('GO:') ? `GO:${id}` : id)?.[1]
    return term === undefined ? [] : [{ term, source, name: null, evidence: null }]
  }
  return []
}

export const newRow = (gene: string, term: string, source: string, line: number): AnnotationRow => ({
  gene,
  otherNames: [],
  term,
  termName: null,
  source,
  evidence: null,
  qualifier: null,
  aspect: null,
  start1: null,
  end1: null,
  line,
})
