// Gene sets as text: GMT (Broad Institute, gene matrix transposed) and tables of genes and terms.

export interface GeneSets {
  format: 'gmt' | 'table'
  /** Genes of each term as they are written, repeats gone. */
  terms: Map<string, { name: string | null; genes: Set<string> }>
}

export type GeneSetFault = 'none' | 'binary' | 'gmtLine' | 'tableLine'

/** The text is no file of gene sets; `line` from 1, 0 for the whole. */
export class GeneSetTextError extends Error {
  readonly reason: GeneSetFault
  readonly line: number
  constructor(reason: GeneSetFault, line: number) {
    super(`${reason} at line ${line}`)
    this.name = 'GeneSetTextError'
    this.reason = reason
    this.line = line
  }
}

const unquote = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1).trim() : trimmed
}

const headers = /^#?\s*(gene|gene[_ ]?id|gene[_ ]?name|locus|locus[_ ]?tag|id|query|protein|orf)s?$/i
const severalTerms = /^[A-Za-z]+[:_]?\d[\w.]*(?:[,;|]\s?[A-Za-z]+[:_]?\d[\w.]*)+$/
const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 32 && text[at] !== '\t') return true
  return false
}

/**
 * Reads gene sets of one's own: GMT (a line a term: name, description, genes; Broad Institute) or a table (gene, term, and the term's
 * name where there is one), with tabs between. Told apart by the columns unless `format` says it: a line of more than three
 * is GMT's. Throws GeneSetTextError for a text that is neither.
 *
 * Example: `parseGeneSets('g1\tt1\tfirst', 'auto').terms.get('t1')` is `{name: 'first', genes: Set {'g1'}}`.
 */
export const parseGeneSets = (text: string, format: 'auto' | 'gmt' | 'table'): GeneSets => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !/^[#!]/.test(line))
  if (lines.length === 0) throw new GeneSetTextError('none', 0)
  const kind = format === 'auto' ? (lines.some(({ line }) => line.split('\t', 5).length > 3) ? 'gmt' : 'table') : format
  const terms: GeneSets['terms'] = new Map()
  const add = (term: string, name: string | null, genes: string[]): void => {
    const known = terms.get(term)
    const named = name === null || name === '' || name === 'NA' || /^https?:/.test(name) ? null : name
    if (known === undefined) terms.set(term, { name: named, genes: new Set(genes) })
    else {
      known.name ??= named
      for (const gene of genes) known.genes.add(gene)
    }
  }
  for (const [at, { line, number }] of lines.entries()) {
    if (hasControls(line)) throw new GeneSetTextError('binary', number)
    const cells = line.split('\t').map(unquote)
    if (kind === 'gmt') {
      const [term, name, ...genes] = cells
      const named = genes.filter((gene) => gene !== '')
      if (!term || named.length === 0) throw new GeneSetTextError('gmtLine', number)
      add(term, name ?? null, named)
      continue
    }
    const [gene, term, name] = cells.length === 1 ? line.trim().split(/\s*[,;]\s*|\s+/) : cells
    if (at === 0 && gene !== undefined && headers.test(gene)) continue
    if (!gene || !term) throw new GeneSetTextError('tableLine', number)
    if (severalTerms.test(term)) for (const one of term.split(/[,;|]\s?/)) add(one, null, [gene])
    else add(term, name ?? null, [gene])
  }
  if (terms.size === 0) throw new GeneSetTextError('none', 0)
  return { format: kind, terms }
}
