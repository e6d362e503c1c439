// Functional annotation of genes: GAF, InterProScan, eggNOG-mapper, tables of other programs and plain tables, line by line.

import type { DefectLog } from '../text/defects.ts'
import { findRowSeparator, given, splitCells } from '../text/table-cells.ts'
import { annotationDefects } from './annotation-defects.ts'
import {
  findProgramTable,
  isKoList,
  type ProgramTableFormat,
  readGff3Terms,
  readKofamScan,
  readKoList,
  readProgramTable,
} from './annotation-programs.ts'
import { type ProteinHit, readEvalue, scoresByEvalue } from './protein-hits.ts'
import { cogCategories, goId, guessSource, newRow } from './term-forms.ts'

export type AnnotationFormat =
  | 'gaf'
  | 'interproscan'
  | 'eggnog'
  | 'kofamscan'
  | 'ko'
  | 'gff3'
  | 'table'
  | ProgramTableFormat

export interface AnnotationRow {
  /** Gene, transcript or protein as the file names it. */
  gene: string
  /** Other names that the file gives for it: symbol and synonyms of a GAF line. */
  otherNames: string[]
  term: string
  /** Name of the term where the file gives one. */
  termName: string | null
  /** Vocabulary of the term: GO, InterPro, Pfam, KEGG, COG, EC … */
  source: string
  /** GO evidence code where there is one. */
  evidence: string | null
  /** GAF qualifiers separated by "|"; with `NOT` among them the gene does not have the function. */
  qualifier: string | null
  /** Branch of the Gene Ontology: molecular function, biological process, cellular component. */
  aspect: 'F' | 'P' | 'C' | null
  /** Residues of the protein that a domain covers, counted from 1, both included. */
  start1: number | null
  end1: number | null
  /** Line of the file, counted from 1. */
  line: number
}

export interface AnnotationReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** Vocabulary of the terms of a table, when their form does not tell. */
  source?: string
  onRow(row: AnnotationRow): void
  /** A place on a protein that a program found something at: its domains, signal peptides, segments in the membrane. */
  onHit?(hit: ProteinHit): void
  /** What eggNOG-mapper says of the gene as a whole. */
  onGeneText?(text: { gene: string; symbol: string | null; description: string | null; line: number }): void
}

export interface AnnotationReader {
  addLine(line: string, lineNumber: number): void
  /** The file is at its end; one without any annotation line is an error in the log. */
  end(): void
}

/**
 * A reader of the lines of one annotation file. Lines that cannot be read go to the log, the others to `onRow`, one row for every
 * term; repeated rows are not removed.
 *
 * Example: a `table` reader given "YAL001C\tGO:0006383" calls `onRow` with gene YAL001C, term GO:0006383, source GO.
 */
export function createAnnotationReader(format: AnnotationFormat, options: AnnotationReaderOptions): AnnotationReader {
  let rowLines = 0
  const readers: Record<AnnotationFormat, (context: ReaderContext) => LineHandler> = {
    gaf: readGaf,
    interproscan: readInterProScan,
    eggnog: readEggNog,
    funannotate: readProgramTable('funannotate'),
    phytozome: readProgramTable('phytozome'),
    bakta: readProgramTable('bakta'),
    prokka: readProgramTable('prokka'),
    kofamscan: readKofamScan,
    ko: readKoList,
    gff3: readGff3Terms,
    table: readTable,
  }
  const handle = readers[format]({ ...options, format })
  return {
    addLine(line, lineNumber) {
      if (line.trim() === '') return
      if (handle(line, lineNumber)) rowLines++
    },
    end() {
      const { file, log } = options
      if (rowLines === 0 && log.count('text-empty') === 0)
        log.report(annotationDefects, 'annotation-no-rows', file, null)
    },
  }
}

export type ReaderContext = AnnotationReaderOptions & { format: AnnotationFormat }
/** Returns whether the line was one of data, readable or not. */
export type LineHandler = (line: string, lineNumber: number) => boolean

// ---------------------------------------------------------------------------------------------------------------------
// GAF 2.2 (Gene Ontology Consortium), 2.1, 2.0 and 1.0, which share their first fifteen columns.

