/** A publication that the demo's data comes from or that a fact of its descriptions rests on. */
export interface Reference {
  key: string
  authors: string
  title: string
  journal: string
  year: number
  volume?: string
  number?: string
  pages?: string
  doi: string
  /** Locus names and subjects, found by search. */
  keywords: readonly string[]
}

/** BibTeX entries, one a reference; braces keep the capitals of titles. */
export function renderBibTex(references: readonly Reference[]): string[] {
  const lines: string[] = []
  for (const { key, keywords, ...fields } of references) {
    lines.push(`@article{${key},`)
    const named: [string, string | number | undefined][] = [
      ['author', fields.authors],
      ['title', `{${fields.title}}`],
      ['journal', fields.journal],
      ['year', fields.year],
      ['volume', fields.volume],
      ['number', fields.number],
      ['pages', fields.pages],
      ['doi', fields.doi],
      ['keywords', keywords.join(', ')],
    ]
    for (const [name, value] of named) if (value !== undefined && value !== '') lines.push(`  ${name} = {${value}},`)
    lines.push('}', '')
  }
  return lines
}
