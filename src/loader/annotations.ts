import { basename } from 'node:path'
import {
  type AnnotationReader,
  type AnnotationRow,
  createAnnotationReader,
  findAnnotationProgram,
  guessAnnotationFormat,
} from '../bio/annotation/annotation.ts'
import { annotationDefects } from '../bio/annotation/annotation-defects.ts'
import { type GeneMatch, GeneMatches } from '../bio/annotation/gene-matches.ts'
import type { ProteinHit } from '../bio/annotation/protein-hits.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { refuseLeftOut } from '../bio/text/left-out.ts'
import { TableLines } from '../bio/text/table-lines.ts'
import { LineReader } from '../bio/text/text-lines.ts'
import type { AnnotationEntry } from '../contracts/manifest.ts'
import type { BakedWriter } from '../database/baked-tables.ts'
import type { GeneTermSource } from '../kit/loader.ts'
import { bakeDefects } from './bake-defects.ts'
import type { OntologyIndex } from './ontologies.ts'
import { readTextBytes } from './text-file.ts'

export interface GeneAnnotation {
  /** Terms of each gene: ids for counting, names for the search index. */
  termsOf(gene: string): { count: number; names: string[] }
  /** The terms themselves with where they lie; without those that a gene is said not to have. */
  termSourcesOf(gene: string): GeneTermSource[]
  rowCount: number
  /** Genes with at least one term, by source. */
  sources: Map<string, number>
  /** Places on proteins that were kept. */
  featureCount: number
}

/** Rows of known genes whose vocabulary has an ontology, those of terms that it has not, and the first of these. */
interface ReportedTerms {
  rows: number
  unknown: number
  first: { line: number; example: string } | null
}

const noTerms = (): ReportedTerms => ({ rows: 0, unknown: 0, first: null })

/** Lines by which a file's format is known when the manifest does not say it. */
const linesToRecognise = 60

/** A term as rows give it to genes: what is the same in many rows is kept once. */
interface Assignment {
  source: string
  term: string
  /** Of the ontology, or as the file has it. */
  name: string | null
  evidence: string | null
  qualifier: string | null
  /** "NOT" says that the gene does not have the function: kept as data, never found or counted by it. */
  denied: boolean
}

/** Rows of a gene: those about all of it, and those of a part of its protein by the parts. */
interface GeneRows {
  whole: Set<number>
  placed: Map<number, Set<string>>
  count: number
}

/**
 * Which rows there are already, exactly, in little memory: an annotation file has millions of rows that are the combinations of
 * some thousand assignments with the genes.
 */
class AssignedTerms {
  readonly assignments: Assignment[] = []
  readonly #numbers = new Map<string, number>()
  readonly #ofGene = new Map<string, GeneRows>()