// geneontology.org/docs/guide-go-evidence-codes, with the codes of phylogenetic and high-throughput annotation.
const evidenceCodes = new Set(
  'EXP IDA IPI IMP IGI IEP HTP HDA HMP HGI HEP ISS ISO ISA ISM IGC IBA IBD IKR IMR IRD RCA TAS NAS IC ND IEA NR'.split(
    ' ',
  ),
)
const aspects = new Map([
  ['F', 'F'],
  ['P', 'P'],
  ['C', 'C'],
] as const)

function readGaf({ file, log, onRow }: ReaderContext): LineHandler {
  return (line, lineNumber) => {
    if (line.startsWith('!')) return false
    const columns = line.split('\t')
    if (columns.length < 15) {
      log.report(annotationDefects, 'annotation-column-count', file, lineNumber, {
        found: columns.length,
        format: 'GAF',
        expected: 17,
      })
      return true
    }
    const gene = columns[1]!.trim()
    const term = columns[4]!.trim()
    if (gene === '') {
      log.report(annotationDefects, 'annotation-empty-field', file, lineNumber, { field: '@gene-name' })
      return true
    }
    if (!goId.test(term)) {
      log.report(annotationDefects, 'annotation-bad-term', file, lineNumber, { term, expected: '@go-term' })
      return true
    }
    const row = newRow(gene, term, 'GO', lineNumber)
    const names = [columns[2]!, ...columns[10]!.split('|')].map((name) => name.trim())
    row.otherNames = [...new Set(names)].filter((name) => name !== '' && name !== gene)
    row.qualifier = given(columns[3])
    row.evidence = given(columns[6])
    if (row.evidence !== null && !evidenceCodes.has(row.evidence)) {
      log.report(annotationDefects, 'annotation-bad-evidence', file, lineNumber, { evidence: row.evidence })
    }
    const aspect = columns[8]!.trim()
    row.aspect = aspects.get(aspect as 'F') ?? null
    if (row.aspect === null) log.report(annotationDefects, 'annotation-bad-aspect', file, lineNumber, { aspect })
    onRow(row)
    return true
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// InterProScan 5 TSV: eleven columns, two more with -iprlookup, then GO terms (-goterms) and pathways (-pa).

function readInterProScan({ file, log, onRow, onHit }: ReaderContext): LineHandler {
  return (line, lineNumber) => {
    if (line.startsWith('#')) return false
    const columns = line.split('\t')
    if (columns.length < 11 || columns.length > 15) {
      log.report(annotationDefects, 'annotation-column-count', file, lineNumber, {
        found: columns.length,
        format: 'InterProScan TSV',
        expected: '11-15',
      })
      return true
    }
    const gene = columns[0]!.trim()
    const term = columns[4]!.trim()
    if (gene === '' || term === '') {
      log.report(annotationDefects, 'annotation-empty-field', file, lineNumber, {
        field: gene === '' ? '@gene-name' : '@term',
      })
      return true
    }
    const readPosition = (field: string, text: string): number | null => {
      if (/^\d+$/.test(text.trim())) return Number(text)
      log.report(annotationDefects, 'annotation-bad-number', file, lineNumber, { field, value: text })
      return null
    }
    const start1 = readPosition('start', columns[6]!)
    const end1 = readPosition('stop', columns[7]!)
    onRow({
      ...newRow(gene, term, columns[3]!.trim(), lineNumber),
      termName: given(columns[5]),
      start1,
      end1,
    })
    const entry = given(columns[11])
    if (start1 !== null && end1 !== null)
      onHit?.({
        protein: gene,
        analysis: columns[3]!.trim(),
        accession: term,
        name: given(columns[5]),
        entry,
        entryName: given(columns[12]),
        start1,
        end1,
        // Of Pfam's and others' hits their E-value; ProSite and the like have a score there, which is none.
        evalue: scoresByEvalue(columns[3]!.trim()) ? readEvalue(columns[8]) : null,
        line: lineNumber,
      })
    if (entry !== null) {
      onRow({ ...newRow(gene, entry, 'InterPro', lineNumber), termName: given(columns[12]), start1, end1 })
    }
    // Since 5.56 a GO term may be followed by its source: GO:0005515(InterPro).
    for (const piece of given(columns[13])?.split(/[|,]/) ?? []) {
      const id = piece.replace(/\(.*\)$/, '').trim()
      if (goId.test(id)) onRow({ ...newRow(gene, id, 'GO', lineNumber), evidence: 'IEA' })
      else log.report(annotationDefects, 'annotation-bad-term', file, lineNumber, { term: piece, expected: '@go-term' })
    }
    for (const piece of given(columns[14])?.split('|') ?? []) {
      const [database, pathway] = piece.split(/:\s*(.*)/s, 2)
      if (database && pathway) onRow(newRow(gene, pathway.trim(), database.trim(), lineNumber))
    }
    return true
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// eggNOG-mapper 2 and 3: "##" comments, a "#query" line with the names of the columns, which moved between releases.

// Columns as of 2.1; a file whose "#query" line was cut off is read by these.
const eggNogColumns =
  'query seed_ortholog evalue score eggNOG_OGs max_annot_lvl COG_category Description Preferred_name GOs EC KEGG_ko KEGG_Pathway KEGG_Module KEGG_Reaction KEGG_rclass BRITE KEGG_TC CAZy BiGG_Reaction PFAMs'.split(
    ' ',
  )

/** Columns of version 3 (3.0.0-beta6): no description, and domains with their places in PFAMs. */
const eggNog3Columns =
  'query seed_ortholog evalue score eggNOG_OGs tax_ceiling farthest_donor_lineage COG_category Preferred_name GOs EC KEGG_ko KEGG_Pathway KEGG_Module KEGG_Reaction KEGG_rclass BRITE KEGG_TC CAZy BiGG_Reaction PFAMs annotation_confidence'.split(
    ' ',
  )
/** `P53_tetramer_289_331`. */
const placedDomain = /^(.+)_(\d+)_(\d+)$/

const eggNogSources: readonly [column: string, source: string, read: (value: string) => string | null][] = [
  ['GOs', 'GO', (value) => (goId.test(value) ? value : null)],
  ['EC', 'EC', (value) => value],
  ['KEGG_ko', 'KEGG', (value) => value.replace(/^ko:/, '')],
  // Every pathway stands there twice, as the reference map and as that of the orthologs; in version 3 once, as its digits.
  [
    'KEGG_Pathway',
    'KEGG pathway',
    (value) => (/^\d{5}$/.test(value) ? `map${value}` : /^map\d/.test(value) ? value : null),
  ],
  ['KEGG_Module', 'KEGG module', (value) => value],
  ['CAZy', 'CAZy', (value) => value],
  ['PFAMs', 'Pfam', (value) => value],
]

function readEggNog({ file, log, onRow, onHit, onGeneText }: ReaderContext): LineHandler {
  let indexes = new Map(eggNogColumns.map((name, index) => [name, index]))
  let columnCount = eggNogColumns.length
  let isVersion3 = false
  /** Where domains were transferred from the ortholog (pfam_realign=none), their places are those in its sequence. */
  let arePlaced = false
  return (line, lineNumber) => {
    if (line.startsWith('#')) {
      if (/pfam_realign=(?!none)/.test(line)) arePlaced = true
      const names = line.replace(/^#+\s*/, '').split('\t')
      if (/^query/.test(names[0]!) && names.length > 5) {
        // 2.0 wrote query_name, seed_eggNOG_ortholog, eggNOG OGs, "eggNOG free text desc." …
        const renamed: Record<string, string> = {
          query_name: 'query',
          'eggNOG OGs': 'eggNOG_OGs',
          'COG Functional Category': 'COG_category',
          'COG Functional cat.': 'COG_category',
          'eggNOG free text desc.': 'Description',
          'eggNOG free text description': 'Description',
        }
        indexes = new Map(names.map((name, index) => [renamed[name.trim()] ?? name.trim(), index]))
        columnCount = names.length
        isVersion3 = indexes.has('tax_ceiling') || indexes.has('annotation_confidence')
      }
      return false
    }
    const columns = line.split('\t')
    // Without its heading a file of version 3 is known by its width.
    if (columns.length === eggNog3Columns.length && columnCount === eggNogColumns.length) {
      indexes = new Map(eggNog3Columns.map((name, index) => [name, index]))
      columnCount = eggNog3Columns.length
      isVersion3 = true
    }
    if (columns.length < 6 || columns.length > columnCount) {
      log.report(annotationDefects, 'annotation-column-count', file, lineNumber, {
        found: columns.length,
        format: 'eggNOG-mapper',
        expected: columnCount,
      })
      return true
    }
    const read = (name: string) => given(columns[indexes.get(name) ?? -1])
    const gene = columns[0]!.trim()
    if (gene === '') {
      log.report(annotationDefects, 'annotation-empty-field', file, lineNumber, { field: '@gene-name' })
      return true
    }
    const category = read('COG_category') ?? ''
    // Version 3 mostly has the group there (COG1348) in place of its category.
    if (/\d/.test(category))
      for (const group of category.split(',')) onRow(newRow(gene, group.trim(), 'COG', lineNumber))
    else
      for (const letter of category) {
        const termName = cogCategories[letter]
        if (termName !== undefined) onRow({ ...newRow(gene, letter, 'COG', lineNumber), termName })
      }
    // The groups run from the root to the narrowest: COG0513@1|root, KOG0331@2759|Eukaryota …
    const level = /^\d+/.exec(read('max_annot_lvl') ?? '')?.[0]
    for (const group of read('eggNOG_OGs')?.split(',') ?? []) {
      if (isVersion3) {
        // All of it is the name of a group: Fer4_NifH@131567|S-5.
        onRow(newRow(gene, group.trim(), 'eggNOG', lineNumber))
        continue
      }
      const [id, at] = group.split('@')
      if (id && level !== undefined && at?.split('|')[0] === level) onRow(newRow(gene, id, 'eggNOG', lineNumber))
    }
    for (const [column, source, clean] of eggNogSources) {
      for (const value of read(column)?.split(',') ?? []) {
        const term = clean(value.trim())
        if (!term) continue
        const placed = isVersion3 && column === 'PFAMs' ? placedDomain.exec(term) : null
        if (placed !== null) {
          const [start1, end1] = arePlaced ? [Number(placed[2]), Number(placed[3])] : [null, null]
          onRow({ ...newRow(gene, placed[1]!, source, lineNumber), start1, end1 })
          if (start1 !== null && end1 !== null)
            onHit?.({
              ...{ protein: gene, analysis: source, accession: placed[1]!, name: null, entry: null, entryName: null },
              ...{ start1, end1, evalue: null, line: lineNumber },
            })
          continue
        }
        onRow({ ...newRow(gene, term, source, lineNumber), evidence: source === 'GO' ? 'IEA' : null })
      }
    }
    onGeneText?.({ gene, symbol: read('Preferred_name'), description: read('Description'), line: lineNumber })
    return true
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables: gene, term, and the term's name if there is one.

const headerWords =
  /^#?\s*(gene|genes|gene[_ .]?(id|name|symbol)|locus([_ .]?tag)?|id|name|protein([_ .]?(id|accession))?|transcript([_ .]?id)?|orf|query|feature)s?$/i
const severalTerms = /^[A-Za-z]+[:_]?\d[\w.]*(\s*[,;|]\s*[A-Za-z]+[:_]?\d[\w.]*)+$/

function readTable({ file, log, source, onRow }: ReaderContext): LineHandler {
  let lines = 0
  let separator: string | null | undefined
  let symbolSecond = false
  return (line, lineNumber) => {
    if (line.startsWith('#') || line.startsWith('!')) return false
    if (separator === undefined) {
      separator = findRowSeparator(line, (cell) => headerWords.test(cell))
      const found = separator === null ? splitWords(line).length : 2
      if (separator !== '\t' && found > 1) log.report(annotationDefects, 'annotation-other-separator', file, lineNumber)
    }
    let columns = separator === null ? splitWords(line) : splitCells(line, separator)
    if (columns.length < 2) {
      log.report(annotationDefects, 'annotation-column-count', file, lineNumber, {
        found: 1,
        format: 'TSV, CSV',
        expected: '2-3',
      })
      return true
    }
    // Terms that stand side by side are parted by the same sign as the columns.
    if (
      separator !== '\t' &&
      columns.length > 2 &&
      columns.slice(1).every((cell) => guessSource(unquote(cell)) !== null)
    )
      columns = [columns[0]!, columns.slice(1).join(', ')]
    const gene = unquote(columns[0]!)
    let termText = unquote(columns[1]!)
    let nameText = unquote(columns[2] ?? '')
    let otherNames: string[] = []
    // Gene, symbol, term: the order of the GO slim file of SGD.
    symbolSecond ||= guessSource(termText) === null && guessSource(nameText) !== null
    if (symbolSecond) {
      otherNames = termText === gene || termText === '' ? [] : [termText]
      ;[termText, nameText] = [nameText, unquote(columns[3] ?? '')]
    }
    if (lines++ === 0 && headerWords.test(gene)) return false
    if (gene === '' || termText === '') {
      log.report(annotationDefects, 'annotation-empty-field', file, lineNumber, {
        field: gene === '' ? '@gene-name' : '@term',
      })
      return true
    }
    const terms = severalTerms.test(termText) ? termText.split(/\s*[,;|]\s*/) : [termText]
    const termName = terms.length === 1 ? given(nameText) : null
    for (const term of terms) {
      const guessed = guessSource(term)
      if (/^GO:/i.test(term) && !goId.test(term)) {
        log.report(annotationDefects, 'annotation-bad-term', file, lineNumber, { term, expected: '@go-term' })
        continue
      }
      onRow({ ...newRow(gene, term, source ?? guessed ?? 'annotation', lineNumber), otherNames, termName })
    }
    return true
  }
}

/** Gene and term, and the term's name where the term is known by its form. */
function splitWords(line: string): string[] {
  const cut = (text: string): string[] => /^(\S+)\s+(\S.*)$/.exec(text)?.slice(1) ?? [text]
  const [gene = '', rest] = cut(line.trim())
  if (rest === undefined) return [gene]
  const [term = '', name] = cut(rest)
  return name !== undefined && !/[,;|]$/.test(term) && guessSource(term) !== null ? [gene, term, name] : [gene, rest]
}

function unquote(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1).trim() : trimmed
}

/** The format of an annotation file that its own lines name: a header of the format, or the heading of a program's table. */
export function findAnnotationProgram(lines: readonly string[]): AnnotationFormat | null {
  for (const line of lines) {
    if (/^!gaf-version/i.test(line)) return 'gaf'
    if (/^##gff-version\s+3/i.test(line)) return 'gff3'
    if (/^##?\s*(emapper|eggnog)/i.test(line) || /^#query(_name)?\t/.test(line)) return 'eggnog'
    if (/^#\s*gene name\s+(KO|thrshld)/.test(line)) return 'kofamscan'
    const program = findProgramTable(line)
    if (program !== null) return program
  }
  return null
}

/**
 * The format of an annotation file by its first lines and, where those could be anything, its name; null when it is none.
 *
 * Example: `guessAnnotationFormat('x.txt', ['!gaf-version: 2.2'])` is `gaf`.
 */
export function guessAnnotationFormat(fileName: string, lines: readonly string[]): AnnotationFormat | null {
  const program = findAnnotationProgram(lines)
  if (program !== null) return program
  const data = lines.filter((line) => line.trim() !== '' && !/^[#!]/.test(line)).map((line) => line.split('\t'))
  const first = data[0]
  if (!first) {
    if (/\.gaf(\.gz)?$/i.test(fileName)) return 'gaf'
    if (/emapper\.annotations/i.test(fileName)) return 'eggnog'
    return null
  }
  const max = (test: (columns: string[]) => boolean) => data.filter(test).length > data.length / 2
  if (max((columns) => columns.length >= 15 && columns.length <= 17 && goId.test(columns[4]!.trim()))) return 'gaf'
  // Column 2 of InterProScan is the MD5 sum of the protein.
  if (max((columns) => columns.length >= 11 && columns.length <= 15 && /^[0-9a-f]{32}$/i.test(columns[1]!))) {
    return 'interproscan'
  }
  if (/emapper\.annotations/i.test(fileName) && first.length > 10) return 'eggnog'
  if (/\.gaf(\.gz)?$/i.test(fileName)) return 'gaf'
  if (isKoList(data.map((columns) => columns.join('\t')))) return 'ko'
  if (max((columns) => columns.length === 2 || columns.length === 3)) return 'table'
  if (
    max((columns) => columns.length === 1 && /\S[\s,;]+\S/.test(columns[0]!)) &&
    /\.(txt|csv|tsv)(\.gz)?$/i.test(fileName)
  ) {
    return 'table'
  }
  return null
}
