import { basename } from 'node:path'
import { type AnnotationRow, createAnnotationReader, guessAnnotationFormat } from '../bio/annotation.ts'
import type { DefectLog } from '../bio/defects.ts'
import type { AnnotationEntry } from '../contracts/manifest.ts'
import type { BakedWriter } from '../database/baked-tables.ts'
import type { OntologyIndex } from './ontologies.ts'
import { readTextLines } from './text-file.ts'

export interface GeneAnnotation {
  /** Terms of each gene: ids for counting, names for the search index. */
  termsOf(gene: string): { count: number; names: string[] }
  rowCount: number
  /** Genes with at least one term, by source. */
  sources: Map<string, number>
}

/** Reads the annotation files of an assembly into gene_terms; rows of unknown genes are left out and said. */
export const bakeAnnotations = async (options: {
  entries: { entry: AnnotationEntry; path: string }[]
  writer: BakedWriter
  ontology: OntologyIndex
  findGene(name: string): string | null
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<GeneAnnotation> => {
  const { writer, ontology, log } = options
  const terms = new Map<string, { count: number; names: Set<string> }>()
  const sources = new Map<string, Set<string>>()
  const named = new Map<string, { source: string; term: string; name: string }>()
  let rowCount = 0

  for (const [number, { entry, path }] of options.entries.entries()) {
    const written = new Set<string>()
    const first: string[] = []
    await readTextLines(path, entry.file, log, (line) => {
      if (first.length < 60) first.push(line)
    })
    const format = entry.format ?? guessAnnotationFormat(basename(path), first)
    if (format === null) {
      log.report('annotation-format-unknown', entry.file, null, {})
      continue
    }
    const rows: AnnotationRow[] = []
    const drain = async (): Promise<void> => {
      for (const row of rows) {
        const gene =
          [row.gene, ...row.otherNames].map((name) => options.findGene(name)).find((found) => found !== null) ?? null
        if (gene === null) {
          log.report('annotation-unknown-gene', entry.file, row.line, { gene: row.gene })
          continue
        }
        const known = ontology.find(row.term)
        if (known !== null && known.id !== row.term) {
          log.report('annotation-alternative-term', entry.file, row.line, { term: row.term, primary: known.id })
        }
        if (known?.obsolete) log.report('annotation-obsolete-term', entry.file, row.line, { term: row.term })
        const term = known?.id ?? row.term
        const source = known?.source ?? entry.source ?? row.source
        const key = [gene, source, term, row.evidence, row.qualifier, row.start1, row.end1].join('\t')
        if (written.has(key)) continue
        written.add(key)
        await writer.add('gene_terms', [gene, source, term, row.evidence, row.qualifier, row.start1, row.end1])
        rowCount += 1
        if (known === null && row.termName !== null)
          named.set(`${source}\t${term}`, { source, term, name: row.termName })
        // "NOT" says that the gene does not have the function: kept as data, never found or counted by it.
        if (row.qualifier?.split('|').includes('NOT')) continue
        let ofGene = terms.get(gene)
        if (ofGene === undefined) {
          ofGene = { count: 0, names: new Set() }
          terms.set(gene, ofGene)
        }
        ofGene.count += 1
        const name = known?.name ?? row.termName
        if (name !== null) ofGene.names.add(name)
        ofGene.names.add(term)
        const genes = sources.get(source) ?? new Set()
        genes.add(gene)
        sources.set(source, genes)
      }
      rows.length = 0
    }
    const reader = createAnnotationReader(format, {
      file: entry.file,
      log,
      source: entry.source,
      onRow: (row) => rows.push(row),
    })
    await readTextLines(path, entry.file, log, (line, lineNumber) => reader.addLine(line, lineNumber), options.signal)
    reader.end()
    await drain()
    options.progress((number + 1) / options.entries.length)
  }
  for (const { source, term, name } of named.values()) {
    await writer.add('terms', [source, term, name, null, null, false, null, [], [], [], []])
  }
  return {
    rowCount,
    sources: new Map([...sources].map(([source, genes]) => [source, genes.size])),
    termsOf: (gene) => {
      const found = terms.get(gene)
      return { count: found?.count ?? 0, names: found === undefined ? [] : [...found.names] }
    },
  }
}
