// Gene sets as text: GMT (Broad Institute, gene matrix transposed) and tables of genes and terms.

import { findRowSeparator, splitCells } from '../text/table-cells.ts'
import { joinTableLines } from '../text/table-lines.ts'

export interface GeneSets {
  format: 'gmt' | 'table'
  /** Genes of each term as they are written, repeats gone. */
  terms: Map<string, { name: string | null; genes: Set<string> }>
}

export type GeneSetFault = 'none' | 'binary' | 'gmtLine' | 'tableLine' | 'quote'

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
/** Rows of a table, of which one may take several lines. */
const joinRows = (lines: readonly string[]): string[] => {
  const faults: number[] = []
  const rows = joinTableLines(lines, '', {
    report: (_catalogue, code, _file, line) => {
      if (code !== 'table-line-break') faults.push(line ?? 0)
    },
  })
  if (faults.length > 0) throw new GeneSetTextError('quote', faults[0]!)
  return rows
}

/** Gene, term and the rest, the term in quotation marks where it has blanks. */
const splitWords = (line: string): string[] =>
  /^(\S+)(?:\s+("[^"]*"|\S+))?(?:\s+(\S.*))?$/
    .exec(line.trim())
    ?.slice(1)
    .filter((word) => word !== undefined) ?? []

const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 32 && text[at] !== '\t') return true
  return false
}

/**
 * Reads gene sets of one's own: GMT (a line a term: name, description, genes; Broad Institute), with tabs between, or a table (gene, term,
 * and the term's name where there is one), with tabs, commas or semicolons between as CSV has them, or with blanks where there is none of
 * these. Told apart by the columns unless `format` says it: a line of more than three with tabs is GMT's. Throws GeneSetTextError for a
 * text that is neither.
 *
 * Example: `parseGeneSets('g1\tt1\tfirst', 'auto').terms.get('t1')` is `{name: 'first', genes: Set {'g1'}}`.
 */
export const parseGeneSets = (text: string, format: 'auto' | 'gmt' | 'table'): GeneSets => {
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n|\r/)
  const isContent = (line: string): boolean => line.trim() !== '' && !/^[#!]/.test(line)
  if (!all.some(isContent)) throw new GeneSetTextError('none', 0)
  const isGmt = (line: string): boolean => isContent(line) && line.split('\t', 5).length > 3
  const kind = format === 'auto' ? (all.some(isGmt) ? 'gmt' : 'table') : format
  const lines = (kind === 'gmt' ? all : joinRows(all))
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => isContent(line))
  const isHeading = (cell: string): boolean => headers.test(cell)
  const separator = lines.some(({ line }) => line.includes('\t')) ? '\t' : findRowSeparator(lines[0]!.line, isHeading)
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
    if (kind === 'gmt') {
      const [term, name, ...genes] = line.split('\t').map(unquote)
      const named = genes.filter((gene) => gene !== '')
      if (!term || named.length === 0) throw new GeneSetTextError('gmtLine', number)
      add(term, name ?? null, named)
      continue
    }
    const [gene, term, name] = (separator === null ? splitWords(line) : splitCells(line, separator)).map(unquote)
    if (at === 0 && gene !== undefined && isHeading(gene)) continue
    if (!gene || !term) throw new GeneSetTextError('tableLine', number)
    if (severalTerms.test(term)) for (const one of term.split(/[,;|]\s?/)) add(one, null, [gene])
    else add(term, name ?? null, [gene])
  }
  if (terms.size === 0) throw new GeneSetTextError('none', 0)
  return { format: kind, terms }
}
