import { fieldError } from '../../contracts/errors.ts'
import type { ownFormats } from './tool.ts'

export interface OwnAnnotation {
  format: 'gmt' | 'table'
  /** Genes of each term as they are written, repeats gone. */
  terms: Map<string, { name: string | null; genes: Set<string> }>
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
 * name where there is one), with tabs between. Told apart by the columns unless `format` says it: a line of more than three, or an
 * uneven number of them, is GMT's. Rejects a text that is neither, naming the line.
 */
export const parseOwnAnnotation = (text: string, format: (typeof ownFormats)[number]): OwnAnnotation => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !/^[#!]/.test(line))
  if (lines.length === 0) throw fieldError(['ownAnnotation'], 'own.none')
  const kind = format === 'auto' ? (lines.some(({ line }) => line.split('\t', 5).length > 3) ? 'gmt' : 'table') : format
  const terms: OwnAnnotation['terms'] = new Map()
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
    if (hasControls(line)) throw fieldError(['ownAnnotation'], 'own.binary', { line: number })
    const cells = line.split('\t').map(unquote)
    if (kind === 'gmt') {
      const [term, name, ...genes] = cells
      const named = genes.filter((gene) => gene !== '')
      if (!term || named.length === 0) throw fieldError(['ownAnnotation'], 'own.gmtLine', { line: number })
      add(term, name ?? null, named)
      continue
    }
    const [gene, term, name] = cells.length === 1 ? line.trim().split(/\s*[,;]\s*|\s+/) : cells
    if (at === 0 && gene !== undefined && headers.test(gene)) continue
    if (!gene || !term) throw fieldError(['ownAnnotation'], 'own.tableLine', { line: number })
    if (severalTerms.test(term)) for (const one of term.split(/[,;|]\s?/)) add(one, null, [gene])
    else add(term, name ?? null, [gene])
  }
  if (terms.size === 0) throw fieldError(['ownAnnotation'], 'own.none')
  return { format: kind, terms }
}