  /** The number of an assignment; equal ones have the same. */
  numberOf(row: Omit<Assignment, 'name' | 'denied'>, name: string | null): number {
    const key = `${row.source}\t${row.term}\t${row.evidence ?? ''}\t${row.qualifier ?? ''}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.assignments.length
      // Pieces of a line would hold the text that they were cut from.
      const [source, term, evidence, qualifier, ownName] = JSON.parse(
        JSON.stringify([row.source, row.term, row.evidence, row.qualifier, name]),
      ) as [string, string, string | null, string | null, string | null]
      const denied = qualifier?.split('|').includes('NOT') ?? false
      this.assignments.push({ source, term, name: ownName, evidence, qualifier, denied })
      this.#numbers.set(key, number)
    }
    return number
  }

  /** False when the gene has this very row already. */
  add(gene: string, number: number, start1: number | null, end1: number | null): boolean {
    let rows = this.#ofGene.get(gene)
    if (rows === undefined) {
      rows = { whole: new Set(), placed: new Map(), count: 0 }
      this.#ofGene.set(gene, rows)
    }
    if (start1 === null && end1 === null) {
      if (rows.whole.has(number)) return false
      rows.whole.add(number)
    } else {
      let places = rows.placed.get(number)
      if (places === undefined) {
        places = new Set()
        rows.placed.set(number, places)
      }
      const place = `${start1} ${end1}`
      if (places.has(place)) return false
      places.add(place)
    }
    if (!this.assignments[number]!.denied) rows.count += 1
    return true
  }

  /** How many rows say what the gene has, and their terms. */
  of(gene: string): { count: number; assignments: Assignment[] } {
    const rows = this.#ofGene.get(gene)
    if (rows === undefined) return { count: 0, assignments: [] }
    const numbers = new Set([...rows.whole, ...rows.placed.keys()])
    const assignments = [...numbers].map((number) => this.assignments[number]!)
    return { count: rows.count, assignments: assignments.filter(({ denied }) => !denied) }
  }

  sourcesOf(gene: string): GeneTermSource[] {
    const rows = this.#ofGene.get(gene)
    if (rows === undefined) return []
    const place = (number: number, start1: number | null, end1: number | null): GeneTermSource[] => {
      const { source, term, name, denied } = this.assignments[number]!
      return denied ? [] : [{ source, term, name, start1, end1 }]
    }
    const whole = [...rows.whole].flatMap((number) => place(number, null, null))
    const placed = [...rows.placed].flatMap(([number, places]) =>
      [...places].flatMap((text) => {
        const [start1, end1] = text.split(' ').map((one) => (one === 'null' ? null : Number(one)))
        return place(number, start1 ?? null, end1 ?? null)
      }),
    )
    return [...whole, ...placed]
  }

  get genes(): Iterable<string> {
    return this.#ofGene.keys()
  }
}

/**
 * Reads the annotation files of an assembly into gene_terms, each once and from start to end; rows of unknown genes are left out and
 * said, rows that are there already left out.
 */
export const bakeAnnotations = async (options: {
  entries: { entry: AnnotationEntry; path: string }[]
  writer: Pick<BakedWriter, 'add'>
  ontology: OntologyIndex
  matchGene(name: string): GeneMatch
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<GeneAnnotation> => {
  const { writer, ontology, log, signal } = options
  const assigned = new AssignedTerms()
  /** Terms that no ontology has and a file has a name for. */
  const named = new Map<string, number>()
  let rowCount = 0
  let matches = new GeneMatches({ file: '', match: options.matchGene })
  let rows = 0
  let terms = noTerms()
  const unusable = () => log.count('annotation-empty-field') + log.count('annotation-bad-term')

  const addRow = async (row: AnnotationRow, entry: AnnotationEntry): Promise<void> => {
    const gene = matches.find(row.gene, row.otherNames, row.line)
    rows += 1
    if (gene === null) {
      log.report(bakeDefects, 'annotation-unknown-gene', entry.file, row.line, { gene: row.gene })
      return
    }
    const known = ontology.find(row.term)
    if (known !== null && known.id !== row.term) {
      log.report(bakeDefects, 'annotation-alternative-term', entry.file, row.line, {
        term: row.term,
        primary: known.id,
      })
    }
    if (ontology.hasSource(row.source)) terms.rows += 1
    if (known === null && ontology.hasSource(row.source)) {
      log.report(bakeDefects, 'annotation-term-unknown', entry.file, row.line, { term: row.term, source: row.source })
      terms.unknown += 1
      terms.first ??= { line: row.line, example: row.term }
    }
    if (known?.obsolete) log.report(bakeDefects, 'annotation-obsolete-term', entry.file, row.line, { term: row.term })
    const term = known?.id ?? row.term
    const source = known?.source ?? entry.source ?? row.source
    const { evidence, qualifier, start1, end1 } = row
    const number = assigned.numberOf({ source, term, evidence, qualifier }, known?.name ?? row.termName)
    if (!assigned.add(gene, number, start1, end1)) return
    await writer.add('gene_terms', [gene, source, term, evidence, qualifier, start1, end1])
    rowCount += 1
    if (known === null && row.termName !== null) {
      const kept = assigned.assignments[number]!
      kept.name ??= row.termName
      named.set(`${kept.source}\t${kept.term}`, number)
    }
  }

  let featureCount = 0
  let lastHit = ''
  const addHit = async (hit: ProteinHit, entry: AnnotationEntry): Promise<void> => {
    const gene = matches.find(hit.protein, [], hit.line)
    if (gene === null) {
      // Terms of the same line, where it has any, tell it.
      if (hit.accession === null)
        log.report(bakeDefects, 'annotation-unknown-gene', entry.file, hit.line, { gene: hit.protein })
      return
    }
    const { protein, analysis, accession, name, entry: entryId, entryName, start1, end1, evalue } = hit
    const values = [gene, protein, analysis, accession, name, entryId, entryName, start1, end1, evalue]
    const key = values.join('\t')
    if (key === lastHit) return
    lastHit = key
    await writer.add('protein_features', values)
    featureCount += 1
  }

  for (const [number, { entry, path }] of options.entries.entries()) {
    const reading = readRows(entry, path, log)
    matches = new GeneMatches({ file: entry.file, match: options.matchGene })
    rows = 0
    terms = noTerms()
    const unusableBefore = unusable()
    await readTextBytes(
      path,
      entry.file,
      log,
      async (bytes) => {
        const { rows: found, hits } = reading.push(bytes)
        for (const row of found) await addRow(row, entry)
        for (const hit of hits) await addHit(hit, entry)
      },
      signal,
    )
    const { rows: found, hits } = reading.end()
    for (const row of found) await addRow(row, entry)
    for (const hit of hits) await addHit(hit, entry)
    matches.report(log, { each: true })
    if (terms.first !== null)
      refuseLeftOut(log, entry.file, { why: 'unknown', count: terms.unknown, total: terms.rows, ...terms.first })
    const count = unusable() - unusableBefore
    const example = log.defects.find(({ code, file }) => file === entry.file && /^annotation-(empty|bad-t)/.test(code))
    refuseLeftOut(log, entry.file, {
      why: 'unusable',
      count,
      total: rows + count,
      line: example?.line ?? null,
      example: String(example?.params.term ?? example?.params.field ?? ''),
    })
    options.progress((number + 1) / options.entries.length)
  }
  for (const number of named.values()) {
    const { source, term, name } = assigned.assignments[number]!
    await writer.add('terms', [source, term, name, null, null, false, null, [], [], [], []])
  }
  const sources = new Map<string, number>()
  for (const gene of assigned.genes) {
    for (const source of new Set(assigned.of(gene).assignments.map((assignment) => assignment.source)))
      sources.set(source, (sources.get(source) ?? 0) + 1)
  }
  return {
    rowCount,
    featureCount,
    sources,
    termSourcesOf: (gene) => assigned.sourcesOf(gene),
    termsOf: (gene) => {
      const { count, assignments } = assigned.of(gene)
      const names = assignments.flatMap(({ name, term }) => (name === null ? [term] : [name, term]))
      return { count, names: [...new Set(names)] }
    },
  }
}

/** Of a table whole rows are read, which may take several lines. */
const rowsFirst = (reader: AnnotationReader, file: string, log: DefectLog): AnnotationReader => {
  const rows = new TableLines({ file, log, onLine: (line, number) => reader.addLine(line, number) })
  return {
    addLine: (line, number) => rows.addLine(line, number),
    end: () => {
      rows.end()
      reader.end()
    },
  }
}

interface ReadRows {
  rows: AnnotationRow[]
  hits: ProteinHit[]
}

/** Rows of one file, given out after each piece of it. Its first lines tell the format unless the manifest does. */
const readRows = (
  entry: AnnotationEntry,
  path: string,
  log: DefectLog,
): { push(bytes: Uint8Array): ReadRows; end(): ReadRows } => {
  let rows: AnnotationRow[] = []
  let hits: ProteinHit[] = []
  let waiting: { line: string; lineNumber: number }[] = []
  let reader: AnnotationReader | 'unknown' | null = null
  const recognise = (): void => {
    // As a plain table the columns of a program's would become terms.
    const found = findAnnotationProgram(waiting.map(({ line }) => line))
    if (entry.format !== undefined && found !== null && found !== entry.format) {
      log.report(annotationDefects, 'annotation-other-format', entry.file, null, { given: entry.format, found })
      reader = 'unknown'
      waiting = []
      return
    }
    const format =
      entry.format ??
      guessAnnotationFormat(
        basename(path),
        waiting.map(({ line }) => line),
      )
    if (format === null) {
      log.report(bakeDefects, 'annotation-format-unknown', entry.file, null, {})
      reader = 'unknown'
    } else {
      const opened = createAnnotationReader(format, {
        file: entry.file,
        log,
        source: entry.source,
        onRow: (row) => rows.push(row),
        onHit: (hit) => hits.push(hit),
      })
      reader = format === 'table' ? rowsFirst(opened, entry.file, log) : opened
      for (const { line, lineNumber } of waiting) reader.addLine(line, lineNumber)
    }
    waiting = []
  }
  const takeLine = (line: string, lineNumber: number): void => {
    if (reader === 'unknown') return
    if (reader !== null) {
      reader.addLine(line, lineNumber)
      return
    }
    waiting.push({ line, lineNumber })
    if (waiting.length >= linesToRecognise) recognise()
  }
  const lines = new LineReader({ file: entry.file, log, onLine: takeLine })
  const takeRows = (): ReadRows => {
    const taken = { rows, hits }
    rows = []
    hits = []
    return taken
  }
  return {
    push(bytes) {
      lines.push(bytes)
      return takeRows()
    },
    end() {
      lines.end()
      if (reader === null) recognise()
      if (reader !== null && reader !== 'unknown') (reader as AnnotationReader).end()
      return takeRows()
    },
  }
}
