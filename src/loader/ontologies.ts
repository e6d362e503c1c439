import { computeAncestors, createOboReader, type OboTerm } from '../bio/annotation/obo.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import type { BakedWriter } from '../database/baked-tables.ts'
import type { SearchIndexer } from '../kit/data/bundle-rows.ts'
import { readTextLines } from './text-file.ts'

export interface OntologyTerm {
  id: string
  source: string
  name: string | null
  obsolete: boolean
}

/** Terms of the species' ontologies by id or alternative id. */
export interface OntologyIndex {
  find(id: string): OntologyTerm | null
  /** Whether terms of this vocabulary were read. */
  hasSource(source: string): boolean
  termCount: number
}

/** Reads OBO files; terms go to the species' bundle when a writer is given, and into the index that annotation is checked against. */
export const bakeOntologies = async (options: {
  entries: { file: string; source: string | undefined; path: string }[]
  writer: BakedWriter | null
  indexer: SearchIndexer | null
  log: DefectLog
  signal: AbortSignal
}): Promise<OntologyIndex> => {
  const byId = new Map<string, OntologyTerm>()
  const sources = new Set<string>()
  let termCount = 0
  for (const entry of options.entries) {
    const terms: OboTerm[] = []
    const reader = createOboReader({ file: entry.file, log: options.log, onTerm: (term) => terms.push(term) })
    await readTextLines(
      entry.path,
      entry.file,
      options.log,
      (line, lineNumber) => reader.addLine(line, lineNumber),
      options.signal,
    )
    reader.end()
    const ancestors = computeAncestors(terms)
    for (const term of terms) {
      // The vocabulary is what the identifiers say it is, unless the manifest names it: GO:0008150 is of GO.
      const source = entry.source ?? /^([A-Za-z][\w.]*):/.exec(term.id)?.[1] ?? 'ontology'
      const known: OntologyTerm = { id: term.id, source, name: term.name, obsolete: term.obsolete }
      byId.set(term.id, known)
      sources.add(source)
      for (const alternative of term.alternativeIds) if (!byId.has(alternative)) byId.set(alternative, known)
      termCount += 1
      if (options.writer === null) continue
      await options.writer.add('terms', [
        source,
        term.id,
        term.name,
        term.namespace,
        term.definition,
        term.obsolete,
        term.replacedBy,
        term.synonyms,
        term.alternativeIds,
        term.parents.map((parent) => parent.id),
        ancestors.get(term.id) ?? [],
      ])
      if (term.obsolete) continue
      await options.indexer?.add({
        type: 'term',
        id: term.id,
        label: term.name ?? term.id,
        description: term.definition,
        names: [term.id, ...term.alternativeIds],
        extra: term.synonyms.join(' '),
        relevance: 2,
      })
    }
  }
  return { find: (id) => byId.get(id) ?? null, hasSource: (source) => sources.has(source), termCount }
}
